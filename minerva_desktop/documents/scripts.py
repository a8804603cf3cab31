"""Superscripts and subscripts: what a raised or lowered piece of text means, and how it is written in a line.

Exponents and charges become Unicode superscripts (10⁻⁶, cm⁻³, Fe³⁺), subscripts plain characters (MgB2), raised
citation numbers and footnote marks disappear from the text (their words keep their boxes).
"""

from __future__ import annotations

import re

_RAISED = dict(zip("0123456789+-−–=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱ", strict=True))
_RAISE = str.maketrans(_RAISED)

_UNITS = frozenset(
    "m cm mm nm µm μm um km pm dm fm Å A s ms ns ps K T V W J N g kg mg eV meV keV C F H S Hz Pa mol L in inch inches "
    "ft yr h min sr rad Ω Torr M".split()
)
_MARKS = re.compile(r"[*∗⋆†‡§¶#‖,;\s\d\w]*[*∗⋆†‡§¶‖#][*∗⋆†‡§¶#‖,;\s\d\w]*\Z")
_SIGNED = re.compile(r"[+\-−–]\s?\d+(?:[.,]\d+)?\Z")
_CHARGE = re.compile(r"\d{0,2}[+\-−–]{1,3}\Z")
_MATH_NUMBER = re.compile(r"[+\-−–]?(?:\d+[./]\d+)\Z")
_CITATION = re.compile(r"\(?[\d\w](?:[\d\w,;\s\-–−.]|\[|\])*\)?\Z")
_ORDINAL = frozenset({"st", "nd", "rd", "th"})
_LETTERS_AT_END = re.compile(r"([^\W\d_]+)\Z")
_TEN = re.compile(r"(?<![\d.,])10\Z")
_ELEMENT = re.compile(r"[A-Z][a-z]?(?![a-z])")


def raised(before: str, text: str, after: str) -> str:
    """What to write for a raised ``text`` that stands between ``before`` and ``after`` (same word or its neighbour)."""
    text = text.strip()
    if not text:
        return ""
    if text in {"o", "°", "∘", "◦", "○", "º", "0", "˚"} and (after[:1] in {"C", "F"} or (text not in "o0")):
        return "°"
    if _MARKS.match(text):
        return text if text in {"*", "∗"} and _variable(before) else ""
    if text in {"′", "″", "'", "’", "''"}:
        return text
    if _SIGNED.match(text) or _CHARGE.match(text):
        return lift(text.replace(" ", "")) if before or after else text
    if text.isdigit():
        return _number(before, text, after)
    if _MATH_NUMBER.match(text) and (_variable(before) or before[-1:] in {")", "0"}):
        return "^" + text
    if text in _ORDINAL and (before[-1:].isdigit() or _variable(before)):
        return text
    if _CITATION.match(text) and any(character.isdigit() for character in text):
        return ""
    if _variable(before) or before[-1:] in {")", "]"} or before[-1:].isdigit():
        return lift(text) if set(text) <= _RAISED.keys() else "^" + text
    if len(text) <= 3:
        return ""  # marks of affiliations and footnotes: a, b, ab
    return "^" + text


def is_citation(text: str, written: str) -> bool:
    """Whether a raised text that was not written out is the number of a reference."""
    return not written and any(character.isdigit() for character in text) and _CITATION.match(text.strip()) is not None


def _number(before: str, text: str, after: str) -> str:
    if not before:
        # A mass number stands in front of its element; any other leading number is the mark of a note.
        return lift(text) if _ELEMENT.match(after) and len(text) <= 3 and int(text) > 1 else ""
    last = before[-1]
    if last.isdigit():
        return lift(text)
    letters = _LETTERS_AT_END.search(before)
    if letters:
        word = letters.group(1)
        exponent = len(text) == 1 and text in "234" and word in _UNITS
        return lift(text) if exponent or _variable(before) else ""
    if last in ")]" and len(text) == 1 and text in "23" and not re.search(r"[a-z]{3}", before):
        return lift(text)
    return lift(text) if last in "×·∙⋅^" else ""


def _variable(before: str) -> bool:
    """Whether the text ends in a symbol of one letter, as in formulas (R, χ, x), not in a word."""
    letters = _LETTERS_AT_END.search(before)
    return bool(letters) and len(letters.group(1)) == 1 if letters else bool(_TEN.search(before))


def lift(text: str) -> str:
    """An exponent in superscript signs; ``^…`` where Unicode has none for a sign of it."""
    if set(text) <= _RAISED.keys():
        return text.translate(_RAISE)
    return "^" + text
