"""Kinds of questions beyond a look-up: bounds, counts, connections, papers, what lies on what, and weak evidence."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.library import Library
from minerva_desktop.questions.covering import rows_of
from tests.questions_support import DIBORIDE, NITRIDES, add_book, add_paper, ask

FILMS = (
    "NbN films were deposited by reactive sputtering on sapphire. GaN films were grown by MBE on c-plane SiC. "
    "InN is used in blue LEDs. MgB2 films were made by MBE."
)
BOOK = (
    "The band gap of zinc oxide (ZnO) is 3.37 eV. The band gap of silicon (Si) is 1.12 eV.\n\n"
    "Sodium-24 is a tracer for leaks of pipes. It decays quickly and exhibits a half-life of about 15 hours.\n\n"
    "The toothed wheel was a trick. With it Armand Fizeau measured the speed of light in 1849.\n\n"
    "Mirrors of telescopes show no symmetry of the heavens.\n\n"
    "Germanium (Ge) has an indirect band gap. The band gap of germanium (Ge) is 0.66 eV. "
    "InN crystals were grown in ammonia. A film expels fields, which is called the Ochsenfeld effect. "
    "The yield strength of brass is 200 MPa. Yield strength is the stress at which a metal begins to flow."
)


@pytest.fixture(scope="module")
def kinds_domain() -> Domain:
    return load_domain("materials")


@pytest.fixture(scope="module")
def kinds_library(tmp_path_factory: pytest.TempPathFactory, kinds_domain: Domain) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("kinds") / "library", create=True, domain=kinds_domain) as opened:
        add_paper(opened, kinds_domain, NITRIDES, "Nitrides", "accepted")
        add_paper(opened, kinds_domain, DIBORIDE, "Diboride", "accepted")
        add_paper(opened, kinds_domain, FILMS, "Films", "accepted")
        add_book(opened, BOOK)
        yield opened


@pytest.mark.parametrize(
    ("question", "told", "absent"),
    [
        (
            "Which materials have a band gap between 3 and 4 eV?",
            ["GaN (3.4 eV", "ZnO (3.37 eV)", "2 materials"],
            ["AlN", "Si"],
        ),
        ("How many materials have a band gap above 3000 meV?", ["3 materials"], ["Si ("]),
        ("superconductors with Tc above 30 K", ["1 superconductor has", "MgB2 (39 K)"], ["NbN"]),
        ("Are there superconductors with a critical temperature below 20 K?", ["NbN (16 K)"], ["MgB2"]),
        ("How many materials are made by MBE?", ["2 materials: ", "GaN", "MgB2"], ["NbN"]),
        ("Which materials are used in LEDs?", ["GaN", "InN", "blue LED"], ["NbN"]),
        ("How is GaN connected to MgB2?", ["in 2 steps", "GaN is made by MBE", "MgB2 is made by MBE"], []),
        ("How many papers mention MgB2?", ["2 papers", "“Diboride”", "“Films”"], ["Nitrides"]),
        ("Which papers report the band gap of GaN?", ["One paper", "“Nitrides”"], ["Films"]),
        ("Which substrate was used for NbN?", ["on sapphire"], ["SiC"]),
        ("What is GaN grown on?", ["on c-plane SiC"], ["sapphire"]),
        ("What do papers say about MgB2?", ["critical temperature 39 K"], []),
    ],
)
def test_the_graph_is_asked_what_the_question_asks(
    kinds_library: Library, kinds_domain: Domain, question: str, told: list[str], absent: list[str]
) -> None:
    answer = ask(kinds_library, kinds_domain, question)
    assert answer.found, answer.answer
    first = answer.sentences[0].text
    assert all(text in answer.answer for text in told), answer.answer
    assert not any(text in first for text in absent), first


@pytest.mark.parametrize(
    ("question", "told", "absent"),
    [
        ("Does germanium have a direct or an indirect band gap?", "has an indirect band gap", "0.66"),
        ("What kind of band gap does germanium have?", "has an indirect band gap", "0.66"),
        ("In which gas was InN grown?", "grown in ammonia", "blue LED"),
        ("What is the effect called by which a film expels fields?", "Ochsenfeld", "GaN"),
        ("What is yield strength?", "Yield strength is the stress", "200 MPa"),
    ],
)
def test_what_a_sentence_has_to_say_comes_before_a_value(
    kinds_library: Library, kinds_domain: Domain, question: str, told: str, absent: str
) -> None:
    answer = ask(kinds_library, kinds_domain, question)
    assert answer.found, answer.answer
    assert told in answer.sentences[0].text
    assert absent not in answer.sentences[0].text


def test_an_attribute_that_nothing_states_is_not_answered_with_a_value(
    kinds_library: Library, kinds_domain: Domain
) -> None:
    answer = ask(kinds_library, kinds_domain, "Is the band gap of germanium direct?")
    assert not answer.found
    assert answer.value is None


def test_a_row_of_a_table_is_told_alone() -> None:
    table = "Medium: Air; n: 1.000293 Medium: Benzene; n: 1.501 Medium: Water; n: 1.333"
    assert rows_of(table)[1] == "Medium: Benzene; n: 1.501"
    assert rows_of("Note: it is wide.") == ["Note: it is wide."]


def test_what_nothing_joins_is_not_connected(kinds_library: Library, kinds_domain: Domain) -> None:
    assert "is connected to" not in ask(kinds_library, kinds_domain, "How is ZnO connected to MgB2?").answer


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the half-life of sodium-24?", "about 15 hours"),
        ("Who measured the speed of light with a toothed wheel?", "Fizeau"),
    ],
)
def test_a_sentence_that_covers_the_question_with_its_surroundings_answers(
    kinds_library: Library, kinds_domain: Domain, question: str, told: str
) -> None:
    answer = ask(kinds_library, kinds_domain, question)
    assert answer.found
    assert told in answer.sentences[0].text


@pytest.mark.parametrize(
    "question",
    [
        "What is the half-life of iodine-131?",
        "What is mirror symmetry?",
        "Who measured the charge of the electron?",
        "What is the half-life of the tracer in the kidney of a horse?",
    ],
)
def test_evidence_that_covers_only_a_part_is_no_answer(
    kinds_library: Library, kinds_domain: Domain, question: str
) -> None:
    answer = ask(kinds_library, kinds_domain, question)
    assert not answer.found
    assert answer.answer.startswith("Not in your library")
    assert answer.value is None
