"""How the window is left: for good, or for another library. Both ask first where something would be lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QCloseEvent

from minerva_desktop.ui import dialogs
from minerva_desktop.ui.openings import Opening

if TYPE_CHECKING:
    from minerva_desktop.ui.main_window import MainWindow


class Leaving(QObject):
    """``next``: the library to open when the window has gone; None = the program ends."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.next: Opening | None = None

    def close_event(self, event: QCloseEvent) -> None:
        """The window is to be closed."""
        if self._window._leaving:
            event.accept()
            return
        event.ignore()
        self.begin(None)

    def begin(self, opening: Opening | None) -> None:
        """Leave for another library, or for good."""
        unsaved = self._window.settings.unsaved()
        if not unsaved:
            self._ask_about_jobs(opening)
            return
        yes = "Quit Without Saving" if opening is None else "Go On Without Saving"
        hint = "Save them first to keep them."
        dialogs.ask(self._window, unsaved, hint, yes, "Go Back", lambda: self._ask_about_jobs(opening))

    def _ask_about_jobs(self, opening: Opening | None) -> None:
        if not self._window.bridge.jobs:
            self.leave(opening)
            return
        dialogs.ask(
            self._window,
            "Papers are still being read.",
            "What is finished is kept. To read the rest later, add the same files again.",
            "Stop and Quit" if opening is None else "Stop and Open the Other Library",
            "Go On Reading",
            lambda: self.leave(opening),
        )

    def leave(self, opening: Opening | None = None) -> None:
        """Stop the jobs and let the window go."""
        window = self._window
        if not window._leaving:
            window._leaving = True
            self.next = opening
            window.remember()
            window.bridge.cancel_jobs()
            window.setEnabled(False)
            window.closing.emit()
