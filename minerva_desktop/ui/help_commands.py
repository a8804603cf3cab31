"""What the Help menu does, and the way between the two libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from minerva_desktop.ui import dialogs

if TYPE_CHECKING:
    from minerva_desktop.ui.main_window import MainWindow


def help_commands(window: MainWindow) -> dict[str, Callable[[], Any]]:
    """What each of these commands does, by its id."""
    workbench = window.workbench
    return {
        "palette": window.palette_popup,
        "welcome": window.libraries.welcome,
        "shortcuts": lambda: dialogs.show_shortcuts(window),
        "doctor": lambda: _doctor(window),
        "about": lambda: dialogs.show_about(window, str(workbench.library_dir), workbench.embedding_note()),
        "load-sample": window.libraries.open_sample,
        "own-library": window.libraries.open_own,
    }


def _doctor(window: MainWindow) -> None:
    from minerva_desktop.ui.doctor_dialog import DoctorDialog  # what is behind it would slow the start

    DoctorDialog(window.bridge, window).open()
