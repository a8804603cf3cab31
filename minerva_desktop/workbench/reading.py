"""Reading papers as a job: taking in, taking up again, reading anew; with the rules alone or a language model beside
them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minerva_desktop import pipeline
from minerva_desktop.documents import ocr
from minerva_desktop.domains.user_lexicon import UserLexicon
from minerva_desktop.errors import Cancelled, MinervaError, NotFound
from minerva_desktop.events import CancelToken, Progress, ProgressSink, ignore_progress
from minerva_desktop.pipeline.works import work_of
from minerva_desktop.records import ChangeSet, IngestReport, Passage, to_plain
from minerva_desktop.settings import Settings
from minerva_desktop.settings.profiles import profile_in_use
from minerva_desktop.workbench.guests import GuestChanges
from minerva_desktop.workbench.web import SEARCH, EngineChoice

REREAD = "reextract"


class Reading(GuestChanges):
    """Jobs that read papers."""

    def ingest(
        self,
        paths: Sequence[Path],
        *,
        password: str | None = None,
        recognise: bool = False,
        engine: EngineChoice = "auto",
        progress: ProgressSink = ignore_progress,
        cancel: CancelToken | None = None,
    ) -> IngestReport:
        """Take papers in. Folders are walked; every file gets its line in the report.

        ``recognise``: read pages without a text layer by text recognition, which takes seconds for each. ``engine``: the
        rules alone ("builtin"), a language model beside them ("model"), or that when one is in use ("auto").

        Raises:
            MinervaError: ``recognise`` without Tesseract, code ``no-ocr``; "model" without one, code ``no-model``.
        """
        languages = self._ocr_languages() if recognise else ""
        items = pipeline.collect_files(paths)
        with self._work:
            if password and password not in self._passwords:
                self._passwords.append(password)
            named = [(item.name, str(item.path.absolute())) for item in items]
            job = self._start_job("ingest", named, engine)
            return self._ingest(job, items, password, progress, cancel, languages, engine)

    def resume(
        self,
        job_id: str,
        *,
        engine: EngineChoice = "auto",
        progress: ProgressSink = ignore_progress,
        cancel: CancelToken | None = None,
    ) -> IngestReport:
        """Take up the files of an ingest job that have no result yet, with the engine that it was started with unless
        another is named.

        Raises:
            NotFound: no file is left.
        """
        with self._work:
            job = self.job(job_id)
            pending = [item for item in job["items"] if item["status"] == "pending"]
            left = [self._left(str(job["kind"]), item) for item in pending]
            if not left:
                raise NotFound(f"Job {job_id} has no file left to do.", hint="Add the files again to read them anew.")
            chosen = self._chosen_engine(job, engine)
            self._check_engine(chosen)
            if job["kind"] == REREAD:
                return self._reread(str(job["id"]), [str(item.path) for item in left], progress, cancel, chosen)
            return self._ingest(str(job["id"]), left, None, progress, cancel, engine=chosen)

    def _chosen_engine(self, job: Mapping[str, Any], engine: EngineChoice) -> EngineChoice:
        """The engine that was named now, else the one that was named when the job was started."""
        named: EngineChoice = job["settings"].get("engine", "auto")
        return named if engine == "auto" else engine

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
        engine: EngineChoice = "auto",
        progress: ProgressSink = ignore_progress,
        cancel: CancelToken | None = None,
    ) -> IngestReport:
        """Take the facts of papers (all of them when none is named) anew from their stored text, with the lexicon as it
        is now. What a person decided or corrected stays. ``engine``: as for :meth:`ingest`.

        Raises:
            NotFound: there is no such paper, or none at all.
        """
        with self._work:
            papers = [self.paper(ref) for ref in dict.fromkeys(refs)] or self.papers()
            if not papers:
                raise NotFound("There is no paper in this library to read again.", hint="Add papers first.")
            job = self._start_job(REREAD, [(paper.file_name, paper.id) for paper in papers], engine)
            return self._reread(job, [paper.id for paper in papers], progress, cancel, engine)

    def cancel_job(self, job_id: str) -> dict[str, Any]:
        """Stop a job of this process at its next safe point, or mark one that a killed process or a model left behind."""
        job = self.job(job_id)
        token = self._cancels.get(str(job["id"]))
        if token is not None:
            token.cancel()
        elif job["status"] in {"running", "interrupted", "stopped"}:
            self.library.catalog.finish_job(str(job["id"]), "cancelled")
        return self.job(job_id)

    # ----------------------------------------------------------------------------------------------- internals
    if TYPE_CHECKING:  # what the workbench itself has

        def find_in_textbooks(self, query: str, limit: int = 6) -> Sequence[Passage]: ...

        def _catch_up_with_gate(self, used: Settings) -> None: ...

        def _index(self, progress: ProgressSink, cancel: CancelToken | None) -> None: ...

    def _ingest(
        self,
        job: str,
        items: Sequence[pipeline.IngestItem],
        password: str | None,
        progress: ProgressSink,
        cancel: CancelToken | None,
        languages: str = "",
        engine: EngineChoice = "auto",
    ) -> IngestReport:
        def work(run: pipeline.Ingestion) -> IngestReport:
            return run.run(job, items, password=password, ocr=languages)

        return self._run(job, work, "Added papers", progress, cancel, languages, engine)

    def _reread(
        self,
        job: str,
        papers: Sequence[str],
        progress: ProgressSink,
        cancel: CancelToken | None,
        engine: EngineChoice,
    ) -> IngestReport:
        return self._run(job, lambda run: run.reread(job, papers), "Read papers again", progress, cancel, engine=engine)

    def _run(
        self,
        job: str,
        work: Callable[[pipeline.Ingestion], IngestReport],
        label: str,
        progress: ProgressSink,
        cancel: CancelToken | None,
        languages: str = "",
        engine: EngineChoice = "auto",
    ) -> IngestReport:
        token = cancel or CancelToken()
        self._cancels[job] = token
        lexicon = self.lexicon_of_job()

        def tell(step: Progress) -> None:
            progress(step)
            if step.status in pipeline.DONE:
                # Each paper can be looked at as soon as it is stored, not only when the whole job has ended.
                self._announce(ChangeSet("Read a paper", jobs=True, everything=True))

        engines = self._engines(engine, job)
        run = pipeline.Ingestion(
            self.library,
            lexicon.domain,
            self.settings,
            self.find_in_textbooks,
            engines=engines,
            kept=self._kept,
            writing=self._changes,
            progress=tell,
            cancel=token,
            manifest=self._manifest(lexicon, engines, languages),
        )
        status = "failed"
        stopped: dict[str, Any] = {}
        try:
            report = work(run)
            status = "cancelled" if report.cancelled else "stopped" if report.stopped else "done"
            stopped = {"stopped": to_plain(report.stopped)} if report.stopped else {}
        finally:
            used = self._used(job)
            with self._changes:
                self.library.catalog.finish_job(job, status, stopped | used)
                self.library.project(sorted(run.changed), papers=True)
                self._catch_up_with_gate(run.settings)
            self._announce(ChangeSet(label, jobs=True, everything=True))
            # Search by meaning comes last: what is not indexed when the person stops is indexed with the next change.
            with suppress(Cancelled):
                self._index(progress, token)
            self._cancels.pop(job, None)
        papers = tuple(paper.id for paper in report.papers if paper.id)
        self._announce(ChangeSet(label, papers, jobs=True, everything=True))
        return replace(report, summary=report.summary | used)

    def _manifest(self, lexicon: UserLexicon, engines: pipeline.Engines, languages: str) -> dict[str, Any]:
        name, profile = profile_in_use(self.settings)
        made_of = pipeline.manifest_of(lexicon, self.settings, self.library.catalog.textbooks(), languages)
        if profile is None or not engines.models:
            return made_of
        return made_of | {"models": pipeline.guests_of(name, profile, engines, self.settings, lexicon.domain)}

    def _used(self, job: str) -> dict[str, Any]:
        """What models used in all of a job, also in its runs before; empty when none was asked."""
        rows = self.model_spending_of(job)
        if not rows:
            return {}
        return {
            "calls": sum(row.calls for row in rows),
            "cached": sum(row.cached for row in rows),
            "tokens_in": sum(row.tokens_in for row in rows),
            "tokens_out": sum(row.tokens_out for row in rows),
            "dollars": round(sum(row.dollars for row in rows), 6),
        }

    def _ocr_languages(self) -> str:
        languages = ocr.usable(self.settings.ocr_languages)
        if not languages:
            have = ocr.languages()
            hint = f"Installed languages: {', '.join(have)}; see the setting ocr_languages." if have else ocr.status()
            raise MinervaError("Text recognition is not possible here.", hint=hint, code="no-ocr")
        return languages
