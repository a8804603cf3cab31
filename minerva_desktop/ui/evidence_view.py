"""Shows one fact with its evidence, stage by stage; used by review and by the graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QUrl, Signal
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QTextBrowser

from minerva_desktop.records import Evidence, Fact, Notice, PageImage
from minerva_desktop.ui.evidence_html import fact_html
from minerva_desktop.ui.theme import is_theme_change, tokens
from minerva_desktop.ui.widgets import Place
from minerva_desktop.ui.work_detail import open_address
from minerva_desktop.ui.work_html import notices_html

FetchOthers = Callable[[Fact, Callable[[str], None]], None]
FetchCrop = Callable[[Evidence, Callable[[PageImage | None], None]], None]
MOST_CROPS = 4
"""Pictures for one fact; the pages of the others are one click away."""


class EvidenceView(QTextBrowser):
    """A fact in words. ``place_wanted`` carries the place of an evidence whose link was followed."""

    place_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Evidence of the chosen fact")
        self.setOpenLinks(False)
        self.setAcceptDrops(False)
        self.document().setDocumentMargin(14)
        self.setPlaceholderText("Choose a fact to see its sentence and what each check said.")
        self.anchorClicked.connect(self._follow)
        self.fact: Fact | None = None
        self.fetch_crop: FetchCrop | None = None  # gets the picture of an evidence's place, off this thread
        self.fetch_others: FetchOthers | None = None  # gets what other papers say of the same number, off this thread
        self._others = ""
        self.first_crop = 0  # evidence before this number is pictured elsewhere
        self._crops: dict[int, QImage] = {}
        self._titles: Mapping[str, str] = {}
        self._opened: set[int] = set()  # evidence whose rounds of the textbook check are shown
        self.notices: Mapping[str, tuple[Notice, ...]] = {}  # of papers that were retracted or corrected, by id

    def show_fact(self, fact: Fact | None, titles: Mapping[str, str]) -> None:
        """Show a fact, or nothing."""
        same = self.fact is not None and fact is not None and self.fact.id == fact.id
        place = self.verticalScrollBar().value() if same else 0
        self.fact, self._titles = fact, titles
        if not same:
            self._crops.clear()
            self._opened.clear()
            self._others = ""
        self._write()
        self.verticalScrollBar().setValue(place)
        if not same and fact is not None and self.fetch_crop is not None:
            for number, record in enumerate(fact.evidence[:MOST_CROPS]):
                if number >= self.first_crop and record.evidence.boxes:
                    self.fetch_crop(record.evidence, partial(self._put_crop, fact.id, number))

        if not same and fact is not None and fact.quantity is not None and self.fetch_others is not None:
            self.fetch_others(fact, partial(self._put_others, fact.id))

    def _put_others(self, fact_id: str, text: str) -> None:
        if text and self.fact is not None and self.fact.id == fact_id:
            self._others = text
            self._write_in_place()

    def _put_crop(self, fact_id: str, number: int, image: PageImage | None) -> None:
        if image is None or self.fact is None or self.fact.id != fact_id:
            return
        picture = QImage(image.rgb, image.width, image.height, image.width * 3, QImage.Format.Format_RGB888).copy()
        self._crops[number] = picture
        self._write_in_place()

    def _write_in_place(self) -> None:
        place = self.verticalScrollBar().value()
        self._write()
        self.verticalScrollBar().setValue(place)

    def toggle_rounds(self, number: int) -> None:
        """Show the rounds of the Nth evidence's textbook check, or fold them away."""
        self._opened ^= {number}
        self._write_in_place()

    def _write(self) -> None:
        room = max(120, self.viewport().width() - 70)
        for number, picture in self._crops.items():
            self.document().addResource(int(QTextDocument.ResourceType.ImageResource), QUrl(f"crop:{number}"), picture)
        widths = {number: min(picture.width(), room) for number, picture in self._crops.items()}
        body = self._body(self.fact, widths) if self.fact else ""
        self.setHtml(self._banners() + body if body else "")
        # Setting the text empties the store of pictures.
        for number, picture in self._crops.items():
            self.document().addResource(int(QTextDocument.ResourceType.ImageResource), QUrl(f"crop:{number}"), picture)

    def _body(self, fact: Fact, widths: Mapping[int, int]) -> str:
        return fact_html(fact, self._titles, tokens(), widths, self._opened, self._others)

    def _banners(self) -> str:
        """That a paper on which the fact stands was retracted or corrected."""
        papers = dict.fromkeys(record.evidence.paper for record in self.fact.evidence) if self.fact else {}
        return "".join(
            notices_html(self.notices[paper], tokens(), f"“{self._titles.get(paper) or 'the paper'}”")
            for paper in papers
            if paper in self.notices
        )

    def place(self, number: int = 0) -> Place | None:
        """Where the Nth evidence stands."""
        if self.fact is None or not 0 <= number < len(self.fact.evidence):
            return None
        evidence = self.fact.evidence[number].evidence
        return Place(
            evidence.paper, evidence.page, evidence.boxes, evidence.sentence, self._titles.get(evidence.paper, "")
        )

    def _follow(self, url: QUrl) -> None:
        if url.scheme() == "evidence" and url.path().isdigit():
            place = self.place(int(url.path()))
            if place is not None:
                self.place_wanted.emit(place)
        elif url.scheme() == "rounds" and url.path().isdigit():
            self.toggle_rounds(int(url.path()))
        elif url.scheme() not in ("evidence", "rounds"):
            open_address(url.toString())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_theme_change(event) and self.fact is not None:
            self.show_fact(self.fact, self._titles)
