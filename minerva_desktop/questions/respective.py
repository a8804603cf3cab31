"""Which value of a list is meant: "A, B and C are at 1, 2 and 3 K, respectively" tells one value of each."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from minerva_desktop.records import Quantity

_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
_OF_FIRST = 2
_ASIDE = re.compile(r"\([^()]*\)")
_BETWEEN = re.compile(r",?\s+(?:and|or)\s+|,\s*", re.IGNORECASE)


def of_the_named(text: str, start: int, end: int, quantity: Quantity, names: Callable[[str], bool]) -> Quantity | None:
    """The value at ``start``–``end`` that belongs to the one thing of a list before it which ``names`` finds named; None where
    the text does not say "respectively", or not as many things are listed as values, or none or several are named."""
    count = len(quantity.values)
    if count < 2 or not _RESPECTIVELY.search(text, end):
        return None
    before = _ASIDE.sub("", text[:start])
    things = [item for item in _BETWEEN.split(before) if item.strip()][-count:]
    if len(things) != count:
        return None
    # What stands before the first and behind the last belongs to all: "the boiling points of A, B and C salts".
    things[0], things[-1] = " ".join(things[0].split()[-_OF_FIRST:]), things[-1].split()[0]
    named = [at for at, item in enumerate(things) if names(item)]
    if len(named) != 1:
        return None
    at = named[0]
    si = quantity.si_values[at] if quantity.si_values else None
    return replace(quantity, kind="value", value=quantity.values[at], si_value=si, values=(), si_values=())
