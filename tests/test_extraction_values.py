"""Measured facts from prose: the right value of the right property of the right material, with its circumstances."""

from __future__ import annotations

import pytest

from tests.extraction_prose import read, values


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The band gap of GaN is 3.4 eV.", [("GaN", "band_gap", "3.4 eV")]),
        ("Silicon has a band gap of 1.107 eV.", [("Si", "band_gap", "1.107 eV")]),
        ("MgB2 is a superconductor with a critical temperature of 39 K.", [("MgB2", "critical_temperature", "39 K")]),
        ("NbN, with a Tc of 16 K, was chosen.", [("NbN", "critical_temperature", "16 K")]),
        ("ZnO, whose band gap is 3.37 eV, was studied.", [("ZnO", "band_gap", "3.37 eV")]),
        ("With a band gap of 1.42 eV, GaAs absorbs red light.", [("GaAs", "band_gap", "1.42 eV")]),
        ("A Vickers hardness of 38 GPa was measured for B4C.", [("B4C", "hardness", "38 GPa")]),
        ("The lattice parameter of Si is a = 5.431 Å.", [("Si", "lattice_parameter", "5.431 Å")]),
        ("The refractive index of ZnO is 2.0.", [("ZnO", "refractive_index", "2.0")]),
        ("We studied GaN and found that its band gap was 3.39 eV.", [("GaN", "band_gap", "3.39 eV")]),
        (
            "The activation energy (Ea = 0.53 eV) of the CeO2 ceramic is low.",
            [("CeO2", "activation_energy", "0.53 eV")],
        ),
        (
            "This 316L stainless steel has a yield strength of 205 MPa.",
            [("stainless steel 316L", "yield_strength", "205 MPa")],
        ),
    ],
)
def test_one_value_finds_its_property_and_material(sentence: str, expected: list[tuple[str, str, str]]) -> None:
    assert values(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "The Tc was 39 K for MgB2 and 16 K for NbN.",
            [("MgB2", "critical_temperature", "39 K"), ("NbN", "critical_temperature", "16 K")],
        ),
        (
            "The band gaps of GaN (3.4 eV) and AlN (6.2 eV) differ.",
            [("GaN", "band_gap", "3.4 eV"), ("AlN", "band_gap", "6.2 eV")],
        ),
        (
            "The band gaps of GaN and AlN are 3.4 and 6.2 eV, respectively.",
            [("GaN", "band_gap", "3.4 eV"), ("AlN", "band_gap", "6.2 eV")],
        ),
        (
            "AlN has a thermal conductivity of 285 W/(m K), whereas that of GaN is only 130 W/(m K).",
            [("AlN", "thermal_conductivity", "285 W/(m K)"), ("GaN", "thermal_conductivity", "130 W/(m K)")],
        ),
        (
            "MgB2 (39 K) has a much higher Tc than Nb3Sn (18 K).",
            [("MgB2", "critical_temperature", "39 K"), ("Nb3Sn", "critical_temperature", "18 K")],
        ),
        (
            "The electron and hole mobilities of Si are 1400 and 450 cm2/(V s), respectively.",
            [("Si", "electron_mobility", "1400 cm2/(V s)"), ("Si", "hole_mobility", "450 cm2/(V s)")],
        ),
        (
            "Polyimide has a glass transition temperature of 360 °C and a tensile strength of 231 MPa.",
            [("polyimide", "glass_transition_temperature", "360 °C"), ("polyimide", "tensile_strength", "231 MPa")],
        ),
    ],
)
def test_lists_and_comparisons_are_taken_apart(sentence: str, expected: list[tuple[str, str, str]]) -> None:
    assert values(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Unlike GaN, AlN shows a 6.2 eV gap.",
        "In contrast to GaN, the band gap of AlN is 6.2 eV.",
        "Compared with GaN, AlN has a wider band gap of 6.2 eV.",
    ],
)
def test_the_material_of_a_comparison_is_not_the_subject(sentence: str) -> None:
    assert values(sentence) == [("AlN", "band_gap", "6.2 eV")]


@pytest.mark.parametrize(
    "sentence",
    [
        "A 40 nm thick NbN film was sputtered at 800 °C on MgO.",
        "GaN and AlN were compared and a gap of 4.0 eV was assumed.",
        "The cell with a GDC electrolyte reached an open circuit voltage of 1.07 V.",
        "The sample has a porosity of 30%.",
        "The particles were heated to 700 °C for 5 h in air.",
        "The Tc of MgB2 is reduced from 39 K to 33 K by carbon doping.",
        "Is the band gap of GaN really 3.4 eV?",
        "See Table 2 and Fig. 3 for the band gap of GaN.",
    ],
)
def test_settings_sizes_and_unclear_subjects_are_no_facts(sentence: str) -> None:
    assert values(sentence) == []


