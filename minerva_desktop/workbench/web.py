"""Finding papers on the web and taking them in; what the person sees of the network."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from minerva_desktop import pipeline
from minerva_desktop.errors import MinervaError, NotFound
from minerva_desktop.events import CancelToken, ProgressSink, ignore_progress
from minerva_desktop.pipeline import works as web_works
from minerva_desktop.records import (
    ChangeSet,
    IngestReport,
    Paper,
    RefusedRecord,
    SearchResult,
    SourceName,
    SourceReport,
    Work,
    WorkRecord,
)
from minerva_desktop.settings import cache_dir, secret
from minerva_desktop.settings.profiles import profile_in_use
from minerva_desktop.workbench.lexicon import LexiconChanges

if TYPE_CHECKING:  # the web client costs a fifth of the start, and a start needs none of it
    from minerva_desktop.sources import downloads, relevance, same_paper, searching
    from minerva_desktop.sources.wording import Synonyms
    from minerva_desktop.workbench.network import NetworkLog, WebThread

SEARCH = "search"
SOURCES: tuple[SourceName, ...] = ("arxiv", "openalex", "crossref")
Update = Callable[[SearchResult], None]
EngineChoice = Literal["auto", "builtin", "model"]


class WebChanges(LexiconChanges):
    """Searching the web, taking works in, versions of one work."""

    _web: WebThread | None = None
    _web_lock = threading.Lock()

    # ------------------------------------------------------------------------------------------------- queries
    def search_web(
        self,
        query: str,
        *,
        sources: Sequence[SourceName] = SOURCES,
        limit: int | None = None,
        years: searching.Years | None = None,
        update: Update | None = None,
        cancel: CancelToken | None = None,
    ) -> SearchResult:
        """Works that the sources find, joined and sifted; what was left out is there with its reason.

        ``update`` gets the result so far whenever a source has answered, in the web's thread.

        Raises:
            UsageError: the query has no word with content, or there is no such source.
        """
        from minerva_desktop.sources import relevance, searching

        sifting = _Sifting(query, relevance.Judge(query, self._synonyms()))
        arrived: dict[SourceName, list[WorkRecord]] = {}
        so_far: dict[SourceName, SourceReport] = {}

        def page(source: SourceName, records: Sequence[WorkRecord], report: SourceReport) -> None:
            arrived.setdefault(source, []).extend(records)
            so_far[source] = report
            if update is not None:
                update(sifting.result(arrived, so_far, ()))

        web = self._web_thread()
        results = web.run(
            searching.search(
                web.web,
                query,
                sources=sources,
                limit=limit or self.settings.results,
                years=years,
                page=page,
                cancel=cancel,
            )
        )
        found = {item.report.source: list(item.records) for item in results}
        reports = {item.report.source: item.report for item in results}
        refused = tuple(record for item in results for record in item.refused)
        return sifting.result(found, reports, refused)

    def look_up(self, text: str, *, cancel: CancelToken | None = None) -> SearchResult:
        """Works that identifiers, addresses or a pasted list of references name; what was not found is refused with the
        reason."""
        from minerva_desktop.sources import looking_up, notices, same_paper

        web = self._web_thread()
        found = web.run(looking_up.look_up_list(web.web, text, cancel=cancel))
        refused = tuple(RefusedRecord("file", item.asked, item.problem) for item in found if not item.records)
        grouped = same_paper.group([record for item in found for record in item.records])
        return SearchResult(text, notices.apply(grouped.works), refused=refused)

    def in_library(self, work: Work) -> Paper | None:
        """The paper of the library that is this work, by DOI or arXiv id."""
        for record in (work.best, *work.records):
            paper = self.library.catalog.paper_with(doi=record.doi, arxiv_id=record.arxiv_id)
            if paper is not None:
                return paper
        return None

    def full_text_places(self, work: Work) -> tuple[str, ...]:
        """The addresses where the full text of a work would be fetched from, the first tried first."""
        from minerva_desktop.sources import downloads

        return tuple(downloads.candidates(work)[: downloads.MOST_CANDIDATES])

    def duplicates(self) -> tuple[same_paper.Suggestion, ...]:
        """Papers of the library that are likely one work, with the reason. Nothing is changed."""
        from minerva_desktop.sources import same_paper

        known = [
            same_paper.KnownPaper(
                id=paper.id,
                title=paper.title,
                doi=paper.doi,
                arxiv_id=paper.arxiv_id,
                first_author=paper.authors[0] if paper.authors else "",
                year=paper.year,
            )
            for paper in self.papers()
            if not paper.version_of
        ]
        return same_paper.likely_duplicates(known)

    def network_log(self, limit: int = 200) -> list[dict[str, Any]]:
        """Every request that was made: ``at, method, url, status, bytes, cached, error, tries, ms``, newest first."""
        return self._network().lines(limit)

    # ------------------------------------------------------------------------------------------------- changes
    def ingest_works(
        self,
        works: Sequence[Work],
        *,
        query: str = "",
        engine: EngineChoice = "auto",
        progress: ProgressSink = ignore_progress,
        cancel: CancelToken | None = None,
    ) -> IngestReport:
        """Get works from the web and take them in, as a job that can be taken up again. ``engine``: as for
        :meth:`ingest`.

        Raises:
            NotFound: no work is given.
        """
        if not works:
            raise NotFound("There is nothing to take in.", hint="Choose works among the results of a search.")
        with self._work:
            named = [(web_works.name_of(work.best), work.best.url) for work in works]
            data = [web_works.work_text(work) for work in works]
            job = self._start_job(SEARCH, named, engine, {"query": query}, data)
            return self._ingest(job, [self._item(work) for work in works], None, progress, cancel, engine=engine)

    def merge_papers(self, keep: str, others: Sequence[str]) -> ChangeSet:
        """Call papers versions of one; undo takes them apart."""
        return self._journaled(lambda: self.library.catalog.merge_papers(keep, others))

    def split_paper(self, ref: str) -> ChangeSet:
        """Call a version a work of its own again."""
        return self._journaled(lambda: self.library.catalog.split_paper(self.paper(ref).id))

    def describe_paper(self, ref: str, **fields: Any) -> ChangeSet:
        """Correct what is known of a paper."""
        return self._journaled(lambda: self.library.catalog.describe(self.paper(ref).id, fields))

    def clear_network_log(self) -> None:
        self._network().clear()

    # ----------------------------------------------------------------------------------------------- internals
    if TYPE_CHECKING:  # what the workbench itself has

        def _journaled(self, change: Callable[[], ChangeSet]) -> ChangeSet: ...

        def _ingest(
            self,
            job: str,
            items: Sequence[pipeline.IngestItem],
            password: str | None,
            progress: ProgressSink,
            cancel: CancelToken | None,
            languages: str = "",
            engine: EngineChoice = "auto",
        ) -> IngestReport: ...

    def _start_job(
        self,
        kind: str,
        items: Sequence[tuple[str, str]],
        engine: EngineChoice,
        settings: Mapping[str, Any] | None = None,
        data: Sequence[str] | None = None,
    ) -> str:
        """A job that remembers the engine which was named for it."""
        self._check_engine(engine)
        chosen = {} if engine == "auto" else {"engine": engine}
        return self.library.catalog.start_job(kind, items, {**(settings or {}), **chosen}, data)

    def _check_engine(self, engine: EngineChoice) -> None:
        """
        Raises:
            MinervaError: a model was asked for and none can be used; code ``no-model``.
        """
        self._engines(engine, "")

    def _engines(self, engine: EngineChoice, job: str) -> pipeline.Engines:
        """Who reads in a job. Raises as :meth:`_check_engine`."""
        asker = None if engine == "builtin" else self.asker(job)
        engines = (
            pipeline.BUILTIN
            if asker is None
            else pipeline.guest_engines(asker, self.settings, profile_in_use(self.settings)[1])
        )
        if engine == "model" and not engines.models:
            why = "the program is offline" if self.offline or self.settings.offline else "none is in use"
            raise MinervaError(
                f"There is no language model to read with: {why}.",
                hint="Read with the built-in engine (--engine builtin); “models list” shows what there is.",
                code="no-model",
            )
        return engines

    def _item(self, work: Work) -> pipeline.IngestItem:
        return web_works.item_of(work, self._fetch, self._already)

    def _fetch(self, work: Work, cancel: CancelToken) -> downloads.Download:
        from minerva_desktop.sources import downloads

        web = self._web_thread()
        return web.run(downloads.download(web.web, work, cache_dir() / "downloads", cancel=cancel))

    def _already(self, work: Work) -> str:
        paper = self.in_library(work)
        if paper is None or paper.extent != "full":
            return ""
        return f"This work is in the library already, as “{paper.title or paper.file_name}”; it was not fetched again."

    def _synonyms(self) -> Synonyms:
        from minerva_desktop.sources.wording import Synonyms

        names = {
            material.formula: (material.name, *material.synonyms)
            for material in self.current_lexicon().domain.materials
            if material.formula
        }
        return Synonyms(names)

    def _network(self) -> NetworkLog:
        from minerva_desktop.workbench.network import NetworkLog

        return NetworkLog(cache_dir() / "network.jsonl")

    def _web_thread(self) -> WebThread:
        from minerva_desktop.sources.options import WebOptions
        from minerva_desktop.workbench.network import WebThread

        options = WebOptions.from_environment(
            email=self.settings.email,
            openalex_key=secret("openalex")[0],
            semanticscholar_key=secret("semanticscholar")[0],
            offline=self.offline or self.settings.offline,
            cache=cache_dir() / "web",
        )
        with self._web_lock:
            if self._web is not None and self._web.options != options:
                self._web.close()
                self._web = None
            if self._web is None:
                self._web = WebThread(options, self._network().add)
            return self._web

    def _close_web(self) -> None:
        with self._web_lock:
            if self._web is not None:
                self._web.close()
                self._web = None


class _Sifting:
    """What a search has found so far, joined and judged; done anew only when records have come since."""

    def __init__(self, query: str, judging: relevance.Judge) -> None:
        self._judging = judging
        self._counts: dict[SourceName, int] = {}
        self._last = SearchResult(query)

    def result(
        self,
        records: Mapping[SourceName, Sequence[WorkRecord]],
        reports: Mapping[SourceName, SourceReport],
        refused: tuple[RefusedRecord, ...],
    ) -> SearchResult:
        """The works, what was left out, and how each source is doing; ``records`` only ever grow."""
        counts = {source: len(found) for source, found in records.items() if found}
        if counts != self._counts:
            self._counts, self._last = counts, self._sift([one for name in sorted(records) for one in records[name]])
        ordered = tuple(reports[source] for source in sorted(reports))
        return replace(self._last, refused=(*refused, *self._last.refused), reports=ordered)

    def _sift(self, records: Sequence[WorkRecord]) -> SearchResult:
        from minerva_desktop.sources import notices, relevance, same_paper

        grouped = same_paper.group(records)
        kept, dropped = relevance.sift_with(self._judging, notices.apply(grouped.works))
        left = tuple(RefusedRecord(item.record.source, item.record.title, item.reason) for item in grouped.excluded)
        return SearchResult(self._last.query, tuple(work for work, _ in kept), tuple(dropped), left)
