"""Long work as the person sees it: a bar, a line for each file, and a way to stop."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QProgressBar,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

from minerva_desktop.events import Progress
from minerva_desktop.records import IngestReport
from minerva_desktop.ui.bridge import Bridge, Job
from minerva_desktop.ui.models import announce
from minerva_desktop.ui.theme import tokens
from minerva_desktop.ui.widgets import button, error_text, label

STAGES = {
    "arrive": "waiting its turn",
    "read": "reading",
    "extract": "finding facts",
    "check": "checking facts",
    "write": "storing",
    "index": "indexing for search",
}
NOT_READ = frozenset({"no text layer", "encrypted", "damaged", "empty", "unsupported", "failed"})


class JobsView(QFrame):
    """The running job and, when it has ended, what came of each file."""

    password_wanted = Signal(str)
    recognition_wanted = Signal(list)

    def __init__(self, bridge: Bridge, *, kind: str | None = None) -> None:
        """``kind``: shows only jobs of this kind; all when it is ``None``."""
        super().__init__()
        self.setProperty("kind", "card")
        self._bridge = bridge
        self._kind = kind
        self._job: Job | None = None
        self._rows: dict[str, QTreeWidgetItem] = {}
        self._title = label(bold=True)
        self._count = label(kind="muted", wrap=True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress of the job")
        self.stop = button("Stop", self._stop, tip="Stop at the next safe point; what is finished is kept")
        self.close_button = button("Close", self.hide)
        self.password = button("Enter Password…", self._ask_password)
        self.recognise = button("Recognise Text…", self._ask_recognition)
        self.list = QTreeWidget()
        self.list.setAccessibleName("Files of the job")
        self.list.setHeaderHidden(True)
        self.list.setColumnCount(3)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setProperty("kind", "bare")
        header = self.list.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        wide = self.list.fontMetrics().averageCharWidth()
        self.list.setColumnWidth(0, wide * 44)
        self.list.setColumnWidth(1, wide * 20)
        self.list.currentItemChanged.connect(lambda *_: self._show_password())
        self.reason = label(kind="muted", wrap=True)
        self.reason.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)  # a command to copy, often
        self._lay_out()
        bridge.job_changed.connect(self._on_job)
        bridge.job_progress.connect(self._on_progress)
        self.hide()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(10)
        top.addWidget(self._title)
        top.addWidget(self._count, 1)
        for item in (self.password, self.recognise, self.stop, self.close_button):
            top.addWidget(item)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 10, 10)
        layout.setSpacing(8)
        layout.addLayout(top)
        layout.addWidget(self.bar)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.reason)

    # ------------------------------------------------------------------------------------------------ running
    def _on_job(self, job: Job) -> None:
        if self._kind is not None and job.kind != self._kind:
            return
        if job.state == "queued" and self._job is not None and self._job.state == "running":
            return  # it shows itself when its turn comes
        if job.state in ("queued", "running"):
            if self._job is not job:
                self._begin(job)
            return
        if job is self._job:
            self._end(job)

    def _begin(self, job: Job) -> None:
        self._job = job
        self._rows.clear()
        self.list.clear()
        self._title.setText(job.title)
        self._count.setText("")
        self.bar.setRange(0, 0)
        self.bar.show()
        self.stop.setEnabled(True)
        self.stop.setText("Stop")
        self.stop.show()
        self.close_button.hide()
        self.password.hide()
        self.recognise.hide()
        self.reason.hide()
        self._size_list()
        self.show()

    def _on_progress(self, job: Job, batch: Sequence[Progress]) -> None:
        if job is not self._job:
            return
        for progress in batch:
            self._take(progress, job.kind)

    def _take(self, progress: Progress, job_kind: str) -> None:
        if progress.total:
            self.bar.setRange(0, progress.total)
            self.bar.setValue(progress.done)
            self._count.setText(f"{progress.done} of {progress.total} {progress.unit}")
        fetching = progress.stage == "arrive" and job_kind == "find"  # from the web: the file is on its way
        stage = "fetching" if fetching else STAGES.get(progress.stage, progress.stage)
        if not progress.item:
            self._count.setText(progress.message or stage)
            return
        row = self._row(progress.item)
        if progress.status:
            self._finish_row(row, progress.status, progress.message)
        elif not row.data(1, Qt.ItemDataRole.UserRole):
            row.setText(1, stage)
            row.setText(2, progress.message)

    def _row(self, name: str) -> QTreeWidgetItem:
        row = self._rows.get(name)
        if row is None:
            row = self._rows[name] = QTreeWidgetItem([PurePath(name).name, "", ""])
            row.setToolTip(0, name)
            row.setData(0, Qt.ItemDataRole.UserRole, name)
            row.setForeground(2, QBrush(tokens().muted))
            self.list.addTopLevelItem(row)
            self._size_list()
            if not self.list.hasFocus():
                self.list.scrollToItem(row)
        return row

    def _finish_row(self, row: QTreeWidgetItem, status: str, reason: str) -> None:
        row.setText(1, status)
        row.setData(1, Qt.ItemDataRole.UserRole, status)
        row.setForeground(1, QBrush(tokens().status(status)))
        row.setText(2, reason)
        row.setToolTip(2, reason)

    def _size_list(self) -> None:
        rows = min(max(self.list.topLevelItemCount(), 1), 6)
        height = round(self.list.fontMetrics().height() + 12)
        self.list.setFixedHeight(rows * height + 4)

    # ------------------------------------------------------------------------------------------------ the end
    def _end(self, job: Job) -> None:
        self.bar.hide()
        self.stop.hide()
        self.close_button.show()
        if job.error is not None:
            self._title.setText(f"{job.title}: failed")
            self._count.setText(" ".join(error_text(job.error)))
            for row in self._unfinished():
                self._finish_row(row, "not read", "")
        else:
            self._show_report(job)
        announce(f"{self._title.text()} {self._count.text()}")
        self._show_password()

    def _unfinished(self) -> list[QTreeWidgetItem]:
        return [row for row in self._rows.values() if not row.data(1, Qt.ItemDataRole.UserRole)]

    def _show_report(self, job: Job) -> None:
        by_model = job.result.stopped if isinstance(job.result, IngestReport) else None
        stopped = job.state == "cancelled" or by_model is not None
        report = job.result
        others = job.result if isinstance(job.result, list) else []
        for item in others:
            self._finish_row(self._row(item["file"]), item["status"], item.get("reason", ""))
        papers = report.papers if isinstance(report, IngestReport) else ()
        for paper in papers:
            row = self._row(paper.file)
            facts = _many(paper.accepted + paper.waiting, "fact")
            detail = f"{facts}: {paper.accepted} accepted, {paper.waiting} waiting"
            self._finish_row(row, paper.status, paper.reason or detail)
        for row in self._unfinished():
            self._finish_row(row, "not read" if stopped else "done", "")
        waiting = sum(paper.waiting for paper in papers if paper.status != "duplicate")
        statuses = [*(paper.status for paper in papers), *(item["status"] for item in others)]
        unread = sum(status in NOT_READ for status in statuses)
        parts = [_many(len(papers), "file")] if papers else []
        parts += [f"{unread} not read"] if unread and len(papers) > 1 else []
        parts += [f"{_many(waiting, 'fact')} waiting for review"] if len(papers) > unread else []
        said = ", ".join(parts)
        ended = "nothing could be read" if unread and unread == len(statuses) else "done"
        self._title.setText(f"{job.title}: {'stopped, what was finished is kept' if stopped else ended}")
        self._count.setText(" ".join(part for part in (by_model.message if by_model else "", said) if part))

    def _show_password(self) -> None:
        self.password.setVisible(bool(self._encrypted()) and not self.stop.isVisible())
        self._show_reason()
        self.recognise.setVisible(bool(self._with_status("no text layer")) and not self.stop.isVisible())

    def _show_reason(self) -> None:
        """Under the list, whole: why the chosen file, else the first of those that were not read, was not read."""
        current = self.list.currentItem()
        rows = [*([current] if current is not None else []), *self._rows.values()]
        told = [row for row in rows if row.data(1, Qt.ItemDataRole.UserRole) in NOT_READ and row.text(2)]
        one = len(self._rows) == 1
        self.reason.setText((told[0].text(2) if one else f"{told[0].text(0)}: {told[0].text(2)}") if told else "")
        self.reason.setVisible(bool(told) and not self.stop.isVisible())

    def _with_status(self, status: str) -> list[str]:
        return [name for name, row in self._rows.items() if row.data(1, Qt.ItemDataRole.UserRole) == status]

    def _encrypted(self) -> list[str]:
        role = Qt.ItemDataRole.UserRole
        names = self._with_status("encrypted")
        current = self.list.currentItem()
        if current is not None and current.data(0, role) in names:
            return [current.data(0, role)]
        return names

    def _ask_password(self) -> None:
        names = self._encrypted()
        if names:
            self.password_wanted.emit(names[0])

    def _ask_recognition(self) -> None:
        self.recognition_wanted.emit(self._with_status("no text layer"))

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel.cancel()
            self.stop.setEnabled(False)
            self.stop.setText("Stopping…")


def _many(count: int, word: str) -> str:
    return f"{count} {word}{'s' if count != 1 else ''}"
