"""The value parser: a whole string is a value, or it is not one, and then it says why."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, replace
from functools import lru_cache

from minerva_desktop.language.formulas.parser import parse_formula
from minerva_desktop.language.quantities import words
from minerva_desktop.language.quantities.build import quantity_of
from minerva_desktop.language.quantities.conditions import NAMES, read_conditions
from minerva_desktop.language.quantities.expression import Expression, read_expression
from minerva_desktop.language.quantities.negative import read_negative
from minerva_desktop.language.scan import scan_text
from minerva_desktop.language.units import UnitSet, units_in_use
from minerva_desktop.records import Condition, Quantity

_WITHOUT_UNIT = frozenset({"dimensionless", "count", "angle", "level"})
_LABEL_LETTERS = frozenset({"H", "C", "G", "d", "M", "B", "F"})

LONGEST = 400
"""A value is not written with more characters than this."""

_LATEX = (
    (re.compile(r"\\(?:mathrm|text|textrm|rm|mbox|mathit|ensuremath)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\{\\rm\s+([^{}]*)\}"), r"\1"),
    (re.compile(r"\\times\b"), "×"),
    (re.compile(r"\\cdot\b"), "·"),
    (re.compile(r"\\pm\b"), "±"),
    (re.compile(r"\\(?:sim|approx|simeq)\b"), "~"),
    (re.compile(r"\\(?:leq?|leqslant)\b"), "≤"),
    (re.compile(r"\\(?:geq?|geqslant)\b"), "≥"),
    (re.compile(r"\\(?:mu|micro)\b\s?"), "µ"),
    (re.compile(r"\\Omega\b\s?"), "Ω"),
    (re.compile(r"\^\{?\\circ\}?\s?"), "°"),
    (re.compile(r"\\(?:AA|angstrom)\b"), "Å"),
    (re.compile(r"\\%"), "%"),
    (re.compile(r"\\[,;:! ]"), " "),
    (re.compile(r"(?<=[\d)}])~(?=[A-Za-zµΩÅ°%])"), " "),
)
_NOT_FINITE = re.compile(r"^[+\-−]?(?:nan|inf|infinity|∞)\b", re.IGNORECASE)
_REFERENCE = re.compile(
    r"^(?:fig(?:s|ure|ures)?|tables?|tab|refs?|references?|eqs?|equations?|sections?|secs?|chapters?|chap|pp?|no|nos|"
    r"schemes?|samples?|steps?|vol|volume|page|pages|appendix|part|#)\b\.?\s*[\[(]?\d|^\[",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^(?P<label>[^\d=:<>≤≥≈~]{1,40}?[\d,]{0,3}[^\d=:<>≤≥≈~]{0,12}?)\s?(?P<sign>=|:|(?=[<>≤≥≈~])|\bof\b|\bis\b|\bwas\b)\s?(?=\S)"
)
_TRAILING = re.compile(
    r"\s+(?:thick|thin|long|wide|high|deep|tall|large|in\s+(?:thickness|diameter|length|width|size|height|depth)|"
    r"diameter|thickness|rms|RMS|FWHM|\(?rms\)?|peak|each|apart|respectively|in\s+total|on\s+average|relative\s+humidity)$"
    r"|\s+vs\.?\s+[A-Z][\w/+ ]{1,20}$"
    r"|\s*\([A-Za-z][^()\d]{0,40}\)$"
    r"|[.;,]$"
)


def parse_value(text: str, *, expected_dimension: str | None = None) -> Quantity:
    """What a whole string says as a value.

    Args:
        text: for example "39(1) K", "10–20 K", "< 2 K", "1.5 × 10³ S/m at 300 K".
        expected_dimension: the dimension that the property has ("energy", "temperature", …). "dimensionless" allows a
            number without a unit; a lone "C" is decided by it. A value of another dimension comes back with ``ok``
            false.

    Returns:
        A Quantity. ``ok`` is false for what is no value (``reason`` says why) and for what can be read in two ways
        (``ambiguous`` is true as well, and the numbers are left empty). ``kind`` is "negative" for an observation that
        something was *not* found: ``value`` is then the limit, and the comparator is what follows for the thing sought
        ("no superconductivity down to 1.2 K": < 1.2 K). It is never raised for any input.
    """
    return _parse(text[: LONGEST + 1], len(text) > LONGEST, expected_dimension, units_in_use())


@lru_cache(maxsize=4096)
def _parse(text: str, too_long: bool, expected: str | None, own: UnitSet | None) -> Quantity:
    shown = text.strip()
    if too_long:
        return _refused(shown[:80], "the text is too long to be a value")
    view = _clean(shown)
    refusal = _refuse_at_sight(view)
    if refusal:
        return _refused(shown, refusal)
    negative = read_negative(view, shown)
    if negative is not None:
        return negative
    found = _whole(view)
    if isinstance(found, str):
        return _refused(shown, found)
    error = next((number.error for number in found.expression.reading.numbers if number.error), "")
    if error:
        return _refused(shown, error)
    if found.expression.unit is None and _unit_needed(expected):
        return _refused(shown, f"“{shown}” has no unit")
    if _is_label(view, found.expression, expected):
        return _refused(shown, f"“{shown}” is a label")
    reading = replace(found.expression.reading, comparator=found.comparator, approximate=found.approximate)
    quantity = quantity_of(reading, shown, expected)
    return replace(quantity, conditions=found.conditions) if found.conditions else quantity


def _refused(text: str, reason: str) -> Quantity:
    return Quantity(ok=False, text=text, reason=f"Not a value: {reason}.")


def _clean(text: str) -> str:
    """Markup of papers taken away; what is left is in the parsers' spelling."""
    if "&" in text:
        text = html.unescape(text)
    if "\\" in text or "~" in text:
        for pattern, instead in _LATEX:
            text = pattern.sub(instead, text)
    if "$" in text:
        text = text.replace("$", "")
    if "<" in text:
        text = re.sub(r"<(/?)(?:jats:)?(sup)>", r"<\1\2>", text)
        text = re.sub(r"</?(?:i|b|em|strong|sub|jats:sub|jats:italic|italic|mml:\w+)>", "", text)
    return " ".join(scan_text(text).split(" ")).strip()


