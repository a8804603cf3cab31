"""What the catalog says of a paper: from its file, and before that from what a bibliographic source says."""

from __future__ import annotations

from pathlib import Path

from minerva_desktop.records import Document, Paper, WorkRecord

_OPENING = 3_000
_NO_OPENING = frozenset({"title", "heading", "front", "caption", "table", "footnote", "reference"})


def paper_of(document: Document, digest: str, path: Path, record: WorkRecord | None = None) -> Paper:
    """The catalog entry of a document that was read. What a bibliographic source says goes before what the file says."""
    meta = document.metadata
    known = record or WorkRecord("file")
    doi = known.doi or meta.doi
    return Paper(
        id=digest,
        file_name=path.name,
        title=known.title or meta.title or path.stem,
        authors=known.authors or meta.authors,
        doi=doi,
        arxiv_id=known.arxiv_id or meta.arxiv_id,
        year=known.year or meta.year,
        abstract=known.abstract or meta.abstract or opening_of(document),
        url=known.url or (f"https://doi.org/{doi}" if doi else ""),
        venue=known.venue,
        pmid=known.pmid,
        media_type=document.media_type,
        status=document.status,
        reason=document.reason,
        pages=len(document.pages),
        sentences=len(document.sentences),
    )


def opening_of(document: Document) -> str:
    """What stands for the abstract of a paper that has none: the first 3,000 characters of its running text, in whole
    sentences, without title page, headings and captions."""
    found: list[str] = []
    length = 0
    for sentence in document.sentences:
        if sentence.kind in _NO_OPENING or not sentence.mined:
            continue
        length += len(sentence.text) + 1
        if length > _OPENING and found:
            break
        found.append(sentence.text)
    return " ".join(found)[:_OPENING]
