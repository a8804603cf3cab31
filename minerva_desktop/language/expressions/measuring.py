"""The physical dimension of an expression, from those of its symbols: lengths are not added to energies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from minerva_desktop.language.expressions.evaluating import evaluate
from minerva_desktop.language.expressions.nodes import (
    Application,
    ExpressionError,
    Negative,
    Node,
    Number,
    Operation,
    Symbol,
    symbols_of,
)
from minerva_desktop.language.expressions.writing import written
from minerva_desktop.language.units import NO_DIMENSION, Vector

PURE = NO_DIMENSION
_SAME_KIND = frozenset({"abs"})


@dataclass(frozen=True, slots=True)
class Measured:
    """``vector`` holds the exponents of the base dimensions; a bare zero or another pure number has none."""

    vector: Vector

    @property
    def pure(self) -> bool:
        return same(self.vector, PURE)


def same(one: Vector, other: Vector) -> bool:
    """Whether two dimensions are equal, rounding of broken exponents aside."""
    return all(abs(first - second) < 1e-6 for first, second in zip(one, other, strict=True))


def measure(node: Node, vectors: Mapping[str, Vector]) -> Measured:
    """The dimension of the expression.

    Raises:
        ExpressionError: a symbol is unknown, or unlike things are added or put into a function of pure numbers.
    """
    match node:
        case Number():
            return Measured(PURE)
        case Symbol(name):
            if name not in vectors:
                raise ExpressionError(f"“{name}” is neither a variable nor a known constant.")
            return Measured(vectors[name])
        case Negative(inner):
            return measure(inner, vectors)
        case Application(function, inner):
            return _applied(function, inner, vectors)
        case Operation(sign, left, right):
            return _operated(sign, left, right, vectors)


def _applied(function: str, inner: Node, vectors: Mapping[str, Vector]) -> Measured:
    found = measure(inner, vectors)
    if function in _SAME_KIND:
        return found
    if function == "sqrt":
        return Measured(tuple(exponent / 2 for exponent in found.vector))
    if not found.pure:
        raise ExpressionError(f"{function}({written(inner)}) needs a pure number, but {written(inner)} has a unit.")
    return Measured(PURE)


def _operated(sign: str, left: Node, right: Node, vectors: Mapping[str, Vector]) -> Measured:
    one, other = measure(left, vectors), measure(right, vectors)
    if sign in "+-":
        if not same(one.vector, other.vector):
            verb = "added to" if sign == "+" else "subtracted from"
            first, second = (left, right) if sign == "+" else (right, left)
            raise ExpressionError(f"{written(first)} cannot be {verb} {written(second)}: their units differ.")
        return one
    if sign in "*/":
        way = 1 if sign == "*" else -1
        return Measured(tuple(a + way * b for a, b in zip(one.vector, other.vector, strict=True)))
    if not other.pure:
        raise ExpressionError(f"The exponent {written(right)} has a unit.")
    if one.pure:
        return one
    if symbols_of(right):
        raise ExpressionError(f"{written(left)} has a unit, so its exponent must be a number.")
    power = evaluate(right, {})
    return Measured(tuple(exponent * power for exponent in one.vector))
