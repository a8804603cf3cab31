"""The polite client. No other module opens a connection.

Every request passes the guard, waits for its turn, is tried again where that helps, ends in time, is cut off when it gets
too large, and is told to the log. An answer that was kept on disk needs none of that.
"""

from __future__ import annotations

import asyncio
import functools
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any
from urllib.parse import urljoin

import httpcore
import httpx
import tenacity

from minerva_desktop import __version__
from minerva_desktop.sources import guard
from minerva_desktop.sources.failures import (
    REDIRECTS,
    SHOWN_BODY,
    limited,
    name_of,
    raise_for,
    too_large,
    worth_another_try,
)
from minerva_desktop.sources.options import Exchange, SourceError, WebOptions, hide, without_secrets
from minerva_desktop.sources.pace import Pace
from minerva_desktop.sources.replies import Replies, Reply, key_of

__all__ = ["Exchange", "Reply", "SourceError", "Web", "WebOptions"]

_MOST_REDIRECTS = 5
_LONGEST_BACKOFF = 8.0
_FIRST_ADDRESS_SECONDS = 3.0
_CONNECTIONS = 20

Sink = Callable[[bytes], None]
"""Takes a body piece by piece."""


class _GuardedBackend(httpcore.AsyncNetworkBackend):
    """Connects to the very address that was checked: a name that answers differently the second time gains nothing."""

    def __init__(self, allowed: frozenset[str]) -> None:
        self._allowed = allowed
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        addresses = guard.check_addresses(host, port, await _resolve(host, port), self._allowed)
        for address in addresses[:-1]:
            try:
                brief = min(timeout or _FIRST_ADDRESS_SECONDS, _FIRST_ADDRESS_SECONDS)
                return await self._inner.connect_tcp(str(address), port, brief, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await self._inner.connect_tcp(str(addresses[-1]), port, timeout, local_address, socket_options)

    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        raise httpcore.ConnectError("not over a file")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def _resolve(host: str, port: int) -> list[guard.Address]:
    spelt = guard.literal(host)
    if spelt is not None:
        return [spelt]
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        message = f"The name {host} could not be found; check your connection."
        raise SourceError("unreachable" if _may_pass(error) else "unknown host", host, message) from error
    addresses = [guard.literal(str(entry[4][0])) for entry in found]
    usable = [address for address in addresses if address is not None]
    if not usable:
        raise SourceError("unreachable", host, f"The name {host} has no address.")
    return usable


@functools.cache
def _trust() -> ssl.SSLContext:
    """Whom we trust, read once: it takes a tenth of a second."""
    return httpx.create_ssl_context()


def _may_pass(error: Exception) -> bool:
    """Whether a name server that gave no answer may give one soon; that a name does not exist stays so."""
    return isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN


class _GuardedTransport(httpx.AsyncHTTPTransport):
    """httpx over our own connections; httpx has no public way to hand them over."""

    def __init__(self, allowed: frozenset[str], trust: ssl.SSLContext) -> None:
        super().__init__(verify=trust)
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=trust,
            max_connections=_CONNECTIONS,
            keepalive_expiry=15.0,
            network_backend=_GuardedBackend(allowed),
        )


@dataclass(slots=True)
class _Asked:
    """One question while it is being asked. ``left`` seconds remain of its time."""

    url: str
    parameters: Mapping[str, str]
    headers: Mapping[str, str]
    service: str
    left: float
    most: int
    sink: Callable[[], Sink] | None = None
    tried: int = 0
    requests: int = 0
    finished: list[Reply] = field(default_factory=list)


