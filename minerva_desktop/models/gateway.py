"""The gateway to the language models of one profile: :class:`Models` is the :class:`~.calls.Asker` that the roles talk to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, TypeVar

from minerva_desktop.events import CancelToken
from minerva_desktop.models.breaker import Breaker
from minerva_desktop.models.budget import Budget
from minerva_desktop.models.calls import ModelCall, ModelError, ModelReply, Role
from minerva_desktop.models.core import Core
from minerva_desktop.models.running import Run
from minerva_desktop.models.stores import ReplyStore, Spending
from minerva_desktop.records.guests import CallRecord
from minerva_desktop.settings.guests import GuestSettings, ModelProfile

T = TypeVar("T")


class JobModels:
    """Asks the models for one job, with limits and a circuit breaker of its own. Thread-safe; see :class:`~.calls.Asker`."""

    def __init__(self, core: Core, job: str, used: tuple[int, float] = (0, 0.0)) -> None:
        self._core = core
        self._job = job
        self._budget = Budget(core.settings, core.month, of_job=bool(job), used=used)
        self._breaker = Breaker()

    def __repr__(self) -> str:
        return f"<models of “{self._core.name}”, job “{self._job}”>"

    def ready(self, role: Role) -> bool:
        """Whether a model can be asked in this role: one is chosen and the program is not offline."""
        return bool(self.model_name(role)) and not self._core.offline

    def model_name(self, role: Role) -> str:
        """The model of a role, for manifests and labels."""
        return self._core.profile.model_for(role)

    def context_tokens(self, role: Role) -> int:
        """Tokens that the model of a role can read and write in one call; 0 = not known."""
        return self._core.context_tokens(self.model_name(role))

    def used(self) -> tuple[int, float]:
        """(tokens, US dollars) that this job has used so far; calls whose price is not known add tokens only."""
        return self._budget.used()

    def ask(self, call: ModelCall[T], cancel: CancelToken) -> ModelReply[T]:
        """The reply to one call."""
        result = self._run(cancel).all([call], 1)[0]
        if isinstance(result, ModelError):
            raise result
        return result

    def ask_all(
        self, calls: Sequence[ModelCall[T]], cancel: CancelToken, *, at_most: int = 0
    ) -> list[ModelReply[T] | ModelError]:
        """The replies in the order of the calls, ``at_most`` at a time (0 = as the settings say)."""
        return self._run(cancel).all(calls, at_most or self._at_most(calls))

    def stream(self, call: ModelCall[str], on_text: Callable[[str], None], cancel: CancelToken) -> ModelReply[str]:
        """A plain text reply, told to ``on_text`` piece by piece in the calling thread, thinking left out."""
        result = self._run(cancel, on_text).all([call], 1)[0]
        if isinstance(result, ModelError):
            raise result
        return result

    def _run(self, cancel: CancelToken, on_text: Callable[[str], None] | None = None) -> Run:
        return Run(self._core, self._job, self._budget, self._breaker, cancel, on_text)

    def _at_most(self, calls: Sequence[ModelCall[Any]]) -> int:
        settings = self._core.settings
        claims = all(call.role == "claims" for call in calls)
        return min(settings.model_parallel, settings.model_claims_parallel) if claims else settings.model_parallel


class Models(JobModels):
    """The models of one profile. Calls made on it directly belong to no job: only the month's limits hold for them.

    ``key`` is sent only when the profile says that its server wants one. ``name`` is the profile's, for the log.
    ``replies`` None: nothing is kept. ``log`` is told of every call, in the thread that asks. Close it, or use it as a
    context manager.
    """

    def __init__(
        self,
        profile: ModelProfile,
        settings: GuestSettings,
        *,
        key: str,
        name: str,
        replies: ReplyStore | None,
        log: Callable[[CallRecord], None],
        spent: Spending,
        offline: bool,
    ) -> None:
        core = Core(
            profile, settings, key=key, name=name, replies=replies, log=log, spent=spent, offline=offline
        )  # fmt: skip
        super().__init__(core, "")

    def job(self, job_id: str, used: tuple[int, float] = (0, 0.0)) -> JobModels:
        """The same models for one job, with its own limits and circuit breaker. ``used``: (tokens, US dollars) that the job
        had used before it was taken up again."""
        return JobModels(self._core, job_id, used)

    def close(self) -> None:
        """Cut off what is under way and end all connections."""
        self._core.close()

    def __enter__(self) -> Models:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
