"""Zotero's own fields, shared by its database, its JSON and the "Extra" field that travels in other formats."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from minerva_desktop.sources.bibliography.drafts import Draft
from minerva_desktop.sources.bibliography.plain import clean, person, without_markup, year_of

KINDS = {
    "journalArticle": "article", "magazineArticle": "article", "conferencePaper": "article", "preprint": "preprint",
    "book": "book", "bookSection": "chapter", "encyclopediaArticle": "chapter", "dataset": "dataset",
}  # fmt: skip
_VENUES = (
    "publicationTitle", "proceedingsTitle", "bookTitle", "encyclopediaTitle", "conferenceName", "journalAbbreviation",
    "seriesTitle", "repository", "university", "institution", "publisher", "websiteTitle",
)  # fmt: skip
_TITLES = ("title", "caseName", "nameOfAct", "subject")
_EXTRA = re.compile(r"^\s*(DOI|PMID|PMCID|arXiv|Publisher|type)\s*:\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)


def extra_fields(text: str) -> dict[str, str]:
    """The lines "Name: value" of an "Extra" field, names in lower case."""
    return {match.group(1).lower(): clean(match.group(2)) for match in _EXTRA.finditer(text[:20_000])}


def zotero_draft(fields: Mapping[str, Any], key: str, authors: tuple[str, ...] | None = None) -> Draft:
    """An item's fields, by Zotero's names, as a draft."""
    raw_extra = fields.get("extra")
    extra = extra_fields(raw_extra) if isinstance(raw_extra, str) else {}
    archive = " ".join(clean(fields.get(name)) for name in ("archiveID", "archiveLocation", "reportNumber", "number"))
    venue = next((clean(fields[name]) for name in _VENUES if fields.get(name)), "")
    return Draft(
        key=key,
        title=without_markup(next((fields[name] for name in _TITLES if fields.get(name)), "")),
        authors=_creators(fields.get("creators")) if authors is None else authors,
        year=year_of(fields.get("date"), fields.get("issueDate")),
        venue=without_markup(venue),
        abstract=without_markup(fields.get("abstractNote")),
        kind=KINDS.get(clean(fields.get("itemType")), ""),
        doi=clean(fields.get("DOI")) or extra.get("doi", ""),
        arxiv=extra.get("arxiv", "") or archive,
        pmid=clean(fields.get("PMID")) or extra.get("pmid", ""),
        addresses=[clean(fields.get("url"))],
        notes=[clean(fields.get("extra"))],
        attached=_attached(fields.get("attachments")),
    )


def _creators(value: object) -> tuple[str, ...]:
    """Authors; editors and others only where there is no author."""
    if not isinstance(value, list):
        return ()
    people = [item for item in value if isinstance(item, dict)]
    authors = [item for item in people if clean(item.get("creatorType")) in {"author", ""}]
    names = []
    for item in authors or people:
        single = clean(item.get("name"))
        names.append(single or person(clean(item.get("lastName")), clean(item.get("firstName"))))
    return tuple(dict.fromkeys(without_markup(name) for name in names if name))


def _attached(value: object) -> list[str]:
    if not isinstance(value, list):
        return []
    paths = [item.get("localPath") or item.get("path") for item in value if isinstance(item, dict)]
    return [clean(path) for path in paths if path]
