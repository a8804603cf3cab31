"""Ids of relations and evidences: what makes two readings the same fact."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Sequence

from minerva_desktop.records import Condition, Quantity

_SPACES = re.compile(r"[\s\u2010-\u2015-]+")


def relation_id(
    kind: str,
    source: tuple[str, str],
    target: tuple[str, str],
    property_id: str,
    quantity: Quantity | None,
    conditions: Sequence[Condition],
    modality: str,
) -> str:
    """16 hex digits. A usable quantity stands for its target, so that 0.27 nm and 2.7 Å are one fact."""
    value = quantity_key(quantity)
    parts = [
        kind,
        list(source),
        [target[0], ""] if value else list(target),
        property_id,
        value,
        sorted(_condition_key(item) for item in conditions),
        "negated" if modality == "negated" else "",
    ]
    return _digest(parts)


def evidence_id(relation: str, paper: str, start: int, end: int) -> str:
    """16 hex digits."""
    return _digest([relation, paper, start, end])


def quantity_key(quantity: Quantity | None) -> str:
    """One text for one physical value in SI; empty when there is no usable number.

    Two readings are the same value when they agree to six significant digits: more than any unit conversion loses,
    less than two different measurements share by accident.
    """
    if quantity is None or not quantity.ok:
        return ""
    # A bound keeps its number in ``value`` and in ``low`` or ``high``; one of them is enough.
    numbers = (
        [quantity.si_value]
        if quantity.si_value is not None
        else [quantity.si_low, quantity.si_high, *quantity.si_values]
    )
    if all(number is None for number in numbers):
        return ""
    shown = [_number(number) for number in numbers]
    return json.dumps([quantity.kind, quantity.comparator, quantity.dimension, shown, _number(quantity.si_uncertainty)])


def fold(name: str) -> str:
    """A name for comparison: without case, hyphens and spaces alike."""
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", name)).strip().casefold()


def _condition_key(condition: Condition) -> list[str]:
    if condition.si_value is not None:
        return [condition.name, _number(condition.si_value), condition.si_unit]
    return [condition.name, fold(condition.text), ""]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value + 0.0:.6g}"


def _digest(parts: object) -> str:
    text = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
