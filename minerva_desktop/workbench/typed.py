"""What a person types to search the web: words or an identifier, and a range of years."""

from __future__ import annotations

import re

from minerva_desktop.errors import UsageError
from minerva_desktop.language.identifiers import parse_arxiv, parse_doi

_YEARS = re.compile(r"(\d{4})?\s*[-–:]?\s*(\d{4})?")


def is_identifier(text: str) -> bool:
    """Whether a query is a DOI, an arXiv id, a PMID or an address rather than words."""
    text = text.strip()
    named = re.match(r"(?:doi|arxiv|pmid)\s*:?\s*\d", text, re.IGNORECASE)
    return bool(named or parse_doi(text) or parse_arxiv(text) or re.fullmatch(r"https?://\S+", text))


def years_of(text: str | None) -> tuple[int | None, int | None] | None:
    """A range of years as typed: "2015-2020", "2015-", "-2020" or "2015".

    Raises:
        UsageError: it is none.
    """
    if not text:
        return None
    if re.fullmatch(r"\d{4}", text.strip()):
        return int(text), int(text)
    match = _YEARS.fullmatch(text.strip())
    if match is None or not any(match.groups()):
        raise UsageError(f"“{text}” is no range of years.", hint="For example: 2015-2020, 2015- or -2020.")
    first, last = match.groups()
    return (int(first) if first else None, int(last) if last else None)
