"""The audit finds every kind of damage, says where and only there, and repairs what can be made anew."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from minerva_desktop.exchange import canonical_lines
from minerva_desktop.library import AuditReport, Circumstances, Library
from minerva_desktop.library.codec import pack_document
from minerva_desktop.records import Decision, Verdict
from tests.library_helpers import Shelf, make_document

GAN = "GaN has a band gap of 3.4 eV."
ALN = "AlN has a band gap of 6.2 eV."
INN = "InN has a band gap of 0.7 eV."

DATABASE = "the database is whole"
FACTS = "every accepted fact is in the graph once, and nothing else is"
EDGES = "edges of the graph say what the catalog says"
NODES = "nodes of the graph are those of its facts and papers"
COLUMNS = "key columns of the graph follow from its facts"
LINKS = "mentions and uses in the graph are those of the catalog"
SHOWN = "what is shown is what the papers there say"
NAMES_FOUND = "entities are found under the names that papers use"
WORDS = "the word index fits the texts"
PASSAGES = "passages are cut from their papers' texts"
INDEX_FILE = "the search index file is as it was written"
VECTOR_PASSAGES = "every vector has its passage"
VECTOR_VALUES = "every vector reads back as written"
VECTORS_THERE = "every passage has its vector"
EVIDENCE = "every evidence reads as its sentence"
SPANS = "the ends of every statement stand in its sentence"
PLACES = "every evidence has its place on a page"
QUOTES = "every textbook quote stands in its passage"
IDS = "facts and evidences are what their ids say"
REASONS = "every accepted fact has its reason"
DECIDED = "decisions of persons are as the journal has them"
JOURNAL = "the journal is unbroken"
ENTITIES = "names belong to entities, and nothing leads back to itself"
TEXTS = "every paper has its text"
FILES = "files are as they were added"
BOOKS = "textbooks are complete"
STRAY = "the folder of files holds nothing else"

MODEL = Circumstances("test-model")


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    """GaN was accepted by a person, AlN by the gate; InN waits. There is an alias, and a textbook with a verdict."""
    with Library.open(tmp_path / "library", create=True) as library:
        shelf = Shelf(library, tmp_path)
        shelf.add_fact("one.txt", GAN, "GaN", 3.4)
        shelf.add_fact("two.txt", ALN, "AlN", 6.2)
        shelf.add_fact("three.txt", INN, "InN", 0.7)
        shelf.add_textbook("basic", ["Aluminium nitride has a band gap of 6.2 eV.", "Iron rusts."])
        facts = {fact.source.canonical: fact for fact in library.catalog.facts()}
        shelf.catalog.decide([facts["GaN"].id], "accepted")
        verdict = Verdict("SUPPORTED", quote="Aluminium nitride has a band gap of 6.2 eV.", passage="basic:0")
        shelf.catalog.update_verdicts({facts["AlN"].evidence[0].id: verdict})
        shelf.catalog.set_decisions(
            {facts["AlN"].id: Decision("accepted", "claims", "supported", "Book basic says so.")}
        )
        shelf.catalog.add_alias("Material", "GaN", "gallium nitride")
        library.project()
        rows = library.catalog.passage_rows()
        library.vectors.add(rows, np.eye(len(rows), 8, dtype=np.float32), "test-model")
        library.vectors.seal()
        library.graph.ensure()
        yield shelf


def broken(report: AuditReport) -> dict[str, tuple[str, ...]]:
    """What does not hold, with its samples as a person reads them."""
    return {check.name: tuple(map(str, check.samples)) for check in report.checks if not check.ok}


def cypher(shelf: Shelf, statement: str) -> None:
    """Write into the graph behind the library's back."""
    with shelf.library.graph.writing() as writer:
        writer._run(statement, {})


def sql(shelf: Shelf, statement: str) -> None:
    """Write into the catalog behind the library's back."""
    with shelf.catalog.db.transaction() as connection:
        connection.execute("PRAGMA defer_foreign_keys = ON")
        connection.execute(statement)


def record(shelf: Shelf) -> list[str]:
    """All that a library knows, and the journal but for the line that it was repaired."""
    events = [
        json.dumps(list(row))
        for row in shelf.catalog.db.rows("SELECT label, undoable, undone, changes FROM events ORDER BY id")
        if not row["label"].startswith("Repaired")
    ]
    return [*canonical_lines(shelf.library), *events]


def test_a_sound_library_passes(shelf: Shelf) -> None:
    report = shelf.library.audit(now=MODEL)
    assert broken(report) == {}
    assert report.ok
    assert all(check.metric == check.threshold == 1.0 for check in report.checks)
    assert all(check.message for check in report.checks)
    repaired = shelf.library.audit(repair=True, now=MODEL)
    assert (repaired.repaired, repaired.left) == ((), ())


