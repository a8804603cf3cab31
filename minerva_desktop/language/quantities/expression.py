"""One quantity expression: numbers, a unit, and how they hang together.

    expression = number unit? (connector number unit?)*       connector: a dash, "to", "and", "or", ",", "/"

The same grammar reads a whole value ("10–20 K") and a place in running text; in running text it stops at the first
connector that does not continue the quantity ("10 K and 3 samples" is 10 K).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

from minerva_desktop.language.quantities.build import Reading, Shape
from minerva_desktop.language.quantities.numbers import Number, read_number
from minerva_desktop.language.units import Unit, UnitMatch, read_unit

_GAP = re.compile(r"[ \u2009]?·[ \u2009]?(?=[^\d\s])|[ \u2009\n]{0,2}")
_HYPHEN_UNIT = re.compile(r"-(?=[A-Za-zµΩÅ°%])")
_DASH = re.compile(r"\s?(?:[-–—−~]|\.\.\.?|…|÷)\s?(?=[-−+~≈]?[.\d½¼¾])")
_TO = re.compile(
    r"-?\s?(?:,\s)?(?:\bto\b|\bthrough\b|\buntil\b)\s?(?:about\s|approximately\s|around\s|ca\.\s|as\s\w+\sas\s|[~≈<>≤≥]\s?)?(?=[-−+]?\.?\d)"
)
_AND = re.compile(r"\s?(?:,\s?)?(?:\band\b|&)\s?(?:about\s|approximately\s|around\s|[~≈<>≤≥]\s?)?(?=[-−+]?\.?\d)")
_OR = re.compile(r"\s?(?:,\s?)?\bor\b\s?(?=[-−+]?\.?\d)")
_COMMA = re.compile(r"\s?,\s(?=[-−+]?\.?\d)")
_SLASH = re.compile(r"\s?/\s?(?=\.?\d)")
_BY = re.compile(r"\s?[×xX]\s?(?=\d)")
_TIMES_TEN = re.compile(r"\s?[×xX·*]\s?10\s?(?:\^\s?[{(]?|\*\*|\$\^\{?)?\s?(?=[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹+\-−–\d])")
_RELATIVE = re.compile(r"\s?(?:±|\+/-|\\pm)\s?(\d{1,3}(?:\.\d{1,4})?)\s?%")
_SCALE = re.compile(r"\s(thousand|million|billion|trillion)\b")
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_MOST = 24
"""No list of values is longer than this; the rest is another quantity."""


@dataclass(frozen=True, slots=True)
class Expression:
    start: int
    end: int
    reading: Reading
    unit: UnitMatch | None


@dataclass(frozen=True, slots=True)
class _Item:
    number: Number
    unit: UnitMatch | None
    end: int
    relative: float | None = None


def read_expression(
    view: str, at: int, *, prose: bool, opened: bool = False, seen: Seen | None = None
) -> Expression | None:
    """The expression that starts at a place of a scanned text with a number; None when there is none.

    ``opened``: "between" or "from" stood before it, so "and" and "to" make a range. ``seen`` keeps the numbers of one
    text that were read already, so that a long row of numbers is not read again from each of them.
    """
    if view.startswith("(", at):
        return _bracketed(view, at, prose=prose)
    ratio = _RATIO.match(view, at)
    if ratio:
        return _ratio(ratio)
    seen = {} if seen is None else seen
    first = _item(view, at, seen, prose=prose)
    if first is None:
        return None
    items, connectors = [first], [""]
    while len(items) < _MOST and not items[-1].number.error:
        step = _connector(view, items[-1].end, items[-1], opened and len(items) == 1)
        if step is None:
            break
        kind, after = step
        if kind == "slash" and "slash" in connectors:
            break
        item = _item(view, after, seen, prose=prose)
        if item is None or item.number.error:
            break
        items.append(item)
        connectors.append(kind)
    items, connectors = _settled(view, items, connectors, prose=prose)
    return _expression(view, at, items, connectors)


_RATIO = re.compile(
    r"(?:(?:1|10|100)\s?:\s?\d{1,4}|\d{1,3}(?:\.\d{1,2})?(?:\s?:\s?\d{1,2}(?:\.\d{1,2})?)+)(?![\d:]|\.\d|,\d|\s:\s\d|[A-Za-z])"
)


def _ratio(match: re.Match[str]) -> Expression | None:
    """ "1:3" is one third; "1:2:1" is a list of shares."""
    parts = [read_number(part.strip(), 0) for part in match.group().split(":")]
    numbers = [replace(part, plain=False) for part in parts if part is not None]
    if numbers[-1].value == 0:
        return None
    shape: Shape = "list"
    if len(numbers) == 2:
        shape, numbers = "value", [replace(numbers[0], value=numbers[0].value / numbers[1].value)]
    numbers = [replace(number, start=match.start(), end=match.end()) for number in numbers]
    reading = Reading(shape, tuple(numbers), (None,) * len(numbers), flags=("ratio",))
    return Expression(match.start(), match.end(), reading, None)


Seen = dict[int, "_Item | None"]
"""Numbers with their units by where they start in one text."""


def _item(view: str, at: int, seen: Seen, *, prose: bool) -> _Item | None:
    if at not in seen:
        seen[at] = _read_item(view, at, prose=prose)
    return seen[at]


def _read_item(view: str, at: int, *, prose: bool) -> _Item | None:
    number = read_number(view, at)
    if number is None:
        return None
    scale = _SCALE.match(view, number.end)
    if scale and number.exponent is None:
        size = _SCALES[scale.group(1)]
        problem = "" if number.value.is_integer() and "," not in view[at : number.end] else number.problem
        number = replace(number, value=number.value * size, end=scale.end(), plain=False, problem=problem)
    unit = _unit_after(view, number.end, prose=prose)
    if unit is None and view.startswith("k ", number.end) and number.exponent is None:  # "5k miles"
        unit = _unit_after(view, number.end + 1, prose=prose)
        if unit is not None and unit.end - unit.start < 4:
            unit = None
        if unit is not None:
            number = replace(number, value=number.value * 1e3, end=number.end + 1, plain=False)
    end = unit.end if unit else number.end
    if unit is not None and number.uncertainty is None:
        late = _late_uncertainty(view, end, unit)
        if late is not None:
            width, end = late
            return _Item(replace(number, uncertainty=width), unit, end)
    relative = _RELATIVE.match(view, end) if number.uncertainty is None or unit is None else None
    if unit is None and number.uncertainty is not None:
        relative = None
    if relative and unit is not None and unit.unit.dimension != "fraction":
        return _Item(number, unit, relative.end(), float(relative.group(1)) / 100)
    return _Item(number, unit, end)


def _unit_after(view: str, at: int, *, prose: bool) -> UnitMatch | None:
    gap = _GAP.match(view, at)
    start = gap.end() if gap else at
    unit = read_unit(view, start, prose=prose)
    if unit is None:
        hyphen = _HYPHEN_UNIT.match(view, at)
        unit = read_unit(view, hyphen.end(), prose=prose) if hyphen else None
    return unit


def _late_uncertainty(view: str, at: int, unit: UnitMatch) -> tuple[float, int] | None:
    """ "39 K ± 1 K": the error has a unit of its own, the same one."""
    sign = re.compile(r"\s?(?:±|\+/-)\s?").match(view, at)
    if not sign:
        return None
    number = read_number(view, sign.end(), signed=False)
    if number is None or number.error:
        return None
    own = _unit_after(view, number.end, prose=True)
    if own is None and not re.compile(r"\s?[\w%°]").match(view, number.end):
        return number.value, number.end  # "3.4 eV ± 0.1"
    if own is None or own.unit.vector != unit.unit.vector or own.unit.dimension != unit.unit.dimension:
        return None
    return number.value * own.unit.factor / unit.unit.factor, own.end


def _connector(view: str, at: int, last: _Item, opened: bool) -> tuple[str, int] | None:
    for kind, pattern in (
        ("to", _TO),
        ("and", _AND),
        ("or", _OR),
        ("dash", _DASH),
        ("comma", _COMMA),
        ("slash", _SLASH),
    ):
        match = pattern.match(view, at)
        if match:
            if kind == "and" and opened:
                kind = "to"
            return kind, match.end()
    match = _BY.match(view, at) if last.number.exponent is None else None
    return ("by", match.end()) if match else None


def _settled(view: str, items: list[_Item], connectors: list[str], *, prose: bool) -> tuple[list[_Item], list[str]]:
    """Cuts the chain where it stops being one quantity."""
    keep = len(items)
    for index in range(1, len(items)):
        before, here = items[index - 1], items[index]
        if before.unit is not None and not _continues(before.unit, here.unit):
            keep = index
            break
    keep = min(keep, _end_of_chain(items, connectors, prose=prose))
    items, connectors = items[:keep], connectors[:keep]
    # A chain of bare numbers is one quantity only when a unit ends it, or when it is a range.
    while len(items) > 1 and items[-1].unit is None and not _bare_range(items, connectors):
        if _part_of(view, items, connectors):
            return items, connectors
        items, connectors = items[:-1], connectors[:-1]
    if prose and len(items) > 1 and connectors[1] == "slash" and items[-1].unit is None:
        items, connectors = items[:1], connectors[:1]
    return items, connectors


def _end_of_chain(items: list[_Item], connectors: list[str], *, prose: bool) -> int:
    """Where a chain of complete values ends: behind a range, and at a comma that no "and" closes.

    "4.5 kg, 6 kg and 13 kg" is one list; "39 K, 20 K" in running text may as well be two statements.
    """
    for index in range(2, len(items)):
        ranged = {"dash", "to"} & set(connectors[1:index])
        if ranged and items[index - 1].unit is not None:
            return index
    if not prose:
        return len(items)
    closed = max((index for index, kind in enumerate(connectors) if kind in {"and", "or"}), default=0)
    alike = len({_decimals(item.number) for item in items}) == 1 and len(items) > 2
    for index in range(1, len(items)):
        if connectors[index] == "comma" and closed < index and not (alike and items[index - 1].unit is None):
            return index
    return len(items)


def _decimals(number: Number) -> bool:
    return number.value.is_integer()


def _part_of(view: str, items: list[_Item], connectors: list[str]) -> bool:
    """ "1/40 of the wavelength": a fraction without a unit."""
    return (
        len(items) == 2
        and connectors[1] == "slash"
        and (items[0].number.value == 1 or _is_fraction(items))
        and items[0].number.plain
        and items[1].number.plain
        and items[1].number.value > 1
        and view.startswith(" of ", items[1].end)
    )


def _bare_range(items: list[_Item], connectors: list[str]) -> bool:
    return len(items) == 2 and connectors[1] in {"dash", "to"} and all(item.unit is None for item in items)


def _continues(before: UnitMatch, here: UnitMatch | None) -> bool:
    if here is None:
        return False
    one, other = before.unit, here.unit
    return one.vector == other.vector and one.dimension == other.dimension and bool(one.offset) == bool(other.offset)


def _expression(view: str, at: int, items: list[_Item], connectors: list[str]) -> Expression:
    unit_match = items[-1].unit
    end = items[-1].end
    unit = unit_match.unit if unit_match else None
    units: list[Unit | None] = [item.unit.unit if item.unit else unit for item in items]
    numbers = [item.number for item in items]
    shape, flags, problem = _shape(view, items, connectors, unit)
    if shape == "range":
        numbers, shared = _share_exponent(numbers)
        flags = (*flags, *shared)
    elif shape == "value" and len(numbers) == 2:
        numbers, units = [_fraction(numbers)], [unit]
    reading = Reading(shape, tuple(numbers), tuple(units), flags=flags, problem=problem, relative=items[0].relative)
    return Expression(at, end, reading, unit_match)


def _shape(
    view: str, items: list[_Item], connectors: list[str], unit: Unit | None
) -> tuple[Shape, tuple[str, ...], str]:
    """The shape of a chain, with flags and what is ambiguous about it."""
    if len(items) == 1:
        return "value", *_lowered_power(items[0].number, unit)
    if len(items) == 2 and connectors[1] in {"dash", "to"}:
        return _range_or_power(view, items, connectors[1], unit)
    if len(items) == 2 and connectors[1] == "slash" and (_is_fraction(items) or _part_of(view, items, connectors)):
        return "value", (), ""
    if "by" in connectors:
        return "list", ("dimensions",), ""
    return "list", (), ""


def _lowered_power(number: Number, unit: Unit | None) -> tuple[tuple[str, ...], str]:
    """ "1018 cm−3" is 10^18 with its exponent lowered: nobody counts a thousand and eighteen per cubic centimetre."""
    counted = unit is not None and unit.dimension in {"number_density", "areal_number_density"}
    if counted and number.plain and 1005 <= number.value <= 1040:
        power = int(number.value) - 1000
        return ("lost_superscript",), f"“10{power:02d}” may be 10^{power}"
    return (), ""


def _range_or_power(
    view: str, items: list[_Item], connector: str, unit: Unit | None
) -> tuple[Shape, tuple[str, ...], str]:
    """ "10-20 K" is a range; "10-3 S/cm" falls and starts with ten: it may be a power whose exponent was lowered."""
    low, high = items[0].number, items[1].number
    flags, problem = _lowered_power(high, unit)
    if problem:
        return "range", flags, problem
    ten = (
        low.plain
        and low.value == 10
        and items[0].unit is None
        and high.plain
        and connector == "dash"
        and unit is not None
    )
    falls = high.value < low.value
    if ten and (falls or (unit is not None and unit.dimension == "diffusivity")):
        power = int(high.value)
        return "range", ("lost_superscript",), f"it may be 10^-{power} or a range from 10 to {power}"
    return "range", (), ""


def _share_exponent(numbers: list[Number]) -> tuple[list[Number], tuple[str, ...]]:
    """ "1.5–2.0 × 10³": the power of ten behind the high end belongs to both ends."""
    low, high = numbers[0], numbers[-1]
    if low.exponent is not None or high.exponent is None or high.problem or low.value == 0:
        return numbers, ()
    mantissa = high.value / 10.0**high.exponent if abs(high.exponent) < 300 else high.value
    if mantissa == 1.0 or not math.isfinite(mantissa):
        return numbers, ()
    scaled = float(f"{low.value * 10.0**high.exponent:.13g}")
    return [replace(low, value=scaled, exponent=high.exponent), high], ("shared_exponent",)


def _is_fraction(items: list[_Item]) -> bool:
    top, bottom = items[0].number, items[1].number
    if not (top.plain and bottom.plain) or items[0].unit is not None:
        return False
    above, below = int(top.value), int(bottom.value)
    return 0 < above < below <= 10 and math.gcd(above, below) == 1


def _fraction(numbers: list[Number]) -> Number:
    return replace(numbers[0], value=numbers[0].value / numbers[1].value, plain=False)


# ------------------------------------------------------------------------------------------------------- brackets
def _bracketed(view: str, at: int, *, prose: bool) -> Expression | None:
    """ "(39 ± 1) K" and "(1.5–2.0) × 10³ S/m": what is inside shares what follows."""
    close = view.find(")", at, at + 80)
    if close < 0:
        return None
    inner = read_expression(view[:close], at + 1, prose=prose)
    if inner is None or inner.end != close or inner.unit is not None:
        return None
    reading, end = inner.reading, close + 1
    times = _TIMES_TEN.match(view, end)
    if times:
        # The exponent is read with a mantissa of one put before it: the rules are those of any number.
        gap = view[end : times.end()].lstrip()
        power = read_number("1" + gap + view[times.end() : times.end() + 12], 0)
        if power is None or power.error:
            return None
        end += len(view[end : times.end()]) - len(gap) + power.end - 1
        reading = _times(reading, power)
    unit = _unit_after(view, end, prose=prose)
    if unit is None:
        return None
    reading = replace(reading, units=tuple(unit.unit for _ in reading.numbers))
    return Expression(at, unit.end, reading, unit)


def _times(reading: Reading, power: Number) -> Reading:
    def scaled(value: float | None) -> float | None:
        return None if value is None else float(f"{value * power.value:.13g}")

    numbers = tuple(
        replace(
            number,
            value=scaled(number.value) or 0.0,
            uncertainty=scaled(number.uncertainty),
            up=scaled(number.up),
            down=scaled(number.down),
            exponent=power.exponent,
            problem=number.problem or power.problem,
            flags=number.flags + power.flags,
        )
        for number in reading.numbers
    )
    return replace(reading, numbers=numbers)
