"""Where the tables of a page are and where their rows and columns run: from drawn rules and from white space.

Three kinds: a grid of rules in both directions; horizontal rules only, as most journals print; no rules at all, known by
a caption and by lines of several cells. All positions are in the reading frame of the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from minerva_desktop.documents.lines import Line
from minerva_desktop.documents.paragraphs import CAPTION
from minerva_desktop.documents.raw import Rect, Word

Cell = list[tuple[Word, Line]]
Row = list[Cell]

_THIN = 3.0
_TOUCH = 3.0
_NUMBER = re.compile(
    r"[<>≤≥~≈∼±+−–-]?\s?\(?\d[\d.,·×⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺±()/%–−-]*(?:\^?[a-z*†‡,]{1,4})?\Z|[-–—]\Z|n/?a\Z|n\.?d\.?\Z", re.IGNORECASE
)
_CAPTION_REACH = 7.0  # lines between a caption and its table


@dataclass(slots=True)
class Printed:
    """One printed row: its words with the height they stand at."""

    y: float
    top: float
    bottom: float
    size: float
    words: list[tuple[Word, Line]]

    @property
    def cells(self) -> Row:
        """The words parted where a gap is wider than one between words."""
        found: Row = []
        for item in self.words:
            if found and item[0].x0 - max(word.x1 for word, _ in found[-1]) < 0.75 * self.size:
                found[-1].append(item)
            else:
                found.append([item])
        return found


@dataclass(slots=True)
class Grid:
    """A table: words by logical row and column. ``head``: how many rows are its header. ``box`` is what it covers."""

    page: int
    box: Rect
    rows: list[Row]
    head: int
    spans: dict[tuple[int, int], int] = field(default_factory=dict)  # columns that a cell covers, where more than one
    lines: list[Line] = field(default_factory=list)
    caption: Line | None = None


def find_grids(lines: Sequence[Line], rules: Sequence[Rect]) -> list[Grid]:
    """The tables of one page, from top to bottom."""
    upright = [line for line in lines if line.upright and line.words]
    captions = [line for line in upright if _is_table_caption(line)]
    taken: set[int] = set()
    grids: list[Grid] = []
    for box, xs, ys in _lattices(rules):
        grid = _ruled(upright, box, xs, ys, rules, taken)
        if grid is not None:
            grids.append(grid)
            taken.update(id(line) for line in grid.lines)
    for box, heights in _ladders(rules):
        for top, bottom in _parts_of(heights, box, upright):
            free = [line for line in upright if id(line) not in taken]
            grid = _between_rules(free, (box[0], top, box[2], bottom), rules)
            if grid is not None:
                grids.append(grid)
                taken.update(id(line) for line in grid.lines)
    for caption in captions:
        if any(_near(grid, caption) for grid in grids):
            continue
        grid = _bare([line for line in upright if id(line) not in taken], caption)
        if grid is not None:
            grids.append(grid)
            taken.update(id(line) for line in grid.lines)
    _name(grids, captions)
    return sorted(grids, key=lambda grid: (grid.box[1], grid.box[0]))


def _is_table_caption(line: Line) -> bool:
    match = CAPTION.match(line.text)
    return bool(match) and match is not None and match.group("kind").casefold().startswith(("tab", "supplementary tab"))


def _near(grid: Grid, caption: Line) -> bool:
    overlap = min(grid.box[2], caption.x1) - max(grid.box[0], caption.x0)
    gap = min(abs(grid.box[1] - caption.y1), abs(caption.y0 - grid.box[3]))
    return overlap > 0 and gap < _CAPTION_REACH * caption.size


def _name(grids: Sequence[Grid], captions: Sequence[Line]) -> None:
    """Each table gets the nearest caption above it, else below it; a caption names one table."""
    pairs = []
    for grid in grids:
        for caption in captions:
            if min(grid.box[2], caption.x1) - max(grid.box[0], caption.x0) <= 0:
                continue
            above, below = grid.box[1] - caption.y1, caption.y0 - grid.box[3]
            gap = above if above > -caption.size else below + 2 * caption.size
            if -caption.size <= gap < 10 * caption.size:
                pairs.append((gap, caption.y, grid.box[1], grid, caption))
    used: set[int] = set()
    for _, _, _, grid, caption in sorted(pairs, key=lambda pair: pair[:3]):
        if grid.caption is None and id(caption) not in used:
            grid.caption = caption
            used.add(id(caption))


# ------------------------------------------------------------------------------------------------------ lattices
def _clusters(values: Sequence[float], near: float = _TOUCH) -> list[float]:
    groups: list[list[float]] = []
    for value in sorted(values):
        if groups and value - groups[-1][-1] <= near:
            groups[-1].append(value)
        else:
            groups.append([value])
    return [sum(group) / len(group) for group in groups]


def _lattices(rules: Sequence[Rect]) -> list[tuple[Rect, list[float], list[float]]]:
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
        xs = _clusters([(rule[0] + rule[2]) / 2 for rule in upright])
        ys = _clusters([(rule[1] + rule[3]) / 2 for rule in level])
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
        one[0] <= other[2] + _TOUCH
        and other[0] <= one[2] + _TOUCH
        and one[1] <= other[3] + _TOUCH
        and other[1] <= one[3] + _TOUCH
    )


def _ruled(
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
    return Grid(inside[0].page, box, rows, _head_of(rows, spans), spans, list(inside))


def _crowded(row: Row) -> bool:
    """Whether several columns of a row hold many lines each at the same heights: rows that no rule parts."""
    heights = [_clusters([line.y for _, line in cell], 2.0) for cell in row if cell]
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
        if abs(across - where) <= _TOUCH and (high - low > 3):
            length += max(0.0, min(high, end) - max(low, start))
    return length >= 0.5 * (end - start)


def _split_rows(cells: list[Row], spans: dict[tuple[int, int], int]) -> tuple[list[Row], dict[tuple[int, int], int]]:
    """Rows of the lattice in which most cells hold the same number of lines, numbers among them, are several rows."""
    result: list[Row] = []
    moved: dict[tuple[int, int], int] = {}
    for number, row in enumerate(cells):
        heights = [_clusters([line.y for _, line in cell], 2.0) for cell in row]
        counts = [len(ys) for ys in heights if ys]
        count = max(counts, key=counts.count, default=1)
        alike = sum(other == count for other in counts) >= max(2, 0.6 * len(counts))
        figures = sum(_is_number(cell[-1:]) and _is_number(cell[:1]) for cell in row)
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


# ------------------------------------------------------------------------------------------------- rules across
def _ladders(rules: Sequence[Rect]) -> list[tuple[Rect, list[float]]]:
    """Horizontal rules of one width above one another: the box between the first and last, and all heights in it."""
    level = sorted(
        (rule for rule in rules if rule[3] - rule[1] <= _THIN and rule[2] - rule[0] > 60), key=lambda rule: (rule[1], rule[0])
    )
    found: list[tuple[Rect, list[float]]] = []
    used: set[int] = set()
    for place, rule in enumerate(level):
        if place in used:
            continue
        same = [
            at
            for at in range(place, len(level))
            if at not in used and abs(level[at][0] - rule[0]) < 6 and abs(level[at][2] - rule[2]) < 6
        ]
        if len(same) < 2:
            continue
        used.update(same)
        heights = _clusters([level[at][1] for at in same])
        # Far apart rules of one width are two tables: a table rarely has more than half a page without a rule.
        found.append(((rule[0], heights[0], rule[2], heights[-1]), heights))
    return found


def _parts_of(heights: Sequence[float], box: Rect, lines: Sequence[Line]) -> list[tuple[float, float]]:
    """The rules parted where a caption or running text stands between two of them: several tables of one width."""
    parts: list[list[float]] = [[heights[0]]]
    for before, after in pairwise(heights):
        between = [
            line
            for line in lines
            if before < (line.y0 + line.y1) / 2 < after and line.x0 >= box[0] - 8 and line.x1 <= box[2] + 8
        ]
        rows = printed_rows(between)
        prose = sum(len(row.words) >= 5 * len(row.cells) for row in rows) >= max(3, 0.5 * len(rows))
        if prose or any(_is_table_caption(line) for line in between):
            parts.append([])
        parts[-1].append(after)
    return [(part[0], part[-1]) for part in parts if len(part) > 1]


def _between_rules(lines: Sequence[Line], box: Rect, rules: Sequence[Rect]) -> Grid | None:
    inside = [
        line
        for line in lines
        if box[1] - 2 <= (line.y0 + line.y1) / 2 <= box[3] + 2
        and line.x0 >= box[0] - 8
        and line.x1 <= box[2] + 8
        and not _is_table_caption(line)
    ]
    rows = printed_rows(inside)
    if len(rows) < 2:
        return None
    several = [row for row in rows if len(row.cells) > 1]
    if len(several) < max(2, 0.4 * len(rows)):
        return None
    return _stream(rows, inside, box, [rule for rule in rules if box[1] + 3 < rule[1] < box[3] - 3])


def _bare(lines: Sequence[Line], caption: Line) -> Grid | None:
    """A table without rules: lines of several cells right below its caption, or right above it."""
    same = [line for line in lines if line is not caption and line.page == caption.page and _in_column(line, caption)]
    rows = printed_rows(same)
    below = _run([row for row in rows if row.y > caption.y], 1)
    above = _run([row for row in reversed(rows) if row.y < caption.y], 1)
    best = below if len(below) >= 3 else above if len(above) >= 3 else below
    if len(best) < 3:
        return None
    best = sorted(best, key=lambda row: row.y)
    members = {id(line): line for row in best for _, line in row.words}
    box = (
        min(word.x0 for row in best for word, _ in row.words),
        best[0].top,
        max(word.x1 for row in best for word, _ in row.words),
        best[-1].bottom,
    )
    return _stream(best, list(members.values()), box, [])


def _in_column(line: Line, caption: Line) -> bool:
    width = caption.right - caption.left
    if width <= 0:
        return True
    return line.x0 >= caption.left - 0.08 * width and line.x1 <= max(caption.right, caption.x1) + 0.3 * width


def _run(rows: Sequence[Printed], skip: int) -> list[Printed]:
    """Rows of several cells that follow one another, from the caption on; its own last lines are skipped."""
    found: list[Printed] = []
    single = 0
    before: Printed | None = None
    for row in rows:
        if before is not None and found and abs(row.y - before.y) > 3.2 * max(row.size, before.size):
            break
        cells = row.cells
        if len(cells) > 1 and len(row.words) <= 6 * len(cells):
            found.append(row)
            single = 0
        elif found:
            single += 1
            if single > skip or len(row.words) > 8:
                break
            found.append(row)
        elif before is not None and len(found) == 0 and row.words and len(row.words) > 3 and single > 5:
            break
        else:
            single += 1
        before = row
    while found and len(found[-1].cells) < 2:
        found.pop()
    return found


# ------------------------------------------------------------------------------------------------------- streams
def printed_rows(lines: Sequence[Line]) -> list[Printed]:
    """Lines put together that stand at one height, from top to bottom, their words from left to right."""
    rows: list[Printed] = []
    for line in sorted(lines, key=lambda line: (line.y, line.x0)):
        words = [(word, line) for word in line.words]
        if rows and line.y - rows[-1].y < 0.45 * min(line.size, rows[-1].size):
            row = rows[-1]
            row.words += words
            row.top, row.bottom = min(row.top, line.y0), max(row.bottom, line.y1)
        else:
            rows.append(Printed(line.y, line.y0, line.y1, line.size, words))
    for row in rows:
        row.words.sort(key=lambda item: item[0].x0)
    return rows


def _stream(rows: list[Printed], lines: list[Line], box: Rect, rules: Sequence[Rect]) -> Grid | None:
    """A table from its printed rows: columns by white stripes, logical rows by distances and rules."""
    edges = _separators(rows)
    if not edges:
        return None
    level = [rule for rule in rules if rule[2] - rule[0] > rule[3] - rule[1] and box[0] - 8 <= rule[0] and rule[2] <= box[2] + 8]
    whole = _clusters([rule[1] for rule in level if rule[2] - rule[0] > 0.85 * (box[2] - box[0])])
    partial = [rule for rule in level if rule[2] - rule[0] <= 0.85 * (box[2] - box[0])]
    under = sum(row.y < whole[0] + 1 for row in rows) if whole else 0
    under = under if 0 < under < len(rows) and under <= 6 else 0
    table: list[Row] = []
    spans: dict[tuple[int, int], int] = {}
    for at, row in enumerate(rows):
        cells, wide = _columned(row, edges)
        if at < max(1, under):
            cells, wide = _centred(row, edges, cells, wide, rows, partial)
        table.append(cells)
        spans.update({(at, column): cover for column, cover in wide.items()})
    spans = _over_others(spans, table, max(under, 2))
    starts = _logical(rows, table, whole, spans, under)
    merged: list[Row] = []
    moved: dict[tuple[int, int], int] = {}
    head = 0
    for at in range(len(rows)):
        if at in starts or not merged:
            merged.append([list(cell) for cell in table[at]])
        else:
            for cell, more in zip(merged[-1], table[at], strict=True):
                cell.extend(more)
        moved.update({(len(merged) - 1, column): cover for (one, column), cover in spans.items() if one == at})
        if at < under:
            head = len(merged)
    if len(merged) < 2:
        return None
    return Grid(lines[0].page, box, merged, head if 0 < head <= 4 else _head_of(merged, moved), moved, lines)


def _over_others(spans: dict[tuple[int, int], int], table: Sequence[Row], under: int) -> dict[tuple[int, int], int]:
    """Cells of the header that really stand over others: below them, two of their columns have cells of their own."""
    kept: dict[tuple[int, int], int] = {}
    for (at, column), cover in spans.items():
        below = table[at + 1 : under] if at < under else []
        if at >= under or any(sum(bool(row[column + more]) for more in range(cover)) > 1 for row in below):
            kept[at, column] = cover
    return kept


def _columned(row: Printed, edges: Sequence[float]) -> tuple[Row, dict[int, int]]:
    """The words of a printed row by column, and which cells cover several."""
    xs = [-1e9, *edges]
    cells: Row = [[] for _ in xs]
    wide: dict[int, int] = {}
    for part in row.cells:
        left, right = part[0][0].x0, max(word.x1 for word, _ in part)
        crossed = [x for x in edges if left < x < right]
        if crossed and all(_parted(part, x) for x in crossed):
            for item in part:
                middle = (item[0].x0 + item[0].x1) / 2
                cells[sum(edge <= middle for edge in edges)].append(item)
            continue
        column = sum(edge <= left + 0.5 for edge in edges)
        cells[column].extend(part)
        if crossed:
            wide[column] = len(crossed) + 1
    return cells, wide


def _centred(
    row: Printed, edges: Sequence[float], cells: Row, wide: dict[int, int], rows: Sequence[Printed], partial: Sequence[Rect]
) -> tuple[Row, dict[int, int]]:
    """In a header, a cell over several columns begins at the first of them: told by a rule below it, or by the middle."""
    filled = [column for column, cell in enumerate(cells) if cell]
    if len(filled) == len(cells):
        return cells, wide
    columns = _extents(rows, edges)
    result: Row = [[] for _ in cells]
    covers: dict[int, int] = {}
    for column in filled:
        part = cells[column]
        left, right = part[0][0].x0, max(word.x1 for word, _ in part)
        below = [rule for rule in partial if row.bottom - 4 < rule[1] < row.bottom + 9 and rule[0] - 3 <= left and right <= rule[2] + 3]
        if below:
            under = [at for at, (x0, x1) in enumerate(columns) if below[0][0] - 3 <= (x0 + x1) / 2 <= below[0][2] + 3]
        else:
            under = _under(left, right, column, wide.get(column, 1), filled, columns)
        start = under[0] if under else column
        result[start].extend(part)
        if len(under) > 1:
            covers[start] = len(under)
        elif not under and column in wide:
            covers[column] = wide[column]
    return result, covers


def _extents(rows: Sequence[Printed], edges: Sequence[float]) -> list[tuple[float, float]]:
    """Left and right end of what stands in each column."""
    found: list[list[float]] = [[] for _ in range(len(edges) + 1)]
    for row in rows:
        cells, wide = _columned(row, edges)
        for column, cell in enumerate(cells):
            if cell and column not in wide:
                found[column] += [cell[0][0].x0, max(word.x1 for word, _ in cell)]
    return [(min(xs), max(xs)) if xs else (0.0, 0.0) for xs in found]


def _under(
    left: float, right: float, column: int, cover: int, filled: Sequence[int], columns: Sequence[tuple[float, float]]
) -> list[int]:
    """The columns over whose common middle a cell stands, none of which has a cell of its own beside it."""
    middle = (left + right) / 2
    low = max((other for other in filled if other < column), default=-1) + 1
    high = min((other for other in filled if other > column), default=len(columns))
    best: tuple[float, int, list[int]] = (1e9, 0, [])
    for first in range(low, column + 1):
        for last in range(max(column, first) + 1, high + 1):
            x0, x1 = columns[first][0], columns[last - 1][1]
            if x0 - 2 > left or right > x1 + 2 or last - first < cover:
                continue
            off = abs((x0 + x1) / 2 - middle)
            # A cell stands over one column unless it is clearly in the middle of more.
            own = last - first == 1
            score = off - (6.0 if own else 0.0)
            best = min(best, (score, last - first, list(range(first, last))))
    return best[2] if best[2] and best[0] < 6 else []


def _parted(part: Sequence[tuple[Word, Line]], x: float) -> bool:
    """Whether the piece has a gap between two words at ``x``."""
    return any(
        before.x1 <= x + 0.5 and x - 0.5 <= after.x0 for (before, _), (after, _) in pairwise(part)
    )


def _separators(rows: Sequence[Printed]) -> list[float]:
    """The middles of the white stripes that run down through (nearly) all rows."""
    counted = [row for row in rows if len(row.cells) > 1] or list(rows)
    most = max(len(row.cells) for row in counted)
    full = [row for row in counted if len(row.cells) >= 0.5 * most]
    size = median(row.size for row in full)
    by_cells = _stripes([[(c[0][0].x0, max(w.x1 for w, _ in c)) for c in row.cells] for row in full], 0.45 * size)
    if len(full) < 5:
        return by_cells
    # With enough rows the spaces between words stand nowhere in all of them, and narrow columns show too.
    by_words = _stripes([[(word.x0, word.x1) for word, _ in row.words] for row in counted], 0.5 * size)
    return by_words if len(by_words) > len(by_cells) else by_cells


def _stripes(rows: Sequence[Sequence[tuple[float, float]]], narrowest: float) -> list[float]:
    edges = sorted(((x, step) for row in rows for x0, x1 in row for x, step in ((x0, 1), (x1, -1))), key=lambda e: (e[0], -e[1]))
    allowed = 0 if len(rows) < 6 else int(0.08 * len(rows))
    stripes: list[tuple[float, float]] = []
    cover = 0
    for place, (x, step) in enumerate(edges[:-1]):
        cover += step
        after = edges[place + 1][0]
        if cover <= allowed and after > x:
            if stripes and abs(stripes[-1][1] - x) < 0.01:
                stripes[-1] = (stripes[-1][0], after)
            else:
                stripes.append((x, after))
    return [(left + right) / 2 for left, right in stripes if right - left > narrowest]


def _logical(
    rows: Sequence[Printed], table: Sequence[Row], inner: Sequence[float], spans: dict[tuple[int, int], int], under: int
) -> set[int]:
    """The printed rows at which a row of the table begins; the others go on with the one above.

    ``under``: how many printed rows stand above the first rule. They are one row, but for those with cells over others.
    """
    starts = {0}
    gaps = [after.y - before.y for before, after in pairwise(rows)]
    if not gaps:
        return starts
    limit = _loose(gaps[max(0, under - 1) :])
    covering = {at for at, _ in spans}
    figured = [] if limit else _figured(table[max(1, under) :])
    numeric = [sum(_is_number(row[column]) for row in table) for column in range(len(table[0]))]
    for at, gap in enumerate(gaps, 1):
        filled = [column for column, cell in enumerate(table[at]) if cell]
        above = [column for column, cell in enumerate(table[at - 1]) if cell]
        if at < under:
            if at - 1 in covering or at in covering:
                starts.add(at)
        elif at == under or any(rows[at - 1].y < height < rows[at].y for height in inner):
            starts.add(at)
        elif figured:
            if any(_is_number(table[at][column]) for column in figured):
                starts.add(at)
        elif limit:
            if gap > limit or (0 in filled and any(_is_number(table[at][column]) for column in filled if column)):
                starts.add(at)
        elif filled == [0] and 0 in above and table[at][0][0][0].text[:1].islower():
            continue  # "GaN on" / "sapphire"
        elif (
            0 in filled
            or len(filled) >= 0.6 * len(table[0])
            or not set(filled) <= set(above)
            or any(_is_number(table[at][column]) and numeric[column] > 0.5 * len(table) for column in filled)
            or not any(_goes_on(table[at - 1][column], table[at][column]) for column in filled)
        ):
            starts.add(at)
    return starts


def _figured(rows: Sequence[Row]) -> list[int]:
    """Columns of numbers, when so many lines have none that rows must be of several lines: a number begins a row."""
    if not rows:
        return []
    found = []
    for column in range(1, len(rows[0])):
        filled = [row[column] for row in rows if row[column]]
        if len(filled) > 2 and sum(_is_number(cell) and len(cell) < 3 for cell in filled) >= 0.9 * len(filled):
            found.append(column)
    with_numbers = sum(any(row[column] for column in found) for row in rows)
    return found if found and with_numbers <= 0.7 * len(rows) else []


def _loose(gaps: Sequence[float]) -> float:
    """The distance above which a new row begins, when lines stand at two distances; 0 when all stand alike."""
    ordered = sorted(gaps)
    most = len(ordered) - max(1, round(0.2 * len(ordered)))
    jumps = [(after / before, before, after) for before, after in pairwise(ordered[: most + 1]) if before > 0]
    if not jumps:
        return 0.0
    ratio, before, after = max(jumps)
    tight = [gap for gap in ordered if gap <= before]
    if ratio < 1.1 or tight[-1] > 1.15 * tight[0] or len(tight) < 0.25 * len(gaps):
        return 0.0
    return (before + after) / 2


def _goes_on(before: Sequence[tuple[Word, Line]], after: Sequence[tuple[Word, Line]]) -> bool:
    text, start = before[-1][0].text, after[0][0].text
    return start[:1].islower() or start[:1] in "(" or text[-1] in "-,(/" or not _is_number(after)


def _is_number(cell: Sequence[tuple[Word, Line]]) -> bool:
    return bool(cell) and bool(_NUMBER.match(cell[0][0].text))


# -------------------------------------------------------------------------------------------------------- header
def _head_of(rows: Sequence[Row], spans: dict[tuple[int, int], int]) -> int:
    """How many rows at the top are the header, where no rule says it: one, those with cells over others before it, and
    a row of units behind it. 0 when the first row holds numbers like the rest."""
    width = len(rows[0])
    head = 1
    while head < min(4, len(rows) - 1) and any(row == head - 1 and 1 < wide < width for (row, _), wide in spans.items()):
        head += 1
    numeric = [
        column for column in range(width) if sum(_is_number(row[column]) for row in rows[1:]) >= 0.6 * (len(rows) - 1)
    ]
    above = [column for column in numeric if rows[0][column]]
    if above and all(_is_number(rows[0][column]) for column in above):
        return 0
    while numeric and head < min(4, len(rows) - 1) and not any(_is_number(rows[head][column]) for column in numeric):
        if sum(bool(rows[head][column]) for column in numeric) < 0.5 * len(numeric):
            break  # the name of a group of rows
        head += 1
    return head


