"""The keys of the review, shown where they count: a line of them under the fact, and the kinds of a rejection."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from minerva_desktop.records import REJECTION_KINDS, Fact
from minerva_desktop.ui.flow import FlowLayout
from minerva_desktop.ui.widgets import button, label
from minerva_desktop.workbench.reviewing import Choice

KEYS: tuple[tuple[str, str, str, str], ...] = (
    ("accept", "A", "Accept", "Accept, and go on to the next"),
    ("reject", "X", "Reject…", "Reject; one more key says why"),
    ("edit-fact", "E", "Edit…", "Correct names, types, value, unit, or the sentence that states it"),
    ("reverse", "R", "Reverse", "Make the subject the object and the object the subject"),
    ("review-undo", "U", "Undo", "Take the last decision back"),
    ("open-page", "↵", "Page", "Open the page at the sentence"),
    ("review-filter", "/", "Filter", "Show only what contains certain words"),
    ("accept-all", "⇧A", "Accept All…", "Accept all that are listed; asks before"),
)
KIND_LETTERS = {
    "not-stated": "N",
    "wrong-subject": "S",
    "wrong-object": "O",
    "wrong-value": "V",
    "wrong-relation": "R",
    "wrong-conditions": "C",
    "other": "X",
}


class KeyBar(QWidget):
    """What each key does, as buttons. ``wanted(command)``; ``relabel_wanted(number)``."""

    wanted = Signal(str)
    relabel_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.buttons: dict[str, QPushButton] = {}
        keys = FlowLayout(spacing=6)
        for command, key, text, tip in KEYS:
            made = _key(key, text, tip)
            made.clicked.connect(lambda _=False, command=command: self.wanted.emit(command))
            self.buttons[command] = made
            keys.addWidget(made)
        self._relations = FlowLayout(spacing=6)
        self._lead = label("Or it is:", kind="muted")
        self._relations.addWidget(self._lead)
        self.choices: list[QPushButton] = []
        for number in range(1, 10):
            made = _key(str(number), "", "Make it this relation, and accept it")
            made.clicked.connect(lambda _=False, number=number: self.relabel_wanted.emit(number))
            made.hide()
            self.choices.append(made)
            self._relations.addWidget(made)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(self._relations)
        layout.addLayout(keys)

    def show_fact(self, fact: Fact | None, choices: Sequence[Choice], why_not_reversed: str) -> None:
        """What can be done with this fact."""
        several = len(choices) > 1
        self._lead.setVisible(several)
        for made, choice in zip(self.choices, [*choices, *[None] * 9], strict=False):
            made.setVisible(several and choice is not None)
            if choice is not None:
                words = choice.type.replace("_", " ").lower()
                changed = fact is not None and choice.target_type != fact.target.type
                made.setText(f"{made.property('key')}  {words}{f' → {choice.target_type}' if changed else ''}")
                made.setEnabled(not choice.current)
                made.setToolTip("So it was read" if choice.current else "Make it this relation, and accept it")
        reverse = self.buttons["reverse"]
        reverse.setToolTip(why_not_reversed or "Make the subject the object and the object the subject (R)")
        reverse.setProperty("faint", bool(why_not_reversed))
        reverse.style().unpolish(reverse)
        reverse.style().polish(reverse)

    def allow(self, command: str, allowed: bool) -> None:
        """Whether a command can be chosen now."""
        self.buttons[command].setEnabled(allowed)


class KindBar(QFrame):
    """Asks why a fact is rejected, by one key. ``chosen(kind, reason)``; ``left`` when the person takes it back."""

    chosen = Signal(str, str)
    left = Signal()
    shown = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "kinds")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Why is it rejected?")
        flow = FlowLayout(spacing=6)
        self._question = label("Why is it rejected?", bold=True)
        flow.addWidget(self._question)
        self._keys: dict[str, str] = {}
        for number, (kind, words) in enumerate(REJECTION_KINDS.items(), start=1):
            letter = KIND_LETTERS[kind]
            self._keys |= {letter: kind, str(number): kind}
            made = _key(letter, words.capitalize() + ("…" if kind == "other" else ""), f"{letter} or {number}")
            made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            made.clicked.connect(lambda _=False, kind=kind: self._choose(kind))
            flow.addWidget(made)
        back = _key("Esc", "Go Back", "Nothing is rejected")
        back.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        back.clicked.connect(self.leave)
        flow.addWidget(back)
        self.reason = QLineEdit()
        self.reason.setAccessibleName("What is wrong")
        self.reason.setPlaceholderText("What is wrong with it? Enter rejects, also without words; Esc goes back.")
        self.reason.returnPressed.connect(lambda: self._end("other", self.reason.text().strip()))
        self.reason.hide()
        row = QHBoxLayout()
        row.addWidget(self.reason, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(8)
        layout.addLayout(flow)
        layout.addLayout(row)
        self.hide()

    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible)
        self.shown.emit(visible)

    def ask(self, count: int) -> None:
        """Ask; the keyboard is here until a key was pressed."""
        self._question.setText("Why is it rejected?" if count == 1 else f"Why are these {count} rejected?")
        self.reason.hide()
        self.reason.clear()
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def leave(self) -> None:
        """Take it back: nothing is rejected."""
        if self.isVisible():
            self.hide()
            self.left.emit()

    def _choose(self, kind: str) -> None:
        if kind == "other":
            self.reason.show()
            self.reason.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._end(kind, "")

    def _end(self, kind: str, reason: str) -> None:
        self.hide()
        self.chosen.emit(kind, reason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
            return
        if event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier):
            super().keyPressEvent(event)
            return
        kind = self._keys.get(event.text().upper())
        if kind is not None and not self.reason.isVisible():
            self._choose(kind)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() in (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.TabFocusReason):
            self.leave()


def _key(key: str, text: str, tip: str) -> QPushButton:
    made = button(f"{key}  {text}".rstrip(), tip=tip)
    made.setProperty("kind", "key")
    made.setProperty("key", key)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return made
