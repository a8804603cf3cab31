"""The types that every part speaks. Plain, immutable, comparable, JSON-able; no I/O and no behaviour beyond that.

Lengths and positions: boxes are PDF points with the origin at the top left, pages count from 1, character offsets
count Unicode code points.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal

Box = tuple[int, float, float, float, float]
"""(page, x0, y0, x1, y1); page counts from 1."""

Imrad = Literal["ABSTRACT", "INTRO", "METHODS", "RESULTS", "DISCUSSION", "CONCLUSION", "REFERENCES", "OTHER"]
SentenceKind = Literal["title", "heading", "abstract", "body", "caption", "table", "footnote", "reference", "front"]
DocumentStatus = Literal["ok", "no text layer", "encrypted", "damaged", "empty", "unsupported", "failed"]
Modality = Literal["reported", "cited", "hypothetical", "negated"]
FactStatus = Literal["accepted", "waiting", "refused"]
VerdictName = Literal["SUPPORTED", "CONTRADICTED", "INSUFFICIENT"]


# ---------------------------------------------------------------------------------------------------- documents
@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a document. ``Document.text[start:end] == text`` always holds.

    ``boxes`` has one box per printed line (over two pages: boxes on both); empty where the format has no pages.
    ``page`` is the first box's page. ``mined`` says whether extraction reads it. ``citation``: how surely it cites other
    works (1.0 the file marks the reference, 0.7 author and year, 0.5 a number in brackets or raised, 0 not at all).
    """

    index: int
    text: str
    start: int
    end: int
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    section: str = ""
    imrad: Imrad = "OTHER"
    kind: SentenceKind = "body"
    mined: bool = True
    citation: float = 0.0


@dataclass(frozen=True, slots=True)
class PageInfo:
    number: int
    width: float
    height: float
    rotation: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its class; ``first`` and ``last`` are sentence indices (last exclusive)."""

    title: str
    level: int
    imrad: Imrad
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Caption:
    """``mentions`` are the indices of the sentences that point at the figure or table."""

    kind: Literal["figure", "table", "other"]
    label: str
    text: str
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    mentions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """``header``: one text per column; ``header_rows``: the rows that it was joined from. ``cells``: the boxes of ``rows``,
    row by row; None where a cell has no place on a page or nothing in it."""

    label: str
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    cells: tuple[tuple[Box | None, ...], ...] = ()
    header_rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the file says of itself; empty when it does not say. ``year`` None = unknown."""

    title: str = ""
    authors: tuple[str, ...] = ()
    doi: str = ""
    arxiv_id: str = ""
    year: int | None = None
    abstract: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read. ``status`` is honest; ``reason`` is one sentence whenever status is not ``ok``.

    ``left_out``: where running heads, page numbers and the like stand on the pages, which are in no sentence.
    """

    status: DocumentStatus
    reason: str = ""
    media_type: str = ""
    metadata: Metadata = Metadata()
    pages: tuple[PageInfo, ...] = ()
    text: str = ""
    sentences: tuple[Sentence, ...] = ()
    sections: tuple[Section, ...] = ()
    captions: tuple[Caption, ...] = ()
    tables: tuple[Table, ...] = ()
    references: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class PageImage:
    """A rendered page: ``width * height`` pixels, RGB, three bytes a pixel, rows packed."""

    page: int
    width: int
    height: int
    scale: float
    rgb: bytes


# ------------------------------------------------------------------------------------------------------- facts
@dataclass(frozen=True, slots=True)
class Condition:
    """Under which a value holds: name is e.g. temperature, pressure, magnetic_field, frequency, composition."""

    name: str
    text: str
    si_value: float | None = None
    si_unit: str = ""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value as written and in coherent SI. ``ok`` = usable as stated; ``ambiguous`` means waiting for a person."""

    ok: bool
    text: str = ""
    reason: str = ""
    kind: Literal["value", "range", "list", "bound", "count", "negative"] = "value"
    value: float | None = None
    low: float | None = None
    high: float | None = None
    values: tuple[float, ...] = ()
    comparator: Literal["", "<", "<=", ">", ">="] = ""
    uncertainty: float | None = None
    approximate: bool = False
    ambiguous: bool = False
    flags: tuple[str, ...] = ()
    unit: str = ""
    si_value: float | None = None
    si_low: float | None = None
    si_high: float | None = None
    si_values: tuple[float, ...] = ()
    si_uncertainty: float | None = None
    si_unit: str = ""
    dimension: str = ""
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Entity:
    """A node. Identity is (type, canonical); ``name`` is the spelling that was read."""

    type: str
    name: str
    canonical: str = ""
    form: str = ""  # structural form split off the name: "nanowire" of "NbN nanowire"
    aliases: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        return (self.type, self.canonical or self.name)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where it stands. ``document.text[start:end] == sentence``; spans are offsets inside the sentence."""

    paper: str
    page: int | None
    boxes: tuple[Box, ...]
    start: int
    end: int
    sentence: str
    section: str = ""
    imrad: Imrad = "OTHER"
    sentence_index: int = -1
    source_span: tuple[int, int] | None = None
    target_span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """A candidate as one extractor read it, with one evidence. A HAS_VALUE relation is a whole measured fact.

    ``property_id`` is the domain's property id (``band_gap``), set on HAS_VALUE; ``rule`` is the extraction rule.
    """

    type: str
    source: Entity
    target: Entity
    evidence: Evidence
    property_id: str = ""
    quantity: Quantity | None = None
    conditions: tuple[Condition, ...] = ()
    method: str = ""
    modality: Modality = "reported"
    confidence: float = 0.7
    extractor: str = "rules"
    rule: str = ""
    triggers: tuple[str, ...] = ()


# ------------------------------------------------------------------------------------------------------ checks
@dataclass(frozen=True, slots=True)
class CriticResult:
    accepted: bool
    rule: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Verification:
    """``semantic_class`` is filled for HAS_PROPERTY and HAS_VALUE. ``error`` = could not be checked (it waits)."""

    accepted: bool
    semantic_class: str = ""
    rule: str = ""
    reason: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a paper or textbook. ``score`` only orders passages of one search."""

    id: str
    kind: Literal["paper", "textbook"]
    source: str  # paper id, or textbook id
    title: str
    text: str
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    section: str = ""
    level: int = 0
    score: float = 0.0
    sentences: tuple[int, ...] = ()  # indices of the paper's sentences


