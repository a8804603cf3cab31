"""A server on this machine that speaks as OpenAI's does, and every fault that such servers have.

    with ModelServer(lambda request: json_reply({"verdict": "SUPPORTED"})) as server:
        profile = ModelProfile(base_url=server.base_url, model="test-model", key=False)

A script is one reply, a list of them that is used up in order, or a function of the request. A reply may be a
:class:`Reply`, a text, or anything that becomes JSON. What is asked with ``"stream": true`` is answered as a stream, with
the same reply. ``server.requests`` holds what was asked of ``/chat/completions``, ``server.seen`` everything.
"""

from __future__ import annotations

import json
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from minerva_desktop.models.modes import MANNERS

MODEL = "test-model"
HTML = b"<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in to the network.</body></html>"


@dataclass
class Request:
    """What arrived. ``headers`` have names in lower case; ``at`` is in monotonic seconds."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    at: float

    @property
    def system(self) -> str:
        return "\n".join(_plain(item) for item in self._messages() if item.get("role") == "system")

    @property
    def user(self) -> str:
        return "\n".join(_plain(item) for item in self._messages() if item.get("role") == "user")

    @property
    def text(self) -> str:
        """All that the model is told."""
        return "\n".join(_plain(item) for item in self._messages())

    @property
    def mode(self) -> str:
        """How structure is asked for: json_schema, json_object_schema, json_object or text."""
        wanted = self.body.get("response_format") or {}
        kind = str(wanted.get("type", "text"))
        return "json_object_schema" if kind == "json_object" and "schema" in wanted else kind

    @property
    def schema(self) -> dict[str, Any]:
        """The schema that the reply must fit; empty when none was sent apart from the prompt."""
        wanted = self.body.get("response_format") or {}
        found = wanted.get("schema") or (wanted.get("json_schema") or {}).get("schema") or {}
        return dict(found)

    @property
    def images(self) -> list[str]:
        parts = [part for item in self._messages() for part in _parts(item)]
        return [str(part["image_url"]["url"]) for part in parts if part.get("type") == "image_url"]

    def _messages(self) -> list[dict[str, Any]]:
        return [item for item in self.body.get("messages", []) if isinstance(item, dict)]


def _parts(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    return content if isinstance(content, list) else [{"type": "text", "text": content or ""}]


def _plain(message: Mapping[str, Any]) -> str:
    return "\n".join(str(part["text"]) for part in _parts(message) if part.get("type") == "text")


@dataclass
class Reply:
    """One answer. ``body`` replaces everything that would be made of ``text``.

    ``usage``: (tokens in, tokens out), None = characters / 4, "missing" = the server does not say. ``delay``: seconds
    before the first byte; ``piece_delay``: before each piece of a stream. ``stall``: nothing comes after the headers (in a
    stream: after ``cut_after`` pieces). ``cut_after``: the connection ends after so many pieces, with ``reset`` rudely.
    ``hang_up``: it ends before anything is answered. ``until_closed``: a stream ends with the connection, as old servers do
    it, so that a cut cannot be told from an end.
    """

    text: str | None = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    finish: str | None = "stop"
    refusal: str = ""
    usage: tuple[int, int] | str | None = None
    reasoning: str = ""
    delay: float = 0.0
    piece_delay: float = 0.0
    stall: bool = False
    cut_after: int | None = None
    reset: bool = False
    hang_up: bool = False
    bad_piece: bytes = b""
    choices: Sequence[str] = ()
    until_closed: bool = False


Answer = Reply | str | dict[str, Any] | list[Any]
Script = Answer | Sequence[Any] | Callable[[Request], Any]


# ------------------------------------------------------------------------------------------------------------ replies
def ok(text: str, **more: Any) -> Reply:
    """A plain text."""
    return Reply(text, **more)


def json_reply(value: Any, **more: Any) -> Reply:
    """A value as JSON."""
    return Reply(json.dumps(value, ensure_ascii=False), **more)


def error(status: int, message: str, *, code: str | None = None, kind: str = "", param: str | None = None,
          headers: Mapping[str, str] | None = None) -> Reply:  # fmt: skip
    """An error in the form of OpenAI."""
    said = {"error": {"message": message, "type": kind or "invalid_request_error", "param": param, "code": code}}
    return Reply(status=status, body=json.dumps(said).encode(), headers=dict(headers or {}))


def wrong_key(key: str = "sk-wrong") -> Reply:
    return error(401, f"Incorrect API key provided: {key}. You can find your API key at …", code="invalid_api_key")


def no_model(name: str = MODEL) -> Reply:
    return error(404, f"The model `{name}` does not exist or you do not have access to it.", code="model_not_found")


def too_many(wait: str = "") -> Reply:
    """429; ``wait`` is the value of Retry-After, as seconds or as a date."""
    return error(
        429,
        "Rate limit reached for requests",
        code="rate_limit_exceeded",
        headers={"Retry-After": wait} if wait else {},
    )


def no_credit() -> Reply:
    return error(429, "You exceeded your current quota, please check your plan.", code="insufficient_quota")


def broken(status: int = 500) -> Reply:
    return error(status, "The server had an error while processing your request.", kind="server_error")


def too_long_prompt() -> Reply:
    return error(400, "This model's maximum context length is 2048 tokens.", code="context_length_exceeded")


def web_page(status: int = 200) -> Reply:
    return Reply(status=status, body=HTML, headers={"Content-Type": "text/html; charset=utf-8"})


def empty() -> Reply:
    return Reply("")


def refusal(words: str = "I'm sorry, I cannot help with that.") -> Reply:
    return Reply(None, refusal=words)


def cut_by_length(text: str) -> Reply:
    return Reply(text, finish="length")


def by_words(table: Mapping[str, Any], otherwise: Any = "") -> Callable[[Request], Any]:
    """A script that looks for words in what the model is told: the first that stand there choose the reply, which may be a
    function of the request."""

    def script(request: Request) -> Any:
        made = next((reply for words, reply in table.items() if words in request.text), otherwise)
        return made(request) if callable(made) else made

    return script


# ------------------------------------------------------------------------------------------------------------- server
class ModelServer:
    """Serves a script on 127.0.0.1 in a thread; a context manager.

    ``models``: names that it lists, with ``about`` added to each entry. ``modes``: kinds of structured output that it
    knows; others get ``refuses`` (a status), or are ignored when that is 0. ``fields_refused``: parameters that it does
    not take (400). ``key``: the only one that it takes. ``truncates``: tokens (of four characters) that it reads, the
    beginning of longer prompts is silently dropped; ``counts_all``: it says that it had read them whole. ``others``:
    replies to further paths, as "/props".
    """

    def __init__(
        self,
        script: Script = "",
        *,
        models: Sequence[str] = (MODEL,),
        about: Mapping[str, Any] | None = None,
        modes: Sequence[str] = ("json_schema", "json_object_schema", "json_object"),
        refuses: int = 400,
        fields_refused: Sequence[str] = (),
        key: str = "",
        truncates: int = 0,
        counts_all: bool = False,
        others: Mapping[str, Any] | None = None,
    ) -> None:
        self.script = script
        self.models, self.about, self.modes, self.refuses = list(models), dict(about or {}), set(modes), refuses
        self.fields_refused, self.key, self.truncates = tuple(fields_refused), key, truncates
        self.others, self.counts_all = dict(others or {}), counts_all
        self.seen: list[Request] = []
        self.hung_up: list[float] = []
        self.most_at_once = 0
        self._busy = 0
        self._left: list[Any] = list(script) if isinstance(script, list) else []
        self._lock = threading.Lock()
        self.closing = threading.Event()

    @property
    def requests(self) -> list[Request]:
        """What was asked of the model."""
        with self._lock:
            return [request for request in self.seen if request.path.endswith("/chat/completions")]

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> ModelServer:
        handler = type("Bound", (_Handler,), {"service": self})
        self._server = _Quiet(("127.0.0.1", 0), handler)
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)
        MANNERS.forget(self.base_url)  # the next server may get the same port

    def arrived(self, request: Request) -> None:
        with self._lock:
            self.seen.append(request)
            self._busy += 1
            self.most_at_once = max(self.most_at_once, self._busy)

    def left(self) -> None:
        with self._lock:
            self._busy -= 1

    def answer(self, request: Request) -> Reply:
        """The reply to a request of any path."""
        if self.key and request.headers.get("authorization") != f"Bearer {self.key}":
            return wrong_key(request.headers.get("authorization", "").removeprefix("Bearer "))
        if request.path in self.others:
            made = self.others[request.path]
            return _as_reply(made(request) if callable(made) else made, raw=True)
        if request.method == "GET" and request.path == "/v1/models":
            listed = [{"id": name, "object": "model", "owned_by": "us", **self.about} for name in self.models]
            return _as_reply({"object": "list", "data": listed}, raw=True)
        if request.method != "POST" or request.path != "/v1/chat/completions":
            return Reply(status=404, body=b'{"detail": "Not Found"}')
        return self._complain(request) or self._read_and_play(request)

    def _complain(self, request: Request) -> Reply | None:
        for name in self.fields_refused:
            if name in request.body:
                return error(400, f"Unsupported parameter: '{name}' is not supported with this model.",
                             code="unsupported_parameter", param=name)  # fmt: skip
        if request.mode != "text" and request.mode not in self.modes and self.refuses:
            return error(self.refuses, f"response_format of type {request.mode} is not supported.")
        if request.body.get("model") not in self.models:
            return no_model(str(request.body.get("model")))
        return None

    def _read_and_play(self, request: Request) -> Reply:
        read = self._as_read(request)
        reply = self._play(read)
        if read is request or reply.usage is not None or self.counts_all:
            return reply
        return replace(reply, usage=(-(-len(read.text) // 4), -(-len(reply.text or "") // 4)))

    def _as_read(self, request: Request) -> Request:
        most = self.truncates * 4
        if not most or len(request.text) <= most:
            return request
        body = {**request.body, "messages": [{"role": "user", "content": request.text[-most:]}]}
        return Request(request.method, request.path, request.headers, body, request.at)

    def _play(self, request: Request) -> Reply:
        if isinstance(self.script, list):
            with self._lock:
                made = self._left.pop(0) if self._left else error(400, "The script of the test has come to its end.")
        else:
            made = self.script
        return _as_reply(made(request) if callable(made) else made)


def _as_reply(made: Any, *, raw: bool = False) -> Reply:
    if isinstance(made, Reply):
        return made
    if raw:
        return Reply(body=json.dumps(made).encode())
    return Reply(made) if isinstance(made, str) else json_reply(made)


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    service: ModelServer

    def do_GET(self) -> None:
        self._serve({})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            body = {}
        self._serve(body)

    def _serve(self, body: dict[str, Any]) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, urlsplit(self.path).path, headers, body, time.monotonic())
        self.service.arrived(request)
        try:
            reply = self.service.answer(request)
            if reply.delay:
                self._wait(reply.delay)
            self._send(request, reply)
            self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError, _HungUp):
            self.service.hung_up.append(time.monotonic())
            self.close_connection = True
        finally:
            self.service.left()

    def _send(self, request: Request, reply: Reply) -> None:
        if reply.hang_up:
            self._end(rudely=reply.reset)
        elif reply.body is not None or not request.body.get("stream"):
            self._send_whole(request, reply)
        else:
            self._send_stream(request, reply)

    def _send_whole(self, request: Request, reply: Reply) -> None:
        body = reply.body if reply.body is not None else json.dumps(_completion(request, reply)).encode()
        self._head(reply, {"Content-Type": "application/json", "Content-Length": str(len(body))})
        if reply.stall:
            self.wfile.flush()
            self._wait(30)
        if reply.cut_after is not None:
            self.wfile.write(body[: len(body) // 2])
            self.wfile.flush()
            self._end(rudely=reply.reset)
            return
        self.wfile.write(body)

    def _send_stream(self, request: Request, reply: Reply) -> None:
        ending = {"Connection": "close"} if reply.until_closed else {"Transfer-Encoding": "chunked"}
        self._head(reply, {"Content-Type": "text/event-stream", **ending})
        self.close_connection = reply.until_closed
        for number, piece in enumerate(_pieces(request, reply)):
            if reply.cut_after is not None and number > reply.cut_after:
                self._end(rudely=reply.reset)
                return
            event = b"data: " + piece + b"\n\n"
            self.wfile.write(event if reply.until_closed else b"%x\r\n%b\r\n" % (len(event), event))
            if reply.piece_delay or reply.stall:
                self.wfile.flush()
            if reply.stall and (reply.cut_after is None or number == reply.cut_after):
                self._wait(30)
            if reply.piece_delay:
                self._wait(reply.piece_delay)
        if not reply.until_closed:
            self.wfile.write(b"0\r\n\r\n")

    def _head(self, reply: Reply, usual: dict[str, str]) -> None:
        self.send_response(reply.status)
        for name, value in {**usual, **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def _wait(self, seconds: float) -> None:
        """Wait, and notice when the other side is gone."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.service.closing.is_set():
            readable, _, _ = select.select([self.connection], [], [], min(0.01, seconds))
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                raise _HungUp

    def _end(self, *, rudely: bool) -> None:
        self.close_connection = True
        self.wfile.flush()
        if rudely:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