def flip_a_bit(shelf: Shelf) -> None:
    (file,) = (shelf.library.path / "vectors").glob("*.vectors")
    data = bytearray(file.read_bytes())
    data[-40] ^= 1
    file.write_bytes(data)


def change_a_vector(shelf: Shelf) -> None:
    row = shelf.catalog.passage_rows()[0]
    sql(shelf, f"UPDATE vectors SET digest = '0000000000000000' WHERE passage = {row}")


def add_a_vector(shelf: Shelf) -> None:
    index = shelf.library.vectors._used
    assert index is not None
    index._tail = type(index._tail)(np.array([4711], dtype=np.int64), np.eye(1, 8, dtype=np.float32))
    index.version += 1


def remove_vectors(shelf: Shelf) -> None:
    shelf.library.vectors.remove(shelf.catalog.passage_rows()[:2])


def change_a_file(shelf: Shelf) -> None:
    paper = shelf.catalog.papers()[0]
    shelf.catalog.stored_file(paper.id).write_text("something else")


def take_a_file(shelf: Shelf) -> None:
    shelf.catalog.stored_file(shelf.catalog.papers()[0].id).unlink()


def leave_a_file(shelf: Shelf) -> None:
    (shelf.catalog.files / "notes.txt").write_text("mine")


def shift_a_sentence(shelf: Shelf) -> None:
    """The text of a paper is another than the one that was read: a letter more at its beginning."""
    row = shelf.catalog.db.row("SELECT paper FROM evidences WHERE sentence LIKE 'InN%'")
    assert row is not None
    document = shelf.catalog.document(row[0])
    other = make_document("A " + document.text)
    with shelf.catalog.db.transaction() as connection:
        connection.execute("UPDATE documents SET data = ? WHERE paper = ?", [pack_document(other), row[0]])


Damage = Callable[[Shelf], None]
HIDE_FACT = "UPDATE relations SET live = 0 WHERE machine_status = 'waiting' AND person_status IS NULL"
OF_INN = "WHERE sentence LIKE 'InN%'"
VALUE = "UPDATE relations SET quantity = replace(quantity, '\"si_value\":', '\"si_value\":9') WHERE target = "

