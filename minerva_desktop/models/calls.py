"""What is asked of a language model and what comes back: the types that every role speaks. No I/O.

A role hands a :class:`ModelCall` to an :class:`Asker` and gets a :class:`ModelReply` whose ``value`` has been validated
against the call's schema, or a :class:`ModelError` that a person can read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel

from minerva_desktop.errors import MinervaError
from minerva_desktop.events import CancelToken
from minerva_desktop.settings.guests import Role

__all__ = ["Asker", "ErrorKind", "ModelCall", "ModelError", "ModelReply", "Role", "Usage"]

T = TypeVar("T")

ErrorKind = Literal[
    "offline", "unreachable", "unauthorised", "no-model", "rate-limited", "failed", "timeout", "refused", "too-long",
    "context", "invalid", "budget", "not-configured",
]  # fmt: skip
_FATAL = frozenset({"offline", "unreachable", "unauthorised", "no-model", "budget", "not-configured"})


class ModelError(MinervaError):
    """A model did not give what was asked. ``fatal``: asking again, for something else, would fail the same way, so the
    job stops once. The message never holds the key nor the text that was sent."""

    def __init__(self, kind: ErrorKind, message: str, *, hint: str = "", fatal: bool | None = None) -> None:
        super().__init__(message, hint=hint, code=f"model-{kind}")
        self.kind = kind
        self.fatal = kind in _FATAL if fatal is None else fatal


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens read and written. ``estimated``: the server did not say, so they are made of characters (``tokens``)."""

    tokens_in: int = 0
    tokens_out: int = 0
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class ModelCall(Generic[T]):
    """One question. ``prompt`` and ``version`` name the prompt for log, cache and manifest.

    ``schema``: the pydantic model that the reply must fit (then T is that model), or None for plain text (T is str).
    ``check`` looks at a valid reply and returns a complaint, "" when it is fine; a complaint is put to the model in the
    one round of repair. ``item`` says for the log what it is about. ``images`` are PNG files.
    """

    role: Role
    prompt: str
    version: str
    system: str
    user: str
    schema: type[BaseModel] | None = None
    most_tokens: int = 1024
    item: str = ""
    temperature: float = 0.0
    repair: bool = True
    check: Callable[[T], str] | None = field(default=None, compare=False)
    images: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelReply(Generic[T]):
    """``value`` is valid. ``cached``: an earlier reply to the same call, which cost nothing now. ``repaired``: the second
    attempt. ``mode`` is how structure was asked for: json_schema, json_object or text."""

    value: T
    text: str
    model: str
    usage: Usage = Usage()
    dollars: float = 0.0
    cached: bool = False
    repaired: bool = False
    attempts: int = 1
    mode: str = ""


class Asker(Protocol):
    """Asks models, with retries, budgets, cache and log. Thread-safe; called from worker threads, never from a loop.

    All methods raise :class:`ModelError`, and :class:`~minerva_desktop.errors.Cancelled` as soon as ``cancel`` is set.
    """

    def ready(self, role: Role) -> bool:
        """Whether a model can be asked in this role: one is chosen and the program is not offline."""
        ...

    def model_name(self, role: Role) -> str:
        """The model of a role, for manifests and labels."""
        ...

    def context_tokens(self, role: Role) -> int:
        """Tokens that the model of a role can read and write in one call; 0 = not known."""
        ...

    def ask(self, call: ModelCall[T], cancel: CancelToken) -> ModelReply[T]:
        """The reply to one call."""
        ...

    def ask_all(
        self, calls: Sequence[ModelCall[T]], cancel: CancelToken, *, at_most: int = 0
    ) -> list[ModelReply[T] | ModelError]:
        """The replies in the order of the calls, ``at_most`` at a time (0 = as the settings say). An error that is not
        fatal takes its call's place; a fatal one is raised at once and ends the others."""
        ...

    def stream(self, call: ModelCall[str], on_text: Callable[[str], None], cancel: CancelToken) -> ModelReply[str]:
        """A plain text reply, told to ``on_text`` piece by piece while it comes. A cached one comes in one piece. When the
        stream breaks, what came is thrown away and the error is raised."""
        ...


def is_fatal(error: Any) -> bool:
    """Whether an error ends a whole job."""
    return isinstance(error, ModelError) and error.fatal
