"""The settings as a form: one editor for each field of the settings, saved at once, faults beside the field."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from minerva_desktop.domains import available_domains
from minerva_desktop.settings import GuestSettings, Settings
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.secret_fields import SecretFields
from minerva_desktop.ui.setting_field import AT_NEXT_START, SettingField
from minerva_desktop.ui.widgets import error_text

TITLES = {
    "library": "Library folder",
    "domain": "Domain",
    "gate": "Gate",
    "fusion": "Search ranking",
    "embeddings": "Search by meaning",
    "embedding_model": "Embedding model",
    "max_textbook_level": "Textbook level",
    "read_seconds": "Seconds for a file",
    "read_memory_mb": "Memory for a file, in MB",
    "read_pages": "Pages of a file",
    "ocr_languages": "Languages of scans",
    "offline": "Stay offline",
    "email": "E-mail",
    "results": "Results of each source",
}


class FormPage(QScrollArea):
    """A page of fields that scrolls; ``column`` takes them."""

    def __init__(self, name: str, *, spacing: int = 18) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inner = QWidget()
        inner.setObjectName("answer-body")
        # A row round the column: only so do wrapped texts get the height of the width that they really have.
        row = QHBoxLayout(inner)
        row.setContentsMargins(0, 0, 0, 0)
        fields = QWidget()
        fields.setMaximumWidth(720)
        row.addWidget(fields, 100)
        row.addStretch(1)
        self.column = QVBoxLayout(fields)
        self.column.setContentsMargins(0, 6, 12, 12)
        self.column.setSpacing(spacing)
        self.setWidget(inner)


class SettingsForm(FormPage):
    """``said(text)`` after a setting was saved."""

    said = Signal(str)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__("Settings")
        self.bridge = bridge
        self.workbench = bridge.workbench
        self.fields: dict[str, SettingField] = {}
        for name, info in Settings.model_fields.items():
            if name in GuestSettings.model_fields or name == "welcome_seen":  # models have a page of their own
                continue
            choices = [(item, item) for item in available_domains()] if name == "domain" else ()
            field = SettingField(name, info, self._save, title=TITLES.get(name, ""), choices=choices)
            self.fields[name] = field
            self.column.addWidget(field)
        self.secrets = SecretFields(bridge)
        self.secrets.said.connect(self.said)
        self.column.addWidget(self.secrets)
        self.column.addStretch(1)
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
