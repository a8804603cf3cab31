"""What is shown in Values: the property, the materials, the unit, the axis and its scale."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QStringListModel, Qt, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QCompleter, QVBoxLayout, QWidget

from minerva_desktop.measurements.tables import unit_words
from minerva_desktop.ui.flow import FlowLayout
from minerva_desktop.ui.value_points import BY_MATERIAL, axis_name
from minerva_desktop.ui.widgets import button, search_field
from minerva_desktop.workbench.numbers import MeasuredProperty

SCALES = (("Automatic scale", None), ("Linear scale", False), ("Logarithmic scale", True))
_MOST_CHIPS = 12


class ValuesBar(QWidget):
    """``property_chosen(id)`` and ``unit_chosen(unit)`` need other values, ``view_changed`` only another picture."""

    property_chosen = Signal(str)
    unit_chosen = Signal(str)
    status_changed = Signal()
    view_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._materials: list[str] = []
        self.chosen_materials: list[str] = []
        self.property = _combo("Property", 26, editable=True)
        self.property.lineEdit().setPlaceholderText("Property, such as band gap")
        self.property.activated.connect(lambda row: self.property_chosen.emit(self.property.itemData(row) or ""))
        self.property.lineEdit().returnPressed.connect(self._typed_property)
        self.material = search_field("Only these materials…", "Material")
        self.material.setMinimumWidth(200)
        self._names = QStringListModel(self)
        completer = QCompleter(self._names, self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setMaxVisibleItems(12)
        completer.activated.connect(self._take_material)
        self.material.setCompleter(completer)
        self.material.returnPressed.connect(lambda: self._take_material(self.material.text()))
        self.unit = _combo("Unit", 7)
        self.unit.activated.connect(lambda row: self.unit_chosen.emit(self.unit.itemData(row)))
        self.axis = _combo("Drawn against", 13)
        self.axis.activated.connect(lambda _: self.view_changed.emit())
        self.scale = _combo("Scale", 13)
        for text, _ in SCALES:
            self.scale.addItem(text)
        self.scale.activated.connect(lambda _: self.view_changed.emit())
        self.waiting = QCheckBox("Waiting too")
        self.waiting.setToolTip("Show values that wait for your review, beside the accepted ones")
        self.waiting.setChecked(True)
        self.waiting.toggled.connect(lambda _: self.status_changed.emit())
        line = QWidget()
        row = FlowLayout(line, spacing=8)
        for widget in (self.property, self.material, self.unit, self.axis, self.scale, self.waiting):
            row.addWidget(widget)
        self.chips = QWidget()
        self._chips = FlowLayout(self.chips, spacing=6)
        self.chips.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(line)
        layout.addWidget(self.chips)

    # ---------------------------------------------------------------------------------------------- properties
    def set_properties(self, known: Sequence[MeasuredProperty], chosen: str) -> None:
        """Offer these; ``chosen`` is an id."""
        with QSignalBlocker(self.property):
            self.property.clear()
            for item in known:
                # Of materials, not of values: how many values there are depends on what papers say twice.
                count = f"{item.materials} material{'s' if item.materials != 1 else ''}"
                self.property.addItem(f"{item.label}  ·  {count}", item.id)
            self.property.setCurrentIndex(self.property.findData(chosen))
            if self.property.currentIndex() < 0:
                self.property.setEditText(chosen.replace("_", " "))
        self.property.lineEdit().setCursorPosition(0)

    def _typed_property(self) -> None:
        text = self.property.currentText().partition("  ·  ")[0].strip()
        found = self.property.findText(text, Qt.MatchFlag.MatchStartsWith)
        if found < 0:
            found = self.property.findText(text, Qt.MatchFlag.MatchContains)
        if text:
            self.property_chosen.emit(self.property.itemData(found) if found >= 0 else text)

    # ----------------------------------------------------------------------------------------------- materials
    def set_materials(self, names: Sequence[str]) -> None:
        """The materials that there are; chosen ones that are gone are let go."""
        self._materials = list(names)
        self._names.setStringList(self._materials)
        self._set_chips([name for name in self.chosen_materials if name in self._materials])

    def only(self, *names: str) -> None:
        """Choose materials, in place of those that were."""
        self._set_chips(list(names))

    def _take_material(self, text: str) -> None:
        wanted = text.strip()
        folded = [name for name in self._materials if name.casefold() == wanted.casefold()]
        name = wanted if wanted in self._materials else folded[0] if folded else ""
        if not name:
            part = [item for item in self._materials if wanted.casefold() in item.casefold()]
            name = part[0] if wanted and len(part) == 1 else ""
        if name and name not in self.chosen_materials:
            self._set_chips([*self.chosen_materials, name])
            self.view_changed.emit()
        if name:
            # The completer writes its choice into the line after this.
            QTimer.singleShot(0, self.material, self.material.clear)

    def _drop(self, name: str) -> None:
        self._set_chips([item for item in self.chosen_materials if item != name])
        self.view_changed.emit()
        self.material.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_chips(self, names: list[str]) -> None:
        self.chosen_materials = names
        while (item := self._chips.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for name in names[:_MOST_CHIPS]:
            chip = button(
                f"{name}  ✕".replace("&", "&&"),
                lambda name=name: self._drop(name),
                tip=f"Show other materials than {name} again",
            )
            chip.setAccessibleName(f"Remove {name}")
            self._chips.addWidget(chip)
        self.chips.setVisible(bool(names))
        self.chips.updateGeometry()

    # ----------------------------------------------------------------------------------------------------- view
    def set_units(self, units: Sequence[str], unit: str) -> None:
        with QSignalBlocker(self.unit):
            self.unit.clear()
            for name in dict.fromkeys((unit, *units)):
                self.unit.addItem(unit_words(name) or "no unit", name)
            self.unit.setCurrentIndex(self.unit.findData(unit))
        self.unit.setEnabled(self.unit.count() > 1)

    def set_axes(self, axes: Sequence[str]) -> None:
        """What the values can be drawn against; the choice is kept where it is still there."""
        kept = self.by
        with QSignalBlocker(self.axis):
            self.axis.clear()
            for name in axes:
                self.axis.addItem("By material" if name == BY_MATERIAL else f"Against {_lower(axis_name(name))}", name)
            self.axis.setCurrentIndex(max(0, self.axis.findData(kept)))
        self.axis.setEnabled(self.axis.count() > 1)

    @property
    def by(self) -> str:
        return self.axis.currentData() or BY_MATERIAL

    @property
    def log(self) -> bool | None:
        return SCALES[max(0, self.scale.currentIndex())][1]


def _lower(name: str) -> str:
    return name.partition(" (")[0][:1].lower() + name.partition(" (")[0][1:]


def _combo(name: str, chars: int, *, editable: bool = False) -> QComboBox:
    made = QComboBox()
    made.setAccessibleName(name)
    made.setToolTip(name)
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(chars)
    made.view().setTextElideMode(Qt.TextElideMode.ElideRight)
    if editable:
        made.setEditable(True)
        made.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        completer = made.completer()
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        made.lineEdit().setAcceptDrops(False)
        made.lineEdit().setAccessibleName(name)
    return made
