"""A calculator for the formulas of concepts: plain arithmetic over named SI values, nothing else of Python.

The expression is parsed and walked node by node; only the operators, functions and constants listed here exist.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from functools import lru_cache

CONSTANTS: Mapping[str, float] = {
    "k": 1.380649e-23,  # Boltzmann constant, J/K
    "h": 6.62607015e-34,  # Planck constant, J s
    "c": 299792458.0,  # light in vacuum, m/s
    "q": 1.602176634e-19,  # elementary charge, C
    "NA": 6.02214076e23,  # Avogadro constant, 1/mol
    "pi": math.pi,
}
"""Exact values of the SI of 2019."""

_FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "log10": math.log10,
    "abs": abs,
}
_LONGEST = 500


class CalculationError(ValueError):
    """The expression has no value for these numbers; the message is one sentence for the person."""


def evaluate(expression: str, values: Mapping[str, float]) -> float:
    """The value of an expression.

    Raises:
        CalculationError: it is no plain arithmetic, names something unknown, or has no finite value.
    """
    try:
        result = _value(_parsed(expression), {**CONSTANTS, **values})
    except ZeroDivisionError as error:
        raise CalculationError("The formula divides by zero for these values.") from error
    except OverflowError as error:
        raise CalculationError("The result is too large to be written as a number.") from error
    except ValueError as error:
        if isinstance(error, CalculationError):
            raise
        raise CalculationError("The formula has no real value for these values.") from error
    if not math.isfinite(result):
        raise CalculationError("The formula has no finite value for these values.")
    return result


@lru_cache(maxsize=128)
def _parsed(expression: str) -> ast.expr:
    if len(expression) > _LONGEST:
        raise CalculationError("The formula is too long.")
    try:
        return ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise CalculationError("The formula cannot be read.") from error


def _value(node: ast.expr, names: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=bool()):
            raise CalculationError("The formula is no plain arithmetic.")
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            if name not in names:
                raise CalculationError(f"The formula needs {name}, which has no value.")
            return float(names[name])
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, names)
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return _value(inner, names)
        case ast.BinOp(left=left, op=operator, right=right):
            return _operate(operator, _value(left, names), _value(right, names))
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](_value(inner, names))
    raise CalculationError("The formula is no plain arithmetic.")


def _operate(operator: ast.operator, left: float, right: float) -> float:
    match operator:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right
        case ast.Pow():
            # A negative base with a broken exponent would be complex; math.pow refuses it.
            return math.pow(left, right)
    raise CalculationError("The formula is no plain arithmetic.")
