"""Starts the window on a library and ends it cleanly."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QMessageBox

from minerva_desktop.assets import resource_path
from minerva_desktop.errors import LibraryBusy, MinervaError
from minerva_desktop.settings import Settings, config_dir, default_library
from minerva_desktop.ui.bridge import Bridge, run_event_loop
from minerva_desktop.ui.dialogs import CrashReporter
from minerva_desktop.ui.handing_over import Receiver, hand_over
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.ui.theme import apply_theme
from minerva_desktop.ui.widgets import error_text
from minerva_desktop.workbench import Workbench

log = logging.getLogger(__name__)


def run(
    library_dir: Path | None,
    settings: Settings,
    *,
    offline: bool = False,
    files: Sequence[Path] | None = None,
    argv: Sequence[str] | None = None,
    after_first_paint: Callable[[], None] | None = None,
    quit_after_paint: bool = False,
) -> int:
    """Open the window; returns the exit code when it is closed.

    ``files`` are read into the library at once. Where another window has the library open, that one gets them and comes
    to the front (None: this start fails instead, as the person asked for a window of its own).
    """
    _log_to_file()
    app = make_application(argv)
    library = library_dir or default_library(settings)
    try:
        workbench = Workbench(library, settings, create=True, offline=offline)
    except LibraryBusy as error:
        return 0 if files is not None and hand_over(library, files) else _could_not_open(error)
    except MinervaError as error:
        return _could_not_open(error)
    reporter = CrashReporter()
    old_hooks = sys.excepthook, threading.excepthook
    sys.excepthook = reporter
    threading.excepthook = reporter.in_thread

    async def main() -> int:
        closed = asyncio.Event()
        bridge = Bridge(workbench)
        window = MainWindow(bridge)
        window.closing.connect(closed.set)
        window.painted.connect(bridge.embed_in_background)
        if after_first_paint is not None:
            window.painted.connect(after_first_paint)
        if quit_after_paint:
            window.painted.connect(window.close)
        receiver = Receiver(library, window)
        receiver.received.connect(window.take_files)
        if files:
            window.painted.connect(lambda: window.take_files(list(files)))
        window.show()
        await closed.wait()
        while bridge.jobs:  # they stop at their next safe point; the window goes on painting until then
            await asyncio.sleep(0.02)
        window.hide()
        receiver.close()
        bridge.close()
        window.deleteLater()
        await asyncio.sleep(0)
        return 0

    try:
        return run_event_loop(app, main)
    finally:
        workbench.close()
        sys.excepthook, threading.excepthook = old_hooks


def make_application(argv: Sequence[str] | None = None) -> QApplication:
    """The one application object, in our look."""
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(list(argv or sys.argv[:1]))
    app.setApplicationName("Minerva Desktop")
    app.setDesktopFileName("minerva-desktop")
    app.setQuitOnLastWindowClosed(False)
    app.setStyle("Fusion")
    app.setWindowIcon(QIcon(str(resource_path("icon", "minerva-desktop.svg"))))
    apply_theme(app)
    app.styleHints().colorSchemeChanged.connect(lambda _: apply_theme(app))
    return app


def _could_not_open(error: MinervaError) -> int:
    message, hint = error_text(error)
    print(f"minerva-desktop: {message} {hint}".rstrip(), file=sys.stderr)  # noqa: T201 - also for a start from a shell
    if QApplication.platformName() not in ("offscreen", "minimal"):  # there nobody could close the box
        box = QMessageBox(QMessageBox.Icon.Warning, "Minerva Desktop", message)
        box.setInformativeText(hint)
        box.exec()  # no loop of ours runs yet
    return 1


def _log_to_file() -> None:
    folder = config_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        logging.basicConfig(
            filename=folder / "minerva-desktop.log",
            level=logging.WARNING,
            format="%(asctime)s %(name)s %(levelname)s %(message)s",
        )
    except OSError:
        logging.basicConfig(level=logging.WARNING)
