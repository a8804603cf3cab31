"""Pasting a sentence into the Find panel: where it stands, and its page."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from minerva_desktop.ui.main_window import MainWindow
from tests.ui_support import assert_marked, read, settle, wait_for

pytest_plugins = ["tests.ui_fixtures"]
SLIPS = "they cuont photons of 1550 nm with an efficency of 78 %"


def paste(qtbot: QtBot, window: MainWindow, text: str) -> None:
    """Put a text on the clipboard and paste it into the line, as a person does."""
    QApplication.clipboard().setText(text)
    window.find.line.setFocus()
    window.find.line.selectAll()
    window.find.line.paste()
    settle(qtbot, window)


def test_a_pasted_sentence_leads_to_its_page_with_the_sentence_marked(
    qtbot: QtBot, window: MainWindow, paper: Path
) -> None:
    read(qtbot, window, paper)
    window.registry.run("find-sentence")
    page = window.find.quotes
    assert page.states.empty.title.text() == "Where does it stand?"
    paste(qtbot, window, SLIPS)
    wait_for(qtbot, lambda: page.states.state == "content")
    assert "efficiency of 78 %" in page.model.places[0].quote
    assert "alike" in page.model.index(0, 0).data()
    assert "background-color" in page.model.html(0)
    qtbot.keyClick(window.find.line, Qt.Key.Key_Return)
    wait_for(qtbot, lambda: page.list.hasFocus())
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    wait_for(qtbot, lambda: window.page.isVisible() and window.page.canvas.ready)
    settle(qtbot, window)
    assert "efficiency of 78 %" in window.page.quote._text.text()
    sentence = next(s for s in window.workbench.document(window.page.paper).sentences if "78 %" in s.text)
    assert_marked(window, sentence.boxes[-1])


def test_what_is_pasted_among_passages_is_looked_for_as_a_sentence(
    qtbot: QtBot, window: MainWindow, paper: Path
) -> None:
    read(qtbot, window, paper)
    window.registry.run("find-library")
    paste(qtbot, window, "sapphire")  # a word: passages
    assert window.find.scope == "library"
    paste(qtbot, window, "")
    window.find.line.clear()
    paste(qtbot, window, SLIPS)
    assert window.find.scope == "sentence"
    wait_for(qtbot, lambda: bool(window.find.quotes.model.places))


def test_what_stands_nowhere_is_said_so_and_the_nearest_is_not_passed_off(
    qtbot: QtBot, window: MainWindow, paper: Path
) -> None:
    window.registry.run("find-sentence")
    paste(qtbot, window, SLIPS)
    page = window.find.quotes
    wait_for(qtbot, lambda: page.states.empty.title.text() == "Your library is empty")
    read(qtbot, window, paper)
    paste(qtbot, window, "Wires of zebra hair count the lions of the savannah with a lens of glass.")
    wait_for(qtbot, lambda: "Nothing in your library reads like this." in page.note.text())
    assert page.model.nearest
    assert all("not the same" in page.model.index(row, 0).data() for row in range(page.model.rowCount()))
    window.find.line.clear()
    settle(qtbot, window)
    assert not page.model.places
