"""Correcting a fact: its two ends, relation, property, value and unit at the left, the page to mark its sentence at the right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.domains import Domain
from minerva_desktop.records import Box, Document, Fact
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.models import claim_of
from minerva_desktop.ui.selecting_canvas import Rect, SelectingCanvas
from minerva_desktop.ui.text_page import TextPage
from minerva_desktop.ui.widgets import error_text, label
from minerva_desktop.workbench.reviewing import EvidencePlace

VALUE = "Value"


@dataclass(frozen=True, slots=True)
class _Loaded:
    document: Document | None
    domain: Domain


class EditDialog(QDialog):
    """``submitted(fields)`` asks to make the correction; the dialog stays until :meth:`accept` or :meth:`show_fault`."""

    submitted = Signal(object)

    def __init__(self, bridge: Bridge, fact: Fact, parent: QWidget) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.fact = fact
        self._open = True
        self._document: Document | None = None
        self._evidence = fact.evidence[0] if fact.evidence else None
        self._span = (self._evidence.evidence.start, self._evidence.evidence.end) if self._evidence else (0, 0)
        self._measured = fact.target.type == VALUE or fact.quantity is not None
        self.setWindowTitle("Correct a Fact")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.source_type, self.target_type = _choice("Type of the subject"), _choice("Type of the object")
        self.relation, self.property = _choice("Relation"), _choice("Property")
        self.source, self.target = _line("Subject", fact.source.name), _line("Object", fact.target.name)
        quantity = fact.quantity
        written = quantity.text if quantity else fact.target.name
        unit = quantity.unit if quantity and quantity.unit and written.endswith(quantity.unit) else ""
        self._number, self._unit = written.removesuffix(unit).rstrip() if unit else written, unit
        self.value, self.unit = _line("Value", self._number), _line("Unit", self._unit)
        self.unit.setMaximumWidth(110)
        self.quote = label(wrap=True)
        self.fault = label(kind="fault", wrap=True)
        self.fault.hide()
        self.canvas = SelectingCanvas()
        self.canvas.page_wanted.connect(self._fetch_page)
        self.canvas.marked.connect(self._mark_on_page)
        self.text = TextPage()
        self.text.selectionChanged.connect(self._mark_in_text)
        self.shelf = QStackedWidget()
        self.shelf.addWidget(self.canvas)
        self.shelf.addWidget(self.text)
        self._build()
        self._show_quote(self._evidence.evidence.sentence if self._evidence else "")
        room = parent.window().size()
        self.resize(min(1040, max(720, room.width() - 80)), min(720, max(460, room.height() - 80)))
        self._load()

    # ----------------------------------------------------------------------------------------------- building
    def _build(self) -> None:
        form = QGridLayout()
        form.setSpacing(10)
        form.setColumnStretch(1, 1)
        rows: list[tuple[str, tuple[QWidget, ...]]] = [
            ("&Subject", (self.source, self.source_type)),
            ("&Relation", (self.relation,)),
        ]
        if self._measured:
            rows += [("&Property", (self.property,)), ("&Value", (self.value, self.unit))]
        else:
            rows.append(("&Object", (self.target, self.target_type)))
        for number, (text, widgets) in enumerate(rows):
            name = QLabel(text)
            name.setBuddy(widgets[0])
            form.addWidget(name, number, 0)
            form.addWidget(widgets[0], number, 1, 1, 1 if len(widgets) > 1 else 2)
            for extra in widgets[1:]:
                form.addWidget(extra, number, 2)
        buttons = QDialogButtonBox()
        self.ok = buttons.addButton("Correct and Accept", QDialogButtonBox.ButtonRole.AcceptRole)
        self.ok.setProperty("kind", "primary")
        self.ok.setDefault(True)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self._submit)
        buttons.rejected.connect(self.reject)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 12, 0)
        column.setSpacing(10)
        column.addWidget(label(claim_of(self.fact), wrap=True, bold=True, factor=1.1))
        column.addLayout(form)
        column.addSpacing(4)
        column.addWidget(label("Evidence", kind="section"))
        column.addWidget(self.quote)
        column.addWidget(
            label("To give another sentence, mark it in the paper with the mouse.", kind="muted", wrap=True)
        )
        column.addStretch(1)
        column.addWidget(self.fault)
        column.addWidget(buttons)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(left)
        split.addWidget(self.shelf)
        split.setStretchFactor(0, 5)
        split.setStretchFactor(1, 6)
        split.setSizes([430, 560])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.addWidget(split)
        self.source.setFocus()
        self.source.selectAll()

    def _load(self) -> None:
        workbench, evidence = self._bridge.workbench, self._evidence

        def work() -> _Loaded:
            return _Loaded(workbench.document(evidence.evidence.paper) if evidence else None, workbench.domain)

        self._bridge.query(work, self._alive(self._loaded), self._alive(self.show_fault), key="review-edit")

    def _loaded(self, loaded: _Loaded) -> None:
        domain, fact = loaded.domain, self.fact
        types = [item.name for item in domain.entity_types]
        _fill(self.source_type, [(name, name) for name in types], fact.source.type)
        _fill(self.target_type, [(name, name) for name in types if name != VALUE], fact.target.type)
        valued = {item.name for item in domain.relation_types if any(pair[1] == VALUE for pair in item.triples)}
        kinds = [item.name for item in domain.relation_types if (item.name in valued) == self._measured]
        _fill(self.relation, [(name, name.replace("_", " ").lower()) for name in kinds], fact.type)
        _fill(self.property, [(item.id, item.label) for item in domain.properties], fact.property_id)
        self._document = loaded.document
        if loaded.document is None or self._evidence is None:
            return
        evidence = self._evidence.evidence
        if loaded.document.pages:
            self.canvas.set_pages(loaded.document.pages)
            self.canvas.set_boxes(evidence.boxes)
            self.canvas.fit_width()
            if evidence.boxes:
                self.canvas.go_to_box(evidence.boxes[0])
        else:
            self.shelf.setCurrentWidget(self.text)
            self.text.show_document(loaded.document)
            self.text.show_quote(loaded.document, evidence.sentence)

    def _fetch_page(self, page: int, scale: float) -> None:
        if self._evidence is None:
            return
        workbench, paper = self._bridge.workbench, self._evidence.evidence.paper
        self._bridge.query(
            lambda: workbench.page_image(paper, page, scale),
            self._alive(self.canvas.put_image),
            self._alive(lambda error: self.canvas.put_failure(page, scale, " ".join(error_text(error)))),
        )

    def _alive(self, call: Callable[[Any], None]) -> Callable[[Any], None]:
        """Do it only while the dialog is open: answers may come after it was closed."""
        return lambda result: call(result) if self._open else None

    def done(self, result: int) -> None:
        self._open = False
        super().done(result)

    # ---------------------------------------------------------------------------------------------- the sentence
    def _mark_on_page(self, page: int, rect: Rect) -> None:
        if self._evidence is None:
            return
        workbench, paper = self._bridge.workbench, self._evidence.evidence.paper

        def found(span: tuple[int, int] | None) -> None:
            if span is not None and self._document is not None:
                self._take_span(*span)

        self._bridge.query(lambda: workbench.span_at(paper, page, rect), self._alive(found), key="review-span")

    def _take_span(self, start: int, end: int) -> None:
        assert self._document is not None
        self._span = (start, end)
        boxes: tuple[Box, ...] = tuple(
            box for one in self._document.sentences if one.start < end and one.end > start for box in one.boxes
        )
        self.canvas.set_boxes(boxes)
        self._show_quote(self._document.text[start:end])

    def _mark_in_text(self) -> None:
        cursor = self.text.textCursor()
        if self._document is None or not cursor.hasSelection():
            return
        text = self._document.text
        start, end = (_code_points(text, at) for at in (cursor.selectionStart(), cursor.selectionEnd()))
        if text[start:end].strip():
            self._span = (start, end)
            self._show_quote(text[start:end])

    def _show_quote(self, text: str) -> None:
        text = " ".join(text.split())
        self.quote.setText(f"“{text if len(text) < 400 else text[:399] + '…'}”" if text else "None is stored.")

    # -------------------------------------------------------------------------------------------------- the end
    def fields(self) -> dict[str, Any]:
        """What was changed, as :meth:`Workbench.edit` takes it."""
        fact = self.fact
        pairs: list[tuple[str, Any, Any]] = [
            ("source", self.source.text().strip(), fact.source.name),
            ("source_type", self.source_type.currentData(), fact.source.type),
            ("type", self.relation.currentData(), fact.type),
        ]
        if self._measured:
            pairs.append(("property_id", self.property.currentData(), fact.property_id))
            written = (self.value.text().strip(), self.unit.text().strip())
            if written != (self._number, self._unit):
                pairs.append(("value", " ".join(written).strip(), None))
        else:
            pairs.append(("target", self.target.text().strip(), fact.target.name))
            pairs.append(("target_type", self.target_type.currentData(), fact.target.type))
        changed = {name: new for name, new, old in pairs if new and new != old}
        evidence = self._evidence
        if evidence is not None and self._span != (evidence.evidence.start, evidence.evidence.end):
            changed["evidence"] = EvidencePlace(evidence.id, evidence.evidence.paper, *self._span)
        return changed

    def _submit(self) -> None:
        fields = self.fields()
        if not fields:
            self._say("Nothing is changed yet. To accept it as it is, press Esc, then A.")
            return
        self.ok.setEnabled(False)
        self.fault.hide()
        self.submitted.emit(fields)

    def show_fault(self, error: Exception) -> None:
        """The correction could not be made."""
        self.ok.setEnabled(True)
        self._say(" ".join(part for part in error_text(error) if part))

    def _say(self, text: str) -> None:
        self.fault.setText(text)
        self.fault.show()


def _line(name: str, text: str) -> QLineEdit:
    made = QLineEdit(text)
    made.setAccessibleName(name)
    made.setCursorPosition(0)
    return made


def _choice(name: str) -> QComboBox:
    made = QComboBox()
    made.setAccessibleName(name)
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(9)
    return made


def _fill(box: QComboBox, items: list[tuple[str, str]], current: str) -> None:
    if current and current not in [key for key, _ in items]:
        items = [(current, current), *items]
    for key, text in items:
        box.addItem(text, key)
    box.setCurrentIndex(max(0, box.findData(current)))


def _code_points(text: str, units: int) -> int:
    """Qt counts UTF-16 units, documents count code points."""
    at = 0
    for place, letter in enumerate(text):
        if at >= units:
            return place
        at += 2 if ord(letter) > 0xFFFF else 1
    return len(text)
