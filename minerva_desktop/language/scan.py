"""A view of a text for the parsers: the same length, one spelling for each character.

Offsets found in the view hold in the text itself, which is why nothing is joined, removed or decomposed here.
"""

from __future__ import annotations

import sys
import unicodedata

THIN = "\u2009"
"""Stands for every space that is narrower than a word space: they group thousands, a word space rarely does."""

MINUS = "−"
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"

_SAME = {
    "\u03bc": "µ",  # Greek mu: written for the micro sign
    "\u2126": "Ω",  # ohm sign
    "\u212b": "Å",  # angstrom sign
    "\u212a": "K",  # kelvin sign
    "\u2010": "-",
    "\u2011": "-",
    "\u00ad": "-",
    "\ufe63": "-",
    "\uff0d": "-",
    "\u2012": "–",
    "\u2015": "—",
    "\u2500": "–",
    "\u207b": "⁻",
    "\u00af": "⁻",  # macron, set for a raised minus
    "\u02c9": "⁻",
    "\u2796": MINUS,
    "\u02d7": MINUS,
    "\u2215": "/",
    "\u2044": "/",
    "\u2217": "*",
    "\u22c5": "·",
    "\u2219": "·",
    "\u2022": "·",
    "\u30fb": "·",
    "\u0387": "·",
    "\u2027": "·",
    "\u02d9": "·",
    "\u2715": "×",
    "\u2a09": "×",
    "\u2716": "×",
    "\u223c": "~",
    "\u02dc": "~",
    "\uff5e": "~",
    "\u301c": "~",
    "\u2245": "≈",
    "\u2243": "≈",
    "\u2248": "≈",
    "\u2a7d": "≤",
    "\u2266": "≤",
    "\u2a7e": "≥",
    "\u2267": "≥",
    "\u2272": "≲",
    "\u2273": "≳",
    "\u2a85": "≲",
    "\u2a86": "≳",
    "\u2032": "′",
    "\u02b9": "′",
    "\u2033": "″",
    "\u2103": "℃",
    "\u066b": ".",  # Arabic decimal separator
    "\u066c": ",",
    "\u2018": "'",
    "\u2019": "'",
    "\u00a0": " ",
    "\u3000": " ",
    "\u2000": " ",
    "\u2001": " ",
    "\u2002": " ",
    "\u2003": " ",
    "\t": " ",
    "\r": " ",
    "\x0b": " ",
    "\x0c": " ",
    "\u2028": " ",
    "\u2029": " ",
    "\u2004": THIN,
    "\u2005": THIN,
    "\u2006": THIN,
    "\u2007": THIN,
    "\u2008": THIN,
    "\u200a": THIN,
    "\u202f": THIN,
    "\u205f": THIN,
}


def _table() -> dict[int, str]:
    """Every full-width form and every decimal digit of any script as ASCII; the look-alikes above as one character."""
    table = {ord(key): value for key, value in _SAME.items()}
    for code in range(0xFF01, 0xFF5F):
        table.setdefault(code, chr(code - 0xFEE0))
    for code in range(0x660, min(sys.maxunicode, 0x1FBFA)):
        character = chr(code)
        if unicodedata.category(character) == "Nd":
            table[code] = str(unicodedata.digit(character))
    return table


_TABLE = _table()


def scan_text(text: str) -> str:
    """The view of a text: as long as the text, with one spelling for digits, dashes, signs and spaces."""
    if text.isascii() and not any(character in text for character in "\t\r\x0b\x0c"):
        return text
    return text.translate(_TABLE)


def from_superscript(text: str) -> str:
    """Raised (or lowered) digits and signs as plain ones."""
    return text.translate(_PLAIN)


_PLAIN = {ord(character): str(index) for index, character in enumerate(SUPERSCRIPTS)}
_PLAIN |= {ord(character): str(index) for index, character in enumerate(SUBSCRIPTS)}
_PLAIN |= {ord("⁻"): "-", ord("⁺"): "+", ord("₋"): "-", ord("₊"): "+", ord(MINUS): "-", ord("–"): "-", ord("ᐟ"): "/"}