class _HungUp(Exception):
    pass


def _usage(request: Request, reply: Reply) -> dict[str, int]:
    if isinstance(reply.usage, tuple):
        read, written = reply.usage
    else:
        read, written = -(-len(request.text) // 4), -(-len(reply.text or "") // 4)
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _completion(request: Request, reply: Reply) -> dict[str, Any]:
    texts: Sequence[str | None] = reply.choices or (reply.text,)
    choices = []
    for index, text in enumerate(texts):
        message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": reply.refusal or None}
        if reply.reasoning:
            message["reasoning_content"] = reply.reasoning
        choices.append({"index": index, "message": message, "finish_reason": reply.finish, "logprobs": None})
    made = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": request.body.get("model")}
    usage = {} if reply.usage == "missing" else {"usage": _usage(request, reply)}
    return {**made, "choices": choices, **usage}


def _pieces(request: Request, reply: Reply) -> list[bytes]:
    """The data of each event of a stream."""
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": request.body.get("model")}

    def piece(delta: dict[str, Any], finish: str | None = None, index: int = 0) -> bytes:
        return json.dumps({**head, "choices": [{"index": index, "delta": delta, "finish_reason": finish}]}).encode()

    made = [piece({"role": "assistant", "content": ""})]
    if reply.reasoning:
        made.append(piece({"reasoning_content": reply.reasoning}))
    if reply.refusal:
        made.append(piece({"refusal": reply.refusal}))
    texts: Sequence[str | None] = reply.choices or (reply.text,)
    for index, text in enumerate(texts):
        words = text or ""
        made += [piece({"content": words[at : at + 12]}, index=index) for at in range(0, len(words), 12)]
    if reply.bad_piece:
        made.append(reply.bad_piece)
    if reply.finish is not None:
        made.append(piece({}, reply.finish))
    if reply.usage != "missing" and (request.body.get("stream_options") or {}).get("include_usage"):
        made.append(json.dumps({**head, "choices": [], "usage": _usage(request, reply)}).encode())
    return [*made, b"[DONE]"]
