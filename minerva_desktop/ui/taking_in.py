"""Taking works in from the table of a search: the job, and what it says about each row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from minerva_desktop.errors import NotFound
from minerva_desktop.events import Progress
from minerva_desktop.pipeline.works import name_of
from minerva_desktop.records import IngestReport, Paper, Work
from minerva_desktop.ui.bridge import Bridge, Job
from minerva_desktop.ui.guest_runs import GuestRuns
from minerva_desktop.ui.widgets import error_text
from minerva_desktop.ui.works_model import Key, WorkRow, WorksModel, fate_word, keys_of

KIND = "find"
_IN = frozenset({"ok", "duplicate", "damaged"})
Known = dict[int, Paper | None]


class TakingIn(QObject):
    """``ended(job)`` after a job whose works are in the table."""

    ended = Signal(object)

    def __init__(self, bridge: Bridge, model: WorksModel, runs: GuestRuns) -> None:
        super().__init__()
        self._runs = runs
        self._bridge = bridge
        self._model = model
        self._names: dict[Job, dict[str, list[Work]]] = {}
        self._papers: dict[Key, str] = {}
        self._fates: dict[Key, tuple[str, str]] = {}
        bridge.job_progress.connect(self._on_progress)

    def start(self, rows: Sequence[WorkRow], query: str) -> Job | None:
        """Fetch and read these works in the background; None: the person is asked first."""
        workbench = self._bridge.workbench
        name = name_of(rows[0].work.best) if len(rows) == 1 else f"{len(rows)} works"
        return self._runs.begin(
            f"Ingest “{name}”" if len(rows) == 1 else f"Ingest {name}",
            lambda *_: workbench.estimate_works(len(rows)),
            lambda engine: self._start(rows, query, engine),
        )

    def _start(self, rows: Sequence[WorkRow], query: str, engine: str) -> Job:
        works = tuple(row.work for row in rows)
        names: dict[str, list[Work]] = {}
        for work in works:
            names.setdefault(name_of(work.best), []).append(work)
        title = f"Ingesting “{name_of(works[0].best)}”" if len(works) == 1 else f"Ingesting {len(works)} works"
        workbench = self._bridge.workbench
        job = self._bridge.start_job(
            title,
            lambda progress, cancel: workbench.ingest_works(
                works, query=query, engine=engine, progress=progress, cancel=cancel
            ),
            self._end,
            kind=KIND,
        )
        self._names[job] = names
        self._note(works, "queued", "")
        self._model.change(self._with_fate)
        self._model.tick([row.uid for row in rows], False)
        return job

    def _on_progress(self, job: Job, batch: Sequence[Progress]) -> None:
        names = self._names.get(job)
        if names is None:
            return
        for step in batch:
            if step.item in names:
                self._note(names[step.item], fate_word(step.stage, step.status), step.message if step.status else "")
        self._model.change(self._with_fate)

    def _end(self, job: Job) -> None:
        names = self._names.pop(job, {})
        reports = job.result.papers if isinstance(job.result, IngestReport) else ()
        for report in reports:
            works = names.get(report.file, [])[:1]  # works of one name are reported in the order they were given
            names[report.file] = names.get(report.file, [])[1:]
            if report.status in _IN and report.id:
                self._papers |= {key: report.id for work in works for key in keys_of(work)}
            self._note(works, "in library" if report.status in _IN else report.status, report.reason)
        word, reason = ("failed", " ".join(error_text(job.error))) if job.error is not None else ("", "")
        for works in names.values():
            self._note(works, word, reason)
        self._model.change(self._with_fate)
        self.ended.emit(job)

    def _note(self, works: Sequence[Work], word: str, reason: str) -> None:
        for work in works:
            for key in keys_of(work):
                self._fates[key] = word, reason

    def _with_fate(self, row: WorkRow) -> WorkRow:
        fate, reason = next((self._fates[key] for key in sorted(keys_of(row.work)) if key in self._fates), ("", ""))
        return row if (fate, reason) == (row.fate, row.reason) else replace(row, fate=fate, reason=reason)

    # ------------------------------------------------------------------------------------------- what is there
    def finder(self) -> Callable[[Sequence[tuple[int, Work]]], Known]:
        """What finds, off the window's thread, which works are in the library."""
        workbench, papers = self._bridge.workbench, dict(self._papers)

        def find(wanted: Sequence[tuple[int, Work]]) -> Known:
            found: Known = {}
            for uid, work in wanted:
                found[uid] = workbench.in_library(work)
                taken = next((papers[key] for key in sorted(keys_of(work)) if key in papers), "")
                if found[uid] is None and taken:  # a work without identifiers
                    with suppress(NotFound):
                        found[uid] = workbench.paper(taken)
            return found

        return find

    def show_known(self, known: Known) -> None:
        """Mark the rows."""

        def mark(row: WorkRow) -> WorkRow:
            paper = known.get(row.uid, row.paper)
            row = self._with_fate(row)
            if paper is None and row.fate == "in library":  # taken out of the library since
                row = replace(row, fate="", reason="")
            return row if row.paper == paper else replace(row, paper=paper)

        self._model.change(mark)
