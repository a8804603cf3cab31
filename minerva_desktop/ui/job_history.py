"""Every job of the library, with what came of each paper, and ways to take up one that was broken off."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHeaderView, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.theme import tokens
from minerva_desktop.ui.widgets import StateStack, button, label

KINDS = {
    "ingest": "Added papers",
    "search": "Took works in from the web",
    "import": "Imported a bibliography",
    "reextract": "Read papers again",
    "questions": "Asked a question set",
}
_UNFINISHED = frozenset({"interrupted", "cancelled", "failed", "stopped"})


class JobHistory(QDialog):
    """``resume_wanted(job id, title, engine)`` when a job that was broken off is to go on."""

    resume_wanted = Signal(str, str, str)

    def __init__(self, bridge: Bridge, parent: QWidget) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.setWindowTitle("Job History")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Jobs and their papers")
        self.tree.setHeaderLabels(["What", "When", "Status", "Done"])
        self.tree.setUniformRowHeights(True)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2, 3):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.currentItemChanged.connect(lambda *_: self._show_button())
        self.reason = label(kind="muted", wrap=True)
        self.resume = button(
            "Resume", self._resume, kind="primary", tip="Go on with the papers that have no result yet"
        )
        self.resume.setEnabled(False)
        self.without = button(
            "Resume with the Built-in Engine", lambda: self._resume("builtin"), tip="Go on without the language model"
        )
        self.without.hide()
        self.states = StateStack(self.tree, "library")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        for item in (self.without, self.resume):
            buttons.addButton(item, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(
            label("What was taken in, newest first. Open a job to see each paper.", kind="muted", wrap=True)
        )
        layout.addWidget(self.states, 1)
        layout.addWidget(self.reason)
        layout.addWidget(buttons)
        self.resize(760, 560)
        workbench = bridge.workbench
        bridge.query(workbench.jobs, self._show, lambda error: self.states.show_error(error), key="job-history")

    def _show(self, jobs: list[dict[str, Any]]) -> None:
        running = {job.state for job in self._bridge.jobs}
        for job in jobs:
            pending = sum(item["status"] == "pending" for item in job["items"])
            when = str(job["created"]).replace("T", " ")[:16]
            title = KINDS.get(job["kind"], str(job["kind"]))
            line = QTreeWidgetItem([title, when, str(job["status"]), f"{job['done']} of {job['total']}"])
            line.setForeground(2, QBrush(tokens().status(str(job["status"]))))
            broken = pending and job["status"] in _UNFINISHED and not running
            line.setData(0, Qt.ItemDataRole.UserRole, str(job["id"]) if broken else "")
            stopped = str((job.get("outcome") or {}).get("stopped", {}).get("message", ""))
            left = f"{pending} papers have no result yet." if pending != 1 else "One paper has no result yet."
            line.setData(1, Qt.ItemDataRole.UserRole, f"{stopped} {left}".strip() if broken else stopped)
            line.setData(2, Qt.ItemDataRole.UserRole, bool(broken and by_model(job)))
            line.setData(3, Qt.ItemDataRole.UserRole, engine_of(job))
            for item in job["items"]:
                line.addChild(_paper_line(item))
            self.tree.addTopLevelItem(line)
        if jobs:
            self.states.show_content()
            self.tree.setCurrentItem(self.tree.topLevelItem(0))
        else:
            self.states.show_empty("No job yet", "What you add, import or take in from the web is listed here.")

    def _show_button(self) -> None:
        item = self.tree.currentItem()
        self.resume.setEnabled(bool(item is not None and item.data(0, Qt.ItemDataRole.UserRole)))
        self.without.setVisible(bool(item is not None and item.data(2, Qt.ItemDataRole.UserRole)))
        self.reason.setText(str(item.data(1, Qt.ItemDataRole.UserRole) or "") if item is not None else "")

    def _resume(self, engine: str = "") -> None:
        item = self.tree.currentItem()
        job = str(item.data(0, Qt.ItemDataRole.UserRole) or "") if item is not None else ""
        if job:
            self.resume_wanted.emit(job, item.text(0), engine or item.data(3, Qt.ItemDataRole.UserRole))
            self.close()


def engine_of(job: dict[str, Any]) -> str:
    """The engine that was named for a job: "builtin", "model", or "auto" when none was."""
    return str((job.get("settings") or {}).get("engine", "auto"))


def by_model(job: dict[str, Any]) -> bool:
    """Whether a language model took part in a job, or was to."""
    return engine_of(job) == "model" or bool((job.get("outcome") or {}).get("stopped"))


def _paper_line(item: dict[str, Any]) -> QTreeWidgetItem:
    report = item.get("report") or {}
    line = QTreeWidgetItem([PurePath(str(item["name"])).name, "", str(item["status"]), ""])
    line.setToolTip(0, str(item["name"]))
    line.setForeground(2, QBrush(tokens().status(str(item["status"]))))
    line.setData(1, Qt.ItemDataRole.UserRole, str(report.get("reason", "")))
    return line
