"""Solving ``left = right`` for a symbol that stands once on the right, by undoing one operation after another."""

from __future__ import annotations

from minerva_desktop.language.expressions.nodes import (
    Application,
    Negative,
    Node,
    Number,
    Operation,
    Symbol,
    symbols_of,
)

_UNDONE = {"exp": "ln", "ln": "exp", "sin": "asin", "cos": "acos", "tan": "atan"}
_ONE = Number(1.0, "1")
_TEN = Number(10.0, "10")


def solved_for(symbol: str, left: Node, right: Node) -> Node | None:
    """What the symbol is, or None where it stands not exactly once or cannot be freed.

    Roots and angles give the principal value; whoever uses the result puts it back in to see that it holds.
    """
    if symbols_of(right).count(symbol) != 1 or symbol in symbols_of(left):
        return None
    while right != Symbol(symbol):
        step = _undone(symbol, left, right)
        if step is None:
            return None
        left, right = step
    return left


def _undone(symbol: str, left: Node, right: Node) -> tuple[Node, Node] | None:
    match right:
        case Negative(inner):
            return Negative(left), inner
        case Application("sqrt", inner):
            return Operation("^", left, Number(2.0, "2")), inner
        case Application("log10", inner):
            return Operation("^", _TEN, left), inner
        case Application(function, inner) if function in _UNDONE:
            return Application(_UNDONE[function], left), inner
        case Operation(sign, first, second):
            if symbol in symbols_of(first):
                return _first_freed(sign, left, second), first
            return _second_freed(sign, left, first), second
    return None


def _first_freed(sign: str, left: Node, second: Node) -> Node:
    """x of ``left = x sign second``."""
    if sign == "^":
        square = isinstance(second, Number) and second.value == 2
        return Application("sqrt", left) if square else Operation("^", left, Operation("/", _ONE, second))
    return Operation({"+": "-", "-": "+", "*": "/", "/": "*"}[sign], left, second)


def _second_freed(sign: str, left: Node, first: Node) -> Node:
    """x of ``left = first sign x``."""
    if sign == "^":
        return Operation("/", Application("ln", left), Application("ln", first))
    if sign in "-/":
        return Operation(sign, first, left)
    return Operation("-" if sign == "+" else "/", left, first)
