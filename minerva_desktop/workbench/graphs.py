"""What a person can ask the graph: counts, neighbourhoods, queries, paths, ranks and groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from minerva_desktop.errors import UsageError
from minerva_desktop.events import CancelToken
from minerva_desktop.library import Library, graph_algorithms
from minerva_desktop.questions import guard
from minerva_desktop.records import GraphNode, Subgraph


class GraphQueries:
    """Queries of the graph; they are read-only and may run in parallel."""

    library: Library
    _told_notes: Sequence[str] = ()

    def new_notes(self) -> list[str]:
        """What the library found out about its own state since this was asked last, one sentence each: a file that was
        damaged, a graph that was made anew because the domain packs changed."""
        notes, told = self.library.notes, Counter(self._told_notes)
        self._told_notes = notes
        new: list[str] = []
        for note in notes:
            if told[note]:
                told[note] -= 1
            else:
                new.append(note)
        return new

    def graph_stats(self) -> dict[str, dict[str, int]]:
        return self.library.graph.stats()

    def graph_nodes(self, limit: int = 200) -> list[dict[str, str]]:
        return self.library.graph.nodes(limit)

    def search_nodes(self, text: str, limit: int = 50) -> list[GraphNode]:
        """Entities whose name contains the text, those with most facts first."""
        return self.library.catalog.search_nodes(text, limit)

    def neighbourhood(
        self,
        node_id: str,
        *,
        hops: int = 1,
        types: Sequence[str] | None = None,
        include_waiting: bool = True,
        limit: int = 300,
    ) -> Subgraph:
        """Accepted (and waiting) facts around a node, nearest first."""
        return self.library.catalog.neighbourhood(
            node_id, hops=hops, types=types, include_waiting=include_waiting, limit=limit
        )

    def cypher(self, query: str, *, cancel: CancelToken | None = None) -> list[dict[str, Any]]:
        """Rows of a read-only Cypher query on the graph of accepted facts.

        Raises:
            UsageError: it is not one statement that only reads.
            GraphError: it is wrong, or it took too long.
            Cancelled: the person stopped it.
        """
        checked = guard.check_cypher(query)
        if not checked.allowed:
            raise UsageError(f"That query was not run: {checked.reason}", code="cypher-refused")
        return self.library.graph.query(checked.query, cancel=cancel)

    def path_between(self, source: str, target: str, *, cancel: CancelToken | None = None) -> list[str]:
        """Ids of the accepted facts of a shortest way between two nodes ("Material:GaN"); [] when nothing joins them.

        Raises:
            NotFound: no accepted fact names one of them.
            Cancelled: the person stopped it.
        """
        net = graph_algorithms.network(self.library, cancel)
        steps = graph_algorithms.shortest_path(net, _key(source), _key(target), cancel)
        return [fact for _, fact, _ in steps]

    def ranked_nodes(
        self, near: Sequence[str] = (), *, limit: int = 50, cancel: CancelToken | None = None
    ) -> list[tuple[str, float]]:
        """The best connected nodes with their PageRank, best first; seen from the nodes ``near`` where there are any.

        Raises:
            NotFound: no accepted fact names one of them.
            Cancelled: the person stopped it.
        """
        net = graph_algorithms.network(self.library, cancel)
        ranked = graph_algorithms.pagerank(net, [_key(node) for node in near], limit, cancel)
        return [(":".join(key), score) for key, score in ranked]

    def node_groups(self, resolution: float = 1.0, *, cancel: CancelToken | None = None) -> list[tuple[str, ...]]:
        """Communities: groups of nodes that are joined more among themselves, largest first. A higher resolution gives
        more and smaller ones.

        Raises:
            Cancelled: the person stopped it.
        """
        groups = graph_algorithms.communities(graph_algorithms.network(self.library, cancel), resolution, cancel)
        return [tuple(":".join(key) for key in group) for group in groups]


def _key(node_id: str) -> tuple[str, str]:
    kind, _, name = node_id.partition(":")
    return kind, name
