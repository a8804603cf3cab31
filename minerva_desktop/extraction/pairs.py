"""How a material and a term stand to one another in a sentence, as features that a confidence can be weighed by.

A pattern (:mod:`statements`) says that two mentions belong together because the words between them do; most sentences are
freer than patterns. So every material is held against every method, application and property of its sentence, and what
stands between and around the two is put into a few features. :mod:`confidence` weighs them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from minerva_desktop.extraction.chunks import Skeleton
from minerva_desktop.extraction.subjects import clause_start

TYPE_OF = {"S": "SYNTHESIZED_BY", "A": "USED_IN", "P": "HAS_PROPERTY", "K": "HAS_PROPERTY"}
_REACH = 24
_ASIDE = re.compile(r"\([^()]*\)")
_COMPOUND = re.compile(r"\.{0,3}")
_OF = re.compile(r"[.,cSPAK]{0,4}o[.KI]{0,4}(?:o\.{0,2})?")
_WITH = re.compile(r"[.(]{0,2}[wvyn][.BG]{0,4}")
_VERB, _CLAUSE, _SAID = re.compile(r"[bhr]"), re.compile(r"[;xq]"), re.compile(r"[bhrGU]")
_FOR = re.compile(r".*[kfi][.AU]{0,3}")
_LIST = re.compile(r"M(?:[.(),]{0,3}(?:,c?|c)\.{0,3}M)+")
_BUCKETS = ((0, "touching"), (1, "one_word_between"), (3, "few_words_between"), (7, "some_words_between"))


@dataclass(frozen=True, slots=True)
class Pair:
    """A material and a term of one sentence (chunk indices) with the features that hold of the two."""

    type: str
    material: int
    target: int
    features: tuple[str, ...]


def pairs(skeleton: Skeleton, wanted: Callable[[str, int, int], bool] | None = None) -> Iterator[Pair]:
    """All pairs of a sentence that are near enough to mean one another, by target, then by material; of these only the
    ``wanted`` ones by type, material and target, when that is given: features take long to make."""
    codes = skeleton.codes
    materials = [index for index, code in enumerate(codes) if code == "M"]
    if not materials:
        return
    lists = _lists(codes)
    for target, code in enumerate(codes):
        if code not in TYPE_OF:
            continue
        near = [index for index in materials if abs(index - target) <= _REACH]
        for material in near:
            if wanted is not None and not wanted(TYPE_OF[code], material, target):
                continue
            yield Pair(TYPE_OF[code], material, target, tuple(_features(skeleton, material, target, near, lists)))


def _lists(codes: str) -> dict[int, tuple[int, int]]:
    """The list that each listed material belongs to."""
    return {
        index: match.span() for match in _LIST.finditer(codes) for index in range(*match.span()) if codes[index] == "M"
    }


def _features(
    skeleton: Skeleton, material: int, target: int, materials: list[int], lists: dict[int, tuple[int, int]]
) -> Iterator[str]:
    codes = skeleton.codes
    first, last = min(material, target), max(material, target)
    members = lists.get(material, (material, material + 1))
    if members[0] <= target < members[1]:
        members = (material, material + 1)
    gap = codes[max(members[1], first + 1) : last] if material < target else codes[first + 1 : min(members[0], last)]
    gap = _ASIDE.sub("", gap)
    after = material < target
    yield "material_first" if after else "term_first"
    yield f"{'after' if after else 'before'}:{_distance(gap)}"
    yield from _between(codes, gap, first, last)
    yield from _joined(codes, gap, target, after)
    others = [index for index in materials if not members[0] <= index < members[1]]
    if not others:
        yield "only_material"
    elif all(abs(index - target) > min(abs(material - target), _to_list(members, target)) for index in others):
        yield "nearest_material"
    rivals = [index for index, code in enumerate(codes) if code == codes[target] and index != target]
    if all(_to_list(members, index) > _to_list(members, target) for index in rivals):
        yield "nearest_term"
    yield from _stance(skeleton, material, members)


def _to_list(members: tuple[int, int], at: int) -> int:
    return min(abs(members[0] - at), abs(members[1] - 1 - at))


def _distance(gap: str) -> str:
    return next((name for most, name in _BUCKETS if len(gap) <= most), "many_words_between")


def _between(codes: str, gap: str, first: int, last: int) -> Iterator[str]:
    """What stands between the two: other materials, verbs, the end of a clause."""
    count = gap.count("M")
    if count:
        yield "material_between" if count == 1 else "materials_between"
    if _VERB.search(gap):
        yield "verb_between"
    if "G" in gap:
        yield "making_between"
    if "U" in gap:
        yield "use_between"
    if _CLAUSE.search(gap):
        yield "clause_between"
    elif clause_start(codes, last) > first:
        yield "comma_clause_between"
    if "(" in gap or ")" in gap:
        yield "half_bracket_between"
    if "N" in gap:
        yield "negation_between"


def _joined(codes: str, gap: str, target: int, after: bool) -> Iterator[str]:
    """Which small words join the two."""
    if after and _COMPOUND.fullmatch(gap):
        yield "compound"
    if not after and _OF.fullmatch(gap):
        yield "term_of_material"
    if not after and _WITH.fullmatch(gap):
        yield "term_with_material"
    if "B" in gap[:2] or gap[-3:].count("B"):
        yield "based"
    before = codes[max(0, target - 4) : target].rstrip(".AUK")
    if before and before[-1] in "kfiyvwo":
        yield f"term_behind:{_WORDS[before[-1]]}"


_WORDS = {"k": "as", "f": "for", "i": "in", "y": "by", "v": "using", "w": "with", "o": "of", "n": "on", "a": "at",
          "t": "to", "z": "from", "u": "under"}  # fmt: skip


def _stance(skeleton: Skeleton, material: int, members: tuple[int, int]) -> Iterator[str]:
    """What the material is in its sentence: the subject, behind a preposition, part of a device."""
    codes = skeleton.codes
    before = codes[: members[0]].rstrip(".ID")
    if before and before[-1] in _WORDS:
        yield f"material_behind:{_WORDS[before[-1]]}"
    elif not _SAID.search(codes, clause_start(codes, members[0]), members[0]):
        yield "subject"
    if members[1] - members[0] > 1:
        yield "listed"
    mention = skeleton.mention(material)
    if mention.role:
        yield f"role:{mention.role}"
    if len(mention.elements) == 1:
        yield "bare_element"
