"""The graph's file over time: several writers, a long log, a pack that changed, a library of an older layout."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.events import CancelToken
from minerva_desktop.library import Library, graph_file, schema
from minerva_desktop.library.graph_engine import folds
from minerva_desktop.library.graph_schema import graph_schema
from tests.library_helpers import Shelf, fact_of

GAN = "GaN has a band gap of 3.4 eV."
ALN = "AlN has a band gap of 6.2 eV."


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Library.open(tmp_path / "library", create=True) as library:
        shelf = Shelf(library, tmp_path)
        shelf.add_fact("one.txt", GAN, "GaN", 3.4)
        shelf.accept_all()
        yield shelf


def log_of(library: Library) -> int:
    log = library.path / "graph.kuzu.wal"
    return log.stat().st_size if log.exists() else 0


# ---------------------------------------------------------------------------------------------------- many at once
def test_several_threads_may_change_the_library_at_once(shelf: Shelf) -> None:
    failed: list[BaseException] = []

    def add(number: int) -> None:
        try:
            for step in range(5):
                value = number + step / 10
                shelf.add_fact(f"{number}-{step}.txt", f"GaN has a band gap of {value:g} eV.", "GaN", value)
                shelf.catalog.decide([fact.id for fact in shelf.catalog.facts(status="waiting")], "accepted")
                shelf.library.project()
                shelf.library.graph.query("MATCH (m:Material)-[r]->(v) RETURN count(r) AS n")
        except BaseException as error:  # noqa: BLE001 - told by the test
            failed.append(error)

    threads = [threading.Thread(target=add, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert failed == []
    shelf.accept_all()
    assert shelf.library.graph.stats()["edges"]["HAS_VALUE"] == len(shelf.catalog.facts()) == 20
    assert shelf.library.audit().ok


def test_a_fact_that_went_from_the_record_and_came_back_has_one_edge(shelf: Shelf) -> None:
    finding = fact_of(GAN, "GaN", 3.4)
    (paper,) = shelf.catalog.papers()
    shelf.library.graph.ensure()
    for _ in range(2):
        with shelf.catalog.transaction():
            shelf.catalog.put_findings(paper.id, [], [])
            assert shelf.catalog.facts() == []
            shelf.catalog.put_findings(paper.id, [finding], [finding.relation.source])
            shelf.catalog.decide([fact.id for fact in shelf.catalog.facts()], "accepted")
        assert shelf.library.graph.fact_ids() == [fact.id for fact in shelf.catalog.facts()]
    assert shelf.library.audit().ok


def test_what_was_written_before_a_kill_is_not_written_twice(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """The graph has committed, the catalog does not know so yet: killed there, the same facts are written again."""
    library = shelf.library
    library.graph.ensure()
    shelf.add_fact("two.txt", ALN, "AlN", 6.2)
    shelf.catalog.decide([fact.id for fact in shelf.catalog.facts()], "accepted")

    def killed(*_: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(library.projection, "_done", killed)
        with pytest.raises(RuntimeError, match="killed"):
            library.project()
    assert len(library.graph.fact_ids()) == 2
    assert library.audit().ok
    library.close()
    with Library.open(library.path) as again:  # and by the next process
        assert len(again.graph.fact_ids()) == 2
        assert again.audit().ok


@pytest.mark.parametrize("after", [0, 1, 2])
@pytest.mark.parametrize("reopened", [False, True])
def test_writing_that_is_broken_off_between_its_parts_leaves_no_wrong_graph(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, after: int, reopened: bool
) -> None:
    """A paper goes; its material stays, with what another paper says of it and the concepts that go with it."""
    library = shelf.library
    gone = shelf.add_fact("two.txt", "GaN has a band gap of 3.5 eV.", "GaN", 3.5)
    shelf.accept_all()
    assert library.graph.query("MATCH (m:Material)-[:USES_CONCEPT]->(c) RETURN count(c) AS n")[0]["n"] > 0
    shelf.catalog.remove_paper(gone)
    parts = iter(range(10))
    whole = library.graph.writing

    def broken(generation: str = "") -> object:
        if next(parts) == after:
            raise RuntimeError("killed")
        return whole(generation)

    with monkeypatch.context() as patch:
        patch.setattr(library.graph, "writing", broken)
        with pytest.raises(RuntimeError, match="killed"):
            library.project()
    if reopened:
        library.close()
        library = Library.open(library.path)
    library.project()
    report = library.audit()
    assert all(check.ok for check in report.checks), report
    library.close()


# ------------------------------------------------------------------------------------------------------ a long log
@pytest.fixture
def grown(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """With a log, which counts as a long one."""
    shelf.library.graph.ensure()
    shelf.add_fact("two.txt", ALN, "AlN", 6.2)
    shelf.accept_all()
    assert log_of(shelf.library) > 0
    monkeypatch.setattr(graph_file, "LONG_LOG", 0)
    return shelf


def test_a_long_log_is_folded_into_the_file_and_nothing_is_lost(grown: Shelf) -> None:
    library = grown.library
    before = library.graph.content()
    library.checkpoint_if_idle()
    assert log_of(library) == 0
    assert library.graph.content() == before
    assert not list(library.path.glob("graph.kuzu.new*"))
    grown.add_fact("three.txt", "InN has a band gap of 0.7 eV.", "InN", 0.7)
    grown.accept_all()  # it can be written after that
    assert library.audit().ok
    library.close()
    with Library.open(library.path) as again:
        assert again.audit().ok
        assert again.notes == []


def test_folding_that_does_not_come_to_an_end_leaves_the_file_as_it_is(
    grown: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = grown.library
    before, log = library.graph.content(), log_of(library)
    token = CancelToken()
    token.cancel()
    library.checkpoint_if_idle(token)  # its process is killed at once
    assert (library.graph.content(), log_of(library)) == (before, log)

    def written_meanwhile(path: Path, cancel: CancelToken | None) -> bool:
        grown.add_fact("three.txt", "InN has a band gap of 0.7 eV.", "InN", 0.7)
        grown.accept_all()
        return folds(path, cancel)

    monkeypatch.setattr(graph_file, "folds", written_meanwhile)
    library.checkpoint_if_idle()
    assert library.graph.query("MATCH (m:Material) RETURN m.name AS name ORDER BY name") == [
        {"name": "AlN"},
        {"name": "GaN"},
        {"name": "InN"},
    ]
    assert not list(library.path.glob("graph.kuzu.new*"))
    assert library.audit().ok


def test_a_process_killed_while_the_folded_file_takes_its_place_loses_nothing(
    grown: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = grown.library
    before = library.graph.content()
    library.close()
    # The log goes first, then the file is replaced: killed in between, the file is there without its log.
    (library.path / "graph.kuzu.wal").unlink()
    with Library.open(library.path) as again:
        assert again.graph.content() == before
        assert again.audit().ok


# ------------------------------------------------------------------------------------------------- changed packs
def materials(**changes: object) -> Domain:
    return load_domain("materials").model_copy(update=changes)


def test_what_changed_in_a_pack_is_said_in_words(shelf: Shelf) -> None:
    path = shelf.library.path
    shelf.library.close()
    pack = load_domain("materials")
    relations = tuple(item for item in pack.relation_types if item.name != "HAS_VALUE")
    properties = tuple(item for item in pack.properties if item.id != "band_gap")
    with Library.open(path, domain=materials(relation_types=relations, properties=properties)) as library:
        assert library.notes == []  # until it is used
        assert "HAS_VALUE" not in library.graph.stats()["edges"]
        (note,) = library.notes
        assert note.startswith("The graph was made anew from the record, because the domain packs have changed: ")
        assert "relation HAS_VALUE is gone" in note
        assert "property band_gap is gone" in note
        assert note.endswith("One accepted fact has no place in it; the record keeps them.")
        assert library.audit().ok
        assert len(library.catalog.facts(status="accepted")) == 1
    with Library.open(path) as library:
        assert library.graph.stats()["edges"]["HAS_VALUE"] == 1
        assert "relation HAS_VALUE is new" in library.notes[0]
        assert "no place" not in library.notes[0]
        assert library.audit().ok
    with Library.open(path) as library:
        library.graph.ensure()
        assert library.notes == []


def test_a_renamed_property_is_one_that_is_gone_and_one_that_is_new(shelf: Shelf) -> None:
    path = shelf.library.path
    shelf.library.close()
    pack = load_domain("materials")
    renamed = [item.model_copy(update={"id": "gap"}) if item.id == "band_gap" else item for item in pack.properties]
    with Library.open(path, domain=materials(properties=tuple(renamed))) as library:
        library.graph.ensure()
        assert "property gap is new; property band_gap is gone" in library.notes[0]
        assert library.graph.stats()["edges"]["HAS_VALUE"] == 1
        assert library.audit().ok


def test_a_graph_of_another_version_of_the_program_is_made_anew(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    path = shelf.library.path
    before = shelf.library.graph.content()
    shelf.library.close()
    monkeypatch.setattr("minerva_desktop.library.graph_schema.FORMAT", "another")
    with Library.open(path) as library:
        assert library.graph.content() == before
        assert library.notes == ["The graph was made anew from the record, because its layout is another one now."]


def test_the_tables_do_not_depend_on_the_order_of_the_packs() -> None:
    pack = load_domain("materials")
    other = pack.model_copy(update={"name": "another", "relation_types": pack.relation_types[:2]})
    assert graph_schema(pack, other).signature() == graph_schema(other, pack).signature()


# --------------------------------------------------------------------------------------------------- older layouts
def older(path: Path, library: Path, upto: int) -> None:
    """A library file as a version with the first ``upto`` migrations left it, with the rows of another library."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(
            "CREATE TABLE _sqlite_migrations (id INTEGER PRIMARY KEY, migration_set TEXT, name TEXT, applied_at TEXT)"
        )
        for migration in schema.MIGRATIONS[:upto]:
            migration(db)
            db.execute(
                "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES (?, ?, '')",
                [schema.MIGRATION_SET, migration.__name__],
            )
        tables = [
            row[0]
            for row in db.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
            )
            if not row[0].startswith(("_sqlite", "sqlite_"))
            and "_words_" not in row[0]
            and not row[0].startswith("name_letters")
        ]
        db.execute("ATTACH ? AS new", [str(library / "library.sqlite")])
        for table in tables:
            columns = [row[1] for row in db.execute(f"PRAGMA main.table_info({table})")]
            named = ", ".join(f'"{name}"' for name in columns)
            db.execute(f"INSERT INTO main.{table} ({named}) SELECT {named} FROM new.{table}")


