"""How a model has to be asked, learned from the connection test and from its first refusals, for the process.

Structure is asked for in one of four ways, the strictest that the server knows: "json_schema"; "json_object_schema" (the
schema beside the type json_object); "json_object"; "text". In all but the first the shape of the reply stands in the
prompt. Servers also differ in the parameters that they take.
"""

from __future__ import annotations

import base64
import threading
from dataclasses import dataclass, replace
from typing import Any, Literal
from urllib.parse import urlsplit

from minerva_desktop.models.wire import Outgoing, WireError
from minerva_desktop.settings.guests import OPENAI_URL

Mode = Literal["json_schema", "json_object_schema", "json_object", "text"]
MODES: tuple[Mode, ...] = ("json_schema", "json_object_schema", "json_object", "text")
THINKING_TOKENS = 4096
"""More than the call allows, for a model that was cut off while it was thinking."""
_REFUSALS = frozenset({400, 415, 422, 501})
_BELIEVED_AFTER = 2


@dataclass(frozen=True, slots=True)
class Manner:
    """How one model is asked. ``mode_known``: it has given a reply in this mode. ``told``: the shape of the reply stands in
    the prompt although a schema is sent, because the server was seen to ignore it. ``thinks``: it thinks before it replies,
    at the cost of the tokens that were meant for the reply."""

    mode: Mode = "json_schema"
    mode_known: bool = False
    told: bool = False
    stream: bool = True
    stream_usage: bool = True
    tokens_field: str = "max_tokens"
    tokens_swapped: bool = False
    temperature: bool = True
    system_role: bool = True
    thinks: bool = False

    @property
    def room(self) -> int:
        """Tokens that it may write beside its reply."""
        return THINKING_TOKENS if self.thinks else 0


