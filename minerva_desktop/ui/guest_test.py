"""The connection test of a language model: started, seen at work, stopped, and reported in sentences."""

from __future__ import annotations

from html import escape
from typing import Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.models import announce
from minerva_desktop.ui.theme import Tokens, is_theme_change, tokens
from minerva_desktop.ui.widgets import button, error_text, label

MODES = {
    "json_schema": "Structured replies: yes, by a schema.",
    "json_object_schema": "Structured replies: yes, by a schema in this server's own way.",
    "json_object": "Structured replies: JSON without a schema; each reply is checked here.",
    "text": "Structured replies: no; the JSON is looked for in the text, and each reply is checked here.",
}


class ConnectionTest(QWidget):
    """``found(report)`` with the report of the server."""

    found = Signal(object)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._cancel: CancelToken | None = None
        self.report: Any = None
        self.start = button("Test Connection", self.run, tip="Ask the server once: is it there, and what can it do?")
        self.stop = button("Cancel", self.cancel)
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(160)
        self.bar.setAccessibleName("The server is being asked")
        self.state = label(kind="muted")
        self.lines = QLabel()
        self.lines.setWordWrap(True)
        self.lines.setAccessibleName("Result of the connection test")
        self.lines.hide()
        row = QHBoxLayout()
        row.setSpacing(10)
        for item in (self.start, self.stop, self.bar, self.state):
            row.addWidget(item)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.lines)
        self._show_running(False)

    # ------------------------------------------------------------------------------------------------- running
    def clear(self) -> None:
        """Another server, or another key or model: what was found holds no more."""
        self.cancel()
        self.report = None
        self.lines.hide()
        self.state.setText("")

    def run(self) -> None:
        """Ask the server of the profile in use."""
        self.clear()
        cancel = self._cancel = CancelToken()
        workbench = self._bridge.workbench
        name = workbench.settings.model_profile
        self._show_running(True)
        self.state.setText("Asking the server…")
        self._bridge.query(
            lambda: workbench.test_model(name, cancel=cancel), self._show, self._failed, key="test-model", cancel=cancel
        )

    def cancel(self) -> None:
        """Ask no more."""
        if self._cancel is not None:
            self._cancel.cancel()
            self._cancel = None
            self._show_running(False)
            self.state.setText("Stopped.")

    def _show_running(self, running: bool) -> None:
        for item in (self.stop, self.bar):
            item.setVisible(running)
        self.start.setVisible(not running)

    def _end(self, text: str = "") -> bool:
        """Whether the end is still waited for."""
        if self._cancel is None:
            return False
        self._cancel = None
        self._show_running(False)
        self.state.setText(text)
        return True

    # -------------------------------------------------------------------------------------------------- result
    def _show(self, report: Any) -> None:
        if not self._end():
            return
        self.report = report
        self._write()
        announce(" ".join(text for _, text in lines_of(report)))
        self.found.emit(report)

    def _failed(self, error: Exception) -> None:
        if self._end("Stopped." if isinstance(error, Cancelled) else "") and not isinstance(error, Cancelled):
            self.report = None
            self.lines.setText(_html([("bad", " ".join(error_text(error)))], tokens()))
            self.lines.show()

    def _write(self) -> None:
        if self.report is not None:
            self.lines.setText(_html(lines_of(self.report), tokens()))
            self.lines.show()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_theme_change(event):
            self._write()


def lines_of(report: Any) -> list[tuple[str, str]]:
    """The report in sentences, each "ok", "bad" or "" (says only something)."""
    lines: list[tuple[str, str]] = []
    for number, sentence in enumerate(report.sentences):
        bad = not report.reachable or (number == 0 and bool(report.error))
        lines.append(("bad" if bad else "", sentence))
    return lines


def _html(lines: list[tuple[str, str]], theme: Tokens) -> str:
    marks = {"ok": ("✓", theme.accepted), "bad": ("✗", theme.refused), "warn": ("!", theme.waiting)}
    rows = ""
    for kind, text in lines:
        mark, color = marks.get(kind, ("·", theme.muted))
        ink = color if kind in ("bad", "warn") else theme.text
        rows += (
            f"<tr><td width='18' valign='top' style='color:{color.name()}'><b>{mark}</b></td>"
            f"<td style='color:{ink.name()}; padding-bottom:3px'>{escape(text)}</td></tr>"
        )
    return f"<table cellspacing='0' cellpadding='1'>{rows}</table>"
