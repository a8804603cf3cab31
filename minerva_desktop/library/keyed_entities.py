"""What the graph shows of entities with key columns, read from the catalog: only what their columns ask for.

A much studied material has ten thousand facts; to make records of all of them, with sentences and boxes, whenever one more
paper names it would take seconds. What was read of an entity is kept, and of the facts that changed since it is read again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from minerva_desktop.library import codec
from minerva_desktop.library.base import Tools
from minerva_desktop.library.catalog import Catalog
from minerva_desktop.library.database import marks
from minerva_desktop.library.graph_rows import STRUCTURE_HINTS, keyed_row
from minerva_desktop.library.graph_schema import MATERIAL, GraphSchema
from minerva_desktop.library.identity import fold
from minerva_desktop.library.key_columns import Source, Stated, stated_modality
from minerva_desktop.records import Fact

Computed = Callable[[str], Mapping[str, object]]
# CROSS JOIN keeps SQLite to this order: from the few entities to their facts. By itself it may begin with all facts of a
# property, once for every portion of names.
_FACTS = "entities s CROSS JOIN relations r ON r.source = s.seq"
_OF = "WHERE s.type = ? AND s.name IN (…) AND r.live = 1 AND r.status = 'accepted'"


_MOST_KEPT = 400_000  # facts


@dataclass(slots=True)
class _Known:
    values: dict[str, Stated] = field(default_factory=dict)
    structures: set[str] = field(default_factory=set)
    """Facts that may tell a crystal structure."""
    properties: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By fact, the ids of the properties that it is about."""


