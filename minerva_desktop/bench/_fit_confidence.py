"""Fits the weights of ``resources/extraction/confidence.toml`` to the labels and prints the file.

    python -m minerva_desktop.bench._fit_confidence DATA > resources/extraction/confidence.toml

The labels are ``relations_training.jsonl`` and the development part of ``relations.jsonl``; the closing part is not
opened. What is found is found without looking at the present weights, so that fitting twice gives the same file.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from minerva_desktop.bench import _labels
from minerva_desktop.bench.relations import TYPES, Gold, gold_of, sentence_hash, span_is, touches
from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.domains import load_domain
from minerva_desktop.extraction.chunks import Skeleton, skeleton
from minerva_desktop.extraction.lexicon import Lexicon, lexicon_of
from minerva_desktop.extraction.pairs import Pair, pairs
from minerva_desktop.extraction.reading import names_of, read
from minerva_desktop.extraction.statements import patterns

PENALTY = 1.0
LEAST = 5
"""A feature that fewer pairs have gets no weight."""
KEEP = 0.55
FOUND_BY_PAIRS = ("SYNTHESIZED_BY", "USED_IN", "HAS_PROPERTY")


@dataclass(frozen=True, slots=True)
class Example:
    """A pair of a labelled sentence and whether the sentence states it."""

    file: str
    type: str
    features: tuple[str, ...]
    right: bool


def examples(data: Path) -> list[Example]:
    """The pairs of all sentences that may be learned from, in order. What a reader doubted is left out."""
    rows = _labels.labels("relations_training")
    development = _labels.grouped(_labels.labels("relations"))
    closing = {file for place, file in enumerate(sorted(development)) if place % 3 == 2}
    rows += [row for file, items in development.items() if file not in closing for row in items]
    domain = load_domain("materials")
    lexicon = lexicon_of(domain)
    found: list[Example] = []
    with ReaderPool(Limits()) as pool:
        for file, items in _labels.grouped(rows).items():
            document = pool.read(data / file)
            names = names_of(document.text, lexicon, {})
            texts = {sentence_hash(item.text): item.text for item in document.sentences if item.mined}
            for row in items:
                text = texts.get(row["hash"])
                if text is not None:
                    chunks = skeleton(read(text, lexicon, names), lexicon)
                    found += _of_sentence(file, text, chunks, lexicon, list(gold_of(row, text)))
    return found


def _of_sentence(file: str, text: str, chunks: Skeleton, lexicon: Lexicon, gold: Sequence[Gold]) -> Iterator[Example]:
    rules: dict[tuple[int, int], list[str]] = defaultdict(list)
    for item in patterns(text, chunks, lexicon):
        rules[item.source, item.target].append(item.rule)
    for pair in pairs(chunks):
        hits = [item for item in gold if _is(pair, item, chunks, text)]
        if hits and all(item.neutral for item in hits):
            continue
        fired = tuple(f"pattern:{rule}" for rule in rules[pair.material, pair.target])
        right = any(not item.neutral and item.modality != "negated" for item in hits)
        yield Example(file, pair.type, (*pair.features, *fired), right)


def _is(pair: Pair, item: Gold, chunks: Skeleton, text: str) -> bool:
    stated = pair.type == "HAS_PROPERTY" and item.type == "HAS_VALUE"
    if item.before or not (item.type == pair.type or stated):
        return False
    target = item.property_span if stated else item.target
    if target is None or not touches(chunks.mention(pair.target).span, target):
        return False
    return span_is(chunks.mention(pair.material).span, item.source, text)


def fitted(found: Sequence[Example]) -> tuple[float, dict[str, float]]:
    """Bias and weights by Newton's method on the penalised likelihood."""
    counts = Counter(name for item in found for name in set(item.features))
    names = sorted(name for name, count in counts.items() if count >= LEAST)
    place = {name: column + 1 for column, name in enumerate(names)}
    table = np.zeros((len(found), len(names) + 1))
    table[:, 0] = 1.0
    for row, item in enumerate(found):
        for name in item.features:
            if name in place:
                table[row, place[name]] = 1.0
    weights = _newton(table, np.array([item.right for item in found], dtype=float))
    return float(weights[0]), {name: float(weights[place[name]]) for name in names}


def _newton(table: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.zeros(table.shape[1])
    penalty = np.full(table.shape[1], PENALTY)
    penalty[0] = 1e-4
    for _ in range(80):
        chance = 1.0 / (1.0 + np.exp(-table @ weights))
        slope = table.T @ (chance - right) + penalty * weights
        curve = (table * (chance * (1.0 - chance))[:, None]).T @ table + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        weights -= step
        if float(np.abs(step).max()) < 1e-8:
            break
    return weights


def fitted_file(data: Path) -> str:
    """The text of the whole file."""
    found = examples(data)
    lines = ["# Fitted by minerva_desktop.bench._fit_confidence; the rules' shares are counted by bench relations.", ""]
    for name in (item for item in TYPES if item in FOUND_BY_PAIRS):
        own = [item for item in found if item.type == name]
        bias, weights = fitted(own)
        lines += [f"[types.{name}]", f"# {len(own)} pairs, {sum(item.right for item in own)} of them stated"]
        lines += [f"bias = {bias:.2f}", f"keep = {KEEP}", "", f"[types.{name}.features]"]
        lines += [f'"{feature}" = {weight:.2f}' for feature, weight in weights.items() if abs(weight) >= 0.05]
        lines.append("")
    return "\n".join(lines) + "\n" + _RULES


_RULES = """[rules]
# Share of a rule's facts that were right among the labels, drawn towards 0.85 where they are few.
value-bracket = 0.85
value-of = 0.9
value-for = 0.85
value-compound = 0.8
value-with = 0.85
value-verb = 0.85
value-respectively = 0.8
value-its = 0.6
value-carried = 0.45
name-formula = 0.92
written-formula = 0.91
formula-element = 0.93
named-element = 0.9
table-row = 0.75

[circumstances]
# What lowers a confidence: the sentence is a caption; the value can be read in two ways; the material stands in the
# sentence before.
caption = 0.8
ambiguous = 0.7
carried = 0.8
"""


if __name__ == "__main__":
    sys.stdout.write(fitted_file(Path(sys.argv[1])))
