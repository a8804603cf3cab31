"""Tables of a PDF as records: the words of each cell as text, its box on the page, header rows joined per column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from minerva_desktop.documents.blocks import Block, Place
from minerva_desktop.documents.hyphens import Vocabulary
from minerva_desktop.documents.lines import Line
from minerva_desktop.documents.paragraphs import CAPTION, compose
from minerva_desktop.documents.raw import Rect, Word
from minerva_desktop.documents.table_parts import Grid
from minerva_desktop.language.rows import row_text
from minerva_desktop.records import Box, Table

if TYPE_CHECKING:
    from minerva_desktop.documents.pdf_document import Group

Displayed = Callable[[int, Rect], Rect]
Cell = Sequence[tuple[Word, Line]]


def tables_of(
    grids: Sequence[Grid], groups: Sequence[Group], vocabulary: Vocabulary, displayed: Displayed
) -> tuple[Table, ...]:
    """The tables in the order of the pages, each with the caption that stands by it."""
    captions = {id(line): group for group in groups if group.role == "caption" for line in group.lines[:1]}
    return tuple(_table(grid, captions, vocabulary, displayed) for grid in grids)


def _table(grid: Grid, captions: dict[int, Group], vocabulary: Vocabulary, displayed: Displayed) -> Table:
    group = captions.get(id(grid.caption)) if grid.caption is not None else None
    text = compose(group.lines, vocabulary)[0] if group is not None else grid.caption.text if grid.caption else ""
    match = CAPTION.match(text)
    texts = [[_text(cell, vocabulary) for cell in row] for row in grid.rows]
    head = texts[: grid.head]
    return Table(
        label=" ".join(match.group("label").split()) if match else "",
        caption=text,
        header=_joined(head, grid),
        rows=tuple(tuple(row) for row in texts[grid.head :]),
        page=grid.page,
        boxes=(_box(grid.page, grid.box, displayed),),
        cells=tuple(tuple(_cell_box(cell, grid.page, displayed) for cell in row) for row in grid.rows[grid.head :]),
        header_rows=tuple(tuple(row) for row in head),
    )


def row_blocks(table: Table, grid: Grid) -> list[Block]:
    """The table as text: its header, then each row in a line that can be read alone, with the places of its cells."""
    blocks = [Block(" | ".join(text for text in table.header if text), "table", mined=False, whole=True)]
    blocks[0].places = _places(
        [cell for row in grid.rows[: grid.head] for cell in row if cell], grid.page, len(blocks[0].text)
    )
    for row, cells in zip(table.rows, grid.rows[grid.head :], strict=True):
        line = row_text(table.label, table.header, row)
        places = []
        for span, cell in zip(line.spans, cells, strict=True):
            if span is not None and cell:
                places.append(_place(cell, grid.page, *span))
        if line.text:
            blocks.append(Block(line.text, "table", mined=False, whole=True, places=places))
    return [block for block in blocks if block.text]


def _places(cells: Sequence[Cell], page: int, length: int) -> list[Place]:
    return [_place(cell, page, 0, length) for cell in cells]


def _place(cell: Cell, page: int, start: int, end: int) -> Place:
    box = (
        min(word.x0 for word, _ in cell),
        min(line.y0 for _, line in cell),
        max(word.x1 for word, _ in cell),
        max(line.y1 for _, line in cell),
    )
    return Place(start, end, page, box, [word for word, _ in cell])


def _joined(head: Sequence[Sequence[str]], grid: Grid) -> tuple[str, ...]:
    """One text per column: what stands above it in each header row, cells that cover it included."""
    width = len(grid.rows[0])
    parts: list[list[str]] = [[] for _ in range(width)]
    for row, texts in enumerate(head):
        for column, text in enumerate(texts):
            for more in range(grid.spans.get((row, column), 1)):
                if text and column + more < width:
                    parts[column + more].append(text)
    return tuple(" ".join(part) for part in parts)


def _text(cell: Cell, vocabulary: Vocabulary) -> str:
    text = ""
    before: Line | None = None
    for word, line in sorted(cell, key=lambda item: (item[1].y, item[0].x0)) if _several(cell) else cell:
        if text and before is not line and text[-1] == "-":
            joined = vocabulary.join(text[text.rfind(" ") + 1 :], word.text)
            if joined is not None:
                text = text[: text.rfind(" ") + 1] + joined
                before = line
                continue
        text = f"{text} {word.text}" if text else word.text
        before = line
    return text


def _several(cell: Cell) -> bool:
    return len({id(line) for _, line in cell}) > 1


def _cell_box(cell: Cell, page: int, displayed: Displayed) -> Box | None:
    if not cell:
        return None
    box = (
        min(word.x0 for word, _ in cell),
        min(line.y0 for _, line in cell),
        max(word.x1 for word, _ in cell),
        max(line.y1 for _, line in cell),
    )
    return _box(page, box, displayed)


def _box(page: int, box: Rect, displayed: Displayed) -> Box:
    x0, y0, x1, y1 = displayed(page, box)
    return (page, round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2))
