"""The claim check on 200 claims about the starter textbook, and on SciFact's training claims when they are there.

Precision: the share of verdicts of a name that are right. Coverage: the share of claims of a label that got it. The
claims stand in ``resources/bench/verdict_claims.jsonl``. They were written before the code that they judge, except for two
"absent" ones that were exchanged later: the textbook turned out to state one of them (and its first replacement), the
other had an ambiguous label. Misses on these claims were looked at while the code was made, and the textbook says most
things in one pattern of sentence: the figures are an upper bound, running prose is harder.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from minerva_desktop.assets import resource_path
from minerva_desktop.checks import claims
from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.inspection import find_in_starter_textbook
from minerva_desktop.records import Passage

NAMES = ("SUPPORTED", "CONTRADICTED")


def run(data: Path | None) -> dict[str, Any]:
    """Figures for the own claims, by kind of claim too, and for SciFact."""
    begin = time.perf_counter()
    domain = load_domain("materials")
    own = [json.loads(line) for line in resource_path("bench", "verdict_claims.jsonl").read_text("utf-8").splitlines()]
    results = [
        (item["label"], claims.check_claim(item["claim"], find_in_starter_textbook, domain).verdict, item["kind"])
        for item in own
    ]
    figures: dict[str, Any] = measure((label, verdict) for label, verdict, _ in results)
    figures["right_by_kind"] = {
        kind: f"{sum(label == verdict for label, verdict, k in results if k == kind)}/{count}"
        for kind, count in sorted(Counter(kind for _, _, kind in results).items())
    }
    if data is not None and (data / "scifact").is_dir():
        figures["scifact"] = _scifact(data / "scifact", domain)
    return {"name": "verdict", "n": len(own), "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def measure(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Precision and coverage of both verdicts from (label, verdict) pairs."""
    known = list(pairs)
    figures: dict[str, Any] = {"claims": len(known)}
    for name in NAMES:
        given = [label for label, verdict in known if verdict == name]
        labelled = [verdict for label, verdict in known if label == name]
        right = sum(label == name for label in given)
        figures[name] = {
            "given": len(given),
            "right": right,
            "precision": round(right / len(given), 3) if given else None,
            "coverage": round(right / len(labelled), 3) if labelled else None,
        }
    return figures


def _scifact(folder: Path, domain: Domain) -> dict[str, Any]:
    corpus_file = next(iter(sorted(folder.rglob("corpus*.jsonl"))), None)
    claims_file = next(iter(sorted(folder.rglob("*claims_train*.jsonl"))), None)
    if corpus_file is None or claims_file is None:
        return {"skipped": "corpus or training claims are not in the folder"}
    corpus = {str(item["doc_id"]): item for item in _lines(corpus_file)}
    pairs = []
    for item in _lines(claims_file):
        for document, evidence in sorted(item.get("evidence", {}).items()):
            label = "SUPPORTED" if evidence[0]["label"] == "SUPPORT" else "CONTRADICTED"
            verdict = claims.judge_text(item["claim"], _passages(corpus.get(document)), domain).verdict
            pairs.append((label, verdict))
    return measure(pairs)


def _passages(document: dict[str, Any] | None) -> Sequence[Passage]:
    if document is None:
        return ()
    title = str(document["title"])
    return (Passage(str(document["doc_id"]), "textbook", "scifact", title, " ".join(document["abstract"])),)


def _lines(path: Path) -> Iterable[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())
