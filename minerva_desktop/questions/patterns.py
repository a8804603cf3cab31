"""Question patterns as Cypher: material (A), concept (B), material with concept (C), property, use, method, neighbours.

The tables and columns are those that the library makes from the domain pack. Names are written into the text as string
literals, so that a person can run the very text that an answer shows; every text passes the guard before it runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from minerva_desktop.domains import Domain

ROWS = 50
"""Rows that a pattern asks for; what an answer shows is far less."""

MATERIAL = "Material"
CONCEPT = "SemiconductorConcept"
VALUE = "HAS_VALUE"
_KEYS = frozenset({"material", "concept", "relation"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked up: names as the graph spells them, ids of properties and all their spellings."""

    materials: tuple[str, ...] = ()
    applications: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    property_names: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    relations: tuple[str, ...] = field(default=())

    @property
    def of_a_part(self) -> bool:
        """A property of a thing that is named by its use or making alone ("the thickness of the electrolyte"). Which materials
        are used so does not answer it, and no edge says which value is the thing's: its sentences are read."""
        return bool(self.properties and (self.applications or self.methods)) and not (
            self.materials or {"USED_IN", "SYNTHESIZED_BY"} & set(self.relations)
        )


def literal(text: str) -> str:
    """A string literal of Cypher, whatever is in the text."""
    cleaned = "".join(character if character.isprintable() else " " for character in text)
    return "'" + cleaned.replace("\\", "\\\\").replace("'", "\\'") + "'"


def pattern(wanted: Wanted, domain: Domain) -> str:
    """The Cypher text for what is wanted, "" when the question names nothing that the graph could hold."""
    if wanted.materials and wanted.concepts:
        return _material_and_concept(wanted, domain)
    if wanted.materials:
        return _material(wanted, domain)
    if wanted.concepts:
        return _concept(wanted)
    if wanted.of_a_part:
        return ""
    if wanted.applications or wanted.methods:
        return _what_for(wanted)
    if wanted.properties:
        return _property(wanted)
    return ""


def is_empty(row: dict[str, object]) -> bool:
    """Whether a row says nothing: every column but those that only repeat the question is empty."""
    return all(value in (None, "", []) for key, value in row.items() if key not in _KEYS)


def _material(wanted: Wanted, domain: Domain) -> str:
    """Pattern A: the material's columns, and its edges of the relations that are asked for."""
    columns = _columns(wanted, domain)
    relations = wanted.relations or tuple(item.name for item in domain.relation_types)
    edges = "|".join(relations)
    named = ", r.property AS property" if VALUE in relations else ""  # only values have that column
    condition = _about_properties(wanted)
    return (
        f"MATCH (m:{MATERIAL}) WHERE m.name IN {_list(wanted.materials)} "
        f"OPTIONAL MATCH (m)-[r:{edges}]->(x){f' WHERE {condition}' if condition else ''} "
        f"RETURN m.name AS material{columns}, label(r) AS relation{named}, x.name AS target, "
        "r.conditions AS conditions, r.fact_id AS fact_id "
        f"ORDER BY material, relation, target, fact_id LIMIT {ROWS}"
    )


def _material_and_concept(wanted: Wanted, domain: Domain) -> str:
    """Pattern C: a concept, and the values of the material that go into its formula."""
    columns = _columns(wanted, domain)
    condition = f"r.property_id IN {_list(wanted.properties)}" if wanted.properties else "false"
    return (
        f"MATCH (m:{MATERIAL}), (c:{CONCEPT}) "
        f"WHERE m.name IN {_list(wanted.materials)} AND c.name IN {_list(wanted.concepts)} "
        f"OPTIONAL MATCH (m)-[r:{VALUE}]->(x) WHERE {condition} "
        f"RETURN m.name AS material, c.name AS concept, c.formula AS formula{columns}, r.property AS property, "
        "x.name AS target, r.conditions AS conditions, r.fact_id AS fact_id "
        f"ORDER BY concept, material, property, target, fact_id LIMIT {ROWS}"
    )


def _concept(wanted: Wanted) -> str:
    """Pattern B: what the graph says of a concept."""
    return (
        f"MATCH (c:{CONCEPT}) WHERE c.name IN {_list(wanted.concepts)} "
        f"RETURN c.name AS concept, c.formula AS formula, c.description AS description ORDER BY concept LIMIT {ROWS}"
    )


def _what_for(wanted: Wanted) -> str:
    """Which materials have an edge to these uses or methods."""
    kinds = [
        ("USED_IN", "Application", wanted.applications),
        ("SYNTHESIZED_BY", "Method", wanted.methods),
    ]
    parts = [
        f"MATCH (m)-[r:{edge}]->(x:{kind}) WHERE x.name IN {_list(names)} "
        f"RETURN m.name AS material, '{edge}' AS relation, x.name AS target, r.fact_id AS fact_id "
        f"ORDER BY material, target, fact_id LIMIT {ROWS}"
        for edge, kind, names in kinds
        if names
    ]
    return " UNION ALL ".join(parts)


def _property(wanted: Wanted) -> str:
    """Which materials have the property, those with the greatest values first."""
    return (
        f"MATCH (m:{MATERIAL})-[r:{VALUE}|HAS_PROPERTY]->(x) WHERE {_about_properties(wanted)} "
        "RETURN m.name AS material, label(r) AS relation, r.property AS property, x.name AS target, "
        "r.si_value AS si_value, r.conditions AS conditions, r.fact_id AS fact_id "
        f"ORDER BY si_value DESC, material, target, fact_id LIMIT {ROWS}"
    )


def _about_properties(wanted: Wanted) -> str:
    if not wanted.properties:
        return ""
    return f"(r.property_id IN {_list(wanted.properties)} OR x.name IN {_list(wanted.property_names)})"


def _columns(wanted: Wanted, domain: Domain) -> str:
    """The material's own columns for the properties that are asked for."""
    chosen = [key.column for key in domain.key_properties if key.property_id in wanted.properties]
    if "molar_mass" in wanted.properties:
        chosen.append("molecular_weight")
    if "crystal_structure" in wanted.properties:
        chosen.append("crystal_structure")
    return "".join(f", m.{column} AS {column}" for column in dict.fromkeys(chosen))


def _list(names: Sequence[str]) -> str:
    return "[" + ", ".join(literal(name) for name in names) + "]"
