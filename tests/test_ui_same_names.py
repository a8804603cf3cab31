"""Duplicate names in the window: seen with their reason and evidence, answered with one key, and taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.ui.same_names_dialog import SameNamesDialog
from tests.ui_support import click_link, read, settle, wait_for
from tests.values_support import write_papers

pytest_plugins = ["tests.ui_fixtures"]

PAPERS = {
    "On an alloy": "The Curie temperature of CoFe is 1250 K. The films of CoFe are ferromagnetic.",
    "On the same alloy": "The Curie temperature of FeCo is 1230 K.",
    "On cells": "Ni/YSZ and Ni-YSZ are used in solid oxide fuel cells. The density of Ni/YSZ is 6.5 g/cm3.",
}


@pytest.fixture
def dialog(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> SameNamesDialog:
    read(qtbot, window, *write_papers(tmp_path / "in", PAPERS))
    window.registry.run("same-names")
    settle(qtbot, window)
    made = window.findChild(SameNamesDialog)
    assert made is not None
    wait_for(qtbot, lambda: made.model.rowCount() > 0 and not window.bridge.busy)
    return made


def choose(qtbot: QtBot, window: MainWindow, dialog: SameNamesDialog, name: str, kind: str = "Material") -> None:
    row = next(n for n, item in enumerate(dialog.model.rows) if item.type == kind and name in (item.name, item.into))
    dialog.table.selectRow(row)
    settle(qtbot, window)


def materials(window: MainWindow) -> set[str]:
    return {name for kind, name in window.workbench.library.catalog.entity_spellings() if kind == "Material"}


def test_a_pair_shows_why_and_what_each_name_stands_in(
    qtbot: QtBot, window: MainWindow, dialog: SameNamesDialog
) -> None:
    choose(qtbot, window, dialog, "FeCo")
    item = dialog.current()
    assert item is not None
    assert (item.name, item.into) == ("FeCo", "CoFe")
    assert item.into_facts > item.name_facts > 0
    assert (item.name_papers, item.into_papers) == (1, 1)
    text = dialog.detail.toPlainText()
    assert "Both formulas have the same composition." in text
    assert "The Curie temperature of FeCo is 1230 K." in text
    assert "“FeCo” would become another name of “CoFe”." in text
    fact = next(fact for fact in dialog._shown[1] if fact.evidence[0].evidence.sentence.startswith("The Curie"))
    click_link(dialog.detail, f"fact:{fact.id}")
    settle(qtbot, window)
    assert window.page.paper == fact.evidence[0].evidence.paper


def test_merging_is_one_key_and_so_is_taking_it_back(qtbot: QtBot, window: MainWindow, dialog: SameNamesDialog) -> None:
    before = materials(window)
    choose(qtbot, window, dialog, "FeCo")
    qtbot.keyClick(dialog.table, Qt.Key.Key_M)
    settle(qtbot, window)
    assert materials(window) == before - {"FeCo"}
    assert "Merged “FeCo” into “CoFe”" in dialog.said.text()
    assert not any(item.type == "Material" and "FeCo" in (item.name, item.into) for item in dialog.model.rows)
    qtbot.keyClick(dialog.table, Qt.Key.Key_U)
    settle(qtbot, window)
    assert materials(window) == before
    wait_for(qtbot, lambda: any("FeCo" in (item.name, item.into) for item in dialog.model.rows))
    assert not dialog.undo_button.isEnabled()


def test_the_other_name_can_be_kept(qtbot: QtBot, window: MainWindow, dialog: SameNamesDialog) -> None:
    choose(qtbot, window, dialog, "FeCo")
    qtbot.keyClick(dialog.table, Qt.Key.Key_S)
    assert "“CoFe” would become another name of “FeCo”." in dialog.detail.toPlainText()
    qtbot.keyClick(dialog.table, Qt.Key.Key_M)
    settle(qtbot, window)
    assert ("Material", "CoFe", "FeCo") in window.workbench.merged_entities()


def test_two_things_stay_two_and_are_not_asked_about_again(
    qtbot: QtBot, window: MainWindow, dialog: SameNamesDialog
) -> None:
    choose(qtbot, window, dialog, "Ni/YSZ")
    qtbot.keyClick(dialog.table, Qt.Key.Key_N)
    settle(qtbot, window)
    dialog.reload()
    settle(qtbot, window)
    assert not any(item.type == "Material" and "Ni/YSZ" in (item.name, item.into) for item in dialog.model.rows)
    window.registry.run("undo")
    wait_for(qtbot, lambda: any("Ni/YSZ" in (item.name, item.into) for item in dialog.model.rows))


def test_both_are_opened_in_the_graph(qtbot: QtBot, window: MainWindow, dialog: SameNamesDialog) -> None:
    choose(qtbot, window, dialog, "FeCo")
    qtbot.keyClick(dialog.table, Qt.Key.Key_O)
    settle(qtbot, window)
    assert window.current_name() == "graph"
    assert {"Material:FeCo", "Material:CoFe"} <= {node.id for node in window.graph.canvas.nodes}


def test_nothing_to_ask_is_said(qtbot: QtBot, window: MainWindow) -> None:
    window.registry.run("same-names")
    settle(qtbot, window)
    made = window.findChild(SameNamesDialog)
    assert made is not None
    assert made.states.state == "empty"
    made.close()
