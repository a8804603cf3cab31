"""What happens while the person does nothing: the library is tidied, and what it noticed of itself is said."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from minerva_desktop.events import CancelToken
from minerva_desktop.records import ChangeSet
from minerva_desktop.ui.bridge import Bridge

QUIET = 60_000
"""Milliseconds without work before the library is tidied."""


class Quiet(QObject):
    """``say`` shows a sentence. Tidies once after changes, when nothing has run for a while."""

    def __init__(self, bridge: Bridge, say: Callable[[str], None], parent: QObject, wait: int = QUIET) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._say = say
        self._untidy = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(wait)
        self._timer.timeout.connect(self._tidy)
        bridge.changed.connect(self._on_change)
        bridge.idle.connect(self._on_idle)

    def _on_change(self, _: ChangeSet) -> None:
        self._untidy = True

    def _on_idle(self) -> None:
        notes = self._bridge.workbench.new_notes()
        if notes:
            self._say(" ".join(notes))
        if self._untidy:
            self._timer.start()

    def _tidy(self) -> None:
        if self._untidy and not self._bridge.busy:
            self._untidy = False
            workbench, cancel = self._bridge.workbench, CancelToken()
            self._bridge.query(lambda: workbench.tidy(cancel), lambda _: None, cancel=cancel)
