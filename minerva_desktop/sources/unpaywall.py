"""Unpaywall: where a work is open, by DOI; its search answers are read too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from minerva_desktop.records.works import RefusedRecord, WorkRecord
from minerva_desktop.sources import parsing
from minerva_desktop.sources.jats_text import plain_title
from minerva_desktop.sources.options import WebOptions
from minerva_desktop.sources.parsing import Parsed, as_list, as_map, refuse

_KINDS: Mapping[str, str] = {
    "journal-article": "article",
    "proceedings-article": "article",
    "posted-content": "preprint",
    "peer-review": "review-report",
    "book": "book",
    "monograph": "book",
    "edited-book": "book",
    "book-chapter": "chapter",
    "dataset": "dataset",
}


def look_up_request(options: WebOptions, doi: str) -> tuple[str, dict[str, str]]:
    """(address, parameters) of one work; the service wants an e-mail."""
    base = options.base("unpaywall").removesuffix("/v2")
    return f"{base}/v2/{quote(doi, safe='/.:')}", {"email": options.contact}


def parse(body: bytes) -> Parsed:
    """The works of an answer; any bytes."""
    data, problem = parsing.read_json(body)
    if problem:
        return Parsed(problem=problem)
    answer = as_map(data)
    if isinstance(answer.get("results"), list):
        items = [as_map(as_map(one).get("response")) for one in answer["results"]]
    elif answer.get("error") and "doi" not in answer:
        return Parsed(problem=f"Unpaywall reports: {parsing.text(answer.get('message')) or 'an error'}".rstrip("."))
    elif "doi" in answer:
        items = [answer]
    else:
        return Parsed(problem="the answer holds no works")
    records: list[WorkRecord] = []
    refused: list[RefusedRecord] = []
    for item in items:
        found = record(item)
        if isinstance(found, str):
            refused.append(refuse("unpaywall", item.get("doi") or item.get("title"), found))
        else:
            records.append(found)
    return Parsed(tuple(records), tuple(refused), len(items))


def record(item: Mapping[str, Any]) -> WorkRecord | str:
    """The record of one work, or why it is none. A work without a title is one here: its DOI is what was asked for."""
    doi = parsing.doi(item.get("doi"))
    title = plain_title(parsing.text(item.get("title")))
    if not doi and not title:
        return "it has neither a DOI nor a title"
    best = as_map(item.get("best_oa_location")) or as_map(item.get("first_oa_location"))
    places = [best, *map(as_map, as_list(item.get("oa_locations")))]
    kind = _KINDS.get(parsing.text(item.get("genre")), "")
    return WorkRecord(
        source="unpaywall",
        source_id=doi,
        title=title,
        authors=_authors(item.get("z_authors")),
        year=parsing.year(item.get("year")) or parsing.year(item.get("published_date")),
        venue=parsing.text(item.get("journal_name")),
        doi=doi,
        url=next(iter(parsing.links((item.get("doi_url"), f"https://doi.org/{doi}" if doi else ""))), ""),
        pdf_urls=parsing.links(
            [place.get("url_for_pdf") for place in places]
            + [place.get("url") for place in places]
            + [place.get("url_for_landing_page") for place in places]
        ),
        open_access=item.get("is_oa") if isinstance(item.get("is_oa"), bool) else None,
        kind="erratum" if kind in ("", "article") and title and parsing.is_notice_title(title) else kind,
        notices=parsing.title_notice(title, "unpaywall"),
    )


def _authors(authors: object) -> tuple[str, ...]:
    names = []
    for one in as_list(authors):
        person = as_map(one)
        parts = (parsing.text(person.get("given")), parsing.text(person.get("family")))
        whole = " ".join(part for part in parts if part)
        names.append(whole or parsing.text(person.get("raw_author_name")) or parsing.text(person.get("name")))
    return tuple(name for name in names if name)
