"""Jobs that a language model takes part in: what they would cost is shown before, and what to do when it stops them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, QSettings, QTimer, Signal
from PySide6.QtWidgets import QWidget

from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken, Progress, ProgressSink
from minerva_desktop.records import IngestReport, ModelSpending, Stopped
from minerva_desktop.records.guests import Estimate
from minerva_desktop.ui.bridge import Bridge, Job
from minerva_desktop.ui.guest_dialogs import EstimateDialog, StoppedDialog
from minerva_desktop.ui.guest_limits import ask_above
from minerva_desktop.ui.guest_state import READING, model_in_use

PATIENCE = 1_500
"""Milliseconds for which an estimate may take before the person sees that one is made."""
_COMMAND = re.compile(r"Go on with [^:]*: “jobs resume [^”]*”\.")
"""The sentence of the command line, for which the window has a button."""
Start = Callable[[str], Any]
MakeEstimate = Callable[[ProgressSink, CancelToken], Estimate]


class GuestRuns(QObject):
    """``go_on(job id, title, engine)`` when the rest of a stopped job is to be read."""

    go_on = Signal(str, str, str)

    def __init__(self, bridge: Bridge, memory: QSettings, window: QWidget) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._memory = memory
        self._window = window
        self.asking: EstimateDialog | None = None
        self.stopped: StoppedDialog | None = None
        bridge.job_changed.connect(self._on_job)

    # ------------------------------------------------------------------------------------------ before it begins
    def begin(
        self, title: str, estimate: MakeEstimate, start: Start, given_up: Callable[[], None] | None = None
    ) -> Any:
        """Start a job: at once when no model reads, else after its estimate was shown or is small enough.

        ``title`` says what, as "Read 3 papers"; ``start`` gets the engine. Returns what ``start`` gives when it was called
        at once, else None.
        """
        model = model_in_use(self._bridge.workbench, *READING)
        if not model:
            return start("auto")
        _Asking(self, title, model, estimate, start, given_up or (lambda: None))
        return None

    # ---------------------------------------------------------------------------------------------- when it stops
    def _on_job(self, job: Job) -> None:
        report = job.result
        if job.state != "done" or not isinstance(report, IngestReport) or report.stopped is None:
            return
        self.show_stopped(job.title, report.job, report.stopped, len(report.papers))

    def show_stopped(self, title: str, job: str, stopped: Stopped, read: int) -> StoppedDialog:
        """Say why a job ended, once, and offer to go on."""
        many = f"{read} papers were" if read != 1 else "One paper was"
        left = f"{many} read before and kept. The others wait." if read else "Nothing was read yet; the papers wait."
        plain = replace(stopped, hint=_COMMAND.sub("", stopped.hint).strip())
        dialog = self.stopped = StoppedDialog(title, plain, left, self._window)
        dialog.chosen.connect(lambda engine: self.go_on.emit(job, title.split(":")[0], engine))
        dialog.finished.connect(self._forget_stopped)
        dialog.open()
        return dialog

    def _forget_stopped(self) -> None:
        self.stopped = None


class _Asking(QObject):
    """One job that waits for its estimate and for the person."""

    def __init__(
        self,
        runs: GuestRuns,
        title: str,
        model: str,
        estimate: MakeEstimate,
        start: Start,
        given_up: Callable[[], None],
    ) -> None:
        super().__init__(runs)
        self._runs = runs
        self._start = start
        self._given_up = given_up
        self._cancel = CancelToken()
        workbench = runs._bridge.workbench
        self._below = ask_above(runs._memory)
        self._dialog = EstimateDialog(f"{title} with {model}?", model, runs._memory, runs._window)
        self._dialog.chosen.connect(self._chosen)
        self._dialog.rejected.connect(self._leave)
        runs.asking = self._dialog
        cancel = self._cancel
        runs._bridge.query(
            lambda: (estimate(self._tell, cancel), workbench.model_spending()), self._show, self._failed, cancel=cancel
        )
        if self._below:  # most jobs will not be shown: a window that opens and closes by itself only disturbs
            QTimer.singleShot(PATIENCE, self, self._open)
        else:
            self._open()

    def _open(self) -> None:
        if not self._dialog.isVisible() and not self._cancel.cancelled:
            self._dialog.open()

    def _tell(self, step: Progress) -> None:
        """How far the estimate is; called in another thread."""
        if step.total:
            self._runs._bridge.post(lambda: None if self._cancel.cancelled else self._dialog.show_progress(step))

    def _show(self, found: tuple[Estimate, ModelSpending]) -> None:
        estimate, spent = found
        if self._cancel.cancelled:
            return
        if not estimate.calls and not estimate.warning:  # nothing of it is new
            self._end()
            self._start("auto")
            return
        small = estimate.calls and estimate.dollars is not None and estimate.dollars < self._below
        if small and not estimate.warning:
            self._end()
            self._start("model")
            return
        self._dialog.show_estimate(estimate, spent)
        self._open()

    def _failed(self, error: Exception) -> None:
        if not self._cancel.cancelled and not isinstance(error, Cancelled):
            self._dialog.show_failure(error)
            self._open()

    def _chosen(self, engine: str) -> None:
        self._end()
        self._start(engine)

    def _leave(self) -> None:
        self._end()
        self._given_up()

    def _end(self) -> None:
        self._cancel.cancel()
        if self._runs.asking is self._dialog:
            self._runs.asking = None
        self._dialog.blockSignals(True)
        self._dialog.close()
        self._dialog.deleteLater()
        self.deleteLater()
