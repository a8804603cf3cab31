"""Semantic Scholar's Academic Graph: works by search or identifier. Optional: nothing is asked unless it is chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from minerva_desktop.language.identifiers import parse_arxiv, parse_pmid
from minerva_desktop.records.works import RefusedRecord, WorkRecord
from minerva_desktop.sources import parsing
from minerva_desktop.sources.jats_text import plain_abstract, plain_title
from minerva_desktop.sources.options import WebOptions
from minerva_desktop.sources.parsing import Parsed, as_list, as_map, refuse

PAGE = 100
_FIELDS = "title,abstract,authors,year,venue,journal,externalIds,url,isOpenAccess,openAccessPdf,publicationTypes,publicationDate"
_KINDS: Mapping[str, str] = {
    "JournalArticle": "article",
    "Review": "article",
    "Conference": "article",
    "LettersAndComments": "article",
    "Book": "book",
    "BookSection": "chapter",
    "Dataset": "dataset",
}
_INNER = ("citingPaper", "citedPaper", "paper")


def search_request(
    options: WebOptions, query: str, start: int, rows: int, years: tuple[int | None, int | None] | None
) -> tuple[str, dict[str, str]]:
    """(address, parameters) of one page of a search."""
    parameters = {"query": query, "fields": _FIELDS, "offset": str(start), "limit": str(rows)}
    if years and any(years):
        parameters["publicationDateOrYear"] = f"{years[0] or ''}:{years[1] or ''}"
    return f"{options.base('semanticscholar')}/graph/v1/paper/search", parameters


def look_up_request(options: WebOptions, identifier: str) -> tuple[str, dict[str, str]]:
    """(address, parameters) of one work; ``identifier`` as "DOI:…", "ARXIV:…", "PMID:…"."""
    return f"{options.base('semanticscholar')}/graph/v1/paper/{quote(identifier, safe='/.:')}", {"fields": _FIELDS}


def headers(options: WebOptions) -> dict[str, str]:
    """The key, when there is one."""
    return {"x-api-key": options.semanticscholar_key} if options.semanticscholar_key else {}


def parse(body: bytes) -> Parsed:
    """The works of an answer; any bytes."""
    data, problem = parsing.read_json(body)
    if problem:
        return Parsed(problem=problem)
    answer = as_map(data)
    said = parsing.text(answer.get("error")) or (parsing.text(answer.get("message")) if "paperId" not in answer else "")
    if said:
        return Parsed(problem=f"Semantic Scholar reports: {said.rstrip('. ')}")
    items = list(_items(data))
    if (
        not items
        and not any(isinstance(answer.get(name), list) for name in ("data", "recommendedPapers"))
        and "total" not in answer
    ):
        return Parsed(problem="the answer holds no works")
    records: list[WorkRecord] = []
    refused: list[RefusedRecord] = []
    for item in items:
        found = record(as_map(item))
        if isinstance(found, str):
            refused.append(refuse("semanticscholar", as_map(item).get("paperId") or as_map(item).get("name"), found))
        else:
            records.append(found)
    return Parsed(tuple(records), tuple(refused), parsing.count(answer.get("total")))


def _items(data: Any) -> Iterator[object]:
    """The works of an answer, whichever envelope it has."""
    answer = as_map(data)
    listed = data if isinstance(data, list) else answer.get("data", answer.get("recommendedPapers"))
    if isinstance(listed, list):
        for one in listed:
            inner = next((as_map(one)[name] for name in _INNER if name in as_map(one)), one)
            yield inner
    elif "paperId" in answer or "title" in answer:
        yield answer


def record(item: Mapping[str, Any]) -> WorkRecord | str:
    """The record of one work, or why it is none."""
    if not item:
        return "the service knows no such work"
    title = plain_title(parsing.text(item.get("title")))
    if not title:
        return "it describes a person, not a work" if "authorId" in item else "it has no title"
    ids = as_map(item.get("externalIds"))
    types = [parsing.text(one) for one in as_list(item.get("publicationTypes"))]
    doi = parsing.doi(ids.get("DOI"))
    arxiv = re.sub(r"v\d+\Z", "", parse_arxiv(parsing.text(ids.get("ArXiv"))))
    kind = next((_KINDS[one] for one in types if one in _KINDS), "")
    preprint = doi.startswith("10.48550/arxiv.") or (
        arxiv and not doi and parsing.text(item.get("venue")).lower() in ("arxiv.org", "arxiv", "")
    )
    pdf = as_map(item.get("openAccessPdf")).get("url")
    return WorkRecord(
        source="semanticscholar",
        source_id=parsing.text(item.get("paperId")),
        title=title,
        authors=tuple(name for one in as_list(item.get("authors")) if (name := parsing.text(as_map(one).get("name")))),
        year=parsing.year(item.get("year")) or parsing.year(item.get("publicationDate")),
        venue=parsing.text(item.get("venue")) or parsing.text(as_map(item.get("journal")).get("name")),
        abstract=plain_abstract(parsing.clean(item["abstract"])) if isinstance(item.get("abstract"), str) else "",
        doi=doi,
        arxiv_id=arxiv,
        pmid=parse_pmid(parsing.text(ids.get("PubMed"))),
        url=next(iter(parsing.links((item.get("url"),))), ""),
        pdf_urls=parsing.links((pdf,)),
        open_access=item.get("isOpenAccess") if isinstance(item.get("isOpenAccess"), bool) else None,
        kind="erratum" if parsing.is_notice_title(title) else "preprint" if preprint else kind,
        notices=parsing.title_notice(title, "semanticscholar"),
    )
