"""The common case of a formula, read in one go: symbols with plain numbers, "Ga0.3Al0.7As", and nothing else.

It gives what the parser gives, or nothing: brackets, variables, adducts, markup, and whatever may be a word or a label
are left to the parser.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from minerva_desktop.language.elements import ELECTRONEGATIVITY, is_symbol

_WHOLE = re.compile(r"(?:[A-Z][a-z]?(?:[0-9]{1,6}(?:\.[0-9]{1,8})?)?)+\Z")
_PART = re.compile(r"([A-Z][a-z]?)([0-9.]*)")
_CAPITALS = re.compile(r"[A-Z]{2,}s?\Z")
_NONMETALS = frozenset({"B", "C", "N", "P", "As", "O", "S", "Se", "Te", "F", "Cl", "Br", "I"})


def read_plain(text: str) -> tuple[dict[str, float], str] | None:
    """The amounts by symbol, in the order written, and the canonical spelling; None when the parser must look."""
    if not _WHOLE.match(text) or _CAPITALS.match(text) or ("." in text and text.endswith("H2O")):
        return None
    amounts: dict[str, float] = {}
    symbols: list[str] = []
    spelt: list[str] = []
    for symbol, digits in _PART.findall(text):
        if not is_symbol(symbol):
            return None
        if not digits:
            amount, shown = 1.0, ""
        elif "." in digits:
            amount = round(float(digits), 8)
            shown = "" if amount == 1 else f"{amount:.8f}".rstrip("0").rstrip(".")
        else:
            amount = float(digits)
            shown = "" if amount == 1 else digits.lstrip("0")
        if not amount:
            return None
        amounts[symbol] = round(amounts[symbol] + amount, 8) if symbol in amounts else amount
        symbols.append(symbol)
        spelt.append(symbol + shown)
    if len(amounts) == 1 and (amounts[symbol] == 1 and len(text) > len(symbol)):
        return None  # "C1" is a label
    order = metals_first(symbols)
    return amounts, "".join(spelt if order is None else [spelt[index] for index in order])


def metals_first(symbols: Sequence[str]) -> list[int] | None:
    """The order in which non-metals stand behind the metals, by electronegativity: "B2Mg" is MgB2, "LaOFeAs" is LaFeAsO.

    None where the order stays. It changes only for plain sequences of different elements without hydrogen: the order in a
    molecule or an acid has a meaning.
    """
    last_metal = -1
    for index, symbol in enumerate(symbols):
        if symbol not in _NONMETALS:
            last_metal = index
    if all(symbol not in _NONMETALS for symbol in symbols[: max(last_metal, 0)]):
        return None
    if not all(symbols) or len(set(symbols)) != len(symbols) or "H" in symbols:
        return None
    metals = [index for index, symbol in enumerate(symbols) if symbol not in _NONMETALS]
    others = [index for index, symbol in enumerate(symbols) if symbol in _NONMETALS]
    return metals + sorted(others, key=lambda index: ELECTRONEGATIVITY[symbols[index]] or 0.0)
