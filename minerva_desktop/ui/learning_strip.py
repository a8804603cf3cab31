"""A quiet line under the review: what the same decision again and again would teach, and three buttons for it.

It takes the keyboard from nobody. It is looked for anew when a person has paused, never between two decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton

from minerva_desktop.records import ChangeSet
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.suggestions_dialog import EFFECT, open_suggestions
from minerva_desktop.ui.widgets import button, error_text, label
from minerva_desktop.workbench.learning import Suggestion

PAUSE = 400
"""Milliseconds without a change, after which suggestions are looked for."""


class LearningStrip(QFrame):
    """``said(text)`` for the line over the review; ``left`` when its buttons give the keyboard back; ``place_wanted`` a
    place on a page."""

    said = Signal(str)
    left = Signal()
    place_wanted = Signal(object)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._pending = False
        self.current: Suggestion | None = None
        self.setProperty("kind", "card")
        self.setAccessibleName("What your decisions would teach")
        self.text = label(wrap=True)
        self.learn_button = self._button("L  Add to the Lexicon", self.learn, "Read it so from now on (L)")
        self.dismiss_button = self._button(
            "⇧L  Not Now", self.dismiss, "Ask again after three more decisions for it (Shift+L)"
        )
        self.why_button = self._button("Y  Why", self.why, "The decisions that it stands on (Y)")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(8)
        row.addWidget(self.text, 1)
        for made in (self.learn_button, self.dismiss_button, self.why_button):
            row.addWidget(made)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self.reload)
        bridge.changed.connect(self._on_changed)
        self.hide()

    def _button(self, text: str, slot: Callable[[], None], tip: str) -> QPushButton:
        made = button(text, slot, tip=tip)
        made.setProperty("kind", "key")
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return made

    # ------------------------------------------------------------------------------------------------- loading
    def _on_changed(self, changes: ChangeSet) -> None:
        if changes.event or changes.facts or changes.lexicon or changes.everything:
            self._pause.start()

    def reload(self) -> None:
        """Look for what the decisions suggest now."""
        workbench = self._bridge.workbench
        self._bridge.query(
            lambda: workbench.suggestions(dismissed=False), self._show, lambda _: None, key="learning-strip"
        )

    def _show(self, found: Sequence[Suggestion]) -> None:
        item = next((one for one in found if not one.against), None)
        self.current = item
        if item is None:
            self._hide()
            return
        self.text.setText(f"{item.reason} {item.question}")
        self.text.setToolTip(item.effect)
        self.show()

    def _hide(self) -> None:
        had_keyboard = any(made.hasFocus() for made in (self.learn_button, self.dismiss_button, self.why_button))
        self.hide()
        if had_keyboard:
            self.left.emit()

    # ------------------------------------------------------------------------------------------------ answering
    def learn(self) -> None:
        """Put what is suggested into the lexicon."""
        workbench = self._bridge.workbench
        self._answer(lambda item: workbench.learn(item.id), f"{EFFECT} U takes it back.", "add to the lexicon")

    def dismiss(self) -> None:
        """Not now."""
        workbench = self._bridge.workbench
        self._answer(lambda item: workbench.dismiss_suggestion(item.id), "", "dismiss the suggestion")

    def _answer(self, work: Callable[[Suggestion], ChangeSet], more: str, what: str) -> None:
        item = self.current
        if item is None:
            self.said.emit("Your decisions suggest nothing now; it takes three that are the same.")
            return
        if self._pending:
            return
        self._pending = True

        def done(change: ChangeSet) -> None:
            self._pending = False
            self.current = None
            self._hide()
            self.said.emit(f"{change.label}. {more}".strip())

        def failed(error: Exception) -> None:
            self._pending = False
            self.said.emit(" ".join(part for part in error_text(error) if part))
            self.reload()

        self._bridge.change(lambda: work(item), done, failed, what=what)

    def why(self) -> None:
        """The decisions behind it, and every other suggestion."""
        if self.current is None:
            self.said.emit("Your decisions suggest nothing now; it takes three that are the same.")
            return
        self.show_all(self.current.id)

    def show_all(self, chosen: str = "") -> None:
        """Every suggestion with what it stands on."""
        open_suggestions(self._bridge, self.window(), self.place_wanted.emit, chosen)
