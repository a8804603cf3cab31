"""From the fields of any format to a WorkRecord: one place that knows how identifiers hide in fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from minerva_desktop.language.identifiers import find_arxiv, find_doi, parse_arxiv, parse_doi, parse_pmid
from minerva_desktop.records import RefusedRecord, SourceName, WorkRecord
from minerva_desktop.sources.bibliography.attachments import Attachments
from minerva_desktop.sources.bibliography.plain import clean

_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
_VERSION = re.compile(r"v(\d{1,3})\Z")
_PMID = re.compile(
    r"\bPMID\s*[:=]?\s*(\d{1,8})\b|pubmed\.ncbi\.nlm\.nih\.gov/(\d{1,8})\b|ncbi\.nlm\.nih\.gov/pubmed/(\d{1,8})\b"
)
_ADDRESS = re.compile(r"https?://[^\s<>\"{}|\\^`]+", re.IGNORECASE)
_DOI_NOTE = re.compile(r"(?:\bdoi(?:\.org/|[\s:=]+)|^)(10\.\d{4,9}/\S+)", re.IGNORECASE)
_OTHER_WORK = re.compile(r"errat|corrig|correct|retract|comment|reply|response to|see also", re.IGNORECASE)
_NAMELESS = "It has no title, no identifier and no file."
_LONGEST_TITLE = 2000


@dataclass
class Draft:
    """What one entry says, as plain text. ``notes``: fields in which an identifier may stand among other words;
    ``addresses``: web addresses, the best first; ``attached``: files as written."""

    key: str = ""
    title: str = ""
    authors: Sequence[str] = ()
    year: int | None = None
    venue: str = ""
    abstract: str = ""
    kind: str = ""
    doi: str = ""
    arxiv: str = ""
    pmid: str = ""
    addresses: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    attached: list[str] = field(default_factory=list)


def finish(draft: Draft, source: SourceName, attachments: Attachments, where: str) -> WorkRecord | RefusedRecord:
    """The record of an entry, or why it is none. ``where`` names the entry to the person."""
    before = len(attachments.missing)
    files, web_files = attachments.find(draft.key, draft.attached)
    named_files = len(files) + len(attachments.missing) - before
    addresses = [address for text in draft.addresses for address in _ADDRESS.findall(clean(text))]
    doi = _doi(draft, addresses)
    arxiv, version = _arxiv(draft, doi, addresses)
    pmid = _pmid(draft, addresses)
    title = clean(draft.title)[:_LONGEST_TITLE]
    if not (title or doi or arxiv or pmid or named_files):
        return RefusedRecord(source, where, _NAMELESS)
    return WorkRecord(
        source=source,
        source_id=clean(draft.key)[:200],
        title=title,
        authors=tuple(name for name in map(clean, draft.authors) if name),
        year=draft.year,
        venue=clean(draft.venue),
        abstract=clean(draft.abstract),
        doi=doi,
        arxiv_id=arxiv,
        arxiv_version=version,
        pmid=pmid,
        url=next(iter(addresses), ""),
        pdf_urls=tuple(dict.fromkeys([*web_files, *(url for url in addresses if url.lower().endswith(".pdf"))])),
        kind=draft.kind or ("preprint" if arxiv and not _published(draft, doi) else ""),
        files=files,
    )


def _doi(draft: Draft, addresses: Iterable[str]) -> str:
    stated = clean(draft.doi)
    labelled = (
        match for note in draft.notes if (match := _DOI_NOTE.search(clean(note))) and not _OTHER_WORK.search(note)
    )
    for text in (stated, *addresses, *(match.group(1) for match in labelled)):
        found = find_doi(text.replace("%2F", "/").replace("%2f", "/")) or parse_doi(text).lower()
        if found:
            return found
    return ""


def _arxiv(draft: Draft, doi: str, addresses: Iterable[str]) -> tuple[str, int | None]:
    """Identifier without version, and the version."""
    stated = clean(draft.arxiv)
    found = parse_arxiv(stated.split(" ", 1)[0]) or find_arxiv(stated)
    registered = _ARXIV_DOI.match(doi)
    if not found and registered:
        found = parse_arxiv(registered.group(1))
    for text in (*addresses, *draft.notes, draft.venue):
        found = found or find_arxiv(clean(text))
    version = _VERSION.search(found)
    return _VERSION.sub("", found), int(version.group(1)) if version else None


def _pmid(draft: Draft, addresses: Iterable[str]) -> str:
    found = parse_pmid(clean(draft.pmid))
    for text in (*addresses, *draft.notes):
        match = _PMID.search(clean(text)) if not found else None
        found = next(filter(None, match.groups()), "") if match else found
    return found


def _published(draft: Draft, doi: str) -> bool:
    registered_elsewhere = bool(doi) and not _ARXIV_DOI.match(doi)
    return registered_elsewhere or (bool(draft.venue) and "arxiv" not in draft.venue.lower())


def gather(
    drafts: Iterable[tuple[Draft, str] | RefusedRecord], source: SourceName, attachments: Attachments
) -> tuple[list[WorkRecord], list[RefusedRecord]]:
    """Records and refusals of entries, each in the order of the file."""
    records: list[WorkRecord] = []
    refused: list[RefusedRecord] = []
    for item in drafts:
        result = item if isinstance(item, RefusedRecord) else finish(item[0], source, attachments, item[1])
        if isinstance(result, WorkRecord):
            records.append(result)
        else:
            refused.append(result)
    return records, refused
