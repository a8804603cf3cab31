"""BibTeX and BibLaTeX. bibtexparser splits a file into entries and goes on behind broken ones; the rest is done here."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping

from bibtexparser.entrypoint import parse_string
from bibtexparser.library import Library
from bibtexparser.model import Block, DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, Entry, ParsingFailedBlock

from minerva_desktop.records import RefusedRecord
from minerva_desktop.sources.bibliography.attachments import split_file_field
from minerva_desktop.sources.bibliography.bibtex_values import entry_authors, salvage, unwrapped
from minerva_desktop.sources.bibliography.drafts import Draft
from minerva_desktop.sources.bibliography.plain import clean, without_markup, year_of
from minerva_desktop.sources.bibliography.tex import decode_tex, decode_verbatim

logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # what it would log is in the refusals

_KINDS = {
    "article": "article", "inproceedings": "article", "conference": "article", "review": "article",
    "periodical": "", "book": "book", "mvbook": "book", "booklet": "book", "collection": "book", "proceedings": "book",
    "inbook": "chapter", "incollection": "chapter", "bookinbook": "chapter", "suppbook": "chapter", "dataset": "dataset",
    "data": "dataset",
}  # fmt: skip
_NO_WORKS = frozenset({"xdata", "set", "control", "ieeetranbstctl", "revtex-control"})
_ABORTS = (
    ("end of file", "It is cut off: the file ends inside it, or a brace or quotation mark in it is not closed."),
    ("Unexpected block start", "A brace or quotation mark in it is not closed: the next entry begins inside it."),
    ("Expected a `=`", "A field in it has no “=”, or a brace or comma is in the wrong place."),
    ("Expected comma", "There is no comma after its key."),
)
_INHERITED_NOT = frozenset(
    {"crossref", "xref", "xdata", "file", "doi", "url", "eprint", "abstract", "shorttitle", "key"}
)
_FILE_DIRECTORY = re.compile(r"jabref-meta:\s*fileDirectory[^:]*:((?:[^;\\]|\\.)*);", re.IGNORECASE)
_MOST_PARENTS = 4

Fields = dict[str, str]


def read_bibtex(text: str) -> Iterator[tuple[Draft, str] | RefusedRecord]:
    """The entries of a file in its order, as drafts or refused with line and reason. Never raises."""
    library = parse_string(text, parse_stack=[])
    strings = _strings(library)
    entries: list[tuple[Entry, Fields] | RefusedRecord] = []
    for block in library.blocks:
        entry = _entry_of(block)
        if entry is not None:
            entries.append((entry, _fields(entry, strings)))
        elif isinstance(block, ParsingFailedBlock):
            entries.append(_refused(block))
    parents: dict[str, Fields] = {}
    for item in entries:
        if not isinstance(item, RefusedRecord):
            parents.setdefault(item[0].key.strip().casefold(), {**item[1], "": item[0].entry_type.casefold()})
    for item in entries:
        if isinstance(item, RefusedRecord):
            yield item
        elif item[0].entry_type.casefold() not in _NO_WORKS:
            yield _draft(item[0], _inherited(item[1], parents)), _where(item[0])


def file_directories(text: str) -> list[str]:
    """The folders of files that JabRef noted in the bibliography."""
    return [match.replace("\\\\", "\\").strip() for match in _FILE_DIRECTORY.findall(text[-65_536:])]


def _entry_of(block: Block) -> Entry | None:
    """The entry in a block; also where its key or a field is there twice."""
    if isinstance(block, Entry):
        return block
    if isinstance(block, (DuplicateBlockKeyBlock, DuplicateFieldKeyBlock)):
        inner = block.ignore_error_block
        return _entry_of(inner) if inner is not None else None
    return None


def _refused(block: ParsingFailedBlock) -> RefusedRecord:
    raw = block.raw or ""
    head = re.match(r"@\s*(\w*)\s*[{(]\s*([^,\s{}=]{0,100})", raw)
    said = str(getattr(block.error, "abort_reason", ""))
    reason = next((text for part, text in _ABORTS if part in said), "It is no well-formed entry.")
    named = f"{head.group(1).lower()} “{head.group(2)}”" if head and head.group(2) else "entry"
    return RefusedRecord("bibtex", f"line {(block.start_line or 0) + 1}: {clean(named)}", reason)


def _where(entry: Entry) -> str:
    return f"line {(entry.start_line or 0) + 1}: {clean(entry.entry_type)} “{clean(entry.key)[:100]}”"


def _strings(library: Library) -> dict[str, str]:
    """The abbreviations that the file defines, in their order; one may use those before it."""
    strings: dict[str, str] = {}
    for string in library.strings:
        strings.setdefault(string.key.strip().casefold(), unwrapped(string.value, strings))
    return strings


def _fields(entry: Entry, strings: Mapping[str, str]) -> Fields:
    """Field names in lower case with their values, the first that says something where one is there twice."""
    fields: Fields = {}
    for item in entry.fields:
        for name, value in salvage(item.key, item.value):
            plain = unwrapped(value, strings).strip()
            if plain and name not in fields:
                fields[name] = plain
    return fields


def _inherited(fields: Fields, parents: Mapping[str, Fields]) -> Fields:
    """The fields of an entry with those of the entries that it refers to, as BibTeX and biber take them over."""
    whole = dict(fields)
    for link in ("crossref", "xdata"):
        wanted = [key.strip().casefold() for key in fields.get(link, "").split(",") if key.strip()]
        seen: set[str] = set()
        while wanted and len(seen) < _MOST_PARENTS:
            key = wanted.pop(0)
            parent = parents.get(key)
            if parent is None or key in seen:
                continue
            seen.add(key)
            if link == "crossref" and "title" in parent:
                whole.setdefault("journaltitle" if parent[""] == "periodical" else "booktitle", parent["title"])
            for name, value in parent.items():
                taken = name and (link == "xdata" or name not in _INHERITED_NOT | {"title", "subtitle", "author"})
                if taken:
                    whole.setdefault(name, value)
            wanted += [item.strip().casefold() for item in parent.get(link, "").split(",")]
    return whole


def _draft(entry: Entry, fields: Fields) -> Draft:
    kind = entry.entry_type.casefold()
    archive = (fields.get("archiveprefix") or fields.get("eprinttype") or "").casefold()
    eprint = decode_verbatim(fields.get("eprint", ""))
    venue = next((fields[name] for name in _venues(kind) if fields.get(name)), "")
    return Draft(
        key=entry.key.strip(),
        title=_title(fields),
        authors=entry_authors(fields.get("author") or fields.get("editor") or ""),
        year=year_of(*(decode_tex(fields.get(name, "")) for name in ("year", "date", "eventdate"))),
        venue=without_markup(decode_tex(venue)),
        abstract=without_markup(decode_tex(fields.get("abstract", ""))),
        kind=_KINDS.get(kind, ""),
        doi=decode_verbatim(fields.get("doi", "")),
        arxiv=_arxiv(fields, eprint, archive),
        pmid=decode_verbatim(fields.get("pmid", "")) or (eprint if archive in {"pubmed", "pmid"} else ""),
        addresses=[decode_verbatim(fields[name]) for name in ("url", "bdsk-url-1", "link", "ee", "adsurl") if name in fields],
        notes=[decode_verbatim(fields[name]) for name in ("howpublished", "note", "annote", "annotation", "extra") if name in fields],
        attached=[path for name in ("file", "pdf", "local-url", "localfile") if name in fields
                  for path in split_file_field(decode_verbatim(fields[name]))],
    )  # fmt: skip


def _title(fields: Fields) -> str:
    title = without_markup(decode_tex(fields.get("title") or fields.get("booktitle") or fields.get("maintitle") or ""))
    subtitle = without_markup(decode_tex(fields.get("subtitle", "")))
    return f"{title}: {subtitle}" if title and subtitle else title


def _venues(kind: str) -> tuple[str, ...]:
    journal = ("journaltitle", "journal", "shortjournal")
    book = ("booktitle", "maintitle", "eventtitle")
    last = ("series", "school", "institution", "organization", "publisher")
    return (*book, *journal, *last) if kind.startswith("in") else (*journal, *book, *last)


def _arxiv(fields: Fields, eprint: str, archive: str) -> str:
    stated = decode_verbatim(fields.get("arxivid") or fields.get("arxiv") or "")
    if not stated and eprint and archive in {"", "arxiv"}:
        old = re.fullmatch(r"(?:arXiv:)?(\d{7}(?:v\d+)?)", eprint, re.IGNORECASE)
        archive_class = fields.get("primaryclass") or fields.get("eprintclass") or ""
        stated = f"{archive_class.split('.')[0]}/{old.group(1)}" if old and archive_class else eprint
    return stated
