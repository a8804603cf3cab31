"""Filling an empty graph: rows go into CSV files beside it, which the engine copies in one go each.

Twenty times faster than statements, and without the large transactions that would not fit into the buffer pool. Only
for tables that are empty: a key that exists already would corrupt the engine's memory.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from minerva_desktop.library.graph_schema import Columns, GraphSchema, quoted

_FORMAT = "header = false, parallel = false, delim = ',', quote = '\"', escape = '\"'"


class Loader:
    """Collects rows, then copies them into the graph with :meth:`copy`. Rows of one node table must differ in their key.

    ``folder`` is for the CSV files; it is made anew and goes away with :meth:`close`.
    """

    def __init__(self, connection: Any, schema: GraphSchema, folder: Path) -> None:
        self._connection = connection
        self._schema = schema
        self._folder = folder
        self._files: dict[tuple[str, ...], tuple[Path, IO[str], Any]] = {}
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
        for key in sorted(self._files, key=lambda key: (len(key), key)):
            path, stream, _ = self._files[key]
            stream.close()
            ends = f", from = '{_text(key[1])}', to = '{_text(key[2])}'" if len(key) == 3 else ""
            self._connection.execute(f"COPY {quoted(key[0])} FROM '{_text(str(path))}' ({_FORMAT}{ends})")

    def close(self) -> None:
        """Delete the CSV files."""
        for _, stream, _ in self._files.values():
            stream.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _write(self, key: tuple[str, ...], rows: Iterable[list[Any]], columns: Columns) -> None:
        lists = [index for index, kind in enumerate(columns.values()) if kind.endswith("[]")]
        for row in rows:
            if key not in self._files:
                path = self._folder / f"{len(self._files)}.csv"
                stream = path.open("w", encoding="utf-8", newline="")
                self._files[key] = (path, stream, csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n"))
            for index in lists:
                row[index] = f"[{','.join(row[index])}]"
            self._files[key][2].writerow(row)


def _text(value: str) -> str:
    return value.replace("\\", "\\\\").replace("'", "\\'")
