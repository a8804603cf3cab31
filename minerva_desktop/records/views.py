"""What a person gets to see: answers with their citations, a piece of the graph, what a change touched, reports of a job."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from minerva_desktop.records.documents import Box
from minerva_desktop.records.facts import FactStatus, Passage
from minerva_desktop.records.traces import Trace


@dataclass(frozen=True, slots=True)
class Citation:
    source: Literal["paper", "textbook", "graph"]
    paper: str = ""
    title: str = ""
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    quote: str = ""


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    text: str
    source: Literal["graph", "paper", "textbook", "calculation"]
    status: Literal["accepted", "waiting"] | None = None
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    expression: str
    value: float | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class DroppedSentence:
    """A sentence that a model wrote and that was left out, and why: its claim does not stand in what it cites."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Answer:
    question: str
    type: str
    route: str
    degraded: bool = False
    found: bool = False
    answer: str = ""
    sentences: tuple[AnswerSentence, ...] = ()
    cypher: str = ""
    rows: tuple[dict[str, Any], ...] = ()
    passages: tuple[Passage, ...] = ()
    steps: tuple[Step, ...] = ()
    value: float | None = None
    unit: str = ""
    figures: int | None = None
    notes: tuple[str, ...] = ()
    engine: str = "builtin"  # or the name of the model that worded it
    cypher_engine: str = "builtin"  # or the name of the model that wrote the query
    dropped: tuple[DroppedSentence, ...] = ()
    builtin: tuple[AnswerSentence, ...] = ()  # the built-in engine's sentences, where both were asked for
    trace: Trace | None = None  # how it was answered
    understood: str = ""  # the whole question as it was understood, where that is not what was typed
    strength: float | None = (
        None  # share of the question that the best evidence names; None where facts or formulas answer
    )
    suggestions: tuple[str, ...] = ()  # whole questions that may have been meant instead, likeliest first

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Every citation once, in the order of the text; its number is its place from 1."""
        every = (item for sentence in (*self.sentences, *self.builtin) for item in sentence.citations)
        return tuple(dict.fromkeys(every))


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question of the history. ``asked`` is when; ``text`` is the answer as Markdown with its references; ``papers`` and
    ``facts`` are the ids of what it cites."""

    id: str
    question: str
    asked: str
    found: bool
    route: str
    engine: str
    text: str
    papers: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


# --------------------------------------------------------------------------------------------------- graph view
@dataclass(frozen=True, slots=True)
class GraphNode:
    id: str  # "Type:canonical name"
    type: str
    name: str
    degree: int = 0


@dataclass(frozen=True, slots=True)
class GraphEdge:
    id: str  # the fact's id
    type: str
    source: str
    target: str
    status: FactStatus
    label: str = ""


@dataclass(frozen=True, slots=True)
class Subgraph:
    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[GraphEdge, ...] = ()
    truncated: bool = False


# ----------------------------------------------------------------------------------------------------- changes
@dataclass(frozen=True, slots=True)
class ChangeSet:
    """What a change touched, so that each view can decide what to repaint. ``label`` is for the undo menu."""

    label: str = ""
    papers: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    textbooks: tuple[str, ...] = ()
    jobs: bool = False
    settings: bool = False
    lexicon: bool = False
    everything: bool = False
    event: int = 0


@dataclass(frozen=True, slots=True)
class PaperReport:
    """One line of an ingest report. ``unverified``: facts among the waiting ones that could not be verified."""

    file: str
    status: str
    reason: str = ""
    id: str = ""
    title: str = ""
    doi: str = ""
    pages: int = 0
    sentences: int = 0
    entities: int = 0
    accepted: int = 0
    waiting: int = 0
    refused: int = 0
    unverified: int = 0


@dataclass(frozen=True, slots=True)
class IngestReport:
    """``stopped``: why a job ended early although nobody stopped it; the papers that are left wait to be taken up."""

    job: str
    papers: tuple[PaperReport, ...] = ()
    cancelled: bool = False
    summary: dict[str, Any] = field(default_factory=dict)
    stopped: Stopped | None = None


@dataclass(frozen=True, slots=True)
class Stopped:
    """Why a job ended before its end although nobody stopped it: ``code`` and ``message`` of the error, what to do."""

    code: str
    message: str
    hint: str = ""
