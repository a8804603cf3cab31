"""RIS, as reference managers and publishers write it: rispy reads each record, after its lines have been put right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rispy import RisParser
from rispy.config import TAG_KEY_MAPPING

from minerva_desktop.records import RefusedRecord
from minerva_desktop.sources.bibliography.drafts import Draft
from minerva_desktop.sources.bibliography.plain import clean, spoken_name, without_markup, year_of

_KINDS = {
    "JOUR": "article", "JFULL": "article", "EJOUR": "article", "MGZN": "article", "INPR": "article", "CONF": "article",
    "CPAPER": "article", "ABST": "article", "BOOK": "book", "EBOOK": "book", "EDBOOK": "book", "CHAP": "chapter",
    "ECHAP": "chapter", "DATA": "dataset", "AGGR": "dataset", "PREPRINT": "preprint",
}  # fmt: skip
_LINE = re.compile(r"\s{0,3}([A-Za-z][A-Za-z0-9]) {0,3}-(?: |\Z)(.*)", re.DOTALL)
_STRICT = re.compile(r"([A-Z][A-Z0-9])  -(.*)", re.DOTALL)
_AUTHORS = ("AU", "A1", "A2", "ED", "A3")
_LISTS = [*_AUTHORS, "A4", "KW", "N1", "UR", "L1", "L2", "L4", "LK", "DO", "M1", "M3", "AN"]
_TITLES, _BOOK_TITLES = ("TI", "T1", "CT", "BT", "ST"), ("TI", "T1", "BT", "CT", "ST")
_VENUES = ("JF", "T2", "JO", "BT", "JA", "J1", "J2", "T3", "PB")
_TAGS = {tag: tag for tag in (*TAG_KEY_MAPPING, "ED", "LK", "CT", "BT", "J1", "L3")}
_MOST_LINES = 20_000

Record = dict[str, Any]
"""Values, or lists of them, by tag."""


def read_ris(text: str) -> Iterator[tuple[Draft, str] | RefusedRecord]:
    """The records of a file in its order, as drafts or refused with line and reason. Never raises."""
    for line, lines in _records(text):
        where = f"line {line}: {clean(lines[0][6:])}"
        record = _parsed(lines)
        if record is None:
            yield RefusedRecord("ris", where, "It is no well-formed RIS record.")
        elif len(record) == 1:
            yield RefusedRecord("ris", where, "It is empty: there is nothing between its first and its last line.")
        else:
            yield draft_of(record), where


def _records(text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of each record with the number of its first; one begins at TY and ends at ER, the next TY or the end."""
    start = 0
    gathered: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        tidy = _tidy(line.lstrip("\ufeff"))
        tag = tidy[:2] if _STRICT.fullmatch(tidy) else ""
        if tag == "TY":
            if gathered:
                yield start, gathered
            start, gathered = number, [tidy]
        elif tag == "ER":
            if gathered:
                yield start, gathered
            gathered = []
        elif gathered and tidy.strip() and len(gathered) < _MOST_LINES:
            gathered.append(tidy)
    if gathered:
        yield start, gathered


def _tidy(line: str) -> str:
    """A line with its tag spelt as the format wants it: capitals, two blanks, hyphen, blank."""
    loose = _LINE.fullmatch(line)
    if loose is None or (loose.group(1).islower() and not line.startswith(loose.group(1) + "  -")):
        return line
    tag = loose.group(1).upper()
    if tag not in _TAGS and not re.match(r"[A-Z][A-Z0-9]  -", line):
        return line  # "to - as": running text
    return f"{tag}  - {loose.group(2).strip()}"


def _parsed(lines: list[str]) -> Record | None:
    try:
        # No field is split at ";": it belongs to addresses.
        parser = RisParser(mapping=_TAGS, list_tags=_LISTS, delimiter_tags_mapping={})
        found: list[Record] = parser.parse_lines(iter([*lines, "ER  - "]))
    except (KeyError, TypeError, AttributeError, ValueError):  # rispy on a continuation of a field that cannot have one
        return None
    return found[0] if found else None


def _all(record: Record, *tags: str) -> list[str]:
    values: list[str] = []
    for tag in tags:
        value = record.get(tag)
        values += [clean(item) for item in value] if isinstance(value, list) else [clean(value)]
    return [value for value in values if value]


def draft_of(record: Record) -> Draft:
    """What a record says; also for formats whose tags were translated."""
    kind = clean(record.get("TY")).upper()[:10]
    titles = _all(record, *(_BOOK_TITLES if kind in {"BOOK", "EBOOK", "EDBOOK"} else _TITLES))
    title = without_markup(titles[0]) if titles else ""
    venues = [venue for venue in map(without_markup, _all(record, *_VENUES)) if venue != title]
    links = _all(record, "UR", "L2", "LK")
    attached = [part.strip() for text in _all(record, "L1", "L4") for part in _paths(text)]
    return Draft(
        key=next(iter(_all(record, "ID", "LB")), ""),
        title=title,
        authors=_names(record),
        year=year_of(*_all(record, "PY", "Y1", "DA")),
        venue=next(iter(venues), ""),
        abstract=without_markup(next(iter(_all(record, "AB", "N2")), "")),
        kind=_KINDS.get(kind, ""),
        doi=next(iter(_all(record, "DO", "L3")), ""),
        arxiv=next((text for text in _all(record, "AN", "M1", "M3", "UR", "N1") if "arxiv" in text.lower()), ""),
        pmid=_pmid(record),
        addresses=[address for text in links for address in re.split(r"\s*;\s*(?=https?:)|\s+", text)],
        notes=_all(record, "M3", "AN", "M1", "C1", "C7", "SP", "N1"),
        attached=attached,
    )


def _names(record: Record) -> tuple[str, ...]:
    for tag in _AUTHORS:
        names = [spoken_name(name) for text in _all(record, tag) for name in re.split(r"\s*;\s*", text)]
        kept = [name for name in names if name and name.casefold() not in {"et al.", "et al", "others"}]
        if kept:
            return tuple(dict.fromkeys(without_markup(name) for name in kept))
    return ()


def _pmid(record: Record) -> str:
    database = " ".join(_all(record, "DB", "DP")).lower()
    numbers = [text for text in _all(record, "AN") if re.fullmatch(r"\d{5,8}", text)]
    return numbers[0] if numbers and ("pubmed" in database or "medline" in database or "nlm" in database) else ""


def _paths(text: str) -> list[str]:
    """Several files in one line are separated by semicolons; one file's name may hold a semicolon as well."""
    return re.split(r"\s*;\s*(?=(?:file|internal-pdf|https?):|/|[A-Za-z]:[\\/])", text)
