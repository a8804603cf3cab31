"""An expression as text for people: "h·c/λ", "2·k·ln(σ2/σ1)"."""

from __future__ import annotations

from collections.abc import Mapping

from minerva_desktop.language.expressions.nodes import Application, Negative, Node, Number, Operation, Symbol

_RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}
_SIGN = {"+": " + ", "-": " − ", "*": "·", "/": "/", "^": "^"}
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def written(node: Node, texts: Mapping[str, str] | None = None) -> str:
    """The expression with as few brackets as it needs; ``texts`` stand in place of symbols (values with units)."""
    return _text(node, texts or {})[0]


def _text(node: Node, texts: Mapping[str, str]) -> tuple[str, int]:
    """Text and how tightly it holds together: 1 sum, 2 product, 3 sign, 4 power, 5 atom."""
    match node:
        case Number(_, text):
            return text, 5
        case Symbol(name):
            text = texts.get(name, name)
            return (f"({text})" if " " in text or text.startswith("-") else text), 5
        case Negative(inner):
            return f"−{_held(inner, 2, texts)}", 2
        case Application("sqrt", inner):
            text, rank = _text(inner, texts)
            return (f"√{text}" if rank == 5 else f"√({text})"), 5
        case Application(function, inner):
            return f"{function}({_text(inner, texts)[0]})", 5
        case Operation("^", left, Number(_, digits)) if digits.isdigit():
            return f"{_held(left, 5, texts)}{digits.translate(_RAISED)}", 4
        case Operation(sign, left, right):
            rank = _RANK[sign]
            # "a − (b − c)" and "a/(b·c)" keep their brackets; powers hold from the right.
            before, after = (5, 4) if sign == "^" else (rank, rank + (sign in "-/"))
            end = _held(right, after, texts)
            if end.startswith("−"):  # two signs in a row are hard to read
                end = f"({end})"
            return f"{_held(left, before, texts)}{_SIGN[sign]}{end}", rank


def _held(node: Node, least: int, texts: Mapping[str, str]) -> str:
    text, rank = _text(node, texts)
    return text if rank >= least else f"({text})"
