"""The tables of the graph, made from the domain packs that the library's papers were read with.

Entity types are node tables with the name as key. Each relation type is one table over its legal pairs of types. Beside
them: ``Paper``, ``SemiconductorConcept`` (the concepts that the packs can calculate with), ``PAPER_MENTIONS`` and
``USES_CONCEPT``. ``Projection`` says which state of the catalog the graph shows.

What two packs name alike is one table: its pairs and key columns are those of both. Where they differ about one key
column or concept, the pack whose name comes first has it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from minerva_desktop.domains import Concept, Domain
from minerva_desktop.library.identity import fold

FORMAT = "4"  # a change here makes every graph anew at its next opening

STATE_TABLE = "Projection"
PAPER = "Paper"
CONCEPT = "SemiconductorConcept"
MENTIONS = "PAPER_MENTIONS"
USES = "USES_CONCEPT"
MATERIAL = "Material"
VALUE_RELATION = "HAS_VALUE"

Columns = dict[str, str]

PAPER_COLUMNS: Columns = {
    "id": "STRING",
    "title": "STRING",
    "doi": "STRING",
    "url": "STRING",
    "year": "INT64",
    "abstract": "STRING",
}
CONCEPT_COLUMNS: Columns = {"name": "STRING", "formula": "STRING", "description": "STRING"}
FACT_COLUMNS: Columns = {
    "fact_id": "STRING",
    "evidence": "STRING",
    "evidence_ids": "STRING[]",
    "paper_ids": "STRING[]",
    "verdict": "STRING",
    "confidence": "DOUBLE",
    "modality": "STRING",
    "conditions": "STRING",
    "method": "STRING",
}
VALUE_COLUMNS: Columns = {
    "property": "STRING",
    "property_id": "STRING",
    "value_text": "STRING",
    "value": "DOUBLE",
    "unit": "STRING",
    "si_value": "DOUBLE",
    "si_low": "DOUBLE",
    "si_high": "DOUBLE",
    "si_unit": "STRING",
}


@dataclass(frozen=True, slots=True)
class KeyColumn:
    """A column for a measured property, in ``unit``; ``dimension`` is the quantity parser's name of what it measures."""

    column: str
    property_id: str
    unit: str
    dimension: str


@dataclass(frozen=True, slots=True)
class GraphSchema:
    """Tables by name; the first column of a node table is its key. ``pairs`` are the (from, to) types of an edge.

    ``keyed`` are the entity types with key columns; ``properties`` are names of properties, folded, with their ids;
    ``concepts_of`` says which concepts a property goes into.
    """

    nodes: dict[str, Columns]
    edges: dict[str, Columns]
    pairs: dict[str, tuple[tuple[str, str], ...]]
    entity_types: tuple[str, ...] = ()
    concepts: tuple[dict[str, str], ...] = field(default=())
    keyed: dict[str, tuple[KeyColumn, ...]] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    concepts_of: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def fact_edges(self) -> tuple[str, ...]:
        """Names of the edges that are facts."""
        return tuple(name for name in self.edges if name not in (MENTIONS, USES))

    def statements(self) -> list[str]:
        """What creates the tables, in order."""
        made = [f"CREATE NODE TABLE {STATE_TABLE} (key STRING, value STRING, PRIMARY KEY (key))"]
        for name, columns in self.nodes.items():
            key = next(iter(columns))
            made.append(f"CREATE NODE TABLE {quoted(name)} ({_columns(columns)}, PRIMARY KEY ({quoted(key)}))")
        for name, columns in self.edges.items():
            ends = ", ".join(f"FROM {quoted(source)} TO {quoted(target)}" for source, target in self.pairs[name])
            made.append(f"CREATE REL TABLE {quoted(name)} ({ends}{', ' if columns else ''}{_columns(columns)})")
        return made

    def signature(self) -> str:
        """Changes whenever the tables, or what follows from the packs in them, do."""
        parts: list[object] = [FORMAT, *self.statements(), *(sorted(item.items()) for item in self.concepts)]
        parts += [sorted(part.items()) for part in (self.keyed, self.properties, self.concepts_of)]
        return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:16]


