"""The page of runs and the library check, as a person uses them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from minerva_desktop.ui.audit_dialog import AuditDialog
from minerva_desktop.ui.main_window import MainWindow
from tests.ui_support import read, settle, wait_for

pytest_plugins = ["tests.ui_fixtures"]
SHIFT = Qt.KeyboardModifier.ShiftModifier


def test_two_runs_are_compared_and_a_difference_opens_its_page(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    panel = window.readings
    window.registry.run("go-runs")
    settle(qtbot, window)
    assert panel.states.state == "empty"

    read(qtbot, window, paper)
    window.workbench.reextract(engine="builtin")
    window.registry.run("go-runs")
    wait_for(qtbot, lambda: [run.id for run in panel.runs.rows] == ["reextract-2", "ingest-1"])
    settle(qtbot, window)
    assert "Fingerprint" in panel.about.toPlainText()
    QTest.keyClick(panel.table, Qt.Key.Key_Down, SHIFT)
    settle(qtbot, window)
    assert panel.lower.empty.title.text() == "No difference"
    assert "byte for byte" in panel.lower.empty.text.text()

    window.workbench.save_lexicon("blacklist", [{"term": "TiN", "type": "Material"}])
    window.workbench.reextract(engine="builtin")
    wait_for(qtbot, lambda: len(panel.runs.rows) == 3)
    settle(qtbot, window)
    panel.compare("reextract-3", "reextract-2")
    settle(qtbot, window)
    assert panel.diff is not None
    assert panel.diff.only_a
    assert "the lexicon" in panel.summary.text()
    assert not panel.tabs.isTabEnabled(2)
    assert panel.rows.rowCount() == len(panel.diff.rows)
    assert "TiN" in panel.detail.toPlainText()

    window.activateWindow()
    panel.differences.setFocus()
    QTest.keyClick(panel.differences, Qt.Key.Key_Down)
    row = panel.diff.rows[1]
    assert row.sentence in panel.detail.toPlainText()
    QTest.keyClick(panel.differences, Qt.Key.Key_Return)
    settle(qtbot, window)
    assert window.page.isVisible()
    assert window.page._place is not None
    assert (window.page._place.paper, window.page._place.page) == (row.paper, row.page)
    # Marked runs stay marked when the list is fetched anew.
    panel.reload()
    settle(qtbot, window)
    assert [run.id for run in panel._chosen()] == ["reextract-2", "reextract-3"]


def the_check(qtbot: QtBot, window: MainWindow) -> AuditDialog:
    settle(qtbot, window)
    (dialog,) = [item for item in QApplication.topLevelWidgets() if isinstance(item, AuditDialog) and item.isVisible()]
    return dialog


def test_the_library_check_names_what_is_wrong_and_repairs_it(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    window.registry.run("audit")
    dialog = the_check(qtbot, window)
    assert dialog.text.text() == "Record, graph, search index and files agree."
    assert not dialog.repair_button.isVisible()
    dialog.close()

    with window.workbench.library.catalog.db.transaction() as connection:
        connection.execute("DELETE FROM names WHERE name = 'NbN'")
    window.registry.run("audit")
    dialog = the_check(qtbot, window)
    first = dialog.tree.topLevelItem(0)
    assert first is not None
    assert first.text(0) == "Entities are found under the names that papers use"
    assert first.isExpanded()
    assert any(first.child(n).text(0) == "Material NbN: is not found under “NbN”" for n in range(first.childCount()))
    QTest.mouseClick(dialog.repair_button, Qt.MouseButton.LeftButton)
    wait_for(qtbot, lambda: dialog.report.ok)
    settle(qtbot, window)
    assert "were made anew" in dialog.text.text()
    assert not dialog.repair_button.isVisible()
    dialog.close()


def test_after_a_crash_the_library_is_checked_quietly(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    window.workbench.library.unclean = True
    window.library.upkeep.look_after_a_crash()
    settle(qtbot, window)
    assert not [item for item in QApplication.topLevelWidgets() if isinstance(item, AuditDialog) and item.isVisible()]
    with window.workbench.library.catalog.db.transaction() as connection:
        connection.execute("DELETE FROM names WHERE name = 'NbN'")
    window.library.upkeep.look_after_a_crash()
    the_check(qtbot, window).close()
