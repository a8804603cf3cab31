"""What was asked, kept with the library; and what may be asked next."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from minerva_desktop.errors import NotFound
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench

PAPER = (
    "# Notes\n\n## Results\n\nThe band gap of GaN is 3.4 eV at 300 K. The band gap of GaN is 3.39 eV at 4 K. "
    "The band gap of AlN is 6.2 eV. GaN is used in blue LEDs. The critical temperature of MgB2 is 39 K.\n"
)
GAP, TC, NONE = "What is the band gap of GaN?", "What is the critical temperature of MgB2?", "Who won the world cup?"


def opened(folder: Path) -> Workbench:
    return Workbench(folder / "library", Settings.model_validate({"embeddings": False}), offline=True)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Workbench]:
    paper = tmp_path / "notes.md"
    paper.write_text(PAPER, encoding="utf-8")
    with opened(tmp_path) as bench:
        bench.ingest([paper])
        yield bench


def keep(bench: Workbench, *questions: str) -> None:
    for question in questions:
        bench.keep_question(bench.ask(question))


def asked(bench: Workbench, text: str = "") -> list[str]:
    return [item.question for item in bench.asked_questions(text)]


def test_a_question_is_kept_with_its_answer_until_it_is_asked_again(desk: Workbench) -> None:
    keep(desk, GAP, NONE, TC, f"  {GAP} ")
    assert asked(desk) == [GAP, TC, NONE]
    first, _, last = desk.asked_questions()
    assert first.found
    assert not last.found
    assert "3.4 eV" in first.text
    assert "References:" in first.text
    assert first.papers == (desk.papers()[0].id,)
    assert all(desk.fact(item).claim for item in first.facts)
    assert first.route == "graph"
    assert desk.asked_answer(first.id) == desk.ask(f"  {GAP} ")


def test_earlier_questions_are_found_by_words_of_question_or_answer(desk: Workbench) -> None:
    keep(desk, GAP, TC, NONE)
    assert asked(desk, "mgb2") == [TC]
    assert asked(desk, "39 MgB2") == [TC]
    assert asked(desk, "gap eV") == [GAP]
    assert asked(desk, "100%_") == []


def test_the_history_outlives_the_program_and_holds_no_times_that_answers_took(tmp_path: Path, desk: Workbench) -> None:
    keep(desk, GAP)
    desk.close()
    with opened(tmp_path) as again:
        assert asked(again) == [GAP]
        trace = again.asked_answer(again.asked_questions()[0].id).trace
    assert trace is not None
    assert trace.facts
    assert trace.timings == ()


def test_what_was_forgotten_can_be_put_back_where_it_stood(desk: Workbench) -> None:
    keep(desk, GAP, TC, NONE)
    before = desk.asked_questions()
    gone = desk.forget_questions([before[1].id])
    assert asked(desk) == [NONE, GAP]
    desk.put_questions_back(gone)
    assert desk.asked_questions() == before
    gone = desk.forget_questions()
    assert asked(desk) == []
    keep(desk, TC)
    desk.put_questions_back(gone)
    assert asked(desk) == [TC, NONE, GAP]  # the one that was asked anew stays as it is


def test_a_follow_up_is_kept_as_the_whole_question(desk: Workbench) -> None:
    answer = desk.ask("And of AlN?", after=GAP)
    desk.keep_question(answer)
    (item,) = desk.asked_questions()
    assert item.question == answer.understood == "What is the band gap of AlN?"
    assert "6.2 eV" in item.text


def test_the_history_is_no_event_and_in_no_export(desk: Workbench, tmp_path: Path) -> None:
    events, done = desk.history(), desk.stats()["undo_label"]
    keep(desk, GAP)
    desk.forget_questions()
    assert desk.history() == events
    assert desk.stats()["undo_label"] == done


def test_an_unknown_question_is_said(desk: Workbench) -> None:
    with pytest.raises(NotFound):
        desk.asked_question("abc")
    keep(desk, GAP)
    (item,) = desk.asked_questions()
    assert desk.asked_question(item.id[:5]) == item


# --------------------------------------------------------------------------------------------------- suggestions
@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("band g", "band gap of GaN"),
        ("What is the band g", "What is the band gap of GaN"),
        ("What is band g", "What is the band gap of GaN"),
        ("Ga", "band gap of GaN"),
        ("What is the band gap of A", None),
        ("What is the band gap of Al", "What is the band gap of AlN"),
        ("What is the band gap of Mg", "What is the band gap of MgB2"),
        ("Which is larger, the band gap of GaN or Al", "Which is larger, the band gap of GaN or AlN"),
        ("crit", "critical temperature of MgB2"),
        ("blue L", "blue LED"),
        ("GaN?", None),
        ("g", None),
        ("", None),
        ("zzz", None),
    ],
)
def test_a_line_is_completed_with_what_the_library_holds(desk: Workbench, typed: str, first: str | None) -> None:
    lines = desk.complete_question(typed)
    assert (lines[0] if lines else None) == first
    assert len(lines) <= 8


def test_letters_count_as_they_are_typed(desk: Workbench, tmp_path: Path) -> None:
    paper = tmp_path / "more.md"
    paper.write_text("# More\n\n## Results\n\nThe density of CoO is 6.4 g/cm3. The density of Co is 8.9 g/cm3.\n")
    desk.ingest([paper])
    assert desk.complete_question("What is the density of Co")[0] == "What is the density of CoO"
    assert "What is the density of CoO" in desk.complete_question("What is the density of co")


def test_examples_are_questions_that_this_library_answers(desk: Workbench, tmp_path: Path) -> None:
    questions = desk.example_questions()
    assert questions[0] == GAP
    assert all(desk.ask(question).found for question in questions)
    with opened(tmp_path / "empty") as empty:
        assert empty.example_questions() == ()
