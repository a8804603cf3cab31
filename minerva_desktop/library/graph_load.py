"""Filling an empty graph: rows go into CSV files beside it, which the engine copies in one go each.

Twenty times faster than statements, and without the large transactions that would not fit into the buffer pool. Only
for keys that the graph does not have yet: one that exists already would corrupt the engine's memory.

All edges of a table go in at once where they fit into the memory for loading: what a table has already is sorted anew with
each further copy, so that twenty portions take twenty times as long as one. There is a checkpoint between tables, since the
engine keeps all that was copied since the last one in that memory. The file is not in use yet, so that a checkpoint that is
broken off costs nothing.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import IO, Any

from minerva_desktop.library.graph_schema import Columns, GraphSchema, quoted

PORTION = 25_000  # edges in one file
AT_ONCE = 128 << 20  # bytes of text in one copy; 75 MB of it made the program take 0.9 GB
CHECKPOINT = 16 << 20  # bytes of text after which there is a checkpoint
_FORMAT = "header = false, parallel = false, delim = ',', quote = '\"', escape = '\"'"


@dataclass(slots=True)
class _File:
    path: Path
    stream: IO[str]
    writer: Any
    rows: int = 0


class Loader:
    """Collects rows, then copies them into the graph with :meth:`copy`. Rows of one node table must differ in their key.

    ``folder`` is for the CSV files; it is made anew and goes away with :meth:`close`.
    """

    def __init__(self, connection: Any, schema: GraphSchema, folder: Path) -> None:
        self._connection = connection
        self._schema = schema
        self._folder = folder
        self._files: dict[tuple[str, ...], _File] = {}
        self._full: list[tuple[tuple[str, ...], Path]] = []
        self._made = 0
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    def nodes(self, table: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Nodes with all columns of their table."""
        columns = self._schema.nodes[table]
        self._write((table,), ([row.get(name) for name in columns] for row in rows), columns)

    def edges(self, table: str, source: str, target: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Edges from ``s`` to ``t`` (keys of nodes that are loaded as well), with all columns of their table."""
        columns = self._schema.edges[table]
        ends: Columns = {"s": "STRING", "t": "STRING"}
        self._write(
            (table, source, target), ([row[name] for name in (*ends, *columns)] for row in rows), ends | columns
        )

    def copy(self) -> None:
        """Copy everything into the graph, nodes first."""
        for key, file in self._files.items():
            file.stream.close()
            self._full.append((key, file.path))
        self._files.clear()
        since = 0
        full = sorted(self._full, key=lambda item: (len(item[0]), item[0]))
        for key, files in groupby(full, key=lambda item: item[0]):
            ends = f", from = '{_text(key[1])}', to = '{_text(key[2])}'" if len(key) == 3 else ""
            for paths in _parts([path for _, path in files]):
                listed = ", ".join(f"'{_text(str(path))}'" for path in paths)
                self._connection.execute(f"COPY {quoted(key[0])} FROM [{listed}] ({_FORMAT}{ends})")
                since += sum(path.stat().st_size for path in paths)
                if since > CHECKPOINT:
                    self._connection.execute("CHECKPOINT")
                    since = 0

    def close(self) -> None:
        """Delete the CSV files."""
        for file in self._files.values():
            file.stream.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _write(self, key: tuple[str, ...], rows: Iterable[list[Any]], columns: Columns) -> None:
        lists = [index for index, kind in enumerate(columns.values()) if kind.endswith("[]")]
        for row in rows:
            for index in lists:
                row[index] = f"[{','.join(row[index])}]"
            file = self._files.get(key) or self._new_file(key)
            file.writer.writerow(row)
            file.rows += 1
            if len(key) == 3 and file.rows == PORTION:
                file.stream.close()
                self._full.append((key, self._files.pop(key).path))

    def _new_file(self, key: tuple[str, ...]) -> _File:
        path = self._folder / f"{self._made}.csv"
        self._made += 1
        stream = path.open("w", encoding="utf-8", newline="")
        self._files[key] = _File(path, stream, csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n"))
        return self._files[key]


def _parts(paths: Sequence[Path]) -> Iterator[list[Path]]:
    """The files in order, as many at a time as fit into the memory for loading."""
    part: list[Path] = []
    size = 0
    for path in paths:
        if part and size + path.stat().st_size > AT_ONCE:
            yield part
            part, size = [], 0
        part.append(path)
        size += path.stat().st_size
    if part:
        yield part


def _text(value: str) -> str:
    return value.replace("\\", "\\\\").replace("'", "\\'")
