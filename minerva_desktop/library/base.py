"""What all parts of the catalog share: the database, the journal, and the columns that follow from others."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from minerva_desktop.domains import Domain
from minerva_desktop.library.database import Database
from minerva_desktop.library.words import prepared
from minerva_desktop.records import Quantity

RowChange = tuple[str, dict[str, Any], dict[str, Any] | None, dict[str, Any] | None]
"""(table, key columns, columns before or None, columns after or None): None before = inserted, None after = deleted."""

WORDS_OF_EVIDENCES = 8


@dataclass(frozen=True, slots=True)
class Tools:
    """What the library needs of the quantity parser; handed in, because the library knows no language.

    ``parse_value(text, dimension)``; ``canonical_value(quantity)``; ``to_unit(si_value, dimension, unit)``. Without
    them values cannot be edited, and key columns are filled only from values written in the column's own unit.
    """

    parse_value: Callable[[str, str | None], Quantity] | None = None
    canonical_value: Callable[[Quantity], str] | None = None
    to_unit: Callable[[float, str, str], float] | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """What a job is called in the journal: ``key`` tells it from others; ``verb`` and ``noun`` make its sentence, as in
    "Added 3 papers: …"."""

    key: str
    verb: str
    noun: str = "paper"
    otherwise: str = ""

    def label(self, count: int, names: Sequence[str]) -> str:
        """One sentence: how many there are, and what the first are called; ``otherwise`` when none is named."""
        quoted = ", ".join(f"“{name}”" for name in names)
        if count <= 1:
            return f"{self.verb} the {self.noun} {quoted}" if count else self.otherwise
        more = f" and {count - len(names)} more" if count > len(names) else ""
        return f"{self.verb} {count} {self.noun}s: {quoted}{more}"


class CatalogBase:
    """The part of the catalog that the other parts stand on. All methods may be called from any thread."""

    def __init__(self, db: Database, files: Path, domain: Domain | None = None, tools: Tools | None = None) -> None:
        self.db = db
        self.files = files
        self.domain = domain
        self.other_packs: tuple[Domain, ...] = ()  # with which papers here were read as well
        self.tools = tools or Tools()
        self._counts: dict[str, tuple[int, int, int, int]] | None = None
        self._stale_papers: set[str] = set()
        self._stale_relations: set[str] = set()
        self._counts_lock = threading.Lock()
        self._rows_by_filter: dict[tuple[int, tuple[str, ...], int], Sequence[int]] = {}

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Several changes as one: all of them, or none. May be nested."""
        with self.db.transaction():
            yield

    @property
    def packs(self) -> tuple[Domain, ...]:
        """The domain in use, then the other packs that papers here were read with."""
        return () if self.domain is None else (self.domain, *self.other_packs)

    # ------------------------------------------------------------------------------------------------- journal
    def _record(
        self,
        label: str,
        *,
        actor: str = "person",
        subject: str = "",
        undoable: bool = False,
        changes: Sequence[RowChange] = (),
    ) -> int:
        """Write one event; a new change that can be undone ends what could be redone."""
        with self.db.transaction() as connection:
            if undoable:
                connection.execute("UPDATE events SET undone = 2 WHERE undone = 1")
            cursor = connection.execute(
                "INSERT INTO events (at, actor, label, subject, undoable, changes) VALUES (?, ?, ?, ?, ?, ?)",
                [now(), actor, label, subject, int(undoable), json.dumps(changes, ensure_ascii=False)],
            )
            return int(cursor.lastrowid or 0)

    def _extend(self, job: Job, name: str, changes: Sequence[RowChange]) -> int:
        """Add what a job did to the job's event, which so is one for all its papers; returns the event.

        When a person did something since, or took the job's event back, a new one begins: undo goes back step by step,
        and so an event may only grow while it is the last one.
        """
        with self.db.transaction() as connection:
            last = self.db.row(
                "SELECT id, subject FROM events WHERE undoable = 1 AND undone = 0 ORDER BY id DESC LIMIT 1"
            )
            event = last["id"] if last is not None and last["subject"] == job.key else 0
            if not event or self.db.scalar("SELECT 1 FROM events WHERE undoable = 1 AND id > ? LIMIT 1", [event]):
                event = self._record("", actor="pipeline", subject=job.key, undoable=True)
            position = self.db.scalar("SELECT max(position) FROM event_parts WHERE event = ?", [event])
            connection.execute(
                "INSERT INTO event_parts (event, position, name, changes) VALUES (?, ?, ?, ?)",
                [event, 0 if position is None else position + 1, name, json.dumps(changes, ensure_ascii=False)],
            )
            named = "FROM event_parts WHERE event = ? AND name <> ''"
            count = int(self.db.scalar(f"SELECT count(*) {named}", [event]))
            names = self.db.rows(f"SELECT name {named} ORDER BY position LIMIT 3", [event])
            label = job.label(count, [row["name"] for row in names])
            connection.execute("UPDATE events SET label = ? WHERE id = ?", [label, event])
            return int(event)

    def last_event(self) -> int:
        """The number of the latest event."""
        return int(self.db.scalar("SELECT max(id) FROM events") or 0)

    # ------------------------------------------------------------------------------------- columns that follow
    def _refresh_relations(self, ids: Iterable[str]) -> None:
        """Bring visibility and search words of relations up to date, and mark them for the graph."""
        wanted = sorted(set(ids))
        with self.db.transaction():
            self.db.run_in(
                "UPDATE relations SET live = EXISTS (SELECT 1 FROM evidences WHERE relation = relations.id AND live) "
                "WHERE id IN (…)",
                wanted,
            )
            self._refresh_words(wanted)
            self._mark("fact", wanted)

    def expected_words(self, ids: Sequence[str]) -> dict[str, str]:
        """The search words that relations should have, by id: of their ends, their property and their first sentences."""
        named = self.db.rows_in(
            "SELECT r.id, r.property_id, s.name AS source, t.name AS target FROM relations r "
            "JOIN entities s ON s.seq = r.source JOIN entities t ON t.seq = r.target WHERE r.id IN (…)",
            ids,
        )
        sentences: dict[str, dict[str, None]] = {}
        for row in self.db.rows_in(
            "SELECT relation, sentence FROM evidences WHERE live AND relation IN (…) ORDER BY relation, paper, start",
            ids,
        ):
            kept = sentences.setdefault(row["relation"], {})
            if len(kept) < WORDS_OF_EVIDENCES:
                kept[row["sentence"]] = None
        return {
            row["id"]: prepared(
                " ".join(
                    [
                        row["source"],
                        row["target"],
                        row["property_id"].replace("_", " "),
                        *sentences.get(row["id"], ()),
                    ]
                )
            )
            for row in named
        }

    def _refresh_words(self, ids: Sequence[str]) -> None:
        expected = self.expected_words(ids)
        rows = self.db.rows_in("SELECT seq, id, words FROM relations WHERE id IN (…)", ids)
        changed = [
            (row["words"], expected[row["id"]], row["seq"])
            for row in rows
            if expected.get(row["id"], row["words"]) != row["words"]
        ]
        with self.db.transaction() as connection:
            for old, new, seq in changed:
                # An external-content index must be told the old text before it changes.
                connection.execute(
                    "INSERT INTO relation_words (relation_words, rowid, words) VALUES ('delete', ?, ?)", [seq, old]
                )
                connection.execute("UPDATE relations SET words = ? WHERE seq = ?", [new, seq])
                connection.execute("INSERT INTO relation_words (rowid, words) VALUES (?, ?)", [seq, new])

    def _refresh_paper(self, paper: str) -> list[str]:
        """Show or hide what a paper says, as its ``removed`` mark has it. Returns the ids of its relations."""
        with self.db.transaction() as connection:
            shown = "(SELECT removed = 0 FROM papers WHERE id = ?)"
            connection.execute(f"UPDATE evidences SET live = {shown} WHERE paper = ?", [paper, paper])
            connection.execute(f"UPDATE passages SET live = {shown} WHERE source = ?", [paper, paper])
            relations = self._relations_of(paper)
            self._refresh_relations(relations)
            self._refresh_names(
                row[0] for row in connection.execute("SELECT entity FROM paper_entities WHERE paper = ?", [paper])
            )
            self._mark("paper", [paper])
        return relations

    def _refresh_textbook(self, textbook: str) -> None:
        with self.db.transaction() as connection:
            connection.execute(
                "UPDATE passages SET (live, level) = (SELECT removed = 0, level FROM textbooks WHERE id = ?) "
                "WHERE source = ?",
                [textbook, textbook],
            )

    def _refresh_names(self, entities: Iterable[int]) -> None:
        """Make the spellings of entities anew from the papers that are there."""
        from minerva_desktop.library.identity import fold

        wanted = sorted(set(entities))
        found: set[tuple[str, str, int]] = set()
        for row in self.db.rows_in("SELECT seq, name FROM entities WHERE seq IN (…)", wanted):
            found.add((fold(row["name"]), row["name"], row["seq"]))
        for row in self.db.rows_in(
            "SELECT DISTINCT e.entity, e.name, e.aliases FROM paper_entities e JOIN papers p ON p.id = e.paper "
            "WHERE p.removed = 0 AND e.entity IN (…)",
            wanted,
        ):
            for name in (row["name"], *json.loads(row["aliases"])):
                found.add((fold(name), name, row["entity"]))
        with self.db.transaction() as connection:
            self.db.run_in("DELETE FROM names WHERE entity IN (…)", wanted)
            connection.executemany("INSERT OR IGNORE INTO names (folded, name, entity) VALUES (?, ?, ?)", sorted(found))

    def _relations_of(self, paper: str) -> list[str]:
        rows = self.db.rows("SELECT DISTINCT relation FROM evidences WHERE paper = ? ORDER BY relation", [paper])
        return [row[0] for row in rows]

    def _mark(self, kind: str, ids: Iterable[str]) -> None:
        """Note that the graph (and the cached counts) must look at these facts or papers again."""
        wanted = list(ids)
        with self.db.transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO graph_dirty (kind, id) VALUES (?, ?)", [(kind, item) for item in wanted]
            )
            self.db.after_commit(lambda: self._forget_counts(kind, wanted))

    def _forget_counts(self, kind: str, ids: Iterable[str]) -> None:
        with self._counts_lock:
            (self._stale_papers if kind == "paper" else self._stale_relations).update(ids)


def now() -> str:
    """The local time for the journal and the job list, to the second."""
    return datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")


def insert(table: str, columns: Sequence[str], *, verb: str = "INSERT") -> str:
    """An INSERT with one named placeholder for each column."""
    names = ", ".join(f'"{name}"' for name in columns)
    places = ", ".join(f":{name}" for name in columns)
    return f"{verb} INTO {table} ({names}) VALUES ({places})"
