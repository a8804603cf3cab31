"""What a person decided on facts, as it is kept for learning from it: what was there before and what after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

DecisionVerb = Literal["accept", "reject", "reopen", "edit", "reverse", "relabel"]
REJECTION_KINDS: dict[str, str] = {
    "not-stated": "not stated",
    "wrong-subject": "wrong subject",
    "wrong-object": "wrong object",
    "wrong-value": "wrong value",
    "wrong-relation": "wrong relation",
    "wrong-conditions": "wrong conditions",
    "other": "other",
}
"""Why a person rejects a fact, in words."""


@dataclass(frozen=True, slots=True)
class StatedPlace:
    """A sentence that states it. Spans are offsets inside the sentence; ``extractor`` and ``rule`` say who read it so."""

    paper: str
    page: int | None
    start: int
    end: int
    sentence: str
    source_span: tuple[int, int] | None = None
    target_span: tuple[int, int] | None = None
    extractor: str = ""
    rule: str = ""
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Statement:
    """All of a fact that a person may find wrong. ``fact`` is its id; ``source`` and ``target`` are the spellings read,
    ``source_canonical`` and ``target_canonical`` the names of the entities; ``value`` and ``unit`` as written, ``si_value``
    in coherent SI where there is one number."""

    fact: str
    type: str
    source_type: str
    source: str
    target_type: str
    target: str
    source_canonical: str = ""
    target_canonical: str = ""
    property_id: str = ""
    value: str = ""
    unit: str = ""
    si_value: float | None = None
    conditions: tuple[str, ...] = ()
    modality: str = "reported"
    claim: str = ""
    places: tuple[StatedPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision on one fact. ``kind`` is a key of :data:`REJECTION_KINDS`, or empty; ``after`` is None where nothing
    was corrected; ``in_force`` is false when it was undone."""

    event: int
    at: str
    fact: str
    verb: DecisionVerb
    kind: str
    reason: str
    before: Statement
    after: Statement | None = None
    in_force: bool = True
