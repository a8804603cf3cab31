"""Columns: where the gutters of a page are, and in which order its lines are read.

The engine's order (that of the file) is kept wherever it makes sense; what is added is that lines across all columns
(titles, abstracts, wide captions) cut the page into bands, and that each band is read column by column. A gutter is
valid for a stretch of the page only: an abstract may stand beside a margin of its own, above two columns of text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from minerva_desktop.documents.lines import Line
from minerva_desktop.documents.raw import RawLine, RawPage

_ENOUGH = 5  # lines side by side that make a column
_NARROWEST = 0.14  # of the width of the text


class Gutter(NamedTuple):
    """A vertical gap between columns at ``x``, between the heights ``top`` and ``bottom``."""

    x: float
    top: float
    bottom: float

    def beside(self, y: float) -> bool:
        return self.top <= y <= self.bottom


def gutters(page: RawPage) -> list[Gutter]:
    """The gutters of a page from left to right; empty for one column."""
    upright = [line for line in page.lines if line.turn == 0]
    lines = [line for line in upright if len(line.spans) > 3 or sum([len(span.text) for span in line.spans]) >= 12]
    if len(lines) < 2 * _ENOUGH:
        return []
    width = max(line.box[2] for line in lines) - min(line.box[0] for line in lines)
    found: list[Gutter] = []
    for left in _edges(lines):
        gutter = _gutter(lines, left, width, upright)
        if gutter is not None and not any(_same(gutter, other, 0.12 * width) for other in found):
            found.append(gutter)
    return sorted(found)


def _same(one: Gutter, other: Gutter, near: float) -> bool:
    """Whether two gutters are one, or stand so close that no column fits between them."""
    return abs(one.x - other.x) < near and one.top < other.bottom and other.top < one.bottom


def _edges(lines: Sequence[RawLine]) -> list[float]:
    """Left edges at which several lines begin, the most used first."""
    clusters: list[list[float]] = []
    for start in sorted(line.box[0] for line in lines):
        if clusters and start - clusters[-1][-1] <= 1.5:
            clusters[-1].append(start)
        else:
            clusters.append([start])
    clusters = [cluster for cluster in clusters if len(cluster) >= _ENOUGH]
    clusters.sort(key=lambda cluster: (-len(cluster), cluster[0]))
    return [cluster[0] for cluster in clusters]


def _gutter(lines: Sequence[RawLine], left: float, width: float, everything: Sequence[RawLine]) -> Gutter | None:
    inside = [line for line in lines if left - 1 <= line.box[0] <= left + 3]
    if median(line.box[2] - line.box[0] for line in inside) < _NARROWEST * width:
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
    if median(line.box[2] - line.box[0] for line in beside) < _NARROWEST * width:
        return None
    partners = _Heights(beside)
    paired = [line for line in inside if partners.meet(line)]
    if len(paired) < _ENOUGH:
        return None
    edge = sorted(line.box[2] for line in beside)[int(0.95 * (len(beside) - 1))]
    x = (min(edge, left - 2) + left) / 2
    return _stretched(everything, x, [*beside, *paired])


def _stretched(lines: Sequence[RawLine], x: float, members: Sequence[RawLine]) -> Gutter:
    """The gutter up and down to the next line that goes across it."""
    top, bottom = min(line.box[1] for line in members), max(line.box[3] for line in members)
    across = [line for line in lines if line.box[0] < x - 2 and line.box[2] > x + 2]
    across.extend(_rows(lines, top, bottom, x))
    above = [_middle(line) for line in across if _middle(line) < top]
    below = [_middle(line) for line in across if _middle(line) > bottom]
    return Gutter(x, max(above, default=-1e6) + 0.1, min(below, default=1e6) - 0.1)


def _rows(lines: Sequence[RawLine], top: float, bottom: float, x: float) -> list[RawLine]:
    """Lines above and below that are rows of a table: many short pieces at one height, on both sides of ``x``."""
    rows: dict[int, list[RawLine]] = {}
    for line in lines:
        if not top <= _middle(line) <= bottom:
            rows.setdefault(round(_middle(line) / 3), []).append(line)
    return [
        row[0]
        for row in rows.values()
        if len(row) >= 3 and any(line.box[2] < x for line in row) and any(line.box[0] > x for line in row)
    ]


def _middle(line: RawLine) -> float:
    return (line.box[1] + line.box[3]) / 2


class _Heights:
    """Whether a line stands beside one of a set of lines."""

    def __init__(self, lines: Sequence[RawLine]) -> None:
        self._middles = sorted(_middle(line) for line in lines)

    def meet(self, line: RawLine) -> bool:
        place = bisect_left(self._middles, line.box[1])
        return place < len(self._middles) and self._middles[place] <= line.box[3]


# ------------------------------------------------------------------------------------------------------- order
def ordered(lines: Sequence[Line], cuts: Sequence[Gutter]) -> list[Line]:
    """The lines in reading order; ``column`` and its edges are set. Sideways lines stay last."""
    upright = [line for line in lines if line.upright]
    aside = [line for line in lines if not line.upright]
    zones = _zones(cuts)
    keyed: dict[tuple[int, int, int], list[Line]] = {}
    across: dict[int, list[float]] = {}
    for line in upright:
        zone = _zone(line, zones)
        line.column = _column(line, zones[zone // 2][1]) if zone % 2 else 0
        if line.column < 0:
            across.setdefault(zone, []).append(line.y)
    for heights in across.values():
        heights.sort()
    for line in upright:
        zone = _zone(line, zones)
        above = bisect_left(across.get(zone, ()), line.y)
        band = (2 * above + 1, 0) if line.column < 0 else (2 * above, line.column)
        keyed.setdefault((zone, *band), []).append(line)
    _set_edges(keyed)
    return [line for key in sorted(keyed) for line in _straight(keyed[key])] + aside


def _zones(cuts: Sequence[Gutter]) -> list[tuple[tuple[float, float], list[Gutter]]]:
    """Stretches of the page with the gutters that are valid there, from top to bottom."""
    zones: list[tuple[tuple[float, float], list[Gutter]]] = []
    for cut in sorted(cuts, key=lambda gutter: (gutter.top, gutter.x)):
        if zones:
            (top, bottom), members = zones[-1]
            overlap = min(bottom, cut.bottom) - max(top, cut.top)
            if overlap > 0.3 * min(bottom - top, cut.bottom - cut.top):
                zones[-1] = ((min(top, cut.top), max(bottom, cut.bottom)), [*members, cut])
                continue
            if overlap > 0:
                zones[-1] = ((top, cut.top), members)
        zones.append(((cut.top, cut.bottom), [cut]))
    return zones


def _zone(line: Line, zones: Sequence[tuple[tuple[float, float], list[Gutter]]]) -> int:
    """Odd numbers: within a zone; even numbers: above, between, below."""
    middle = (line.y0 + line.y1) / 2
    for number, ((top, bottom), _) in enumerate(zones):
        if middle < top:
            return 2 * number
        if middle <= bottom:
            return 2 * number + 1
    return 2 * len(zones)


def _column(line: Line, cuts: Sequence[Gutter]) -> int:
    """Index of the column; -1 when the line goes across a gutter."""
    middle = (line.y0 + line.y1) / 2
    if any(cut.beside(middle) and line.x0 < cut.x - 2 and line.x1 > cut.x + 2 for cut in cuts):
        return -1
    return sum(line.x0 >= cut.x - 2 for cut in cuts)


def _straight(lines: Sequence[Line]) -> list[Line]:
    """The engine's order, unless it jumps up and down the page: then from top to bottom."""
    text = [line for line in lines if len(line.words) >= 4]  # the scales of figures run in any direction
    jumps = sum(after.y < before.y - 2 * before.size for before, after in pairwise(text))
    if len(text) < 4 or jumps <= 0.25 * len(text):
        return list(lines)
    return sorted(lines, key=lambda line: (round(line.y), line.x0))


def _set_edges(keyed: dict[tuple[int, int, int], list[Line]]) -> None:
    """Left and right edge of each column of each zone, from its full lines."""
    columns: dict[tuple[int, int], list[Line]] = {}
    for (zone, band, column), lines in keyed.items():
        columns.setdefault((zone, -1 if band % 2 else column), []).extend(lines)
    for members in columns.values():
        long = [line for line in members if len(line.words) >= 4] or members
        lefts, rights = sorted(line.x0 for line in long), sorted(line.x1 for line in long)
        left, right = lefts[int(0.1 * (len(lefts) - 1))], rights[int(0.9 * (len(rights) - 1))]
        for line in members:
            line.left, line.right = left, right
