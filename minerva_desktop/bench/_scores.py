"""What the benchmarks count by: pairs of spans, precision, recall and their harmonic mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Span = tuple[int, int]
_BINS = 10


def pair_up(gold: Sequence[Span], ours: Sequence[Span]) -> list[Span]:
    """Pairs of indices, the largest overlap first; each span has one partner at most."""
    overlaps = sorted(
        (-(min(a[1], b[1]) - max(a[0], b[0])), abs(a[0] - b[0]) + abs(a[1] - b[1]), mine, other)
        for mine, a in enumerate(gold)
        for other, b in enumerate(ours)
        if max(a[0], b[0]) < min(a[1], b[1])
    )
    left: set[int] = set()
    right: set[int] = set()
    pairs: list[Span] = []
    for _, _, mine, other in overlaps:
        if mine not in left and other not in right:
            left.add(mine)
            right.add(other)
            pairs.append((mine, other))
    return sorted(pairs)


def f1(right: int, given: int, wanted: int) -> dict[str, float]:
    """Precision, recall and F1 of ``right`` out of ``given`` where ``wanted`` were to be found."""
    return {
        "precision": share(right, given),
        "recall": share(right, wanted),
        "f1": share(2 * right, given + wanted),
    }


def share(part: int, whole: int) -> float:
    """The part of a whole, rounded; 0 of nothing."""
    return round(part / whole, 3) if whole else 0.0


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
    return {"judged": len(judged), "expected_calibration_error": round(error, 3), "bins": rows}
