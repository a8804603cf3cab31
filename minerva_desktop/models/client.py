"""The only door to a model server: the ``openai`` package over HTTP connections of our own. Used inside one event loop.

The package takes half a second to import, so that happens with the first request. What leaves is pinned down here: the
headers are those of a short list (nothing from the environment, no telemetry), the key goes to the profile's server alone,
redirects are not followed, and a proxy of the environment is used only for encrypted requests to servers elsewhere, which
it cannot read.
"""

from __future__ import annotations

import asyncio
import json
import logging
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from minerva_desktop import __version__
from minerva_desktop.models import faults
from minerva_desktop.models.reading import Hear, read_reply
from minerva_desktop.models.wire import Incoming, WireError
from minerva_desktop.settings.addresses import is_near

if TYPE_CHECKING:
    import httpx2
    import openai

CONNECT_SECONDS = 10.0
_TIMES_SILENCE = 10  # a reply that trickles may take so many times the longest silence that is allowed
_MOST_ERROR = 64_000  # bytes that are read of an error
_HEADERS = frozenset(
    "host connection content-type content-length transfer-encoding accept accept-encoding user-agent authorization".split()
)


class Client:
    """Connections to one server. ``timeout``: seconds of silence after which it has failed. A local server often answers one
    request after the other, so there a word on any connection shows that it is at work."""

    def __init__(self, base_url: str, key: str, timeout: float) -> None:
        self.base_url = base_url
        self._key = key
        self._timeout = timeout
        self._http: httpx2.AsyncClient | None = None
        self._api: openai.AsyncOpenAI | None = None
        self._local = is_near(base_url)
        self._clocks: set[asyncio.Timeout] = set()
        self._heard_at = 0.0

    async def complete(self, body: dict[str, Any], hear: Hear) -> Incoming:
        """The reply to a request for a chat completion; ``hear`` is told its text while it comes.

        Raises:
            WireError: there is no whole reply.
        """
        api = self._opened()
        await asyncio.sleep(0)  # who cancelled during the import is not kept waiting
        model = str(body.get("model", ""))
        # As an extra body it is not walked through type by type, which takes longer than all the rest.
        asked = api.chat.completions.with_streaming_response.create(model=model, messages=[], extra_body=body)
        async with self._translated(model), self._listening() as clock, asked as response:
            return await read_reply(self._pieces(response.iter_bytes(), clock), hear, self.base_url, model)
        raise AssertionError("a reply is returned or an error raised")

    async def fetch(self, url: str, body: dict[str, Any] | None = None) -> Any:
        """JSON from any address of the same server, by GET, or by POST where there is a body.

        Raises:
            WireError: no answer, another status than 200, or no JSON.
        """
        self._opened()
        assert self._http is not None
        if faults.server_name(url) != faults.server_name(self.base_url):
            raise ValueError("only the profile's own server is asked")
        method = "GET" if body is None else "POST"
        asked = self._http.stream(method, url, json=body)
        async with self._translated(""), self._listening(), asked as response:
            content = bytearray()
            async for piece in response.aiter_bytes():
                content += piece
                if len(content) > 8_000_000:
                    raise faults.too_large(self.base_url)
            if response.status_code != 200:
                raise faults.of_status(response.status_code, response.headers, bytes(content), self.base_url, "")
            return _json(bytes(content), self.base_url)
        raise AssertionError("an answer is returned or an error raised")

    async def close(self) -> None:
        """End all connections."""
        if self._http is not None:
            await self._http.aclose()
            self._http = self._api = None

    # ---------------------------------------------------------------------------------------------------- connections
    def _opened(self) -> openai.AsyncOpenAI:
        if self._api is None:
            import openai

            for name in ("openai", "httpx2", "httpcore2"):
                logging.getLogger(name).setLevel(logging.WARNING)  # below that prompts are written to the log
            self._http = self._connections()
            # Every value that the package would else take from the environment is given. It never holds the real key,
            # which is put on a request at the last moment, so that nothing the package raises or logs can hold it.
            self._api = openai.AsyncOpenAI(
                api_key="none",
                admin_api_key="",
                organization="",
                project="",
                webhook_secret="",
                base_url=self.base_url,
                max_retries=0,
                timeout=self._http.timeout,
                http_client=self._http,
            )
        return self._api

    def _connections(self) -> httpx2.AsyncClient:
        import httpx2

        class Capped(httpx2.AsyncByteStream):
            """The body of an error, up to a size."""

            def __init__(self, stream: httpx2.AsyncByteStream) -> None:
                self._stream = stream

            async def __aiter__(self) -> AsyncIterator[bytes]:
                left = _MOST_ERROR
                async for piece in self._stream:
                    yield piece[:left]
                    left -= len(piece)
                    if left <= 0:
                        return

            async def aclose(self) -> None:
                await self._stream.aclose()

        async def received(response: httpx2.Response) -> None:
            # The package looks for its own mark, which did not leave with the request.
            response.request.headers["X-Stainless-Raw-Response"] = "stream"
            if response.status_code >= 300 and isinstance(response.stream, httpx2.AsyncByteStream):
                response.stream = Capped(response.stream)

        encrypted = urlsplit(self.base_url).scheme == "https"
        # Certificates take time to load; without encryption a context that trusts nobody does.
        trust = httpx2.create_ssl_context() if encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        return httpx2.AsyncClient(
            timeout=httpx2.Timeout(None, connect=self._connect_seconds),
            limits=httpx2.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=3.0),
            verify=trust,
            follow_redirects=False,
            trust_env=encrypted and not self._local,
            event_hooks={"request": [self._pin_down], "response": [received]},
        )

    async def _pin_down(self, request: httpx2.Request) -> None:
        """Leave only the headers that a request needs, and the key only for the server that it is for."""
        for name in list(request.headers):
            if name.lower() not in _HEADERS:
                del request.headers[name]
        request.headers["User-Agent"] = f"minerva-desktop/{__version__}"
        request.headers["Accept-Encoding"] = "identity"
        request.headers.pop("Authorization", None)
        if self._key and faults.server_name(str(request.url)) == faults.server_name(self.base_url):
            request.headers["Authorization"] = f"Bearer {self._key}"

    # -------------------------------------------------------------------------------------------------------- silence
    @property
    def _connect_seconds(self) -> float:
        return min(CONNECT_SECONDS, 0.9 * self._timeout)

    @asynccontextmanager
    async def _listening(self) -> AsyncIterator[asyncio.Timeout]:
        """A clock that ends the request when the server has been silent for too long."""
        quiet = False
        try:
            async with asyncio.timeout(self._timeout) as clock:
                self._clocks.add(clock)
                try:
                    yield clock
                finally:
                    self._clocks.discard(clock)
        except TimeoutError:
            quiet = True
        if quiet:
            raise faults.silent(self.base_url, self._timeout)

    async def _pieces(self, pieces: AsyncIterator[bytes], clock: asyncio.Timeout) -> AsyncIterator[bytes]:
        """The same pieces; each winds up the clock, with a local server those of all its requests."""
        loop = asyncio.get_running_loop()
        async for piece in pieces:
            now = loop.time()
            if now - self._heard_at > self._timeout / 50 or not self._local:
                self._heard_at = now
                for one in self._clocks if self._local else (clock,):
                    if not one.expired():
                        one.reschedule(now + self._timeout)
            yield piece

    # --------------------------------------------------------------------------------------------------------- faults
    @asynccontextmanager
    async def _translated(self, model: str) -> AsyncIterator[None]:
        """Turn what the packages raise into :class:`WireError`. The new error does not refer to the old one, which holds
        the request and so the key."""
        import httpx2
        import openai

        failure: WireError | None = None
        try:
            async with asyncio.timeout(self._timeout * _TIMES_SILENCE):
                yield
        except openai.APIStatusError as error:
            failure = faults.of_status(error.status_code, error.response.headers, error.body, self.base_url, model)
        except (openai.APIConnectionError, httpx2.HTTPError, httpx2.StreamError) as error:
            failure = self._of_transport(error)
        except TimeoutError:
            failure = faults.silent(self.base_url, self._timeout * _TIMES_SILENCE)
        except (openai.OpenAIError, httpx2.InvalidURL, UnicodeError):
            failure = faults.unreadable(self.base_url)
        except ssl.SSLError:
            failure = faults.no_certificate(self.base_url)
        except OSError:
            failure = faults.no_answer(self.base_url)
        if failure is not None:
            raise failure

    def _of_transport(self, error: BaseException) -> WireError:
        import httpx2

        chain: list[BaseException] = []
        cause: BaseException | None = error
        while cause is not None and cause not in chain:
            chain.append(cause)
            cause = cause.__cause__ or cause.__context__
        if any(isinstance(item, ssl.SSLError) for item in chain):
            return faults.no_certificate(self.base_url)
        if any(isinstance(item, httpx2.ConnectTimeout) for item in chain):
            return faults.silent(self.base_url, self._connect_seconds, connecting=True)
        if any(isinstance(item, httpx2.TimeoutException) for item in chain):
            return faults.silent(self.base_url, self._timeout)
        if any(
            isinstance(item, httpx2.ConnectError | httpx2.ProxyError | httpx2.UnsupportedProtocol) for item in chain
        ):
            return faults.no_answer(self.base_url)
        return faults.broke_off(self.base_url)


def _json(content: bytes, base_url: str) -> Any:
    if content.lstrip()[:1] == b"<":
        raise faults.unreadable(base_url, page=True)
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise faults.unreadable(base_url) from None
