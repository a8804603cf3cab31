"""The tables of the graph, made from a domain pack.

Entity types are node tables with the name as key. Each relation type is one table over its legal pairs of types. Beside
them: ``Paper``, ``SemiconductorConcept`` (the concepts that the domain can calculate with), ``PAPER_MENTIONS`` and
``USES_CONCEPT``. ``Projection`` has one row and says which state of the catalog the graph shows.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from minerva_desktop.domains import Domain

FORMAT = "3"  # a change here makes every graph anew at its next opening

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
class GraphSchema:
    """Tables by name; the first column of a node table is its key. ``pairs`` are the (from, to) types of an edge."""

    nodes: dict[str, Columns]
    edges: dict[str, Columns]
    pairs: dict[str, tuple[tuple[str, str], ...]]
    entity_types: tuple[str, ...] = ()
    concepts: tuple[dict[str, str], ...] = field(default=())

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
        """Changes whenever the tables or the concepts in them do."""
        text = "\n".join([FORMAT, *self.statements(), *(str(sorted(item.items())) for item in self.concepts)])
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def graph_schema(domain: Domain) -> GraphSchema:
    """The tables for a domain."""
    types = tuple(item.name for item in domain.entity_types)
    nodes: dict[str, Columns] = {name: {"name": "STRING"} for name in types}
    if MATERIAL in nodes:
        nodes[MATERIAL] = material_columns(domain)
    nodes[CONCEPT] = CONCEPT_COLUMNS
    nodes[PAPER] = PAPER_COLUMNS
    edges: dict[str, Columns] = {}
    pairs: dict[str, tuple[tuple[str, str], ...]] = {}
    for relation in domain.relation_types:
        edges[relation.name] = FACT_COLUMNS | (VALUE_COLUMNS if relation.name == VALUE_RELATION else {})
        pairs[relation.name] = tuple(dict.fromkeys(relation.triples))
    edges[MENTIONS] = {}
    pairs[MENTIONS] = tuple((PAPER, name) for name in types)
    if MATERIAL in nodes:
        edges[USES] = {}
        pairs[USES] = ((MATERIAL, CONCEPT),)
    concepts = tuple(
        {"name": item.name, "formula": item.formula, "description": item.description} for item in domain.concepts
    )
    return GraphSchema(nodes, edges, pairs, types, concepts)


def material_columns(domain: Domain) -> Columns:
    """Columns of a Material: key properties in their unit, each with the ids of the evidence it was taken from."""
    columns: Columns = {"name": "STRING", "notes": "STRING"}
    for key in domain.key_properties:
        columns[key.column] = "DOUBLE"
        columns[f"{key.column}_source"] = "STRING"
    columns["crystal_structure"] = "STRING"
    columns["crystal_structure_source"] = "STRING"
    columns.setdefault("molecular_weight", "DOUBLE")
    columns.setdefault("molecular_weight_source", "STRING")
    return columns


def quoted(name: str) -> str:
    """A name as Cypher reads it, whatever a domain pack calls its types."""
    return "`" + name.replace("`", "") + "`"


def _columns(columns: Columns) -> str:
    return ", ".join(f"{quoted(name)} {kind}" for name, kind in columns.items())
