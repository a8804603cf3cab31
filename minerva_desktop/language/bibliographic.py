"""Entries of reference lists and other back matter that a reader of files took for running text."""

from __future__ import annotations

import re

_BIBLIOGRAPHIC_SIGNS = ("10.", "19", "20")
"""What an entry needs at least one of; looking for it takes a tenth of the pattern's time."""

_BIBLIOGRAPHIC = re.compile(
    r"\b(?:doi:?\s*)?10\.\d{4,}/\S|"
    r"\b(?:19|20)\d\d[,;]?\s+(?:\d{1,4}|[A-Z]\d{1,5})[,;:]?\s*(?:\(\d+\)[,:]?\s*)?[A-Z]?\d{1,6}\b|"
    r"\b(?:J|Int|Proc|Trans|Electrochem|Solid State|Adv|Appl|Chem|Phys|Nat|Mater|Ceram)\.? [A-Z][A-Za-z]+\.? "
    r"(?:[A-Z][\w.]+ ){0,3}(?:19|20)\d\d\b|"
    r"\b[A-Z][a-z]*\. (?:[A-Z][a-z]*\.? ){1,4}\d{1,4}, [A-Z]?\d+\s*\((?:19|20)\d\d\)\.?\s*$"
)


_LISTING = re.compile(r"(?:List of )?(?:Abbreviations?|Nomenclature|Acknowledge?ments?|Author [Cc]ontributions?)\b")
_GLUED_AUTHOR = re.compile(r"\b[A-Z][a-z]{2,}[A-Z]{1,3}\b")


def is_bibliographic(text: str) -> bool:
    """Whether a sentence is an entry of a reference list that its reader took for running text: by year, volume and
    page, by a journal's short name with a year, or by authors whose initials are glued to their names ("ZhangY"); or
    a list of abbreviations or thanks."""
    if any(sign in text for sign in _BIBLIOGRAPHIC_SIGNS) and _BIBLIOGRAPHIC.search(text):
        return True
    return len(_GLUED_AUTHOR.findall(text)) > 2 or _LISTING.match(text) is not None
