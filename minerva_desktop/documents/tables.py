"""Tables from the words of a page: rows are printed lines, columns are where the cells stand one below another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from minerva_desktop.documents.hyphens import Vocabulary
from minerva_desktop.documents.lines import Line
from minerva_desktop.documents.paragraphs import CAPTION, compose
from minerva_desktop.documents.raw import Rect
from minerva_desktop.records import Box, Table

if TYPE_CHECKING:
    from minerva_desktop.documents.pdf_document import Group


def find(groups: Sequence[Group], vocabulary: Vocabulary, displayed: Callable[[int, Rect], Rect]) -> tuple[Table, ...]:
    """The tables that have a caption: the tabular lines that follow it (or stand just before it) on its page."""
    result: list[Table] = []
    for place, group in enumerate(groups):
        if group.role != "caption":
            continue
        text, _ = compose(group.lines, vocabulary)
        match = CAPTION.match(text)
        if not match or not match.group("kind").casefold().startswith("tab"):
            continue
        page = group.lines[0].page
        lines = _run(groups[place + 1 :], page) or _run(list(reversed(groups[:place])), page)
        rows = _rows(lines)
        if len(rows) < 2 or max(map(len, rows)) < 2:
            continue
        label = " ".join(match.group("label").split())
        box = _around(lines, displayed)
        result.append(Table(label, text, rows[0], tuple(rows[1:]), page, (box,)))
    return tuple(result)


def _run(groups: Sequence[Group], page: int) -> list[Line]:
    lines: list[Line] = []
    for group in groups:
        if group.role != "table" or group.lines[0].page != page:
            break
        lines.extend(group.lines)
    return lines


def _rows(lines: Sequence[Line]) -> list[tuple[str, ...]]:
    """Cells by row and column; a cell that starts left of a column's edge by less than its size belongs to it."""
    ordered = sorted(lines, key=lambda line: (line.y, line.x0))
    printed: list[list[Line]] = []
    for line in ordered:
        if printed and line.y - printed[-1][0].y < 0.45 * line.size:
            printed[-1].append(line)
        else:
            printed.append([line])
    cells = [[cell for line in row for cell in _cells(line)] for row in printed]
    edges = _edges([cell for row in cells for cell in row])
    rows: list[tuple[str, ...]] = []
    for row in cells:
        values = [""] * len(edges)
        for text, x0, x1 in row:
            middle = (x0 + x1) / 2
            place = max((i for i, (left, _) in enumerate(edges) if left <= middle), default=0)
            values[place] = f"{values[place]} {text}".strip()
        rows.append(tuple(values))
    return rows


def _cells(line: Line) -> list[tuple[str, float, float]]:
    ends = [*line.cells[1:], len(line.words)]
    found = []
    for start, end in zip(line.cells, ends, strict=True):
        words = line.words[start:end]
        if words:
            found.append((" ".join(word.text for word in words), words[0].x0, max(word.x1 for word in words)))
    return found


def _edges(cells: Sequence[tuple[str, float, float]]) -> list[tuple[float, float]]:
    """Horizontal extents of the columns: cells that overlap stand in one column; wide ones (headings) do not count."""
    narrow = sorted(((x0, x1) for _, x0, x1 in cells), key=lambda edge: (edge[1] - edge[0], edge[0]))
    columns: list[tuple[float, float]] = []
    for x0, x1 in narrow[: max(1, int(0.85 * len(narrow)))]:
        touching = [column for column in columns if column[0] < x1 and x0 < column[1]]
        if len(touching) > 1:
            continue
        if touching:
            columns.remove(touching[0])
            columns.append((min(x0, touching[0][0]), max(x1, touching[0][1])))
        else:
            columns.append((x0, x1))
    return sorted(columns)


def _around(lines: Sequence[Line], displayed: Callable[[int, Rect], Rect]) -> Box:
    page = lines[0].page
    x0, y0, x1, y1 = displayed(
        page,
        (
            min(line.x0 for line in lines),
            min(line.y0 for line in lines),
            max(line.x1 for line in lines),
            max(line.y1 for line in lines),
        ),
    )
    return (page, round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2))
