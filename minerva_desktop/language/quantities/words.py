"""The words and signs around a number that change what it says: "up to", "~", "below", "or more"."""

from __future__ import annotations

import re
from typing import Literal

Comparator = Literal["", "<", "<=", ">", ">="]

_BOUNDS: dict[Comparator, tuple[str, ...]] = {
    "<": (
        "<",
        "≪",
        "≲",
        "below",
        "less than",
        "under",
        "lower than",
        "smaller than",
        "fewer than",
        "shorter than",
        "just below",
        "well below",
        "thinner than",
        "better than",
        "not reaching",
        "younger than",
        "narrower than",
        "beneath",
    ),
    "<=": (
        "≤",
        "<=",
        "=<",
        "up to",
        "at most",
        "no more than",
        "not more than",
        "not exceeding",
        "no greater than",
        "no higher than",
        "not higher than",
        "not greater than",
        "a maximum of",
        "maximum of",
        "as high as",
        "within",
        "as much as",
        "as many as",
        "as large as",
        "as long as",
        "up to and including",
        "no larger than",
        "max.",
        "max",
    ),
    ">": (
        ">",
        "≫",
        "≳",
        "above",
        "over",
        "more than",
        "greater than",
        "higher than",
        "exceeding",
        "exceeds",
        "exceed",
        "larger than",
        "in excess of",
        "beyond",
        "longer than",
        "just above",
        "well above",
        "upwards of",
        "thicker than",
        "exceeded",
        "older than",
        "wider than",
        "just over",
    ),
    ">=": (
        "≥",
        ">=",
        "=>",
        "at least",
        "no less than",
        "not less than",
        "a minimum of",
        "minimum of",
        "as low as",
        "down to",
        "as little as",
        "as few as",
        "as small as",
        "no lower than",
        "not lower than",
        "no smaller than",
        "min.",
    ),
}

_ABOUT = (
    "~", "≈", "about", "ca.", "ca", "circa", "approximately", "approx.", "approx", "around", "roughly", "nearly",
    "almost", "some", "close to", "near", "of the order of", "on the order of", "in the order of", "of order",
    "an estimated", "c.a.", "≅", "∝", "an average of", "average of", "mean of", "a mean of", "an average",
)  # fmt: skip

_AFTER: dict[Comparator, tuple[str, ...]] = {
    ">=": (
        "or more",
        "or higher",
        "or greater",
        "or above",
        "and above",
        "and higher",
        "or longer",
        "or over",
        "or larger",
        "and more",
        "and up",
    ),
    "<=": (
        "or less",
        "or lower",
        "or below",
        "and below",
        "or fewer",
        "or smaller",
        "or shorter",
        "and lower",
        "or under",
    ),
}

COMPARATOR: dict[str, Comparator] = {word: sign for sign, words in _BOUNDS.items() for word in words}
AFTERWARDS: dict[str, Comparator] = {word: sign for sign, words in _AFTER.items() for word in words}
ABOUT = frozenset(_ABOUT)


def _alternatives(words: list[str]) -> str:
    ordered = sorted(words, key=lambda word: (-len(word), word))
    signs: list[str] = []
    parts: list[str] = []
    for word in ordered:
        text = re.escape(word).replace(r"\ ", r"\s+")
        if word == "ca":  # "Ca 39" is calcium
            text = "(?-i:ca)"
        (parts if word[0].isalpha() else signs).append(text)
    # One boundary for all words: most places in a text are none, and there no word need be tried.
    return "|".join([*signs, rf"\b(?:{'|'.join(parts)})(?![A-Za-z])"])


_ANY = _alternatives([*COMPARATOR, *_ABOUT])
_OPENING = (
    r"\bbetween\b|\bfrom\b|\bin\s+the\s+range\s+(?:of\s+|from\s+|between\s+)?|\branging\s+(?:from|between)\b|"
    r"\brange\s+of\b"
)

BEFORE = re.compile(rf"(?:(?:{_ANY}|{_OPENING})\s*)+\Z", re.IGNORECASE)
"""Everything before a number that belongs to it, at the end of the text before it."""

START = re.compile(rf"(?:(?:{_ANY}|{_OPENING})\s*)+", re.IGNORECASE)
"""The same at the start of a text."""

FIRST = re.compile(rf"(?P<mod>{_ANY})|(?P<open>{_OPENING})", re.IGNORECASE)
AFTER = re.compile(r"\s+(?P<after>" + _alternatives(list(AFTERWARDS)) + ")", re.IGNORECASE)


_RANGE = re.compile(r"(?:\bin\s+the\s+)?\brang(?:e|ing)(?:\s+(?:of|from|between))?\s*\Z", re.IGNORECASE)


def without_range(before: str) -> str:
    """What of the words before a number only announces a range: "in the range of"; it belongs to the sentence."""
    match = _RANGE.search(before)
    return before if match else ""


def understand(before: str) -> tuple[Comparator, bool, bool]:
    """Comparator, approximate, and whether "between" or "from" opened a range, of the words before a number."""
    comparator: Comparator = ""
    approximate = opened = False
    for match in FIRST.finditer(before):
        word = " ".join((match.group("mod") or "").lower().split())
        if match.group("open"):
            opened = True
        elif word in COMPARATOR:
            comparator = COMPARATOR[word]
            approximate = approximate or word in {"≲", "≳"}
        else:
            approximate = True
    return comparator, approximate, opened
