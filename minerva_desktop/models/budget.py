"""Limits in tokens and US dollars, for a job and for a month, checked before anything is sent.

A call reserves the most that it can take: its prompt and all tokens that it may write. When it has ended, what it really
took is counted instead. So calls at the same time cannot go beyond a limit together.
"""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import dataclass

from minerva_desktop.models.calls import ModelError
from minerva_desktop.models.stores import Spending
from minerva_desktop.settings.guests import GuestSettings

RAISE_JOB = "Raise the limit in Settings → Language Models and resume, or go on with the built-in engine."
RAISE_MONTH = (
    "Raise the limit in Settings → Language Models, wait for the next month, or go on with the built-in engine."
)


@dataclass(frozen=True, slots=True)
class Reservation:
    """The most that a call can take. ``dollars`` None: the price is not known, so only its tokens count."""

    tokens: int
    dollars: float | None


class Purse:
    """What is reserved by calls under way and what was used, for one kind of limit; guarded by the budget's lock."""

    def __init__(self) -> None:
        self.tokens = 0
        self.dollars = 0.0
        self.reserved_tokens = 0
        self.reserved_dollars = 0.0

    def reserve(self, asked: Reservation, sign: int) -> None:
        """Take a reservation in, or out with ``sign`` -1."""
        self.reserved_tokens += sign * asked.tokens
        self.reserved_dollars += sign * (asked.dollars or 0.0)


class Month:
    """The month's spending, shared by all jobs of a process and read anew before each call: other processes spend too."""

    def __init__(self, spending: Spending) -> None:
        self._spending = spending
        self._unwritten = (0, 0.0)
        self.purse = Purse()
        self.lock = threading.RLock()

    def used(self) -> tuple[int, float]:
        """(tokens, US dollars) of this month so far.

        Raises:
            ModelError: it cannot be read, so no limit can be kept.
        """
        try:
            tokens, dollars = self._spending.month()
        except (OSError, sqlite3.Error):
            raise ModelError(
                "budget",
                "What was spent this month cannot be read, so its limit cannot be kept.",
                hint="Look at the disk, set the limits of a month to 0, or go on with the built-in engine.",
            ) from None
        return tokens + self._unwritten[0], dollars + self._unwritten[1]

    def add(self, tokens: int, dollars: float) -> None:
        """Count what a call has used; where it cannot be written it is kept in mind for this process."""
        try:
            self._spending.add(tokens, dollars)
        except (OSError, sqlite3.Error):
            self._unwritten = (self._unwritten[0] + tokens, self._unwritten[1] + dollars)


class Budget:
    """The limits of one job and of the month. ``of_job`` False: only those of the month. ``used``: (tokens, US dollars)
    that the job had used before it was taken up again. Thread-safe."""

    def __init__(
        self, settings: GuestSettings, month: Month, *, of_job: bool, used: tuple[int, float] = (0, 0.0)
    ) -> None:
        self._settings = settings
        self._month = month
        self._job = Purse()
        self._job.tokens, self._job.dollars = used
        self._of_job = of_job

    def reserve(self, asked: Reservation) -> bool:
        """Reserve the most that a call can take; False = it will fit, or not, when calls under way have ended.

        Raises:
            ModelError: it does not fit (kind "budget").
        """
        settings = self._settings
        with self._month.lock:
            fits = True
            if self._of_job:
                limits = (settings.model_job_tokens, settings.model_job_dollars)
                fits = _fits("job", asked, limits, (self._job.tokens, self._job.dollars), self._job)
            limits = (settings.model_month_tokens, settings.model_month_dollars)
            if limits != (0, 0):
                fits = _fits("month", asked, limits, self._month.used(), self._month.purse) and fits
            if fits:
                self._job.reserve(asked, 1)
                self._month.purse.reserve(asked, 1)
            return fits

    def settle(self, asked: Reservation, tokens: int, dollars: float | None) -> None:
        """Count what a call has really taken, in place of its reservation."""
        with self._month.lock:
            self._job.reserve(asked, -1)
            self._month.purse.reserve(asked, -1)
            self._job.tokens += tokens
            self._job.dollars += dollars or 0.0
            if tokens or dollars:
                self._month.add(tokens, dollars or 0.0)

    def used(self) -> tuple[int, float]:
        """(tokens, US dollars) that this job has used so far."""
        with self._month.lock:
            return self._job.tokens, self._job.dollars


def _fits(what: str, asked: Reservation, limits: tuple[int, float], used: tuple[int, float], purse: Purse) -> bool:
    most_tokens, most_dollars = limits
    if most_tokens and used[0] + asked.tokens > most_tokens:
        raise _spent(what, f"{used[0]:,} of {most_tokens:,} tokens", f"{asked.tokens:,}")
    dollars = asked.dollars or 0.0
    if most_dollars and dollars and used[1] + dollars > most_dollars:
        raise _spent(what, f"{used[1]:.2f} of {most_dollars:.2f} US dollars", f"{dollars:.2f}")
    if most_tokens and used[0] + purse.reserved_tokens + asked.tokens > most_tokens:
        return False
    return not (most_dollars and dollars and used[1] + purse.reserved_dollars + dollars > most_dollars)


def _spent(what: str, used: str, asked: str) -> ModelError:
    return ModelError(
        "budget",
        f"The limit of this {what} is reached: {used} are used, and the next call may take up to {asked}.",
        hint=RAISE_JOB if what == "job" else RAISE_MONTH,
    )
