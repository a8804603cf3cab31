"""Under which conditions a value holds: "… at 300 K", "… (25 °C, 1 atm)", "… for x = 0.15", "… vs. RHE"."""

from __future__ import annotations

import re

from minerva_desktop.language.quantities.build import quantity_of
from minerva_desktop.language.quantities.expression import read_expression
from minerva_desktop.language.quantities.words import START, understand
from minerva_desktop.records import Condition

NAMES = {
    "temperature": "temperature",
    "pressure": "pressure",
    "magnetic_flux_density": "magnetic_field",
    "magnetic_field_strength": "magnetic_field",
    "magnetization": "magnetic_field",
    "frequency": "frequency",
    "time": "time",
    "voltage": "voltage",
    "electric_field": "electric_field",
    "current": "current",
    "current_density": "current_density",
    "power_density": "irradiance",
    "heating_rate": "heating_rate",
    "scan_rate": "scan_rate",
    "strain_rate": "strain_rate",
    "concentration": "concentration",
    "fraction": "composition",
    "mass_fraction": "composition",
    "atomic_fraction": "composition",
    "amount_fraction": "composition",
    "volume_fraction": "composition",
    "volume_flow_rate": "flow_rate",
    "force": "load",
    "energy": "energy",
    "specific_current": "current_rate",
}
"""The name of a condition by its dimension; a length is a wavelength behind "at", a thickness otherwise."""

_LINK = re.compile(
    r"\s*(?:[,;(\[]\s*)?(?:(?:and|but|when|measured|obtained|recorded|tested|sintered|annealed)\s+)*"
    r"(?:(?P<word>at|@|under|in|for|with|after|and|T\s?=|H\s?=|B\s?=|P\s?=|p\s?=|f\s?=)\s*(?:a\s|an\s|the\s)?"
    r"(?:(?:temperature|pressure|field|magnetic field|frequency|voltage|wavelength|load)s?\s(?:of\s)?)?)?"
)
_VARIABLE = re.compile(
    r"\s*(?:[,;(]\s*)?(?:at|for|with|in)?\s*(?P<text>(?P<symbol>[xyznδ])\s?[=~≈]\s?(?P<value>\d+(?:\.\d+)?))(?![\d.]\d?\s?[A-Za-z%°])"
)
_SETTING = re.compile(
    r"\s*(?:[,;(]\s*)?(?:(?:at|in|under|of)\s+)?(?P<text>(?P<room>room[\s-]temperature|RT|ambient\s(?:temperature|conditions|pressure))"
    r"|(?P<gas>(?:(?:dry|wet|humidified|flowing|ambient|pure|static|synthetic)\s)?"
    r"(?:air|vacuum|argon|nitrogen|oxygen|hydrogen|helium|O2|N2|H2|Ar|He|CO2|CO|steam)(?:\s(?:atmosphere|gas))?)"
    r"|(?P<field>zero\s(?:magnetic\s|applied\s)?field))(?![A-Za-z0-9])"
)
_AGAINST = re.compile(
    r"\s*[,(]?\s*(?P<text>(?:vs\.?|versus|against)\s(?:the\s)?(?:RHE|SHE|NHE|SCE|Ag/AgCl|Hg/HgO|Li/Li\+|Li\+/Li|Na/Na\+|Na\+/Na|Li|Na|Fc/Fc\+|Fc\+/Fc))(?![A-Za-z0-9])"
)
_END = re.compile(r"\s*[)\]]?[.,;]?\s*\Z")
_MOST = 8


def read_conditions(rest: str) -> tuple[Condition, ...] | None:
    """The conditions that a text behind a value consists of; None when it says anything else."""
    found: list[Condition] = []
    at = 0
    while len(found) < _MOST and not _END.match(rest, at):
        step = _next(rest, at, first=not found)
        if step is None:
            return None
        condition, at = step
        found.append(condition)
        if rest[at : at + 1] in {")", "]"}:
            at += 1
    return tuple(found) if _END.match(rest, at) else None


def _next(rest: str, at: int, *, first: bool) -> tuple[Condition, int] | None:
    against = _AGAINST.match(rest, at)
    if against:
        return Condition("reference", against.group("text")), against.end()
    variable = _VARIABLE.match(rest, at)
    if variable:
        value = float(variable.group("value"))
        return Condition("composition", variable.group("text"), value, "1"), variable.end()
    setting = _SETTING.match(rest, at)
    if setting:
        name = "temperature" if setting.group("room") else "magnetic_field" if setting.group("field") else "atmosphere"
        return Condition(name, setting.group("text")), setting.end()
    link = _LINK.match(rest, at)
    if link is None or (first and not link.group("word") and "(" not in link.group() and "," not in link.group()):
        return None
    return _measured(rest, link.end(), link.group("word") or "")


def _measured(rest: str, at: int, word: str) -> tuple[Condition, int] | None:
    start = START.match(rest, at)
    begin = start.end() if start else at
    expression = read_expression(rest, begin, prose=False)
    if expression is None or expression.unit is None:
        return None
    condition = condition_of(rest[at : expression.end], word)
    return (condition, expression.end) if condition else None


def condition_of(text: str, word: str = "at") -> Condition | None:
    """The condition that a quantity expression states; None when it is none that is known.

    Args:
        text: the expression in the parsers' spelling, such as "300 K" or "below 5 GPa".
        word: the preposition before it.
    """
    start = START.match(text)
    comparator, approximate, opened = understand(start.group() if start else "")
    expression = read_expression(text, start.end() if start else 0, prose=False, opened=opened)
    if expression is None or expression.unit is None:
        return None
    from dataclasses import replace

    reading = replace(expression.reading, comparator=comparator, approximate=approximate)
    expected = "temperature" if expression.unit.unit.ambiguous.startswith("coulombs") else None
    quantity = quantity_of(reading, text, expected)
    name = NAMES.get(quantity.dimension)
    if quantity.dimension == "length":
        name = "wavelength" if word == "at" else "thickness"
    if name is None:
        return None
    single = quantity.si_value if quantity.ok and quantity.kind == "value" else None
    return Condition(name, text, single, quantity.si_unit)
