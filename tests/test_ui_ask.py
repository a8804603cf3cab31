"""The page Ask through the real window: evidence cards, the fold, history, suggestions, copies, searching elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.ui.widgets import Place
from tests.ui_support import assert_marked, click_link, read, settle, wait_for

pytest_plugins = ["tests.ui_fixtures"]
TC = "What is the critical temperature of NbN?"
NONE = "What is the viscosity of graphene?"


@pytest.fixture
def asking(qtbot: QtBot, window: MainWindow, paper: Path) -> MainWindow:
    """The page Ask over a library with one paper."""
    read(qtbot, window, paper)
    window.registry.run("go-ask")
    settle(qtbot, window)
    return window


def put(qtbot: QtBot, window: MainWindow, question: str) -> None:
    """Type a question over what stands in the line, and press Enter."""
    window.ask.focus_search()
    window.ask.question.clear()
    qtbot.keyClicks(window.ask.question, question)
    qtbot.keyClick(window.ask.question, Qt.Key.Key_Return)
    settle(qtbot, window)


def asked(window: MainWindow) -> list[str]:
    return [item.question for item in window.ask.history.model.items]


# --------------------------------------------------------------------------------------------------------- cards
def test_cards_are_walked_with_the_arrows_and_enter_opens_the_page(qtbot: QtBot, asking: MainWindow) -> None:
    put(qtbot, asking, TC)
    view = asking.ask.view
    answer = asking.ask.answer
    assert answer is not None
    assert view.cards.cards.rowCount() == len(answer.citations) > 1
    said = view.cards.cards.data(view.cards.cards.index(0, 0))
    assert "page 1" in said
    assert answer.citations[0].quote in said
    assert "2024" in view.cards.cards.html(0)
    assert "Waiting for you" in view.cards.cards.html(0)
    places: list[Place] = []
    asking.ask.place_wanted.connect(places.append)
    asking.registry.run("ask-evidence")
    qtbot.keyClick(view.cards, Qt.Key.Key_Down)
    assert view.cards.currentIndex().row() == 1
    assert [item.cursor.selectedText() for item in view.text.extraSelections()] == ["[2]"]
    qtbot.keyClick(view.cards, Qt.Key.Key_Return)
    assert places[0].quote == answer.citations[1].quote
    wait_for(qtbot, lambda: asking.page.canvas.isVisible() and not asking.bridge.busy)
    settle(qtbot, asking)
    assert_marked(asking, answer.citations[1].boxes[0])


def test_a_card_under_the_mouse_marks_its_number_and_a_click_opens_it(qtbot: QtBot, asking: MainWindow) -> None:
    put(qtbot, asking, TC)
    view, places = asking.ask.view, []
    asking.ask.place_wanted.connect(places.append)
    rect = view.cards.visualRect(view.cards.cards.index(0, 0))
    QTest.mouseMove(view.cards.viewport(), rect.center() + QPoint(3, 0))
    QTest.mouseMove(view.cards.viewport(), rect.center())
    wait_for(qtbot, lambda: bool(view.text.extraSelections()), 5)
    assert view.text.extraSelections()[0].cursor.selectedText() == "[1]"
    QTest.mouseClick(view.cards.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert len(places) == 1
    click_link(view.text, "cite:2")
    assert view.cards.currentIndex().row() == 1


# ---------------------------------------------------------------------------------------------------------- fold
def test_how_it_was_answered_unfolds(qtbot: QtBot, asking: MainWindow) -> None:
    put(qtbot, asking, TC)
    view = asking.ask.view
    assert not view.how.isVisible()
    asking.registry.run("ask-how")
    assert view.how.isVisible()
    said = view.how.summary.toPlainText()
    for part in (
        "NbN (Material)",
        "It asks for the critical temperature of NbN",
        "passages",
        "none had a part in it",
        " ms",
    ):
        assert part in said
    assert "MATCH" in view.how.query.toPlainText() or not view.how.query.isVisible()
    assert "critical temperature of NbN" in view.how.facts.toPlainText()
    assert "found by words" in view.how.passages.toPlainText()
    places: list[Place] = []
    asking.ask.place_wanted.connect(places.append)
    view.ensureWidgetVisible(view.how.passages)
    click_link(view.how.passages, "passage:0")
    assert places[0].paper


# ------------------------------------------------------------------------------------------------------- history
def test_an_earlier_answer_is_shown_as_it_was_given_and_can_be_asked_again(qtbot: QtBot, asking: MainWindow) -> None:
    put(qtbot, asking, TC)
    first = asking.ask.answer
    put(qtbot, asking, NONE)
    assert asked(asking) == [NONE, TC]
    history = asking.ask.history
    history.search.setText("39 viscosity")
    wait_for(qtbot, lambda: not asked(asking))
    history.search.setText("temperature")
    wait_for(qtbot, lambda: asked(asking) == [TC])
    history.list.setFocus()
    history.list.setCurrentIndex(history.model.index(0, 0))
    qtbot.keyClick(history.list, Qt.Key.Key_Return)
    settle(qtbot, asking)
    assert asking.ask.answer == first
    assert asking.ask.question.text() == TC
    assert asking.ask.view.again.isVisible()
    assert "Answered 20" in asking.ask.view._how.text()
    asking.ask.view.again.click()
    settle(qtbot, asking)
    assert not asking.ask.view.again.isVisible()
    assert asking.ask.answer == first


def test_arrows_walk_through_earlier_questions_and_back_to_what_was_typed(qtbot: QtBot, asking: MainWindow) -> None:
    put(qtbot, asking, TC)
    put(qtbot, asking, NONE)
    line = asking.ask.question
    line.clear()
    qtbot.keyClicks(line, "zz")
    seen = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down):
        qtbot.keyClick(line, key)
        seen.append(line.text())
    assert seen == [NONE, TC, TC, NONE, "zz"]


def test_forgetting_one_can_be_undone_and_all_is_asked_about_first(qtbot: QtBot, asking: MainWindow) -> None:
    put(qtbot, asking, TC)
    put(qtbot, asking, NONE)
    history = asking.ask.history
    history.list.setCurrentIndex(history.model.index(0, 0))
    qtbot.keyClick(history.list, Qt.Key.Key_Delete)
    wait_for(qtbot, lambda: asked(asking) == [TC])
    assert history.back.isVisible()
    history.back.click()
    wait_for(qtbot, lambda: asked(asking) == [NONE, TC])
    history.clear.click()
    box = history.findChild(QMessageBox)
    assert box is not None
    assert asked(asking) == [NONE, TC]
    next(item for item in box.buttons() if item.text() == "Forget All").click()
    wait_for(qtbot, lambda: not asked(asking))
    settle(qtbot, asking)
    assert asking.workbench.asked_questions() == []
    assert history.back.isVisible()
    history.back.click()
    wait_for(qtbot, lambda: asked(asking) == [NONE, TC])


# --------------------------------------------------------------------------------------------------- suggestions
def test_what_is_typed_is_completed_and_the_chosen_line_is_asked(qtbot: QtBot, asking: MainWindow) -> None:
    line = asking.ask.question
    asking.activateWindow()
    line.setFocus()
    qtbot.keyClicks(line, "What is the critical temp")
    wait_for(qtbot, lambda: bool(line.suggestions))
    assert line.suggestions[0] == "What is the critical temperature of NbN"
    popup = QApplication.activePopupWidget()
    assert popup is not None
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    settle(qtbot, asking)
    assert line.suggestions == []
    assert asking.ask.answer is not None
    assert asking.ask.answer.question == "What is the critical temperature of NbN"
    assert asking.ask.answer.found


def test_enter_asks_what_was_typed_where_no_suggestion_is_chosen(qtbot: QtBot, asking: MainWindow) -> None:
    line = asking.ask.question
    asking.activateWindow()
    line.setFocus()
    qtbot.keyClicks(line, "NbN critical")
    wait_for(qtbot, lambda: bool(line.suggestions))
    qtbot.keyClick(line, Qt.Key.Key_Return)
    settle(qtbot, asking)
    assert asking.ask.answer is not None
    assert asking.ask.answer.question == "NbN critical"
    assert line.suggestions == []


def test_the_page_begins_with_questions_that_this_library_answers(qtbot: QtBot, asking: MainWindow) -> None:
    chip = asking.ask.welcome.chips[0]
    assert chip.isVisible()
    assert "NbN" in chip.text()
    chip.click()
    settle(qtbot, asking)
    assert asking.ask.answer is not None
    assert asking.ask.answer.found


# ---------------------------------------------------------------------------------------------- copies and the web
def test_an_answer_is_copied_with_its_references(qtbot: QtBot, asking: MainWindow) -> None:
    clipboard = QGuiApplication.clipboard()
    clipboard.setText("before")
    asking.registry.run("ask-copy")
    assert clipboard.text() == "before"
    put(qtbot, asking, TC)
    asking.registry.run("ask-copy")
    assert clipboard.text().startswith(f"{TC}\n\nFor the critical temperature of NbN")
    assert "\n[1] Ada Sample, Bela Muster (2024). Niobium nitride films" in clipboard.text()
    asking.registry.run("ask-copy-markdown")
    assert clipboard.text().startswith(f"**{TC}**")
    assert "(https://doi.org/10.5555/minerva.sample.1)" in clipboard.text()


def test_what_is_missing_is_made_ready_to_be_searched_on_the_web_and_not_sent(qtbot: QtBot, asking: MainWindow) -> None:
    put(qtbot, asking, NONE)
    ask = asking.ask
    assert ask.states.empty.title.text() == "Not in your library"
    ask.missing.how.click()
    assert ask.view.how.isVisible()
    put(qtbot, asking, NONE)
    ask.missing.web.click()
    settle(qtbot, asking)
    assert asking.current_name() == "find"
    assert asking.find.scope == "web"
    assert asking.find.line.text() == "graphene viscosity"
    assert not asking.find.web.searching
    assert asking.workbench.network_log() == []


def test_a_follow_up_says_how_it_was_understood_and_a_new_topic_ends_it(qtbot: QtBot, asking: MainWindow) -> None:
    put(qtbot, asking, TC)
    ask = asking.ask
    assert ask.topic.isVisible()
    assert TC in ask.topic.text.text()
    put(qtbot, asking, "And of MgB2?")
    assert ask.answer is not None
    assert ask.view.understood.text() == "Understood as: What is the critical temperature of MgB2?"
    assert ask.view.understood.isVisible()
    assert "39 K" in ask.view.text.toPlainText()
    asking.registry.run("ask-new")
    assert not ask.topic.isVisible()
    assert ask.question.text() == ""
    put(qtbot, asking, "And of MgB2?")
    assert ask.answer is not None
    assert ask.answer.understood == ""


# ---------------------------------------------------------------------------------------------------- small windows
def test_in_a_small_window_a_citation_covers_the_answer_until_esc(qtbot: QtBot, asking: MainWindow) -> None:
    asking.resize(asking.minimumSize())
    put(qtbot, asking, TC)
    click_link(asking.ask.view.text, "cite:1")
    wait_for(qtbot, lambda: asking.page.canvas.isVisible() and not asking.bridge.busy)
    settle(qtbot, asking)
    answer = asking.ask.answer
    assert answer is not None
    assert_marked(asking, answer.citations[0].boxes[0])
    assert not asking.ask.isVisible()
    assert asking.page.width() > 600
    qtbot.keyClick(asking.page.canvas, Qt.Key.Key_Escape)
    assert asking.ask.isVisible()
    assert not asking.page.isVisible()


def test_with_more_room_both_are_seen_and_another_page_of_a_small_window_puts_the_paper_away(
    qtbot: QtBot, asking: MainWindow
) -> None:
    asking.resize(asking.minimumSize())
    asking.registry.run("toggle-page")
    assert not asking.ask.isVisible()
    asking.resize(1360, 840)
    QApplication.processEvents()
    assert asking.ask.isVisible()
    assert asking.page.isVisible()
    assert min(asking.splitter.sizes()) >= 300
    asking.resize(asking.minimumSize())
    QApplication.processEvents()
    asking.registry.run("go-library")
    assert asking.library.isVisible()
    assert not asking.page.isVisible()
