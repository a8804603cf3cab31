"""The unit that a question names for its answer ("in meV", "in °C", "how many kelvin"), and values told in it.

A value is converted from what was read, and what the source prints always stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from minerva_desktop.language.quantities import to_unit
from minerva_desktop.language.units import dimension_vector, parse_unit
from minerva_desktop.questions.figures import figures_of, number_text, with_unit
from minerva_desktop.records import Quantity

_BEFORE = re.compile(
    r"(?:,\s*)?(?:\b(?:expressed |given |measured |stated |told )?in (?:units of )?|\bhow (?:many|much) )"
    r"|[(](?:in )?(?=[^()\s]{1,12}[)])",
    re.IGNORECASE,
)
_MOST_WORDS = 3
_LEAST_FIGURES = 3
"""Figures of a converted value: a factor that is no power of ten must not make "2 GPa" into "300000 psi"."""
_LOOSE = {"C": "°C", "F": "°F", "degrees C": "°C", "degrees F": "°F", "centigrade": "°C"}
"""How people write units of temperature that stand for something else where no temperature is asked for."""
_DECIMALS = re.compile(r"\d\.(\d+)")
_NO_END = " ?.,;:!"


@dataclass(frozen=True, slots=True)
class AskedUnit:
    """``unit`` as the question writes it; ``without`` is the question without the words that name it."""

    unit: str
    without: str


def asked_unit(text: str, dimensions: Collection[str]) -> AskedUnit | None:
    """The unit that the answer is asked in; None for none, or for one that does not measure any of ``dimensions``.

    Without dimensions (of a calculation nobody knows them beforehand) every unit with one will do.
    """
    wanted = {dimension_vector(item) for item in dimensions}
    for match in _BEFORE.finditer(text):
        words = text[match.end() :].split()[:_MOST_WORDS]
        for count in range(len(words), 0, -1):
            written = text[match.end() :].split(None, count)[:count]
            name = " ".join(written).rstrip(_NO_END)
            closed = match.group().startswith("(")
            name = name.removesuffix(")") if closed else name
            unit = _LOOSE.get(name, name) if "temperature" in dimensions else name
            known = parse_unit(unit)
            if known is None or not known.dimension or any(character.isdigit() for character in unit[:1]):
                continue
            if wanted and dimension_vector(known.dimension) not in wanted:
                continue
            return AskedUnit(unit, _without(text, match, name, closed))
    return None


def _without(text: str, match: re.Match[str], name: str, closed: bool) -> str:
    end = text.index(name, match.end()) + len(name) + closed
    # "How many kelvin is the critical temperature …" asks what it is.
    asked = "What" if match.group().strip().casefold().startswith("how") else ""
    return " ".join(f"{text[: match.start()].rstrip()} {asked}{text[end:]}".split())


def in_unit(quantity: Quantity, unit: str) -> str:
    """The value in another unit, with as many figures as it was written with; "" when it cannot be told in it."""
    values = _converted(quantity, unit)
    if not values:
        return ""
    texts = [_number(value, quantity, unit) for value in values]
    sign = {"<=": "≤ ", ">=": "≥ ", "<": "< ", ">": "> "}.get(quantity.comparator, "")
    joint = "–" if quantity.kind == "range" else ", "
    return with_unit(sign + joint.join(texts), unit)


def told_in(quantity: Quantity, unit: str) -> str:
    """The value in the unit, and beside it as it is printed: "3400 meV (printed as 3.4 eV)"; "" when it cannot be
    told in it, or is printed in it."""
    told = in_unit(quantity, unit)
    printed = " ".join(quantity.text.split())
    if not told or _is_same(unit, quantity.unit):
        return ""
    return f"{told} (printed as {printed})"


def number_in(quantity: Quantity, unit: str) -> float | None:
    """The one number of a value in another unit; None for ranges and lists, and where it cannot be told in it."""
    values = _converted(quantity, unit)
    return float(_plain(values[0], quantity, unit)) if len(values) == 1 and quantity.kind == "value" else None


def _converted(quantity: Quantity, unit: str) -> list[float]:
    numbers = list(quantity.si_values)
    if quantity.kind == "range" and quantity.si_low is not None and quantity.si_high is not None:
        numbers = [quantity.si_low, quantity.si_high]
    if not numbers:
        single = quantity.si_value if quantity.si_value is not None else quantity.si_low or quantity.si_high
        numbers = [] if single is None else [single]
    try:
        return [to_unit(number, quantity.dimension, unit) for number in numbers] if quantity.ok else []
    except ValueError:
        return []


def _plain(value: float, quantity: Quantity, unit: str) -> str:
    if _is_shifted(quantity, unit):
        decimals = _DECIMALS.search(quantity.text)
        return f"{value:.{len(decimals.group(1)) if decimals else 0}f}"
    return f"{value:.{max(_LEAST_FIGURES, figures_of(quantity.text) or 0)}g}"


def _number(value: float, quantity: Quantity, unit: str) -> str:
    plain = _plain(value, quantity, unit)
    return plain if _is_shifted(quantity, unit) else number_text(float(plain), 9)


def _is_shifted(quantity: Quantity, unit: str) -> bool:
    """Whether the units differ by their zero point, or not at all: then decimals stay, not figures."""
    return _is_same(unit, quantity.unit) or any(
        item is not None and item.offset for item in (parse_unit(unit), parse_unit(quantity.unit))
    )


def _is_same(unit: str, other: str) -> bool:
    one, two = parse_unit(unit), parse_unit(other)
    same = one is not None and two is not None and (one.vector, one.factor, one.offset)
    return bool(same) and two is not None and same == (two.vector, two.factor, two.offset)
