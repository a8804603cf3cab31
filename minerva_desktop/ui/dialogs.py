"""Small dialogs: the command palette, the keys, the history, the audit, about. None of them blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop import __version__
from minerva_desktop.ui.commands import COMMANDS, Registry, key_text
from minerva_desktop.ui.widgets import error_text, search_field


class Palette(QDialog):
    """Type part of a command's name, press Enter."""

    def __init__(self, parent: QWidget, registry: Registry) -> None:
        super().__init__(parent)
        self.setWindowTitle("All Commands")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(520, 420)
        self._registry = registry
        self.line: QLineEdit = search_field("What do you want to do?", "Filter commands")
        self.list = QListWidget()
        self.list.setAccessibleName("Commands")
        layout = QVBoxLayout(self)
        layout.addWidget(self.line)
        layout.addWidget(self.list)
        self.line.textChanged.connect(self._fill)
        self.line.returnPressed.connect(self._run)
        self.list.itemActivated.connect(lambda _: self._run())
        self._fill("")
        self.line.setFocus()

    def _fill(self, text: str) -> None:
        words = text.casefold().split()
        self.list.clear()
        for command in COMMANDS:
            action = self._registry.actions[command.id]
            if command.id == "palette" or not action.isEnabled():
                continue
            title = action.text()
            if all(word in f"{title} {command.menu} {command.tip}".casefold() for word in words):
                keys = key_text(command)
                item = QListWidgetItem(f"{command.menu}: {title}" + (f"    {keys}" if keys else ""))
                item.setData(Qt.ItemDataRole.UserRole, command.id)
                item.setToolTip(command.tip)
                self.list.addItem(item)
        self.list.setCurrentRow(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if step and self.list.count():
            self.list.setCurrentRow((self.list.currentRow() + step) % self.list.count())
        else:
            super().keyPressEvent(event)

    def _run(self) -> None:
        item = self.list.currentItem()
        self.accept()
        if item is not None:
            self._registry.run(item.data(Qt.ItemDataRole.UserRole))


def text_dialog(parent: QWidget, title: str, html: str) -> QDialog:
    """A window with text to read."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.resize(560, 480)
    view = QTextBrowser()
    view.setAccessibleName(title)
    view.document().setDocumentMargin(12)
    view.setHtml(html)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.addWidget(view)
    layout.addWidget(buttons)
    dialog.open()
    return dialog


def shortcuts_html() -> str:
    """The keys of all commands as a table, by menu."""
    rows = []
    menu = ""
    for command in COMMANDS:
        if not command.keys:
            continue
        if command.menu != menu:
            menu = command.menu
            rows.append(f"<tr><td colspan='2' style='padding-top:10px'><b>{menu}</b></td></tr>")
        rows.append(f"<tr><td style='padding-right:30px'>{command.title}</td><td>{key_text(command)}</td></tr>")
    return f"<table>{''.join(rows)}</table>"


def history_html(events: Sequence[dict[str, Any]]) -> str:
    """The journal, newest first."""
    if not events:
        return "<p>Nothing was changed yet.</p>"
    rows = [
        f"<tr><td style='padding-right:16px'>{item['when']}</td><td>{item['label']}"
        + (" (taken back)" if item.get("undone") else "")
        + "</td></tr>"
        for item in events
    ]
    return f"<table cellspacing='4'>{''.join(rows)}</table>"


def audit_html(report: Any) -> str:
    """The checks of an audit, each with its result."""
    rows = [
        f"<tr><td style='padding-right:12px'>{'✓' if check.ok else '✗'}</td><td>{check.name}: {check.metric}</td></tr>"
        for check in report.checks
    ]
    head = "Everything agrees." if report.ok else "Something does not agree; “Rebuild Graph and Index” makes it anew."
    return f"<p><b>{head}</b></p><table cellspacing='4'>{''.join(rows)}</table>"


def about(parent: QWidget) -> None:
    """What this is."""
    box = QMessageBox(parent)
    box.setWindowTitle("About Minerva Desktop")
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(f"Minerva Desktop {__version__}")
    box.setInformativeText(
        "A research library that reads papers for you and never says anything it cannot show you.\n\n"
        "Free software under the GNU Affero General Public License, version 3 or later."
    )
    box.open()


def show_error(parent: QWidget | None, what: str, error: BaseException) -> QMessageBox:
    """A message that does not block: what failed, why, what to do."""
    message, hint = error_text(error)
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle("Minerva Desktop")
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(f"Could not {what}. {message}" if what else message)
    box.setInformativeText(hint)
    box.open()
    return box
