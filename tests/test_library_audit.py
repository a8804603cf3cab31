"""The audit finds every kind of damage, says where, and repairs what can be made anew."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from minerva_desktop.library import AuditReport, Library
from tests.library_helpers import Shelf

GAN = "GaN has a band gap of 3.4 eV."
ALN = "AlN has a band gap of 6.2 eV."

FACTS = "every accepted fact is in the graph once, and nothing else is"
CONTENT = "nodes and edges of the graph are as the catalog has them"
EVIDENCE = "every evidence reads as its sentence"
SHOWN = "what is shown is what the papers there say"
FILES = "files are as they were added"
INDEX_FILE = "the search index file is as it was written"
VECTOR_PASSAGES = "every vector has its passage"
VECTOR_VALUES = "every vector reads back as written"
WORDS = "the word index fits the texts"
DATABASE = "the database is whole"
BOOKS = "textbooks are complete"


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Library.open(tmp_path / "library", create=True) as library:
        shelf = Shelf(library, tmp_path)
        shelf.add_fact("one.txt", GAN, "GaN", 3.4)
        shelf.add_fact("two.txt", ALN, "AlN", 6.2)
        shelf.add_textbook("basic", ["Copper conducts electricity.", "Iron rusts."])
        shelf.accept_all()
        rows = library.catalog.passage_rows()
        library.vectors.add(rows, np.eye(len(rows), 8, dtype=np.float32), "test-model")
        library.vectors.save()
        yield shelf


def broken(report: AuditReport) -> dict[str, tuple[str, ...]]:
    return {check.name: check.samples for check in report.checks if not check.ok}


def cypher(shelf: Shelf, statement: str) -> None:
    """Write into the graph behind the library's back."""
    with shelf.library.graph.writing() as writer:
        writer._run(statement, {})


def sql(shelf: Shelf, statement: str) -> None:
    """Write into the catalog behind the library's back."""
    with shelf.catalog.db.transaction() as connection:
        connection.execute("PRAGMA defer_foreign_keys = ON")
        connection.execute(statement)


def test_a_sound_library_passes(shelf: Shelf) -> None:
    report = shelf.library.audit()
    assert report.ok
    assert broken(report) == {}
    assert all(check.metric == check.threshold == 1.0 for check in report.checks)


def flip_a_bit(shelf: Shelf) -> None:
    file = shelf.library.path / "vectors" / "passages.faiss"
    data = bytearray(file.read_bytes())
    data[-40] ^= 1
    file.write_bytes(data)


def change_a_vector(shelf: Shelf) -> None:
    row = shelf.catalog.passage_rows()[0]
    sql(shelf, f"UPDATE vectors SET digest = '0000000000000000' WHERE passage = {row}")


def change_a_file(shelf: Shelf) -> None:
    paper = shelf.catalog.papers()[0]
    shelf.catalog.stored_file(paper.id).write_text("something else")


def take_a_file(shelf: Shelf) -> None:
    shelf.catalog.stored_file(shelf.catalog.papers()[0].id).unlink()


