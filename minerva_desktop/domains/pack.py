"""Loads and validates a domain pack: ``domain.toml`` plus the other ``*.toml`` files beside it, merged by table.

Each file of the folder holds some of the tables of :class:`Domain`; a table may stand in one file only. A pack that
does not validate is refused with file, place and reason.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from minerva_desktop.assets import resource_path
from minerva_desktop.domains.formulas import digest_of, formula_faults
from minerva_desktop.domains.places import PackFile
from minerva_desktop.errors import DomainError
from minerva_desktop.language.units import UserUnit
from minerva_desktop.prompts import Prompt


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EntityType(_Model):
    name: str
    description: str = ""
    good: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()


class RelationType(_Model):
    """``triples`` are the legal (source type, target type) pairs; ``claim`` is a template with {source}, {target},
    {property}, {value}: what the relation says as one English sentence."""

    name: str
    description: str = ""
    triples: tuple[tuple[str, str], ...]
    claim: str


class PropertySpec(_Model):
    """A property that can be named or measured. ``dimension`` is a name of the quantity parser ("energy",
    "temperature", "dimensionless", …; empty = has no number). ``unit`` is for display. ``low``/``high`` bound what is
    physically sensible, in SI. ``case_sensitive`` lists symbols such as "Tc" or "Eg". ``other_dimensions`` are written
    for the same property too (eV and kJ/mol); the bounds hold for ``dimension`` only. ``predicates`` say the property
    as a predicate: "superconductor", "superconducting"."""

    id: str
    label: str
    synonyms: tuple[str, ...] = ()
    case_sensitive: tuple[str, ...] = ()
    dimension: str = ""
    unit: str = ""
    low: float | None = None
    high: float | None = None
    semantic_class: str = "material_property"
    other_dimensions: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()


class Term(_Model):
    """A method or application: ``name`` is canonical, ``synonyms`` compare without case, ``case_sensitive`` exactly."""

    name: str
    synonyms: tuple[str, ...] = ()
    case_sensitive: tuple[str, ...] = ()


class Material(_Model):
    """A gazetteer entry. ``formula`` is empty for materials without one (stainless steel)."""

    name: str
    formula: str = ""
    synonyms: tuple[str, ...] = ()
    case_sensitive: tuple[str, ...] = ()


class SemanticClass(_Model):
    """A class of HAS_PROPERTY targets: whole terms, and head words (last word of the name) that decide otherwise."""

    name: str
    accepted: bool
    terms: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()


class KeyProperty(_Model):
    """A column on the Material node: filled from HAS_VALUE of ``property_id``, shown in ``unit``.

    Which value is taken says ``library/key_columns.py``; a name that ends in ``_300K`` wants room temperature."""

    column: str
    property_id: str
    unit: str


class Variable(_Model):
    """What a formula needs. ``default``, ``above`` and ``below`` are in ``unit``; values outside are refused. Variables
    with the same ``pair`` are read together ("5 mA at 5 mV"); ``ascending`` sorts values of one dimension by size instead
    of by place. ``molar_mass_of`` ("dopant", "host") takes the value from a substance that the question names."""

    symbol: str
    label: str
    unit: str
    names: tuple[str, ...] = ()
    default: float | None = None
    above: float | None = None
    below: float | None = None
    property_id: str = ""
    pair: str = ""
    ascending: bool = False
    molar_mass_of: str = ""


class Intermediate(_Model):
    """A quantity that a formula is made of, calculated first and shown as a step of its own."""

    symbol: str
    formula: str
    unit: str
    expression: str = ""


class Variant(_Model):
    """Another form of a concept's formula: chosen when ``when`` is in the question, or when its values are given."""

    formula: str
    result_symbol: str
    result_unit: str
    variables: tuple[Variable, ...]
    expression: str = ""
    intermediates: tuple[Intermediate, ...] = ()
    when: tuple[str, ...] = ()
    label: str = ""


class Concept(_Model):
    """A calculable concept. The right side of ``formula`` is evaluated with SI values of ``variables``; ``expression`` is
    the same in plainer signs, where the formula for people cannot be read. A keyword with " + " in it needs all its parts;
    with one of ``unless`` in the question it is another thing that is meant."""

    name: str
    description: str
    formula: str
    keywords: tuple[str, ...]
    result_symbol: str
    result_unit: str
    variables: tuple[Variable, ...]
    expression: str = ""
    intermediates: tuple[Intermediate, ...] = ()
    variants: tuple[Variant, ...] = ()
    unless: tuple[str, ...] = ()
    label: str = ""
    example: str = ""
    source: str = ""


