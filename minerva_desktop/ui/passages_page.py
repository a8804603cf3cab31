"""Find in my library: passages with the words marked; works without any connection."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAbstractTextDocumentLayout, QPainter, QPalette, QResizeEvent, QTextDocument
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.records import Passage
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.marking import best_sentences, marked_spans
from minerva_desktop.ui.models import announce
from minerva_desktop.ui.theme import Tokens, tokens
from minerva_desktop.ui.widgets import Place, StateStack, label

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


class TextDelegate(QStyledItemDelegate):
    """Paints the ``html(row)`` of a model over as many lines as it needs."""

    def _document(self, index: Index, width: int) -> QTextDocument:
        document = QTextDocument()
        document.setDefaultFont(QApplication.font())
        document.setDocumentMargin(10)
        document.setTextWidth(max(120, width))
        document.setHtml(index.model().html(index.row()))
        return document

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look = QStyleOptionViewItem(option)
        self.initStyleOption(look, index)
        look.text = ""
        view = look.widget
        style = view.style() if view is not None else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, look, painter, view)
        painter.save()
        painter.translate(option.rect.topLeft())
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette.setColor(QPalette.ColorRole.Text, tokens().text)
        document = self._document(index, option.rect.width())
        painter.setClipRect(QRectF(0, 0, option.rect.width(), option.rect.height()))
        document.documentLayout().draw(painter, context)
        painter.setPen(tokens().border)
        painter.drawLine(10, option.rect.height() - 1, option.rect.width() - 10, option.rect.height() - 1)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view = option.widget
        width = view.viewport().width() if isinstance(view, QListView) else option.rect.width()
        return QSize(120, round(self._document(index, width).size().height()) + 1)


class TextList(QListView):
    """A list of texts that are read like a page: as wide as the view, scrolled by pixels."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setItemDelegate(TextDelegate(self))
        self.setAccessibleName(name)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()


class PassagesPage(QWidget):
    """Passages of papers and textbooks. Enter opens the page at the sentences that fit."""

    place_wanted = Signal(object)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.bridge = bridge
        self.workbench = bridge.workbench
        self.query = ""
        self.model = PassagesModel()
        self.list = TextList("Passages that were found")
        self.list.setModel(self.model)
        self.list.activated.connect(lambda _: self.open_current())
        self.list.clicked.connect(lambda _: self.open_current())
        self.note = label(kind="muted", wrap=True)
        self.states = StateStack(self.list, "search")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.note)
        layout.addWidget(self.states, 1)
        self._show_welcome()

    def search(self, text: str, then: Callable[[], None] | None = None) -> None:
        """Show the passages that fit; an older search is forgotten."""
        self.query = text
        if not text:
            self.bridge.query(lambda: None, lambda _: None, key="find-passages")  # makes an older answer void
            self.model.show_passages("", ())
            self._show_welcome()
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

        self.bridge.query(
            work, done, lambda error: self.states.show_error(error, lambda: self.search(text)), key="find-passages"
        )

    def _show(self, text: str, result: Any, anything: bool, withdrawn: frozenset[str]) -> None:
        self.model.show_passages(text, tuple(result.passages), withdrawn)
        count = len(result.passages)
        said = f"The best {count} passages" if count >= MOST else f"{count} passage{'s' if count != 1 else ''}"
        self.note.setText(f"{said}. {result.note}".strip() if count else result.note)
        self.note.setVisible(bool(count))
        if count:
            self.states.show_content()
            self.list.setCurrentIndex(self.model.index(0, 0))
            self.list.scrollToTop()
        elif anything:
            self.states.show_empty(
                "Nothing in your library", f"No passage has these words: “{text}”. Look for other words, or on the web."
            )
        else:
            self.states.show_empty(
                "Your library is empty", "Add papers in the library, or find some on the web.", picture="library"
            )
        announce(said)

    def _show_welcome(self) -> None:
        self.note.hide()
        self.states.show_empty(
            "Search your library",
            "Passages of your papers and textbooks, by words and by meaning. Nothing leaves this computer.",
            picture="search",
        )

    def focus_results(self) -> bool:
        """Put the keyboard on the results, if there are any."""
        if self.model.passages:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        return bool(self.model.passages)

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
