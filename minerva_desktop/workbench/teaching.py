"""Holds a library's lexicon in memory and sees when its files change."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from minerva_desktop.domains import Domain
from minerva_desktop.domains.user_lexicon import (
    FOLDER,
    KINDS,
    ROWS,
    LexiconProblem,
    LexiconTable,
    UserLexicon,
    lexicon_digest,
    load_lexicon,
    parse_table,
)
from minerva_desktop.errors import NotFound, UsageError
from minerva_desktop.language import quantities
from minerva_desktop.language.units import using_units
from minerva_desktop.library import Tools
from minerva_desktop.records import Quantity


class Teaching:
    """The lexicon of one library. Its domain is made once for each state of the files, so that what is compiled from a
    domain is compiled once, and never serves an older state."""

    def __init__(self, library: Path, pack: Domain) -> None:
        self.folder = library / FOLDER
        self.pack = pack
        self._lock = threading.Lock()
        self._loaded: UserLexicon | None = None

    def current(self) -> UserLexicon:
        """The lexicon as its files are now."""
        with self._lock:
            if self._loaded is None or lexicon_digest(self.folder) != self._loaded.digest:
                self._loaded = load_lexicon(self.folder, self.pack)
            return self._loaded

    def tools(self) -> Tools:
        """The quantity parser for the library, with the person's units."""

        def parse_value(text: str, dimension: str | None) -> Quantity:
            with using_units(self.current().domain.units):
                return quantities.parse_value(text, expected_dimension=dimension)

        return Tools(parse_value=parse_value, canonical_value=quantities.canonical_value, to_unit=quantities.to_unit)


def known_kind(kind: str) -> str:
    """The kind of a lexicon by its name.

    Raises:
        UsageError: there is no such kind.
    """
    if kind not in KINDS:
        raise UsageError(f"There is no kind “{kind}” in a lexicon.", hint=f"Kinds: {', '.join(KINDS)}.")
    return kind


def read_rows(kind: str, file: Path) -> LexiconTable:
    """The table in a CSV file from elsewhere.

    Raises:
        NotFound: it cannot be opened.
        UsageError: it cannot be read as a table of this kind.
    """
    try:
        text = file.read_bytes().decode("utf-8")
    except OSError as error:
        raise NotFound(f"{file} cannot be opened: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 text.", hint="Save it again as “CSV UTF-8”.") from error
    table = parse_table(kind, text, file.name)
    if table.broken:
        raise UsageError(table.problems[0].text)
    return table


def lexicon_as_data(lexicon: UserLexicon, folder: Path) -> dict[str, Any]:
    """A lexicon as plain data."""
    return {
        "folder": str(folder),
        "hash": lexicon.digest,
        "kinds": [
            {
                "kind": kind,
                "columns": list(table.columns),
                "help": dict(ROWS[kind].HELP),
                "rows": [dict(row) for row in table.rows],
                "count": lexicon.counts[kind],
                "broken": table.broken,
            }
            for kind, table in lexicon.tables.items()
        ],
        "problems": [problem_as_data(item) for item in lexicon.problems],
    }


def problem_as_data(problem: LexiconProblem) -> dict[str, Any]:
    """A problem as plain data, with its sentence."""
    keys = ("kind", "file", "line", "row", "column", "reason", "text")
    return {key: getattr(problem, key) for key in keys}
