"""The settings as a form: one editor for each field of the settings, saved at once, faults beside the field."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.domains import available_domains
from minerva_desktop.settings import GuestSettings, Settings
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.secret_fields import SecretFields
from minerva_desktop.ui.widgets import button, error_text, label

TITLES = {
    "library": "Library folder",
    "domain": "Domain",
    "gate": "Gate",
    "fusion": "Search ranking",
    "embeddings": "Search by meaning",
    "max_textbook_level": "Textbook level",
    "read_seconds": "Seconds for a file",
    "read_memory_mb": "Memory for a file, in MB",
    "read_pages": "Pages of a file",
    "ocr_languages": "Languages of scans",
    "offline": "Stay offline",
    "email": "E-mail",
    "results": "Results of each source",
}
AT_NEXT_START = frozenset({"library", "domain", "offline"})
_MOST = 1_000_000


class SettingsForm(QScrollArea):
    """``said(text)`` after a setting was saved."""

    said = Signal(str)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.bridge = bridge
        self.workbench = bridge.workbench
        self.setWidgetResizable(True)
        self.setAccessibleName("Settings")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.fields: dict[str, _Field] = {}
        inner = QWidget()
        inner.setObjectName("answer-body")
        # A row round the column: only so do wrapped texts get the height of the width that they really have.
        row = QHBoxLayout(inner)
        row.setContentsMargins(0, 0, 0, 0)
        fields = QWidget()
        fields.setMaximumWidth(720)
        row.addWidget(fields, 100)
        row.addStretch(1)
        column = QVBoxLayout(fields)
        column.setContentsMargins(0, 6, 12, 12)
        column.setSpacing(18)
        for name, info in Settings.model_fields.items():
            if name in GuestSettings.model_fields:  # language models have a page of their own
                continue
            field = _Field(name, info, self._save)
            self.fields[name] = field
            column.addWidget(field)
        self.secrets = SecretFields(bridge)
        self.secrets.said.connect(self.said)
        column.addWidget(self.secrets)
        column.addStretch(1)
        self.setWidget(inner)
        self.show_settings(self.workbench.settings)

    def show_settings(self, settings: Settings) -> None:
        for name, field in self.fields.items():
            field.show_value(getattr(settings, name))
        self.secrets.reload()

    def focus_first(self) -> None:
        self.fields["library"].editor.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _save(self, name: str, value: str) -> None:
        workbench, field = self.workbench, self.fields[name]

        def done(settings: Settings) -> None:
            field.show_fault("")
            field.show_value(getattr(settings, name))
            later = " It takes effect at the next start." if name in AT_NEXT_START else ""
            self.said.emit(f"Saved “{field.title}”.{later}")

        self.bridge.change(
            lambda: workbench.set_setting(name, value),
            done,
            lambda error: field.show_fault(error_text(error)[0]),
            what="",
        )


class _Field(QWidget):
    """One setting: title, editor, what it does, and what is wrong with what was typed."""

    def __init__(self, name: str, info: Any, save: Callable[[str, str], None]) -> None:
        super().__init__()
        self.name = name
        self.title = TITLES.get(name, name.replace("_", " ").capitalize())
        self._save = save
        self._value: Any = None
        self.editor = self._make(info)
        self.editor.setAccessibleName(self.title)
        self.editor.setAccessibleDescription(info.description or "")
        head = QHBoxLayout()
        head.setSpacing(8)
        if not isinstance(self.editor, QCheckBox):
            self.editor.setMinimumWidth(240)
            self.editor.setMinimumHeight(round(self.fontMetrics().height() * 1.8))
            self.editor.setMaximumWidth(420)
        head.addWidget(self.editor, 1 if isinstance(self.editor, QLineEdit) else 0)
        if name == "library":
            self.choose = button("Choose…", self._choose)
            head.addWidget(self.choose)
        head.addStretch(1)
        self.fault = label(wrap=True)
        self.fault.setProperty("kind", "fault")
        self.fault.hide()
        note = " Takes effect at the next start." if name in AT_NEXT_START else ""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        if not isinstance(self.editor, QCheckBox):
            column.addWidget(label(self.title, bold=True))
        column.addLayout(head)
        about = label((info.description or "") + note, kind="muted", wrap=True)
        column.addWidget(about)
        column.addWidget(self.fault)

    def _make(self, info: Any) -> QWidget:
        kind = info.annotation
        choices = (
            available_domains() if self.name == "domain" else get_args(kind) if get_origin(kind) is Literal else ()
        )
        if choices:
            box = QComboBox()
            box.addItems([str(item) for item in choices])
            box.activated.connect(lambda _: self._changed(box.currentText()))
            return box
        if kind is bool:
            tick = QCheckBox(self.title)
            tick.clicked.connect(lambda on: self._changed(str(on)))
            return tick
        if kind is int:
            spin = QSpinBox()
            bounds = {key: getattr(item, key) for item in info.metadata for key in ("ge", "le") if hasattr(item, key)}
            spin.setRange(bounds.get("ge", 0), bounds.get("le", _MOST))
            spin.setKeyboardTracking(False)
            spin.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            spin.valueChanged.connect(lambda number: self._changed(str(number)))
            return spin
        line = QLineEdit()
        line.editingFinished.connect(lambda: self._changed(line.text().strip()))
        return line

    def show_value(self, value: Any) -> None:
        """Show what is stored."""
        self._value = value
        editor = self.editor
        editor.blockSignals(True)
        if isinstance(editor, QComboBox):
            editor.setCurrentText(str(value))
        elif isinstance(editor, QCheckBox):
            editor.setChecked(bool(value))
        elif isinstance(editor, QSpinBox):
            editor.setValue(int(value))
        elif isinstance(editor, QLineEdit) and not (editor.hasFocus() and editor.isModified()):
            editor.setText(str(value))
        editor.blockSignals(False)

    def show_fault(self, text: str) -> None:
        self.fault.setText(text)
        self.fault.setVisible(bool(text))

    def _changed(self, text: str) -> None:
        if text == str(self._value):
            self.show_fault("")
            return
        self._save(self.name, text)

    def _choose(self) -> None:
        dialog = QFileDialog(self.window(), "Library Folder")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: self._changed(str(Path(names[0]))))
        dialog.open()
