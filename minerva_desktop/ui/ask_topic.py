"""What the next question may follow up on, and the way out of that."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from minerva_desktop.records import Answer
from minerva_desktop.ui.widgets import ElidedLabel, button


class TopicLine(QWidget):
    """One line, shown while there is a question before. ``left`` when the person begins a new topic."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.question = ""
        self.text = ElidedLabel()
        self.text.setProperty("kind", "muted")
        self.text.setAccessibleName("What the next question may follow up on")
        self.new = button("New Topic", self.leave, tip="The next question stands for itself (Ctrl+N)")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.new)
        self.hide()

    def follow(self, answer: Answer) -> None:
        """The next question may leave out what this one named."""
        self.question = answer.understood or answer.question
        self.text.setText(f"A question may follow up on “{self.question}”, such as “And …?”")
        self.show()

    def leave(self) -> None:
        """Forget what was asked before."""
        self.question = ""
        self.hide()
        self.left.emit()
