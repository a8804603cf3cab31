"""Ask: a question in, an answer out whose every sentence leads to its page."""

from __future__ import annotations

import json

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import ModelError
from minerva_desktop.records import Answer, ChangeSet
from minerva_desktop.ui.answer_stream import AnswerStream, TextRelay
from minerva_desktop.ui.answer_view import AnswerView
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
EXAMPLES = (
    "What is the critical temperature of MgB2?",
    "What is gallium nitride used in?",
    "What is the photon wavelength for the band gap of GaN?",
)
_KEYS = frozenset(key for key, _, _ in ENGINES)
_KEPT = 60


class QuestionLine(QLineEdit):
    """The line a question is typed in; Up and Down bring earlier questions back."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "question")
        self.setPlaceholderText("Ask your library a question")
        self.setAccessibleName("Question")
        self.setAcceptDrops(False)
        self.setMaxLength(2000)
        self.earlier: list[str] = []
        self._place = -1

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()), 0)
        if not step or not self.earlier:
            self._place = -1
            super().keyPressEvent(event)
            return
        self._place = min(max(self._place + step, -1), len(self.earlier) - 1)
        self.setText(self.earlier[self._place] if self._place >= 0 else "")


class AskPanel(Panel):
    """Questions and answers; earlier questions stay at hand."""

    title = "Ask"

    def __init__(self, bridge: Bridge, memory: QSettings) -> None:
        super().__init__(bridge)
        self._memory = memory
        self.answer: Answer | None = None
        self._cancel: CancelToken | None = None
        self._relay: TextRelay | None = None
        self.question = QuestionLine()
        self.question.returnPressed.connect(self.ask)
        self.ask_button = button("Ask", self.ask, kind="primary", tip="Ask (Enter)")
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
        self.history = QListWidget()
        self.history.setAccessibleName("Earlier questions")
        self.history.setWordWrap(True)
        self.history.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.history.itemActivated.connect(lambda item: self.ask_this(item.text()))
        self.history.itemClicked.connect(lambda item: self.ask_this(item.text()))
        self.shelf = QStackedWidget()
        self.shelf.addWidget(self.view)
        self.shelf.addWidget(self.stream)
        self.states = StateStack(self.shelf, "ask")
        self._again = button("Ask Again", self.ask, kind="primary")
        self._without = button("Answer with the Built-in Engine", lambda: self.ask("builtin"))
        self._build()
        self._read_history()
        self._show_welcome()

    def _build(self) -> None:
        self._chips = tuple(
            button(text, lambda text=text: self.ask_this(text), kind="chip", tip="Ask this") for text in EXAMPLES
        )
        chips = QWidget()
        column = QVBoxLayout(chips)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for chip in self._chips:
            column.addWidget(chip)
        self._examples = chips
        ask = QHBoxLayout()
        ask.setSpacing(10)
        ask.addWidget(self.question, 1)
        self.ask_button.setMinimumHeight(self.question.sizeHint().height())
        ask.addWidget(self.ask_button)
        options = QHBoxLayout()
        options.setSpacing(8)
        options.addWidget(label("Look in", kind="muted"))
        options.addWidget(self.route)
        options.addSpacing(12)
        options.addWidget(self.accepted_only)
        options.addStretch(1)
        self._worded = label("Worded by", kind="muted")
        options.addWidget(self._worded)
        options.addWidget(self.engine)
        earlier = QWidget()
        side = QVBoxLayout(earlier)
        side.setContentsMargins(12, 0, 0, 0)
        side.setSpacing(6)
        side.addWidget(label("Earlier questions", kind="section"))
        side.addWidget(self.history, 1)
        self._earlier = earlier
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setObjectName("ask-splitter")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.states)
        self.splitter.addWidget(earlier)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.splitter.setSizes([700, 240])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 14, 20, 14)
        layout.setSpacing(10)
        layout.addWidget(label("Ask", factor=1.6))
        layout.addLayout(ask)
        layout.addLayout(options)
        layout.addSpacing(4)
        layout.addWidget(self.splitter, 1)

    # -------------------------------------------------------------------------------------------------- asking
    def ask_this(self, question: str) -> None:
        """Put the question in the line and ask it."""
        self.question.setText(question)
        self.ask()

    def ask(self, engine: str = "") -> None:
        """Ask what stands in the line; a question that is still being answered is given up. ``engine``: as was chosen."""
        question = " ".join(self.question.text().split())
        if not question:
            self.question.setFocus()
            return
        self._give_up()
        cancel = self._cancel = CancelToken()
        engine = engine or self._engine()
        route, only, workbench = self.route.currentData(), self.accepted_only.isChecked(), self.workbench
        relay = None
        if engine == "builtin":
            self.states.show_loading("Looking for the answer…")
        else:
            relay = self._relay = TextRelay(self.bridge, self.stream.add)
            self.stream.begin(question, self._model())
            self.shelf.setCurrentWidget(self.stream)
            self.states.show_content()
        self._remember(question)
        self.bridge.query(
            lambda: workbench.ask(
                question, route=route, accepted_only=only, engine=engine, on_text=relay, cancel=cancel
            ),
            self._show,
            self._failed,
            key="ask",
            cancel=cancel,
        )

    def stop(self) -> None:
        """Want no answer any more; the words of a model that were not checked yet are thrown away."""
        if self._cancel is None:
            return
        self._give_up()
        self.bridge.query(lambda: None, lambda _: None, key="ask")  # what still comes is void
        self.states.show_empty(
            "Stopped",
            "What the model had written was not checked yet, so it is not kept.",
            (self._again, self._without) if self._engine() != "builtin" else (self._again,),
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

    def _show(self, answer: Answer) -> None:
        self._end()
        self.answer = answer
        if answer.found:
            self.view.show_answer(answer)
            self.shelf.setCurrentWidget(self.view)
            self.states.show_content()
            announce(answer.answer)
            return
        notes = " ".join(answer.notes)
        self.states.show_empty(
            "Not in your library",
            f"Nothing that was read answers “{answer.question}”. {notes or 'Add papers on it, or ask in other words.'}",
            picture="search",
        )

    def _show_welcome(self) -> None:
        self.states.show_empty(
            "What do you want to know?",
            "Answers come only from your papers and textbooks, with the page of every sentence. For instance:",
            (self._examples,),
        )

    # ------------------------------------------------------------------------------------------------- history
    def _read_history(self) -> None:
        try:
            kept = json.loads(str(self._memory.value("ask/history", "[]")))
        except ValueError:
            kept = []
        self.history.addItems([item for item in kept if isinstance(item, str)])
        self.question.earlier = self._kept()
        self._show_earlier()

    def _remember(self, question: str) -> None:
        for found in self.history.findItems(question, Qt.MatchFlag.MatchExactly):
            self.history.takeItem(self.history.row(found))
        self.history.insertItem(0, question)
        self.history.item(0).setToolTip(question)
        while self.history.count() > _KEPT:
            self.history.takeItem(self.history.count() - 1)
        self.history.setCurrentRow(0)
        self._show_earlier()
        self.question.earlier = self._kept()
        self._memory.setValue("ask/history", json.dumps(self._kept(), ensure_ascii=False))

    def _kept(self) -> list[str]:
        return [self.history.item(row).text() for row in range(self.history.count())]

    def open_citation(self, number: int) -> None:
        """Show where citation ``number`` (from 1) stands."""
        place = self.view.place_of(number)
        if place is not None:
            self.place_wanted.emit(place)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_earlier()

    def _show_earlier(self) -> None:
        """Beside the answer, where there is room for both; the arrow keys always bring earlier questions back."""
        self._earlier.setVisible(self.history.count() > 0 and self.width() > 680)

    def concerns(self, changes: ChangeSet) -> bool:
        return changes.settings or changes.everything  # for the choice; an answer stays what it was when it was given

    def reload(self) -> None:
        """Who can word an answer."""
        model = self._model()
        for item in (self._worded, self.engine):
            item.setVisible(bool(model))
        self.engine.buttons["model"].setToolTip(f"{model} words the answer from the same evidence" if model else "")

    def focus_search(self) -> None:
        self.question.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.question.selectAll()
