"""What a person means: a unit for the answer, yes or no, a name that is nearly right, a question that goes on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.library import Library
from minerva_desktop.questions import ask as put
from minerva_desktop.questions.followups import whole_question
from minerva_desktop.records import Answer
from tests.questions_support import BOOK, DIBORIDE, NITRIDES, OTHER, WORDS_ONLY, add_book, add_paper


@pytest.fixture(scope="module")
def pack() -> Domain:
    return load_domain("materials")


@pytest.fixture(scope="module")
def nitrides(tmp_path_factory: pytest.TempPathFactory, pack: Domain) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("meant") / "library", create=True, domain=pack) as opened:
        add_paper(opened, pack, NITRIDES, "Nitrides", "accepted")
        add_paper(opened, pack, DIBORIDE, "Diboride", "accepted")
        add_paper(opened, pack, OTHER, "Another view", "waiting")
        add_book(opened, BOOK)
        yield opened


def ask(library: Library, domain: Domain, question: str, after: str = "") -> Answer:
    answer = put(library, domain, question, settings=WORDS_ONLY, after=after)
    assert all(item.citations for item in answer.sentences)
    assert answer.question == question
    return answer


# ---------------------------------------------------------------------------------------------------------- units
@pytest.mark.parametrize(
    ("question", "told", "value", "unit"),
    [
        ("What is the critical temperature of MgB2 in °C?", "-234 °C (printed as 39 K)", -234.0, "°C"),
        ("What is the band gap of AlN in meV?", "6200 meV (printed as 6.2 eV)", 6200.0, "meV"),
        ("What is the band gap of AlN (in J)?", "9.93 × 10⁻¹⁹ J (printed as 6.2 eV)", 9.93e-19, "J"),
        ("How many kelvin is the critical temperature of MgB2?", "39 K", 39.0, "kelvin"),
        ("What is the lattice parameter of silicon in Å?", "5.431 Å (printed as 0.5431 nm)", 5.431, "Å"),
    ],
)
def test_an_answer_is_told_in_the_unit_that_was_asked_and_as_it_is_printed(
    nitrides: Library, pack: Domain, question: str, told: str, value: float, unit: str
) -> None:
    answer = ask(nitrides, pack, question)
    assert told in answer.sentences[0].text
    assert answer.value == pytest.approx(value)
    assert answer.unit == unit


def test_a_unit_that_does_not_measure_the_thing_changes_nothing(nitrides: Library, pack: Domain) -> None:
    assert "6.2 eV" in ask(nitrides, pack, "What is the band gap of AlN in kelvin?").answer


def test_a_calculated_value_is_told_in_the_unit_that_was_asked(nitrides: Library, pack: Domain) -> None:
    answer = ask(nitrides, pack, "Calculate the photon wavelength for a band gap of 2.00 eV in µm")
    assert answer.unit == "µm"
    assert answer.value == pytest.approx(0.61992, rel=1e-4)
    assert answer.steps[-1].unit == "µm"


# ------------------------------------------------------------------------------------------------------ yes or no
@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Is the band gap of AlN larger than 3 eV?", "Yes: the band gap of AlN is 6.2 eV"),
        ("Is the band gap of AlN below 5 eV?", "No: the band gap of AlN is 6.2 eV"),
        ("Is the band gap of AlN between 6 and 7 eV?", "Yes: "),
        ("Is the critical temperature of MgB2 39 K?", "Yes: "),
        ("Is the critical temperature of MgB2 45 K?", "No: "),
        ("Is the critical temperature of MgB2 higher than that of NbN?", "Yes: MgB2 has the higher"),
        ("Does NbN have a higher critical temperature than MgB2?", "No: MgB2 has the higher"),
        ("Is the band gap of GaN larger than 3.3 eV?", "The sources disagree: yes by the band gap of GaN of 3.4 eV"),
        ("Is GaN used in LEDs?", "Yes: GaN is used in blue LED"),
        ("Is GaN grown by MOCVD?", "Yes: GaN is made by MOCVD"),
        ("Does MgB2 contain boron?", "Yes: MgB2 contains the element B"),
        ("Is the band gap of InP larger than 1 eV?", "Yes: the band gap of InP is 1.34 eV"),
    ],
)
def test_a_question_for_yes_or_no_is_answered_so(nitrides: Library, pack: Domain, question: str, start: str) -> None:
    answer = ask(nitrides, pack, question)
    assert answer.found, answer.answer
    assert answer.sentences[0].text.startswith(start)


@pytest.mark.parametrize("question", ["Is GaN used in dental fillings?", "Is GaN made by sintering?"])
def test_that_nothing_says_so_is_no_no(nitrides: Library, pack: Domain, question: str) -> None:
    answer = ask(nitrides, pack, question)
    assert not answer.found
    assert "nothing there says so, and nothing denies it" in answer.answer


def test_a_choice_between_two_is_no_question_for_yes_or_no(nitrides: Library, pack: Domain) -> None:
    answer = ask(nitrides, pack, "Is the critical temperature of MgB2 or of NbN higher?")
    assert answer.sentences[0].text.startswith("MgB2 has the higher critical temperature")


# ----------------------------------------------------------------------------------------------------- near misses
@pytest.mark.parametrize(
    ("question", "understood", "told"),
    [
        ("What is the band gap of galium nitride?", "What is the band gap of gallium nitride?", "3.4 eV"),
        ("What is the critcal temperature of MgB2?", "What is the critical temperature of MgB2?", "39 K"),
        ("What is the band gap of aln?", "What is the band gap of AlN?", "6.2 eV"),
        ("critical tempertaure of mgb2", "critical temperature of MgB2", "39 K"),
    ],
)
def test_a_slip_is_read_as_the_name_and_said_so(
    nitrides: Library, pack: Domain, question: str, understood: str, told: str
) -> None:
    answer = ask(nitrides, pack, question)
    assert answer.understood == understood
    assert "was read as" in answer.answer
    assert told in answer.answer


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("What is the critical temperature of MgB3?", "What is the critical temperature of MgB2?"),
        ("What is the band gap of gallium nitrite?", "What is the band gap of gallium nitride?"),
        ("What is the lattice parameter of silcon?", "What is the lattice parameter of silicon?"),
    ],
)
def test_what_may_be_another_thing_is_only_asked(nitrides: Library, pack: Domain, question: str, meant: str) -> None:
    answer = ask(nitrides, pack, question)
    assert not answer.found
    assert not answer.understood
    assert meant in answer.suggestions
    assert "Did you mean" in answer.answer


@pytest.mark.parametrize(
    "question",
    [
        "What is the band gap of orGANic semiconductors?",
        "What is the symmetry group SU(2)?",
        "Which uses has a gangue mineral?",
        "What is the band gap of GaN?",
        "What is known about mirrors of telescopes?",
    ],
)
def test_names_inside_other_words_are_not_meant(nitrides: Library, pack: Domain, question: str) -> None:
    assert not ask(nitrides, pack, question).understood


# ------------------------------------------------------------------------------------------------------ follow-ups
GAP = "What is the band gap of GaN?"


@pytest.mark.parametrize(
    ("before", "text", "whole"),
    [
        (GAP, "and of AlN?", "What is the band gap of AlN?"),
        (GAP, "AlN?", "What is the band gap of AlN?"),
        (GAP, "what about its critical temperature?", "What is the critical temperature of GaN?"),
        (GAP, "and the lattice parameter?", "What is the lattice parameter of GaN?"),
        (GAP, "and at 77 K?", "What is the band gap of GaN at 77 K?"),
        ("What is the band gap of GaN at 300 K?", "and at 77 K?", "What is the band gap of GaN at 77 K?"),
        ("What is the band gap of GaN at room temperature?", "at 77 K?", "What is the band gap of GaN at 77 K?"),
        (GAP, "in meV?", "What is the band gap of GaN in meV?"),
        (GAP, "and of AlN at 77 K?", "What is the band gap of AlN at 77 K?"),
        (GAP, "and of AlN in meV?", "What is the band gap of AlN in meV?"),
        ("Is the band gap of GaN larger than 3 eV?", "why?", "Why is the band gap of GaN larger than 3 eV?"),
        (GAP, "where is it used?", "Where is GaN used?"),
        (GAP, "How is it made?", "How is GaN made?"),
        (GAP, "is it larger than 3 eV?", "Is the band gap of GaN larger than 3 eV?"),
        (GAP, "is it larger than that of AlN?", "Is the band gap of GaN larger than that of AlN?"),
        (GAP, "Which method was used?", "Which method was used for GaN?"),
        ("What is GaN used in?", "and MgB2?", "What is MgB2 used in?"),
        ("Which has the larger band gap, GaN or AlN?", "and GaN or ZnO?", "Which has the larger band gap, GaN or ZnO?"),
        (
            "Which has the larger band gap, GaN or AlN?",
            "the higher hardness?",
            "Which has the higher hardness, GaN or AlN?",
        ),
        (
            "What is the hardness of TaN made by MBE?",
            "and by sputtering?",
            "What is the hardness of TaN made by sputtering?",
        ),
    ],
)
def test_a_question_that_goes_on_is_made_whole(pack: Domain, before: str, text: str, whole: str) -> None:
    assert whole_question(text, before, pack) == whole


@pytest.mark.parametrize(
    "text",
    [
        "What is the critical temperature of MgB2?",
        "superconductors with Tc above 30 K",
        "List all superconductors",
        "Who discovered superconductivity?",
        "What is annealing?",
        "How does annealing remove defects?",
        "thanks",
    ],
)
def test_nothing_is_carried_over_to_a_question_that_stands_alone(pack: Domain, text: str) -> None:
    assert whole_question(text, GAP, pack) == text


def test_a_follow_up_is_answered_and_shown_as_the_whole_question(nitrides: Library, pack: Domain) -> None:
    answer = ask(nitrides, pack, "and of AlN?", after=GAP)
    assert answer.understood == "What is the band gap of AlN?"
    assert "6.2 eV" in answer.sentences[0].text
    assert not ask(nitrides, pack, GAP, after="What is GaN used in?").understood


# -------------------------------------------------------------------------------------------- words of the library
PLATED = (
    "The cell has two layers of silver on its electrolyte. Contacting layers lower the ohmic losses. "
    "GaN is used in lasers. YSZ is used as an electrolyte. The thickness of the electrolyte is 90 µm."
)


@pytest.fixture(scope="module")
def plated(tmp_path_factory: pytest.TempPathFactory, pack: Domain) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("plated") / "library", create=True, domain=pack) as opened:
        add_paper(opened, pack, PLATED, "Plated cells", "accepted")
        yield opened


def test_a_word_that_the_papers_use_is_no_slip_of_another(plated: Library, nitrides: Library, pack: Domain) -> None:
    """“Layer” is a letter away from “laser”, which is a use."""
    answer = ask(plated, pack, "Which contacting layers lower the losses?")
    assert answer.understood == ""
    assert "Contacting layers lower the ohmic losses" in answer.answer
    # A short word is not read as another either where nothing is known of it.
    assert ask(nitrides, pack, "Which contacting layers lower the losses?").understood == ""


def test_what_a_part_measures_is_not_answered_by_what_is_used_for_it(plated: Library, pack: Domain) -> None:
    answer = ask(plated, pack, "What is the thickness of the electrolyte?")
    assert "90 µm" in answer.answer
    assert "used" not in answer.answer
    assert "yttria-stabilized zirconia" in ask(plated, pack, "Which materials are used as electrolytes?").answer
