"""Invariants of the journal: no event is missing, what undo needs is there, and a person's decisions stand in it."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from minerva_desktop.library.audit_types import Circumstances, Found
from minerva_desktop.library.decisions import PERSON
from minerva_desktop.library.products import unpacked
from minerva_desktop.library.readings import TABLE as READINGS

if TYPE_CHECKING:
    from minerva_desktop.library.library import Library

_UNDECIDED = ("", "", "")


def unbroken(library: Library, _: Circumstances) -> Found:
    """Events count up without a gap, undone ones lie behind the others, and what undo would bring back is there."""
    db = library.catalog.db
    found = Found()
    expected, first_undone = 1, 0
    for row in db.rows("SELECT id, undoable, undone, changes FROM events ORDER BY id"):
        found.total += 1
        if row["id"] != expected:
            gone = f"event {expected}" if row["id"] == expected + 1 else f"events {expected} to {row['id'] - 1}"
            found.add("event", row["id"], f"{gone} before it cannot be found")
        expected = row["id"] + 1
        if row["undone"] == 1:
            first_undone = first_undone or row["id"]
        elif row["undoable"] and not row["undone"] and first_undone:
            found.add("event", row["id"], f"it stands, but event {first_undone} before it was undone")
    last = int(db.scalar("SELECT seq FROM sqlite_sequence WHERE name = 'events'") or 0)
    if last >= expected:
        found.add("event", last, f"the journal once had {last} events, and ends with event {expected - 1}")
    places: dict[int, int] = {}
    for row in db.rows("SELECT event, position FROM event_parts ORDER BY event, position"):
        if row["position"] != places.get(row["event"], 0):
            found.add("event", row["event"], f"part {places.get(row['event'], 0)} of it cannot be found")
        places[row["event"]] = row["position"] + 1
    for event, changes in _changes(library, found):
        for table, _key, *states in changes:
            if table == READINGS:
                _look_at_readings(library, found, event, states)
    return found


def _look_at_readings(library: Library, found: Found, event: int, states: list[Any]) -> None:
    for digest in sorted({value for state in states if state for value in state.values() if value}):
        found.total += 1
        data = library.catalog.db.scalar("SELECT data FROM readings WHERE digest = ?", [digest])
        if data is None:
            found.add("event", event, f"what was read before, {digest[:10]}, cannot be found")
            continue
        try:
            content = zlib.decompress(data)
        except zlib.error:
            found.add("event", event, f"what was read before, {digest[:10]}, cannot be unpacked")
            continue
        if hashlib.sha256(content).hexdigest() != digest:
            found.add("event", event, f"what was read before, {digest[:10]}, is not what was kept")


def products(library: Library, _: Circumstances) -> Found:
    """What every run found is kept as it was, and what the last run read in a paper still stands there."""
    db = library.catalog.db
    found = Found()
    for row in db.rows(
        "SELECT r.job, r.paper, r.digest, p.data FROM run_papers r LEFT JOIN run_products p "
        "ON p.digest = r.digest ORDER BY r.job, r.paper"
    ):
        found.total += 1
        if row["data"] is None:
            found.add("paper", row["paper"], f"what the run {row['job']} found in it cannot be found")
        elif _hash(row["data"]) != row["digest"]:
            found.add("paper", row["paper"], f"what the run {row['job']} found in it is not what was kept")
    if not found.problems:
        for paper, data in _last_products(library):
            found.total += 1
            _look_for_statements(library, found, paper, unpacked(data)["statements"])
    return found


def _hash(data: bytes) -> str:
    try:
        return hashlib.sha256(zlib.decompress(data)).hexdigest()
    except zlib.error:
        return ""


def _last_products(library: Library) -> Iterator[tuple[str, bytes]]:
    """Of each paper what its last run found, where nothing of its runs was taken back."""
    rows = library.catalog.db.rows(
        "SELECT r.paper, max(j.seq), p.data FROM run_papers r JOIN jobs j ON j.id = r.job "
        "JOIN run_products p ON p.digest = r.digest WHERE r.paper IN (SELECT id FROM papers) AND r.paper NOT IN "
        "(SELECT x.paper FROM run_papers x JOIN events e ON e.subject = 'job:' || x.job WHERE e.undone > 0) "
        "GROUP BY r.paper ORDER BY r.paper"
    )
    for row in rows:
        yield row["paper"], row["data"]


def _look_for_statements(library: Library, found: Found, paper: str, statements: list[dict[str, Any]]) -> None:
    """Whether each statement has its evidence. Of merged entities two statements may have become one."""
    db = library.catalog.db
    merged = {(row[0], name) for row in db.rows("SELECT * FROM merges") for name in (row[1], row[2])}
    there = {row[0] for row in db.rows("SELECT id FROM evidences WHERE paper = ?", [paper])}
    gone = [
        item
        for item in statements
        if item["evidence_id"] not in there and not merged.intersection((tuple(item["source"]), tuple(item["target"])))
    ]
    if gone:
        text = (
            f"{len(gone)} statements of its last reading have no evidence, such as “{gone[0]['evidence']['sentence']}”"
        )
        found.add("paper", paper, text)


def decisions(library: Library, _: Circumstances) -> Found:
    """Every decision of a person is as the journal has it, and the journal's as the facts have them."""
    noted: dict[str, tuple[str, ...]] = {}
    for _event, changes in _changes(library, Found(), standing=True):
        for table, key, _before, after in changes:
            if table != "relations":
                continue
            if after is None:
                noted.pop(key["id"], None)
            elif "person_status" in after:
                noted[key["id"]] = tuple(str(after[name] or "") for name in PERSON)
    found = Found(len(noted))
    rows = library.catalog.db.rows(f"SELECT id, {', '.join(PERSON)} FROM relations ORDER BY id")
    for row in rows:
        stands = tuple(str(row[name] or "") for name in PERSON)
        wanted = noted.pop(row["id"], _UNDECIDED)
        if stands[0] != wanted[0]:
            said = {"": "no decision of a person"}
            text = f"has {said.get(stands[0], stands[0])}, but the journal has {said.get(wanted[0], wanted[0])}"
            found.add("fact", row["id"], text)
        elif stands != wanted:
            found.add("fact", row["id"], "the reason of its decision is not the one in the journal")
    for key, wanted in sorted(noted.items()):
        if wanted[0]:
            found.add("fact", key, f"was {wanted[0]} by a person, but is not there any more")
    return found


def _changes(library: Library, found: Found, *, standing: bool = False) -> Iterator[tuple[int, list[Any]]]:
    """(event, its row changes), oldest first; ``standing``: only of events that are not undone."""
    rows = library.catalog.db.rows(
        "SELECT e.id, -1 AS position, e.undone, e.changes FROM events e UNION ALL "
        "SELECT p.event, p.position, e.undone, p.changes FROM event_parts p JOIN events e ON e.id = p.event "
        "ORDER BY 1, 2"
    )
    for row in rows:
        if standing and row["undone"]:
            continue
        try:
            changes = [(table, key, before, after) for table, key, before, after in json.loads(row["changes"])]
        except (ValueError, TypeError):
            found.add("event", row["id"], "what it changed cannot be read")
            continue
        yield row["id"], changes
