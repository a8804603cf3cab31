"""Repair of characters as PDF files deliver them: ligatures, controls, private use, detached accents, degree signs.

Works on single words (no white space inside), so that the place of each word on the page stays known.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from minerva_desktop.language.names import normalise_text

SOFT_HYPHEN = "\u00ad"
UNREADABLE = "\ufffd"

# Fonts with Adobe's Symbol encoding appear in the private area as U+F000 + code.
_SYMBOL = {
    0x2B: "+", 0x2D: "−", 0x3D: "=", 0x44: "Δ", 0x46: "Φ", 0x47: "Γ", 0x4C: "Λ", 0x50: "Π", 0x51: "Θ", 0x53: "Σ",
    0x57: "Ω", 0x59: "Ψ", 0x61: "α", 0x62: "β", 0x63: "χ", 0x64: "δ", 0x65: "ε", 0x66: "φ", 0x67: "γ", 0x68: "η",
    0x6B: "κ", 0x6C: "λ", 0x6D: "μ", 0x6E: "ν", 0x70: "π", 0x71: "θ", 0x72: "ρ", 0x73: "σ", 0x74: "τ", 0x77: "ω",
    0x78: "ξ", 0x79: "ψ", 0x7A: "ζ", 0x7E: "∼", 0xA3: "≤", 0xA5: "∞", 0xA7: "•", 0xAE: "→", 0xB0: "°", 0xB1: "±",
    0xB3: "≥", 0xB4: "×", 0xB5: "∝", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xD0: "∠", 0xD6: "√",
    0xD7: "⋅",
}  # fmt: skip

_INVISIBLE = [
    *range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0), *range(0x200B, 0x2010),
    *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFC), *range(0xF8E5, 0xF900),
]  # fmt: skip

_TABLE: dict[int, str | None] = dict.fromkeys(_INVISIBLE)
_TABLE.update({0xF000 + code: sign for code, sign in _SYMBOL.items()})
_TABLE.update(dict(zip(range(0xFB00, 0xFB07), ("ff", "fi", "fl", "ffi", "ffl", "ft", "st"), strict=True)))
_TABLE.update(dict.fromkeys([0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], " "))
_TABLE.update({0x2010: "-", 0x2011: "-", 0x2126: "Ω", 0x212A: "K", 0x212B: "Å", 0x2215: "/", 0x2219: "·"})

# Accents that TeX fonts draw as signs of their own, in front of the letter they belong to.
_ACCENTS = {
    "\u00b4": "\u0301", "\u00a8": "\u0308", "\u02c6": "\u0302", "\u02dc": "\u0303", "\u00b8": "\u0327",
    "\u02c7": "\u030c", "\u02d8": "\u0306", "\u02da": "\u030a", "\u00af": "\u0304", "\u02d9": "\u0307",
    "\u02dd": "\u030b",
}  # fmt: skip
_ACCENT = re.compile("([" + "".join(_ACCENTS) + r"])([^\W\d_])")
_DOTLESS = {"ı": "i", "ȷ": "j"}
_DEGREE = re.compile(r"[\u02da\u00ba\u2218\u25e6\u25cb](?=[CFK]\b)|(?<=\d)[\u02da\u00ba\u2218\u25e6]")
_RING_AFTER = re.compile("(?<![^\\W\\d_])[Aa]\u02da")
_SPACE = re.compile(r"\s")
_UNREADABLE_SIGN = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1f\x7f-\x9f]")
_PLAIN = re.compile(r"[\x20-\x7e]*\Z")


@lru_cache(maxsize=65536)
def repair(word: str) -> str:
    """The word with its characters set right. A soft hyphen at the end is kept (it marks a broken word)."""
    if _PLAIN.match(word):
        return word
    word = word.translate(_TABLE)
    if SOFT_HYPHEN in word[:-1]:
        word = word[:-1].replace(SOFT_HYPHEN, "") + word[-1]
    word = _DEGREE.sub("°", word)
    word = _RING_AFTER.sub("Å", word)
    word = _ACCENT.sub(_compose, word)
    word = "".join(_single(character) for character in word)
    end = SOFT_HYPHEN if word.endswith(SOFT_HYPHEN) else ""
    return normalise_text(word) + end


def _compose(match: re.Match[str]) -> str:
    accent, letter = match.groups()
    joined = unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + _ACCENTS[accent])
    return joined if len(joined) == 1 else str(match.group())


def _single(character: str) -> str:
    code = ord(character)
    if code < 0x2100:
        return character
    if 0x1D400 <= code <= 0x1D7FF:
        # Mathematical alphabets carry a typeface, not another letter.
        return unicodedata.normalize("NFKC", character)
    if 0xE000 <= code <= 0xF8FF:
        return UNREADABLE
    return character


def readable_share(text: str) -> float:
    """Which part of the signs of ``text`` (white space aside) can be read; 1.0 for an empty text."""
    signs = len(text) - len(_SPACE.findall(text))
    return 1.0 - len(_UNREADABLE_SIGN.findall(text)) / signs if signs else 1.0
