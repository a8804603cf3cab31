"""Titles and abstracts as sources write them, in one spelling: without markup, LaTeX, raised and lowered digits."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

from pylatexenc.latex2text import LatexNodes2Text  # type: ignore[import-untyped]
from pylatexenc.latexwalker import LatexWalkerError  # type: ignore[import-untyped]

from minerva_desktop.language.names import normalise_text
from minerva_desktop.language.stems import folded

LONGEST = 20_000
"""Characters of a text that are looked at: more is no abstract."""

_TAG = re.compile(
    r"</?(?:jats:|mml:|m:)?(?:sub|sup|inf|i|b|em|u|tt|p|br|sc|scp|strong|italic|bold|roman|span|font|title|sec|math|mrow|mi|mn|mo|"
    r"msub|msup|msubsup|mtext|mspace|mstyle|mathvariant|inline-formula|tex-math|alternatives|formula)(?:\s[^<>]{0,400}=[^<>]{0,400})?\s?/?>",
    re.IGNORECASE,
)
_BLOCK_TAG = re.compile(r"</?(?:jats:)?(?:p|br|title|sec)(?:\s[^<>]{0,200}=[^<>]{0,200})?\s?/?>", re.IGNORECASE)
_MATH = re.compile(r"\$\$?([^$]{1,200})\$\$?")
_SCRIPT = re.compile(r"(?<=[\w)\]}])\s?[_^]\s?\{([^{}]{0,40})\}|(?<=[\w)\]}])[_^](?=[\w+\-−*])")
_CHEMISTRY = re.compile(
    r"\\(?:ce|mathrm|text|rm|mathit|mathbf|mathsf|textsubscript|textsuperscript|it|bf|em|emph)\b\s*"
)
_PERCENT = re.compile(r"(?<!\\)%")  # begins a comment in LaTeX, and is a percent sign in a title
_SPACES = re.compile(r"\s+")
_DASHES = re.compile(r"[‐‑‒–—―−﹣－]")
_GREEK = {
    sign: unicodedata.name(sign).removeprefix("GREEK SMALL LETTER ").removesuffix(" SYMBOL").lower()
    for sign in "αβγδεζηθικλμνξπρσςτυφχψω"
} | {"µ": "mu", "ϵ": "epsilon", "ϕ": "phi", "ϑ": "theta", "λ": "lambda", "ς": "sigma"}
_GREEK_SIGN = re.compile(rf"(?<![^\W\d_])([{''.join(_GREEK)}])(?![α-ωάέήίόύώ])((?=[^\W_]))?")
_MARKS = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "′": "'", "＇": "'", "&": " and "})
_LATEX = LatexNodes2Text(math_mode="text", strict_latex_spaces=False)


def plain(text: str) -> str:
    """A text in one line without markup and LaTeX; case, accents and Greek letters are kept.

    >>> plain("Superconducting MgB$_2$ films"), plain("MgB<sub>2</sub>"), plain("MgB₂")
    ('Superconducting MgB2 films', 'MgB2', 'MgB2')
    """
    text = text[:LONGEST]
    return _cached(text) if len(text) < 400 else _plain(text)


@lru_cache(maxsize=16384)
def _cached(text: str) -> str:
    return _plain(text)


def _plain(text: str) -> str:
    if "&" in text:
        text = html.unescape(html.unescape(text))
    if "<" in text:
        text = _TAG.sub("", _BLOCK_TAG.sub(" ", text))
    if "\\" in text:
        text = _from_latex(text)
    if "$" in text:
        text = _MATH.sub(lambda match: match.group(1), text)
    if "_" in text or "^" in text:
        text = _SCRIPT.sub(lambda match: match.group(1) or "", text)
    if "{" in text:
        text = text.replace("{", "").replace("}", "")
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _DASHES.sub("-", normalise_text(text)))
        text = text.replace("⁄", "/").replace("\u0338", "")
    return _SPACES.sub(" ", text).strip()


def _from_latex(text: str) -> str:
    try:
        return str(_LATEX.latex_to_text(_PERCENT.sub(r"\\%", _CHEMISTRY.sub("", text))))
    except (LatexWalkerError, ValueError, IndexError, RecursionError):
        return text.replace("\\", " ")


_APART = re.compile(r"(?<=\d)[.,:/-](?=\d)|(?<=[a-z0-9])\++(?![a-z0-9])")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_KEPT = re.compile(r"[^\W_]|\x00.")


@lru_cache(maxsize=65536)
def fingerprint(title: str) -> str:
    """What is left of a title when only its letters and digits count: the same for all spellings of one title.

    Greek letters are spelt out; points and hyphens between digits stay, so that "1.5 K" is not "15 K".

    >>> fingerprint("MgB₂  Films") == fingerprint("MgB$_2$ films.")
    True
    """
    text = folded(plain(title).translate(_MARKS))
    if not text.isascii():
        text = spell_greek(text)
    text = _THOUSANDS.sub("", text).replace("'", "")
    text = _APART.sub(lambda match: "\x00" + match.group()[0], text)
    return "".join(_KEPT.findall(text)).replace("\x00", "")


def spell_greek(text: str) -> str:
    """Greek letters that stand alone or on a formula as their names; words in Greek stay."""
    return _GREEK_SIGN.sub(lambda match: _GREEK[match.group(1)] + ("" if match.group(2) is None else "-"), text)
