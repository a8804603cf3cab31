"""Whether the words of a sentence link a subject with what is claimed of it, or only name both.

"Alumina is used as an abrasive for grinding" names alumina and grinding, and does not say that alumina is made by it. The
links are looser than those by which the rules read a sentence by themselves: here a model has read it, and only what no
reader could find in the words is sorted out.
"""

from __future__ import annotations

import re

from minerva_desktop.checks.claim_reading import MAKING, USING
from minerva_desktop.checks.sentence import Named, Reading, Span

_HAS = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|having|shows?|showed|showing|exhibits?|exhibited|displays?|possess\w*|with|of|"
    r"becomes?|became|remains?|gives?|due to|because of|known for|owes?|whose|its|their|such as|include[sd]?|including)\b|[:(]",
    re.IGNORECASE,
)
_USES = re.compile(
    rf"\b{USING}\b|\b(?:us(?:es?|ing|able|age)|applications?|serving|act(?:s|ed|ing)? as|functions? (?:as|in)|works? (?:as|in)|"
    r"as an?|for|made (?:of|from|with|out of)|mak(?:es?|ing)|consist\w*|contain\w*|compris\w*|composed|based|basis|rel(?:y|ies|ied)|"
    r"ow(?:e[sd]?|ing)|depend\w*|requir\w*|needs?|enabl\w*|powers?|powered|heart|core|components?|ingredients?|choice|suited|ideal|"
    r"way into|lends?)\b",
    re.IGNORECASE,
)
_MADE = re.compile(
    rf"\b{MAKING}\b|\b(?:extract\w*|refin\w*|smelt\w*|isolat\w*|recover\w*|purif\w*|crystalli[sz]\w*|sinter\w*|cast|drawn|"
    r"sputter\w*|evaporat\w*|synthes[ie]\w*|production|preparation|manufacture|growth|by|via|through)\b",
    re.IGNORECASE,
)
_IN_USE = re.compile(rf"\b(?:{USING}|us(?:es?|ing))\b", re.IGNORECASE)
_COMPOUND = re.compile(r"[\s-]*(?:(?!(?:and|or|nor|but|not|than|vs|versus|with|without)\b)[\w-]+\s+)?")
"""Nothing, or one word, between a name and what it is part of: "lithium batteries", "aluminum electrolytic capacitor"."""

_BESIDE = 24
"""So many characters beside a statement may hold the word that links it: "Among the uses of ZnO are sunscreens"."""


def unlinked(kind: str, reading: Reading, subject: Named, target: Span) -> str:
    """Why the words do not link a subject with a target as a relation of this kind does; "" when they may."""
    text = reading.text
    start, end = target
    if _in_longer_name(kind, reading, target):
        return "The words are part of another name in the sentence."
    between = text[subject.end : start] if subject.end <= start else text[end : subject.start]
    around = text[max(0, min(subject.start, start) - _BESIDE) : max(subject.end, end)]
    if kind == "HAS_PROPERTY":
        said = any(item.predicate and item.start < end and start < item.end for item in reading.names)
        if _IN_USE.search(between):
            return "The sentence speaks of a use."
        linked = said or _HAS.search(between) or _HAS.search(text[end : end + _BESIDE])
    elif kind == "USED_IN":
        compound = subject.end <= start and _COMPOUND.fullmatch(between)
        linked = bool(compound) or _USES.search(around)
    else:
        if _IN_USE.search(around) and not re.search(rf"\b{MAKING}\b", around, re.IGNORECASE):
            return "The sentence speaks of a use."
        linked = _MADE.search(text[min(subject.start, start) : max(subject.end, end) + _BESIDE])
    return "" if linked else "The sentence names both without linking them."


def _in_longer_name(kind: str, reading: Reading, target: Span) -> bool:
    """ "pulsed laser deposition" says nothing of lasers."""
    own = {"HAS_PROPERTY": "property", "USED_IN": "application", "SYNTHESIZED_BY": "method"}.get(kind)
    start, end = target
    return any(
        item.kind != own and item.start <= start and end <= item.end and item.end - item.start > end - start
        for item in reading.names
    )
