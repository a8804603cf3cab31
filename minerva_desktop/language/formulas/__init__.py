"""Chemical formulas: parse one, find them in text, weigh them."""

from minerva_desktop.language.formulas.finding import FoundFormula, find_formulas
from minerva_desktop.language.formulas.parser import Formula, Group, composition_key, molar_mass, parse_formula

__all__ = ["Formula", "FoundFormula", "Group", "composition_key", "find_formulas", "molar_mass", "parse_formula"]
