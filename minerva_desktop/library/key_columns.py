"""Which of the values that papers report stands in a key column of a material.

The rule, in this order:

1. Only accepted facts count that report the property themselves or cite it (never what is hypothetical or denied), as a
   single value that can be had in the unit of the column.
2. A column whose name ends in ``_300K`` wants room temperature (290 to 305 K): values stated at another one are left out.
3. The best verdict of the textbooks: SUPPORTED before INSUFFICIENT before not checked before CONTRADICTED (which only a
   person can have accepted).
4. Conditions nearest 300 K: values stated at room temperature, then values without a temperature (papers leave out what
   is usual), then stated ones by their distance from 300 K, then those of which the temperature is no single number.
5. Of what is left, the lower median: a value that stands in a paper, not an average. Equal values: the lower fact id.

The source is the evidence of that fact with the best verdict, the earliest of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from minerva_desktop.library.base import Tools
from minerva_desktop.library.graph_schema import KeyColumn
from minerva_desktop.records import Condition, Quantity

ROOM = (290.0, 305.0)
"""Kelvin: what counts as room temperature."""

REFERENCE = 300.0
_ROOM_IN_WORDS = re.compile(r"\b(?:room|ambient|RT|r\.\s?t\.)", re.IGNORECASE)
_VERDICTS = ("SUPPORTED", "INSUFFICIENT", "", "CONTRADICTED")
_STATED = ("reported", "cited")
# What a fact is called when its evidences differ: the strongest statement.
_MODALITIES = (*_STATED, "hypothetical", "negated")
_AT_ROOM = (0, 0.0)
_UNSTATED = (1, 0.0)


@dataclass(frozen=True, slots=True)
class Source:
    """An evidence as far as a column needs it: its id and place, the name of its verdict, and how it writes the value."""

    id: str
    paper: str
    page: int | None
    verdict: str = ""
    modality: str = "reported"
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Stated:
    """An accepted fact as far as a column needs it, with its evidence in the order in which the papers were added."""

    id: str
    property_id: str
    modality: str
    conditions: tuple[Condition, ...]
    quantity: Quantity | None
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a column's value comes from; ``shown`` is how the paper writes it."""

    value: float | str
    shown: str
    source: Source


def key_value(key: KeyColumn, facts: Sequence[Stated], tools: Tools) -> Place | None:
    """What stands in the column by the rule of this module, in the column's unit; None when nothing may."""
    found: list[tuple[int, tuple[int, float], float, str, Stated]] = []
    for fact in facts:
        if fact.property_id != key.property_id or fact.modality not in _STATED or not fact.sources:
            continue
        conditions = from_reference(fact.conditions)
        if key.column.endswith("_300K") and conditions not in (_AT_ROOM, _UNSTATED):
            continue
        value = _in_unit(fact.quantity, key, tools)
        if value is not None:
            found.append((min(map(_verdict_rank, fact.sources)), conditions, value, fact.id, fact))
    if not found:
        return None
    best = min(item[:2] for item in found)
    left = sorted((item[2:] for item in found if item[:2] == best), key=lambda item: item[:2])
    value, _, fact = left[(len(left) - 1) // 2]
    source = min(fact.sources, key=lambda item: (_verdict_rank(item), item.modality not in _STATED))
    return Place(value, source.shown or (fact.quantity.text if fact.quantity else ""), source)


def from_reference(conditions: Sequence[Condition]) -> tuple[int, float]:
    """How far the stated temperature is from 300 K, as something to sort by (step 4 of the rule)."""
    stated = [item for item in conditions if item.name == "temperature"]
    if not stated:
        return _UNSTATED
    kelvins = [item.si_value for item in stated if item.si_value is not None]
    in_words = [item for item in stated if item.si_value is None]
    if not all(_ROOM_IN_WORDS.search(item.text) for item in in_words):
        return (3, 0.0)
    if all(ROOM[0] <= value <= ROOM[1] for value in kelvins):
        return _AT_ROOM
    return (2, max(abs(value - REFERENCE) for value in kelvins))


def stated_modality(fact: str, evidences: Sequence[str]) -> str:
    """The modality of a fact: the strongest of its evidences, unless it is the fact that something does not hold."""
    return "negated" if fact == "negated" else min(evidences, key=_MODALITIES.index, default=fact)


def _verdict_rank(item: Source) -> int:
    return verdict_rank(item.verdict)


def verdict_rank(name: str) -> int:
    """What a verdict of the textbooks counts, "" for none: the lower, the better (step 3 of the rule)."""
    return _VERDICTS.index(name)


def _in_unit(quantity: Quantity | None, key: KeyColumn, tools: Tools) -> float | None:
    if quantity is None or not quantity.ok or quantity.kind != "value" or quantity.si_value is None:
        return None
    if not key.dimension or quantity.dimension != key.dimension:
        return None
    if quantity.unit == key.unit and quantity.value is not None:
        return quantity.value
    if tools.to_unit is None:
        return None
    value = tools.to_unit(quantity.si_value, key.dimension, key.unit)
    return float(f"{value:.9g}")  # what the conversion adds in the last digits is noise
