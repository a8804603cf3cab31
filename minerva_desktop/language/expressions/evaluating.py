"""The value of an expression for numbers that are given."""

from __future__ import annotations

import math
from collections.abc import Mapping

from minerva_desktop.language.expressions.nodes import (
    FUNCTIONS,
    Application,
    ExpressionError,
    Negative,
    Node,
    Number,
    Operation,
    Symbol,
)

_OUT_OF_RANGE = "These values are so far apart that the result is too large or too small to be written as a number."


def evaluate(node: Node, values: Mapping[str, float]) -> float:
    """The value, always finite. What would round to nothing ("exp(-10000)") is an error, not a zero.

    Raises:
        ExpressionError: a symbol has no value, or the expression has none for these values.
    """
    try:
        result = _value(node, values)
    except ExpressionError:
        raise
    except ZeroDivisionError as error:
        raise ExpressionError("The formula divides by zero for these values.") from error
    except OverflowError as error:
        raise ExpressionError(_OUT_OF_RANGE) from error
    except ValueError as error:
        raise ExpressionError("The formula has no real value for these values.") from error
    if math.isnan(result):
        raise ExpressionError("The formula has no real value for these values.")
    if math.isinf(result):
        raise ExpressionError(_OUT_OF_RANGE)
    return result


def _value(node: Node, values: Mapping[str, float]) -> float:
    match node:
        case Number(value):
            return value
        case Symbol(name):
            if name not in values:
                raise ExpressionError(f"The formula needs {name}, which has no value.")
            return float(values[name])
        case Negative(inner):
            return -_value(inner, values)
        case Operation(sign, left, right):
            return _operated(sign, _value(left, values), _value(right, values))
        case Application(function, inner):
            result = FUNCTIONS[function](_value(inner, values))
            if function == "exp" and result == 0.0:
                raise ExpressionError(_OUT_OF_RANGE)
            return result


def _operated(sign: str, left: float, right: float) -> float:
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    if sign == "*":
        return _kept(left * right, left != 0 and right != 0)
    if sign == "/":
        return _kept(left / right, left != 0)
    # A negative base with a broken exponent would be complex; math.pow refuses it.
    return _kept(math.pow(left, right), left != 0)


def _kept(result: float, something: bool) -> float:
    if something and result == 0.0:
        raise ExpressionError(_OUT_OF_RANGE)
    return result
