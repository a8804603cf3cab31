"""Runs: what each reading of papers found, and how two of them differ, down to the sentence."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, Qt
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QTabBar, QTextBrowser, QVBoxLayout, QWidget

from minerva_desktop.records import ChangeSet, DiffRow, Run, RunDetails, RunDiff
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.runs_html import diff_summary, row_html, run_html
from minerva_desktop.ui.runs_models import DiffModel, RunsModel, run_title
from minerva_desktop.ui.tables import Column, FitTable
from minerva_desktop.ui.theme import is_theme_change, tokens
from minerva_desktop.ui.widgets import Panel, Place, StateStack, button, label

RUN_COLUMNS = (
    Column(24, share=4),
    Column(16, share=1),
    Column(9, rank=3),
    Column(9, rank=4),
    Column(5, rank=2),
    Column(6, rank=1),
    Column(15, rank=5),
)
DIFF_COLUMNS = (
    Column(9),
    Column(36, share=5),
    Column(24, share=5, rank=1),
    Column(16, share=3, rank=2),
    Column(4, rank=3),
)
TABS = (
    ("", "All"),
    ("only_a", "Only in A"),
    ("only_b", "Only in B"),
    ("changed", "Changed"),
    ("grounds", "Other Reason"),
)


class RunsPanel(Panel):
    """Mark one run to see what it was made of, two to compare them; Enter on a difference opens its page."""

    title = "Runs"

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self.diff: RunDiff | None = None
        self._details: RunDetails | None = None
        self._marked: tuple[str, ...] = ()
        self.runs = RunsModel()
        self.table = FitTable(self.runs, "Runs", RUN_COLUMNS, several=True)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_marked())
        self.table.setMinimumHeight(self.table.verticalHeader().defaultSectionSize() * 5)
        self.hint = label(kind="muted", wrap=True)
        self.about = self._browser("The chosen run")
        self.rows = DiffModel()
        self.differences = FitTable(self.rows, "What differs between the two runs", DIFF_COLUMNS, several=False)
        self.differences.selectionModel().currentRowChanged.connect(lambda *_: self._show_row())
        self.differences.doubleClicked.connect(lambda _: self.open_page())
        self.detail = self._browser("The chosen difference")
        self.detail.anchorClicked.connect(lambda _: self.open_page())
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Differences by kind")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for _, name in TABS:
            self.tabs.addTab(name)
        self.tabs.currentChanged.connect(lambda _: self._show_rows())
        self.open_button = button("Show on Page  ↵", self.open_page, tip="Open the page at the sentence (Enter)")
        self.lower = StateStack(self._make_comparison(), "runs")
        self.lower.addWidget(self.about)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setObjectName("runs-splitter")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.table)
        self.splitter.addWidget(self.lower)
        self.splitter.setStretchFactor(0, 2)
        self.splitter.setStretchFactor(1, 5)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.hint)
        column.addWidget(self.splitter, 1)
        self.states = StateStack(content, "runs")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 14, 20, 14)
        layout.setSpacing(10)
        layout.addWidget(label("Runs", factor=1.6))
        layout.addWidget(self.states, 1)

    # ----------------------------------------------------------------------------------------------- building
    def _browser(self, name: str) -> QTextBrowser:
        made = QTextBrowser()
        made.setAccessibleName(name)
        made.setOpenLinks(False)
        made.setAcceptDrops(False)
        made.document().setDocumentMargin(14)
        return made

    def _make_comparison(self) -> QWidget:
        self.summary = label(wrap=True)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.tabs)
        row.addStretch(1)
        row.addWidget(self.open_button)
        self.below = QSplitter(Qt.Orientation.Vertical)
        self.below.setObjectName("runs-differences")
        self.below.setChildrenCollapsible(False)
        self.below.addWidget(self.differences)
        self.below.addWidget(self.detail)
        self.below.setStretchFactor(0, 3)
        self.below.setStretchFactor(1, 2)
        made = QWidget()
        layout = QVBoxLayout(made)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.summary)
        layout.addLayout(row)
        layout.addWidget(self.below, 1)
        return made

    # ------------------------------------------------------------------------------------------------ loading
    def concerns(self, changes: ChangeSet) -> bool:
        return changes.jobs or changes.everything

    def reload(self) -> None:
        """The runs; what is marked stays marked."""
        if not self.runs.rows:
            self.states.show_loading("Loading runs…")
        self.bridge.query(
            self.workbench.runs, self._show, lambda error: self.states.show_error(error, self.reload), key="runs"
        )

    def _show(self, runs: list[Run]) -> None:
        if not runs:
            self.runs.set_rows([])
            self.states.show_empty(
                "No run yet",
                "Every reading of papers is kept here with what it found, so that you can see what another lexicon, "
                "another textbook or a language model changed.",
            )
            return
        marked = [run.id for run in self._chosen()] or [runs[0].id]
        self.runs.set_rows(runs)
        self.states.show_content()
        self._mark(marked)

    def _mark(self, ids: list[str]) -> None:
        selection = self.table.selectionModel()
        flags = QItemSelectionModel.SelectionFlag
        selection.blockSignals(True)
        selection.clearSelection()
        for row, run in enumerate(self.runs.rows):
            if run.id in ids:
                index = self.runs.index(row, 0)
                selection.select(index, flags.Select | flags.Rows)
                if run.id == ids[0]:
                    selection.setCurrentIndex(index, flags.NoUpdate)
        selection.blockSignals(False)
        self.table.viewport().update()
        self._marked = ()
        self._show_marked()

    def _chosen(self) -> list[Run]:
        """The marked runs, oldest first."""
        rows = sorted({index.row() for index in self.table.selectionModel().selectedRows()}, reverse=True)
        return [self.runs.rows[row] for row in rows if row < len(self.runs.rows)]

    # ------------------------------------------------------------------------------------------------ showing
    def compare(self, one: str, other: str) -> None:
        """Mark two runs and show how they differ."""
        self._mark([one, other])

    def _show_marked(self) -> None:
        chosen = self._chosen()
        marked = tuple(run.id for run in chosen)
        if marked == self._marked:
            return
        self._marked = marked
        self.diff, self._details = None, None
        if len(chosen) == 2:
            self.hint.setText(f"A: {_called(chosen[0])}.  B: {_called(chosen[1])}.")
            self._show_diff(chosen[0].id, chosen[1].id)
            return
        self.hint.setText("Mark a second run (Ctrl and click, or Shift and an arrow key) to compare the two.")
        if len(chosen) == 1:
            ref = chosen[0].id
            self.bridge.query(lambda: self.workbench.run(ref), self._show_run, self.lower.show_error, key="runs-shown")
        else:
            self.lower.show_empty("Mark two runs", "Two at a time can be compared.")

    def _show_run(self, details: RunDetails) -> None:
        self._details = details
        self.about.setHtml(run_html(details, tokens()))
        self.lower.setCurrentWidget(self.about)

    def _show_diff(self, one: str, other: str) -> None:
        self.lower.show_loading("Comparing…")
        self.bridge.query(
            lambda: self.workbench.diff_runs(one, other), self._diff_came, self.lower.show_error, key="runs-shown"
        )

    def _diff_came(self, diff: RunDiff) -> None:
        self.diff = diff
        self.summary.setText(diff_summary(diff))
        if not diff.rows:
            self.lower.show_empty("No difference" if diff.identical else "No statement differs", diff_summary(diff))
            return
        for number, (kind, name) in enumerate(TABS):
            count = sum(not kind or row.kind == kind for row in diff.rows)
            self.tabs.setTabText(number, f"{name}  {count:,}".replace(",", "\u2009"))
            self.tabs.setTabEnabled(number, count > 0)
        self.lower.show_content()
        self._show_rows()

    def _show_rows(self) -> None:
        if self.diff is None:
            return
        kind = TABS[self.tabs.currentIndex()][0]
        rows = [row for row in self.diff.rows if not kind or row.kind == kind]
        self.rows.set_rows([])
        self.rows.set_rows(rows)
        if rows:
            self.differences.selectRow(0)
        self._show_row()

    def _row(self) -> DiffRow | None:
        row: DiffRow | None = self.rows.row(self.differences.currentIndex().row())
        return row

    def _show_row(self) -> None:
        row = self._row()
        self.open_button.setEnabled(row is not None)
        self.detail.setHtml(row_html(row, tokens()) if row is not None else "")

    def open_page(self) -> None:
        """Show the sentence of the current difference on its page."""
        row = self._row()
        if row is not None and self.lower.state == "content":
            self.place_wanted.emit(Place(row.paper, row.page, row.boxes, row.sentence, row.title or row.file_name))

    def focus_search(self) -> None:
        self.focus_work()

    def focus_work(self) -> None:
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_theme_change(event):
            self._show_row()
            if self._details is not None:
                self.about.setHtml(run_html(self._details, tokens()))


def _called(run: Run) -> str:
    return f"{run_title(run)}, {run.created[:16]}"
