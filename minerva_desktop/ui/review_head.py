"""The head of the review: which facts are listed and in which order, and how far one is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QSettings, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QTabBar, QVBoxLayout, QWidget

from minerva_desktop.ui.review_loading import Filters
from minerva_desktop.ui.review_strip import ReviewStrip
from minerva_desktop.ui.widgets import button, label, search_field
from minerva_desktop.workbench.reviewing import ReviewCounts

TABS: tuple[tuple[str, str], ...] = (
    ("waiting", "Waiting"),
    ("accepted", "Accepted"),
    ("refused", "Refused"),
    ("", "All"),
)
ORDERS: tuple[tuple[str, str], ...] = (
    ("useful", "Most useful first"),
    ("paper", "By paper"),
    ("type", "By type"),
    ("added", "As added"),
)


class ReviewHead(QWidget):
    """``changed``: other facts are to be listed, or in another order; ``entered``: Enter in the filter."""

    changed = Signal()
    entered = Signal()

    def __init__(self, memory: QSettings | None, show_all_papers: Callable[[], None]) -> None:
        super().__init__()
        self._memory = memory
        self.paper: str | None = None
        self.counts = ReviewCounts(0, 0, 0, 0)
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Facts by status")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for _, name in TABS:
            self.tabs.addTab(name)
        self.tabs.currentChanged.connect(lambda _: self.changed.emit())
        self.order = QComboBox()
        self.order.setAccessibleName("Order of the facts")
        self.order.setToolTip("Most useful: where little is known and much hangs on it. O takes the next order.")
        for key, name in ORDERS:
            self.order.addItem(name, key)
        if memory is not None:
            self.order.setCurrentIndex(max(0, self.order.findData(str(memory.value("review/order", "useful")))))
        self.order.currentIndexChanged.connect(lambda _: self._reorder())
        self.search = search_field("Filter by words  ( / )", "Filter facts")
        self.search.setMinimumWidth(140)
        self.search.setMaximumWidth(320)
        self.search.returnPressed.connect(self.entered)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(200)
        self._pause.timeout.connect(self.changed)
        self.search.textChanged.connect(lambda _: self._pause.start())
        self.paper_chip = button("", show_all_papers, tip="Show the facts of every paper again")
        self.paper_chip.hide()
        self.strip = ReviewStrip()
        self._build()

    def _build(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(label("Review", factor=1.6))
        top.addStretch(1)
        top.addWidget(self.paper_chip)
        top.addWidget(self.search, 1)
        second = QHBoxLayout()
        second.setSpacing(12)
        second.addWidget(self.tabs)
        second.addStretch(1)
        second.addWidget(self.order)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        column.addLayout(second)
        column.addWidget(self.strip)

    @property
    def status(self) -> str:
        """The status whose facts are listed; empty = all."""
        return TABS[self.tabs.currentIndex()][0]

    def filters(self) -> Filters:
        """What is listed."""
        return Filters(self.status, self.paper, self.search.text().strip(), str(self.order.currentData()))

    def show_paper(self, paper: str | None, title: str = "") -> None:
        """Only the facts of one paper, or of all."""
        self.paper = paper
        short = title if len(title) <= 40 else title[:39] + "…"
        self.paper_chip.setText(f"{short}  ✕")
        self.paper_chip.setVisible(paper is not None)

    def next_order(self) -> None:
        """List the facts in the next order."""
        self.order.setCurrentIndex((self.order.currentIndex() + 1) % self.order.count())

    def _reorder(self) -> None:
        if self._memory is not None:
            self._memory.setValue("review/order", self.order.currentData())
        self.changed.emit()

    # ------------------------------------------------------------------------------------------------- counts
    def show_counts(self, counts: ReviewCounts) -> None:
        """How many facts there are under each tab, and how far one is."""
        self.counts = counts
        numbers = (counts.waiting, counts.accepted, counts.refused, self.everything)
        for place, ((_, name), number) in enumerate(zip(TABS, numbers, strict=True)):
            self.tabs.setTabText(place, f"{name}  {number:,}".replace(",", "\u2009"))
        self.strip.show_counts(counts)

    @property
    def everything(self) -> int:
        """How many facts pass the filter, whatever their status."""
        return self.counts.waiting + self.counts.accepted + self.counts.refused

    def count(self, verb: str, number: int) -> None:
        """So many facts were decided on; what that does to the counts is known before they are taken anew."""
        if self.status == "waiting" and verb in ("accept", "reject"):
            side = "accepted" if verb == "accept" else "refused"
            more = {side: getattr(self.counts, side) + number, "by_person": self.counts.by_person + number}
            self.show_counts(replace(self.counts, waiting=self.counts.waiting - number, **more))
