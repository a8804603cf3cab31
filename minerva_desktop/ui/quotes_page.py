"""Where a pasted sentence, quotation or value stands: the places, best first, with what agrees marked."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from minerva_desktop.records import QuotePlace, QuoteResult
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.models import announce
from minerva_desktop.ui.text_list import TextListPage
from minerva_desktop.ui.theme import Tokens, tokens
from minerva_desktop.ui.widgets import Place

MOST = 20
Index = QModelIndex | QPersistentModelIndex
QuoteRole = int(Qt.ItemDataRole.UserRole) + 1
_SAID = {
    "exact": "word for word",
    "same": "the same words",
    "value": "this amount",
    "rounded": "this amount, rounded",
    "within": "a range that goes with it",
    "number": "these digits",
}


def said_of(place: QuotePlace, nearest: bool) -> str:
    """In a few words, how the place goes with what was pasted."""
    if nearest:
        return f"not the same, {place.likeness:.0%} alike" if place.likeness else "another value"
    return _SAID.get(place.how) or f"{place.likeness:.0%} alike"


def where_it_is(place: QuotePlace) -> str:
    """Title, page and section."""
    page = f"page {place.page}" if place.page else ""
    kind = "textbook" if place.source == "textbook" else ""
    return " · ".join(bit for bit in (place.title or place.source_id[:8], kind, page, place.section) if bit)


def quote_html(place: QuotePlace, nearest: bool, theme: Tokens) -> str:
    """A place with what agrees marked; a number that was pasted and does not stand there is named."""
    parts, at = [], 0
    for start, end in place.marks:
        parts.append(escape(place.quote[at:start]))
        parts.append(f"<span style='background-color:{theme.mark.name()}'>{escape(place.quote[start:end])}</span>")
        at = end
    parts.append(escape(place.quote[at:]))
    title, _, rest = where_it_is(place).partition(" · ")
    rest = " · ".join(bit for bit in (rest, said_of(place, nearest)) if bit)
    head = f"<b>{escape(title)}</b> <span style='color:{theme.muted.name()}'> · {escape(rest)}</span>"
    missing = ""
    if place.missing:
        numbers = escape(", ".join(place.missing))
        missing = f"<p style='margin:4px 0 0 0; color:{theme.refused.name()}'>Not there: {numbers}</p>"
    return f"<p style='margin:0 0 4px 0'>{head}</p><p style='margin:0; line-height:135%'>{''.join(parts)}</p>{missing}"


class QuotesModel(QAbstractListModel):
    """The places of a look-up; where there is none, what comes nearest."""

    def __init__(self) -> None:
        super().__init__()
        self.places: tuple[QuotePlace, ...] = ()
        self.nearest = False

    def show_result(self, result: QuoteResult | None) -> None:
        """None empties the list."""
        self.beginResetModel()
        self.nearest = result is not None and not result.found
        self.places = () if result is None else result.places or result.nearest
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.places)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.places):
            return None
        place = self.places[index.row()]
        if role == QuoteRole:
            return place
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{where_it_is(place)}, {said_of(place, self.nearest)}: {place.quote}"
        return None

    def html(self, row: int) -> str:
        """A place as it is painted."""
        return quote_html(self.places[row], self.nearest, tokens())


class QuotesPage(TextListPage):
    """Paste, and Enter opens the page at the sentence."""

    def __init__(self, bridge: Bridge) -> None:
        self.model = QuotesModel()
        super().__init__(bridge, self.model, "Where it stands", "find-sentence")
        self.text = ""
        self.list.activated.connect(lambda _: self.open_current())
        self.list.clicked.connect(lambda _: self.open_current())
        self._welcome()

    def search(self, text: str, then: Callable[[], None] | None = None) -> None:
        """Show where the text stands; an older look-up is forgotten."""
        self.text = text
        if not text:
            self.forget()
            self.model.show_result(None)
            self._welcome()
            return
        workbench = self.bridge.workbench

        def work() -> tuple[QuoteResult, bool]:
            return workbench.where_is(text, MOST), bool(workbench.papers() or workbench.textbooks())

        def done(found: tuple[QuoteResult, bool]) -> None:
            self._show(*found)
            if then is not None:
                then()

        self.ask(work, done, lambda: self.search(text))

    def _show(self, result: QuoteResult, anything: bool) -> None:
        self.model.show_result(result)
        self.note.setText(" ".join((result.message, *result.notes)))
        self.note.setVisible(bool(self.model.places))
        if self.model.places:
            self.show_first()
        elif anything:
            self.states.show_empty(result.message, " ".join(result.notes))
        else:
            self.show_empty_library()
        announce(result.message)

    def _welcome(self) -> None:
        self.show_welcome(
            "Where does it stand?",
            "Paste a sentence, a quotation with its slips, or a number with its unit: the paper, the page and the very "
            "sentence. Nothing leaves this computer.",
        )

    def open_current(self) -> None:
        """Open the page of the chosen place at its sentence."""
        place = self.list.currentIndex().data(QuoteRole)
        if isinstance(place, QuotePlace):
            paper = place.source_id if place.source == "paper" else ""
            self.place_wanted.emit(Place(paper, place.page, place.boxes, place.quote, place.title))
