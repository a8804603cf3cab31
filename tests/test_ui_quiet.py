"""The window while nobody does anything: the library is tidied, and what it noticed is said."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from minerva_desktop.library import graph_file
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.ui.quiet import Quiet
from tests.library_helpers import Shelf

pytest_plugins = ["tests.ui_fixtures"]


def test_the_library_is_tidied_when_nothing_was_done_for_a_while(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_file, "LONG_LOG", 0)
    bench = window.workbench
    quiet = Quiet(window.bridge, lambda _: None, window, wait=50)
    log = bench.library.path / "graph.kuzu.wal"
    bench.graph_stats()
    shelf = Shelf(bench.library, bench.library.path.parent)
    shelf.add_fact("one.txt", "GaN has a band gap of 3.4 eV.", "GaN", 3.4)
    (fact,) = bench.facts()
    window.bridge.change(lambda: bench.accept([fact.id]), what="accept")
    qtbot.waitUntil(lambda: log.exists() and log.stat().st_size > 0, timeout=20000)
    qtbot.waitUntil(lambda: not log.exists() or log.stat().st_size == 0, timeout=30000)
    qtbot.waitUntil(lambda: not window.bridge.busy, timeout=20000)
    assert bench.audit().ok
    quiet.deleteLater()


def test_what_the_library_noticed_is_said_in_the_window(qtbot: QtBot, window: MainWindow) -> None:
    bench = window.workbench
    bench.graph_stats()
    bench.library.path.joinpath("graph.kuzu").unlink()
    window.bridge.query(bench.graph_stats, lambda _: None)
    qtbot.waitUntil(window.notice.isVisible, timeout=20000)
    assert "had been deleted" in window.notice._text.text()