DAMAGE: list[tuple[str, Callable[[Shelf], None], str, bool, bool]] = [
    ("an edge is gone", lambda s: cypher(s, "MATCH ()-[r:HAS_VALUE {value: 3.4}]->() DELETE r"), FACTS, True, True),
    (
        "an edge is there twice",
        lambda s: cypher(
            s,
            "MATCH (a:Material)-[r:HAS_VALUE {value: 3.4}]->(b:Value) "
            "CREATE (a)-[:HAS_VALUE {fact_id: r.fact_id, value: 3.4}]->(b)",
        ),
        FACTS,
        True,
        True,
    ),
    (
        "an edge that nobody accepted",
        lambda s: cypher(
            s,
            "MATCH (a:Material {name: 'GaN'}) MATCH (b:Value {name: '6.2 eV'}) CREATE (a)-[:HAS_VALUE {fact_id: 'x'}]->(b)",
        ),
        FACTS,
        True,
        True,
    ),
    (
        "an edge says something else",
        lambda s: cypher(s, "MATCH ()-[r:HAS_VALUE {value: 3.4}]->() SET r.value = 3.5"),
        CONTENT,
        True,
        True,
    ),
    ("a node too many", lambda s: cypher(s, "CREATE (:Material {name: 'unobtainium'})"), CONTENT, True, True),
    (
        "a column was changed",
        lambda s: cypher(s, "MATCH (m:Material {name: 'GaN'}) SET m.band_gap_eV = 1.0"),
        CONTENT,
        True,
        True,
    ),
    ("a mention is gone", lambda s: cypher(s, "MATCH ()-[r:PAPER_MENTIONS]->(:Value) DELETE r"), CONTENT, True, True),
    (
        "a paper is gone",
        lambda s: cypher(s, "MATCH (p:Paper {title: 'Title of one.txt'}) DETACH DELETE p"),
        CONTENT,
        True,
        True,
    ),
    (
        "a sentence was changed",
        lambda s: sql(s, "UPDATE evidences SET sentence = 'GaN is nice.' WHERE start = 0"),
        EVIDENCE,
        True,
        False,
    ),
    ("offsets were moved", lambda s: sql(s, "UPDATE evidences SET start = start + 1"), EVIDENCE, True, False),
    ("a fact was hidden", lambda s: sql(s, "UPDATE relations SET live = 0 WHERE seq = 1"), SHOWN, True, True),
    ("a passage was hidden", lambda s: sql(s, "UPDATE passages SET live = 0 WHERE seq = 1"), SHOWN, True, True),
    ("a file was changed", change_a_file, FILES, True, False),
    ("a file is gone", take_a_file, FILES, True, False),
    ("a bit of the index flipped", flip_a_bit, INDEX_FILE, True, True),
    ("a vector is another", change_a_vector, VECTOR_VALUES, True, True),
    (
        "a vector without passage",
        lambda s: sql(s, "UPDATE passages SET live = 0 WHERE seq = 1"),
        VECTOR_PASSAGES,
        True,
        True,
    ),
    ("words were changed", lambda s: sql(s, "UPDATE passages SET words = 'nothing' WHERE seq = 1"), WORDS, False, True),
    ("a chunk is gone", lambda s: sql(s, "DELETE FROM passages WHERE id = 'basic:1'"), BOOKS, True, False),
]


@pytest.mark.parametrize(("kind", "damage", "check", "critical", "mends"), DAMAGE, ids=[item[0] for item in DAMAGE])
def test_damage_is_found_and_mended_where_it_can_be(
    shelf: Shelf, kind: str, damage: Callable[[Shelf], None], check: str, critical: bool, mends: bool
) -> None:
    shelf.library.graph.ensure()
    damage(shelf)
    report = shelf.library.audit()
    found = broken(report)
    assert check in found
    assert found[check], "a sample says where"
    assert next(item for item in report.checks if item.name == check).metric < 1.0
    assert report.ok is not critical
    repaired = shelf.library.audit(repair=True)
    assert (check in broken(repaired)) is not mends


def test_a_damaged_database_page_is_found(shelf: Shelf) -> None:
    path = shelf.library.path
    shelf.library.close()
    file = path / "library.sqlite"
    with closing(sqlite3.connect(file)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'evidences'").fetchone()
    data = bytearray(file.read_bytes())
    data[(page - 1) * 4096 : (page - 1) * 4096 + 20] = b"\xff" * 20
    file.write_bytes(data)
    with Library.open(path) as library:
        report = library.audit()
    assert not report.ok
    assert DATABASE in broken(report)


def test_a_dangling_row_is_found(shelf: Shelf) -> None:
    with shelf.catalog.db.read() as connection:
        connection.execute("PRAGMA query_only = OFF")
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("DELETE FROM entities WHERE name = 'GaN'")
        connection.execute("PRAGMA query_only = ON")
    assert DATABASE in broken(shelf.library.audit())
