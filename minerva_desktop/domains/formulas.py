"""Whether the formulas of a pack can be calculated: they read, name what exists, and their units come out right.

Whether units come out right is asked of the unit library, which takes half a second to be there. A pack may therefore
carry the digest of a concepts file whose units were checked (``concepts.sha256``): with it, only the rest is looked at.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from minerva_desktop.language.constants import constant_symbols, constants
from minerva_desktop.language.expressions import (
    ExpressionError,
    Node,
    evaluate,
    measure,
    parse_expression,
    parse_formula_text,
    same,
    symbols_of,
)
from minerva_desktop.language.expressions.nodes import Symbol
from minerva_desktop.language.units import NO_DIMENSION, Vector, dimension_vector, parse_unit, using_units

if TYPE_CHECKING:
    from minerva_desktop.domains.pack import Concept, Domain, Intermediate, Variable, Variant

Place = tuple[int | str, ...]
_SAMPLES = (0.37, 0.83)
"""Where a formula and its plainer expression are held against each other; away from 0 and 1, where many agree."""


class Fault(NamedTuple):
    """What is wrong, and where in the pack."""

    place: Place
    reason: str


def formula_node(formula: str, expression: str) -> Node:
    """What is evaluated: the expression where there is one, else the right side of the formula.

    Raises:
        ExpressionError: it cannot be read.
    """
    return parse_expression(expression) if expression else parse_formula_text(formula)[1]


def digest_of(text: str) -> str:
    """What a pack's ``concepts.sha256`` holds for this concepts file; the ends of lines do not matter."""
    return hashlib.sha256("\n".join(text.splitlines()).encode()).hexdigest()


def formula_faults(domain: Domain, *, units: bool = True) -> Iterator[Fault]:
    """Every fault of the pack's formulas, in the order of the pack; without ``units`` what needs no unit library."""
    seen: set[str] = set()
    with using_units(()):  # a pack means the same in every library
        for number, concept in enumerate(domain.concepts):
            place: Place = ("concepts", number)
            if concept.name in seen:
                yield Fault((*place, "name"), f"There are two concepts “{concept.name}”")
            seen.add(concept.name)
            for at, form in [(place, concept), *_variants(place, concept)]:
                yield from _Checked(domain, at, form, units).faults()


def _variants(place: Place, concept: Concept) -> list[tuple[Place, Concept | Variant]]:
    return [((*place, "variants", index), variant) for index, variant in enumerate(concept.variants)]


