"""Answers, verdicts and pages with a language model in the window: what it says is marked, checked, and easy to stop."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from minerva_desktop.records import Fact, Verdict, VerdictRound
from minerva_desktop.records.guests import GeneratedText
from minerva_desktop.ui.main_window import MainWindow
from tests.guest_window import Open
from tests.model_server import ModelServer, Reply, Request, broken
from tests.ui_support import click_link, read, settle, wait_for

pytest_plugins = ["tests.ui_fixtures", "tests.guest_fixtures"]
QUESTION = "What is the band gap of GaN?"
GOOD = "The band gap of GaN is 3.4 eV at 300 K [1]."
BAD = "It was discovered in 1932 [1]."


def says(text: str, **more: Any) -> Any:
    """A model that words answers so, and writes no query."""

    def script(request: Request) -> Any:
        return Reply(text, **more) if request.body.get("stream") else Reply("{}")

    return script


def library(qtbot: QtBot, window: MainWindow, notes: Path) -> None:
    """A short paper in the library, read by the built-in engine."""
    window.workbench.ingest([notes], engine="builtin")
    settle(qtbot, window)
    window.go("ask")


def put(qtbot: QtBot, window: MainWindow, engine: str) -> None:
    window.ask.engine.choose(engine)
    window.ask.question.setText(QUESTION)
    qtbot.keyClick(window.ask.question, Qt.Key.Key_Return)


def test_without_a_model_there_is_no_choice(qtbot: QtBot, open_with: Open, notes: Path) -> None:
    window = open_with()
    library(qtbot, window, notes)
    assert not window.ask.engine.isVisible()
    put(qtbot, window, "model")
    settle(qtbot, window)
    assert window.ask.answer is not None
    assert window.ask.answer.engine == "builtin"


def test_words_come_marked_as_unchecked_and_what_is_not_grounded_is_left_out(
    qtbot: QtBot, open_with: Open, notes: Path
) -> None:
    with ModelServer(says(f"{GOOD} {BAD}", piece_delay=0.05)) as server:
        window = open_with(server)
        library(qtbot, window, notes)
        ask = window.ask
        assert ask.engine.isVisible()
        put(qtbot, window, "model")
        wait_for(qtbot, lambda: "GaN" in ask.stream.text.toPlainText())
        assert ask.stream.isVisible()
        assert not ask.view.isVisible()
        assert "Not checked yet" in ask.stream.unchecked.text()
        assert "test-model is writing" in ask.stream.state.text()
        settle(qtbot, window)
        assert ask.view.isVisible()
        assert not ask.stream.isVisible()
        shown = ask.view.text.toPlainText()
        assert "3.4 eV" in shown
        assert "1932" not in shown
        assert ask.view.dropped_fold.isVisible()
        assert ask.view.dropped_fold.head.text() == "Left out (1)"
        ask.view.dropped_fold.head.click()
        left_out = ask.view.dropped.toPlainText()
        assert "1932" in left_out
        assert "test-model" in ask.view._how.text()
        places: list[Any] = []
        ask.place_wanted.connect(places.append)
        click_link(ask.view.text, "cite:1")
        assert "3.4 eV" in places[0].quote


def test_both_shows_the_built_in_answer_under_the_models(qtbot: QtBot, open_with: Open, notes: Path) -> None:
    with ModelServer(says(GOOD)) as server:
        window = open_with(server)
        library(qtbot, window, notes)
        put(qtbot, window, "both")
        settle(qtbot, window)
        shown = window.ask.view.text.toPlainText()
        assert "The built-in engine says" in shown
        assert shown.index("3.4 eV") < shown.index("The built-in engine says")


def test_esc_stops_the_model_and_keeps_nothing_unchecked(qtbot: QtBot, open_with: Open, notes: Path) -> None:
    with ModelServer(says(GOOD * 40, piece_delay=0.1)) as server:
        window = open_with(server)
        library(qtbot, window, notes)
        put(qtbot, window, "model")
        wait_for(qtbot, lambda: "GaN" in window.ask.stream.text.toPlainText())
        assert window.ask.answering
        qtbot.keyClick(window.ask.question, Qt.Key.Key_Escape)
        assert not window.ask.answering
        assert window.ask.states.empty.title.text() == "Stopped"
        settle(qtbot, window)
        wait_for(qtbot, lambda: bool(server.hung_up), 10)
        assert window.ask.answer is None
        window.ask._without.click()
        settle(qtbot, window)
        assert window.ask.answer is not None
        assert window.ask.answer.engine == "builtin"


def test_a_model_that_fails_is_said_and_the_built_in_engine_answers(qtbot: QtBot, open_with: Open, notes: Path) -> None:
    with ModelServer(broken()) as server:
        window = open_with(server)
        library(qtbot, window, notes)
        put(qtbot, window, "both")
        settle(qtbot, window)
        shown = window.ask.view.text.toPlainText()
        assert "3.4 eV" in shown
        assert "built-in engine" in shown
        assert "worded by" not in window.ask.view._how.text()


def test_the_choice_is_remembered(qtbot: QtBot, open_with: Open) -> None:
    with ModelServer() as server:
        window = open_with(server)
        window.ask.engine.choose("builtin")
        assert str(window._memory.value("ask/engine")) == "builtin"


# ----------------------------------------------------------------------------------------------------- in review
def checked_by_model(fact: Fact) -> Fact:
    rounds = (
        VerdictRound("band gap GaN", "a passage on gallium nitride", "INSUFFICIENT", "Nothing fits."),
        VerdictRound(
            "GaN direct gap", "", "INSUFFICIENT", "", engine="model:small-1b", note="The quote stands in no passage."
        ),
        VerdictRound(
            "wurtzite GaN", "", "SUPPORTED", "It says the same.", engine="model:small-1b", quote="GaN: 3.4 eV."
        ),
    )
    verdict = Verdict("SUPPORTED", "It says the same.", quote="GaN: 3.4 eV.", rounds=rounds, engine="model:small-1b")
    record = fact.evidence[0]
    verification = replace(record.verification, engine="model:small-1b") if record.verification else None
    record = replace(record, verdict=verdict, extractor="rules+model", verification=verification)
    return replace(fact, evidence=(record,))


def test_rounds_of_a_check_unfold_with_who_asked_what(qtbot: QtBot, open_with: Open, notes: Path) -> None:
    window = open_with()
    library(qtbot, window, notes)
    window.go("review")
    settle(qtbot, window)
    view = window.review.detail
    fact = next(item for item in window.workbench.facts() if item.evidence[0].verification is not None)
    view.show_fact(checked_by_model(fact), {})
    folded = view.toPlainText()
    assert "by the rules and a model, which agree" in folded
    assert folded.count("By the model small-1b") == 2
    assert "Round 1" not in folded
    assert "in 3 rounds" in folded
    view.ensureCursorVisible()
    click_link(view, "rounds:0")
    opened = view.toPlainText()
    assert "Round 1, by the rules" in opened
    assert "Round 2, by the model small-1b" in opened
    assert "a passage on gallium nitride" in opened
    assert "The quote stands in no passage." in opened
    click_link(view, "rounds:0")
    assert "Round 1" not in view.toPlainText()


# ------------------------------------------------------------------------------------------------------- on a page
@pytest.fixture
def seen(qtbot: QtBot, open_with: Open, paper: Path) -> MainWindow:
    """The window on a paper whose first page a model has described."""
    window = open_with()
    read(qtbot, window, paper)
    known = window.workbench.papers()[0].id
    text = GeneratedText(known, 1, "figure", "Figure 1", "A line that falls. <b>Bold</b>", "eye-2b", "1")
    window.workbench.library.models.save_generated(known, [1], [text])
    window.library.open_paper()
    settle(qtbot, window)
    return window


def test_generated_text_stands_apart_and_says_whose_it_is(qtbot: QtBot, seen: MainWindow) -> None:
    strip = seen.page.generated
    assert strip.isVisible()
    assert strip.head.text() == "Written by eye-2b, not from the paper"
    assert "A line that falls. <b>Bold</b>" in strip.text.toPlainText()
    strip.fold.click()
    assert not strip.text.isVisible()
    seen.registry.run("page-next")
    settle(qtbot, seen)
    assert not strip.isVisible()


def test_pages_are_described_only_when_a_model_may_look_at_them(qtbot: QtBot, open_with: Open, paper: Path) -> None:
    drawn: list[Request] = []

    def script(request: Request) -> Any:
        if request.images:
            drawn.append(request)
        rows = [{"kind": "figure", "label": "Figure 1", "text": "A falling line."}]
        return dict.fromkeys(request.schema.get("properties", {}), rows) or {"items": rows}

    with ModelServer(script) as server:
        window = open_with(server)
        window.workbench.ingest([paper], engine="builtin")
        settle(qtbot, window)
        window.go("library")
        window.library.open_paper()
        settle(qtbot, window)
        assert not window.page._describe.isVisible()
        window.registry.run("describe-page")
        assert "Describe pages" in window.notice._text.text()
        window.workbench.set_setting("model_vision", "true")
        settle(qtbot, window)
        assert window.page._describe.isVisible()
        window.page._describe.click()
        settle(qtbot, window)
        assert len(drawn) == 1
        assert "test-model" in window.page.generated.head.text()
        assert "A falling line." in window.page.generated.text.toPlainText()
