"""Bytes of a bibliography as text, and which kind of bibliography they are."""

from __future__ import annotations

import codecs
import re
from typing import Literal

Kind = Literal[
    "bibtex", "ris", "csl", "zotero-json", "zotero-rdf", "zotero-storage", "endnote-xml", "endnote-tagged", "pubmed"
]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HEAD = 65_536
_RIS = re.compile(r"^\s*TY {0,3}- ?", re.MULTILINE)
_BIBTEX = re.compile(r"^\s*@\s*\w+\s*[{(]", re.MULTILINE)
_BIBTEX_ANYWHERE = re.compile(r"@\s*[A-Za-z]+\s*[{(][^,{}=]{0,200},")
_BY_SUFFIX: dict[str, Kind] = {
    ".bib": "bibtex",
    ".bibtex": "bibtex",
    ".ris": "ris",
    ".json": "csl",
    ".enw": "endnote-tagged",
    ".nbib": "pubmed",
}


def decode(data: bytes) -> str:
    """Text in UTF-8, UTF-16 or UTF-32 (by mark or by its zeros), else line by line UTF-8 or Windows Latin 1.

    Line by line, because files are pasted together from several sources. Line ends become ``\\n``.
    """
    text = _decoded(data)
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def _decoded(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    head = data[:4096]
    if len(head) > 3 and head.count(0) > len(head) // 4:
        return data.decode("utf-16-le" if head[1::2].count(0) >= head[::2].count(0) else "utf-16-be", errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "".join(_line(line) for line in data.splitlines(keepends=True))


def _line(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        return line.decode("cp1252")
    except UnicodeDecodeError:
        return line.decode("latin-1")


def kind_of(text: str, suffix: str = "") -> Kind | None:
    """The kind of a decoded bibliography by its content; an empty one by its suffix. None when it is none."""
    head = text[:_HEAD].lstrip("\ufeff \t\n")
    if not head:
        return _BY_SUFFIX.get(suffix.lower())
    if head.startswith("<"):
        if re.search(r"<(?:\w+:)?RDF\b", head):
            return "zotero-rdf"
        return "endnote-xml" if re.search(r"<records>|<record>", head) else None
    if head[0] in "[{" and re.match(r"[\[{]\s*(?:[\[{\"]|[\]}]|\Z)", head):
        return "zotero-json" if re.search(r'"itemType"\s*:', head) else "csl"
    if re.match(r"PMID {0,2}- ", head):
        return "pubmed"
    if re.match(r"%0 \S", head):
        return "endnote-tagged"
    marks = {"ris": _RIS.search(head), "bibtex": _BIBTEX.search(head) or _BIBTEX_ANYWHERE.search(head)}
    places = sorted((match.start(), kind) for kind, match in marks.items() if match)
    if places:
        return "ris" if places[0][1] == "ris" else "bibtex"
    return "ris" if _RIS.search(text) else "bibtex" if _BIBTEX.search(text) else None
