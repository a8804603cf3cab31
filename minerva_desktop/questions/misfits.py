"""Numbers of a question that cannot be what they are said to be: a wrong unit, none, several values, a bound.

Such a question is refused in one sentence. Guessing what was meant, or taking the value from the library instead, would
answer another question than the one that was asked.
"""

from __future__ import annotations

import math
import re

from minerva_desktop.domains.pack import Variable
from minerva_desktop.language.quantities import dimension_of_unit, find_quantities
from minerva_desktop.language.quantities.finding import FoundQuantity
from minerva_desktop.questions.figures import unit_text
from minerva_desktop.questions.forms import accepts
from minerva_desktop.questions.inputs import Reading, distance_to

_DIRECTLY = re.compile(
    r"(?:[\s,:=≈~(]|of|is|was|are|were|a|an|the|about|around|equal|to|equals|value|energy)*", re.IGNORECASE
)
"""Between a name and its number, so near that the number can be nothing else's: not "the band gap at 300 K"."""
_LARGE = re.compile(r"(?<![\w.])\d+(?:\.\d+)?[eE]\+?\d{3,}(?!\w)")
_NO_UNIT = frozenset({"", "dimensionless", "count"})


def misfit(reading: Reading, question: str) -> str:
    """What is wrong with the numbers of the question, as one sentence; "" when nothing is."""
    for match in _LARGE.finditer(question):
        if math.isinf(float(match.group())):
            return f"“{match.group()}” is too large to be the value of anything."
    open_variables = [
        item for item in reading.form.variables if item.symbol not in reading.given and not item.molar_mass_of
    ]
    used = {(number.start, number.end) for number in reading.taken.values()}
    for found in find_quantities(question):
        if (found.start, found.end) not in used:
            problem = _unusable(found, open_variables, question)
            if problem:
                return problem
    return _several(reading, question)


def wrong_unit(variable: Variable, text: str, dimension: str) -> str:
    """That a number is not of the kind that the variable is."""
    own = dimension_of_unit(variable.unit)
    unit = unit_text(variable.unit)
    if dimension in _NO_UNIT:
        return f"The {variable.label} {variable.symbol} needs a unit, such as {unit}, but “{text}” has none."
    kind = f"{_called(own)}" + (f", for example in {unit}" if unit else "")
    return f"The {variable.label} {variable.symbol} must be given as {kind}, but “{text}” is {_called(dimension)}."


def _unusable(found: FoundQuantity, variables: list[Variable], question: str) -> str:
    quantity = found.quantity
    text = question[found.start : found.end]
    for variable in variables:
        named = distance_to(variable, question, found.start, _DIRECTLY) is not None
        fits = accepts(variable, quantity.dimension)
        if not named and not (fits and variable.unit):
            continue
        if not quantity.ok and quantity.reason:
            reason = quantity.reason.removeprefix("Not a value: ").rstrip(".")
            reason = f"{reason[:1].lower()}{reason[1:]}"
            return f"“{text}” cannot be used as the {variable.label} {variable.symbol} ({reason})."
        if quantity.kind == "bound" and fits:
            return f"“{text}” is a limit; the {variable.label} {variable.symbol} needs one value."
        if named and not fits and quantity.ok:
            return wrong_unit(variable, text, quantity.dimension)
    return ""


def _several(reading: Reading, question: str) -> str:
    """A range or list of which only a part was used."""
    unused = {(number.start, number.end) for number in reading.unused}
    for variable in reading.form.variables:
        number = reading.taken.get(variable.symbol)
        if number is not None and (number.start, number.end) in unused:
            text = question[number.start : number.end]
            return f"“{text}” are several values; the {variable.label} {variable.symbol} needs one."
    return ""


def _called(dimension: str) -> str:
    if dimension in _NO_UNIT:
        return "a pure number"
    words = dimension.replace("_", " ")
    if not words[0].isalpha():
        return "something else"
    return f"{'an' if words[0] in 'aeio' else 'a'} {words}"
