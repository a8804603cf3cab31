"""The main window: rail, pages, page pane, status bar, and the commands that tie them together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QMainWindow,
    QMessageBox,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.records import ChangeSet
from minerva_desktop.settings import config_dir
from minerva_desktop.ui import dialogs
from minerva_desktop.ui.ask_panel import AskPanel
from minerva_desktop.ui.bridge import Bridge, Job
from minerva_desktop.ui.commands import Registry
from minerva_desktop.ui.graph_panel import GraphPanel
from minerva_desktop.ui.library_panel import LibraryPanel
from minerva_desktop.ui.page_view import PageView
from minerva_desktop.ui.review_panel import ReviewPanel
from minerva_desktop.ui.widgets import Notice, Panel, Place, RailButton

PAGES = (("library", "Library"), ("review", "Review"), ("graph", "Graph"), ("ask", "Ask"))


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
        self.setWindowTitle(f"{self.workbench.library_dir.name} – Minerva Desktop")
        self.setAcceptDrops(True)
        self.resize(1280, 800)
        self.library = LibraryPanel(bridge)
        self.review = ReviewPanel(bridge)
        self.graph = GraphPanel(bridge)
        self.ask = AskPanel(bridge)
        self.page = PageView(bridge)
        self.panels: dict[str, Panel] = {
            "library": self.library,
            "review": self.review,
            "graph": self.graph,
            "ask": self.ask,
        }
        self._build()
        self.registry = Registry(
            self,
            {"library": self.library, "review": self.review, "review-table": self.review.table, "graph": self.graph},
        )
        self._bind()
        self.registry.fill(self.menuBar())
        self.notice = Notice(self)
        self.notice.undo_wanted.connect(lambda: self.registry.run("undo"))
        self._connect()
        self._restore()
        self._show_stats()

    # ----------------------------------------------------------------------------------------------- building
    def _build(self) -> None:
        rail = QFrame()
        rail.setProperty("kind", "rail")
        rail.setFixedWidth(92)
        column = QVBoxLayout(rail)
        column.setContentsMargins(8, 12, 8, 12)
        column.setSpacing(6)
        self.rail: dict[str, RailButton] = {}
        self.shelf = QStackedWidget()
        for name, text in PAGES:
            made = RailButton(name, text)
            made.clicked.connect(lambda _=False, name=name: self.go(name))
            self.rail[name] = made
            column.addWidget(made)
            self.shelf.addWidget(self.panels[name])
        column.addStretch(1)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setObjectName("page-splitter")
        self.splitter.addWidget(self.shelf)
        self.splitter.addWidget(self.page)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setChildrenCollapsible(False)
        self.page.hide()
        middle = QSplitter(Qt.Orientation.Horizontal)
        middle.addWidget(rail)
        middle.addWidget(self.splitter)
        middle.setHandleWidth(0)
        middle.setStretchFactor(1, 1)
        self.setCentralWidget(middle)
        self._counts = QLabel()
        self._job = QLabel()
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().addWidget(self._counts)
        self.statusBar().addPermanentWidget(self._job)

    def _connect(self) -> None:
        for panel in self.panels.values():
            panel.place_wanted.connect(self.show_place)
            panel.notice.connect(lambda text, undoable: self.notice.say(text, undoable=undoable))
        self.library.facts_wanted.connect(self._show_facts)
        self.page.closed.connect(self.page.hide)
        self.bridge.changed.connect(self._on_change)
        self.bridge.job_changed.connect(self._on_job)
        self.bridge.failed.connect(lambda what, error: dialogs.show_error(self, what, error))

    def _bind(self) -> None:
        on = self.registry.on
        library, review, graph, page = self.library, self.review, self.graph, self.page
        simple: dict[str, Callable[[], Any]] = {
            "add-files": library.choose_files,
            "add-folder": library.choose_folder,
            "add-textbooks": library.choose_textbooks,
            "load-sample": self._load_sample,
            "rebuild": self._rebuild,
            "audit": self._audit,
            "cancel-job": self.bridge.cancel_jobs,
            "quit": self.close,
            "undo": lambda: self._take_back("undo"),
            "redo": lambda: self._take_back("redo"),
            "history": self._history,
            "find": lambda: self.current().focus_search(),
            "remove": library.remove_marked,
            "accept": review.accept,
            "reject": review.reject,
            "review-undo": lambda: self._take_back("undo"),
            "open-page": review.open_page,
            "next-fact": lambda: review.step(1),
            "previous-fact": lambda: review.step(-1),
            "graph-expand": graph.expand_chosen,
            "graph-fit": graph.canvas.fit,
            "graph-clear": graph.start_anew,
            "toggle-page": lambda: page.setVisible(not page.isVisible()),
            "page-next": page.next_page,
            "page-previous": page.previous_page,
            "zoom-in": lambda: page.zoom_by(1.2),
            "zoom-out": lambda: page.zoom_by(1 / 1.2),
            "zoom-fit": page.canvas.fit_width,
            "next-pane": lambda: self._next_pane(1),
            "previous-pane": lambda: self._next_pane(-1),
            "full-screen": lambda: self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen),
            "palette": lambda: dialogs.Palette(self, self.registry).open(),
            "shortcuts": lambda: dialogs.text_dialog(self, "Keyboard Shortcuts", dialogs.shortcuts_html()),
            "about": lambda: dialogs.about(self),
        }
        for name, work in simple.items():
            on(name, work)
        for name, _ in PAGES:
            on(f"go-{name}", lambda name=name: self.go(name))
        self.registry.actions["quit"].setShortcuts(
            [QKeySequence(QKeySequence.StandardKey.Quit), QKeySequence("Ctrl+Q")]
        )
        self.registry.actions["cancel-job"].setEnabled(False)

    # ------------------------------------------------------------------------------------------------- moving
    def current(self) -> Panel:
        panel = self.shelf.currentWidget()
        assert isinstance(panel, Panel)
        return panel

    def go(self, name: str) -> None:
        """Show a page of the window."""
        self.rail[name].setChecked(True)
        self.shelf.setCurrentWidget(self.panels[name])
        if name == "ask":
            self.ask.focus_search()
        elif name == "review":
            self.review.table.setFocus()

    def show_place(self, place: Place) -> None:
        """Open the page pane at a place."""
        if not self.page.isVisible():
            self.page.show()
            whole = max(self.splitter.width(), 800)
            if self.splitter.sizes()[1] < 300:
                self.splitter.setSizes([whole * 55 // 100, whole * 45 // 100])
        self.page.show_place(place)

    def _show_facts(self, paper: str, title: str) -> None:
        self.review.show_paper(paper, title)
        self.go("review")

    def _next_pane(self, step: int) -> None:
        panes: list[QWidget] = [self.rail[self._current_name()], self.current()]
        if self.page.isVisible():
            panes.append(self.page)
        focus = QApplication.focusWidget()
        here = next((n for n, pane in enumerate(panes) if focus and (pane is focus or pane.isAncestorOf(focus))), 0)
        target = panes[(here + step) % len(panes)]
        if target is self.page:
            self.page.focus_content()
        elif isinstance(target, Panel):
            target.focus_search()
        else:
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _current_name(self) -> str:
        return next(name for name, panel in self.panels.items() if panel is self.current())

    # ----------------------------------------------------------------------------------------------- commands
    def _load_sample(self) -> None:
        self.go("library")
        self.library.load_sample()

    def _take_back(self, verb: str) -> None:
        workbench = self.workbench
        work = workbench.undo if verb == "undo" else workbench.redo
        self.bridge.change(
            work, lambda done: self.notice.say(done.label or verb.capitalize(), undoable=False), what=verb
        )

    def _history(self) -> None:
        self.bridge.query(
            self.workbench.history,
            lambda events: dialogs.text_dialog(self, "History", dialogs.history_html(events)),
        )

    def _rebuild(self) -> None:
        self.go("library")
        workbench = self.workbench
        self.bridge.start_job(
            "Rebuilding graph and index", lambda progress, cancel: workbench.rebuild(progress=progress, cancel=cancel)
        )

    def _audit(self) -> None:
        self.bridge.query(
            self.workbench.audit,
            lambda report: dialogs.text_dialog(self, "Library Check", dialogs.audit_html(report)),
        )

    # ------------------------------------------------------------------------------------------------- status
    def _on_change(self, _: ChangeSet) -> None:
        self._show_stats()

    def _show_stats(self) -> None:
        self.bridge.query(self.workbench.stats, self._stats_came, key="stats")

    def _stats_came(self, stats: dict[str, Any]) -> None:
        self._counts.setText(
            f"{stats['papers']} papers   {stats['accepted']} accepted   {stats['waiting']} waiting   "
            f"{stats['textbooks']} textbooks"
        )
        self._counts.setToolTip(str(stats["embeddings"]))
        self.rail["review"].set_count(stats["waiting"])
        for verb in ("undo", "redo"):
            text = stats[f"{verb}_label"]
            action = self.registry.actions[verb]
            action.setText(f"{verb.capitalize()}: {text}" if text else verb.capitalize())
            action.setEnabled(bool(text))

    def _on_job(self, job: Job) -> None:
        running = job.state in ("queued", "running")
        self._job.setText(job.title if running else "")
        self.registry.actions["cancel-job"].setEnabled(running)

    # --------------------------------------------------------------------------------------------------- drop
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.go("library")
            self.library.add_papers(paths)

    # ------------------------------------------------------------------------------------------------ closing
    def closeEvent(self, event: QCloseEvent) -> None:
        if self._leaving:
            event.accept()
            return
        event.ignore()
        if not self.bridge.jobs:
            self._leave()
            return
        box = QMessageBox(self)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Minerva Desktop")
        box.setText("Papers are still being read.")
        box.setInformativeText("What is finished is kept. “jobs resume” or adding the files again does the rest.")
        stop = box.addButton("Stop and Quit", QMessageBox.ButtonRole.AcceptRole)
        box.addButton("Go On Reading", QMessageBox.ButtonRole.RejectRole)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.buttonClicked.connect(lambda chosen: self._leave() if chosen is stop else None)
        box.open()

    def _leave(self) -> None:
        self._leaving = True
        self._remember()
        self.bridge.cancel_jobs()
        self.closing.emit()

    def _store(self) -> QSettings:
        return QSettings(str(config_dir() / "window.ini"), QSettings.Format.IniFormat)

    def _splitters(self) -> list[QSplitter]:
        return [item for item in self.findChildren(QSplitter) if item.objectName()]

    def _remember(self) -> None:
        store = self._store()
        store.setValue("geometry", self.saveGeometry())
        store.setValue("page", self._current_name())
        for splitter in self._splitters():
            store.setValue(f"splitters/{splitter.objectName()}", splitter.saveState())
        store.sync()

    def _restore(self) -> None:
        store = self._store()
        geometry = store.value("geometry")
        if geometry is not None:
            self.restoreGeometry(geometry)
        for splitter in self._splitters():
            state = store.value(f"splitters/{splitter.objectName()}")
            if state is not None:
                splitter.restoreState(state)
        name = str(store.value("page", "library"))
        self.go(name if name in self.panels else "library")

    # ----------------------------------------------------------------------------------------------- painting
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            self.painted.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.notice.place()
