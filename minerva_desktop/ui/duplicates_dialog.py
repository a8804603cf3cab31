"""Papers that are likely one work: which of them to keep as the main one, merge, and undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.records import ChangeSet, Paper
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.widgets import button, label


class DuplicatesDialog(QDialog):
    """The groups of papers that look like one work. Merging changes no file and no fact; it can be undone."""

    def __init__(self, bridge: Bridge, parent: QWidget) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.setWindowTitle("Likely Duplicates")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.groups: list[DuplicateGroup] = []
        self.said = label(kind="muted", wrap=True)
        self._merged = 0
        inner = QWidget()
        inner.setObjectName("answer-body")
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, 0, 8, 0)
        self._column.setSpacing(12)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setAccessibleName("Groups of papers")
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        self.undo = button("Undo Merge", self._undo)
        self.undo.setEnabled(False)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.undo, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.close)
        about = (
            "Versions of one work are listed under the paper that you keep, and count as one voice when facts are "
            "weighed. No file and no fact is lost."
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(label(about, kind="muted", wrap=True))
        layout.addWidget(area, 1)
        layout.addWidget(self.said)
        layout.addWidget(buttons)
        self.resize(700, 520)
        self.reload()

    def reload(self) -> None:
        """Look for likely duplicates anew."""
        workbench = self._bridge.workbench
        self._bridge.query(
            lambda: (workbench.duplicates(), {paper.id: paper for paper in workbench.papers()}),
            lambda found: self._show(*found),
            key="duplicates-dialog",
        )

    def _show(self, suggestions: Sequence[Any], papers: Mapping[str, Paper]) -> None:
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.groups = []
        for suggestion in suggestions:
            group = DuplicateGroup(suggestion, [papers[one] for one in suggestion.ids if one in papers])
            group.merge.clicked.connect(lambda _=False, group=group: self._merge(group))
            self.groups.append(group)
            self._column.addWidget(group)
        if not self.groups:
            self._column.addWidget(label("No two papers look like one work.", kind="muted"))
        self._column.addStretch(1)

    def _merge(self, group: DuplicateGroup) -> None:
        keep, others = group.choice()
        workbench = self._bridge.workbench

        def done(change: ChangeSet) -> None:
            self._merged += 1
            self.said.setText(f"{change.label}." if change.label else "They are versions of one work already.")
            self.undo.setEnabled(True)
            self.reload()

        self._bridge.change(lambda: workbench.merge_papers(keep, others), done, what="merge the papers")

    def _undo(self) -> None:
        workbench = self._bridge.workbench

        def done(change: ChangeSet) -> None:
            self._merged -= 1
            self.said.setText(f"Taken back: {change.label}.")
            self.undo.setEnabled(self._merged > 0)
            self.reload()

        self._bridge.change(workbench.undo, done, what="undo the merge")


class DuplicateGroup(QFrame):
    """One group: the reason, which paper to keep, and the button that merges."""

    def __init__(self, suggestion: Any, papers: Sequence[Paper]) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.papers = list(papers)
        sure = "One work" if suggestion.sure else "Perhaps one work"
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(6)
        layout.addWidget(label(sure, bold=True))
        layout.addWidget(label(suggestion.reason, kind="muted", wrap=True))
        self._group = QButtonGroup(self)
        self.choices: list[QRadioButton] = []
        best = max(range(len(self.papers)), key=lambda n: _worth(self.papers[n]), default=0)
        for number, paper in enumerate(self.papers):
            choice = QRadioButton((paper.title or paper.file_name).replace("&", "&&"))
            choice.setChecked(number == best)
            choice.setAccessibleDescription(_about(paper))
            self._group.addButton(choice, number)
            self.choices.append(choice)
            layout.addWidget(choice)
            line = label(_about(paper), kind="muted", wrap=True)
            line.setIndent(22)
            layout.addWidget(line)
        self.merge = button("Merge, Keep the Chosen One", kind="")
        row = QHBoxLayout()
        row.addWidget(self.merge)
        row.addStretch(1)
        layout.addLayout(row)

    def choice(self) -> tuple[str, list[str]]:
        """(id of the paper to keep, ids of the others)."""
        kept = max(0, self._group.checkedId())
        return self.papers[kept].id, [paper.id for number, paper in enumerate(self.papers) if number != kept]


def _worth(paper: Paper) -> tuple[bool, bool, bool, int]:
    """The paper that is best kept: whole, published, still standing, the longest."""
    return paper.extent == "full", not paper.withdrawn, bool(paper.doi), paper.pages


def _about(paper: Paper) -> str:
    pages = f"{paper.pages} pages" if paper.pages > 1 else "1 page" if paper.pages else ""
    extent = "abstract only" if paper.extent == "abstract" else ""
    standing = "retracted" if paper.withdrawn else ""
    bits = (str(paper.year or ""), paper.venue, paper.doi or paper.arxiv_id, pages, extent, standing, paper.file_name)
    return " · ".join(bit for bit in bits if bit)
