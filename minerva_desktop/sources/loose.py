"""Records as people write them in JSON, with the field names they think of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

from minerva_desktop.errors import UsageError
from minerva_desktop.records.works import SourceName, WorkRecord
from minerva_desktop.sources.authors import split_names
from minerva_desktop.sources.identity import normal_doi, normal_record, split_arxiv

_FIELDS = {
    "title": ("title", "name"),
    "authors": ("authors", "author", "creators", "creator", "authorships", "first_author", "firstauthor"),
    "year": ("year", "publication_year", "publicationyear", "published", "date", "issued", "publication_date"),
    "venue": ("venue", "journal", "container-title", "container_title", "booktitle", "publication"),
    "abstract": ("abstract", "summary"),
    "doi": ("doi",),
    "arxiv_id": ("arxiv_id", "arxiv", "arxivid", "eprint", "arxiv id"),
    "published_doi": ("published_doi", "publisheddoi", "journal_doi"),
    "pmid": ("pmid", "pubmed", "pubmed_id"),
    "url": ("url", "link", "href"),
    "pdf": ("pdf_urls", "pdf_url", "pdf", "pdfs"),
    "kind": ("type", "kind", "entry_type"),
    "source": ("source", "database", "origin"),
    "source_id": ("source_id", "id"),
    "corrects": ("corrects", "update-to", "update_to", "corrected_doi"),
}
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_KINDS = {
    "journal-article": "article", "article": "article", "journalarticle": "article", "posted-content": "preprint",
    "preprint": "preprint", "book-chapter": "chapter", "incollection": "chapter", "chapter": "chapter",
    "peer-review": "review-report", "review-report": "review-report", "review_report": "review-report",
    "proceedings-article": "article", "inproceedings": "article",
}  # fmt: skip


def read_record(data: object, place: str) -> WorkRecord:
    """A record from a JSON object with loose field names.

    Raises:
        UsageError: it is no object, has nothing that names a work, or a field cannot be what its name says.
    """
    if not isinstance(data, Mapping):
        raise UsageError(f"{place} is not a JSON object but {_what(data)}.")
    fields = {str(key).strip().lower(): value for key, value in data.items()}

    def given(name: str) -> Any:
        return next((fields[key] for key in _FIELDS[name] if fields.get(key) not in (None, "", [])), None)

    url = _text(given("url"), place, "url")
    doi_text, arxiv_text = _text(given("doi"), place, "doi"), _text(given("arxiv_id"), place, "arxiv_id")
    source = _text(given("source"), place, "source").lower().replace(" ", "")
    arxiv_id, version = split_arxiv(arxiv_text or ("" if normal_doi(doi_text) else doi_text))
    if not arxiv_id and "arxiv.org/" in url:
        arxiv_id, version = split_arxiv(url)
    kind = _text(given("kind"), place, "type").lower()
    record = WorkRecord(
        _source(source),
        source_id=_text(given("source_id"), place, "id") if _source(source) != "file" else "",
        title=_text(given("title"), place, "title"),
        authors=_authors(given("authors"), place),
        year=_year(given("year"), place),
        venue=_text(given("venue"), place, "journal"),
        abstract=_text(given("abstract"), place, "abstract"),
        doi=normal_doi(doi_text) or (normal_doi(url) if "doi.org/" in url else ""),
        arxiv_id=arxiv_id,
        arxiv_version=version,
        pmid=_text(given("pmid"), place, "pmid"),
        url=url,
        pdf_urls=_texts(given("pdf"), place, "pdf_urls"),
        kind=_KINDS.get(kind, kind),
        published_doi=_text(given("published_doi"), place, "published_doi"),
        corrects=_texts(given("corrects"), place, "corrects"),
    )
    record = normal_record(record)
    if not (record.title or record.doi or record.arxiv_id or record.pmid):
        raise UsageError(f"{place} has neither a title nor an identifier, so it names no paper.")
    return record


def _source(text: str) -> SourceName:
    return next((name for name in get_args(SourceName) if name == text), "file")


def _text(value: object, place: str, name: str) -> str:
    if value is None:
        return ""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise UsageError(f"{place}: “{name}” is not a text but {_what(value)}.")


def _texts(value: object, place: str, name: str) -> tuple[str, ...]:
    if value is None:
        return ()
    items = value if isinstance(value, list) else [value]
    return tuple(
        _text(item.get("DOI") or item.get("doi") if isinstance(item, Mapping) else item, place, name) for item in items
    )


def _authors(value: object, place: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return split_names(value)
    if isinstance(value, list):
        return tuple(name for item in value if (name := _author(item, place)))
    raise UsageError(f"{place}: “authors” is not a list of names but {_what(value)}.")


def _author(value: object, place: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        fields = {str(key).lower(): item for key, item in value.items()}
        nested = fields.get("author")
        if isinstance(nested, Mapping):
            return _author(nested, place)
        family = next(
            (fields[key] for key in ("family", "last", "lastname", "last_name", "surname") if fields.get(key)), ""
        )
        given = next((fields[key] for key in ("given", "first", "firstname", "first_name") if fields.get(key)), "")
        if family:
            return f"{family}, {given}" if given else str(family)
        return str(next((fields[key] for key in ("name", "display_name", "literal") if fields.get(key)), given))
    raise UsageError(f"{place}: an author is not a name but {_what(value)}.")


def _year(value: object, place: str) -> int | None:
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return int(value) if 1000 <= value < 3000 else None
    if isinstance(value, str):
        match = _YEAR.search(value)
        return int(match.group(1)) if match else None
    if isinstance(value, Mapping) and value.get("date-parts"):
        return _year(value["date-parts"], place)
    if isinstance(value, list) and value:
        return _year(value[0], place)
    raise UsageError(f"{place}: “year” is not a number but {_what(value)}.")


def _what(value: object) -> str:
    names = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return "nothing" if value is None else names.get(type(value), "something else")
