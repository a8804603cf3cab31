"""The benchmark peers: what it says of another program that is there, of one that is not, and of one that breaks."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop import bench
from minerva_desktop.bench import _peer_chemistry, peers
from minerva_desktop.errors import UsageError

FAKE = Path(__file__).with_name("fake_peer.py")
MELTING = "ZrO2 has a melting point of 2715 °C."
CELL = "The cell with ZrO2 was measured at 0.7 V."


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """One short text of each kind that the benchmark reads, in the shapes of the corpora."""
    case = {"req": "It is 3 m long.", "res": [{"value": 3, "unit": "metre"}]}
    _write(tmp_path / "quantulum3" / "quantities.json", json.dumps([case]))
    measure = '<measure type="value"><num>3</num> <measure type="LENGTH" unit="m">m</measure></measure>'
    _write(
        tmp_path / "grobid-quantities" / "dataset" / "quantities" / "corpus" / "one.xml",
        f"<tei><text><p>The rod of {measure} was cut.</p></text></tei>",
    )
    phrase = (
        "<p><compound><names>ZrO2</names></compound><mp><raw_value>{}</raw_value><raw_units>°C</raw_units></mp></p>"
    )
    melting = {"test": "T.melting", "literals": {"s": MELTING, "expected": phrase.format("2715")}}
    folder = tmp_path / "peers" / "chemdataextractor2"
    _write(folder / "test_parse_mp.json", json.dumps({"cases": [melting]}))
    for name in ("test_parse_tg.json", "test_parse_template.json"):
        _write(folder / name, json.dumps({"cases": []}))
    corpus = tmp_path / "sofc-exp" / "sofc-exp-corpus"
    _write(corpus / "SOFC-Exp-Metadata.csv", "name\tset\none\tdev\n")
    _write(corpus / "texts" / "one.txt", CELL)
    _write(corpus / "annotations" / "sentences" / "one.csv", f"1\t1\t0\t{len(CELL)}\n")
    spans = {"EXPERIMENT:current_exp": "measured", "MATERIAL": "ZrO2", "VALUE": "0.7 V"}
    rows = [
        f"SPAN\t{number}\t{kind}\t1\t{CELL.index(words)}\t{CELL.index(words) + len(words)}"
        for number, (kind, words) in enumerate(spans.items(), 1)
    ]
    _write(corpus / "annotations" / "frames" / "one.csv", "\n".join(rows) + "\n")
    return tmp_path


@pytest.fixture
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for peer in (peers.QUANTULUM3, peers.CHEMDATAEXTRACTOR2):
        monkeypatch.delenv(peer.variable, raising=False)


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both programs are the test double, run by this Python."""
    for name in ("QUANTULUM3", "CHEMDATAEXTRACTOR2"):
        peer = getattr(peers, name)
        monkeypatch.setattr(peers, name, replace(peer, script=FAKE))
        monkeypatch.setenv(peer.variable, sys.executable)


def figures_of(data: Path) -> dict[str, Any]:
    result = bench.run("peers", data)
    assert set(result) == {"name", "n", "seconds", "figures"}
    figures: dict[str, Any] = result["figures"]
    return figures


@pytest.mark.usefixtures("no_environment")
def test_without_environments_our_figures_stand_and_each_peer_says_how_to_get_it(data: Path) -> None:
    figures = figures_of(data)
    assert figures["quantulum3"]["ours"]["own_cases"]["f1"] == 1.0
    assert figures["sofc_exp_materials"]["ours"]["materials"]["recall"] == 1.0
    for said in (figures["quantulum3"]["rules"], figures["chemdataextractor2_cases"]["given"]):
        assert said.startswith("not installed here: make an environment")
        assert "pip install" in said
    assert peers.QUANTULUM3.variable in figures["quantulum3"]["classifier"]


@pytest.mark.usefixtures("fakes")
def test_a_peer_that_answers_is_scored_and_timed_on_the_same_inputs(data: Path) -> None:
    figures = figures_of(data)
    numbers = figures["quantulum3"]["rules"]
    assert numbers["own_cases"]["f1"] == numbers["grobid_quantities"]["number_and_unit_as_written"]["f1"] == 1.0
    assert numbers["speed"]["sentences"] == 2
    assert numbers["speed"]["theirs_per_second"] == 1.0
    assert numbers["speed"]["times_faster"] > 10
    cases = figures["chemdataextractor2_cases"]["rules"]
    assert cases["links"] == {"gold": 1, "precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert figures["sofc_exp_materials"]["rules"]["materials"]["f1"] == 1.0
    assert figures["sofc_exp_values"]["rules"]["values"]["f1"] == 0.0  # "2715 °C" is nowhere in that sentence


@pytest.mark.usefixtures("fakes")
def test_what_a_peer_cannot_do_is_its_own_sentence(data: Path) -> None:
    figures = figures_of(data)
    assert figures["quantulum3"]["classifier"] == "The fake has no classifier."
    assert figures["chemdataextractor2_cases"]["models"] == "The fake has no models."


def test_an_environment_without_the_peer_is_a_clear_error(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(peers.QUANTULUM3.variable, sys.executable)  # this Python has no quantulum3
    with pytest.raises(UsageError, match="does not run quantulum3"):
        bench.run("peers", data)


@pytest.mark.parametrize(
    ("written", "unit", "value"),
    [
        ("77.2–77.5", "°C", ((77.2, 77.5), "°C")),
        ("84˜86", "°C", ((84.0, 86.0), "°C")),
        ("203.0 to 207.0", "° C", ((203.0, 207.0), "°C")),
        (">280", "°C.", ((280.0,), "°C")),
        ("∼-30", "°", ((-30.0,), "°C")),
        ("1100", "K", ((1100.0,), "K")),
    ],
)
def test_values_as_the_peer_writes_them(written: str, unit: str, value: _peer_chemistry.Value) -> None:
    assert _peer_chemistry.value_of(written, unit) == value
