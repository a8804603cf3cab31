"""Starts the window on a library and ends it cleanly."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QMessageBox

from minerva_desktop.assets import resource_path
from minerva_desktop.errors import LibraryBusy, MinervaError
from minerva_desktop.settings import Settings, config_dir, default_library, load_settings, settings_file
from minerva_desktop.ui.bridge import Bridge, run_event_loop
from minerva_desktop.ui.dialogs import CrashReporter
from minerva_desktop.ui.handing_over import Receiver, hand_over
from minerva_desktop.ui.libraries import keep_choice, opening_of
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.ui.openings import Choice, Opening
from minerva_desktop.ui.theme import apply_theme
from minerva_desktop.ui.welcome import WelcomeDialog
from minerva_desktop.ui.widgets import error_text
from minerva_desktop.workbench import Workbench
from minerva_desktop.workbench.places import CATALOG

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
    beside: Callable[[], Awaitable[None]] | None = None,
) -> int:
    """Open the window; returns the exit code when it is closed. ``beside`` runs in the same loop, from the start on.

    ``files`` are read into the library at once. Where another window has the library open, that one gets them and comes
    to the front (None: this start fails instead, as the person asked for a window of its own).
    """
    _log_to_file()
    app = make_application(argv)
    reporter = CrashReporter()
    old_hooks = sys.excepthook, threading.excepthook
    sys.excepthook = reporter
    threading.excepthook = reporter.in_thread

    def dress(window: MainWindow) -> None:
        if after_first_paint is not None:
            window.painted.connect(after_first_paint)
        if quit_after_paint:
            window.painted.connect(window.close)

    async def main() -> int:
        other = asyncio.ensure_future(beside()) if beside is not None else None
        code = await _Session(settings, offline, dress, files).run(library_dir)
        if other is not None:
            other.cancel()
            await asyncio.gather(other, return_exceptions=True)
        return code

    try:
        return run_event_loop(app, main)
    finally:
        sys.excepthook, threading.excepthook = old_hooks


class _Session:
    """One library after the other, until a window is closed for good."""

    def __init__(
        self, settings: Settings, offline: bool, dress: Callable[[MainWindow], None], files: Sequence[Path] | None
    ) -> None:
        self._settings = settings
        self._offline = offline
        self._dress = dress
        self._files = files

    async def run(self, library_dir: Path | None) -> int:
        first = library_dir or default_library(self._settings)
        opening: Opening | None = Opening(first, first)
        asked = library_dir is None and is_first_start(self._settings)
        if asked:
            opening = await self._welcome(first)
        last: Opening | None = None
        while opening is not None:
            try:
                workbench = Workbench(opening.library, self._settings, create=True, offline=self._offline)
            except MinervaError as error:
                busy = isinstance(error, LibraryBusy)
                if busy and last is None and self._files is not None and hand_over(opening.library, self._files):
                    return 0
                await _could_not_open(error)
                if last is None and not asked:
                    return 1
                # Back to where the person came from: another library, or the question where it should be.
                opening, last = last or await self._welcome(opening.own), None
                continue
            last = Opening(opening.library, opening.own)
            opening = await self._show(workbench, opening)
            if opening is not None:
                self._settings = load_settings()
        return 0

    async def _welcome(self, library: Path) -> Opening:
        """Ask where to begin; what was chosen is kept."""
        chosen: asyncio.Future[Choice] = asyncio.get_running_loop().create_future()
        dialog = WelcomeDialog(library, self._settings)
        dialog.chosen.connect(chosen.set_result)
        dialog.open()
        choice = await chosen
        try:
            keep_choice(choice)
            self._settings = load_settings()
        except (MinervaError, OSError) as error:
            log.warning("what was chosen at the welcome could not be kept", exc_info=error)
        return opening_of(choice)

    async def _show(self, workbench: Workbench, opening: Opening) -> Opening | None:
        """A window on this library, until it is closed; which library to open next."""
        closed = asyncio.Event()
        bridge = Bridge(workbench)
        try:
            window = MainWindow(bridge)
            window.closing.connect(closed.set)
            window.painted.connect(bridge.embed_in_background)
            self._dress(window)
            receiver = Receiver(opening.library, window)
            receiver.received.connect(window.take_files)
            if self._files and not window.libraries.in_sample:  # once, and never among the samples
                window.painted.connect(lambda files=list(self._files): window.take_files(files))
                self._files = ()
            window.show()
            window.libraries.begin(opening)
            await closed.wait()
            while bridge.jobs:  # they stop at their next safe point; the window goes on painting until then
                await asyncio.sleep(0.02)
            window.hide()
            receiver.close()
            bridge.close()
            window.deleteLater()
            await asyncio.sleep(0)
            return window.leaving.next
        finally:
            bridge.close()
            workbench.close()


def is_first_start(settings: Settings) -> bool:
    """Whether nobody has begun here yet: no settings were kept, and there is no library where one would be."""
    there = (default_library(settings) / CATALOG).exists()
    return not settings.welcome_seen and not settings_file().exists() and not there


def make_application(argv: Sequence[str] | None = None) -> QApplication:
    """The one application object, in our look."""
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(list(argv or sys.argv[:1]))
    # Qt's own dialogs remember folders; they do so among our settings, and nowhere else.
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(config_dir()))
    app.setApplicationName("Minerva Desktop")
    app.setDesktopFileName("minerva-desktop")
    app.setQuitOnLastWindowClosed(False)
    app.setStyle("Fusion")
    app.setWindowIcon(QIcon(str(resource_path("icon", "minerva-desktop.svg"))))
    apply_theme(app)
    app.styleHints().colorSchemeChanged.connect(lambda _: apply_theme(app))
    return app


async def _could_not_open(error: MinervaError) -> None:
    message, hint = error_text(error)
    print(f"minerva-desktop: {message} {hint}".rstrip(), file=sys.stderr)  # noqa: T201 - also for a start from a shell
    if QApplication.platformName() in ("offscreen", "minimal"):  # there nobody could close the box
        return
    closed = asyncio.Event()
    box = QMessageBox(QMessageBox.Icon.Warning, "Minerva Desktop", message)
    box.setInformativeText(hint)
    box.finished.connect(lambda _: closed.set())
    box.open()
    await closed.wait()


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
