"""The list of references: its lines cut into entries."""

from __future__ import annotations

import re
from collections.abc import Sequence

from minerva_desktop.documents.lines import Line

_BRACKET = re.compile(r"\[[A-Za-z+]*\d{1,3}[a-z]?\]")
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