class Web:
    """The client, an asynchronous context manager. ``log`` gets one :class:`Exchange` for every request, also for those
    that were refused or answered from disk."""

    def __init__(self, options: WebOptions, log: Callable[[Exchange], None] | None = None) -> None:
        self.options = options
        self._log = log or (lambda _: None)
        self._pace = Pace(options.intervals, options.parallel)
        self._replies = Replies(options.cache, options.cache_seconds)
        self._client: httpx.AsyncClient | None = None
        self._resting: dict[tuple[str, bool], float] = {}

    async def __aenter__(self) -> Web:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections and the cache."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None
        self._replies.close()

    async def get(
        self,
        url: str,
        parameters: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        service: str = "",
        worth_keeping: Callable[[Reply], bool] | None = None,
    ) -> Reply:
        """Ask ``url`` and read the whole answer.

        Args:
            service: whose rules of politeness apply; empty = those of the host.
            worth_keeping: says of an answer whether it is one, and so may be kept on disk; without it nothing is.

        Raises:
            SourceError: no answer with a status of 200 to 299.
        """
        parameters, headers = dict(parameters or {}), dict(headers or {})
        key = key_of(url, parameters, headers.get("Accept", "")) if worth_keeping else ""
        kept = await self._replies.find(key) if key else None
        if kept is not None:
            self._tell(url, parameters, Exchange("GET", "", kept.status, len(kept.body), cached=True))
            return kept
        reply = await self._ask(_Asked(url, parameters, headers, service, self.options.seconds, self.options.max_bytes))
        if worth_keeping is not None and worth_keeping(reply):
            await self._replies.keep(key, reply)
        return reply

    async def fetch(self, url: str, sink: Callable[[], Sink], headers: Mapping[str, str] | None = None) -> Reply:
        """Ask ``url`` and hand its body on piece by piece; the body of the :class:`Reply` is empty. ``sink`` is called
        anew for every try.

        Raises:
            SourceError: no answer with a status of 200 to 299, or a body that is too large or broken off.
        """
        options = self.options
        asked = _Asked(url, {}, dict(headers or {}), "", options.download_seconds, options.max_download, sink)
        return await self._ask(asked)

    # ------------------------------------------------------------------------------------------------------ trying
    async def _ask(self, asked: _Asked) -> Reply:
        try:
            _, host, _ = guard.check_url(asked.url, self.options.allow_hosts)
            self._check_may_ask(asked, host)
        except SourceError as error:
            self._tell(asked.url, asked.parameters, Exchange("GET", "", error=error.message))
            raise
        retrying = tenacity.AsyncRetrying(
            stop=tenacity.stop_after_attempt(self.options.tries),
            wait=lambda state: self._pause(state, asked),
            retry=tenacity.retry_if_exception(lambda error: worth_another_try(error, asked.left)),
            sleep=asyncio.sleep,
            reraise=True,
        )
        async for attempt in retrying:
            with attempt:
                asked.tried = attempt.retry_state.attempt_number
                try:
                    asked.finished = [await self._try(asked, host)]
                except SourceError as error:
                    error.requests = asked.requests
                    self._remember_rest(asked, error)
                    raise
        return replace(asked.finished[0], requests=asked.requests)

    def _check_may_ask(self, asked: _Asked, host: str) -> None:
        if self.options.offline:
            raise SourceError(
                "offline",
                host,
                f"Working offline, so {name_of(asked.service, host)} was not asked.",
                hint="Switch offline work off in the settings, or leave --offline out.",
            )
        rest = self._resting.get(_lane(asked), 0.0) - time.monotonic()
        if rest > 0:
            raise limited(asked.service, host, rest)

    def _remember_rest(self, asked: _Asked, error: SourceError) -> None:
        if error.kind == "limited" and error.wait:
            self._resting[_lane(asked)] = time.monotonic() + error.wait

    def _pause(self, state: tenacity.RetryCallState, asked: _Asked) -> float:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, SourceError) and error.wait is not None:
            pause = error.wait
        else:
            first = self.options.backoff
            pause = tenacity.wait_exponential_jitter(multiplier=first, max=_LONGEST_BACKOFF, jitter=first)(state)
        asked.left -= pause
        return pause

    async def _try(self, asked: _Asked, host: str) -> Reply:
        url, parameters, headers = asked.url, asked.parameters, asked.headers
        async with self._pace.turn(asked.service or _pace_name(host)):
            begin = time.monotonic()
            try:
                async with asyncio.timeout(max(asked.left, 0.01)):
                    for _ in range(_MOST_REDIRECTS + 1):
                        reply = await self._send(asked, url, parameters, headers)
                        if reply.status not in REDIRECTS or "location" not in reply.headers:
                            return reply
                        url, headers = self._redirected(reply, url, headers)
                        parameters = {}
            except TimeoutError:
                raise SourceError(
                    "slow", host, f"{name_of(asked.service, host)} took too long to answer; try again later."
                ) from None
            finally:
                asked.left -= time.monotonic() - begin
        raise SourceError(
            "refused", host, f"{name_of(asked.service, host)} sent us from one address to the next without end."
        )

    def _redirected(self, reply: Reply, url: str, headers: Mapping[str, str]) -> tuple[str, Mapping[str, str]]:
        """Where a redirect leads, checked like any address; another host is not told who we are."""
        following = urljoin(url, reply.headers["location"])
        try:
            scheme, host, port = guard.check_url(following, self.options.allow_hosts)
            before = guard.check_url(url, self.options.allow_hosts)
            if before[0] == "https" and scheme == "http":
                raise SourceError(
                    "refused", host, f"{before[1]} leads from an encrypted address to one that is not, at {host}."
                )
        except SourceError as error:
            self._tell(following, {}, Exchange("GET", "", error=error.message))
            raise
        if (host, port) != before[1:]:
            headers = {name: value for name, value in headers.items() if name.lower() in ("accept",)}
        return following, headers

    # ----------------------------------------------------------------------------------------------------- sending
    async def _send(self, asked: _Asked, url: str, parameters: Mapping[str, str], headers: Mapping[str, str]) -> Reply:
        host = httpx.URL(url).host
        name = name_of(asked.service, host)
        begin, status, got = time.monotonic(), 0, 0
        error = "Stopped before an answer came."
        asked.requests += 1
        try:
            async with self._stream(url, parameters, headers) as response:
                status = response.status_code
                redirect = status in REDIRECTS
                sink = asked.sink() if asked.sink is not None and response.is_success else None
                body = bytearray()
                async for piece in response.aiter_bytes():
                    got += len(piece)
                    if got > (SHOWN_BODY if redirect else asked.most):
                        raise SourceError("too large", host, too_large(name, asked.most))
                    if sink is not None:
                        sink(piece)
                    else:
                        body += piece
            reply = Reply(str(response.url), status, _plain_headers(response), bytes(body))
            raise_for(reply, asked.service, host)
            error = ""
            return reply
        except SourceError as failure:
            error = failure.message
            raise
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, UnicodeError) as failure:
            raised = _translate(failure, host, name)
            error = raised.message
            raise raised from failure
        finally:
            ms = round((time.monotonic() - begin) * 1000)
            self._tell(url, parameters, Exchange("GET", "", status, got, error=error, tries=asked.tried, ms=ms))

    @asynccontextmanager
    async def _stream(
        self, url: str, parameters: Mapping[str, str], headers: Mapping[str, str]
    ) -> AsyncIterator[httpx.Response]:
        if self._client is None:
            options = self.options
            self._client = httpx.AsyncClient(
                transport=_GuardedTransport(options.allow_hosts, _trust()),
                timeout=httpx.Timeout(options.read_seconds, connect=options.connect_seconds, pool=None),
                headers={"User-Agent": f"MinervaDesktop/{__version__}"},
                follow_redirects=False,
            )
        target = httpx.URL(url)
        if parameters:
            target = target.copy_merge_params(dict(parameters))
        async with self._client.stream("GET", target, headers=dict(headers)) as response:
            yield response
        self._client.cookies.clear()

    def _tell(self, url: str, parameters: Mapping[str, str], exchange: Exchange) -> None:
        secrets = self.options.secrets
        try:
            full = str(httpx.URL(url).copy_merge_params(dict(parameters))) if parameters else url
        except (httpx.InvalidURL, ValueError, UnicodeError):
            full = url
        self._log(replace(exchange, url=without_secrets(full, secrets), error=hide(exchange.error, secrets)))


def _lane(asked: _Asked) -> tuple[str, bool]:
    return asked.service or asked.url, "api_key" in asked.parameters


def _pace_name(host: str) -> str:
    return host.removeprefix("www.").removeprefix("export.")


def _plain_headers(response: httpx.Response) -> dict[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


def _translate(failure: Exception, host: str, name: str) -> SourceError:
    if isinstance(failure, httpx.TimeoutException):
        return SourceError("slow", host, f"{name} took too long to answer; try again later.")
    if isinstance(failure, httpx.ConnectError):
        why = "its certificate is not trusted" if "certificate" in str(failure).lower() else "no connection came about"
        return SourceError("unreachable", host, f"{name} cannot be reached: {why}; check your connection.")
    if isinstance(failure, httpx.DecodingError):
        return SourceError("bad answer", host, f"{name} sent an answer that cannot be unpacked.")
    if isinstance(failure, httpx.TransportError):
        return SourceError("unreachable", host, f"The connection to {name} broke off before the answer was complete.")
    return SourceError("rejected", host, f"The address of {name} cannot be used.")
