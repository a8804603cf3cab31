"""Concepts that can be calculated: the forms of their formulas, and the result with every step.

Numbers come from the question or from the library and are handed in as :class:`Given`; nothing is made up here. All
values are SI inside and shown in the unit that the concept names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from minerva_desktop.domains import Domain
from minerva_desktop.domains.pack import Concept, Intermediate, Variable
from minerva_desktop.extraction.tokens import fold_phrase
from minerva_desktop.language.quantities import dimension_of_unit, from_unit, to_unit
from minerva_desktop.questions.arithmetic import CONSTANTS, CalculationError, evaluate
from minerva_desktop.records import Citation, Step

Origin = Literal["question", "graph", "paper", "textbook", "table", "assumed"]

_POSITIVE = frozenset({
    "length", "temperature", "energy", "conductivity", "current", "molar_mass", "number_density",
})  # fmt: skip
_SHARES = frozenset({"fraction", "mass_fraction"})
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_SYMBOL = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Given:
    """A value for a variable: SI number, how it is written, where it is from. ``status`` is of a library fact."""

    value: float
    text: str
    origin: Origin
    citations: tuple[Citation, ...] = ()
    status: Literal["accepted", "waiting"] | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """One formula of a concept: the concept's own, or a variant's."""

    concept: str
    label: str
    formula: str
    expression: str
    result_symbol: str
    result_unit: str
    variables: tuple[Variable, ...]
    intermediates: tuple[Intermediate, ...] = ()
    when: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Calculation:
    """``ok`` with value and unit; else ``missing`` variables, or a ``reason`` why there is no value."""

    form: Form
    ok: bool
    value: float | None = None
    unit: str = ""
    steps: tuple[Step, ...] = ()
    given: tuple[tuple[Variable, Given], ...] = ()
    missing: tuple[Variable, ...] = ()
    reason: str = ""


def find_concept(name: str, domain: Domain) -> Concept | None:
    """The concept of that name."""
    return next((item for item in domain.concepts if item.name == name), None)


def forms_of(concept: Concept) -> tuple[Form, ...]:
    """The concept's own formula first, then its variants."""
    own = Form(
        concept.name,
        concept.label or concept.name,
        concept.formula,
        concept.expression,
        concept.result_symbol,
        concept.result_unit,
        concept.variables,
        concept.intermediates,
    )
    others = tuple(
        Form(
            concept.name,
            variant.label or concept.label or concept.name,
            variant.formula,
            variant.expression,
            variant.result_symbol,
            variant.result_unit,
            variant.variables,
            variant.intermediates,
            tuple(fold_phrase(words) for words in variant.when),
        )
        for variant in concept.variants
    )
    return (own, *others)


def accepts(variable: Variable, dimension: str) -> bool:
    """Whether a quantity of that dimension can be the variable. Shares without a kind count as shares by weight."""
    own = dimension_of_unit(variable.unit)
    return own == dimension or (own in _SHARES and dimension in _SHARES)


def default_of(variable: Variable) -> Given | None:
    """The value that is assumed when nothing else is known, None when there is none to assume."""
    if variable.default is None:
        return None
    text = f"{number_text(variable.default)} {variable.unit}".strip()
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
            item = Given(float(item), _in_unit(float(item), variable.unit), "question")
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
    except CalculationError as error:
        return Calculation(form, False, given=pairs, reason=str(error))


def _calculated(form: Form, values: Mapping[str, Given], pairs: Sequence[tuple[Variable, Given]]) -> Calculation:
    numbers = {symbol: item.value for symbol, item in values.items()}
    texts = {symbol: item.text for symbol, item in values.items()}
    steps = [_given_step(variable, item) for variable, item in pairs]
    for part in form.intermediates:
        numbers[part.symbol] = evaluate(part.expression, numbers)
        steps += _formula_steps(part.formula, texts)
        shown = _shown(numbers[part.symbol], part.unit)
        texts[part.symbol] = _with_unit(shown, part.unit)
        steps.append(Step(part.symbol, shown, part.unit))
    result = evaluate(form.expression, numbers)
    steps += _formula_steps(form.formula, texts)
    value = _shown(result, form.result_unit)
    steps.append(Step(form.result_symbol, value, form.result_unit))
    return Calculation(form, True, value, form.result_unit, tuple(steps), tuple(pairs))


def _given_step(variable: Variable, item: Given) -> Step:
    origins = {
        "question": "given in the question",
        "graph": "from the graph",
        "paper": "from a paper",
        "textbook": "from a textbook",
        "table": "from the table of elements",
        "assumed": "assumed",
    }
    source = origins[item.origin] + (f", {item.note}" if item.note else "")
    expression = f"{variable.symbol} ({variable.label}, {source})"
    return Step(expression, _shown(item.value, variable.unit), variable.unit)


def _formula_steps(formula: str, texts: Mapping[str, str]) -> list[Step]:
    left, _, right = formula.partition(" = ")
    constants = [name for name in _SYMBOL.findall(right) if name in CONSTANTS and name not in texts]
    filled = _SYMBOL.sub(lambda match: _bracketed(texts.get(match.group(), match.group())), right)
    steps = [Step(formula), Step(f"{left} = {filled}")]
    if constants:
        named = [f"{name} = {number_text(CONSTANTS[name], 9)} {_UNITS[name]}" for name in dict.fromkeys(constants)]
        steps.insert(1, Step(f"with {', '.join(named)}"))
    return steps


_UNITS = {"k": "J/K", "h": "J s", "c": "m/s", "q": "C", "NA": "1/mol", "pi": ""}


def _bracketed(text: str) -> str:
    return f"({text})" if " " in text else text


def _check(variable: Variable, item: Given) -> None:
    dimension = dimension_of_unit(variable.unit)
    if not math.isfinite(item.value):
        raise CalculationError(f"The {variable.label} is no finite number.")
    if dimension in _POSITIVE and item.value <= 0:
        raise CalculationError(f"The {variable.label} must be above zero, but {item.text} is given.")
    if dimension in _SHARES and not 0 < item.value < 1:
        raise CalculationError(f"The {variable.label} must be between 0 and 100 %, but {item.text} is given.")


# --------------------------------------------------------------------------------------------------- numbers
def _shown(value: float, unit: str) -> float:
    if not unit:
        return value
    return to_unit(value, dimension_of_unit(unit), unit)


def _in_unit(value: float, unit: str) -> str:
    return _with_unit(_shown(value, unit), unit)


def _with_unit(value: float, unit: str) -> str:
    return f"{number_text(value)} {unit_text(unit)}".strip()


def number_text(value: float, digits: int = 4) -> str:
    """A number for people: "364.7", "4.401 × 10⁻¹⁰"."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else str(value)
    if 1e-3 <= abs(value) < 1e6:
        text = f"{value:.{max(0, digits - 1 - math.floor(math.log10(abs(value))))}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa} × 10{str(int(exponent)).translate(_SUPERSCRIPTS)}"


def unit_text(unit: str) -> str:
    """A unit for people: "nm^-1" as "nm⁻¹"."""
    return re.sub(r"\^(-?\d+)", lambda match: match.group(1).translate(_SUPERSCRIPTS), unit)
