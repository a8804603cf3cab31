"""What an expression is made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass


class ExpressionError(ValueError):
    """An expression that cannot be read, or that has no value; the message is one sentence for the person."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written: ``text`` is kept for showing the formula."""

    value: float
    text: str


@dataclass(frozen=True, slots=True)
class Symbol:
    name: str


@dataclass(frozen=True, slots=True)
class Negative:
    inner: Node


@dataclass(frozen=True, slots=True)
class Operation:
    """``sign`` is one of + - * / ^."""

    sign: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Application:
    """A function of ``FUNCTIONS`` applied to one argument."""

    function: str
    inner: Node


Node = Number | Symbol | Negative | Operation | Application

FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "sqrt": math.sqrt,
    "exp": math.exp,
    "ln": math.log,
    "log10": math.log10,
    "abs": abs,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
}
"""Functions of one number. Angles are in radians, as everything is in SI."""

ALIASES: Mapping[str, str] = {"log": "ln", "√": "sqrt", "arcsin": "asin", "arccos": "acos", "arctan": "atan"}


def symbols_of(node: Node) -> list[str]:
    """Every occurrence of a symbol, from left to right."""
    match node:
        case Symbol(name):
            return [name]
        case Negative(inner) | Application(_, inner):
            return symbols_of(inner)
        case Operation(_, left, right):
            return [*symbols_of(left), *symbols_of(right)]
    return []
