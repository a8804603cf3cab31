"""Calculators are general: any pack's formula, any way round, exact to what was given, and refused when it cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.library import Library
from minerva_desktop.questions import ask
from minerva_desktop.questions.calculating import Worked, work_out
from minerva_desktop.questions.citing import Citer
from minerva_desktop.questions.classifier import classify
from minerva_desktop.questions.figures import figures_of, figures_of_result, number_text, rounded_text
from minerva_desktop.questions.steps import steps_markdown, steps_text
from minerva_desktop.records import Step
from tests.calculator_packs import NUTRITION, PHYSICS, other_pack


@pytest.fixture(scope="module")
def domain() -> Domain:
    return load_domain("materials")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", create=True) as opened:
        yield opened


def worked(library: Library, domain: Domain, question: str) -> Worked:
    """The question worked out as ``ask`` does it, without anything in the library."""
    asked = classify(question, domain)
    assert asked.concepts, question
    return work_out(asked.concepts[0], question, asked.of_type("Material"), [], [], domain, Citer(library))


# ---------------------------------------------------------------------------------------------- other fields
@pytest.mark.parametrize(
    ("concepts", "question", "value", "unit"),
    [
        (
            NUTRITION,
            "How much energy do the macronutrients give: protein 20 g, carbohydrate 50 g, fat 10 g?",
            370,
            "kcal",
        ),
        (NUTRITION, "What is the body mass index for a mass of 70.0 kg and a height of 175 cm?", 22.86, "kg/m2"),
        (NUTRITION, "Which height has a body mass index of 22.86 kg/m2 for a mass of 70.0 kg?", 1.75, "m"),
        (PHYSICS, "What is the Larmor radius at a speed of 1.0e6 m/s in a field of 5.0 mT?", 1.137, "mm"),
        (PHYSICS, "Which magnetic field gives a Larmor radius of 1.137 mm at a speed of 1000 km/s?", 0.005, "T"),
        (PHYSICS, "What is the Compton shift at an angle of 90°?", 2.426, "pm"),
        (PHYSICS, "At what angle is the Compton shift 2.426 pm?", 90.0, "°"),
    ],
)
def test_formulas_of_other_fields_need_no_code(
    tmp_path: Path, library: Library, concepts: str, question: str, value: float, unit: str
) -> None:
    found = worked(library, other_pack(tmp_path / "pack", "other", concepts), question)
    assert found.problem == ""
    assert found.result is not None
    assert found.result.value == pytest.approx(value, rel=2e-3)
    assert found.result.unit == unit


@pytest.mark.parametrize(
    ("concepts", "question", "said"),
    [
        (NUTRITION, "What is the body mass index for a mass of -70 kg and a height of 1.75 m?", "must be above zero"),
        (NUTRITION, "What is the body mass index for a mass of 0 kg and a height of 1.75 m?", "must be above zero"),
        (NUTRITION, "What is the BMI for a mass of 900 kg and a height of 1.75 m?", "must be below 700 kg"),
        (NUTRITION, "What is the BMI for a mass of 70 m and a height of 1.75 m?", "must be given as a mass"),
        (
            PHYSICS,
            "What is the Larmor radius at a speed of 4e8 m/s in a field of 5 mT?",
            "must be above 0 m/s and below",
        ),
        (PHYSICS, "At what angle is the Compton shift 6 pm?", "cannot be calculated"),
    ],
)
def test_their_impossible_numbers_are_refused_too(
    tmp_path: Path, library: Library, concepts: str, question: str, said: str
) -> None:
    found = worked(library, other_pack(tmp_path / "pack", "other", concepts), question)
    assert said in found.problem
    assert found.refused
    assert found.result is None or not found.result.ok


# ------------------------------------------------------------------------------------------- the other way round
@pytest.mark.parametrize(
    ("question", "value", "unit"),
    [
        ("What band gap gives a photon wavelength of 364.7 nm?", 3.3996, "eV"),
        ("What lattice parameter gives a linear density of 2.126 nm⁻¹ along [111]?", 0.5431, "nm"),
        ("What lattice parameter gives a planar density of 7.83 nm⁻² for (111)?", 0.5431, "nm"),
        ("What band gap gives an electron promotion probability of 4.40e-10 at 298.15 K?", 1.107, "eV"),
        ("At which temperature is the electron promotion probability 9.16e-48 for a band gap of 5.6 eV?", 300, "K"),
        ("At what temperature is the vacancy density 2.2e21 m⁻³ with N = 8×10²⁸ m⁻³ and 0.9 eV?", 600, "K"),
        ("What emitter voltage gives a collector current of 13.9 mA, with I0 = 3.87 mA and B = 19.54 mV?", 25, "mV"),
    ],
)
def test_a_formula_answers_the_other_way_round(
    library: Library, domain: Domain, question: str, value: float, unit: str
) -> None:
    result = worked(library, domain, question).result
    assert result is not None
    assert result.value == pytest.approx(value, rel=5e-3)
    assert result.unit == unit


def test_a_rearranged_formula_says_so_in_its_steps(library: Library, domain: Domain) -> None:
    question = "What lattice parameter gives a linear density of 2.126 nm⁻¹ along [111]?"
    result = worked(library, domain, question).result
    assert result is not None
    told = [step.expression for step in result.steps]
    assert "LD = 2/(√3·a), solved for a" in told
    assert "a = 2/LD/√3" in told
    assert "a = 2/(2.126 nm⁻¹)/√3" in told


def test_a_value_that_the_question_gives_is_not_solved_for(library: Library, domain: Domain) -> None:
    result = worked(library, domain, "What photon wavelength belongs to the band gap of 3.4 eV?").result
    assert result is not None
    assert result.unit == "nm"


def test_no_root_of_a_rearranged_formula_is_made_up(library: Library, domain: Domain) -> None:
    found = worked(library, domain, "What band gap gives an electron promotion probability of 0.7 at 300 K?")
    assert found.problem.endswith("no band gap gives this probability of electron promotion.")


# ------------------------------------------------------------------------------------------------------ refusals
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the photon wavelength for a band gap of 3.4 K?",
         "The band gap Eg must be given as an energy, for example in eV, but “3.4 K” is a temperature."),
        ("What is the photon wavelength for 3.4 K?",
         "The band gap Eg must be given as an energy, for example in eV, but “3.4 K” is a temperature."),
        ("What is the photon wavelength for a band gap of 3.4?",
         "The band gap Eg needs a unit, such as eV, but “3.4” has none."),
        ("What is the photon wavelength for a band gap of 1.1 to 1.2 eV?",
         "“1.1 to 1.2 eV” are several values; the band gap Eg needs one."),
        ("What is the photon wavelength for a band gap < 3 eV?", "“< 3 eV” is a limit; the band gap Eg needs one value."),
        ("What is the photon wavelength for a band gap of 0 eV?",
         "The photon wavelength cannot be calculated: the band gap must be above zero, but 0 eV is given."),
        ("What is the photon wavelength for a band gap of -1.1 eV?",
         "The photon wavelength cannot be calculated: the band gap must be above zero, but -1.1 eV is given."),
        ("What is the photon wavelength for a band gap of 1e400 eV?",
         "“1e400” is too large to be the value of anything."),
        ("What is the electron promotion probability for a band gap of 1.1 eV at -5 K?",
         "“-5 K” cannot be used as the temperature T (a temperature below absolute zero)."),
        ("What is the electron promotion probability for a band gap of 1.1 eV at -300 °C?",
         "“-300 °C” cannot be used as the temperature T (a temperature below absolute zero)."),
        ("What is the electron promotion probability for a band gap of 1.1 eV at a temperature of 300 eV?",
         "The temperature T must be given as a temperature, for example in K, but “300 eV” is an energy."),
    ],
)  # fmt: skip
def test_a_number_that_cannot_be_is_refused_in_one_sentence(
    library: Library, domain: Domain, question: str, said: str
) -> None:
    answer = ask(library, domain, question)
    assert answer.answer == said
    assert answer.value is None
    assert not answer.found
    assert not answer.steps


def test_results_that_no_number_can_hold_are_refused(library: Library, domain: Domain) -> None:
    found = worked(library, domain, "What is the electron promotion probability for a band gap of 1.1 eV at 1 K?")
    assert "too large or too small" in found.problem


def test_what_lacks_is_asked_for_by_meaning_symbol_and_unit(library: Library, domain: Domain) -> None:
    assert worked(library, domain, "What is the photon wavelength of GaN?").problem == (
        "The photon wavelength cannot be calculated, because the band gap of GaN (Eg, in eV) is neither in your question "
        "nor in your library; please ask again with it."
    )
    assert "(N, in m⁻³) and the energy to make a vacancy (Ev, in eV) are" in (
        worked(library, domain, "How many vacancies are in copper at 1000 K?").problem
    )


def test_a_condition_beside_the_name_is_no_wrong_unit(library: Library, domain: Domain) -> None:
    found = worked(library, domain, "What is the photon wavelength for the band gap at 300 K of GaN?")
    assert "neither in your question nor in your library" in found.problem


# ----------------------------------------------------------------------------------------------- significant figures
@pytest.mark.parametrize(
    ("text", "si_value", "figures"),
    [
        ("1.107 eV", None, 4), ("0.9 eV", None, 1), ("0.5431 nm", None, 4), ("250 S/m", None, 3), ("3.40 eV", None, 3),
        ("8×10²⁸ m⁻³", None, 1), ("4.40e-10", None, 3), ("25 °C", 298.15, 3), ("25.0 °C", 298.15, 4), ("300 K", 300.0, 3),
        ("-40 °F", 233.15, 3), ("3,4 eV", None, 2), ("1,107,000 m", None, 7), ("no number", None, None), ("0 eV", None, 1),
    ],
)  # fmt: skip
def test_figures_of_written_numbers(text: str, si_value: float | None, figures: int | None) -> None:
    assert figures_of(text, si_value) == figures


@pytest.mark.parametrize(
    ("given", "figures"),
    [([4, 3], 3), ([1], 2), ([7, 3], 3), ([5], 5), ([9, 8], 6), ([4, 9], 4), ([None, 3], 3), ([None], 4), ([], 4)],
)
def test_a_result_is_as_exact_as_the_least_exact_value(given: list[int | None], figures: int) -> None:
    assert figures_of_result(given) == figures


@pytest.mark.parametrize(
    ("value", "figures", "text"),
    [
        (364.66, 2, "360"), (364.66, 4, "364.7"), (2.1, 3, "2.10"), (4.40467e-10, 3, "4.40 × 10⁻¹⁰"), (0, 3, "0"),
        (9.996, 3, "10.0"), (999999.9, 2, "1.0 × 10⁶"), (0.00012345, 3, "1.23 × 10⁻⁴"), (-0.0512, 2, "-0.051"),
    ],
)  # fmt: skip
def test_results_keep_the_zeros_that_they_have(value: float, figures: int, text: str) -> None:
    assert rounded_text(value, figures) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (364.6594, "364.7"), (4.40467e-10, "4.405 × 10⁻¹⁰"), (0, "0"), (3.4, "3.4"), (36279999.9, "3.628 × 10⁷"),
        (100, "100"), (3e7, "3 × 10⁷"),
    ],
)  # fmt: skip
def test_numbers_are_written_for_people(value: float, text: str) -> None:
    assert number_text(value) == text


def test_the_answer_is_rounded_in_words_and_exact_in_its_value(library: Library, domain: Domain) -> None:
    answer = ask(library, domain, "What is the photon wavelength for a band gap of 3.4 eV?")
    assert "is 360 nm to two significant figures (364.7 nm before rounding)" in answer.answer
    assert answer.value == pytest.approx(364.6594, rel=1e-6)
    assert answer.figures == 2
    assert "360 nm to 2 significant figures" in answer.steps[-1].expression
    exact = ask(library, domain, "What is the photon wavelength for a band gap of 1.107 eV?")
    assert "is 1120 nm, calculated as λ = h·c/Eg with Eg = 1.107 eV." in exact.answer
    assert exact.figures == 4


def test_the_steps_can_be_taken_along(library: Library, domain: Domain) -> None:
    answer = ask(library, domain, "What is the linear density along [111] with a lattice parameter of 0.5431 nm?")
    assert steps_text(answer.steps) == [
        "1. a (lattice parameter, given in the question) = 0.5431 nm",
        "2. LD = 2/(√3·a)",
        "3. LD = 2/(√3·(0.5431 nm))",
        "4. LD ≈ 2.126 nm⁻¹ to 4 significant figures, as a has; unrounded LD = 2.12613 nm⁻¹",
    ]
    assert steps_markdown(answer.steps).splitlines()[2] == "3. LD = 2/(√3·(0.5431 nm))"
    assert steps_markdown((Step("a_b*[c] | <d>"),)) == "1. a\\_b\\*\\[c\\] \\| \\<d\\>"