def test_a_value_beyond_what_is_possible_is_dropped_with_a_reason() -> None:
    result = read("The band gap of GaN is 340 eV.")
    assert [relation.type for relation in result.relations if relation.type == "HAS_VALUE"] == []
    assert any(reason.startswith("out of range") for _, reason in result.dropped)


def test_conditions_go_with_the_value_they_stand_behind() -> None:
    result = read("The ionic conductivity of CeO2 is 0.01 S/cm at 600 °C in air and increases to 0.05 S/cm at 800 °C.")
    facts = [relation for relation in result.relations if relation.type == "HAS_VALUE"]
    found = [{item.name: item.text for item in relation.conditions} for relation in facts]
    assert found == [{"temperature": "600 °C", "atmosphere": "air"}, {"temperature": "800 °C"}]
    assert facts[0].conditions[0].si_value == pytest.approx(873.15)


def test_a_list_of_values_over_a_list_of_temperatures_is_one_fact_each() -> None:
    result = read("The conductivity of GDC is 0.01, 0.025 and 0.054 S/cm at 500, 600 and 700 °C, respectively.")
    facts = [relation for relation in result.relations if relation.type == "HAS_VALUE"]
    assert [(relation.target.name, relation.conditions[0].text) for relation in facts] == [
        ("0.01 S/cm", "500 °C"),
        ("0.025 S/cm", "600 °C"),
        ("0.054 S/cm", "700 °C"),
    ]


def test_a_share_in_the_name_is_a_composition() -> None:
    result = read("The ionic conductivity of 8 mol% yttria-stabilized zirconia reaches 0.16 S/cm at 1000 °C.")
    fact = next(relation for relation in result.relations if relation.type == "HAS_VALUE")
    assert fact.source.canonical == "yttria-stabilized zirconia"
    assert {item.name: item.text for item in fact.conditions} == {"temperature": "1000 °C", "composition": "8 mol%"}


def test_how_it_was_measured_is_kept() -> None:
    result = read("The band gap of ZnO was 3.3 eV, as determined by UV-vis spectroscopy.")
    fact = next(relation for relation in result.relations if relation.type == "HAS_VALUE")
    assert fact.method == "UV-vis spectroscopy"


def test_a_pronoun_takes_the_only_material_of_the_sentence_before_with_little_confidence() -> None:
    result = read("MgB2 films were grown by sputtering.", "The films exhibit a critical temperature of 38 K.")
    fact = next(relation for relation in result.relations if relation.type == "HAS_VALUE")
    assert fact.source.canonical == "MgB2"
    assert fact.confidence < 0.5
    assert fact.evidence.source_span is None


def test_a_pronoun_after_two_materials_takes_none() -> None:
    result = read("MgB2 films were grown on sapphire.", "The films exhibit a critical temperature of 38 K.")
    assert [relation for relation in result.relations if relation.type == "HAS_VALUE"] == []


@pytest.mark.parametrize(
    ("sentence", "modality"),
    [
        ("The band gap of GaN is 3.4 eV.", "reported"),
        ("SiC should have a band gap of 3.2 eV.", "hypothetical"),
        ("The band gap of GaN is predicted to be 3.4 eV.", "hypothetical"),
        ("GaN may exhibit a band gap of 3.4 eV.", "hypothetical"),
        ("Kim et al. reported a band gap of 3.4 eV for GaN.", "cited"),
        ("GaN has a band gap of 3.4 eV [12].", "cited"),
        ("In this work we found a band gap of 3.4 eV for GaN, close to earlier reports [12].", "reported"),
        ("GaN does not have a band gap of 3.4 eV.", "negated"),
    ],
)
def test_how_it_is_said(sentence: str, modality: str) -> None:
    facts = [relation for relation in read(sentence).relations if relation.type == "HAS_VALUE"]
    assert [relation.modality for relation in facts] == [modality]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("GaN melts at 2500 °C.", ("GaN", "melting_point")),
        ("The m.p. of GaN is 2500 °C.", ("GaN", "melting_point")),
        ("ZnO (mp 1975 °C) was used.", ("ZnO", "melting_point")),
        ("CaCO3 decomposes at 840 °C.", ("CaCO3", "decomposition_temperature")),
        ("Films were made on SnO2 (resistivity: 14 mΩ cm, Nippon Glass) by printing.", ("SnO2", "resistivity")),
        ("Fine NiO particles (surface area between 13 and 46 m2/g) were used.", ("NiO", "surface_area")),
    ],
)
def test_values_behind_verbs_and_in_brackets(sentence: str, expected: tuple[str, str]) -> None:
    assert [item[:2] for item in values(sentence)] == [expected]


def test_ice_that_melts_has_no_melting_point() -> None:
    assert values("ZnO melts slowly.") == []
