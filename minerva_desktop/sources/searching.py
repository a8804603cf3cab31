"""Search several services at once. Each reports for itself: one that fails, is slow or asks to wait loses the others
nothing."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from minerva_desktop import __version__
from minerva_desktop.errors import Cancelled, UsageError
from minerva_desktop.events import CancelToken
from minerva_desktop.records.works import RefusedRecord, SourceName, SourceReport, SourceStatus, WorkRecord
from minerva_desktop.sources import arxiv, crossref, openalex, semanticscholar
from minerva_desktop.sources.http import Reply, SourceError, Web
from minerva_desktop.sources.options import LABELS, WebErrorKind, WebOptions
from minerva_desktop.sources.parsing import Parsed

Years = tuple[int | None, int | None]
PageSink = Callable[[SourceName, Sequence[WorkRecord], SourceReport], None]

SOURCES: tuple[SourceName, ...] = ("arxiv", "openalex", "crossref")
"""The services that are asked when none are named."""
SEARCHABLE: tuple[SourceName, ...] = (*SOURCES, "semanticscholar")
MOST = 200
"""Most results of one service."""

_LOG = logging.getLogger(__name__)
AGENT = f"MinervaDesktop/{__version__}"
_POLL = 0.05
_STATUS: dict[WebErrorKind, SourceStatus] = {"offline": "offline", "slow": "slow", "limited": "limited"}
_Result = TypeVar("_Result")


class SourceResult(NamedTuple):
    """What one service gave."""

    report: SourceReport
    records: tuple[WorkRecord, ...]
    refused: tuple[RefusedRecord, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """One request to a service and how to read its answer."""

    service: SourceName
    url: str
    parameters: dict[str, str]
    parse: Callable[[bytes], Parsed]


@dataclass(slots=True)
class _Run:
    """One service while it is being searched."""

    source: SourceName
    begin: float
    records: list[WorkRecord] = field(default_factory=list)
    refused: list[RefusedRecord] = field(default_factory=list)
    status: SourceStatus = "ok"
    message: str = ""
    requests: int = 0
    cached: int = 0
    budget: str = ""
    with_key: bool = True
    finished: float | None = None

    def report(self) -> SourceReport:
        end = time.monotonic() if self.finished is None else self.finished
        return SourceReport(
            self.source,
            self.status,
            self.message,
            found=len(self.records),
            refused=len(self.refused),
            requests=self.requests,
            cached=self.cached,
            seconds=round(end - self.begin, 3),
            budget=self.budget,
        )


async def search(
    web: Web,
    query: str,
    *,
    sources: Sequence[SourceName] = SOURCES,
    limit: int = 10,
    years: Years | None = None,
    page: PageSink | None = None,
    cancel: CancelToken | None = None,
    materials_only: bool = False,
) -> list[SourceResult]:
    """Search ``sources`` side by side, up to ``limit`` (1 to 200) results of each.

    Args:
        years: first and last year, either may be ``None``.
        page: gets the records of each page as it arrives and the report so far; called in the loop's thread.
        cancel: stops what is still running; what has arrived is returned and the report says "cancelled".
        materials_only: narrows OpenAlex to its concept of materials science.

    Returns:
        One result for each source, in the order asked for.

    Raises:
        UsageError: nothing to search for, or a source that cannot be searched.
    """
    query = " ".join(query.split())
    if not any(character.isalnum() for character in query):
        raise UsageError("There is nothing to search for.", hint="Type a few words, such as a material and a property.")
    unknown = [name for name in sources if name not in SEARCHABLE]
    if unknown or not sources:
        raise UsageError(
            f"“{', '.join(unknown)}” cannot be searched." if unknown else "No source is chosen.",
            hint=f"Sources: {', '.join(SEARCHABLE)}.",
        )
    limit = max(1, min(limit, MOST))
    if years and years[0] and years[1] and years[0] > years[1]:
        years = (years[1], years[0])
    runs = [_Run(name, time.monotonic()) for name in dict.fromkeys(sources)]
    concept = openalex.MATERIALS_SCIENCE if materials_only else ""
    await _watched([_search_one(web, run, query, limit, years, page, concept) for run in runs], runs, cancel)
    return [SourceResult(run.report(), tuple(run.records), tuple(run.refused)) for run in runs]


async def _watched(work: list[Awaitable[None]], runs: list[_Run], cancel: CancelToken | None) -> None:
    """Run everything; when the person stops, end what has not ended."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        await wait_or_cancel(tasks, cancel)
        for run, task in zip(runs, tasks, strict=True):
            fault = task.exception()
            if fault is not None:  # a fault of ours, which must not lose what the others found
                _LOG.error("search of %s failed", run.source, exc_info=fault)
                run.status, run.message = (
                    "failed",
                    f"{LABELS[run.source]}'s answer could not be worked on; please report this.",
                )
    except Cancelled:
        for run in runs:
            if run.finished is None:
                run.status, run.message = (
                    "cancelled",
                    f"{LABELS[run.source]} was stopped before it had answered in full.",
                )
                run.finished = time.monotonic()


