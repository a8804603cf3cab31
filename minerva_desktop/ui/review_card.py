"""One fact under review: its place on the page on top, the claim and all that was said of it below, the keys at the foot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from minerva_desktop.records import Fact, Passage
from minerva_desktop.ui.crop_view import CropView
from minerva_desktop.ui.evidence_view import EvidenceView
from minerva_desktop.ui.page_crops import PageCrops
from minerva_desktop.ui.review_html import BESIDE_FROM, review_html
from minerva_desktop.ui.review_keys import KeyBar
from minerva_desktop.ui.theme import tokens
from minerva_desktop.workbench.reviewing import Choice


@dataclass(frozen=True, slots=True)
class Beside:
    """What is shown with a fact and is not in it."""

    passage: Passage | None = None
    around: tuple[str, int, int] = ("", 0, 0)
    choices: tuple[Choice, ...] = ()
    why_not_reversed: str = ""
    why_not_accepted: str = ""


class ReviewEvidence(EvidenceView):
    """The claim, the paper's words beside the textbook's, and the checks."""

    def __init__(self) -> None:
        super().__init__()
        self.first_crop = 1
        self.passage: Passage | None = None

    def show_passage(self, passage: Passage | None) -> None:
        """The textbook's passage has come."""
        if passage != self.passage:
            self.passage = passage
            if self.fact is not None:
                self._write_in_place()

    def _body(self, fact: Fact, widths: Mapping[int, int]) -> str:
        return review_html(
            fact,
            self._titles,
            tokens(),
            crops=widths,
            opened=self._opened,
            passage=self.passage,
            width=self.viewport().width(),
            others=self._others,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        sides = {size.width() >= BESIDE_FROM for size in (event.size(), event.oldSize())}
        if self.fact is not None and len(sides) > 1:
            self._write_in_place()


class ReviewCard(QWidget):
    """``stepped``: an arrow key on the page's picture; ``page_wanted``: open the whole page."""

    stepped = Signal(int)
    page_wanted = Signal()

    def __init__(self, crops: PageCrops) -> None:
        super().__init__()
        self._crops = crops
        self.fact: Fact | None = None
        self.crop = CropView()
        self.crop.page.opened.connect(self.page_wanted)
        self.crop.page.stepped.connect(self.stepped)
        self.detail = ReviewEvidence()
        self.keys = KeyBar()
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setObjectName("review-card-splitter")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.crop)
        self.splitter.addWidget(self.detail)
        self.splitter.setStretchFactor(0, 2)
        self.splitter.setStretchFactor(1, 3)
        self.splitter.setHandleWidth(8)
        self.splitter.setProperty("kind", "quiet")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.splitter, 1)
        layout.addWidget(self.keys)

    def show_fact(self, fact: Fact | None, titles: Mapping[str, str], beside: Beside | None) -> None:
        """Show a fact; ``beside`` may come later by :meth:`show_beside`."""
        self.fact = fact
        self.detail.passage = beside.passage if beside else None
        self.detail.show_fact(fact, titles)
        self.keys.show_fact(fact, beside.choices if beside else (), beside.why_not_reversed if beside else "")
        if fact is None or not fact.evidence:
            self.crop.show_words("There is no evidence to show." if fact else "", 0, 0)
            return
        evidence = fact.evidence[0].evidence
        if not evidence.boxes:
            self._show_words(beside)
            return
        if not self._crops.has(evidence):
            self.crop.show_page(None, evidence)
        self._crops.want(evidence, lambda picture, note: self._page_came(fact, picture, note))

    def show_beside(self, beside: Beside) -> None:
        """What belongs beside the fact has come."""
        self.detail.show_passage(beside.passage)
        self.keys.show_fact(self.fact, beside.choices, beside.why_not_reversed)
        if self.fact is not None and self.fact.evidence and not self.fact.evidence[0].evidence.boxes:
            self._show_words(beside)

    @property
    def focus_target(self) -> QWidget:
        """What takes the keyboard where there is no list."""
        return self.crop.target

    def _show_words(self, beside: Beside | None) -> None:
        if beside is not None and beside.around[0]:
            self.crop.show_words(*beside.around)
        elif self.fact is not None and self.fact.evidence:
            sentence = self.fact.evidence[0].evidence.sentence
            self.crop.show_words(sentence, 0, len(sentence))

    def _page_came(self, fact: Fact, picture: QImage | None, note: str) -> None:
        if fact is self.fact:
            self.crop.show_page(picture, fact.evidence[0].evidence, note)
