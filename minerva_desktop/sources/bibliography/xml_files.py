"""Bibliographies in XML: Zotero's RDF and EndNote's. Nothing is fetched and no entity is expanded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from lxml import etree

from minerva_desktop.records import RefusedRecord, SourceName
from minerva_desktop.sources.bibliography.csl import clean_lines
from minerva_desktop.sources.bibliography.drafts import Draft
from minerva_desktop.sources.bibliography.plain import clean, person, spoken_name, without_markup, year_of
from minerva_desktop.sources.bibliography.zotero_items import KINDS, extra_fields

_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_RDF_KINDS = {"Article": "article", "Book": "book", "BookSection": "chapter", "ConferenceProceedings": "article"}
_RDF_ITEMS = frozenset(
    {
        *_RDF_KINDS,
        "Thesis",
        "Report",
        "Document",
        "Patent",
        "Manuscript",
        "Description",
        "Letter",
        "Interview",
        "Image",
        "Recording",
        "Data",
    }
)
_NOT_WORKS = frozenset({"attachment", "note", "annotation"})
_ENDNOTE_KINDS = {
    "journal article": "article", "electronic article": "article", "conference paper": "article",
    "conference proceedings": "article", "magazine article": "article", "book": "book", "edited book": "book",
    "electronic book": "book", "book section": "chapter", "electronic book section": "chapter", "dataset": "dataset",
}  # fmt: skip
_CUT = "The XML is broken here: what stands behind it could not be read."


def parse_xml(data: bytes) -> tuple[Any, bool]:
    """The root element (None when there is none) and whether the XML is broken."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False, recover=True,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None, True
    return root, any(entry.level >= etree.ErrorLevels.FATAL for entry in parser.error_log)


def _name(node: Any) -> str:
    return node.tag.rsplit("}", 1)[-1] if isinstance(node.tag, str) else ""


def _text(node: Any | None) -> str:
    return clean("".join(node.itertext())) if node is not None else ""


def _children(node: Any, name: str) -> list[Any]:
    return [child for child in node if _name(child) == name]


def _child_text(node: Any, name: str) -> str:
    return next((text for child in _children(node, name) if (text := _text(child))), "")


def _broken(source: SourceName, broken: bool) -> Iterator[RefusedRecord]:
    if broken:
        yield RefusedRecord(source, "end of file", _CUT)


# ------------------------------------------------------------------------------------------------------- Zotero
def read_zotero_rdf(data: bytes) -> Iterator[tuple[Draft, str] | RefusedRecord]:
    """The items of Zotero's RDF with their attachments, as drafts. Never raises."""
    root, broken = parse_xml(data)
    if root is not None:
        yield from _Rdf(root).drafts()
    yield from _broken("zotero", broken)


class _Rdf:
    """The nodes of one file by what they are about, and how often each is part of an item."""

    def __init__(self, root: Any) -> None:
        self.nodes = [node for node in root if _name(node)]
        self.about = {node.get(f"{_RDF}about"): node for node in reversed(self.nodes) if node.get(f"{_RDF}about")}
        self.holders = Counter(
            link.get(f"{_RDF}resource") for node in self.nodes for link in _children(node, "isPartOf")
        )

    def drafts(self) -> Iterator[tuple[Draft, str] | RefusedRecord]:
        for node in self.nodes:
            kind = _child_text(node, "itemType")
            container = not kind and node.get(f"{_RDF}about") in self.holders
            if kind in _NOT_WORKS or container or not (kind or _name(node) in _RDF_ITEMS):
                continue
            draft = self._draft(node, kind)
            yield draft, f"line {node.sourceline}: {_name(node)} “{(draft.title or draft.key)[:80]}”"
        linked = {link.get(f"{_RDF}resource") for node in self.nodes for link in _children(node, "link")}
        for node in self.nodes:
            alone = _child_text(node, "itemType") == "attachment" and node.get(f"{_RDF}about") not in linked
            if alone and _path_of(node):
                title = without_markup(_child_text(node, "title"))
                yield (
                    Draft(key=_key(node), title="" if _is_label(title) else title, attached=[_path_of(node)]),
                    f"line {node.sourceline}: attachment",
                )

    def _draft(self, node: Any, kind: str) -> Draft:
        containers = [found for part in _children(node, "isPartOf") for found in self._part(part)]
        identifiers = [_text(child) for child in _children(node, "identifier")]
        addresses = [
            _text(uri) for child in _children(node, "identifier") for uri in child.iter() if _name(uri) == "URI"
        ]
        for part, shared in containers:
            if not shared:  # Zotero writes an article's own DOI on its journal
                identifiers += [_text(child) for child in _children(part, "identifier")]
        dois = [text[3:].strip(" :") for text in identifiers if text.upper().startswith("DOI")]
        about = node.get(f"{_RDF}about", "")
        extra = extra_fields(
            "\n".join(clean_lines("".join(child.itertext())) for child in _children(node, "description"))
        )
        archive = " ".join(_child_text(node, name) for name in ("archiveID", "number", "archive", "coverage"))
        venues = [_child_text(part, "title") for part, _ in containers] + [_publisher(node)]
        return Draft(
            key=_key(node),
            title=without_markup(_child_text(node, "title")),
            authors=_people(node),
            year=year_of(_child_text(node, "date"), _child_text(node, "issued")),
            venue=without_markup(next(filter(None, venues), "")),
            abstract=without_markup(_child_text(node, "abstract")),
            kind=KINDS.get(kind, "") if kind else _RDF_KINDS.get(_name(node), ""),
            doi=next(iter(dois), "") or extra.get("doi", ""),
            arxiv=extra.get("arxiv", "") or archive,
            pmid=extra.get("pmid", ""),
            addresses=[*addresses, about] if about.startswith("http") else addresses,
            attached=[path for link in _children(node, "link") for path in self._attached(link.get(f"{_RDF}resource"))],
        )

    def _part(self, link: Any) -> list[tuple[Any, bool]]:
        """What an item is part of, inside the link or by reference, and whether other items are part of it too."""
        inner = [(child, False) for child in link if _name(child)]
        resource = link.get(f"{_RDF}resource")
        named = self.about.get(resource)
        return inner + ([(named, self.holders[resource] > 1)] if named is not None else [])

    def _attached(self, resource: str | None) -> list[str]:
        node = self.about.get(resource)
        return [path] if node is not None and (path := _path_of(node)) else []


