"""The main window: rail, pages, page pane, status strip, and the commands that tie them together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.records import ChangeSet
from minerva_desktop.settings import config_dir
from minerva_desktop.ui import bringing, dialogs
from minerva_desktop.ui.ask_panel import AskPanel
from minerva_desktop.ui.bridge import Bridge, Job
from minerva_desktop.ui.commands import Registry
from minerva_desktop.ui.drop_hint import DropHint, local_files
from minerva_desktop.ui.find_panel import FindPanel
from minerva_desktop.ui.graph_panel import GraphPanel
from minerva_desktop.ui.guest_runs import GuestRuns
from minerva_desktop.ui.help_commands import help_commands
from minerva_desktop.ui.leaving import Leaving
from minerva_desktop.ui.libraries import Libraries
from minerva_desktop.ui.library_panel import LibraryPanel
from minerva_desktop.ui.page_splitter import PageSplitter
from minerva_desktop.ui.page_view import PageView
from minerva_desktop.ui.palette import CommandPalette
from minerva_desktop.ui.panel_commands import panel_commands
from minerva_desktop.ui.quiet import Quiet
from minerva_desktop.ui.review_panel import ReviewPanel
from minerva_desktop.ui.runs_panel import RunsPanel
from minerva_desktop.ui.same_names_dialog import SameNamesDialog
from minerva_desktop.ui.settings_panel import SettingsPanel
from minerva_desktop.ui.status_strip import StatusStrip
from minerva_desktop.ui.values_panel import ValuesPanel
from minerva_desktop.ui.widgets import Notice, Panel, Place, RailButton
from minerva_desktop.ui.window_state import focus_next, keep_window, restore_window

PAGES = (
    ("library", "Library"),
    ("find", "Find"),
    ("review", "Review"),
    ("graph", "Graph"),
    ("values", "Values"),
    ("ask", "Ask"),
    ("runs", "Runs"),
    ("settings", "Settings"),
)


class MainWindow(QMainWindow):
    """``closing`` is emitted once, when the window may go; ``painted`` at the first paint."""

    closing = Signal()
    painted = Signal()

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.bridge = bridge
        self.workbench = bridge.workbench
        self._painted = False
        self._leaving = False
        self.leaving = Leaving(self)
        self.libraries = Libraries(self)
        self._memory = QSettings(str(config_dir() / "window.ini"), QSettings.Format.IniFormat)
        self.setWindowTitle(f"{self.workbench.library_dir.name} – Minerva Desktop")
        self.setAcceptDrops(True)
        self.setMinimumSize(760, 480)
        self.resize(1280, 820)
        self.runs = GuestRuns(bridge, self._memory, self)
        self.library = LibraryPanel(bridge, self.runs)
        self.find = FindPanel(bridge, self._memory, self.runs)
        self.review = ReviewPanel(bridge, self._memory)
        self.graph = GraphPanel(bridge)
        self.values = ValuesPanel(bridge, self._memory)
        self.ask = AskPanel(bridge, self._memory)
        self.readings = RunsPanel(bridge)
        self.settings = SettingsPanel(bridge, self._memory, self.runs)
        self.page = PageView(bridge)
        self.panels: dict[str, Panel] = {
            "library": self.library,
            "find": self.find,
            "review": self.review,
            "graph": self.graph,
            "values": self.values,
            "ask": self.ask,
            "runs": self.readings,
            "settings": self.settings,
        }
        self._build()
        scopes = {
            "library": self.library.table,
            "find": self.find,
            "find-table": self.find.web.table,
            "review": self.review.splitter,
            "review-table": self.review.table,
            "graph": self.graph.splitter,
            "values": self.values,
            "values-table": self.values.table,
            "ask": self.ask,
            "runs-diff": self.readings.differences,
        }
        self.registry = Registry(self, scopes)
        self.review.card.crop.addAction(self.registry.actions["open-page"])
        self.notice = Notice(self)
        self._bind()
        self.registry.fill(self.menuBar())
        self.palette_box = CommandPalette(self.registry, self)
        self.notice.undo_wanted.connect(lambda: self.registry.run("undo"))
        self.hint = DropHint(self)
        self._connect()
        self._restore()
        self._show_stats()
        self.painted.connect(self.library.upkeep.look_after_a_crash)

    # ----------------------------------------------------------------------------------------------- building
    def _build(self) -> None:
        rail = QFrame()
        rail.setProperty("kind", "rail")
        rail.setFixedWidth(90)
        column = QVBoxLayout(rail)
        column.setContentsMargins(8, 12, 8, 12)
        column.setSpacing(6)
        self.rail: dict[str, RailButton] = {}
        self.shelf = QStackedWidget()
        for name, text in PAGES:
            made = RailButton(name, text)
            made.clicked.connect(lambda _=False, name=name: self.go(name))
            self.rail[name] = made
            if name == "settings":  # stands apart, at the foot
                column.addStretch(1)
            column.addWidget(made)
            self.shelf.addWidget(self.panels[name])
        self.splitter = PageSplitter(self.shelf, self.page)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(rail)
        row.addWidget(self.splitter, 1)
        middle = QWidget()
        whole = QVBoxLayout(middle)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.libraries.banner)
        whole.addLayout(row, 1)
        self.setCentralWidget(middle)
        self.status = StatusStrip(self.bridge)
        self.setStatusBar(self.status)
        self.status.engine_wanted.connect(lambda: self._show_settings("models"))

    def _connect(self) -> None:
        for panel in self.panels.values():
            panel.place_wanted.connect(self.show_place)
            panel.notice.connect(lambda text, undoable: self.notice.say(text, undoable=undoable))
        self.library.facts_wanted.connect(self._show_facts)
        self.ask.web_wanted.connect(lambda words: self._find_in("web", words))
        self.library.sample_wanted.connect(self.libraries.open_sample)
        self.runs.go_on.connect(
            lambda job, title, engine: self._in_library(lambda: self.library.upkeep.resume(job, title, engine))
        )
        self.page.closed.connect(self._close_page_pane)
        self.splitter.escaped.connect(self._close_page_pane)
        self.page.notice.connect(lambda text, undoable: self.notice.say(text, undoable=undoable))
        self.bridge.changed.connect(self._on_change)
        self.bridge.job_changed.connect(self._on_job)
        self.quiet = Quiet(self.bridge, lambda text: self.notice.say(text, undoable=False), self)
        self.bridge.failed.connect(lambda what, error: dialogs.show_error(self, what, error))

    def _bind(self) -> None:
        self.bringing = bringing.Bringing(self, self.bridge, self.library)
        on = self.registry.on
        library = self.library
        handlers: dict[str, Callable[[], Any]] = {
            **panel_commands(self),
            **help_commands(self),
            "import": self.bringing.choose_bibliography,
            "watch": self.bringing.show_watched,
            "rebuild": lambda: self._in_library(library.upkeep.rebuild),
            "cancel-job": self.bridge.cancel_jobs,
            "quit": self.close,
            "undo": lambda: self._take_back("undo"),
            "redo": lambda: self._take_back("redo"),
            "history": self._history,
            "find": lambda: self.current().focus_search(),
            "find-library": lambda: self._find_in("library"),
            "find-sentence": lambda: self._find_in("sentence"),
            "find-web": lambda: self._find_in("web"),
            "find-look-up": self._look_up,
            "lexicon": lambda: self._show_settings("lexicon"),
            "language-models": lambda: self._show_settings("models"),
            "model-calls": lambda: self._show_settings("calls"),
            "network": lambda: self._show_settings("network"),
            "same-names": self._same_names,
            "notices": lambda: self._in_library(library.upkeep.ask_notices),
            "toggle-page": self._toggle_page,
            "next-pane": lambda: self._next_pane(1),
            "previous-pane": lambda: self._next_pane(-1),
            "full-screen": lambda: self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen),
        }
        for name, handler in handlers.items():
            on(name, handler)
        for name, _ in PAGES:
            on(f"go-{name}", lambda name=name: self.go(name))
        self.registry.actions["cancel-job"].setEnabled(False)
        self.registry.actions["own-library"].setEnabled(self.libraries.in_sample)

    # ------------------------------------------------------------------------------------------------- moving
    def current(self) -> Panel:
        """The page of the window that is shown."""
        panel = self.shelf.currentWidget()
        assert isinstance(panel, Panel)
        return panel

    def current_name(self) -> str:
        return next(name for name, panel in self.panels.items() if panel is self.current())

    def go(self, name: str) -> None:
        """Show a page of the window, with the keyboard where one works."""
        self.rail[name].setChecked(True)
        self.notice.hide()
        if self.splitter.is_over:
            self.splitter.close_page()
        self.shelf.setCurrentWidget(self.panels[name])
        self._allow_commands()
        self.panels[name].focus_work()

    def _allow_commands(self) -> None:
        """Commands of a panel can be chosen only while it is shown: menus never act on what is not seen."""
        for command, action in self.registry.by_panel():
            action.setEnabled(command == self.current_name())

    def palette_popup(self) -> None:
        self.palette_box.popup()

    def show_place(self, place: Place) -> None:
        """Open the page pane at a place."""
        self.splitter.open()
        self.page.show_place(place)
        if self.splitter.is_over:
            self.page.canvas.setFocus()

    def _toggle_page(self) -> None:
        if self.splitter.is_open:
            self._close_page_pane()
        else:
            self.splitter.open()

    def _close_page_pane(self) -> None:
        self.splitter.close_page()
        self.current().focus_work()

    def _show_settings(self, page: str) -> None:
        self.settings.show_page(page)
        self.go("settings")

    def _show_facts(self, paper: str, title: str) -> None:
        self.review.show_paper(paper, title)
        self.go("review")

    def _find_in(self, scope: str, text: str = "") -> None:
        """Ready to look somewhere, with a text in the line; the person starts it."""
        self.find.show_scope(scope)
        if text:
            self.find.line.setText(text)
        self.go("find")

    def _look_up(self) -> None:
        self.go("find")
        self.find.look_up()

    def _next_pane(self, step: int) -> None:
        pages = (self.page,) if self.page.isVisible() else ()
        focus_next((self.rail[self.current_name()], self.current(), *pages), step)

    # ----------------------------------------------------------------------------------------------- commands
    def _in_library(self, action: Callable[[], Any]) -> None:
        """Do something whose progress the library shows."""
        self.go("library")
        action()

    def _take_back(self, verb: str) -> None:
        workbench = self.workbench
        work = workbench.undo if verb == "undo" else workbench.redo
        word = "Taken back" if verb == "undo" else "Done again"

        def done(changes: ChangeSet) -> None:
            self.notice.say(f"{word}: {changes.label}." if changes.label else f"{word}.", undoable=False)

        self.bridge.change(work, done, what=verb)

    def _history(self) -> None:
        self.bridge.query(self.workbench.history, lambda events: dialogs.show_history(self, events))

    def _same_names(self) -> None:
        dialog = self.findChild(SameNamesDialog)
        if dialog is None:
            dialog = SameNamesDialog(self.bridge, self)
            dialog.nodes_wanted.connect(self._show_nodes)
            dialog.place_wanted.connect(self.show_place)
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def _show_nodes(self, node_ids: list[str]) -> None:
        self.go("graph")
        self.graph.show_nodes(node_ids)

    # ------------------------------------------------------------------------------------------------- status
    def _on_change(self, _: ChangeSet) -> None:
        self._show_stats()

    def _show_stats(self) -> None:
        self.bridge.query(self.workbench.stats, self._stats_came, key="stats")

    def _stats_came(self, stats: dict[str, Any]) -> None:
        self.status.show_stats(stats)
        self.rail["review"].set_count(stats["waiting"])
        for verb in ("undo", "redo"):
            text = stats[f"{verb}_label"]
            action = self.registry.actions[verb]
            action.setText(f"{verb.capitalize()}: {text}" if text else verb.capitalize())
            action.setEnabled(bool(text))

    def _on_job(self, _: Job) -> None:
        self.registry.actions["cancel-job"].setEnabled(bool(self.bridge.jobs))

    # --------------------------------------------------------------------------------------------------- drop
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if local_files(event.mimeData()):
            event.acceptProposedAction()
            self.hint.cover()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.hint.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        self.hint.hide()
        paths = local_files(event.mimeData())
        if paths:
            event.acceptProposedAction()
            self.take_files(paths)

    def take_files(self, paths: list[Path]) -> None:
        """Read files that were dropped here or opened from the desktop, and come to the front."""
        if self.isMinimized():
            self.showNormal()
        self.raise_()
        self.activateWindow()
        if len(paths) == 1 and paths[0].suffix.casefold() in bringing.SUFFIXES:
            self.bringing.read_bibliography(paths[0])
        elif paths:
            self.go("library")
            self.library.add_papers(paths)

    # ------------------------------------------------------------------------------------------------ closing
    def closeEvent(self, event: QCloseEvent) -> None:
        self.leaving.close_event(event)

    def leave(self) -> None:
        """Stop the jobs and let the window go."""
        self.leaving.leave()

    def remember(self) -> None:
        """Keep place, size, splitters and page for the next start."""
        self._memory.setValue("page", self.current_name())
        self.review.remember()
        keep_window(self, self._memory)

    def _restore(self) -> None:
        restore_window(self, self._memory)
        name = str(self._memory.value("page", "library"))
        self.go(name if name in self.panels else "library")

    # ----------------------------------------------------------------------------------------------- painting
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self, self.painted.emit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.notice.place()
