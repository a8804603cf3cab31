"""Keeping a library in order: duplicates, retractions, the history of jobs, rebuilding and checking."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from minerva_desktop.library import AuditReport
from minerva_desktop.ui.audit_dialog import AuditDialog
from minerva_desktop.ui.bridge import Bridge, Job
from minerva_desktop.ui.dialogs import show_error
from minerva_desktop.ui.duplicates_dialog import DuplicatesDialog
from minerva_desktop.ui.guest_runs import GuestRuns
from minerva_desktop.ui.job_history import JobHistory

_RESUMED = ", resumed"


class Upkeep(QObject):
    """``notice(text, undoable)`` says a line; ``job_ended(job)`` after a job that took papers in."""

    notice = Signal(str, bool)
    job_ended = Signal(object)

    def __init__(self, bridge: Bridge, owner: QWidget, runs: GuestRuns) -> None:
        super().__init__(owner)
        self._runs = runs
        self._bridge = bridge
        self._owner = owner

    def show_duplicates(self) -> None:
        """Show the papers that look like one work."""
        DuplicatesDialog(self._bridge, self._owner.window()).open()

    def choose_gold(self) -> None:
        """Ask for a file, then write the gold set."""
        dialog = QFileDialog(self._owner.window(), "Export Gold Set")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(["JSON Lines (*.jsonl)"])
        dialog.setDefaultSuffix("jsonl")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.selectFile("gold-set.jsonl")
        dialog.fileSelected.connect(lambda name: self.export_gold(Path(name)))
        dialog.open()

    def export_gold(self, file: Path) -> None:
        """Write every decision with what was read and where."""
        workbench = self._bridge.workbench

        def done(lines: int) -> None:
            many = "one fact that you decided on" if lines == 1 else f"{lines} facts that you decided on"
            self.notice.emit(f"Wrote {many} to {file.name}.", False)

        self._bridge.query(
            lambda: workbench.export_gold(file),
            done,
            lambda error: show_error(self._owner, "export the gold set", error),
        )

    def split(self, paper: str) -> None:
        """Make a version a paper of its own."""
        workbench = self._bridge.workbench
        self._bridge.change(
            lambda: workbench.split_paper(paper),
            lambda change: self.notice.emit(f"{change.label}.", True),
            what="make the version a paper of its own",
        )

    def show_jobs(self) -> None:
        """Show every job of the library."""
        dialog = JobHistory(self._bridge, self._owner.window())
        dialog.resume_wanted.connect(self._resume_or_ask)
        dialog.open()

    def _resume_or_ask(self, job: str, title: str, engine: str) -> None:
        """Go on with a job; what a model would take of it is shown first."""
        workbench = self._bridge.workbench
        if engine == "builtin":
            self.resume(job, title, engine)
            return
        self._runs.begin(
            f"Go on with “{title}”",
            lambda *_: workbench.estimate_resume(job),
            lambda chosen: self.resume(job, title, chosen),
        )

    def resume(self, job: str, title: str, engine: str = "auto") -> Job:
        """Go on with a job that was broken off: "auto" with the engine that it was begun with."""
        workbench = self._bridge.workbench
        return self._bridge.start_job(
            title if title.endswith(_RESUMED) else f"{title}{_RESUMED}",
            lambda progress, cancel: workbench.resume(job, engine=engine, progress=progress, cancel=cancel),
            self.job_ended.emit,
        )

    def ask_notices(self) -> Job:
        """Ask which papers were retracted or corrected."""
        workbench = self._bridge.workbench

        def done(job: Job) -> None:
            if job.state == "done":
                many = f"{job.result} papers" if job.result != 1 else "One paper"
                self.notice.emit(f"{many} got a new notice." if job.result else "There is no new notice.", False)

        return self._bridge.start_job(
            "Asking for retractions and corrections",
            lambda progress, cancel: len(workbench.refresh_notices(progress=progress, cancel=cancel)),
            done,
        )

    def rebuild(self) -> Job:
        """Make graph and search index anew."""
        workbench = self._bridge.workbench
        return self._bridge.start_job(
            "Rebuilding graph and index", lambda progress, cancel: workbench.rebuild(progress=progress, cancel=cancel)
        )

    def audit(self) -> None:
        """Hold record, graph, index and files against each other, and show what was found."""
        self._bridge.query(self._bridge.workbench.audit, self._show_audit, key="audit")

    def look_after_a_crash(self) -> None:
        """After a program that did not end cleanly: check quietly, and speak only when something is wrong."""

        def done(report: AuditReport) -> None:
            if not report.ok:
                self._show_audit(report)

        if self._bridge.workbench.library.unclean:
            self._bridge.query(self._bridge.workbench.audit, done, key="audit")

    def _show_audit(self, report: AuditReport) -> None:
        AuditDialog(self._bridge, self._owner.window(), report).open()
