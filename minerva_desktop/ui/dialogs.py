"""Dialogs. None of them blocks: each is opened and answers by signal."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QMessageBox,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop import __version__
from minerva_desktop.errors import Cancelled
from minerva_desktop.ui.commands import COMMANDS, MENUS, key_text
from minerva_desktop.ui.widgets import error_text, label

log = logging.getLogger(__name__)


def message(parent: QWidget | None, title: str, text: str, hint: str = "", *, details: str = "") -> QMessageBox:
    """Open a message without blocking; it deletes itself when closed."""
    box = QMessageBox(QMessageBox.Icon.Warning, title, text, QMessageBox.StandardButton.Close, parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(hint)
    if details:
        box.setDetailedText(details)
        copy = box.addButton("Copy Details", QMessageBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(details))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box


def show_error(parent: QWidget | None, what: str, error: BaseException) -> QMessageBox | None:
    """Say what could not be done; a cancel is no failure and is not shown."""
    if isinstance(error, Cancelled):
        return None
    text, hint = error_text(error)
    lead = f"Could not {what}.\n{text}" if what else text
    return message(parent, "Minerva Desktop", lead, hint)


def ask(parent: QWidget, text: str, hint: str, yes: str, no: str, then: Callable[[], None]) -> QMessageBox:
    """Ask a question; ``then`` is called on yes. The safe answer is the default."""
    box = QMessageBox(QMessageBox.Icon.Question, "Minerva Desktop", text, QMessageBox.StandardButton.NoButton, parent)
    box.setInformativeText(hint)
    agree = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    stay = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.buttonClicked.connect(lambda pressed: then() if pressed is agree else None)
    box.open()
    return box


def show_list(parent: QWidget, title: str, text: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> QDialog:
    """A table to read and close."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    tree = QTreeWidget()
    tree.setAccessibleName(title)
    tree.setRootIsDecorated(False)
    tree.setHeaderLabels(list(columns))
    for row in rows:
        tree.addTopLevelItem(QTreeWidgetItem(list(row)))
    header = tree.header()
    for column in range(len(columns)):
        header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
    header.setStretchLastSection(True)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.close)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(16, 16, 16, 16)
    layout.setSpacing(12)
    if text:
        layout.addWidget(label(text, kind="muted", wrap=True))
    layout.addWidget(tree, 1)
    layout.addWidget(buttons)
    dialog.resize(640, 520)
    dialog.open()
    return dialog


def show_shortcuts(parent: QWidget) -> QDialog:
    """Every command that has a key, from the one list of commands."""
    rows = [
        (command.title.rstrip("…"), key_text(command), command.menu)
        for menu in MENUS
        for command in COMMANDS
        if command.menu == menu and key_text(command)
    ]
    return show_list(
        parent,
        "Keyboard Shortcuts",
        "Single letters work inside the review list and the graph. Everywhere: Tab moves on, Esc leaves.",
        ("Command", "Keys", "Menu"),
        rows,
    )


def show_history(parent: QWidget, events: Sequence[dict[str, Any]]) -> QDialog:
    """The journal, newest first."""
    rows = [
        (
            str(event["when"]).replace("T", " ")[:16],
            f"{event['label']}{'  (taken back)' if event.get('undone') else ''}",
            str(event.get("actor", "")),
        )
        for event in events
    ]
    text = "What was done to this library, newest first." if rows else "Nothing was changed yet."
    return show_list(parent, "History", text, ("When", "What", "Who"), rows)


def show_about(parent: QWidget, library: str, search: str) -> QMessageBox:
    """Version, licence, and which library is open."""
    box = QMessageBox(parent)
    box.setWindowTitle("About Minerva Desktop")
    box.setIcon(QMessageBox.Icon.NoIcon)
    box.setText(f"Minerva Desktop {__version__}")
    box.setInformativeText(
        "A research library that reads papers for you and never says anything it cannot show you.\n\n"
        f"Library: {library}\nSearch: {search}\n\nFree software under the GNU Affero General Public License, "
        "version 3 or later."
    )
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box


class CrashReporter(QObject):
    """``sys.excepthook`` of the window: writes the log and says so, without stopping anything."""

    _caught = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._box: QMessageBox | None = None
        self._caught.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        details = "".join(traceback.format_exception(kind, error, trace))
        log.error("Unforeseen error\n%s", details)
        self._caught.emit(f"{kind.__name__}: {error}", details)

    def in_thread(self, args: threading.ExceptHookArgs) -> None:
        """``threading.excepthook``."""
        if args.exc_value is not None:
            self(args.exc_type, args.exc_value, args.exc_traceback)

    def _show(self, what: str, details: str) -> None:
        if self._box is not None:
            return  # one box at a time: an error in painting would otherwise open hundreds
        self._box = message(
            None,
            "Minerva Desktop",
            f"Something went wrong that was not foreseen: {what}",
            "Your library is not harmed: every change is written whole or not at all. You can go on working. The "
            "details below are in the log file too.",
            details=details,
        )
        self._box.finished.connect(self._forget)

    def _forget(self, _: Any) -> None:
        self._box = None
