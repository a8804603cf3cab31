"""Identifiers of works and people: DOI, arXiv, PubMed, ORCID; as people write them, in one form.

Grammars: DOI handbook 2.2 (ten.registrant/suffix), arXiv "Understanding the arXiv identifier", ORCID check digit by
ISO 7064 MOD 11-2.
"""

from __future__ import annotations

import re

_DOI_LEAD = re.compile(r"^(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi\s*:?\s*|info:doi/)", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+\Z")
_DOI_IN_TEXT = re.compile(r"(?<![\w.])10\.\d{4,9}(?:\.\d+)*/[^\s\"{}|\\^`\[\]]+")
_SICI = re.compile(r"\A10\.\d{4,9}/\(SICI\)\S+?<\S+?>\S+", re.IGNORECASE)
_FUNDERS = "10.13039/"
"""The prefix of bodies that pay for research, which is no work's."""

_ARXIV_LEAD = re.compile(
    r"^(?:https?://)?(?:www\.)?(?:export\.)?arxiv\.org/(?:abs|pdf|format|html)/|^arxiv\s*:?\s*", re.IGNORECASE
)
_ARXIV_NEW = re.compile(r"(?:[a-z-]+(?:\.[A-Z]{2})?/)?(?P<id>\d{2}(?:0[1-9]|1[0-2])\.\d{4,5})(?P<version>v\d{1,2})?\Z")
_ARXIV_OLD = re.compile(
    r"(?P<archive>[a-z-]+)(?:\.[A-Z]{2})?/(?P<id>\d{2}(?:0[1-9]|1[0-2])\d{3})(?P<version>v\d{1,2})?\Z"
)
_ARXIV_IN_TEXT = re.compile(
    r"arXiv(?:\s?e-?prints?)?(?:\.org/(?:abs|pdf)/|[:\s.]{0,3})"
    r"(\d{4}\.\d{4,5}(?:v\d{1,2})?|[a-z-]+(?:\.[A-Z]{2})?/(?:\d{7}|\d{4}\.\d{4,5})(?:v\d{1,2})?)\b",
    re.IGNORECASE,
)
_ARCHIVES = frozenset(
    "acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs dg-ga econ "
    "eess funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics "
    "plasm-ph q-alg q-bio q-fin quant-ph solv-int stat supr-con".split()
)
_PMID = re.compile(
    r"(?:(?:https?://)?(?:pubmed\.ncbi\.nlm\.nih\.gov/|(?:www\.)?ncbi\.nlm\.nih\.gov/pubmed/)|pmid\s*:?\s*)?"
    r"(\d{1,8})/?\Z",
    re.IGNORECASE,
)
_PMCID = re.compile(
    r"(?:(?:https?://)?(?:www\.)?(?:ncbi\.nlm\.nih\.gov/pmc/articles/|pmc\.ncbi\.nlm\.nih\.gov/articles/))?"
    r"(PMC\d{1,8})/?\Z",
    re.IGNORECASE,
)
_ORCID = re.compile(r"(?:(?:https?://)?orcid\.org/)?(\d{4})-?(\d{4})-?(\d{4})-?(\d{3}[\dXx])\Z")


def parse_doi(text: str) -> str:
    """The DOI that a whole string is, without what leads to it; empty when it is none. Case is kept (DOIs compare
    without it)."""
    plain = _DOI_LEAD.sub("", text.strip())
    return plain if _DOI.match(plain) and len(plain) < 300 else ""


def find_doi(text: str) -> str:
    """The first DOI of a work in running text, lower case, without the punctuation behind it; empty when there is none."""
    for match in _DOI_IN_TEXT.finditer(text):
        sici = _SICI.match(match.group())
        doi = sici.group() if sici else re.split(r"[<>]", match.group(), maxsplit=1)[0]
        if doi.startswith(_FUNDERS):
            continue
        doi = doi.rstrip(".,;:'\"”’»*†‡")
        while doi.endswith((")", "]")) and doi.count("(") < doi.count(")"):
            doi = doi[:-1].rstrip(".,;:")
        if doi[-1:] != "/":
            return doi.lower()
    return ""


def parse_arxiv(text: str) -> str:
    """The arXiv identifier that a whole string is, without "arXiv:" and subject class, its version kept; else empty.

    >>> parse_arxiv("arXiv:math.GT/0309136v2"), parse_arxiv("https://arxiv.org/abs/2501.01300v2")
    ('math/0309136v2', '2501.01300v2')
    """
    plain = re.sub(r"\.pdf\Z", "", _ARXIV_LEAD.sub("", text.strip()), flags=re.IGNORECASE)
    new = _ARXIV_NEW.match(plain)
    if new:
        return new.group("id") + (new.group("version") or "")
    old = _ARXIV_OLD.match(plain)
    if old and old.group("archive") in _ARCHIVES:
        return f"{old.group('archive')}/{old.group('id')}{old.group('version') or ''}"
    return ""


def find_arxiv(text: str) -> str:
    """The first arXiv identifier in running text that is called one; else empty."""
    for match in _ARXIV_IN_TEXT.finditer(text):
        found = parse_arxiv(match.group(1))
        if found:
            return found
    return ""


def parse_pmid(text: str) -> str:
    """The number of a PubMed record; a bare number counts. Empty when it is none."""
    match = _PMID.match(text.strip())
    return match.group(1) if match else ""


def parse_pmcid(text: str) -> str:
    """The identifier of an article in PubMed Central, "PMC" and digits; else empty."""
    match = _PMCID.match(text.strip())
    return match.group(1).upper() if match else ""


def parse_orcid(text: str) -> str:
    """An ORCID iD in groups of four, its check digit verified; else empty."""
    match = _ORCID.match(text.strip())
    if not match:
        return ""
    digits = "".join(match.groups()).upper()
    total = 0
    for digit in digits[:-1]:
        total = (total + int(digit)) * 2
    check = (12 - total % 11) % 11
    return (
        "-".join(digits[at : at + 4] for at in range(0, 16, 4))
        if digits[-1] == ("X" if check == 10 else str(check))
        else ""
    )
