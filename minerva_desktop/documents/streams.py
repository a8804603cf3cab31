"""Tables known by white space: columns are the white stripes that run down through the rows, rows are told by
their distances, by rules across and by what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from minerva_desktop.documents.lines import Line
from minerva_desktop.documents.raw import Rect, Word
from minerva_desktop.documents.table_parts import Grid, Printed, Row, clusters, head_of, is_number


def stream(rows: list[Printed], lines: list[Line], box: Rect, rules: Sequence[Rect]) -> Grid | None:
    """A table from its printed rows: columns by white stripes, logical rows by distances and rules."""
    edges = _separators(rows)
    if not edges:
        return None
    level = [
        rule
        for rule in rules
        if rule[2] - rule[0] > rule[3] - rule[1] and box[0] - 8 <= rule[0] and rule[2] <= box[2] + 8
    ]
    whole = clusters([rule[1] for rule in level if rule[2] - rule[0] > 0.85 * (box[2] - box[0])])
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
    return Grid(lines[0].page, box, merged, head if 0 < head <= 4 else head_of(merged, moved), moved, lines)


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
    row: Printed,
    edges: Sequence[float],
    cells: Row,
    wide: dict[int, int],
    rows: Sequence[Printed],
    partial: Sequence[Rect],
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
        below = [
            rule
            for rule in partial
            if row.bottom - 4 < rule[1] < row.bottom + 9 and rule[0] - 3 <= left and right <= rule[2] + 3
        ]
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
    return any(before.x1 <= x + 0.5 and x - 0.5 <= after.x0 for (before, _), (after, _) in pairwise(part))


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
    edges = sorted(
        ((x, step) for row in rows for x0, x1 in row for x, step in ((x0, 1), (x1, -1))), key=lambda e: (e[0], -e[1])
    )
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
    numeric = [sum(is_number(row[column]) for row in table) for column in range(len(table[0]))]
    for at, gap in enumerate(gaps, 1):
        filled = [column for column, cell in enumerate(table[at]) if cell]
        above = [column for column, cell in enumerate(table[at - 1]) if cell]
        if at < under:
            if at - 1 in covering or at in covering:
                starts.add(at)
        elif at == under or any(rows[at - 1].y < height < rows[at].y for height in inner):
            starts.add(at)
        elif figured:
            if any(is_number(table[at][column]) for column in figured):
                starts.add(at)
        elif limit:
            if gap > limit or (0 in filled and any(is_number(table[at][column]) for column in filled if column)):
                starts.add(at)
        elif filled == [0] and 0 in above and table[at][0][0][0].text[:1].islower():
            continue  # "GaN on" / "sapphire"
        elif (
            0 in filled
            or len(filled) >= 0.6 * len(table[0])
            or not set(filled) <= set(above)
            or any(is_number(table[at][column]) and numeric[column] > 0.5 * len(table) for column in filled)
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
        if len(filled) > 2 and sum(is_number(cell) and len(cell) < 3 for cell in filled) >= 0.9 * len(filled):
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
    return start[:1].islower() or start[:1] in "(" or text[-1] in "-,(/" or not is_number(after)