class Critic(_Model):
    generic_materials: tuple[str, ...] = ()
    structural_forms: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    vague_words: tuple[str, ...] = ()
    method_words: tuple[str, ...] = ()


class Extraction(_Model):
    """Words that the extraction rules need to know of a field; what each list is for stands in the pack's file."""

    gases: tuple[str, ...] = ()
    molecules: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    asides_of: tuple[str, ...] = ()
    material_heads: tuple[str, ...] = ()
    predicate_heads: tuple[str, ...] = ()
    making: tuple[str, ...] = ()
    consuming_methods: tuple[str, ...] = ()
    bare_properties: tuple[str, ...] = ()
    oxides: dict[str, str] = Field(default_factory=dict)


class Role(_Model):
    """What a value or a material can be in a measurement: ``units`` are patterns at the end of a value without a known
    dimension, ``usual`` are substances that play the role unless the words around them say otherwise; so do formulas with
    all elements of one of ``elements`` and none of ``without``. ``gives_way``: what is usual counts only where it is usual
    of no other role."""

    name: str
    of: Literal["value", "material"]
    dimensions: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    weak_cues: tuple[str, ...] = ()
    prepositions: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()
    elements: tuple[tuple[str, ...], ...] = ()
    without: tuple[str, ...] = ()
    needs_cue: bool = False
    gives_way: bool = False


class Experiment(_Model):
    """What measurements of a field consist of: the words that report one, what is measured, the roles of its parts.

    ``stack``: the roles of the first, the inner and the last of materials that are written between strokes."""

    triggers: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    stack: tuple[str, str, str] | None = None
    roles: tuple[Role, ...] = ()


class Approach(_Model):
    """A class of methods by which values are come by, and the words that tell it. ``said``: papers say so when they use
    it, so a value without such a word is of another class."""

    name: str
    terms: tuple[str, ...]
    said: bool = False


class Aspect(_Model):
    """Different things that one property name can mean ("direct" and "indirect" of a gap), each with its words.
    ``needed``: values are held against each other only where both say which they mean."""

    properties: tuple[str, ...]
    kinds: dict[str, tuple[str, ...]]
    needed: bool = False


class Comparison(_Model):
    """When values of two papers can be held against each other. ``temperature`` is in K; ``tolerance`` is the relative
    difference that is no disagreement, ``tolerances`` the same by property. ``needs`` are conditions that must be stated on
    both sides, with the properties that they matter for; ``of_a_sample`` are properties that are never compared, because
    they are a sample's or a device's own. ``families`` are words in the name of a material that leave its composition open;
    ``forms_alike`` are forms that say no more than that it was a piece of the material."""

    temperature: float = 10.0
    tolerance: float = Field(default=0.10, gt=0)
    tolerances: dict[str, float] = Field(default_factory=dict)
    needs: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    of_a_sample: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    forms_alike: tuple[str, ...] = ()
    approaches: tuple[Approach, ...] = ()
    aspects: tuple[Aspect, ...] = ()


class QueryExample(_Model):
    """A question with the Cypher that answers it, for a model that writes queries. ``shows`` names the pattern."""

    shows: str
    question: str
    query: str


class Blacklisted(_Model):
    """A name that is never taken as an entity of this type; ``type`` empty = as no entity at all."""

    term: str
    type: str = ""


class Domain(_Model):
    """``units`` and ``blacklist`` come from a person's lexicon; a pack has none. ``question_measures``: the words by which
    a question asks for a number of a dimension ("temperature": "which temperature", "how hot")."""

    name: str
    title: str
    version: str
    entity_types: tuple[EntityType, ...]
    relation_types: tuple[RelationType, ...]
    properties: tuple[PropertySpec, ...] = ()
    key_properties: tuple[KeyProperty, ...] = ()
    materials: tuple[Material, ...] = ()
    methods: tuple[Term, ...] = ()
    applications: tuple[Term, ...] = ()
    semantic_classes: tuple[SemanticClass, ...] = ()
    concepts: tuple[Concept, ...] = ()
    critic: Critic = Critic()
    extraction: Extraction = Extraction()
    experiment: Experiment = Experiment()
    comparison: Comparison = Comparison()
    prompts: dict[str, Prompt] = Field(default_factory=dict)
    question_keywords: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    question_measures: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    question_quantities: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    query_examples: tuple[QueryExample, ...] = ()
    units: tuple[UserUnit, ...] = ()
    blacklist: tuple[Blacklisted, ...] = ()

    def property(self, property_id: str) -> PropertySpec | None:
        """The property with this id, or None."""
        return next((item for item in self.properties if item.id == property_id), None)

    def relation_type(self, name: str) -> RelationType | None:
        return next((item for item in self.relation_types if item.name == name), None)

    def legal(self, source_type: str, relation: str, target_type: str) -> bool:
        """Whether the triple of types is allowed."""
        kind = self.relation_type(relation)
        return kind is not None and (source_type, target_type) in kind.triples


