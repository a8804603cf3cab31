"""Helpers for the tests of the window. The workbench in them is the real one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot


def drop(widget: QWidget, *paths: str) -> None:
    """Drop local files on a widget with the events that Qt itself sends."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    action = Qt.DropAction.CopyAction
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(200, 200), action, data, buttons, keys)
    QApplication.sendEvent(widget, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(widget, QDropEvent(QPointF(200, 200), action, data, buttons, keys))


def wait_for(qtbot: QtBot, condition: Callable[[], bool], seconds: float = 60) -> None:
    """Let the window work until the condition holds."""
    qtbot.waitUntil(condition, timeout=int(seconds * 1000))
