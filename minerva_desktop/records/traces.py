"""How a question was answered: what was understood, where was looked, what was read; and what was asked before."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from minerva_desktop.records.facts import FactStatus, Passage, VerdictName

Arm = Literal["words", "meaning", "graph"]
"""What found a passage: its words, its meaning (vectors), or what the graph joins to the question."""


@dataclass(frozen=True, slots=True)
class LinkedName:
    """Words of a question (``text``) and the entity that they were taken for."""

    text: str
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class TracedFact:
    """A fact that was looked at; ``told``: the answer cites it."""

    id: str
    claim: str
    status: FactStatus
    told: bool = False


@dataclass(frozen=True, slots=True)
class TracedPassage:
    """A passage that was read (its ``score`` is of this search) and what found it; ``told``: the answer cites it.

    ``through``: the name that the graph found it through, where only the graph brought it among the first. ``alike``: how
    many passages were left out because they say the same.
    """

    passage: Passage
    arms: tuple[Arm, ...] = ()
    told: bool = False
    through: str = ""
    alike: int = 0


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one step took. Steps may run at the same time, so they need not add up."""

    step: str
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Trace:
    """The way of one answer, for the fold under it.

    ``unsorted``: the question could not be sorted, so it was answered by graph and passages. ``properties`` are labels;
    ``searched`` is what passages were searched with, ``web_query`` what papers on it could be searched with. ``model`` is
    the model that had a part in it, "" for none. ``timings`` are of this one run: equal answers may have taken different
    times, so they do not count when answers are compared, and no file of results holds them.
    """

    type: str
    route: str
    reason: str
    unsorted: bool = False
    entities: tuple[LinkedName, ...] = ()
    beside: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    searched: str = ""
    web_query: str = ""
    facts: tuple[TracedFact, ...] = ()
    passages: tuple[TracedPassage, ...] = ()
    model: str = ""
    timings: tuple[Timing, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class EvidenceCard:
    """What is known of the place that citation ``number`` of an answer names.

    ``marks`` are the stretches of the quotation (start, end) that the question or the fact's value speaks of. ``fact`` is
    the id of the fact that was read there, "" for none; ``status`` and ``verdict`` (with ``verdict_reason``) are its.
    """

    number: int
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str = ""
    venue: str = ""
    marks: tuple[tuple[int, int], ...] = ()
    status: FactStatus | None = None
    verdict: VerdictName | None = None
    verdict_reason: str = ""
    fact: str = ""
    withdrawn: bool = False
