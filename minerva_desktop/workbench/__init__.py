"""One open library with its engines and jobs: everything a person can do, as queries and changes.

Queries are read-only and may run in parallel. Changes are serialised, journaled, and announced to subscribers with a
:class:`~minerva_desktop.records.ChangeSet` from the thread that made them. This is the only place that wires the parts
together; the window and the command line are two views of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from minerva_desktop import pipeline, retrieval
from minerva_desktop.assets import resource_path
from minerva_desktop.documents import ocr
from minerva_desktop.errors import Cancelled, MinervaError, NotFound, UsageError
from minerva_desktop.events import CancelToken, Progress, ProgressSink, ignore_progress
from minerva_desktop.library import AuditReport
from minerva_desktop.pipeline.works import work_of
from minerva_desktop.records import ChangeSet, IngestReport, Passage
from minerva_desktop.settings import Settings, save_setting
from minerva_desktop.workbench.guests import GuestChanges
from minerva_desktop.workbench.queries import Subscriber
from minerva_desktop.workbench.web import SEARCH

CLAIM_PASSAGES = 6
REREAD = "reextract"


class Workbench(GuestChanges):
    """A library that is open for work. Close it, or use it as a context manager.

    Raises:
        NotFound: there is no library and ``create`` is false.
        LibraryBusy: another process has it open.
    """

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        """Call ``callback`` after every change; returns what ends the subscription."""
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return unsubscribe

    def ingest(
        self,
        paths: Sequence[Path],
        *,
        password: str | None = None,
        recognise: bool = False,
        progress: ProgressSink = ignore_progress,
        cancel: CancelToken | None = None,
    ) -> IngestReport:
        """Take papers in. Folders are walked; every file gets its line in the report.

        ``recognise``: read pages without a text layer by text recognition, which takes seconds for each.

        Raises:
            MinervaError: ``recognise`` without Tesseract; code ``no-ocr``.
        """
        languages = self._ocr_languages() if recognise else ""
        items = pipeline.collect_files(paths)
        with self._work:
            if password and password not in self._passwords:
                self._passwords.append(password)
            job = self.library.catalog.start_job("ingest", [(item.name, str(item.path.absolute())) for item in items])
            return self._ingest(job, items, password, progress, cancel, languages)

    def resume(
        self, job_id: str, *, progress: ProgressSink = ignore_progress, cancel: CancelToken | None = None
    ) -> IngestReport:
        """Take up the files of an ingest job that have no result yet."""
        with self._work:
            job = self.job(job_id)
            pending = [item for item in job["items"] if item["status"] == "pending"]
            left = [self._left(str(job["kind"]), item) for item in pending]
            if not left:
                raise NotFound(f"Job {job_id} has no file left to do.", hint="Add the files again to read them anew.")
            if job["kind"] == REREAD:
                return self._reread(str(job["id"]), [str(item.path) for item in left], progress, cancel)
            return self._ingest(str(job["id"]), left, None, progress, cancel)

    def _left(self, kind: str, item: dict[str, Any]) -> pipeline.IngestItem:
        """An item of a job that was killed, with what was known of it."""
        work = work_of(str(item["data"])) if item.get("data") else None
        if kind == SEARCH and work is not None:
            return self._item(work)
        path, name = Path(str(item["path"])), str(item["name"])
        return pipeline.IngestItem(path, name, work.best if work is not None else None)

    def reextract(
        self,
        refs: Sequence[str] = (),
        *,
        progress: ProgressSink = ignore_progress,
        cancel: CancelToken | None = None,
    ) -> IngestReport:
        """Take the facts of papers (all of them when none is named) anew from their stored text, with the lexicon as it
        is now. What a person decided or corrected stays.

        Raises:
            NotFound: there is no such paper, or none at all.
        """
        with self._work:
            papers = [self.paper(ref) for ref in dict.fromkeys(refs)] or self.papers()
            if not papers:
                raise NotFound("There is no paper in this library to read again.", hint="Add papers first.")
            job = self.library.catalog.start_job(REREAD, [(paper.file_name, paper.id) for paper in papers])
            return self._reread(job, [paper.id for paper in papers], progress, cancel)

    def cancel_job(self, job_id: str) -> dict[str, Any]:
        """Stop a job of this process at its next safe point, or mark one that a killed process left behind."""
        job = self.job(job_id)
        token = self._cancels.get(str(job["id"]))
        if token is not None:
            token.cancel()
        elif job["status"] in {"running", "interrupted"}:
            self.library.catalog.finish_job(str(job["id"]), "cancelled")
        return self.job(job_id)

    def _ingest(
        self,
        job: str,
        items: Sequence[pipeline.IngestItem],
        password: str | None,
        progress: ProgressSink,
        cancel: CancelToken | None,
        languages: str = "",
    ) -> IngestReport:
        def work(run: pipeline.Ingestion) -> IngestReport:
            return run.run(job, items, password=password, ocr=languages)

        return self._run(job, work, "Added papers", progress, cancel, languages)

    def _reread(
        self, job: str, papers: Sequence[str], progress: ProgressSink, cancel: CancelToken | None
    ) -> IngestReport:
        return self._run(job, lambda run: run.reread(job, papers), "Read papers again", progress, cancel)

    def _run(
        self,
        job: str,
        work: Callable[[pipeline.Ingestion], IngestReport],
        label: str,
        progress: ProgressSink,
        cancel: CancelToken | None,
        languages: str = "",
    ) -> IngestReport:
        token = cancel or CancelToken()
        self._cancels[job] = token
        lexicon = self.lexicon_of_job()

        def tell(step: Progress) -> None:
            progress(step)
            if step.status in pipeline.DONE:
                # Each paper can be looked at as soon as it is stored, not only when the whole job has ended.
                self._announce(ChangeSet("Read a paper", jobs=True, everything=True))

        run = pipeline.Ingestion(
            self.library,
            lexicon.domain,
            self.settings,
            self.find_in_textbooks,
            writing=self._changes,
            progress=tell,
            cancel=token,
            manifest=pipeline.manifest_of(lexicon, self.settings, self.library.catalog.textbooks(), languages),
        )
        status = "failed"
        try:
            report = work(run)
            status = "cancelled" if report.cancelled else "done"
        finally:
            with self._changes:
                self.library.catalog.finish_job(job, status)
                self.library.project(sorted(run.changed), papers=True)
                self._catch_up_with_gate(run.settings)
            self._announce(ChangeSet(label, jobs=True, everything=True))
            # Search by meaning comes last: what is not indexed when the person stops is indexed with the next change.
            with suppress(Cancelled):
                self._index(progress, token)
            self._cancels.pop(job, None)
        papers = tuple(paper.id for paper in report.papers if paper.id)
        self._announce(ChangeSet(label, papers, jobs=True, everything=True))
        return report

    def find_in_textbooks(self, query: str, limit: int = CLAIM_PASSAGES) -> Sequence[Passage]:
        """Textbook passages for the claim check."""
        return retrieval.search(
            self.library,
            query,
            kinds=("textbook",),
            limit=limit,
            fusion=self.settings.fusion,
            embedder=self.embedder(),
            max_level=self.settings.max_textbook_level,
        ).passages

    def add_textbooks(
        self,
        paths: Sequence[Path],
        level: int | None = None,
        progress: ProgressSink = ignore_progress,
        cancel: CancelToken | None = None,
    ) -> list[dict[str, Any]]:
        """Add textbooks and hold the facts that wait against them."""
        with self._work:
            reports = pipeline.add_textbook_files(
                self.library, paths, self.settings, level=level, progress=progress, cancel=cancel
            )
            self._index(progress, cancel)
            added = tuple(str(item["id"]) for item in reports if item["status"] in {"ok", "damaged"})
            if added:
                self._recheck(progress, cancel)
        self._announce(ChangeSet("Added textbooks", textbooks=added, everything=True))
        return reports

    def load_sample(self, progress: ProgressSink = ignore_progress, cancel: CancelToken | None = None) -> IngestReport:
        """The sample papers and the starter textbook that come with the program."""
        self.add_textbooks([resource_path("textbook")], progress=progress, cancel=cancel)
        return self.ingest(sample_papers(), progress=progress, cancel=cancel)

    def remove(self, ref: str) -> ChangeSet:
        """Take a paper and what only it says out of the library; undo brings it back."""
        return self._journaled(lambda: self.library.catalog.remove_paper(self.paper(ref).id))

    def remove_textbook(self, textbook_id: str) -> ChangeSet:
        return self._journaled(lambda: self.library.catalog.remove_textbook(textbook_id))

    def accept(self, ids: Sequence[str], reason: str = "") -> ChangeSet:
        return self._journaled(lambda: self.library.catalog.decide(self._full(ids), "accepted", reason))

    def reject(self, ids: Sequence[str], reason: str = "") -> ChangeSet:
        return self._journaled(lambda: self.library.catalog.decide(self._full(ids), "refused", reason))

    def edit(self, fact_id: str, **fields: Any) -> ChangeSet:
        """Correct a fact: ``source``, ``target`` (names), ``property_id`` or ``value`` (text with unit)."""
        return self._journaled(lambda: self.library.catalog.edit_fact(self.fact(fact_id).id, fields))

    def undo(self) -> ChangeSet:
        return self._journaled(self.library.catalog.undo)

    def redo(self) -> ChangeSet:
        return self._journaled(self.library.catalog.redo)

    def audit(self, repair: bool = False) -> AuditReport:
        if not repair:
            return self.library.audit()
        with self._work, self._changes:
            report = self.library.audit(repair=True)
        self._announce(ChangeSet("Repaired the library", everything=True))
        return report

    def rebuild(self, progress: ProgressSink = ignore_progress, cancel: CancelToken | None = None) -> AuditReport:
        """Make graph and vectors anew from the catalog, then audit."""
        with self._work:
            with self._changes:
                self.library.rebuild(progress=progress, cancel=cancel)
            self._index(progress, cancel)
            with self._changes:
                report = self.library.audit()
        self._announce(ChangeSet("Rebuilt graph and search index", everything=True))
        return report

    def set_setting(self, key: str, value: str) -> Settings:
        """Change a setting; a new gate decides anew over everything that no person decided."""
        old = self.settings
        self.settings = save_setting(key, value)
        if self.settings.gate != old.gate:
            with self._changes:
                self._decide_all()
        self._announce(ChangeSet(f"Changed {key}", settings=True, everything=True))
        return self.settings

    # ------------------------------------------------------------------------------------------------ internals
    def _journaled(self, change: Callable[[], ChangeSet]) -> ChangeSet:
        with self._changes:
            done = change()
            if done.papers or done.everything:
                # A paper that goes or comes changes how many papers say a fact.
                pipeline.ingest.decide_facts(self.library, done.facts, self.settings.gate)
            self.library.project(sorted(done.facts), papers=bool(done.papers or done.everything))
            if done.lexicon:
                self.current_lexicon()
        # A running job indexes what is missing at its end.
        if self._work.acquire(blocking=False):
            try:
                self._index(ignore_progress, None)
            finally:
                self._work.release()
        self._announce(done)
        return done

    def _full(self, ids: Sequence[str]) -> list[str]:
        if not ids:
            raise UsageError("Name at least one fact.", hint="“review list” shows their ids.")
        return [self.fact(item).id for item in ids]

    def _decide_all(self) -> None:
        ids = [fact.id for fact in self.library.catalog.facts()]
        pipeline.ingest.decide_facts(self.library, ids, self.settings.gate)
        self.library.project(sorted(ids))

    def _catch_up_with_gate(self, used: Settings) -> None:
        """The gate may have been changed while a job decided by the old one."""
        if used.gate != self.settings.gate:
            self._decide_all()

    def _recheck(self, progress: ProgressSink, cancel: CancelToken | None) -> None:
        used = self.settings
        changed = pipeline.recheck_waiting(
            self.library,
            self.domain,
            used,
            self.find_in_textbooks,
            writing=self._changes,
            progress=progress,
            cancel=cancel,
        )
        with self._changes:
            self.library.project(sorted(changed))
            self._catch_up_with_gate(used)

    def _index(self, progress: ProgressSink, cancel: CancelToken | None) -> None:
        embedder = self.embedder()
        if embedder is not None:
            retrieval.index_vectors(self.library, embedder, progress=progress, cancel=cancel)

    def _ocr_languages(self) -> str:
        languages = ocr.usable(self.settings.ocr_languages)
        if not languages:
            have = ocr.languages()
            hint = f"Installed languages: {', '.join(have)}; see the setting ocr_languages." if have else ocr.status()
            raise MinervaError("Text recognition is not possible here.", hint=hint, code="no-ocr")
        return languages


def sample_papers() -> list[Path]:
    """The sample papers that come with the program, in order."""
    return sorted(resource_path("sample").glob("*.pdf"))


__all__ = ["Workbench", "sample_papers"]
