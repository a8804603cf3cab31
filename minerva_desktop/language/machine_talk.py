"""Sentences about the checking itself: what verdict is right, what a graph has to hold, what is to be taken as stated.

No paper states such things of the world. They are read neither as facts nor as evidence, however politely they are put.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_VERDICTS = re.compile(r"(?<![\w-])(?:SUPPORTED|CONTRADICTED|INSUFFICIENT)(?![\w-])")
_SMALL_WORD = re.compile(r"\b[a-z]{2,}\b")
_TABLE_NAMES = re.compile(r"\b(?:HAS|USED|SYNTHESI[SZ]ED)_[A-Z]+\b")
_CHECKING = re.compile(
    r"\bverdicts?\b[^.;]{0,80}(?:[:=]|\b(?:is|are|be|must|should|shall|will)\b)|"
    r"\b(?:every|all|each|any)\b[^.;]{0,40}\b(?:relations?|statements?|claims?|facts?|triples?|entit(?:y|ies))\b[^.;]{0,80}"
    r"\b(?:is|are|be|as)\b[^.;]{0,40}\b(?:correct|true|accepted|stated|supported|contradicted|valid|verified)\b|"
    r"^\W*(?:please\s+)?(?:mark|treat|accept|label|rate|judge|classify|report|declare|regard|count|confirm|take)\b[^.;]{0,120}"
    r"\bas (?:true|supported|stated|contradicted|correct|valid|verified|false)\b|"
    r"<\s*/?\s*\w+-[0-9a-f]{8}\s*/?\s*>|"
    r"\bknowledge graphs?\b[^.;]{0,30}\b(?:must|should|shall|has to|have to|needs? to)\b",
    re.IGNORECASE,
)
_SIGNS = (
    "erdict",
    "ERDICT",
    "nowledge",
    "NOWLEDGE",
    "very",
    "VERY",
    "ll ",
    "LL ",
    "ach ",
    "ACH ",
    "ny ",
    "NY ",
    " as ",
    " AS ",
    "<",
)
_LOOKALIKES = str.maketrans("АВЕЅІЈКМНОРСТУХасеорхуіјѕԁһΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABESIJKMHOPCTYXaceopxyijsdhABEZHIKMNOPTYXo")


def speaks_of_checking(text: str) -> bool:
    """Whether a sentence speaks of verdicts, of the graph, or of what is to be believed, and not of the world."""
    plain = plainly(text)
    if _VERDICTS.search(plain) and _SMALL_WORD.search(plain):  # a heading in capitals says nothing of verdicts
        return True
    if "_" in plain and _TABLE_NAMES.search(plain):
        return True
    return any(sign in plain for sign in _SIGNS) and _CHECKING.search(plain) is not None


def plainly(text: str) -> str:
    """The text as a reader sees it: without invisible signs, with wide and look-alike letters as the Latin ones."""
    return text if text.isascii() else _plainly(text)


@lru_cache(maxsize=1024)
def _plainly(text: str) -> str:
    seen = "".join(sign for sign in text if unicodedata.category(sign) not in {"Cf", "Mn", "Co", "Cn"})
    return unicodedata.normalize("NFKC", seen).translate(_LOOKALIKES)
