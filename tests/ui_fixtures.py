"""Fixtures for the tests of the window."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QtMsgType
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from minerva_desktop.settings import Settings
from minerva_desktop.ui.app import make_application
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.workbench import Workbench
from tests.ui_support import settle

HARMLESS = (
    "This plugin does not support propagateSizeHints()",
    "This plugin does not support raise()",
    "This plugin does not support grabbing the keyboard",
)
"""What the offscreen platform says of itself."""


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    return make_application(["test"])


@pytest.fixture
def quiet_qt(qtlog: Any) -> Iterator[None]:
    """Qt's own warnings fail the test."""
    yield
    bad = [
        record.message
        for record in qtlog.records
        if record.type in (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg) and record.message not in HARMLESS
    ]
    assert bad == []


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, quiet_qt: None) -> Iterator[MainWindow]:
    """The window on an empty library, without embeddings."""
    workbench = Workbench(tmp_path / "library", Settings.model_validate({"embeddings": False}), offline=True)
    bridge = Bridge(workbench)
    made = MainWindow(bridge)
    qtbot.addWidget(made)
    made.resize(1360, 840)
    made.show()
    qtbot.waitExposed(made)
    settle(qtbot, made)
    yield made
    made._leaving = True
    made.close()
    bridge.close()
    workbench.close()


@pytest.fixture
def paper(tmp_path: Path, sample_folder: Path) -> Path:
    """A copy of the first sample paper."""
    source = sorted(sample_folder.glob("*.pdf"))[0]
    return Path(shutil.copy(source, tmp_path / source.name))
