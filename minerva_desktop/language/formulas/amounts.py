"""Amounts in formulas: numbers, and expressions linear in the variables of a doping series ("2-x", "0.5x", "7-δ")."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass

VARIABLES = "xyzδnmuvwεp"

_CAPITALS = frozenset(("", *string.ascii_uppercase))
_NUMBER = re.compile(r"\d{1,6}(?:\.\d{1,8})?|\.\d{1,8}")
_ERROR = re.compile(r"\(\d{1,2}\)")  # "Na0.31(3)": the error of a refined occupancy
_FRACTION = re.compile(r"(\d{1,3})/(\d{1,3})(?![\d.])")
_DIVISOR = re.compile(r"/(\d)(?!\d)")
_LATE_DELTA = re.compile(r"d(?![a-z])")
_ORDER = {name: index for index, name in enumerate(VARIABLES)}


@dataclass(frozen=True, slots=True)
class Amount:
    """``constant`` plus a sum of coefficients times variables; "±δ" is a variable of its own kind."""

    constant: float
    terms: tuple[tuple[str, float], ...] = ()

    def plus(self, other: Amount) -> Amount:
        sums = dict(self.terms)
        for name, coefficient in other.terms:
            sums[name] = sums.get(name, 0.0) + coefficient
        return _amount(self.constant + other.constant, sums)

    def times(self, other: Amount) -> Amount | None:
        """The product; None when it is not linear."""
        if other is ONE:
            return self
        if self is ONE:
            return other
        if self.terms and other.terms:
            return None
        number, amount = (self.constant, other) if not self.terms else (other.constant, self)
        return _amount(number * amount.constant, {name: number * value for name, value in amount.terms})

    @property
    def is_zero(self) -> bool:
        return not self.terms and self.constant == 0

    @property
    def is_one(self) -> bool:
        return not self.terms and self.constant == 1

    @property
    def plain(self) -> float | str:
        """A number, or the expression as text."""
        return self.constant if not self.terms else str(self)

    def __str__(self) -> str:
        parts = [_term(name, value) for name, value in self.terms]
        constant = _number(self.constant)
        if self.constant > 0:
            parts.insert(0, "+" + constant)
        elif self.constant < 0:
            parts.append(constant)
        text = "".join(parts) or "0"
        return text.removeprefix("+")


ONE = Amount(1.0)


def _amount(constant: float, sums: dict[str, float]) -> Amount:
    if not sums:
        return Amount(round(constant, 8) + 0.0)
    terms = {name: round(value, 8) for name, value in sums.items() if round(value, 8)}
    ordered = sorted(terms.items(), key=lambda item: _ORDER.get(item[0].lstrip("±"), 99))
    return Amount(round(constant, 8) + 0.0, tuple(ordered))


def _number(value: float) -> str:
    return f"{value:.8f}".rstrip("0").rstrip(".")


def _term(name: str, value: float) -> str:
    if name.startswith("±"):
        return name if value == 1 else f"±{_number(value)}{name[1:]}"
    size = "" if abs(value) == 1 else _number(abs(value))
    return ("-" if value < 0 else "+") + size + name


def read_amount(text: str, at: int) -> tuple[Amount, int] | None:
    """The amount at a place of a normalised formula: (amount, end); None when there is none."""
    if text[at : at + 1] in _CAPITALS:
        return None  # the next symbol, or the end
    if text.startswith("(", at):
        close = text.find(")", at, at + 24)
        inner = read_amount(text[:close], at + 1) if close > 0 else None
        if inner is None or inner[1] != close or not (inner[0].terms or any(c in "+-" for c in text[at:close])):
            return None
        return inner[0], close + 1
    first = _single(text, at)
    if first is None:
        return None
    amount, end = first
    while text[end : end + 1] in {"+", "-", "±"} and text[end : end + 1]:
        sign = text[end]
        following = _single(text, end + 1, late=True)
        if following is None or (not following[0].terms and not amount.terms):
            break
        step = following[0]
        if sign == "-":
            step = _amount(-step.constant, {name: -value for name, value in step.terms})
        if sign == "±":
            step = _amount(step.constant, {f"±{name}": value for name, value in step.terms})
        amount, end = amount.plus(step), following[1]
    return amount, end


def _single(text: str, at: int, *, late: bool = False) -> tuple[Amount, int] | None:
    """A number, a variable, or a number times a variable."""
    fraction = _FRACTION.match(text, at)
    number = None if fraction else _NUMBER.match(text, at)
    value, end = 1.0, at
    if fraction:
        if int(fraction.group(2)) == 0:
            return None
        value, end = int(fraction.group(1)) / int(fraction.group(2)), fraction.end()
    elif number:
        value, end = float(number.group()), number.end()
        error = _ERROR.match(text, end) if "." in number.group() else None
        end = error.end() if error else end
    name = text[end : end + 1]
    if late and _LATE_DELTA.match(text, end):
        name = "δ"
    if name and name in VARIABLES:
        end += 1
        divided = _DIVISOR.match(text, end)
        if divided and divided.group(1) != "0":
            value, end = value / int(divided.group(1)), divided.end()
        return _amount(0.0, {name: value}), end
    if not fraction and not number:
        return None
    return _amount(value, {}), end
