"""The list of references: its lines cut into entries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from minerva_desktop.documents.lines import Line
from minerva_desktop.records import Sentence

_BRACKET = re.compile(r"\[[A-Za-z+]*\d{1,3}[a-z]?\]")
_WORK = re.compile(
    r"\b\d{1,4}(?:\s?\(\d{1,3}\))?,\s?[A-Z]?\d{1,6}(?:\s?[–-]\s?\d{1,6})?\s?\((?:19|20)\d{2}\)|"
    r"\b(?:19|20)\d{2}\s\d{1,4}\s[A-Z]?\d{1,6}(?:\s\d{1,6})?\s(?:10\.\d{4,5}/|\d{1,3}\.)|"
    r"\b(?:19|20)\d{2},\s\d{1,4}(?:\s?\(\d{1,3}\))?,\s[A-Z]?\d{1,6}(?:\s?[–-]\s?\d{1,6})?\.|"
    r"\b(?:19|20)\d{2}\s\d{1,4}\s[A-Z]?\d{1,6}\s\d{1,6}\b|"
    r"\b[A-ZÀ-Ž][a-zà-ž]{2,}[A-Z]\.(?:\s?-?\s?[A-Z]\.)*(?=[A-ZÀ-Ž]|\s|\Z)"  # "JiangS.LiangF.": names run together
)
_CUT = re.compile(r"\b(?:[A-Z]|Acta|Ann|Appl|Chem|Electrochem|Eng|Int|Lett|Mater|Nat|Phys|Proc|Rev|Sci|Soc)\.\Z")
_NUMBER = re.compile(r"\(?(\d{1,3})[.)]?\Z")


def entries(groups: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The entries of a list of references. ``groups``: its paragraphs as lines, in reading order."""
    lines = [line for group in groups for line in group]
    if not lines:
        return []
    for starts in (_by_brackets, _by_numbers, _by_indent):
        found = starts(lines)
        if found:
            return _split(lines, found)
    return [list(group) for group in groups]


def _split(lines: Sequence[Line], starts: set[int]) -> list[list[Line]]:
    result: list[list[Line]] = []
    for place, line in enumerate(lines):
        if place in starts or not result:
            result.append([])
        result[-1].append(line)
    return result


def _by_brackets(lines: Sequence[Line]) -> set[int]:
    starts = {place for place, line in enumerate(lines) if _BRACKET.match(line.text)}
    return starts if len(starts) >= 3 else set()


def _by_numbers(lines: Sequence[Line]) -> set[int]:
    """Lines that begin with the next number of the list; other numbers at the start of a line are pages, years."""
    starts: set[int] = set()
    expected: int | None = None
    for place, line in enumerate(lines):
        match = _NUMBER.match(line.words[0].text)
        if not match or len(line.words) < 2 or not re.match(r"[^\W\d_]|[‘“\"(]", line.words[1].text):
            continue
        number = int(match.group(1))
        if expected is None and number > 3:
            continue
        if expected is None or expected <= number <= expected + 2:
            starts.add(place)
            expected = number + 1
    return starts if len(starts) >= 3 else set()


def _by_indent(lines: Sequence[Line]) -> set[int]:
    """Hanging indents: the first line of an entry stands further left than the others."""
    edges: dict[tuple[int, int], float] = {}
    for line in lines:
        key = (line.page, line.column)
        edges[key] = min(edges.get(key, 1e9), line.x0)
    starts = {place for place, line in enumerate(lines) if line.x0 < edges[(line.page, line.column)] + 3}
    inside = [line.x0 - edges[(line.page, line.column)] for line in lines]
    hanging = sum(5 < distance < 40 for distance in inside)
    return starts if 0.2 * len(lines) < hanging < 0.95 * len(lines) and len(starts) >= 3 else set()


def mark_unheaded(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Sentences of a list of works that runs on in the text without a heading become references.

    Only volume, pages and year in the order of a reference count as a sign ("22, 225–231 (2012)"), and names run
    together with their initials; only in the later part of a document, and only when there are many: a year and a range
    of numbers in a sentence mean nothing.
    """
    if any(sentence.kind == "reference" for sentence in sentences):
        return tuple(sentences)
    start = int(0.3 * len(sentences))
    found = [
        place
        for place, sentence in enumerate(sentences)
        if place >= start and sentence.kind == "body" and _WORK.search(sentence.text)
    ]
    if len(found) < 5:
        return tuple(sentences)
    marked = set(found)
    for one, other in pairwise(found):
        # What stands between two works close to each other is cut off them: names, titles.
        if other - one <= 4:
            marked.update(place for place in range(one + 1, other) if len(sentences[place].text) < 160)
    # A work that is cut after the "J." of its journal: the first half belongs to it.
    marked |= {place - 1 for place in found if _CUT.search(sentences[place - 1].text)}
    return tuple(
        replace(sentence, kind="reference", imrad="REFERENCES", mined=False)
        if place in marked and sentence.kind == "body"
        else sentence
        for place, sentence in enumerate(sentences)
    )
