"""Shows one answer: its text, under it the evidence as cards, and, folded, how it came about."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, Qt, QTimer, QUrl, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QScrollArea, QVBoxLayout, QWidget

from minerva_desktop.questions.explaining import ROUTES
from minerva_desktop.records import Answer, EvidenceCard
from minerva_desktop.ui.answer_html import answer_html, dropped_html, meant_html
from minerva_desktop.ui.ask_cards import EvidenceCards
from minerva_desktop.ui.ask_fold import HowAnswered
from minerva_desktop.ui.flow_text import FlowText
from minerva_desktop.ui.rounds_html import OURS, engine_words
from minerva_desktop.ui.theme import is_theme_change, tokens
from minerva_desktop.ui.widgets import Fold, Place, button, label


class AnswerView(QScrollArea):
    """The answer. ``place_wanted`` carries the place of a citation that was followed; ``copy_wanted`` the form ("text" or
    "markdown") to copy it in; ``again_wanted`` that an earlier question is to be asked anew, ``question_wanted`` another."""

    place_wanted = Signal(object)
    copy_wanted = Signal(str)
    again_wanted = Signal()
    question_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setProperty("kind", "card")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.answer: Answer | None = None
        self.evidence: Sequence[EvidenceCard] = ()
        self._question = label(factor=1.35, wrap=True)
        self.understood = label(wrap=True)
        self.understood.setAccessibleName("How the question was understood")
        self.meant = FlowText("Questions that may have been meant")
        self.meant.anchorClicked.connect(self._follow)
        self._how = label(kind="muted", wrap=True)
        self.text = FlowText("Answer")
        self.text.anchorClicked.connect(self._follow)
        self.text.highlighted.connect(self._on_link)
        self.cards_head = label("Evidence", kind="section")
        self.cards = EvidenceCards()
        self.cards.opened.connect(self.open_citation)
        self.cards.pointed.connect(self._on_card)
        self.how = HowAnswered()
        self.how.place_wanted.connect(self.place_wanted)
        self.how_fold = Fold("How this was answered", self.how)
        self.dropped = FlowText("Sentences that were left out")
        self.dropped_fold = Fold("Left out", self.dropped)
        self.dropped_fold.head.setToolTip("What the model wrote and the evidence does not hold")
        self.folds = (self.dropped_fold, self.how_fold)
        self.copy = self._copy_button()
        self.again = button("Ask Again", self.again_wanted.emit, tip="Answer it from the library as it is now")
        self._build()

    def _copy_button(self) -> QPushButton:
        made = button("Copy", tip="Copy the answer with its references")
        menu = QMenu(made)
        menu.addAction("As Text with References", lambda: self.copy_wanted.emit("text"))
        menu.addAction("As Markdown with References", lambda: self.copy_wanted.emit("markdown"))
        made.setMenu(menu)
        return made

    def _build(self) -> None:
        body = QWidget()
        body.setObjectName("answer-body")
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._question, 1)
        head.addWidget(self.again, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(body)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(8)
        layout.addLayout(head)
        for item in (self.understood, self.meant, self._how, self.text, self.cards_head, self.cards, *self.folds):
            layout.addWidget(item)
        layout.addStretch(1)
        self.setWidget(body)

    def show_answer(self, answer: Answer, evidence: Sequence[EvidenceCard] = (), *, asked: str = "") -> None:
        """Show it from its top, folds closed. ``asked``: when it was given, for one of the history."""
        self.answer, self.evidence = answer, evidence
        self._question.setText(answer.question)
        self.understood.setText(f"Understood as: {answer.understood}")
        self.understood.setVisible(bool(answer.understood))
        self.meant.setVisible(bool(answer.suggestions))
        self._how.setText(f"Answered {asked[:16]}. {_how(answer)}" if asked else _how(answer))
        self.again.setVisible(bool(asked))
        self._write()
        self.cards_head.setVisible(bool(evidence))
        self.cards.show_cards(answer.citations, evidence)
        self.how.show_answer(answer)
        self.how_fold.setVisible(answer.trace is not None)
        self.dropped_fold.set_title(f"Left out ({len(answer.dropped)})")
        self.dropped_fold.setVisible(bool(answer.dropped))
        for fold in self.folds:
            fold.head.setChecked(False)
        self.verticalScrollBar().setValue(0)

    def open_fold(self) -> None:
        """Unfold how it was answered."""
        self.how_fold.head.setChecked(True)

    def _write(self) -> None:
        if self.answer is not None:
            theme = tokens()
            self.text.setHtml(answer_html(self.answer, theme))
            self.meant.setHtml(meant_html(self.answer, theme))
            self.dropped.setHtml(dropped_html(self.answer, theme))

    # ---------------------------------------------------------------------------------------------- citations
    def place_of(self, number: int) -> Place | None:
        """Where citation ``number`` (from 1) stands."""
        citations = self.answer.citations if self.answer else ()
        if not 1 <= number <= len(citations):
            return None
        kept = citations[number - 1]
        paper = kept.paper if kept.source != "textbook" else ""
        return Place(paper, kept.page, kept.boxes, kept.quote, kept.title)

    def open_citation(self, number: int) -> None:
        """Show where citation ``number`` stands, and its card."""
        place = self.place_of(number)
        if place is not None and (place.paper or place.quote):
            self.cards.point_at(number)
            self.place_wanted.emit(place)

    def _follow(self, url: QUrl) -> None:
        if not url.path().isdigit() or self.answer is None:
            return
        number = int(url.path())
        if url.scheme() == "cite":
            self.open_citation(number)
        elif url.scheme() == "ask" and number < len(self.answer.suggestions):
            self.question_wanted.emit(self.answer.suggestions[number])

    def _on_card(self, number: int) -> None:
        """A card is pointed at: its number is marked in the answer, and it is brought into view for the keyboard."""
        self.text.mark_links(f"cite:{number}" if number else "", tokens().mark)
        if self.cards.hasFocus() and self.cards.currentIndex().row() + 1 == number:
            QTimer.singleShot(0, self._show_card)

    def _show_card(self) -> None:
        rect = self.cards.visualRect(self.cards.currentIndex())
        top = self.cards.mapTo(self.widget(), rect.topLeft())
        shown = QRect(top, rect.size())
        bar = self.verticalScrollBar()
        if shown.top() < bar.value():
            bar.setValue(shown.top() - 8)
        elif shown.bottom() > bar.value() + self.viewport().height():
            bar.setValue(min(shown.top() - 8, shown.bottom() - self.viewport().height() + 8))

    def _on_link(self, url: QUrl) -> None:
        if url.scheme() == "cite" and url.path().isdigit():
            self.cards.point_at(int(url.path()))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_theme_change(event) and self.answer is not None:
            self._write()
            self.how.write()


def _how(answer: Answer) -> str:
    words = [f"{answer.type.capitalize()} question", f"answered by {ROUTES.get(answer.route, answer.route)}"]
    if answer.engine not in OURS:
        words.append(f"worded by {engine_words(answer.engine)}")
    if answer.cypher and answer.cypher_engine not in OURS:
        words.append(f"query written by {engine_words(answer.cypher_engine)}")
    if answer.degraded:
        words.append("with less than usual, see the notes")
    return ", ".join(words)
