"""Units as papers write them: read, understood, compared.

Paper text never reaches the general unit library: the grammar here reads it into known symbols with exponents, and only
the names in the project's own table are looked up there.
"""

from minerva_desktop.language.units.dimensions import Unit, dimension_vector, si_unit_of
from minerva_desktop.language.units.grammar import UnitMatch, parse_unit, read_unit
from minerva_desktop.language.units.own import define_unit
from minerva_desktop.language.units.relatives import Relative, relatives
from minerva_desktop.language.units.table import (
    NO_DIMENSION,
    UnitSet,
    UserUnit,
    Vector,
    size_of,
    units_in_use,
    using_units,
)

__all__ = [
    "NO_DIMENSION",
    "Relative",
    "Unit",
    "UnitMatch",
    "UnitSet",
    "UserUnit",
    "Vector",
    "define_unit",
    "dimension_vector",
    "parse_unit",
    "read_unit",
    "relatives",
    "si_unit_of",
    "size_of",
    "units_in_use",
    "using_units",
]
