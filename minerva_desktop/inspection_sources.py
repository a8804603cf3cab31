"""What the judging of found papers makes of one input: is it relevant, and which records are one paper."""

from __future__ import annotations

import json
from typing import Any

from minerva_desktop.domains import Domain
from minerva_desktop.errors import UsageError
from minerva_desktop.records import to_plain
from minerva_desktop.records.works import Work
from minerva_desktop.sources import merging, notices, same_paper
from minerva_desktop.sources.loose import read_record
from minerva_desktop.sources.relevance import judge
from minerva_desktop.sources.wording import Synonyms


def synonyms_of(domain: Domain) -> Synonyms:
    """The names of a domain's materials, methods, applications and properties, for the relevance of papers."""
    names: dict[str, list[str]] = {}
    for material in domain.materials:
        more = [material.formula] if material.formula else []
        names.setdefault(material.name, []).extend([*material.synonyms, *material.case_sensitive, *more])
    for term in (*domain.methods, *domain.applications):
        names.setdefault(term.name, []).extend([*term.synonyms, *term.case_sensitive])
    for spec in domain.properties:  # a single word such as "gap" is too loose a name for one property
        phrases = [name for name in (spec.label, *spec.synonyms) if " " in name or "-" in name]
        symbols = [name for name in spec.case_sensitive if len(name) > 1]
        if len(phrases) + len(symbols) > 1:
            names.setdefault(spec.label, []).extend([*phrases, *symbols])
    return Synonyms(names)


def relevance(query: str, title: str, abstract: str, domain: Domain) -> dict[str, Any]:
    """Whether a search would keep a paper, and why."""
    plain: dict[str, Any] = to_plain(judge(query, title, abstract, synonyms_of(domain)))
    return plain


def duplicates(file: str, text: str) -> dict[str, Any]:
    """Which records of a JSON list are one paper; indices count from 0 in the order given."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file} is not valid JSON: {error}.") from error
    if not isinstance(data, list):
        raise UsageError(f"{file} must hold a JSON list of records.", hint='For example: [{"title": "…", "doi": "…"}]')
    records = [read_record(item, f"Record {at} of {file}") for at, item in enumerate(data)]
    found = same_paper.group(records)
    works = notices.apply(found.works)
    return {
        "groups": [list(places) for places in found.members],
        "excluded": [{"index": item.index, "reason": item.reason} for item in found.excluded],
        "flags": [{"kind": flag.kind, "indices": list(flag.indices), "reason": flag.reason} for flag in found.flags],
        "merged": [
            {**_merged(work), "indices": list(places), "reasons": list(reasons)}
            for work, places, reasons in zip(works, found.members, found.reasons, strict=True)
        ],
    }


def _merged(work: Work) -> dict[str, Any]:
    plain: dict[str, Any] = to_plain(work.best)
    return {
        **plain,
        "sources": list(work.sources),
        "dois": list(merging.dois(work)),
        "arxiv_ids": list(merging.arxiv_ids(work)),
        "conflicts": list(work.conflicts),
        "banner": notices.banner(work.best.notices),
    }
