"""How far the review is: which fact of how many, how many are decided, and what was decided last."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from minerva_desktop.ui.widgets import ElidedLabel, label
from minerva_desktop.workbench.reviewing import ReviewCounts


class ReviewStrip(QWidget):
    """One line."""

    def __init__(self) -> None:
        super().__init__()
        self.place = label(bold=True)
        self.place.setAccessibleName("Which of the listed facts is shown")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Share of the facts that are decided by you")
        self.bar.setProperty("kind", "meter")
        self.bar.setFixedWidth(150)
        self.counts = label(kind="muted")
        self.last = ElidedLabel()
        self.last.setProperty("kind", "muted")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addWidget(self.place)
        layout.addWidget(self.bar)
        layout.addWidget(self.counts)
        layout.addWidget(self.last, 1)

    def show_place(self, number: int, total: int) -> None:
        """``number`` counts from 1; 0 where there is nothing."""
        self.place.setText(f"{_many(number)} of {_many(total)}" if total else "")

    def show_counts(self, counts: ReviewCounts) -> None:
        """How much of what a person has to decide is decided."""
        whole = counts.by_person + counts.waiting
        self.bar.setRange(0, max(1, whole))
        self.bar.setValue(counts.by_person)
        self.counts.setText(f"{_many(counts.by_person)} decided by you, {_many(counts.waiting)} wait")

    def say(self, text: str) -> None:
        """What was decided last."""
        self.last.setText(text)


def _many(number: int) -> str:
    return f"{number:,}".replace(",", "\u2009")
