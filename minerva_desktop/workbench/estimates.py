"""What a language model would take for a piece of work, told before it is begun. Nothing is sent for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from minerva_desktop import pipeline
from minerva_desktop.documents import ReaderPool
from minerva_desktop.events import CancelToken, Progress, ProgressSink, ignore_progress
from minerva_desktop.models.calls import Asker
from minerva_desktop.pipeline import estimating
from minerva_desktop.pipeline.items import file_digest
from minerva_desktop.records import Document, Estimate, Passage
from minerva_desktop.settings.profiles import profile_in_use
from minerva_desktop.workbench.reading import REREAD, Reading
from minerva_desktop.workbench.web import SEARCH, EngineChoice


class Estimates(Reading):
    """Estimates. Without a model that would be asked, all of them are zero."""

    def estimate_ingest(
        self,
        paths: Sequence[Path],
        *,
        password: str | None = None,
        engine: EngineChoice = "auto",
        progress: ProgressSink = ignore_progress,
        cancel: CancelToken | None = None,
    ) -> Estimate:
        """What taking these files in would take. Up to twelve of them are read for it, on this machine; the job that
        follows does not read them again.

        Raises:
            MinervaError: a model was asked for and none can be used; code ``no-model``.
        """
        files = [item.path for item in pipeline.collect_files(paths)]
        self._check_engine(engine)
        asker = None if engine == "builtin" else self.asker()
        if asker is None:
            return Estimate(len(files))
        new = [path for path in files if not self._is_known(path)]
        looked_at = estimating.spread(new)
        documents = self._read_some(looked_at, password, progress, cancel or CancelToken())
        return self._estimate(len(new), documents, len(looked_at), asker)

    def estimate_reextract(self, refs: Sequence[str] = (), *, engine: EngineChoice = "auto") -> Estimate:
        """What reading stored papers again would take; all of them when none is named. Raises as
        :meth:`estimate_ingest`."""
        papers = [self.paper(ref).id for ref in dict.fromkeys(refs)] or [paper.id for paper in self.papers()]
        return self._like_stored(len(papers), papers, engine)

    def estimate_works(self, count: int, *, engine: EngineChoice = "auto") -> Estimate:
        """What so many works of the web would take, if they were like the papers of the library. Raises as
        :meth:`estimate_ingest`."""
        estimate = self._like_stored(count, [paper.id for paper in self.papers()], engine)
        if self.papers() or not self._engines(engine, "").models:
            return estimate
        return replace(estimate, warning="What works of the web take is known when they have been fetched.")

    def estimate_resume(self, job_id: str, *, engine: EngineChoice = "auto") -> Estimate:
        """What the rest of a job would take. Raises as :meth:`estimate_ingest`."""
        job = self.job(job_id)
        left = [item for item in job["items"] if item["status"] == "pending"]
        chosen = self._chosen_engine(job, engine)
        if job["kind"] == REREAD:
            return self.estimate_reextract([str(item["path"]) for item in left], engine=chosen)
        if job["kind"] == SEARCH:
            return self.estimate_works(len(left), engine=chosen)
        return self.estimate_ingest([Path(str(item["path"])) for item in left], engine=chosen)

    # ----------------------------------------------------------------------------------------------- internals
    def _like_stored(self, count: int, papers: Sequence[str], engine: EngineChoice) -> Estimate:
        self._check_engine(engine)
        asker = None if engine == "builtin" else self.asker()
        if asker is None:
            return Estimate(count)
        looked_at = estimating.spread(papers)
        documents = (self.library.catalog.document(paper) for paper in looked_at)
        return self._estimate(count, documents, len(looked_at), asker)

    def _estimate(self, papers: int, documents: Iterator[Document], looked_at: int, asker: Asker) -> Estimate:
        profile = profile_in_use(self.settings)[1]
        if profile is None:
            return Estimate(papers)
        domain = self.domain
        each = [
            estimating.estimate_paper(item, domain, asker, profile, self.settings, self._find_by_words)
            for item in documents
        ]
        # Files that cannot be read cost nothing, and of a sample stand for those like them.
        each += [estimating.PaperEstimate({})] * (looked_at - len(each))
        estimate = estimating.total(papers, each, profile, asker.model_name)
        return replace(estimate, warning=estimating.warning(estimate, self.model_spending()))

    def _find_by_words(self, query: str, limit: int) -> Sequence[Passage]:
        """Textbook passages, found without the embedder."""
        level = self.settings.max_textbook_level
        return self.library.catalog.search_words(query, ("textbook",), limit, max_level=level)

    def _read_some(
        self, paths: Sequence[Path], password: str | None, progress: ProgressSink, cancel: CancelToken
    ) -> Iterator[Document]:
        with ReaderPool(self._limits(), workers=1) as pool:
            for number, path in enumerate(paths):
                progress(Progress("", "read", path.name, number, len(paths), message="to estimate what a model takes"))
                document = pool.read(path, password=password, cancel=cancel)
                if document.status in pipeline.DONE and document.sentences:
                    self._kept.keep(file_digest(path), document)
                    yield document

    def _is_known(self, path: Path) -> bool:
        try:
            return self.library.catalog.has_file(file_digest(path))
        except OSError:
            return False
