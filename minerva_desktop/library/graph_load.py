"""Filling an empty graph: rows go into CSV files beside it, which the engine copies in one go each.

Twenty times faster than statements, and without the large transactions that would not fit into the buffer pool. Only
for keys that the graph does not have yet: one that exists already would corrupt the engine's memory.

Edges go in by portions, with a checkpoint after each: the engine keeps all that was copied since the last one in its buffer
pool, and half a million edges with their sentences do not fit into it. The file is not in use yet, so that a checkpoint
that is broken off costs nothing.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from minerva_desktop.library.graph_schema import Columns, GraphSchema, quoted

PORTION = 25_000  # edges in one file
CHECKPOINT = 16 << 20  # bytes of text that are copied between two checkpoints
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
        for key, path in sorted(self._full, key=lambda item: (len(item[0]), item[0])):
            ends = f", from = '{_text(key[1])}', to = '{_text(key[2])}'" if len(key) == 3 else ""
            since += path.stat().st_size
            self._connection.execute(f"COPY {quoted(key[0])} FROM '{_text(str(path))}' ({_FORMAT}{ends})")
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


def _text(value: str) -> str:
    return value.replace("\\", "\\\\").replace("'", "\\'")
