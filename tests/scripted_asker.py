"""A model that says what a test wrote down for it: the real protocol, with check and repair, without a server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import ModelCall, ModelError, ModelReply, Usage
from minerva_desktop.settings.guests import Role

Reply = str | ModelError | Callable[[ModelCall[Any]], str]


class ScriptedAsker:
    """``replies`` by role, used in order; the last one stays. ``calls`` are what was asked."""

    def __init__(self, *, context: int = 0, **replies: Reply | Sequence[Reply]) -> None:
        self._replies = {role: [item] if isinstance(item, str | ModelError) or callable(item) else list(item)
                         for role, item in replies.items()}  # fmt: skip
        self._context = context
        self.calls: list[ModelCall[Any]] = []
        self.complaints: list[str] = []

    def ready(self, role: Role) -> bool:
        return role in self._replies

    def model_name(self, role: Role) -> str:
        return "scripted"

    def context_tokens(self, role: Role) -> int:
        return self._context

    def of(self, role: Role) -> list[ModelCall[Any]]:
        return [call for call in self.calls if call.role == role]

    def _text(self, call: ModelCall[Any]) -> str:
        self.calls.append(call)
        replies = self._replies[call.role]
        reply = replies.pop(0) if len(replies) > 1 else replies[0]
        if isinstance(reply, ModelError):
            raise reply
        return reply if isinstance(reply, str) else reply(call)

    def ask(self, call: ModelCall[Any], cancel: CancelToken) -> ModelReply[Any]:
        cancel.check()
        text = self._text(call)
        complaint = call.check(text) if call.check else ""
        repaired = False
        if complaint:
            self.complaints.append(complaint)
            text, repaired = self._text(call), True
            complaint = call.check(text) if call.check else ""
            if complaint:
                self.complaints.append(complaint)
                raise ModelError("invalid", f"The model's reply cannot be used: {complaint}")
        return ModelReply(text, text, "scripted", Usage(1, 1), repaired=repaired, attempts=1 + repaired)

    def ask_all(
        self, calls: Sequence[ModelCall[Any]], cancel: CancelToken, *, at_most: int = 0
    ) -> list[ModelReply[Any] | ModelError]:
        return [self.ask(call, cancel) for call in calls]

    def stream(self, call: ModelCall[str], on_text: Callable[[str], None], cancel: CancelToken) -> ModelReply[str]:
        cancel.check()
        text = self._text(call)
        for start in range(0, len(text), 7):
            cancel.check()
            on_text(text[start : start + 7])
        return ModelReply(text, text, "scripted", Usage(1, 1))
