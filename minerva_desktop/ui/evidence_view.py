"""Shows one fact with its evidence, stage by stage; used by review and by the graph."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QUrl, Signal
from PySide6.QtWidgets import QTextBrowser

from minerva_desktop.records import Fact
from minerva_desktop.ui.evidence_html import fact_html
from minerva_desktop.ui.theme import is_theme_change, tokens
from minerva_desktop.ui.widgets import Place


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
        self._titles: Mapping[str, str] = {}

    def show_fact(self, fact: Fact | None, titles: Mapping[str, str]) -> None:
        """Show a fact, or nothing."""
        same = self.fact is not None and fact is not None and self.fact.id == fact.id
        place = self.verticalScrollBar().value() if same else 0
        self.fact, self._titles = fact, titles
        self.setHtml(fact_html(fact, titles, tokens()) if fact else "")
        self.verticalScrollBar().setValue(place)

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

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_theme_change(event) and self.fact is not None:
            self.show_fact(self.fact, self._titles)
