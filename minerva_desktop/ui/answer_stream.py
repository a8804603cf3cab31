"""An answer while a model is still writing it: marked as unchecked, never taken for the answer, and easy to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QScrollArea, QVBoxLayout, QWidget

from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.flow_text import FlowText
from minerva_desktop.ui.widgets import button, label

UNCHECKED = "Not checked yet: sentences that the evidence does not hold are taken out when it has ended."
WAITS = 5
"""Seconds after which a wait is said to be long."""


class TextRelay:
    """Brings the pieces of a text to the window's thread; however fast they come, one delivery is on its way at a time."""

    def __init__(self, bridge: Bridge, take: Callable[[str], None]) -> None:
        self._bridge = bridge
        self._take = take
        self._lock = threading.Lock()
        self._waiting: list[str] = []
        self.closed = False

    def __call__(self, piece: str) -> None:
        with self._lock:
            self._waiting.append(piece)
            first = len(self._waiting) == 1
        if first:
            self._bridge.post(self._deliver)

    def _deliver(self) -> None:
        with self._lock:
            text, self._waiting = "".join(self._waiting), []
        if not self.closed:
            self._take(text)


class AnswerStream(QScrollArea):
    """``stop_wanted`` when the person wants no more of it."""

    stop_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setProperty("kind", "card")
        self._question = label(factor=1.35, wrap=True)
        self.state = label(bold=True)
        self.unchecked = label(UNCHECKED, kind="muted", wrap=True)
        self.stop = button(
            "Stop  Esc", self.stop_wanted.emit, tip="Stop the model; what it wrote so far is thrown away"
        )
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setFixedWidth(90)
        bar.setAccessibleName("The model is at work")
        self.text = FlowText("Unchecked text of the model")
        self._long = QTimer(self)
        self._long.setSingleShot(True)
        self._long.setInterval(WAITS * 1000)
        self._long.timeout.connect(
            lambda: self.unchecked.setText("A model on this computer may take a while to begin.")
        )
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(self.state)
        line.addWidget(bar)
        line.addStretch(1)
        line.addWidget(self.stop)
        draft = QFrame()
        draft.setProperty("kind", "draft")
        inside = QVBoxLayout(draft)
        inside.setContentsMargins(14, 10, 10, 10)
        inside.setSpacing(8)
        inside.addLayout(line)
        inside.addWidget(self.unchecked)
        inside.addWidget(self.text)
        body = QWidget()
        body.setObjectName("answer-body")
        layout = QVBoxLayout(body)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(10)
        layout.addWidget(self._question)
        layout.addWidget(draft)
        layout.addStretch(1)
        self.setWidget(body)

    def begin(self, question: str, who: str) -> None:
        """A question was put; ``who`` will word the answer."""
        self._who = who
        self._question.setText(question)
        self.text.clear()
        self.text.hide()
        self.unchecked.setText("The evidence is gathered first; the model gets nothing else.")
        self.state.setText("Looking for the evidence…")
        self.stop.setEnabled(True)
        self._long.start()

    def add(self, piece: str) -> None:
        """More of the text has come."""
        if self.text.isHidden():
            self._long.stop()
            self.state.setText(f"{self._who} is writing")
            self.unchecked.setText(UNCHECKED)
            self.text.show()
        cursor = QTextCursor(self.text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(piece)
        self.ensureVisible(0, self.widget().height())

    def end(self) -> None:
        """No more will come."""
        self._long.stop()
