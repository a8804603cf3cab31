"""Queries of the graph that take long: a person can stop them, closing stops them, and the graph goes on after that."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from minerva_desktop.errors import Cancelled, GraphError
from minerva_desktop.events import CancelToken
from minerva_desktop.library import Library
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench
from tests.library_helpers import Shelf

ENDLESS = "UNWIND range(1, 9000) AS a UNWIND range(1, 9000) AS b UNWIND range(1, 900) AS c RETURN sum(a * b * c) AS s"
SOON = 15.0
"""Seconds; the query alone would take hours."""


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Library.open(tmp_path / "library", create=True) as library:
        shelf = Shelf(library, tmp_path)
        shelf.add_fact("one.txt", "GaN has a band gap of 3.4 eV.", "GaN", 3.4)
        shelf.accept_all()
        yield shelf


def test_a_running_query_stops_when_it_is_cancelled_and_others_run_on(shelf: Shelf) -> None:
    graph, token = shelf.library.graph, CancelToken()
    threading.Timer(0.3, token.cancel).start()
    start = time.monotonic()
    with pytest.raises(Cancelled):
        graph.query(ENDLESS, timeout=600, cancel=token)
    assert time.monotonic() - start < SOON
    assert graph.query("MATCH (m:Material) RETURN m.name AS name", cancel=CancelToken()) == [{"name": "GaN"}]
    shelf.add_fact("two.txt", "AlN has a band gap of 6.2 eV.", "AlN", 6.2)
    shelf.accept_all()  # and it can be written
    assert shelf.library.audit().ok


def test_a_query_that_was_cancelled_before_is_not_run(shelf: Shelf) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        shelf.library.graph.query("RETURN 1 AS x", cancel=token)


def test_a_wrong_query_is_told_so_also_with_a_token(shelf: Shelf) -> None:
    with pytest.raises(GraphError, match="cannot run that query"):
        shelf.library.graph.query("MATCH (n:Nothing) RETURN n", cancel=CancelToken())


def test_facts_are_read_while_a_long_query_runs(shelf: Shelf) -> None:
    token = CancelToken()
    stopped: list[type[BaseException]] = []

    def long() -> None:
        try:
            shelf.library.graph.query(ENDLESS, timeout=600, cancel=token)
        except Cancelled as error:
            stopped.append(type(error))

    thread = threading.Thread(target=long)
    thread.start()
    time.sleep(0.2)
    assert shelf.library.graph.query("MATCH (m:Material) RETURN m.name AS name") == [{"name": "GaN"}]
    token.cancel()
    thread.join(SOON)
    assert stopped == [Cancelled]


def test_closing_the_library_does_not_wait_for_a_long_query(tmp_path: Path, shelf: Shelf) -> None:
    failed: list[GraphError] = []

    def long() -> None:
        try:
            shelf.library.graph.query(ENDLESS, timeout=600)
        except GraphError as error:
            failed.append(error)

    thread = threading.Thread(target=long)
    thread.start()
    time.sleep(0.3)
    start = time.monotonic()
    shelf.library.close()
    assert time.monotonic() - start < SOON
    thread.join(SOON)
    assert len(failed) == 1
    with Library.open(tmp_path / "library") as library:
        assert library.audit().ok


def test_a_persons_query_can_be_stopped(tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", Settings()) as bench:
        token = CancelToken()
        threading.Timer(0.3, token.cancel).start()
        with pytest.raises(Cancelled):
            bench.cypher(ENDLESS, cancel=token)
        assert bench.cypher("RETURN 1 AS x") == [{"x": 1}]
