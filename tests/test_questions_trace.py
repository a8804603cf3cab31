"""How an answer came about, what it stands on, and how it is taken along."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.library import Library
from minerva_desktop.questions import ask, asking
from minerva_desktop.questions.copying import answer_markdown, answer_text
from minerva_desktop.questions.evidence import evidence_cards, marks_in
from minerva_desktop.questions.explaining import summary
from minerva_desktop.records import Answer, AnswerSentence, Citation, EvidenceCard, Trace, to_plain
from tests.questions_support import NITRIDES, WORDS_ONLY, add_book, add_paper

GAP = "What is the band gap of GaN?"


@pytest.fixture(scope="module")
def domain() -> Domain:
    return load_domain("materials")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory, domain: Domain) -> Iterator[Library]:
    """A library that no test changes: a paper whose facts are accepted, and a textbook."""
    with Library.open(tmp_path_factory.mktemp("told") / "library", create=True, domain=domain) as opened:
        add_paper(opened, domain, NITRIDES, "Nitrides", "accepted")
        add_book(opened)
        yield opened


def trace_of(library: Library, domain: Domain, question: str, route: str = "auto") -> Trace:
    trace = ask(library, domain, question, settings=WORDS_ONLY, route=route).trace
    assert trace is not None
    return trace


def test_a_trace_says_what_was_understood_looked_at_and_taken(told: Library, domain: Domain) -> None:
    trace = trace_of(told, domain, "What is the band gap of gallium nitride?")
    (entity,) = trace.entities
    assert (entity.text, entity.name, entity.type) == ("gallium nitride", "GaN", "Material")
    assert trace.properties == ("band gap",)
    assert (trace.type, trace.route, trace.model) == ("lookup", "graph", "")
    assert "band gap of GaN" in trace.reason
    assert any(fact.told and "3.4 eV" in fact.claim for fact in trace.facts)
    assert not any("AlN" in fact.claim for fact in trace.facts)
    (book,) = [item for item in trace.passages if item.passage.kind == "textbook" and item.told]
    assert "gallium nitride" in book.passage.text
    assert all(item.arms == ("words",) for item in trace.passages)
    assert "gallium nitride" in trace.searched
    assert {item.step for item in trace.timings} >= {"understanding", "graph", "passages", "composing"}
    assert all(item.milliseconds >= 0 for item in trace.timings)


def test_two_runs_give_equal_answers_whatever_time_they_took(told: Library, domain: Domain) -> None:
    first, second = (ask(told, domain, GAP, settings=WORDS_ONLY) for _ in range(2))
    assert first.trace is not None
    assert second.trace is not None
    assert first.trace.timings is not second.trace.timings
    assert first == second
    untimed = [to_plain(replace(item, trace=replace(item.trace, timings=()))) for item in (first, second)]
    assert untimed[0] == untimed[1]


@pytest.mark.parametrize(
    ("question", "route", "reason"),
    [
        (GAP, "vector", "You chose to look in passages."),
        (GAP, "hybrid", "You chose to look in the graph and passages."),
        ("What is the photon wavelength for the band gap of GaN?", "auto", "It asks for a calculation"),
        ("What shows no symmetry of the heavens?", "auto", "It names nothing that the graph holds"),
        ("What is the band gap of InP?", "auto", "but the graph has no such fact"),
        ("What is GaN used in?", "auto", "It asks for uses of GaN"),
    ],
)
def test_the_reason_of_the_route_is_a_sentence(
    told: Library, domain: Domain, question: str, route: str, reason: str
) -> None:
    said = trace_of(told, domain, question, route).reason
    assert reason in said
    assert said.endswith(".")


def test_a_question_that_could_not_be_sorted_says_so(
    told: Library, domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the sorting fails")

    for name in ("classify", "understood"):
        if hasattr(asking, name):
            monkeypatch.setattr(asking, name, broken)
    answer = ask(told, domain, GAP, settings=WORDS_ONLY)
    trace = answer.trace
    assert trace is not None
    assert (trace.unsorted, trace.route, answer.degraded) == (True, "hybrid", True)
    assert "could not be sorted" in trace.reason
    assert "could not be sorted" in dict(summary(answer))["Question"]


def test_what_the_library_lacks_gives_words_to_search_papers_with(told: Library, domain: Domain) -> None:
    assert trace_of(told, domain, "What is the viscosity of graphene?").web_query == "graphene viscosity"
    assert trace_of(told, domain, "Who won the football world cup?").web_query == "won football world cup"


# ------------------------------------------------------------------------------------------------------ evidence
def test_every_citation_has_a_card_with_the_fact_that_was_read_there(told: Library, domain: Domain) -> None:
    answer = ask(told, domain, GAP, settings=WORDS_ONLY)
    cards = evidence_cards(told, answer)
    assert [card.number for card in cards] == list(range(1, len(answer.citations) + 1))
    first = cards[0]
    quote = answer.citations[0].quote
    assert (first.title, first.status) == ("Nitrides", "accepted")
    assert told.catalog.fact(first.fact).claim == "The band gap of GaN is 3.4 eV."
    assert [quote[start:end] for start, end in first.marks] == ["band gap", "GaN", "3.4 eV"]
    book = next(card for card, citation in zip(cards, answer.citations, strict=True) if citation.source == "textbook")
    assert (book.status, book.fact, book.title) == (None, "", "Small textbook")


@pytest.mark.parametrize(
    ("text", "wanted", "value", "expected"),
    [
        ("The band gaps of GaN.", {"band", "gap", "gan"}, "", ["band gaps", "GaN"]),
        ("A gap of 3.4 eV", {"gap"}, "3.4 eV", ["gap", "3.4 eV"]),
        ("The organic layer", {"gan"}, "", []),
        ("GaN (GaN)", {"gan"}, "", ["GaN", "GaN"]),
        ("", {"gan"}, "3 K", []),
    ],
)
def test_words_are_marked_as_whole_words(text: str, wanted: set[str], value: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in marks_in(text, frozenset(wanted), value)] == expected


# ------------------------------------------------------------------------------------------------------- copying
CITED = Citation("paper", "p" * 64, "On *gaps*", 3, (), "The gap is 3.4 eV [2].")
BOOK = Citation("textbook", title="A book", page=7, quote="It is 3.4 eV.")
COPIED = Answer(
    question="What is the_gap?",
    type="lookup",
    route="graph",
    found=True,
    answer="The gap is 3.4 eV. A textbook agrees.",
    sentences=(
        AnswerSentence("The gap is 3.4 eV.", "graph", "waiting", (CITED, BOOK)),
        AnswerSentence("A textbook agrees.", "textbook", None, (BOOK,)),
    ),
    notes=("Searched by words only.",),
)
CARDS = (
    EvidenceCard(1, "On *gaps*", ("A. One", "B. Two", "C. Three", "D. Four"), 2020, "10.1/x(1)y"),
    EvidenceCard(2, "A book"),
)


def test_a_copy_as_text_has_numbered_references() -> None:
    assert answer_text(COPIED, CARDS).splitlines() == [
        "What is the_gap?",
        "",
        "The gap is 3.4 eV. [1, 2]",
        "A textbook agrees. [2]",
        "",
        "References:",
        "[1] A. One, B. Two, C. Three et al. (2020). On *gaps*, p. 3. doi:10.1/x(1)y: “The gap is 3.4 eV [2].” "
        "(waiting for review)",
        "[2] A book, p. 7 [textbook]: “It is 3.4 eV.” (waiting for review)",
        "",
        "Searched by words only.",
    ]


def test_a_copy_as_markdown_reads_no_mark_into_a_paper_and_links_its_doi() -> None:
    written = answer_markdown(COPIED, CARDS)
    assert written.startswith("**What is the\\_gap?**\n")
    assert "The gap is 3.4 eV. \\[1, 2\\]" in written
    assert (
        "1. A. One, B. Two, C. Three et al. (2020). On \\*gaps\\*, p. 3. [doi:10.1/x(1)y](https://doi.org/10.1/x%281%29y)"
        in written
    )
    assert "“The gap is 3.4 eV \\[2\\].”" in written
    assert "2. A book, p. 7 \\[textbook\\]" in written


def test_a_copy_of_a_calculation_has_its_steps(told: Library, domain: Domain) -> None:
    answer = ask(told, domain, "What is the photon wavelength for the band gap of GaN?", settings=WORDS_ONLY)
    cards = evidence_cards(told, answer)
    text, markdown = answer_text(answer, cards), answer_markdown(answer, cards)
    for written in (text, markdown):
        assert "Steps:" in written
        assert "λ = h·c/Eg" in written
        assert "360 nm" in written
    assert "1. Eg (band gap" in markdown


def test_what_is_not_in_the_library_is_copied_as_that(told: Library, domain: Domain) -> None:
    answer = ask(told, domain, "Who won the football world cup?", settings=WORDS_ONLY)
    assert "Not in your library" in answer_text(answer, evidence_cards(told, answer))
    assert "References" not in answer_markdown(answer, ())
