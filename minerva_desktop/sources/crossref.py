"""Crossref: works by bibliographic words or DOI, with what was corrected or retracted; also CSL-JSON of DOI resolvers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from minerva_desktop.language.identifiers import parse_arxiv, parse_pmid
from minerva_desktop.records.works import Notice, NoticeKind, RefusedRecord, WorkRecord
from minerva_desktop.sources import parsing
from minerva_desktop.sources.jats_text import plain_abstract, plain_title
from minerva_desktop.sources.options import WebOptions
from minerva_desktop.sources.parsing import Parsed, as_list, as_map, refuse

PAGE = 100

# Left out are the references, which are nine tenths of an answer. Every name must be one that the service lists.
_FIELDS = (
    "DOI,URL,title,subtitle,original-title,author,editor,container-title,group-title,issued,published,published-print,published-online,posted,abstract,"
    "type,link,license,relation,update-to,updated-by,alternative-id"
)
_KINDS: Mapping[str, str] = {
    "journal-article": "article",
    "article-journal": "article",
    "article": "article",
    "proceedings-article": "article",
    "paper-conference": "article",
    "posted-content": "preprint",
    "preprint": "preprint",
    "peer-review": "review-report",
    "book": "book",
    "monograph": "book",
    "edited-book": "book",
    "reference-book": "book",
    "book-set": "book",
    "book-chapter": "chapter",
    "chapter": "chapter",
    "book-section": "chapter",
    "book-part": "chapter",
    "book-track": "chapter",
    "reference-entry": "chapter",
    "dataset": "dataset",
    "database": "dataset",
}
_NOT_WORKS: Mapping[str, str] = {
    "component": "a part of a work (a figure, a table or a supplement)",
    "journal": "a journal",
    "journal-issue": "an issue of a journal",
    "journal-volume": "a volume of a journal",
    "proceedings-series": "a series of proceedings",
    "book-series": "a series of books",
    "report-series": "a series of reports",
    "grant": "a grant",
    "funder": "a funder",
}
_NOTICES: Mapping[str, NoticeKind] = {
    "retraction": "retraction",
    "partial_retraction": "retraction",
    "withdrawal": "withdrawal",
    "removal": "removal",
    "expression_of_concern": "expression of concern",
    "concern": "expression of concern",
    "erratum": "erratum",
    "correction": "correction",
    "corrigendum": "correction",
    "addendum": "correction",
    "clarification": "correction",
}
_DATES = ("issued", "published", "published-print", "published-online", "posted", "content-created")
_LISTS = re.compile(r"(?P<what>[a-z]+)(?:-list)?\Z")


def search_request(
    options: WebOptions, query: str, start: int, rows: int, years: tuple[int | None, int | None] | None
) -> tuple[str, dict[str, str]]:
    """(address, parameters) of one page of a search."""
    parameters = {"query.bibliographic": query, "rows": str(rows), "offset": str(start), "select": _FIELDS}
    if years and any(years):
        first = [f"from-pub-date:{years[0]}"] if years[0] else []
        last = [f"until-pub-date:{years[1]}"] if years[1] else []
        parameters["filter"] = ",".join(first + last)
    return f"{options.base('crossref')}/works", {**parameters, **_who(options)}


def look_up_request(options: WebOptions, doi: str) -> tuple[str, dict[str, str]]:
    """(address, parameters) of one work."""
    return f"{options.base('crossref')}/works/{quote(doi, safe='.:')}", _who(options)


def headers(options: WebOptions, agent: str) -> dict[str, str]:
    """Who asks, as the polite pool wants it; without an e-mail nothing is said."""
    return {"User-Agent": f"{agent} (mailto:{options.contact})"} if options.contact else {}


def _who(options: WebOptions) -> dict[str, str]:
    return {"mailto": options.contact} if options.contact else {}


def parse(body: bytes) -> Parsed:
    """The works of a list, a single work or a CSL-JSON record; any bytes."""
    data, problem = parsing.read_json(body)
    if problem:
        said = " ".join(body[:200].decode("utf-8", "replace").split())
        plain = problem.startswith("the answer is not") and 0 < len(said) < 100 and "{" not in said
        return Parsed(problem=f"Crossref reports: {said.rstrip('.')}" if plain else problem)
    answer = as_map(data)
    if answer.get("status") in ("failed", "error") or "message" not in answer:
        return _other(answer)
    what, message = parsing.text(answer.get("message-type")), answer["message"]
    items = as_map(message).get("items")
    if what == "work-list" or (not what and isinstance(items, list)):
        total = parsing.count(as_map(message).get("total-results"))
        return _works(as_list(items), total)
    if what in ("", "work"):
        return _works([message], 1)
    shown = what.removesuffix("-list").replace("-", " ")
    described = f"a list of {shown}s" if what.endswith("-list") else f"a {shown}"
    return Parsed(problem=f"the answer describes {described}, not works")


def _other(answer: Mapping[str, Any]) -> Parsed:
    """A failure that the service describes, or a CSL-JSON record, which has no envelope."""
    if "status" in answer:
        said = answer.get("message")
        details = [parsing.text(as_map(one).get("message")) for one in as_list(said)] or [
            parsing.text(as_map(said).get("message"))
        ]
        words = "; ".join(detail for detail in details if detail) or parsing.text(said)
        return Parsed(problem=f"Crossref reports: {words.rstrip('. ') or 'a fault of its own'}")
    if "DOI" in answer or "title" in answer:
        return _works([answer], 1)
    return Parsed(problem="the answer holds no works")


def _works(items: list[Any], total: int | None) -> Parsed:
    records: list[WorkRecord] = []
    refused: list[RefusedRecord] = []
    for item in items:
        found = record(as_map(item))
        if isinstance(found, str):
            refused.append(refuse("crossref", as_map(item).get("DOI") or as_map(item).get("title"), found))
        else:
            records.append(found)
    return Parsed(tuple(records), tuple(refused), total)


def record(item: Mapping[str, Any]) -> WorkRecord | str:
    """The record of one work, or why it is none."""
    if not item:
        return "it is not the description of a work"
    type_ = parsing.text(item.get("type"))
    if type_ in _NOT_WORKS:
        return f"it describes {_NOT_WORKS[type_]}"
    title = _title(item)
    if not title:
        return "it has no title"
    doi = parsing.doi(item.get("DOI"))
    relation = as_map(item.get("relation"))
    corrects = _corrected(item, doi)
    kind = "erratum" if corrects or parsing.is_notice_title(title) else _kind(item, type_)
    return WorkRecord(
        source="crossref",
        source_id=doi,
        title=title,
        authors=_people(item.get("author")) or _people(item.get("editor")),
        year=_year(item),
        venue=plain_title(parsing.text(item.get("container-title")))
        or plain_title(
            parsing.text(item.get("group-title"))
            or parsing.text(as_map(next(iter(as_list(item.get("institution"))), {})).get("name"))
        ),
        abstract=plain_abstract(parsing.clean(item["abstract"]), title)
        if isinstance(item.get("abstract"), str)
        else "",
        doi=doi,
        arxiv_id=_arxiv(doi, relation),
        pmid=parse_pmid(parsing.text(item.get("PMID"))),
        url=next(iter(parsing.links((f"https://doi.org/{doi}" if doi else "", item.get("URL")))), ""),
        pdf_urls=_pdfs(item),
        open_access=True if _is_open(item) else None,
        kind=kind,
        published_doi=next(iter(_related(relation, "is-preprint-of")), ""),
        notices=_notices(item, relation, doi) + parsing.title_notice(title, "crossref"),
        corrects=corrects,
    )


def _kind(item: Mapping[str, Any], type_: str) -> str:
    kind = _KINDS.get(type_, "")
    return "" if kind == "preprint" and parsing.text(item.get("subtype")) not in ("", "preprint") else kind


def _title(item: Mapping[str, Any]) -> str:
    title, subtitle = plain_title(parsing.text(item.get("title"))), plain_title(parsing.text(item.get("subtitle")))
    if title and subtitle and subtitle.casefold() not in title.casefold():
        return f"{title}{' ' if title.endswith((':', '?', '!', '.')) else ': '}{subtitle}"
    return title or plain_title(parsing.text(item.get("original-title")))


def _people(people: object) -> tuple[str, ...]:
    names = []
    for one in as_list(people):
        person = as_map(one)
        given, family = parsing.text(person.get("given")), parsing.text(person.get("family"))
        suffix = parsing.text(person.get("suffix"))
        whole = " ".join(part for part in (given, family, suffix) if part)
        names.append(plain_title(whole or parsing.text(person.get("name")) or parsing.text(person.get("literal"))))
    return tuple(dict.fromkeys(name for name in names if name))


def _year(item: Mapping[str, Any]) -> int | None:
    for name in _DATES:
        parts = as_list(as_map(item.get(name)).get("date-parts"))
        first = as_list(parts[0]) if parts else []
        found = parsing.year(first[0]) if first else parsing.year(as_map(item.get(name)).get("raw"))
        if found:
            return found
    return None


def _notices(item: Mapping[str, Any], relation: Mapping[str, Any], doi: str) -> tuple[Notice, ...]:
    """What became of the work: the notices that others published about it."""
    found: list[Notice] = []
    for entry in map(as_map, as_list(item.get("updated-by"))):
        kind = _NOTICES.get(parsing.text(entry.get("type")).lower().replace("-", "_").replace(" ", "_"))
        notice = parsing.doi(entry.get("DOI"))
        if kind and notice != doi:
            source = "retraction-watch" if parsing.text(entry.get("source")) == "retraction-watch" else "crossref"
            found.append(Notice(kind, notice, _date(entry.get("updated")), parsing.text(entry.get("label")), source))
    known = {notice.doi for notice in found}
    for name in sorted(relation):
        kind = _NOTICES.get(name.removeprefix("has-").replace("-", "_"))
        found += [
            Notice(kind, other, source="crossref") for other in _related(relation, name) if kind and other not in known
        ]
    return tuple(dict.fromkeys(found))


def _corrected(item: Mapping[str, Any], doi: str) -> tuple[str, ...]:
    """The DOIs of the works that this one is a notice to; a new version of itself is none."""
    found = []
    for entry in map(as_map, as_list(item.get("update-to"))):
        other = parsing.doi(entry.get("DOI"))
        if other and other != doi and parsing.text(entry.get("type")).lower().replace("-", "_") in _NOTICES:
            found.append(other)
    return tuple(dict.fromkeys(found))


def _date(value: object) -> str:
    parts = as_list(as_map(value).get("date-parts"))
    numbers = [part for part in as_list(parts[0] if parts else []) if isinstance(part, int)]
    return "-".join(f"{number:02d}" for number in numbers[:3])


def _related(relation: Mapping[str, Any], name: str) -> tuple[str, ...]:
    entries = relation.get(name)
    listed = as_list(entries) if isinstance(entries, list) else [entries]
    found = (parsing.doi(as_map(one).get("id")) for one in listed if as_map(one).get("id-type") in (None, "doi"))
    return tuple(dict.fromkeys(other for other in found if other))


def _arxiv(doi: str, relation: Mapping[str, Any]) -> str:
    """The arXiv identifier of a work that is there or has its preprint there."""
    for name in ("has-preprint", "is-version-of", "has-version"):
        for other in as_list(relation.get(name)):
            spelt = parsing.text(as_map(other).get("id"))
            found = (
                parse_arxiv(re.sub(r"\A10\.48550/arxiv\.", "", spelt, flags=re.IGNORECASE))
                if "arxiv" in spelt.lower()
                else ""
            )
            if found:
                return re.sub(r"v\d+\Z", "", found)
    return parse_arxiv(doi.removeprefix("10.48550/arxiv.")) if doi.startswith("10.48550/arxiv.") else ""


def _is_open(item: Mapping[str, Any]) -> bool:
    licences = (parsing.text(as_map(one).get("URL")).lower() for one in as_list(item.get("license")))
    return any("creativecommons.org/" in url for url in licences)


def _pdfs(item: Mapping[str, Any]) -> tuple[str, ...]:
    """Links to PDFs, only of works under an open licence: the others lead to a paywall."""
    if not _is_open(item):
        return ()
    found = [as_map(one) for one in as_list(item.get("link"))]
    sure = [one.get("URL") for one in found if parsing.text(one.get("content-type")).lower() == "application/pdf"]
    maybe = [
        one.get("URL") for one in found if re.search(r"\.pdf\Z|/pdf/", parsing.text(one.get("URL")), re.IGNORECASE)
    ]
    return parsing.links([*sure, *maybe])
