"""What tables are made of, whichever way they are found: printed rows, cells, grids, and what makes a header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from minerva_desktop.documents.lines import Line
from minerva_desktop.documents.raw import Rect, Word

Cell = list[tuple[Word, Line]]
Row = list[Cell]

TOUCH = 3.0
"""Points within which two rules meet, or stand at one height."""

_NUMBER = re.compile(
    r"[<>≤≥~≈∼±+−–-]?\s?\(?\d[\d.,·×⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺±()/%–−-]*(?:\^?[a-z*†‡,]{1,4})?\Z|[-–—]\Z|n/?a\Z|n\.?d\.?\Z",
    re.IGNORECASE,
)


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


def clusters(values: Sequence[float], near: float = TOUCH) -> list[float]:
    groups: list[list[float]] = []
    for value in sorted(values):
        if groups and value - groups[-1][-1] <= near:
            groups[-1].append(value)
        else:
            groups.append([value])
    return [sum(group) / len(group) for group in groups]


def is_number(cell: Sequence[tuple[Word, Line]]) -> bool:
    return bool(cell) and bool(_NUMBER.match(cell[0][0].text))


def head_of(rows: Sequence[Row], spans: dict[tuple[int, int], int]) -> int:
    """How many rows at the top are the header, where no rule says it: one, those with cells over others before it, and
    a row of units behind it. 0 when the first row holds numbers like the rest."""
    width = len(rows[0])
    head = 1
    while head < min(4, len(rows) - 1) and any(
        row == head - 1 and 1 < wide < width for (row, _), wide in spans.items()
    ):
        head += 1
    numeric = [
        column for column in range(width) if sum(is_number(row[column]) for row in rows[1:]) >= 0.6 * (len(rows) - 1)
    ]
    above = [column for column in numeric if rows[0][column]]
    if above and all(is_number(rows[0][column]) for column in above):
        return 0
    while numeric and head < min(4, len(rows) - 1) and not any(is_number(rows[head][column]) for column in numeric):
        if sum(bool(rows[head][column]) for column in numeric) < 0.5 * len(numeric):
            break  # the name of a group of rows
        head += 1
    return head
