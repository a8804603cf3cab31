"""Identifiers of a work as sources write them, in the one form that compares."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import unquote

from minerva_desktop.language.identifiers import parse_arxiv, parse_pmid
from minerva_desktop.records.works import WorkRecord

_DOI = re.compile(r"10\.\d{1,9}(?:\.\d+)*/\S+", re.IGNORECASE)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)")
_VERSION = re.compile(r"v(\d{1,3})\Z")
_PREPRINT_DOIS = re.compile(
    r"10\.(?:48550/|26434/|21203/|20944/|31234/|31219/|2139/ssrn|36227/|31223/|7287/peerj\.preprints|22541/|33774/|32388/|"
    r"1101/\d{4}\.\d\d\.\d\d\.|1101/\d{6}(?:v\d+)?\Z|1002/essoar|31222/|35542/osf|51094/|55458/|5194/\w+-\d{4}-\d+\Z)"
)
_PREPRINT_VERSION = re.compile(r"(?:[/.-]?v\d{1,2}(?:\.full)?|/v\d{1,2})\Z")
_PREPRINT_KINDS = frozenset({"preprint", "posted-content"})


def normal_doi(text: str) -> str:
    """A DOI in small letters without resolver and trailing punctuation; empty when there is none in the text.

    >>> normal_doi("https://dx.doi.org/10.1038/35065039."), normal_doi("DOI:10.1038%2F35065039")
    ('10.1038/35065039', '10.1038/35065039')
    """
    match = _DOI.search(unquote(text) if "%" in text else text)
    if not match:
        return ""
    doi = match.group().lower().rstrip(".,;:'\"”’")
    while doi.endswith((")", "]", "}")) and doi.count("(") + doi.count("[") < doi.count(")") + doi.count(
        "]"
    ) + doi.count("}"):
        doi = doi[:-1].rstrip(".,;")
    return doi


def split_arxiv(text: str) -> tuple[str, int | None]:
    """An arXiv identifier without its version, and the version; empty and None when there is none."""
    found = parse_arxiv(text.strip()) or parse_arxiv(text.strip().lower())
    if not found:
        return "", None
    version = _VERSION.search(found)
    return _VERSION.sub("", found), int(version.group(1)) if version else None


def arxiv_of_doi(doi: str) -> str:
    """What arXiv's own DOI says: its identifier, perhaps with a version; else empty."""
    match = _ARXIV_DOI.fullmatch(doi)
    return match.group(1) if match else ""


def is_preprint_doi(doi: str) -> bool:
    """Whether a DOI is a preprint server's."""
    return bool(_PREPRINT_DOIS.match(doi))


def preprint_family(doi: str) -> str:
    """A preprint's DOI without its version: all versions of one preprint have the same."""
    return _PREPRINT_VERSION.sub("", doi)


def is_preprint(record: WorkRecord) -> bool:
    """Whether a record describes the version before publication."""
    if record.kind in _PREPRINT_KINDS:
        return True
    if record.doi:
        return is_preprint_doi(record.doi)
    return record.source == "arxiv" or bool(record.arxiv_id)


def published_dois(record: WorkRecord) -> frozenset[str]:
    """The DOIs of the published version that a record states."""
    own = "" if record.kind in _PREPRINT_KINDS else record.doi
    return frozenset(doi for doi in (own, record.published_doi) if doi and not is_preprint_doi(doi))


def normal_record(record: WorkRecord) -> WorkRecord:
    """A record with its identifiers in one form; arXiv's own DOI gives the arXiv identifier, a year of 0 is none."""
    doi, published = normal_doi(record.doi), normal_doi(record.published_doi)
    arxiv_id, version = split_arxiv(record.arxiv_id)
    if not arxiv_id:
        arxiv_id, version = split_arxiv(arxiv_of_doi(doi))
    return replace(
        record,
        title=" ".join(record.title.split()),
        authors=tuple(name for author in record.authors if (name := " ".join(author.split()))),
        year=record.year if record.year and record.year > 0 else None,
        doi=doi,
        arxiv_id=arxiv_id,
        arxiv_version=record.arxiv_version if record.arxiv_version is not None else version,
        pmid=parse_pmid(record.pmid),
        published_doi="" if published == doi else published,
        corrects=tuple(dict.fromkeys(found for text in record.corrects if (found := normal_doi(text)))),
    )
