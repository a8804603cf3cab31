"""Review: one fact at a time, its place on the page on top, and a key for every decision.

A decision is answered on the screen as soon as it is in the record for good, and never before: what the screen has
answered, no crash can lose. The list is not loaded again for it; what the next facts need is fetched while one is read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QItemSelectionModel, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QLineEdit, QSplitter, QVBoxLayout, QWidget

from minerva_desktop.records import ChangeSet, Evidence, Fact, PageImage
from minerva_desktop.ui import dialogs
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.facts_model import FactsModel
from minerva_desktop.ui.learning_strip import LearningStrip
from minerva_desktop.ui.other_values import others_through
from minerva_desktop.ui.page_crops import PageCrops
from minerva_desktop.ui.review_card import ReviewCard
from minerva_desktop.ui.review_deciding import Deciding
from minerva_desktop.ui.review_head import ReviewHead
from minerva_desktop.ui.review_keys import KindBar
from minerva_desktop.ui.review_loading import AHEAD, BesideStore, View, load_view
from minerva_desktop.ui.tables import Column, FitTable
from minerva_desktop.ui.widgets import Panel, StateStack, error_text
from minerva_desktop.workbench.reviewing import ReviewCounts

COLUMNS = (
    Column(34, share=5),
    Column(8, rank=2),
    Column(18, share=3, rank=3),
    Column(14, share=3, rank=4),
    Column(6, rank=5),
    Column(12, rank=1),
)
NARROW = 940
"""Below this width there is no list, only “n of m”."""
FEW = 60
"""A change of so many facts is followed one by one; of more, the list is loaded again."""


class ReviewPanel(Panel):
    """``answered(verb, event)``: a decision is in the record, and the screen shows what comes next."""

    title = "Review"
    answered = Signal(str, int)

    def __init__(self, bridge: Bridge, memory: QSettings | None = None) -> None:
        super().__init__(bridge)
        self._memory = memory
        self._wanted = str(memory.value("review/fact", "")) if memory is not None else ""
        self._wants_keyboard = False
        self._row = 0  # where the cursor was last
        self._current: dict[str, str] = {}  # the fact that was shown last under each tab
        self.model = FactsModel()
        self.model.wanted.connect(self._fetch)
        self.crops = PageCrops(bridge)
        self.beside = BesideStore(bridge)
        self.deciding = Deciding(self)
        self._make_parts()
        self.states = StateStack(self._make_content(), "review")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 14, 20, 12)
        layout.setSpacing(8)
        layout.addWidget(self.head)
        layout.addWidget(self.states, 1)
        layout.addWidget(self.learning)

    # ----------------------------------------------------------------------------------------------- building
    def _make_parts(self) -> None:
        self.head = ReviewHead(self._memory, self.show_all_papers)
        self.head.changed.connect(self._restart)
        self.head.entered.connect(self.focus_work)
        self.tabs, self.order, self.search, self.strip = (
            self.head.tabs,
            self.head.order,
            self.head.search,
            self.head.strip,
        )
        self._recount_soon = QTimer(self)
        self._recount_soon.setSingleShot(True)
        self._recount_soon.setInterval(120)
        self._recount_soon.timeout.connect(self._recount)
        self.table = FitTable(self.model, "Facts", COLUMNS, several=True)
        self.table.setMinimumWidth(190)
        self.card = ReviewCard(self.crops)
        self.detail = self.card.detail
        self.detail.fetch_crop = self._fetch_crop
        self.detail.fetch_others = others_through(self.bridge)
        self.detail.place_wanted.connect(self.place_wanted)
        self.card.page_wanted.connect(self.open_page)
        self.card.stepped.connect(self.step)
        self.card.keys.wanted.connect(self._run)
        self.card.keys.relabel_wanted.connect(self.deciding.relabel)
        self.learning = LearningStrip(self.bridge)
        self.learning.said.connect(self.strip.say)
        self.learning.left.connect(self.focus_work)
        self.learning.place_wanted.connect(self.place_wanted)
        self.kinds = KindBar()
        self.kinds.chosen.connect(self.deciding.reject_as)
        self.kinds.shown.connect(lambda shown: self.card.keys.setHidden(shown))
        self.kinds.left.connect(self.focus_work)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._show_detail())
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_buttons())
        self.table.doubleClicked.connect(lambda _: self.open_page())
        self.model.dataChanged.connect(lambda *_: self._show_detail())

    def _make_content(self) -> QWidget:
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setObjectName("review-splitter")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(10)
        self.splitter.setProperty("kind", "quiet")
        self.splitter.addWidget(self.table)
        self.splitter.addWidget(self.card)
        self.splitter.setStretchFactor(0, 2)
        self.splitter.setStretchFactor(1, 7)
        self.splitter.setSizes([280, 900])
        for number in range(1, 10):
            # Inside the splitter only: no digit is a command while text is typed or a kind is asked for.
            key = QShortcut(QKeySequence(str(number)), self.splitter)
            key.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            key.activated.connect(lambda number=number: self.deciding.relabel(number))
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.splitter, 1)
        column.addWidget(self.kinds)
        return content

    # ------------------------------------------------------------------------------------------------ loading
    @property
    def status(self) -> str:
        """The status whose facts are listed; empty = all."""
        return self.head.status

    def reload(self) -> None:
        """Counts, the order, and the facts in view, then all at once on the screen."""
        if self.model.total == 0 and self.states.state != "content":
            self.states.show_loading("Loading facts…")
        self.learning.reload()
        filters, workbench = self.head.filters(), self.workbench
        wanted, row = self._wanted or self._current.get(self.status, ""), self._row
        self.bridge.query(
            lambda: load_view(workbench, filters, wanted, row),
            self._show,
            lambda error: self.states.show_error(error, self.reload),
            key="review",
        )

    def _show(self, view: View) -> None:
        self.model.titles = view.titles
        self.model.withdrawn = view.withdrawn
        self.detail.notices = view.notices
        self.beside.forget()
        self.crops.forget()
        self.model.reset(view.ids, view.facts)
        self.head.show_counts(view.counts)
        self._wanted = ""
        if not view.ids:
            self._show_empty()
            return
        self._show_content()
        self.select(view.row)

    def _show_content(self) -> None:
        """The facts, and the keyboard on them where it was wanted for them."""
        if self.states.state == "content":
            return
        self.states.show_content()
        if self._wants_keyboard and not isinstance(QApplication.focusWidget(), QLineEdit):
            self.focus_work()

    def recount_soon(self) -> None:
        """Bring the counts up to date when no further decision comes at once."""
        self._recount_soon.start()

    def _recount(self) -> None:
        filters, workbench = self.head.filters(), self.workbench

        def work() -> ReviewCounts:
            return workbench.review_counts(filters.paper, filters.text or None)

        self.bridge.query(work, self.head.show_counts, key="review-counts")

    def _show_empty(self) -> None:
        self.card.show_fact(None, {}, None)
        self.strip.show_place(0, 0)
        elsewhere = self.head.everything
        focus = QApplication.focusWidget()
        had_focus = focus is not None and self.states.isAncestorOf(focus)
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
        if had_focus:
            self._wants_keyboard = True
            self.tabs.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fetch(self, ids: list[str]) -> None:
        workbench = self.workbench

        def failed(error: Exception) -> None:
            self.model.forget(ids)
            self.notice.emit(f"Some facts could not be loaded. {error_text(error)[0]}", False)

        self.bridge.query(lambda: workbench.facts_by_id(ids), lambda facts: self.model.fill(ids, facts), failed)

    def _fetch_crop(self, evidence: Evidence, done: Callable[[PageImage | None], None]) -> None:
        workbench = self.workbench
        self.bridge.query(lambda: workbench.evidence_image(evidence.paper, evidence.boxes), done, lambda _: None)

    # ------------------------------------------------------------------------------------------------ choosing
    def _restart(self) -> None:
        self.kinds.leave()
        self._row = 0
        self.table.clearSelection()
        self.reload()

    def show_paper(self, paper_id: str, title: str) -> None:
        """Only the facts of one paper."""
        self.head.show_paper(paper_id, title)
        self._restart()

    def show_all_papers(self) -> None:
        """The facts of every paper."""
        self.head.show_paper(None)
        self._restart()

    def remember(self) -> None:
        """Keep for the next start which fact was shown."""
        if self._memory is not None:
            self._memory.setValue("review/fact", self._current.get("waiting", ""))

    # ------------------------------------------------------------------------------------------------- changes
    def concerns(self, changes: ChangeSet) -> bool:
        return changes.everything or bool(changes.papers or changes.facts)

    def _on_changed(self, changes: ChangeSet) -> None:
        if self.deciding.is_own(changes):
            return
        few = 0 < len(changes.facts) <= FEW and not (changes.papers or changes.textbooks or changes.everything)
        if few and self.isVisible() and self.states.state in ("content", "empty"):
            self.follow(changes.facts)
        else:
            super()._on_changed(changes)

    def follow(self, ids: Sequence[str]) -> None:
        """Bring these facts up to date in the list: what was undone comes back to its place, what was decided leaves."""
        filters, workbench = self.head.filters(), self.workbench

        def work() -> tuple[list[Fact], set[str]]:
            return workbench.facts_by_id(ids), set(workbench.review_ids(**filters.asked(), only=list(ids)))

        def done(found: tuple[list[Fact], set[str]]) -> None:
            facts, listed = found
            if filters == self.head.filters():
                self.deciding.follow(ids, facts, listed)
                self.recount_soon()

        self.bridge.query(work, done)

    def after_change(self) -> None:
        """The list changed under the cursor: show what is there now."""
        if self.model.total == 0:
            self._recount()
            self._show_empty()
        else:
            self._show_content()

    # ------------------------------------------------------------------------------------------------- one fact
    def current(self) -> Fact | None:
        """The fact that is shown."""
        return self.model.loaded(self.table.currentIndex().row())

    def select(self, row: int) -> None:
        """Show the fact of a row."""
        index = self.model.index(max(0, min(row, self.model.total - 1)), 0)
        flags = QItemSelectionModel.SelectionFlag
        self.table.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self.table.scrollTo(index)
        self._show_detail()

    def step(self, rows: int) -> None:
        """Move the cursor."""
        row = min(max(self.table.currentIndex().row() + rows, 0), self.model.total - 1)
        if row >= 0:
            self.select(row)

    def _show_detail(self) -> None:
        row = self.table.currentIndex().row()
        fact = self.model.row(row) if row >= 0 else None
        if row >= 0:
            self._row = row
            self._current[self.status] = self.model.ids[row]
        self.strip.show_place(row + 1, self.model.total)
        if fact is not self.card.fact:
            self.kinds.leave()
            self.card.show_fact(fact, self.model.titles, self.beside.get(fact) if fact else None)
            if fact is not None:
                self.beside.want(fact, self._beside_came)
                self._look_ahead(row)
        self._show_buttons()

    def _beside_came(self, fact: Fact) -> None:
        beside = self.beside.get(fact)
        if fact is self.card.fact and beside is not None:
            self.card.show_beside(beside)

    def _look_ahead(self, row: int) -> None:
        """Fetch what the next facts need, so that they come at once."""
        for number in range(row + 1, min(row + 1 + AHEAD, self.model.total)):
            fact = self.model.row(number)
            if fact is not None:
                self.beside.want(fact, lambda _: None)
                if fact.evidence:
                    self.crops.prefetch(fact.evidence[0].evidence)

    def _show_buttons(self) -> None:
        some = bool(self.deciding.marked())
        keys = self.card.keys
        keys.allow("accept", some and self.status != "accepted")
        keys.allow("reject", some and self.status != "refused")
        keys.allow("accept-all", self.status == "waiting" and self.model.total > 0)
        keys.allow("open-page", self.detail.place() is not None)
        count = len(self.table.selectionModel().selectedRows())
        if count > 1:
            self.strip.say(f"{count} facts marked")

    def open_page(self) -> None:
        """Show the current fact's sentence on its page."""
        place = self.detail.place()
        if place is not None:
            self.place_wanted.emit(place)

    # ------------------------------------------------------------------------------------------------- commands
    def _run(self, command: str) -> None:
        {
            "accept": self.accept,
            "reject": self.reject,
            "edit-fact": self.deciding.edit,
            "reverse": self.deciding.reverse,
            "review-undo": self.deciding.undo,
            "open-page": self.open_page,
            "review-filter": self.focus_search,
            "accept-all": self.deciding.accept_all,
        }[command]()

    def accept(self) -> None:
        """Accept every marked fact, and go on."""
        self.deciding.accept()

    def reject(self) -> None:
        """Ask why, then refuse every marked fact."""
        self.deciding.ask_kind()

    def ask(self, text: str, hint: str, yes: str, then: Callable[[], None]) -> None:
        """Ask before something large."""
        box = dialogs.ask(self.window(), text, hint, yes, "Cancel", then)
        box.finished.connect(lambda _: self.come_back())

    def come_back(self) -> None:
        """A dialog was closed: the keyboard belongs here again."""
        self.window().activateWindow()  # not every system gives it back by itself
        self.focus_work()

    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def focus_work(self) -> None:
        self._wants_keyboard = self.states.state != "content"  # then it gets it as soon as there is something
        target = self.table if not self.table.isHidden() else self.card.focus_target
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        if narrow != self.table.isHidden():
            focused = self.table.hasFocus() or self.card.focus_target.hasFocus()
            self.table.setHidden(narrow)
            if focused:
                self.focus_work()
