"""Quantities: read a value, find them in text, compare them, convert them."""

from minerva_desktop.language.quantities.conditions import condition_of
from minerva_desktop.language.quantities.convert import canonical_value, dimension_of_unit, from_unit, to_unit
from minerva_desktop.language.quantities.finding import FoundQuantity, find_quantities
from minerva_desktop.language.quantities.values import parse_value

__all__ = [
    "FoundQuantity",
    "canonical_value",
    "condition_of",
    "dimension_of_unit",
    "find_quantities",
    "from_unit",
    "parse_value",
    "to_unit",
]
