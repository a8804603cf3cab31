"""The evidence of an answer as cards: one for each citation, with the sentence that it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent

from minerva_desktop.records import Citation, EvidenceCard
from minerva_desktop.ui.evidence_html import STATUS_WORDS
from minerva_desktop.ui.rounds_html import VERDICT_WORDS
from minerva_desktop.ui.text_list import TextList
from minerva_desktop.ui.theme import Tokens, is_theme_change, tokens

Index = QModelIndex | QPersistentModelIndex
_AUTHORS = 2
_VERDICT_COLORS = {"SUPPORTED": "accepted", "CONTRADICTED": "refused", "INSUFFICIENT": "muted"}


class CardsModel(QAbstractListModel):
    """Cards with the citations that they belong to."""

    def __init__(self) -> None:
        super().__init__()
        self.citations: Sequence[Citation] = ()
        self.cards: Sequence[EvidenceCard] = ()

    def show(self, citations: Sequence[Citation], cards: Sequence[EvidenceCard]) -> None:
        self.beginResetModel()
        self.citations, self.cards = citations, cards
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.cards)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        """In words, for those who do not see the card."""
        if role not in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.DisplayRole):
            return None
        citation, card = self.citations[index.row()], self.cards[index.row()]
        status = f", {STATUS_WORDS[card.status]}" if card.status else ""
        return f"{card.number}: {_where(citation, card)}{status}. {citation.quote}"

    def html(self, row: int) -> str:
        return card_html(self.citations[row], self.cards[row], tokens())


class EvidenceCards(TextList):
    """As high as its cards; what is around it scrolls. ``opened(number)`` on a click or Enter, ``pointed(number)`` while
    the mouse or the keyboard is on a card, 0 when it is on none."""

    opened = Signal(int)
    pointed = Signal(int)

    def __init__(self) -> None:
        super().__init__("Evidence")
        self.setToolTip("")
        self.cards = CardsModel()
        self.setModel(self.cards)
        self.setProperty("kind", "bare")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.entered.connect(lambda index: self.pointed.emit(index.row() + 1))
        self.clicked.connect(lambda index: self.opened.emit(index.row() + 1))
        self._fit = QTimer(self)
        self._fit.setSingleShot(True)
        self._fit.setInterval(0)
        self._fit.timeout.connect(self.fit_height)

    def show_cards(self, citations: Sequence[Citation], cards: Sequence[EvidenceCard]) -> None:
        self.cards.show(citations, cards)
        self.setVisible(bool(cards))
        self.fit_height()

    def fit_height(self) -> None:
        """Make it as high as its cards are."""
        self.doItemsLayout()
        high = sum(self.sizeHintForIndex(self.cards.index(row, 0)).height() for row in range(self.cards.rowCount()))
        self.setFixedHeight(max(1, high + 2 * self.frameWidth()))

    def point_at(self, number: int) -> None:
        """Choose the card of a citation, for the eye only."""
        self.setCurrentIndex(self.cards.index(number - 1, 0))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.pointed.emit(current.row() + 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self.currentIndex().isValid():
                self.opened.emit(self.currentIndex().row() + 1)
            return
        super().keyPressEvent(event)

    def wheelEvent(self, event: QEvent) -> None:
        event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(self.currentIndex().row() + 1 if self.hasFocus() else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit.start()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_theme_change(event):
            self._fit.start()


def card_html(citation: Citation, card: EvidenceCard, theme: Tokens) -> str:
    """One card: its number, where it is, its sentence with what the question speaks of marked, and how it stands."""
    muted, accent = theme.muted.name(), theme.accent_text.name()
    quote = f"<p style='margin:3px 0 0 0'>{_marked(citation.quote, card.marks, theme)}</p>" if citation.quote else ""
    badges = "".join(
        f"<span style='color:{color}; font-weight:600'>{escape(text)}</span>&nbsp;&nbsp; "
        for text, color in _badges(card, theme)
    )
    foot = f"<p style='margin:3px 0 0 0; font-size:small'>{badges}</p>" if badges else ""
    return (
        f"<table cellspacing='0' cellpadding='0' width='100%'><tr>"
        f"<td width='38' style='color:{accent}; font-weight:600'>[{card.number}]</td>"
        f"<td><p style='margin:0; color:{muted}'>{escape(_where(citation, card))}</p>{quote}{foot}</td></tr></table>"
    )


def _where(citation: Citation, card: EvidenceCard) -> str:
    who = ", ".join(card.authors[:_AUTHORS]) + (" et al." if len(card.authors) > _AUTHORS else "")
    kind = {"textbook": "Textbook", "graph": "Graph"}.get(citation.source, "")
    page = f"page {citation.page}" if citation.page else ""
    parts = (kind, card.title, who, str(card.year or ""), page)
    return " · ".join(part for part in parts if part)


def _badges(card: EvidenceCard, theme: Tokens) -> list[tuple[str, str]]:
    badges = []
    if card.withdrawn:
        badges.append(("Retracted paper", theme.refused.name()))
    if card.status:
        badges.append((STATUS_WORDS[card.status], theme.status(card.status).name()))
    if card.verdict:
        badges.append((VERDICT_WORDS[card.verdict], getattr(theme, _VERDICT_COLORS[card.verdict]).name()))
    return badges


def _marked(quote: str, marks: Sequence[tuple[int, int]], theme: Tokens) -> str:
    out, at = [], 0
    for start, end in marks:
        out.append(escape(quote[at:start]))
        out.append(f"<span style='background-color:{theme.mark.name()}'>{escape(quote[start:end])}</span>")
        at = end
    return "“" + "".join([*out, escape(quote[at:])]) + "”"
