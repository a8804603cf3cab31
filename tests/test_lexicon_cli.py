"""The lexicon at the command line: taught in one process, in effect in the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_cli import minerva

TEXT = "# Note\n\n## Results\n\nThe gravity anomaly of Metaglass is 25 Gal at 300 K. The band gap of GaN is 3.4 eV.\n"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return tmp_path / "library"


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    path = tmp_path / "note.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_teach_inspect_ingest_and_read_again(library: Path, paper: Path) -> None:
    at = ("--library", library)
    minerva(*at, "ingest", paper)
    assert minerva(*at, "lexicon", "add", "units", "symbol=Gal", "definition=0.01 m/s^2")["lexicon"]
    minerva(*at, "lexicon", "add", "properties", "label=gravity anomaly", "unit=Gal")
    change = minerva(*at, "lexicon", "add", "materials", "name=Metaglass")
    assert change["label"] == "Added 1 material to your lexicon"

    quantities = minerva(*at, "inspect", "quantities", paper)
    assert any(item["si_value"] == 0.25 and item["unit_text"] == "Gal" for item in quantities)
    assert not any(item["unit_text"] == "Gal" for item in minerva("inspect", "quantities", paper))
    found = minerva(*at, "inspect", "relations", paper)
    assert any(item["property"] == "gravity_anomaly" and item["source"]["name"] == "Metaglass" for item in found)

    report = minerva(*at, "reextract", "note.md")
    assert report["papers"][0]["status"] == "ok"
    assert minerva(*at, "jobs", "show", report["job"])["manifest"]["lexicon"]["counts"]["units"] == 1
    claims = [fact["claim"] for fact in minerva(*at, "review", "list", "--status", "all")]
    assert "The gravity anomaly of Metaglass is 25 Gal." in claims
    assert minerva(*at, "undo")["label"] == "Undid: Reread the paper “Note”"
    claims = [fact["claim"] for fact in minerva(*at, "review", "list", "--status", "all")]
    assert not any("Metaglass" in claim for claim in claims)
    assert minerva(*at, "undo")["label"] == "Undid: Added 1 material to your lexicon"
    assert minerva(*at, "lexicon", "list", "materials")["kinds"][0]["rows"] == []


def test_what_is_wrong_is_named_and_decides_the_exit_code(library: Path, tmp_path: Path) -> None:
    at = ("--library", library)
    assert minerva(*at, "lexicon", "list", code=1)["error"]["code"] == "not-found"
    file = tmp_path / "mine.csv"
    file.write_text("name,formula\nMetaglass,\nWrong,Qq9\n", encoding="utf-8")
    done = minerva(*at, "lexicon", "import", "materials", file, code=3)
    assert (done["taken"], done["left_out"]) == (1, 1)
    assert done["problems"][0]["text"].startswith("mine.csv, line 3, formula: “Qq9” is not a chemical formula")
    assert minerva(*at, "lexicon", "check")["ok"]
    error = minerva(*at, "lexicon", "add", "materials", "name=Wrong", "formula=Qq9", code=2)["error"]
    assert "“Qq9” is not a chemical formula" in error["message"]
    assert "Kinds:" in minerva(*at, "lexicon", "add", "things", "name=x", code=2)["error"]["hint"]
    minerva(*at, "lexicon", "add", "materials", "Wrong", code=2)
    minerva(*at, "lexicon", "remove", "materials", "Nothing", code=1)

    (library / "lexicon" / "units.csv").write_text("symbol;definition\nGal;1 furlong\n", encoding="utf-8")
    checked = minerva(*at, "lexicon", "check", code=3)
    assert [(item["file"], item["line"]) for item in checked["problems"]] == [("units.csv", 2)]
    assert minerva(*at, "lexicon", "remove", "materials", "Metaglass")["label"].startswith("Removed 1 material")
    minerva(*at, "lexicon", "check", code=1)


def test_a_lexicon_moves_to_another_library(library: Path, tmp_path: Path) -> None:
    minerva("--library", library, "lexicon", "add", "blacklist", "term=GaN", "type=Material")
    (file,) = minerva("--library", library, "lexicon", "export", tmp_path / "out")["files"]
    other = tmp_path / "other"
    assert minerva("--library", other, "lexicon", "import", "blacklist", file)["taken"] == 1
    (kind,) = minerva("--library", other, "lexicon", "list", "blacklist")["kinds"]
    assert kind["rows"] == [{"term": "GaN", "type": "Material", "note": ""}]
