"""One open library with its engines and jobs: everything a person can do, as queries and changes.

Queries are read-only and may run in parallel. Changes are serialised, journaled, and announced to subscribers with a
:class:`~minerva_desktop.records.ChangeSet` from the thread that made them. This is the only place that wires the parts
together; the window and the command line are two views of it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from minerva_desktop import pipeline, questions, retrieval
from minerva_desktop.assets import resource_path
from minerva_desktop.documents import Limits, ReaderPool, ocr
from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.errors import Cancelled, MinervaError, NotFound, UsageError
from minerva_desktop.events import CancelToken, Progress, ProgressSink, ignore_progress
from minerva_desktop.language import formulas, quantities
from minerva_desktop.library import AuditReport, Library, Tools
from minerva_desktop.models import embedder as embedders
from minerva_desktop.questions import guard
from minerva_desktop.records import (
    Answer,
    Box,
    ChangeSet,
    Decision,
    Document,
    Fact,
    GraphNode,
    IngestReport,
    PageImage,
    Paper,
    Passage,
    Subgraph,
    Textbook,
)
from minerva_desktop.settings import Settings, save_setting

Subscriber = Callable[[ChangeSet], None]
CLAIM_PASSAGES = 6
LIBRARY_TOOLS = Tools(
    parse_value=lambda text, dimension: quantities.parse_value(text, expected_dimension=dimension),
    canonical_value=quantities.canonical_value,
    to_unit=quantities.to_unit,
)


class Workbench:
    """A library that is open for work. Close it, or use it as a context manager.

    Raises:
        NotFound: there is no library and ``create`` is false.
        LibraryBusy: another process has it open.
    """

    def __init__(self, library_dir: Path, settings: Settings, *, create: bool = True, offline: bool = False) -> None:
        self.settings = settings
        self.offline = offline or settings.offline
        self.domain: Domain = load_domain(settings.domain)
        self.library_dir = library_dir
        self.library = Library.open(
            library_dir, create=create, domain=self.domain, computed=computed_columns, tools=LIBRARY_TOOLS
        )
        # A job holds ``_work`` from start to end and ``_changes`` only while it writes, so that a person can accept,
        # reject and undo meanwhile. Taken in this order.
        self._work = threading.RLock()
        self._changes = threading.RLock()
        self._passwords: list[str] = []
        self._subscribers: list[Subscriber] = []
        self._cancels: dict[str, CancelToken] = {}
        self._pool: ReaderPool | None = None
        self._pool_lock = threading.Lock()
        self._embedder: embedders.Embedder | None = None
        self._embedder_loaded = False
        self._embedder_lock = threading.Lock()

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop running jobs at their next safe point, then close the library."""
        for token in list(self._cancels.values()):
            token.cancel()
        with self._work, self._changes:
            if self._pool is not None:
                self._pool.close()
                self._pool = None
            self.library.close()

    # ------------------------------------------------------------------------------------------ queries: papers
    def papers(self) -> list[Paper]:
        return self.library.catalog.papers()

    def paper(self, ref: str) -> Paper:
        """The paper with this id, sha256 prefix, DOI or file name."""
        return self.library.catalog.resolve(ref)

    def document(self, ref: str) -> Document:
        return self.library.catalog.document(self.paper(ref).id)

    def page_count(self, ref: str) -> int:
        return self.paper(ref).pages

    def page_image(self, ref: str, page: int, scale: float = 1.5) -> PageImage:
        """A rendered page; ``scale`` is pixels per PDF point.

        Encrypted papers open with the passwords that were given since the program started; they are kept nowhere else.

        Raises:
            MinervaError: it cannot be drawn; code ``encrypted``: see :meth:`unlock`.
        """
        paper = self.paper(ref)
        if not 1 <= page <= paper.pages:
            raise NotFound(f"“{paper.title}” has no page {page}; it has {paper.pages}.")
        with self._pool_lock:
            if self._pool is None:
                self._pool = ReaderPool(self._limits(), workers=1)
            pool = self._pool
        file = self.library.catalog.stored_file(paper.id)
        for password in (None, *self._passwords):
            try:
                return pool.render(file, page, scale, password)
            except MinervaError as error:
                locked = error
                if error.code != "encrypted":
                    raise
        raise locked

    def evidence_image(self, ref: str, boxes: Sequence[Box], scale: float = 1.5) -> PageImage | None:
        """The piece of a page that holds the boxes (of its first page), as the page is printed; None without boxes."""
        on = [box for box in boxes if box[0] == boxes[0][0]]
        return crop(self.page_image(ref, on[0][0], scale), on) if on else None

    def unlock(self, ref: str, password: str) -> None:
        """Try a password on an encrypted paper and keep it for this session.

        Raises:
            MinervaError: it does not open the paper; code ``encrypted``.
        """
        self._passwords.insert(0, password)
        try:
            self.page_image(ref, 1, 0.2)
        except MinervaError:
            self._passwords.remove(password)
            raise

    def textbooks(self) -> list[Textbook]:
        return self.library.catalog.textbooks()

    def find(self, query: str, limit: int = 20) -> retrieval.SearchResult:
        """Passages of papers and textbooks that fit the query, best first."""
        return retrieval.search(self.library, query, limit=limit, fusion=self.settings.fusion, embedder=self.embedder())

    # ------------------------------------------------------------------------------------------- queries: facts
    def facts(
        self,
        status: str | None = None,
        paper: str | None = None,
        type: str | None = None,  # noqa: A002 - the name a caller expects for a relation type
        text: str | None = None,
        limit: int | None = None,
        offset: int = 0,
    ) -> list[Fact]:
        paper_id = self.paper(paper).id if paper else None
        return self.library.catalog.facts(
            status=status, paper=paper_id, type=type, text=text, limit=limit, offset=offset
        )

    def count_facts(
        self,
        status: str | None = None,
        paper: str | None = None,
        type: str | None = None,  # noqa: A002
        text: str | None = None,
    ) -> int:
        paper_id = self.paper(paper).id if paper else None
        return self.library.catalog.count_facts(status=status, paper=paper_id, type=type, text=text)

    def fact(self, fact_id: str) -> Fact:
        return self.library.catalog.fact(fact_id)

    def stats(self) -> dict[str, Any]:
        """Counts for the status bar, and what undo and redo would do."""
        catalog = self.library.catalog
        labels = catalog.undo_labels()
        return {
            "papers": len(catalog.papers()),
            "textbooks": len(catalog.textbooks()),
            "accepted": catalog.count_facts(status="accepted"),
            "waiting": catalog.count_facts(status="waiting"),
            "refused": catalog.count_facts(status="refused"),
            "undo_label": labels[0],
            "redo_label": labels[1],
            "embeddings": self.embedding_note(),
        }

    # ------------------------------------------------------------------------------------------- queries: graph
    def graph_stats(self) -> dict[str, dict[str, int]]:
        return self.library.graph.stats()

    def graph_nodes(self, limit: int = 200) -> list[dict[str, str]]:
        return self.library.graph.nodes(limit)

    def search_nodes(self, text: str, limit: int = 50) -> list[GraphNode]:
        """Entities whose name contains the text, those with most facts first."""
        return self.library.catalog.search_nodes(text, limit)

    def neighbourhood(
        self,
        node_id: str,
        *,
        hops: int = 1,
        types: Sequence[str] | None = None,
        include_waiting: bool = True,
        limit: int = 300,
    ) -> Subgraph:
        """Accepted (and waiting) facts around a node, nearest first."""
        return self.library.catalog.neighbourhood(
            node_id, hops=hops, types=types, include_waiting=include_waiting, limit=limit
        )

    def cypher(self, query: str) -> list[dict[str, Any]]:
        """Rows of a read-only Cypher query on the graph of accepted facts."""
        checked = guard.check_cypher(query)
        if not checked.allowed:
            raise UsageError(f"That query was not run: {checked.reason}", code="cypher-refused")
        return self.library.graph.query(checked.query)

    def ask(
        self,
        question: str,
        *,
        route: str = "auto",
        engine: str = "builtin",
        accepted_only: bool = False,
        cancel: CancelToken | None = None,
    ) -> Answer:
        if engine != "builtin":
            raise UsageError(
                "No language model can be used by this version.",
                hint="Ask with the built-in engine (--engine builtin).",
            )
        return questions.ask(
            self.library,
            self.domain,
            question,
            embedder=self.embedder(),
            settings=self.settings,
            route=route,
            accepted_only=accepted_only,
            cancel=cancel,
        )

    # -------------------------------------------------------------------------------------------- queries: jobs
    def jobs(self) -> list[dict[str, Any]]:
        return self.library.catalog.jobs()

    def job(self, job_id: str) -> dict[str, Any]:
        return self.library.catalog.job(job_id)

    def history(self, limit: int = 50) -> list[dict[str, Any]]:
        return self.library.catalog.history(limit)

    def audit(self, repair: bool = False) -> AuditReport:
        if not repair:
            return self.library.audit()
        with self._work, self._changes:
            report = self.library.audit(repair=True)
        self._announce(ChangeSet("Repaired the library", everything=True))
        return report

    # ------------------------------------------------------------------------------------------------- embedder
    def embedder(self) -> embedders.Embedder | None:
        """The embedder, loaded at first use; None when it is switched off or its weights are not there."""
        if not self.settings.embeddings:
            return None
        with self._embedder_lock:
            if not self._embedder_loaded:
                self._embedder = embedders.load_embedder()
                self._embedder_loaded = True
            return self._embedder

    def embedding_note(self) -> str:
        """One sentence on how search works here, without loading anything heavy."""
        if not self.settings.embeddings:
            return "Search by words only (embeddings are switched off)."
        return embedders.status()

    # -------------------------------------------------------------------------------------------------- changes
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
            return self._run(job, items, password, progress, cancel, languages)

    def resume(
        self, job_id: str, *, progress: ProgressSink = ignore_progress, cancel: CancelToken | None = None
    ) -> IngestReport:
        """Take up the files of an ingest job that have no result yet."""
        with self._work:
            job = self.job(job_id)
            left = [
                pipeline.IngestItem(Path(str(item["path"])), str(item["name"]))
                for item in job["items"]
                if item["status"] == "pending"
            ]
            if not left:
                raise NotFound(f"Job {job_id} has no file left to do.", hint="Add the files again to read them anew.")
            return self._run(str(job["id"]), left, None, progress, cancel)

    def cancel_job(self, job_id: str) -> dict[str, Any]:
        """Stop a job of this process at its next safe point, or mark one that a killed process left behind."""
        job = self.job(job_id)
        token = self._cancels.get(str(job["id"]))
        if token is not None:
            token.cancel()
        elif job["status"] in {"running", "interrupted"}:
            self.library.catalog.finish_job(str(job["id"]), "cancelled")
        return self.job(job_id)

    def _run(
        self,
        job: str,
        items: Sequence[pipeline.IngestItem],
        password: str | None,
        progress: ProgressSink,
        cancel: CancelToken | None,
        languages: str = "",
    ) -> IngestReport:
        token = cancel or CancelToken()
        self._cancels[job] = token

        def tell(step: Progress) -> None:
            progress(step)
            if step.status in pipeline.DONE:
                # Each paper can be looked at as soon as it is stored, not only when the whole job has ended.
                self._announce(ChangeSet("Read a paper", jobs=True, everything=True))

        run = pipeline.Ingestion(
            self.library,
            self.domain,
            self.settings,
            self.find_in_textbooks,
            writing=self._changes,
            progress=tell,
            cancel=token,
        )
        status = "failed"
        try:
            report = run.run(job, items, password=password, ocr=languages)
            status = "cancelled" if report.cancelled else "done"
        finally:
            with self._changes:
                self.library.catalog.finish_job(job, status)
                self.library.project(sorted(run.changed), papers=True)
                self._catch_up_with_gate(run.settings)
            self._announce(ChangeSet("Added papers", jobs=True, everything=True))
            # Search by meaning comes last: what is not indexed when the person stops is indexed with the next change.
            with suppress(Cancelled):
                self._index(progress, token)
            self._cancels.pop(job, None)
        papers = tuple(paper.id for paper in report.papers if paper.id)
        self._announce(ChangeSet("Added papers", papers, jobs=True, everything=True))
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

    def _limits(self) -> Limits:
        return Limits(
            seconds=self.settings.read_seconds,
            memory_mb=self.settings.read_memory_mb,
            pages=self.settings.read_pages,
        )

    def _ocr_languages(self) -> str:
        languages = ocr.usable(self.settings.ocr_languages)
        if not languages:
            have = ocr.languages()
            hint = f"Installed languages: {', '.join(have)}; see the setting ocr_languages." if have else ocr.status()
            raise MinervaError("Text recognition is not possible here.", hint=hint, code="no-ocr")
        return languages

    def _announce(self, change: ChangeSet) -> None:
        for subscriber in list(self._subscribers):
            subscriber(change)


