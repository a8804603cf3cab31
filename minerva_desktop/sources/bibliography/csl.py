"""CSL-JSON, and the JSON of Zotero and Better BibTeX: lists of items, whole or cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from minerva_desktop.records import RefusedRecord, SourceName
from minerva_desktop.sources.bibliography.drafts import Draft
from minerva_desktop.sources.bibliography.plain import clean, person, spoken_name, without_markup, year_of
from minerva_desktop.sources.bibliography.zotero_items import extra_fields, zotero_draft

_KINDS = {
    "article-journal": "article", "article-magazine": "article", "paper-conference": "article", "review": "article",
    "journal-article": "article", "proceedings-article": "article", "article": "preprint", "posted-content": "preprint",
    "preprint": "preprint", "book": "book", "monograph": "book", "chapter": "chapter", "entry-encyclopedia": "chapter",
    "book-chapter": "chapter", "dataset": "dataset", "peer-review": "review-report",
}  # fmt: skip
_VENUES = ("container-title", "event-title", "event", "publisher")
_LISTS = ("items", "references", "bibliography", "data")
_MOST_BROKEN = 200  # a file with more is none of this kind
_NOT_WORKS = frozenset({"attachment", "note", "annotation"})


def read_json(text: str, source: SourceName) -> Iterator[tuple[Draft, str] | RefusedRecord]:
    """The items of a file in its order, as drafts or refused with place and reason. Never raises."""
    for place, item in _items(text):
        if isinstance(item, str):
            yield RefusedRecord(source, place, item)
            continue
        inner = item.get("data")  # Zotero's web service wraps an item
        data = inner if isinstance(inner, dict) else item
        key = clean(
            item.get("id")
            or item.get("citation-key")
            or data.get("citationKey")
            or data.get("key")
            or data.get("itemID")
        )
        where = f"{place}: “{key[:100]}”" if key else place
        if "itemType" in data:
            if clean(data["itemType"]) not in _NOT_WORKS:
                yield zotero_draft(data, key), where
        elif any(name in data for name in ("title", "DOI", "type", "author", "URL")):
            yield _draft(data, key), where
        else:
            yield RefusedRecord(source, where, "It has none of the fields of a bibliographic item.")


def _items(text: str) -> Iterator[tuple[str, dict[str, Any] | str]]:
    """Each item with its place; a sentence instead where there is none to be read."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        yield from _salvaged(text)
        return
    if isinstance(whole, dict):
        named = next((whole[name] for name in _LISTS if isinstance(whole.get(name), (list, dict))), None)
        if named is None or "itemType" in whole:
            named = [whole]
        whole = named if isinstance(named, list) else list(named.values())
    for number, item in enumerate(whole if isinstance(whole, list) else [whole], 1):
        yield f"item {number}", item if isinstance(item, dict) else "It is no object with fields."


def _salvaged(text: str) -> Iterator[tuple[str, dict[str, Any] | str]]:
    """The items of a file that is cut off or broken somewhere, and of one that has an item a line."""
    listed = re.search(r"\[\s*\{", text[:100_000])
    place = listed.start() + 1 if listed else 0
    decoder = json.JSONDecoder()
    number = broken = 0
    while (start := text.find("{", place)) >= 0:
        number += 1
        try:
            item, place = decoder.raw_decode(text, start)
            yield f"item {number}", item
        except (ValueError, RecursionError):
            broken += 1
            line = text.count("\n", 0, start) + 1
            yield f"item {number}, line {line}", "It is broken or cut off: it is no valid JSON."
            following = re.compile(r"\}\s*,\s*\{|\n\s{0,4}\{").search(text, start + 1)
            if following is None or broken >= _MOST_BROKEN:
                return
            place = following.end() - 1


def _draft(item: Mapping[str, Any], key: str) -> Draft:
    extra = extra_fields(clean_lines(item.get("note")))
    kind = clean(item.get("type")).lower()
    archive = f"{clean(item.get('archive'))} {clean(item.get('publisher'))}".lower()
    number = clean(item.get("archive_location") or item.get("number"))
    return Draft(
        key=key,
        title=without_markup(_first(item.get("title"))),
        authors=_names(item.get("author") or item.get("editor")),
        year=_year(item),
        venue=without_markup(next(filter(None, (_first(item.get(name)) for name in _VENUES)), "")),
        abstract=without_markup(item.get("abstract")),
        kind=_KINDS.get(kind, ""),
        doi=clean(item.get("DOI")) or extra.get("doi", ""),
        arxiv=extra.get("arxiv", "") or (number if "arxiv" in archive or number.lower().startswith("arxiv") else ""),
        pmid=clean(item.get("PMID")) or extra.get("pmid", ""),
        addresses=[clean(item.get("URL"))],
        notes=[clean(item.get("note"))],
        attached=_attached(item),
    )  # fmt: skip


def clean_lines(text: object) -> str:
    """Text with its lines kept."""
    return "\n".join(clean(line) for line in text.splitlines()) if isinstance(text, str) else ""


def _first(value: object) -> str:
    """A field that may be a list, as Crossref gives it."""
    return clean(value[0] if isinstance(value, list) and value else value)


def _names(value: object) -> tuple[str, ...]:
    names: list[str] = []
    for item in value if isinstance(value, list) else [value] if isinstance(value, (dict, str)) else []:
        if isinstance(item, dict):
            literal = clean(item.get("literal") or item.get("name"))
            particle = f"{clean(item.get('dropping-particle'))} {clean(item.get('non-dropping-particle'))}".strip()
            names.append(
                literal
                or person(clean(item.get("family")), clean(item.get("given")), particle, clean(item.get("suffix")))
            )
        elif isinstance(item, str):
            names.append(spoken_name(item))
    return tuple(dict.fromkeys(without_markup(name) for name in names if name))


def _year(item: Mapping[str, Any]) -> int | None:
    for name in ("issued", "published", "published-print", "published-online", "original-date", "submitted"):
        date = item.get(name)
        if isinstance(date, dict):
            parts = date.get("date-parts")
            first = parts[0] if isinstance(parts, list) and parts else None
            found = year_of(
                first[0] if isinstance(first, list) and first else first, date.get("raw"), date.get("literal")
            )
        else:
            found = year_of(date)
        if found:
            return found
    return None


def _attached(item: Mapping[str, Any]) -> list[str]:
    """Files in fields that some programs add to the format."""
    values = [item.get(name) for name in ("file", "attachments", "link-local")]
    listed = [entry for value in values for entry in (value if isinstance(value, list) else [value])]
    return [clean(entry.get("path") if isinstance(entry, dict) else entry) for entry in listed if entry]
