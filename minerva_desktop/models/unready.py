"""What stands for a model that is chosen and cannot be asked: it says why, and sends nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn, TypeVar

from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import ModelCall, ModelError, ModelReply, Role
from minerva_desktop.settings.guests import ModelProfile

T = TypeVar("T")


class Unready:
    """An :class:`~minerva_desktop.models.calls.Asker` whose every question ends in one sentence, and with it the job."""

    def __init__(self, profile: ModelProfile, problem: str, hint: str) -> None:
        self._profile = profile
        self._problem = problem
        self._hint = hint

    def ready(self, role: Role) -> bool:
        return False

    def model_name(self, role: Role) -> str:
        return self._profile.model_for(role)

    def context_tokens(self, role: Role) -> int:
        return self._profile.context

    def ask(self, call: ModelCall[T], cancel: CancelToken) -> ModelReply[T]:
        self._refuse()

    def ask_all(
        self, calls: Sequence[ModelCall[T]], cancel: CancelToken, *, at_most: int = 0
    ) -> list[ModelReply[T] | ModelError]:
        if calls:
            self._refuse()
        return []

    def stream(self, call: ModelCall[str], on_text: Callable[[str], None], cancel: CancelToken) -> ModelReply[str]:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise ModelError("not-configured", self._problem, hint=self._hint)
