"""What a person taught the program, per library: ``<library>/lexicon/*.csv``, laid over the domain pack.

A row that does not validate is reported with file, line and reason, and left out; the others count. The person's entries
win over the pack's, and a row that is taken away takes its effect along.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from minerva_desktop.domains.pack import Domain
from minerva_desktop.domains.user_lexicon.files import (
    FOLDER,
    LexiconProblem,
    LexiconTable,
    empty_table,
    file_bytes,
    file_name,
    parse_table,
    read_file,
    table_text,
)
from minerva_desktop.domains.user_lexicon.merge import Layers, RowFault
from minerva_desktop.domains.user_lexicon.rows import (
    KINDS,
    ROWS,
    TYPES,
    Row,
    columns_of,
    faults,
    key_of,
    name_of,
)
from minerva_desktop.language.units import define_unit, using_units

_LAID = ("units", "properties", "materials", "methods", "applications", "aliases", "blacklist")
"""The kinds in the order in which they are laid over the pack: each may use what came before."""


@dataclass(frozen=True, slots=True)
class UserLexicon:
    """A person's lexicon and the ``domain`` that it makes of the ``pack``.

    ``counts`` are the rows in effect by kind; ``digest`` is the sha256 over the files' bytes, "" without any.
    """

    domain: Domain
    pack: Domain
    tables: Mapping[str, LexiconTable]
    problems: tuple[LexiconProblem, ...]
    counts: Mapping[str, int]
    digest: str

    @property
    def empty(self) -> bool:
        return not any(table.rows for table in self.tables.values())


def load_lexicon(folder: Path, pack: Domain) -> UserLexicon:
    """The lexicon in a folder over a pack. Never raises: what cannot be used is in ``problems``."""
    tables: dict[str, LexiconTable] = {}
    files: dict[str, bytes] = {}
    for kind in KINDS:
        tables[kind], data = read_file(kind, folder / file_name(kind))
        if data is not None:
            files[kind] = data
    return merge_tables(tables, pack, digest_of(files))


def lexicon_digest(folder: Path) -> str:
    """The digest that :func:`load_lexicon` would give; cheap, to see whether anything changed."""
    files: dict[str, bytes] = {}
    for kind in KINDS:
        data, _ = file_bytes(folder / file_name(kind))
        if data is not None:
            files[kind] = data
    return digest_of(files)


def digest_of(files: Mapping[str, bytes]) -> str:
    """One sha256 over the files that there are, hex; "" for none."""
    if not files:
        return ""
    whole = hashlib.sha256()
    for kind in sorted(files):
        whole.update(f"{kind}:{hashlib.sha256(files[kind]).hexdigest()}\n".encode())
    return whole.hexdigest()


def merge_tables(tables: Mapping[str, LexiconTable], pack: Domain, digest: str = "") -> UserLexicon:
    """Tables laid over a pack."""
    layers = Layers(pack)
    problems: list[LexiconProblem] = []
    counts: dict[str, int] = {}
    for kind in _LAID:
        table = tables.get(kind) or empty_table(kind)
        problems += table.problems
        counts[kind] = 0
        first: dict[str, int] = {}
        for number, cells in enumerate(table.rows):
            if number in table.skipped:
                continue
            wrong = _lay(layers, kind, cells, first, _line(table, number))
            problems += [
                LexiconProblem(kind, file_name(kind), _line(table, number), column, reason, number)
                for column, reason in wrong
            ]
            counts[kind] += not wrong
    ordered = sorted(problems, key=lambda item: (KINDS.index(item.kind), item.line, item.row, item.column))
    in_use = any(counts.values())
    return UserLexicon(
        layers.domain() if in_use else pack,
        pack,
        {kind: tables.get(kind) or empty_table(kind) for kind in KINDS},
        tuple(ordered),
        {kind: counts[kind] for kind in KINDS},
        digest,
    )


def _line(table: LexiconTable, number: int) -> int:
    return table.lines[number] if number < len(table.lines) else number + 2


def _lay(
    layers: Layers, kind: str, cells: Mapping[str, str], first: dict[str, int], line: int
) -> list[tuple[str, str]]:
    """Lay one row over the layers; what is wrong with it, as (column, reason)."""
    try:
        row = ROWS[kind].model_validate(dict(cells))
    except ValidationError as error:
        return faults(error)
    key = key_of(kind, dict(cells))
    if key in first:
        return [
            (ROWS[kind].KEY[0], f"“{name_of(kind, dict(cells))}” stands in line {first[key]} already; keep one of them")
        ]
    try:
        _ADD[kind](layers, row)
    except RowFault as error:
        return [(error.column, str(error))]
    first[key] = line
    return []


def _add_unit(layers: Layers, row: Any) -> None:
    try:
        with using_units(layers.units):
            layers.units.append(define_unit(row.symbol, row.definition))
    except ValueError as error:
        column = "symbol" if "symbol" in str(error) else "definition"
        raise RowFault(column, str(error)) from error


_ADD: dict[str, Callable[[Layers, Any], None]] = {
    "units": _add_unit,
    "properties": Layers.add_property,
    "materials": Layers.add_material,
    "methods": lambda layers, row: layers.add_term("methods", row),
    "applications": lambda layers, row: layers.add_term("applications", row),
    "aliases": Layers.add_alias,
    "blacklist": Layers.add_blacklisted,
}


def check_rows(lexicon: UserLexicon, kind: str, rows: Sequence[Mapping[str, str]]) -> list[LexiconProblem]:
    """What would be wrong with the rows of one kind, the other kinds being as they are; ``row`` is the place in ``rows``."""
    table = replace(
        lexicon.tables[kind],
        rows=tuple(dict(row) for row in rows),
        lines=(),
        problems=(),
        broken=False,
        skipped=frozenset(),
    )
    merged = merge_tables({**lexicon.tables, kind: table}, lexicon.pack)
    return [problem for problem in merged.problems if problem.kind == kind and problem.row >= 0]


def plain_rows(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Rows as cells of one line each; lists become names joined by “;”. Empty rows are left out."""
    found = []
    for row in rows:
        cells = {
            str(name).strip().casefold(): " ".join(
                (";".join(str(item) for item in value) if isinstance(value, list | tuple) else str(value)).split()
            )
            for name, value in row.items()
            if value is not None
        }
        if any(cells.values()):
            found.append(cells)
    return found


__all__ = [
    "FOLDER",
    "KINDS",
    "ROWS",
    "TYPES",
    "LexiconProblem",
    "LexiconTable",
    "Row",
    "UserLexicon",
    "check_rows",
    "columns_of",
    "file_name",
    "key_of",
    "lexicon_digest",
    "load_lexicon",
    "merge_tables",
    "name_of",
    "parse_table",
    "plain_rows",
    "table_text",
]
