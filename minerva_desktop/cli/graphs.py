"""The commands about the graph: what is in it, queries, paths, ranks and groups. Ctrl-C stops any of them at once."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from minerva_desktop.cli import text
from minerva_desktop.errors import NotFound
from minerva_desktop.events import CancelToken
from minerva_desktop.records import Fact, to_plain
from minerva_desktop.workbench import Workbench

if TYPE_CHECKING:
    from minerva_desktop.cli.commands import Context

T = TypeVar("T")
_NAMED = 8  # nodes of a group that are written out


def cypher(context: Context, words: argparse.Namespace) -> tuple[Any, str]:
    """Run a query; its rows as data and as text."""
    with context.open() as bench:
        rows = _stoppable(lambda cancel: bench.cypher(words.query, cancel=cancel))
    return to_plain(rows), text.rows(rows)


def run(context: Context, words: argparse.Namespace) -> tuple[Any, str]:
    """Run ``graph ACTION``; the result as data and as text."""
    with context.open() as bench:
        if words.action == "stats":
            stats = bench.graph_stats()
            return stats, text.graph_stats(stats)
        if words.action == "nodes":
            nodes = bench.graph_nodes()
            return nodes, "\n".join(f"{node['type']:<12} {node['name']}" for node in nodes)
        if words.action == "path":
            return _path(bench, words.source, words.target)
        if words.action == "rank":
            return _rank(bench, words.near or [], words.limit)
        if words.action == "groups":
            return _groups(bench, words.resolution)
        node = _node(bench, words.name)
        around = bench.neighbourhood(node)
        facts = [bench.fact(edge.id) for edge in around.edges]
    data = {"node": node, **to_plain(around), "facts": [listed(fact) for fact in facts]}
    return data, text.facts(facts)


def listed(fact: Fact) -> dict[str, Any]:
    """A fact as ``review list`` gives it: its parts, and what review needs at a glance."""
    plain: dict[str, Any] = to_plain(fact)
    return plain | {
        "status": fact.decision.status,
        "stage": fact.decision.stage,
        "rule": fact.decision.rule,
        "reason": fact.decision.reason,
        "relation": fact.type,
        "papers": list(fact.papers),
    }


def _path(bench: Workbench, source: str, target: str) -> tuple[Any, str]:
    start, end = _node(bench, source), _node(bench, target)
    ids = _stoppable(lambda cancel: bench.path_between(start, end, cancel=cancel))
    facts = [bench.fact(item) for item in ids]
    data = {"source": start, "target": end, "facts": [listed(fact) for fact in facts]}
    return data, text.facts(facts) if facts else f"No accepted facts join {start} and {end}."


def _rank(bench: Workbench, near: Sequence[str], limit: int) -> tuple[Any, str]:
    nodes = [_node(bench, name) for name in near]
    ranked = _stoppable(lambda cancel: bench.ranked_nodes(nodes, limit=limit, cancel=cancel))
    data = [{"node": node, "score": score} for node, score in ranked]
    return data, "\n".join(f"{score:.4f}  {node}" for node, score in ranked) or "Nothing is in the graph yet."


def _groups(bench: Workbench, resolution: float) -> tuple[Any, str]:
    groups = _stoppable(lambda cancel: bench.node_groups(resolution, cancel=cancel))
    lines = [
        f"{len(group):>5}  {', '.join(group[:_NAMED])}" + (" …" if len(group) > _NAMED else "") for group in groups
    ]
    return [list(group) for group in groups], "\n".join(lines) or "Nothing is in the graph yet."


def _node(bench: Workbench, name: str) -> str:
    """A node id from an id ("Material:GaN") or a name."""
    found = bench.search_nodes(name.partition(":")[2] if name.count(":") else name, 200)
    exact = [node for node in found if name in (node.id, node.name)]
    folded = exact or [node for node in found if node.name.casefold() == name.casefold()] or found[:1]
    if not folded:
        raise NotFound(f"There is no node “{name}” in this library.", hint="“graph nodes” lists what there is.")
    return folded[0].id


def _stoppable(work: Callable[[CancelToken], T]) -> T:
    """The result of work in a thread. While the engine computes in this one, no Ctrl-C would be heard."""
    cancel = CancelToken()
    with ThreadPoolExecutor(1, thread_name_prefix="graph") as pool:
        running = pool.submit(work, cancel)
        try:
            return running.result()
        except KeyboardInterrupt:
            cancel.cancel()
            raise
