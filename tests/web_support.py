"""What the tests of the web part share."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from minerva_desktop.sources.http import Exchange, Web, WebOptions
from tests.web_server import Server, arxiv_answer, crossref_answer, openalex_answer, serve, unpaywall_answer

_Result = TypeVar("_Result")

QUICK: dict[str, Any] = {
    "seconds": 5.0,
    "connect_seconds": 2.0,
    "read_seconds": 2.0,
    "download_seconds": 5.0,
    "backoff": 0.01,
    "intervals": {},
}
EMAIL = "reader@university.example"
KEY = "openalex-secret-123"


@dataclass
class Internet:
    """The four services on this machine, and the log of what a client asked of them."""

    arxiv: Server = field(default_factory=lambda: Server(arxiv_answer()))
    openalex: Server = field(default_factory=lambda: Server(openalex_answer()))
    crossref: Server = field(default_factory=lambda: Server(crossref_answer()))
    unpaywall: Server = field(default_factory=lambda: Server(unpaywall_answer()))
    site: Server = field(default_factory=lambda: Server(lambda _: (404, {}, b"")))
    log: list[Exchange] = field(default_factory=list)

    @property
    def servers(self) -> tuple[Server, ...]:
        return (self.arxiv, self.openalex, self.crossref, self.unpaywall, self.site)

    @property
    def asked(self) -> int:
        return sum(len(server.seen) for server in self.servers)

    def environment(self) -> dict[str, str]:
        return {
            "MINERVA_ARXIV_URL": self.arxiv.url,
            "MINERVA_OPENALEX_URL": self.openalex.url,
            "MINERVA_CROSSREF_URL": self.crossref.url,
            "MINERVA_UNPAYWALL_URL": self.unpaywall.url,
            "MINERVA_TEST_ALLOW_HOSTS": ",".join(server.host for server in self.servers),
        }

    def options(self, cache: Path | None = None, **changes: Any) -> WebOptions:
        return WebOptions.from_environment(self.environment(), cache=cache, **{**QUICK, **changes})

    def run(self, use: Callable[[Web], Awaitable[_Result]], cache: Path | None = None, **changes: Any) -> _Result:
        """Run ``use`` with a client of these services."""

        async def within() -> _Result:
            async with Web(self.options(cache, **changes), self.log.append) as web:
                return await use(web)

        return asyncio.run(within())


@contextmanager
def internet(**servers: Server) -> Iterator[Internet]:
    """The services, running."""
    net = Internet(**servers)
    with serve(*net.servers):
        yield net