DAMAGE: list[tuple[str, Damage, set[str], str, bool]] = [
    # what, how, which checks see it, what a sample says, whether it can be made anew
    (
        "an edge is gone",
        lambda s: cypher(s, "MATCH ()-[r:HAS_VALUE {value: 3.4}]->() DELETE r"),
        {FACTS},
        "GaN has value band gap 3.4 eV: is accepted, but is not in the graph",
        True,
    ),
    (
        "an edge is there twice",
        lambda s: cypher(
            s,
            "MATCH (a:Material)-[r:HAS_VALUE {value: 3.4}]->(b:Value) "
            "CREATE (a)-[:HAS_VALUE {fact_id: r.fact_id, value: 3.4}]->(b)",
        ),
        {FACTS},
        "is in the graph 2 times",
        True,
    ),
    (
        "an edge that nobody accepted",
        lambda s: cypher(
            s,
            "MATCH (a:Material {name: 'GaN'}) MATCH (b:Value {name: '6.2 eV'}) CREATE (a)-[:HAS_VALUE {fact_id: 'x'}]->(b)",
        ),
        {FACTS},
        "x: is in the graph, but is no accepted fact",
        True,
    ),
    (
        "an edge says something else",
        lambda s: cypher(s, "MATCH ()-[r:HAS_VALUE {value: 3.4}]->() SET r.value = 3.5"),
        {EDGES},
        "the graph has value = 3.5 instead of 3.4",
        True,
    ),
    (
        "a node too many",
        lambda s: cypher(s, "CREATE (:Material {name: 'unobtainium'})"),
        {NODES},
        "Material unobtainium: is in the graph, but not in the catalog",
        True,
    ),
    (
        "a node is gone",
        lambda s: cypher(s, "MATCH (m:Material {name: 'GaN'}) DETACH DELETE m"),
        {NODES, FACTS, LINKS},
        "Material GaN: is missing in the graph",
        True,
    ),
    (
        "a key column was changed",
        lambda s: cypher(s, "MATCH (m:Material {name: 'GaN'}) SET m.band_gap_eV = 1.0"),
        {COLUMNS},
        "Material GaN: the graph has band_gap_eV = 1.0 instead of 3.4",
        True,
    ),
    (
        "mentions are gone",
        lambda s: cypher(s, "MATCH (:Paper)-[r:PAPER_MENTIONS]->(:Value) DELETE r"),
        {LINKS},
        "is in the graph 0 times instead of 1",
        True,
    ),
    (
        "a paper is not in the graph",
        lambda s: cypher(s, "MATCH (p:Paper {title: 'Title of one.txt'}) DETACH DELETE p"),
        {NODES, LINKS},
        "Title of one.txt (one.txt): is missing in the graph",
        True,
    ),
    ("a fact was hidden", lambda s: sql(s, HIDE_FACT), {SHOWN}, "InN has value band gap 0.7 eV: is hidden", True),
    (
        "an evidence was dropped",
        lambda s: sql(s, f"DELETE FROM evidences {OF_INN}"),
        {SHOWN, WORDS},
        "InN has value band gap 0.7 eV: is shown without evidence",
        True,
    ),
    (
        "a passage was hidden",
        lambda s: sql(s, "UPDATE passages SET live = 0 WHERE seq = 1"),
        {SHOWN, VECTOR_PASSAGES},
        "is not shown as its source is",
        True,
    ),
    (
        "a name is not found",
        lambda s: sql(s, "DELETE FROM names WHERE name = 'InN'"),
        {NAMES_FOUND},
        "Material InN: is not found under “InN”",
        True,
    ),
    (
        "words were changed",
        lambda s: sql(s, "UPDATE passages SET words = 'nothing' WHERE seq = 1"),
        {WORDS},
        "is not found by the words of its text",
        True,
    ),
    (
        "a passage reads otherwise",
        lambda s: sql(s, "UPDATE passages SET boxes = '[[9,0,0,1,1]]' WHERE kind = 'paper' AND text LIKE 'InN%'"),
        {PASSAGES},
        "InN has a band gap of 0.7 eV.…”: is not what its paper says there",
        True,
    ),
    (
        "a passage is gone",
        lambda s: sql(s, "DELETE FROM passages WHERE kind = 'paper' AND text LIKE 'InN%'"),
        {PASSAGES, VECTOR_PASSAGES},
        "Title of three.txt (three.txt): its passage",
        True,
    ),
    ("a bit of the index flipped", flip_a_bit, {INDEX_FILE}, "has been changed since it was written", True),
    ("a vector is another", change_a_vector, {VECTOR_VALUES}, "does not read back as it was written", True),
    ("a vector without passage", add_a_vector, {VECTOR_PASSAGES}, "4711: belongs to no passage", True),
    ("vectors were removed", remove_vectors, {VECTORS_THERE}, "is missing, so that its passage", False),
    (
        "a sentence is not the slice of its text",
        lambda s: sql(s, "UPDATE evidences SET sentence = 'InN is ' || sentence " + OF_INN),
        {EVIDENCE, WORDS},
        "the text there reads “InN has a band gap of 0.7 eV.”",
        False,
    ),
    (
        "the span of a sentence was shifted",
        lambda s: sql(s, f'UPDATE evidences SET start = start + 1, "end" = "end" + 1 {OF_INN}'),
        {EVIDENCE, IDS},
        "the text there reads “nN has a band gap of 0.7 eV.”",
        False,
    ),
    ("a paper has another text", shift_a_sentence, {EVIDENCE, PASSAGES}, "the text there reads “A InN has", False),
    (
        "the span of an end points to other words",
        lambda s: sql(s, f"UPDATE evidences SET source_span = '[10,14]' {OF_INN}"),
        {SPANS},
        "where “InN” is said to stand, the sentence reads “band”",
        False,
    ),
    (
        "the span of an end lies in no sentence",
        lambda s: sql(s, f"UPDATE evidences SET target_span = '[90,99]' {OF_INN}"),
        {SPANS},
        "outside of the sentence",
        False,
    ),
    (
        "a verdict quotes what no textbook says",
        lambda s: sql(s, "UPDATE evidences SET verdict = replace(verdict, '6.2', '6.3') WHERE verdict IS NOT NULL"),
        {QUOTES},
        "which is not in the passage",
        False,
    ),
    (
        "a value was edited",
        lambda s: sql(s, VALUE + "(SELECT seq FROM entities WHERE name = '0.7 eV')"),
        {IDS},
        "InN has value band gap 0.7 eV: what it says is not what its id was made of",
        False,
    ),
    (
        "a fact was accepted without a reason",
        lambda s: sql(
            s, f"UPDATE relations SET machine_status = 'accepted' WHERE id IN (SELECT relation FROM evidences {OF_INN})"
        ),
        {REASONS, FACTS, NODES, LINKS},
        "it is accepted, but the gate noted no reason",
        False,
    ),
    (
        "an accepted fact lost its verdict",
        lambda s: sql(s, "UPDATE evidences SET verdict = NULL WHERE verdict IS NOT NULL"),
        {REASONS, EDGES},
        "no textbook verdict of its evidence says so",
        False,
    ),
    (
        "a person's decision was turned",
        lambda s: sql(s, "UPDATE relations SET person_reason = 'because' WHERE person_status = 'accepted'"),
        {DECIDED},
        "the reason of its decision is not the one in the journal",
        False,
    ),
    (
        "a decision that nobody took",
        lambda s: sql(
            s,
            "UPDATE relations SET person_status = 'waiting' WHERE machine_status = 'waiting' AND person_status IS NULL",
        ),
        {DECIDED},
        "has waiting, but the journal has no decision of a person",
        False,
    ),
    (
        "an event is missing",
        lambda s: sql(s, "DELETE FROM events WHERE label LIKE 'Read%' AND id > 2 AND id < 7"),
        {JOURNAL},
        "before it cannot be found",
        False,
    ),
    (
        "the last event is missing",
        lambda s: sql(s, "DELETE FROM events WHERE id = (SELECT max(id) FROM events)"),
        {JOURNAL},
        "the journal once had",
        False,
    ),
    (
        "an alias of nothing",
        lambda s: sql(s, "UPDATE aliases SET name = 'unobtainium'"),
        {ENTITIES},
        "gallium nitride: is another name of Material “unobtainium”, which is not there",
        False,
    ),
    (
        "merged in a circle",
        lambda s: sql(
            s,
            "INSERT INTO merges (type, name, into_name) VALUES ('Material', 'GaN', 'AlN'), ('Material', 'AlN', 'GaN')",
        ),
        {ENTITIES},
        "leads back to itself",
        False,
    ),
    (
        "a version of itself",
        lambda s: sql(s, "UPDATE papers SET version_of = id WHERE file_name = 'one.txt'"),
        {ENTITIES},
        "Title of one.txt (one.txt): leads back to itself",
        False,
    ),
    (
        "the text of a paper is gone",
        lambda s: sql(s, "DELETE FROM documents WHERE paper = (SELECT id FROM papers WHERE file_name = 'three.txt')"),
        {TEXTS},
        "Title of three.txt (three.txt): its text is not there",
        False,
    ),
    ("a file was changed", change_a_file, {FILES}, "is not the file that was added", False),
    ("a file is gone", take_a_file, {FILES}, "cannot be read: No such file", False),
    ("a strange file", leave_a_file, {STRAY}, "notes.txt: belongs to no paper", False),
    (
        "a chunk of a textbook is gone",
        lambda s: sql(s, "DELETE FROM passages WHERE id = 'basic:1'"),
        {BOOKS, VECTOR_PASSAGES},
        "has 1 passages of 2",
        False,
    ),
]


