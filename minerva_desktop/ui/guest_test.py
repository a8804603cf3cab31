"""The connection test of a language model: started, seen at work, stopped, and reported in sentences."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.models import announce
from minerva_desktop.ui.theme import Tokens, is_theme_change, tokens
from minerva_desktop.ui.widgets import button, error_text, label

if TYPE_CHECKING:  # the probe brings the gateway with it, which few windows need
    from minerva_desktop.models.probing import ProbeReport

TOO_SMALL = "This model is too small to read papers with."
READY = "This model can be used."


class ConnectionTest(QWidget):
    """``found(report)`` with the report of the server."""

    found = Signal(object)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._cancel: CancelToken | None = None
        self.report: ProbeReport | None = None
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
    def _show(self, report: ProbeReport) -> None:
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


def lines_of(report: ProbeReport) -> list[tuple[str, str]]:
    """The report in sentences: what it comes to first, each "ok", "bad" or "" (says only something)."""
    lines: list[tuple[str, str]] = []
    if report.too_small:
        lines.append(("bad", TOO_SMALL))
    elif report.model_present and not report.error:
        lines.append(("ok", READY))
    for sentence in report.sentences:
        lines.append(("bad" if sentence == report.error else "", sentence))
    if report.error and report.hint:
        lines.append(("", report.hint))
    return lines


def _html(lines: list[tuple[str, str]], theme: Tokens) -> str:
    marks = {"ok": ("✓", theme.accepted), "bad": ("✗", theme.refused)}
    rows = ""
    for kind, text in lines:
        mark, color = marks.get(kind, ("·", theme.muted))
        ink = color if kind else theme.text
        rows += (
            f"<tr><td width='18' valign='top' style='color:{color.name()}'><b>{mark}</b></td>"
            f"<td style='color:{ink.name()}; padding-bottom:3px'>{escape(text)}</td></tr>"
        )
    return f"<table cellspacing='0' cellpadding='1'>{rows}</table>"
