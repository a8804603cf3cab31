"""Do confidences mean what they say? Links of SOFC-Exp, and facts of labelled papers, by how sure we are of them, against
how many are right.

A confidence of 0.8 should be right in eight of ten. The expected calibration error is the mean distance between the two
over ten bins of equal width, weighted by how many links are in a bin (Naeini et al., AAAI 2015).
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from minerva_desktop.bench import links, need, relations
from minerva_desktop.bench._scores import reliability
from minerva_desktop.domains import load_domain
from minerva_desktop.extraction.links import link


def run(data: Path | None) -> dict[str, Any]:
    """The expected calibration error of links (train and dev) and of facts (the development labels), and the reliability
    of each bin: n, mean confidence, share right."""
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
    facts = relations.run(data)
    figures["facts"] = facts["figures"]["calibration"]
    count += facts["figures"]["calibration"]["judged"]
    return {"name": "calibration", "n": count, "seconds": round(time.perf_counter() - begin, 2), "figures": figures}