def crop(image: PageImage, boxes: Sequence[Box], margin: float = 3.0) -> PageImage:
    """The rectangle of a page's picture around boxes (page points), with a margin."""
    left = max(0, int((min(box[1] for box in boxes) - margin) * image.scale))
    top = max(0, int((min(box[2] for box in boxes) - margin) * image.scale))
    right = min(image.width, int((max(box[3] for box in boxes) + margin) * image.scale) + 1)
    bottom = min(image.height, int((max(box[4] for box in boxes) + margin) * image.scale) + 1)
    left, top = min(left, image.width - 1), min(top, image.height - 1)
    width, height = max(1, right - left), max(1, bottom - top)
    stride = image.width * 3
    rows = [image.rgb[(top + row) * stride + left * 3 : (top + row) * stride + (left + width) * 3] for row in range(height)]
    return PageImage(image.page, width, height, image.scale, b"".join(rows))


def sample_papers() -> list[Path]:
    """The sample papers that come with the program, in order."""
    return sorted(resource_path("sample").glob("*.pdf"))


def computed_columns(material: str) -> dict[str, object]:
    """Columns of a Material node that follow from its name: the molar mass, when it is a plain formula."""
    formula = formulas.parse_formula(material)
    if not formula.ok:
        return {}
    mass = formulas.molar_mass(formula)
    return {} if mass is None else {"molecular_weight": round(mass, 4)}


__all__ = ["Decision", "MinervaError", "Workbench", "sample_papers"]
