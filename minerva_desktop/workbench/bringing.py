"""Bringing what a person has: bibliographies with their files, a folder that is watched; and asking what became of
papers (retractions, corrections)."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minerva_desktop.errors import MinervaError, UsageError
from minerva_desktop.events import CancelToken, Progress, ProgressSink, ignore_progress
from minerva_desktop.pipeline import IngestItem
from minerva_desktop.records import ChangeSet, IngestReport, Paper, Work, WorkRecord
from minerva_desktop.workbench.web import EngineChoice, WebChanges

if TYPE_CHECKING:
    from minerva_desktop.sources.bibliography import Bibliography, ImportPlan
    from minerva_desktop.sources.matching import Match

IMPORT = "import"
_DESCRIBED = ("title", "authors", "year", "venue", "doi", "arxiv_id", "pmid", "abstract", "url")
_WATCHED = "watched:"


@dataclass(frozen=True, slots=True)
class Described:
    """A paper of the library that a bibliography knows more about, and why it is that paper."""

    paper: str
    title: str
    why: str


class Bringing(WebChanges):
    """Bibliographies, watched folders, notices."""

    def import_bibliography(
        self,
        bibliography: Bibliography,
        plan: ImportPlan,
        *,
        engine: EngineChoice = "auto",
        progress: ProgressSink = ignore_progress,
        cancel: CancelToken | None = None,
    ) -> IngestReport:
        """Take in the files that a bibliography brings, with what it says of each, as a job like a drop. ``engine``: as for
        :meth:`ingest`."""
        items = [
            IngestItem(item.path, str(item.path), item.record if item.role == "paper" else None) for item in plan.files
        ]
        with self._work:
            named = [(item.name, str(item.path.absolute())) for item in items]
            data = [_record_text(item.record) for item in items]
            job = self._start_job(IMPORT, named, engine, {"kind": bibliography.kind}, data)
            return self._ingest(job, items, None, progress, cancel, engine=engine)

    def describe_from(self, records: Sequence[WorkRecord]) -> list[Described]:
        """Put what a bibliography says on the papers of the library that it speaks of: found by DOI or arXiv id, then by
        title. One change for each paper, which can be undone."""
        from minerva_desktop.sources.matching import match_papers

        papers = {paper.id: paper for paper in self.papers()}
        matching = match_papers([self._stamp(paper) for paper in papers.values()], records)
        return [self._described(papers[match.paper], records[match.record], match) for match in matching.matches]

    def refresh_notices(
        self, *, progress: ProgressSink = ignore_progress, cancel: CancelToken | None = None
    ) -> list[ChangeSet]:
        """Ask Crossref and OpenAlex whether papers with a DOI were retracted or corrected; what is new is noted.

        Raises:
            MinervaError: not one paper could be asked for (offline, say); the message says why.
        """
        from minerva_desktop.sources import looking_up, notices, same_paper

        asked = [paper for paper in self.papers() if paper.doi]
        token = cancel or CancelToken()
        web = self._web_thread()
        changes = []
        problems = []
        for number, paper in enumerate(asked):
            token.check()
            progress(Progress("notices", "arrive", paper.title or paper.doi, number, len(asked), "papers"))
            found = web.run(looking_up.look_up(web.web, paper.doi, cancel=token))
            if not found.records:
                problems.append(found.problem)
            works = notices.apply(same_paper.group(found.records).works)
            said = [work for work in works if work.best.doi.lower() == paper.doi.lower()]
            if said and said[0].best.notices:
                new = said[0].best.notices
                change = self._journaled(partial(self.library.catalog.set_notices, paper.id, new))
                changes += [change] if change.label else []
        if asked and len(problems) == len(asked):
            raise MinervaError(
                f"No paper could be asked for. {problems[0]}", hint="Try again when the network is there.", code="web"
            )
        return changes

    # ------------------------------------------------------------------------------------------------ watched folders
    def watched_folders(self) -> list[Path]:
        """Folders whose new PDFs are taken in by themselves."""
        rows = self.library.catalog.db.rows(
            "SELECT key FROM meta WHERE key >= ? AND key < ? ORDER BY key", [_WATCHED, _WATCHED + "\uffff"]
        )
        return [Path(row["key"].removeprefix(_WATCHED)) for row in rows]

    def watch_folder(self, folder: Path, *, present: bool = True) -> None:
        """Watch a folder from now on. ``present``: what is in it already is taken in too.

        Raises:
            UsageError: it is no folder.
        """
        from minerva_desktop.sources.watching import WatchState, mark_known

        folder = folder.expanduser().absolute()
        if not folder.is_dir():
            raise UsageError(f"{folder} is no folder.", hint="Name a folder that holds or will hold PDFs.")
        state = WatchState() if present else mark_known(folder, WatchState())
        self._keep_state(folder, state.to_plain())

    def unwatch_folder(self, folder: Path) -> None:
        """Watch a folder no more; its papers stay."""
        with self._changes, self.library.catalog.db.transaction() as connection:
            connection.execute("DELETE FROM meta WHERE key = ?", [f"{_WATCHED}{folder.expanduser().absolute()}"])

    def look_at_folders(
        self,
        *,
        settle: float = 5.0,
        progress: ProgressSink = ignore_progress,
        cancel: CancelToken | None = None,
    ) -> tuple[IngestReport | None, list[str]]:
        """Look once at the watched folders and take in what is new; and sentences about folders that could not be looked
        at."""
        new, problems = self.new_in_folders(settle=settle)
        return (self.ingest(new, progress=progress, cancel=cancel) if new else None), problems

    def new_in_folders(self, *, settle: float = 5.0) -> tuple[list[Path], list[str]]:
        """New and complete files of the watched folders, each told once; and sentences about folders that could not be
        looked at. A file is new when its size and time have not changed for ``settle`` seconds."""
        from minerva_desktop.sources.watching import WatchOptions, WatchState, look

        new: list[Path] = []
        problems = []
        for folder in self.watched_folders():
            state = self._watching.get(folder)
            if state is None:
                state = WatchState.from_plain(json.loads(self.library.catalog.db.meta(f"{_WATCHED}{folder}", "{}")))
            seen = look(folder, state, time.monotonic(), WatchOptions(settle=settle))
            self._watching[folder] = seen.state
            problems += [seen.problem] if seen.problem else []
            if seen.new:
                new += [item.path for item in seen.new]
                self._keep_state(folder, seen.state.to_plain())
        return new, problems

    # ----------------------------------------------------------------------------------------------- internals
    if TYPE_CHECKING:  # what the workbench itself has

        def ingest(
            self,
            paths: Sequence[Path],
            *,
            password: str | None = None,
            recognise: bool = False,
            engine: EngineChoice = "auto",
            progress: ProgressSink = ignore_progress,
            cancel: CancelToken | None = None,
        ) -> IngestReport: ...

    def _keep_state(self, folder: Path, state: dict[str, Any]) -> None:
        with self._changes:
            self.library.catalog.db.set_meta(f"{_WATCHED}{folder}", json.dumps(state, sort_keys=True))

    def _stamp(self, paper: Paper) -> Any:
        from minerva_desktop.sources.matching import stamp_of

        stamp = stamp_of(paper.id, self.library.catalog.document(paper.id))
        return replace(stamp, doi=paper.doi or stamp.doi, arxiv_id=paper.arxiv_id or stamp.arxiv_id)

    def _described(self, paper: Paper, record: WorkRecord, match: Match) -> Described:
        said = {name: getattr(record, name) for name in _DESCRIBED if getattr(record, name)}
        self.describe_paper(paper.id, **said)
        return Described(paper.id, record.title or paper.title, match.why)


def _record_text(record: WorkRecord | None) -> str:
    from minerva_desktop.pipeline.works import work_text

    return work_text(Work(record, (record,))) if record is not None else ""
