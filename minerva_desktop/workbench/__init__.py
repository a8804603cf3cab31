"""One open library with its engines and jobs: everything a person can do, as queries and changes.

Queries are read-only and may run in parallel. Changes are serialised, journaled, and announced to subscribers with a
:class:`~minerva_desktop.records.ChangeSet` from the thread that made them. This is the only place that wires the parts
together; the window and the command line are two views of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from minerva_desktop import pipeline, retrieval
from minerva_desktop.assets import resource_path
from minerva_desktop.events import CancelToken, ProgressSink, ignore_progress
from minerva_desktop.library import AuditReport, Circumstances, Job
from minerva_desktop.records import ChangeSet, Decision, Fact, IngestReport, Passage
from minerva_desktop.settings import Settings, save_setting
from minerva_desktop.workbench.embedding import BackgroundEmbedding, Embedding
from minerva_desktop.workbench.journaled import Committed
from minerva_desktop.workbench.queries import Subscriber
from minerva_desktop.workbench.taught import Taught
from minerva_desktop.workbench.web import EngineChoice

CLAIM_PASSAGES = 6


class Workbench(Taught):
    """A library that is open for work. Close it, or use it as a context manager.

    Raises:
        NotFound: there is no library and ``create`` is false.
        LibraryBusy: another process has it open.
    """

    _background: BackgroundEmbedding | None = None

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        """Call ``callback`` after every change; returns what ends the subscription."""
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return unsubscribe

    def embed_in_background(self, told: Callable[[Embedding], None] = lambda _: None) -> None:
        """From now on embed passages behind all else, beginning with those that have no vector yet; ``told`` hears of it
        from another thread. Without this, whatever brings passages ends with embedding them."""
        if self._background is None:
            self._background = BackgroundEmbedding(self._embed, self._job_runs, told)
        self._background.wake()

    def stop_embedding(self) -> None:
        """Stop embedding behind all else, until passages come next or the program starts next."""
        if self._background is not None:
            self._background.stop()

    def wait_for_embedding(self, seconds: float) -> bool:
        """Wait until nothing is left to embed in the background; returns whether that is so."""
        return self._background is None or self._background.wait(seconds)

    @property
    def embedding_now(self) -> bool:
        """Whether passages are being embedded in the background."""
        return self._background is not None and not self._background.quiet

    def _job_runs(self) -> bool:
        if self._work.acquire(blocking=False):
            self._work.release()
            return False
        return True

    def _end_background(self) -> None:
        if self._background is not None:
            self._background.close()
            self._background = None

    def find_in_textbooks(self, query: str, limit: int = CLAIM_PASSAGES) -> Sequence[Passage]:
        """Textbook passages for the claim check."""
        return retrieval.search(
            self.library,
            query,
            kinds=("textbook",),
            limit=limit,
            fusion=self.settings.fusion,
            embedder=self.query_embedder(),
            max_level=self.settings.max_textbook_level,
            graph=False,  # a claim is held against what speaks of it, not against what that leads to
        ).passages

    def add_textbooks(
        self,
        paths: Sequence[Path],
        level: int | None = None,
        progress: ProgressSink = ignore_progress,
        cancel: CancelToken | None = None,
        *,
        engine: EngineChoice = "builtin",
    ) -> list[dict[str, Any]]:
        """Add textbooks and hold the facts that wait against them: by the rules alone, unless a model is asked for, since
        every fact of the library is looked at.

        Raises:
            ModelError: the model cannot be reached; the textbooks are there, and so is what was found before.
        """
        with self._work:
            self._check_engine(engine)
            event = self._textbook_event("Added")
            reports = pipeline.add_textbook_files(
                self.library, paths, self.settings, level=level, event=event, progress=progress, cancel=cancel
            )
            self._index_textbooks(progress, cancel)
            self._index(progress, cancel)
            added = tuple(str(item["id"]) for item in reports if item["status"] in {"ok", "damaged"})
            if added:
                self._recheck(progress, cancel, engine, f"textbooks {added[0][:10]}", event)
        self._announce(ChangeSet("Added textbooks", textbooks=added, everything=True))
        return reports

    def load_sample(self, progress: ProgressSink = ignore_progress, cancel: CancelToken | None = None) -> IngestReport:
        """The sample papers and the starter textbook that come with the program, read by the rules alone: they cost
        nothing."""
        self.add_textbooks([resource_path("textbook")], progress=progress, cancel=cancel)
        return self.ingest(sample_papers(), engine="builtin", progress=progress, cancel=cancel)

    def remove(self, ref: str) -> ChangeSet:
        """Take a paper and what only it says out of the library; undo brings it back."""
        return self._journaled(lambda: self.library.catalog.remove_paper(self.paper(ref).id))

    def remove_textbook(self, textbook_id: str) -> ChangeSet:
        """Take a textbook out, and hold what it had decided against those that are left; undo brings all of it back."""
        with self._work:
            catalog = self.library.catalog
            event = self._textbook_event("Removed")
            with self._changes:
                book = catalog.textbook_id(textbook_id)
                done = catalog.remove_textbook(book, job=event)
            judged = [
                fact
                for fact in catalog.facts()
                if any(item.verdict and item.verdict.passage.startswith(f"{book[:16]}:") for item in fact.evidence)
            ]
            self._recheck(ignore_progress, None, "builtin", "", event, judged)
            self._index(ignore_progress, None)
        self._announce(replace(done, facts=tuple(fact.id for fact in judged), everything=True))
        return done

    def undo(self, *, committed: Committed | None = None) -> ChangeSet:
        return self._journaled(self.library.catalog.undo, committed)

    def redo(self, *, committed: Committed | None = None) -> ChangeSet:
        return self._journaled(self.library.catalog.redo, committed)

    def audit(self, repair: bool = False) -> AuditReport:
        """Hold record, graph, index and files against each other; ``repair`` makes anew what follows from the record."""
        if not repair:
            # Nothing is written meanwhile. The search index is brought up to date at the end of a job only.
            idle = self._work.acquire(blocking=False)
            try:
                with self._changes:
                    return self.library.audit(now=self._circumstances(busy=not idle or self.embedding_now))
            finally:
                if idle:
                    self._work.release()
        with self._work:
            with self._changes:
                report = self.library.audit(repair=True, now=self._circumstances(embedded=False))
            if any(check.ok is False for check in report.checks) or report.repaired:
                report = self._embedded_again(report)
        self._announce(ChangeSet("Repaired the library", everything=True))
        return report

    def _embedded_again(self, report: AuditReport) -> AuditReport:
        """Bring the search index up to date behind a repair, and look again."""
        before = self.library.vectors.count()
        self._index(ignore_progress, None)
        count = self.library.vectors.count() - before
        made = (f"{count} passages were embedded anew.",) if count > 0 else ()
        with self._changes:
            after = self.library.audit(repair=False, now=self._circumstances())
        left = tuple(line for line in report.left if any(not c.ok and line.startswith(c.name) for c in after.checks))
        return replace(after, repaired=(*report.repaired, *made), left=left)

    def _circumstances(self, *, busy: bool = False, embedded: bool = True) -> Circumstances:
        """What the library cannot know when it is audited. ``embedded``: every passage should have its vector."""
        embedder = self.embedder() if embedded and not self.embedding_now else None
        gate = self.library.catalog.gate()

        def decide(facts: Sequence[Fact]) -> dict[str, Decision]:
            return pipeline.ingest.decisions_of(self.library, facts, gate)

        return Circumstances(embedder.model_id if embedder else "", busy, decide)

    def rebuild(self, progress: ProgressSink = ignore_progress, cancel: CancelToken | None = None) -> AuditReport:
        """Make graph and vectors anew from the catalog, then audit."""
        with self._work:
            with self._changes:
                self.library.rebuild(progress=progress, cancel=cancel)
            self._index(progress, cancel)
            with self._changes:
                report = self.library.audit(now=self._circumstances())
        self._announce(ChangeSet("Rebuilt graph and search index", everything=True))
        return report

    def tidy(self, cancel: CancelToken | None = None) -> None:
        """Fold what was written lately into the files, so that the library opens quickly; call it when nothing else goes
        on. It does nothing while a job runs, and nobody has to wait for it."""
        if self._work.acquire(blocking=False):
            self._work.release()
            self.library.checkpoint_if_idle(cancel)

    def set_setting(self, key: str, value: str) -> Settings:
        """Change a setting. A new gate holds for this library (and for new ones) and decides anew over everything that no
        person decided; that can be undone."""
        saved = save_setting(key, value)
        if key == "gate" and saved.gate != self.settings.gate:
            self._journaled(lambda: self.library.catalog.set_gate(saved.gate))
            self.settings = saved
            return self.settings
        self.settings = saved
        if key in {"embeddings", "embedding_model"} and self._background is not None:
            self._background.wake()
        self._announce(ChangeSet(f"Changed {key}", settings=True, everything=True))
        return self.settings

    # ------------------------------------------------------------------------------------------------ internals
    def _textbook_event(self, verb: str) -> Job:
        held = "Held the facts against the textbooks again"
        return Job(f"textbooks:{self.library.catalog.last_event()}", verb, "textbook", held)

    def _decide_all(self) -> None:
        ids = self._all_facts()
        pipeline.ingest.decide_facts(self.library, ids, self.settings.gate)
        self.library.project(sorted(ids))

    def _catch_up_with_gate(self, used: Settings) -> None:
        """The gate may have been changed while a job decided by the old one."""
        if used.gate != self.settings.gate:
            self._decide_all()

    def _recheck(
        self,
        progress: ProgressSink,
        cancel: CancelToken | None,
        engine: EngineChoice,
        job: str,
        event: Job,
        facts: Sequence[Fact] | None = None,
    ) -> None:
        used = self.settings
        try:
            pipeline.recheck_waiting(
                self.library,
                self.domain,
                used,
                self.find_in_textbooks,
                engines=self._engines(engine, job),
                writing=self._changes,
                event=event,
                facts=facts,
                progress=progress,
                cancel=cancel,
            )
        finally:
            with self._changes:
                self.library.project()
                self._catch_up_with_gate(used)

    def _index(self, progress: ProgressSink, cancel: CancelToken | None) -> None:
        """Embed what has no vector: now, or behind all else where that was begun."""
        if self._background is not None:
            self._background.wake()
        else:
            self._embed(progress, cancel)

    def _embed(
        self, progress: ProgressSink, cancel: CancelToken | None, let_others: Callable[[], None] | None = None
    ) -> None:
        embedder = self.embedder()
        if embedder is not None:
            self.library.note_embedder(embedder.model_id, self.settings.embedding_model)
            retrieval.index_vectors(self.library, embedder, progress=progress, cancel=cancel, let_others=let_others)
        else:
            self.library.vectors.drop_stale()

    def _index_textbooks(self, progress: ProgressSink, cancel: CancelToken | None) -> None:
        """Facts are held against textbooks at once, so their passages do not wait."""
        embedder = self.embedder()
        if self._background is not None and embedder is not None:
            retrieval.index_textbooks(self.library, embedder, progress, cancel)


def sample_papers() -> list[Path]:
    """The sample papers that come with the program, in order."""
    return sorted(resource_path("sample").glob("*.pdf"))


__all__ = ["Workbench", "sample_papers"]
