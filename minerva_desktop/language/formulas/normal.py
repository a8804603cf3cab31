"""One spelling for formulas: markup, raised and lowered digits, and the look-alikes that PDF fonts leave."""

from __future__ import annotations

import re
import unicodedata

from minerva_desktop.language.scan import from_superscript, scan_text

_LATEX = re.compile(r"\\(?:mathrm|text|rm|mathit|mathbf|ce|textsubscript|mathsf|sb)\b\s*")
_TAGS = re.compile(
    r"</?(?:jats:|mml:)?(?:sub|sup|i|b|em|italic|bold|roman|inf|mn|mi|mrow|msub|math|scp|strong)\s*/?>", re.IGNORECASE
)
_COMMANDS = ((re.compile(r"\\delta\b"), "δ"), (re.compile(r"\\(?:cdot|bullet)\b"), "·"), (re.compile(r"\\pm\b"), "±"),
             (re.compile(r"\\[,;:! ]"), ""), (re.compile(r"\\(?:epsilon|varepsilon)\b"), "ε"))  # fmt: skip
_LOWERED = {"ₓ": "x", "ₙ": "n", "ₘ": "m", "ₐ": "a", "ₚ": "p"}
_LOOK_ALIKES = {
    "\u0351": "(", "\u0352": ")", "\u0357": ")",
    "À": "-", "Ϫ": "-", "\uf02d": "-", "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "\uf064": "δ", "∂": "δ",
    "𝛿": "δ", "𝑥": "x", "𝑦": "y", "𝑧": "z", "×": "x", "ẟ": "δ",
}  # fmt: skip
_DOTS = re.compile(r"[•⋅∙·‧・*]")
_COLON_DECIMAL = re.compile(r"(?<=\d)[:](?=\d)")
_COMMA_DECIMAL = re.compile(r"(?<=[A-Za-z]\d),(?=\d)")
_SPLIT_DECIMAL = re.compile(r"(?<=\d\.)\s+(?=\d)")


_EVERYDAY = re.compile(r"[A-Za-z0-9 .()\[\]/+-]*\Z")


def spaceless(text: str) -> str:
    """The normal form of a text in which only spaces have to go; any other text as it is."""
    return text.replace(" ", "") if _EVERYDAY.match(text) else text


def normal_formula(text: str) -> str:
    """A formula without markup, spaces and look-alikes; raised and lowered digits are plain ones."""
    if _EVERYDAY.match(text):
        return text.replace(" ", "")
    if "\\" in text:
        for pattern, instead in _COMMANDS:
            text = pattern.sub(instead, text)
        text = _LATEX.sub("", text)
    if "<" in text:
        text = _TAGS.sub("", text)
    text = "".join(_LOOK_ALIKES.get(character, _LOWERED.get(character, character)) for character in text)
    text = from_superscript(scan_text(text))
    text = unicodedata.normalize("NFKC", text)
    for mark in "$_{}^~":
        text = text.replace(mark, "")
    text = _DOTS.sub("·", text)
    text = _SPLIT_DECIMAL.sub("", text)
    text = re.sub(r"\s+", "", text)
    text = _COLON_DECIMAL.sub(".", text)
    return _COMMA_DECIMAL.sub(".", text)
