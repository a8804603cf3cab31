"""Names as they are written, made comparable: characters, case, plurals, and the structural form in a name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import ftfy

from minerva_desktop.language.lexicon import word_list

_FIXES = ftfy.TextFixerConfig(
    unescape_html=False,
    uncurl_quotes=False,
    fix_latin_ligatures=True,
    fix_character_width=True,
    remove_terminal_escapes=True,
    normalization="NFC",
    explain=False,
)

_INVISIBLE = [
    *range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0), 0xAD, 0x034F, 0x061C, 0x180E,
    *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFD),
]  # fmt: skip
_REMOVED: dict[int, str | None] = dict.fromkeys(_INVISIBLE)
_SAME: dict[int, str | None] = {
    0x03BC: "µ", 0x2126: "Ω", 0x212B: "Å", 0x212A: "K", 0x2010: "-", 0x2011: "-", 0xFE63: "-", 0x02D7: "−", 0x2796: "−",
    0x00A0: " ", 0x2000: " ", 0x2001: " ", 0x2002: " ", 0x2003: " ", 0x3000: " ", 0x2028: "\n", 0x2029: "\n",
    0x0085: "\n", 0x2004: "\u2009", 0x2005: "\u2009", 0x2006: "\u2009", 0x2007: "\u2009", 0x2008: "\u2009",
    0x200A: "\u2009", 0x202F: "\u2009", 0x205F: "\u2009", 0x22C5: "·", 0x2219: "·", 0x2215: "/", 0x2103: "°C",
    0x2109: "°F",
}  # fmt: skip
_TABLE = _REMOVED | _SAME

_SURROGATES = re.compile(r"[\ud800-\udfff]")
_HYPHENS = re.compile(r"[-‐‑‒–—―−_/]+")
_SPACES = re.compile(r"\s+")
_TAGS = re.compile(r"</?(?:jats:)?(?:sub|sup|i|b|em|italic|bold|sc)>")

_IRREGULAR = {
    "analyses": "analysis", "axes": "axis", "bases": "base", "crises": "crisis", "hypotheses": "hypothesis",
    "theses": "thesis", "syntheses": "synthesis", "matrices": "matrix", "indices": "index", "vertices": "vertex",
    "vortices": "vortex", "appendices": "appendix", "spectra": "spectrum", "quanta": "quantum", "maxima": "maximum",
    "minima": "minimum", "optima": "optimum", "media": "medium", "bacteria": "bacterium", "strata": "stratum",
    "moduli": "modulus", "nuclei": "nucleus", "radii": "radius", "stimuli": "stimulus", "phenomena": "phenomenon",
    "criteria": "criterion", "lenses": "lens", "gases": "gas", "biases": "bias", "buses": "bus", "viruses": "virus",
    "halves": "half", "leaves": "leaf", "knives": "knife", "feet": "foot", "teeth": "tooth", "mice": "mouse",
    "loci": "locus", "foci": "focus", "formulae": "formula", "antennae": "antenna", "lamellae": "lamella",
    "dies": "die", "people": "person", "men": "man", "women": "woman", "children": "child", "apparatuses": "apparatus",
    "movies": "movie", "ties": "tie", "calories": "calorie", "zeros": "zero", "photos": "photo", "oxes": "ox",
    "quizzes": "quiz", "caches": "cache", "aches": "ache", "axles": "axle", "niches": "niche",
}  # fmt: skip
_UNCHANGED = word_list("unchanged_plurals")


def normalise_text(text: str) -> str:
    """A text repaired and in one spelling, without changing what it says.

    Mojibake, ligatures and full-width forms are repaired; the two micro signs, ohm signs, angstrom signs and kelvin
    signs become one each; control characters, zero-width characters, soft hyphens and writing-direction marks go;
    unusual spaces become a space, the thin ones U+2009 (they group thousands). Raised and lowered digits stay: "10³" is
    not "103". Line ends become "\\n".
    """
    if text.isascii():
        return text.translate(_REMOVED).replace("\r\n", "\n").replace("\r", "\n")
    fixed = ftfy.fix_text(_SURROGATES.sub("", text), _FIXES)
    fixed = fixed.replace("\r\n", "\n").replace("\r", "\n").translate(_TABLE)
    return unicodedata.normalize("NFC", fixed)


def fold(text: str) -> str:
    """A name for comparison: without case, accents, markup, hyphens and double spaces; "Thin‑Film " is "thin film"."""
    if len(text) > 400:
        return _fold(text)
    return _cached_fold(text)


@lru_cache(maxsize=65536)
def _cached_fold(text: str) -> str:
    return _fold(text)


def _fold(text: str) -> str:
    if text.isascii():
        plain = text.translate(_REMOVED)
    else:
        plain = unicodedata.normalize("NFKD", text.translate(_REMOVED))
        plain = "".join(character for character in plain if not unicodedata.combining(character))
    if "<" in plain:
        plain = _TAGS.sub("", plain)
    plain = _HYPHENS.sub(" ", plain.casefold())
    return _SPACES.sub(" ", plain).strip()


def squash(text: str) -> str:
    """A name for comparison without any space: "nano-wire", "nano wire" and "nanowire" are one."""
    return fold(text).replace(" ", "")


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """The singular of an English noun, or of the last word of a phrase; the case of the rest is kept.

    "nanowires" gives "nanowire", "batteries" "battery", "analyses" "analysis"; "glass", "series", "physics" and what is
    singular already stay as they are.
    """
    head, space, last = word.rpartition(" ")
    if space:
        return head + space + singular(last)
    lower = word.lower()
    if lower in _IRREGULAR:
        return _like(word, _IRREGULAR[lower])
    if len(word) < 4 or not lower.endswith("s") or lower in _UNCHANGED or lower.endswith(("ss", "us", "is", "'s")):
        return word
    if any(character.isdigit() for character in word) or sum(character.isupper() for character in word) > 1:
        # "SOFCs" has a plural s, "GaAs" and "LaOFeAs" do not.
        return word[:-1] if word[:-1].isupper() and len(word) > 3 else word
    if lower.endswith("ies") and len(word) > 4:
        return word[:-3] + ("Y" if word[-1].isupper() else "y")
    if lower.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if lower.endswith("oes"):
        return word[:-2]
    return word[:-1]


def _like(word: str, form: str) -> str:
    return form.capitalize() if word[:1].isupper() else form


def split_form(name: str, forms: Iterable[str]) -> tuple[str, str]:
    """A structural form split off a material's name: "NbN nanowires" is ("NbN", "nanowire").

    Args:
        name: the name as written; "thin films of NbN" is understood too.
        forms: the forms of the domain, in the singular ("nanowire", "thin film").

    Returns:
        (name, form); the form is one of ``forms``, "" when there is none, and the name is "" when it was only a form.
    """
    known = {squash(form): form for form in forms}
    words = [word for word in re.split(r"[\s\u2009]+", name.strip()) if word]
    for first in range(len(words)):
        tail = words[first:]
        form = _form(tail, known)
        if form:
            return " ".join(words[:first]), form
    for position, word in enumerate(words):
        if word.lower() == "of" and 0 < position < len(words) - 1:
            form = _form(words[:position], known)
            if form:
                return " ".join(words[position + 1 :]), form
    if len(words) == 1 and "-" in words[0]:
        head, _, tail_text = words[0].rpartition("-")
        form = _form([tail_text], known)
        if form and head:
            return head, form
    return name.strip(), ""


def _form(words: list[str], known: dict[str, str]) -> str:
    phrase = " ".join(words)
    return known.get(squash(singular(fold(phrase))), "") or known.get(squash(phrase), "")
