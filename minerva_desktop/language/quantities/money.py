"""Amounts of money: "$350 per kg", "€10M", "20 million pounds", "$5–10 million". They have no SI value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from minerva_desktop.language.quantities.numbers import Number, read_number
from minerva_desktop.language.units import read_unit
from minerva_desktop.records import Quantity

SIGNS = frozenset("$€£¥")
_BEFORE = re.compile(r"(?:US|A|C)?[$€£¥]\s?[-−–]?\Z|[-−–](?:US)?[$€£¥]\Z|\b(?:USD|EUR|GBP)\s\Z")
_SCALE = re.compile(r"\s?(?P<letter>k|M|B|bn|T)(?![\w/])|\s(?P<word>thousand|million|billion|trillion)\b")
_SIZES = {
    "k": 1e3, "M": 1e6, "B": 1e9, "bn": 1e9, "T": 1e12, "thousand": 1e3, "million": 1e6, "billion": 1e9,
    "trillion": 1e12,
}  # fmt: skip
_BEHIND = re.compile(
    r"\s?(?P<sign>[$€£¥])(?![\d])|\s(?:US\s)?(?P<word>dollar|euro|pounds? sterling|yen|cent|pence|dime|USD|EUR|GBP)s?\b"
)
_POUNDS = re.compile(r"\spounds\b(?!\s(?:of|per)\b)")
_NAMED = {
    "dollar": "$", "USD": "$", "euro": "€", "EUR": "€", "pound sterling": "£", "pounds sterling": "£", "GBP": "£",
    "yen": "¥", "pence": "penny",
}  # fmt: skip
_RATE = re.compile(r"\s?/\s?(?=[A-Za-z])|\sper\s(?:an?\s)?")
_TO = re.compile(r"\s?[-–—]\s?(?=[$€£¥]?\s?\d)|\sto\s(?:about\s)?(?=[$€£¥]\s?\d)")
_AND = re.compile(r"\sand\s(?:about\s)?(?=[$€£¥]\s?\d)")


class Amount(NamedTuple):
    """An amount at a place of a text; ``scale`` is 1 where no "million" was written."""

    start: int
    end: int
    value: float
    sign: str
    scale: float
    rate: str


def read_money(view: str, number: Number, *, opened: bool, text: str) -> tuple[int, int, Quantity] | None:
    """The amount, or range of amounts, whose first number was read: (start, end, quantity); None when it is no money.

    Args:
        view: the scanned text.
        number: the number in it.
        opened: "between" or "from" stood before, so "and" makes a range.
        text: the text itself, of which the quantity keeps its part.
    """
    first = _amount(view, number, sign="")
    if first is None:
        return None
    amounts = [first]
    link = _TO.match(view, first.end) or (_AND.match(view, first.end) if opened else None)
    if link:
        at = link.end()
        if view[at] in SIGNS:
            at += 1 + (view[at + 1 : at + 2] == " ")
        other = read_number(view, at, signed=False)
        second = _amount(view, other, sign=first.sign) if other and not other.error else None
        if second is not None and second.sign == first.sign and second.value * max(first.scale, second.scale):
            amounts.append(second)
    return first.start, amounts[-1].end, _quantity(amounts, text)


def _amount(view: str, number: Number, *, sign: str) -> Amount | None:
    before = _BEFORE.search(view, max(0, number.start - 5), number.start)
    size = _SCALE.match(view, number.end)
    scale = _SIZES[size.group("letter") or size.group("word")] if size else 1.0
    end = size.end() if size else number.end
    start, value = number.start, abs(number.value) * scale
    negative = number.value < 0
    if before:
        start = before.start()
        negative = negative or any(mark in before.group() for mark in "-−–")
        sign = next((mark for mark in before.group() if mark in SIGNS), "") or _NAMED[before.group().strip()]
    elif not sign or (_BEHIND.match(view, end) and not size):
        behind = _BEHIND.match(view, end)
        pounds = _POUNDS.match(view, end) if size else None
        if behind is None and pounds is None:
            return None
        end = (behind or pounds or size).end()  # type: ignore[union-attr]
        sign = "£" if behind is None else behind.group("sign") or _NAMED.get(behind.group("word"), behind.group("word"))
    rate, end = _rate(view, end)
    return Amount(start, end, -value if negative else value, sign, scale, rate)


def _rate(view: str, end: int) -> tuple[str, int]:
    """ "per kg" behind an amount."""
    below = _RATE.match(view, end)
    unit = read_unit(view, below.end(), prose=False) if below else None
    return (f"/{unit.unit.text}", unit.end) if unit else ("", end)


def _quantity(amounts: Sequence[Amount], text: str) -> Quantity:
    shown = text[amounts[0].start : amounts[-1].end]
    unit = amounts[0].sign + (amounts[-1].rate or amounts[0].rate)
    values = [one.value for one in amounts]
    if len(values) == 1:
        return Quantity(ok=True, text=shown, value=values[0], unit=unit, dimension="currency")
    if amounts[0].scale == 1:
        values[0] *= amounts[1].scale  # "$5–10 million"
    return Quantity(
        ok=True, text=shown, kind="range", low=min(values), high=max(values), unit=unit, dimension="currency"
    )
