"""Named dimensions and composed units: what a product of symbols measures, and its coherent SI unit."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from minerva_desktop.assets import resource_path
from minerva_desktop.language.units.table import BASES, NO_DIMENSION, Atom, Vector, using_units

Term = tuple[Atom, float]

_BASE_SYMBOLS = ("m", "kg", "s", "A", "K", "mol", "cd", "bit")
_PURE_PAIRS = {"mass": "mass_fraction", "amount": "amount_fraction", "volume": "volume_fraction"}


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit that was understood. ``SI value = value * factor + offset``; ``offset`` only for a lone °C or °F.

    ``text`` is the unit as written (in the parsers' spelling); ``symbols`` are its symbols without prefixes, with
    exponents; ``ambiguous`` says in a few words what else it could be, when it could.
    """

    text: str
    factor: float
    vector: Vector
    dimension: str
    si_unit: str
    offset: float = 0.0
    symbols: tuple[tuple[str, float], ...] = ()
    ambiguous: str = ""
    named: bool = True


@dataclass(frozen=True, slots=True)
class _Name:
    name: str
    si: str
    when: tuple[str, ...]
    shown: tuple[str, ...]


@dataclass(slots=True)
class _Names:
    by_vector: dict[Vector, list[_Name]] = field(default_factory=dict)
    by_name: dict[str, tuple[_Name, Vector]] = field(default_factory=dict)
    pure: dict[str, str] = field(default_factory=dict)


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    return tomllib.loads(resource_path("language", "dimensions.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _names() -> _Names:
    # The SI unit of a name fixes its physical dimension: it is read by the unit grammar itself.
    from minerva_desktop.language.units.grammar import vector_of

    names = _Names(pure=dict(_data()["pure"]))
    for entry in _data()["dimensions"]:
        item = _Name(entry["name"], entry["si"], tuple(entry.get("when", ())), tuple(entry.get("shown", ())))
        with using_units(()):  # our own tables never mean a person's units
            vector = vector_of(item.si)
        names.by_vector.setdefault(vector, []).append(item)
        names.by_name[item.name] = (item, vector)
    return names


def dimension_vector(name: str) -> Vector | None:
    """The physical dimension of a named dimension; None for an unknown name."""
    names = _names()
    if name in names.pure:
        return NO_DIMENSION
    found = names.by_name.get(name)
    return found[1] if found else None


def si_unit_of(name: str) -> str:
    """The coherent SI unit of a named dimension ("1" for pure numbers, "" for an unknown name)."""
    names = _names()
    if name in names.pure:
        return "1"
    found = names.by_name.get(name)
    return found[0].si if found else ""


def shown_units(name: str) -> tuple[str, ...]:
    """The units in which canonical values of this dimension are written, small to large."""
    names = _names()
    if name in names.pure:
        return (names.pure[name],)
    found = names.by_name.get(name)
    return (found[0].shown or (found[0].si,)) if found else ()


def pure_kinds() -> frozenset[str]:
    """Names of the dimensions of pure numbers: "fraction", "mass_fraction", "angle", …"""
    return frozenset(_names().pure)


@lru_cache(maxsize=1)
def own_unit_texts() -> tuple[str, ...]:
    """The units in which values are kept and shown: what these are made of must not change its meaning."""
    names = _names()
    texts = {text for item, _ in names.by_name.values() for text in (item.si, *item.shown)}
    return tuple(sorted(texts | {text for text in names.pure.values() if text}))


def same_physical_dimension(one: str, other: str) -> bool:
    """Whether two named dimensions are measured in the same SI unit, as temperature and temperature_difference are."""
    first, second = dimension_vector(one), dimension_vector(other)
    if first is None or second is None:
        return one == other
    return first == second and (first != NO_DIMENSION or one == other)


def compose(terms: Iterable[Term], text: str) -> Unit:
    """The unit that a product of symbols is."""
    items = tuple(terms)
    factor, vector = 1.0, list(NO_DIMENSION)
    for atom, power in items:
        factor *= _power(atom.factor, power)
        for index, exponent in enumerate(atom.vector):
            vector[index] += exponent * power
    exact = tuple(round(value, 6) + 0.0 for value in vector)
    symbols = tuple((atom.base, power) for atom, power in items)
    alone = len(items) == 1 and items[0][1] == 1
    offset = items[0][0].offset if alone else 0.0
    name, si_unit, named = _name_of(exact, items)
    factor = float(f"{factor:.14g}")
    ambiguous = _ambiguity(items, named) or _lost_sign(items)
    return Unit(text, factor, exact, name, si_unit, offset, symbols, ambiguous, named)


def _power(factor: float, power: float) -> float:
    """Infinite where it is too large: such a product is no unit, and is refused as a whole."""
    try:
        return factor if power == 1 else float(factor**power)
    except OverflowError:
        return math.inf


def _name_of(vector: Vector, items: tuple[Term, ...]) -> tuple[str, str, bool]:
    if vector == NO_DIMENSION:
        return _pure_name(items), "1", True
    candidates = _names().by_vector.get(vector)
    if not candidates:
        return _base_text(vector), _base_unit(vector), False
    bases = {atom.base for atom, power in items if power > 0 or atom.kind == "count"}
    if any(atom.base == "N" and power > 0 for atom, power in items) and any(atom.base == "m" for atom, _ in items):
        if all((power > 0) for atom, power in items if atom.base in {"N", "m"}):
            bases.add("N·m")
        if all((power < 0) for atom, power in items if atom.base == "N"):
            bases.add("N·m")
    if any(atom.base == "N" and power < 0 for atom, power in items) and sum(a.base == "m" for a, _ in items) > 1:
        bases.add("N·m")
    for item in candidates:
        if item.when and bases.intersection(item.when):
            return item.name, item.si, True
    for item in candidates:
        if not item.when:
            return item.name, item.si, True
    return candidates[0].name, candidates[0].si, True


def _pure_name(items: tuple[Term, ...]) -> str:
    kinds = [atom.kind for atom, _ in items if atom.kind and atom.kind != "count"]
    if len(kinds) == 1:
        return kinds[0]
    if not kinds and items and all(atom.kind == "count" for atom, _ in items):
        return "count"
    if len(items) == 2 and items[0][0].vector == items[1][0].vector:
        candidates = _names().by_vector.get(items[0][0].vector, [])
        for item in candidates:
            if item.name in _PURE_PAIRS:
                return _PURE_PAIRS[item.name]
    return "dimensionless"


def _ambiguity(items: tuple[Term, ...], named: bool) -> str:
    spelled = [(atom.symbol, power) for atom, power in items]
    if spelled == [("C", 1)]:
        return "coulombs or degrees Celsius"
    if ("C", 1) in spelled and len(items) == 2 and items[1][0].base in {"s", "min", "h"} and items[1][1] == -1:
        return "coulombs or degrees Celsius"
    if not named and len(spelled) > 1 and spelled[0] == ("m", 1) and spelled[1][1] == 1:
        return f"“m{spelled[1][0]}” or metres times “{spelled[1][0]}”"
    if ("ms", -1) in spelled or ("ms", -2) in spelled:
        return "metres per second or per millisecond"
    return ""


def _lost_sign(items: tuple[Term, ...]) -> str:
    """ "mW cm2" and "A cm 2" are most often mW/cm² with the minus sign lost: nobody means milliwatts times area."""
    if len(items) != 2 or items[0][0].base not in {"A", "W", "C", "F", "J", "mol"} or items[0][1] != 1:
        return ""
    other, power = items[1]
    if other.base != "m" or other.symbol == "m" or power not in {2, 3}:
        return ""
    return f"“{items[0][0].symbol}/{other.symbol}{power:g}” with its minus sign lost"


def _base_text(vector: Vector) -> str:
    """A dimension without a name, in the registry's notation: "[length] ** 2 / [time]"."""
    above = [_powered(base, power, " ** ") for base, power in zip(BASES, vector, strict=True) if power > 0]
    below = [_powered(base, -power, " ** ") for base, power in zip(BASES, vector, strict=True) if power < 0]
    return " / ".join([" * ".join(sorted(above)) or "1", *sorted(below)])


def _base_unit(vector: Vector) -> str:
    above = [_powered(base, power, "^") for base, power in zip(_BASE_SYMBOLS, vector, strict=True) if power > 0]
    below = [_powered(base, -power, "^") for base, power in zip(_BASE_SYMBOLS, vector, strict=True) if power < 0]
    if not below:
        return "·".join(above)
    bottom = "·".join(below) if len(below) == 1 else f"({'·'.join(below)})"
    return f"{'·'.join(above) or '1'}/{bottom}"


def _powered(symbol: str, power: float, sign: str) -> str:
    return symbol if power == 1 else f"{symbol}{sign}{power:g}"
