"""Settings and lexicon in the window: typed, pasted, marked, saved, undone, and in effect."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QMessageBox, QSpinBox
from pytestqt.qtbot import QtBot

from minerva_desktop.settings import load_settings
from minerva_desktop.ui import theme
from minerva_desktop.ui.lexicon_editor import LexiconEditor
from minerva_desktop.ui.lexicon_table import LexiconTable
from minerva_desktop.ui.main_window import MainWindow
from tests.ui_support import read, settle, wait_for

pytest_plugins = ["tests.ui_fixtures"]

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def editor(qtbot: QtBot, window: MainWindow) -> LexiconEditor:
    window.registry.run("lexicon")
    settle(qtbot, window)
    return window.settings.editor


def table_of(qtbot: QtBot, window: MainWindow, kind: str) -> LexiconTable:
    window.settings.editor.show_kind(kind)
    settle(qtbot, window)
    return window.settings.editor.page().table


def type_row(table: LexiconTable, *cells: str) -> None:
    """A new row, cell after cell with the keyboard: the Tab key closes a cell and opens the next."""
    table.add_row()
    QApplication.processEvents()
    for cell in cells:
        field = QApplication.focusWidget()
        assert isinstance(field, QLineEdit)
        QTest.keyClicks(field, cell)
        QTest.keyClick(field, Qt.Key.Key_Tab)
        QApplication.processEvents()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    QApplication.processEvents()
    table.setFocus()


def names(window: MainWindow, kind: str) -> list[str]:
    (found,) = [item for item in window.workbench.lexicon()["kinds"] if item["kind"] == kind]
    return [next(iter(row.values())) for row in found["rows"]]


def test_an_empty_kind_says_what_it_is_for_and_opens_a_row(
    qtbot: QtBot, window: MainWindow, editor: LexiconEditor
) -> None:
    assert editor.page().states.state == "empty"
    assert "For example" in editor.page().states.empty.text.text()
    qtbot.mouseClick(editor.page()._first, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert editor.page().states.state == "content"
    assert editor.page().table.findChild(QLineEdit) is not None


def test_what_is_typed_is_saved_and_in_effect_for_the_next_paper(
    qtbot: QtBot, window: MainWindow, editor: LexiconEditor, tmp_path: Path
) -> None:
    type_row(table_of(qtbot, window, "units"), "Gal", "0.01 m/s^2")
    type_row(table_of(qtbot, window, "materials"), "Metaglass")
    assert "•" in editor.tabs.tabText(0)
    QTest.keyClick(editor.page().table, Qt.Key.Key_S, CONTROL)
    editor.save()
    settle(qtbot, window)
    assert editor.unsaved() == []
    assert names(window, "materials") == ["Metaglass"]
    window.workbench.save_lexicon("properties", [{"label": "gravity anomaly", "unit": "Gal"}])
    paper = tmp_path / "note.md"
    paper.write_text("# Note\n\n## Results\n\nThe gravity anomaly of Metaglass is 25 Gal at 300 K.\n", encoding="utf-8")
    read(qtbot, window, paper)
    assert "The gravity anomaly of Metaglass is 25 Gal." in [fact.claim for fact in window.workbench.facts()]


def test_a_bad_cell_is_marked_and_says_why_and_the_others_are_saved(
    qtbot: QtBot, window: MainWindow, editor: LexiconEditor
) -> None:
    table = table_of(qtbot, window, "materials")
    QGuiApplication.clipboard().setText("Metaglass\t\nWrong\tQq9\nNiborite\tNiB2\n")
    editor.page().table_with_row()
    QApplication.processEvents()
    QTest.keyClick(table.findChild(QLineEdit), Qt.Key.Key_Escape)
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_V, CONTROL)
    wait_for(qtbot, lambda: editor.page().model.bad_rows() == 1)
    cell = table.model().index(1, 1)
    assert "not a chemical formula" in cell.data(Qt.ItemDataRole.ToolTipRole)
    for palette in (theme.light_palette(), theme.dark_palette()):
        theme.use_palette(QApplication.instance(), palette)
        assert cell.data(Qt.ItemDataRole.BackgroundRole) != theme.tokens().base
    theme.use_palette(QApplication.instance(), theme.light_palette())
    table.setCurrentIndex(cell)
    assert "Row 2 is left out" in editor.page().fault.text()
    editor.save()
    settle(qtbot, window)
    assert names(window, "materials") == ["Metaglass", "Wrong", "Niborite"]
    assert table.currentIndex() == cell  # saving leaves the cursor where it is
    assert [item.name for item in window.workbench.domain.materials[:2]] == ["Metaglass", "Niborite"]


def test_edits_are_undone_in_the_table_and_saved_changes_in_the_library(
    qtbot: QtBot, window: MainWindow, editor: LexiconEditor
) -> None:
    window.workbench.save_lexicon("materials", [{"name": "Metaglass"}, {"name": "Osmadur"}])
    settle(qtbot, window)
    table = table_of(qtbot, window, "materials")
    model = editor.page().model
    table.setFocus()
    table.setCurrentIndex(table.model().index(1, 0))
    QTest.keyClick(table, Qt.Key.Key_Delete, CONTROL)
    assert [row["name"] for row in model.rows] == ["Metaglass"]
    QTest.keyClick(table, Qt.Key.Key_Z, CONTROL)
    assert [row["name"] for row in model.rows] == ["Metaglass", "Osmadur"]
    assert names(window, "materials") == ["Metaglass", "Osmadur"]  # the library's own undo was not asked
    QTest.keyClick(table, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert [row["name"] for row in model.rows] == ["Metaglass"]
    editor.save()
    settle(qtbot, window)
    assert names(window, "materials") == ["Metaglass"]
    window.registry.run("undo")
    settle(qtbot, window)
    assert names(window, "materials") == ["Metaglass", "Osmadur"]
    assert [row["name"] for row in model.rows] == ["Metaglass", "Osmadur"]


def test_rows_are_filtered_sorted_copied_and_pasted_with_their_header(
    qtbot: QtBot, window: MainWindow, editor: LexiconEditor
) -> None:
    table = table_of(qtbot, window, "methods")
    editor.page().table_with_row()
    QApplication.processEvents()
    QTest.keyClick(table.findChild(QLineEdit), Qt.Key.Key_Escape)
    QGuiApplication.clipboard().setText("Symbols\tName\nMG\tmoonlight growth\nDC\tdew casting\n")
    table.paste()
    assert [row.get("name") for row in editor.page().model.rows] == [None, "moonlight growth", "dew casting"]
    table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert [table.model().index(row, 0).data() for row in range(3)] == ["", "dew casting", "moonlight growth"]
    editor.search.setText("moon")
    assert table.model().rowCount() == 1
    table.selectAll()
    table.copy()
    assert QGuiApplication.clipboard().text().startswith("moonlight growth\t")
    editor.search.setText("nothing of the kind")
    assert editor.page().states.state == "empty"


def test_a_file_is_imported_and_the_lexicon_exported(
    qtbot: QtBot, window: MainWindow, editor: LexiconEditor, tmp_path: Path
) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("name;formula\nMetaglass;\nNiborite;NiB2\n", encoding="utf-8-sig")
    editor.import_path(file)
    settle(qtbot, window)
    assert [row["name"] for row in editor.page().model.rows] == ["Metaglass", "Niborite"]
    editor.save()
    settle(qtbot, window)
    editor.export_to(tmp_path / "out")
    settle(qtbot, window)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["materials.csv"]
    file.write_bytes("name\nGrün\n".encode("utf-16"))
    editor.import_path(file)
    settle(qtbot, window)
    box = next(item for item in editor.findChildren(QMessageBox))
    assert "UTF-8" in box.text()
    box.close()


def test_papers_are_read_again_from_the_window(
    qtbot: QtBot, window: MainWindow, editor: LexiconEditor, tmp_path: Path
) -> None:
    paper = tmp_path / "note.md"
    paper.write_text("# Note\n\n## Results\n\nMetaglass has a critical temperature of 9 K.\n", encoding="utf-8")
    read(qtbot, window, paper)
    assert window.workbench.facts() == []
    window.registry.run("lexicon")
    window.workbench.save_lexicon("materials", [{"name": "Metaglass"}])
    settle(qtbot, window)
    qtbot.mouseClick(editor.again, Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    assert "The critical temperature of Metaglass is 9 K." in [fact.claim for fact in window.workbench.facts()]


def test_closing_with_edits_that_are_not_saved_asks_first(
    qtbot: QtBot, window: MainWindow, editor: LexiconEditor
) -> None:
    type_row(table_of(qtbot, window, "materials"), "Metaglass")
    window.close()
    box = next(item for item in window.findChildren(QMessageBox))
    assert "not saved: Materials" in box.text()
    box.close()
    assert window.isVisible()


# -------------------------------------------------------------------------------------------------------- settings
def test_each_setting_has_an_editor_of_its_kind_and_is_saved_at_once(qtbot: QtBot, window: MainWindow) -> None:
    window.go("settings")
    settle(qtbot, window)
    fields = window.settings.form.fields
    others = {name for name in type(window.workbench.settings).model_fields if not name.startswith("model_")}
    # Language models have a page of their own; that the welcome was seen is the program's own note.
    assert set(fields) == others - {"welcome_seen"}
    gate, offline, seconds = fields["gate"].editor, fields["offline"].editor, fields["read_seconds"].editor
    assert isinstance(gate, QComboBox)
    assert isinstance(offline, QCheckBox)
    assert isinstance(seconds, QSpinBox)
    assert (seconds.minimum(), seconds.maximum()) == (5, 3600)
    gate.setFocus()
    QTest.keyClick(gate, Qt.Key.Key_Down)
    seconds.setValue(60)
    settle(qtbot, window)
    assert (load_settings().gate, load_settings().read_seconds) == ("corroborated", 60)
    languages = fields["ocr_languages"].editor
    assert isinstance(languages, QLineEdit)
    languages.setText("not a language!")
    languages.editingFinished.emit()
    settle(qtbot, window)
    assert "ocr_languages" in fields["ocr_languages"].fault.text()
    assert load_settings().ocr_languages == "eng"
