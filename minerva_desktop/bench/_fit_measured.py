"""Fits the numbers of ``resources/language/measured.toml`` on MeasEval's training paragraphs and prints the file.

    python -m minerva_desktop.bench._fit_measured DATA > resources/language/measured.toml

The model is a choice among the phrases of a sentence: the probability of a phrase is proportional to the exponential of
the sum of its marks' weights. The weights make the annotated phrases probable, held small by ``STIFFNESS`` (chosen by
five-fold cross-validation over the training texts, as ``THRESHOLD`` was). The same data give the same numbers.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from minerva_desktop.bench import need
from minerva_desktop.bench._scores import Span, pair_up
from minerva_desktop.bench.measeval import Item, annotated, overlap_score
from minerva_desktop.extraction.measured import by_sentence, members, sort_of
from minerva_desktop.extraction.measured_nouns import Anchor, Marks, Nouns
from minerva_desktop.language.parser import parse
from minerva_desktop.language.quantities import find_quantities

STIFFNESS = 2.0
STEPS = 200
RATE = 0.05
THRESHOLD = 0.5
"""A property is named when the likeliest is at least half as probable as none."""
RAREST = 8
"""Marks seen less often say nothing."""
SMALLEST = 0.05
"""Weights below are left out of the file."""

_HEADING = (
    "# Fitted by `python -m minerva_desktop.bench._fit_measured` on MeasEval's training paragraphs; not edited by hand.",
    "# How much each mark of a phrase (extraction/measured_nouns.py) speaks for its being what a quantity measures.",
)

Choice = tuple[list[Marks], list[float]]
"""The marks of each phrase to choose from, and how probable each should be."""


@dataclass(frozen=True, slots=True)
class _Case:
    """An annotated quantity in its sentence, which begins at ``start`` of ``text``."""

    text: str
    start: int
    nouns: Nouns
    anchor: Anchor
    gold: Item

    def shares(self, role: str, candidates: Sequence[int], span: Callable[[int], Span]) -> list[float]:
        """How well each candidate covers the annotated part, as shares of one; empty when none touches it."""
        wanted = self.gold.parts[role]
        scores = []
        for index in candidates:
            first, last = (place + self.start for place in span(index))
            touching = max(wanted[0], first) < min(wanted[1], last)
            scores.append(overlap_score(self.text, wanted, (first, last)) ** 2 if touching else 0.0)
        total = sum(scores)
        return [score / total for score in scores] if total else []


def main(data: Path) -> None:
    """Prints the fitted file."""
    cases = [case for text, gold in annotated(need(data, "measeval", "train")) for case in _cases(text, gold)]
    tables = {"property": fit(list(_properties(cases))), "entity": fit(list(_entities(cases)))}
    lines = [*_HEADING, f"threshold = {THRESHOLD}"]
    for name, weights in tables.items():
        lines += ["", f"[{name}]", *(f'"{mark}" = {weight:g}' for mark, weight in sorted(weights.items()))]
    sys.stdout.write("\n".join(lines) + "\n")


def _cases(text: str, gold: Sequence[Item]) -> Iterator[_Case]:
    found = [part for one in find_quantities(text) for part in members(text, one)]
    partner = {other: mine for mine, other in pair_up([item.span for item in gold], [(f.start, f.end) for f in found])}
    groups = list(by_sentence(text, found))
    for group, words in zip(groups, parse((text[g.start : g.end], g.masks) for g in groups), strict=True):
        nouns = Nouns(words, group.spans)
        for place, (one, span) in enumerate(zip(group.quantities, group.spans, strict=True)):
            anchor = nouns.anchor(span, sort_of(one))
            if anchor is not None and group.first + place in partner:
                yield _Case(text, group.start, nouns, anchor, gold[partner[group.first + place]])


def _properties(cases: Sequence[_Case]) -> Iterator[Choice]:
    for case in cases:
        candidates = case.nouns.near(case.anchor, case.nouns.properties(case.anchor))
        marks = [case.nouns.marks(case.anchor, index) for index in candidates]
        marks.append(case.nouns.marks_of_none(case.anchor))
        if "properties" not in case.gold.parts:
            yield marks, [0.0] * len(candidates) + [1.0]
        elif shares := case.shares("properties", candidates, case.nouns.span):
            yield marks, [*shares, 0.0]


def _entities(cases: Sequence[_Case]) -> Iterator[Choice]:
    for case in cases:
        if "entities" not in case.gold.parts:
            continue
        prop = _annotated_property(case)
        candidates = [index for index in case.nouns.near(case.anchor, case.nouns.heads) if index != prop]
        if shares := case.shares("entities", candidates, case.nouns.whole):
            nouns = case.nouns
            yield [(*nouns.marks(case.anchor, index), *nouns.marks_beside(prop, index)) for index in candidates], shares


def _annotated_property(case: _Case) -> int | None:
    if "properties" not in case.gold.parts:
        return None
    candidates = case.nouns.near(case.anchor, case.nouns.properties(case.anchor))
    shares = case.shares("properties", candidates, case.nouns.span)
    return candidates[int(np.argmax(shares))] if shares else None


def fit(choices: Sequence[Choice]) -> dict[str, float]:
    """The weights of the marks that make the wanted phrases probable."""
    counts = Counter(mark for phrases, _ in choices for marks in phrases for mark in marks)
    names = sorted(mark for mark, count in counts.items() if count >= RAREST)
    column = {mark: place for place, mark in enumerate(names)}
    rows = [marks for phrases, _ in choices for marks in phrases]
    has = np.zeros((len(rows), len(names)))
    for place, marks in enumerate(rows):
        has[place, [column[mark] for mark in marks if mark in column]] = 1.0
    owner = np.array([place for place, (phrases, _) in enumerate(choices) for _ in phrases])
    wanted = np.array([share for _, shares in choices for share in shares])
    weights = _descend(has, owner, wanted, len(choices))
    return {
        name: round(float(weight), 2) for name, weight in zip(names, weights, strict=True) if abs(weight) >= SMALLEST
    }


def _descend(has: np.ndarray, owner: np.ndarray, wanted: np.ndarray, choices: int) -> np.ndarray:
    """Gradient descent with a step for each weight (Adam)."""
    weights = np.zeros(has.shape[1])
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        sums = has @ weights
        highest = np.full(choices, -np.inf)
        np.maximum.at(highest, owner, sums)
        raised = np.exp(sums - highest[owner])
        probable = raised / np.bincount(owner, raised, choices)[owner]
        slope = has.T @ (probable - wanted) + STIFFNESS * weights
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope * slope
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return weights


if __name__ == "__main__":
    main(Path(sys.argv[1]))
