"""Writing into the graph engine, inside a transaction that :class:`~minerva_desktop.library.graph.Graph` opened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from minerva_desktop.library.graph_schema import (
    CONCEPT,
    MENTIONS,
    PAPER,
    STATE_TABLE,
    USES,
    GraphSchema,
    quoted,
)

BATCH = 5000
FEW = 200
"""Rows that are looked up one by one, each from its node. More are joined at once, which reads all edges of the table."""
IN_PARTS = "in parts"
Rows = Sequence[Mapping[str, Any]]
Key = tuple[str, str]


class Writer:
    """What can be written inside one transaction.

    Deleting edges, creating nodes and creating edges must be three transactions: the engine (0.11.3) matches the edges
    of other nodes when it deletes edges of a node that was created in the same transaction. Nor may IN be used on the
    property of an edge (see :mod:`~minerva_desktop.library.graph_lists`). ``deleted`` says that edges of facts were.
    """

    def __init__(self, connection: Any, schema: GraphSchema) -> None:
        self._connection = connection
        self._schema = schema
        self.deleted = False

    def begin_parts(self) -> None:
        """What is written now is the first of several transactions; without the last one the graph is not to be used."""
        set_state(self._connection, IN_PARTS, "1")

    def end_parts(self) -> None:
        """This is the last of several transactions."""
        set_state(self._connection, IN_PARTS, "")

    def edges_of(self, relation: str, source_type: str, facts: Rows) -> dict[str, tuple[Key, Key, dict[str, Any]]]:
        """Source, target and properties of the edges of these facts (``id``, and ``s``: the name of the source) that are
        there."""
        asked = [{"s": item["s"], "id": item["id"]} for item in facts]
        if len(asked) > FEW:
            # The engine joins the rows with the whole table: with ids alone that is quick, with all properties of half a
            # million edges it does not fit into its memory.
            query = (
                f"UNWIND $rows AS row WITH row.s AS s, row.id AS id MATCH (a:{quoted(source_type)}) WHERE a.name = s "
                f"WITH a, id MATCH (a)-[r:{quoted(relation)}]->() WHERE r.fact_id = id RETURN id"
            )
            there = {row[0] for part in _batches(asked) for row in self._run(query, {"rows": part})}
            asked = [item for item in asked if item["id"] in there]
        query = (
            f"MATCH (a:{quoted(source_type)})-[r:{quoted(relation)}]->(b) WHERE a.name = $s AND r.fact_id = $id "
            "RETURN a.name, label(b), b.name, r"
        )
        return {
            item["id"]: ((source_type, row[0]), (row[1], row[2]), row[3])
            for item in asked
            for row in self._run(query, item)
        }

    def edges_anywhere(self, ids: Sequence[str]) -> dict[str, tuple[str, Key, Key]]:
        """Table, source and target of edges by fact ids alone: reads all edges there are."""
        found: dict[str, tuple[str, Key, Key]] = {}
        for name in self._schema.fact_edges if ids else ():
            query = (
                f"UNWIND $ids AS id MATCH (a)-[r:{quoted(name)}]->(b) WHERE r.fact_id = id "
                "RETURN id, label(a), a.name, label(b), b.name"
            )
            for part in _batches(ids):
                for row in self._run(query, {"ids": part}):
                    found[row[0]] = (name, (row[1], row[2]), (row[3], row[4]))
        return found

    def delete_facts(self, relation: str, source_type: str, facts: Rows) -> None:
        """Delete edges of one table: rows with ``id`` and ``s``, the name of the source."""
        self.deleted = self.deleted or bool(facts)
        asked = [{"s": item["s"], "id": item["id"]} for item in facts]
        edge = f"[r:{quoted(relation)}]"
        if len(asked) <= FEW:
            for item in asked:
                self._run(
                    f"MATCH (a:{quoted(source_type)})-{edge}->(b) WHERE a.name = $s AND r.fact_id = $id DELETE r", item
                )
            return
        query = (
            f"UNWIND $rows AS row WITH row.s AS s, row.id AS id MATCH (a:{quoted(source_type)}) WHERE a.name = s "
            f"WITH a, id MATCH (a)-{edge}->(b) WHERE r.fact_id = id DELETE r"
        )
        for part in _batches(asked):
            self._run(query, {"rows": part})

    def update_facts(self, relation: str, source_type: str, rows: Rows, now: Mapping[str, Mapping[str, Any]]) -> None:
        """New properties for edges of one table that exist; their ends are what the fact id stands for.

        ``now``: their properties by fact id. Only what differs is written: until the next checkpoint the engine keeps, for
        every column that is set, a copy of the values of two thousand neighbours.
        """
        kinds = self._schema.edges[relation]
        for columns, group in _by_difference(rows, "fact_id", kinds, now):
            if len(group) <= FEW:
                sets = ", ".join(
                    f"r.{quoted(name)} = {_cast(f'${_parameter(at)}', kinds[name])}" for at, name in enumerate(columns)
                )
                query = (
                    f"MATCH (a:{quoted(source_type)})-[r:{quoted(relation)}]->(b) "
                    f"WHERE a.name = $s AND r.fact_id = $id SET {sets}"
                )
                for row in group:
                    values = {_parameter(at): row.get(name) for at, name in enumerate(columns)}
                    self._run(query, {"s": row["s"], "id": row["fact_id"], **values})
                continue
            bound = "".join(f", {_cast(f'row.{quoted(name)}', kinds[name])} AS {_variable(name)}" for name in columns)
            kept = "".join(f", {_variable(name)}" for name in columns)
            query = (
                f"UNWIND $rows AS row WITH row.s AS s, row.fact_id AS id{bound} "
                f"MATCH (a:{quoted(source_type)}) WHERE a.name = s WITH a, id{kept} "
                f"MATCH (a)-[r:{quoted(relation)}]->(b) WHERE r.fact_id = id SET {_sets('r', columns)}"
            )
            self._put(query, ("s", "fact_id", *columns), group)

    def unmentioned(self, kind: str, names: Sequence[str]) -> set[str]:
        """Which of these nodes no paper mentions yet."""
        query = (
            f"UNWIND $names AS name MATCH (n:{quoted(kind)}) WHERE n.name = name "
            f"AND NOT EXISTS {{ MATCH (n)<-[:{MENTIONS}]-() }} RETURN n.name"
        )
        return {row[0] for part in _batches(names) for row in self._run(query, {"names": part})}

    def put_nodes(self, kind: str, names: Sequence[str]) -> None:
        """Entities; those that exist stay as they are."""
        query = f"UNWIND $names AS name MERGE (n:{quoted(kind)} {{name: name}})"
        for part in _batches(names):
            self._run(query, {"names": part})

    def put_facts(self, relation: str, source: str, target: str, rows: Rows) -> None:
        """Edges of one table between two types. Their ends must exist; the edges must not."""
        columns = self._schema.edges[relation]
        self._edges(relation, source, target, "name", "name", columns, rows)

    def drop_orphans(self, kind: str, names: Sequence[str]) -> set[str]:
        """Delete those of these nodes of which no fact is left; returns their names."""
        facts = "|".join(quoted(name) for name in self._schema.fact_edges)
        node = f"MATCH (n:{quoted(kind)}) WHERE n.name = name"
        query = f"UNWIND $names AS name {node} AND NOT EXISTS {{ MATCH (n)-[:{facts}]-() }} RETURN n.name"
        gone = sorted({row[0] for part in _batches(names) for row in self._run(query, {"names": part})})
        for part in _batches(gone):
            self._run(f"UNWIND $names AS name {node} DETACH DELETE n", {"names": part})
        return set(gone)

    def put_rows(self, table: str, rows: Rows) -> None:
        """Nodes with all columns: those that are not there are made, of the others what differs is written (see
        :meth:`update_facts`). The rows differ in their key."""
        columns = self._schema.nodes[table]
        key = next(iter(columns))
        shown = ", ".join(f"n.{quoted(name)}" for name in columns)
        query = f"UNWIND $keys AS key MATCH (n:{quoted(table)}) WHERE n.{quoted(key)} = key RETURN {shown}"
        now = {
            found[0]: dict(zip(columns, found, strict=True))
            for part in _batches(rows)
            for found in self._run(query, {"keys": [row[key] for row in part]})
        }
        new = [row for row in rows if row[key] not in now]
        values = ", ".join(f"{quoted(name)}: {_variable(name)}" for name in columns)
        made = f"UNWIND $rows AS row WITH {_bound(columns)} CREATE (:{quoted(table)} {{{values}}})"
        self._put(made, tuple(columns), new)
        for changed, group in _by_difference([row for row in rows if row[key] in now], key, columns, now):
            kinds = {name: columns[name] for name in (key, *changed)}
            query = (
                f"UNWIND $rows AS row WITH {_bound(kinds)} MATCH (n:{quoted(table)}) "
                f"WHERE n.{quoted(key)} = {_variable(key)} SET {_sets('n', changed)}"
            )
            self._put(query, tuple(kinds), group)

    def delete_concept_uses(self, kind: str, names: Sequence[str]) -> None:
        query = f"UNWIND $names AS name MATCH (m:{quoted(kind)})-[r:{USES}]->() WHERE m.name = name DELETE r"
        for part in _batches(names):
            self._run(query, {"names": part})

    def put_concept_uses(self, kind: str, rows: Rows) -> None:
        """``s`` (name of an entity) uses ``t`` (concept); the edges must not exist."""
        self._edges(USES, kind, CONCEPT, "name", "name", {}, rows)

    def delete_papers(self, ids: Sequence[str]) -> None:
        query = f"UNWIND $ids AS id MATCH (p:{PAPER}) WHERE p.id = id DETACH DELETE p"
        for part in _batches(ids):
            self._run(query, {"ids": part})

    def delete_mentions(self, papers: Sequence[str]) -> None:
        edges = f"MATCH (p:{PAPER})-[r:{MENTIONS}]->()"
        if len(papers) <= FEW:
            for paper in papers:
                self._run(f"{edges} WHERE p.id = $id DELETE r", {"id": paper})
            return
        for part in _batches(papers):
            self._run(f"UNWIND $ids AS id {edges} WHERE p.id = id DELETE r", {"ids": part})

    def put_mentions(self, kind: str, rows: Rows) -> None:
        """``s`` (paper id) mentions ``t`` (name), where both exist; the edges must not."""
        self._edges(MENTIONS, PAPER, kind, "id", "name", {}, rows)

    def _edges(
        self,
        name: str,
        source: str,
        target: str,
        source_key: str,
        target_key: str,
        columns: Mapping[str, str],
        rows: Rows,
    ) -> None:
        # Rows are bound to names with WITH before matching: matching on the fields of a row is 300 times slower.
        kept = "".join(f", {_variable(column)}" for column in columns)
        bound = "".join(
            f", {_cast(f'row.{quoted(column)}', kind)} AS {_variable(column)}" for column, kind in columns.items()
        )
        values = ", ".join(f"{quoted(column)}: {_variable(column)}" for column in columns)
        query = (
            f"UNWIND $rows AS row WITH row.s AS s, row.t AS t{bound} "
            f"MATCH (a:{quoted(source)}) WHERE a.{source_key} = s WITH a, t{kept} "
            f"MATCH (b:{quoted(target)}) WHERE b.{target_key} = t "
            f"CREATE (a)-[:{quoted(name)}{' {' + values + '}' if values else ''}]->(b)"
        )
        self._put(query, ("s", "t", *columns), rows)

    def _put(self, query: str, columns: Sequence[str], rows: Rows) -> None:
        for part in _batches(rows):
            self._run(query, {"rows": [{name: row.get(name) for name in columns} for row in part]})

    def _run(self, query: str, params: dict[str, Any]) -> list[list[Any]]:
        return run(self._connection, query, params)


def run(connection: Any, query: str, params: dict[str, Any]) -> list[list[Any]]:
    """All rows of a statement with parameters."""
    found: list[list[Any]] = connection.prepared(query, params).get_all()
    return found


def merge_nodes(connection: Any, table: str, columns: Mapping[str, str], rows: Rows) -> None:
    """Nodes by key, with all columns set."""
    key, *others = columns
    query = f"UNWIND $rows AS row WITH {_bound(columns)} MERGE (n:{quoted(table)} {{{quoted(key)}: {_variable(key)}}})"
    if others:
        query += f" SET {_sets('n', others)}"
    for part in _batches(rows):
        run(connection, query, {"rows": [{name: row.get(name) for name in columns} for row in part]})


def _by_difference(
    rows: Rows, key: str, columns: Iterable[str], now: Mapping[str, Mapping[str, Any]]
) -> list[tuple[tuple[str, ...], list[Mapping[str, Any]]]]:
    """Rows in groups, by the columns in which they differ from what there is now; without those that do not."""
    groups: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    compared = [name for name in columns if name != key]
    for row in rows:
        there = now[row[key]]
        changed = tuple(name for name in compared if row.get(name) != there.get(name))
        if changed:
            groups.setdefault(changed, []).append(row)
    return sorted(groups.items())


def _bound(columns: Mapping[str, str]) -> str:
    return ", ".join(f"{_cast(f'row.{quoted(name)}', kind)} AS {_variable(name)}" for name, kind in columns.items())


def _sets(variable: str, columns: Iterable[str]) -> str:
    return ", ".join(f"{variable}.{quoted(name)} = {_variable(name)}" for name in columns)


def set_state(connection: Any, key: str, value: str) -> None:
    """One line of what the graph says about itself."""
    query = f"MERGE (s:{STATE_TABLE} {{key: $key}}) SET s.value = $value"
    connection.execute(query, {"key": key, "value": value})


def _parameter(place: int) -> str:
    return f"p{place}"


def _variable(column: str) -> str:
    return quoted(f"_{column}")


def _cast(expression: str, kind: str) -> str:
    # A column that is empty in a whole batch has no type of its own.
    return f"CAST({expression} AS {kind})"


def _batches(rows: Sequence[Any]) -> Iterator[list[Any]]:
    for start in range(0, len(rows), BATCH):
        yield list(rows[start : start + BATCH])
