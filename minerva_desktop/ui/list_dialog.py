"""A dialog in which a person answers one item after the other: a list, what an item stands on, and answers with a key each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.models import RowsModel
from minerva_desktop.ui.tables import Column, FitTable
from minerva_desktop.ui.widgets import StateStack, label


class ListDialog(QDialog):
    """``said`` is the line at the foot. :attr:`later` reloads once it runs out: start it when something has changed."""

    def __init__(self, bridge: Bridge, parent: QWidget, title: str, pause: int) -> None:
        """``pause``: milliseconds of :attr:`later`."""
        super().__init__(parent)
        self._bridge = bridge
        self._done = 0  # answers given here that can be taken back
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.said = label(kind="muted", wrap=True)
        self.detail = QTextBrowser()
        self.detail.setOpenLinks(False)
        self.detail.document().setDocumentMargin(12)
        self.later = QTimer(self)
        self.later.setSingleShot(True)
        self.later.setInterval(pause)

    def build(
        self,
        model: RowsModel,
        name: str,
        columns: Sequence[Column],
        *,
        about: str,
        detail: str,
        picture: str,
        answers: Sequence[QPushButton],
        undo: QPushButton,
        keys: Mapping[str, Callable[[], object]],
        shares: tuple[int, int] = (1, 1),
    ) -> None:
        """Lay it out. ``name`` and ``detail`` say to a screen reader what list and text are; ``shares`` of the height."""
        self.table = FitTable(model, name, columns, several=False)
        self.detail.setAccessibleName(detail)
        self.states = StateStack(self._content(answers, undo, shares), picture)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        foot = QHBoxLayout()
        foot.addWidget(self.said, 1)
        foot.addWidget(buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(10)
        layout.addWidget(label(about, kind="muted", wrap=True))
        layout.addWidget(self.states, 1)
        layout.addLayout(foot)
        for key, action in keys.items():
            QShortcut(QKeySequence(key), self, activated=action)

    def _content(self, answers: Sequence[QPushButton], undo: QPushButton, shares: tuple[int, int]) -> QWidget:
        row = QHBoxLayout()
        row.setContentsMargins(0, 6, 0, 0)
        row.setSpacing(8)
        for made in answers:
            made.setAutoDefault(False)
            row.addWidget(made)
        row.addStretch(1)
        undo.setEnabled(False)
        undo.setAutoDefault(False)
        row.addWidget(undo)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.table)
        split.addWidget(self.detail)
        for index, share in enumerate(shares):
            split.setStretchFactor(index, share)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(split, 1)
        column.addLayout(row)
        return content
