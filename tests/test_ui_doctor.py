"""The doctor in the window: it looks beside it, marks every line, and what is copied is impersonal."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from minerva_desktop.ui.doctor_dialog import DoctorDialog
from minerva_desktop.ui.main_window import MainWindow
from tests.ui_support import settle, wait_for

pytest_plugins = ["tests.ui_fixtures"]


def open_doctor(qtbot: QtBot, window: MainWindow) -> DoctorDialog:
    window.registry.run("doctor")
    dialog = window.findChild(DoctorDialog)
    assert isinstance(dialog, DoctorDialog)
    assert dialog.states.state == "loading"  # the window is not kept waiting
    wait_for(qtbot, lambda: bool(dialog.lines))
    return dialog


def test_the_doctor_shows_marks_and_copies_as_text(qtbot: QtBot, window: MainWindow) -> None:
    dialog = open_doctor(qtbot, window)
    shown = dialog.text.toPlainText()
    assert "✓" in shown
    assert "Kuzu" in shown
    assert "no GPU is used" in shown
    assert "!" in shown  # there is no keyring in tests
    assert "apt-get install gnome-keyring" in shown
    assert "keyring" in dialog.said.text()
    qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().text()
    assert copied.count("\n") == len(dialog.lines)
    assert "note keyring:" in copied
    assert "Copied" in dialog.said.text()
    first = dialog.lines
    qtbot.mouseClick(dialog.again, Qt.MouseButton.LeftButton)
    wait_for(qtbot, lambda: dialog.lines is not first)
    assert dialog.states.state == "content"
    dialog.close()


def test_a_doctor_that_is_closed_early_does_no_harm(qtbot: QtBot, window: MainWindow) -> None:
    window.registry.run("doctor")
    dialog = window.findChild(DoctorDialog)
    assert dialog is not None
    dialog.close()
    settle(qtbot, window)
    assert window.isVisible()
