"""The doctor in the window: what works on this machine and what is missing, to read and to copy."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QTextBrowser, QVBoxLayout, QWidget

from minerva_desktop.doctor import Check, as_text, examine
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.doctor_html import doctor_html, summary
from minerva_desktop.ui.models import announce
from minerva_desktop.ui.theme import is_theme_change, tokens
from minerva_desktop.ui.widgets import StateStack, button, label


class DoctorDialog(QDialog):
    """Looks when it opens, and again when asked."""

    def __init__(self, bridge: Bridge, parent: QWidget) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.lines: list[Check] = []
        self._closed = False
        self.finished.connect(lambda _: setattr(self, "_closed", True))
        self.setWindowTitle("Doctor")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.said = label(kind="muted", wrap=True)
        self.text = QTextBrowser()
        self.text.setAccessibleName("What the doctor found")
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(12)
        self.states = StateStack(self.text, "warning")
        self.copy = button("Copy", self._copy, tip="The report as text, without your name, folders of yours, or keys")
        self.again = button("Run Again", self.run)
        close = button("Close", self.close)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.copy)
        row.addWidget(self.again)
        row.addStretch(1)
        row.addWidget(close)
        close.setDefault(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(self.said)
        layout.addWidget(self.states, 1)
        layout.addLayout(row)
        room = self.screen().availableGeometry()
        self.resize(min(760, room.width() - 40), min(620, room.height() - 60))
        self.run()

    def run(self) -> None:
        """Look, beside the window."""
        self.copy.setEnabled(False)
        self.again.setEnabled(False)
        self.said.setText("Looking at the program, this machine and the library…")
        self.states.show_loading("Looking…")
        workbench = self._bridge.workbench
        self._bridge.query(
            lambda: examine(workbench.library_dir, workbench.settings, offline=workbench.offline),
            self._show,
            self._failed,
            key="doctor",
        )

    def _show(self, lines: list[Check]) -> None:
        if self._closed:  # it came too late
            return
        self.lines = lines
        self.said.setText(summary(lines))
        self._write()
        self.states.show_content()
        self.copy.setEnabled(True)
        self.again.setEnabled(True)
        announce(self.said.text())

    def _failed(self, error: Exception) -> None:
        if self._closed:
            return
        self.said.setText("The doctor could not look.")
        self.states.show_error(error, self.run)
        self.again.setEnabled(True)

    def _write(self) -> None:
        self.text.setHtml(doctor_html(self.lines, tokens()))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(as_text(self.lines))
        self.said.setText("Copied. Your home folder stands in it as ~; there are no keys or addresses in it.")
        announce(self.said.text())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_theme_change(event) and self.lines:
            self._write()
