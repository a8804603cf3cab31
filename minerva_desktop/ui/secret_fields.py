"""Keys of services: typed once, kept by the system, never shown again."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from minerva_desktop.settings import SECRETS, secret, set_secret
from minerva_desktop.settings.secrets import complaint
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.widgets import button, error_text, label

TITLES = {"openalex": "OpenAlex key", "semanticscholar": "Semantic Scholar key"}
_KEPT = {
    "keyring": "Kept in the keyring of your system",
    "environment": "Given by the environment variable {variable}",
    "memory": "Kept in memory until the program ends",
    "": "No key is kept",
}


class KeyField(QWidget):
    """One key. ``said(text)`` after it was kept or forgotten, ``changed`` when what is kept may be another.

    ``find`` says where the key is kept ("keyring", "environment", "memory", "") and the sentence for it, ``store`` keeps a
    new one; both may take their time and run off the window's thread.
    """

    said = Signal(str)
    changed = Signal()

    def __init__(self, bridge: Bridge, title: str, about: str) -> None:
        super().__init__()
        self._bridge = bridge
        self.title = title
        self.kept = ""
        self._what = ""
        self._find: Callable[[], tuple[str, str]] | None = None
        self._put: Callable[[str], object] | None = None
        self.editor = QLineEdit()
        self.editor.setEchoMode(QLineEdit.EchoMode.Password)
        self.editor.setAccessibleName(title)
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
        column.addWidget(label(title, bold=True))
        column.addLayout(row)
        self.about = label(about, kind="muted", wrap=True)
        column.addWidget(self.about)
        column.addWidget(self.where)

    def is_for(self, what: str, find: Callable[[], tuple[str, str]], store: Callable[[str], object]) -> None:
        """The key of which service or server it is."""
        if what != self._what:
            self.editor.clear()
            self.where.setText("")
            self.forget.hide()
        self._what, self._find, self._put = what, find, store

    def reload(self) -> None:
        """Where the key is kept. A keyring may take its time to answer."""
        if self._find is not None:
            self._bridge.query(self._find, self._show, self._failed, key=f"secret-{self.title}")

    def _show(self, found: tuple[str, str]) -> None:
        kept, note = found
        self.kept = kept
        self.where.setText(note)
        self.forget.setVisible(kept in ("keyring", "memory"))
        self.editor.setPlaceholderText("Type a new key to replace it" if kept else "Paste the key")

    def _failed(self, error: Exception) -> None:
        self.where.setText(" ".join(error_text(error)))

    def _keep(self) -> None:
        text = self.editor.text().strip()
        if text:
            self._store(text)

    def _store(self, text: str) -> None:
        put = self._put
        self.editor.clear()
        if put is None:
            return

        def done(_: object) -> None:
            self.said.emit(f"Kept the {self.title}." if text else f"Forgot the {self.title}.")
            self.reload()
            self.changed.emit()

        self._bridge.query(lambda: put(text), done, self._failed)


class SecretField(KeyField):
    """The key of a service on the web."""

    def __init__(self, bridge: Bridge, name: str) -> None:
        variable, about = SECRETS[name]
        super().__init__(bridge, TITLES.get(name, name.capitalize()), about)
        self.is_for(name, lambda: _where(name, variable), lambda text: set_secret(name, text))


def _where(name: str, variable: str) -> tuple[str, str]:
    """Where a key is kept, and that in a sentence with what the keyring had against it."""
    kept = secret(name)[1]
    note = _KEPT[kept].format(variable=variable)
    why = complaint(name)
    return kept, f"{note}: {why}." if why else f"{note}."


class SecretFields(QWidget):
    """The keys of all services."""

    said = Signal(str)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(18)
        self.fields = {name: SecretField(bridge, name) for name in SECRETS if name in TITLES}
        for field in self.fields.values():
            field.said.connect(self.said)
            column.addWidget(field)

    def reload(self) -> None:
        for field in self.fields.values():
            field.reload()