class KeyedEntities:
    """Rows of entities with key columns, and which concepts they can be used with."""

    def __init__(self, catalog: Catalog, tools: Tools, computed: Computed) -> None:
        self._catalog = catalog
        self._tools = tools
        self._computed = computed
        self._kept: dict[tuple[str, str], _Known] = {}
        self._at: dict[str, tuple[str, str]] = {}  # of which kept entity a fact is
        self._schema: GraphSchema | None = None

    def forget(self) -> None:
        """Read everything anew from now on."""
        self._kept.clear()
        self._at.clear()

    def changed(self, fact_ids: Sequence[str]) -> None:
        """Forget what is kept of these facts, of which every one must be named that may have changed. They are read again
        with the next rows, and so are kept entities when they are asked for."""
        for fact in fact_ids:
            key = self._at.pop(fact, None)
            if key is not None:
                self._kept[key].values.pop(fact, None)
                self._kept[key].structures.discard(fact)
                self._kept[key].properties.pop(fact, None)

    def rows(
        self, schema: GraphSchema, kind: str, names: Sequence[str], changed: Sequence[str] | None = None
    ) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
        """Rows of the node table, and edges ``s`` (name) to ``t`` (concept), for entities of one type.

        ``changed``: the facts that changed since they were asked for last (see :meth:`changed`); without it nothing is
        kept.
        """
        known = self._known(schema, kind, names, changed)
        properties = {name: {item for found in known[name].properties.values() for item in found} for name in names}
        candidates = sorted({fact for item in known.values() for fact in item.structures})
        told: dict[str, list[Fact]] = {}
        for fact in self._catalog.facts_by_id(candidates):
            told.setdefault(fact.source.key[1], []).append(fact)
        nodes = [
            keyed_row(
                name,
                schema.nodes[kind],
                schema.keyed[kind],
                list(known[name].values.values()),
                told.get(name, ()),
                self._tools,
                self._computed(name) if kind == MATERIAL else {},
            )
            for name in names
        ]
        uses: list[dict[str, object]] = [
            {"s": name, "t": concept}
            for name in names
            for concept in sorted({c for item in properties[name] for c in schema.concepts_of.get(item, ())})
        ]
        return nodes, uses

    def _known(
        self, schema: GraphSchema, kind: str, names: Sequence[str], changed: Sequence[str] | None
    ) -> Mapping[str, _Known]:
        if changed is None:
            known: dict[str, _Known] = {name: _Known() for name in names}
            self._read(schema, kind, names, (), known)
            return known
        if schema is not self._schema or len(self._at) > _MOST_KEPT:
            self.forget()
            self._schema = schema
        kept = [name for name in names if (kind, name) in self._kept]
        new = [name for name in names if (kind, name) not in self._kept]
        known = {name: self._kept.setdefault((kind, name), _Known()) for name in names}
        if changed:
            self._read(schema, kind, kept, changed, known)
        self._read(schema, kind, new, (), known)
        for name, item in known.items():
            self._at.update(dict.fromkeys([*item.values, *item.structures, *item.properties], (kind, name)))
        return known

    def _read(
        self, schema: GraphSchema, kind: str, names: Sequence[str], only: Sequence[str], known: Mapping[str, _Known]
    ) -> None:
        """What there is of these entities: of all their facts, or only of some."""
        if not names:
            return
        self._read_values(schema, kind, names, only, known)
        self._read_properties(schema, kind, names, only, known)
        if kind == MATERIAL:
            self._read_structures(names, only, known)

    def _read_values(
        self, schema: GraphSchema, kind: str, names: Sequence[str], only: Sequence[str], known: Mapping[str, _Known]
    ) -> None:
        wanted = sorted({key.property_id for key in schema.keyed[kind]})
        if not wanted:
            return
        tables, of, first = _narrowed(kind, names, only)
        query = (
            "SELECT s.name, r.id, r.property_id, r.quantity, r.conditions, r.modality, e.id AS source, e.paper, e.page, "
            "e.modality AS said, e.quantity AS read, json_extract(e.verdict, '$.verdict') AS verdict, "
            "p.seq AS added, e.start "
            f"FROM {tables} CROSS JOIN evidences e ON e.relation = r.id AND e.live CROSS JOIN papers p ON p.id = e.paper "
            f"{of} AND +r.property_id IN {marks(len(wanted))}"
        )
        found: dict[str, list[Any]] = {}
        for row in self._catalog.db.rows_in(query, only or names, first, wanted):
            if row["name"] in known:
                found.setdefault(row["id"], []).append(row)
        for items in found.values():
            items.sort(key=lambda row: (row["added"], row["start"], row["source"]))
            known[items[0]["name"]].values[items[0]["id"]] = _stated(items)

    def _read_properties(
        self, schema: GraphSchema, kind: str, names: Sequence[str], only: Sequence[str], known: Mapping[str, _Known]
    ) -> None:
        """Of which properties there is a value, or that the entity has them."""
        tables, of, first = _narrowed(kind, names, only)
        query = (
            "SELECT s.name, r.id, r.property_id, CASE r.type WHEN 'HAS_PROPERTY' THEN t.name ELSE '' END "
            f"FROM {tables} CROSS JOIN entities t ON t.seq = r.target "
            f"{of} AND (+r.property_id <> '' OR +r.type = 'HAS_PROPERTY')"
        )
        for name, fact, property_id, target in self._catalog.db.rows_in(query, only or names, first):
            if name in known:
                named = schema.properties.get(fold(target), "") if target else ""
                known[name].properties[fact] = tuple(item for item in (property_id, named) if item)

    def _read_structures(self, names: Sequence[str], only: Sequence[str], known: Mapping[str, _Known]) -> None:
        """Facts that may tell a crystal structure; which ones do say the sentences."""
        hints = [f"%{hint}%" for hint in STRUCTURE_HINTS]
        said = " OR ".join("e.sentence LIKE ?" for _ in hints)
        named = " OR ".join("t.name LIKE ?" for _ in hints)
        tables, of, first = _narrowed(MATERIAL, names, only)
        query = (
            f"SELECT DISTINCT s.name, r.id FROM {tables} CROSS JOIN evidences e ON e.relation = r.id AND e.live "
            f"CROSS JOIN entities t ON t.seq = r.target {of} AND (({said}) OR (r.type = 'HAS_PROPERTY' AND ({named})))"
        )
        for name, fact in self._catalog.db.rows_in(query, only or names, first, [*hints, *hints]):
            if name in known:
                known[name].structures.add(fact)


def _narrowed(kind: str, names: Sequence[str], only: Sequence[str]) -> tuple[str, str, list[str]]:
    """Tables, conditions with a place for many, and what is bound before the many: names of entities, or ids of facts."""
    if not only:
        return _FACTS, _OF, [kind]
    tables = "relations r CROSS JOIN entities s ON s.seq = r.source"
    # The plus signs keep the index of the status out of it, by which all accepted facts would be read for a hundred ids.
    return tables, "WHERE s.type = ? AND r.id IN (…) AND +r.live = 1 AND +r.status = 'accepted'", [kind]


def _stated(items: Sequence[Any]) -> Stated:
    """One fact of its rows, one for each evidence, in order."""
    first = items[0]
    read = next((row["read"] for row in items if row["read"]), first["quantity"])
    return Stated(
        first["id"],
        first["property_id"],
        stated_modality(first["modality"], [row["said"] for row in items]),
        codec.conditions(first["conditions"]),
        codec.quantity(read) if read else None,
        tuple(
            Source(
                row["source"],
                row["paper"],
                row["page"],
                row["verdict"] or "",
                row["said"],
                codec.quantity(row["read"]).text if row["read"] else "",
            )
            for row in items
        ),
    )
