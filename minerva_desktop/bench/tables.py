"""Are the cells of tables found? Labelled grids (positions only) against the reader's tables and the engine's own.

A cell counts when its words, read from the page by position, are the words of our cell in the same row and column.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pymupdf as _pymupdf

from minerva_desktop.bench import _labels, need
from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.records import Table

pymupdf: Any = _pymupdf
Grid = list[list[str]]


def run(data: Path | None) -> dict[str, Any]:
    """Figures: F1 of cells by kind of table, for the reader and for the engine's own finder on the same pages; the share
    of header rows that are told apart; tables not found."""
    root = need(data, "pdf")
    begin = time.perf_counter()
    by_file = _labels.grouped(_labels.labels("tables"))
    tallies: dict[str, Counter[str]] = {"ours": Counter(), "engine": Counter()}
    missed: list[str] = []
    worst: list[str] = []
    headers = Counter[str]()
    count = 0
    with ReaderPool(Limits()) as pool:
        for file in _labels.open_files(list(by_file)):
            path = _labels.place(file, root)
            document = pool.read(path)
            with pymupdf.open(str(path)) as pdf:
                for row in by_file[file]:
                    count += 1
                    page = pdf[row["page"] - 1]
                    gold = _gold(page, row)
                    kind = "ruled" if row["ruled"] == "full" else "unruled"
                    mine = _best([_grid(table) for table in document.tables if table.page == row["page"]], gold)
                    theirs = _best([_cleaned(found.extract()) for found in page.find_tables().tables], gold)
                    for name, grid in (("ours", mine), ("engine", theirs)):
                        _count(tallies[name], kind, gold, grid)
                    if not mine:
                        missed.append(f"{file} p{row['page']} ({row['ruled']})")
                    else:
                        score = _f1(gold, mine)
                        worst.append(f"{score:.2f} {file} p{row['page']} ({row['ruled']}, {len(gold)}x{len(gold[0])})")
                        header = _header_rows(document.tables, row["page"], gold)
                        headers["right"] += header == row["header_rows"]
                        headers["all"] += 1
    figures: dict[str, Any] = {"set": _labels.set_name(), "tables": count}
    for name, tally in tallies.items():
        figures[name] = {
            kind: round(2 * tally[f"{kind} right"] / max(1, tally[f"{kind} gold"] + tally[f"{kind} found"]), 3)
            for kind in ("ruled", "unruled")
        }
    figures["header_rows_right"] = round(headers["right"] / max(1, headers["all"]), 3)
    figures["not_found"] = missed
    figures["worst"] = sorted(worst)[:16]
    return {"name": "tables", "n": count, "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def _gold(page: Any, row: dict[str, Any]) -> Grid:
    """The words of each labelled cell, by where their centres stand."""
    xs, ys = row["xs"], row["ys"]
    matrix = page.rotation_matrix
    cells: Grid = [["" for _ in xs[1:]] for _ in ys[1:]]
    upwards = row.get("turned") == 90  # text that runs from the bottom to the top
    covered = {
        (r + down, c + right): (r + rows - 1 if upwards else r, c)
        for r, c, rows, columns in row.get("spans", ())
        for down in range(rows)
        for right in range(columns)
    }
    words = page.get_text("words", sort=True)
    for word in sorted(words, key=lambda word: (word[0], -word[1])) if upwards else words:
        box = pymupdf.Rect(word[:4]) * matrix
        x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
        if not (xs[0] <= x <= xs[-1] and ys[0] <= y <= ys[-1]):
            continue
        r = max(at for at, edge in enumerate(ys[:-1]) if edge <= y)
        c = max(at for at, edge in enumerate(xs[:-1]) if edge <= x)
        r, c = covered.get((r, c), (r, c))
        cells[r][c] = f"{cells[r][c]} {word[4]}".strip()
    if row.get("turned"):
        # Read in the direction of its text: bottom to top, the columns of the page are the rows.
        cells = [list(line) for line in zip(*cells[::-1], strict=True)] if row["turned"] == 90 else [
            list(line) for line in zip(*[line[::-1] for line in cells], strict=True)
        ]  # fmt: skip
    return cells


def _grid(table: Table) -> Grid:
    rows = (
        [list(line) for line in (*table.header_rows, *table.rows)]
        if table.header_rows
        else [list(table.header), *map(list, table.rows)]
    )
    return [line for line in rows if any(line)]


def _cleaned(rows: Sequence[Sequence[str | None]]) -> Grid:
    return [[" ".join((cell or "").split()) for cell in row] for row in rows]


def _plain(text: str) -> str:
    """Letters and digits alone: how scripts, hyphens and spaces are written is judged elsewhere."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[\W_]+", "", text)


def _cells(grid: Grid) -> Counter[tuple[int, int, str]]:
    return Counter((r, c, _plain(text)) for r, line in enumerate(grid) for c, text in enumerate(line) if _plain(text))


def _right(gold: Grid, grid: Grid) -> int:
    """Cells that agree in row, column and words, whichever of a few shifts of rows and columns fits best."""
    best = 0
    want = _cells(gold)
    for down in (-2, -1, 0, 1, 2):
        for right in (-1, 0, 1):
            moved = Counter({(r + down, c + right, text): n for (r, c, text), n in _cells(grid).items()})
            best = max(best, sum((want & moved).values()))
    return best


def _f1(gold: Grid, grid: Grid) -> float:
    total = sum(_cells(gold).values()) + sum(_cells(grid).values())
    return 2 * _right(gold, grid) / max(1, total)


def _best(grids: Sequence[Grid], gold: Grid) -> Grid:
    """The table of the page that shares most with the labelled one; nothing when none shares anything."""
    scored = [(_f1(gold, grid), -place, grid) for place, grid in enumerate(grids)]
    score, _, grid = max(scored, default=(0.0, 0, []))
    if score:
        return grid
    wanted = {_plain(text) for line in gold for text in line if len(_plain(text)) > 2}
    return next((grid for grid in grids if len(wanted & {_plain(t) for line in grid for t in line}) > 3), [])


def _count(tally: Counter[str], kind: str, gold: Grid, grid: Grid) -> None:
    tally[f"{kind} gold"] += sum(_cells(gold).values())
    tally[f"{kind} found"] += sum(_cells(grid).values())
    tally[f"{kind} right"] += _right(gold, grid) if grid else 0


def _header_rows(tables: Sequence[Table], page: int, gold: Grid) -> int:
    scored = [(_f1(gold, _grid(table)), -place, table) for place, table in enumerate(tables) if table.page == page]
    table = max(scored, default=(0, 0, None), key=lambda item: item[:2])[2]
    if table is None:
        return -1
    return len(table.header_rows) if table.header_rows else int(any(table.header))
