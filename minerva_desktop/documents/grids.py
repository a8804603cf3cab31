"""Where the tables of a page are and where their rows and columns run: from drawn rules and from white space.

Three kinds: a grid of rules in both directions; horizontal rules only, as most journals print; no rules at all, known by
a caption and by lines of several cells. All positions are in the reading frame of the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from minerva_desktop.documents.lattices import lattices, ruled
from minerva_desktop.documents.lines import Line
from minerva_desktop.documents.paragraphs import CAPTION
from minerva_desktop.documents.raw import Rect
from minerva_desktop.documents.streams import stream
from minerva_desktop.documents.table_parts import Grid, Printed, clusters, printed_rows

_THIN = 3.0


def find_grids(lines: Sequence[Line], rules: Sequence[Rect]) -> list[Grid]:
    """The tables of one page, from top to bottom."""
    upright = [line for line in lines if line.upright and line.words]
    captions = [line for line in upright if _is_table_caption(line)]
    taken: set[int] = set()
    grids: list[Grid] = []
    for box, xs, ys in lattices(rules):
        grid = ruled(upright, box, xs, ys, rules, taken)
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
    _name(grids, captions)
    for caption in captions:
        if any(grid.caption is caption for grid in grids):
            continue
        grid = _bare([line for line in upright if id(line) not in taken], caption)
        if grid is not None:
            grid.caption = caption
            grids.append(grid)
            taken.update(id(line) for line in grid.lines)
    return sorted(grids, key=lambda grid: (grid.box[1], grid.box[0]))


def _is_table_caption(line: Line) -> bool:
    match = CAPTION.match(line.text)
    return bool(match) and match is not None and match.group("kind").casefold().startswith(("tab", "supplementary tab"))


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
    used = {id(grid.caption) for grid in grids if grid.caption is not None}
    for _, _, _, grid, caption in sorted(pairs, key=lambda pair: pair[:3]):
        if grid.caption is None and id(caption) not in used:
            grid.caption = caption
            used.add(id(caption))


def _ladders(rules: Sequence[Rect]) -> list[tuple[Rect, list[float]]]:
    """Horizontal rules of one width above one another: the box between the first and last, and all heights in it."""
    level = sorted(
        (rule for rule in rules if rule[3] - rule[1] <= _THIN and rule[2] - rule[0] > 60),
        key=lambda rule: (rule[1], rule[0]),
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
        heights = clusters([level[at][1] for at in same])
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
    return stream(rows, inside, box, [rule for rule in rules if box[1] + 3 < rule[1] < box[3] - 3])


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
    return stream(best, list(members.values()), box, [])


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
