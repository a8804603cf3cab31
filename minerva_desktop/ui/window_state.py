"""Where the keyboard goes in the window, and its place, size and splitters from one start to the next."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication, QMainWindow, QSplitter, QWidget

from minerva_desktop.ui.page_view import PageView
from minerva_desktop.ui.widgets import Panel


def _splitters(window: QMainWindow) -> list[QSplitter]:
    return [item for item in window.findChildren(QSplitter) if item.objectName()]


def keep_window(window: QMainWindow, memory: QSettings) -> None:
    """Write it down."""
    memory.setValue("geometry", window.saveGeometry())
    for splitter in _splitters(window):
        memory.setValue(f"splitters/{splitter.objectName()}", splitter.saveState())
    memory.sync()


def restore_window(window: QMainWindow, memory: QSettings) -> None:
    """Bring it back."""
    geometry = memory.value("geometry")
    if geometry is not None:
        window.restoreGeometry(geometry)
    for splitter in _splitters(window):
        state = memory.value(f"splitters/{splitter.objectName()}")
        if state is not None:
            splitter.restoreState(state)


def focus_next(panes: Sequence[QWidget], step: int) -> None:
    """Put the keyboard into the pane after (1) or before (-1) the one that has it."""
    focus = QApplication.focusWidget()
    here = next((n for n, pane in enumerate(panes) if focus and (pane is focus or pane.isAncestorOf(focus))), 0)
    target = panes[(here + step) % len(panes)]
    if isinstance(target, PageView):
        target.focus_content()
    elif isinstance(target, Panel):
        target.focus_work()
    else:
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)
