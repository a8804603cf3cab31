"""Drives the review of a real window by key events, for ``bench review``: tells on standard output what it pressed and what
the window answered, one JSON object a line.

    python -m minerva_desktop.ui.review_drive LIBRARY [DECISIONS]
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from minerva_desktop.records import Fact
from minerva_desktop.settings import Settings
from minerva_desktop.ui.app import make_application
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.workbench import Workbench

PATIENCE = 60.0
KIND_KEYS = (
    (Qt.Key.Key_N, "not-stated"),
    (Qt.Key.Key_S, "wrong-subject"),
    (Qt.Key.Key_O, "wrong-object"),
    (Qt.Key.Key_V, "wrong-value"),
    (Qt.Key.Key_R, "wrong-relation"),
)
TURNS = "aaxaa1axauaaeaxara"
"""What is done in turn: a accept, x reject with a kind, e edit, 1 the first other relation, u undo, r reverse."""


class Driver:
    """One window and the keys pressed in it."""

    def __init__(self, window: MainWindow, bridge: Bridge) -> None:
        self.window = window
        self.bridge = bridge
        self.panel = window.review
        self.answers: list[tuple[str, int]] = []
        self.done: list[tuple[str, int]] = []  # facts that were decided, and their events
        self.panel.answered.connect(lambda verb, event: self.answers.append((verb, event)))

    def say(self, **what: Any) -> None:
        print(json.dumps(what), flush=True)  # noqa: T201 - its only output

    def wait(self, condition: Callable[[], bool]) -> None:
        """Let the window work until it holds."""
        until = time.monotonic() + PATIENCE
        app = QApplication.instance()
        assert app is not None
        while not condition():
            app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
            if time.monotonic() > until:
                where, said = QApplication.focusWidget(), self.panel.strip.last.text()
                raise TimeoutError(f"The window did not answer; the keyboard is in {where}, the review says “{said}”.")

    def press(self, key: Qt.Key) -> None:
        """A key event to whatever has the keyboard."""
        target = QApplication.focusWidget()
        QTest.keyClick(target if isinstance(target, QWidget) else self.window, key)

    def shown(self) -> bool:
        """Whether the fact is on the screen with its page."""
        fact, crop = self.panel.current(), self.panel.card.crop
        if fact is None or self.panel.card.fact is not fact:
            return self.panel.states.state == "empty"
        return crop.currentWidget() is crop.page and crop.page.picture is not None

    def decide(self, turn: str, number: int) -> tuple[float, float] | None:
        """One decision: seconds until it was answered, and until the next fact was shown; None when it was none."""
        fact = self.panel.current()
        assert fact is not None
        begin = time.perf_counter()
        verb = self._press_for(turn, fact, number)
        if not verb:
            return None
        self.wait(lambda: bool(self.answers))
        answered = time.perf_counter()
        self._tell(verb, fact, number)
        if verb == "undo":
            self.wait(lambda: not self.bridge.busy)
        self.wait(self.shown)
        return answered - begin, time.perf_counter() - begin

    def _press_for(self, turn: str, fact: Fact, number: int) -> str:
        self.answers.clear()
        if turn == "u" and self.done:
            self.say(pressed="undo", fact=self.done[-1][0])
            self.press(Qt.Key.Key_U)
            return "undo"
        if turn == "x":
            self.say(pressed="reject", fact=fact.id)
            self.press(Qt.Key.Key_X)
            self.press(KIND_KEYS[number % len(KIND_KEYS)][0])
            return "reject"
        if turn == "r":
            self.press(Qt.Key.Key_R)
            self.wait(lambda: not self.panel.deciding.pending)
            return ""
        if turn == "1":
            beside = self.panel.beside.get(fact)
            if beside is not None and len(beside.choices) > 1:
                first = 1 if beside.choices[0].current else 0
                self.say(pressed="relabel", fact=fact.id)
                self.press(Qt.Key(Qt.Key.Key_1 + first))
                return "relabel"
        if turn == "e":
            return self._edit(fact)
        self.say(pressed="accept", fact=fact.id)
        self.press(Qt.Key.Key_A)
        return "accept"

    def _edit(self, fact: Fact) -> str:
        self.press(Qt.Key.Key_E)
        self.wait(lambda: self.panel.deciding._dialog is not None)
        dialog = self.panel.deciding._dialog
        assert dialog is not None
        relation: QComboBox = dialog.relation
        self.wait(lambda: relation.count() > 0)
        dialog.source.setFocus()
        dialog.source.selectAll()
        QTest.keyClicks(dialog.source, f"{fact.source.name}X")
        self.say(pressed="edit", fact=fact.id)
        QTest.keyClick(dialog.source, Qt.Key.Key_Return)
        return "edit"

    def _tell(self, verb: str, fact: Fact, number: int) -> None:
        _, event = self.answers[0]
        if verb == "undo":
            fact_id, taken_back = self.done.pop()
            self.say(answered="undo", fact=fact_id, event=taken_back, status="waiting", rule="")
            return
        status, rule = {
            "accept": ("accepted", ""),
            "reject": ("refused", KIND_KEYS[number % len(KIND_KEYS)][1]),
        }.get(verb, ("refused", "corrected"))
        self.done.append((fact.id, event))
        self.say(answered=verb, fact=fact.id, event=event, status=status, rule=rule)


def main() -> int:
    """Open the window on the library, decide until nothing waits or so many decisions are made."""
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 10**9
    app = make_application(sys.argv[:1])
    workbench = Workbench(Path(sys.argv[1]), Settings.model_validate({"embeddings": False}), offline=True)
    bridge = Bridge(workbench)
    window = MainWindow(bridge)
    window.resize(1280, 820)
    window.show()
    window.activateWindow()
    driver = Driver(window, bridge)
    window.go("review")
    driver.wait(lambda: driver.panel.states.state == "content" and driver.shown() and not bridge.busy)
    waiting = driver.panel.model.total
    driver.say(ready=True, waiting=waiting)
    seconds: list[tuple[float, float]] = []
    refusals = number = 0
    begin = time.perf_counter()
    while len(seconds) < most and driver.panel.model.total:
        took = driver.decide(TURNS[number % len(TURNS)], number)
        number += 1
        if took is None:
            refusals += 1
        else:
            seconds.append(took)
    whole = time.perf_counter() - begin
    driver.say(
        finished=True,
        decisions=len(seconds),
        refusals=refusals,
        seconds=whole,
        answered=[round(item[0], 4) for item in seconds],
        shown=[round(item[1], 4) for item in seconds],
    )
    driver.wait(lambda: not bridge.busy)
    window.hide()
    bridge.close()
    workbench.close()
    app.processEvents()
    return 0


if __name__ == "__main__":
    sys.exit(main())
