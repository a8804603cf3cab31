"""The window with a language model as its guest: a server on this machine that answers as a script says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pytestqt.qtbot import QtBot

from minerva_desktop.settings import load_settings
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.workbench import Workbench
from tests.ui_support import settle

NOTES = """# Notes on gallium nitride

The band gap of GaN is 3.4 eV at 300 K. Gallium nitride is used in blue LEDs.

GaN films were grown by sputtering on sapphire, and they were soft.
"""
Open = Callable[..., MainWindow]


@contextmanager
def open_window(folder: Path, qtbot: QtBot, *, offline: bool = False) -> Iterator[MainWindow]:
    """The window on a library in this folder, with the settings as they are stored."""
    workbench = Workbench(folder, load_settings(), offline=offline)
    bridge = Bridge(workbench)
    window = MainWindow(bridge)
    qtbot.addWidget(window)
    window.resize(1360, 840)
    window.show()
    qtbot.waitExposed(window)
    settle(qtbot, window)
    try:
        yield window
    finally:
        window._leaving = True
        window.close()
        bridge.close()
        workbench.close()
