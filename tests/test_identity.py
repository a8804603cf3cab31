"""Two names, one thing or two: what is suggested, what is refused, and that merging can be taken apart again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from minerva_desktop import cli
from minerva_desktop.errors import UsageError
from minerva_desktop.exchange import canonical_lines
from minerva_desktop.language.sameness import same_composition, same_word, why_distinct
from minerva_desktop.records import Entity
from minerva_desktop.settings import load_settings, save_settings
from minerva_desktop.workbench import Workbench
from tests.library_helpers import Shelf, fact_of, make_document

TWO_THINGS = (
    ("Co", "CO"), ("No", "NO"), ("La1.85Sr0.15CuO4", "La1.9Sr0.1CuO4"), ("La2-xSrxCuO4", "La1.85Sr0.15CuO4"),
    ("LSM20", "LSM25"), ("C11000", "C12000"), ("304 steel", "304L steel"), ("10B", "11B"), ("¹⁰B", "¹¹B"), ("D2O", "H2O"),
    ("α-Fe", "γ-Fe"), ("Fe", "α-Fe"), ("4H-SiC", "6H-SiC"), ("SiC", "4H-SiC"), ("h-BN", "c-BN"),
    ("anatase TiO2", "rutile TiO2"), ("TiO2", "rutile TiO2"), ("n-type GaN", "p-type GaN"), ("n-GaN", "p-GaN"),
    ("Mg-doped GaN", "undoped GaN"), ("Mg-doped GaN", "Si-doped GaN"), ("Mg-doped GaN", "GaN"), ("GaN:Mg", "GaN"),
)  # fmt: skip
ONE_WORD = (
    ("solar cells", "solar cell"), ("thin-film transistor", "Thin film transistor"), ("aluminium foam", "aluminum foam"),
    ("photoluminescence", "photoluminesence"), ("perovskite", "perovksite"), ("alpha-iron", "α-iron"),
)  # fmt: skip
LIKE_WORDS = (
    ("gallium nitride", "gallium nitrite"), ("ferromagnetic", "ferrimagnetic"), ("polysilicon", "polysilicone"),
    ("ethane gas", "ethene gas"), ("sulfide glass", "sulfite glass"), ("phonon drag", "photon drag"),
)  # fmt: skip


@pytest.mark.parametrize(("one", "other"), TWO_THINGS)
def test_two_things_are_told_apart_in_either_order(one: str, other: str) -> None:
    assert why_distinct(one, other)
    assert why_distinct(other, one) == why_distinct(one, other)
    assert not same_word(one, other)
    assert not same_composition(one, other)


@pytest.mark.parametrize(("one", "other"), ONE_WORD)
def test_two_spellings_of_one_word_are_seen(one: str, other: str) -> None:
    assert same_word(one, other)
    assert same_word(other, one) == same_word(one, other)


@pytest.mark.parametrize(("one", "other"), LIKE_WORDS)
def test_words_that_only_look_alike_are_not_suggested(one: str, other: str) -> None:
    assert not same_word(one, other)


def test_a_formula_in_another_order_is_the_same_composition() -> None:
    assert same_composition("B2Mg", "MgB2")
    assert not same_composition("C2H6O", "CH3OCH3")  # isomers: nothing is said of them


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    save_settings({"embeddings": False})
    with Workbench(tmp_path / "library", load_settings()) as opened:
        yield opened


def read(bench: Workbench, folder: Path, name: str, sentence: str, material: str, value: float) -> str:
    """A paper of one sentence that states a value of a material, spelt as it is."""
    shelf = Shelf(bench.library, folder)
    paper = shelf.add(name, sentence, document=make_document(sentence))
    finding = fact_of(sentence, material, value)
    bench.library.catalog.put_findings(paper, [finding], [Entity("Material", material, material)])
    bench._decide_all()
    return paper


def gaps(bench: Workbench) -> dict[str, int]:
    """How many papers state a band gap, by material."""
    return {fact.source.key[1]: len(fact.papers) for fact in bench.facts()}


def test_pairs_are_suggested_with_their_reasons_and_stay_dismissed(bench: Workbench, tmp_path: Path) -> None:
    read(bench, tmp_path, "a.txt", "Lanthanum strontium cobaltite (LSC) has a gap of 1.1 eV.", "LSC", 1.1)
    read(bench, tmp_path, "b.txt", "Lanthanum strontium cobaltite is 1.1 eV.", "Lanthanum strontium cobaltite", 1.1)
    read(bench, tmp_path, "c.txt", "The gap of B2Mg is 2 eV.", "B2Mg", 2.0)
    read(bench, tmp_path, "d.txt", "The gap of MgB2 is 2 eV.", "MgB2", 2.0)
    read(bench, tmp_path, "e.txt", "The gap of LSM20 is 3 eV.", "LSM20", 3.0)
    read(bench, tmp_path, "f.txt", "The gap of LSM25 is 3 eV.", "LSM25", 3.0)
    found = {frozenset((item.name, item.into)): item for item in bench.entity_suggestions()}
    assert set(found) == {frozenset(("LSC", "Lanthanum strontium cobaltite")), frozenset(("B2Mg", "MgB2"))}
    assert found[frozenset(("B2Mg", "MgB2"))].kinds[0] == "composition"
    assert "defines “LSC”" in found[frozenset(("LSC", "Lanthanum strontium cobaltite"))].reasons[0]
    bench.dismiss_pair("LSC", "Lanthanum strontium cobaltite")
    assert [item.type for item in bench.entity_suggestions()] == ["Material"]
    bench.undo()
    assert len(bench.entity_suggestions()) == 2


def test_what_is_two_things_is_not_merged(bench: Workbench, tmp_path: Path) -> None:
    read(bench, tmp_path, "a.txt", "The gap of LSM20 is 3 eV.", "LSM20", 3.0)
    read(bench, tmp_path, "b.txt", "The gap of LSM25 is 3 eV.", "LSM25", 3.0)
    with pytest.raises(UsageError, match="numbers in their names differ"):
        bench.merge_entities("LSM20", "LSM25")
    with pytest.raises(UsageError, match="two kinds"):
        bench.merge_entities("LSM20", "3 eV")


def test_a_merge_is_taken_apart_also_after_other_papers_were_read(bench: Workbench, tmp_path: Path) -> None:
    read(bench, tmp_path, "a.txt", "The gap of gallium nitride is 3.4 eV.", "gallium nitride", 3.4)
    read(bench, tmp_path, "b.txt", "The gap of GaN is 3.4 eV.", "GaN", 3.4)
    apart = list(canonical_lines(bench.library))
    bench.merge_entities("gallium nitride", "GaN")
    assert gaps(bench) == {"GaN": 2}
    assert bench.entity("gallium nitride") == ("Material", "gallium nitride")
    bench.split_entity("gallium nitride")
    assert list(canonical_lines(bench.library)) == apart
    bench.undo()
    read(bench, tmp_path, "c.txt", "Here the gap of gallium nitride is 3.4 eV.", "gallium nitride", 3.4)
    read(bench, tmp_path, "d.txt", "Here the gap of GaN is 3.4 eV.", "GaN", 3.4)
    assert gaps(bench) == {"GaN": 4}
    bench.split_entity("gallium nitride")
    assert gaps(bench) == {"GaN": 2, "gallium nitride": 2}
    bench.library.project()
    assert [check for check in bench.audit().checks if check.critical and not check.ok] == []
    assert bench.history(1)[0]["label"].startswith(("Took “gallium nitride” out of “GaN” again", "Decided"))


def test_the_command_line_merges_and_lists(
    bench: Workbench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read(bench, tmp_path, "c.txt", "The gap of B2Mg is 2 eV.", "B2Mg", 2.0)
    read(bench, tmp_path, "d.txt", "The gap of MgB2 is 2 eV.", "MgB2", 2.0)
    bench.close()
    library = ["--library", str(tmp_path / "library"), "--json", "entities"]

    def said(*words: str) -> object:
        assert cli.main([*library, *words]) == 0
        return json.loads(capsys.readouterr().out)

    (pair,) = said("suggest")
    assert pair["reasons"]
    said("merge", pair["name"], pair["into"])
    assert said("suggest") == []
    assert said("merged") == [{"type": "Material", "name": pair["name"], "into": pair["into"]}]
    said("split", pair["name"])
    assert said("merged") == []
    said("dismiss", "B2Mg", "MgB2")
    assert said("suggest") == []
