"""What the inflections of an English word have in common: spelling, plural and derivation.

The stemmer is Snowball's for English (Porter's second). It is corrected by two lists of ``resources/language/words.toml``:
families that it keeps apart ("catalyst", "catalytic") and words that it joins wrongly ("position", "positive").
"""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import lru_cache

import Stemmer

from minerva_desktop.language.elements import NAMES
from minerva_desktop.language.lexicon import word_list
from minerva_desktop.language.names import singular

_BRITISH = (
    (re.compile(r"sulph"), "sulf"),
    (re.compile(r"alumini(?=um\b)"), "alumin"),
    (re.compile(r"caesium"), "cesium"),
    (re.compile(r"(?<=[a-z]{2})is(?=(?:ation|ations|e|ed|es|ing|er|ers|able)\Z)"), "iz"),
    (re.compile(r"(?<=[a-z]{2})ys(?=(?:e|ed|es|ing|er|ers)\Z)"), "yz"),
    (re.compile(r"(?<=[a-z])(met|cent|fib|lit|calib|lust|theat|spect|micromet|nanomet)re(?=s?\Z)"), r"\1er"),
    (re.compile(r"\b(fib|cent)re(?=s?\Z)"), r"\1er"),
    (re.compile(r"(behavi|col|vap|fav|lab|neighb|harb|tum|od|flav|hon|rum|vig|hum|arm)our"), r"\1or"),
    (re.compile(r"\bgrey"), "gray"),
    (re.compile(r"\bmould"), "mold"),
    (re.compile(r"haem"), "hem"),
    (re.compile(r"(?<=[a-z]{2})ogue(?=s?\Z)"), "og"),
)
_ANY_BRITISH = re.compile("|".join(pattern.pattern for pattern, _ in _BRITISH))
"""Finds whether there is anything to do; there rarely is."""
_SPECIAL = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})


class _Stemmers(threading.local):
    """One for each thread: they are not made to be shared."""

    def __init__(self) -> None:
        self.english = Stemmer.Stemmer("english", 0)  # what was stemmed is kept by :func:`stem`


_STEMMERS = _Stemmers()


@lru_cache(maxsize=1)
def _families() -> dict[str, str]:
    """The first stem of a family by the stem of each member."""
    found: dict[str, str] = {}
    for family in sorted(word_list("word_families")):
        members = [_plain_stem(american(word)) for word in family.split("=")]
        for member in members:
            found.setdefault(member, members[0])
    return found


def folded(word: str) -> str:
    """A word without case and accents: "Schrödinger" is "schrodinger"."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFKD", word.casefold().translate(_SPECIAL))
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


def american(word: str) -> str:
    """The American spelling of a lower-case word, so that "vapour" and "vapor" are one."""
    if not _ANY_BRITISH.search(word):
        return word
    for pattern, instead in _BRITISH:
        word = pattern.sub(instead, word)
    return word


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a word, whatever its case: "Superconducting" and "superconductivity" have the same.

    Names of elements give only their singular, so that "lead" is not what is leading. Words with digits stay.
    """
    plain = american(folded(word))
    if not plain.isalpha() or len(plain) < 3:
        return plain
    single = singular(plain)
    if single in NAMES or plain in word_list("words_apart"):
        return single
    found = _plain_stem(plain)
    if found in NAMES:
        return single  # "carbonate" is not carbon, and what is leading is no lead
    return _families().get(found, found)


def _plain_stem(word: str) -> str:
    return str(_STEMMERS.english.stemWord(singular(word)))
