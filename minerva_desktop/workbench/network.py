"""The thread that talks to the network, and the log of what it asked."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from minerva_desktop.library.base import now
from minerva_desktop.sources.http import Web
from minerva_desktop.sources.options import Exchange, WebOptions

_LOGGED = 2_000
_T = TypeVar("_T")


class NetworkLog:
    """Every request that was made, newest last, kept in a file of the cache so that it outlives the program."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()

    def add(self, exchange: Exchange) -> None:
        """Write one request down."""
        line = {"at": now(), **{item.name: getattr(exchange, item.name) for item in fields(exchange)}}
        with self._lock:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with self.path.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps(line, ensure_ascii=False) + "\n")
            except OSError:
                return  # a full disk must not stop a search

    def lines(self, limit: int = _LOGGED) -> list[dict[str, Any]]:
        """The latest requests, newest first; older ones are dropped from the file."""
        with self._lock:
            try:
                lines = self.path.read_text(encoding="utf-8").splitlines()
                if len(lines) > 2 * _LOGGED:
                    self.path.write_text("\n".join(lines[-_LOGGED:]) + "\n", encoding="utf-8")
            except OSError:
                return []
        return [json.loads(line) for line in reversed(lines[-limit:]) if line.startswith("{") and line.endswith("}")]

    def clear(self) -> None:
        """Forget all of it."""
        with self._lock:
            self.path.unlink(missing_ok=True)


class WebThread:
    """A thread with an event loop and the web client in it. Started when it is first needed."""

    def __init__(self, options: WebOptions, log: Callable[[Exchange], None]) -> None:
        self.options = options
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="web", daemon=True)
        self._thread.start()
        self.web = self.run(self._open(options, log))

    async def _open(self, options: WebOptions, log: Callable[[Exchange], None]) -> Web:
        return await Web(options, log).__aenter__()

    def run(self, work: Coroutine[Any, Any, _T]) -> _T:
        """The result of a coroutine, run in the loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        """End the client, the loop and the thread."""
        self.run(self.web.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()
