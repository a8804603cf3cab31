"""The files of a lexicon: CSV as spreadsheet programs write it, read into tables of plain cells and written back.

UTF-8 with or without a byte-order mark; comma, semicolon or tab; a first row that names the columns. Columns that the
program does not know are kept. Written files carry the mark, because spreadsheet programs read the letters of µ and Å
wrongly without it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from minerva_desktop.domains.user_lexicon.rows import ROWS, columns_of

FOLDER = "lexicon"
LARGEST = 8_000_000
"""No file of a lexicon has more bytes than this."""

_DELIMITERS = (";", ",", "\t")
_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class LexiconProblem:
    """Something in a lexicon that is left out. ``line`` counts from 1 (0 = the file as a whole); ``row`` is the place of
    the row among the rows, from 0 (-1 = no row)."""

    kind: str
    file: str
    line: int
    column: str
    reason: str
    row: int = -1

    @property
    def text(self) -> str:
        """One sentence: where, what, and what to do."""
        place = self.file + (f", line {self.line}" if self.line else "") + (f", {self.column}" if self.column else "")
        return f"{place}: {self.reason}."


@dataclass(frozen=True, slots=True)
class LexiconTable:
    """A file's rows as plain cells. ``lines`` are the lines where they begin. ``broken``: it cannot be read at all."""

    kind: str
    columns: tuple[str, ...]
    rows: tuple[dict[str, str], ...] = ()
    lines: tuple[int, ...] = ()
    delimiter: str = ","
    problems: tuple[LexiconProblem, ...] = ()
    broken: bool = False
    skipped: frozenset[int] = field(default_factory=frozenset)


def file_name(kind: str) -> str:
    return f"{kind}.csv"


def empty_table(kind: str) -> LexiconTable:
    return LexiconTable(kind, columns_of(kind))


def read_file(kind: str, path: Path) -> tuple[LexiconTable, bytes | None]:
    """A file's table and its bytes; an empty table and None when there is no such file."""
    name = path.name
    data, reason = file_bytes(path)
    if data is None:
        return empty_table(kind), None
    if reason:
        return _broken(kind, name, reason), data
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return _broken(kind, name, "it is not UTF-8 text; save it again as “CSV UTF-8”", line), data
    return parse_table(kind, text, name), data


def file_bytes(path: Path) -> tuple[bytes | None, str]:
    """A file's bytes (None = there is no such file), and why they cannot be had."""
    try:
        if not path.exists():
            return None, ""
        if path.stat().st_size > LARGEST:
            return b"", f"it has more than {LARGEST // 1_000_000} MB; keep only what you need in it"
        return path.read_bytes(), ""
    except OSError as error:
        return b"", f"it cannot be read ({error.strerror or error}); check that it is a file that you may open"


def parse_table(kind: str, text: str, name: str = "") -> LexiconTable:
    """The table in a CSV text. What is wrong with it stands in ``problems``; never raises."""
    name = name or file_name(kind)
    text = text.removeprefix(_MARK)
    declared, text, skipped = _declared(text)
    delimiter = declared or _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows: list[tuple[int, list[str]]] = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((line + skipped, cells))
            line = reader.line_num + 1
    except csv.Error as error:
        return _broken(kind, name, f"it is no table that can be read ({error}); save it again as CSV", line + skipped)
    if not rows:
        return LexiconTable(kind, columns_of(kind), delimiter=delimiter)
    return _table(kind, name, delimiter, rows)


def _declared(text: str) -> tuple[str, str, int]:
    """The "sep=;" line that some spreadsheet programs write first."""
    first, _, rest = text.partition("\n")
    if first.lower().startswith("sep=") and len(first.strip()) == 5:
        return first.strip()[-1], rest, 1
    return "", text, 0


def _delimiter(text: str) -> str:
    head = next((line for line in text.splitlines() if line.strip()), "")
    counts = {sign: head.count(sign) for sign in _DELIMITERS}
    best = max(_DELIMITERS, key=lambda sign: counts[sign])
    return best if counts[best] else ","


def _table(kind: str, name: str, delimiter: str, rows: Sequence[tuple[int, list[str]]]) -> LexiconTable:
    head_line, head = rows[0]
    columns = [" ".join(cell.split()).casefold() for cell in head]
    while columns and not columns[-1]:
        columns.pop()
    known = columns_of(kind)
    missing = [column for column in ROWS[kind].NEEDED if column not in columns]
    if kind == "materials" and "formula" in columns:
        missing = []
    if missing:
        wanted = delimiter.join(known)
        reason = f"the column “{missing[0]}” is missing; the first line names the columns: {wanted}"
        return _broken(kind, name, reason, head_line)
    double = next((column for column in columns if column and columns.count(column) > 1), "")
    if double:
        return _broken(kind, name, f"two columns are called “{double}”; keep one", head_line)
    problems = [
        LexiconProblem(
            kind, name, head_line, column, f"this column is not known and has no effect; known: {', '.join(known)}"
        )
        for column in columns
        if column and column not in known
    ]
    found: list[dict[str, str]] = []
    lines: list[int] = []
    skipped: set[int] = set()
    for line, cells in rows[1:]:
        if any(cell.strip() for cell in cells[len(columns) :]):
            reason = (
                f"the row has {len(cells)} cells, the first line {len(columns)}; put a cell that holds “{delimiter}” in "
                "quotation marks"
            )
            problems.append(LexiconProblem(kind, name, line, "", reason, len(found)))
            skipped.add(len(found))
        padded = [*cells, *[""] * len(columns)]
        found.append({column: padded[at].strip() for at, column in enumerate(columns) if column})
        lines.append(line)
    extra = tuple(column for column in columns if column and column not in known)
    return LexiconTable(
        kind, (*known, *extra), tuple(found), tuple(lines), delimiter, tuple(problems), skipped=frozenset(skipped)
    )


def _broken(kind: str, name: str, reason: str, line: int = 0) -> LexiconTable:
    problem = LexiconProblem(kind, name, line, "", f"{reason}. Nothing of this file is used")
    return LexiconTable(kind, columns_of(kind), problems=(problem,), broken=True)


def table_text(kind: str, rows: Sequence[Mapping[str, str]], delimiter: str = ",") -> str:
    """The CSV text of rows: all columns of the kind, then those that only the rows have. Empty rows are left out."""
    columns = list(columns_of(kind))
    columns += sorted({name for row in rows for name in row} - set(columns))
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        cells = [" ".join(str(row.get(name) or "").split()) for name in columns]
        if any(cells):
            writer.writerow(cells)
    return _MARK + out.getvalue()
