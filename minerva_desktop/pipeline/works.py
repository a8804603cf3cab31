"""Works found on the web as items of an ingest job: written down with the job, so that it can be taken up after a kill."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from minerva_desktop.events import CancelToken
from minerva_desktop.pipeline.items import Fetched, IngestItem
from minerva_desktop.records import Work, WorkRecord

if TYPE_CHECKING:
    from minerva_desktop.sources.downloads import Download

_NAME = 80
LEAST_ABSTRACT = 50
"""Characters; a paper of which there is less than this is skipped."""

Fetch = Callable[[Work, CancelToken], "Download"]


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[Work]:
    return TypeAdapter(Work)


def work_text(work: Work) -> str:
    """A work as one line of JSON."""
    return _adapter().dump_json(work).decode()


def work_of(text: str) -> Work:
    """The work that :func:`work_text` wrote."""
    return _adapter().validate_json(text)


def name_of(record: WorkRecord) -> str:
    """What a job's report calls a work."""
    title = " ".join(record.title.split()) or record.doi or record.arxiv_id or record.url or "Untitled"
    return title if len(title) <= _NAME else f"{title[: _NAME - 1].rstrip()}…"


def item_of(work: Work, fetch: Fetch, known: Callable[[Work], str]) -> IngestItem:
    """A job item that gets its file when its turn comes. ``known`` says why a work need not be fetched, or "".

    A work of which neither an open PDF nor an abstract can be had is skipped with the reason.
    """

    def get(cancel: CancelToken) -> Fetched:
        there = known(work)
        if there:
            return Fetched(None, "duplicate", there)
        got = fetch(work, cancel)
        if got.path is None:
            return Fetched(None, "skipped", got.reason or "Neither an open PDF nor an abstract could be had.")
        if got.kind == "abstract" and len(work.best.abstract) < LEAST_ABSTRACT:
            return Fetched(None, "skipped", f"{got.reason} Its abstract is too short to say anything.".strip())
        return Fetched(got.path, "ok", got.reason, "abstract" if got.kind == "abstract" else "full")

    return IngestItem(Path(), name_of(work.best), work.best, work.best.notices, get)
