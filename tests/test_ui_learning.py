"""The review learns: a quiet line under it, by real key events, and the dialog with every suggestion."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from minerva_desktop.records import Fact
from minerva_desktop.ui.learning_strip import LearningStrip
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.ui.review_edit import EditDialog
from minerva_desktop.ui.suggestions_dialog import SuggestionsDialog
from tests.test_learning import PAPERS
from tests.ui_support import click_link, settle, wait_for

pytest_plugins = ["tests.ui_fixtures"]
KEY = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def review(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> MainWindow:
    """The window in review, over two papers that call a material by a name of their own."""
    bench = window.workbench
    for name, text in PAPERS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    bench.save_lexicon("materials", [{"name": "Kryptosil"}])
    bench.ingest([tmp_path / name for name in PAPERS])
    bench.save_lexicon("materials", [])
    settle(qtbot, window)
    window.activateWindow()
    window.go("review")
    window.review.head.order.setCurrentIndex(3)  # as added
    settle(qtbot, window)
    return window


def strip(window: MainWindow) -> LearningStrip:
    return window.review.learning


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    target = QApplication.focusWidget()
    assert target is not None
    QTest.keyClick(target, key, modifiers)


def correct_by_keys(qtbot: QtBot, window: MainWindow, name: str) -> Fact:
    """Go to the next waiting fact of the material, and correct its name with the keyboard."""
    while (fact := window.review.current()) is None or fact.source.name != "Kryptosil":
        press(KEY.Key_J)
        settle(qtbot, window)
    press(KEY.Key_E)
    settle(qtbot, window)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, EditDialog)
    wait_for(qtbot, lambda: dialog.relation.count() > 0 and not window.bridge.busy)
    dialog.source.selectAll()
    QTest.keyClicks(dialog.source, name)
    QTest.keyClick(dialog.source, KEY.Key_Return)
    wait_for(qtbot, lambda: QApplication.activeModalWidget() is None)
    settle(qtbot, window)
    return fact


def taught(qtbot: QtBot, window: MainWindow) -> None:
    for _ in range(3):
        correct_by_keys(qtbot, window, "YBa2Cu3O7")
    wait_for(qtbot, strip(window).isVisible)


def test_three_corrections_show_a_line_that_takes_the_keyboard_from_nobody(qtbot: QtBot, review: MainWindow) -> None:
    correct_by_keys(qtbot, review, "YBa2Cu3O7")
    correct_by_keys(qtbot, review, "YBa2Cu3O7")
    qtbot.wait(700)
    settle(qtbot, review)
    assert not strip(review).isVisible()
    before = QApplication.focusWidget()
    correct_by_keys(qtbot, review, "YBa2Cu3O7")
    wait_for(qtbot, strip(review).isVisible)
    assert strip(review).text.text().startswith("You corrected “Kryptosil” to “YBa2Cu3O7” three times, in ")
    assert strip(review).text.text().endswith("Always read “Kryptosil” as “YBa2Cu3O7”?")
    assert QApplication.focusWidget() is before
    fact = review.review.current()
    assert fact is not None
    press(KEY.Key_A)  # the keys of the review go on
    settle(qtbot, review)
    assert review.workbench.fact(fact.id).decision.status == "accepted"


def test_l_adds_it_to_the_lexicon_and_u_takes_it_back(qtbot: QtBot, review: MainWindow) -> None:
    taught(qtbot, review)
    press(KEY.Key_L)
    wait_for(qtbot, lambda: not strip(review).isVisible())
    settle(qtbot, review)
    (row,) = review.workbench.current_lexicon().tables["aliases"].rows
    assert (row["spelling"], row["type"], row["canonical"]) == ("Kryptosil", "Material", "YBa2Cu3O7")
    assert review.review.strip.last.text().startswith("Learnt from 3 decisions: always read “Kryptosil”")
    press(KEY.Key_U)
    wait_for(qtbot, strip(review).isVisible)
    assert not review.workbench.current_lexicon().tables["aliases"].rows


def test_shift_l_dismisses_it_until_undo(qtbot: QtBot, review: MainWindow) -> None:
    taught(qtbot, review)
    press(KEY.Key_L, SHIFT)
    wait_for(qtbot, lambda: not strip(review).isVisible())
    qtbot.wait(700)
    settle(qtbot, review)
    assert not strip(review).isVisible()
    assert review.workbench.suggestions()[0].dismissed
    press(KEY.Key_L)
    assert "suggest nothing now" in review.review.strip.last.text()
    press(KEY.Key_U)
    wait_for(qtbot, strip(review).isVisible)


def test_the_buttons_are_reached_with_tab_and_give_the_keyboard_back(qtbot: QtBot, review: MainWindow) -> None:
    taught(qtbot, review)
    for _ in range(60):
        if QApplication.focusWidget() is strip(review).learn_button:
            break
        press(KEY.Key_Tab)
    assert QApplication.focusWidget() is strip(review).learn_button
    press(KEY.Key_Space)
    wait_for(qtbot, lambda: not strip(review).isVisible())
    assert QApplication.focusWidget() is review.review.table
    assert review.workbench.current_lexicon().tables["aliases"].rows


def test_y_shows_why_and_each_decision_opens_its_place(qtbot: QtBot, review: MainWindow) -> None:
    taught(qtbot, review)
    press(KEY.Key_Y)
    settle(qtbot, review)
    dialog = review.findChild(SuggestionsDialog)
    assert dialog is not None
    item = dialog.current()
    assert item is not None
    wait_for(qtbot, lambda: "three times" in dialog.detail.toPlainText())
    for ground in item.grounds:
        assert ground.sentence in dialog.detail.toPlainText()
    click_link(dialog.detail, f"fact:{item.grounds[0].fact}")
    wait_for(qtbot, lambda: review.page.isVisible())
    settle(qtbot, review)
    QTest.keyClick(dialog.table, KEY.Key_N)
    wait_for(qtbot, lambda: bool(dialog.model.rows) and dialog.model.rows[0].dismissed)
    QTest.keyClick(dialog.table, KEY.Key_U)
    wait_for(qtbot, lambda: not dialog.model.rows[0].dismissed)
    QTest.keyClick(dialog.table, KEY.Key_L)
    wait_for(qtbot, lambda: not dialog.model.rows)
    assert review.workbench.current_lexicon().tables["aliases"].rows
    assert dialog.undo_button.isEnabled()
    dialog.close()
    settle(qtbot, review)


def test_the_lexicon_page_has_the_suggestions_too(qtbot: QtBot, review: MainWindow) -> None:
    review.registry.run("lexicon")
    settle(qtbot, review)
    QTest.mouseClick(review.settings.editor.suggest, Qt.MouseButton.LeftButton)
    settle(qtbot, review)
    dialog = review.findChild(SuggestionsDialog)
    assert dialog is not None
    assert dialog.states.state == "empty"
    dialog.close()
    settle(qtbot, review)


def test_a_decision_after_the_dialog_was_closed_finds_nothing_left_of_it(qtbot: QtBot, review: MainWindow) -> None:
    review.registry.run("suggestions")
    settle(qtbot, review)
    dialog = review.findChild(SuggestionsDialog)
    assert dialog is not None
    dialog.close()
    wait_for(qtbot, lambda: review.findChild(SuggestionsDialog) is None)
    waiting = review.review.current()
    assert waiting is not None
    review.workbench.accept([waiting.id])  # an error in whatever still hears of it fails the test
    wait_for(qtbot, lambda: (fact := review.review.current()) is not None and fact.id != waiting.id)
    settle(qtbot, review)


def test_the_gold_set_is_written_from_the_window(qtbot: QtBot, review: MainWindow, tmp_path: Path) -> None:
    correct_by_keys(qtbot, review, "YBa2Cu3O7")
    out = tmp_path / "gold.jsonl"
    review.library.upkeep.export_gold(out)
    settle(qtbot, review)
    (line,) = [json.loads(text) for text in out.read_text(encoding="utf-8").splitlines()]
    assert line["correction"]["subject"]["text"] == "YBa2Cu3O7"
    assert review.notice._text.text().startswith("Wrote one fact that you decided on")
