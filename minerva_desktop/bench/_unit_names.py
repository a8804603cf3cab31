"""Units by their English names ("kilometre per square second"), sized by the unit registry alone.

Expected values of a benchmark are read here, not by the unit grammar that is measured: it must not judge itself.
"""

from __future__ import annotations

import re
from functools import lru_cache
from tokenize import TokenError
from typing import Any

from minerva_desktop.language.units.grammar import parse_unit, vector_of
from minerva_desktop.language.units.table import BASES, NO_DIMENSION, Vector
from minerva_desktop.records import Quantity

Item = tuple[float, str]
"""A value in coherent SI (money: in its own unit) and what kind of unit it has: one text per dimension."""

_OTHER_NAMES = {
    "pound-mass": "pound",
    "minute of arc": "arcminute",
    "second of arc": "arcsecond",
    "degree angle": "degree",
    "degree celsius": "degC",
    "degree fahrenheit": "degF",
    "ton": "tonne",
    "british thermal unit": "british_thermal_unit",
    "electronvolt": "electron_volt",
    "percentage": "percent",
    "dimensionless": "dimensionless",
}
_NUMBERS = {"count": 1.0, "pair": 2.0, "dozen": 12.0, "baker's dozen": 13.0, "gross": 144.0}
_MONEY = {"dollar", "euro", "pound sterling", "yen", "japanese yen", "cent", "penny", "dime"}
_SIGNS = {"$": "dollar", "€": "euro", "£": "pound sterling", "¥": "yen"}
_POWERS = (("square ", 2), ("cubic ", 3))
_PREFIXED = re.compile(
    r"(?P<prefix>exa|peta|tera|giga|mega|kilo|hecto|deci|centi|milli|micro|nano|pico|femto|atto)"
    r"(?P<name>[a-z]{3,} ?[a-z]*)\Z"
)


def named(value: float, unit: str) -> Item:
    """A value whose unit is given by name; a name that the registry does not have stays as it is."""
    try:
        money, factors = _factors(unit)
    except ValueError:
        return (value, unit)
    if not money and len(factors) == 1 and factors[0] in {("degC", 1), ("degF", 1)}:
        return (
            _short(float(_registry().Quantity(value, factors[0][0]).to("kelvin").magnitude)),
            _kind("", _vector("kelvin")),
        )
    vector = NO_DIMENSION
    for name, power in factors:
        size, own = _sized(name)
        value *= size**power
        vector = tuple(a + b * power for a, b in zip(vector, own, strict=True))
    return (_short(value), _kind(money, vector))


def read(quantity: Quantity) -> Item | None:
    """The value and unit kind of a quantity that was read; a range is its middle; None for what has no value."""
    ends = [end for end in (quantity.si_low, quantity.si_high) if end is not None]
    value = quantity.si_value if quantity.si_value is not None else sum(ends) / len(ends) if ends else None
    if quantity.dimension == "currency":
        return _money(quantity)
    if value is None:
        return None
    vector = NO_DIMENSION if quantity.si_unit in {"", "1"} else vector_of(quantity.si_unit)
    return (_short(value), _kind("", vector))


def _money(quantity: Quantity) -> Item | None:
    ends = [end for end in (quantity.low, quantity.high) if end is not None]
    value = quantity.value if quantity.value is not None else sum(ends) / len(ends) if ends else None
    if value is None:
        return None
    sign, _, below = quantity.unit.partition("/")
    unit = parse_unit("/" + below) if below else None
    money = _SIGNS.get(sign, sign)
    return (_short(value * (unit.factor if unit else 1.0)), _kind(money, unit.vector if unit else NO_DIMENSION))


def _short(value: float) -> float:
    return float(f"{value:.6g}")


def _kind(money: str, vector: Vector) -> str:
    powers = " ".join(f"{base}{power:g}" for base, power in zip(BASES, vector, strict=True) if power)
    return " ".join(part for part in (money, powers) if part)


# --------------------------------------------------------------------------------------------------------- names
def _factors(unit: str) -> tuple[str, list[tuple[str, int]]]:
    """The money and the other factors of a name: "dollar per kilogram" is ("dollar", [("kilogram", -1)]).

    Raises:
        ValueError: a factor is unknown.
    """
    money = ""
    factors: list[tuple[str, int]] = []
    inverse = unit.startswith("inverse ")
    for place, part in enumerate(unit.removeprefix("inverse ").split(" per ")):
        sign = -1 if inverse or place else 1
        if part in _MONEY and sign == 1:
            money = part
            continue
        factors += [(name, power * sign) for name, power in _product(part)]
    return money, factors


def _product(text: str) -> list[tuple[str, int]]:
    """ "watt hour" is a product, "british thermal unit" one name."""
    for words, power in _POWERS:
        if text.startswith(words):
            return [(name, power) for name, _ in _product(text.removeprefix(words))]
    for words, power in ((" squared", 2), (" cubed", 3)):
        if text.endswith(words):
            return [(name, power) for name, _ in _product(text.removesuffix(words))]
    name = _known(text)
    if name:
        return [(name, 1)]
    first, space, rest = text.partition(" ")
    if not space:
        raise ValueError(text)
    return [*_product(first), *_product(rest)]


def _known(text: str) -> str:
    name = _OTHER_NAMES.get(text.lower(), text)
    if name in _NUMBERS or name in {"degC", "degF", "dimensionless"}:
        return name
    prefixed = _PREFIXED.match(name)
    if prefixed and prefixed.group("name") in _OTHER_NAMES:
        name = prefixed.group("prefix") + _OTHER_NAMES[prefixed.group("name")]
    name = name.replace(" ", "_")
    try:
        _registry().parse_units(name)
    except (AttributeError, ValueError, TypeError, TokenError):  # unknown to the registry, or no name at all
        return ""
    return name


@lru_cache(maxsize=512)
def _sized(name: str) -> tuple[float, Vector]:
    if name in _NUMBERS or name == "dimensionless":
        return _NUMBERS.get(name, 1.0), NO_DIMENSION
    return float(_registry().Quantity(1.0, _registry().parse_units(name)).to_base_units().magnitude), _vector(name)


def _vector(name: str) -> Vector:
    if name.endswith(("bit", "byte")):  # pure numbers to the registry
        return tuple(float(base == "[information]") for base in BASES)
    found = _registry().parse_units(name).dimensionality
    return tuple(float(found.get(base, 0.0)) for base in BASES)


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint

    return pint.UnitRegistry(cache_folder=None)
