"""The formula parser: recursive descent over a normalised text, with variables, mixed sites and hydrates.

formula   = [polymorph "-"] part ("·" [amount] part)*
part      = unit+
unit      = symbol [amount] | "(" (part | mixed) ")" [amount]
mixed     = symbol ("," symbol)+                              a site of unstated share: (Nd,Sr)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from minerva_desktop.language.elements import ATOMIC_MASS, NAME_OF, is_symbol
from minerva_desktop.language.formulas.amounts import ONE, Amount, read_amount
from minerva_desktop.language.formulas.normal import normal_formula, spaceless
from minerva_desktop.language.formulas.plain import metals_first, read_plain

LONGEST = 200
_DEEPEST = 8

_POLYMORPH = re.compile(
    r"(?P<name>\d{1,2}[HTRCLM]'?|\d{1,2}h|[αβγδεζηθκλσωτ]|(?:alpha|beta|gamma|delta|kappa|theta)|(?:[acdghortmw]|fcc|bcc|hcp)(?=-))-?(?=[A-Z(])"
)
_CHARGE = re.compile(r"(?:\d*[+-]|\([IVX]+\)|[+-]\d?)$")
_WATER = re.compile(r"\(?H2O\)?$|OH2$")
_POINT_FOR_DOT = re.compile(r"\.(?=\d*\.?\d*[xyzn]?\(?H2O\)?$)")
_MIXED = re.compile(r"[(\[]([A-Z][a-z]?(?:[,/][A-Z][a-z]?)+)[)\]]")
_LETTERS_ONLY = re.compile(r"[A-Z]{3,}s?$")
_SHORT_NAME_BEHIND = re.compile(r"(?<=\S)\s\((?:[A-Z]{3,7}s?|[A-Z][A-Za-z]?[-–]?\d{3,4})\)\s*$")
"""The short name that follows a formula: "YBa2Cu3O7 (YBCO)", "Bi2Sr2CuO6 (Bi2201)"."""
_LETTER_MOLECULES = frozenset(
    {"KOH", "HCN", "KCN", "HOF", "KSCN", "KOCN", "COS", "OCS", "HNCO", "HOCN", "KHS", "NOF", "HPO", "HOI", "KNO"}
)
_NOT_FORMULAS = frozenset(
    {"UV", "IV", "CV", "PC", "UK", "US", "OK", "IF", "PI", "IC", "HP", "II", "BC", "VI", "HeLa", "IN", "PHI", "NIH"}
)


@dataclass(frozen=True, slots=True)
class Group:
    """A site shared by elements in a proportion that is not stated."""

    elements: tuple[str, ...]
    amount: float | str


@dataclass(frozen=True, slots=True)
class Formula:
    """A parsed formula.

    ``canonical`` is one spelling for one compound: no markup, no spaces, no ones, sites without a multiplier opened,
    and non-metals behind metals. ``elements`` are the amounts by symbol, water of a hydrate included: a number, or a
    text linear in ``variables``. ``groups`` are sites of unstated shares. ``hydrate`` is the amount of water.
    ``prefix`` is the polymorph that was written before ("4H", "α"). ``name`` is the name of a single element.
    """

    ok: bool
    reason: str = ""
    canonical: str = ""
    elements: dict[str, float | str] = field(default_factory=dict)
    variables: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()
    hydrate: float | str | None = None
    name: str = ""
    prefix: str = ""


class _NoFormulaError(Exception):
    pass


@dataclass(frozen=True, slots=True)
class _Unit:
    """A symbol, a bracket, or a mixed site, with its amount."""

    symbol: str = ""
    inside: tuple[_Unit, ...] = ()
    mixed: tuple[str, ...] = ()
    amount: Amount = ONE


def parse_formula(text: str) -> Formula:
    """What a whole string is as a formula; ``ok`` false with a reason when it is none. Case always counts."""
    if len(text) > LONGEST:
        return Formula(False, "The text is too long to be a formula.")
    return _parse(text)


@lru_cache(maxsize=8192)
def _parse(text: str) -> Formula:
    return _plain(text if text.isalnum() else spaceless(text)) or _parse_fully(text)


def _plain(text: str) -> Formula | None:
    """The formula of the common case, several times faster than the grammar gives it; None when it is not that case."""
    found = read_plain(text) if text not in _NOT_FORMULAS else None
    if found is None:
        return None
    amounts, canonical = found
    name = NAME_OF[next(iter(amounts))] if len(amounts) == 1 else ""
    return Formula(True, "", canonical, dict(amounts), name=name)


def _parse_fully(text: str) -> Formula:
    normal = normal_formula(_SHORT_NAME_BEHIND.sub("", text) if "(" in text else text)
    try:
        return _formula(normal)
    except _NoFormulaError as problem:
        return Formula(False, f"“{' '.join(text.split())}” is no formula: {problem}.")


def _formula(normal: str) -> Formula:
    if not normal:
        raise _NoFormulaError("it is empty")
    prefix = ""
    polymorph = _POLYMORPH.match(normal)
    if polymorph and not is_symbol(normal[:2]):
        prefix, normal = polymorph.group("name"), normal[polymorph.end() :]
    _refuse_words(normal)
    parts: list[tuple[Amount, tuple[_Unit, ...], str]] = []
    if "·" not in normal:
        normal = _POINT_FOR_DOT.sub("·", normal, count=1)
    for piece in normal.split("·"):
        parts.append(_part(piece, first=not parts))
    elements: dict[str, Amount] = {}
    groups: list[tuple[tuple[str, ...], Amount]] = []
    for factor, units, _ in parts:
        _collect(units, factor, elements, groups)
    water = [factor for factor, _, piece in parts[1:] if _WATER.match(piece)]
    _check(elements, groups, parts)
    texts = [_canonical(units, reorder=len(parts) == 1) for _, units, _ in parts]
    canonical = "·".join(
        text if factor.is_one else f"{_bracketed(factor)}{text}"
        for (factor, _, _), text in zip(parts, texts, strict=True)
    )
    names = {name.lstrip("±") for amount in [*elements.values(), *(a for _, a in groups)] for name, _ in amount.terms}
    return Formula(
        ok=True,
        canonical=canonical,
        elements={symbol: amount.plain for symbol, amount in elements.items()},
        variables=tuple(sorted(names)),
        groups=tuple(Group(symbols, amount.plain) for symbols, amount in groups),
        hydrate=water[0].plain if water else None,
        name=NAME_OF[next(iter(elements))] if len(elements) == 1 and not groups else "",
        prefix=prefix,
    )


def _refuse_words(normal: str) -> None:
    if not any(character.isalpha() for character in normal):
        raise _NoFormulaError("it has no element")
    if normal in _NOT_FORMULAS:
        raise _NoFormulaError("it is an abbreviation")
    if _LETTERS_ONLY.match(normal.strip("()[]")) and normal.strip("()[]") not in _LETTER_MOLECULES:
        raise _NoFormulaError("it is an abbreviation")
    charge = _CHARGE.search(normal)
    if charge and charge.start() > 0:
        raise _NoFormulaError("it has a charge: it is an ion")


def _part(piece: str, *, first: bool) -> tuple[Amount, tuple[_Unit, ...], str]:
    """One part of an adduct: its coefficient, its units, its text."""
    if not piece:
        raise _NoFormulaError("a part of it is empty")
    found = (
        read_amount(piece, 0) if piece[0].isdigit() or piece[0] in "xyzn." or (piece[0] == "(" and not first) else None
    )
    factor, at = found if found else (ONE, 0)
    if found and first and at == len(piece):
        raise _NoFormulaError("it has no element")
    units, end = _units(piece, at, 0)
    if end != len(piece):
        raise _NoFormulaError(f"“{piece[end:][:12]}” is not understood")
    return factor, units, piece[at:]


def _units(text: str, at: int, depth: int) -> tuple[tuple[_Unit, ...], int]:
    if depth > _DEEPEST:
        raise _NoFormulaError("its brackets are too deep")
    units: list[_Unit] = []
    while at < len(text) and text[at] not in ")]":
        if text[at] in "([":
            unit, at = _bracket(text, at, depth)
        elif text[at] == "," and depth and units:
            at += 1  # "(Ba0.5,Sr0.5)": the shares are stated, the comma says nothing
            continue
        else:
            unit, at = _symbol(text, at)
        units.append(unit)
    if not units:
        raise _NoFormulaError("it has no element")
    return tuple(units), at


def _symbol(text: str, at: int) -> tuple[_Unit, int]:
    symbol = text[at : at + 2] if is_symbol(text[at : at + 2]) else text[at : at + 1]
    if not is_symbol(symbol):
        raise _NoFormulaError(f"“{_word(text, at)}” is no element")
    end = at + len(symbol)
    found = read_amount(text, end)
    if found is None:
        return _Unit(symbol=symbol), end
    return _Unit(symbol=symbol, amount=found[0]), found[1]


def _word(text: str, at: int) -> str:
    match = re.compile(r"[A-Za-z][a-z]*").match(text, at)
    return match.group() if match else text[at : at + 1]


def _bracket(text: str, at: int, depth: int) -> tuple[_Unit, int]:
    closing = ")" if text[at] == "(" else "]"
    mixed = _MIXED.match(text, at)
    if mixed:
        symbols = tuple(re.split(r"[,/]", mixed.group(1)))
        if not all(is_symbol(symbol) for symbol in symbols):
            raise _NoFormulaError(f"“{mixed.group(1)}” names something that is no element")
        amount, end = read_amount(text, mixed.end()) or (ONE, mixed.end())
        return _Unit(mixed=symbols, amount=amount), end
    inside, end = _units(text, at + 1, depth + 1)
    if text[end : end + 1] != closing:
        raise _NoFormulaError("a bracket is not closed")
    amount, end = read_amount(text, end + 1) or (ONE, end + 1)
    return _Unit(inside=inside, amount=amount), end


# ----------------------------------------------------------------------------------------------------- composition
def _collect(
    units: Sequence[_Unit], factor: Amount, elements: dict[str, Amount], groups: list[tuple[tuple[str, ...], Amount]]
) -> None:
    for unit in units:
        amount = unit.amount.times(factor)
        if amount is None:
            raise _NoFormulaError("its amounts are not linear in their variables")
        if unit.inside:
            _collect(unit.inside, amount, elements, groups)
        elif unit.mixed:
            groups.append((unit.mixed, amount))
        else:
            known = elements.get(unit.symbol)
            elements[unit.symbol] = known.plus(amount) if known else amount


def _check(
    elements: dict[str, Amount], groups: Sequence[object], parts: Sequence[tuple[Amount, tuple[_Unit, ...], str]]
) -> None:
    for symbol in [symbol for symbol, amount in elements.items() if amount.is_zero]:
        del elements[symbol]
    if not elements and not groups:
        raise _NoFormulaError("it has no element")
    if any(not amount.terms and amount.constant < 0 for amount in elements.values()):
        raise _NoFormulaError("an amount is below zero")
    if len(elements) == 1 and not groups:
        amount = next(iter(elements.values()))
        written = parts[0][2]
        if amount.terms and not amount.constant:
            raise _NoFormulaError("one element with a variable alone is a word")
        if amount.is_one and any(character.isdigit() for character in written):
            raise _NoFormulaError("it is a label")


def _canonical(units: Sequence[_Unit], *, reorder: bool) -> str:
    flat = _opened(units)
    if reorder:
        flat = _metals_first(flat)
    return "".join(_unit_text(unit) for unit in flat)


def _opened(units: Sequence[_Unit]) -> list[_Unit]:
    """Brackets without a multiplier opened, as "(La0.6Sr0.4)(Co0.2Fe0.8)O3" is La0.6Sr0.4Co0.2Fe0.8O3."""
    flat: list[_Unit] = []
    for unit in units:
        if unit.inside and unit.amount.is_one:
            flat.extend(_opened(unit.inside))
        elif unit.inside and len(unit.inside) == 1 and unit.inside[0].symbol:
            single = unit.inside[0].amount.times(unit.amount)
            flat.append(_Unit(symbol=unit.inside[0].symbol, amount=single or unit.amount))
        elif not unit.amount.is_zero:
            flat.append(unit)
    return flat


def _metals_first(units: list[_Unit]) -> list[_Unit]:
    """Non-metals behind the metals; brackets have no symbol and leave the order as it is."""
    order = metals_first([unit.symbol for unit in units])
    return units if order is None else [units[index] for index in order]


def _unit_text(unit: _Unit) -> str:
    amount = "" if unit.amount.is_one else str(unit.amount)
    if unit.symbol:
        return unit.symbol + amount
    if unit.mixed:
        return f"({','.join(unit.mixed)}){amount}"
    return f"({''.join(_unit_text(item) for item in _opened(unit.inside))}){amount}"


def _bracketed(amount: Amount) -> str:
    text = str(amount)
    return f"({text})" if any(sign in text[1:] for sign in "+-±") else text


def composition_key(formula: Formula) -> tuple[tuple[str, float | str], ...]:
    """The composition as a key that does not depend on how the formula is written: Ca(OH)2 and CaO2H2 have the same."""
    groups = [(",".join(sorted(group.elements)), group.amount) for group in formula.groups]
    return tuple(sorted([*formula.elements.items(), *groups], key=lambda item: item[0]))


def molar_mass(formula: Formula) -> float | None:
    """The molar mass in g/mol; None when an amount or a share is not a number."""
    if not formula.ok or formula.groups:
        return None
    total = 0.0
    for symbol, amount in formula.elements.items():
        if isinstance(amount, str):
            return None
        total += ATOMIC_MASS[symbol] * amount
    return round(total, 6)
