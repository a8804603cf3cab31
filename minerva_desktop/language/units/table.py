"""The table of unit symbols, read from ``resources/language/units.toml`` and sized by the unit registry."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from minerva_desktop.assets import resource_path

Vector = tuple[float, ...]
"""Exponents of length, mass, time, current, temperature, amount, luminous intensity, information."""

BASES = ("[length]", "[mass]", "[time]", "[current]", "[temperature]", "[substance]", "[luminosity]", "[information]")
NO_DIMENSION: Vector = (0.0,) * len(BASES)

_ENGLISH = frozenset({"as"})
"""Prefixed symbols that are English words: never a unit in running text."""

_WORDS_WITHOUT_PLURAL = ("hertz", "siemens", "stokes", "feet", "centuries", "celsius", "fahrenheit", "vickers")


@dataclass(frozen=True, slots=True)
class Atom:
    """One symbol: ``SI value = value * factor + offset``. ``base`` is the symbol without its prefix.

    ``kind`` says what a pure number is: fraction, mass_fraction, …, angle, count; empty for dimensional units.
    ``power``: a plain digit behind it is an exponent. ``prose``: may stand alone behind a number in running text.
    """

    symbol: str
    base: str
    factor: float
    vector: Vector
    kind: str = ""
    offset: float = 0.0
    power: bool = False
    prose: bool = True
    word: bool = False


@dataclass(frozen=True, slots=True)
class UserUnit:
    """A unit that a person defined: ``SI value = value * factor + offset``. ``base`` and ``kind`` as in :class:`Atom`."""

    symbol: str
    base: str
    factor: float
    vector: Vector
    kind: str = ""
    offset: float = 0.0


class UnitSet:
    """The units of a person that are in use. Equal sets are one object, so that caches can hold them by identity."""

    __slots__ = ("units",)

    def __init__(self, units: tuple[UserUnit, ...]) -> None:
        self.units = units


@lru_cache(maxsize=64)
def _unit_set(units: tuple[UserUnit, ...]) -> UnitSet:
    return UnitSet(units)


_IN_USE: ContextVar[UnitSet | None] = ContextVar("units_in_use", default=None)


@contextmanager
def using_units(units: Iterable[UserUnit]) -> Iterator[None]:
    """Read a person's units besides the built-in ones inside the block, in this thread (or task) only.

    They win over built-in symbols. Two libraries with different units can so be read at the same time.
    """
    chosen = tuple(units)
    token = _IN_USE.set(_unit_set(chosen) if chosen else None)
    try:
        yield
    finally:
        _IN_USE.reset(token)


def units_in_use() -> UnitSet | None:
    """The person's units of the surrounding block; None for none. What is cached of units belongs to one such set."""
    return _IN_USE.get()