@pytest.mark.parametrize("upto", [5, 4])
def test_a_library_of_an_older_layout_opens_and_nothing_is_lost(shelf: Shelf, tmp_path: Path, upto: int) -> None:
    shelf.add_fact("two.txt", ALN, "AlN", 6.2)
    shelf.accept_all()
    shelf.library.close()
    old = tmp_path / "old"
    old.mkdir()
    (shelf.library.path / "files").rename(old / "files")
    older(old / "library.sqlite", shelf.library.path, upto)
    with closing(sqlite3.connect(old / "library.sqlite")) as db:
        assert "domain" not in [row[1] for row in db.execute("PRAGMA table_info(papers)")]
    with Library.open(old) as library:
        assert [paper.file_name for paper in library.catalog.papers()] == ["one.txt", "two.txt"]
        rows = library.graph.query("MATCH (m:Material)-[r:HAS_VALUE]->() RETURN m.name AS n, r.value AS v ORDER BY n")
        assert rows == [{"n": "AlN", "v": 6.2}, {"n": "GaN", "v": 3.4}]
        assert [node.name for node in library.catalog.search_nodes("gan")] == ["GaN"]
        assert library.pack_of(library.catalog.papers()[0].id).name == "materials"
        assert library.audit().ok
        again = Shelf(library, tmp_path)
        again.add_fact("three.txt", "InN has a band gap of 0.7 eV.", "InN", 0.7)
        again.accept_all()
        library.catalog.undo()
        assert library.audit().ok
    assert (old / f"library.sqlite.backup-{schema.MIGRATIONS[upto].__name__}").exists()


