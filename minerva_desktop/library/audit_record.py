"""Invariants of the record itself: the database, the files, the papers' texts, names and works."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from minerva_desktop.library.audit_types import UNREADABLE, Circumstances, Found
from minerva_desktop.library.codec import unpack_document
from minerva_desktop.library.files import sha256_of
from minerva_desktop.library.identity import fold

if TYPE_CHECKING:
    from minerva_desktop.library.library import Library


def database(library: Library, _: Circumstances) -> Found:
    """SQLite's own checks."""
    db = library.catalog.db
    found = Found(1)
    for row in db.rows("PRAGMA integrity_check(20)"):
        if row[0] != "ok":
            found.add("", "", str(row[0]))
    for row in db.rows("PRAGMA foreign_key_check"):
        found.add("table", row[0], f"row {row[1]} points to a missing row of {row[2]}")
    return found


def files(library: Library, _: Circumstances) -> Found:
    """Every paper and textbook still has the file that was added; also removed ones, for undo brings them back."""
    db, folder = library.catalog.db, library.catalog.files
    found = Found()
    for row in db.rows("SELECT id, stored FROM papers ORDER BY seq"):
        found.total += 1
        _compare(found, "paper", row["id"], folder / row["stored"])
    for row in db.rows("SELECT id, file_name FROM textbooks ORDER BY seq"):
        path = folder / f"{row['id']}{Path(row['file_name']).suffix.lower()}"
        if path.is_file():  # passages of a textbook may come without a file
            found.total += 1
            _compare(found, "textbook", row["id"], path)
    return found


def _compare(found: Found, kind: str, digest: str, path: Path) -> None:
    try:
        if sha256_of(path) != digest:
            found.add(kind, digest, f"files/{path.name} is not the file that was added")
    except OSError as error:
        found.add(kind, digest, f"files/{path.name} cannot be read: {error.strerror or error}")


def stray_files(library: Library, _: Circumstances) -> Found:
    """Nothing lies in the folder of files that belongs to no paper."""
    folder = library.catalog.files
    db = library.catalog.db
    names = {row[0] for row in db.rows("SELECT stored FROM papers")}
    books = {row[0] for row in db.rows("SELECT id FROM textbooks")}
    found = Found()
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        found.total += 1
        if path.name not in names and path.name.partition(".")[0] not in books:
            found.add("file", path.name, "belongs to no paper and no textbook")
    return found


def texts(library: Library, _: Circumstances) -> Found:
    """Every paper has the text that was read, and its sentences stand in it."""
    found = Found()
    query = "SELECT p.id, d.data FROM papers p LEFT JOIN documents d ON d.paper = p.id ORDER BY p.seq"
    for row in library.catalog.db.rows(query):
        found.total += 1
        if row["data"] is None:
            found.add("paper", row["id"], "its text is not there")
            continue
        try:
            document = unpack_document(row["data"])
        except UNREADABLE as error:
            found.add("paper", row["id"], f"its text cannot be read: {error}")
            continue
        wrong = [s for s in document.sentences if document.text[s.start : s.end] != s.text]
        if wrong:
            found.add("paper", row["id"], f"{len(wrong)} of its sentences do not stand in its text: “{wrong[0].text}”")
    return found


def textbooks(library: Library, _: Circumstances) -> Found:
    """Every textbook has all its passages."""
    rows = library.catalog.db.rows(
        "SELECT b.id, b.chunks, count(p.seq) AS found FROM textbooks b LEFT JOIN passages p ON p.source = b.id "
        "GROUP BY b.id ORDER BY b.seq"
    )
    found = Found(len(rows))
    for row in rows:
        if row["found"] != row["chunks"]:
            found.add("textbook", row["id"], f"has {row['found']} passages of {row['chunks']}")
    return found


def names(library: Library, _: Circumstances) -> Found:
    """Every alias, merge and "not the same" speaks of entities that are there; merges and versions run in no circle."""
    db = library.catalog.db
    there = {(row[0], row[1]) for row in db.rows("SELECT type, name FROM entities")}
    found = Found()
    for row in db.rows("SELECT * FROM aliases ORDER BY type, name, alias"):
        found.total += 1
        if (row["type"], row["name"]) not in there:
            found.add("alias", row["alias"], f"is another name of {row['type']} “{row['name']}”, which is not there")
        elif row["folded"] != fold(row["alias"]):
            found.add("alias", row["alias"], f"is not found under its own name but as “{row['folded']}”")
    into: dict[str, str] = {}
    for row in db.rows("SELECT * FROM merges ORDER BY type, name"):
        found.total += 1
        into[f"{row['type']} {row['name']}"] = f"{row['type']} {row['into_name']}"
        for name in (row["name"], row["into_name"]):
            if (row["type"], name) not in there:
                text = f"was merged into “{row['into_name']}”, but there is no {row['type']} “{name}”"
                found.add("merge", row["name"], text)
    for row in db.rows("SELECT * FROM dismissals ORDER BY type, first, second"):
        found.total += 1
        for name in (row["first"], row["second"]):
            if (row["type"], name) not in there:
                text = f"is “not the same” as another, but there is no {row['type']} “{name}”"
                found.add("dismissal", name, text)
    versions = {row[0]: row[1] for row in db.rows("SELECT id, version_of FROM papers WHERE version_of <> ''")}
    papers = {row[0] for row in db.rows("SELECT id FROM papers")}
    found.total += len(versions)
    for paper, other in sorted(versions.items()):
        if other not in papers:
            found.add("paper", paper, "is a version of a paper that is not there")
    for kind, pointers in (("merge", into), ("paper", versions)):
        for start in _in_circles(pointers):
            found.add(kind, start, "leads back to itself")
    return found


def _in_circles(pointers: Mapping[str, str]) -> list[str]:
    """What comes back to itself when one follows the pointers."""
    found = []
    for start in sorted(pointers):
        seen: Counter[str] = Counter()
        at = start
        while at in pointers and not seen[at]:
            seen[at] += 1
            at = pointers[at]
        if at == start and seen:
            found.append(start)
    return found
