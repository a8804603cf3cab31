"""``values`` and ``disagreements`` on the command line, with the sample library."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop import cli

Run = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def sample_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample papers, read once."""
    folder = tmp_path_factory.mktemp("values") / "library"
    patch = pytest.MonkeyPatch()
    patch.setenv("MINERVA_CONFIG_DIR", str(folder.parent / "config"))
    patch.setenv("MINERVA_CACHE_DIR", str(folder.parent / "cache"))
    try:
        assert cli.main(["--library", str(folder), "settings", "set", "embeddings", "false"]) == 0
        assert cli.main(["--library", str(folder), "demo"]) == 0
    finally:
        patch.undo()
    return folder


@pytest.fixture
def run(sample_library: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str) -> tuple[int, str]:
        code = cli.main(["--library", str(sample_library), *words])
        return code, capsys.readouterr().out

    return call


def test_values_as_data_text_and_csv(run: Run) -> None:
    code, out = run("values", "band_gap", "--material", "GaN", "--unit", "meV", "--json")
    data: dict[str, Any] = json.loads(out)
    assert code == 0
    assert (data["property"], data["unit"], data["count"]) == ("band_gap", "meV", 1)
    value = data["materials"][0]["values"][0]
    assert value["value"] == 3400.0
    assert value["page"] == 1
    assert value["boxes"]
    assert value["evidence_ids"]
    code, out = run("values", "band_gap", "--material", "GaN")
    assert code == 0
    assert "3.40 eV (300 K)" in out or "3.4 eV (300 K)" in out
    assert "The band gap of GaN is 3.4 eV at 300 K" in out
    code, out = run("values", "Tc", "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert {"MgB2", "NbN"} <= {row["material"] for row in rows}
    assert {row["unit"] for row in rows} == {"K"}


def test_without_a_property_those_there_are_are_listed(run: Run) -> None:
    code, out = run("values", "--json")
    assert code == 0
    assert {"critical_temperature", "band_gap"} <= {item["id"] for item in json.loads(out)}


def test_the_disagreements_of_the_sample_papers_are_found(run: Run) -> None:
    code, out = run("disagreements", "--json")
    data = json.loads(out)
    assert code == 0
    assert [(item["material"], item["property"]) for item in data["disagreements"]] == [
        ("NbN", "critical_temperature"),
        ("NbN", "resistivity"),
    ]
    pair = data["disagreements"][0]["pairs"][0]
    assert (pair["first"]["value"], pair["second"]["value"]) == (11.8, 15.2)
    assert "11.8 K" in pair["first"]["quote"]
    assert [item["material"] for item in data["explained"]] == ["MgB2"]
    code, out = run("disagreements", "critical temperature")
    assert code == 0
    assert "NbN: 2 papers disagree on the critical temperature" in out
    assert "They differ by 22 %" in out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("values", "taste"), 1, "There is no property “taste”."),
        (("values", "band_gap", "--unit", "blorps"), 2, "“blorps” is not a unit that is known."),
        (("values", "band_gap", "--material", "unobtainium"), 1, "There is no material “unobtainium” in this library."),
        (("disagreements", "taste"), 1, "There is no property “taste”."),
        (("values", "band_gap", "--status", "refused"), 2, ""),
    ],
)
def test_what_is_wrong_is_said(run: Run, words: tuple[str, ...], code: int, said: str) -> None:
    ended, out = run(*words, "--json")
    assert ended == code
    assert said in json.loads(out)["error"]["message"]
