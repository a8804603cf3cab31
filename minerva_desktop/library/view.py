"""The graph as the window draws it: entities by name, and what lies around one. Read from SQLite, which is faster for
neighbourhoods than the graph engine and also knows what is waiting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from minerva_desktop.errors import NotFound
from minerva_desktop.library import codec
from minerva_desktop.library.database import Row
from minerva_desktop.library.facts import FactsPart
from minerva_desktop.library.identity import fold
from minerva_desktop.records import Entity, GraphEdge, GraphNode, Subgraph

_LETTERS = 3
_SHOWN = "r.live = 1 AND r.status IN ('accepted', 'waiting')"


class ViewPart(FactsPart):
    """Entities and neighbourhoods."""

    def entities(
        self, text: str | None = None, types: Sequence[str] | None = None, limit: int | None = None
    ) -> list[Entity]:
        """Entities that a paper in the library mentions or a fact is about, by type and name."""
        folded = fold(text or "")
        values = {"text": _contains(folded), "letters": letters_of(folded), "limit": -1 if limit is None else limit}
        named = f"AND e.seq IN ({_spelt(folded)})" if text else ""
        rows = self.db.rows(
            "SELECT e.seq FROM entities e WHERE (EXISTS (SELECT 1 FROM paper_entities m "
            "JOIN papers p ON p.id = m.paper WHERE m.entity = e.seq AND p.removed = 0) "
            "OR EXISTS (SELECT 1 FROM relations r WHERE r.source = e.seq AND r.live = 1) "
            "OR EXISTS (SELECT 1 FROM relations r WHERE r.target = e.seq AND r.live = 1)) "
            f"{named} {_typed(types)} ORDER BY e.type, e.name LIMIT :limit",
            values,
        )
        ids = [row[0] for row in rows]
        found = self._entities(ids)
        return [found[seq] for seq in ids]

    def search_nodes(self, text: str, limit: int = 50) -> list[GraphNode]:
        """Entities with accepted or waiting facts of whose spellings one contains the text, most facts first."""
        folded = fold(text)
        named = (
            f"AND (e.seq IN ({_spelt(folded)}) OR e.seq IN (SELECT x.seq "
            "FROM aliases a JOIN entities x ON x.type = a.type AND x.name = a.name "
            "WHERE a.folded LIKE :text ESCAPE '\\'))"
            if folded
            else ""
        )
        rows = self.db.rows(
            f"SELECT * FROM (SELECT e.type, e.name, {_degree('source')} + {_degree('target')} AS degree "
            f"FROM entities e WHERE 1 {named}) WHERE degree > 0 ORDER BY degree DESC, type, name LIMIT :limit",
            {"text": _contains(folded), "letters": letters_of(folded), "limit": limit},
        )
        return [GraphNode(f"{row['type']}:{row['name']}", row["type"], row["name"], row["degree"]) for row in rows]

    def neighbourhood(
        self,
        node_id: str,
        hops: int = 1,
        types: Sequence[str] | None = None,
        include_waiting: bool = True,
        limit: int = 300,
    ) -> Subgraph:
        """Facts around a node, nearest first. ``types``: which types of entity to walk to. At most ``limit`` nodes.

        Raises:
            NotFound: there is no such entity.
        """
        kind, _, name = node_id.partition(":")
        start = self.db.scalar("SELECT seq FROM entities WHERE type = ? AND name = ?", [kind, name])
        if start is None:
            raise NotFound(f"There is no node “{node_id}” in this library.")
        shown = _SHOWN if include_waiting else "r.live = 1 AND r.status = 'accepted'"
        nodes: dict[int, None] = {start: None}
        edges: dict[str, None] = {}
        frontier = [start]
        truncated = False
        for _hop in range(max(0, hops)):
            reached: list[int] = []
            for row in self._edges_at(frontier, shown):
                ends = (row["source"], row["target"])
                new = [end for end in ends if end not in nodes]
                if any(types is not None and row[f"{side}_type"] not in types for side in _new_sides(row, nodes)):
                    continue
                if len(nodes) + len(new) > max(1, limit):
                    truncated = True
                    continue
                for end in new:
                    nodes[end] = None
                    reached.append(end)
                edges[row["id"]] = None
            frontier = reached
            if not frontier:
                break
        return Subgraph(self._nodes(nodes), self._edges(list(edges)), truncated)

    # ------------------------------------------------------------------------------------------------ internals
    def _edges_at(self, entities: Sequence[int], shown: str) -> list[Row]:
        found: dict[str, Row] = {}
        for side in ("source", "target"):
            query = (
                "SELECT r.id, r.seq, r.status, r.source, r.target, s.type AS source_type, t.type AS target_type "
                "FROM relations r JOIN entities s ON s.seq = r.source JOIN entities t ON t.seq = r.target "
                f"WHERE {shown} AND r.{side} IN (…)"
            )
            found.update((row["id"], row) for row in self.db.rows_in(query, entities))
        return sorted(found.values(), key=lambda row: (row["status"], row["seq"]))

    def _nodes(self, ids: Iterable[int]) -> tuple[GraphNode, ...]:
        wanted = list(ids)
        query = f"SELECT e.*, {_degree('source')} + {_degree('target')} AS degree FROM entities e WHERE e.seq IN (…)"
        rows = {row["seq"]: row for row in self.db.rows_in(query, wanted)}
        return tuple(
            GraphNode(f"{row['type']}:{row['name']}", row["type"], row["name"], row["degree"])
            for row in (rows[seq] for seq in wanted)
        )

    def _edges(self, ids: Sequence[str]) -> tuple[GraphEdge, ...]:
        query = (
            "SELECT r.*, s.type AS source_type, s.name AS source_name, t.type AS target_type, t.name AS target_name "
            "FROM relations r JOIN entities s ON s.seq = r.source JOIN entities t ON t.seq = r.target WHERE r.id IN (…)"
        )
        rows = {row["id"]: row for row in self.db.rows_in(query, ids)}
        return tuple(self._edge(rows[item]) for item in ids if item in rows)

    def _edge(self, row: Row) -> GraphEdge:
        label = row["type"].replace("_", " ").lower()
        if row["property_id"]:
            specs = (pack.property(row["property_id"]) for pack in self.packs)
            spec = next((spec for spec in specs if spec is not None), None)
            label = spec.label if spec else row["property_id"].replace("_", " ")
            if row["quantity"]:
                label = f"{label} {codec.quantity(row['quantity']).text}"
        return GraphEdge(
            row["id"],
            row["type"],
            f"{row['source_type']}:{row['source_name']}",
            f"{row['target_type']}:{row['target_name']}",
            row["status"],
            label,
        )


def _degree(side: str) -> str:
    return f"(SELECT count(*) FROM relations r WHERE r.{side} = e.seq AND {_SHOWN})"


def _new_sides(row: Row, nodes: dict[int, None]) -> list[str]:
    return [side for side in ("source", "target") if row[side] not in nodes]


def _spelt(folded: str) -> str:
    """Entities of whose spellings one contains the text. The index knows letters by threes; less needs a look at all."""
    if len(folded) < _LETTERS:
        return "SELECT entity FROM names WHERE folded LIKE :text ESCAPE '\\'"
    return (
        "SELECT entity FROM names WHERE id IN (SELECT rowid FROM name_letters WHERE name_letters MATCH :letters) "
        "AND folded LIKE :text ESCAPE '\\'"
    )


def letters_of(folded: str) -> str:
    """The text as an FTS5 phrase."""
    doubled = folded.replace('"', '""')
    return f'"{doubled}"'


def _contains(folded: str) -> str:
    escaped = folded.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def _typed(types: Sequence[str] | None) -> str:
    if types is None:
        return ""
    # Names of entity types come from a domain pack; they are quoted all the same.
    quoted = ", ".join("'" + item.replace("'", "''") + "'" for item in types) or "''"
    return f"AND e.type IN ({quoted})"
