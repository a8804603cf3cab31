"""The commands about numbers across papers: ``values`` and ``disagreements``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from minerva_desktop import measurements
from minerva_desktop.errors import UsageError
from minerva_desktop.measurements.tables import condition_words, distinct_pairs, number_words, unit_words, value_words
from minerva_desktop.records import (
    Disagreement,
    DisagreementsReport,
    LeftOut,
    MaterialValues,
    MeasuredValue,
    ValuePair,
    ValuesReport,
    to_plain,
)
from minerva_desktop.workbench.numbers import MeasuredProperty

if TYPE_CHECKING:
    from minerva_desktop.cli.commands import Context

_QUOTE = 160
_TITLE = 90
_MOST_PAIRS = 5


def run(context: Context, words: argparse.Namespace) -> tuple[Any, str]:
    """Run the command; the result as data and as text."""
    with context.open() as bench:
        if words.command == "disagreements":
            found = bench.disagreements(words.property, accepted_only=words.accepted_only)
            return disagreements_data(found), disagreements_text(found)
        if words.property is None:
            known = bench.measured_properties()
            return to_plain(known), _properties(known)
        if words.csv and context.options.json:
            raise UsageError("--csv and --json are two forms of one result.", hint="Name one of them.")
        status = "accepted" if words.accepted_only else words.status
        report = bench.values(words.property, words.material, unit=words.unit, status=status)
    shown = measurements.csv_text(report).rstrip("\n") if words.csv else values_text(report)
    return values_data(report), shown


def values_data(report: ValuesReport) -> dict[str, Any]:
    """A report as the command gives it; the id of the property is ``property``."""
    plain: dict[str, Any] = to_plain(report)
    return {"property": plain.pop("property_id"), "count": len(report.values), **plain}


def disagreements_data(report: DisagreementsReport) -> dict[str, Any]:
    plain: dict[str, Any] = to_plain(report)
    for item in (*plain["disagreements"], *plain["explained"]):
        item["property"] = item.pop("property_id")
    return plain


def _properties(known: list[MeasuredProperty]) -> str:
    if not known:
        return "This library has no measured values yet."
    return "\n".join(f"{item.id:<28} {item.values:>5} values of {item.materials} materials" for item in known)


# ------------------------------------------------------------------------------------------------------- values
def values_text(report: ValuesReport) -> str:
    unit = f" in {unit_words(report.unit)}" if report.unit else ""
    if not report.materials:
        return "\n".join([f"There are no values of the {report.label}{unit} here.", *map(_left_out, report.left_out)])
    lines = [f"{report.label}{unit}"]
    for group in report.materials:
        lines.append(f"\n{group.material}: {_summary(group, report.unit)}")
        lines += [_line(value, report.unit) for value in group.values]
    if report.left_out:
        lines += ["", *map(_left_out, report.left_out)]
    return "\n".join(lines)


def _summary(group: MaterialValues, unit: str) -> str:
    values = f"{group.count} value{'s' if group.count != 1 else ''}"
    papers = f"{group.works} paper{'s' if group.works != 1 else ''}"
    if group.median is None or group.count == 1:
        return f"{values} in {papers}"
    spread = f"{number_words(group.low)} to {number_words(group.high)}"
    return f"{values} in {papers}, median {number_words(group.median)}, {spread} {unit_words(unit)}".rstrip()


def _line(value: MeasuredValue, unit: str) -> str:
    marks: list[str] = [value.status] if value.status != "accepted" else []
    marks += [] if value.own else ["cited"]
    marks += ["retracted"] if value.withdrawn else []
    around = condition_words(value)
    head = (
        f"  {value_words(value, unit)}"
        + (f" ({around})" if around else "")
        + (f" [{', '.join(marks)}]" if marks else "")
    )
    return f"{head}\n      {_place(value)}: “{_short(value.quote)}”"


def _place(value: MeasuredValue) -> str:
    year = f" ({value.year})" if value.year else ""
    page = f", p. {value.page}" if value.page else ""
    return f"{_short(value.title, _TITLE)}{year}{page}, fact {value.facts[0]}"


def _left_out(item: LeftOut) -> str:
    many = f"{item.count} value{'s are' if item.count != 1 else ' is'} left out"
    return f"{many}: {item.reason} ({'; '.join(item.examples)})."


def _short(text: str, most: int = _QUOTE) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


# ------------------------------------------------------------------------------------------------ disagreements
def disagreements_text(report: DisagreementsReport) -> str:
    lines: list[str] = []
    for item in report.disagreements:
        lines += [f"{item.material}: {item.works} papers disagree on the {item.label}", *_pairs(item, item.pairs)]
        lines += [f"  {item.more} more pairs are in --json."] if item.more else []
    if not report.disagreements:
        lines.append("No two papers of this library disagree on a value that can be compared.")
    if report.explained:
        lines.append("\nThese differ, and so do their circumstances, which is no disagreement:")
        for item in report.explained:
            lines += [f"{item.material}, {item.label}", *_pairs(item, item.explained)]
    for aside in report.not_compared:
        lines.append(f"\nNot compared, because {aside.reason}: {', '.join(aside.examples)}.")
    return "\n".join(lines)


def _pairs(item: Disagreement, pairs: tuple[ValuePair, ...]) -> list[str]:
    lines = []
    shown = distinct_pairs(pairs)
    for pair, alike in shown[:_MOST_PAIRS]:
        lines += [_line(pair.first, item.unit), _line(pair.second, item.unit), f"    {pair.reason}"]
        lines += [f"    {part.name.replace('_', ' ')}: {part.first} / {part.second}" for part in pair.apart]
        lines += [f"    The same values stand in {alike} more pairs of papers."] if alike else []
    left = len(shown) - _MOST_PAIRS
    return [*lines, *([f"    and {left} more pairs"] if left > 0 else [])]
