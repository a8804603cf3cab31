"""Teaching the program: changes to a library's lexicon, each one event that can be undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minerva_desktop.domains.user_lexicon import (
    KINDS,
    LexiconProblem,
    UserLexicon,
    check_rows,
    columns_of,
    file_name,
    key_of,
    name_of,
    plain_rows,
    table_text,
)
from minerva_desktop.errors import MinervaError, NotFound, UsageError
from minerva_desktop.records import ChangeSet
from minerva_desktop.workbench.numbers import Numbers
from minerva_desktop.workbench.teaching import known_kind, read_rows

Rows = list[dict[str, str]]

_WORDS = {
    "materials": ("material", "materials"),
    "properties": ("property", "properties"),
    "methods": ("method", "methods"),
    "applications": ("application", "applications"),
    "aliases": ("alias", "aliases"),
    "units": ("unit", "units"),
    "blacklist": ("blacklist term", "blacklist terms"),
}


@dataclass(frozen=True, slots=True)
class LexiconImport:
    """What an import did: rows taken, rows left out with the reason."""

    change: ChangeSet
    taken: int
    problems: tuple[LexiconProblem, ...] = ()


class LexiconChanges(Numbers):
    """The changes to a lexicon. They take effect for papers that are read from then on."""

    def save_lexicon(self, kind: str, rows: Sequence[Mapping[str, Any]]) -> ChangeSet:
        """Make these the rows of one kind. Rows that do not validate are kept in the file and have no effect.

        Raises:
            MinervaError: the file cannot be written, or what stands there now cannot be read.
        """
        return self._teach(known_kind(kind), lambda _: plain_rows(rows))

    def add_to_lexicon(self, kind: str, cells: Mapping[str, Any]) -> ChangeSet:
        """Add one row; one of the same name gets the cells that are given.

        Raises:
            UsageError: the row is not valid; the reason says what to do.
        """
        known_kind(kind)
        (given,) = plain_rows([cells]) or [{}]
        unknown = sorted(set(given) - set(columns_of(kind)))
        if unknown:
            hint = f"Columns of {kind}: {', '.join(columns_of(kind))}."
            raise UsageError(f"There is no column “{unknown[0]}” in {kind}.", hint=hint)

        return self._teach(kind, self._adding(kind, given))

    def remove_from_lexicon(self, kind: str, name: str) -> ChangeSet:
        """Take the row of this name (and type, as "name / type") away; its effect goes with it.

        Raises:
            NotFound: there is no such row.
        """

        def removed(rows: Rows) -> Rows:
            found = [at for at, row in enumerate(rows) if name in (key_of(kind, row), name_of(kind, row))]
            found = found or [at for at, row in enumerate(rows) if name_of(kind, row).casefold() == name.casefold()]
            if not found:
                hint = f"“lexicon list {kind}” shows what there is."
                raise NotFound(f"There is no “{name}” in the {kind} of your lexicon.", hint=hint)
            return [row for at, row in enumerate(rows) if at not in found]

        return self._teach(known_kind(kind), removed)

    def import_lexicon(self, kind: str, file: Path) -> LexiconImport:
        """Take the rows of a CSV file over; those of a name that is there already replace it.

        Rows that do not validate are left out and named.

        Raises:
            UsageError: the file cannot be read as a table of this kind.
        """
        known_kind(kind)
        table = read_rows(kind, file)
        wrong: list[LexiconProblem] = list(table.problems)
        counted = 0

        def merged(rows: Rows) -> Rows:
            nonlocal counted
            new = [dict(row) for row in table.rows]
            faults = check_rows(self.current_lexicon(), kind, new)
            bad = {item.row for item in faults} | set(table.skipped)
            wrong.extend(
                LexiconProblem(kind, file.name, table.lines[item.row], item.column, item.reason, item.row)
                for item in faults
            )
            good = [row for at, row in enumerate(new) if at not in bad]
            counted = len(good)
            for row in good:
                at = _place(kind, rows, key_of(kind, row))
                rows = [*rows, row] if at < 0 else [*rows[:at], row, *rows[at + 1 :]]
            return rows

        change = self._teach(kind, merged)
        return LexiconImport(change, counted, tuple(sorted(wrong, key=lambda item: (item.line, item.column))))

    def export_lexicon(self, folder: Path) -> list[Path]:
        """Write the kinds that hold something as CSV files into a folder; returns them.

        Raises:
            UsageError: a file of that name is there already.
        """
        tables = {kind: table for kind, table in self.current_lexicon().tables.items() if table.rows}
        paths = [folder / file_name(kind) for kind in tables]
        there = next((path for path in paths if path.exists()), None)
        if there is not None:
            raise UsageError(f"{there} is there already; nothing was written.", hint="Choose another folder.")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for path, (kind, table) in zip(paths, tables.items(), strict=True):
                path.write_bytes(table_text(kind, table.rows, table.delimiter).encode("utf-8"))
        except OSError as error:
            raise MinervaError(f"The lexicon cannot be written to {folder}: {error.strerror or error}.") from error
        return paths

    def lexicon_of_job(self) -> UserLexicon:
        """The lexicon that a job uses from start to end; what was edited outside is noted in the journal."""
        with self._changes:
            self.library.catalog.adopt_lexicon()
            return self.current_lexicon()

    # ------------------------------------------------------------------------------------------------ internals
    def _adding(self, kind: str, given: Mapping[str, str]) -> Callable[[Rows], Rows]:
        """What adds one row, or gives these cells to the one of its name."""

        def added(rows: Rows) -> Rows:
            at = _place(kind, rows, key_of(kind, dict(given)))
            if at < 0:
                rows, at = [*rows, dict(given)], len(rows)
            else:
                rows = [*rows[:at], rows[at] | dict(given), *rows[at + 1 :]]
            wrong = next((item for item in check_rows(self.current_lexicon(), kind, rows) if item.row == at), None)
            if wrong is not None:
                reason = f"{wrong.column}: {wrong.reason}" if wrong.column else wrong.reason
                raise UsageError(f"This row cannot be added to {kind}; {reason}.")
            return rows

        return added

    def _teach(self, kind: str, make: Callable[[Rows], Rows]) -> ChangeSet:
        return self._teach_all({kind: make})

    def _teach_all(self, makers: Mapping[str, Callable[[Rows], Rows]], label: str = "") -> ChangeSet:
        """Change several kinds as one event; ``label`` where the history shall say more than what was added."""
        with self._changes:
            catalog = self.library.catalog
            catalog.adopt_lexicon()
            texts: dict[str, str | None] = {}
            labels: list[str] = []
            for kind, make in makers.items():
                table = self.current_lexicon().tables[kind]
                if table.broken:
                    hint = "Mend it, or move it out of the lexicon's folder, and try again."
                    raise MinervaError(table.problems[0].text, hint=hint, code="lexicon-unreadable")
                old = plain_rows(table.rows)
                new = make(old)
                if [_filled(row) for row in new if _filled(row)] != [_filled(row) for row in old]:
                    texts[kind] = table_text(kind, new, table.delimiter)
                    labels.append(change_label(kind, old, new))
            if not texts:
                return ChangeSet("Nothing to change in your lexicon")
            change = catalog.set_lexicon(texts, label or "; ".join(labels))
            self.current_lexicon()
        self._announce(change)
        return change

    def _announce(self, change: ChangeSet) -> None:
        for subscriber in list(self._subscribers):
            subscriber(change)


def _place(kind: str, rows: Rows, key: str) -> int:
    return next((at for at, row in enumerate(rows) if key_of(kind, row) == key), -1)


def _filled(row: Mapping[str, str]) -> dict[str, str]:
    return {name: cell for name, cell in row.items() if cell}


def change_label(kind: str, old: Rows, new: Rows) -> str:
    """What happened to a kind, as a sentence for the history: "Added 2 materials to your lexicon"."""
    before = {key_of(kind, row): _filled(row) for row in old}
    after = {key_of(kind, row): _filled(row) for row in new}
    added = len(after.keys() - before.keys())
    removed = len(before.keys() - after.keys())
    changed = sum(before[key] != after[key] for key in before.keys() & after.keys())
    if added and not removed and not changed:
        return f"Added {_count(kind, added)} to your lexicon"
    if removed and not added and not changed:
        return f"Removed {_count(kind, removed)} from your lexicon"
    if added == removed == 0:
        return f"Changed {_count(kind, changed or len(new))} in your lexicon"
    parts = [
        f"{number} {word}" for number, word in ((added, "added"), (removed, "removed"), (changed, "changed")) if number
    ]
    return f"Changed the {_WORDS[kind][1]} of your lexicon: {', '.join(parts)}"


def _count(kind: str, number: int) -> str:
    one, many = _WORDS[kind]
    return f"{number} {one if number == 1 else many}"


__all__ = ["KINDS", "LexiconChanges", "LexiconImport", "change_label"]
