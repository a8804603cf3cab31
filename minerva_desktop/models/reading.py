"""Reads what a server sends back, whole or as a stream of events, with a bound on everything.

Servers differ: some answer a stream with one whole reply, some leave out the reason to stop, the usage or the last line.
What is accepted: a whole reply, or a stream that says that it has ended. Anything else is a reply that broke off.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

from minerva_desktop.models import faults
from minerva_desktop.models.wire import Incoming, WireError

MOST_TEXT = 1_000_000
"""Characters of a reply."""
MOST_BYTES = 8_000_000
"""Bytes of a whole reply, or of one line of a stream."""
MOST_STREAM = 128_000_000
"""Bytes of a stream: each piece of a few letters comes in some hundred bytes."""
_EVENTS = (b"data:", b"event:", b"id:", b"retry:", b":")
_DRAIN_SECONDS = 0.1

Hear = Callable[[str], None]


async def read_reply(pieces: AsyncIterator[bytes], hear: Hear, base_url: str, model: str) -> Incoming:
    """The reply in a body. ``hear`` is told the text piece by piece, thinking left out where it comes apart.

    Raises:
        WireError: the body is not a whole reply.
    """
    head = b""
    async for piece in pieces:
        head += piece
        if len(head.lstrip()) >= len(b"event:"):
            break
    if head.lstrip().startswith(_EVENTS):
        return await _Stream(hear, base_url, model).read(head, pieces)
    body = bytearray(head)
    async for piece in pieces:
        body += piece
        if len(body) > MOST_BYTES:
            raise faults.too_large(base_url)
    reply = _whole(bytes(body), base_url, model)
    if reply.text:
        hear(reply.text)
    return reply


def _whole(body: bytes, base_url: str, model: str) -> Incoming:
    if body.lstrip()[:1] == b"<":
        raise faults.unreadable(base_url, page=True)
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise faults.unreadable(base_url) from None
    if not isinstance(data, dict):
        raise faults.unreadable(base_url)
    if data.get("error"):
        raise faults.within_stream(data["error"], base_url, model)
    choice = _first_choice(data)
    message = choice.get("message") if choice else None
    if choice is None or not isinstance(message, dict):
        raise faults.unreadable(base_url)
    reply = Incoming(text=_text(message.get("content")), finish=_word(choice.get("finish_reason")))
    reply.refusal = _text(message.get("refusal"))
    reply.thought = len(_thinking(message))
    _note_usage(reply, data)
    if len(reply.text) > MOST_TEXT:
        raise faults.too_large(base_url)
    return reply


class _Stream:
    """Events as they come: a line "data: {…}" for each piece, "data: [DONE]" at the end."""

    def __init__(self, hear: Hear, base_url: str, model: str) -> None:
        self._hear, self._base_url, self._model = hear, base_url, model
        self._reply = Incoming()
        self._texts: list[str] = []
        self._length = 0
        self._ended = False

    async def read(self, head: bytes, pieces: AsyncIterator[bytes]) -> Incoming:
        """The whole reply."""
        buffer, got = bytearray(), 0
        piece = head
        while True:
            got += len(piece)
            buffer += piece
            if got > MOST_STREAM or len(buffer) > MOST_BYTES:
                raise faults.too_large(self._base_url)
            while not self._ended and (end := buffer.find(b"\n")) >= 0:
                line = bytes(buffer[:end])
                del buffer[: end + 1]
                self._line(line)
            if self._ended:
                await _drain(pieces)
                break
            try:
                piece = await anext(pieces)
            except StopAsyncIteration:
                self._line(bytes(buffer))
                break
        if not self._ended and not self._reply.finish:
            raise faults.broke_off(self._base_url)
        self._reply.text = "".join(self._texts)
        return self._reply

    def _line(self, line: bytes) -> None:
        name, _, data = line.strip().partition(b":")
        data = data.strip()
        if name != b"data" or not data:
            return
        if data == b"[DONE]":
            self._ended = True
            return
        try:
            piece = json.loads(data)
        except (ValueError, RecursionError):
            raise faults.unreadable(self._base_url) from None
        if not isinstance(piece, dict):
            raise faults.unreadable(self._base_url)
        if piece.get("error"):
            raise faults.within_stream(piece["error"], self._base_url, self._model)
        self._take(piece)

    def _take(self, piece: dict[str, Any]) -> None:
        _note_usage(self._reply, piece)
        choice = _first_choice(piece)
        if choice is None:
            return
        delta = choice.get("delta")
        if isinstance(delta, dict):
            text = _text(delta.get("content"))
            thinking = _thinking(delta)
            self._reply.thought += len(thinking)
            self._reply.refusal += _text(delta.get("refusal"))
            self._length += len(text)
            if self._length + self._reply.thought > MOST_TEXT:
                raise faults.too_large(self._base_url)
            if text:
                self._texts.append(text)
                self._hear(text)
        self._reply.finish = _word(choice.get("finish_reason")) or self._reply.finish


async def _drain(pieces: AsyncIterator[bytes]) -> None:
    """Read to the end of a stream that has said its last word, so that the connection can serve the next call."""
    with suppress(TimeoutError, WireError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            async for _ in pieces:
                pass


def _first_choice(data: dict[str, Any]) -> dict[str, Any] | None:
    choices = data.get("choices")
    for choice in choices if isinstance(choices, list) else []:
        if isinstance(choice, dict) and choice.get("index", 0) in (0, None):
            return choice
    return None


def _text(content: Any) -> str:
    """The text of a content, which may come in parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _thinking(message: dict[str, Any]) -> str:
    return _text(message.get("reasoning_content")) or _text(message.get("reasoning"))


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _note_usage(reply: Incoming, data: dict[str, Any]) -> None:
    usage = data.get("usage")
    if not isinstance(usage, dict):
        return
    read, written = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    if read is not None and written is not None and read > 0:
        reply.tokens_in, reply.tokens_out = read, written


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 else None
