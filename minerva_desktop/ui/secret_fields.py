"""Keys of services: typed once, kept by the system, never shown again."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from minerva_desktop.settings import SECRETS, secret, set_secret
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.widgets import button, error_text, label

TITLES = {"openalex": "OpenAlex key", "semanticscholar": "Semantic Scholar key"}
_KEPT = {
    "keyring": "Kept in the keyring of your system.",
    "environment": "Given by the environment variable {variable}.",
    "memory": "Kept in memory until the program ends: your system has no keyring that answers.",
    "": "No key is kept.",
}


class SecretField(QWidget):
    """One key. ``said(text)`` after it was kept or forgotten."""

    said = Signal(str)

    def __init__(self, bridge: Bridge, name: str) -> None:
        super().__init__()
        self._bridge = bridge
        self.name = name
        self.title = TITLES.get(name, name.capitalize())
        variable, about = SECRETS[name]
        self._variable = variable
        self.editor = QLineEdit()
        self.editor.setEchoMode(QLineEdit.EchoMode.Password)
        self.editor.setAccessibleName(self.title)
        self.editor.setAccessibleDescription(about)
        self.editor.setInputMethodHints(Qt.InputMethodHint.ImhHiddenText | Qt.InputMethodHint.ImhSensitiveData)
        self.editor.setMinimumWidth(240)
        self.editor.setMaximumWidth(420)
        self.editor.setMinimumHeight(round(self.fontMetrics().height() * 1.8))
        self.keep = button("Keep", self._keep)
        self.keep.setEnabled(False)
        self.forget = button("Forget", lambda: self._store(""), tip="Take the key out of where it is kept")
        self.editor.textChanged.connect(lambda text: self.keep.setEnabled(bool(text.strip())))
        self.editor.returnPressed.connect(self._keep)
        self.where = label(kind="muted", wrap=True)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.editor, 1)
        row.addWidget(self.keep)
        row.addWidget(self.forget)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(label(self.title, bold=True))
        column.addLayout(row)
        column.addWidget(label(about, kind="muted", wrap=True))
        column.addWidget(self.where)

    def reload(self) -> None:
        """Where the key is kept. A keyring may take its time to answer."""
        name = self.name
        self._bridge.query(lambda: secret(name)[1], self._show, key=f"secret-{name}")

    def _show(self, kept: str) -> None:
        self.where.setText(_KEPT[kept].format(variable=self._variable))
        self.forget.setVisible(kept in ("keyring", "memory"))
        self.editor.setPlaceholderText("Type a new key to replace it" if kept else "Paste the key")

    def _keep(self) -> None:
        text = self.editor.text().strip()
        if text:
            self._store(text)

    def _store(self, text: str) -> None:
        name = self.name
        self.editor.clear()

        def done(_: str) -> None:
            self.said.emit(f"Kept the {self.title}." if text else f"Forgot the {self.title}.")
            self.reload()

        self._bridge.query(
            lambda: set_secret(name, text), done, lambda error: self.where.setText(" ".join(error_text(error)))
        )


class SecretFields(QWidget):
    """The keys of all services."""

    said = Signal(str)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(18)
        self.fields = {name: SecretField(bridge, name) for name in SECRETS}
        for field in self.fields.values():
            field.said.connect(self.said)
            column.addWidget(field)

    def reload(self) -> None:
        for field in self.fields.values():
            field.reload()
