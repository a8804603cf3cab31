"""The keys that drive a window in review, and what it shows."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from minerva_desktop.records import Fact
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.ui.review_edit import EditDialog
from tests.ui_support import settle, wait_for

FACTS = 24
KEY = Qt.Key


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """A key to whatever has the keyboard."""
    target = QApplication.focusWidget()
    assert target is not None
    QTest.keyClick(target, key, modifiers)


def shown(window: MainWindow) -> Fact:
    fact = window.review.current()
    assert fact is not None
    assert window.review.card.fact is fact
    assert fact.claim in window.review.detail.toPlainText()
    return fact


def status(window: MainWindow, fact: Fact) -> str:
    return window.workbench.fact(fact.id).decision.status


def go_to(qtbot: QtBot, window: MainWindow, kind: str) -> Fact:
    """Move down to the first fact of a relation."""
    while shown(window).type != kind:
        press(KEY.Key_J)
        settle(qtbot, window)
    return shown(window)


def edit(qtbot: QtBot, window: MainWindow) -> EditDialog:
    press(KEY.Key_E)
    settle(qtbot, window)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, EditDialog)
    wait_for(qtbot, lambda: dialog.relation.count() > 0 and not window.bridge.busy)
    return dialog
