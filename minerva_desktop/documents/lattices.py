"""Tables with rules in both directions: the fields between the rules are the cells."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from minerva_desktop.documents.lines import Line
from minerva_desktop.documents.raw import Rect
from minerva_desktop.documents.table_parts import TOUCH, Grid, Row, clusters, head_of, is_number


def lattices(rules: Sequence[Rect]) -> list[tuple[Rect, list[float], list[float]]]:
    """Connected sets of rules in both directions: their box and the heights and sides of the rules."""
    sets = [[rule] for rule in rules]
    groups: list[list[Rect]] = []
    for members in sets:
        rule = members[0]
        touching = [group for group in groups if any(_meet(rule, other) for other in group)]
        merged = [rule, *(other for group in touching for other in group)]
        groups = [group for group in groups if all(group is not other for other in touching)]
        groups.append(merged)
    found = []
    for group in groups:
        upright = [rule for rule in group if rule[3] - rule[1] > rule[2] - rule[0]]
        level = [rule for rule in group if rule[2] - rule[0] >= rule[3] - rule[1]]
        xs = clusters([(rule[0] + rule[2]) / 2 for rule in upright])
        ys = clusters([(rule[1] + rule[3]) / 2 for rule in level])
        box = (min(r[0] for r in group), min(r[1] for r in group), max(r[2] for r in group), max(r[3] for r in group))
        # A table may lack its outer sides.
        if level and xs:
            left, right = min(rule[0] for rule in level), max(rule[2] for rule in level)
            xs = ([left] if xs[0] - left > 8 else []) + xs + ([right] if right - xs[-1] > 8 else [])
        if upright and ys:
            top, bottom = min(rule[1] for rule in upright), max(rule[3] for rule in upright)
            ys = ([top] if ys[0] - top > 5 else []) + ys + ([bottom] if bottom - ys[-1] > 5 else [])
        if len(xs) >= 3 and len(ys) >= 3 and upright and box[2] - box[0] > 60:
            found.append((box, xs, ys))
    return sorted(found, key=lambda item: item[0][1])


def _meet(one: Rect, other: Rect) -> bool:
    return (
        one[0] <= other[2] + TOUCH
        and other[0] <= one[2] + TOUCH
        and one[1] <= other[3] + TOUCH
        and other[1] <= one[3] + TOUCH
    )


def ruled(
    lines: Sequence[Line], box: Rect, xs: list[float], ys: list[float], rules: Sequence[Rect], taken: set[int]
) -> Grid | None:
    inside = [
        line
        for line in lines
        if id(line) not in taken
        and box[1] - 2 <= (line.y0 + line.y1) / 2 <= box[3] + 2
        and line.x1 > box[0]
        and line.x0 < box[2]
    ]
    if not inside or sum(len(line.words) for line in inside) > 4000 or len(xs) * len(ys) > 5000:
        return None
    first = _joined_cells(xs, ys, rules)
    wide = len(xs) - 1
    if max(sum(home == at for home in first) for at in range(len(first))) > max(2 * wide, 0.4 * len(first)):
        return None  # a frame around something else
    cells: list[Row] = [[[] for _ in xs[1:]] for _ in ys[1:]]
    for line in sorted(inside, key=lambda line: (line.y, line.x0)):
        height = (line.y0 + line.y1) / 2
        row = max((at for at, edge in enumerate(ys[:-1]) if edge <= height), default=0)
        for word in line.words:
            middle = (word.x0 + word.x1) / 2
            column = max((at for at, edge in enumerate(xs[:-1]) if edge <= middle), default=0)
            home = first[row * wide + column]
            cells[home // wide][home % wide].append((word, line))
    spans = {
        (at // wide, at % wide): sum(first[at // wide * wide + column] == at for column in range(wide))
        for at in range(len(first))
        if first[at] == at
    }
    if any(_crowded(row) for row in cells):
        return None  # rules part the columns only
    cells, spans = _split_rows(cells, {place: cover for place, cover in spans.items() if cover > 1})
    kept = [at for at, row in enumerate(cells) if any(row)]
    rows = [cells[at] for at in kept]
    if len(rows) < 2 or sum(len([cell for cell in row if cell]) > 1 for row in rows) < 2:
        return None
    spans = {(kept.index(row), column): cover for (row, column), cover in spans.items() if row in kept}
    rows, spans = _filled_columns(rows, spans, [after - before > 14 for before, after in pairwise(xs)])
    return Grid(inside[0].page, box, rows, head_of(rows, spans), spans, list(inside))


def _crowded(row: Row) -> bool:
    """Whether several columns of a row hold many lines each at the same heights: rows that no rule parts."""
    heights = [clusters([line.y for _, line in cell], 2.0) for cell in row if cell]
    many = [ys for ys in heights if len(ys) > 4]
    return len(many) > 2 and len(many) >= 0.6 * len(heights)


def _joined_cells(xs: Sequence[float], ys: Sequence[float], rules: Sequence[Rect]) -> list[int]:
    """For each field of a lattice, row by row, the first field of the cell it belongs to: fields between which no rule
    is drawn are one cell."""
    wide, high = len(xs) - 1, len(ys) - 1
    home = list(range(wide * high))

    def root(at: int) -> int:
        while home[at] != at:
            at = home[at]
        return at

    def join(one: int, other: int) -> None:
        low, top = sorted((root(one), root(other)))
        home[top] = low

    for row in range(high):
        for column in range(wide):
            at = row * wide + column
            if column + 1 < wide and not _drawn(rules, xs[column + 1], ys[row], ys[row + 1], upright=True):
                join(at, at + 1)
            if row + 1 < high and not _drawn(rules, ys[row + 1], xs[column], xs[column + 1], upright=False):
                join(at, at + wide)
    return [root(at) for at in range(wide * high)]


def _drawn(rules: Sequence[Rect], where: float, start: float, end: float, *, upright: bool) -> bool:
    """Whether rules cover half of the stretch from ``start`` to ``end`` at ``where``."""
    length = 0.0
    for x0, y0, x1, y1 in rules:
        across, low, high = ((x0 + x1) / 2, y0, y1) if upright else ((y0 + y1) / 2, x0, x1)
        if abs(across - where) <= TOUCH and (high - low > 3):
            length += max(0.0, min(high, end) - max(low, start))
    return length >= 0.5 * (end - start)


def _split_rows(cells: list[Row], spans: dict[tuple[int, int], int]) -> tuple[list[Row], dict[tuple[int, int], int]]:
    """Rows of the lattice in which most cells hold the same number of lines, numbers among them, are several rows."""
    result: list[Row] = []
    moved: dict[tuple[int, int], int] = {}
    for number, row in enumerate(cells):
        heights = [clusters([line.y for _, line in cell], 2.0) for cell in row]
        counts = [len(ys) for ys in heights if ys]
        count = max(counts, key=counts.count, default=1)
        alike = sum(other == count for other in counts) >= max(2, 0.6 * len(counts))
        figures = sum(is_number(cell[-1:]) and is_number(cell[:1]) for cell in row)
        moved.update({(len(result), column): cover for (at, column), cover in spans.items() if at == number})
        if count < 2 or not alike or figures < 0.4 * len(counts):
            result.append(row)
            continue
        levels = next(ys for ys in heights if len(ys) == count)
        for level in range(count):
            part: Row = []
            for cell, ys in zip(row, heights, strict=True):
                if len(ys) == count:
                    part.append([item for item in cell if abs(item[1].y - levels[level]) < 2.5])
                else:
                    part.append(list(cell) if level == 0 else [])
            result.append(part)
    return result, moved


def _filled_columns(
    rows: list[Row], spans: dict[tuple[int, int], int], wide: Sequence[bool]
) -> tuple[list[Row], dict[tuple[int, int], int]]:
    """Without narrow columns in which nothing stands and that no cell covers."""
    width = len(rows[0])
    covered = {column + more for (_, column), wide in spans.items() for more in range(wide)}
    kept = [at for at in range(width) if at in covered or wide[at] or any(row[at] for row in rows)]
    if len(kept) == width:
        return rows, spans
    moved = {(row, kept.index(column)): wide for (row, column), wide in spans.items()}
    return [[row[at] for at in kept] for row in rows], moved
