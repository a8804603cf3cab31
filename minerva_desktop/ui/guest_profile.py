"""One server of language models as a form: its address, its model, its key, and what it costs where nobody knows."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from minerva_desktop.settings.guests import ModelProfile
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.guest_presets import hint_of
from minerva_desktop.ui.guest_texts import counted
from minerva_desktop.ui.model_line import ModelLine
from minerva_desktop.ui.secret_fields import KeyField
from minerva_desktop.ui.setting_field import as_field, field_height
from minerva_desktop.ui.widgets import Fold, error_text, label

CONTEXT = "Tokens that the model can read and write in one call."
PRICE = "US dollars for a million tokens that the model {}. Only for models that are not in the price list."


class FormRow(QWidget):
    """Title, editor, explanation and fault of one value."""

    def __init__(self, title: str, editor: QWidget, about: str = "") -> None:
        super().__init__()
        self.editor = editor
        self.about = label(about, kind="muted", wrap=True)
        self.fault = label(wrap=True)
        self.fault.setProperty("kind", "fault")
        self.fault.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        if not isinstance(editor, QCheckBox):
            editor.setMinimumHeight(field_height(self))
            editor.setMaximumWidth(420)
            column.addWidget(label(title, bold=True))
        editor.setAccessibleName(title)
        editor.setAccessibleDescription(about)
        for item in (editor, self.about, self.fault):
            column.addWidget(item)
        self.about.setVisible(bool(about))  # only now that it has a parent: else it would be a window for a moment

    def say(self, about: str) -> None:
        self.about.setText(about)
        self.about.setVisible(bool(about))

    def show_fault(self, text: str) -> None:
        self.fault.setText(text)
        self.fault.setVisible(bool(text))


class ProfileForm(QWidget):
    """``changed`` after something of the profile was saved, ``said(text)`` a line for the person."""

    changed = Signal()
    said = Signal(str)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._workbench = bridge.workbench
        self.name = ""
        self._profile = ModelProfile()
        self.address = QLineEdit()
        self.address.editingFinished.connect(lambda: self._save("base_url", self.address.text()))
        self.model = ModelLine("Test the connection to see what the server has")
        self.model.editingFinished.connect(lambda: self._save("model", self.model.text()))
        self.sends_key = QCheckBox("This server wants a key")
        self.sends_key.clicked.connect(lambda on: self._save("key", on))
        self.context = QSpinBox()
        as_field(self.context)
        self.context.setRange(0, 10_000_000)
        self.context.setGroupSeparatorShown(True)
        self.context.setSuffix(" tokens")
        self.context.setSpecialValueText("As the connection test finds")
        self.context.setKeyboardTracking(False)
        self.context.valueChanged.connect(lambda number: self._save("context", number))
        self.price_in, self.price_out = QLineEdit(), QLineEdit()
        for name, price in (("price_in", self.price_in), ("price_out", self.price_out)):
            price.setPlaceholderText("As in the price list")
            price.editingFinished.connect(lambda name=name, price=price: self._save(name, price.text().strip() or None))
        self.rows: dict[str, FormRow] = {
            "base_url": FormRow("Address of the server", self.address),
            "model": FormRow("Model", self.model, "For every role that names no other model below."),
            "key": FormRow("Key", self.sends_key),
            "context": FormRow("Context", self.context, CONTEXT),
            "price_in": FormRow("Price of reading", self.price_in, PRICE.format("reads")),
            "price_out": FormRow("Price of writing", self.price_out, PRICE.format("writes")),
        }
        self.key = KeyField(bridge, "Key", "Sent to this server alone; never written to a file or a log.")
        self.key.said.connect(self.said)
        self.key.changed.connect(self.changed)
        more = QWidget()
        inside = QVBoxLayout(more)
        inside.setContentsMargins(22, 4, 0, 4)
        inside.setSpacing(14)
        for name in ("context", "price_in", "price_out"):
            inside.addWidget(self.rows[name])
        self.more = Fold("Context and prices", more)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(14)
        for item in (self.rows["base_url"], self.rows["key"], self.key, self.rows["model"], self.more):
            column.addWidget(item)

    # ------------------------------------------------------------------------------------------------- showing
    def show_profile(self, name: str, profile: ModelProfile) -> None:
        """Show a profile; what is being typed into the one that is shown is left alone."""
        other = name != self.name
        self.name, self._profile = name, profile
        if other:
            self.model.offer(())
            for row in self.rows.values():
                row.show_fault("")
        _set_line(self.address, profile.base_url, force=other)
        _set_line(self.model, profile.model, force=other)
        self.sends_key.setChecked(profile.key)
        self.context.blockSignals(True)
        self.context.setValue(0 if profile.context_found else profile.context)
        self.context.blockSignals(False)
        found = f"The connection test found {counted(profile.context)}." if profile.context_found else ""
        self.rows["context"].say(f"{CONTEXT} {found}".strip())
        _set_line(self.price_in, _price(profile.price_in), force=other)
        _set_line(self.price_out, _price(profile.price_out), force=other)
        self.rows["base_url"].say(hint_of(profile))
        self._show_key()

    def _show_key(self) -> None:
        name, profile, workbench = self.name, self._profile, self._workbench
        self.key.setVisible(profile.key)
        self.key.is_for(
            f"{name} {profile.base_url}",
            lambda: (workbench.key_place(name), workbench.key_note(name)),
            lambda text: workbench.keep_key(name, text),
        )
        if profile.key:
            self.key.reload()

    # -------------------------------------------------------------------------------------------------- saving
    def _save(self, field: str, value: Any) -> None:
        row = self.rows[field]
        value = value.strip() if isinstance(value, str) else value
        data = self._profile.model_dump() | {field: value}
        try:
            profile = ModelProfile.model_validate(data)
        except ValidationError as error:
            row.show_fault(fault_of(error))
            return
        row.show_fault("")
        if profile == self._profile:
            return
        name, workbench = self.name, self._workbench

        def done(_: object) -> None:
            self.said.emit(f"Saved “{name}”.")
            self.changed.emit()

        self._profile = profile
        self._bridge.change(
            lambda: workbench.save_profile(name, {field: value}),
            done,
            lambda error: row.show_fault(error_text(error)[0]),
            what="",
        )


def fault_of(error: ValidationError) -> str:
    """What is wrong, in one sentence."""
    text = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
    text = "a number is wanted here, as 0.15" if "number" in text else text
    return text[:1].upper() + text[1:].rstrip(".") + "."


def _price(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _set_line(line: QLineEdit, text: str, *, force: bool) -> None:
    if force or not (line.hasFocus() and line.isModified()):
        line.setText(text)
