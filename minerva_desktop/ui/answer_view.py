"""Shows one answer: its text, and under it what it was made from, folded."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, Qt, QUrl, Signal
from PySide6.QtGui import QFontDatabase, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QScrollArea,
    QTableView,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.records import Answer
from minerva_desktop.ui.answer_html import answer_html, dropped_html, numbered, passages_html
from minerva_desktop.ui.rounds_html import OURS, engine_words
from minerva_desktop.ui.theme import is_theme_change, tokens
from minerva_desktop.ui.widgets import Fold, Place, label

Index = QModelIndex | QPersistentModelIndex


class FlowText(QTextBrowser):
    """A text that is as high as it needs to be; what is around it scrolls."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setProperty("kind", "plain")
        self.setAccessibleName(name)
        self.setOpenLinks(False)
        self.setAcceptDrops(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(2)
        self.document().documentLayout().documentSizeChanged.connect(lambda size: self._grow(size.height()))

    def _grow(self, height: float) -> None:
        self.setFixedHeight(max(24, round(height) + 4))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._grow(self.document().size().height())

    def wheelEvent(self, event: QEvent) -> None:
        event.ignore()


class RowsOfQuery(QAbstractTableModel):
    """The rows that a query of the graph returned."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[dict[str, Any]] = []
        self._names: list[str] = []

    def set_rows(self, rows: list[dict[str, Any]]) -> None:
        self.beginResetModel()
        self._rows = rows
        self._names = list(dict.fromkeys(name for row in rows for name in row))
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._names)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._names[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        value = self._rows[index.row()].get(self._names[index.column()])
        if isinstance(value, (list, tuple)):
            return ", ".join(str(item) for item in value)
        return "" if value is None else str(value)


class AnswerView(QScrollArea):
    """The answer. ``place_wanted`` carries the place of a citation that was followed."""

    place_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setProperty("kind", "card")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.answer: Answer | None = None
        self._question = label(factor=1.35, wrap=True)
        self._how = label(kind="muted", wrap=True)
        self.text = FlowText("Answer")
        self.text.anchorClicked.connect(self._follow)
        self.passages = FlowText("Passages that were read")
        self.passages.anchorClicked.connect(self._follow)
        self.query = FlowText("Query of the graph")
        self.query.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.rows = RowsOfQuery()
        self.table = QTableView()
        self.table.setModel(self.rows)
        self.table.setAccessibleName("Rows of the graph")
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.query_fold = Fold("Query", self.query)
        self.rows_fold = Fold("Rows", self.table)
        self.passages_fold = Fold("Passages", self.passages)
        self.dropped = FlowText("Sentences that were left out")
        self.dropped_fold = Fold("Left out", self.dropped)
        self.dropped_fold.head.setToolTip("What the model wrote and the evidence does not hold")
        self.folds = (self.dropped_fold, self.query_fold, self.rows_fold, self.passages_fold)
        body = QWidget()
        body.setObjectName("answer-body")
        layout = QVBoxLayout(body)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(8)
        for item in (self._question, self._how, self.text, *self.folds):
            layout.addWidget(item)
        layout.addStretch(1)
        self.setWidget(body)

    def show_answer(self, answer: Answer) -> None:
        """Show it from its top, folds closed."""
        self.answer = answer
        self._question.setText(answer.question)
        self._how.setText(_how(answer))
        self._write()
        self.query.setPlainText(answer.cypher)
        self.rows.set_rows(list(answer.rows))
        self.table.resizeColumnsToContents()
        self.table.setFixedHeight(min(9, len(answer.rows) + 1) * (self.table.verticalHeader().defaultSectionSize() + 2))
        self.rows_fold.set_title(f"Rows ({len(answer.rows)})")
        self.passages_fold.set_title(f"Passages ({len(answer.passages)})")
        self.query_fold.setVisible(bool(answer.cypher))
        self.rows_fold.setVisible(bool(answer.rows))
        self.passages_fold.setVisible(bool(answer.passages))
        self.dropped_fold.set_title(f"Left out ({len(answer.dropped)})")
        self.dropped_fold.setVisible(bool(answer.dropped))
        for fold in self.folds:
            fold.head.setChecked(False)
        self.verticalScrollBar().setValue(0)

    def _write(self) -> None:
        if self.answer is not None:
            theme = tokens()
            self.text.setHtml(answer_html(self.answer, theme))
            self.passages.setHtml(passages_html(self.answer, theme))
            self.dropped.setHtml(dropped_html(self.answer, theme))

    def place_of(self, number: int) -> Place | None:
        """Where citation ``number`` (from 1) stands."""
        citations = numbered(self.answer) if self.answer else []
        if not 1 <= number <= len(citations):
            return None
        kept = citations[number - 1]
        paper = kept.paper if kept.source != "textbook" else ""
        return Place(paper, kept.page, kept.boxes, kept.quote, kept.title)

    def _follow(self, url: QUrl) -> None:
        if not url.path().isdigit() or self.answer is None:
            return
        number = int(url.path())
        place = None
        if url.scheme() == "cite":
            place = self.place_of(number)
        elif url.scheme() == "passage" and number < len(self.answer.passages):
            kept = self.answer.passages[number]
            paper = kept.source if kept.kind == "paper" else ""
            place = Place(paper, kept.page, kept.boxes, kept.text, kept.title)
        if place is not None and (place.paper or place.quote):
            self.place_wanted.emit(place)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_theme_change(event) and self.answer is not None:
            self._write()


def _how(answer: Answer) -> str:
    words = [f"{answer.type.capitalize()} question", f"answered by {_ROUTES.get(answer.route, answer.route)}"]
    if answer.engine not in OURS:
        words.append(f"worded by {engine_words(answer.engine)}")
    if answer.cypher and answer.cypher_engine not in OURS:
        words.append(f"query written by {engine_words(answer.cypher_engine)}")
    if answer.degraded:
        words.append("with less than usual, see the notes")
    return ", ".join(words)


_ROUTES = {"graph": "the graph", "vector": "passages", "hybrid": "graph and passages", "calculation": "a calculation"}
