"""Constants of nature by the symbols that formulas use. The values are CODATA's, as the unit library keeps them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from minerva_desktop.assets import resource_path
from minerva_desktop.language.units import NO_DIMENSION, Vector, parse_unit, size_of, using_units


@dataclass(frozen=True, slots=True)
class Constant:
    """``value`` is SI; ``shown`` is the same in ``unit``, for people."""

    symbol: str
    label: str
    value: float
    vector: Vector
    shown: float
    unit: str


@lru_cache(maxsize=1)
def constant_symbols() -> frozenset[str]:
    """The symbols alone, without asking the unit library for values."""
    return frozenset(entry["symbol"] for entry in _entries())


@lru_cache(maxsize=1)
def constants() -> Mapping[str, Constant]:
    """Every constant by its symbol.

    Raises:
        ValueError: a unit of our own table does not measure its constant.
    """
    found: dict[str, Constant] = {}
    for entry in _entries():
        value, vector = size_of(entry["name"])
        unit = entry["unit"]
        with using_units(()):  # a person's units do not change what a constant is shown in
            known = parse_unit(unit) if unit else None
        if (known.vector if known else NO_DIMENSION) != vector:
            raise ValueError(f"{unit} does not measure the {entry['label']}")
        shown = float(f"{value / (known.factor if known else 1.0):.13g}")
        found[entry["symbol"]] = Constant(entry["symbol"], entry["label"], value, vector, shown, unit)
    return found


@lru_cache(maxsize=1)
def _entries() -> list[dict[str, str]]:
    data = tomllib.loads(resource_path("language", "constants.toml").read_text(encoding="utf-8"))
    entries: list[dict[str, str]] = data["constants"]
    return entries
