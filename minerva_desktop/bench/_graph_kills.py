"""Killing a process outright while it writes into a library, then looking whether all it had committed is there."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from minerva_desktop.bench._graph_library import add_paper, facts_of, paper_of
from minerva_desktop.library import Library

_RELATIONS = 20
_MATERIALS = 200
_LONGEST = 0.8  # seconds of writing before the kill, at most
_SAME_LIBRARY = 20  # kills in a row that one library has to bear


def kill(folder: Path, kills: int, told: Callable[[int], None] = lambda _: None) -> dict[str, Any]:
    """Figures: kills, papers that were committed, what was lost of them, failed audits, graphs that were made anew."""
    context = multiprocessing.get_context(
        "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    )
    if context.get_start_method() == "forkserver":
        context.set_forkserver_preload([__name__])
    dice = random.Random(11)
    figures = {"kills": kills, "papers_committed": 0, "lost": 0, "halves": 0, "audits_failed": 0, "graphs_set_aside": 0}
    open_seconds: list[float] = []
    committed: set[int] = set()
    number = 0
    for turn in range(kills):
        if turn % _SAME_LIBRARY == 0:
            committed = set()
        path = folder / f"library-{turn // _SAME_LIBRARY}"
        reader, writer = context.Pipe(duplex=False)
        child = context.Process(target=write, args=(path, folder / "in", number, writer))  # type: ignore[attr-defined]
        child.start()
        writer.close()
        reader.recv()
        time.sleep(dice.random() * _LONGEST)
        child.kill()
        child.join()
        for said in _heard(reader):
            figures["papers_committed"] += said >= 0
            (committed.add if said >= 0 else committed.discard)(abs(said))
            number = max(number, abs(said))
        number += 2  # what was under way may be there or not
        start = time.perf_counter()
        with Library.open(path) as library:
            library.graph.ensure()
            open_seconds.append(time.perf_counter() - start)
            lost, halves = _missing(library, committed)
            figures["lost"] += lost
            figures["halves"] += halves
            figures["audits_failed"] += not library.audit().ok
            figures["graphs_set_aside"] += len(library.notes)
        told(turn + 1)
    return figures | {"open_after_kill_seconds_max": round(max(open_seconds), 3)}


def write(path: Path, scratch: Path, first: int, said: Connection) -> None:
    """Add papers until killed, and say which are there for good; now and then one is taken away, which is said too."""
    scratch.mkdir(parents=True, exist_ok=True)
    with Library.open(path, create=True) as library:
        said.send(None)
        for number in range(first + 1, first + 10_000):
            paper = add_paper(library, scratch, number, _RELATIONS, _MATERIALS)
            said.send(number)
            library.project()
            if number % 4 == 0:
                library.catalog.remove_paper(paper)
                said.send(-number)
                library.project()
                library.checkpoint_if_idle()


def _heard(reader: Connection) -> list[int]:
    heard: list[int] = []
    while True:
        try:
            heard.append(reader.recv())
        except (EOFError, OSError):
            return heard


def _missing(library: Library, committed: set[int]) -> tuple[int, int]:
    """How many committed papers are not there in full, and how many are there only in part."""
    there = {paper.title: paper for paper in library.catalog.papers()}
    graph = set(library.graph.fact_ids())
    lost = halves = 0
    for title, paper in there.items():
        _, findings = paper_of(int(title.removeprefix("Paper ")), _RELATIONS, _MATERIALS)
        wanted = facts_of(findings)
        whole = wanted == sorted(fact.id for fact in library.catalog.facts(paper=paper.id)) and graph.issuperset(wanted)
        halves += not whole
    for number in committed:
        lost += f"Paper {number}" not in there
    return lost, halves
