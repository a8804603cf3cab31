"""Which entities of a library may be one under two names, each pair with the reasons for it.

A reason is a fact about the names: one composition, an abbreviation that a paper defines, one entry of the domain pack,
one word in two spellings. How near two names are in meaning is told beside it and never a reason: near are also rivals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations

from minerva_desktop.domains import Domain
from minerva_desktop.domains.pack import Material, Term
from minerva_desktop.language.abbreviations import find_definitions
from minerva_desktop.language.names import fold, singular
from minerva_desktop.language.sameness import block_of, composition_of, same_composition, same_word, why_distinct

Key = tuple[str, str]
Spellings = Mapping[Key, Mapping[str, int]]
Pair = tuple[Key, Key]
Entries = Callable[[str], Mapping[str, str]]

_MOST_IN_BLOCK = 300
_MOST_PAPERS = 300
_SHORT = re.compile(r"(?=.*[A-Z])\S{2,14}\Z")


@dataclass(frozen=True, slots=True)
class SameEntity:
    """A pair that may be one: ``name`` would go into ``into``. ``kinds`` are composition, definition, pack or spelling, and
    ``reasons`` a sentence for each; ``similarity`` of the names' meaning (-1 to 1) is a hint, None without an embedder. Of
    each side, how many facts it is in and how many papers mention it."""

    type: str
    name: str
    into: str
    kinds: tuple[str, ...]
    reasons: tuple[str, ...]
    similarity: float | None = None
    name_facts: int = 0
    name_papers: int = 0
    into_facts: int = 0
    into_papers: int = 0


def suggested(
    spellings: Spellings,
    domain: Domain,
    dismissed: Iterable[tuple[str, str, str]],
    papers_of: Callable[[Sequence[Key]], Sequence[tuple[str, str]]],
    text_of: Callable[[str], str],
) -> list[SameEntity]:
    """The pairs, those with the most papers first. ``papers_of`` gives (paper, title) for entities; ``text_of`` a text."""
    known = {(kind, first, second) for kind, first, second in dismissed}
    entities = {key: names for key, names in spellings.items() if not key[1][:1].isdigit() and key[0] != "Value"}
    entries = cache(partial(_entries, domain))
    found: dict[Pair, dict[str, str]] = {}
    for kind, pairs in (
        ("composition", _by_composition(entities)),
        ("definition", _by_definition(entities, papers_of, text_of)),
        ("pack", _by_pack(entities, entries)),
        ("spelling", _by_spelling(entities, entries)),
    ):
        for one, other, reason in pairs:
            pair = (min(one, other), max(one, other))
            if one != other and (one[0], pair[0][1], pair[1][1]) not in known and not why_distinct(one[1], other[1]):
                found.setdefault(pair, {}).setdefault(kind, reason)
    result = [_suggestion(pair, reasons, entities, entries) for pair, reasons in found.items()]
    weight = {pair: sum(max(entities[key].values()) for key in pair) for pair in found}
    order = dict(zip(result, weight.values(), strict=True))
    return sorted(result, key=lambda item: (-len(item.kinds), -order[item], item.type, item.into, item.name))


def _suggestion(pair: Pair, reasons: Mapping[str, str], entities: Spellings, entries: Entries) -> SameEntity:
    names = set(entries(pair[0][0]).values())
    into, name = sorted(pair, key=lambda key: (key[1] not in names, -max(entities[key].values()), key[1]))
    kinds = tuple(sorted(reasons))
    return SameEntity(into[0], name[1], into[1], kinds, tuple(reasons[kind] for kind in kinds))


def _by_composition(entities: Spellings) -> Iterator[tuple[Key, Key, str]]:
    groups: dict[object, list[Key]] = {}
    for key in entities:
        composition = composition_of(key[1])
        if composition:
            groups.setdefault((key[0], composition), []).append(key)
    for keys in groups.values():
        for one, other in combinations(sorted(keys), 2):
            if same_composition(one[1], other[1]):
                yield one, other, "Both formulas have the same composition."


def _by_definition(
    entities: Spellings,
    papers_of: Callable[[Sequence[Key]], Sequence[tuple[str, str]]],
    text_of: Callable[[str], str],
) -> Iterator[tuple[Key, Key, str]]:
    """Abbreviations that a paper defines, unless papers define them differently."""
    named: dict[str, list[Key]] = {}
    for key, names in entities.items():
        for name in names:
            named.setdefault(_folded(name), []).append(key)
    short = {key: key[1] for key in entities if _SHORT.match(key[1])}
    initials = {key[1][:1].casefold() for key in entities if " " in key[1]}
    asked = sorted(key for key, name in short.items() if name[:1].casefold() in initials)
    longs: dict[str, dict[str, str]] = {}
    for paper, title in papers_of(asked)[:_MOST_PAPERS] if asked else ():
        for brief, long in find_definitions(text_of(paper)).items():
            longs.setdefault(brief, {}).setdefault(_folded(long), f"“{title}” defines “{brief}” as “{long}”.")
    for one in asked:
        meanings = longs.get(one[1], {})
        if len(meanings) == 1:
            ((long, reason),) = meanings.items()
            for other in named.get(long, ()):
                if other[0] == one[0]:
                    yield one, other, reason


def _by_pack(entities: Spellings, entries: Entries) -> Iterator[tuple[Key, Key, str]]:
    groups: dict[tuple[str, str], list[Key]] = {}
    for key in sorted(entities):
        entry = entries(key[0]).get(key[1]) or entries(key[0]).get(fold(key[1]))
        if entry:
            groups.setdefault((key[0], entry), []).append(key)
    for (_, entry), keys in groups.items():
        for one, other in combinations(keys, 2):
            yield one, other, f"The domain pack has both as names of “{entry}”."


def _by_spelling(entities: Spellings, entries: Entries) -> Iterator[tuple[Key, Key, str]]:
    blocks: dict[tuple[str, str], list[Key]] = {}
    for key in entities:
        blocks.setdefault((key[0], block_of(key[1])), []).append(key)
    for (kind, _), keys in sorted(blocks.items()):
        known = entries(kind)
        for one, other in combinations(sorted(keys)[:_MOST_IN_BLOCK], 2):
            reason = same_word(one[1], other[1])
            # Two that the pack knows by these names are two, or one for the pack's own reason.
            if reason and not (fold(one[1]) in known and fold(other[1]) in known):
                yield one, other, reason


def _entries(domain: Domain, kind: str) -> dict[str, str]:
    """The pack's entry by each name of it: folded, and symbols as written."""
    found: dict[str, str] = {}
    terms: dict[str, Sequence[Material | Term]] = {
        "Material": domain.materials,
        "Method": domain.methods,
        "Application": domain.applications,
    }
    for term in terms.get(kind, ()):
        for name in (term.name, *term.synonyms):
            found.setdefault(fold(name), term.name)
        for symbol in term.case_sensitive:
            found.setdefault(symbol, term.name)
    for item in domain.properties if kind == "Property" else ():
        for name in (item.label, *item.synonyms):
            found.setdefault(fold(name), item.label)
        for symbol in item.case_sensitive:
            found.setdefault(symbol, item.label)
    return found


def _folded(name: str) -> str:
    return singular(fold(name))


__all__ = ["SameEntity", "suggested"]
