"""Paste a list of references, and the works that it names are looked up."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from minerva_desktop.ui.widgets import label


class LookUpDialog(QDialog):
    """``wanted(text)`` with what was pasted."""

    wanted = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Look Up References")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("References")
        self.text.setPlaceholderText(
            "10.1038/35065039\narXiv:cond-mat/0102216\nPMID: 11242039\n[4] J. Nagamatsu et al., …"
        )
        self.text.setTabChangesFocus(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.look_up = buttons.addButton("Look Up", QDialogButtonBox.ButtonRole.AcceptRole)
        self.look_up.setProperty("kind", "primary")
        self.look_up.setDefault(True)
        self.look_up.setEnabled(False)
        self.text.textChanged.connect(lambda: self.look_up.setEnabled(bool(self.text.toPlainText().strip())))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(
            label(
                "Paste references as they stand in a paper, or DOIs, arXiv identifiers, PubMed numbers and addresses, "
                "one or more lines each. What cannot be found is listed with the reason.",
                kind="muted",
                wrap=True,
            )
        )
        layout.addWidget(self.text, 1)
        layout.addWidget(buttons)
        self.resize(620, 420)

    def accept(self) -> None:
        text = self.text.toPlainText().strip()
        super().accept()
        if text:
            self.wanted.emit(text)
