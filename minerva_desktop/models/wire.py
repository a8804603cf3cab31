"""What passes between the gateway and the client that talks to a server: plain types, no I/O."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from minerva_desktop.models.calls import ErrorKind, ModelError

Again = Literal["no", "once", "yes"]
"""Whether asking again can succeed: never, once at once, or as often as the settings allow."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One question as it is put to a server. ``schema`` is a JSON schema, ``shape`` the same in words for the prompt."""

    model: str
    system: str
    user: str
    most_tokens: int
    temperature: float = 0.0
    images: tuple[bytes, ...] = ()
    schema: dict[str, Any] = field(default_factory=dict)
    shape: str = ""
    schema_id: str = ""
    tokens_in: int = 0


@dataclass(slots=True)
class Incoming:
    """What a server said. ``finish`` is its reason to stop, empty = it gave none; tokens are None where it was silent.

    ``thought``: it sent thinking apart from the text.
    """

    text: str = ""
    finish: str = ""
    refusal: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    thought: int = 0


class WireError(Exception):
    """A request that gave no reply. ``message`` is a sentence for the person; ``said`` are the server's own words, which
    are looked at and never shown. ``billed``: the server had begun to work, so its tokens count."""

    def __init__(
        self,
        kind: ErrorKind,
        message: str,
        *,
        hint: str = "",
        again: Again = "no",
        fatal: bool | None = None,
        wait: float | None = None,
        status: int = 0,
        said: str = "",
        billed: bool = False,
    ) -> None:
        super().__init__(message)
        self.kind: ErrorKind = kind
        self.message = message
        self.hint = hint
        self.again = again
        self.fatal = fatal
        self.wait = wait
        self.status = status
        self.said = said
        self.billed = billed

    def for_person(self) -> ModelError:
        """The error that the roles see."""
        return ModelError(self.kind, self.message, hint=self.hint, fatal=self.fatal)
