"""EndNote's tagged format (``%T``, also what Google Scholar calls "EndNote") and PubMed's (``TI  -``), read as RIS."""

from __future__ import annotations

import re
from collections.abc import Iterator

from minerva_desktop.records import RefusedRecord
from minerva_desktop.sources.bibliography.drafts import Draft
from minerva_desktop.sources.bibliography.plain import clean
from minerva_desktop.sources.bibliography.ris import Record, draft_of

_REFER = {
    "%T": "TI", "%A": "AU", "%E": "A2", "%J": "JF", "%B": "T2", "%D": "PY", "%8": "DA", "%R": "DO", "%U": "UR", "%X": "AB",
    "%>": "L1", "%M": "AN", "%I": "PB", "%F": "ID", "%G": "LA", "%Z": "N1",
}  # fmt: skip
_REFER_KINDS = {
    "journal article": "JOUR", "electronic article": "JOUR", "magazine article": "JOUR", "conference paper": "CPAPER",
    "conference proceedings": "CONF", "book": "BOOK", "edited book": "BOOK", "book section": "CHAP", "dataset": "DATA",
}  # fmt: skip
_PUBMED = {
    "TI": "TI", "BTI": "BT", "FAU": "AU", "CN": "AU", "JT": "JF", "TA": "JA", "DP": "PY", "AB": "AB", "PMID": "ID",
}  # fmt: skip
_PUBMED_LINE = re.compile(r"([A-Z]{2,4}) {0,2}- (.*)")
_LISTS = frozenset({"AU", "A2", "UR", "L1", "N1", "AN", "DO"})


def read_refer(text: str) -> Iterator[tuple[Draft, str] | RefusedRecord]:
    """The records of EndNote's tagged format, as drafts. Never raises."""
    record: Record = {}
    start, last = 0, ""
    for number, line in enumerate([*text.split("\n"), "%0 "], 1):
        tag, value = line[:2], clean(line[3:])
        if tag == "%0":
            if record:
                yield draft_of(record), f"line {start}: {record['TY']}"
            record, start, last = {"TY": _REFER_KINDS.get(value.lower(), "GEN")}, number, ""
        elif record and re.match(r"%\S(?:\s|\Z)", line):
            last = _REFER.get(tag, "")
            _add(record, last, value)
        elif record and last and clean(line):
            _go_on(record, last, clean(line))


def read_pubmed(text: str) -> Iterator[tuple[Draft, str] | RefusedRecord]:
    """The records of PubMed's own format, as drafts. Never raises."""
    record: Record = {}
    start, last = 0, ""
    for number, line in enumerate([*text.split("\n"), "PMID- "], 1):
        match = _PUBMED_LINE.fullmatch(line.rstrip()) or re.fullmatch(r"([A-Z]{2,4}) {0,2}-()", line.rstrip())
        if match and match.group(1) == "PMID":
            if record:
                yield _pubmed_draft(record), f"line {start}: record {clean(record.get('ID'))}"
            record, start, last = {"TY": "JOUR", "ID": clean(match.group(2))}, number, ""
        elif match and record:
            name, value = match.group(1), clean(match.group(2))
            last = _PUBMED.get(name, "")
            if name in {"LID", "AID"} and value.lower().endswith("[doi]"):
                _add(record, "DO", value[:-5].strip())
            elif name == "PT" and value.lower().startswith("book"):
                record["TY"] = "BOOK"
            else:
                _add(record, last, value)
        elif record and last and line.startswith("      "):
            _go_on(record, last, clean(line))


def _pubmed_draft(record: Record) -> Draft:
    draft = draft_of(record)
    draft.pmid = clean(record.get("ID"))
    return draft


def _add(record: Record, tag: str, value: str) -> None:
    if not tag or not value:
        return
    if tag in _LISTS:
        record.setdefault(tag, []).append(value)
    else:
        record.setdefault(tag, value)


def _go_on(record: Record, tag: str, more: str) -> None:
    """A value that goes on in the next line."""
    if tag in _LISTS:
        record[tag] = [*record.get(tag, [])[:-1], f"{record[tag][-1]} {more}"] if record.get(tag) else [more]
    else:
        record[tag] = f"{record.get(tag, '')} {more}".strip()
