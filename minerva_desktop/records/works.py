"""Works as bibliographic sources describe them: what a search finds before there is a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SourceName = Literal[
    "arxiv", "openalex", "crossref", "unpaywall", "semanticscholar", "bibtex", "ris", "csl", "zotero", "endnote", "file"
]
NoticeKind = Literal["retraction", "withdrawal", "removal", "expression of concern", "correction", "erratum"]
WITHDRAWING: frozenset[str] = frozenset({"retraction", "withdrawal", "removal"})
"""Notices after which a work no longer stands."""
SourceStatus = Literal["ok", "partial", "failed", "slow", "limited", "offline", "cancelled", "skipped"]


@dataclass(frozen=True, slots=True)
class Notice:
    """That a work was retracted or corrected. ``doi`` is the notice's own; ``date`` as the source gives it."""

    kind: NoticeKind
    doi: str = ""
    date: str = ""
    label: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class WorkRecord:
    """One work as one source describes it.

    ``doi`` is lower case without a resolver, ``arxiv_id`` without version, ``published_doi`` the DOI of the published
    version of a preprint. ``pdf_urls`` are open copies, the best first. ``abstract`` is plain text. ``kind`` is article,
    preprint, erratum, review-report, book, chapter, dataset or "" when the source does not say.
    """

    source: SourceName
    source_id: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    abstract: str = ""
    doi: str = ""
    arxiv_id: str = ""
    arxiv_version: int | None = None
    pmid: str = ""
    url: str = ""
    pdf_urls: tuple[str, ...] = ()
    open_access: bool | None = None
    kind: str = ""
    published_doi: str = ""
    notices: tuple[Notice, ...] = ()
    corrects: tuple[str, ...] = ()  # DOIs of the works that this one is a notice to
    files: tuple[str, ...] = ()  # paths of attached files, for a bibliography that a person already has


@dataclass(frozen=True, slots=True)
class Work:
    """One work with all records that speak of it. ``best`` is merged field by field, whatever the order of the records;
    ``conflicts`` are sentences about what they disagree on."""

    best: WorkRecord
    records: tuple[WorkRecord, ...] = ()
    conflicts: tuple[str, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the sources, each once, sorted."""
        return tuple(sorted({record.source for record in self.records}))


@dataclass(frozen=True, slots=True)
class RefusedRecord:
    """Something a source or file gave that is no usable record, and why."""

    source: SourceName
    what: str
    reason: str


@dataclass(frozen=True, slots=True)
class SourceReport:
    """How one source answered. ``message`` is one sentence for the person when it is not ``ok``; ``requests`` counts those
    that went over the network, ``cached`` those that did not need to; ``budget`` is what the source says is left."""

    source: SourceName
    status: SourceStatus
    message: str = ""
    found: int = 0
    refused: int = 0
    requests: int = 0
    cached: int = 0
    seconds: float = 0.0
    budget: str = ""


@dataclass(frozen=True, slots=True)
class DroppedWork:
    """A work that the relevance filter left out, with the reason; it can be pulled back."""

    work: Work
    reason: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search of the web found, in a stable order."""

    query: str
    works: tuple[Work, ...] = ()
    dropped: tuple[DroppedWork, ...] = ()
    refused: tuple[RefusedRecord, ...] = ()
    reports: tuple[SourceReport, ...] = ()