def _path_of(node: Any) -> str:
    stated = [
        child.get(f"{_RDF}resource") or _text(child)
        for child in (*_children(node, "resource"), *_children(node, "path"))
    ]
    return next((clean(path) for path in stated if path and not path.startswith("http")), "")


def _key(node: Any) -> str:
    return _child_text(node, "citationKey") or clean(node.get(f"{_RDF}about")).lstrip("#")


def _is_label(title: str) -> bool:
    """What Zotero calls an attachment that has no title of its own."""
    return bool(
        re.fullmatch(
            r"(?:full text(?: pdf)?|pdf|snapshot|.*\.pdf|.* full text pdf|submitted version|accepted version)",
            title,
            re.IGNORECASE,
        )
    )


def _publisher(node: Any) -> str:
    names = [_text(name) for holder in _children(node, "publisher") for name in holder.iter() if _name(name) == "name"]
    return next(filter(None, names), "")


def _people(node: Any) -> tuple[str, ...]:
    for role in ("authors", "creators", "contributors", "editors"):
        names: list[str] = []
        for holder in _children(node, role):
            for someone in holder.iter():
                if _name(someone) in {"Person", "Organization"}:
                    family = _child_text(someone, "surname") or _child_text(someone, "name")
                    given = _child_text(someone, "givenName") or _child_text(someone, "givenname")
                    names.append(without_markup(person(family, given)))
        kept = tuple(dict.fromkeys(name for name in names if name))
        if kept:
            return kept
    return ()


# ------------------------------------------------------------------------------------------------------ EndNote
def read_endnote_xml(data: bytes) -> Iterator[tuple[Draft, str] | RefusedRecord]:
    """The records of EndNote's XML, as drafts. Never raises."""
    root, broken = parse_xml(data)
    if root is not None:
        for node in root.iter():
            if _name(node) == "record":
                draft = _endnote_draft(node)
                yield draft, f"line {node.sourceline}: record “{(draft.title or draft.key)[:80]}”"
    yield from _broken("endnote", broken)


def _endnote_draft(node: Any) -> Draft:
    def texts(*path: str) -> list[str]:
        found = [node]
        for step in path:
            found = [child for parent in found for child in _children(parent, step)]
        return [text for text in map(_text, found) if text]

    reference = next(iter(_children(node, "ref-type")), None)
    kind = clean(reference.get("name")).lower() if reference is not None else ""
    people = texts("contributors", "authors", "author") or texts("contributors", "secondary-authors", "author")
    venues = [
        *texts("periodical", "full-title"),
        *texts("titles", "secondary-title"),
        *texts("alt-periodical", "full-title"),
    ]
    database = " ".join(texts("remote-database-name")).lower()
    accession = next(iter(texts("accession-num")), "")
    return Draft(
        key=next(iter(texts("rec-number")), ""),
        title=without_markup(next(iter(texts("titles", "title")), "")),
        authors=tuple(dict.fromkeys(without_markup(spoken_name(name)) for name in people)),
        year=year_of(*texts("dates", "year"), *texts("dates", "pub-dates", "date")),
        venue=without_markup(next(iter(venues), "")),
        abstract=without_markup(next(iter(texts("abstract")), "")),
        kind=_ENDNOTE_KINDS.get(kind, ""),
        doi=next(iter(texts("electronic-resource-num")), ""),
        pmid=accession
        if accession.isdigit() and ("pubmed" in database or "medline" in database or "nlm" in database)
        else "",
        addresses=[*texts("urls", "related-urls", "url"), *texts("urls", "web-urls", "url")],
        notes=[*texts("notes"), *texts("custom7")],
        attached=texts("urls", "pdf-urls", "url"),
    )
