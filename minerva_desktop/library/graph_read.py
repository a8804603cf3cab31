"""Reading from the graph engine: one read-only statement at a time, bounded in rows and time, plain values out."""

from __future__ import annotations

import re
from typing import Any

from minerva_desktop.errors import GraphError
from minerva_desktop.library.graph_schema import MENTIONS, PAPER, USES, GraphSchema, quoted

_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|//[^\n]*|/\*.*?\*/", re.DOTALL)
_STARTS = ("MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN", "CALL")
# Not even a read-only transaction stops these: they read and write files, or change settings.
_FORBIDDEN = re.compile(
    r"\b(?:LOAD\s+FROM|COPY|EXPORT|IMPORT|ATTACH|INSTALL|LOAD\s+EXTENSION|UNINSTALL)\b", re.IGNORECASE
)
_CALL = re.compile(r"\bCALL\s+(\w+)", re.IGNORECASE)
_CALLABLE = frozenset({"show_tables", "table_info", "db_version", "show_connection", "show_functions"})
_INTERNAL = ("_id", "_src", "_dst")


def check_reading(cypher: str) -> None:
    """Refuse what is plainly no read-only query. The guard of the questions explains itself better; this one is last.

    Raises:
        GraphError: with the reason.
    """
    plain = _QUOTED.sub(" ", cypher).strip()
    first = plain.split(None, 1)[0].upper() if plain else ""
    if not first.startswith(_STARTS):
        raise GraphError("Only queries that read can be run on the graph.", hint="Start with MATCH … RETURN …")
    found = _FORBIDDEN.search(plain)
    if found:
        raise GraphError(f"The graph may not be asked to {' '.join(found.group().upper().split())}.")
    for call in _CALL.finditer(plain):
        if call.group(1).lower() not in _CALLABLE:
            raise GraphError(f"CALL {call.group(1)} cannot be run on the graph.")


def rows(connection: Any, cypher: str, params: dict[str, Any], timeout: float, limit: int) -> list[dict[str, Any]]:
    """At most ``limit`` rows as dicts, in a read-only transaction.

    Raises:
        GraphError: the query is wrong, writes, or took too long.
    """
    connection.set_query_timeout(max(1, int(timeout * 1000)))
    try:
        connection.execute("BEGIN TRANSACTION READ ONLY")
        # Prepared, because a plain statement would run all that its text holds.
        result = connection.prepared(cypher, params)
        names = result.get_column_names()
        found: list[dict[str, Any]] = []
        while len(found) < limit and result.has_next():
            found.append(dict(zip(names, map(value, result.get_next()), strict=True)))
        result.close()
    except RuntimeError as error:
        text = first_line(error)
        if text.startswith("Interrupted"):
            raise GraphError(
                f"The query took longer than {timeout:g} seconds and was stopped.", hint="Ask for less, or add a LIMIT."
            ) from error
        raise GraphError(f"The graph cannot run that query: {_plain(text)}") from error
    return found


def complaint(connection: Any, cypher: str) -> str:
    """What the engine would refuse in a query, as one sentence; "" when it would run."""
    try:
        check_reading(cypher)
        connection.compiled(cypher)
    except GraphError as error:
        return error.message
    except RuntimeError as error:
        return _plain(first_line(error))
    return ""


def number(connection: Any, cypher: str) -> int:
    return int(connection.execute(cypher).get_next()[0])


def column(connection: Any, cypher: str) -> list[Any]:
    return [row[0] for row in connection.execute(cypher).get_all()]


def table(connection: Any, cypher: str) -> list[list[Any]]:
    return [[value(item) for item in row] for row in connection.execute(cypher).get_all()]


def content(connection: Any, schema: GraphSchema) -> list[str]:
    """Every node and edge as a line, sorted."""
    lines: list[str] = []
    for name in schema.nodes:
        for row in connection.execute(f"MATCH (n:{quoted(name)}) RETURN n").get_all():
            lines.append(f"({name}) {sorted(value(row[0]).items())!r}")
    for name in schema.edges:
        key = "coalesce(a.id, a.name)" if name == MENTIONS else "a.name"
        query = f"MATCH (a)-[r:{quoted(name)}]->(b) RETURN label(a), {key}, label(b), b.name, r"
        for row in connection.execute(query).get_all():
            lines.append(f"[{name}] {row[:4]!r} {sorted(value(row[4]).items())!r}")
    return sorted(lines)


def fact_rows(connection: Any, schema: GraphSchema) -> dict[str, dict[str, Any]]:
    """Every fact edge by its fact id: its table, its ends and all its properties."""
    found: dict[str, dict[str, Any]] = {}
    for name in schema.fact_edges:
        query = f"MATCH (a)-[r:{quoted(name)}]->(b) RETURN label(a), a.name, label(b), b.name, r"
        for source_type, source, target_type, target, edge in table(connection, query):
            ends = {"type": name, "ends": (source_type, source, target_type, target)}
            found[edge["fact_id"]] = {column: edge[column] for column in schema.edges[name]} | ends
    return found


def entity_rows(connection: Any, schema: GraphSchema) -> dict[tuple[str, str], dict[str, Any]]:
    """Every entity and concept by (type, name) with all its properties."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for name, columns in schema.nodes.items():
        if name != PAPER:
            for (node,) in table(connection, f"MATCH (n:{quoted(name)}) RETURN n"):
                found[(name, node["name"])] = {column: node[column] for column in columns}
    return found


def paper_rows(connection: Any, schema: GraphSchema) -> dict[str, dict[str, Any]]:
    """Every paper by id with all its properties."""
    rows = [node for (node,) in table(connection, f"MATCH (p:{PAPER}) RETURN p")]
    return {node["id"]: {column: node[column] for column in schema.nodes[PAPER]} for node in rows}


def mention_rows(connection: Any, schema: GraphSchema) -> dict[tuple[str, str, str], int]:
    """How many edges there are from a paper to a (type, name)."""
    query = f"MATCH (p)-[r:{MENTIONS}]->(n) RETURN p.id, label(n), n.name, count(*)"
    return {(row[0], row[1], row[2]): row[3] for row in table(connection, query)}


def use_rows(connection: Any, schema: GraphSchema) -> dict[tuple[str, str, str], int]:
    """How many edges there are from a material to a concept."""
    if USES not in schema.edges:
        return {}
    query = f"MATCH (m)-[r:{USES}]->(c) RETURN m.name, label(c), c.name, count(*)"
    return {(row[0], row[1], row[2]): row[3] for row in table(connection, query)}


def value(item: Any) -> Any:
    """A value of the engine without its internal numbers."""
    if isinstance(item, dict):
        return {key: value(inner) for key, inner in item.items() if key not in _INTERNAL}
    if isinstance(item, list):
        return [value(inner) for inner in item]
    return item


def first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")


def _plain(text: str) -> str:
    """The engine's message without its class, as a sentence."""
    shown = re.sub(r"^(?:\w+ exception|\w+ Exception): ", "", (text.splitlines() or [""])[0])
    return shown if shown.endswith(".") else shown + "."
