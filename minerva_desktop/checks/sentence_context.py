"""The sentences around an evidence, as a model is shown them."""

from __future__ import annotations

from bisect import bisect_left

from minerva_desktop.checks import polarity
from minerva_desktop.records import Document, Evidence, Sentence

_LONGEST = 1200
"""A longer neighbour is a run of text, and would crowd out other sentences."""

_PROSE = frozenset({"abstract", "body", "title", "heading"})


def neighbours(document: Document, evidence: Evidence) -> tuple[str, str]:
    """The sentence before and the one behind, whole; "" where there is none of the same section, where it is no running
    text beside running text, and where it gives orders to its reader."""
    at = _index(document, evidence)
    if at is None:
        return "", ""
    return _beside(document, at, at - 1), _beside(document, at, at + 1)


def _index(document: Document, evidence: Evidence) -> int | None:
    sentences = document.sentences
    at = evidence.sentence_index
    if not (0 <= at < len(sentences) and sentences[at].start == evidence.start):
        at = bisect_left(sentences, evidence.start, key=lambda sentence: sentence.start)
    return at if at < len(sentences) and sentences[at].start == evidence.start else None


def _beside(document: Document, at: int, other: int) -> str:
    if not 0 <= other < len(document.sentences):
        return ""
    one, beside = document.sentences[at], document.sentences[other]
    if one.section != beside.section or _kind(one) != _kind(beside):
        return ""
    return "" if len(beside.text) > _LONGEST or polarity.is_order(beside.text) else beside.text


def _kind(sentence: Sentence) -> str:
    return "prose" if sentence.kind in _PROSE else sentence.kind
