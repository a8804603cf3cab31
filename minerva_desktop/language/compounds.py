"""Names of inorganic compounds that say what they are made of: "magnesium diboride" is MgB2, "gallium nitride" is made
of gallium and nitrogen.

Grammar: element+ (multiplier? anion) as in IUPAC's compositional names (Red Book IR-5). A multiplier gives the formula;
without one the name says the elements only, since the proportions follow from charges that it does not state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from minerva_desktop.language.elements import NAMES
from minerva_desktop.language.formulas import composition_key, parse_formula

_ANIONS = {
    "boride": "B", "carbide": "C", "nitride": "N", "oxide": "O", "fluoride": "F", "silicide": "Si", "phosphide": "P",
    "sulfide": "S", "sulphide": "S", "chloride": "Cl", "germanide": "Ge", "arsenide": "As", "selenide": "Se",
    "bromide": "Br", "antimonide": "Sb", "telluride": "Te", "iodide": "I", "hydride": "H", "bismuthide": "Bi",
}  # fmt: skip
_MULTIPLIERS = {
    "mon": 1, "mono": 1, "di": 2, "tri": 3, "tetra": 4, "tetr": 4, "penta": 5, "pent": 5, "hexa": 6, "hepta": 7,
    "octa": 8, "nona": 9, "deca": 10, "dodeca": 12, "sesqui": 1.5,
}  # fmt: skip
_EVERYDAY = {
    ("water",): "H2O", ("ammonia",): "NH3", ("methane",): "CH4", ("nitric", "oxide"): "NO", ("nitrous", "oxide"): "N2O",
    ("alumina",): "Al2O3", ("silica",): "SiO2", ("titania",): "TiO2", ("zirconia",): "ZrO2", ("ceria",): "CeO2",
    ("hafnia",): "HfO2", ("magnesia",): "MgO", ("hydrogen", "peroxide"): "H2O2", ("boron", "carbide"): "B4C",
}  # fmt: skip
_LONGEST = 6


@dataclass(frozen=True, slots=True)
class NamedCompound:
    """A compound's name in a list of words: ``words[start:end]``. ``key`` is its composition, "" when the name gives
    the elements only; ``elements`` are the symbols, sorted, joined by hyphens."""

    start: int
    end: int
    key: str
    elements: str


def compound_keys(formula: str) -> tuple[str, str]:
    """The composition and the elements of a formula as texts to compare; both empty when it is none.

    Amounts that are not stated ("x", "7−δ") leave the composition empty.
    """
    parsed = parse_formula(formula)
    if not parsed.ok:
        return "", ""
    symbols = set(parsed.elements) | {symbol for group in parsed.groups for symbol in group.elements}
    elements = "-".join(sorted(symbols))
    if parsed.groups or any(isinstance(amount, str) for amount in parsed.elements.values()):
        return "", elements
    return ";".join(
        f"{symbol}{amount:g}" for symbol, amount in composition_key(parsed) if not isinstance(amount, str)
    ), elements


def find_compounds(words: Sequence[str]) -> list[NamedCompound]:
    """Every compound's name in a list of lower-case words, in order, without overlap."""
    found: list[NamedCompound] = []
    at = 0
    while at < len(words):
        item = _at(words, at)
        if item is not None:
            found.append(item)
        at = item.end if item else at + 1
    return found


def _at(words: Sequence[str], start: int) -> NamedCompound | None:
    for length in (2, 1):
        name = tuple(words[start : start + length])
        if len(name) == length and name in _EVERYDAY:
            key, elements = compound_keys(_EVERYDAY[name])
            return NamedCompound(start, start + length, key, elements)
    cations: list[str] = []
    for at in range(start, min(len(words), start + _LONGEST)):
        word = words[at]
        symbol = NAMES.get(word)
        if symbol:
            cations.append(symbol)
            continue
        if cations and word.strip("iv") == "":
            continue  # an oxidation state: "iron(III) oxide"
        anion = _anion(word) if cations else None
        if anion is None or anion[0] in cations:
            return None
        elements = "-".join(sorted({*cations, anion[0]}))
        key = ""
        if anion[1] is not None and len(cations) == 1:
            key = _exact(cations[0], anion[0], anion[1])
        return NamedCompound(start, at + 1, key, elements)
    return None


def _exact(cation: str, anion: str, amount: float) -> str:
    formula = f"{cation}2{anion}3" if amount == 1.5 else f"{cation}{anion}{'' if amount == 1 else int(amount)}"
    return compound_keys(formula)[0]


def _anion(word: str) -> tuple[str, float | None] | None:
    """The element of an anion's name and its multiplier: "diborides" is ("B", 2)."""
    plain = word.removesuffix("s")
    if plain in _ANIONS:
        return _ANIONS[plain], None
    for prefix, amount in _MULTIPLIERS.items():
        if plain.startswith(prefix) and plain[len(prefix) :] in _ANIONS:
            return _ANIONS[plain[len(prefix) :]], amount
    return None