def available_domains() -> list[str]:
    """Names of the packs that are installed, sorted."""
    root = resource_path("domains")
    return sorted(path.parent.name for path in root.glob("*/domain.toml"))


def load_domain(name: str) -> Domain:
    """The pack of that name.

    Raises:
        DomainError: there is no such pack, or it is broken.
    """
    if name not in available_domains():
        known = ", ".join(available_domains()) or "none"
        raise DomainError(f"There is no domain pack “{name}”.", hint=f"Installed packs: {known}.")
    return load_pack(resource_path("domains", name))


@lru_cache(maxsize=8)
def load_pack(folder: Path) -> Domain:
    """The pack in a folder, validated.

    Raises:
        DomainError: a file cannot be read, or what it says cannot be; names file, line and reason.
    """
    tables: dict[str, Any] = {}
    origin: dict[str, PackFile] = {}
    for path in sorted(folder.glob("*.toml"), key=lambda item: (item.name != "domain.toml", item.name)):
        try:
            text = path.read_text(encoding="utf-8")
            data = tomllib.loads(text)
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise DomainError(f"{path.name} in domain pack {folder.name}: {error}.") from error
        for key, value in data.items():
            if key in tables:
                raise DomainError(f"{path.name} in domain pack {folder.name}: “{key}” is in {origin[key].name} too.")
            tables[key] = value
            origin[key] = PackFile(path.name, text)
    try:
        domain = Domain.model_validate(tables)
    except ValidationError as error:
        first = error.errors()[0]
        raise _refusal(folder, origin, first["loc"], first["msg"]) from error
    _check_references(domain, folder)
    for place, reason in formula_faults(domain, units=not _units_checked(folder, origin)):
        raise _refusal(folder, origin, place, reason)
    return domain


def _units_checked(folder: Path, origin: Mapping[str, PackFile]) -> bool:
    """Whether the pack says that the units of exactly these formulas were checked; see ``formulas``."""
    stamp = folder / "concepts.sha256"
    if "concepts" not in origin or not stamp.is_file():
        return "concepts" not in origin
    return stamp.read_text(encoding="utf-8", errors="replace").strip() == digest_of(origin["concepts"].text)


def _refusal(folder: Path, origin: Mapping[str, PackFile], place: Sequence[int | str], reason: str) -> DomainError:
    file = origin.get(str(place[0]) if place else "") or PackFile("domain.toml", "")
    dotted = ".".join(str(part) for part in place)
    line = f", line {file.line_of(place)}" if file.text else ""
    return DomainError(f"{file.name} in domain pack {folder.name}{line}, {dotted}: {reason.rstrip('.')}.")


def _check_references(domain: Domain, folder: Path) -> None:
    roles = {role.name for role in domain.experiment.roles}
    for name in domain.experiment.stack or ():
        if name not in roles:
            raise DomainError(
                f"experiments.toml in domain pack {folder.name}: the stack names the unknown role “{name}”."
            )
    types = {item.name for item in domain.entity_types}
    for relation in domain.relation_types:
        for pair in relation.triples:
            for name in pair:
                if name not in types:
                    raise DomainError(
                        f"domain.toml in domain pack {folder.name}: relation {relation.name} names the unknown "
                        f"entity type “{name}”."
                    )
    ids = {item.id for item in domain.properties}
    for name in _compared(domain.comparison):
        if name not in ids:
            raise DomainError(f"domain pack {folder.name}: the rules of comparison name the unknown property “{name}”.")
    for key in domain.key_properties:
        if key.property_id not in ids:
            raise DomainError(
                f"domain pack {folder.name}: key property {key.column} names the unknown property “{key.property_id}”."
            )


def _compared(rules: Comparison) -> list[str]:
    """The properties that the rules of comparison name, sorted."""
    named = {*rules.tolerances, *rules.of_a_sample}
    named.update(*rules.needs.values(), *(item.properties for item in rules.aspects))
    return sorted(named)
