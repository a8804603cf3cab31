"""arXiv: the Atom interface (export.arxiv.org/api/query)."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from minerva_desktop.language.identifiers import parse_arxiv
from minerva_desktop.records.works import Notice, WorkRecord
from minerva_desktop.sources import parsing
from minerva_desktop.sources.options import WebOptions
from minerva_desktop.sources.parsing import Parsed, refuse

PAGE = 200
"""As many as we ever want: fewer requests are kinder to a service that wants three seconds between two."""
PDF_HOST = "https://arxiv.org/pdf/"

_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
_ABSTRACT_PAGE = re.compile(r"https?://(?:www\.|export\.)?arxiv\.org/abs/(?P<id>\S+)\Z", re.IGNORECASE)
_VERSION = re.compile(r"v(\d{1,3})\Z")
_WITHDRAWN = re.compile(
    r"\b(?:paper|article|manuscript|submission|work)\b[^.]{0,60}\b(?:is|was|has been|been)\b[^.]{0,20}\bwithdrawn\b|\Awithdrawn\b",
    re.IGNORECASE,
)
_WORD = re.compile(r'"(?P<phrase>[^"]+)"|(?P<word>[^\s"()]+)')
_SILENT = frozenset("a an and andnot at by for from in is not of on or the to with".split())
"""Words that join others for the service, or that say nothing."""


def search_request(
    options: WebOptions, query: str, start: int, rows: int, years: tuple[int | None, int | None] | None
) -> tuple[str, dict[str, str]]:
    """(address, parameters) of one page of a search; every word of the query must occur."""
    terms: list[str] = []
    for found in _WORD.finditer(re.sub("[“”„]", '"', query)):
        phrase = found.group("phrase")
        terms += [f'all:"{phrase}"'] if phrase else [f"all:{word}" for word in _words(found.group())]
    if not terms:
        terms = ['all:"' + " ".join(re.findall(r"[^\W_]+", query)) + '"']
    if years and any(years):
        first, last = years[0] or 1991, years[1] or 2099
        terms.append(f"submittedDate:[{first:04d}01010000 TO {last:04d}12312359]")
    return _address(options), _parameters(" AND ".join(terms), "", start, rows)


def look_up_request(options: WebOptions, identifiers: list[str]) -> tuple[str, dict[str, str]]:
    """(address, parameters) of a look-up by arXiv identifiers."""
    return _address(options), _parameters("", ",".join(identifiers), 0, len(identifiers))


def _address(options: WebOptions) -> str:
    base = options.base("arxiv")
    return base if base.endswith("/query") else f"{base.removesuffix('/api')}/api/query"


def _parameters(query: str, identifiers: str, start: int, rows: int) -> dict[str, str]:
    return {
        "search_query": query,
        "id_list": identifiers,
        "sortBy": "relevance",
        "sortOrder": "descending",
        "start": str(start),
        "max_results": str(rows),
    }


def _words(word: str) -> list[str]:
    """A word without the characters and joining words that mean something to the service."""
    parts = [part.strip(".!'’") for part in re.sub(r"[:\[\]{}^~*?\\,;/]+", " ", word).split()]
    return [part for part in parts if any(map(str.isalnum, part)) and part.lower() not in _SILENT]


def parse(body: bytes) -> Parsed:
    """The works of an Atom feed; any bytes."""
    root, problem = _root(body)
    if root is None:
        return Parsed(problem=problem)
    records, refused = [], []
    for entry in root.iter(f"{_ATOM}entry"):
        found = _record(entry)
        if isinstance(found, WorkRecord):
            records.append(found)
        else:
            what, reason = found
            refused.append(refuse("arxiv", what, reason))
    stated = (root.findtext(_TOTAL) or "").strip()
    total = int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 12 else None
    return Parsed(tuple(records), tuple(refused), total)


def _root(body: bytes) -> tuple[Any, str]:
    if not body.strip():
        return None, "the answer is empty"
    plain = parsing.clean(body.decode("utf-8-sig", "replace"))
    plain = re.sub(r"\A\s*<\?xml[^>]*\?>", "", plain)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True)
    try:
        root = etree.fromstring(plain.encode(), parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None or root.tag != f"{_ATOM}feed":
        html = parsing.looks_like_html(body)
        return None, "a web page came instead of data" if html else "the answer is not the Atom feed it should be"
    return root, ""


def _record(entry: Any) -> WorkRecord | tuple[str, str]:
    """The record, or (what it is, why it is none)."""
    address = _text(entry, f"{_ATOM}id")
    title = _text(entry, f"{_ATOM}title")
    if "/api/errors" in address:
        return address.partition("#")[
            2
        ] or title, f"arXiv reports: {_text(entry, f'{_ATOM}summary') or title or 'an error'}"
    page = _ABSTRACT_PAGE.match(address)
    identifier = parse_arxiv(page.group("id")) if page else ""
    if not identifier:
        return address or title, "it has no arXiv identifier"
    if not title:
        return identifier, "it has no title"
    version = _VERSION.search(identifier)
    plain = _VERSION.sub("", identifier)
    related = [
        link for link in entry.iter(f"{_ATOM}link") if link.get("title") == "pdf" or "pdf" in (link.get("type") or "")
    ]
    published = parsing.doi(_text(entry, f"{_ARXIV}doi").split(" ")[0])
    own = published.startswith("10.48550/arxiv.")
    comment, abstract = _text(entry, f"{_ARXIV}comment"), _abstract(entry)
    withdrawn = bool(_WITHDRAWN.search(comment) or (len(abstract) < 400 and _WITHDRAWN.search(abstract)))
    notices = (Notice("withdrawal", label=comment or "withdrawn", source="arxiv"),) if withdrawn else ()
    return WorkRecord(
        source="arxiv",
        source_id=identifier,
        title=title,
        authors=tuple(name for author in entry.iter(f"{_ATOM}author") if (name := _text(author, f"{_ATOM}name"))),
        year=parsing.year(_text(entry, f"{_ATOM}published")) or parsing.year(_text(entry, f"{_ATOM}updated")),
        venue=_text(entry, f"{_ARXIV}journal_ref"),
        abstract=abstract,
        doi=published if own else "",
        arxiv_id=plain,
        arxiv_version=int(version.group(1)) if version else None,
        url=f"https://arxiv.org/abs/{identifier}",
        pdf_urls=parsing.links(link.get("href") for link in related) or (f"{PDF_HOST}{identifier}",),
        open_access=True,
        kind="preprint",
        published_doi="" if own else published,
        notices=notices + parsing.title_notice(title, "arxiv"),
    )


def _abstract(entry: Any) -> str:
    """The summary with its line breaks undone; an indented line begins a paragraph."""
    node = entry.find(f"{_ATOM}summary")
    whole = parsing.clean("".join(node.itertext())) if node is not None else ""
    paragraphs = re.split(r"\n(?:\s*\n|[ \t]{2,})", whole.strip())
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip())


def _text(node: Any, tag: str) -> str:
    found = node.find(tag)
    return parsing.text("".join(found.itertext())) if found is not None else ""
