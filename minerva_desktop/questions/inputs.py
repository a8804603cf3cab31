"""Which numbers of a question are which variables of a formula: by dimension, by name, by pairing ("5 mA at 5 mV")."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from minerva_desktop.domains.pack import Concept, Variable
from minerva_desktop.extraction.tokens import tokenize
from minerva_desktop.language.quantities import find_quantities
from minerva_desktop.questions.concepts import Given
from minerva_desktop.questions.forms import Form, accepts, forms_of, rearranged
from minerva_desktop.questions.lexicon import contains_phrase
from minerva_desktop.records import Quantity

_Take = Callable[[Variable, "Number"], None]
_NEAR = 40
"""Characters between a name and its number, "band gap of about 1.107 eV"; further away they do not belong together."""
_ASKED = r"\b(?:what|which|find|calculate|compute|determine|solve for)\b"
_LABEL_OF_PLANE = re.compile(r"[\[(]\s*-?\d+\s*[\])]")
"""[111] and (111): names of directions and planes, not numbers to calculate with."""
_BETWEEN = re.compile(
    r"(?:[\s,:=≈~(]|of|is|was|are|were|at|a|an|the|about|around|equal|to|equals|from|with|energy|value|temperature|"
    r"voltage|current|conductivity|and|that)*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Number:
    """One number of the question: SI value, dimension, and its place."""

    value: float
    dimension: str
    text: str
    start: int
    end: int
    order: int


@dataclass(frozen=True, slots=True)
class Reading:
    """The form of a concept that the question's numbers fit, the values they give (``taken`` are the numbers that were
    read for them), and the numbers that are left."""

    form: Form
    given: dict[str, Given]
    taken: dict[str, Number]
    unused: tuple[Number, ...] = ()


def read_numbers(question: str) -> list[Number]:
    """The usable numbers of a question, in order; lists and ranges give each of their ends."""
    numbers: list[Number] = []
    planes = [match.span() for match in _LABEL_OF_PLANE.finditer(question)]
    for found in find_quantities(question):
        if any(start <= found.start and found.end <= end for start, end in planes):
            continue
        text = question[found.start : found.end]
        for value, shown in _values(found.quantity, text):
            numbers.append(Number(value, found.quantity.dimension, shown, found.start, found.end, len(numbers)))
    return numbers


def _values(quantity: Quantity, text: str) -> list[tuple[float, str]]:
    if not quantity.ok or quantity.kind in {"count", "bound", "negative"}:
        return []
    unit = quantity.unit
    if quantity.kind == "list":
        written = quantity.values or quantity.si_values
        return [(si, f"{own:g} {unit}".strip()) for own, si in zip(written, quantity.si_values, strict=True)]
    if quantity.kind == "range":
        ends = ((quantity.low, quantity.si_low), (quantity.high, quantity.si_high))
        return [(si, f"{own:g} {unit}".strip()) for own, si in ends if own is not None and si is not None]
    return [] if quantity.si_value is None else [(quantity.si_value, text)]


def read_question(concept: Concept, question: str, extra: Mapping[str, Given] | None = None) -> Reading:
    """The form of the concept that fits the question best, with the values that stand in the question.

    ``extra`` are values for roles ("dopant", "host") found elsewhere in the question.
    """
    numbers = read_numbers(question)
    words = [token.folded for token in tokenize(question)]
    best: tuple[tuple[int, int, int, int], Reading] | None = None
    for index, form in enumerate(forms_of(concept)):
        named = any(contains_phrase(words, phrase) for phrase in form.when)
        if form.when and not named:
            continue
        reading = _read(form, question, numbers, extra or {})
        open_ends = sum(1 for item in form.variables if item.symbol not in reading.given and not _can_be_found(item))
        score = (int(named), -open_ends, len(reading.given), -index)
        if best is None or score > best[0]:
            best = (score, reading)
    assert best is not None  # a concept's own form has no condition
    return _other_way_round(best[1], question, numbers, extra or {}) or best[1]


def _read(form: Form, question: str, numbers: Sequence[Number], extra: Mapping[str, Given]) -> Reading:
    taken, unused = assign(form, question, numbers)
    given = {symbol: Given(number.value, number.text, "question") for symbol, number in taken.items()}
    for variable in form.variables:
        if variable.molar_mass_of in extra:
            given[variable.symbol] = extra[variable.molar_mass_of]
    return Reading(form, given, taken, tuple(unused))


def _other_way_round(
    direct: Reading, question: str, numbers: Sequence[Number], extra: Mapping[str, Given]
) -> Reading | None:
    """The formula solved for a variable that is asked for, when its usual result is what the question gives."""
    stuck = any(item.symbol not in direct.given and not _can_be_found(item) for item in direct.form.variables)
    for form in rearranged(direct.form):
        assert form.solved is not None
        target, result = form.solved.target, form.solved.result
        if target.symbol in direct.given or not (stuck or _asks_for(target, question)):
            continue
        reading = _read(form, question, numbers, extra)
        complete = all(item.symbol in reading.given or _can_be_found(item) for item in form.variables)
        if complete and result.symbol in reading.given:
            return reading
    return None


def _asks_for(variable: Variable, question: str) -> bool:
    """ "What band gap gives …", "At which temperature is …", "Find the temperature"."""
    names = "|".join(re.escape(name) for name in (variable.label, *variable.names) if len(name) > 1)
    return bool(names) and bool(re.search(rf"{_ASKED}[^.?!;]{{0,24}}?\b(?:{names})\b", question, re.IGNORECASE))


def _can_be_found(variable: Variable) -> bool:
    return bool(variable.property_id or variable.default is not None or variable.molar_mass_of)


def assign(form: Form, question: str, numbers: Sequence[Number]) -> tuple[dict[str, Number], list[Number]]:
    """Numbers for the variables of a form, and the numbers that are left. Each number is used once."""
    left = list(numbers)
    given: dict[str, Number] = {}

    def take(variable: Variable, number: Number) -> None:
        given[variable.symbol] = number
        left.remove(number)

    _assign_pairs(form, left, take)
    _assign_named(form, question, left, given, take)
    open_variables = [item for item in form.variables if item.symbol not in given and not item.pair]
    for group in _by_dimension(open_variables):
        fitting = [number for number in left if accepts(group[0], number.dimension)]
        fitting = fitting[: len(group)]
        if group[0].ascending:
            if len(fitting) < len(group):
                continue
            fitting.sort(key=lambda number: number.value)
        for variable, number in zip(group, fitting, strict=False):
            take(variable, number)
    return given, left


def _by_dimension(variables: Sequence[Variable]) -> list[list[Variable]]:
    groups: dict[str, list[Variable]] = {}
    for variable in variables:
        groups.setdefault(variable.unit, []).append(variable)
    return list(groups.values())


# ---------------------------------------------------------------------------------------------------- pairs
def _assign_pairs(form: Form, left: list[Number], take: _Take) -> None:
    """Numbers of two dimensions that stand side by side, in the order of the text."""
    pairs: dict[str, list[Variable]] = {}
    for variable in form.variables:
        if variable.pair:
            pairs.setdefault(variable.pair, []).append(variable)
    members = [pairs[key] for key in sorted(pairs)]
    if not members or any(len(item) != 2 for item in members):
        return
    firsts = [number for number in left if accepts(members[0][0], number.dimension)]
    seconds = [number for number in left if accepts(members[0][1], number.dimension)]
    if len(firsts) < len(members) or len(seconds) < len(members):
        return
    for (one, other), (first, second) in zip(members, _matched(firsts, seconds, len(members)), strict=True):
        take(one, first)
        take(other, second)


def _matched(firsts: Sequence[Number], seconds: Sequence[Number], wanted: int) -> list[tuple[Number, Number]]:
    listed = any(one.start == other.start for one, other in pairwise(firsts))
    if listed and len(firsts) == len(seconds):
        # "250 and 1100 S/m at 20 and 100 °C": the first belongs to the first.
        return list(zip(firsts, seconds, strict=True))[:wanted]
    options = sorted(
        (max(second.start - first.end, first.start - second.end), first.order, second.order)
        for first in firsts
        for second in seconds
    )
    by_order = {number.order: number for number in (*firsts, *seconds)}
    used: set[int] = set()
    chosen: list[tuple[Number, Number]] = []
    for _, one, other in options:
        if one not in used and other not in used and len(chosen) < wanted:
            used |= {one, other}
            chosen.append((by_order[one], by_order[other]))
    return sorted(chosen, key=lambda pair: pair[0].order)


# ---------------------------------------------------------------------------------------------------- names
def _assign_named(form: Form, question: str, left: list[Number], given: Mapping[str, Number], take: _Take) -> None:
    options: list[tuple[int, int, int]] = []
    variables = [item for item in form.variables if item.symbol not in given and not item.pair and not item.ascending]
    for index, variable in enumerate(variables):
        for number in left:
            distance = distance_to(variable, question, number.start) if accepts(variable, number.dimension) else None
            if distance is not None:
                options.append((distance, index, number.order))
    done_variables: set[int] = set()
    done_numbers: set[int] = set()
    by_order = {number.order: number for number in left}
    for _, index, order in sorted(options):
        if index not in done_variables and order not in done_numbers:
            done_variables.add(index)
            done_numbers.add(order)
            take(variables[index], by_order[order])


def distance_to(
    variable: Variable, question: str, number_start: int, between_them: re.Pattern[str] = _BETWEEN
) -> int | None:
    """Characters between a name of the variable and the number that follows it; None when none is near."""
    before = question[max(0, number_start - _NEAR) : number_start]
    best: int | None = None
    for name in (variable.symbol, *variable.names):
        flags = 0 if len(name) < 4 else re.IGNORECASE
        for match in re.finditer(rf"(?<!\w){re.escape(name)}s?(?!\w)", before, flags):
            between = before[match.end() :]
            # One letter is a symbol only in front of an equals sign: "a" and "B" are also words.
            if len(name) == 1 and not re.match(r"\s*(?:=|≈|is\b)", between):
                continue
            if between_them.fullmatch(between) and (best is None or len(between) < best):
                best = len(between)
    return best
