"""How long do three services take together, against the slowest of them alone? And what does the same search cost again?

The services are made up and run on this machine, 300 ms from question to answer, 50 results each. Waiting for one's turn is
off, for the measurements follow one another faster than searches of a person do; a first search has no turn to wait for.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from minerva_desktop.bench._services import Services, run_services
from minerva_desktop.records.works import SourceName
from minerva_desktop.sources.http import Web, WebOptions
from minerva_desktop.sources.searching import SOURCES, SourceResult, search

_DELAY = 0.3
_RESULTS = 50
_TIMES = 5


def run(data: Path | None) -> dict[str, Any]:
    """Median seconds of each service alone, of all together, of all again; requests of each."""
    begin = time.perf_counter()
    with run_services(_DELAY) as services, tempfile.TemporaryDirectory() as folder:
        alone = {name: _median(services, (name,)) for name in SOURCES}
        together = _median(services, SOURCES)
        cache = Path(folder)
        first = _timed(services, SOURCES, cache)
        asked = services.asked
        again = _timed(services, SOURCES, cache)
        repeated = services.asked - asked
    found = {result.report.source: len(result.records) for result in again[1]}
    figures = {
        "delay": _DELAY,
        "results": found,
        "seconds_alone": {name: round(seconds, 3) for name, seconds in alone.items()},
        "seconds_together": round(together, 3),
        "together_to_slowest": round(together / max(alone.values()), 2),
        "requests": sum(result.report.requests for result in first[1]),
        "requests_again": repeated,
        "seconds_again": round(again[0], 3),
    }
    return {"name": "search-latency", "n": _TIMES, "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def _median(services: Services, sources: tuple[SourceName, ...]) -> float:
    return statistics.median(_timed(services, sources, None)[0] for _ in range(_TIMES))


def _timed(services: Services, sources: tuple[SourceName, ...], cache: Path | None) -> tuple[float, list[SourceResult]]:
    hosts = frozenset(url.removeprefix("http://") for url in services.urls.values())
    options = WebOptions(base_urls=services.urls, allow_hosts=hosts, cache=cache, intervals={})

    async def ask() -> tuple[float, list[SourceResult]]:
        async with Web(options) as web:
            begin = time.perf_counter()
            found = await search(web, "niobium nitride films", sources=sources, limit=_RESULTS)
            return time.perf_counter() - begin, found

    return asyncio.run(ask())
