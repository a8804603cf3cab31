"""The doctor: what it names, what it finds wrong in a library, and what it never tells about a person."""

from __future__ import annotations

import getpass
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from minerva_desktop import doctor
from minerva_desktop.doctor import parts
from minerva_desktop.library import health
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench
from minerva_desktop.workbench.places import SAMPLE, look_at, sample_library
from tests.keyring_support import Chest
from tests.library_helpers import Shelf

QUIET = Settings(embeddings=False)


@pytest.fixture
def doctors_library(tmp_path: Path) -> Path:
    """A library with one accepted fact in its graph, closed."""
    folder = tmp_path / "library"
    with Workbench(folder, QUIET, offline=True) as bench:
        Shelf(bench.library, tmp_path).add_fact("one.txt", "GaN has a band gap of 3.4 eV.", "GaN", 3.4)
        bench.accept([fact.id for fact in bench.facts()])
        bench.graph_stats()
    return folder


def line(lines: list[doctor.Check], name: str) -> doctor.Check:
    (found,) = [item for item in lines if item["name"] == name]
    return found


def test_every_part_is_named_and_says_honestly_that_no_gpu_is_used(tmp_path: Path) -> None:
    lines = doctor.examine(tmp_path / "none", QUIET, offline=True)
    assert {
        "program", "Python", "PyMuPDF", "Kuzu", "FAISS", "Qt", "onnxruntime", "SQLite", "processor", "embedding model",
        "English parser", "domain packs", "library", "store", "disk space", "scans", "keyring", "language model",
        "installation", "licences",
    } == {item["name"] for item in lines}  # fmt: skip
    assert all(set(item) >= {"name", "ok", "needed", "message"} for item in lines)
    assert "no GPU is used" in line(lines, "processor")["message"]
    assert "LICENSE" in line(lines, "licences")["message"]
    assert line(lines, "Kuzu")["message"].startswith("0.11.3")
    assert not (tmp_path / "none").exists()


def test_a_keyring_is_told_apart_from_none(chest: Chest, tmp_path: Path) -> None:
    assert "Chest" in line(doctor.examine(tmp_path, QUIET, offline=True), "keyring")["message"]


def test_without_a_keyring_keys_live_for_the_session(tmp_path: Path) -> None:
    found = line(doctor.examine(tmp_path, QUIET, offline=True), "keyring")
    assert not found["ok"]
    assert "until the program ends" in found["message"]


def test_a_whole_library_is_whole_also_while_it_is_open(doctors_library: Path) -> None:
    found = line(doctor.examine(doctors_library, QUIET, offline=True), "store")
    assert found["ok"]
    assert found["message"].startswith("1 papers, 0 textbooks, 1 facts. Record, graph and search index are whole")
    with Workbench(doctors_library, QUIET, create=False, offline=True) as bench:
        assert health.look(doctors_library).broken == []
        assert bench.audit().ok


def test_damage_is_found_and_what_to_do_is_said(doctors_library: Path) -> None:
    graph = doctors_library / "graph.kuzu"
    graph.write_bytes(b"no graph")
    assert "Rebuild" in health.look(doctors_library).broken[0]
    graph.unlink()
    found = health.look(doctors_library)
    assert found.broken == []
    assert "made anew" in found.notes[0]

    with closing(sqlite3.connect(doctors_library / "library.sqlite")) as db, db:
        gone = {"name": "passages-1.vectors", "size": 10, "sha256": "0" * 64, "time": 0}
        values = ("some model", json.dumps({"count": 1, "rows": gone, "coarse": None}))
        db.execute("INSERT INTO vector_indexes (model, used, dimension, base) VALUES (?, 1, 2, ?)", values)
    assert "search index file has been deleted" in health.look(doctors_library).notes[-1]

    record = doctors_library / "library.sqlite"
    data = bytearray(record.read_bytes())
    data[4096 : len(data) // 2] = b"x" * (len(data) // 2 - 4096)
    record.write_bytes(bytes(data))
    lines = doctor.examine(doctors_library, QUIET, offline=True)
    found_line = line(lines, "store")
    assert doctor.mark(found_line) == "wrong"
    assert "backup" in found_line["message"]


def test_the_report_to_copy_tells_nothing_about_the_person(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = tmp_path / "home" / "marie"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setattr(getpass, "getuser", lambda: "marie")
    monkeypatch.setenv("MINERVA_OPENAI_KEY", "sk-quite-secret")
    monkeypatch.setenv("MINERVA_OPENAI_BASE_URL", "http://marie:word@127.0.0.1:9/v1")
    settings = Settings(email="marie@example.org")
    lines = doctor.examine(home / "Documents" / "Minerva Library", settings, offline=True)
    lines.append({"name": "x", "ok": True, "needed": False, "message": "/media/marie/disk of marie@example.org"})
    text = doctor.as_text(lines)
    assert "~/Documents/Minerva Library" in text
    assert "/media/USER/disk of (an e-mail address)" in text
    for private in ("marie", "sk-quite-secret", ":word"):
        assert private not in text


# ------------------------------------------------------------------------------------------------- where it may be
def test_a_folder_is_looked_at_before_a_library_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/nowhere-temporary")
    assert look_at(tmp_path / "new" / "library").level == "ok"
    assert not (tmp_path / "new").exists()
    file = tmp_path / "file.txt"
    file.write_text("x")
    assert look_at(file).level == "fault"
    assert look_at(file / "below").level == "fault"
    assert look_at(Path("relative")).level == "fault"
    assert look_at(Path(tmp_path.anchor)).level == "fault"
    assert look_at(tmp_path).level == "warning"  # other files are there
    assert look_at(tmp_path / "Dropbox" / "x").level == "warning"
    (tmp_path / "library.sqlite").touch()
    assert look_at(tmp_path).there


def test_a_disk_of_the_network_is_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from minerva_desktop.workbench import places

    class Mount:
        mountpoint, fstype = str(tmp_path), "nfs4"

    monkeypatch.setattr(places.psutil, "disk_partitions", lambda **_: [Mount])
    assert "network" in look_at(tmp_path / "library").message


def test_the_sample_library_is_beside_the_own_one(tmp_path: Path) -> None:
    settings = Settings(library=str(tmp_path / "mine"))
    assert sample_library(settings) == tmp_path / SAMPLE


def test_a_packaged_program_names_its_licence_and_the_notices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "_internal"
    inner.mkdir()
    for file in (inner / "LICENSE", tmp_path / "THIRD_PARTY_NOTICES.txt", tmp_path / "minerva-desktop"):
        file.touch()
    monkeypatch.setattr("sys.frozen", True, raising=False)
    monkeypatch.setattr("sys._MEIPASS", str(inner), raising=False)
    monkeypatch.setattr("sys.executable", str(tmp_path / "minerva-desktop"))
    assert [file.name for file in parts.licence_files()] == ["THIRD_PARTY_NOTICES.txt", "LICENSE"]
    assert "self-contained" in parts.installation()["message"]
