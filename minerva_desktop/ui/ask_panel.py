"""Ask: a question in, an answer out whose every sentence leads to its page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSettings, Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout

from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import ModelError
from minerva_desktop.questions.copying import answer_markdown, answer_text
from minerva_desktop.records import Answer, AskedQuestion, ChangeSet, EvidenceCard
from minerva_desktop.ui.answer_stream import AnswerStream, TextRelay
from minerva_desktop.ui.answer_view import AnswerView
from minerva_desktop.ui.ask_history import AskHistory
from minerva_desktop.ui.ask_line import QuestionLine
from minerva_desktop.ui.ask_topic import TopicLine
from minerva_desktop.ui.ask_welcome import Missing, Welcome
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.guest_state import model_in_use
from minerva_desktop.ui.models import announce
from minerva_desktop.ui.segments import Segments
from minerva_desktop.ui.widgets import Panel, StateStack, button, error_text, label

ROUTES = (("auto", "Choose by itself"), ("graph", "Graph"), ("vector", "Passages"), ("hybrid", "Graph and passages"))
ENGINES = (
    ("builtin", "Built-in", "Sentences of your papers and textbooks, as they stand there"),
    ("model", "Model", "The language model writes the query and words the answer; both are checked"),
    ("both", "Both", "The model's answer, checked, and the built-in one under it"),
)
_KEYS = frozenset(key for key, _, _ in ENGINES)
_ROOM, _WORDS = 860, 440
"""Widths from which the earlier questions stand beside the answer, and from which each choice has its name before it."""
_NOT_FOUND = "Not in your library: "


class AskPanel(Panel):
    """Questions and answers; earlier questions stay at hand. ``web_wanted`` carries words to search papers with."""

    web_wanted = Signal(str)
    title = "Ask"

    def __init__(self, bridge: Bridge, memory: QSettings) -> None:
        super().__init__(bridge)
        self.answer: Answer | None = None
        self._cancel: CancelToken | None = None
        self._relay: TextRelay | None = None
        self._unkept: list[str] = []  # asked, and not in the history (yet)
        self._history_wanted = False
        self.question = QuestionLine()
        self.question.wanted.connect(self.ask)
        self.question.lines_wanted.connect(self._complete)
        self.topic = TopicLine()
        self.topic.left.connect(self._begin_anew)
        self.ask_button = button("Ask", self._press, kind="primary")
        self.route = QComboBox()
        self.route.setAccessibleName("Where to look")
        self.route.setToolTip("Where to look for the answer")
        for key, name in ROUTES:
            self.route.addItem(name, key)
        self.accepted_only = QCheckBox("Accepted facts only")
        self.accepted_only.setToolTip("Leave out facts that still wait for review")
        self.engine = Segments(ENGINES, "Who words the answer")
        self.engine.choose(str(memory.value("ask/engine")) if memory.value("ask/engine") in _KEYS else "both")
        self.engine.chosen.connect(lambda key: memory.setValue("ask/engine", key))
        self.stream = AnswerStream()
        self.stream.stop_wanted.connect(self.stop)
        self.view = AnswerView()
        self.view.place_wanted.connect(self.place_wanted)
        self.view.copy_wanted.connect(self.copy_answer)
        self.view.again_wanted.connect(self.ask)
        self.view.question_wanted.connect(self.ask_this)
        self.history = AskHistory(bridge)
        self.history.chosen.connect(self.show_earlier)
        self.history.again.connect(self.ask_this)
        self.history.changed.connect(self._on_history)
        self.welcome = Welcome()
        self.welcome.wanted.connect(self.ask_this)
        self.shelf = QStackedWidget()
        self.shelf.addWidget(self.view)
        self.shelf.addWidget(self.stream)
        self.states = StateStack(self.shelf, "ask")
        self._again = button("Ask Again", self.ask, kind="primary")
        self._without = button("Answer with the Built-in Engine", lambda: self.ask("builtin"))
        self.missing = Missing()
        self.missing.wanted.connect(self.ask_this)
        self.missing.web_wanted.connect(self.search_web)
        self.missing.how_wanted.connect(self.explain)
        self._build()
        self._show_welcome()

    def _build(self) -> None:
        ask = QHBoxLayout()
        ask.setSpacing(10)
        ask.addWidget(self.question, 1)
        self._show_button()
        self.ask_button.setMinimumHeight(self.question.sizeHint().height())
        self.ask_button.setMinimumWidth(self.ask_button.fontMetrics().horizontalAdvance("Stop") + 44)
        ask.addWidget(self.ask_button)
        options = QHBoxLayout()
        options.setSpacing(8)
        self._look_in = label("Look in", kind="muted")
        options.addWidget(self._look_in)
        options.addWidget(self.route)
        options.addSpacing(12)
        options.addWidget(self.accepted_only)
        options.addStretch(1)
        self._worded = label("Worded by", kind="muted")
        options.addWidget(self._worded)
        options.addWidget(self.engine)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setObjectName("ask-splitter")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.states)
        self.splitter.addWidget(self.history)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.splitter.setSizes([700, 260])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 14, 20, 14)
        layout.setSpacing(10)
        layout.addWidget(label("Ask", factor=1.6))
        layout.addLayout(ask)
        layout.addLayout(options)
        layout.addWidget(self.topic)
        layout.addSpacing(4)
        layout.addWidget(self.splitter, 1)

    # -------------------------------------------------------------------------------------------------- asking
    def ask_this(self, question: str) -> None:
        """Put the question in the line and ask it."""
        self.question.setText(question)
        self.ask()

    def ask(self, engine: str = "") -> None:
        """Ask what stands in the line; a question that is still being answered is given up. ``engine``: as was chosen."""
        self.question.hide_suggestions()
        question = " ".join(self.question.text().split())
        if not question:
            self.question.setFocus()
            return
        self._give_up()
        self.history.let_go()
        cancel = self._cancel = CancelToken()
        self._show_button()
        engine = engine or self._engine()
        route, only, workbench = self.route.currentData(), self.accepted_only.isChecked(), self.workbench
        after = self.topic.question

        relay = None
        if engine == "builtin":
            self.states.show_loading("Looking for the answer…")
        else:
            relay = self._relay = TextRelay(self.bridge, self.stream.add)
            self.stream.begin(question, self._model())
            self.shelf.setCurrentWidget(self.stream)
            self.states.show_content()
        self._unkept = [question, *(item for item in self._unkept if item != question)]
        self.question.put_first(question)

        def work() -> tuple[Answer, tuple[EvidenceCard, ...]]:
            answer = workbench.ask(
                question, route=route, accepted_only=only, engine=engine, on_text=relay, cancel=cancel, after=after
            )
            return answer, workbench.evidence(answer)

        self.bridge.query(work, self._answered, self._failed, key="ask", cancel=cancel)

    def _press(self) -> None:
        """The button beside the line: while a question is answered, it stops that."""
        if self.answering:
            self.stop()
        else:
            self.ask()

    def _show_button(self) -> None:
        self.ask_button.setText("Stop" if self.answering else "Ask")
        self.ask_button.setToolTip("Stop the answer (Esc)" if self.answering else "Ask (Enter)")

    def stop(self) -> None:
        """Want no answer any more; the words of a model that were not checked yet are thrown away."""
        if self._cancel is None:
            return
        modelled = self._relay is not None
        self._give_up()
        self.bridge.query(lambda: None, lambda _: None, key="ask")  # what still comes is void
        self.states.show_empty(
            "Stopped",
            "What the model had written was not checked yet, so it is not kept."
            if modelled
            else "The question was given up.",
            (self._again, self._without) if modelled else (self._again,),
        )
        self.question.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def answering(self) -> bool:
        """Whether a question is being answered."""
        return self._cancel is not None

    def _give_up(self) -> None:
        if self._cancel is not None:
            self._cancel.cancel()
        self._end()

    def _end(self) -> None:
        self._cancel = None
        if self._relay is not None:
            self._relay.closed = True
            self._relay = None
        self.stream.end()
        self._show_button()

    def _engine(self) -> str:
        """Who words the answer: without a model in use there is no choice."""
        return self.engine.current if self._model() else "builtin"

    def _model(self) -> str:
        return model_in_use(self.workbench, "synthesis")

    def _failed(self, error: Exception) -> None:
        self._end()
        if isinstance(error, Cancelled):
            self._show_welcome()
        elif isinstance(error, ModelError):
            self.states.show_empty(*error_text(error), (self._again, self._without), picture="warning")
        else:
            self.states.show_error(error, self.ask)

    # ------------------------------------------------------------------------------------------------- showing
    def _answered(self, result: tuple[Answer, tuple[EvidenceCard, ...]]) -> None:
        self._end()
        answer, evidence = result
        self._show(answer, evidence)
        self.bridge.query(
            lambda: self.workbench.keep_question(answer),
            lambda _: self._kept(answer.question),
            lambda error: self.notice.emit(f"The question could not be kept: {error_text(error)[0]}", False),
        )

    def _kept(self, question: str) -> None:
        self._unkept = [item for item in self._unkept if item != question]
        self.history.reload()

    def _show(self, answer: Answer, evidence: Sequence[EvidenceCard], asked: str = "") -> None:
        self.answer = answer
        self.topic.follow(answer)
        self.view.show_answer(answer, evidence, asked=asked)
        self.shelf.setCurrentWidget(self.view)
        if answer.found:
            self.states.show_content()
            announce(answer.answer)
            return
        said = answer.answer.removeprefix(_NOT_FOUND)
        said = said[:1].upper() + said[1:]
        self.missing.show_answer(answer)
        words = " ".join([f"“{answer.question}”", said, *answer.notes])
        self.states.show_empty("Not in your library", words, (self.missing,), picture="search")
        announce(f"Not in your library. {said}")

    def show_earlier(self, item: AskedQuestion) -> None:
        """Show an earlier question as it was answered."""
        self._give_up()
        self.question.setText(item.question)
        workbench = self.workbench

        def work() -> tuple[Answer, tuple[EvidenceCard, ...]]:
            answer = workbench.asked_answer(item.id)
            return answer, workbench.evidence(answer)

        self.bridge.query(
            work, lambda result: self._show(*result, item.asked), lambda error: self.states.show_error(error), key="ask"
        )

    def _show_welcome(self) -> None:
        self.states.show_empty(*self.welcome.words(), (self.welcome,))

    def new_topic(self) -> None:
        """Begin anew: the next question follows up on nothing."""
        self.topic.leave()

    def _begin_anew(self) -> None:
        self._give_up()
        self.answer = None
        self.question.clear()
        self._show_welcome()
        self.focus_search()

    def explain(self) -> None:
        """Show how the answer came about."""
        if self.answer is not None:
            self.states.show_content()
            self.view.open_fold()

    def search_web(self) -> None:
        """Open the search on the web with what the question is about; it is for the person to start it."""
        if self.answer is not None and self.answer.trace is not None:
            self.web_wanted.emit(self.answer.trace.web_query or self.answer.question)

    def copy_answer(self, form: str) -> None:
        """Copy the answer with its references: ``form`` is "text" or "markdown"."""
        if self.answer is None:
            self.notice.emit("There is no answer to copy yet.", False)
            return
        write = answer_markdown if form == "markdown" else answer_text
        QGuiApplication.clipboard().setText(write(self.answer, self.view.evidence))
        self.notice.emit(f"Copied as {'Markdown' if form == 'markdown' else 'text'}, with references.", False)

    def open_citation(self, number: int) -> None:
        """Show where citation ``number`` (from 1) stands."""
        self.view.open_citation(number)

    def focus_evidence(self) -> None:
        """Put the keyboard on the cards of the answer."""
        if self.view.cards.isVisible():
            self.view.cards.setFocus(Qt.FocusReason.ShortcutFocusReason)
            if not self.view.cards.currentIndex().isValid():
                self.view.cards.point_at(1)

    # ------------------------------------------------------------------------------------------------- history
    def _complete(self, text: str) -> None:
        workbench = self.workbench
        self.bridge.query(
            lambda: workbench.complete_question(text),
            lambda lines: self.question.suggest(text, list(lines)),
            lambda _: None,
            key="ask-complete",
        )

    def _on_history(self) -> None:
        self.question.earlier = list(dict.fromkeys([*self._unkept, *self.history.all_known]))
        self._show_history()

    def search_history(self) -> None:
        """Look for an earlier question."""
        self._history_wanted = True
        self._show_history()
        self.history.search.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._history_wanted = False
        self._look_in.setVisible(self.width() > _WORDS)
        self._show_history()

    def _show_history(self) -> None:
        """Beside the answer, where there is room for both; the arrow keys always bring earlier questions back."""
        self.history.setVisible(self._history_wanted or (self.history.is_used and self.width() > _ROOM))

    # --------------------------------------------------------------------------------------------------- panel
    def concerns(self, changes: ChangeSet) -> bool:
        return super().concerns(changes) or changes.settings  # an answer stays what it was when it was given

    def reload(self) -> None:
        """Who can word an answer, what was asked, and what could be."""
        model = self._model()
        for item in (self._worded, self.engine):
            item.setVisible(bool(model))
        self.engine.buttons["model"].setToolTip(f"{model} words the answer from the same evidence" if model else "")
        self.history.reload()
        self.bridge.query(self.workbench.example_questions, self._take_examples, lambda _: None, key="ask-examples")

    def _take_examples(self, questions: tuple[str, ...]) -> None:
        self.welcome.show_questions(questions)
        if self.answer is None and not self.answering and self.states.state == "empty":
            self._show_welcome()

    def focus_search(self) -> None:
        self.question.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.question.selectAll()
