"""Exponents of unit symbols: raised, marked, or lowered by a PDF ("cm⁻²", "cm^-2", "cm-2", "m1/2").

A dash and a digit behind a symbol may also begin the other end of a range: "5 nm-2 µm" is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from minerva_desktop.language.scan import MINUS, from_superscript
from minerva_desktop.language.units.table import Atom, table

_SUPER = re.compile(r" ?([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[./·ᐟ][⁰¹²³⁴⁵⁶⁷⁸⁹]+|[./][⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)")
_MARKED = re.compile(
    r" ?(?:\^|\*\*|\$\^|\$\s?\^)\s?(?P<open>[{(]?)\s?(?P<value>[+\-−–]?\s?\d{1,2}(?:\.\d{1,2}|/\d)?)(?:\s?[})])?\$?"
    r"| ?<sup>\s*(?P<tagged>[+\-−–]?\s?\d(?:\.\d{1,2}|/\d)?)\s*</sup>"
)
_SIGNED = re.compile(r"(?:[-−–]\s?| [-−])(?P<value>[1-9](?:/2)?)(?![\d/]|[.,]\d)")
_FRACTION = re.compile(r"(?P<value>1/2|3/2|0\.5|1\.5)(?!\d)|½")
_DIGIT = re.compile(r"[2-6](?![\d]|[.,]\d)")
_SPACED_DIGIT = re.compile(r" [23](?![\w.,%°+\-−–±×*/(]|\s?[-–−±×]|\s\d)")
_LETTERS = re.compile(r"[A-Za-zµΩÅℓ℧]+")


ALSO_WORDS = frozenset({"in", "in."})
"""Units that are words as well: "W cm−2 in air"."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a text behind a symbol. ``first``: no symbol came before; ``spaced``: "cm 2" may be a power here."""

    text: str
    at: int
    atom: Atom
    first: bool
    spaced: bool


def read_exponent(place: Place, splits: Callable[[str], bool]) -> tuple[int, float | None]:
    """The exponent at a place: (end, value), or (at, None) when there is none.

    Args:
        place: where to read.
        splits: whether a run of letters is several symbols written as one word.
    """
    text, at, atom = place.text, place.at, place.atom
    raised = _SUPER.match(text, at)
    if raised:
        return raised.end(), _number(raised.group(1))
    marked = _MARKED.match(text, at)
    if marked:
        return marked.end(), _number(marked.group("value") or marked.group("tagged"))
    if atom.kind and atom.kind != "count":
        return at, None
    signed = _SIGNED.match(text, at)
    if signed and atom.offset and signed.group("value") != "1":
        return at, None
    if signed and not _is_range(place, signed):
        return signed.end(), -_number(signed.group("value"))
    return _unsigned(place, splits) if atom.power else (at, None)


def _unsigned(place: Place, splits: Callable[[str], bool]) -> tuple[int, float | None]:
    text, at = place.text, place.at
    fraction = _FRACTION.match(text, at)
    if fraction:
        return fraction.end(), _number(fraction.group("value") or "0.5")
    digit = _DIGIT.match(text, at)
    if digit and _may_follow(text, digit.end(), splits):
        return digit.end(), float(digit.group())
    spaced = _SPACED_DIGIT.match(text, at) if place.spaced else None
    return (spaced.end(), float(spaced.group())) if spaced else (at, None)


def _is_range(place: Place, signed: re.Match[str]) -> bool:
    """Whether a dash and a digit begin another quantity: "5 nm-2 µm", "1 h–2 h", "800 °C–2 h"."""
    rest = place.text[signed.end() :]
    if place.text[place.at] == " " and (rest[:1].isalnum() or rest[:1] in {"%", "°"}):
        return True
    follows = re.match(r"[ \u2009]?([A-Za-zµΩÅ°]+)", rest)
    if not follows:
        return bool(re.match(r"[ \u2009]?[%°‰±×]", rest))
    other = _symbol_named(follows.group(1), rest.lstrip())
    if other is None or other.symbol in ALSO_WORDS or re.match(r"\s?[-−–⁻^]\s?[1-9¹²³]", rest[follows.end() :]):
        return False
    apart = place.first and other.base in {"h", "min", "d"} and signed.group()[0] in "–-"
    return apart or other.vector == place.atom.vector


def _symbol_named(word: str, rest: str) -> Atom | None:
    units = table()
    if word in units.plain:
        return units.plain[word]
    return next((item for item in units.special.get(word[0], ()) if rest.startswith(item.symbol)), None)


def _may_follow(text: str, end: int, splits: Callable[[str], bool]) -> bool:
    """A digit is a power only when a boundary or another symbol follows: not in "m2O"."""
    if end >= len(text) or not text[end].isalnum():
        return True
    run = _LETTERS.match(text, end)
    return run is not None and (run.group() in table().plain or splits(run.group()))


def _number(text: str) -> float:
    plain = from_superscript(text).replace(" ", "").replace(MINUS, "-").replace("·", ".")
    top, _, bottom = plain.partition("/")
    return float(top) / float(bottom) if bottom else float(top)
