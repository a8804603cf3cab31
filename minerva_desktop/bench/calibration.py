"""Do confidences mean what they say? Links of SOFC-Exp by how sure we are of them, against how many are right.

A confidence of 0.8 should be right in eight of ten. The expected calibration error is the mean distance between the two
over ten bins of equal width, weighted by how many links are in a bin (Naeini et al., AAAI 2015).
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from minerva_desktop.bench import links, need
from minerva_desktop.domains import load_domain
from minerva_desktop.extraction.links import link

_BINS = 10


def run(data: Path | None) -> dict[str, Any]:
    """The expected calibration error of train and dev, and the reliability of each bin: n, mean confidence, share right."""
    begin = time.perf_counter()
    corpus = need(data, "sofc-exp", "sofc-exp-corpus")
    domain = load_domain("materials")
    figures: dict[str, Any] = {}
    count = 0
    for name in ("train", "dev"):
        judged: list[tuple[float, bool]] = []
        for one in links.sentences_of(corpus, name):
            for item in link(one.text, one.entities, domain):
                judged.append((item.confidence, (item.source, item.target, item.type) in one.links))
        count += len(judged)
        figures[name] = reliability(judged)
    return {"name": "calibration", "n": count, "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def reliability(judged: list[tuple[float, bool]]) -> dict[str, Any]:
    """Bins by confidence and the expected calibration error of (confidence, right) pairs."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for confidence, right in judged:
        bins[min(int(confidence * _BINS), _BINS - 1)].append((confidence, right))
    rows: list[dict[str, Any]] = []
    error = 0.0
    for number, inside in enumerate(bins):
        if inside:
            mean = sum(confidence for confidence, _ in inside) / len(inside)
            share = sum(right for _, right in inside) / len(inside)
            error += abs(mean - share) * len(inside) / len(judged)
            low = number / _BINS
            rows.append({"from": low, "n": len(inside), "confidence": round(mean, 3), "right": round(share, 3)})
    return {"links": len(judged), "expected_calibration_error": round(error, 3), "bins": rows}
