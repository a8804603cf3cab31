"""The types that every part speaks. Plain, immutable, comparable, JSON-able; no I/O and no behaviour beyond that.

Lengths and positions: boxes are PDF points with the origin at the top left, pages count from 1, character offsets
count Unicode code points.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from minerva_desktop.records.decisions import REJECTION_KINDS, Decided, DecisionVerb, StatedPlace, Statement
from minerva_desktop.records.documents import (
    Box,
    Caption,
    Document,
    DocumentStatus,
    Imrad,
    Metadata,
    PageImage,
    PageInfo,
    Section,
    Sentence,
    SentenceKind,
    Table,
)
from minerva_desktop.records.facts import (
    Condition,
    CriticResult,
    Decision,
    Entity,
    Evidence,
    EvidenceRecord,
    Fact,
    FactStatus,
    Finding,
    Modality,
    Paper,
    Passage,
    Quantity,
    Relation,
    Textbook,
    Verdict,
    VerdictName,
    VerdictRound,
    Verification,
)
from minerva_desktop.records.guests import (
    CallRecord,
    Estimate,
    GeneratedText,
    KnownProfile,
    ModelSpending,
    RoleSpending,
)
from minerva_desktop.records.quotes import QuoteHow, QuotePlace, QuoteResult
from minerva_desktop.records.runs import DiffRow, FieldChange, Run, RunDetails, RunDiff, RunPaper
from minerva_desktop.records.traces import (
    Arm,
    EvidenceCard,
    LinkedName,
    Timing,
    Trace,
    TracedFact,
    TracedPassage,
)
from minerva_desktop.records.values import (
    Apart,
    Disagreement,
    DisagreementsReport,
    LeftOut,
    MaterialValues,
    MeasuredValue,
    ValuePair,
    ValuesReport,
)
from minerva_desktop.records.views import (
    Answer,
    AnswerSentence,
    AskedQuestion,
    ChangeSet,
    Citation,
    DroppedSentence,
    GraphEdge,
    GraphNode,
    IngestReport,
    PaperReport,
    Step,
    Stopped,
    Subgraph,
)
from minerva_desktop.records.works import (
    DroppedWork,
    Notice,
    NoticeKind,
    RefusedRecord,
    SearchResult,
    SourceName,
    SourceReport,
    SourceStatus,
    Work,
    WorkRecord,
)


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


__all__ = [
    "REJECTION_KINDS",
    "Answer",
    "AnswerSentence",
    "Apart",
    "Arm",
    "AskedQuestion",
    "Box",
    "CallRecord",
    "Caption",
    "ChangeSet",
    "Citation",
    "Condition",
    "CriticResult",
    "Decided",
    "Decision",
    "DecisionVerb",
    "DiffRow",
    "Disagreement",
    "DisagreementsReport",
    "Document",
    "DocumentStatus",
    "DroppedSentence",
    "DroppedWork",
    "Entity",
    "Estimate",
    "Evidence",
    "EvidenceCard",
    "EvidenceRecord",
    "Fact",
    "FactStatus",
    "FieldChange",
    "Finding",
    "GeneratedText",
    "GraphEdge",
    "GraphNode",
    "Imrad",
    "IngestReport",
    "KnownProfile",
    "LeftOut",
    "LinkedName",
    "MaterialValues",
    "MeasuredValue",
    "Metadata",
    "Modality",
    "ModelSpending",
    "Notice",
    "NoticeKind",
    "PageImage",
    "PageInfo",
    "Paper",
    "PaperReport",
    "Passage",
    "Quantity",
    "QuoteHow",
    "QuotePlace",
    "QuoteResult",
    "RefusedRecord",
    "Relation",
    "RoleSpending",
    "Run",
    "RunDetails",
    "RunDiff",
    "RunPaper",
    "SearchResult",
    "Section",
    "Sentence",
    "SentenceKind",
    "SourceName",
    "SourceReport",
    "SourceStatus",
    "StatedPlace",
    "Statement",
    "Step",
    "Stopped",
    "Subgraph",
    "Table",
    "Textbook",
    "Timing",
    "Trace",
    "TracedFact",
    "TracedPassage",
    "ValuePair",
    "ValuesReport",
    "Verdict",
    "VerdictName",
    "VerdictRound",
    "Verification",
    "Work",
    "WorkRecord",
    "to_plain",
]
