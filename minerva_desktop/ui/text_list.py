"""Texts that are read like a page, one under the other: their list, and the page of it in Find."""

from __future__ import annotations

from collections.abc import Callable
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

from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.theme import tokens
from minerva_desktop.ui.widgets import StateStack, label

Index = QModelIndex | QPersistentModelIndex


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


class TextListPage(QWidget):
    """A list of texts under a note. ``place_wanted`` carries a place on a page; ``key`` makes older questions void."""

    place_wanted = Signal(object)

    def __init__(self, bridge: Bridge, model: QAbstractListModel, name: str, key: str) -> None:
        super().__init__()
        self.bridge, self._key = bridge, key
        self.list = TextList(name)
        self.list.setModel(model)
        self.note = label(kind="muted", wrap=True)
        self.states = StateStack(self.list, "search")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.note)
        layout.addWidget(self.states, 1)

    def ask(self, work: Callable[[], Any], done: Callable[[Any], None], again: Callable[[], None]) -> None:
        """Look for something off the window's thread; ``again`` is offered when it fails."""
        self.bridge.query(work, done, lambda error: self.states.show_error(error, again), key=self._key)

    def forget(self) -> None:
        """What is still looked for is not wanted any more."""
        self.bridge.query(lambda: None, lambda _: None, key=self._key)

    def show_first(self) -> None:
        """Show the list from its first text, which is chosen."""
        self.states.show_content()
        self.list.setCurrentIndex(self.list.model().index(0, 0))
        self.list.scrollToTop()

    def show_welcome(self, title: str, text: str) -> None:
        """Nothing is asked yet."""
        self.note.hide()
        self.states.show_empty(title, text, picture="search")

    def show_empty_library(self) -> None:
        """There is nothing to look in."""
        self.states.show_empty(
            "Your library is empty", "Add papers in the library, or find some on the web.", picture="library"
        )

    def focus_results(self) -> bool:
        """Put the keyboard on the results, if there are any."""
        if self.list.model().rowCount():
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return False
