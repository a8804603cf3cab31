"""Fixtures of the tests of review: a window on generated papers with real pages, of which every fact waits."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from minerva_desktop.bench._review_library import fill
from minerva_desktop.settings import Settings
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.workbench import Workbench
from tests.review_window import FACTS
from tests.ui_support import settle


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of two generated papers, of which every fact waits."""
    folder = tmp_path_factory.mktemp("review")
    with Workbench(folder / "library", Settings.model_validate({"embeddings": False}), offline=True) as bench:
        assert len(fill(bench, FACTS, folder)) == FACTS
    return folder / "library"


@pytest.fixture
def make_window(qtbot: QtBot, template: Path, tmp_path: Path, quiet_qt: None) -> Iterator[Callable[[], MainWindow]]:
    """Opens the window on a copy of the library, in review; closes the one before."""
    shutil.copytree(template, tmp_path / "library")
    opened: list[MainWindow] = []

    def close() -> None:
        window = opened.pop()
        window.leave()
        window.close()
        window.bridge.close()
        window.workbench.close()

    def make() -> MainWindow:
        if opened:
            close()
        bench = Workbench(tmp_path / "library", Settings.model_validate({"embeddings": False}), offline=True)
        window = MainWindow(Bridge(bench))
        qtbot.addWidget(window)
        opened.append(window)
        window.resize(1280, 820)
        window.show()
        qtbot.waitExposed(window)
        window.activateWindow()
        window.go("review")
        settle(qtbot, window)
        return window

    yield make
    close()


@pytest.fixture
def review_window(make_window: Callable[[], MainWindow]) -> MainWindow:
    """A name of its own: fixtures of a plugin are there for every file of a run, and the last of a name wins."""
    return make_window()
