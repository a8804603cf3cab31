"""A row of a table as one line of text that can be read alone: "Table 1. Material: GaN; Band gap: 3.4 eV".

The unit that a header gives for its column stands behind each number of it, so that a cell says what it means.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from minerva_desktop.language.quantities import parse_value
from minerva_desktop.language.units import UnitSet, units_in_use

_IN_BRACKETS = re.compile(r"^(?P<name>.*?\S)\s*[(\[]\s*(?P<unit>[^()\[\]]{1,40})\s*[)\]]\s*(?P<rest>[^()\[\]]{0,30})$")
_BEHIND = re.compile(r"^(?P<name>.*?[^\s,/])\s*(?:,|/|\bin\b)\s*(?P<unit>[^,/()\s][^,()]{0,24})$")
_FACTOR = re.compile(r"^(?:[×x·*]\s*)?(?P<power>10(?:[⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹]+|\^[-−+]?\d+))\s*(?P<unit>.*)$")
_NUMBER = re.compile(
    r"[<>≤≥~≈∼]?\s?[+−–-]?\s?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:\s?\(\d+\))?(?:\s?[–−-]\s?\d+(?:\.\d+)?|\s?±\s?\d+(?:\.\d+)?)?"
    r"(?:\s?[×x·]\s?10(?:[⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹]+|\^[-−+]?\d+))?"
)
_MARKED = re.compile(r"(?<=\d)\s?(?:\^?[a-z*†‡§]{1,2}(?:,[a-z])*|[*†‡§]+)\Z")
_WORDS_OF_NO_UNIT = re.compile(
    r"\b(?:n|N|SD|SE|ref|refs|mean|type|phase|space group|this work|a\.u\.)\Z", re.IGNORECASE
)


class Header(NamedTuple):
    """What a header says: the name of the column, the unit of its numbers, a power of ten that they share."""

    name: str
    unit: str = ""
    power: str = ""


def read_header(text: str) -> Header:
    """A header taken apart.

    >>> read_header("Band gap (eV)"), read_header("Tc / K").unit, read_header("σ (10⁻³ S cm⁻¹)").power
    (Header(name='Band gap', unit='eV', power=''), 'K', '10⁻³')
    """
    return _read_header(text, units_in_use())


@lru_cache(maxsize=4096)
def _read_header(text: str, own: UnitSet | None) -> Header:
    text = " ".join(text.split())
    for pattern in (_IN_BRACKETS, _BEHIND):
        match = pattern.match(text)
        if match is None:
            continue
        said = match.group("unit").strip()
        name = match.group("name").strip(" ,:")
        rest = match.groupdict().get("rest") or ""
        factor = _FACTOR.match(said)
        power, unit = (factor.group("power"), factor.group("unit").strip()) if factor else ("", said)
        if name and (_is_unit(unit) or (power and not unit)):
            return Header(f"{name} {rest}".strip(), unit, power)
    return Header(text.strip(" :"))


def _is_unit(text: str) -> bool:
    if not text or _WORDS_OF_NO_UNIT.match(text) or text.isdigit():
        return False
    quantity = parse_value(f"1 {text}")
    return quantity.ok and bool(quantity.dimension or quantity.unit) and quantity.kind != "count"


class RowText(NamedTuple):
    """``text``, and for each column where its cell stands in it (None for an empty cell)."""

    text: str
    spans: tuple[tuple[int, int] | None, ...]


def row_text(label: str, header: Sequence[str], row: Sequence[str]) -> RowText:
    """The line of one row of a table."""
    out = f"{label}. " if label else ""
    spans: list[tuple[int, int] | None] = []
    first = True
    for column, cell in enumerate(row):
        cell = " ".join(cell.split())
        if not cell:
            spans.append(None)
            continue
        head = read_header(header[column]) if column < len(header) else Header("")
        out += "" if first else "; "
        first = False
        out += f"{head.name}: " if head.name else ""
        said = with_unit(cell, head)
        spans.append((len(out), len(out) + len(said)))
        out += said
    return RowText(out, tuple(spans))


def with_unit(cell: str, head: Header) -> str:
    """A cell with the power and unit that its column's header gives; what is no plain number stays as it is."""
    plain = _MARKED.sub("", cell)
    number = _NUMBER.fullmatch(plain)
    if number is None or not (head.unit or head.power):
        return cell
    if head.power:
        plain = f"({plain}) × {head.power}" if re.search(r"[–±]|\d\s?-", plain) else f"{plain} × {head.power}"
    return f"{plain} {head.unit}".strip()
