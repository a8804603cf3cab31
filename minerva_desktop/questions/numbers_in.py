"""The numbers that stand in a sentence, with and without units: each may be what a question asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from minerva_desktop.language.quantities import find_quantities
from minerva_desktop.language.quantities.number_words import FIRST_WORDS, read_words
from minerva_desktop.records import Quantity

_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_BARE = re.compile(r"(?<![\w.,+/^⁻−–\-)\]])\d+(?:\.\d+)?(?:/\d+)?(?![\w^⁻⁺]|[.,/]\d|[-–−]\d|\s*[×/^])")
_YEAR = re.compile(r"(?<![\w.,$€£-])(?:1[0-9]|20)\d\d(?:s\b)?(?![\w%°]|[.,]\d)")
_WORDED = re.compile(rf"\b(?:{'|'.join(FIRST_WORDS)})\b", re.IGNORECASE)
_UNITLESS = frozenset({"", "count", "dimensionless"})
_NO_NUMBER = frozenset({"one", "zero"})
"""Words that mostly are none: "the one that …"."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number at ``start``–``end`` of a text (without the commas of thousands). ``quantity`` where it has a unit, or is a
    range or list; ``value`` is the number as written; ``dimension`` is "" where there is no unit; ``year``: it may be one;
    ``picked``: it is one value of the list that stands there."""

    start: int
    end: int
    value: float | None
    dimension: str = ""
    unit: str = ""
    quantity: Quantity | None = None
    year: bool = False
    picked: bool = False


def without_commas(text: str) -> str:
    """A text whose thousands are written without commas: "101,325 Pa" is read as no decimal number."""
    return _THOUSANDS.sub(lambda match: match.group().replace(",", ""), text)


def as_written(text: str, number: Number) -> str:
    """A number as it stands in the text before :func:`without_commas`."""
    gone = {at for match in _THOUSANDS.finditer(text) for at in range(match.start(), match.end()) if text[at] == ","}
    kept = [at for at in range(len(text)) if at not in gone]
    return text[kept[number.start] : kept[number.end - 1] + 1]


def numbers_in(text: str) -> list[Number]:
    """The numbers of a text that :func:`without_commas` gave, in order; a year also as a plain number."""
    found: list[Number] = []
    for item in find_quantities(text):
        quantity = item.quantity
        if not quantity.ok:
            continue
        bare = quantity.dimension in _UNITLESS
        dimension = "" if bare else quantity.dimension
        found.append(Number(item.start, item.end, quantity.value, dimension, quantity.unit, quantity))
    taken = [(item.start, item.end) for item in found]
    for match in _BARE.finditer(text):
        if not _overlaps(match.start(), match.end(), taken):
            found.append(Number(match.start(), match.end(), _value(match.group())))
    for match in _WORDED.finditer(text):
        worded = read_words(text, match.start())
        if worded is None or match.group().casefold() in _NO_NUMBER or _overlaps(match.start(), worded.end, taken):
            continue
        if not any(item.start <= match.start() < item.end for item in found):
            found.append(Number(match.start(), worded.end, worded.value))
    for match in _YEAR.finditer(text):
        if not _overlaps(match.start(), match.end(), [(a, b) for a, b in taken if b - a > len(match.group())]):
            found.append(Number(match.start(), match.end(), float(match.group().rstrip("s")), year=True))
    return sorted(found, key=lambda item: (item.start, item.year))


def _value(text: str) -> float:
    whole, _, part = text.partition("/")
    return float(whole) / float(part) if part and float(part) else float(whole)


def _overlaps(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    return any(start < b and a < end for a, b in spans)
