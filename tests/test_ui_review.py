"""Review with very many facts: only what is looked at is loaded. The workbench here is a test double that counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.facts_model import FactsModel
from minerva_desktop.ui.review_panel import ReviewPanel
from tests.ui_support import FactsDouble, made_up_fact, wait_for

pytest_plugins = ["tests.ui_fixtures"]
TOTAL = 100_000


@pytest.fixture
def double(tmp_path: Path) -> FactsDouble:
    return FactsDouble(tmp_path, TOTAL)


@pytest.fixture
def panel(qtbot: QtBot, double: FactsDouble) -> Iterator[ReviewPanel]:
    bridge = Bridge(double)
    made = ReviewPanel(bridge)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    wait_for(qtbot, lambda: not bridge.busy)
    yield made
    bridge.close()


def test_a_hundred_thousand_facts_load_only_what_is_seen(qtbot: QtBot, panel: ReviewPanel, double: FactsDouble) -> None:
    assert panel.model.rowCount() == TOTAL
    assert len(double.calls) <= 3
    panel.table.scrollTo(panel.model.index(70_000, 0))
    panel.table.viewport().grab()
    wait_for(qtbot, lambda: panel.model.loaded(70_000) is not None and not panel.bridge.busy)
    assert panel.model.index(70_000, 0).data() == made_up_fact(70_000).claim
    assert len(double.calls) <= 6


def test_all_can_be_marked_and_accepted_without_loading_them_into_the_window(
    qtbot: QtBot, panel: ReviewPanel, double: FactsDouble
) -> None:
    double.total = 5_000
    panel.reload()
    wait_for(qtbot, lambda: panel.model.rowCount() == 5_000 and not panel.bridge.busy)
    panel.table.selectAll()
    panel.accept()
    wait_for(qtbot, lambda: not panel.bridge.busy)
    assert double.decided == [made_up_fact(number).id for number in range(5_000)]


def test_keys_move_the_cursor_and_stop_at_the_ends(panel: ReviewPanel) -> None:
    panel.step(-1)
    assert panel.table.currentIndex().row() == 0
    panel.step(3)
    assert panel.table.currentIndex().row() == 3
    assert panel.detail.fact is not None
    assert panel.detail.fact.id == made_up_fact(3).id


def test_an_empty_tab_says_so(qtbot: QtBot, panel: ReviewPanel) -> None:
    panel.tabs.setCurrentIndex(2)
    wait_for(qtbot, lambda: not panel.bridge.busy)
    assert panel.states.state == "empty"
    panel.tabs.setCurrentIndex(0)
    wait_for(qtbot, lambda: not panel.bridge.busy)
    assert panel.states.state == "content"


def test_a_failing_library_is_shown_and_can_be_tried_again(
    qtbot: QtBot, panel: ReviewPanel, double: FactsDouble
) -> None:
    double.broken = True
    panel.reload()
    wait_for(qtbot, lambda: panel.states.state == "error")
    double.broken = False
    qtbot.mouseClick(panel.states._again, Qt.MouseButton.LeftButton)
    wait_for(qtbot, lambda: panel.states.state == "content")


def test_facts_that_come_late_are_asked_for_once(qtbot: QtBot) -> None:
    model = FactsModel()
    asked: list[list[str]] = []
    model.wanted.connect(asked.append)
    model.reset([f"{number:016x}" for number in range(1_000)])
    for _ in range(3):
        assert model.index(450, 0).data() == "…"
    assert asked == [[f"{number:016x}" for number in range(400, 500)]]
    model.fill(asked[0], [made_up_fact(number) for number in range(400, 500)])
    assert model.index(450, 0).data() == made_up_fact(450).claim


def test_the_models_keep_qts_rules(qtmodeltester: object, qtbot: QtBot) -> None:
    model = FactsModel()
    facts = [made_up_fact(number) for number in range(3)]
    model.reset([fact.id for fact in facts], facts)
    qtmodeltester.check(model)  # type: ignore[attr-defined]
    model.take_out([facts[1].id])
    assert model.put_in(7, facts[1]) == 2
    qtmodeltester.check(model)  # type: ignore[attr-defined]