class _Checked:
    """One form of a formula on its way through the checks; a form with one fault is not looked at further."""

    def __init__(self, domain: Domain, place: Place, form: Concept | Variant, units: bool) -> None:
        self.domain = domain
        self.units = units
        self.place = place
        self.form = form
        self.vectors: dict[str, Vector] = dict.fromkeys(constant_symbols(), NO_DIMENSION)
        if units:
            self.vectors = {symbol: item.vector for symbol, item in constants().items()}
        self.used: set[str] = set()

    def faults(self) -> Iterator[Fault]:
        for fault in self._all():
            yield fault
            return

    def _all(self) -> Iterator[Fault]:
        yield from self._variables()
        for index, part in enumerate(self.form.intermediates):
            yield from self._part((*self.place, "intermediates", index), part)
        yield from self._calculable(self.place, self.form, self.form.result_unit, "result_unit")
        for index, variable in enumerate(self.form.variables):
            if variable.symbol not in self.used:
                where = (*self.place, "variables", index, "symbol")
                yield Fault(where, f"The formula has no “{variable.symbol}”, which its variables name")
        yield from self._pairs()

    # ------------------------------------------------------------------------------------------- variables
    def _variables(self) -> Iterator[Fault]:
        known: set[str] = set()
        for index, variable in enumerate(self.form.variables):
            place = (*self.place, "variables", index)
            if variable.symbol in known:
                yield Fault((*place, "symbol"), f"There are two variables “{variable.symbol}”")
            known.add(variable.symbol)
            if not _is_symbol(variable.symbol):
                yield Fault((*place, "symbol"), f"“{variable.symbol}” cannot be a symbol of a formula")
            vector = self._vector(variable.unit)
            if vector is None:
                yield Fault((*place, "unit"), f"“{variable.unit}” is not a unit")
            else:
                self.vectors[variable.symbol] = vector
                yield from self._property(place, variable, vector)
            yield from _bounds(place, variable)

    def _property(self, place: Place, variable: Variable, vector: Vector) -> Iterator[Fault]:
        if not variable.property_id:
            return
        spec = self.domain.property(variable.property_id)
        if spec is None:
            yield Fault((*place, "property_id"), f"There is no property “{variable.property_id}”")
            return
        measured = dimension_vector(spec.dimension) if self.units else None
        if measured is not None and not same(measured, vector):
            yield Fault((*place, "unit"), f"“{variable.unit}” does not measure the property “{spec.id}”")

    def _pairs(self) -> Iterator[Fault]:
        names = [variable.pair for variable in self.form.variables if variable.pair]
        for name in sorted(set(names)):
            if names.count(name) != 2:
                yield Fault((*self.place, "variables"), f"The pair “{name}” needs two variables")

    # --------------------------------------------------------------------------------------------- formulas
    def _part(self, place: Place, part: Intermediate) -> Iterator[Fault]:
        if not _is_symbol(part.symbol) or part.symbol in {item.symbol for item in self.form.variables}:
            yield Fault((*place, "symbol"), f"“{part.symbol}” cannot be the symbol of an intermediate result")
        yield from self._calculable(place, part, part.unit, "unit")
        self.vectors[part.symbol] = self._vector(part.unit) or NO_DIMENSION

    def _vector(self, unit: str) -> Vector | None:
        """The dimension of a unit; None where it is none."""
        if not self.units or unit.strip() in {"", "1"}:
            return NO_DIMENSION
        known = parse_unit(unit)
        return known.vector if known else None

    def _calculable(
        self, place: Place, form: Concept | Variant | Intermediate, unit: str, unit_key: str
    ) -> Iterator[Fault]:
        key = (*place, "expression" if form.expression else "formula")
        try:
            node = formula_node(form.formula, form.expression)
            measured = measure(node, self.vectors)  # without units everything is a pure number
        except ExpressionError as error:
            yield Fault(key, str(error))
            return
        self.used.update(symbols_of(node))
        vector = self._vector(unit)
        if vector is None:
            yield Fault((*place, unit_key), f"“{unit}” is not a unit")
        elif not same(vector, measured.vector):
            yield Fault(key, f"The formula does not come out in {unit or 'a pure number'}: the units do not fit")
        elif form.expression and not _agree(form.formula, node):
            yield Fault(key, "Formula and expression say different things")


def _bounds(place: Place, variable: Variable) -> Iterator[Fault]:
    above, below, default = variable.above, variable.below, variable.default
    if above is not None and below is not None and above >= below:
        yield Fault((*place, "above"), f"No value of “{variable.symbol}” is above {above:g} and below {below:g}")
    if default is not None and not within(variable, default):
        yield Fault((*place, "default"), f"The default of “{variable.symbol}” is outside its own limits")


def within(variable: Variable, value: float) -> bool:
    """Whether a value in the variable's own unit is between its limits, which are excluded themselves."""
    if variable.above is not None and not value > variable.above:
        return False
    return variable.below is None or value < variable.below


def _is_symbol(text: str) -> bool:
    try:
        return parse_expression(text) == Symbol(text)
    except ExpressionError:
        return False


def _agree(formula: str, node: Node) -> bool:
    """Whether a formula for people, where it can be read at all, has the values of the expression."""
    try:
        other = parse_formula_text(formula)[1]
    except ExpressionError:
        return True
    names = sorted({*symbols_of(node), *symbols_of(other)})
    return all(_same_value(node, other, _numbers(names, seed)) for seed in _SAMPLES)


def _numbers(names: Sequence[str], seed: float) -> dict[str, float]:
    return {name: seed + 0.11 * index for index, name in enumerate(names)}


def _same_value(one: Node, other: Node, values: Mapping[str, float]) -> bool:
    try:
        first = evaluate(one, values)
    except ExpressionError:
        return True
    try:
        second = evaluate(other, values)
    except ExpressionError:
        return False
    return abs(first - second) <= 1e-9 * max(abs(first), abs(second))
