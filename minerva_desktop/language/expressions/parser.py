"""Reads formulas as people write them: "λ = h·c/Eg", "2/(√3·a)", "N·exp(−Ev/(k·T))".

    sum     = product {("+" | "-") product}
    product = signed {("*" | "/") signed}
    signed  = ["-" | "+"] signed | power
    power   = atom ["^" signed]          right to left; a raised digit (a²) is an exponent too
    atom    = number | symbol | function "(" sum ")" | "√" atom | "(" sum ")"

Multiplication is always written: "2a" and "k T" are refused, because they could be one name as well.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from minerva_desktop.language.expressions.nodes import (
    ALIASES,
    FUNCTIONS,
    Application,
    ExpressionError,
    Negative,
    Node,
    Number,
    Operation,
    Symbol,
)

LONGEST = 500
"""Characters of a formula; also bounds the work of everything that walks it."""
DEEPEST = 40
"""Brackets and signs inside one another: far more than a formula of a textbook, far less than the stack."""

_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
_PLAIN = str.maketrans(_RAISED, "0123456789-")
_TOKEN = re.compile(
    rf"""\s*(?:
      (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)
    | (?P<name>[^\W\d_{_RAISED}][^\W{_RAISED}]*)
    | (?P<raised>⁻?[{_RAISED[:-1]}]+)
    | (?P<sign>\*\*|[-+*/^()·×−÷√])
    )""",
    re.VERBOSE,
)
_SIGNS = {"**": "^", "·": "*", "×": "*", "−": "-", "÷": "/"}


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


def parse_formula_text(text: str) -> tuple[str, Node]:
    """The left side of a formula as it is written, and its right side: ``"λ = h·c/Eg"``.

    Raises:
        ExpressionError: there is not exactly one equals sign, or the right side cannot be read.
    """
    left, sign, right = text.partition("=")
    if not sign or "=" in right or not left.strip():
        raise ExpressionError("A formula needs the form “symbol = expression”.")
    return left.strip(), parse_expression(right)


@lru_cache(maxsize=512)
def parse_expression(text: str) -> Node:
    """The expression as a tree.

    Raises:
        ExpressionError: it is no plain arithmetic over symbols, numbers and known functions.
    """
    if len(text) > LONGEST:
        raise ExpressionError(f"The formula is longer than {LONGEST} characters.")
    return _Parser(_tokens(text)).whole()


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    end = len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            place = at + len(text[at:]) - len(text[at:].lstrip())
            raise ExpressionError(f"“{text[place]}” at position {place + 1} has no meaning in a formula.")
        kind, written = match.lastgroup, match.group(match.lastgroup)
        found.append(_Token(kind, _SIGNS.get(written, written), match.start(kind) + 1))
        at = match.end()
    return found


class _Parser:
    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._next = 0
        self._depth = 0

    def whole(self) -> Node:
        if not self._tokens:
            raise ExpressionError("The formula is empty.")
        node = self._sum()
        if self._next < len(self._tokens):
            token = self._tokens[self._next]
            hint = "" if token.kind == "sign" else ", where an operator such as “·” is expected"
            raise ExpressionError(f"“{token.text}” at position {token.at} does not belong there{hint}.")
        return node

    def _at(self, *texts: str) -> str:
        """The sign at hand when it is one of these, which is then taken; "" otherwise."""
        if self._next < len(self._tokens):
            token = self._tokens[self._next]
            if token.kind == "sign" and token.text in texts:
                self._next += 1
                return token.text
        return ""

    def _sum(self) -> Node:
        node = self._product()
        while sign := self._at("+", "-"):
            node = Operation(sign, node, self._product())
        return node

    def _product(self) -> Node:
        node = self._signed()
        while sign := self._at("*", "/"):
            node = Operation(sign, node, self._signed())
        return node

    def _signed(self) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise ExpressionError(f"The formula is nested more than {DEEPEST} deep.")
        sign = self._at("-", "+")
        if sign:
            inner = self._signed()
            node: Node = Negative(inner) if sign == "-" else inner
        else:
            node = self._power()
        self._depth -= 1
        return node

    def _power(self) -> Node:
        base = self._atom()
        if self._next < len(self._tokens) and self._tokens[self._next].kind == "raised":
            digits = self._tokens[self._next].text.translate(_PLAIN)
            self._next += 1
            exponent: Node = _number(digits.lstrip("-"))
            base = Operation("^", base, Negative(exponent) if digits.startswith("-") else exponent)
        return Operation("^", base, self._signed()) if self._at("^") else base

    def _atom(self) -> Node:
        if self._next >= len(self._tokens):
            raise ExpressionError("The formula ends where a number or a symbol is expected.")
        token = self._tokens[self._next]
        self._next += 1
        if token.kind == "number":
            return _number(token.text)
        if token.kind == "name":
            return self._named(token)
        if token.text == "√":
            return Application("sqrt", self._deeper())
        if token.text == "(":
            return self._bracketed(token)
        raise ExpressionError(f"“{token.text}” at position {token.at} stands where a number or a symbol is expected.")

    def _named(self, token: _Token) -> Node:
        called = self._next < len(self._tokens) and self._tokens[self._next].text == "("
        name = ALIASES.get(token.text, token.text)
        if called and name not in FUNCTIONS:
            raise ExpressionError(f"There is no function “{token.text}”; known are {', '.join(sorted(FUNCTIONS))}.")
        if called:
            bracket = self._tokens[self._next]
            self._next += 1
            return Application(name, self._bracketed(bracket))
        if name in FUNCTIONS:
            raise ExpressionError(f"The function “{token.text}” needs its argument in brackets.")
        return Symbol(token.text)

    def _deeper(self) -> Node:
        """An atom behind a root sign: roots of roots count as depth too."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise ExpressionError(f"The formula is nested more than {DEEPEST} deep.")
        node = self._atom()
        self._depth -= 1
        return node

    def _bracketed(self, opened: _Token) -> Node:
        node = self._sum()
        if not self._at(")"):
            raise ExpressionError(f"The bracket at position {opened.at} is not closed.")
        return node


def _number(text: str) -> Number:
    value = float(text)
    if not math.isfinite(value):
        raise ExpressionError(f"The number {text[:20]} is too large.")
    return Number(value, text)
