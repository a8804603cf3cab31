"""One setting with its editor, what it does, and what is wrong with what was typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.ui.widgets import button, label

AT_NEXT_START = frozenset({"library", "domain", "offline"})
_MOST = 1_000_000
_WIDEST = 420
Save = Callable[[str, str], None]


def field_height(widget: QWidget) -> int:
    """How high an editor is, so that all of a page are as high as each other."""
    return round(widget.fontMetrics().height() * 1.8)


def as_field(spin: QAbstractSpinBox) -> None:
    """Give a number the look of the lines beside it."""
    spin.setProperty("kind", "field")
    spin.lineEdit().setTextMargins(5, 0, 0, 0)


class SettingField(QWidget):
    """A setting as the fields of the settings describe it; ``save(name, text)`` is called when another value was given.

    ``choices``: (value, words) for a setting that takes one of a few. ``about`` stands for the setting's own description.
    """

    def __init__(
        self,
        name: str,
        info: Any,
        save: Save,
        *,
        title: str = "",
        about: str | None = None,
        choices: Sequence[tuple[str, str]] = (),
        unit: str = "",
        none: str = "",
    ) -> None:
        """``unit`` stands before or behind a number ("$ " before, " s" behind); ``none`` is shown in place of 0."""
        super().__init__()
        self.name = name
        self.title = title or name.replace("_", " ").capitalize()
        self._save = save
        self._value: Any = None
        self._choices = tuple(choices) or tuple((str(item), str(item)) for item in _literals(info))
        self.editor = self._make(info, unit, none)
        self.editor.setAccessibleName(self.title)
        described = info.description or "" if about is None else about
        self.editor.setAccessibleDescription(described)
        head = QHBoxLayout()
        head.setSpacing(8)
        if not isinstance(self.editor, QCheckBox):
            self.editor.setMinimumWidth(240)
            self.editor.setMinimumHeight(field_height(self))
            self.editor.setMaximumWidth(_WIDEST)
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
        self.about = label(described + note, kind="muted", wrap=True)
        column.addWidget(self.about)  # shown or not only when it has a parent: else it would be a window for a moment
        self.about.setVisible(bool(described + note))
        column.addWidget(self.fault)

    # ------------------------------------------------------------------------------------------------- editors
    def _make(self, info: Any, unit: str, none: str) -> QWidget:
        kind = info.annotation
        if self._choices:
            box = QComboBox()
            for value, words in self._choices:
                box.addItem(words, value)
            box.activated.connect(lambda _: self._changed(str(box.currentData())))
            return box
        if kind is bool:
            tick = QCheckBox(self.title)
            tick.clicked.connect(lambda on: self._changed(str(on)))
            return tick
        if kind in (int, float):
            return self._make_number(info, unit, none)
        line = QLineEdit()
        line.editingFinished.connect(lambda: self._changed(line.text().strip()))
        return line

    def _make_number(self, info: Any, unit: str, none: str) -> QWidget:
        whole = info.annotation is int
        spin: QSpinBox | QDoubleSpinBox = (
            QSpinBox() if whole else QDoubleSpinBox() if unit.startswith("$") else _Seconds()
        )
        bounds = {key: getattr(item, key) for item in info.metadata for key in ("ge", "gt", "le") if hasattr(item, key)}
        least = bounds.get("ge", 0 if "gt" not in bounds else bounds["gt"] + (1 if whole else 1.0))
        spin.setRange(least, bounds.get("le", _MOST if not whole else 2_000_000_000))
        if isinstance(spin, QDoubleSpinBox):
            spin.setDecimals(2)
        as_field(spin)
        spin.setGroupSeparatorShown(True)
        if unit.startswith("$"):
            spin.setPrefix(unit)
        elif unit:
            spin.setSuffix(unit)
        if none:
            spin.setSpecialValueText(none)
        spin.setKeyboardTracking(False)
        spin.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        spin.valueChanged.connect(lambda number: self._changed(str(number)))
        return spin

    # --------------------------------------------------------------------------------------------------- value
    def show_value(self, value: Any) -> None:
        """Show what is stored."""
        self._value = value
        editor = self.editor
        editor.blockSignals(True)
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(editor.findData(str(value)))
        elif isinstance(editor, QCheckBox):
            editor.setChecked(bool(value))
        elif isinstance(editor, QSpinBox):
            editor.setValue(int(value))
        elif isinstance(editor, QDoubleSpinBox):
            editor.setValue(float(value))
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


class _Seconds(QDoubleSpinBox):
    """A number with decimals where it has some."""

    def textFromValue(self, value: float) -> str:
        return f"{value:g}"


def _literals(info: Any) -> Sequence[Any]:
    return get_args(info.annotation) if get_origin(info.annotation) is Literal else ()
