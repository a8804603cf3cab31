"""Answers kept on disk, so that asking the same again costs nothing. Only whole, understood answers are kept."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hishel import Headers, Request, Response, SqliteStorage

from minerva_desktop.sources.options import public_parameters, without_secrets

_FILE = "web.sqlite"
_MOST = 256_000_000
_KEPT_HEADERS = ("content-type", "last-modified", "etag")

# The storage logs its own failures with a traceback; to us a cache that fails is a cache that has nothing.
logging.getLogger("hishel").setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, read to its end. ``url`` is where it came from in the end; ``headers`` have lower-case names."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    cached: bool = False
    requests: int = 1

    @property
    def media_type(self) -> str:
        """The content type without its parameters, lower case."""
        return self.headers.get("content-type", "").split(";", maxsplit=1)[0].strip().lower()


class Replies:
    """The cache. It never fails a request: a folder that cannot be written or a broken file means that nothing is kept."""

    def __init__(self, folder: Path | None, seconds: float) -> None:
        self._seconds = seconds
        self._storage = (
            SqliteStorage(database_path=folder / _FILE, default_ttl=seconds, max_size=_MOST)
            if folder is not None and seconds > 0
            else None
        )

    async def find(self, key: str) -> Reply | None:
        """What was kept under a key and is not too old."""
        if self._storage is None:
            return None
        return await asyncio.to_thread(self._find, self._storage, key)

    async def keep(self, key: str, reply: Reply) -> None:
        """Keep an answer under a key."""
        if self._storage is not None:
            await asyncio.to_thread(self._keep, self._storage, key, reply)

    def close(self) -> None:
        if self._storage is not None:
            self._storage.close()

    def _find(self, storage: SqliteStorage, key: str) -> Reply | None:
        try:
            for entry in storage.get_entries(key):
                stream = entry.response.stream
                if isinstance(stream, Iterator):
                    headers = {name.lower(): value for name, value in entry.response.headers.items()}
                    body = b"".join(stream)
                    return Reply(entry.request.url, entry.response.status_code, headers, body, cached=True, requests=0)
        except (RuntimeError, OSError, sqlite3.Error):
            return None
        return None

    def _keep(self, storage: SqliteStorage, key: str, reply: Reply) -> None:
        headers = Headers({name: value for name, value in reply.headers.items() if name in _KEPT_HEADERS})
        try:
            entry = storage.create_entry(
                Request("GET", without_secrets(reply.url)),
                Response(reply.status, headers, iter((reply.body,))),
                key,
            )
            stream = entry.response.stream
            if isinstance(stream, Iterator):
                for _ in stream:  # the storage writes what is read from it
                    pass
        except (RuntimeError, OSError, sqlite3.Error):
            return


def key_of(url: str, parameters: Mapping[str, str], accept: str) -> str:
    """The name of a question in the cache: the same whoever asks it."""
    asked = sorted(public_parameters(parameters).items())
    return hashlib.sha256(repr((url, asked, accept)).encode()).hexdigest()
