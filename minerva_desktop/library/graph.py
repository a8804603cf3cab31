"""The graph of accepted facts: questions put to it, in read-only transactions that can be stopped.

How the file is kept is in :mod:`~minerva_desktop.library.graph_file`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from minerva_desktop.events import CancelToken
from minerva_desktop.library import graph_read
from minerva_desktop.library.graph_engine import stopped_by
from minerva_desktop.library.graph_file import GraphFile
from minerva_desktop.library.graph_lists import spelt_out
from minerva_desktop.library.graph_schema import PAPER, GraphSchema, quoted

TIMEOUT = 20.0
T = TypeVar("T")


class Graph(GraphFile):
    """``graph.kuzu`` of one library. Opened at first use; made anew when it is missing, damaged or of another state."""

    def query(
        self,
        cypher: str,
        params: Mapping[str, Any] | None = None,
        timeout: float = TIMEOUT,
        limit: int = 1000,
        cancel: CancelToken | None = None,
    ) -> list[dict[str, Any]]:
        """At most ``limit`` rows of one read-only query, which may take ``timeout`` seconds; ``cancel`` stops it sooner.

        Raises:
            GraphError: it is no single read-only query, it is wrong, or it took too long.
            Cancelled: the token was set.
        """
        graph_read.check_reading(cypher)
        with self._lock:
            self.ensure()
            bound = dict(params or {})
            if self._holes:
                spelt, bound_spelt, complete = spelt_out(cypher, bound)
                if complete:
                    cypher, bound = spelt, bound_spelt
                else:
                    self.rebuild()
        with self._reading() as connection, stopped_by(cancel, connection):
            return graph_read.rows(connection, cypher, bound, timeout, limit)

    def complaint(self, cypher: str) -> str:
        """What the engine would refuse in a query, as one sentence; "" when it would run. Nothing is run."""
        with self._reading() as connection:
            return graph_read.complaint(connection, cypher)

    def stats(self) -> dict[str, dict[str, int]]:
        """How many nodes and edges there are of each type."""
        with self._reading() as connection:
            return {
                "nodes": {
                    name: graph_read.number(connection, f"MATCH (n:{quoted(name)}) RETURN count(*)")
                    for name in self.schema.nodes
                },
                "edges": {
                    name: graph_read.number(connection, f"MATCH ()-[r:{quoted(name)}]->() RETURN count(*)")
                    for name in self.schema.edges
                },
            }

    def nodes(self, limit: int = 200) -> list[dict[str, str]]:
        """Up to ``limit`` nodes with ``name`` and ``type``: entities by type and name, then concepts, then papers."""
        found: list[dict[str, str]] = []
        for name in self.schema.nodes:
            label = "title" if name == PAPER else "name"
            left = limit - len(found)
            if left <= 0:
                break
            query = f"MATCH (n:{quoted(name)}) RETURN n.{label} AS name ORDER BY name LIMIT {left}"
            found += [{"name": str(row["name"] or ""), "type": name} for row in self.query(query, limit=left)]
        return found

    def fact_ids(self) -> list[str]:
        """The fact id of every fact edge, sorted; an id that is there twice stands twice."""
        with self._reading():
            return sorted(self._ids())

    def read(self, what: Callable[[Any, GraphSchema], T]) -> T:
        """What a function of :mod:`~minerva_desktop.library.graph_read` reads."""
        with self._reading() as connection:
            return what(connection, self.schema)

    def content(self) -> list[str]:
        """Every node and edge as one line of text, sorted: equal graphs give equal lines."""
        return self.read(graph_read.content)
