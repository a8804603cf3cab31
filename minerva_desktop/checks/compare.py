"""Two quantities compared as intervals in SI: do they say the same, different things, or something in between?

A written number stands for an interval: its stated uncertainty, else half a unit of its last significant digit; "about"
widens it to at least 5 %. Trailing zeros of a whole number count as written only in part ("200 GPa" may be 207).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal

from minerva_desktop.records import Quantity

Agreement = Literal["agree", "close", "differ", "unlike"]

SAME = 0.02
"""Relative difference up to which two points say the same: what tables differ in between editions."""

DIFFERENT = 0.10
"""Relative difference from which they contradict each other; what lies between the two is left open."""

_ABOUT = 0.05
_NUMBER = re.compile(r"\d[\d\s\u2009,.]*")


@dataclass(frozen=True, slots=True)
class Interval:
    """What a written value covers, in SI. A bound is open on one side."""

    low: float
    high: float
    point: bool = False

    @property
    def bound(self) -> bool:
        return math.isinf(self.low) or math.isinf(self.high)


def compare(claimed: Quantity, written: Quantity, *, threshold: bool = False) -> Agreement:
    """How a claimed value stands to a written one; of a written list, the item that fits best decides.

    Args:
        threshold: the value is the point where something sets in ("superconducting below 7.2 K"), so that "below" and
            "above" do not make it a bound.

    Returns:
        "unlike" when they do not measure the same.
    """
    if not claimed.ok or not written.ok or claimed.dimension != written.dimension:
        return "unlike"
    answers = {
        _compare(one, other)
        for one in intervals(claimed, threshold=threshold)
        for other in intervals(written, threshold=threshold)
    }
    for answer in ("agree", "close", "differ"):
        if answer in answers:
            return answer
    return "unlike"


def _compare(claimed: Interval, written: Interval) -> Agreement:
    if written.low <= claimed.high and claimed.low <= written.high:
        if written.bound and not claimed.bound:
            return "close"  # "< 50 K" does not say 39 K
        if claimed.bound and not written.bound and not (claimed.low <= written.low and written.high <= claimed.high):
            return "close"
        return "agree"
    gap = max(written.low - claimed.high, claimed.low - written.high)
    edges = [abs(item) for item in (claimed.low, claimed.high, written.low, written.high) if math.isfinite(item)]
    scale = max(edges, default=0.0)
    relative = gap / scale if scale > 0 else math.inf
    if relative <= SAME and claimed.point and written.point:
        return "agree"
    return "close" if relative < DIFFERENT else "differ"


def intervals(quantity: Quantity, *, threshold: bool = False) -> list[Interval]:
    """The intervals a quantity covers: one, or one for each item of a list."""
    if quantity.kind == "bound" and not threshold:
        low = quantity.si_low if quantity.si_low is not None else -math.inf
        high = quantity.si_high if quantity.si_high is not None else math.inf
        return [Interval(low, high)]
    if quantity.kind == "range" and quantity.si_low is not None and quantity.si_high is not None:
        return [_widened(quantity.si_low, quantity.si_high, quantity)]
    points = quantity.si_values or (
        quantity.si_value
        if quantity.si_value is not None
        else quantity.si_high
        if quantity.si_high is not None
        else quantity.si_low,
    )
    half = _half_width(quantity)
    return [Interval(point - half, point + half, point=True) for point in points if point is not None]


def _widened(low: float, high: float, quantity: Quantity) -> Interval:
    share = _ABOUT if quantity.approximate else 1e-6
    return Interval(low - abs(low) * share, high + abs(high) * share)


def _half_width(quantity: Quantity) -> float:
    """Half the interval that a written number stands for, in SI."""
    point = quantity.si_value if quantity.si_value is not None else next(iter(quantity.si_values), 0.0)
    about = abs(point) * _ABOUT if quantity.approximate else 0.0
    if quantity.si_uncertainty is not None:
        return max(quantity.si_uncertainty, about)
    return max(_last_digit(quantity, abs(point)), about, abs(point) * 1e-9)


def _last_digit(quantity: Quantity, size: float) -> float:
    match = _NUMBER.search(quantity.text)
    value = quantity.value if quantity.value is not None else next(iter(quantity.values), None)
    if match is None or not value:
        return 0.0
    digits = re.sub(r"[\s\u2009,]", "", match.group()).rstrip(".")
    whole, _, decimals = digits.partition(".")
    try:
        mantissa = float(digits)
    except ValueError:
        return 0.0
    if not mantissa:
        return 0.0
    if decimals:
        half = 0.5 * 10.0 ** -len(decimals)
    else:
        zeros = len(whole) - len(whole.rstrip("0"))
        half = 0.5 * 10.0**zeros
        if zeros and not quantity.approximate:
            half = max(0.5, min(half, 0.03 * mantissa)) if len(whole) > 2 else 0.5
    # In the unit as written; a unit with an offset (°C) still has the size of its SI unit.
    in_unit = half * abs(value) / mantissa
    if quantity.dimension == "temperature" and quantity.unit in {"°C", "C", "K", "degC"}:
        return in_unit
    return in_unit * size / abs(value)
