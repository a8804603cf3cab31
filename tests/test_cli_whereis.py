"""``whereis``: a pasted text on the command line, or from standard input."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.cli import main

PAPER = (
    "# Notes\n\n## Results\n\nThe band gap of the GaN films is 3.4 eV at 300 K. They were grown by MOCVD on sapphire.\n"
)
GAP = "The band gap of the GaN films is 3.4 eV at 300 K."


@pytest.fixture
def library(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    paper = tmp_path / "notes.md"
    paper.write_text(PAPER, encoding="utf-8")
    assert main(["--json", "--library", str(tmp_path / "library"), "ingest", str(paper)]) == 0
    capsys.readouterr()
    return tmp_path / "library"


def asked(library: Path, capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["--json", "--library", str(library), "whereis", *words]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_sentence_and_a_value_give_their_place_as_json(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = asked(library, capsys, "“The band-gap of the GaN fllms is 3.4 eV at 300 K”")
    assert (data["kind"], data["found"], data["nearest"]) == ("sentence", True, [])
    place = data["places"][0]
    assert (place["quote"], place["how"], place["source"]) == (GAP, "near", "paper")
    assert place["sentences"]
    value = asked(library, capsys, "3400 meV")
    assert (value["kind"], [item["quote"] for item in value["places"]]) == ("value", [GAP])
    start, end = value["places"][0]["marks"][0]
    assert GAP[start:end] == "3.4 eV"


def test_standard_input_is_one_text_with_its_lines(
    library: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("They were grown by MO-\nCVD on\nsapphire.\n"))
    data = asked(library, capsys, "-")
    assert data["places"][0]["quote"] == "They were grown by MOCVD on sapphire."
    assert data["places"][0]["likeness"] == 1.0


def test_what_is_not_there_is_said_and_is_no_failure(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--library", str(library), "whereis", "Lions sleep under the trees of the savannah at noon."]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Nothing in your library reads like this.")
    assert main(["--library", str(library), "whereis", "  "]) == 2
    assert "nothing to look for" in capsys.readouterr().err
