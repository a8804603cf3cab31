"""OpenAlex: works by search, DOI, PubMed number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from minerva_desktop.language.identifiers import parse_arxiv, parse_pmid
from minerva_desktop.records.works import Notice, WorkRecord
from minerva_desktop.sources import parsing
from minerva_desktop.sources.jats_text import plain_abstract, plain_title
from minerva_desktop.sources.options import WebOptions
from minerva_desktop.sources.parsing import Parsed, as_list, as_map, refuse

PAGE = 100
MATERIALS_SCIENCE = "C192562407"
"""The concept that a search may be narrowed to."""

_KINDS: Mapping[str, str] = {
    "article": "article",
    "review": "article",
    "letter": "article",
    "editorial": "article",
    "journal-article": "article",
    "proceedings-article": "article",
    "preprint": "preprint",
    "posted-content": "preprint",
    "erratum": "erratum",
    "retraction": "erratum",
    "peer-review": "review-report",
    "book": "book",
    "monograph": "book",
    "book-chapter": "chapter",
    "reference-entry": "chapter",
    "dataset": "dataset",
}
_MOST_WORDS = 20_000


def search_request(
    options: WebOptions,
    query: str,
    page: int,
    rows: int,
    years: tuple[int | None, int | None] | None,
    *,
    concept: str = "",
    with_key: bool = True,
) -> tuple[str, dict[str, str]]:
    """(address, parameters) of a page (from 1) of a search in titles and abstracts."""
    filters = []
    if years and any(years):
        filters.append(f"publication_year:{years[0] or ''}-{years[1] or ''}")
    if concept:
        filters.append(f"concepts.id:{concept}")
    parameters = {"search": query, "per-page": str(rows), "page": str(page)}
    if filters:
        parameters["filter"] = ",".join(filters)
    return f"{options.base('openalex')}/works", {**parameters, **_key(options, with_key)}


def look_up_request(
    options: WebOptions, *, doi: str = "", pmid: str = "", pmcid: str = "", with_key: bool = True
) -> tuple[str, dict[str, str]]:
    """(address, parameters) of one work by its DOI, PubMed number or PubMed Central identifier."""
    name = f"https://doi.org/{quote(doi, safe='.:')}" if doi else f"pmid:{pmid}" if pmid else f"pmcid:{pmcid}"
    return f"{options.base('openalex')}/works/{name}", _key(options, with_key)


def _key(options: WebOptions, with_key: bool) -> dict[str, str]:
    return {"api_key": options.openalex_key} if options.openalex_key and with_key else {}


def budget(headers: Mapping[str, str]) -> str:
    """What the service says is left for today, as a phrase; empty when it says nothing."""
    money, left = headers.get("x-ratelimit-remaining-usd", ""), headers.get("x-ratelimit-remaining", "")
    if re.fullmatch(r"-?\d+(\.\d+)?", money):
        limit = headers.get("x-ratelimit-limit-usd", "")
        return f"${float(money):.3f} left" + (f" of ${limit}" if re.fullmatch(r"\d+(\.\d+)?", limit) else "") + " today"
    if left.lstrip("-").isdigit():
        limit = headers.get("x-ratelimit-limit", "")
        return f"{left} credits left" + (f" of {limit}" if limit.isdigit() else "") + " today"
    return ""


def parse(body: bytes) -> Parsed:
    """The works of a list or of a single answer; any bytes."""
    data, problem = parsing.read_json(body)
    if problem:
        return Parsed(problem=problem)
    answer = as_map(data)
    if "results" in answer and isinstance(answer["results"], list):
        works, total = answer["results"], parsing.count(as_map(answer.get("meta")).get("count"))
    elif "error" in answer and "id" not in answer:
        said = plain_title(parsing.text(answer.get("message")) or parsing.text(answer["error"]))
        return Parsed(problem=f"OpenAlex reports: {said}")
    elif {"id", "doi", "title", "display_name"} & set(answer):
        works, total = [answer], 1
    else:
        return Parsed(problem="the answer holds no works")
    records, refused = [], []
    for work in works:
        found = record(as_map(work))
        if isinstance(found, str):
            what = as_map(work).get("id") or as_map(work).get("doi") or as_map(work).get("display_name")
            refused.append(refuse("openalex", what, found))
        else:
            records.append(found)
    return Parsed(tuple(records), tuple(refused), total)


def record(work: Mapping[str, Any]) -> WorkRecord | str:
    """The record of one work, or why it is none."""
    if not work:
        return "it is not the description of a work"
    title = plain_title(parsing.text(work.get("title")) or parsing.text(work.get("display_name")))
    if not title:
        return "it has no title"
    ids, access = as_map(work.get("ids")), as_map(work.get("open_access"))
    best, primary = as_map(work.get("best_oa_location")), as_map(work.get("primary_location"))
    locations = [best, primary, *map(as_map, as_list(work.get("locations")))]
    doi = parsing.doi(work.get("doi")) or parsing.doi(ids.get("doi"))
    kind = _KINDS.get(parsing.text(work.get("type")), "")
    retracted = work.get("is_retracted") is True
    notices = (Notice("retraction", label="Retracted", source="openalex"),) if retracted else ()
    source_id = parsing.text(work.get("id")) or parsing.text(ids.get("openalex"))
    return WorkRecord(
        source="openalex",
        source_id=source_id.rsplit("/", maxsplit=1)[-1],
        title=title,
        authors=_authors(as_list(work.get("authorships"))),
        year=parsing.year(work.get("publication_year")) or parsing.year(work.get("publication_date")),
        venue=parsing.text(as_map(primary.get("source")).get("display_name")),
        abstract=abstract(work.get("abstract_inverted_index")),
        doi=doi,
        arxiv_id=_arxiv(doi, locations),
        pmid=parse_pmid(parsing.text(ids.get("pmid"))),
        url=next(iter(parsing.links((work.get("doi"), primary.get("landing_page_url"), work.get("id")))), ""),
        pdf_urls=_pdfs(locations, access),
        open_access=access.get("is_oa") if isinstance(access.get("is_oa"), bool) else None,
        kind="erratum" if kind in ("", "article") and parsing.is_notice_title(title) else kind,
        notices=notices or parsing.title_notice(title, "openalex"),
    )


def abstract(index: object) -> str:
    """The text that an inverted index (word → positions) was made from, words in the order of their positions."""
    places: list[tuple[int, str]] = []
    for word, positions in as_map(index).items():
        for position in as_list(positions):
            if isinstance(position, int) and not isinstance(position, bool) and position >= 0:
                places.append((position, str(word)))
    places.sort()
    return plain_abstract(parsing.clean(" ".join(word for _, word in places[:_MOST_WORDS])))


def _authors(authorships: Iterable[object]) -> tuple[str, ...]:
    names = []
    for one in authorships:
        entry = as_map(one)
        names.append(
            parsing.text(as_map(entry.get("author")).get("display_name")) or parsing.text(entry.get("raw_author_name"))
        )
    return tuple(name for name in names if name)


def _arxiv(doi: str, locations: Iterable[Mapping[str, Any]]) -> str:
    """The arXiv identifier (without version) of the work or of an open copy of it."""
    spelt = [doi.removeprefix("10.48550/arxiv.")] if doi.startswith("10.48550/arxiv.") else []
    for place in locations:
        spelt += [parsing.text(place.get("landing_page_url")), parsing.text(place.get("pdf_url"))]
    found = (parse_arxiv(address) for address in spelt if not re.fullmatch(r"\s*", address))
    return next((re.sub(r"v\d+\Z", "", name) for name in found if name), "")


def _pdfs(locations: Iterable[Mapping[str, Any]], access: Mapping[str, Any]) -> tuple[str, ...]:
    """Open PDFs, the best copy first; the address of an open page comes last, for its PDF is often behind it."""
    usable = [place for place in locations if place.get("is_oa") is not False]
    found = [place.get("pdf_url") for place in usable]
    open_page = [access.get("oa_url")] if access.get("is_oa") is True else []
    return parsing.links([*found, *open_page])
