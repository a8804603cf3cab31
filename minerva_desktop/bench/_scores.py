"""What the benchmarks count by: pairs of spans, precision, recall and their harmonic mean."""

from __future__ import annotations

from collections.abc import Sequence

Span = tuple[int, int]


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
