"""Units that a person defines: a symbol, and what one of it is in units that are known ("Gal" is "0.01 m/s^2").

The definition is read by the project's own unit grammar; no text of a person reaches the general unit library.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

from minerva_desktop.language.units.dimensions import Unit, own_unit_texts, pure_kinds
from minerva_desktop.language.units.grammar import parse_unit, symbols_in
from minerva_desktop.language.units.table import NO_DIMENSION, UserUnit, using_units

LONGEST_SYMBOL = 20
_NUMBER = re.compile(
    r"\s*(?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*(?:[×x*]\s*10\^?(?P<power>[+-]?\d+))?\s*"
)
_NOT_IN_SYMBOLS = re.compile(r"[\d/^*·×(){}\[\]<>=±,;|\\\"'\u2070-\u209f²³¹]|--")


def define_unit(symbol: str, definition: str) -> UserUnit:
    """The unit of a symbol and its definition; units in use (``using_units``) may stand in the definition.

    Raises:
        ValueError: symbol or definition cannot be used; the text is a sentence for a person.
    """
    symbol, definition = " ".join(symbol.split()), definition.strip()
    _check_symbol(symbol)
    if not definition:
        raise ValueError("the definition is missing; say what one of it is, for example 0.01 m/s^2")
    number, rest = _split(definition)
    if number is None:
        number, rest = 1.0, definition
    if not rest or rest == "1":
        return UserUnit(symbol, symbol, number, NO_DIMENSION, "dimensionless")
    unit = parse_unit(rest)
    if unit is None:
        raise ValueError(
            f"“{definition}” is not a number with units that are known; write, for example, 0.01 m/s^2 or 1e-6 bar"
        )
    if unit.ambiguous:
        raise ValueError(f"“{rest}” may be {unit.ambiguous}; write it so that it can mean one thing only")
    return _made(symbol, number, unit)


def _made(symbol: str, number: float, unit: Unit) -> UserUnit:
    if unit.offset and number != 1:
        raise ValueError(f"“{unit.text}” has a zero of its own, so a multiple of it is no unit; use K or another scale")
    factor = float(f"{number * unit.factor:.14g}")
    if not math.isfinite(factor) or factor <= 0:
        raise ValueError("one of a unit must be a number above zero that is not too large to be written")
    kind = unit.dimension if unit.vector == NO_DIMENSION and unit.dimension in pure_kinds() else ""
    # A name of a dimension may hang on the symbol it is written with (torque and energy have the same base units).
    base = unit.symbols[0][0] if len(unit.symbols) == 1 and unit.symbols[0][1] == 1 else symbol
    return UserUnit(symbol, base, factor, unit.vector, kind, unit.offset)


def _split(definition: str) -> tuple[float | None, str]:
    match = _NUMBER.match(definition)
    if match is None:
        return None, definition
    number = float(match.group("number"))
    if match.group("power"):
        number *= 10.0 ** int(match.group("power"))
    return number, definition[match.end() :]


def _check_symbol(symbol: str) -> None:
    if not symbol:
        raise ValueError("the symbol is missing; write it as papers do, for example Gal")
    if len(symbol) > LONGEST_SYMBOL:
        raise ValueError(f"a symbol has at most {LONGEST_SYMBOL} characters")
    wrong = _NOT_IN_SYMBOLS.search(symbol)
    if wrong or not any(character.isalpha() or character in "%‰°" for character in symbol):
        raise ValueError(
            f"“{symbol}” cannot be a symbol: digits, strokes, brackets and powers belong to numbers and products; "
            "use letters, or signs such as ° and %"
        )
    if symbol in _reserved():
        raise ValueError(f"“{symbol}” is a unit in which values are kept and shown; choose another symbol")


@lru_cache(maxsize=1)
def _reserved() -> frozenset[str]:
    with using_units(()):
        return frozenset(symbol for text in own_unit_texts() for symbol in symbols_in(text))
