"""Where the nodes of a graph go. Deterministic: the same graph and start give the same picture. No Qt here."""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Mapping, Sequence

import igraph
import numpy as np
from numpy.typing import NDArray

from minerva_desktop.records import GraphEdge, GraphNode

Positions = dict[str, tuple[float, float]]
STRETCH = 1.55
"""Names are wide and low, so the picture is wider than high."""

_ROUNDS = 240
_SLACK = 1.2
_lock = threading.Lock()


def lay_out(
    nodes: Sequence[GraphNode], edges: Sequence[GraphEdge], known: Mapping[str, tuple[float, float]]
) -> Positions:
    """Positions in units of one edge length. Nodes in ``known`` stay about where they are.

    Works in steps of a few hundredths of a second: igraph holds the interpreter while it computes, and the window
    must go on answering.
    """
    order = sorted(node.id for node in nodes)
    if not order:
        return {}
    number = {node_id: place for place, node_id in enumerate(order)}
    links = sorted(
        {_pair(number[e.source], number[e.target]) for e in edges if e.source in number and e.target in number}
    )
    start = _start(order, links, number, known)
    if len(order) == 1:
        return {order[0]: start[0]}
    graph = igraph.Graph(n=len(order), edges=[link for link in links if link[0] != link[1]])
    bounds = _bounds(order, known)
    size = len(order)
    rounds = _ROUNDS if size <= 600 else max(30, _ROUNDS * 600 // size)
    step = max(1, min(rounds, 12_000_000 // (size * size)))
    heat = math.sqrt(size) / (10 if known else 4)
    points = [[x / STRETCH, y] for x, y in start]
    done = 0
    while done < rounds:
        now = min(step, rounds - done)
        with _lock:
            igraph.set_random_number_generator(random.Random(7))
            layout = graph.layout_fruchterman_reingold(
                niter=now, seed=points, start_temp=max(0.02, heat * (1 - done / rounds)), grid="nogrid", **bounds
            )
        points = [list(point) for point in layout.coords]
        done += now
        time.sleep(0.001)
    return {node_id: (round(x * STRETCH, 4), round(y, 4)) for node_id, (x, y) in zip(order, points, strict=True)}


def _pair(first: int, second: int) -> tuple[int, int]:
    return (first, second) if first <= second else (second, first)


def _start(
    order: Sequence[str],
    links: Sequence[tuple[int, int]],
    number: Mapping[str, int],
    known: Mapping[str, tuple[float, float]],
) -> list[tuple[float, float]]:
    """Known places; a new node beside its known neighbours; without any, a sunflower."""
    neighbours: dict[int, list[int]] = {}
    for first, second in links:
        neighbours.setdefault(first, []).append(second)
        neighbours.setdefault(second, []).append(first)
    golden = math.pi * (3 - math.sqrt(5))
    start: list[tuple[float, float]] = []
    for place, node_id in enumerate(order):
        if node_id in known:
            start.append(known[node_id])
            continue
        near = [known[order[n]] for n in neighbours.get(place, ()) if order[n] in known]
        x = sum(point[0] for point in near) / len(near) if near else 0.0
        y = sum(point[1] for point in near) / len(near) if near else 0.0
        radius = 1.0 if near else 0.8 * math.sqrt(place + 1)
        start.append((x + radius * STRETCH * math.cos(golden * place), y + radius * math.sin(golden * place)))
    return start


def _bounds(order: Sequence[str], known: Mapping[str, tuple[float, float]]) -> dict[str, list[float]]:
    """Known nodes may move a little to make room, no more: the person's picture of the graph stays."""
    if not known:
        return {}
    far = 1e6
    bounds: dict[str, list[float]] = {"minx": [], "maxx": [], "miny": [], "maxy": []}
    for node_id in order:
        x, y = known.get(node_id, (0.0, 0.0))
        slack = _SLACK if node_id in known else far
        bounds["minx"].append(x / STRETCH - slack)
        bounds["maxx"].append(x / STRETCH + slack)
        bounds["miny"].append(y - slack)
        bounds["maxy"].append(y + slack)
    return bounds


def parallel_shifts(edges: Sequence[GraphEdge]) -> NDArray[np.float64]:
    """How far each edge stands beside the line between its nodes, in graph units, so that parallel ones are apart."""
    groups: dict[tuple[str, str], list[int]] = {}
    for number, edge in enumerate(edges):
        groups.setdefault((min(edge.source, edge.target), max(edge.source, edge.target)), []).append(number)
    shift = np.zeros(len(edges))
    for members in groups.values():
        for place, number in enumerate(members):
            side = 1.0 if edges[number].source <= edges[number].target else -1.0
            shift[number] = side * 0.10 * (place - (len(members) - 1) / 2)
    return shift
