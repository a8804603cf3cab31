"""The main job through the real window: drop a paper, review, look at the graph, ask, open a citation."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QColor, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from minerva_desktop.settings import Settings
from minerva_desktop.ui.app import make_application
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.commands import COMMANDS
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.workbench import Workbench
from tests.ui_support import drop, wait_for


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    return make_application(["test"])


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    workbench = Workbench(tmp_path / "library", Settings.model_validate({"embeddings": False}), offline=True)
    bridge = Bridge(workbench)
    made = MainWindow(bridge)
    qtbot.addWidget(made)
    made.resize(1360, 840)
    made.show()
    qtbot.waitExposed(made)
    wait_for(qtbot, lambda: not bridge.busy)
    yield made
    made._leaving = True
    bridge.close()
    workbench.close()


@pytest.fixture
def paper(tmp_path: Path, sample_folder: Path) -> Path:
    source = sorted(sample_folder.glob("*.pdf"))[0]
    return Path(shutil.copy(source, tmp_path / source.name))


def read(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    drop(window, str(paper))
    wait_for(qtbot, lambda: not window.bridge.busy and window.library.papers.rowCount() == 1)


def test_first_run_says_what_to_do(window: MainWindow) -> None:
    states = window.library.states
    assert states.state == "empty"
    texts = [button.text() for button in window.library._empty_buttons if button.isVisible()]
    assert "Try the Sample Library" in texts
    assert window.registry.missing() == []


def test_a_dropped_paper_is_asked_about_and_its_citation_marks_the_page(
    qtbot: QtBot, window: MainWindow, paper: Path
) -> None:
    read(qtbot, window, paper)
    facts = window.workbench.facts(text="critical temperature of NbN")
    assert facts

    window.registry.run("go-ask")
    qtbot.keyClicks(window.ask.question, "What is the critical temperature of NbN?")
    qtbot.keyClick(window.ask.question, Qt.Key.Key_Return)
    wait_for(qtbot, lambda: window.ask.answer is not None and not window.bridge.busy)
    answer = window.ask.answer
    assert answer is not None
    assert answer.found
    assert "15.2 K" in answer.answer
    cited = [item for sentence in answer.sentences for item in sentence.citations if item.boxes]
    assert cited

    window.ask.open_citation(1)
    wait_for(qtbot, lambda: window.page.paper == cited[0].paper and window.page.canvas.ready and not window.bridge.busy)
    qtbot.wait(50)
    for box in cited[0].boxes:
        assert_marked(window, box)


def assert_marked(window: MainWindow, box: tuple[int, float, float, float, float]) -> None:
    """The pixels inside the stored box are marked, those well above and below the sentence's column are paper."""
    canvas = window.page.canvas
    rect = canvas.box_rect(box)
    image = canvas.viewport().grab().toImage()
    ratio = image.devicePixelRatio()
    assert rect.width() > 10
    inside = [
        QColor(image.pixel(QPoint(round(x * ratio), round((rect.top() + 1.5) * ratio))))
        for x in range(round(rect.left()) + 2, round(rect.right()) - 2, 7)
    ]
    yellow = [color for color in inside if color.blue() + 25 < min(color.red(), color.green())]
    assert len(yellow) > 0.7 * len(inside)
    margin = QColor(image.pixel(QPoint(round((rect.left() - 25) * ratio), round(rect.center().y() * ratio))))
    assert margin.blue() + 25 >= min(margin.red(), margin.green())


def test_one_key_accepts_and_undo_takes_it_back(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    window.registry.run("go-review")
    wait_for(qtbot, lambda: window.review.model.rowCount() > 0 and not window.bridge.busy)
    window.review.table.selectRow(0)
    chosen = window.review.model.row(0)
    assert chosen is not None
    qtbot.keyClick(window.review.table, Qt.Key.Key_A)
    wait_for(qtbot, lambda: not window.bridge.busy)
    assert window.workbench.fact(chosen.id).decision.status == "accepted"
    assert sum(window.workbench.graph_stats()["edges"].values()) > 0
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    wait_for(qtbot, lambda: not window.bridge.busy)
    assert window.workbench.fact(chosen.id).decision.status == "waiting"


def test_the_graph_shows_waiting_facts_and_grows(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    window.registry.run("go-graph")
    wait_for(qtbot, lambda: window.graph.nodes.rowCount() > 0 and not window.bridge.busy)
    window.graph.show_node("Material:MgB2")
    wait_for(qtbot, lambda: not window.bridge.busy)
    names = {window.graph.nodes.node(row).name for row in range(window.graph.nodes.rowCount())}
    assert "superconductivity" in names
    before = len(names)
    window.graph.expand("Property:superconductivity")
    wait_for(qtbot, lambda: not window.bridge.busy)
    assert window.graph.nodes.rowCount() > before


def test_an_unreadable_file_is_named_with_its_reason(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    bad = tmp_path / "broken.pdf"
    bad.write_bytes(b"%PDF-1.7 and then nothing")
    drop(window, str(bad))
    wait_for(qtbot, lambda: not window.bridge.busy)
    rows = window.library.jobs.list
    texts = [rows.topLevelItem(n).text(column) for n in range(rows.topLevelItemCount()) for column in range(3)]
    assert any("broken.pdf" in text for text in texts)
    assert any(text.rstrip().endswith(".") for text in texts)
    assert window.library.papers.rowCount() == 0


def test_no_two_shortcuts_collide() -> None:
    seen: dict[tuple[str, str], str] = {}
    for command in COMMANDS:
        scope = "review" if command.scope == "review-table" else command.scope
        for key in command.keys:
            text = QKeySequence(key).toString()
            for where in {scope, "window"} if scope != "window" else {"window", "review", "library", "graph"}:
                other = seen.get((where, text))
                assert other in (None, command.id), f"{text}: {other} and {command.id}"
            seen[(scope, text)] = command.id


def test_every_widget_that_takes_the_keyboard_has_a_name(window: MainWindow) -> None:
    nameless = []
    for name in window.panels:
        window.go(name)
        for widget in window.findChildren(QWidget):
            if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or not widget.isVisible():
                continue
            if isinstance(widget, QLineEdit) and widget.objectName() == "qt_spinbox_lineedit":
                continue
            interface = QAccessible.queryAccessibleInterface(widget)
            if interface is None or not interface.text(QAccessible.Text.Name):
                nameless.append(f"{name}: {type(widget).__name__} {widget.objectName()}")
    assert nameless == []


def test_window_place_and_page_are_remembered(qtbot: QtBot, window: MainWindow) -> None:
    window.go("graph")
    window.resize(790, 610)  # the screen of the tests is 800 by 800
    window.remember()
    again = MainWindow(window.bridge)
    qtbot.addWidget(again)
    again._leaving = True
    assert again.current_name() == "graph"
    assert again.size() == window.size()
