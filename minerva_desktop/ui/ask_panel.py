"""Ask: a question, the answer with numbered citations, and what it was made from."""

from __future__ import annotations

import json
from functools import partial

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSplitter,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.events import CancelToken
from minerva_desktop.records import Answer, Citation
from minerva_desktop.ui.answer_html import answer_html, citations_of
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.models import announce
from minerva_desktop.ui.theme import tokens
from minerva_desktop.ui.widgets import Fold, Panel, Place, StateStack, button, label

EXAMPLES = (
    "What is the critical temperature of MgB2?",
    "What is gallium nitride used in?",
    "What is the photon wavelength for the band gap of GaN?",
)


class QuestionLine(QLineEdit):
    """The line a question is typed in; Up and Down bring earlier questions back."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "question")
        self.setPlaceholderText("Ask your library…")
        self.setAccessibleName("Question")
        self.setAcceptDrops(False)
        self.earlier: list[str] = []
        self._place = 0

    def remember(self, question: str) -> None:
        if question in self.earlier:
            self.earlier.remove(question)
        self.earlier.append(question)
        self._place = len(self.earlier)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if not step or not self.earlier:
            super().keyPressEvent(event)
            return
        self._place = min(max(self._place + step, 0), len(self.earlier))
        self.setText(self.earlier[self._place] if self._place < len(self.earlier) else "")


class AskPanel(Panel):
    """One question at a time; a new one stops the old."""

    title = "Ask"

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self.answer: Answer | None = None
        self._running: CancelToken | None = None
        self.question = QuestionLine()
        self.question.returnPressed.connect(self.ask)
        self.ask_button = button("Ask", self.ask, kind="primary", tip="Answer from your library (Enter)")
        self.accepted_only = QCheckBox("Accepted facts only")
        self.accepted_only.setToolTip("Leave out what waits for your review")
        self.earlier = QListWidget()
        self.earlier.setAccessibleName("Earlier questions")
        self.earlier.itemActivated.connect(lambda item: self.ask_again(item.text()))
        self.earlier.itemClicked.connect(lambda item: self.ask_again(item.text()))
        self.view = QTextBrowser()
        self.view.setAccessibleName("Answer")
        self.view.setOpenLinks(False)
        self.view.setAcceptDrops(False)
        self.view.document().setDocumentMargin(18)
        self.view.anchorClicked.connect(self._follow)
        self.behind = QPlainTextEdit()
        self.behind.setReadOnly(True)
        self.behind.setAccessibleName("What the answer was made from")
        self.behind.setMaximumHeight(220)
        self.fold = Fold("How it was found", self.behind)
        self.states = StateStack(self._make_content(), "ask")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 14, 20, 14)
        layout.setSpacing(10)
        layout.addWidget(label("Ask", factor=1.6))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.question, 1)
        row.addWidget(self.ask_button)
        layout.addLayout(row)
        layout.addWidget(self.accepted_only)
        layout.addWidget(self.states, 1)
        self._show_start()

    def _make_content(self) -> QWidget:
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.view, 1)
        column.addWidget(self.fold)
        left = QWidget()
        side = QVBoxLayout(left)
        side.setContentsMargins(0, 0, 10, 0)
        side.setSpacing(6)
        side.addWidget(label("Earlier questions", kind="section"))
        side.addWidget(self.earlier, 1)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setObjectName("ask-splitter")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(left)
        self.splitter.addWidget(right)
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([210, 800])
        return self.splitter

    def _show_start(self) -> None:
        examples = QWidget()
        column = QVBoxLayout(examples)
        column.setSpacing(8)
        for text in EXAMPLES:
            column.addWidget(button(text, partial(self.ask_again, text), kind="chip", tip="Ask this"))
        self.states.show_empty(
            "Ask a question",
            "Answers come from your papers, your textbooks and the graph, and every sentence shows where it stands. "
            "For example:",
            (examples,),
        )

    # ------------------------------------------------------------------------------------------------- asking
    def ask_again(self, text: str) -> None:
        """Ask a question that was not typed."""
        self.question.setText(text)
        self.ask()

    def ask(self) -> None:
        """Ask what stands in the line."""
        text = self.question.text().strip()
        if not text:
            return
        if self._running is not None:
            self._running.cancel()
        token = self._running = CancelToken()
        self.question.remember(text)
        self._list_earlier()
        self.states.show_loading("Looking through your library…")
        accepted = self.accepted_only.isChecked()
        workbench = self.workbench
        self.bridge.query(
            lambda: workbench.ask(text, accepted_only=accepted, cancel=token),
            self._show,
            self._failed,
            key="ask",
        )

    def _show(self, answer: Answer) -> None:
        self._running = None
        self.answer = answer
        self.view.setHtml(answer_html(answer, tokens()))
        self.behind.setPlainText(behind_text(answer))
        self.states.show_content()
        announce(answer.answer or "Not in your library")

    def _failed(self, error: Exception) -> None:
        self._running = None
        self.states.show_error(error, self.ask)

    def _list_earlier(self) -> None:
        self.earlier.clear()
        for text in reversed(self.question.earlier):
            item = QListWidgetItem(text)
            item.setToolTip(text)
            self.earlier.addItem(item)

    # ---------------------------------------------------------------------------------------------- citations
    def _follow(self, url: QUrl) -> None:
        if url.scheme() == "cite" and url.path().isdigit():
            self.open_citation(int(url.path()))

    def open_citation(self, number: int) -> None:
        """Show where citation ``number`` (from 0) stands."""
        if self.answer is None:
            return
        found = citations_of(self.answer)
        if 0 <= number < len(found):
            self.place_wanted.emit(place_of(found[number]))

    def reload(self) -> None:
        """An answer stays what it was when it was given."""

    def focus_search(self) -> None:
        self.question.setFocus()
        self.question.selectAll()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.answer is not None:
            self.view.setHtml(answer_html(self.answer, tokens()))


def place_of(citation: Citation) -> Place:
    """Where a citation stands; a textbook's is its quotation."""
    paper = citation.paper if citation.source != "textbook" else ""
    return Place(paper, citation.page, citation.boxes, citation.quote, citation.title)


def behind_text(answer: Answer) -> str:
    """Route, query, rows and passages, for whoever wants to know."""
    parts = [f"Kind of question: {answer.type}. Looked in: {answer.route}."]
    if answer.cypher:
        parts += ["", "Cypher:", answer.cypher]
    if answer.rows:
        parts += ["", f"Rows ({len(answer.rows)}):"]
        parts += [json.dumps(row, ensure_ascii=False, default=str) for row in answer.rows]
    if answer.passages:
        parts += ["", f"Passages ({len(answer.passages)}):"]
        parts += [f"{item.title}{f', p. {item.page}' if item.page else ''}: {item.text}" for item in answer.passages]
    return "\n".join(parts)
