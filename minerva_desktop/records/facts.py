"""What was read in a document, what every check said of it, and what the library holds of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from minerva_desktop.records.documents import Box, Imrad
from minerva_desktop.records.works import WITHDRAWING, Notice

Modality = Literal["reported", "cited", "hypothetical", "negated"]
FactStatus = Literal["accepted", "waiting", "refused"]
VerdictName = Literal["SUPPORTED", "CONTRADICTED", "INSUFFICIENT"]


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

    ``property_id`` is the domain's property id (``band_gap``), set on HAS_VALUE; ``rule`` is the extraction rule;
    ``features`` are what the confidence was made of, with their weights.
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
    features: tuple[tuple[str, float], ...] = ()


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
    engine: str = "rules"


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
    """One round of draft, look-up and revision: what was missing, what was asked, what came of it.

    ``engine`` is "rules" or the model's name; ``quote`` the sentence that it gave, "" when it gave none that stands in a
    passage; ``note`` what was not believed of its reply.
    """

    query: str
    missing: str
    verdict: VerdictName
    reason: str
    passages: tuple[str, ...] = ()
    engine: str = "rules"
    quote: str = ""
    note: str = ""


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
    engine: str = "rules"


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
    """One evidence of a stored relation, with the checks of that reading. ``method`` and ``form`` (of the source) are what
    this sentence says of how and on what it was measured."""

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
    method: str = ""
    form: str = ""


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
    """A paper in the library. ``id`` is the sha256 of the file; counts are of relations of this paper by status.

    ``extent`` is "abstract" where only the abstract could be had; ``version_of`` is the id of the paper of which this is
    another version (a preprint of it, say); ``notices`` are its retraction and corrections.
    """

    id: str
    file_name: str
    title: str = ""
    authors: tuple[str, ...] = ()
    doi: str = ""
    arxiv_id: str = ""
    year: int | None = None
    abstract: str = ""
    url: str = ""
    venue: str = ""
    pmid: str = ""
    media_type: str = ""
    extent: str = "full"
    notices: tuple[Notice, ...] = ()
    version_of: str = ""
    status: str = "ok"
    reason: str = ""
    pages: int = 0
    sentences: int = 0
    entities: int = 0
    accepted: int = 0
    waiting: int = 0
    refused: int = 0

    @property
    def withdrawn(self) -> bool:
        """Whether it was retracted, withdrawn or removed."""
        return any(notice.kind in WITHDRAWING for notice in self.notices)


@dataclass(frozen=True, slots=True)
class Textbook:
    id: str
    title: str
    file_name: str
    level: int = 1
    chunks: int = 0
    pages: int = 0