class Manners:
    """What is known of each model, by the address of its server and its name. Thread-safe."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Manner] = {}
        self._of_schema: dict[tuple[str, str, str], Mode] = {}
        self._ignored: dict[tuple[str, str], int] = {}
        self._doubts: dict[tuple[str, str], int] = {}
        self._lock = threading.Lock()

    def of(self, base_url: str, model: str, schema_id: str = "") -> Manner:
        """How to ask a model for a reply that fits a schema."""
        with self._lock:
            manner = self._known.get((base_url, model)) or _usual(base_url)
            mode = self._of_schema.get((base_url, model, schema_id))
        return manner if mode is None else replace(manner, mode=mode)

    def worked(self, base_url: str, model: str, schema_id: str, manner: Manner, *, doubtful: bool = False) -> None:
        """A model has replied when it was asked in this manner. ``doubtful``: a stricter mode ended in a server error, which
        may have had another cause; that is believed the second time."""
        with self._lock:
            key = (base_url, model)
            before = self._known.get(key) or _usual(base_url)
            if not schema_id:
                manner = replace(manner, mode=before.mode, mode_known=before.mode_known)
            elif before.mode_known and before.mode != manner.mode:
                # Other schemas go well in the stricter mode: only this one does not.
                self._of_schema[base_url, model, schema_id] = manner.mode
                manner = replace(manner, mode=before.mode, mode_known=True)
            elif doubtful and self._count(self._doubts, key) < _BELIEVED_AFTER:
                manner = replace(manner, mode=before.mode, mode_known=False)
            else:
                manner = replace(manner, mode_known=True)
            self._known[key] = manner

    def set_mode(self, base_url: str, model: str, mode: Mode) -> None:
        """The connection test has found the mode of a model."""
        with self._lock:
            before = self._known.get((base_url, model)) or _usual(base_url)
            self._known[base_url, model] = replace(before, mode=mode, mode_known=True)

    def ignored(self, base_url: str, model: str) -> None:
        """A reply did not fit the schema that was sent with the request, so nothing holds the model to it. The second time
        that is believed, and from then on the shape is told in the prompt as well."""
        with self._lock:
            if self._count(self._ignored, (base_url, model)) >= _BELIEVED_AFTER:
                before = self._known.get((base_url, model)) or _usual(base_url)
                self._known[base_url, model] = replace(before, told=True)

    def forget(self, base_url: str) -> None:
        """Learn about a server anew."""
        stores: tuple[dict[Any, Any], ...] = (self._known, self._of_schema, self._ignored, self._doubts, _contexts)
        with self._lock:
            for store in stores:
                for key in [key for key in store if key[0] == base_url]:
                    del store[key]

    @staticmethod
    def _count(counts: dict[tuple[str, str], int], key: tuple[str, str]) -> int:
        counts[key] = counts.get(key, 0) + 1
        return counts[key]


MANNERS = Manners()
_contexts: dict[tuple[str, str], int] = {}


def known_context(base_url: str, model: str) -> int:
    """Tokens that a model was found to read at once in this process, 0 = not tested."""
    return _contexts.get((base_url, model), 0)


def note_context(base_url: str, model: str, tokens: int) -> None:
    """The connection test has found what a model reads at once."""
    _contexts[base_url, model] = tokens


def _usual(base_url: str) -> Manner:
    if urlsplit(base_url).hostname == urlsplit(OPENAI_URL).hostname:
        return Manner(tokens_field="max_completion_tokens")
    return Manner()


def next_manner(manner: Manner, error: WireError, sent: Outgoing) -> Manner | None:
    """Another manner in which the same request may be accepted; None when the error is about something else."""
    if error.kind != "failed":
        return None
    if error.status in _REFUSALS:
        other = _without(manner, error.said.lower())
        if other is not None:
            return other
    elif error.status != 500 or manner.mode_known:
        # A server error may be its way to refuse a mode that has never worked; afterwards it is only an error.
        return None
    if not sent.schema or manner.mode == "text":
        return None
    return replace(manner, mode=MODES[MODES.index(manner.mode) + 1], mode_known=False)


def _without(manner: Manner, said: str) -> Manner | None:
    """The manner without the parameter that a server complains about."""
    if "max_completion_tokens" in said or "max_tokens" in said:
        other = "max_completion_tokens" if manner.tokens_field == "max_tokens" else "max_tokens"
        if not manner.tokens_swapped:
            return replace(manner, tokens_field=other, tokens_swapped=True)
    if "temperature" in said and manner.temperature:
        return replace(manner, temperature=False)
    if ("stream_options" in said or "include_usage" in said) and manner.stream and manner.stream_usage:
        return replace(manner, stream_usage=False)
    if "stream" in said and manner.stream:
        return replace(manner, stream=False)
    if ("system role" in said or ("role" in said and "alternate" in said)) and manner.system_role:
        return replace(manner, system_role=False)
    return None


def body_of(sent: Outgoing, manner: Manner) -> dict[str, Any]:
    """The request as the server takes it."""
    mode = manner.mode if sent.schema else "text"
    system = sent.system
    if sent.schema and (mode != "json_schema" or manner.told):
        system = f"{system}\n\n{sent.shape}".strip()
    body: dict[str, Any] = {"model": sent.model, "messages": _messages(system, sent, manner)}
    body[manner.tokens_field] = sent.most_tokens + manner.room
    if manner.temperature:
        body["temperature"] = sent.temperature
    if manner.stream:
        body["stream"] = True
        if manner.stream_usage:
            body["stream_options"] = {"include_usage": True}
    if mode == "json_schema":
        form = {"name": "reply", "strict": True, "schema": sent.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    elif mode == "json_object_schema":
        body["response_format"] = {"type": "json_object", "schema": sent.schema}
    elif mode == "json_object":
        body["response_format"] = {"type": "json_object"}
    return body


def _messages(system: str, sent: Outgoing, manner: Manner) -> list[dict[str, Any]]:
    user = sent.user
    messages: list[dict[str, Any]] = []
    if system and manner.system_role:
        messages.append({"role": "system", "content": system})
    elif system:
        user = f"{system}\n\n{user}"
    content: Any = user
    if sent.images:
        content = [{"type": "text", "text": user}]
        for image in sent.images:
            address = "data:image/png;base64," + base64.b64encode(image).decode("ascii")
            content.append({"type": "image_url", "image_url": {"url": address}})
    return [*messages, {"role": "user", "content": content}]
