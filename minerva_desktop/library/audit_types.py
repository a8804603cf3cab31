"""What an audit says: checks with figures and samples, and what a repair did."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from minerva_desktop.records import Decision, Fact

if TYPE_CHECKING:
    from minerva_desktop.library.library import Library

SAMPLES = 10
UNREADABLE = (ValueError, TypeError, KeyError, zlib.error)
"""What unpacking a stored text raises when its bytes were changed."""


@dataclass(frozen=True, slots=True)
class AuditSample:
    """One thing that is wrong: its id, what a person calls it, and what is wrong with it."""

    id: str
    name: str
    problem: str

    def __str__(self) -> str:
        shown = f"{self.id} {self.name}".strip()
        return f"{shown}: {self.problem}" if shown else self.problem


@dataclass(frozen=True, slots=True)
class AuditCheck:
    """One invariant.

    ``metric`` is the share of what was looked at that is as it should be, against ``threshold``; ``looked_at`` and
    ``wrong`` are the numbers behind it. ``message`` is one sentence; ``samples`` are the first ten. A check that is not
    ``critical`` warns and leaves the library in order. ``mends``: a repair can make it right.
    """

    name: str
    critical: bool
    metric: float
    threshold: float
    ok: bool
    samples: tuple[AuditSample, ...] = ()
    message: str = ""
    looked_at: int = 0
    wrong: int = 0
    mends: bool = False


@dataclass(frozen=True, slots=True)
class AuditReport:
    """``ok`` = every critical check holds. ``repaired``: what a repair made anew, one sentence each; ``left``: what it
    could not mend, and what a person can do. ``notes``: what was not looked at, and why."""

    ok: bool
    checks: tuple[AuditCheck, ...]
    repaired: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one thing; ``kind`` says in which table its name is found."""

    kind: str
    id: str
    text: str


@dataclass(slots=True)
class Found:
    """What a check came to: how many things were looked at, and what is wrong."""

    total: int = 0
    problems: list[Problem] = field(default_factory=list)

    def add(self, kind: str, key: object, text: str) -> None:
        """Note a problem."""
        self.problems.append(Problem(kind, str(key), text))


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the library cannot know by itself.

    ``model``: id of the embedder in use, "" for none. ``busy``: a job is running, so that the search index may be behind.
    ``decide``: what the gate says of facts now, by id.
    """

    model: str = ""
    busy: bool = False
    decide: Callable[[Sequence[Fact]], dict[str, Decision]] | None = None


Look = Callable[["Library", Circumstances], Found]


@dataclass(frozen=True, slots=True)
class Invariant:
    """A check as the audit runs it. ``repair`` names what mends it (see :mod:`.repairing`), "" for nothing; ``advice`` is
    what a person can do where nothing does."""

    name: str
    look: Look
    critical: bool = True
    repair: str = ""
    advice: str = ""
