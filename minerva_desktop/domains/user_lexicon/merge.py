"""A person's entries laid over a domain pack.

The person's entries come first and win: a spelling that they claim is taken away from every other entry of its kind. A
row that names something of the pack (its id, its formula, its name) extends that entry. The pack itself is never changed,
so that taking a row away takes its effect away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from minerva_desktop.domains.blacklist import folded, is_symbol_like
from minerva_desktop.domains.pack import Blacklisted, Domain, Material, PropertySpec, Term
from minerva_desktop.domains.user_lexicon.rows import (
    AliasRow,
    BlacklistRow,
    MaterialRow,
    PropertyRow,
    TermRow,
    entity_type,
)
from minerva_desktop.language.formulas import parse_formula
from minerva_desktop.language.quantities import dimension_of_unit, from_unit
from minerva_desktop.language.units import UserUnit, using_units

Named = Material | PropertySpec | Term
Item = TypeVar("Item", Material, PropertySpec, Term)

KIND_OF_TYPE = {"Material": "materials", "Property": "properties", "Method": "methods", "Application": "applications"}


class RowFault(ValueError):
    """A row that does not fit the pack: the column and a sentence for a person."""

    def __init__(self, column: str, reason: str) -> None:
        super().__init__(reason)
        self.column = column


@dataclass
class Layers:
    """The entries of a domain while a person's rows are laid over it, row by row; :meth:`domain` is the result.

    ``own`` are a person's entries by kind, ``pack`` those of the pack that are left.
    """

    base: Domain
    own: dict[str, list[Any]] = field(default_factory=lambda: {kind: [] for kind in KIND_OF_TYPE.values()})
    pack: dict[str, list[Any]] = field(default_factory=dict)
    units: list[UserUnit] = field(default_factory=list)
    blacklist: list[Blacklisted] = field(default_factory=list)

    def __post_init__(self) -> None:
        for kind in self.own:
            self.pack[kind] = list(getattr(self.base, kind))

    # ------------------------------------------------------------------------------------------------ adding rows
    def add_material(self, row: MaterialRow) -> None:
        def same(item: Material) -> bool:
            if row.formula and item.formula:
                return row.formula == item.formula
            return _claims(item, row.name) or (bool(row.formula) and item.name == row.formula)

        old = self._take("materials", same)
        name, formula = row.name, row.formula or (old.formula if old else "")
        made = Material(
            name=name,
            formula=formula,
            synonyms=_joined(row.synonyms, (old.name, *old.synonyms) if old else (), without=(name,)),
            case_sensitive=_joined(row.symbols, old.case_sensitive if old else ()),
        )
        self._put("materials", made, (row.name, row.formula, *row.synonyms, *row.symbols))

    def add_property(self, row: PropertyRow) -> None:
        def same(item: PropertySpec) -> bool:
            return item.id == row.id or folded(item.label) == folded(row.label)

        old = self._take("properties", same)
        unit = row.unit or (old.unit if old else "")
        dimension, others = old.dimension if old else "", old.other_dimensions if old else ()
        if row.unit:
            measured = self._dimension(row.unit)
            if old and measured != dimension:
                others = tuple(dict.fromkeys((*others, dimension)))
            dimension, others = measured, tuple(item for item in others if item and item != measured)
        keeps_bounds = old is not None and old.dimension == dimension
        low, high = (self._si(value, dimension, unit) for value in (row.low, row.high))
        made = PropertySpec(
            id=old.id if old else row.id,
            label=row.label,
            synonyms=_joined(row.synonyms, (old.label, *old.synonyms) if old else (), without=(row.label,)),
            case_sensitive=_joined(row.symbols, old.case_sensitive if old else ()),
            dimension=dimension,
            unit=unit,
            low=low if row.low is not None else old.low if old and keeps_bounds else None,
            high=high if row.high is not None else old.high if old and keeps_bounds else None,
            semantic_class=old.semantic_class if old else "material_property",
            other_dimensions=others,
            predicates=old.predicates if old else (),
        )
        self._put("properties", made, (row.label, *row.synonyms, *row.symbols))

    def add_term(self, kind: str, row: TermRow) -> None:
        old = self._take(kind, lambda item: folded(item.name) == folded(row.name))
        made = Term(
            name=row.name,
            synonyms=_joined(row.synonyms, (old.name, *old.synonyms) if old else (), without=(row.name,)),
            case_sensitive=_joined(row.symbols, old.case_sensitive if old else ()),
        )
        self._put(kind, made, (row.name, *row.synonyms, *row.symbols))

    def add_alias(self, row: AliasRow) -> None:
        kind = KIND_OF_TYPE[entity_type(row.type)]
        target = self._named(kind, row.canonical)
        if target is None:
            target = self._new(kind, row.canonical)
        else:
            self._remove(kind, target)
        field_name = "case_sensitive" if is_symbol_like(row.spelling) else "synonyms"
        names = _joined((row.spelling,), getattr(target, field_name))
        self._put(kind, target.model_copy(update={field_name: names}), (row.spelling,))

    def add_blacklisted(self, row: BlacklistRow) -> None:
        """A main name rules out the whole entry with all its spellings; any other only itself."""
        kind = entity_type(row.type)
        terms = [row.term]
        formula = parse_formula(row.term)
        if formula.ok:
            terms.append(formula.canonical)
        for type_name, entries_of in KIND_OF_TYPE.items():
            if kind not in ("", type_name):
                continue
            for entries in (self.own[entries_of], self.pack[entries_of]):
                for item in list(entries):
                    if any(_is_main_name(item, term) for term in terms):
                        entries.remove(item)
                        terms += _spellings(item)
            self._strip(entries_of, terms, self.own[entries_of])
            self._strip(entries_of, terms, self.pack[entries_of])
        self.blacklist += [Blacklisted(term=term, type=kind) for term in dict.fromkeys(terms)]

    def domain(self) -> Domain:
        """The pack with everything that was laid over it."""
        entries = {kind: (*self.own[kind], *self.pack[kind]) for kind in self.own}
        update: dict[str, Any] = {**entries, "units": tuple(self.units), "blacklist": tuple(self.blacklist)}
        return self.base.model_copy(update=update)

    # -------------------------------------------------------------------------------------------------- internals
    def _take(self, kind: str, same: Callable[[Any], bool]) -> Any:
        """The pack's entry that is the same thing, taken out of the pack; None when there is none."""
        found = next((item for item in self.pack[kind] if same(item)), None)
        if found is not None:
            self.pack[kind].remove(found)
        return found

    def _put(self, kind: str, made: Named, claimed: Sequence[str]) -> None:
        claimed = [name for name in claimed if name]
        self._strip(kind, claimed, self.own[kind])
        self._strip(kind, claimed, self.pack[kind])
        self.own[kind].append(made)

    def _remove(self, kind: str, item: Named) -> None:
        for entries in (self.own[kind], self.pack[kind]):
            if item in entries:
                entries.remove(item)

    def _strip(self, kind: str, names: Iterable[str], entries: list[Any]) -> None:
        """Take spellings away from entries; one that loses its only name goes."""
        exact = set(names)
        loose = {folded(name) for name in exact if not is_symbol_like(name)}

        def claimed(name: str) -> bool:
            return name in exact or (bool(loose) and not is_symbol_like(name) and folded(name) in loose)

        kept = []
        for item in entries:
            if not any(claimed(name) for name in _spellings(item)):
                kept.append(item)
                continue
            left = _without(item, claimed)
            if left is not None:
                kept.append(left)
        entries[:] = kept

    def _named(self, kind: str, name: str) -> Any:
        formula = parse_formula(name).canonical if kind == "materials" else ""
        for main_only in (True, False):
            for item in (*self.own[kind], *self.pack[kind]):
                if _is_main_name(item, name) or (formula and getattr(item, "formula", "") == formula):
                    return item
                if not main_only and _claims(item, name):
                    return item
        return None

    def _new(self, kind: str, name: str) -> Named:
        if kind == "properties":
            reason = (
                f"there is no property “{name}”; add it to the properties first, or write the name of one that there is"
            )
            raise RowFault("canonical", reason)
        if kind != "materials":
            return Term(name=name)
        formula = parse_formula(name)
        return Material(name=name, formula=formula.canonical if formula.ok else "")

    def _dimension(self, unit: str) -> str:
        with using_units(self.units):
            dimension = dimension_of_unit(unit)
        if not dimension:
            reason = f"“{unit}” is not a unit that is known; write it another way, or define it in the units"
            raise RowFault("unit", reason)
        return dimension

    def _si(self, value: float | None, dimension: str, unit: str) -> float | None:
        if value is None:
            return None
        with using_units(self.units):
            return from_unit(value, dimension, unit)


