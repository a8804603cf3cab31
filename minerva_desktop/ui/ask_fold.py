"""How a question was answered, to be unfolded under the answer: understood, looked at and why, read, taken, left out."""

from __future__ import annotations

from html import escape
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, QUrl, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QHeaderView, QLabel, QTableView, QVBoxLayout, QWidget

from minerva_desktop.questions.explaining import found_text, summary
from minerva_desktop.records import Answer, Trace, TracedPassage
from minerva_desktop.ui.evidence_html import STATUS_WORDS
from minerva_desktop.ui.flow_text import FlowText
from minerva_desktop.ui.theme import Tokens, tokens
from minerva_desktop.ui.widgets import Place, label

Index = QModelIndex | QPersistentModelIndex
_ROWS = 8
_EXCERPT = 240


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


class HowAnswered(QWidget):
    """``place_wanted`` carries the place of a passage whose link was followed."""

    place_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.answer: Answer | None = None
        self.summary = FlowText("How this was answered")
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
        self.facts = FlowText("Facts that were looked at")
        self.passages = FlowText("Passages that were read")
        self.passages.anchorClicked.connect(self._follow)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 0, 0, 6)
        layout.setSpacing(4)
        self._heads: dict[QWidget, QLabel] = {}
        layout.addWidget(self.summary)
        for title, part in (
            ("Query of the graph", self.query),
            ("Rows that it gave", self.table),
            ("Facts that were looked at", self.facts),
            ("Passages that were read", self.passages),
        ):
            head = self._heads[part] = label(title, kind="section")
            layout.addWidget(head)
            layout.addWidget(part)

    def show_answer(self, answer: Answer) -> None:
        self.answer = answer
        self.write()
        self.query.setPlainText(answer.cypher)
        self.rows.set_rows(list(answer.rows))
        self.table.resizeColumnsToContents()
        high = self.table.verticalHeader().defaultSectionSize() + 2
        self.table.setFixedHeight(min(_ROWS + 1, len(answer.rows) + 1) * high)
        trace = answer.trace
        self._show(self.query, bool(answer.cypher))
        self._show(self.table, bool(answer.rows))
        self._show(self.facts, bool(trace and trace.facts))
        self._show(self.passages, bool(trace and trace.passages))

    def _show(self, part: QWidget, shown: bool) -> None:
        part.setVisible(shown)
        self._heads[part].setVisible(shown)

    def write(self) -> None:
        """Write the texts in the colours of the theme."""
        if self.answer is None:
            return
        theme = tokens()
        self.summary.setHtml(summary_html(self.answer, theme))
        if self.answer.trace is not None:
            self.facts.setHtml(facts_html(self.answer.trace, theme))
            self.passages.setHtml(passages_html(self.answer.trace, theme))

    def _follow(self, url: QUrl) -> None:
        trace = self.answer.trace if self.answer else None
        if trace is None or not url.path().isdigit() or int(url.path()) >= len(trace.passages):
            return
        passage = trace.passages[int(url.path())].passage
        paper = passage.source if passage.kind == "paper" else ""
        self.place_wanted.emit(Place(paper, passage.page, passage.boxes, passage.text, passage.title))


def summary_html(answer: Answer, theme: Tokens) -> str:
    """Names at the left, what is to be said at the right. The query has a place of its own."""
    rows = "".join(
        f"<tr><td width='110' style='color:{theme.muted.name()}'>{escape(name)}</td><td>{escape(text)}</td></tr>"
        for name, text in summary(answer)
        if not name.startswith("Query")
    )
    return f"<table cellspacing='0' cellpadding='3' width='100%'>{rows}</table>"


def facts_html(trace: Trace, theme: Tokens) -> str:
    """What each fact says, how it stands, and whether the answer cites it."""
    return "".join(
        f"<p style='margin:0 0 4px 0'>{escape(item.claim)} "
        f"<span style='color:{theme.status(item.status).name()}; font-size:small'>{STATUS_WORDS[item.status]}</span>"
        f"{_taken(item.told, theme)}</p>"
        for item in trace.facts
    )


def passages_html(trace: Trace, theme: Tokens) -> str:
    """Where each passage is, its score, and what found it. Links are ``passage:N``, N from 0."""
    return "".join(_passage(number, item, theme) for number, item in enumerate(trace.passages))


def _passage(number: int, item: TracedPassage, theme: Tokens) -> str:
    passage = item.passage
    where = escape(passage.title or passage.source[:8]) + (f", page {passage.page}" if passage.page else "")
    link = f"<a href='passage:{number}' style='color:{theme.accent_text.name()}; text-decoration:none'>{where}</a>"
    found = escape(found_text(item))
    how = f"score {passage.score:.2f}" + (f", {found}" if found else "")
    text = " ".join(passage.text.split())
    cut = text if len(text) <= _EXCERPT else f"{text[:_EXCERPT].rsplit(' ', 1)[0]} …"
    return (
        f"<p style='margin:0'>{link} <span style='color:{theme.muted.name()}; font-size:small'>{how}</span>"
        f"{_taken(item.told, theme)}</p><p style='margin:0 0 10px 0'>{escape(cut)}</p>"
    )


def _taken(told: bool, theme: Tokens) -> str:
    text, color = ("cited", theme.accepted) if told else ("not cited", theme.muted)
    return f" <span style='color:{color.name()}; font-size:small'>· {text}</span>"
