"""What the graph shows of entities with key columns, read from the catalog: only what their columns ask for.

A much studied material has ten thousand facts; to make records of all of them, with sentences and boxes, whenever one more
paper names it would take seconds.
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
_OF = "JOIN entities s ON s.seq = r.source WHERE r.live = 1 AND r.status = 'accepted' AND s.type = ? AND s.name IN (…)"


@dataclass(slots=True)
class _Known:
    values: list[Stated] = field(default_factory=list)
    of_structure: list[Fact] = field(default_factory=list)
    properties: set[str] = field(default_factory=set)


class KeyedEntities:
    """Rows of entities with key columns, and which concepts they can be used with."""

    def __init__(self, catalog: Catalog, tools: Tools, computed: Computed) -> None:
        self._catalog = catalog
        self._tools = tools
        self._computed = computed

    def rows(
        self, schema: GraphSchema, kind: str, names: Sequence[str]
    ) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
        """Rows of the node table, and edges ``s`` (name) to ``t`` (concept), for entities of one type."""
        known: dict[str, _Known] = {name: _Known() for name in names}
        self._read_values(schema, kind, names, known)
        self._read_properties(schema, kind, names, known)
        if kind == MATERIAL:
            self._read_structures(names, known)
        columns = schema.nodes[kind]
        nodes = [
            keyed_row(
                name,
                columns,
                schema.keyed[kind],
                known[name].values,
                known[name].of_structure,
                self._tools,
                self._computed(name) if kind == MATERIAL else {},
            )
            for name in names
        ]
        uses: list[dict[str, object]] = [
            {"s": name, "t": concept}
            for name in names
            for concept in sorted({c for item in known[name].properties for c in schema.concepts_of.get(item, ())})
        ]
        return nodes, uses

    def _read_values(self, schema: GraphSchema, kind: str, names: Sequence[str], known: Mapping[str, _Known]) -> None:
        wanted = sorted({key.property_id for key in schema.keyed[kind]})
        if not wanted:
            return
        query = (
            "SELECT s.name, r.id, r.property_id, r.quantity, r.conditions, r.modality, e.id AS source, e.paper, e.page, "
            "e.modality AS said, e.quantity AS read, json_extract(e.verdict, '$.verdict') AS verdict, "
            "p.seq AS added, e.start "
            "FROM relations r JOIN evidences e ON e.relation = r.id AND e.live JOIN papers p ON p.id = e.paper "
            f"{_OF} AND r.property_id IN {marks(len(wanted))}"
        )
        found: dict[str, list[Any]] = {}
        for row in self._catalog.db.rows_in(query, names, [kind], wanted):
            found.setdefault(row["id"], []).append(row)
        for items in found.values():
            items.sort(key=lambda row: (row["added"], row["start"], row["source"]))
            known[items[0]["name"]].values.append(_stated(items))

    def _read_properties(
        self, schema: GraphSchema, kind: str, names: Sequence[str], known: Mapping[str, _Known]
    ) -> None:
        db = self._catalog.db
        measured = f"SELECT DISTINCT s.name, r.property_id FROM relations r {_OF} AND r.property_id <> ''"
        for name, property_id in db.rows_in(measured, names, [kind]):
            known[name].properties.add(property_id)
        named = (
            "SELECT DISTINCT s.name, t.name FROM relations r JOIN entities t ON t.seq = r.target "
            f"{_OF} AND r.type = 'HAS_PROPERTY'"
        )
        for name, target in db.rows_in(named, names, [kind]):
            known[name].properties.add(schema.properties.get(fold(target), ""))

    def _read_structures(self, names: Sequence[str], known: Mapping[str, _Known]) -> None:
        """Facts that may tell a crystal structure; which ones do say the sentences."""
        hints = [f"%{hint}%" for hint in STRUCTURE_HINTS]
        said = " OR ".join("e.sentence LIKE ?" for _ in hints)
        named = " OR ".join("t.name LIKE ?" for _ in hints)
        query = (
            "SELECT DISTINCT r.id FROM relations r JOIN evidences e ON e.relation = r.id AND e.live "
            f"JOIN entities t ON t.seq = r.target {_OF} AND (({said}) OR (r.type = 'HAS_PROPERTY' AND ({named})))"
        )
        ids = sorted(row[0] for row in self._catalog.db.rows_in(query, names, [MATERIAL], [*hints, *hints]))
        for fact in self._catalog.facts_by_id(ids):
            if fact.source.key[1] in known:
                known[fact.source.key[1]].of_structure.append(fact)


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