def _joined(first: Iterable[str], second: Iterable[str], without: Sequence[str] = ()) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys((*first, *second)) if name and name not in without)


def _spellings(item: Named) -> tuple[str, ...]:
    own: tuple[str, ...] = (item.label, *item.predicates) if isinstance(item, PropertySpec) else (item.name,)
    formula = (item.formula,) if isinstance(item, Material) and item.formula else ()
    return (*own, *formula, *item.synonyms, *item.case_sensitive)


def _is_main_name(item: Named, name: str) -> bool:
    """Whether a name is the one that stands for the whole entry: id or label, formula, else name."""
    if isinstance(item, PropertySpec):
        return name == item.id or folded(name) == folded(item.label)
    if isinstance(item, Material) and item.formula:
        return name == item.formula
    return name == item.name or (not is_symbol_like(name) and folded(name) == folded(item.name))


def _claims(item: Named, name: str) -> bool:
    if name in _spellings(item):
        return True
    return not is_symbol_like(name) and folded(name) in {
        folded(other) for other in _spellings(item) if not is_symbol_like(other)
    }


def _without(item: Named, claimed: Callable[[str], bool]) -> Named | None:
    """The entry without claimed spellings; None when its main name is one of them."""
    update: dict[str, Any] = {
        "synonyms": tuple(name for name in item.synonyms if not claimed(name)),
        "case_sensitive": tuple(name for name in item.case_sensitive if not claimed(name)),
    }
    if isinstance(item, PropertySpec):
        if claimed(item.label):
            return None
        update["predicates"] = tuple(name for name in item.predicates if not claimed(name))
    elif isinstance(item, Material) and item.formula:
        if claimed(item.formula):
            return None
        if claimed(item.name):
            update["name"] = item.formula
    elif claimed(item.name):
        return None
    return item.model_copy(update=update)
