"""SciFact's abstracts and training claims, in two halves that were fixed before anything was tuned.

Claims that share an abstract with one another belong together: often one is the other turned round, and what is tuned on the
one is known of the other. So the halves part groups of claims, by a hash of the group's smallest abstract number: ``dev`` is
for choosing, ``test`` is only ever reported.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Half = Literal["dev", "test"]
AT = 10


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim as a query, and the abstracts that are relevant to it."""

    id: int
    text: str
    relevant: frozenset[str]
    half: Half


@dataclass(frozen=True, slots=True)
class Abstract:
    id: str
    title: str
    text: str


def read_abstracts(folder: Path) -> list[Abstract]:
    """The abstracts by number."""
    rows = map(json.loads, (folder / "corpus.jsonl").read_text("utf-8").splitlines())
    found = [Abstract(str(row["doc_id"]), row["title"].strip(), " ".join(row["abstract"]).strip()) for row in rows]
    return sorted(found, key=lambda item: int(item.id))


def read_claims(folder: Path) -> list[Claim]:
    """The training claims by number, each in its half."""
    relevant: dict[int, set[str]] = {}
    for line in (folder / "qrels_train.tsv").read_text("utf-8").splitlines()[1:]:
        claim, abstract, grade = line.split("\t")
        if int(grade) > 0:
            relevant.setdefault(int(claim), set()).add(abstract)
    rows = map(json.loads, (folder / "claims_train.jsonl").read_text("utf-8").splitlines())
    texts = {int(row["id"]): str(row["claim"]) for row in rows}
    halves = _halves(relevant)
    return [Claim(id_, texts[id_], frozenset(relevant[id_]), halves[id_]) for id_ in sorted(relevant) if id_ in texts]


def ndcg(ranking: Sequence[str], relevant: frozenset[str], at: int = AT) -> float:
    """Normalised discounted cumulative gain of the first ``at`` places, every relevant one counting the same."""
    gain = sum(1 / math.log2(place + 2) for place, item in enumerate(ranking[:at]) if item in relevant)
    best = sum(1 / math.log2(place + 2) for place in range(min(at, len(relevant))))
    return gain / best if best else 0.0


def _halves(relevant: Mapping[int, set[str]]) -> dict[int, Half]:
    smallest = _groups(relevant)
    return {claim: "dev" if _even(smallest[min(items)]) else "test" for claim, items in relevant.items()}


def _groups(relevant: Mapping[int, set[str]]) -> dict[str, int]:
    """For each abstract the smallest number of those that claims join with it, over any number of steps."""
    smallest = {item: int(item) for items in relevant.values() for item in items}
    changed = True
    while changed:
        changed = False
        for items in relevant.values():
            least = min(smallest[item] for item in items)
            for item in items:
                changed = changed or smallest[item] > least
                smallest[item] = min(smallest[item], least)
    return smallest


def _even(number: int) -> bool:
    return hashlib.sha256(str(number).encode()).digest()[0] % 2 == 0
