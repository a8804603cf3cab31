"""Columns: where the gutters of a page are, and in which order its lines are read.

The engine's order (that of the file) is kept wherever it makes sense; what is added is that lines across all columns
(titles, abstracts, wide captions) cut the page into bands, and that each band is read column by column.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from statistics import median

from minerva_desktop.documents.lines import Line
from minerva_desktop.documents.raw import RawLine, RawPage

_ENOUGH = 5  # lines side by side that make a column


def gutters(page: RawPage) -> list[float]:
    """The x positions between the text columns of a page; empty for one column."""
    lines = [line for line in page.lines if line.turn == 0 and sum(len(span.text) for span in line.spans) >= 12]
    if len(lines) < 2 * _ENOUGH:
        return []
    width = max(line.box[2] for line in lines) - min(line.box[0] for line in lines)
    found: list[float] = []
    for left in _edges(lines):
        gutter = _gutter(lines, left, width)
        if gutter is not None and all(abs(gutter - other) > 0.12 * width for other in found):
            found.append(gutter)
    return sorted(found)


def _edges(lines: Sequence[RawLine]) -> list[float]:
    """Left edges at which several lines begin, the most used first."""
    starts = sorted(line.box[0] for line in lines)
    clusters: list[list[float]] = []
    for start in starts:
        if clusters and start - clusters[-1][-1] <= 1.5:
            clusters[-1].append(start)
        else:
            clusters.append([start])
    clusters = [cluster for cluster in clusters if len(cluster) >= _ENOUGH]
    clusters.sort(key=lambda cluster: (-len(cluster), cluster[0]))
    return [cluster[0] for cluster in clusters]


def _gutter(lines: Sequence[RawLine], left: float, width: float) -> float | None:
    inside = [line for line in lines if left - 1 <= line.box[0] <= left + 3]
    if median(line.box[2] - line.box[0] for line in inside) < 0.18 * width:
        return None
    heights = _Heights(inside)
    beside: list[RawLine] = []
    conflicts = 0
    for line in lines:
        if line.box[0] >= left - 4 or not heights.meet(line):
            continue
        if line.box[2] <= left - 3:
            beside.append(line)
        elif line.box[2] > left + 6:
            conflicts += 1
    if len(beside) < _ENOUGH or conflicts > 0.15 * len(beside):
        return None
    if median(line.box[2] - line.box[0] for line in beside) < 0.18 * width:
        return None
    edge = sorted(line.box[2] for line in beside)[int(0.95 * (len(beside) - 1))]
    return (edge + left) / 2


class _Heights:
    """Whether a line stands beside one of a set of lines."""

    def __init__(self, lines: Sequence[RawLine]) -> None:
        self._middles = sorted((line.box[1] + line.box[3]) / 2 for line in lines)

    def meet(self, line: RawLine) -> bool:
        place = bisect_left(self._middles, line.box[1])
        return place < len(self._middles) and self._middles[place] <= line.box[3]


def ordered(lines: Sequence[Line], cuts: Sequence[float]) -> list[Line]:
    """The lines in reading order; ``column`` and its edges are set. Sideways lines stay last."""
    upright = [line for line in lines if line.upright]
    aside = [line for line in lines if not line.upright]
    for line in upright:
        line.column = _column(line, cuts)
    if not cuts:
        groups = [_straight(upright)]
    else:
        across = sorted(line.y for line in upright if line.column < 0)
        keyed: dict[tuple[int, int], list[Line]] = {}
        for line in upright:
            above = bisect_left(across, line.y)
            key = (2 * above + 1, 0) if line.column < 0 else (2 * above, line.column)
            keyed.setdefault(key, []).append(line)
        groups = [_straight(keyed[key]) for key in sorted(keyed)]
    _set_edges(upright)
    return [line for group in groups for line in group] + aside


def _column(line: Line, cuts: Sequence[float]) -> int:
    """Index of the column; -1 when the line goes across a gutter."""
    if any(line.x0 < cut - 2 and line.x1 > cut + 2 for cut in cuts):
        return -1
    return sum(line.x0 >= cut - 2 for cut in cuts)


def _straight(lines: Sequence[Line]) -> list[Line]:
    """The engine's order, unless it jumps up and down the page: then from top to bottom."""
    jumps = sum(after.y < before.y - 2 * before.size for before, after in zip(lines, lines[1:], strict=False))
    if len(lines) < 4 or jumps <= 0.25 * len(lines):
        return list(lines)
    return sorted(lines, key=lambda line: (round(line.y), line.x0))


def _set_edges(lines: Sequence[Line]) -> None:
    by_column: dict[int, list[Line]] = {}
    for line in lines:
        by_column.setdefault(line.column, []).append(line)
    for members in by_column.values():
        long = [line for line in members if len(line.words) >= 4] or members
        lefts, rights = sorted(line.x0 for line in long), sorted(line.x1 for line in long)
        left, right = lefts[int(0.1 * (len(lefts) - 1))], rights[int(0.9 * (len(rights) - 1))]
        for line in members:
            line.left, line.right = left, right
