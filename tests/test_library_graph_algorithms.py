"""Paths, ranks and groups over the accepted facts: right, the same every time, and they can be stopped."""

from __future__ import annotations

import itertools
import threading
import time
from pathlib import Path

import pytest

from minerva_desktop.errors import Cancelled, NotFound
from minerva_desktop.events import CancelToken
from minerva_desktop.library import Library
from minerva_desktop.library.graph_algorithms import Network, communities, network, pagerank, shortest_path
from tests.library_helpers import Shelf


def key(name: str) -> tuple[str, str]:
    return ("Material", name)


def ring(*groups: str) -> Network:
    """Groups of letters that all know each other, each group joined to the next by its last letter."""
    names = sorted("".join(groups))
    pairs = [(a, b) for group in groups for at, a in enumerate(group) for b in group[at + 1 :]]
    pairs += [(one[-1], other[0]) for one, other in itertools.pairwise(groups)]
    edges = tuple((names.index(a), names.index(b), f"{a}{b}") for a, b in pairs)
    return Network(tuple(key(name) for name in names), edges)


NET = ring("abcd", "efgh", "ijkl")


def test_a_shortest_way_names_its_facts() -> None:
    steps = shortest_path(NET, key("a"), key("h"))
    assert [(a[1], fact, b[1]) for a, fact, b in steps] == [("a", "ad", "d"), ("d", "de", "e"), ("e", "eh", "h")]
    assert [fact for _, fact, _ in shortest_path(NET, key("h"), key("a"))] == ["eh", "de", "ad"]
    assert shortest_path(NET, key("a"), key("a")) == []
    lonely = Network((*NET.nodes, key("z")), NET.edges)
    assert shortest_path(lonely, key("a"), key("z")) == []
    with pytest.raises(NotFound, match="No accepted fact names the Material “y”"):
        shortest_path(NET, key("a"), key("y"))


def test_ranks_add_up_and_follow_where_one_looks_from() -> None:
    ranked = pagerank(NET)
    assert sum(score for _, score in ranked) == pytest.approx(1.0)
    assert {name for (_, name), _ in ranked[:4]} == {"d", "e", "h", "i"}  # they join the groups
    near = [name for (_, name), _ in pagerank(NET, [key("a")], limit=4)]
    assert set(near) == {"a", "b", "c", "d"}
    assert pagerank(NET) == ranked


def test_groups_are_found_the_same_every_time() -> None:
    groups = communities(NET)
    assert [{name for _, name in group} for group in groups] == [set("abcd"), set("efgh"), set("ijkl")]
    assert communities(NET) == groups
    assert communities(Network((), ())) == []


def test_the_network_is_that_of_the_accepted_facts(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", create=True) as library:
        shelf = Shelf(library, tmp_path)
        shelf.add_fact("one.txt", "GaN has a band gap of 3.4 eV.", "GaN", 3.4)
        assert network(library).nodes == ()
        shelf.accept_all()
        net = network(library)
        assert net.nodes == (("Material", "GaN"), ("Value", "3.4 eV"))
        (fact,) = library.catalog.facts()
        assert shortest_path(net, *net.nodes) == [(net.nodes[0], fact.id, net.nodes[1])]


def test_work_on_a_large_graph_is_stopped_at_once() -> None:
    size = 60_000
    large = Network(
        tuple(key(f"{number:06}") for number in range(size)),
        tuple((number, (number * 7919 + step) % size, "") for number in range(size) for step in (1, 77, 4242)),
    )
    token = CancelToken()
    threading.Timer(0.2, token.cancel).start()
    start = time.monotonic()
    with pytest.raises(Cancelled):
        communities(large, cancel=token)
    assert time.monotonic() - start < 10
