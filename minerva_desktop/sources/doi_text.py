"""What DOI resolvers send besides CSL-JSON: one BibTeX entry, or a formatted reference."""

from __future__ import annotations

import re
from collections.abc import Iterator

from minerva_desktop.language.identifiers import find_doi
from minerva_desktop.records.works import WorkRecord
from minerva_desktop.sources import crossref, parsing
from minerva_desktop.sources.jats_text import plain_title
from minerva_desktop.sources.parsing import Parsed, refuse

_ENTRY = re.compile(r"\s*@(?P<type>\w+)\s*\{\s*(?P<key>[^,\s]*)\s*,")
_FIELD = re.compile(r"\s*,?\s*(?P<name>[A-Za-z][\w-]*)\s*=\s*")
_KINDS = {
    "article": "article",
    "inproceedings": "article",
    "book": "book",
    "inbook": "chapter",
    "incollection": "chapter",
}


def parse(body: bytes) -> Parsed:
    """The work that a resolver's answer describes; any bytes."""
    if parsing.looks_like_html(body):
        return Parsed(problem="a web page came instead of data")
    text = parsing.clean(body.decode("utf-8-sig", "replace")).strip()
    if text.startswith("{"):
        return crossref.parse(body)
    entry = _ENTRY.match(text)
    if entry is None:
        doi = find_doi(text)
        reason = "it is a formatted reference, not a record" if doi else "it is no description of a work"
        return Parsed(refused=(refuse("crossref", doi or text[:80], reason),))
    fields = dict(_fields(text, entry.end()))
    title = _plain(fields.get("title", ""))
    doi = parsing.doi(fields.get("doi"))
    if not title:
        return Parsed(refused=(refuse("crossref", doi or entry.group("key"), "it has no title"),))
    names = [_plain(name) for name in re.split(r"\s+and\s+", fields.get("author", ""))]
    record = WorkRecord(
        source="crossref",
        source_id=doi,
        title=title,
        authors=tuple(" ".join(reversed(name.split(", ", maxsplit=1))) for name in names if name),
        year=parsing.year(fields.get("year")),
        venue=_plain(fields.get("journal", "") or fields.get("booktitle", "")),
        doi=doi,
        url=f"https://doi.org/{doi}" if doi else "",
        kind="erratum" if parsing.is_notice_title(title) else _KINDS.get(entry.group("type").lower(), ""),
        notices=parsing.title_notice(title, "crossref"),
    )
    return Parsed((record,), (), 1)


def _fields(text: str, at: int) -> Iterator[tuple[str, str]]:
    """(name in lower case, value without its outer braces or quotes) of each field from ``at`` on."""
    while True:
        found = _FIELD.match(text, at)
        if found is None:
            return
        at = found.end()
        if text[at : at + 1] == "{":
            end = _closing(text, at)
            yield found.group("name").lower(), text[at + 1 : end]
        elif text[at : at + 1] == '"':
            end = text.find('"', at + 1) if '"' in text[at + 1 :] else len(text)
            yield found.group("name").lower(), text[at + 1 : end]
        else:
            end = next((place for place in range(at, len(text)) if text[place] in ",}"), len(text)) - 1
            yield found.group("name").lower(), text[at : end + 1].strip()
        at = end + 1


def _closing(text: str, at: int) -> int:
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == "{") - (text[place] == "}")
        if depth == 0:
            return place
    return len(text)


def _plain(value: str) -> str:
    return plain_title(parsing.text(re.sub(r"[{}]", "", value)))
