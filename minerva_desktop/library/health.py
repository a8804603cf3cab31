"""A quick look at a library from outside, without its lock: the window may have it open. Nothing is written.

:mod:`.audit` looks at everything, but needs the open library and its time.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from minerva_desktop.errors import MinervaError
from minerva_desktop.library import schema
from minerva_desktop.library.vector_files import BaseRecord, problem_of

CATALOG = "library.sqlite"
GRAPH = "graph.kuzu"
_MAGIC = b"KUZU"


@dataclass(slots=True)
class Health:
    """``broken``: what needs a person; ``notes``: what mends itself or may go on. Whole sentences, with what to do."""

    papers: int = 0
    textbooks: int = 0
    facts: int = 0
    broken: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def look(path: Path) -> Health:
    """How the library in this folder does. There must be one."""
    found = Health()
    file = path / CATALOG
    try:
        missing = schema.pending(file)
        if missing:
            found.notes.append("An older version wrote it; the next start brings it up to date, and keeps a copy.")
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, timeout=2)) as db:
            _look_at_catalog(db, found)
            if not missing and not found.broken:
                _look_at_graph(db, path, found)
                _look_at_vectors(db, path / "vectors", found)
    except MinervaError as error:
        found.broken.append(f"{error.message} {error.hint}".strip())
    except (sqlite3.DatabaseError, OSError) as error:
        found.broken.append(f"{CATALOG} cannot be read: {error}. Put back a copy of it from a backup.")
    return found


def _count(db: sqlite3.Connection, query: str) -> int:
    return int(db.execute(query).fetchone()[0])


def _look_at_catalog(db: sqlite3.Connection, found: Health) -> None:
    wrong = [str(row[0]) for row in db.execute("PRAGMA quick_check(3)") if row[0] != "ok"]
    if wrong:
        found.broken.append(f"The database is damaged ({wrong[0]}). Put back a copy of {CATALOG} from a backup.")
        return
    found.papers = _count(db, "SELECT count(*) FROM papers WHERE removed = 0")
    found.textbooks = _count(db, "SELECT count(*) FROM textbooks")
    found.facts = _count(db, "SELECT count(*) FROM relations WHERE live = 1")
    stopped = _count(db, "SELECT count(*) FROM jobs WHERE status = 'interrupted'")
    if stopped:
        many = "One job was" if stopped == 1 else f"{stopped} jobs were"
        found.notes.append(f"{many} broken off; Job History goes on with what is left.")


def _look_at_graph(db: sqlite3.Connection, path: Path, found: Health) -> None:
    accepted = _count(db, "SELECT count(*) FROM relations WHERE live = 1 AND status = 'accepted'")
    behind = _count(db, "SELECT count(*) FROM graph_dirty")
    file = path / GRAPH
    if not file.exists():
        if accepted:
            found.notes.append("The graph file is not there; it is made anew when the graph is used.")
        return
    with file.open("rb") as stream:
        known = stream.read(len(_MAGIC)) == _MAGIC
    if not known:
        found.broken.append(
            "The graph file is not a graph. Choose Rebuild Graph and Index (“rebuild”): nothing is lost."
        )
    elif behind:
        what = "One change is" if behind == 1 else f"{behind} changes are"
        found.notes.append(f"{what} not in the graph yet; they are written when it is used next.")


def _look_at_vectors(db: sqlite3.Connection, folder: Path, found: Health) -> None:
    for (text,) in db.execute("SELECT base FROM vector_indexes WHERE base <> '' ORDER BY model"):
        try:
            problem = problem_of(folder, BaseRecord.read(json.loads(text)))
        except (KeyError, TypeError, ValueError):
            problem = "The record of the search index cannot be read."
        if problem:
            found.notes.append(f"{problem} It is made anew at the next start.")
