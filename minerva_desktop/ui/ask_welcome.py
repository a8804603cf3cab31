"""Questions to begin with, such as this library has facts for; and what can be done where it has nothing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from minerva_desktop.records import Answer
from minerva_desktop.ui.widgets import button, label

EXAMPLES = (
    "What is the critical temperature of MgB2?",
    "What is gallium nitride used in?",
    "What is the photon wavelength for the band gap of GaN?",
)


class Choices(QWidget):
    """A button for each question; ``wanted(question)`` when one is pressed."""

    wanted = Signal(str)

    def __init__(self, most: int = 3) -> None:
        super().__init__()
        self.chips = tuple(button("", kind="chip", tip="Ask this") for _ in range(most))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for chip in self.chips:
            chip.clicked.connect(lambda _=False, chip=chip: self.wanted.emit(chip.text()))
            column.addWidget(chip)

    def show_questions(self, questions: Sequence[str]) -> None:
        """Offer the first of these."""
        for number, chip in enumerate(self.chips):
            chip.setVisible(number < len(questions))
            chip.setText(questions[number] if number < len(questions) else "")
        self.setVisible(bool(questions))


class Welcome(Choices):
    """Questions of this library, or ones that show what can be asked."""

    def __init__(self) -> None:
        super().__init__(len(EXAMPLES))
        self.own = False
        self.show_questions(())

    def show_questions(self, questions: Sequence[str]) -> None:
        self.own = bool(questions)
        super().show_questions(questions or EXAMPLES)

    def words(self) -> tuple[str, str]:
        """What stands above the questions."""
        text = "Answers come only from your papers and textbooks, with the page of every sentence. For instance:"
        if not self.own:
            text = "Answers come only from your papers and textbooks, so add some first. Then, for instance:"
        return "What do you want to know?", text


class Missing(QWidget):
    """Below “not in your library”: questions that may have been meant, papers on the web, how it was looked for."""

    wanted = Signal(str)
    web_wanted = Signal()
    how_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.head = label("Did you mean:", kind="muted")
        self.head.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.choices = Choices()
        self.choices.wanted.connect(self.wanted)
        tip = "Opens the search on the web; nothing is sent before you start it"
        self.web = button("Search Papers for This", self.web_wanted.emit, kind="primary", tip=tip)
        self.how = button("How This Was Answered", self.how_wanted.emit)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addStretch(1)
        row.addWidget(self.web)
        row.addWidget(self.how)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.head)
        column.addWidget(self.choices)
        column.addLayout(row)

    def show_answer(self, answer: Answer) -> None:
        """Offer what this answer allows."""
        self.choices.show_questions(answer.suggestions)
        self.head.setVisible(bool(answer.suggestions))
        self.web.setVisible(bool(answer.trace and answer.trace.web_query))
        self.how.setVisible(answer.trace is not None)
