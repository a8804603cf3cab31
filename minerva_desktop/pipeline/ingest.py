"""Ingesting files: read ahead in child processes, then extract, check and write one paper at a time, in order.

A paper is written in one transaction after all its stages, so that a job that is killed or cancelled leaves whole
papers only; resuming takes up the files that have no result yet. So does a job that a language model ended: the error
that would meet every paper is said once.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from minerva_desktop.checks import claims, gate
from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.domains import Domain
from minerva_desktop.errors import Cancelled, MinervaError
from minerva_desktop.events import CancelToken, Progress, ProgressSink, ignore_progress
from minerva_desktop.library import Job, Library, product_of
from minerva_desktop.models.calls import ModelError, is_fatal
from minerva_desktop.pipeline.checking import CheckedPaper, check_extraction
from minerva_desktop.pipeline.describing import paper_of
from minerva_desktop.pipeline.describing_pages import RenderPage
from minerva_desktop.pipeline.engines import BUILTIN, Engines, failures
from minerva_desktop.pipeline.items import IngestItem, file_digest
from minerva_desktop.pipeline.kept import KeptDocuments
from minerva_desktop.pipeline.reports import DONE, report_of, summarise
from minerva_desktop.records import (
    Decision,
    Document,
    Fact,
    IngestReport,
    Paper,
    PaperReport,
    Stopped,
    to_plain,
)
from minerva_desktop.settings import Settings

log = logging.getLogger(__name__)

READ_AHEAD = 4


@dataclass
class _Read:
    item: IngestItem
    path: Path
    extent: str = "full"
    note: str = ""
    digest: str = ""
    document: Document | None = None
    report: PaperReport | None = None


class Ingestion:
    """Runs one ingest job on an open library.

    ``domain`` is the pack with the person's lexicon as they are when the job starts; ``manifest`` says which that is.
    ``find`` searches the textbooks for the claim check; ``engines`` says who reads and checks; ``kept`` are documents that
    were read just now; ``writing`` is held while a paper is written and at no other time, so that other changes find their
    turn between two papers.

    Attributes:
        changed: ids of the facts that were written.
        said: how many facts a model "stated" and how many of them were "kept".
        dropped: the others by kind; "ungrounded" are those for which the papers have no words.
    """

    def __init__(
        self,
        library: Library,
        domain: Domain,
        settings: Settings,
        find: claims.PassageFinder,
        *,
        engines: Engines = BUILTIN,
        kept: KeptDocuments | None = None,
        writing: AbstractContextManager[Any] | None = None,
        progress: ProgressSink = ignore_progress,
        cancel: CancelToken | None = None,
        manifest: Mapping[str, Any] | None = None,
    ) -> None:
        self.library = library
        self.domain = domain
        self.settings = settings
        self.find = find
        self.engines = engines
        self.kept = kept or KeptDocuments()
        self.writing = writing or nullcontext()
        self.progress = progress
        self.cancel = cancel or CancelToken()
        self.manifest = manifest
        self.changed: set[str] = set()
        self.said: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()
        self._job = self._ocr = ""
        self._noted: PaperReport | None = None
        self._event = Job("", "")
        self._done = 0
        self._total = 0

    def run(self, job: str, items: Sequence[IngestItem], *, password: str | None = None, ocr: str = "") -> IngestReport:
        """Take the items in; the report has one line for each that was reached, in order. ``ocr``: languages in which
        pages without a text layer are recognised."""
        self._begin(job, len(items), ocr)
        self._event = Job(f"job:{job}", "Added")
        limits = Limits(
            seconds=self.settings.read_seconds,
            memory_mb=self.settings.read_memory_mb,
            pages=self.settings.read_pages,
        )

        def papers(pool: ReaderPool) -> Iterator[PaperReport]:
            with closing(self._read_ahead(pool, items, password)) as reads:
                for read in reads:
                    render = partial(pool.render, read.path, password=password, cancel=self.cancel)
                    report = self._finish(read, render)
                    self._end_item(report, read.item.name, read.digest)
                    yield report

        with ReaderPool(limits, workers=1 if len(items) < 2 else 2) as pool:
            return self._reported(papers(pool))

    def reread(self, job: str, papers: Sequence[str]) -> IngestReport:
        """Take the facts of stored papers anew from their stored text; one line for each that was reached, in order."""
        self._begin(job, len(papers))
        self._event = Job(f"job:{job}", "Reread")

        def read() -> Iterator[PaperReport]:
            for paper_id in papers:
                self.cancel.check()
                paper = self.library.catalog.resolve(paper_id)
                report = self._guarded(paper.file_name, paper.pages, partial(self._read_again, paper))
                self._end_item(report, paper.file_name, paper_id)
                yield report

        return self._reported(read())

    def _reported(self, papers: Iterator[PaperReport]) -> IngestReport:
        """The report over the papers, up to where the person or a model ended it. The paper at hand then has no result,
        like those after it."""
        reports: list[PaperReport] = []
        cancelled, stopped = False, None
        try:
            for report in papers:
                reports.append(report)
        except Cancelled:
            cancelled = True
        except ModelError as error:
            go_on = f"Go on with the built-in engine: “jobs resume {self._job} --engine builtin”."
            stopped = Stopped(error.code, error.message, f"{error.hint} {go_on}".strip())
        return IngestReport(self._job, tuple(reports), cancelled, self._summary(reports), stopped)

    def _summary(self, reports: Sequence[PaperReport]) -> dict[str, Any]:
        summary = summarise(reports) | {"engine": self.engines.name}
        if self.engines.models:
            summary |= {"models": dict(sorted(self.engines.models.items()))}
            summary |= {"stated": self.said["stated"], "kept": self.said["kept"]}
            summary |= {"dropped": dict(sorted(self.dropped.items())), "ungrounded": self.dropped["ungrounded"]}
        if self.engines.unfit:
            summary |= {"unfit": dict(sorted(self.engines.unfit.items()))}
        return summary

    def _begin(self, job: str, total: int, ocr: str = "") -> None:
        self._job, self._total, self._ocr = job, total, ocr
        if self.manifest is not None:
            self.library.catalog.set_manifest(job, self.manifest)

    def _end_item(self, report: PaperReport, name: str, digest: str) -> None:
        self._done += 1
        if report is not self._noted:
            self._note_item(report, name, digest)
        self._tell("write", report.file, report.reason, report.status)

    def _note_item(self, report: PaperReport, name: str, digest: str) -> None:
        """The result of an item. Of a paper it stands in the transaction that stores the paper, so that one who is killed
        right behind it does not meet the paper again as a duplicate."""
        self.library.catalog.job_item(self._job, name, report.status, to_plain(report) | {"sha256": digest})
        self._noted = report

    def _read_ahead(
        self, pool: ReaderPool, items: Sequence[IngestItem], password: str | None
    ) -> Generator[_Read, None, None]:
        waiting: deque[Future[_Read]] = deque()
        ended = CancelToken(self.cancel)  # nothing is read on for a job that a model has stopped
        todo = iter(items)
        digests: set[str] = set()
        with ThreadPoolExecutor(max_workers=2, thread_name_prefix="reading") as threads:
            try:
                while True:
                    while len(waiting) < READ_AHEAD and (item := next(todo, None)) is not None:
                        waiting.append(threads.submit(self._read, pool, item, password, ended))
                    if not waiting:
                        return
                    self.cancel.check()
                    read = waiting.popleft().result()
                    if read.report is None and read.digest in digests:
                        read.report = self._duplicate(read)
                    digests.add(read.digest)
                    yield read
            finally:
                ended.cancel()
                for future in waiting:
                    future.cancel()

    def _read(self, pool: ReaderPool, item: IngestItem, password: str | None, cancel: CancelToken) -> _Read:
        cancel.check()
        self._tell("read", item.name)
        read = _Read(item, item.path)
        if item.fetch is not None:
            self._tell("arrive", item.name)
            fetched = item.fetch(cancel)
            if fetched.path is None:
                read.report = PaperReport(item.name, fetched.status, fetched.reason)
                return read
            read.path, read.extent, read.note = fetched.path, fetched.extent, fetched.reason
        try:
            read.digest = file_digest(read.path)
        except OSError as error:
            reason = f"The file cannot be opened: {error.strerror or error}. Check that it exists and may be read."
            read.report = PaperReport(item.name, "failed", reason)
            return read
        if self.library.catalog.has_file(read.digest):
            read.report = self._duplicate(read)
            return read
        read.document = (None if self._ocr else self.kept.take(read.digest)) or pool.read(
            read.path,
            password=password,
            ocr=self._ocr,
            progress=lambda step: self._tell("read", item.name, step.message),
            cancel=cancel,
        )
        return read

    def _duplicate(self, read: _Read) -> PaperReport:
        catalog = self.library.catalog
        reason = "This very file is in the library already; nothing was read twice."
        if not catalog.has_file(read.digest):
            return PaperReport(read.item.name, "duplicate", reason, id=read.digest)
        return report_of(catalog.resolve(read.digest), read.item.name, "duplicate", reason)

    def _finish(self, read: _Read, render: RenderPage) -> PaperReport:
        if read.report is not None:
            return read.report
        document = read.document
        assert document is not None
        if document.status not in DONE or not document.sentences:
            status = document.status if document.status not in DONE else "empty"
            return PaperReport(read.item.name, status, document.reason, pages=len(document.pages))
        return self._guarded(read.item.name, len(document.pages), partial(self._write, read, document, render))

    def _guarded(self, name: str, pages: int, work: Callable[[], PaperReport]) -> PaperReport:
        """The report of one paper, also when it fails: that must not stop the others. What would meet them all flies."""
        try:
            return work()
        except Cancelled:
            raise
        except MinervaError as error:
            if is_fatal(error):
                raise
            return PaperReport(name, "failed", error.message, pages=pages)
        except Exception as error:
            log.exception("%s could not be taken in", name)
            reason = (
                f"Minerva failed on this file ({type(error).__name__}); nothing of it was stored. Please report it."
            )
            return PaperReport(name, "failed", reason, pages=pages)

    def _write(self, read: _Read, document: Document, render: RenderPage) -> PaperReport:
        name, digest = read.item.name, read.digest
        catalog = self.library.catalog
        checked = self._facts_of(name, digest, document, self.domain)
        described = self._described(name, digest, document, render)
        self._tell("write", name)
        with self.writing, catalog.transaction():
            paper = paper_of(document, digest, read.path, read.item.record)
            paper = replace(paper, extent=read.extent, notices=read.item.notices)
            catalog.add_paper(paper, document, read.path, job=self._event)
            unverified = self._put(digest, checked, self.domain)
            reason = " ".join(part for part in (document.reason or read.note, *checked.notes, described) if part)
            report = replace(report_of(catalog.resolve(digest), name, document.status, reason), unverified=unverified)
            self._note_item(report, name, digest)
        return report

    def _read_again(self, paper: Paper) -> PaperReport:
        catalog = self.library.catalog
        document = catalog.document(paper.id)
        # The facts of another field are not lost because this one is in use now.
        pack = self.library.pack_of(paper.id)
        domain = self.domain if pack.name == self.domain.name else pack
        checked = self._facts_of(paper.file_name, paper.id, document, domain)
        self._tell("write", paper.file_name)
        with self.writing, catalog.transaction():
            unverified = self._put(paper.id, checked, domain, again=True)
            reason = " ".join(part for part in (document.reason, *checked.notes) if part)
            report = report_of(catalog.resolve(paper.id), paper.file_name, document.status, reason)
            report = replace(report, unverified=unverified)
            self._note_item(report, paper.file_name, paper.id)
        return report

    def _put(self, paper_id: str, checked: CheckedPaper, domain: Domain, *, again: bool = False) -> int:
        """Store what was found and decide; how many facts could not be verified."""
        change = self.library.catalog.put_findings(
            paper_id,
            checked.findings,
            checked.entities,
            keep_accepted=again,
            job=self._event,
            again=again,
            pack=domain.name,
        )
        catalog = self.library.catalog
        catalog.keep_product(self._job, paper_id, product_of(paper_id, checked.findings, checked.entities))
        decided = decide_facts(self.library, change.facts, self.settings.gate)
        self.changed.update(change.facts)
        return sum(decision.rule == "unverified" for decision in decided.values())

    def _facts_of(self, name: str, digest: str, document: Document, domain: Domain) -> CheckedPaper:
        self._tell("extract", name)

        def tell(step: Progress) -> None:
            self._tell("extract", name, f"{step.done} of {step.total} pieces")

        read = self.engines.extract(document, domain, digest, tell, self.cancel)
        self.cancel.check()
        self._tell("check", name)
        checked = check_extraction(
            read.extraction,
            document,
            domain,
            self.find,
            known_materials=known_materials(domain),
            engines=self.engines,
            cancel=self.cancel,
        )
        self.said.update({"stated": read.stated, "kept": read.kept})
        self.dropped.update(read.dropped)
        return replace(checked, notes=(*read.notes, *checked.notes))

    def _described(self, name: str, digest: str, document: Document, render: RenderPage) -> str:
        """Keep what a model that sees says of the paper's pages, apart from the paper; a sentence on what failed."""
        if self.engines.describe is None:
            return ""
        self._tell("extract", name, "looking at figures and equations")
        try:
            said = self.engines.describe(digest, document, render, self.cancel)
            self.library.models.save_generated(digest, said.pages, said.texts)
        except (Cancelled, ModelError):
            raise
        except MinervaError as error:
            return f"Its pages were not described: {error.message}"
        count = len(said.pages) + len(said.failed)
        return failures([error for _, error in said.failed], f"{len(said.failed)} of {count} pages", "not described")

    def _tell(self, stage: str, item: str, message: str = "", status: str = "") -> None:
        self.progress(Progress(self._job, stage, item, self._done, self._total, "files", message, status))


def decide_facts(library: Library, fact_ids: Iterable[str], policy: str) -> dict[str, Decision]:
    """Let the gate decide over facts from all their evidence; what a person decided stays. Returns what it decided."""
    decided = decisions_of(library, library.catalog.facts_by_id(list(fact_ids)), policy)
    library.catalog.set_decisions(decided)
    return decided


def decisions_of(library: Library, facts: Sequence[Fact], policy: str) -> dict[str, Decision]:
    """What the gate says of facts, by id; nothing is written."""
    withdrawn, work_of = library.catalog.standing()
    return {fact.id: gate.decide(policy, fact.evidence, withdrawn=withdrawn, work_of=work_of) for fact in facts}


def known_materials(domain: Domain) -> frozenset[str]:
    """Names of the domain's gazetteer of materials, as written."""
    names: set[str] = set()
    for material in domain.materials:
        names.update((material.name, *material.synonyms, *material.case_sensitive))
    return frozenset(names)