def _refuse_at_sight(view: str) -> str:
    if not view:
        return "it is empty"
    if not any(character.isdigit() or character in "½¼¾⅓⅔" for character in view):
        return "it has no number" if not _NOT_FINITE.match(view) else "the number is not finite"
    if _NOT_FINITE.match(view):
        return "the number is not finite"
    if _REFERENCE.match(view):
        return "it refers to a part of a paper"
    return ""


@dataclass(frozen=True, slots=True)
class _Whole:
    """A whole string, taken apart."""

    expression: Expression
    comparator: words.Comparator
    approximate: bool
    conditions: tuple[Condition, ...]


def _whole(view: str) -> _Whole | str:
    """The parts of a value string, or the reason why it is none."""
    at = 0
    before = words.START.match(view)
    if before is None:
        label = _LABEL.match(view)
        if label and any(character.isalpha() for character in label.group("label")):
            at = label.end()
            before = words.START.match(view, at)
    comparator, approximate, opened = words.understand(before.group() if before else "")
    at = before.end() if before else at
    expression = read_expression(view, at, prose=False, opened=opened)
    if expression is None:
        return f"“{view}” does not begin with a number"
    after = words.AFTER.match(view, expression.end)
    end = expression.end
    if after:
        comparator = words.AFTERWARDS[" ".join(after.group("after").lower().split())]
        end = after.end()
    rest = _without_trailing(view[end:])
    conditions: tuple[Condition, ...] | None = ()
    if rest:
        conditions = _conditions(rest, expression)
    if conditions is None:
        return _extra(view, expression, rest.strip())
    return _Whole(expression, comparator, approximate, conditions)


def _conditions(rest: str, expression: Expression) -> tuple[Condition, ...] | None:
    """What stands behind a value as conditions; None when it is something else, or a second value."""
    if expression.unit is None:
        return None
    unit = expression.unit.unit
    if unit.dimension.endswith("fraction") or unit.dimension == "concentration":
        substance = rest.strip().removeprefix("of ").rstrip(".,;")
        if substance.isalnum() and parse_formula(substance).ok:
            return (Condition("substance", substance),)
    found = read_conditions(rest)
    if found and any(item.si_unit == unit.si_unit and item.name == NAMES.get(unit.dimension) for item in found):
        return None
    return found


def _extra(view: str, expression: Expression, rest: str) -> str:
    if expression.reading.numbers[0].error:
        return expression.reading.numbers[0].error
    if expression.unit is None:
        return f"“{rest}” is no unit that is known here"
    return f"“{rest}” behind the value is not understood"


def _without_trailing(rest: str) -> str:
    """What is left behind the value without words that only say what kind of size it is."""
    for _ in range(4):
        shorter = _TRAILING.sub("", rest) if rest else rest
        if shorter == rest:
            break
        rest = shorter
    return rest if rest.strip() else ""


def _unit_needed(expected: str | None) -> bool:
    return expected is None or not (expected in _WITHOUT_UNIT or expected.endswith("fraction"))


def _is_label(view: str, expression: Expression, expected: str | None) -> bool:
    """ "2H", "3C", "1T", "5d" without a space are polytypes and orbitals rather than henries, coulombs and days."""
    unit = expression.unit
    if unit is None or expected is not None or len(expression.reading.numbers) != 1:
        return False
    number = expression.reading.numbers[0]
    written = view[number.end : unit.end]
    return number.plain and number.value < 100 and (written in _LABEL_LETTERS or (written == "T" and number.value == 1))
