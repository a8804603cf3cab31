"""Review: what the machine read, what each check said, and one key to decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QItemSelectionModel, Qt, QTimer
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSplitter,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.records import ChangeSet, Evidence, Fact, PageImage, Paper
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.evidence_view import EvidenceView
from minerva_desktop.ui.models import FactsModel
from minerva_desktop.ui.other_values import others_through
from minerva_desktop.ui.tables import Column, FitTable
from minerva_desktop.ui.widgets import Panel, StateStack, button, error_text, label, search_field

TABS: tuple[tuple[str, str], ...] = (
    ("waiting", "Waiting"),
    ("accepted", "Accepted"),
    ("refused", "Refused"),
    ("", "All"),
)
COLUMNS = (
    Column(42, share=5),
    Column(8, rank=2),
    Column(18, share=3, rank=3),
    Column(14, share=3, rank=4),
    Column(6, rank=5),
    Column(12, rank=1),
)


@dataclass
class _View:
    """What a reload brings."""

    counts: dict[str, int]
    total: int
    pages: dict[int, list[Fact]] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    papers: list[Paper] = field(default_factory=list)


class ReviewPanel(Panel):
    """Facts by status; A accepts, R refuses, U takes back."""

    title = "Review"

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self.status = "waiting"
        self._paper: str | None = None
        self._wanted_row = 0
        self.model = FactsModel()
        self.model.page_wanted.connect(self._fetch_page)
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Facts by status")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for _, name in TABS:
            self.tabs.addTab(name)
        self.tabs.currentChanged.connect(self._change_tab)
        self.search = search_field("Filter by words of the claim", "Filter facts")
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(200)
        self._pause.timeout.connect(self._restart)
        self.search.textChanged.connect(lambda _: self._pause.start())
        self.table = FitTable(self.model, "Facts", COLUMNS, several=True)
        self.detail = EvidenceView()
        self.detail.fetch_crop = self._fetch_crop
        self.detail.fetch_others = others_through(bridge)
        self.detail.place_wanted.connect(self.place_wanted)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._show_detail())
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_buttons())
        self.table.doubleClicked.connect(lambda _: self.open_page())
        self.model.dataChanged.connect(lambda *_: self._show_detail())
        self.states = StateStack(self._make_content(), "review")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 14, 20, 14)
        layout.setSpacing(10)
        layout.addLayout(self._make_head())
        layout.addWidget(self.states, 1)

    # ----------------------------------------------------------------------------------------------- building
    def _fetch_crop(self, evidence: Evidence, done: Callable[[PageImage | None], None]) -> None:
        workbench = self.workbench
        self.bridge.query(lambda: workbench.evidence_image(evidence.paper, evidence.boxes), done, lambda _: None)

    def _make_head(self) -> QVBoxLayout:
        self.paper_chip = button("", self.show_all_papers, tip="Show the facts of every paper again")
        self.paper_chip.hide()
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(label("Review", factor=1.6))
        top.addStretch(1)
        top.addWidget(self.paper_chip)
        self.search.setMinimumWidth(140)
        self.search.setMaximumWidth(320)
        top.addWidget(self.search, 1)
        head = QVBoxLayout()
        head.setSpacing(4)
        head.addLayout(top)
        head.addWidget(self.tabs)
        return head

    def _make_content(self) -> QWidget:
        self.accept_button = button("Accept  A", self.accept, kind="primary", tip="Accept the marked facts (A)")
        self.reject_button = button("Reject  R", self.reject, tip="Refuse the marked facts (R)")
        self.open_button = button("Show on Page  ↵", self.open_page, tip="Open the page at the sentence (Enter)")
        self.chosen = label(kind="muted")
        row = QHBoxLayout()
        row.setContentsMargins(0, 8, 0, 2)
        row.setSpacing(8)
        row.addWidget(self.accept_button)
        row.addWidget(self.reject_button)
        row.addWidget(self.open_button)
        row.addStretch(1)
        row.addWidget(self.chosen)
        below = QWidget()
        lower = QVBoxLayout(below)
        lower.setContentsMargins(0, 0, 0, 0)
        lower.setSpacing(6)
        lower.addLayout(row)
        lower.addWidget(self.detail, 1)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setObjectName("review-splitter")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.table)
        self.splitter.addWidget(below)
        self.splitter.setStretchFactor(0, 5)
        self.splitter.setStretchFactor(1, 4)
        return self.splitter

    # ------------------------------------------------------------------------------------------------ loading
    def _filters(self, status: str | None = None) -> dict[str, Any]:
        text = self.search.text().strip()
        wanted = self.status if status is None else status
        return {"status": wanted or None, "paper": self._paper, "text": text or None}

    def reload(self) -> None:
        """Counts and the pages in view, then all at once on the screen."""
        if self.model.total == 0 and self.states.state != "content":
            self.states.show_loading("Loading facts…")
        row = max(0, self.table.currentIndex().row())
        size = self.model.page_size
        workbench = self.workbench
        filters = {status: self._filters(status) for status, _ in TABS}
        now = self.status

        def work() -> _View:
            counts = {status: workbench.count_facts(**kept) for status, kept in filters.items()}
            view = _View(counts, counts[now])
            first = min(row, max(0, view.total - 1)) // size
            for page in sorted({0, first, first + 1}):
                if page * size < view.total:
                    view.pages[page] = workbench.facts(**filters[now], limit=size, offset=page * size)
            view.papers = workbench.papers()
            view.titles = {paper.id: paper.title or paper.file_name for paper in view.papers}
            return view

        self.bridge.query(work, self._show, lambda error: self.states.show_error(error, self.reload), key="review")

    def _show(self, view: _View) -> None:
        self.model.titles = view.titles
        self.model.withdrawn = frozenset(paper.id for paper in view.papers if paper.withdrawn)
        self.detail.notices = {paper.id: paper.notices for paper in view.papers if paper.notices}
        for number, (status, name) in enumerate(TABS):
            self.tabs.setTabText(number, f"{name}  {view.counts[status]:,}".replace(",", "\u2009"))
        row = self._wanted_row if self._wanted_row >= 0 else max(0, self.table.currentIndex().row())
        self.model.reset(view.total, view.pages)
        if view.total == 0:
            self._show_empty(view.counts[""])
            return
        self.states.show_content()
        row = min(row, view.total - 1)
        self._wanted_row = -1
        index = self.model.index(row, 0)
        self.table.selectionModel().setCurrentIndex(
            index, QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        )
        self.table.scrollTo(index)
        self._show_detail()

    def _show_empty(self, elsewhere: int) -> None:
        self.detail.show_fact(None, {})
        if self.search.text().strip():
            self.states.show_empty("No fact matches", "Type fewer or other words, or look under another tab.")
        elif self.status == "waiting" and elsewhere:
            self.states.show_empty("Nothing waits for you", "Every fact was decided. New papers bring new ones.")
        elif elsewhere:
            self.states.show_empty(f"No {self.status} facts", "Look under the other tabs.")
        else:
            self.states.show_empty(
                "Nothing to review yet",
                "Add papers in the library. What is read in them and not yet supported by a textbook waits here for "
                "your decision.",
            )

    def _fetch_page(self, page: int) -> None:
        size, filters, workbench = self.model.page_size, self._filters(), self.workbench
        generation = self.model.generation
        self.bridge.query(
            lambda: workbench.facts(**filters, limit=size, offset=page * size),
            lambda facts: self.model.fill(page, facts) if generation == self.model.generation else None,
            lambda error: self._page_failed(page, error),
        )

    def _page_failed(self, page: int, error: Exception) -> None:
        self.model.forget(page)
        self.notice.emit(f"Some facts could not be loaded. {error_text(error)[0]}", False)

    def _change_tab(self, number: int) -> None:
        self.status = TABS[number][0]
        self._restart()

    def _restart(self) -> None:
        self._wanted_row = 0
        self.table.clearSelection()
        self.reload()

    def show_paper(self, paper_id: str, title: str) -> None:
        """Only the facts of one paper."""
        self._paper = paper_id
        short = title if len(title) <= 40 else title[:39] + "…"
        self.paper_chip.setText(f"{short}  ✕")
        self.paper_chip.show()
        self._restart()

    def show_all_papers(self) -> None:
        self._paper = None
        self.paper_chip.hide()
        self._restart()

    def concerns(self, changes: ChangeSet) -> bool:
        return changes.everything or bool(changes.papers or changes.facts)

    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def focus_work(self) -> None:
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # --------------------------------------------------------------------------------------------- one fact
    def _show_detail(self) -> None:
        row = self.table.currentIndex().row()
        fact = self.model.row(row) if row >= 0 else None
        if fact is not self.detail.fact:
            self.detail.show_fact(fact, self.model.titles)
        self._show_buttons()

    def _show_buttons(self) -> None:
        count = len(self.table.selectionModel().selectedRows())
        self.accept_button.setEnabled(count > 0 and self.status != "accepted")
        self.reject_button.setEnabled(count > 0 and self.status != "refused")
        self.open_button.setEnabled(self.detail.place() is not None)
        self.chosen.setText(f"{count} facts marked" if count > 1 else "")

    def open_page(self) -> None:
        """Show the current fact's sentence on its page."""
        place = self.detail.place()
        if place is not None:
            self.place_wanted.emit(place)

    def step(self, rows: int) -> None:
        """Move the cursor."""
        row = min(max(self.table.currentIndex().row() + rows, 0), self.model.total - 1)
        if row >= 0:
            self.table.selectRow(row)

    # ----------------------------------------------------------------------------------------------- deciding
    def accept(self) -> None:
        """Accept every marked fact."""
        self._decide("accept", "Accepted")

    def reject(self) -> None:
        """Refuse every marked fact."""
        self._decide("reject", "Refused")

    def _decide(self, verb: str, done_word: str) -> None:
        ranges = self._marked_ranges()
        if not ranges:
            return
        known = [self.model.loaded(row) for first, last in ranges for row in range(first, last + 1)]
        filters, workbench = self._filters(), self.workbench
        self._wanted_row = ranges[0][0]

        def work() -> int:
            if all(fact is not None for fact in known):
                ids = [fact.id for fact in known if fact is not None]
            else:  # more was marked than is loaded: ask for the ids of the ranges
                ids = [
                    fact.id
                    for first, last in ranges
                    for fact in workbench.facts(**filters, offset=first, limit=last - first + 1)
                ]
            getattr(workbench, verb)(ids)
            return len(ids)

        def done(count: int) -> None:
            self.notice.emit(f"{done_word} {count} fact{'s' if count != 1 else ''}.", True)

        self.bridge.change(work, done, what=f"{verb} the marked facts")

    def _marked_ranges(self) -> list[tuple[int, int]]:
        rows = sorted(
            {
                row
                for part in self.table.selectionModel().selection()
                for row in range(part.top(), part.bottom() + 1)
                if row < self.model.total
            }
        )
        ranges: list[tuple[int, int]] = []
        for row in rows:
            if ranges and ranges[-1][1] == row - 1:
                ranges[-1] = (ranges[-1][0], row)
            else:
                ranges.append((row, row))
        return ranges
