"""Concepts that can be calculated: the result with every step.

Numbers come from the question or from the library and are handed in as :class:`Given`; nothing is made up here. All
values are SI inside and shown in the unit that the concept names.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from minerva_desktop.domains import Domain
from minerva_desktop.domains.formulas import within
from minerva_desktop.domains.pack import Concept, Variable
from minerva_desktop.language.constants import constants
from minerva_desktop.language.expressions import ExpressionError, Node, evaluate, symbols_of, written
from minerva_desktop.language.quantities import dimension_of_unit, from_unit, to_unit
from minerva_desktop.questions.figures import (
    figures_of,
    figures_of_result,
    number_text,
    rounded_text,
    unit_text,
    with_unit,
)
from minerva_desktop.questions.forms import Form, accepts, forms_of
from minerva_desktop.records import Citation, Step

__all__ = [
    "Calculation",
    "Form",
    "Given",
    "accepts",
    "calculate",
    "find_concept",
    "forms_of",
    "number_text",
    "unit_text",
]

Origin = Literal["question", "graph", "paper", "textbook", "table", "assumed"]

_POSITIVE = frozenset({
    "length", "area", "volume", "mass", "time", "frequency", "temperature", "energy", "conductivity", "resistivity",
    "resistance", "current", "molar_mass", "number_density", "density", "amount", "concentration", "mobility",
})  # fmt: skip
_SHARES = frozenset({"fraction", "mass_fraction", "atomic_fraction", "amount_fraction", "volume_fraction"})
_SOURCES: Mapping[Origin, str] = {
    "question": "given in the question",
    "graph": "from the graph",
    "paper": "from a paper",
    "textbook": "from a textbook",
    "table": "from the table of elements",
    "assumed": "assumed",
}


@dataclass(frozen=True, slots=True)
class Given:
    """A value for a variable: SI number, how it is written, where it is from. ``status`` is of a library fact."""

    value: float
    text: str
    origin: Origin
    citations: tuple[Citation, ...] = ()
    status: Literal["accepted", "waiting"] | None = None
    note: str = ""

    @property
    def figures(self) -> int | None:
        """Significant figures, None for what counts as exact."""
        return None if self.origin == "table" else figures_of(self.text, self.value)


@dataclass(frozen=True, slots=True)
class Calculation:
    """``ok`` with value and unit; else ``missing`` variables, or a ``reason`` why there is no value.

    ``value`` is unrounded; ``figures`` is how many significant figures of it may be shown.
    """

    form: Form
    ok: bool
    value: float | None = None
    unit: str = ""
    steps: tuple[Step, ...] = ()
    given: tuple[tuple[Variable, Given], ...] = ()
    missing: tuple[Variable, ...] = ()
    reason: str = ""
    figures: int = 4

    @property
    def rounded(self) -> str:
        """The value with its unit, rounded to its figures; "" when there is none."""
        return "" if self.value is None else with_unit(rounded_text(self.value, self.figures), self.unit)


def find_concept(name: str, domain: Domain) -> Concept | None:
    """The concept of that name."""
    return next((item for item in domain.concepts if item.name == name), None)


def default_of(variable: Variable) -> Given | None:
    """The value that is assumed when nothing else is known, None when there is none to assume."""
    if variable.default is None:
        return None
    text = with_unit(number_text(variable.default, 9), variable.unit)
    return Given(from_unit(variable.default, dimension_of_unit(variable.unit), variable.unit), text, "assumed")


def calculate(form: Form | Concept, given: Mapping[str, Given | float]) -> Calculation:
    """The result with its steps; numbers without a source count as given in the question (SI).

    Variables without a value take their default; without one they are named in ``missing`` and nothing is calculated.
    """
    if isinstance(form, Concept):
        form = forms_of(form)[0]
    values: dict[str, Given] = {}
    missing: list[Variable] = []
    for variable in form.variables:
        item = given.get(variable.symbol)
        if isinstance(item, float | int):
            shown = with_unit(number_text(_shown(float(item), variable.unit)), variable.unit)
            item = Given(float(item), shown, "question")
        item = item or default_of(variable)
        if item is None:
            missing.append(variable)
        else:
            values[variable.symbol] = item
    pairs = tuple((variable, values[variable.symbol]) for variable in form.variables if variable.symbol in values)
    if missing:
        return Calculation(form, False, given=pairs, missing=tuple(missing))
    try:
        for variable, item in pairs:
            _check(variable, item)
        return _calculated(form, values, pairs)
    except ExpressionError as error:
        return Calculation(form, False, given=pairs, reason=str(error))


def _calculated(form: Form, values: Mapping[str, Given], pairs: Sequence[tuple[Variable, Given]]) -> Calculation:
    numbers = {symbol: item.value for symbol, item in constants().items()}
    numbers |= {symbol: item.value for symbol, item in values.items()}
    texts = {symbol: item.text for symbol, item in values.items()}
    steps = [_given_step(variable, item) for variable, item in pairs]
    for part in form.parts:
        numbers[part.symbol] = evaluate(part.node, numbers)
        steps += _formula_steps(part.symbol, part.formula, part.node, texts)
        shown = _shown(numbers[part.symbol], part.unit)
        texts[part.symbol] = with_unit(number_text(shown), part.unit)
        steps.append(Step(part.symbol, shown, part.unit))
    result = evaluate(form.node, numbers)
    if form.solved:
        _check_solved(form, result, numbers)
        steps.append(Step(f"{form.solved.formula}, solved for {form.result_symbol}"))
    steps += _formula_steps(form.result_symbol, form.formula, form.node, texts)
    value = _shown(result, form.result_unit)
    figures = figures_of_result(item.figures for _, item in pairs)
    steps.append(Step(_result_text(form, value, figures, pairs), value, form.result_unit))
    return Calculation(form, True, value, form.result_unit, tuple(steps), tuple(pairs), figures=figures)


def _check_solved(form: Form, result: float, numbers: Mapping[str, float]) -> None:
    """A rearranged formula may give a root that the formula itself does not have: it is put back in."""
    assert form.solved is not None
    target, wanted = form.solved.target, numbers[form.solved.result.symbol]
    shown = with_unit(number_text(_shown(result, target.unit)), target.unit)
    try:
        _check(target, Given(result, shown, "question"))
        back = evaluate(form.solved.node, {**numbers, target.symbol: result})
    except ExpressionError:
        back = math.nan
    if not math.isclose(back, wanted, rel_tol=1e-6):
        raise ExpressionError(f"No {target.label} gives this {form.solved.result.label}.")


def _given_step(variable: Variable, item: Given) -> Step:
    source = _SOURCES[item.origin] + (f", {item.note}" if item.note else "")
    pages = sorted({citation.page for citation in item.citations if citation.page})
    if pages:
        source += f", page {pages[0]}"
    expression = f"{variable.symbol} ({variable.label}, {source})"
    return Step(expression, _shown(item.value, variable.unit), variable.unit)


def _formula_steps(symbol: str, formula: str, node: Node, texts: Mapping[str, str]) -> list[Step]:
    named = []
    for name in dict.fromkeys(symbols_of(node)):
        constant = constants().get(name)
        if constant is not None and name not in texts:
            named.append(f"{name} = {with_unit(number_text(constant.shown, 10), constant.unit)} ({constant.label})")
    steps = [Step(formula), Step(f"{symbol} = {written(node, texts)}")]
    if named:
        steps.insert(1, Step(f"with {', '.join(named)}"))
    return steps


def _result_text(form: Form, value: float, figures: int, pairs: Sequence[tuple[Variable, Given]]) -> str:
    """The last step: what is shown of the result, and which value limits it."""
    shown = with_unit(rounded_text(value, figures), form.result_unit)
    limits = [variable.symbol for variable, item in pairs if item.figures is not None and item.figures <= figures]
    because = f", as {limits[0]} has" if limits and figures > 2 else ""
    return f"{form.result_symbol} ≈ {shown} to {figures} significant figures{because}; unrounded {form.result_symbol}"


def _check(variable: Variable, item: Given) -> None:
    dimension = dimension_of_unit(variable.unit)
    if not math.isfinite(item.value):
        raise ExpressionError(f"The {variable.label} is no finite number.")
    if dimension in _POSITIVE and item.value <= 0:
        raise ExpressionError(f"The {variable.label} must be above zero, but {item.text} is given.")
    if dimension in _SHARES and not 0 < item.value < 1:
        raise ExpressionError(f"The {variable.label} must be between 0 and 100 %, but {item.text} is given.")
    if not within(variable, _shown(item.value, variable.unit)):
        limits = [
            f"{word} {with_unit(number_text(limit), variable.unit)}"
            for word, limit in (("above", variable.above), ("below", variable.below))
            if limit is not None
        ]
        raise ExpressionError(f"The {variable.label} must be {' and '.join(limits)}, but {item.text} is given.")


def _shown(value: float, unit: str) -> float:
    return to_unit(value, dimension_of_unit(unit), unit) if unit else value