@dataclass(frozen=True, slots=True)
class VerdictRound:
    """One round of draft, look-up and revision: what was missing, what was asked, what came of it."""

    query: str
    missing: str
    verdict: VerdictName
    reason: str
    passages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    verdict: VerdictName
    reason: str = ""
    claim: str = ""
    quote: str = ""  # the decisive sentence
    source: str = ""  # textbook title
    page: int | None = None
    passage: str = ""  # passage id
    rounds: tuple[VerdictRound, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One candidate with what every check said of it: what the pipeline stores and review shows."""

    relation: Relation
    critic: CriticResult
    verification: Verification | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """``stage`` is extraction, critic, verifier, claims, gate or person."""

    status: FactStatus
    stage: str = ""
    rule: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class EvidenceRecord:
    """One evidence of a stored relation, with the checks of that reading."""

    id: str
    evidence: Evidence
    modality: Modality
    confidence: float
    extractor: str
    rule: str
    critic: CriticResult
    verification: Verification | None = None
    verdict: Verdict | None = None
    value_text: str = ""
    quantity: Quantity | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A stored relation: identity, decision and all its evidence. ``by_person`` = a person decided."""

    id: str
    type: str
    source: Entity
    target: Entity
    property_id: str = ""
    quantity: Quantity | None = None
    conditions: tuple[Condition, ...] = ()
    method: str = ""
    modality: Modality = "reported"
    decision: Decision = Decision("waiting")
    by_person: bool = False
    evidence: tuple[EvidenceRecord, ...] = ()
    claim: str = ""

    @property
    def papers(self) -> tuple[str, ...]:
        """Ids of the papers that say it, each once, sorted."""
        return tuple(sorted({item.evidence.paper for item in self.evidence}))


# ------------------------------------------------------------------------------------------------------ papers
@dataclass(frozen=True, slots=True)
class Paper:
    """A paper in the library. ``id`` is the sha256 of the file; counts are of relations of this paper by status."""

    id: str
    file_name: str
    title: str = ""
    authors: tuple[str, ...] = ()
    doi: str = ""
    arxiv_id: str = ""
    year: int | None = None
    abstract: str = ""
    url: str = ""
    media_type: str = ""
    status: str = "ok"
    reason: str = ""
    pages: int = 0
    sentences: int = 0
    entities: int = 0
    accepted: int = 0
    waiting: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True)
class Textbook:
    id: str
    title: str
    file_name: str
    level: int = 1
    chunks: int = 0
    pages: int = 0


# ----------------------------------------------------------------------------------------------------- answers
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
    notes: tuple[str, ...] = ()


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
    everything: bool = False
    event: int = 0


@dataclass(frozen=True, slots=True)
class PaperReport:
    """One line of an ingest report."""

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


@dataclass(frozen=True, slots=True)
class IngestReport:
    job: str
    papers: tuple[PaperReport, ...] = ()
    cancelled: bool = False
    summary: dict[str, Any] = field(default_factory=dict)


def to_plain(value: Any) -> Any:
    """Records as dicts, lists and scalars, field names as keys, ready for ``json.dumps``."""
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: to_plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, dict):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        items = sorted(value) if isinstance(value, (set, frozenset)) else value
        return [to_plain(item) for item in items]
    return value
