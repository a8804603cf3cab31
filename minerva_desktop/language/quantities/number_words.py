"""Numbers written out in words: "twenty-one", "a hundred and two", "two and a half", "two thirds"."""

from __future__ import annotations

import re
from typing import NamedTuple

_SMALL = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "dozen": 12,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_LARGE = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4, "fifth": 5,
    "fifths": 5, "sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8, "ninth": 9,
    "ninths": 9, "tenth": 10, "tenths": 10, "hundredth": 100, "hundredths": 100, "thousandth": 1000,
    "thousandths": 1000,
}  # fmt: skip
_TOKEN = re.compile(r"(?P<gap>[ -](?:and |& )?(?:an? )?|, (?=\w+ (?:hundred|thousand)\b)|)(?P<word>[A-Za-z]+)")

_HALF = re.compile(r"half (?:a (?P<whole>dozen|thousand|million|billion)\b|an?(?= [a-z]))", re.IGNORECASE)
_DOZENS = {"dozen": 12.0, **_LARGE}

FIRST_WORDS = (*_SMALL, *_TENS, "hundred", "thousand", "million")
"""Words that a number may begin with."""


class Worded(NamedTuple):
    """``words`` counts what it was written with; ``fraction``: it is a part of one, or ends in one."""

    value: float
    end: int
    words: int
    fraction: bool = False


def read_words(view: str, at: int) -> Worded | None:
    """The number written out at a place of a text; None when there is none.

    >>> read_words("twenty-one years", 0)[:2], read_words("two and a half miles", 0)[:2]
    ((21.0, 10), (2.5, 14))
    """
    half = _HALF.match(view, at)
    if half:
        whole = _DOZENS.get((half.group("whole") or "").lower(), 1.0)
        return Worded(whole / 2, half.end(), 3 if whole > 1 else 2)
    total = current = 0.0
    count, end, last = 0, at, 0.0
    while True:
        match = _TOKEN.match(view, end)
        if match is None or (count == 0) != (match.group("gap") == ""):
            break
        word, gap = match.group("word").lower(), match.group("gap")
        article = gap.endswith(("a ", "an "))
        if word in _PARTS and count:
            return _with_part(total + current, _PARTS[word], gap, match.end(), count)
        if article or (gap == ", " and last < 1000):
            break
        if word == "dozen" and 0 < current < 13:
            current, last, count, end = current * 12, 12, count + 1, match.end()
            continue
        if word in _SMALL and (count == 0 or (last >= 20 and _SMALL[word] < 10) or last >= 100):
            current += _SMALL[word]
            last = _SMALL[word]
        elif word in _TENS and (count == 0 or last >= 100):
            current += _TENS[word]
            last = _TENS[word]
        elif word == "hundred" and last < 100:
            current = max(current, 1.0) * 100
            last = 100
        elif word in _LARGE and not gap.endswith("and "):
            total += max(current, 1.0) * _LARGE[word]
            current, last = 0.0, _LARGE[word]
        else:
            break
        count, end = count + 1, match.end()
    return Worded(total + current, end, count) if count else None


def _with_part(whole: float, parts: int, gap: str, end: int, count: int) -> Worded | None:
    """ "two thirds" is a product, "two and a half" a sum."""
    if "and" in gap:
        return Worded(whole + 1 / parts, end, count + 1, True)
    return Worded(whole / parts, end, count + 1, True) if 0 < whole < 20 else None
