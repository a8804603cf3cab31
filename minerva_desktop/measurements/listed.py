"""Conditions of values that a sentence lists together: "46.5, 48.8 and 19.7 S/cm for x = 0.05, 0.10 and 0.15".

A condition that is listed too belongs to the value at its place; one that is listed otherwise belongs to none that can be
told, and is left out; any other holds for all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from minerva_desktop.language.quantities import find_quantities
from minerva_desktop.records import Condition

_NUMBER = r"\d+(?:\.\d+)?"
_NEXT = r"\s*(?:,\s*(?:and\s+|or\s+)?|\s(?:and|or)\s+)"
_SECOND = re.compile(r"\s+and\s+([^,.;()]{1,40}?)(?:\s+atmospheres?)?\s*(?=[,.;()]|respectively|$)")


def conditions_by_item(sentence: str, conditions: Sequence[Condition], count: int) -> list[tuple[Condition, ...]]:
    """The conditions of each of ``count`` listed values."""
    found: list[list[Condition]] = [[] for _ in range(count)]
    for condition in conditions:
        each = _each(sentence, condition, count)
        for place, item in enumerate(each or ()):
            if item is not None:
                found[place].append(item)
    return [tuple(items) for items in found]


def _each(sentence: str, condition: Condition, count: int) -> Sequence[Condition | None]:
    if condition.name == "composition":
        return _compositions(sentence, condition, count)
    at = sentence.find(condition.text)
    behind = sentence[at + len(condition.text) :] if at >= 0 else ""
    if condition.name == "atmosphere":
        second = _SECOND.match(behind)
        if second is not None:
            return [condition, replace(condition, text=second.group(1).strip())] if count == 2 else ()
        return [condition] * count
    listed = [item.quantity for item in find_quantities(condition.text)]
    if len(listed) == 1 and listed[0].kind == "list":
        quantity = listed[0]
        if len(quantity.si_values) != count:
            return ()
        return [
            Condition(condition.name, f"{value:g} {quantity.unit}".strip(), si_value, quantity.si_unit)
            for value, si_value in zip(quantity.values, quantity.si_values, strict=True)
        ]
    return [condition] * count


def _compositions(sentence: str, condition: Condition, count: int) -> Sequence[Condition | None]:
    variable = condition.text.partition("=")[0].strip()
    pattern = re.compile(rf"\b{re.escape(variable)}\s*=\s*({_NUMBER}(?:{_NEXT}{_NUMBER})*)(?![\d.]*\d)")
    for match in pattern.finditer(sentence):
        numbers = re.findall(_NUMBER, match.group(1))
        if len(numbers) == count:
            return [Condition("composition", f"{variable} = {number}", float(number)) for number in numbers]
        if len(numbers) > 1:
            return ()
    return [condition] * count
