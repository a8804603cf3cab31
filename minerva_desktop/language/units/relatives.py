"""The units in which a paper may state what another states in this one."""

from __future__ import annotations

from dataclasses import dataclass

from minerva_desktop.language.units.grammar import parse_unit
from minerva_desktop.language.units.table import table


@dataclass(frozen=True, slots=True)
class Relative:
    """A unit: ``SI value = value * factor + offset``; ``symbols`` are its spellings."""

    factor: float
    offset: float
    symbols: tuple[str, ...]


def relatives(unit: str) -> tuple[Relative, ...]:
    """The units of one symbol that measure the same as this one, itself among them, by their size.

    Empty for a unit of several symbols ("W/m²"), and for one that is not known.
    """
    known = parse_unit(unit)
    if known is None:
        return ()
    atoms = [*table().plain.values(), *(atom for group in table().special.values() for atom in group)]
    own = next((atom for atom in atoms if atom.symbol == known.text.strip()), None)
    if own is None:
        return ()
    spellings: dict[tuple[float, float], set[str]] = {}
    for atom in atoms:
        if atom.vector == own.vector and atom.kind == own.kind:
            spellings.setdefault((atom.factor, atom.offset), set()).add(atom.symbol)
    return tuple(
        Relative(factor, offset, tuple(sorted(names))) for (factor, offset), names in sorted(spellings.items())
    )