async def wait_or_cancel(tasks: Iterable[asyncio.Future[_Result]], cancel: CancelToken | None) -> None:
    """Wait until all tasks have ended; when ``cancel`` is set, end them at once.

    Raises:
        Cancelled: the token was set while something was still running.
    """
    waiting = set(tasks)
    try:
        while waiting:
            if cancel is not None:
                cancel.check()
            _, waiting = await asyncio.wait(waiting, timeout=_POLL if cancel is not None else None)
    finally:
        for task in waiting:
            task.cancel()
        if waiting:
            await asyncio.gather(*waiting, return_exceptions=True)


async def cancellable(work: Coroutine[Any, Any, _Result], cancel: CancelToken | None) -> _Result:
    """The result of ``work``, unless the token is set before.

    Raises:
        Cancelled: the token was set; the work was ended at once.
    """
    task = asyncio.ensure_future(work)
    await wait_or_cancel([task], cancel)
    return task.result()


async def _search_one(
    web: Web, run: _Run, query: str, limit: int, years: Years | None, page: PageSink | None, concept: str
) -> None:
    start, seen, asked_again = 0, set[str](), False
    try:
        while start < limit:
            rows = _page_size(run.source, limit)
            if run.source != "openalex":  # which counts pages, so that all must be of one size
                rows = min(rows, limit - start)
            parsed = await _ask(web, run, lambda: _question(web.options, run, query, start, rows, years, concept))  # noqa: B023
            fresh = [record for record in parsed.records if (record.source_id or record.title) not in seen]
            seen |= {record.source_id or record.title for record in fresh}
            fresh = fresh[: limit - len(run.records)]
            run.records += fresh
            run.refused += parsed.refused
            got = len(parsed.records) + len(parsed.refused)
            if not got and not asked_again and start < min(parsed.total or 0, limit):
                asked_again = True  # arXiv now and then sends an empty page in the middle of its results
                continue
            start += rows
            if page is not None and (fresh or parsed.refused):
                page(run.source, fresh, run.report())
            if not got:
                _note_gap(run, parsed, start - rows, limit)
                break
            if got < rows or (parsed.total is not None and start >= parsed.total):
                break
    except SourceError as error:
        run.status = "partial" if run.records else _STATUS.get(error.kind, "failed")
        run.message = " ".join(part for part in (run.message, error.message) if part)
    if web.options.offline and run.cached and run.status == "ok":
        run.message = f"Working offline: these are the results of {LABELS[run.source]} from an earlier search."
    run.finished = time.monotonic()


def _note_gap(run: _Run, parsed: Parsed, start: int, limit: int) -> None:
    """Say that a page was empty where the service has more."""
    if parsed.total is not None and start < min(parsed.total, limit):
        run.status = "partial" if run.records else "failed"
        run.message = (
            f"{LABELS[run.source]} sent an empty page after {start} of its results; search again for the rest."
        )


