"""A Zotero data folder: a database with Zotero's own tables, locked by a running Zotero, or no database at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from minerva_desktop.errors import MinervaError
from minerva_desktop.sources.bibliography import plan_import, read_bibliography

TABLES = """
CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL);
CREATE TABLE itemTypes (itemTypeID INTEGER PRIMARY KEY, typeName TEXT, templateItemTypeID INT, display INT DEFAULT 1);
CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL, dateAdded TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  dateModified TIMESTAMP DEFAULT CURRENT_TIMESTAMP, libraryID INT NOT NULL, key TEXT NOT NULL, version INT DEFAULT 0);
CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT, fieldFormatID INT);
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID, PRIMARY KEY (itemID, fieldID));
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT);
CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT);
CREATE TABLE itemCreators (itemID INT NOT NULL, creatorID INT NOT NULL, creatorTypeID INT NOT NULL DEFAULT 1,
  orderIndex INT NOT NULL DEFAULT 0, PRIMARY KEY (itemID, creatorID, creatorTypeID, orderIndex));
CREATE TABLE itemAttachments (itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT, contentType TEXT, charsetID INT,
  path TEXT, syncState INT DEFAULT 0, storageModTime INT, storageHash TEXT, lastProcessedModificationTime INT);
CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT);
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY, dateDeleted DEFAULT CURRENT_TIMESTAMP NOT NULL);
CREATE TABLE feedItems (itemID INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE);
INSERT INTO libraries VALUES (1, 'user'), (2, 'feed');
INSERT INTO itemTypes (itemTypeID, typeName) VALUES (1, 'note'), (3, 'attachment'), (22, 'journalArticle'), (38, 'preprint'), (7, 'book');
INSERT INTO fields (fieldID, fieldName) VALUES (1, 'title'), (6, 'date'), (13, 'url'), (16, 'extra'), (38, 'publicationTitle'),
  (59, 'DOI'), (2, 'abstractNote'), (120, 'archiveID');
INSERT INTO creatorTypes VALUES (8, 'author'), (10, 'editor');
INSERT INTO creators VALUES (1, 'Jun', 'Nagamatsu', 0), (2, '', 'The LHCb Collaboration', 1), (3, 'Ed', 'Itor', 0);
"""


class Base:
    """A Zotero folder to put items in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self.connection = sqlite3.connect(folder / "zotero.sqlite")
        self.connection.executescript(TABLES)

    def item(self, number: int, kind: int, key: str, library: int = 1, **fields: str) -> None:
        self.connection.execute(
            "INSERT INTO items (itemID, itemTypeID, libraryID, key) VALUES (?, ?, ?, ?)", (number, kind, library, key)
        )
        for name, value in fields.items():
            self.connection.execute("INSERT OR IGNORE INTO itemDataValues (value) VALUES (?)", (value,))
            self.connection.execute(
                "INSERT INTO itemData SELECT ?, fieldID, valueID FROM fields, itemDataValues WHERE fieldName = ? AND value = ?",
                (number, name, value),
            )

    def attachment(self, number: int, key: str, parent: int | None, mode: int, path: str | None, **fields: str) -> None:
        self.item(number, 3, key, **fields)
        self.connection.execute(
            "INSERT INTO itemAttachments (itemID, parentItemID, linkMode, contentType, path) VALUES (?, ?, ?, ?, ?)",
            (number, parent, mode, "application/pdf", path),
        )

    def file(self, *parts: str) -> Path:
        path = self.folder.joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"%PDF-1.4 nothing")
        return path

    def run(self, sql: str) -> None:
        self.connection.executescript(sql)

    def save(self) -> None:
        self.connection.commit()


@pytest.fixture
def base(tmp_path: Path) -> Iterator[Base]:
    made = Base(tmp_path / "Zotero")
    yield made
    made.connection.close()


