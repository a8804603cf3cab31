"""Look up works that a person names: by DOI, arXiv identifier, PubMed number, address, or a pasted list of references."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from lxml import etree

from minerva_desktop.events import CancelToken
from minerva_desktop.language.identifiers import find_doi, parse_arxiv, parse_doi, parse_pmcid, parse_pmid
from minerva_desktop.records.works import WorkRecord
from minerva_desktop.sources import arxiv, crossref, openalex, parsing, unpaywall
from minerva_desktop.sources.http import SourceError, Web
from minerva_desktop.sources.parsing import Parsed
from minerva_desktop.sources.references import identifier, likeness, split_entries
from minerva_desktop.sources.searching import Question, ask, cancellable, wait_or_cancel

Kind = Literal["doi", "arxiv", "pmid", "pmcid", "url", "title", ""]

_AT_ONCE = 6
_ARXIV_AT_ONCE = 50
_ROWS = 5
_META_NAMES = {"citation_doi": "doi", "dc.identifier": "doi", "citation_arxiv_id": "arxiv", "citation_pmid": "pmid"}


@dataclass(frozen=True, slots=True)
class LookUp:
    """What was found for one thing asked. ``records`` are all of the same work; without any, ``problem`` says why in one
    sentence. ``sure`` is 1 for an identifier, the likeness of the title for words."""

    asked: str
    kind: Kind
    records: tuple[WorkRecord, ...] = ()
    problem: str = ""
    sure: float = 1.0


async def look_up(web: Web, wanted: str, *, cancel: CancelToken | None = None) -> LookUp:
    """The work that an identifier or address names.

    Raises:
        Cancelled: the person stopped it.
    """
    return await cancellable(_look_up(web, wanted.strip()), cancel)


async def look_up_list(web: Web, text: str, *, cancel: CancelToken | None = None) -> list[LookUp]:
    """The works that a pasted list names, in its order: references, and whatever :func:`look_up` takes, one a line.
    Entries that were not found are among them, each with its ``problem``.

    Raises:
        Cancelled: the person stopped it.
    """
    entries = split_entries(text)
    places = asyncio.Semaphore(_AT_ONCE)
    preprints = {entry: name for entry in entries if (name := _arxiv_of(entry))}
    batch = asyncio.ensure_future(_arxiv_batch(web, list(dict.fromkeys(preprints.values()))))

    async def one(entry: str) -> LookUp:
        if entry in preprints:
            return replace((await asyncio.shield(batch))[preprints[entry]], asked=entry)
        async with places:
            kind, name = identifier(entry)
            return await _by_identifier(web, entry, kind, name) if name else await _look_up(web, entry)

    tasks = [asyncio.ensure_future(one(entry)) for entry in entries]
    try:
        await wait_or_cancel(tasks, cancel)
    finally:
        batch.cancel()
    return [task.result() for task in tasks]


def _arxiv_of(entry: str) -> str:
    kind, name = identifier(entry)
    return name if kind == "arxiv" else ""


async def _look_up(web: Web, wanted: str) -> LookUp:
    kind, name = classify(wanted)
    if kind == "url":
        kind, name, problem = await _read_page(web, wanted)
        if not name:
            return LookUp(wanted, "url", problem=problem)
    if kind:
        return await _by_identifier(web, wanted, kind, name)
    if len(wanted.split()) >= 3:
        return await _by_words(web, wanted)
    return LookUp(wanted, "", problem=f"“{wanted}” is no DOI, arXiv identifier, PubMed number or web address.")


def classify(wanted: str) -> tuple[Kind, str]:
    """What a string names: (kind, identifier); ("url", address) for a page that must be read first."""
    doi, preprint = parse_doi(wanted), parse_arxiv(wanted)
    if preprint:
        return "arxiv", preprint
    if doi:
        plain = doi.lower()
        named = parse_arxiv(plain.removeprefix("10.48550/arxiv.")) if plain.startswith("10.48550/arxiv.") else ""
        return ("arxiv", named) if named else ("doi", plain)
    if parse_pmcid(wanted):
        return "pmcid", parse_pmcid(wanted)
    if parse_pmid(wanted):
        return "pmid", parse_pmid(wanted)
    if re.match(r"https?://\S+\Z", wanted, re.IGNORECASE):
        kind, name = identifier(wanted.split("#")[0].split("?")[0])
        if kind == "doi":
            name = re.sub(r"/(?:full|abstract|pdf|epdf|meta|html)\Z|\.pdf\Z", "", name)
        return (kind, name) if kind in ("doi", "arxiv", "pmid") else ("url", wanted)  # type: ignore[return-value]
    return "", ""


async def _by_identifier(web: Web, asked: str, kind: str, name: str) -> LookUp:
    """All services that know such an identifier, side by side."""
    answers = await asyncio.gather(*(_try(web, question) for question in _questions(web, kind, name)))
    records = [record for parsed, _ in answers for record in parsed.records]
    if kind in ("pmid", "pmcid") and records and records[0].doi:
        more, _ = await _try(web, _crossref(web, records[0].doi))
        records += more.records
    said = [error for _, error in answers if error is not None]
    known: Any = kind if kind in ("doi", "arxiv", "pmid", "pmcid") else ""
    return LookUp(asked, known, tuple(records), "" if records else _why_not(name, said))


def _questions(web: Web, kind: str, name: str) -> list[Question]:
    options = web.options
    if kind == "arxiv":
        return [Question("arxiv", *arxiv.look_up_request(options, [name]), arxiv.parse)]
    if kind == "pmid":
        return [Question("openalex", *openalex.look_up_request(options, pmid=name), openalex.parse)]
    if kind == "pmcid":
        return [Question("openalex", *openalex.look_up_request(options, pmcid=name), openalex.parse)]
    found = [_crossref(web, name), Question("openalex", *openalex.look_up_request(options, doi=name), openalex.parse)]
    if options.contact:
        found.append(Question("unpaywall", *unpaywall.look_up_request(options, name), unpaywall.parse))
    return found


def _crossref(web: Web, doi: str) -> Question:
    return Question("crossref", *crossref.look_up_request(web.options, doi), crossref.parse)


async def _try(web: Web, question: Question) -> tuple[Parsed, SourceError | None]:
    try:
        parsed, _ = await ask(web, question)
    except SourceError as error:
        return Parsed(), error
    return parsed, None


def _why_not(name: str, said: Sequence[SourceError]) -> str:
    """One sentence: not known anywhere, or not asked to the end."""
    trouble = next((error for error in said if error.kind != "not found"), None)
    return trouble.message if trouble else f"“{name}” is not known; check how it is written."


async def _arxiv_batch(web: Web, names: list[str]) -> dict[str, LookUp]:
    """Many preprints in few requests, for arXiv wants three seconds between two."""
    found: dict[str, LookUp] = {}
    for start in range(0, len(names), _ARXIV_AT_ONCE):
        part = names[start : start + _ARXIV_AT_ONCE]
        parsed, error = await _try(web, Question("arxiv", *arxiv.look_up_request(web.options, part), arxiv.parse))
        by_name = {record.arxiv_id: record for record in parsed.records}
        for name in part:
            record = by_name.get(re.sub(r"v\d+\Z", "", name))
            problem = "" if record else _why_not(name, [error] if error else [])
            found[name] = LookUp(name, "arxiv", (record,) if record else (), problem)
    return found


async def _by_words(web: Web, entry: str) -> LookUp:
    """The work whose title stands in the entry, by Crossref; none rather than the wrong one."""
    question = Question("crossref", *crossref.search_request(web.options, entry[:500], 0, _ROWS, None), crossref.parse)
    parsed, error = await _try(web, question)
    if error is not None:
        return LookUp(entry, "title", problem=error.message)
    scored = [(likeness(entry, record), -at, record) for at, record in enumerate(parsed.records)]
    best = max(scored, default=None, key=lambda item: item[:2])
    if best is None or best[0] == 0.0:
        return LookUp(entry, "title", problem="No work was found whose title stands in this reference.", sure=0.0)
    return LookUp(entry, "title", (best[2],), sure=round(best[0], 3))


async def _read_page(web: Web, url: str) -> tuple[Kind, str, str]:
    """(kind, identifier, problem) that a page states of the work that it is about."""
    try:
        reply = await web.get(
            url, headers={"Accept": "text/html"}, worth_keeping=lambda reply: parsing.looks_like_html(reply.body)
        )
    except SourceError as error:
        return "", "", error.message
    for name, value in meta_of(reply.body):
        kind = _META_NAMES.get(name)
        found = {"doi": find_doi, "arxiv": parse_arxiv, "pmid": parse_pmid}[kind](value) if kind else ""
        if found and kind:
            return kind, found, ""  # type: ignore[return-value]
    return "", "", f"The page at {url} does not say which work it is about; use its DOI."


def meta_of(body: bytes) -> list[tuple[str, str]]:
    """(name in lower case, content) of the ``meta`` elements of a web page; any bytes."""
    parser = etree.HTMLParser(no_network=True, recover=True)
    try:
        root = etree.fromstring(parsing.clean(body[:2_000_000].decode("utf-8", "replace")).encode(), parser)
    except (etree.XMLSyntaxError, ValueError):
        return []
    if root is None:
        return []
    found = ((node.get("name") or node.get("property") or "", node.get("content") or "") for node in root.iter("meta"))
    return [(name.strip().lower(), content.strip()) for name, content in found if name and content]
