"""Find in my library: passages with the words marked; works without any connection."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from minerva_desktop.records import Passage
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.marking import best_sentences, marked_spans
from minerva_desktop.ui.models import announce
from minerva_desktop.ui.text_list import TextListPage
from minerva_desktop.ui.theme import Tokens, tokens
from minerva_desktop.ui.widgets import Place

MOST = 40
Index = QModelIndex | QPersistentModelIndex
PassageRole = int(Qt.ItemDataRole.UserRole) + 1


class PassagesModel(QAbstractListModel):
    """Passages that fit a query, best first."""

    def __init__(self) -> None:
        super().__init__()
        self.passages: tuple[Passage, ...] = ()
        self.query = ""
        self.withdrawn: frozenset[str] = frozenset()

    def show_passages(self, query: str, passages: tuple[Passage, ...], withdrawn: frozenset[str] = frozenset()) -> None:
        """``withdrawn``: ids of papers that were retracted."""
        self.beginResetModel()
        self.query, self.passages, self.withdrawn = query, passages, withdrawn
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.passages)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.passages):
            return None
        passage = self.passages[index.row()]
        if role == PassageRole:
            return passage
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            mark = "retracted, " if passage.source in self.withdrawn else ""
            return f"{mark}{where_text(passage)}: {passage.text}"
        return None

    def html(self, row: int) -> str:
        """A passage as it is painted."""
        passage = self.passages[row]
        return passage_html(passage, self.query, tokens(), withdrawn=passage.source in self.withdrawn)


def where_text(passage: Passage) -> str:
    """Title, page and section of a passage."""
    page = f"page {passage.page}" if passage.page else ""
    kind = "textbook" if passage.kind == "textbook" else ""
    return " · ".join(bit for bit in (passage.title or passage.source[:8], kind, page, passage.section) if bit)


def passage_html(passage: Passage, query: str, theme: Tokens, *, withdrawn: bool = False) -> str:
    """A passage with the words of the query marked."""
    parts, at = [], 0
    for start, end in marked_spans(passage.text, query):
        parts.append(escape(passage.text[at:start]))
        parts.append(f"<span style='background-color:{theme.mark.name()}'>{escape(passage.text[start:end])}</span>")
        at = end
    parts.append(escape(passage.text[at:]))
    title, _, rest = where_text(passage).partition(" · ")
    head = (
        f"<b>{escape(title)}</b> <span style='color:{theme.muted.name()}'>{' · ' if rest else ''}{escape(rest)}</span>"
    )
    if withdrawn:
        head = f"<b style='color:{theme.refused.name()}'>RETRACTED</b> {head}"
    return f"<p style='margin:0 0 4px 0'>{head}</p><p style='margin:0; line-height:135%'>{''.join(parts)}</p>"


class PassagesPage(TextListPage):
    """Passages of papers and textbooks. Enter opens the page at the sentences that fit."""

    def __init__(self, bridge: Bridge) -> None:
        self.model = PassagesModel()
        super().__init__(bridge, self.model, "Passages that were found", "find-passages")
        self.workbench = bridge.workbench
        self.query = ""
        self.list.activated.connect(lambda _: self.open_current())
        self.list.clicked.connect(lambda _: self.open_current())
        self._welcome()

    def search(self, text: str, then: Callable[[], None] | None = None) -> None:
        """Show the passages that fit; an older search is forgotten."""
        self.query = text
        if not text:
            self.forget()
            self.model.show_passages("", ())
            self._welcome()
            return
        workbench = self.workbench

        def work() -> tuple[Any, bool, frozenset[str]]:
            papers = workbench.papers()
            withdrawn = frozenset(paper.id for paper in papers if paper.withdrawn)
            return workbench.find(text, MOST), bool(papers or workbench.textbooks()), withdrawn

        def done(found: tuple[Any, bool, frozenset[str]]) -> None:
            self._show(text, *found)
            if then is not None:
                then()

        self.ask(work, done, lambda: self.search(text))

    def _show(self, text: str, result: Any, anything: bool, withdrawn: frozenset[str]) -> None:
        self.model.show_passages(text, tuple(result.passages), withdrawn)
        count = len(result.passages)
        said = f"The best {count} passages" if count >= MOST else f"{count} passage{'s' if count != 1 else ''}"
        self.note.setText(f"{said}. {result.note}".strip() if count else result.note)
        self.note.setVisible(bool(count))
        if count:
            self.show_first()
        elif anything:
            self.states.show_empty(
                "Nothing in your library", f"No passage has these words: “{text}”. Look for other words, or on the web."
            )
        else:
            self.show_empty_library()
        announce(said)

    def _welcome(self) -> None:
        text = "Passages of your papers and textbooks, by words and by meaning. Nothing leaves this computer."
        self.show_welcome("Search your library", text)

    def open_current(self) -> None:
        """Open the page of the chosen passage at the sentences that have the words."""
        passage = self.list.currentIndex().data(PassageRole)
        if not isinstance(passage, Passage):
            return
        if passage.kind == "textbook":
            self.place_wanted.emit(Place("", passage.page, (), passage.text, passage.title))
            return
        workbench, query = self.workbench, self.query

        def work() -> Place:
            sentences = best_sentences(workbench.document(passage.source).sentences, passage.sentences, query)
            if not sentences:
                return Place(passage.source, passage.page, passage.boxes, passage.text, passage.title)
            boxes = tuple(box for sentence in sentences for box in sentence.boxes)
            quote = " ".join(sentence.text for sentence in sentences)
            return Place(passage.source, sentences[0].page, boxes, quote, passage.title)

        self.bridge.query(work, self.place_wanted.emit, key="find-open")
