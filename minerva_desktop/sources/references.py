"""A pasted list of references: where one entry ends, what identifies it, whether a record is the work that it names."""

from __future__ import annotations

import itertools
import re

from rapidfuzz import fuzz

from minerva_desktop.language.identifiers import find_arxiv, find_doi, parse_arxiv, parse_pmid
from minerva_desktop.records.works import WorkRecord

MOST_ENTRIES = 200
_LABEL = re.compile(r"^\s*(?:\[\s*[\w+.:-]{1,24}\s*\]|\(\d{1,3}\)|\d{1,3}[.)]|[•*–-])\s+(?=\S)")
_NUMBERED = re.compile(r"(?m)^\s*(?:\[\s*\d{1,3}\s*\]|\(\d{1,3}\)|\d{1,3}[.)])\s+(?=\S)")
_HEADING = re.compile(r"(?:references?|bibliography|literature(?: cited)?|works cited)\s*:?\Z", re.IGNORECASE)
_INLINE = re.compile(r"(?<=[.\]])\s+(?=\[\d{1,3}\]\s+\S)")
_PMID = re.compile(
    r"(?:pmid\s*:?\s*|pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/pubmed/)(\d{1,8})\b", re.IGNORECASE
)
_ARXIV_ADDRESS = re.compile(r"arxiv\.org/(?:abs|pdf|html|format)/([\w./-]+)", re.IGNORECASE)
_IDENTIFIER_ONLY = re.compile(r"\A\s*(?:doi:?\s*|arxiv:?\s*|pmid:?\s*|https?://)?\S+\s*\Z", re.IGNORECASE)
_ALIKE = 88.0
_ALIKE_ALONE = 96.0
_SHORTEST_TITLE = 12
_FULL_LINE = 50


def split_entries(text: str) -> list[str]:
    """The entries of a list, each on one line without its number. Numbers decide where there are some, then empty lines,
    then lines; a line that only continues the one before is joined to it."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(_NUMBERED.findall(text)) >= 2:
        starts = [match.start() for match in _NUMBERED.finditer(text)]
        bounds = [*([0] if text[: starts[0]].strip() else []), *starts, len(text)]
        pieces = [text[a:b] for a, b in itertools.pairwise(bounds)]
    elif re.search(r"\n[ \t]*\n", text):
        pieces = [part for block in re.split(r"\n[ \t]*\n", text) for part in _lines(block)]
    else:
        pieces = _lines(text)
    pieces = [part for piece in pieces for part in _INLINE.split(piece)]
    entries = (" ".join(_LABEL.sub("", piece).split()) for piece in pieces)
    return [entry for entry in entries if any(map(str.isalnum, entry)) and not _HEADING.match(entry)][:MOST_ENTRIES]


def _lines(block: str) -> list[str]:
    """The entries of a block: its lines, where a line that starts in the middle of a sentence belongs to the last."""
    lines = [line for line in block.split("\n") if line.strip()]
    sentences = any(line.rstrip().endswith(".") for line in lines)
    found: list[str] = []
    for line in lines:
        broken_off = (
            sentences
            and bool(found)
            and len(found[-1]) >= _FULL_LINE
            and not found[-1].rstrip().endswith((".", "]", ")"))
            and not _whole(found[-1])
        )
        continues = bool(found) and (line[0].isspace() or line.strip()[0].islower() or broken_off)
        if continues and not _IDENTIFIER_ONLY.match(line) and not _IDENTIFIER_ONLY.match(found[-1]):
            found[-1] = f"{found[-1].rstrip()} {line.strip()}"
        else:
            found.append(line)
    return found


def _whole(line: str) -> bool:
    """Whether a line is an entry by itself: it has an identifier."""
    return bool(identifier(line)[1])


def identifier(entry: str) -> tuple[str, str]:
    """("doi", "arxiv", "pmid" or "", the identifier) that an entry carries."""
    doi = find_doi(entry)
    if doi and not doi.startswith("10.48550/arxiv."):
        return "doi", doi
    if doi:
        return "arxiv", re.sub(r"v\d+\Z", "", doi.removeprefix("10.48550/arxiv."))
    address = _ARXIV_ADDRESS.search(entry)
    arxiv = (parse_arxiv(address.group(1).rstrip(".")) if address else "") or find_arxiv(entry) or parse_arxiv(entry)
    if arxiv:
        return "arxiv", arxiv
    pmid = _PMID.search(entry)
    return ("pmid", parse_pmid(pmid.group(1))) if pmid else ("", "")


def likeness(entry: str, record: WorkRecord) -> float:
    """How surely an entry names a record, 0 to 1: its title must stand in the entry, and a name or the year with it."""
    title, whole = _folded(record.title), _folded(entry)
    if len(title) < _SHORTEST_TITLE:
        return 0.0
    score = fuzz.partial_ratio(title, whole) if len(title) <= len(whole) else fuzz.ratio(title, whole)
    names = {_folded(name).split(" ")[-1] for name in record.authors[:3] if name.strip()}
    words = set(whole.split())
    supported = bool(names & words) or (record.year is not None and str(record.year) in words)
    return score / 100 if score >= (_ALIKE if supported else _ALIKE_ALONE) else 0.0


def _folded(text: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", text.casefold()).split())
