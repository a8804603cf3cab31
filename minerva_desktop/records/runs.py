"""Runs: what a job that reads papers found, and how two of them differ."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from minerva_desktop.records.documents import Box


@dataclass(frozen=True, slots=True)
class Run:
    """A job that reads papers. ``digest`` is the sha256 of all that it found: equal for runs that found the same.

    ``statements`` counts a fact once for each sentence that states it, ``facts`` once for each paper. ``engine``: "builtin",
    or the profile whose models read along. ``kept``: how many papers it read to the end; 0 for a job of a version that did
    not keep what it found. ``undone``: it was taken back.
    """

    id: str
    kind: str
    created: str
    status: str
    engine: str
    kept: int
    statements: int
    facts: int
    passed: int
    digest: str
    undone: bool = False
    manifest: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    outcome: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunPaper:
    """What a run found in one paper: how many facts, in how many statements, of which how many passed the checks."""

    paper: str
    file_name: str
    title: str
    statements: int
    facts: int
    passed: int
    digest: str


@dataclass(frozen=True, slots=True)
class RunDetails:
    """A run with its papers; ``types`` counts statements by relation, ``outcomes`` by what came of them."""

    run: Run
    papers: tuple[RunPaper, ...] = ()
    types: dict[str, int] = field(default_factory=dict)
    outcomes: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FieldChange:
    """What one field of a statement is in either run, as a person reads it."""

    field: str
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A statement that only one run has, or that both have with differences; its place is that of ``a`` where it has it.

    ``kind`` "grounds": statement, outcome and verdict are the same, but reached for another reason.

    ``outcome`` is "passed", or the stage and rule that refused it.
    """

    kind: Literal["only_a", "only_b", "changed", "grounds"]
    fact: str
    claim: str
    type: str
    source: str
    target: str
    property_id: str
    value: str
    paper: str
    file_name: str
    title: str
    page: int | None
    boxes: tuple[Box, ...]
    sentence: str
    confidence: float
    verdict: str
    outcome: str
    extractor: str
    changes: tuple[FieldChange, ...] = ()


@dataclass(frozen=True, slots=True)
class RunDiff:
    """Two runs side by side. ``identical``: the same papers, and of each the same bytes.

    Statements are compared in the papers that both have read (``papers``); ``papers_only_a`` and ``papers_only_b`` are the
    others, by file name. ``circumstances``: what differs between the manifests.
    """

    a: Run
    b: Run
    identical: bool
    papers: int
    same: int
    only_a: tuple[DiffRow, ...] = ()
    only_b: tuple[DiffRow, ...] = ()
    changed: tuple[DiffRow, ...] = ()
    grounds: tuple[DiffRow, ...] = ()
    papers_only_a: tuple[str, ...] = ()
    papers_only_b: tuple[str, ...] = ()
    entities_only_a: tuple[str, ...] = ()
    entities_only_b: tuple[str, ...] = ()
    circumstances: tuple[FieldChange, ...] = ()

    @property
    def rows(self) -> tuple[DiffRow, ...]:
        """All rows: what only A has, what only B has, what changed, what stands for other reasons."""
        return (*self.only_a, *self.only_b, *self.changed, *self.grounds)
