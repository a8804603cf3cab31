"""A server on this machine that answers as a language model's does, by rule: for counting and timing, not for quality.

In this process (:func:`run_model`) it answers what a function says. As a process of its own (:func:`immediate_model`) it
answers every request with one text at once, so that what is timed does not share an interpreter with it. Tokens in its
``usage`` are counted as the program estimates them, the schema that came along included.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from minerva_desktop.bench import _children
from minerva_desktop.models.tokens import estimate_prompt, estimate_reply, estimate_tokens

MODEL = "loopback"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request asked: ``system`` and ``user`` as text, and the schema that the reply shall fit ({}: none)."""

    system: str
    user: str
    schema: dict[str, Any]


Answer = Callable[[Asked], str]


@contextmanager
def run_model(answer: Answer) -> Iterator[str]:
    """Serve a function in a thread of this process; gives the base URL."""
    server = _server(answer)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield _url(server)
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def immediate_model(reply: str) -> Iterator[str]:
    """A process of its own that gives the same reply to everything, at once; gives the base URL."""
    command = _children.command("minerva_desktop.bench._model_server")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(reply) + "\n")
        process.stdin.flush()
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def asked_of(body: dict[str, Any]) -> Asked:
    """The request of a chat completion."""
    texts: dict[str, list[str]] = {"system": [], "user": []}
    for message in body.get("messages", []):
        content = message.get("content") or ""
        parts = [content] if isinstance(content, str) else [str(part.get("text", "")) for part in content]
        texts.setdefault(str(message.get("role")), []).extend(parts)
    form = body.get("response_format") or {}
    schema = form.get("schema") or (form.get("json_schema") or {}).get("schema") or {}
    return Asked("\n".join(texts["system"]), "\n".join(texts["user"]), schema)


def _completion(asked: Asked, text: str, model: str) -> dict[str, Any]:
    read = estimate_prompt(asked.system, asked.user)
    read += estimate_tokens(json.dumps(asked.schema)) if asked.schema else 0
    written = estimate_reply(len(text))
    return {
        "id": "loopback",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
    }


def _server(answer: Answer) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_GET(self) -> None:
            self._send(
                {"object": "list", "data": [{"id": MODEL, "object": "model", "created": 0, "owned_by": "bench"}]}
            )

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
            asked = asked_of(body)
            self._send(_completion(asked, answer(asked), str(body.get("model", MODEL))))

        def _send(self, value: dict[str, Any]) -> None:
            body = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            self.wfile.flush()

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    return server


def _url(server: ThreadingHTTPServer) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}/v1"


def main() -> int:
    """Read the reply as JSON from standard input, say the base URL, serve until ended."""
    reply = str(json.loads(sys.stdin.readline()))
    server = _server(lambda asked: reply)
    sys.stdout.write(_url(server) + "\n")
    sys.stdout.flush()
    server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main())
