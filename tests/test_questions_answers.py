"""What a person reads first: the value under the conditions asked, the conclusion of a comparison, or a refusal."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.library import Library
from tests.questions_support import add_book, add_paper, ask

SPUTTERED = (
    "TaN films were deposited by reactive sputtering on sapphire at 450 °C. "
    "The resistivity of TaN is 250 µΩ·cm at 20 K. The resistivity of TaN is 310 µΩ·cm at 300 K. "
    "The hardness of TaN is 30 GPa. TaN films count photons well. Their timing jitter is 42 ps."
)
ABLATED = (
    "TaN films were grown by pulsed laser deposition on MgO at 700 °C. The hardness of TaN is 22 GPa. "
    "The critical temperature of TaN is 8.1 K at a thickness of 50 nm."
)
BOOK = (
    "The density of osmium (Os) is 22.59 g/cm³. The density of copper (Cu) is 8960 kg/m³.\n\n"
    "Tantalum (Ta) is used in surgical clips. The melting point of tantalum (Ta) is 3017 °C. "
    "The melting point of copper (Cu) is 1085 °C.\n\n"
    "Manganese oxide (MnO) is antiferromagnetic. Zinc (Zn) is an acceptor in gallium arsenide (GaAs). "
    "Wires of magnesium diboride (MgB2) are made by the powder-in-tube process.\n\n"
    "The band gap of indium phosphide (InP) is 1.34 eV. The band gap of zinc sulfide (ZnS) is 3.68 eV. "
    "The band gap of diamond is 5.5 eV."
)


@pytest.fixture(scope="module")
def domain() -> Domain:
    return load_domain("materials")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, domain: Domain) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("answers") / "library", create=True, domain=domain) as opened:
        add_paper(opened, domain, SPUTTERED, "Tantalum nitride by sputtering", "accepted")
        add_paper(opened, domain, ABLATED, "Tantalum nitride by ablation", "waiting")
        add_book(opened, BOOK)
        yield opened


def first(library: Library, domain: Domain, question: str) -> str:
    answer = ask(library, domain, question)
    assert answer.found, answer.answer
    return answer.sentences[0].text


# --------------------------------------------------------------------------------------------------- conditions
@pytest.mark.parametrize(
    ("question", "there", "absent"),
    [
        ("What is the resistivity of TaN at 20 K?", "250 µΩ", "310"),
        ("What is the resistivity of TaN at room temperature?", "310 µΩ", "250"),
        ("What is the hardness of TaN made by pulsed laser deposition?", "22 GPa", "30 GPa"),
        ("What is the hardness of TaN made by reactive sputtering?", "30 GPa", "22 GPa"),
    ],
)
def test_the_conditions_of_a_question_choose_the_value(
    library: Library, domain: Domain, question: str, there: str, absent: str
) -> None:
    text = first(library, domain, question)
    assert there in text
    assert absent not in text


def test_papers_that_disagree_are_both_told(library: Library, domain: Domain) -> None:
    text = ask(library, domain, "What is the hardness of TaN?").answer
    assert "30 GPa" in text
    assert "22 GPa" in text
    assert "26 GPa" not in text


def test_a_value_under_other_conditions_is_no_answer_but_is_named(library: Library, domain: Domain) -> None:
    answer = ask(library, domain, "What is the critical temperature of TaN with a thickness of 5 nm?")
    assert not answer.found
    assert answer.answer.startswith("Not in your library")
    assert "8.1 K" in answer.answer


# ----------------------------------------------------------------------------------- the sentence that answers
@pytest.mark.parametrize(
    ("question", "there"),
    [
        ("At what temperature was TaN grown by pulsed laser deposition?", "700 °C"),
        ("At which temperature were TaN films deposited by reactive sputtering?", "450 °C"),
        ("How large is the timing jitter of the TaN films?", "42 ps"),
        ("Which element is an acceptor in gallium arsenide?", "Zinc (Zn)"),
        ("By which process are wires of magnesium diboride made?", "powder-in-tube"),
        ("What kind of magnetism does MnO show?", "antiferromagnetic"),
        ("How dense is osmium?", "22.59 g/cm³"),
    ],
)
def test_what_answers_is_said_first(library: Library, domain: Domain, question: str, there: str) -> None:
    assert there in first(library, domain, question)


def test_a_described_material_is_found_before_its_property(library: Library, domain: Domain) -> None:
    answer = ask(library, domain, "At what temperature does the metal melt that is used in surgical clips?")
    assert "3017 °C" in answer.sentences[0].text
    assert "surgical clips" in answer.sentences[1].text  # how the metal was found
    assert "Cu" not in answer.answer


# --------------------------------------------------------------------------------------------------- comparisons
@pytest.mark.parametrize(
    ("question", "winner"),
    [
        ("Is copper denser than osmium?", "Os has the higher density"),
        ("Which has the lower band gap, ZnS or InP?", "InP has the lower band gap"),
        ("Which material has the smallest band gap?", "InP (1.34 eV) has the lowest band gap"),
        (
            "Which growth method gave the harder TaN, reactive sputtering or pulsed laser deposition?",
            "reactive sputtering",
        ),
    ],
)
def test_comparisons_conclude_from_whatever_holds_the_values(
    library: Library, domain: Domain, question: str, winner: str
) -> None:
    assert winner in first(library, domain, question)


def test_units_are_converted_before_values_are_compared(library: Library, domain: Domain) -> None:
    text = first(library, domain, "Which has the higher density, copper or osmium?")
    assert text.startswith("Os has the higher density: Os 22.59 g/cm3 against Cu 8.96 g/cm3")


def test_a_comparison_with_nothing_to_compare_says_what_is_missing(library: Library, domain: Domain) -> None:
    answer = ask(library, domain, "Which has the larger band gap, InP or Cs2AgBiBr6?")
    assert not answer.found
    assert "InP" in answer.answer
    assert "not that of Cs2AgBiBr6" in answer.answer


def test_bounds_filter_and_count(library: Library, domain: Domain) -> None:
    text = first(library, domain, "Which materials have a band gap above 3000 meV?")
    assert "2 materials have a band gap above 3000 meV: diamond (5.5 eV) and ZnS (3.68 eV)" in text
    assert "1 material has" in first(library, domain, "How many materials have a band gap below 2 eV?")


# ------------------------------------------------------------------------------------------------------ refusals
@pytest.mark.parametrize(
    "question",
    [
        "What is the band gap of methylammonium lead iodide?",
        "What is the timing jitter of tungsten silicide detectors?",
        "Who made the TaN films?",
        "In which year was TaN first made?",
        "What is the melting point of the metal that is used in church bells?",
        "How hard is InP?",
    ],
)
def test_what_is_not_there_is_refused_without_a_number(library: Library, domain: Domain, question: str) -> None:
    answer = ask(library, domain, question)
    assert not answer.found
    assert answer.answer.startswith("Not in your library")
    assert answer.value is None


def test_a_refusal_names_what_is_nearest(library: Library, domain: Domain) -> None:
    text = ask(library, domain, "What is the band gap of GaAs?").answer
    assert text.startswith("Not in your library")
    assert "the band gap of" in text
    assert "1.34" not in text


def test_a_title_is_no_fact(library: Library, domain: Domain) -> None:
    add_paper(library, domain, "Wide band gap of boron nitride BN. The work is about films.", "Wide band gap of boron nitride BN", "accepted")  # fmt: skip # noqa: E501
    assert not ask(library, domain, "What is the band gap of BN?").found