@pytest.mark.parametrize(("kind", "damage", "checks", "sample", "mends"), DAMAGE, ids=[item[0] for item in DAMAGE])
def test_damage_is_found_where_it_is_and_mended_where_it_can_be(
    shelf: Shelf, kind: str, damage: Damage, checks: set[str], sample: str, mends: bool
) -> None:
    damage(shelf)
    report = shelf.library.audit(now=MODEL)
    found = broken(report)
    assert set(found) == checks
    assert any(sample in item for items in found.values() for item in items), found
    assert report.ok is (checks == {STRAY})
    assert all(check.metric < 1.0 for check in report.checks if check.name in checks)
    before = record(shelf)
    # Embedding passages anew is the workbench's part: without a model a vector that was dropped is not missed.
    repaired = shelf.library.audit(repair=True, now=MODEL if checks == {VECTORS_THERE} else None)
    assert not set(broken(repaired)) - checks
    assert (not broken(repaired)) is mends
    assert bool(repaired.left) is bool(broken(repaired))
    if kind not in {"a fact was hidden", "an evidence was dropped"}:  # what is shown is what the export shows
        assert record(shelf) == before
    if checks != {VECTORS_THERE}:
        assert bool(repaired.repaired) is any(check.mends for check in report.checks if check.name in checks)


def test_a_repair_gives_back_the_library_as_it_was(shelf: Shelf) -> None:
    before, graph = record(shelf), shelf.library.graph.content()
    sql(shelf, HIDE_FACT)
    sql(shelf, "DELETE FROM names")
    cypher(shelf, "MATCH (m:Material {name: 'GaN'}) DETACH DELETE m")
    flip_a_bit(shelf)
    repaired = shelf.library.audit(repair=True)
    assert repaired.ok
    assert [line.split(" ")[0] for line in repaired.repaired] == ["What", "5", "The"]
    assert record(shelf) == before
    assert shelf.library.graph.content() == graph


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
        repaired = library.audit(repair=True)
        assert repaired.repaired[0].startswith("Nothing was repaired")
        assert any("backup" in line for line in repaired.left)


def test_a_dangling_row_is_found(shelf: Shelf) -> None:
    with shelf.catalog.db.read() as connection:
        connection.execute("PRAGMA query_only = OFF")
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("DELETE FROM entities WHERE name = 'GaN'")
        connection.execute("PRAGMA query_only = ON")
    assert DATABASE in broken(shelf.library.audit())
