"""Find on the web: sources side by side, their works in a table, and what to do with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSplitter, QVBoxLayout, QWidget

from minerva_desktop.errors import Cancelled, UsageError
from minerva_desktop.events import CancelToken
from minerva_desktop.records import SearchResult
from minerva_desktop.ui.badges import BadgeDelegate
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.guest_runs import GuestRuns
from minerva_desktop.ui.jobs_view import JobsView
from minerva_desktop.ui.left_out import LeftOutFold
from minerva_desktop.ui.look_up_dialog import LookUpDialog
from minerva_desktop.ui.models import announce
from minerva_desktop.ui.source_bar import SourceBar
from minerva_desktop.ui.tables import Column, FitTable
from minerva_desktop.ui.taking_in import KIND, TakingIn
from minerva_desktop.ui.web_states import nothing, welcome
from minerva_desktop.ui.widgets import Place, StateStack, button, error_text, label
from minerva_desktop.ui.work_detail import WorkDetail, open_address
from minerva_desktop.ui.work_html import citation, landing_page
from minerva_desktop.ui.works_model import ACCESS, LIBRARY, SOURCES, TITLE, Key, WorkRow, WorksModel, keys_of
from minerva_desktop.workbench.typed import is_identifier, years_of

COLUMNS = (
    Column(1),
    Column(26, share=6),
    Column(12, share=2, rank=2),
    Column(5, rank=1),
    Column(12, share=2, rank=5),
    Column(21, rank=4),
    Column(7, rank=3),
    Column(13),
)
_LOW, _HIGHEST = 380, 16_777_215  # pixels; the latter is Qt's own


class WebPage(QWidget):
    """``searching_changed`` when a search begins or ends; ``focus_wanted`` when the keyboard belongs in the line."""

    place_wanted = Signal(object)
    notice = Signal(str, bool)
    searching_changed = Signal()
    arrived = Signal()
    focus_wanted = Signal()

    def __init__(self, bridge: Bridge, memory: QSettings, runs: GuestRuns) -> None:
        super().__init__()
        self.bridge = bridge
        self.workbench = bridge.workbench
        self._memory = memory
        self._serial = 0
        self._cancel: CancelToken | None = None
        self._again: Callable[[], None] = lambda: None
        self._pulled: set[Key] = set()
        self.query = ""
        self.result: SearchResult | None = None
        self.years = QLineEdit()
        self.years.setPlaceholderText("Years: 2015–2020")
        self.years.setAccessibleName("Range of years")
        self.years.setToolTip("Only works of these years: 2015–2020, 2015– or –2020")
        self.years.setFixedWidth(self.fontMetrics().averageCharWidth() * 20 + 24)
        self.references = button("Look Up References…", self.ask_references, tip="Paste a list of references")
        self.sources = SourceBar((self.years, self.references))
        self.offline = label(kind="muted", wrap=True)
        self.fault = label(kind="fault", wrap=True)
        self.fault.hide()
        self.model = WorksModel()
        self.taking_in = TakingIn(bridge, self.model, runs)
        self.table = FitTable(self.model, "Works that were found", COLUMNS, several=True)
        self.table.setSortingEnabled(True)
        self.table.setItemDelegateForColumn(TITLE, BadgeDelegate(self.table, with_text=True))
        for column in (SOURCES, ACCESS, LIBRARY):
            self.table.setItemDelegateForColumn(column, BadgeDelegate(self.table))
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.detail = WorkDetail()
        self.left_out = LeftOutFold()
        self.jobs = JobsView(bridge, kind=KIND)
        self.states = StateStack(self._make_content(), "find")
        self._build()
        self._connect()
        self._restore()
        self._show_state()

    # ----------------------------------------------------------------------------------------------- building
    def _make_content(self) -> QWidget:
        self.ingest_button = button(
            "Ingest", self.ingest, kind="primary", tip="Fetch and read the ticked works (Ctrl+Enter)"
        )
        self.open_button = button("Open Page", self.open_page, tip="Show the work's page in the browser (O)")
        self.copy_button = button("Copy Citation", self.copy_citation, tip="Copy what names the work (Ctrl+Shift+C)")
        self.count = label(kind="muted")
        row = QHBoxLayout()
        row.setContentsMargins(0, 8, 0, 2)
        row.setSpacing(8)
        for item in (self.ingest_button, self.open_button, self.copy_button):
            row.addWidget(item)
        row.addStretch(1)
        row.addWidget(self.count)
        self.below = QWidget()
        lower = QVBoxLayout(self.below)
        lower.setContentsMargins(0, 0, 0, 0)
        lower.setSpacing(6)
        lower.addLayout(row)
        lower.addWidget(self.detail, 1)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setObjectName("find-splitter")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.table)
        self.splitter.addWidget(self.below)
        self.splitter.setStretchFactor(0, 5)
        self.splitter.setStretchFactor(1, 4)
        return self.splitter

    def _build(self) -> None:
        self._try_again = button("Try Again", lambda: self._again())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for item in (self.sources, self.offline, self.fault):
            layout.addWidget(item)
        layout.addWidget(self.states, 1)
        layout.addWidget(self.left_out)
        layout.addWidget(self.jobs)

    def _connect(self) -> None:
        chosen = self.table.selectionModel()
        chosen.currentRowChanged.connect(lambda *_: self._show_detail())
        chosen.selectionChanged.connect(lambda *_: self._show_buttons())
        self.model.dataChanged.connect(lambda *_: self._show_detail())
        self.model.ticks_changed.connect(self._show_buttons)
        self.table.activated.connect(lambda _: self.open_current())
        self.table.horizontalHeader().sortIndicatorChanged.connect(self._remember_sort)
        self.detail.paper_wanted.connect(self.open_current)
        self.left_out.pulled.connect(self._pull_back)
        self.sources.changed.connect(lambda: self._memory.setValue("find/sources", " ".join(self.sources.chosen())))
        self.years.editingFinished.connect(lambda: self._memory.setValue("find/years", self.years.text()))
        self.years.returnPressed.connect(lambda: self.search(self.query) if self.query else None)
        self.taking_in.ended.connect(self._taken_in)
        self.left_out.head.toggled.connect(lambda _: self._fit_height())
        for item in (self.jobs, self.left_out):
            item.installEventFilter(self)

    # ---------------------------------------------------------------------------------------------- low windows
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            QTimer.singleShot(0, self, self._fit_height)
        return super().eventFilter(watched, event)

    def _fit_height(self) -> None:
        """In a low window what was opened last takes the place of what is less needed, so that nothing is squeezed."""
        low = self.height() < _LOW
        opened = self.left_out.isVisible() and self.left_out.head.isChecked()
        self.jobs.list.setVisible(not low)
        whole = not (low and (opened or self.jobs.isVisible()))
        self.detail.setVisible(whole)
        self.below.setMaximumHeight(_HIGHEST if whole else self.ingest_button.sizeHint().height() + 12)
        self.states.setVisible(not (low and opened))

    def _restore(self) -> None:
        kept = self._memory.value("find/sources")
        if kept is not None:
            self.sources.choose(str(kept).split())
        self.years.setText(str(self._memory.value("find/years", "")))
        try:
            column, order = (int(part) for part in str(self._memory.value("find/sort", "0 0")).split())
        except ValueError:
            column, order = 0, 0
        self.table.sortByColumn(column, Qt.SortOrder.DescendingOrder if order else Qt.SortOrder.AscendingOrder)

    def _remember_sort(self, column: int, order: Qt.SortOrder) -> None:
        self._memory.setValue("find/sort", f"{column} {int(order == Qt.SortOrder.DescendingOrder)}")

    # ---------------------------------------------------------------------------------------------- searching
    @property
    def searching(self) -> bool:
        """Whether a search is on its way."""
        return self._cancel is not None

    def search(self, text: str) -> None:
        """Search for words, or look up what an identifier or address names; an older search is given up."""
        self.fault.hide()
        if is_identifier(text):
            self.look_up(text)
            return
        sources = self.sources.chosen()
        try:
            years = years_of(self.years.text().strip())
            if not sources:
                raise UsageError("No source is chosen.", hint="Tick at least one above.")
        except UsageError as error:
            self.fault.setText(" ".join(error_text(error)))
            self.fault.show()
            return
        serial, token = self._begin(text, lambda: self.search(text))
        self.sources.begin(sources)
        workbench, bridge = self.workbench, self.bridge

        def update(result: SearchResult) -> None:  # in the web's thread
            bridge.post(lambda: self._show(serial, result))

        self.bridge.query(
            lambda: workbench.search_web(text, sources=sources, years=years, update=update, cancel=token),
            lambda result: self._end(serial, result),
            lambda error: self._fail(serial, error),
            cancel=token,
        )

    def look_up(self, text: str) -> None:
        """Look up identifiers, addresses, or a pasted list of references."""
        serial, token = self._begin(text, lambda: self.look_up(text))
        self.sources.begin(())
        workbench = self.workbench
        self.bridge.query(
            lambda: workbench.look_up(text, cancel=token),
            lambda result: self._end(serial, result),
            lambda error: self._fail(serial, error),
            cancel=token,
        )

    def ask_references(self) -> None:
        """Ask for a list of references to look up."""
        dialog = LookUpDialog(self.window())
        dialog.wanted.connect(self.look_up)
        dialog.open()

    def _begin(self, text: str, again: Callable[[], None]) -> tuple[int, CancelToken]:
        if self._cancel is not None:
            self._cancel.cancel()
        self._serial += 1
        self._cancel = CancelToken()
        self._again, self.query, self.result = again, text, None
        self._pulled.clear()
        self.model.show_works(())
        self.left_out.show_result(None)
        self.states.show_loading("Asking the sources…")
        self.searching_changed.emit()
        return self._serial, self._cancel

    def stop(self) -> None:
        """Stop the search; what has arrived stays."""
        if self._cancel is not None:
            self._cancel.cancel()

    def _show(self, serial: int, result: SearchResult) -> None:
        """Show what has arrived; the words of an older search are never shown in a newer one."""
        if serial != self._serial:
            return
        self.result = result
        back = [item.work for item in result.dropped if keys_of(item.work) & self._pulled]
        had = bool(self.model.rows)
        self.model.show_works((*result.works, *back))
        self.left_out.show_result(result, self._pulled)
        self.sources.show_reports(result.reports)
        if self.model.rows and not had:
            self._choose_first()
            self.arrived.emit()
        self._show_state()
        self.refresh()

    def _end(self, serial: int, result: SearchResult) -> None:
        if serial != self._serial:
            return
        self._cancel = None
        self._show(serial, result)
        self.sources.end()
        self.searching_changed.emit()
        announce(self.count.text() or self.states.empty.title.text())

    def _fail(self, serial: int, error: Exception) -> None:
        if serial != self._serial:
            return
        self._cancel = None
        self.sources.end()
        self.searching_changed.emit()
        if isinstance(error, Cancelled):
            self._show_state()
        else:
            self.states.show_error(error, self._again)

    def _pull_back(self, keys: frozenset[Key]) -> None:
        self._pulled |= keys
        if self.result is not None:
            self._show(self._serial, self.result)

    # ------------------------------------------------------------------------------------------------- states
    def _show_state(self) -> None:
        away = self.workbench.offline or self.workbench.settings.offline
        self.offline.setVisible(away)
        self.offline.setText("Working offline: no connection is opened, only results of earlier searches can be shown.")
        self._show_buttons()
        if self.model.rows:
            self.states.show_content()
        elif self.searching:
            self.states.show_loading("Asking the sources…")
        else:
            said = welcome(away=away, stopped=bool(self.query)) if self.result is None else nothing(self.result)
            actions = (self._try_again,) if said.again else ()
            self.states.show_empty(said.title, said.text, actions, picture=said.picture)

    def refresh(self) -> None:
        """Which of the works are in the library; what the settings say of the network."""
        self._show_state() if not self.searching and not self.model.rows else None
        wanted = [(row.uid, row.work) for row in self.model.rows]
        find = self.taking_in.finder()
        self.bridge.query(lambda: find(wanted), self.taking_in.show_known, key="find-known")

    # ----------------------------------------------------------------------------------------------- one work
    def _row_at(self, number: int) -> WorkRow:
        row: WorkRow = self.model.rows[number]
        return row

    def current_row(self) -> WorkRow | None:
        """The work under the cursor."""
        index = self.table.currentIndex()
        return self._row_at(index.row()) if index.isValid() else None

    def marked_rows(self) -> list[WorkRow]:
        """The ticked works; those that are selected when none is ticked."""
        numbers = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return self.model.ticked() or [self._row_at(number) for number in numbers]

    def _choose_first(self) -> None:
        flags = QItemSelectionModel.SelectionFlag
        self.table.selectionModel().setCurrentIndex(self.model.index(0, TITLE), flags.ClearAndSelect | flags.Rows)
        self.table.scrollToTop()

    def _show_detail(self) -> None:
        row = self.current_row()
        places = self.workbench.full_text_places(row.work) if row is not None else ()
        self.detail.show_row(row, places, unpaywall=bool(self.workbench.settings.email))

    def _show_buttons(self) -> None:
        ticked, total = len(self.model.ticked()), len(self.model.rows)
        marked = ticked or len(self.table.selectionModel().selectedRows())
        self.ingest_button.setEnabled(bool(marked))
        self.ingest_button.setText(f"Ingest {marked}" if marked > 1 else "Ingest")
        self.open_button.setEnabled(bool(marked))
        self.copy_button.setEnabled(bool(marked))
        said = f"{total} work{'s' if total != 1 else ''}"
        self.count.setText((f"{said}, {ticked} ticked" if ticked else said) if total else "")

    def toggle_ticks(self) -> None:
        """Tick the selected works, or untick them when all are ticked."""
        numbers = [index.row() for index in self.table.selectionModel().selectedRows()]
        rows = [self._row_at(number) for number in numbers]
        self.model.tick([row.uid for row in rows], not all(row.ticked for row in rows))

    def open_current(self) -> None:
        """Open the work under the cursor: in the page pane when it is in the library, else its page on the web."""
        row = self.current_row()
        if row is None:
            return
        if row.paper is not None:
            paper = row.paper
            self.place_wanted.emit(Place(paper.id, 1 if paper.pages else None, title=paper.title or paper.file_name))
        else:
            open_address(landing_page(row.work))

    def open_page(self) -> None:
        """Show the page of the work under the cursor in the browser."""
        row = self.current_row()
        if row is None:
            return
        page = landing_page(row.work)
        if page:
            open_address(page)
        else:
            self.notice.emit("No page of this work is known.", False)

    def copy_citation(self) -> None:
        """Put what names the marked works on the clipboard."""
        rows = self.marked_rows()
        if rows:
            QGuiApplication.clipboard().setText("\n".join(citation(row.work.best) for row in rows))
            self.notice.emit("Copied." if len(rows) == 1 else f"Copied {len(rows)} citations.", False)

    # ---------------------------------------------------------------------------------------------- taking in
    def ingest(self) -> None:
        """Fetch and read the marked works, as a job."""
        rows = self.marked_rows()
        todo = [row for row in rows if row.paper is None or row.paper.extent == "abstract"]
        if todo:
            self.taking_in.start(todo, self.query)
        elif rows:
            self.notice.emit(
                "In your library already." if len(rows) == 1 else "All are in your library already.", False
            )

    def _taken_in(self, _: Any) -> None:
        QTimer.singleShot(0, self, self.refresh)
