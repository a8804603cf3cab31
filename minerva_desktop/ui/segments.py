"""A segmented control: one of a few choices, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QToolButton


class Segments(QFrame):
    """``chosen(key)`` when another choice is made, by the person or by :meth:`choose`. Arrow keys move."""

    chosen = Signal(str)

    def __init__(self, choices: Sequence[tuple[str, str, str]], name: str) -> None:
        """``choices``: (key, text, tip)."""
        super().__init__()
        self.setProperty("kind", "segments")
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self.buttons: dict[str, QToolButton] = {}
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(2)
        for key, text, tip in choices:
            made = QToolButton()
            made.setText(text)
            made.setToolTip(tip)
            made.setAccessibleName(text)
            made.setAccessibleDescription(tip)
            made.setCheckable(True)
            made.setProperty("kind", "segment")
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            made.toggled.connect(lambda on, key=key: self.chosen.emit(key) if on else None)
            self._group.addButton(made)
            self.buttons[key] = made
            layout.addWidget(made)

    @property
    def current(self) -> str:
        return next((key for key, made in self.buttons.items() if made.isChecked()), "")

    def choose(self, key: str) -> None:
        """Make a choice."""
        self.buttons[key].setChecked(True)