def graph_schema(*domains: Domain) -> GraphSchema:
    """The tables for these packs, whatever their order; those of one name stand in it once, the last of them."""
    packs = [domain for _, domain in sorted({domain.name: domain for domain in domains}.items())]
    types = tuple(dict.fromkeys(item.name for pack in packs for item in pack.entity_types))
    relations: dict[str, dict[tuple[str, str], None]] = {}
    for pack in packs:
        for relation in pack.relation_types:
            relations.setdefault(relation.name, {}).update(dict.fromkeys(relation.triples))
    keyed = {name: _key_columns(name, packs) for name in types if _is_keyed(name, packs)}
    nodes: dict[str, Columns] = {
        name: _keyed_columns(name, keyed[name]) if name in keyed else {"name": "STRING"} for name in types
    }
    nodes[CONCEPT] = CONCEPT_COLUMNS
    nodes[PAPER] = PAPER_COLUMNS
    edges: dict[str, Columns] = {
        name: FACT_COLUMNS | (VALUE_COLUMNS if name == VALUE_RELATION else {}) for name in relations
    }
    pairs = {name: tuple(found) for name, found in relations.items()}
    edges[MENTIONS] = {}
    pairs[MENTIONS] = tuple((PAPER, name) for name in types)
    if keyed:
        edges[USES] = {}
        pairs[USES] = tuple((name, CONCEPT) for name in keyed)
    concepts = {item.name: item for pack in reversed(packs) for item in pack.concepts}
    rows = tuple(
        {"name": name, "formula": concepts[name].formula, "description": concepts[name].description}
        for name in dict.fromkeys(item.name for pack in packs for item in pack.concepts)
    )
    return GraphSchema(nodes, edges, pairs, types, rows, keyed, _property_names(packs), _concepts_of(concepts.values()))


def _is_keyed(name: str, packs: Iterable[Domain]) -> bool:
    """Materials, and whatever values are stated of in a pack with key properties."""
    return name == MATERIAL or any(pack.key_properties and _measured(name, pack) for pack in packs)


def _measured(name: str, pack: Domain) -> bool:
    relation = pack.relation_type(VALUE_RELATION)
    return relation is not None and any(source == name for source, _ in relation.triples)


def _key_columns(name: str, packs: Iterable[Domain]) -> tuple[KeyColumn, ...]:
    found: dict[str, KeyColumn] = {}
    for pack in packs:
        for key in pack.key_properties if _measured(name, pack) else ():
            spec = pack.property(key.property_id)
            dimension = spec.dimension if spec else ""
            found.setdefault(key.column, KeyColumn(key.column, key.property_id, key.unit, dimension))
    return tuple(found.values())


def _keyed_columns(name: str, keys: Iterable[KeyColumn]) -> Columns:
    """Key properties in their unit, each with the id of the evidence it was taken from."""
    columns: Columns = {"name": "STRING", "notes": "STRING"}
    for key in keys:
        columns[key.column] = "DOUBLE"
        columns[f"{key.column}_source"] = "STRING"
    if name == MATERIAL:
        columns["crystal_structure"] = "STRING"
        columns["crystal_structure_source"] = "STRING"
        columns.setdefault("molecular_weight", "DOUBLE")
        columns.setdefault("molecular_weight_source", "STRING")
    return columns


def _property_names(packs: Iterable[Domain]) -> dict[str, str]:
    found: dict[str, str] = {}
    for pack in packs:
        for spec in pack.properties:
            for name in (spec.id.replace("_", " "), spec.label, *spec.synonyms):
                found.setdefault(fold(name), spec.id)
    return found


def _concepts_of(concepts: Iterable[Concept]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for concept in concepts:
        for variable in concept.variables:
            if variable.property_id:
                found.setdefault(variable.property_id, set()).add(concept.name)
    return {name: tuple(sorted(names)) for name, names in sorted(found.items())}


def quoted(name: str) -> str:
    """A name as Cypher reads it, whatever a domain pack calls its types."""
    return "`" + name.replace("`", "") + "`"


def _columns(columns: Columns) -> str:
    return ", ".join(f"{quoted(name)} {kind}" for name, kind in columns.items())
