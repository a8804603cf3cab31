"""Turns at a service: so many requests at once, so far apart, none while it asks us to wait."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

_DEFAULT_PARALLEL = 3

# When a service may be asked next, by monotonic time. It belongs to the process and not to one client: two searches
# that run side by side are one visitor to the service.
_next_turn: dict[str, float] = {}
_lock = threading.Lock()


class Pace:
    """Hands out turns. ``intervals`` are seconds between the starts of two requests, ``parallel`` how many at once; where
    that is one, the seconds count from the end of the request before."""

    def __init__(self, intervals: Mapping[str, float], parallel: Mapping[str, int]) -> None:
        self._intervals = intervals
        self._parallel = parallel
        self._places: dict[str, asyncio.Semaphore] = {}

    @asynccontextmanager
    async def turn(self, service: str) -> AsyncIterator[None]:
        """Wait for a turn at ``service`` and hold a place there."""
        places = self._places.setdefault(service, asyncio.Semaphore(self._parallel.get(service, _DEFAULT_PARALLEL)))
        async with places:
            await self._wait(service)
            try:
                yield
            finally:
                if self._parallel.get(service, _DEFAULT_PARALLEL) == 1:
                    self._rest(service)

    async def _wait(self, service: str) -> None:
        interval = self._intervals.get(service, 0.0)
        with _lock:
            now = time.monotonic()
            start = max(now, _next_turn.get(service, 0.0)) if interval else now
            _next_turn[service] = start + interval
        if start > now:
            await asyncio.sleep(start - now)

    def _rest(self, service: str) -> None:
        interval = self._intervals.get(service, 0.0)
        if interval:
            with _lock:
                _next_turn[service] = max(_next_turn.get(service, 0.0), time.monotonic() + interval)
