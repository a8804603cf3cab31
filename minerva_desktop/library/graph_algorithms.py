"""Shortest paths, PageRank and communities of the accepted facts, by igraph, in a process of its own.

igraph holds the interpreter while it computes, so here nothing else would go on; a process can also be stopped at any
moment. Nodes are entities (type, name); two are joined when an accepted fact names both, once for each such fact. The same
facts give the same result: nodes are numbered in their order, and what depends on chance has a fixed seed.
"""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from minerva_desktop.errors import GraphError, NotFound
from minerva_desktop.events import CancelToken
from minerva_desktop.library.library import Library

Key = tuple[str, str]
_POLL = 0.05  # seconds between two looks at the cancel token
_SEED = 7
_DIGITS = 12  # of a score: more depends on the order of additions


@dataclass(frozen=True, slots=True)
class Network:
    """Entities in order, and facts as (source, target, fact id): places in ``nodes``."""

    nodes: tuple[Key, ...]
    edges: tuple[tuple[int, int, str], ...]

    def place(self, key: Key) -> int:
        """The number of an entity.

        Raises:
            NotFound: no accepted fact names it.
        """
        try:
            return self.nodes.index(key)
        except ValueError:
            raise NotFound(
                f"No accepted fact names the {key[0]} “{key[1]}”.", hint="“graph nodes” lists what there is."
            ) from None


def network(library: Library, cancel: CancelToken | None = None) -> Network:
    """The accepted facts of a library as they stand in its graph."""
    places = library.projection.places()
    if cancel is not None:
        cancel.check()
    nodes = tuple(sorted({end for place in places for end in (place.source, place.target)}))
    number = {key: at for at, key in enumerate(nodes)}
    return Network(nodes, tuple((number[place.source], number[place.target], place.id) for place in places))


def shortest_path(
    net: Network, source: Key, target: Key, cancel: CancelToken | None = None
) -> list[tuple[Key, str, Key]]:
    """The facts of a shortest way between two entities, whichever way they point; [] when there is none.

    Of ways of one length always the same is taken. Each step is (entity, fact id, next entity).
    """
    start, end = net.place(source), net.place(target)
    found: list[tuple[int, int]] = _compute("path", net, (start, end), cancel)
    steps: list[tuple[Key, str, Key]] = []
    at = start
    for edge, after in found:
        steps.append((net.nodes[at], net.edges[edge][2], net.nodes[after]))
        at = after
    return steps


def pagerank(
    net: Network, start: Sequence[Key] = (), limit: int = 100, cancel: CancelToken | None = None
) -> list[tuple[Key, float]]:
    """The best connected entities with their scores (all scores add up to 1), best first.

    With ``start``, seen from these entities (personalised): what is near to them scores high.
    """
    scores: list[float] = _compute("pagerank", net, tuple(net.place(key) for key in start), cancel)
    ranked = sorted(zip(net.nodes, scores, strict=True), key=lambda item: (-item[1], item[0]))
    return ranked[:limit]


def communities(net: Network, resolution: float = 1.0, cancel: CancelToken | None = None) -> list[tuple[Key, ...]]:
    """Groups of entities that are joined more among themselves (Leiden, modularity), largest first.

    A higher ``resolution`` gives more and smaller groups.
    """
    groups: list[list[int]] = _compute("communities", net, resolution, cancel)
    named = (tuple(sorted(net.nodes[member] for member in group)) for group in groups)
    return sorted(named, key=lambda group: (-len(group), group))


def _compute(what: str, net: Network, detail: Any, cancel: CancelToken | None) -> Any:
    if not net.nodes:
        return []
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(target=serve, args=(theirs,), name="minerva-graph", daemon=True)
    child.start()
    theirs.close()
    try:
        ours.send((what, len(net.nodes), [edge[:2] for edge in net.edges], detail))
        while not ours.poll(_POLL):
            if cancel is not None:
                cancel.check()
        return ours.recv()
    except (EOFError, OSError) as error:
        raise GraphError(
            "The graph could not be worked out: its process ended.", hint="There may be too little memory."
        ) from error
    finally:
        ours.close()
        child.kill()
        child.join()


def serve(pipe: Connection) -> None:
    """The child process: one piece of work, then the end."""
    what, size, edges, detail = pipe.recv()
    pipe.send(_WORK[what](size, edges, detail))
    pipe.close()


def _path(size: int, edges: list[tuple[int, int]], ends: tuple[int, int]) -> list[tuple[int, int]]:
    import igraph

    graph = igraph.Graph(n=size, edges=edges)
    if ends[0] == ends[1]:
        return []
    found = graph.get_shortest_path(ends[0], to=ends[1], mode="all", output="epath") if _joined(graph, ends) else []
    steps, at = [], ends[0]
    for edge in found:
        first, second = edges[edge]
        at = second if at == first else first
        steps.append((edge, at))
    return steps


def _joined(graph: Any, ends: tuple[int, int]) -> bool:
    membership = graph.connected_components(mode="weak").membership
    return bool(membership[ends[0]] == membership[ends[1]])


def _pagerank(size: int, edges: list[tuple[int, int]], start: tuple[int, ...]) -> list[float]:
    import igraph

    graph = igraph.Graph(n=size, edges=edges)
    scores = graph.personalized_pagerank(directed=False, reset_vertices=list(start) or None)
    return [round(score, _DIGITS) for score in scores]


def _communities(size: int, edges: list[tuple[int, int]], resolution: float) -> list[list[int]]:
    import igraph

    igraph.set_random_number_generator(random.Random(_SEED))
    graph = igraph.Graph(n=size, edges=edges)
    graph.es["weight"] = 1.0
    graph.simplify(combine_edges="sum")
    found = graph.community_leiden(
        objective_function="modularity", weights="weight", resolution=resolution, n_iterations=10
    )
    return [list(group) for group in found]


_WORK: dict[str, Any] = {"path": _path, "pagerank": _pagerank, "communities": _communities}
