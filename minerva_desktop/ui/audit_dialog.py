"""The library check: each invariant with its figure, what is wrong by name, and a repair for what can be made anew."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHeaderView, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from minerva_desktop.library import AuditCheck, AuditReport
from minerva_desktop.ui.bridge import Bridge, Job
from minerva_desktop.ui.theme import tokens
from minerva_desktop.ui.widgets import button, error_text, label


class AuditDialog(QDialog):
    """Shows a report, and the next one after a repair."""

    def __init__(self, bridge: Bridge, parent: QWidget, report: AuditReport) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.report = report
        self.setWindowTitle("Library Check")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.text = label(kind="muted", wrap=True)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("What was checked")
        self.tree.setHeaderLabels(["Check", "Result", "Found"])
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.repair_button = button(
            "Repair", self.repair, kind="primary", tip="Make anew what follows from the record and does not fit it"
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.repair_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(self.text)
        layout.addWidget(self.tree, 1)
        layout.addWidget(buttons)
        self.resize(820, 600)
        self.show_report(report)

    def show_report(self, report: AuditReport) -> None:
        """What was found; what is wrong comes first and is open."""
        self.report = report
        self.tree.clear()
        for check in sorted(report.checks, key=lambda item: (item.ok, not item.critical)):
            line = _line(check)
            self.tree.addTopLevelItem(line)
            line.setExpanded(not check.ok)
            for child in (line.child(number) for number in range(line.childCount())):
                child.setFirstColumnSpanned(True)
        self.text.setText(_summary(report))
        self.repair_button.setVisible(any(check.mends and not check.ok for check in report.checks))
        self.repair_button.setEnabled(True)

    def repair(self) -> None:
        """Make anew what can be made anew."""
        self.repair_button.setEnabled(False)
        self.text.setText("Repairing…")
        workbench = self._bridge.workbench
        self._bridge.start_job("Repairing the library", lambda *_: workbench.audit(repair=True), self._repaired)

    def _repaired(self, job: Job) -> None:
        if job.error is not None:
            self.text.setText(" ".join(error_text(job.error)))
        elif isinstance(job.result, AuditReport):
            self.show_report(job.result)


def _line(check: AuditCheck) -> QTreeWidgetItem:
    theme = tokens()
    word, color = ("✓ in order", theme.accepted) if check.ok else ("✗ wrong", theme.refused)
    if not check.ok and not check.critical:
        word, color = "! worth a look", theme.waiting
    found = f"{check.looked_at:,}".replace(",", "\u2009") if check.ok else f"{check.wrong} of {check.looked_at}"
    line = QTreeWidgetItem([check.name[:1].upper() + check.name[1:], word, found])
    line.setForeground(1, QBrush(color))
    line.setToolTip(0, check.message)
    if not check.ok:
        line.addChild(QTreeWidgetItem([check.message]))
        for sample in check.samples:
            child = QTreeWidgetItem([f"{sample.name or sample.id}: {sample.problem}".removeprefix(": ")])
            child.setToolTip(0, str(sample))
            line.addChild(child)
        if check.wrong > len(check.samples):
            line.addChild(QTreeWidgetItem([f"… and {check.wrong - len(check.samples)} more"]))
    return line


def _summary(report: AuditReport) -> str:
    wrong = sum(not check.ok for check in report.checks)
    parts = list(report.repaired)
    if not wrong:
        parts.append("Record, graph, search index and files agree.")
    elif report.ok:
        parts.append("The library is in order; something is worth a look.")
    else:
        parts.append(f"{wrong} of {len(report.checks)} checks do not hold.")
    if report.left:
        parts.append("What is left cannot be made anew; under each stands what to do.")
    return " ".join([*parts, *report.notes])
