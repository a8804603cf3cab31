"""Values as words and as CSV."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from minerva_desktop.records import MeasuredValue, ValuePair, ValuesReport

CSV_COLUMNS = (
    "material", "property", "value", "low", "high", "comparator", "uncertainty", "unit", "as_written", "temperature_K",
    "conditions", "method", "phase", "doping", "form", "meaning", "status", "verdict", "own", "paper", "title", "year", "page",
    "quote", "fact_ids", "evidence_ids",
)  # fmt: skip


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_WRITTEN = re.compile(r"\d[\d.,]*")
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_MOST_SAID = 4
_PRETTY = (("ohm", "Ω"), ("deg", "°"), ("uB", "µB"))


def number_words(number: float | None, digits: int = 4) -> str:
    """A number with a few significant digits: 0.012, 35000, 1.2×10⁷; "" where there is none."""
    if number is None:
        return ""
    if number and not 1e-3 <= abs(number) < 1e5:
        mantissa, _, exponent = f"{number:.{digits - 1}e}".partition("e")
        plain = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
        return f"{plain}×10{str(int(exponent)).translate(_RAISED)}"
    text = f"{number:.{digits}g}"
    return f"{number:.0f}" if "e" in text else text


def unit_words(unit: str) -> str:
    """A unit as it is printed: "cm^2/(V s)" becomes "cm²/(V s)", "uV/K" "µV/K", "ohm m" "Ω m"."""
    for plain, printed in _PRETTY:
        unit = unit.replace(plain, printed)
    unit = re.sub(r"\bu(?=[A-Z]|m\b|s\b|g\b)", "µ", unit)
    return re.sub(r"\^(-?\d+)(?!\.)", lambda match: match.group(1).translate(_RAISED), unit)


def value_words(value: MeasuredValue, unit: str) -> str:
    """A value in the unit of its report, as precisely as its paper writes it: "3.4 ± 0.1 eV", "3.2–3.4 eV", "< 5 K"."""
    digits = _significant(value.written)
    if value.kind == "range":
        text = f"{number_words(value.low, digits)}–{number_words(value.high, digits)}"
    elif value.kind == "bound":
        text = f"{_sign(value.comparator)} {number_words(value.middle, digits)}".strip()
    elif value.uncertainty and value.value is not None:
        text = _with_uncertainty(value.value, value.uncertainty)
    else:
        text = number_words(value.value, digits)
    return f"{'≈ ' if value.approximate and value.kind != 'bound' else ''}{text} {unit_words(unit)}".strip()


def _significant(written: str) -> int:
    """How many digits a paper gives the number, three at least and six at most."""
    match = _WRITTEN.search(written)
    digits = re.sub(r"\D", "", match.group()).lstrip("0") if match else ""
    return min(max(len(digits), 3), 6)


def _with_uncertainty(number: float, spread: float) -> str:
    """Both to the same place: "0.39066 ± 0.00001", "(1.20 ± 0.05)×10⁷"."""
    power = 0 if 1e-3 <= abs(number) < 1e5 or not number else math.floor(math.log10(abs(number)))
    number, spread = number / 10.0**power, spread / 10.0**power
    text = f"{spread:.2g}"
    places = max(0, -int(Decimal(text).normalize().as_tuple().exponent))
    both = f"{number:.{places}f} ± {float(text):.{places}f}"
    return f"({both})×10{str(power).translate(_RAISED)}" if power else both


def others_sentence(values: Sequence[MeasuredValue], unit: str) -> str:
    """What other papers say, in a sentence: "Two other papers say 3.2 eV and 3.4 eV (10 K)."; "" when none does."""
    if not values:
        return ""
    works = len({item.work for item in values})
    said: dict[str, None] = {}
    for item in values:
        around = condition_words(item)
        said[value_words(item, unit) + (f" ({around})" if around else "")] = None
    shown = list(said)[:_MOST_SAID]
    rest = len(said) - len(shown)
    listed = f"{', '.join(shown)} and {rest} more" if rest else _with_and(shown)
    who = f"{_COUNTS[works] if works < len(_COUNTS) else works} other paper{'s say' if works != 1 else ' says'}"
    return f"{who[:1].upper()}{who[1:]} {listed}."


def _with_and(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def condition_words(value: MeasuredValue) -> str:
    """Everything that is known of how it was measured, in one line; "" when nothing is."""
    parts = [
        item.text if item.name in _PLAIN else f"{item.name.replace('_', ' ')} {item.text}" for item in value.conditions
    ]
    parts += [*value.aspects, *value.phase, *value.doping, *([value.form] if value.form else [])]
    parts += [value.method] if value.method else list(value.approaches)
    return ", ".join(dict.fromkeys(part for part in parts if part))


def distinct_pairs(pairs: Sequence[ValuePair]) -> list[tuple[ValuePair, int]]:
    """Pairs of different values, each with how many more pairs of papers say the same two."""
    found: dict[tuple[object, ...], list[ValuePair]] = {}
    for pair in pairs:
        around = tuple((item.name, item.first, item.second) for item in pair.apart)
        found.setdefault((pair.first.middle, pair.second.middle, around), []).append(pair)
    return [(items[0], len(items) - 1) for items in found.values()]


_PLAIN = frozenset({"temperature", "composition", "pressure", "magnetic_field", "frequency", "atmosphere"})


def _sign(comparator: str) -> str:
    return {"<=": "≤", ">=": "≥"}.get(comparator, comparator)


def csv_text(report: ValuesReport, values: Sequence[MeasuredValue] | None = None) -> str:
    """The values of a report (or these of them) as CSV with a header; numbers with all their digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    writer.writerows(_row(report, value) for value in (report.values if values is None else values))
    return out.getvalue()


def _row(report: ValuesReport, value: MeasuredValue) -> Iterable[object]:
    def number(item: float | None) -> str:
        return "" if item is None else repr(item)

    return (
        _plain(value.material), report.property_id, number(value.value), number(value.low), number(value.high), value.comparator,
        number(value.uncertainty), report.unit, _plain(value.written), number(value.temperature),
        "; ".join(f"{item.name}: {item.text}" for item in value.conditions), value.method or ", ".join(value.approaches),
        ", ".join(value.phase), ", ".join(value.doping), value.form, ", ".join(value.aspects), value.status, value.verdict,
        "yes" if value.own else "cited", value.paper, _plain(value.title), value.year or "", value.page or "", _plain(value.quote),
        " ".join(value.facts), " ".join(value.evidence_ids),
    )  # fmt: skip


def _plain(text: str) -> str:
    """Text that no spreadsheet takes for a formula: a paper may write anything."""
    return f"'{text}" if text[:1] in "=+-@\t\r" else text
