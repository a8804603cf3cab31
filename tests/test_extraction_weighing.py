"""Statements that no pattern makes, how sure they are, and the names that a document gives to its materials."""

from __future__ import annotations

import pytest

from minerva_desktop.extraction.confidence import weights_of
from minerva_desktop.language.formulas import find_formulas
from tests.extraction_prose import pairs, read, values


def test_a_list_of_materials_in_one_use_is_stated_for_each() -> None:
    found = pairs("USED_IN", "LaMnO3 and LaCoO3 have been tested as cathodes for solid oxide fuel cells.")
    assert ("LaMnO3", "cathode") in found
    assert ("LaCoO3", "cathode") in found


def test_a_device_around_its_part_is_a_use_of_the_material() -> None:
    sentence = "The cell consisted of a Ni-YSZ functional anode and a YSZ electrolyte."
    assert ("Ni-YSZ", "anode") in pairs("USED_IN", sentence)
    assert ("yttria-stabilized zirconia", "electrolyte") in pairs("USED_IN", sentence)
    assert ("yttria-stabilized zirconia", "anode") not in pairs("USED_IN", sentence)


def test_every_statement_says_what_its_confidence_is_made_of() -> None:
    relations = read("GDC was used as electrolyte in solid oxide fuel cells.").relations
    used = next(item for item in relations if item.type == "USED_IN")
    names = [name for name, _ in used.features]
    assert used.rule == "used-in"
    assert "pattern:used-in" in names
    assert used.confidence == weights_of("USED_IN").confidence(names)
    assert "used" in used.triggers


def test_what_stands_far_apart_is_not_stated() -> None:
    sentence = (
        "While MgO crucibles were cleaned in acid, the detector that had been bought by the group was installed far away "
        "from the laboratory in a building with a large window."
    )
    assert pairs("USED_IN", sentence) == []


def test_the_material_of_the_sentence_before_is_meant_by_it() -> None:
    found = read("LaMnO3 was studied.", "It exhibits a high thermal stability.").relations
    stable = [item for item in found if item.type == "HAS_PROPERTY"]
    assert [(item.source.key[1], item.target.key[1]) for item in stable] == [("LaMnO3", "thermal stability")]
    assert stable[0].evidence.source_span is None  # the material does not stand in this sentence
    assert pairs("HAS_PROPERTY", "LaMnO3 and BaTiO3 were studied.", "It exhibits a high thermal stability.") == []


@pytest.mark.parametrize(
    "definition",
    [
        "Films of La0.6Sr0.4CoO3−δ (LSC) were grown.",
        "Films of LSC (La0.6Sr0.4CoO3−δ) were grown.",
        "Films of La0.6Sr0.4CoO3 − δ (LSC), 50 nm thick, were grown.",
    ],
)
def test_a_short_name_stands_for_the_formula_before_it(definition: str) -> None:
    found = values(definition, "LSC has a lattice parameter of 0.384 nm.")
    assert found[0][0].startswith("La0.6Sr0.4CoO3")


def test_a_short_name_must_be_made_of_the_elements() -> None:
    assert values("Films of BaTiO3 (PLD) were grown.", "PLD has a lattice parameter of 0.4 nm.") == []


def test_a_numbered_short_name_is_that_material() -> None:
    assert ("yttria-stabilized zirconia", "electrolyte") in pairs("USED_IN", "The 8YSZ electrolyte was dense.")


def test_the_cell_is_what_the_document_calls_a_cell() -> None:
    about = ["Solid oxide fuel cells are efficient.", "A fuel cell was built.", "A second fuel cell failed."]
    found = pairs("USED_IN", *about, "The GDC cell delivered power.")
    assert ("gadolinium-doped ceria", "fuel cell") in found
    assert pairs("USED_IN", "A fuel cell was built, like a fuel cell of old.", "ZnO was given to the cell line.") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("doped CeO210,11 and BaO13 were", ["CeO2", "BaO"]),
        ("reforming of CH41518 was", ["CH4"]),
        ("OsO4, P4O10 and KMnO4", ["OsO4", "P4O10", "KMnO4"]),
        ("(Ti(OC4H9)4) was added", ["Ti(OC4H9)4"]),
        ("nitrate (Ni(NO3)2*6H2O) was", ["Ni(NO3)2·6H2O"]),
        ("FeIII and BMo sites, (PCFCs)12345", []),
        ("the title SrCo1−xR", []),
        ("PO43− groups", []),
        ("the histone H2B and BH3", ["BH3"]),
        ("La2NiO4 + δ is", ["La2NiO4+δ"]),
    ],
)
def test_formulas_and_what_is_glued_to_them(text: str, found: list[str]) -> None:
    assert [item.formula.canonical for item in find_formulas(text) if len(item.formula.elements) > 1] == found


def test_elements_that_a_name_states() -> None:
    assert pairs("HAS_ELEMENT", "Gadolinium-doped ceria was used.") == [("gadolinium-doped ceria", "Gd")]
    assert ("Ni-YSZ", "Ni") in pairs("HAS_ELEMENT", "A Ni-YSZ cermet was used.")
    assert pairs("HAS_ELEMENT", "SrCo1−xNbxO3−δ is a perovskite.") == [
        ("SrCo1-xNbxO3-δ", symbol) for symbol in ("Co", "Nb", "O", "Sr")
    ]  # fmt: skip


def test_compounds_inside_a_composite_are_stated() -> None:
    found = pairs("HAS_FORMULA", "A NiO–YSZ composite was sintered.")
    assert found == [("NiO", "NiO")]
