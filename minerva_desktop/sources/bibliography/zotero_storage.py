"""A Zotero data folder: its database when it is there, its tree of attachments when it is not.

Only a copy of the database is opened, so a running Zotero, which holds its lock, is neither disturbed nor waited for.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from minerva_desktop.errors import MinervaError
from minerva_desktop.records import RefusedRecord
from minerva_desktop.sources.bibliography.attachments import READABLE
from minerva_desktop.sources.bibliography.drafts import Draft
from minerva_desktop.sources.bibliography.plain import clean, person, without_markup
from minerva_desktop.sources.bibliography.zotero_items import zotero_draft

DATABASE = "zotero.sqlite"
_KEY = re.compile(r"[A-Z0-9]{8}")
_NOT_WORKS = ("attachment", "note", "annotation")
_LINKED_FILE = 2
_SIDE_FILES = ("-wal", "-journal")
_MOST_FOLDERS = 200_000
_FILE_NAME = re.compile(r"(?P<names>[^-–]{2,80}?) [-–] (?P<year>(?:19|20)\d\d) [-–] (?P<title>.{4,})")

Found = Iterator[tuple[Draft, str] | RefusedRecord]


def data_folder(path: Path) -> Path | None:
    """The Zotero data folder that a path means (itself, its database, or its "storage"); None when it is none."""
    if path.is_file():
        return path.parent if path.name == DATABASE or _is_database(path) else None
    for folder in (path, path.parent):
        if (folder / DATABASE).is_file() and path in {folder, folder / "storage"}:
            return folder
    if any(True for _ in _tree(path)):
        return path
    return None


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def read_storage(folder: Path, database: Path | None = None) -> Found:
    """The items of a Zotero data folder.

    Raises:
        MinervaError: the database is there and cannot be read as Zotero's; code "not-a-bibliography".
    """
    database = database or folder / DATABASE
    if not database.is_file():
        yield from _from_tree(folder)
        return
    with tempfile.TemporaryDirectory(prefix="minerva-zotero-", ignore_cleanup_errors=True) as place:
        copy = _copied(database, Path(place))
        yield from _read(copy, folder)


def _copied(database: Path, place: Path) -> Path:
    copy = place / DATABASE
    try:
        shutil.copyfile(database, copy)
        for side in _SIDE_FILES:
            beside = database.with_name(database.name + side)
            if beside.is_file():
                shutil.copyfile(beside, copy.with_name(copy.name + side))
    except OSError as error:
        raise _unreadable(database, str(error.strerror or error)) from error
    return copy


def _read(copy: Path, folder: Path) -> Found:
    """With what the running Zotero had not yet written back; where that does not fit (a copy taken in the middle of a
    change), without it."""
    try:
        items = _items(copy, folder, "mode=rw")
    except sqlite3.Error:
        try:
            items = _items(copy, folder, "mode=ro&immutable=1")
        except sqlite3.Error as error:
            raise _unreadable(folder / DATABASE, str(error)) from error
    yield from items


def _unreadable(database: Path, reason: str) -> MinervaError:
    return MinervaError(
        f"{database} cannot be read as a Zotero library: {reason}.",
        hint="Close Zotero and try again, or export the library as BibTeX or CSL JSON and import that file.",
        code="not-a-bibliography",
    )


def _items(copy: Path, folder: Path, mode: str) -> list[tuple[Draft, str] | RefusedRecord]:
    with closing(sqlite3.connect(f"{copy.as_uri()}?{mode}", uri=True)) as base:
        base.text_factory = lambda data: data.decode("utf-8", errors="replace")
        kinds = _kinds(base)
        fields, creators, files = _fields(base), _creators(base), _attachments(base, folder)
        found: list[tuple[Draft, str] | RefusedRecord] = []
        for item, (kind, key) in kinds.items():
            if kind not in _NOT_WORKS:
                draft = zotero_draft({**fields.get(item, {}), "itemType": kind}, key, creators.get(item, ()))
                draft.attached = files.get((None, item), [])
            elif (item, None) in files:
                title = _title_of(fields.get(item, {}).get("title", ""))
                draft = Draft(key=key, title=title, attached=files[item, None])
            else:
                continue
            found.append((draft, f"item {key}: {kind} “{draft.title[:80]}”"))
        return found


def _kinds(base: sqlite3.Connection) -> dict[int, tuple[str, str]]:
    """Items that are not in the bin and in no news feed: their type and key, in the order in which they were added."""
    tables = {row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
    where = ["1"]
    if "deletedItems" in tables:
        where.append("i.itemID NOT IN (SELECT itemID FROM deletedItems)")
    if "feedItems" in tables:
        where.append("i.itemID NOT IN (SELECT itemID FROM feedItems)")
    query = "SELECT i.itemID, t.typeName, i.key FROM items i JOIN itemTypes t ON t.itemTypeID = i.itemTypeID WHERE "
    return {
        row[0]: (clean(row[1]), clean(row[2]))
        for row in base.execute(query + " AND ".join(where) + " ORDER BY i.itemID")
    }


def _fields(base: sqlite3.Connection) -> dict[int, dict[str, str]]:
    fields: dict[int, dict[str, str]] = defaultdict(dict)
    for item, name, value in base.execute(
        "SELECT d.itemID, f.fieldName, v.value FROM itemData d JOIN fields f ON f.fieldID = d.fieldID "
        "JOIN itemDataValues v ON v.valueID = d.valueID ORDER BY d.itemID, d.fieldID"
    ):
        fields[item][str(name)] = str(value if value is not None else "")
    return fields


def _creators(base: sqlite3.Connection) -> dict[int, tuple[str, ...]]:
    """The authors of each item in their order; editors and others where there is no author."""
    people: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for item, first, last, kind in base.execute(
        "SELECT l.itemID, c.firstName, c.lastName, t.creatorType FROM itemCreators l "
        "JOIN creators c ON c.creatorID = l.creatorID LEFT JOIN creatorTypes t ON t.creatorTypeID = l.creatorTypeID "
        "ORDER BY l.itemID, l.orderIndex"
    ):
        people[item].append((without_markup(person(clean(last), clean(first))), clean(kind)))
    names: dict[int, tuple[str, ...]] = {}
    for item, listed in people.items():
        authors = [name for name, kind in listed if kind == "author"]
        names[item] = tuple(dict.fromkeys(name for name in authors or [name for name, _ in listed] if name))
    return names


def _attachments(base: sqlite3.Connection, folder: Path) -> dict[tuple[int | None, int | None], list[str]]:
    """Paths of attached files: by (None, parent), or by (item, None) for a file that stands alone."""
    files: dict[tuple[int | None, int | None], list[str]] = defaultdict(list)
    for item, parent, mode, path, key, deleted in base.execute(
        "SELECT a.itemID, a.parentItemID, a.linkMode, a.path, i.key, i.itemID IN (SELECT itemID FROM deletedItems) "
        "FROM itemAttachments a JOIN items i ON i.itemID = a.itemID ORDER BY a.itemID"
    ):
        text = clean(path)
        if deleted or not text:
            continue
        if text.startswith("storage:"):
            text = str(folder / "storage" / clean(key) / text.removeprefix("storage:"))
        elif mode == _LINKED_FILE:
            text = text.removeprefix("attachments:")  # relative to a folder that only Zotero's preferences know
        files[(None, parent) if parent else (item, None)].append(text)
    return files


# ------------------------------------------------------------------------------------------- without a database
def _tree(folder: Path) -> Iterator[tuple[str, Path]]:
    """Files in folders that Zotero names by eight signs, with that name."""
    base = folder / "storage" if (folder / "storage").is_dir() else folder
    try:
        inner = sorted(child for child in base.iterdir() if _KEY.fullmatch(child.name) and child.is_dir())
    except OSError:
        return
    for place in inner[:_MOST_FOLDERS]:
        try:
            files = sorted(child for child in place.iterdir() if child.suffix.lower() in READABLE and child.is_file())
        except OSError:
            continue
        files.sort(key=lambda child: READABLE.index(child.suffix.lower()))
        for file in files[:1]:
            yield place.name, file


def _from_tree(folder: Path) -> Found:
    for key, file in _tree(folder):
        named = _FILE_NAME.fullmatch(file.stem)
        year = int(named.group("year")) if named else None
        title = clean(named.group("title")) if named else ""
        yield Draft(key=key, title=title, year=year, attached=[str(file)]), f"folder {key}: {clean(file.name)}"


def _title_of(name: str) -> str:
    """The title of a file that stands alone, unless it is only the file's name."""
    title = without_markup(name)
    return "" if Path(title).suffix.lower() in READABLE else title
