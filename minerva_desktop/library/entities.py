"""What a person says of entities: another name, two that are one, one that is two after all, two that are not the same.

Every evidence keeps the name under which its ends were read (``source_read``, ``target_read``; empty where that is the
entity it belongs to). So whose an evidence is follows from the merges that are in force, also after papers were read that
never knew the merged entity by its own name; taking an entity out again is the same step as putting it in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from minerva_desktop.errors import NotFound, UsageError
from minerva_desktop.library import codec
from minerva_desktop.library.base import RowChange
from minerva_desktop.library.corrections import CorrectionsPart
from minerva_desktop.library.database import Row
from minerva_desktop.library.decisions import PERSON
from minerva_desktop.library.findings import EVIDENCE_COLUMNS, RELATION_COLUMNS
from minerva_desktop.library.identity import evidence_id, fold, relation_id
from minerva_desktop.library.journal import RowKey, apply_changes
from minerva_desktop.records import ChangeSet

_SIDES = ("source", "target")


class EntitiesPart(CorrectionsPart):
    """Changes a person makes to entities."""

    def add_alias(self, kind: str, name: str, alias: str) -> ChangeSet:
        """Another spelling under which an entity is found."""
        self._need_entity(kind, name)
        if self.db.row("SELECT 1 FROM aliases WHERE type = ? AND name = ? AND alias = ?", [kind, name, alias]):
            raise UsageError(f"That changes nothing: “{name}” is called “{alias}” already.")
        return self._person_change(f"Called “{name}” also “{alias}”", [_alias(kind, name, alias)], [])

    def merge_entities(self, kind: str, name: str, into: str) -> ChangeSet:
        """Make two entities of one type one: all facts of the first become facts of ``into``, also later ones."""
        old = self._need_entity(kind, name)
        into = self._home(kind, into)
        new = self._need_entity(kind, into)
        if self._home(kind, name) == into:
            raise UsageError("That changes nothing: both are the same entity.")
        if self._home(kind, name) != name:
            raise UsageError(
                f"“{name}” is a part of “{self._home(kind, name)}” already.", hint="Take it out of that first."
            )
        spellings = self._spellings(kind, name, old) - (self._spellings(kind, into, new) - {name})
        row = {"type": kind, "name": name, "into_name": into, "spellings": _list(spellings)}
        with self.db.transaction():
            made: list[RowChange] = [("merges", {"type": kind, "name": name}, None, row)]
            known = {
                item[0] for item in self.db.rows("SELECT alias FROM aliases WHERE type = ? AND name = ?", [kind, into])
            }
            further = {
                item[0] for item in self.db.rows("SELECT alias FROM aliases WHERE type = ? AND name = ?", [kind, name])
            }
            made += [_alias(kind, into, alias) for alias in sorted({name, *further} - known - {into})]
            apply_changes(self.db, made)
            moved, touched = self._brought_home(kind, old)
            changes = [*made, *self._joined_mentions(old, new), *moved]
            return self._person_change(f"Merged “{name}” into “{into}”", changes, touched)

    def split_entity(self, kind: str, name: str) -> ChangeSet:
        """Take an entity out again that was merged into another: what was read under its names is its own again.

        Raises:
            NotFound: it was not merged.
        """
        merge = self.db.row("SELECT * FROM merges WHERE type = ? AND name = ?", [kind, name])
        if merge is None:
            raise NotFound(f"The {kind} “{name}” was not merged into another.", hint="“history” shows what was.")
        home = self._home(kind, name)
        at, own = self._need_entity(kind, home), self._need_entity(kind, name)
        spellings = {name, *json.loads(merge["spellings"])}
        with self.db.transaction():
            made: list[RowChange] = [("merges", {"type": kind, "name": name}, dict(merge), None)]
            for row in self.db.rows(
                "SELECT * FROM aliases WHERE type = ? AND name IN (?, ?)", [kind, home, merge["into_name"]]
            ):
                if row["alias"] in spellings:
                    key: RowKey = {column: row[column] for column in ("type", "name", "alias")}
                    made.append(("aliases", key, dict(row), None))
            apply_changes(self.db, made)
            moved, touched = self._brought_home(kind, at)
            changes = [*made, *self._parted_mentions(at, own, spellings, moved), *moved]
            return self._person_change(f"Took “{name}” out of “{merge['into_name']}” again", changes, touched)

    def merged_entities(self) -> list[tuple[str, str, str]]:
        """(type, name, what it was merged into) of all merges in force."""
        rows = self.db.rows("SELECT type, name, into_name FROM merges ORDER BY type, name")
        return [(row[0], row[1], row[2]) for row in rows]

    def dismiss_pair(self, kind: str, one: str, other: str) -> ChangeSet:
        """Say that two entities are not the same, so that nobody is asked again."""
        for name in (one, other):
            self._need_entity(kind, name)
        if one == other:
            raise UsageError("Name two entities; both names are those of one.")
        first, second = sorted((one, other))
        row = {"type": kind, "first": first, "second": second}
        if (kind, first, second) in self.dismissed_pairs():
            raise UsageError(f"That changes nothing: “{first}” and “{second}” are known to be two.")
        return self._person_change(f"“{first}” and “{second}” are not the same", [("dismissals", row, None, row)], [])

    def entity_weight(self, kind: str, name: str) -> tuple[int, int]:
        """(facts, papers): how many facts an entity is an end of, and how many papers mention it."""
        ids = self.db.rows("SELECT seq FROM entities WHERE type = ? AND name = ?", [kind, name])
        if not ids:
            return 0, 0
        seq = ids[0][0]
        facts = self.db.scalar(
            "SELECT (SELECT count(*) FROM relations WHERE source = ? AND live) + "
            "(SELECT count(*) FROM relations WHERE target = ? AND source <> ? AND live)",
            [seq, seq, seq],
        )
        papers = self.db.scalar(
            "SELECT count(*) FROM paper_entities m JOIN papers p ON p.id = m.paper WHERE m.entity = ? AND p.removed = 0",
            [seq],
        )
        return int(facts or 0), int(papers or 0)

    def dismissed_pairs(self) -> set[tuple[str, str, str]]:
        """(type, first, second) of what a person called different; the names in alphabetical order."""
        return {(row[0], row[1], row[2]) for row in self.db.rows("SELECT type, first, second FROM dismissals")}

    def entity_spellings(self) -> dict[tuple[str, str], dict[str, int]]:
        """The entities that papers mention or facts are about: by (type, name) each spelling, and in how many papers."""
        query = (
            "SELECT e.type, e.name AS entity, m.name, m.aliases FROM paper_entities m JOIN entities e ON e.seq = m.entity "
            "JOIN papers p ON p.id = m.paper WHERE p.removed = 0 ORDER BY e.type, e.name, m.paper"
        )
        found: dict[tuple[str, str], dict[str, int]] = {}
        for row in self.db.rows(query):
            names = found.setdefault((row["type"], row["entity"]), {row["entity"]: 0})
            for name in {row["name"], *json.loads(row["aliases"])}:
                names[name] = names.get(name, 0) + 1
        for row in self.db.rows("SELECT type, name, alias FROM aliases ORDER BY type, name, alias"):
            if (row["type"], row["name"]) in found:
                found[(row["type"], row["name"])].setdefault(row["alias"], 0)
        return found

    # ------------------------------------------------------------------------------------------------ internals
    def _need_entity(self, kind: str, name: str) -> int:
        found = self.db.scalar("SELECT seq FROM entities WHERE type = ? AND name = ?", [kind, name])
        if found is None:
            raise NotFound(f"There is no {kind} “{name}” in this library.")
        return int(found)

    def _home(self, kind: str, name: str) -> str:
        """What an entity was merged into, at the end of the chain; itself when it was not."""
        return self._merged([(kind, name)])[(kind, name)][1]

    def _spellings(self, kind: str, name: str, seq: int) -> set[str]:
        names = {row[0] for row in self.db.rows("SELECT name FROM names WHERE entity = ?", [seq])}
        aliases = self.db.rows("SELECT alias FROM aliases WHERE type = ? AND name = ?", [kind, name])
        return {name, *names, *(row[0] for row in aliases)}

    def _brought_home(self, kind: str, seq: int) -> tuple[list[RowChange], list[str]]:
        """The changes by which every evidence about an entity goes where the merges now say it belongs; made at once, so
        that two facts which become the same find one another. Also the facts concerned."""
        changes: list[RowChange] = []
        touched: list[str] = []
        for relation in self.db.rows("SELECT * FROM relations WHERE source = ? OR target = ? ORDER BY id", [seq, seq]):
            names = self._entity_keys([relation["source"], relation["target"]])
            ends = {side: names[relation[side]] for side in _SIDES}
            touched.append(relation["id"])
            for row in self.db.rows("SELECT * FROM evidences WHERE relation = ? ORDER BY id", [relation["id"]]):
                read = {side: row[f"{side}_read"] or ends[side][1] for side in _SIDES}
                homes = {side: (ends[side][0], self._home(ends[side][0], read[side])) for side in _SIDES}
                if homes == ends:
                    continue
                made, there = self._relation_about(relation, homes)
                moved = [*made, *_moved_evidence(row, there, homes, read, self._has_evidence)]
                apply_changes(self.db, moved)
                changes += moved
                touched.append(there)
        return changes, touched

    def _relation_about(self, relation: Row, ends: dict[str, tuple[str, str]]) -> tuple[list[RowChange], str]:
        """The same fact about other entities: what is to be written so that it is there, and its id."""
        key = relation_id(
            relation["type"],
            ends["source"],
            ends["target"],
            relation["property_id"],
            codec.quantity(relation["quantity"]) if relation["quantity"] else None,
            codec.conditions(relation["conditions"]),
            relation["modality"],
        )
        changes: list[RowChange] = []
        person = {name: relation[name] for name in PERSON}
        there = self.db.row(f"SELECT {', '.join(PERSON)} FROM relations WHERE id = ?", [key])
        if there is None:
            rows = self._entity_rows(ends.values())
            row = {name: relation[name] for name in RELATION_COLUMNS} | {"id": key, "words": ""}
            row |= {side: rows[ends[side]] for side in _SIDES}
            changes.append(("relations", {"id": key}, None, row))
        if person["person_status"] and not (there and there["person_status"]):
            before = dict(there) if there else {"person_status": None, "person_rule": "", "person_reason": ""}
            changes.append(("relations", {"id": key}, before, person))
        return changes, key

    def _has_evidence(self, key: str) -> bool:
        return self.db.row("SELECT 1 FROM evidences WHERE id = ?", [key]) is not None

    def _joined_mentions(self, old: int, new: int) -> list[RowChange]:
        changes: list[RowChange] = []
        for row in self.db.rows("SELECT * FROM paper_entities WHERE entity = ? ORDER BY paper", [old]):
            changes.append(("paper_entities", {"paper": row["paper"], "entity": old}, dict(row), None))
            key: RowKey = {"paper": row["paper"], "entity": new}
            there = self.db.row("SELECT * FROM paper_entities WHERE paper = ? AND entity = ?", [row["paper"], new])
            if there is None:
                changes.append(("paper_entities", key, None, dict(row) | {"entity": new}))
                continue
            joined = {*json.loads(there["aliases"]), *json.loads(row["aliases"]), row["name"]} - {there["name"]}
            after = {"aliases": _list(joined), "listed": max(there["listed"], row["listed"])}
            changes.append(("paper_entities", key, {name: there[name] for name in after}, after))
        return changes

    def _parted_mentions(self, at: int, own: int, spellings: set[str], moved: Sequence[RowChange]) -> list[RowChange]:
        """The changes by which papers mention an entity under its own names again."""
        papers = {after["paper"] for table, _, _, after in moved if table == "evidences" and after is not None}
        changes: list[RowChange] = []
        for row in self.db.rows("SELECT * FROM paper_entities WHERE entity = ? ORDER BY paper", [at]):
            names = [row["name"], *json.loads(row["aliases"])]
            mine = [name for name in names if name in spellings]
            rest = [name for name in names if name not in spellings]
            if not mine and row["paper"] not in papers:
                continue
            key: RowKey = {"paper": row["paper"], "entity": at}
            if not rest:
                changes.append(("paper_entities", key, dict(row), None))
            elif mine:
                after = {"name": rest[0], "aliases": _list(rest[1:])}
                changes.append(("paper_entities", key, {name: row[name] for name in after}, after))
            mine = mine or [row["name"]]
            parted = dict(row) | {"entity": own, "name": mine[0], "aliases": _list(mine[1:])}
            changes.append(("paper_entities", {"paper": row["paper"], "entity": own}, None, parted))
        return changes


def _moved_evidence(
    row: Row, relation: str, homes: dict[str, tuple[str, str]], read: dict[str, str], known: Callable[[str], bool]
) -> list[RowChange]:
    plain = {name: row[name] for name in (*EVIDENCE_COLUMNS, "live")}
    changes: list[RowChange] = [("evidences", {"id": row["id"]}, plain, None)]
    key = evidence_id(relation, row["paper"], row["start"], row["end"])
    if not known(key):
        names = {f"{side}_read": "" if read[side] == homes[side][1] else read[side] for side in _SIDES}
        changes.append(("evidences", {"id": key}, None, plain | names | {"id": key, "relation": relation}))
    return changes


def _alias(kind: str, name: str, alias: str) -> RowChange:
    key = {"type": kind, "name": name, "alias": alias}
    return ("aliases", key, None, key | {"folded": fold(alias)})


def _list(names: Iterable[str]) -> str:
    return json.dumps(sorted(names), ensure_ascii=False)
