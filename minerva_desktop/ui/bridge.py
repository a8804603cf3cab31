"""Between the window and the workbench: work runs in threads, results come home to the window's thread by signal.

Three verbs. ``query`` reads (several at a time), ``change`` changes (one after another), ``start_job`` does long work
with progress and cancel (one after another). No callback runs after :meth:`Bridge.close`.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import weakref
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import qasync
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken, Progress, ProgressSink
from minerva_desktop.records import ChangeSet

log = logging.getLogger(__name__)

Done = Callable[[Any], None]
Failed = Callable[[Exception], None]


@dataclass(eq=False)
class Job:
    """One piece of long work as the window sees it. ``state``: queued, running, done, cancelled, failed."""

    title: str
    cancel: CancelToken = field(default_factory=CancelToken)
    kind: str = ""
    state: str = "queued"
    result: Any = None
    error: Exception | None = None


class Bridge(QObject):
    """Runs workbench calls off the window's thread."""

    changed = Signal(object)
    job_changed = Signal(object)
    job_progress = Signal(object, object)
    failed = Signal(str, object)
    idle = Signal()
    embedding = Signal(object)
    _home = Signal(object)

    def __init__(self, workbench: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.workbench = workbench
        self._readers = ThreadPoolExecutor(3, thread_name_prefix="minerva-read")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="minerva-change")
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="minerva-job")
        self._lock = threading.Lock()
        self._latest: dict[str, int] = {}
        self._stops: weakref.WeakSet[CancelToken] = weakref.WeakSet()
        self._pending = 0
        self._closed = False
        self.jobs: list[Job] = []
        self._home.connect(self._run_home, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe = workbench.subscribe(self._on_change)

    # ------------------------------------------------------------------------------------------------- verbs
    def query(
        self,
        work: Callable[[], Any],
        done: Done,
        failed: Failed | None = None,
        *,
        key: str = "",
        cancel: CancelToken | None = None,
    ) -> None:
        """Read. A newer query with the same ``key`` makes the older one's answer void; ``cancel`` is set when the window
        closes before the answer has come."""
        if cancel is not None:
            self._stops.add(cancel)
        serial = 0
        if key:
            serial = self._latest[key] = self._latest.get(key, 0) + 1

        def current() -> bool:
            return not key or self._latest[key] == serial

        self._submit(self._readers, work, done, failed, current, "")

    def embed_in_background(self) -> None:
        """Let passages be embedded behind all else from now on; ``embedding`` tells how far it is."""
        self.workbench.embed_in_background(lambda state: self._send(lambda: self.embedding.emit(state)))

    def post(self, action: Callable[[], None]) -> None:
        """Run ``action`` in the window's thread, soon. May be called from any thread."""
        self._send(action)

    def change(
        self, work: Callable[[], Any], done: Done | None = None, failed: Failed | None = None, *, what: str
    ) -> None:
        """Change the library. ``what`` completes “Could not …” when it fails and nobody else handles it."""
        self._submit(self._writer, work, done or (lambda _: None), failed, lambda: True, what)

    def start_job(
        self,
        title: str,
        work: Callable[[ProgressSink, CancelToken], Any],
        done: Callable[[Job], None] | None = None,
        *,
        kind: str = "",
    ) -> Job:
        """Queue long work; ``done`` is called with the job whatever its end. ``kind`` says who began it."""
        job = Job(title, kind=kind)
        self.jobs.append(job)
        relay = _Relay(self, job)

        def run() -> None:
            try:
                job.cancel.check()
                job.state = "running"
                self._send(lambda: self.job_changed.emit(job))
                job.result = work(relay, job.cancel)
                job.state = "cancelled" if job.cancel.cancelled else "done"
            except Cancelled:
                job.state = "cancelled"
            except Exception as error:
                job.state, job.error = "failed", error
                log.warning("%s failed", title, exc_info=error)
            self._send(lambda: self._end_job(job, done))

        self._worker.submit(run)
        self.job_changed.emit(job)
        return job

    def _end_job(self, job: Job, done: Callable[[Job], None] | None) -> None:
        self.jobs.remove(job)
        self.job_changed.emit(job)
        if done is not None:
            done(job)
        self._maybe_idle()

    # ----------------------------------------------------------------------------------------------- plumbing
    def _submit(
        self,
        pool: ThreadPoolExecutor,
        work: Callable[[], Any],
        done: Done,
        failed: Failed | None,
        current: Callable[[], bool],
        what: str,
    ) -> None:
        if self._closed:  # a timer of a widget that is on its way out
            return
        self._pending += 1

        def run() -> None:
            try:
                result = work()
            except Exception as error:  # noqa: BLE001 - the edge of the thread: every failure goes to the window
                outcome: tuple[Any, Exception | None] = (None, error)
            else:
                outcome = (result, None)
            self._send(lambda: self._land(outcome, done, failed, current, what))

        pool.submit(run)

    def _land(
        self,
        outcome: tuple[Any, Exception | None],
        done: Done,
        failed: Failed | None,
        current: Callable[[], bool],
        what: str,
    ) -> None:
        self._pending -= 1
        result, error = outcome
        try:
            if not current():
                return
            if error is None:
                done(result)
            elif failed is not None:
                failed(error)
            else:
                log.warning("%s failed", what or "a query", exc_info=error)
                self.failed.emit(what, error)
        finally:
            self._maybe_idle()

    def _send(self, action: Callable[[], None]) -> None:
        if not self._closed:
            self._home.emit(action)

    def _run_home(self, action: Callable[[], None]) -> None:
        if not self._closed:
            action()

    def _on_change(self, changes: ChangeSet) -> None:
        self._send(lambda: self.changed.emit(changes))

    def _maybe_idle(self) -> None:
        if not self.busy:
            self.idle.emit()

    @property
    def busy(self) -> bool:
        """Whether any work is running or on its way home."""
        return self._pending > 0 or bool(self.jobs)

    def cancel_jobs(self) -> None:
        """Ask every job to stop at its next safe point."""
        for job in self.jobs:
            job.cancel.cancel()

    def close(self) -> None:
        """Cancel, wait for the threads, and call nobody any more."""
        self.cancel_jobs()
        for token in list(self._stops):
            token.cancel()
        self._closed = True
        self._unsubscribe()
        for pool in (self._worker, self._writer, self._readers):
            pool.shutdown(wait=True, cancel_futures=True)


class _Relay:
    """A progress sink that never floods the window: while one delivery is on its way, events queue behind it."""

    def __init__(self, bridge: Bridge, job: Job) -> None:
        self._bridge = bridge
        self._job = job
        self._lock = threading.Lock()
        self._waiting: list[Progress] = []

    def __call__(self, progress: Progress) -> None:
        with self._lock:
            self._waiting.append(progress)
            first = len(self._waiting) == 1
        if first:
            self._bridge._send(self._deliver)

    def _deliver(self) -> None:
        with self._lock:
            batch, self._waiting = self._waiting, []
        self._bridge.job_progress.emit(self._job, batch)


def run_event_loop(app: QApplication, main: Callable[[], Awaitable[int]]) -> int:
    """Run the coroutine on an asyncio loop that turns Qt's. The coroutine must never call ``exec()`` of a dialog."""
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    with loop:
        return int(loop.run_until_complete(main()))
