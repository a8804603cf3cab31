"""Dopant and host of a question, and their molar masses from the table of elements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from minerva_desktop.extraction.tokens import tokenize
from minerva_desktop.language.elements import symbol_for_name
from minerva_desktop.language.formulas import find_formulas, molar_mass, parse_formula
from minerva_desktop.questions.concepts import Given
from minerva_desktop.questions.figures import number_text

_HOST_BEFORE = re.compile(r"(?:\bin|\binto|\bhost)\s*(?:a |an |the |pure |bulk |crystalline )*$", re.IGNORECASE)
_DOPED_WITH = re.compile(r"\bdoped\b[^.?!]*?\b(?:with|by)\b", re.IGNORECASE)
_DOPED = re.compile(r"^[\s‐‑–-]*doped\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Substance:
    """A plain formula in the question, with its place and molar mass in kg/mol."""

    name: str
    start: int
    end: int
    mass: float


def roles(question: str) -> dict[str, Given]:
    """Molar masses of "dopant" and "host", for those that the question tells apart."""
    found = _substances(question)
    if len(found) < 2:
        return {}
    dopant, host = _told_apart(question, found)
    return {"dopant": _given(dopant), "host": _given(host)}


def _given(item: Substance) -> Given:
    return Given(item.mass, f"{number_text(item.mass * 1000, 5)} g/mol", "table", note=item.name)


def _substances(question: str) -> list[Substance]:
    found: dict[int, Substance] = {}
    for token in tokenize(question):
        symbol = symbol_for_name(token.text) if len(token.text) > 2 else None
        if symbol:
            _put(found, symbol, token.start, token.end)
    for item in find_formulas(question):
        if item.formula.ok:
            _put(found, item.formula.canonical, item.start, item.end)
    kept: list[Substance] = []
    for substance in sorted(found.values(), key=lambda item: item.start):
        if all(substance.name != other.name for other in kept):
            kept.append(substance)
    return kept


def _put(found: dict[int, Substance], name: str, start: int, end: int) -> None:
    formula = parse_formula(name)
    grams = molar_mass(formula) if formula.ok else None
    if grams and not any(item.start < end and start < item.end for item in found.values()):
        found[start] = Substance(name, start, end, grams / 1000)


def _told_apart(question: str, found: Sequence[Substance]) -> tuple[Substance, Substance]:
    """(dopant, host): "Al-doped Si", "Si doped with Al", "Al in Si"; else in that order."""
    with_it = _DOPED_WITH.search(question)
    if with_it:
        hosts = [item for item in found if item.end <= with_it.start()]
        dopants = [item for item in found if item.start >= with_it.end()]
        if hosts and dopants:
            return dopants[0], hosts[-1]
    for item in found:
        after = [other for other in found if other.start > item.end]
        if after and _DOPED.match(question[item.end :]):
            return item, after[0]
    for item in found:
        if _HOST_BEFORE.search(question[: item.start]):
            return next(other for other in found if other is not item), item
    return found[0], found[1]