@dataclass(frozen=True, slots=True)
class Table:
    """``plain`` symbols are runs of letters; ``special`` ones have other characters, by first character, longest
    first; ``each`` are the words for "one of them" in a denominator."""

    plain: dict[str, Atom]
    special: dict[str, tuple[Atom, ...]]
    each: dict[str, Atom]
    each_special: tuple[Atom, ...]


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    return tomllib.loads(resource_path("language", "units.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint  # takes a noticeable moment: only when a unit is really needed

    registry: Any = pint.UnitRegistry(cache_folder=None)
    registry.load_definitions(resource_path("language", "field_units.txt"))
    return registry


def _size(name: str, *, offset: bool) -> tuple[float, Vector, float]:
    """Factor, dimension and offset of a registry expression from our own table."""
    registry = _registry()
    zero = 0.0
    if offset:
        zero = float(registry.Quantity(0.0, name).to_base_units().magnitude)
        one = float(registry.Quantity(1.0, name).to_base_units().magnitude)
        return _tidy(one - zero), _vector(registry.Quantity(1.0, name).dimensionality), _tidy(zero)
    quantity = registry.Quantity(1.0, registry.parse_units(name)).to_base_units()
    return _tidy(float(quantity.magnitude)), _vector(quantity.dimensionality), zero


def size_of(name: str) -> tuple[float, Vector]:
    """SI value and dimension of a name of the unit registry, such as a constant of nature.

    Only names from the project's own tables may be asked for here; the registry evaluates them.
    """
    factor, vector, _ = _size(name, offset=False)
    return factor, vector


def _tidy(number: float) -> float:
    """Without the last digits of floating-point noise: 1e-10, not 1.0000000000000002e-10."""
    return float(f"{number:.14g}")


def _vector(dimensionality: Any) -> Vector:
    return tuple(round(float(dimensionality.get(base, 0.0)), 6) for base in BASES)


def table() -> Table:
    """The whole table, a person's units in use included."""
    own = _IN_USE.get()
    return _built_in() if own is None else _with_own(own)


_LETTERS_ONLY = re.compile(r"[A-Za-zµΩÅℓ℧]+")


@lru_cache(maxsize=16)
def _with_own(own: UnitSet) -> Table:
    built_in = _built_in()
    atoms = [Atom(u.symbol, u.base, u.factor, u.vector, u.kind, u.offset, power=not u.kind) for u in own.units]
    symbols = {atom.symbol for atom in atoms}
    plain = {symbol: atom for symbol, atom in built_in.plain.items() if symbol not in symbols}
    special = [atom for group in built_in.special.values() for atom in group if atom.symbol not in symbols]
    for atom in atoms:
        if _LETTERS_ONLY.fullmatch(atom.symbol):
            plain[atom.symbol] = atom
        else:
            special.append(atom)
    return Table(plain, _by_first(iter(special)), built_in.each, built_in.each_special)


@lru_cache(maxsize=1)
def _built_in() -> Table:
    """The table without a person's units, built once."""
    data = _data()
    atoms: dict[str, Atom] = {}
    for entry in data["units"]:
        for atom in _atoms_of(entry, data["prefixes"], data["prefix_words"]):
            atoms.setdefault(atom.symbol, atom)
    for entry in data["fractions"]:
        for symbol in entry["symbols"]:
            atoms[symbol] = Atom(symbol, entry["shown"], entry["factor"], NO_DIMENSION, entry["kind"])
    each = {word: Atom(word, word, 1.0, NO_DIMENSION, "count") for word in data["each"]}
    return Table(
        plain={symbol: atom for symbol, atom in atoms.items() if symbol.isalpha()},
        special=_by_first(atom for symbol, atom in atoms.items() if not symbol.isalpha()),
        each={symbol: atom for symbol, atom in each.items() if symbol.isalpha()},
        each_special=tuple(sorted((a for s, a in each.items() if not s.isalpha()), key=lambda a: -len(a.symbol))),
    )


def _by_first(atoms: Iterator[Atom]) -> dict[str, tuple[Atom, ...]]:
    groups: dict[str, list[Atom]] = {}
    for atom in atoms:
        groups.setdefault(atom.symbol[0], []).append(atom)
    return {first: tuple(sorted(group, key=lambda a: (-len(a.symbol), a.symbol))) for first, group in groups.items()}


def _atoms_of(entry: dict[str, Any], prefixes: dict[str, float], words: dict[str, str]) -> Iterator[Atom]:
    """An entry with all its prefixes and plurals."""
    offset = bool(entry.get("offset"))
    kind = entry.get("kind", "")
    counted = kind == "count"
    factor, vector, zero = (1.0, NO_DIMENSION, 0.0) if counted else _size(entry["pint"], offset=offset)
    symbols = entry.get("symbols", [])
    allowed = entry.get("prefixes", "").split()
    base = (symbols or entry.get("words", [entry["pint"]]))[0]
    power, prose = bool(entry.get("power")), bool(entry.get("prose", True))
    for symbol in symbols:
        yield Atom(symbol, base, factor, vector, kind, zero, power, prose)
        if symbol == "Å":
            yield Atom("A\u030a", base, factor, vector, kind, zero, power, prose)
        for prefix in _both_micros(allowed):
            size = _tidy(factor * prefixes[prefix])
            yield Atom(prefix + symbol, base, size, vector, kind, 0.0, power, prose and prefix + symbol not in _ENGLISH)
    for word in entry.get("words", []):
        for form in _forms(word):
            yield Atom(form, base, factor, vector, kind, zero, power, prose or len(word) > 2, True)
            for prefix in allowed:
                name = words.get(prefix, "")
                if name:
                    size = _tidy(factor * prefixes[prefix])
                    yield Atom(name + form, base, size, vector, kind, 0.0, power, True, True)
                    yield Atom(name.capitalize() + form, base, size, vector, kind, 0.0, power, True, True)


def _both_micros(allowed: list[str]) -> list[str]:
    return [*allowed, "µ"] if "u" in allowed else allowed


def _forms(word: str) -> list[str]:
    """A unit word, its plural and the capitalised forms."""
    forms = [word]
    last = word.split()[-1]
    if last.lower() not in _WORDS_WITHOUT_PLURAL and len(last) > 1:
        forms.append(word + ("es" if word.endswith("ch") else "s"))
    return list(dict.fromkeys(forms + [form[0].upper() + form[1:] for form in forms]))
