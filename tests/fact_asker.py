"""A model for tests that states the facts that a script gives it, without a server or a gateway: what a model says is what a test
must be able to choose. All that is done with it is the real program. The way over HTTP is tested with ``model_server``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import ModelCall, ModelError, ModelReply, Usage
from minerva_desktop.settings.guests import Role

T = TypeVar("T")
Said = Mapping[str, Any] | str | ModelError
Script = Callable[[ModelCall[Any]], Said]


def fact(
    quote: str,
    source: str,
    relation: str,
    target: str,
    property: str = "",  # noqa: A002
    condition: str = "",
) -> dict[str, str]:
    """One fact as a model would state it."""
    return {
        "quote": quote, "material": source, "relation": relation, "target": target, "property": property,
        "condition": condition,
    }  # fmt: skip


class FactAsker:
    """Answers each call with what the script makes of it: a reply as JSON, its text, or an error.

    ``script`` may also be a list of rows, which every call is answered with: facts or links by the call's schema.
    ``asked`` holds the calls, in the order in which they were made.
    """

    def __init__(self, script: Script | Sequence[Mapping[str, Any]], *, context: int = 0) -> None:
        self._script = script
        self._context = context
        self.asked: list[ModelCall[Any]] = []

    def ready(self, role: Role) -> bool:
        return True

    def model_name(self, role: Role) -> str:
        return "scripted"

    def context_tokens(self, role: Role) -> int:
        return self._context

    def ask(self, call: ModelCall[T], cancel: CancelToken) -> ModelReply[T]:
        cancel.check()
        self.asked.append(call)
        said = self._said(call)
        if isinstance(said, ModelError):
            raise said
        text = said if isinstance(said, str) else json.dumps(said)
        value: Any = text
        if call.schema is not None:
            try:
                value = call.schema.model_validate_json(text)
            except ValueError as error:
                raise ModelError("invalid", "The model's reply has not the form that was asked for.") from error
        return ModelReply(value, text, "scripted", Usage(len(call.user) // 4, len(text) // 4, True))

    def _said(self, call: ModelCall[Any]) -> Said:
        if callable(self._script):
            return self._script(call)
        field = next(iter(call.schema.model_fields)) if call.schema is not None else "facts"
        return {field: [dict(row) for row in self._script]}

    def ask_all(
        self, calls: Sequence[ModelCall[T]], cancel: CancelToken, *, at_most: int = 0
    ) -> list[ModelReply[T] | ModelError]:
        replies: list[ModelReply[T] | ModelError] = []
        for call in calls:
            try:
                replies.append(self.ask(call, cancel))
            except ModelError as error:
                if error.fatal:
                    raise
                replies.append(error)
        return replies

    def stream(self, call: ModelCall[str], on_text: Callable[[str], None], cancel: CancelToken) -> ModelReply[str]:
        reply = self.ask(call, cancel)
        on_text(reply.value)
        return reply
