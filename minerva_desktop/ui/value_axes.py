"""Axes of a plot: from values to places along a line, and where its marks stand. No painting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

LOG_FROM = 200.0
"""How many times the smallest value the largest is where an axis becomes logarithmic by itself."""

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_MARGIN = 0.05


@dataclass(frozen=True, slots=True)
class Axis:
    """From ``low`` to ``high`` (in values); ``log`` only with ``low`` above zero."""

    low: float
    high: float
    log: bool = False

    def place(self, value: float) -> float:
        """Where a value stands: 0 at ``low``, 1 at ``high``; values that a log axis cannot show stand at its low end."""
        if self.log:
            value = max(value, self.low)
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self, most: int) -> list[float]:
        """Round values inside the axis, at most about ``most``."""
        return _decades(self, max(2, most)) if self.log else _round_steps(self, max(2, most))


def axis_for(values: Sequence[float], *, log: bool | None = None) -> Axis:
    """An axis that shows these values with room at both ends. ``log`` None: as their range asks for."""
    finite = [value for value in values if math.isfinite(value)]
    if not finite:
        return Axis(0.0, 1.0)
    low, high = min(finite), max(finite)
    if can_log(finite) and (log or (log is None and high / low > LOG_FROM)):
        room = max(math.log10(high / low) * _MARGIN, 0.08)
        return Axis(low / 10**room, high * 10**room, True)
    room = (high - low) * _MARGIN or abs(high) * 0.1 or 1.0
    return Axis(low - room, high + room)


def can_log(values: Sequence[float]) -> bool:
    """Whether a logarithmic axis can show them."""
    return bool(values) and min(values) > 0


def _round_steps(axis: Axis, most: int) -> list[float]:
    rough = (axis.high - axis.low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in _STEPS if power * factor >= rough * (1 - 1e-9))
    first = math.ceil(axis.low / step - 1e-9)
    last = math.floor(axis.high / step + 1e-9)
    return [float(f"{number * step:.12g}") for number in range(first, last + 1)]


def _decades(axis: Axis, most: int) -> list[float]:
    first, last = math.floor(math.log10(axis.low)), math.ceil(math.log10(axis.high))
    inside = [10.0**power for power in range(first, last + 1) if axis.low <= 10.0**power <= axis.high]
    if len(inside) >= 3:
        every = max(1, math.ceil(len(inside) / most))
        return [value for value in inside if round(math.log10(value)) % every == 0]
    for marks in ((1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0)):
        found = [float(f"{mark * 10.0**power:.12g}") for power in range(first, last + 1) for mark in marks]
        found = [value for value in found if axis.low <= value <= axis.high]
        if len(found) >= 3:
            return found
    return _round_steps(axis, most)
