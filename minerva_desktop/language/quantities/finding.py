"""Finds the quantities of a running text: values, ranges, lists, bounds and counts, each with its place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from minerva_desktop.language.quantities import context, words
from minerva_desktop.language.quantities.build import Reading, Shape, quantity_of
from minerva_desktop.language.quantities.expression import Expression, Seen, read_expression
from minerva_desktop.language.quantities.money import read_money
from minerva_desktop.language.quantities.number_words import FIRST_WORDS, Worded, read_words
from minerva_desktop.language.quantities.numbers import COMMA, Number, read_number
from minerva_desktop.language.scan import THIN, scan_text
from minerva_desktop.language.units import UnitMatch, UnitSet, parse_unit, read_unit, units_in_use
from minerva_desktop.records import Quantity

_MEASURES = "gallon|lit(?:re|er)|gram|kilogram|pound|ounce|tonn?e?|pint|cup|tablespoon|teaspoon|mole"
"""Units with which "a" is a number: "a litre of water"."""
_START = re.compile(
    r"(?<=[=≈~∼] )[−–] (?=\d)"
    r"|(?<![\w.,^_′'’)])(?:(?<![)\]])[-−–+](?=\.?\d))?(?=\.?\d|[½¼¾⅓⅔⅛⅕])\.?[\d½¼¾⅓⅔⅛⅕]"
    r"|\b(?:" + "|".join(sorted(FIRST_WORDS, key=lambda word: -len(word))) + r")\b(?=[ \n-][a-zµ])"
    r"|\babsolute(?= zero\b)"
    r"|\bhalf(?= an? [a-z]{3})"
    r"|\ban?(?= (?:" + _MEASURES + r") of\b)",
    re.IGNORECASE,
)
_HUNG_ON = re.compile(r"[\w)\]][-−–+]\Z")
_GLUED = re.compile(r"[A-Za-z_\u0370-\u03ff\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]|[-–](?:[A-Za-z\d])")
_CHARGE = re.compile(r"[+−⁺⁻](?!\s?\d)|-(?=[\s,;.)])")
_NOUN = re.compile(r"[ \n]([a-z][a-z-]{2,24})\b")
_TIMES = re.compile(r"\s?[×](?!\s?\d)")
_OFTEN = re.compile(r"[ \n]times\b(?![ \n](?:a|per|each)\b)")
_LONE_C = re.compile(r"[ \u2009]?C(?![\w\-–+])")
_CUE = re.compile(r"[A-Za-z.,~≈<>≤≥≲≳≪≫=∝±]\s*\Z")
_WINDOW = 48
_LARGE_WORDS = frozenset({"dozen", "hundred", "thousand", "million"})
_MONEY_NEAR = re.compile(r"[$€£¥]|\b(?:dollar|euro|pound|yen|cent|pence|dime|USD|EUR|GBP)")
_SAYS = re.compile(r" (?:is|are|was|were|of)\b")
_PH = re.compile(r"\b(pH)(?: values?)?\s?(?:=|of|was|is|at|~|about)?\s?\Z")
_FULL_STOP = re.compile(r"\s*\Z|\s+[A-Z(]")
_LABEL_LETTERS = frozenset("SCHNFPBGMALD")

_NOT_NOUNS = frozenset(
    "the and for with was were are has had that this from into than which when where while but not its our their other "
    "of them these those each such only also both after before".split()
)
_WORD_NOUN = re.compile(r"[ \n-](?:[a-z-]{2,20} ){0,3}?[a-z-]{2,20}(?:s|men|people|data|criteria)\b")
_COUNTED_BY = re.compile(r" (?:of (?:the|these|those|our|them|[A-Z])|(?:is|are|was|were|had) )")
_THERE_ARE = re.compile(r"\bthere (?:are|were) \Z", re.IGNORECASE)
_LESS_THAN = frozenset({"time", "length", "mass", "fraction", "temperature", "count", "dimensionless"})


@dataclass(frozen=True, slots=True)
class FoundQuantity:
    """A quantity of a text: ``text[start:end]`` says it, with its "about" and "up to".

    ``unit_text`` is the unit as it stands in the text; for a count, the word that is counted.
    """

    start: int
    end: int
    quantity: Quantity
    unit_text: str = ""


def find_quantities(text: str) -> list[FoundQuantity]:
    """Every quantity of a text in order; a range or a list with a shared unit is one entry.

    Years, dates, citations, figure and section numbers, Miller indices, formula digits and labels are left out. Numbers
    without a unit are found too: integers as counts, others as dimensionless values. Offsets are those of ``text``.
    """
    if len(text) > _SENTENCE:
        return _find(text)
    return list(_found_in(text, units_in_use()))


_SENTENCE = 1000  # characters; several ask for the quantities of one sentence, one for those of a whole text


@lru_cache(maxsize=2048)
def _found_in(text: str, own: UnitSet | None) -> tuple[FoundQuantity, ...]:
    return tuple(_find(text))


def _find(text: str) -> list[FoundQuantity]:
    view = scan_text(text)
    found = list(_found(text, view))
    if any(_by_comma(item) for item in found) and _points_are_decimal(text, found):
        found = list(_found(text, _THOUSANDS.sub(THIN, view)))
    return found


_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_POINT = re.compile(r"\d\.\d")
_GROUPS = re.compile(r"\d,\d{3},\d{3}(?!\d)")


def _by_comma(item: FoundQuantity) -> bool:
    return not item.quantity.ok and "thousands_or_decimal" in item.quantity.flags


def _points_are_decimal(text: str, found: list[FoundQuantity]) -> bool:
    """Whether other quantities of the text are written with decimal points or several groups, so that a comma groups
    thousands; section numbers and versions say nothing about it."""
    if any(COMMA in item.quantity.flags for item in found):
        return False
    clear = [text[item.start : item.end] for item in found if item.quantity.unit and not _by_comma(item)]
    return any(_POINT.search(one) or _GROUPS.search(one) for one in clear)


def _found(text: str, view: str) -> Iterator[FoundQuantity]:
    skipped = context.skipped_spans(view)
    starts = [start for start, _ in skipped]
    done = 0
    seen: Seen = {}
    for match in _START.finditer(view):
        at = match.start()
        if at < done or (at != done + 1 and _HUNG_ON.search(view, max(0, at - 2), at)):
            continue
        place = bisect_right(starts, at) - 1
        if place >= 0 and at < skipped[place][1]:
            continue
        if match.group()[0].isalpha():
            found: FoundQuantity | int | None = _number_word(text, view, match)
        else:
            found = _at(text, view, at, done, seen)
        if found is None:
            continue
        if isinstance(found, int):
            done = max(done, found)
            continue
        done = found.end
        yield found


def _at(text: str, view: str, at: int, done: int, seen: Seen) -> FoundQuantity | int | None:
    """The quantity at a number; or where to go on; or None."""
    expression, begin = _expression_at(view, at, seen)
    if expression is None:
        return None
    if _MONEY_NEAR.search(view, max(0, begin - 4), expression.end + 24):
        amount = _money(text, view, begin, expression, done)
        if amount is not None:
            return amount
    before = view[max(done, begin - _WINDOW) : begin]
    if context.refers(before, strictly=expression.unit is not None or "ratio" in expression.reading.flags):
        return context.end_of_labels(view, expression.end)
    if any(number.error for number in expression.reading.numbers):
        return expression.end
    comparator: words.Comparator = ""
    approximate = opened = False
    start = begin
    if _CUE.search(before):
        prefix = words.BEFORE.search(before)
        if prefix:
            comparator, approximate, opened = words.understand(prefix.group())
            start = begin - len(prefix.group())
            if opened:
                start += len(words.without_range(prefix.group()))
                expression = read_expression(view, begin, prose=True, opened=True, seen=seen) or expression
    expression = _trimmed(view, expression)
    end = expression.end
    after = words.AFTER.match(view, end)
    if after:
        comparator = words.AFTERWARDS[" ".join(after.group("after").lower().split())]
        end = after.end()
    if opened and expression.reading.shape == "value" and not comparator and not approximate:
        start = begin  # "from 54 functions": no range was opened after all
    if expression.unit is None and (acid := _PH.search(before)) is not None and not comparator:
        reading = replace(expression.reading, approximate=approximate)
        quantity = replace(quantity_of(reading, text[start:end], "dimensionless"), unit="pH")
        return FoundQuantity(begin, end, quantity, acid.group(1))
    if expression.unit is None:
        return _bare(text, view, start, end, expression, comparator, approximate)
    if comparator == "<" and before.rstrip().lower().endswith("under") and not _bounded_by_under(expression.unit):
        comparator, start = "", begin
    reading = replace(expression.reading, comparator=comparator, approximate=approximate)
    unit = expression.unit
    if view[end - 1] == "." and unit.end == end and _FULL_STOP.match(view, end):
        end -= 1  # the stop of "4 °C/min." ends the sentence
    if view[start - 1 : start] == "±" and start:
        start -= 1
    step = bool(unit.unit.offset) and context.is_difference(view[max(0, start - _WINDOW) : start], view[end : end + 12])
    quantity = quantity_of(reading, text[start:end], "temperature_difference" if step else None)
    if end < unit.end:
        quantity = replace(quantity, unit=quantity.unit.removesuffix("."))
    return FoundQuantity(start, end, quantity, text[unit.start : min(unit.end, end)])


def _money(text: str, view: str, begin: int, expression: Expression, done: int) -> FoundQuantity | None:
    number = read_number(view, begin)
    if number is None or number.error:
        return None
    before = view[max(done, begin - _WINDOW) : begin].rstrip("-−–$€£¥ ")
    prefix = words.BEFORE.search(before + " ") if _CUE.search(before) else None
    comparator, approximate, opened = words.understand(prefix.group()) if prefix else ("", False, False)
    found = read_money(view, number, opened=opened, text=text)
    if found is None:
        return None
    start, end, quantity = found
    if prefix and (not opened or quantity.kind == "range"):
        start = prefix.start() + max(done, begin - _WINDOW)
    quantity = replace(quantity, text=text[start:end], approximate=approximate)
    if comparator and quantity.kind == "value":
        quantity = replace(quantity, kind="bound", comparator=comparator)
    return FoundQuantity(start, end, quantity, quantity.unit)


def _bounded_by_under(unit: UnitMatch) -> bool:
    """ "under 2 h" is a bound, "under 5 GPa" a condition."""
    return unit.unit.dimension in _LESS_THAN


def _expression_at(view: str, at: int, seen: Seen) -> tuple[Expression | None, int]:
    if view[at - 1 : at] == "(":
        bracketed = read_expression(view, at - 1, prose=True)
        if bracketed is not None:
            return bracketed, at - 1
    return read_expression(view, at, prose=True, seen=seen), at


def _trimmed(view: str, expression: Expression) -> Expression:
    """Without a unit that is really an element or a word; with a lone "C" behind a temperature-like number."""
    unit = expression.unit
    if unit is not None:
        written = view[unit.start : unit.end]
        if context.is_symbol_of_element(written, view[unit.end : unit.end + 16]):
            return _without_unit(expression)
        number = expression.reading.numbers[-1]
        if number.plain and number.value < 100 and number.end == unit.start and written in _LABEL_LETTERS:
            return _without_unit(expression)  # "16S", "13C", "3A"
        return expression
    numbers = expression.reading.numbers
    lone = _LONE_C.match(view, expression.end)
    if (
        lone
        and len(numbers) == 1
        and numbers[0].value >= (15 if " " in lone.group() else 100)
        and not context.is_symbol_of_element("C", view[lone.end() :][:16])
    ):
        celsius = parse_unit("C")
        if celsius is not None:
            match = UnitMatch(lone.end() - 1, lone.end(), celsius)
            reading = replace(expression.reading, units=(celsius,))
            return Expression(expression.start, lone.end(), reading, match)
    return expression


def _without_unit(expression: Expression) -> Expression:
    number = expression.reading.numbers[0]
    reading = replace(expression.reading, shape="value", numbers=(number,), units=(None,))
    return Expression(expression.start, number.end, reading, None)


# ------------------------------------------------------------------------------------------------------ no unit
def _bare(
    text: str, view: str, start: int, end: int, expression: Expression, comparator: words.Comparator, approximate: bool
) -> FoundQuantity | int | None:
    """A number without a unit: a count, a pure number, or nothing."""
    first = expression.start
    number = expression.reading.numbers[0]
    if _is_no_quantity(view, first, expression):
        return expression.end
    times = _TIMES.match(view, end)
    if times:
        end = times.end()
    often = _OFTEN.match(view, end) if not times else None
    if often:
        end = often.end()
    reading = replace(expression.reading, comparator=comparator, approximate=approximate)
    whole = all(item.value.is_integer() and item.exponent is None for item in reading.numbers)
    if whole and number.problem and "thousands_or_decimal" in number.flags and _NOUN.match(view, end):
        # "5,318 participants": what is counted is whole, so the comma groups thousands.
        reading = replace(reading, numbers=tuple(replace(item, problem="", flags=()) for item in reading.numbers))
    dimension = "count" if whole and not times and "ratio" not in reading.flags else "dimensionless"
    quantity = quantity_of(reading, text[start:end], dimension)
    if dimension == "count" and quantity.kind == "value":
        quantity = replace(quantity, kind="count")
    noun = _NOUN.match(view, often.start() if often else end)
    counted = noun.group(1) if noun and noun.group(1) not in _NOT_NOUNS and dimension == "count" else ""
    return FoundQuantity(start, end, quantity, counted)


def _is_no_quantity(view: str, first: int, expression: Expression) -> bool:
    end = expression.end
    digits = view[first : expression.reading.numbers[0].end]
    before, after = view[max(0, first - 28) : first], view[end : end + 12]
    if context.is_ordinal(after) or _GLUED.match(after) or _CHARGE.match(after):
        return True
    if all(number.plain and context.is_year(f"{number.value:.0f}") for number in expression.reading.numbers):
        return True
    if _is_short_year_range(expression):
        return True
    single = len(expression.reading.numbers) == 1
    if single and (context.is_named_number(before, after) or context.follows_formula(before)):
        return True
    if context.starts_line(before) and after[:1] in {".", " ", ")", ""} and not _SAYS.match(after):
        return True
    if before.endswith("(") and after.startswith(")"):
        return True
    if single and after.startswith(" = ") and digits.isdigit():
        return True  # "0 = never, 1 = once": points of a scale
    if after.startswith(("/", "_", "^", "′", "″")) or before.endswith(("/", "#", "*", "@", "|", "\\")):
        return True
    return len(digits) > 1 and digits[0] == "0" and digits.isdigit()


def _is_short_year_range(expression: Expression) -> bool:
    """ "2013–14"."""
    numbers = expression.reading.numbers
    if expression.reading.shape != "range" or not all(number.plain for number in numbers):
        return False
    first, last = numbers[0].value, numbers[-1].value
    return context.is_year(f"{first:.0f}") and 10 <= last < 100 and last > first % 100


def _number_word(text: str, view: str, match: re.Match[str]) -> FoundQuantity | None:
    """ "two years", "eight-year", "three samples"."""
    word, first = match.group().lower(), match.start()
    if word == "absolute":
        return _absolute_zero(text, first)
    worded = Worded(1.0, match.end(), 1) if word in {"a", "an"} else read_words(view, first)
    if worded is None:
        return None
    ranged = _worded_range(text, view, first, worded)
    if ranged is not None:
        return ranged
    value, end = worded.value, worded.end
    before = view[max(0, first - _WINDOW) : first]
    if word in _LARGE_WORDS:
        if context.is_vague(before):
            return None
        if before.lower().endswith((" a ", "(a ")) or before.lower() == "a ":
            first, before = first - 2, before[:-2]
    unit = read_unit(view, end + 1, prose=True)
    prefix = words.BEFORE.search(before) if _CUE.search(before) else None
    comparator, approximate, opened = words.understand(prefix.group()) if prefix else ("", False, False)
    if opened and not comparator and not approximate:
        prefix = None
    start = first - (len(prefix.group()) if prefix else 0)
    if unit is None or not prefix:
        amount = read_money(view, Number(first, end, value), opened=False, text=text)
        if amount is not None:
            return FoundQuantity(amount[0], amount[1], amount[2], amount[2].unit)
    if unit is not None and view[unit.start].islower() and unit.end - unit.start > 2:
        end = unit.end
        quantity = _worded(value, unit, text[start:end], comparator, approximate)
        return FoundQuantity(start, end, quantity, text[unit.start : unit.end])
    if worded.fraction:
        quantity = quantity_of(
            Reading("value", (Number(0, 0, value),), (None,), comparator, approximate), text[start:end], "dimensionless"
        )
        return FoundQuantity(start, end, quantity)
    if 0 < value < 1 or (worded.words == 1 and not _stands_for_count(word, before, view, end)):
        return None
    noun = _NOUN.match(view, end)
    kind = "bound" if comparator else "count"
    quantity = Quantity(
        ok=True,
        text=text[start:end],
        kind="bound" if kind == "bound" else "count",
        value=value,
        si_value=value,
        si_unit="1",
        dimension="count",
        comparator=comparator,
        approximate=approximate,
        low=value if comparator in {">", ">="} else None,
        high=value if comparator in {"<", "<="} else None,
    )
    return FoundQuantity(start, end, quantity, noun.group(1) if noun else "")


_TO_WORD = re.compile(r"(?:\s?[–-]\s?|\s(?:to|or)\s)(?=[a-z])")
_AND_WORD = re.compile(r"\sand\s(?=[a-z])")


def _worded_range(text: str, view: str, first: int, low: Worded) -> FoundQuantity | None:
    """ "three to five hours", "between two and four samples"."""
    before = view[max(0, first - _WINDOW) : first]
    prefix = words.BEFORE.search(before) if _CUE.search(before) else None
    comparator, approximate, opened = words.understand(prefix.group()) if prefix else ("", False, False)
    link = _TO_WORD.match(view, low.end) or (_AND_WORD.match(view, low.end) if opened else None)
    high = read_words(view, link.end()) if link else None
    if link is None or high is None or high.value <= low.value or comparator:
        return None
    unit = read_unit(view, high.end + 1, prose=True)
    spelled = unit is not None and view[unit.start : unit.end].islower() and unit.end - unit.start > 2
    noun = _NOUN.match(view, high.end)
    if not spelled and (noun is None or noun.group(1) in _NOT_NOUNS):
        return None
    start, end = first - (len(prefix.group()) if prefix else 0), unit.end if unit and spelled else high.end
    own = unit.unit if unit and spelled else None
    shape: Shape = "list" if link.group().strip() == "or" else "range"
    numbers = tuple(Number(first, end, value) for value in (low.value, high.value))
    reading = Reading(shape, numbers, (own, own), "", approximate)
    quantity = quantity_of(reading, text[start:end], None if own else "count")
    counted = text[unit.start : unit.end] if unit and spelled else noun.group(1) if noun else ""
    return FoundQuantity(start, end, quantity, counted)


def _stands_for_count(word: str, before: str, view: str, end: int) -> bool:
    """Whether a single number word counts: what follows is a noun in the plural, "of", a verb; or "there are" came before."""
    if word in {"one", "hundred", "thousand", "million"}:
        return False
    if _COUNTED_BY.match(view, end) or _THERE_ARE.search(before):
        return True
    return word != "zero" and bool(_WORD_NOUN.match(view, end))


def _absolute_zero(text: str, start: int) -> FoundQuantity:
    end = start + len("absolute zero")
    kelvin = parse_unit("K")
    quantity = quantity_of(Reading("value", (Number(start, end, 0.0),), (kelvin,)), text[start:end])
    return FoundQuantity(start, end, quantity)


def _worded(value: float, unit: UnitMatch, text: str, comparator: words.Comparator, approximate: bool) -> Quantity:
    number = Number(0, 0, value)
    return quantity_of(Reading("value", (number,), (unit.unit,), comparator, approximate), text)
