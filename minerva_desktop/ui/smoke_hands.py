"""Hands for ``bench smoke``: keys, clicks and drops as Qt sends them, and the patience to wait for what they bring."""

from __future__ import annotations

import asyncio
import importlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QApplication, QTextBrowser, QWidget

PATIENCE = 120.0
LOOK = 0.25
"""Seconds between two looks at the processes while something is waited for."""
_NONE = Qt.KeyboardModifier.NoModifier
_LEFT = Qt.MouseButton.LeftButton


class Hands:
    """``how``: who makes the keys. Qt's test library sends them through the shortcuts; a packaged program may be without
    it, then a shortcut triggers its action if that could be chosen, and all other keys are events."""

    def __init__(self, look: Callable[[], None]) -> None:
        self._look = look
        try:
            self._test: Any = importlib.import_module("PySide6.QtTest").QTest
        except ImportError:
            self._test = None
        self.how = "QtTest" if self._test is not None else "events"

    async def until(self, condition: Callable[[], Any], what: str, seconds: float = PATIENCE) -> Any:
        """Let the window work until it holds; what the condition gave. Raises TimeoutError with ``what`` was waited for."""
        end, next_look = time.monotonic() + seconds, 0.0
        while not (found := condition()):
            if time.monotonic() > next_look:
                self._look()
                next_look = time.monotonic() + LOOK
            if time.monotonic() > end:
                raise TimeoutError(f"waited {seconds:.0f} s for {what}")
            await asyncio.sleep(0.02)
        self._look()
        return found

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = _NONE, target: QWidget | None = None) -> None:
        """A key to ``target``, or to what has the keyboard."""
        target = target or QApplication.focusWidget() or QApplication.activeWindow()
        if target is None:
            raise RuntimeError("nothing has the keyboard")
        if self._test is not None:
            self._test.keyClick(target, key, modifier)
            return
        action = _action_of(target, QKeySequence(key.value | modifier.value))
        if action is not None:
            action.trigger()
            return
        text = chr(key.value).lower() if key.value < 0x80 and modifier == _NONE else ""
        self._key(target, key, modifier, text)

    def type(self, target: QWidget, text: str) -> None:
        """Put the keyboard there and type the text in place of what stands there."""
        target.setFocus(Qt.FocusReason.OtherFocusReason)
        self._key(target, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier, "")
        for letter in text:
            self._key(target, Qt.Key.Key_unknown, _NONE, letter)

    def paste(self, target: QWidget, text: str) -> None:
        """Put the text there at once, by the clipboard, in place of what stands there; what was in the clipboard stays."""
        clipboard = QApplication.clipboard()
        before = clipboard.text()
        clipboard.setText(text)
        target.setFocus(Qt.FocusReason.OtherFocusReason)
        for key in (Qt.Key.Key_A, Qt.Key.Key_V):
            self._key(target, key, Qt.KeyboardModifier.ControlModifier, "")
        clipboard.setText(before)

    def _key(self, target: QWidget, key: Qt.Key, modifier: Qt.KeyboardModifier, text: str) -> None:
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(target, QKeyEvent(kind, key, modifier, text))

    def click(self, target: QWidget, at: QPoint | None = None) -> None:
        """The left mouse button on a widget, in its middle or at a point of it."""
        if not target.isVisible() or not target.isEnabled():
            raise RuntimeError(f"“{getattr(target, 'text', lambda: target)()}” cannot be clicked")
        place = QPointF(at if at is not None else target.rect().center())
        globally = QPointF(target.mapToGlobal(place.toPoint()))
        for kind, held in ((QEvent.Type.MouseButtonPress, _LEFT), (QEvent.Type.MouseButtonRelease, Qt.MouseButton(0))):
            QApplication.sendEvent(target, QMouseEvent(kind, place, globally, _LEFT, held, _NONE))

    def drop(self, target: QWidget, *paths: Path) -> None:
        """Drag files of this computer over a window and let go."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        action, place = Qt.DropAction.CopyAction, QPoint(200, 200)
        enter = QDragEnterEvent(place, action, data, _LEFT, _NONE)
        QApplication.sendEvent(target, enter)
        if not enter.isAccepted():
            raise RuntimeError("the window does not take what is dragged over it")
        QApplication.sendEvent(target, QDropEvent(QPointF(place), action, data, _LEFT, _NONE))

    def follow(self, view: QTextBrowser, href: str) -> bool:
        """Click the first link whose target begins so, where it is on the screen; False when there is none."""
        block = view.document().begin()
        while block.isValid():
            fragments = block.begin()
            while not fragments.atEnd():
                fragment = fragments.fragment()
                if fragment.charFormat().anchorHref().startswith(href):
                    cursor = view.textCursor()
                    cursor.setPosition(fragment.position() + 1)
                    self.click(view.viewport(), view.cursorRect(cursor).center())
                    return True
                fragments += 1
            block = block.next()
        return False


def shown(kind: type[Any]) -> Any:
    """The window or dialog of this kind that is on the screen; None when there is none."""
    return next((item for item in QApplication.topLevelWidgets() if isinstance(item, kind) and item.isVisible()), None)


def _action_of(target: QWidget, keys: QKeySequence) -> QAction | None:
    """The action that these keys would trigger with the keyboard there, if it can be chosen."""
    widget: QWidget | None = target
    while widget is not None:
        for action in widget.actions():
            near = action.shortcutContext() != Qt.ShortcutContext.WidgetShortcut or widget is target
            if near and action.isEnabled() and keys in action.shortcuts():
                return action
        widget = None if widget.isWindow() else widget.parentWidget()
    return None
