"""Opening a library: one process at a time, after a crash, of another version."""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from minerva_desktop.errors import LibraryBusy, LibraryTooNew, MinervaError, NotFound
from minerva_desktop.library import Library, schema
from tests.library_helpers import Shelf

GAN = "GaN has a band gap of 3.4 eV at room temperature."
ROOT = Path(__file__).resolve().parent.parent

CHILD = """
import sys, time
from pathlib import Path
from minerva_desktop.library import Library
from tests.library_helpers import Shelf
library = Library.open(Path(sys.argv[1]), create=True)
shelf = Shelf(library, Path(sys.argv[2]))
"""


def start_child(tmp_path: Path, code: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CHILD + code, str(tmp_path / "library"), str(tmp_path / "child")]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    return child


def kill(child: subprocess.Popen[str]) -> None:
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    assert child.stdout is not None
    child.stdout.close()


def test_a_library_is_only_made_when_asked_for(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no library"):
        Library.open(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_second_process_is_told_at_once_that_the_library_is_open(tmp_path: Path) -> None:
    child = start_child(tmp_path, "print('ready', flush=True); time.sleep(60)")
    with pytest.raises(LibraryBusy, match="is open in another window"):
        Library.open(tmp_path / "library")
    kill(child)
    with Library.open(tmp_path / "library") as library:  # the lock of a killed process does not block
        assert library.catalog.papers() == []


def test_a_second_window_of_the_same_process_is_told_so_too(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", create=True), pytest.raises(LibraryBusy):
        Library.open(tmp_path / "library")
    Library.open(tmp_path / "library").close()


def test_what_was_committed_before_a_kill_is_there_and_nothing_half(tmp_path: Path) -> None:
    code = """
shelf.add_fact("one.txt", "GaN has a band gap of 3.4 eV.", "GaN", 3.4)
shelf.accept_all()
job = shelf.catalog.start_job("ingest", [("two.txt", "two.txt")])
with shelf.catalog.transaction():
    shelf.add_fact("two.txt", "AlN has a band gap of 6.2 eV.", "AlN", 6.2)
    print("ready", flush=True)
    time.sleep(60)
"""
    kill(start_child(tmp_path, code))
    with Library.open(tmp_path / "library") as library:
        assert [paper.file_name for paper in library.catalog.papers()] == ["one.txt"]
        assert [fact.claim for fact in library.catalog.facts()] == ["The band gap of GaN is 3.4 eV."]
        assert library.catalog.jobs()[0]["status"] == "interrupted"
        assert library.graph.query("MATCH (m:Material) RETURN m.name AS name") == [{"name": "GaN"}]
        assert library.notes == []
        assert library.audit().ok
        # The same paper can be taken in now.
        Shelf(library, tmp_path).add_fact("two.txt", "AlN has a band gap of 6.2 eV.", "AlN", 6.2)


def test_a_kill_between_record_and_graph_is_made_up_for(tmp_path: Path) -> None:
    code = """
shelf.add_fact("one.txt", "GaN has a band gap of 3.4 eV.", "GaN", 3.4)
shelf.accept_all()
shelf.add_fact("two.txt", "AlN has a band gap of 6.2 eV.", "AlN", 6.2)
shelf.catalog.decide([fact.id for fact in shelf.catalog.facts()], "accepted")
print("ready", flush=True)
time.sleep(60)
"""
    kill(start_child(tmp_path, code))
    with Library.open(tmp_path / "library") as library:
        names = library.graph.query("MATCH (m:Material) RETURN m.name AS name ORDER BY name")
        assert names == [{"name": "AlN"}, {"name": "GaN"}]
        assert library.audit().ok


def test_kills_at_any_moment_of_graph_writing_lose_nothing(tmp_path: Path) -> None:
    code = """
print("ready", flush=True)
for number in range(400):
    text = f"M{number} has a band gap of 1.5 eV."
    shelf.add_fact(f"{sys.argv[3]}-{number}.txt", text, f"M{number}", 1.5)
    shelf.accept_all()
    library.checkpoint_if_idle()
"""
    for turn in range(3):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD + code, str(tmp_path / "library"), str(tmp_path / "child"), str(turn)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(0.7 + 0.13 * turn)
        kill(child)
        with Library.open(tmp_path / "library") as library:
            report = library.audit()
            assert report.ok, report


def test_a_library_of_a_newer_version_is_refused_untouched(tmp_path: Path) -> None:
    Library.open(tmp_path / "library", create=True).close()
    file = tmp_path / "library" / "library.sqlite"
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("INSERT INTO _sqlite_migrations (migration_set, name) VALUES ('minerva-library', 'm999_future')")
    before = file.read_bytes()
    with pytest.raises(LibraryTooNew, match="newer version"):
        Library.open(tmp_path / "library")
    assert file.read_bytes() == before


def test_an_older_library_is_copied_before_it_is_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Library.open(tmp_path / "library", create=True) as library:
        Shelf(library, tmp_path).add("one.txt", GAN)

    def m002_colour(db: sqlite3.Connection) -> None:
        db.execute("ALTER TABLE papers ADD COLUMN colour TEXT NOT NULL DEFAULT ''")

    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, m002_colour))
    with Library.open(tmp_path / "library") as library:
        assert len(library.catalog.papers()) == 1
    with closing(sqlite3.connect(tmp_path / "library" / "library.sqlite.backup-m002_colour")) as db:
        assert "colour" not in [row[1] for row in db.execute("PRAGMA table_info(papers)")]
        assert db.execute("SELECT count(*) FROM papers").fetchone() == (1,)


def test_a_migration_that_fails_leaves_the_library_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Library.open(tmp_path / "library", create=True).close()
    released = schema.MIGRATIONS

    def m002_broken(db: sqlite3.Connection) -> None:
        db.execute("ALTER TABLE papers ADD COLUMN colour TEXT")
        db.execute("ALTER TABLE nothing ADD COLUMN colour TEXT")

    monkeypatch.setattr(schema, "MIGRATIONS", (*released, m002_broken))
    with pytest.raises(sqlite3.OperationalError):
        Library.open(tmp_path / "library")
    monkeypatch.setattr(schema, "MIGRATIONS", released)
    with Library.open(tmp_path / "library") as library:
        columns = [row[1] for row in library.catalog.db.rows("PRAGMA table_info(papers)")]
    assert "colour" not in columns


def test_a_file_that_is_no_library_is_said_to_be_none(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "library.sqlite").write_bytes(b"This is a shopping list, not a database. " * 100)
    with pytest.raises(MinervaError, match="not a library that can be read"):
        Library.open(folder)


def test_closing_twice_does_no_harm(tmp_path: Path) -> None:
    library = Library.open(tmp_path / "library", create=True)
    library.close()
    library.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows locks files by other means, which every disk has")
def test_a_disk_without_locks_is_refused_and_no_marker_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def no_locks(descriptor: int, operation: int) -> None:  # what the system says on such a disk
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    with Library.open(tmp_path / "library", create=True):
        pass
    before = sorted(path.name for path in (tmp_path / "library").iterdir())
    with monkeypatch.context() as patched:
        patched.setattr(fcntl, "flock", no_locks)
        with pytest.raises(MinervaError, match="cannot be locked") as caught:
            Library.open(tmp_path / "library")
    assert caught.value.code == "lock"
    assert sorted(path.name for path in (tmp_path / "library").iterdir()) == before
    with Library.open(tmp_path / "library"):
        pass
