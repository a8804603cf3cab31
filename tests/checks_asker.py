"""A model that says what a test tells it to: replies go through the same schemas as real ones."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import ValidationError

from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import ModelCall, ModelError, ModelReply, Role

Script = Callable[[ModelCall[Any]], Any]
"""A call → what the model writes (text, or anything that becomes JSON), or the error that comes instead."""


class ScriptedAsker:
    """Answers by a script, one call after the other, and keeps the calls."""

    def __init__(self, script: Script, *, context: int = 8000, name: str = "scripted") -> None:
        self.script = script
        self.context = context
        self.name = name
        self.calls: list[ModelCall[Any]] = []
        self.at_most: list[int] = []

    def ready(self, role: Role) -> bool:
        return True

    def model_name(self, role: Role) -> str:
        return self.name

    def context_tokens(self, role: Role) -> int:
        return self.context

    def ask(self, call: ModelCall[Any], cancel: CancelToken) -> ModelReply[Any]:
        cancel.check()
        self.calls.append(call)
        said = self.script(call)
        if isinstance(said, ModelError):
            raise said
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        if call.schema is None:
            return ModelReply(text, text, self.name, mode="text")
        try:
            return ModelReply(call.schema.model_validate_json(text), text, self.name, mode="json_schema")
        except ValidationError:
            raise ModelError("invalid", "The model's reply is not what was asked for.") from None

    def ask_all(
        self, calls: Sequence[ModelCall[Any]], cancel: CancelToken, *, at_most: int = 0
    ) -> list[ModelReply[Any] | ModelError]:
        self.at_most.append(at_most)
        replies: list[ModelReply[Any] | ModelError] = []
        for call in calls:
            try:
                replies.append(self.ask(call, cancel))
            except ModelError as error:
                if error.fatal:
                    raise
                replies.append(error)
        return replies

    def stream(
        self, call: ModelCall[str], on_text: Callable[[str], None], cancel: CancelToken
    ) -> ModelReply[str]:  # pragma: no cover
        raise AssertionError("nothing is streamed here")


def blocks(kind: str, text: str) -> list[str]:
    """What stands between the tags of a kind in a prompt."""
    return [match.group(2) for match in re.finditer(rf"<({kind}-[0-9a-f]{{8}})>\n(.*?)\n</\1>", text, re.DOTALL)]


def asked_ids(call: ModelCall[Any]) -> dict[str, str]:
    """id → statement, of a call of the verifier, in the order of the prompt."""
    found = re.findall(r"^id (\w+):\n<(statement-[0-9a-f]{8})>\n(.*?)\n</\2>", call.user, re.DOTALL | re.MULTILINE)
    return {name: statement for name, _, statement in found}
