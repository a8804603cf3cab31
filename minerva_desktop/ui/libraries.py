"""The person's own library and the sample library: two folders, and one click from either to the other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFrame, QHBoxLayout

from minerva_desktop.errors import MinervaError
from minerva_desktop.settings import default_library, load_settings, save_settings
from minerva_desktop.ui import dialogs
from minerva_desktop.ui.openings import Choice, Opening
from minerva_desktop.ui.welcome import WelcomeDialog
from minerva_desktop.ui.widgets import button, label
from minerva_desktop.workbench.places import is_sample, sample_library

if TYPE_CHECKING:
    from minerva_desktop.ui.main_window import MainWindow


def keep_choice(choice: Choice) -> None:
    """Write down what was chosen at the welcome, and that it was seen.

    Raises:
        MinervaError, OSError: the settings cannot be written.
    """
    values: dict[str, Any] = {"welcome_seen": True, "domain": choice.domain}
    if choice.library != default_library(load_settings()):
        values["library"] = str(choice.library)
    save_settings(values)


def opening_of(choice: Choice) -> Opening:
    """The library that is opened for a choice."""
    if not choice.sample:
        return Opening(choice.library, choice.library, choice.textbooks, choice.models)
    # Textbooks are the person's own: they are not put among the samples.
    return Opening(sample_library(load_settings(), choice.library), choice.library, models=choice.models)


class Libraries(QObject):
    """``banner`` is shown over the sample library."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.own: Path | None = None
        self.banner = QFrame()
        self.banner.setProperty("kind", "bar")
        row = QHBoxLayout(self.banner)
        row.setContentsMargins(16, 6, 12, 6)
        row.setSpacing(12)
        about = "This is the sample library: invented papers, to try things with. Your own library is untouched."
        row.addWidget(label(about, wrap=True), 1)
        self.back = button("Back to My Library", self.open_own)
        row.addWidget(self.back)
        self.banner.setVisible(self.in_sample)

    @property
    def in_sample(self) -> bool:
        return is_sample(self._window.workbench.library_dir)

    def begin(self, opening: Opening) -> None:
        """Do what is done first in a library that was just opened."""
        self.own = opening.own
        window = self._window
        if self.in_sample:
            window.bridge.query(window.workbench.papers, lambda papers: None if papers else self._fill())
        if opening.textbooks:
            window.library.add_textbooks(opening.textbooks)
        if opening.models:
            window.registry.run("language-models")

    def open_sample(self) -> None:
        """Open the sample library, or fill it where it is open already."""
        if self.in_sample:
            self._fill()
        else:
            own = self._own()
            self._window.leaving.begin(Opening(sample_library(load_settings(), own), own))

    def open_own(self) -> None:
        """Go back to the person's own library."""
        if self.in_sample:
            own = self._own()
            self._window.leaving.begin(Opening(own, own))
        else:
            self._window.notice.say("This is your own library.", undoable=False)

    def welcome(self) -> WelcomeDialog:
        """Show the welcome again."""
        settings = self._window.workbench.settings
        dialog = WelcomeDialog(self._own(), settings, self._window)
        before = Choice(self._own(), settings.domain)
        dialog.chosen.connect(lambda choice: None if choice == before else self._take(choice, before))
        dialog.open()
        return dialog

    def _take(self, choice: Choice, before: Choice) -> None:
        window = self._window
        try:
            keep_choice(choice)
        except (MinervaError, OSError) as error:
            dialogs.show_error(window, "keep what you chose", error)
            return
        opening = opening_of(choice)
        here = opening.library == window.workbench.library_dir
        if not here or choice.domain != before.domain:  # a domain counts from the moment a library is opened
            window.leaving.begin(opening)
        else:
            self.begin(replace(opening, own=choice.library))

    def _own(self) -> Path:
        here = self._window.workbench.library_dir
        return self.own or (default_library(self._window.workbench.settings) if is_sample(here) else here)

    def _fill(self) -> None:
        self._window.go("library")
        self._window.library.load_sample()
