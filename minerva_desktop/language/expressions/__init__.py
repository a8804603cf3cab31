"""Formulas as data: read, evaluated, checked for dimensions, and solved for another symbol.

A formula is text of a domain pack. It is read by a grammar of its own into numbers, symbols, six operators and the
functions listed in ``nodes``; nothing of Python is ever run.
"""

from minerva_desktop.language.expressions.evaluating import evaluate
from minerva_desktop.language.expressions.measuring import Measured, measure, same
from minerva_desktop.language.expressions.nodes import ExpressionError, Node, symbols_of
from minerva_desktop.language.expressions.parser import parse_expression, parse_formula_text
from minerva_desktop.language.expressions.rearranging import solved_for
from minerva_desktop.language.expressions.writing import written

__all__ = [
    "ExpressionError",
    "Measured",
    "Node",
    "evaluate",
    "measure",
    "parse_expression",
    "parse_formula_text",
    "same",
    "solved_for",
    "symbols_of",
    "written",
]
