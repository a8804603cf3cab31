"""The forms of a concept's formula: its own, its variants, and each of them solved for another symbol."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from minerva_desktop.domains.formulas import formula_node
from minerva_desktop.domains.pack import Concept, Intermediate, Variable, Variant
from minerva_desktop.extraction.tokens import fold_phrase
from minerva_desktop.language.expressions import Node, parse_expression, solved_for, symbols_of, written
from minerva_desktop.language.expressions.nodes import ExpressionError, Symbol
from minerva_desktop.language.quantities import dimension_of_unit

_SHARES = frozenset({"fraction", "mass_fraction"})


@dataclass(frozen=True, slots=True)
class Part:
    """An intermediate result."""

    symbol: str
    formula: str
    node: Node
    unit: str


@dataclass(frozen=True, slots=True)
class Solved:
    """What a rearranged form comes from: the formula as it was, and the symbol that was its result."""

    formula: str
    node: Node
    result: Variable
    target: Variable


@dataclass(frozen=True, slots=True)
class Form:
    """One formula of a concept. ``solved`` is set when it was rearranged."""

    concept: str
    label: str
    formula: str
    node: Node
    result_symbol: str
    result_unit: str
    variables: tuple[Variable, ...]
    parts: tuple[Part, ...] = ()
    when: tuple[tuple[str, ...], ...] = ()
    solved: Solved | None = None


@lru_cache(maxsize=256)
def forms_of(concept: Concept) -> tuple[Form, ...]:
    """The concept's own formula first, then its variants.

    Raises:
        ExpressionError: a formula cannot be read, which loading a pack rules out.
    """
    items: tuple[Concept | Variant, ...] = (concept, *concept.variants)
    return tuple(_form(concept, item) for item in items)


def _form(concept: Concept, item: Concept | Variant) -> Form:
    return Form(
        concept.name,
        item.label or concept.label or concept.name,
        item.formula,
        formula_node(item.formula, item.expression),
        item.result_symbol,
        item.result_unit,
        item.variables,
        tuple(_part(part) for part in item.intermediates),
        tuple(fold_phrase(words) for words in item.when) if isinstance(item, Variant) else (),
    )


def _part(part: Intermediate) -> Part:
    return Part(part.symbol, part.formula, formula_node(part.formula, part.expression), part.unit)


@lru_cache(maxsize=256)
def rearranged(form: Form) -> tuple[Form, ...]:
    """The form solved for each variable that stands once in its formula, where its result has a plain symbol."""
    try:
        left = parse_expression(form.result_symbol)
    except ExpressionError:
        return ()
    if left != Symbol(form.result_symbol):
        return ()
    inside = {name for part in form.parts for name in symbols_of(part.node)}
    result = Variable(symbol=form.result_symbol, label=form.label, unit=form.result_unit, names=_names(form))
    found = []
    for target in form.variables:
        node = solved_for(target.symbol, left, form.node)
        # Of values that are read in pairs, one alone cannot be told from the others.
        if node is None or target.symbol in inside or target.pair or target.ascending or target.molar_mass_of:
            continue
        others = tuple(item for item in form.variables if item != target)
        found.append(
            replace(
                form,
                label=target.label,
                formula=f"{target.symbol} = {written(node)}",
                node=node,
                result_symbol=target.symbol,
                result_unit=target.unit,
                variables=(*others, result),
                solved=Solved(form.formula, form.node, result, target),
            )
        )
    return tuple(found)


def _names(form: Form) -> tuple[str, ...]:
    """What the result is called in a question: the label, and its last word ("wavelength")."""
    last = form.label.split()[-1]
    return tuple(dict.fromkeys([form.label, last] if len(last) > 3 else [form.label]))


def accepts(variable: Variable, dimension: str) -> bool:
    """Whether a quantity of that dimension can be the variable. Shares without a kind count as shares by weight."""
    own = dimension_of_unit(variable.unit)
    return own == dimension or (own in _SHARES and dimension in _SHARES)
