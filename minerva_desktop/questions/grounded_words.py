"""Whether the words of a sentence stand in its evidence, and point the same way: content words, denials, suppositions.

Ordinary rewording passes (see ``resources/questions/rewording.toml``); a content word that no evidence has does not.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from minerva_desktop.assets import resource_path
from minerva_desktop.checks.polarity import is_supposed, negation_in
from minerva_desktop.language.stems import stem
from minerva_desktop.retrieval.words import STOP_WORDS

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CLAUSE = re.compile(
    r";|,?\s*\b(?:but|while|whereas|although|though|however|yet)\b|,\s*(?:and|which|so)\b|"
    r"\band (?=(?:it|is|are|was|were|has|have|can|shows?)\b)",
    re.IGNORECASE,
)
_PARTICLES = frozenset({"using", "via"})  # prepositions, whatever their stem is
_FEW = 2
TORN = 0.2
"""The share of a clause's words that may stand in another text than the rest."""
_LIKE = 0.75
"""The share of a clause's words that a text must have to be what the clause is about."""

Spans = Iterable[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Rewording:
    """The lists of the resource, by stems."""

    framing: frozenset[str]
    groups: dict[str, frozenset[int]]
    up: frozenset[str]
    down: frozenset[str]
    weighty: frozenset[str]


@lru_cache(maxsize=1)
def rewording() -> _Rewording:
    data = tomllib.loads(resource_path("questions", "rewording.toml").read_text(encoding="utf-8"))
    groups: dict[str, set[int]] = {}
    for number, text in enumerate(data["groups"]):
        for word in text.split():
            groups.setdefault(stem(word), set()).add(number)
    return _Rewording(
        _stems(data["framing"]),
        {word: frozenset(numbers) for word, numbers in groups.items()},
        frozenset(data["up"].split()),
        frozenset(data["down"].split()),
        frozenset(data["weighty"].split()),
    )


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in text.split())


# ------------------------------------------------------------------------------------------------------ words
def content(text: str, covered: Spans = ()) -> dict[str, str]:
    """The content words of a text: stem → word as written. ``covered`` are places of names and numbers."""
    lists = rewording()
    spans = list(covered)
    found: dict[str, str] = {}
    for match in _WORD.finditer(text):
        word = match.group().lower().removesuffix("'s").removesuffix("’s")
        plain = word in _PARTICLES or (word in STOP_WORDS and word not in lists.weighty)
        if plain or any(start <= match.start() < end for start, end in spans):
            continue
        found.setdefault(stem(word), match.group())
    return found


def foreign_words(sentence: str, units: Sequence[str], covered: Spans, excused: Iterable[str] = ()) -> list[str]:
    """The content words of a sentence that its evidence does not have, as written."""
    lists = rewording()
    known = {word for unit in units for word in _known(unit)[0]}
    groups = {number for unit in units for number in _known(unit)[1]}
    weighty = {stem(word) for word in lists.weighty}
    allowed = ((lists.framing | {stem(word) for word in excused}) - weighty) | known
    return [
        written
        for word, written in content(sentence, covered).items()
        if word not in allowed and (word in weighty or not lists.groups.get(word, frozenset()) & groups)
    ]


# --------------------------------------------------------------------------------------------------- polarity
def turned(sentence: str, units: Sequence[str], stated: bool) -> str:
    """What is wrong with the direction of a sentence, as a clause; "" when it points as its evidence does.

    ``stated``: statements can be read in it, which know better than the words around them what is only supposed.
    """
    for clause in clauses(sentence):
        words = set(content(clause))
        about = [unit for unit in units if len(words) >= _FEW and _share(words, unit) >= _LIKE]
        if negation_in(clause):
            if not any(negation_in(unit) for unit in (about or units)):
                return "it denies what its evidence does not deny"
        elif about and all(_denied(unit, words) for unit in about):
            return "its evidence denies it"
        if about and not stated and not _hedged(clause) and all(_hedged(unit) for unit in about):
            return "its evidence only supposes it"
    return ""


def clauses(sentence: str) -> list[str]:
    """The parts of a sentence between contrasts and joined statements."""
    return [sentence[start:end] for start, end in clause_spans(sentence)]


def clause_spans(sentence: str) -> list[tuple[int, int]]:
    """The places of those parts."""
    cuts = [(0, 0), *(match.span() for match in _CLAUSE.finditer(sentence)), (len(sentence), len(sentence))]
    spans = [(before[1], after[0]) for before, after in pairwise(cuts)]
    return [(start, end) for start, end in spans if sentence[start:end].strip()]


def held_together(words: Iterable[str], unit: str) -> bool:
    """Whether one text has nearly all of some content words, or others that may stand for them."""
    wanted = without_framing(words)
    return sum(not has_word(word, unit) for word in wanted) <= len(wanted) * TORN


def without_framing(words: Iterable[str]) -> list[str]:
    """Stems that say something by themselves."""
    return [word for word in words if word not in rewording().framing]


def has_word(word: str, unit: str) -> bool:
    """Whether a text has a stem, or another that may stand for it."""
    known, groups = _known(unit)
    return word in known or bool(rewording().groups.get(word, frozenset()) & groups)


@lru_cache(maxsize=1024)
def _known(unit: str) -> tuple[frozenset[str], frozenset[int]]:
    """The stems of a text, and the groups of words that they belong to."""
    words = frozenset(content(unit))
    return words, frozenset(number for word in words for number in rewording().groups.get(word, ()))


def _denied(unit: str, words: set[str]) -> bool:
    """Whether the clause of a text that has most of the words is a denial."""
    parts = sorted(clauses(unit), key=lambda part: -len(words & set(content(part))))
    return bool(parts) and negation_in(parts[0])


def _hedged(text: str) -> bool:
    return is_supposed(text, 0, len(text))


def _share(words: set[str], unit: str) -> float:
    return len(words & set(content(unit))) / len(words)


# ------------------------------------------------------------------------------------------------ comparisons
def directions(text: str) -> list[tuple[int, int, str]]:
    """Comparatives and superlatives of a text: (where, +1 or -1, the word)."""
    lists = rewording()
    found = []
    for match in _WORD.finditer(text):
        word = match.group().lower()
        if word in lists.up:
            found.append((match.start(), 1, word))
        elif word in lists.down:
            found.append((match.start(), -1, word))
    return found
