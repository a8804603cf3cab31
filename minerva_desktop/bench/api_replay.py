"""Do the parsers take what the services really sent? Every recorded answer, and what each field was found in.

An answer counts as understood when it gave works, refused each of its items with a reason, or said in one clause why it
holds none.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from minerva_desktop.bench import need
from minerva_desktop.errors import UsageError
from minerva_desktop.records.works import WorkRecord
from minerva_desktop.sources import arxiv, crossref, doi_text, openalex, semanticscholar, unpaywall
from minerva_desktop.sources.parsing import Parsed

_PARSERS: dict[str, Callable[[bytes], Parsed]] = {
    "arxiv": arxiv.parse,
    "openalex": openalex.parse,
    "crossref": crossref.parse,
    "unpaywall": unpaywall.parse,
    "semanticscholar": semanticscholar.parse,
    "doi-content-negotiation": doi_text.parse,
}
_SHOWN = 12


def run(data: Path | None) -> dict[str, Any]:
    """By service: answers, works, refusals, answers without works, exceptions, and works that have each field."""
    begin = time.perf_counter()
    folder = data if data is not None and (data / "index.jsonl").is_file() else need(data, "api")
    index = folder / "index.jsonl"
    if not index.is_file():
        raise UsageError(f"There is no {index} that lists the recorded answers.")
    tally: dict[str, Counter[str]] = {}
    fields: dict[str, Counter[str]] = {}
    reasons: Counter[str] = Counter()
    failures: list[str] = []
    silent: list[str] = []
    lines = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines() if line.strip()]
    for line in lines:
        service = line["api"]
        counts = tally.setdefault(service, Counter({"answers": 0, "works": 0, "refused": 0, "without works": 0}))
        counts["answers"] += 1
        body = (folder / line["file"]).read_bytes()
        try:
            parsed = _parser(line)(body)
        except Exception as error:  # noqa: BLE001 counting them is what this is for
            failures.append(f"{line['file']}: {type(error).__name__}: {error}")
            continue
        counts["works"] += len(parsed.records)
        counts["refused"] += len(parsed.refused)
        counts["without works"] += bool(parsed.problem)
        reasons.update(f"{service}: {one.reason}" for one in parsed.refused)
        if parsed.problem:
            reasons[f"{service}: {parsed.problem}"] += 1
        if not (parsed.records or parsed.refused or parsed.problem) and parsed.total != 0 and line["status"] >= 300:
            silent.append(line["file"])
        for record in parsed.records:
            fields.setdefault(service, Counter()).update(_present(record))
    return {
        "name": "api-replay",
        "n": len(lines),
        "seconds": round(time.perf_counter() - begin, 2),
        "figures": {
            "exceptions": len(failures),
            "exceptions_shown": failures[:_SHOWN],
            "neither_read_nor_refused": silent,
            "services": {name: dict(tally[name]) for name in sorted(tally)},
            "fields": {name: dict(sorted(fields[name].items())) for name in sorted(fields)},
            "reasons": dict(reasons.most_common(3 * _SHOWN)),
        },
    }


def _parser(line: dict[str, Any]) -> Callable[[bytes], Parsed]:
    """The parser that the program uses for such an address: DOI resolvers and their copies at Crossref have their own."""
    if "/transform" in line["uri"] or line["api"] not in _PARSERS:
        return doi_text.parse
    return _PARSERS[line["api"]]


def _present(record: WorkRecord) -> list[str]:
    found = {
        "title": record.title,
        "year": record.year,
        "authors": record.authors,
        "doi": record.doi or record.published_doi,
        "abstract": record.abstract,
        "pdf": record.pdf_urls,
        "venue": record.venue,
        "arxiv": record.arxiv_id,
        "pmid": record.pmid,
        "kind": record.kind,
        "notices": record.notices,
        "corrects": record.corrects,
        "published_doi": record.published_doi,
    }
    return [name for name, value in found.items() if value]