# ------------------------------------------------------------------------------------------------------ finding names
@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("gan", ["GaN", "InGaN"]),
        ("Ga", ["GaN", "InGaN", "SiGa 50%"]),
        ("a 50%", ["SiGa 50%"]),
        ("%", ["SiGa 50%"]),
        ("___", []),
        ('"x" OR', []),
        ("nga", ["InGaN"]),
    ],
)
def test_nodes_are_found_by_any_part_of_a_name(shelf: Shelf, typed: str, found: list[str]) -> None:
    for number, name in enumerate(("InGaN", "AlN", "SiGa 50%")):
        shelf.add_fact(f"{number}.txt", f"{name} has a band gap of 2 eV.", name, 2.0)
    assert [node.name for node in shelf.catalog.search_nodes(typed)] == found
    assert sorted(entity.key[1] for entity in shelf.catalog.entities(typed)) == found


def test_a_name_that_is_gone_is_not_found_and_a_broken_index_of_names_is_repaired(shelf: Shelf) -> None:
    paper = shelf.add_fact("two.txt", ALN, "AlN", 6.2)
    assert shelf.catalog.search_nodes("aln")
    shelf.catalog.remove_paper(paper)
    assert not shelf.catalog.search_nodes("aln")
    shelf.catalog.undo()
    assert shelf.catalog.search_nodes("aln")
    with shelf.catalog.db.transaction() as connection:
        connection.execute("INSERT INTO name_letters (name_letters) VALUES ('delete-all')")
    assert not all(check.ok for check in shelf.library.audit().checks)
    assert all(check.ok for check in shelf.library.audit(repair=True).checks)
    assert shelf.catalog.search_nodes("aln")
