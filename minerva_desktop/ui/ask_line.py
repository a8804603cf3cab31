"""The line that a question is typed in: earlier questions by the arrow keys, and what this library could be asked."""

from __future__ import annotations

from PySide6.QtCore import QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QCompleter, QLineEdit

_TYPING = 120
"""Milliseconds without a letter after which lines are suggested."""
_SHOWN = 8


class QuestionLine(QLineEdit):
    """Up and Down bring earlier questions back, as in a shell; what was being typed comes back after the latest.

    ``lines_wanted(text)`` asks for suggestions, which :meth:`suggest` shows; ``wanted`` is emitted on Enter.
    """

    lines_wanted = Signal(str)
    wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "question")
        self.setPlaceholderText("Ask your library a question")
        self.setAccessibleName("Question")
        self.setAcceptDrops(False)
        self.setMaxLength(2000)
        self.earlier: list[str] = []
        self._place = -1
        self._typed = ""
        self._lines = QStringListModel(self)
        self._completer = QCompleter(self._lines, self)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setMaxVisibleItems(_SHOWN)
        self._completer.setWidget(self)
        self._completer.activated[str].connect(self._take)
        self._completer.popup().setAccessibleName("Suggested questions")
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_TYPING)
        self._pause.timeout.connect(lambda: self.lines_wanted.emit(self.text()))
        self.textEdited.connect(self._on_edited)

    # -------------------------------------------------------------------------------------------- suggestions
    def suggest(self, text: str, lines: list[str]) -> None:
        """Offer these lines under the text for which they were wanted, unless it was changed meanwhile."""
        if text != self.text() or not self.hasFocus() or not lines:
            self.hide_suggestions()
            return
        self._lines.setStringList(lines)
        self._completer.complete()
        self._completer.popup().setCurrentIndex(self._lines.index(-1, 0))

    @property
    def suggestions(self) -> list[str]:
        """The lines that are offered now."""
        return self._lines.stringList() if self._completer.popup().isVisible() else []

    def hide_suggestions(self) -> None:
        """Offer nothing, also not what is still on its way."""
        self._pause.stop()
        self._completer.popup().hide()

    def _on_edited(self, text: str) -> None:
        self._place = -1
        if text.strip():
            self._pause.start()
        else:
            self.hide_suggestions()

    def _take(self, line: str) -> None:
        self.hide_suggestions()
        self.setText(line)

    # --------------------------------------------------------------------------------------------------- keys
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            popup = self._completer.popup()
            if popup.isVisible() and popup.currentIndex().isValid():
                self.setText(str(popup.currentIndex().data()))
            self.hide_suggestions()
            self.wanted.emit()
            event.accept()
            return
        step = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()), 0)
        if not step or not self.earlier:
            super().keyPressEvent(event)
            return
        self.hide_suggestions()
        if self._place < 0:
            self._typed = self.text()
        self._place = min(max(self._place + step, -1), len(self.earlier) - 1)
        self.setText(self.earlier[self._place] if self._place >= 0 else self._typed)

    def put_first(self, question: str) -> None:
        """A question was asked: it is the latest of the earlier ones now."""
        self.earlier = [question, *(item for item in self.earlier if item != question)]
        self._place = -1

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._pause.stop()