async def _ask(web: Web, run: _Run, question: Callable[[], Question]) -> Parsed:
    """One page, without the OpenAlex key when that is spent or not taken."""
    try:
        return await _ask_once(web, run, question())
    except SourceError as error:
        refused = error.kind == "limited" or error.status in (401, 403)
        if not (run.source == "openalex" and run.with_key and web.options.openalex_key and refused):
            raise _with_advice(web.options, run, error) from error
        run.with_key = False
        why = "is spent for today" if error.kind == "limited" else "is not accepted"
        run.message = f"Your OpenAlex key {why}, so OpenAlex was asked without it."
        try:
            return await _ask_once(web, run, question())
        except SourceError as second:
            raise _with_advice(web.options, run, second) from second


def _with_advice(options: WebOptions, run: _Run, error: SourceError) -> SourceError:
    if run.source == "openalex" and error.kind == "limited" and not options.openalex_key:
        error.message = f"{error.message.rstrip('.')}, or add a free OpenAlex key in the settings."
    return error


async def _ask_once(web: Web, run: _Run, question: Question) -> Parsed:
    parsed, reply = await ask(web, question, count=lambda requests: _count(run, requests))
    run.cached += reply.cached
    if run.source == "openalex":
        run.budget = openalex.budget(reply.headers) or run.budget
    return parsed


def _count(run: _Run, requests: int) -> None:
    run.requests += requests


async def ask(web: Web, question: Question, count: Callable[[int], None] = lambda _: None) -> tuple[Parsed, Reply]:
    """Ask one question and read the answer. ``count`` is told how many requests went over the network.

    Raises:
        SourceError: no answer, or one without works in it.
    """
    read: list[Parsed] = []

    def understood(reply: Reply) -> bool:
        read.append(question.parse(reply.body))
        return not read[-1].problem and bool(read[-1].records or read[-1].refused or not read[-1].total)

    try:
        reply = await web.get(
            question.url,
            question.parameters,
            _headers(web.options, question.service),
            service=question.service,
            worth_keeping=understood,
        )
    except SourceError as error:
        count(error.requests)
        said = question.parse(error.body) if error.body else Parsed()
        reason = said.problem or next((one.reason for one in said.refused), "")
        if error.kind == "rejected" and " reports: " in reason:
            error.message = f"{reason.rstrip('.')}."
        raise
    count(reply.requests)
    parsed = read[-1] if read else question.parse(reply.body)
    if parsed.problem:
        name = LABELS[question.service]
        text = parsed.problem if " reports: " in parsed.problem else f"{name} gave nothing usable: {parsed.problem}"
        raise SourceError("bad answer", name, f"{text}; try again later.", body=reply.body[:2000])
    return parsed, reply


def _headers(options: WebOptions, service: SourceName) -> dict[str, str]:
    accept = {"Accept": "application/atom+xml" if service == "arxiv" else "application/json"}
    if service == "crossref":
        return accept | crossref.headers(options, AGENT)
    return accept | (semanticscholar.headers(options) if service == "semanticscholar" else {})


def _page_size(source: SourceName, limit: int) -> int:
    sizes = {"arxiv": arxiv.PAGE, "openalex": openalex.PAGE, "crossref": crossref.PAGE}
    return min(sizes.get(source, semanticscholar.PAGE), limit)


def _question(
    options: WebOptions, run: _Run, query: str, start: int, rows: int, years: Years | None, concept: str
) -> Question:
    if run.source == "arxiv":
        return Question("arxiv", *arxiv.search_request(options, query, start, rows, years), arxiv.parse)
    if run.source == "crossref":
        return Question("crossref", *crossref.search_request(options, query, start, rows, years), crossref.parse)
    if run.source == "semanticscholar":
        asked = semanticscholar.search_request(options, query, start, rows, years)
        return Question("semanticscholar", *asked, semanticscholar.parse)
    asked = openalex.search_request(
        options, query, start // rows + 1, rows, years, concept=concept, with_key=run.with_key
    )
    return Question("openalex", *asked, openalex.parse)