def fill(base: Base) -> None:
    base.item(
        1, 22, "ARTICLE1", title="Films of MgB<sub>2</sub>", date="2001-03-00 March 2001", DOI="10.1038/35065039",
        publicationTitle="Nature", url="https://www.nature.com/articles/35065039", extra="PMID: 11242039", abstractNote="Words.",
    )  # fmt: skip
    base.run("INSERT INTO itemCreators VALUES (1, 3, 10, 0), (1, 2, 8, 2), (1, 1, 8, 1)")
    base.attachment(2, "STORED01", 1, 0, "storage:Nagamatsu - 2001.pdf", title="PDF")
    base.attachment(3, "SNAPSHOT", 1, 1, "storage:page.html")
    base.attachment(4, "WEBLINK1", 1, 3, None)
    base.item(5, 38, "PREPRINT", title="A preprint", archiveID="arXiv:2301.00001", date="2023-01-01 2023")
    base.attachment(6, "LINKED01", 5, 2, str(base.file("elsewhere", "linked.pdf")))
    base.item(7, 22, "DELETED1", title="In the bin")
    base.run("INSERT INTO deletedItems (itemID) VALUES (7)")
    base.item(8, 22, "FEEDITEM", library=2, title="From a feed")
    base.run("INSERT INTO feedItems VALUES (8, 'g')")
    base.item(9, 1, "NOTE0001")
    base.attachment(10, "ALONE001", None, 0, "storage:alone.pdf", title="A paper that stands alone")
    base.attachment(11, "GONE0001", 1, 2, "attachments:sub/gone.pdf")
    base.attachment(12, "DELETED2", 1, 0, "storage:deleted.pdf")
    base.run("INSERT INTO deletedItems (itemID) VALUES (12)")
    base.file("storage", "DELETED2", "deleted.pdf")
    base.file("storage", "STORED01", "Nagamatsu - 2001.pdf")
    base.file("storage", "SNAPSHOT", "page.html")
    base.file("storage", "ALONE001", "alone.pdf")
    base.save()


@pytest.mark.parametrize("given", [".", "storage", "zotero.sqlite"])
def test_items_with_their_files(base: Base, given: str) -> None:
    fill(base)
    bibliography = read_bibliography(base.folder / given)
    assert bibliography.kind == "zotero-storage"
    assert bibliography.refused == ()
    article, preprint, alone = bibliography.records
    assert (article.source_id, article.title, article.year) == ("ARTICLE1", "Films of MgB2", 2001)
    assert article.authors == ("Jun Nagamatsu", "The LHCb Collaboration")
    assert (article.doi, article.pmid, article.venue) == ("10.1038/35065039", "11242039", "Nature")
    assert [Path(name).name for name in article.files] == ["Nagamatsu - 2001.pdf", "page.html"]
    assert (preprint.kind, preprint.arxiv_id, [Path(name).name for name in preprint.files]) == (
        "preprint",
        "2301.00001",
        ["linked.pdf"],
    )
    assert (alone.source_id, alone.title) == ("ALONE001", "A paper that stands alone")
    assert [(item.record, item.path) for item in bibliography.missing] == [("ARTICLE1", "sub/gone.pdf")]
    assert [item.path.name for item in plan_import(bibliography).files] == [
        "Nagamatsu - 2001.pdf",
        "linked.pdf",
        "alone.pdf",
    ]


def test_a_running_zotero_is_no_obstacle_and_nothing_of_it_is_touched(base: Base) -> None:
    fill(base)
    base.connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    base.connection.execute("BEGIN EXCLUSIVE")
    base.connection.execute("UPDATE items SET version = 5")
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in base.folder.rglob("*") if path.is_file()}
    assert len(read_bibliography(base.folder).records) == 3
    after = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in base.folder.rglob("*") if path.is_file()}
    assert after == before
    base.connection.rollback()


def test_what_stands_in_the_write_ahead_log_is_read(base: Base) -> None:
    base.connection.execute("PRAGMA journal_mode = WAL")
    fill(base)
    assert (base.folder / "zotero.sqlite-wal").stat().st_size > 0
    assert len(read_bibliography(base.folder).records) == 3


def test_a_database_that_is_none_of_zoteros_or_damaged_is_said_so(tmp_path: Path) -> None:
    folder = tmp_path / "Zotero"
    folder.mkdir()
    sqlite3.connect(folder / "zotero.sqlite").execute("CREATE TABLE x (y)").connection.close()
    with pytest.raises(MinervaError) as caught:
        read_bibliography(folder)
    assert "BibTeX" in caught.value.hint
    (folder / "zotero.sqlite").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    with pytest.raises(MinervaError):
        read_bibliography(folder)


def test_storage_without_a_database(tmp_path: Path) -> None:
    storage = tmp_path / "storage"
    for key, name in (
        ("ABCD2345", "Nagamatsu et al. - 2001 - Superconductivity at 39 K.pdf"),
        ("WXYZ6789", "scan0001.pdf"),
        ("not-a-key", "x.pdf"),
    ):
        (storage / key).mkdir(parents=True)
        (storage / key / name).write_bytes(b"%PDF")
    for given in (storage, tmp_path):
        bibliography = read_bibliography(given)
        assert [(record.source_id, record.title, record.year) for record in bibliography.records] == [
            ("ABCD2345", "Superconductivity at 39 K", 2001),
            ("WXYZ6789", "", None),
        ]
        assert all(len(record.files) == 1 for record in bibliography.records)


def test_a_folder_without_any_bibliography(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF")
    with pytest.raises(MinervaError) as caught:
        read_bibliography(tmp_path)
    assert "ingest" in caught.value.hint
