"""The graph on the command line: paths, ranks, groups, notes about its state, and queries that Ctrl-C stops."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench
from tests.library_helpers import Shelf
from tests.test_cli import minerva

ENDLESS = "UNWIND range(1, 9000) AS a UNWIND range(1, 9000) AS b UNWIND range(1, 900) AS c RETURN sum(a * b * c) AS s"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """GaN and AlN have one value in common; InN stands apart."""
    with Workbench(tmp_path / "library", Settings(), offline=True) as bench:
        shelf = Shelf(bench.library, tmp_path)
        for name, value in (("GaN", 3.4), ("GaN", 3.5), ("AlN", 3.4), ("InN", 0.7)):
            shelf.add_fact(f"{name}-{value}.txt", f"{name} has a band gap of {value} eV.", name, value)
        shelf.accept_all()
    return tmp_path / "library"


def test_paths_ranks_and_groups(library: Path) -> None:
    def graph(*words: str) -> Any:
        return minerva("--library", library, "graph", *words)

    path = graph("path", "GaN", "AlN")
    assert [fact["claim"] for fact in path["facts"]] == [
        "The band gap of GaN is 3.4 eV.",
        "The band gap of AlN is 3.4 eV.",
    ]
    assert graph("path", "GaN", "InN")["facts"] == []
    best, *_ = graph("rank", "--limit", "3")
    assert best["node"] == "Material:GaN"
    near = graph("rank", "--near", "InN")
    assert {item["node"] for item in near if item["score"] > 0.01} == {"Material:InN", "Value:0.7 eV"}
    groups = graph("groups")
    assert ["Material:InN", "Value:0.7 eV"] in groups
    assert sorted(node for group in groups for node in group) == [
        *("Material:AlN", "Material:GaN", "Material:InN"),
        *("Value:0.7 eV", "Value:3.4 eV", "Value:3.5 eV"),
    ]
    assert minerva("--library", library, "graph", "path", "GaN", "nothing", code=1)["error"]["hint"]


def test_what_the_library_noticed_is_said_once_and_apart_from_the_result(library: Path) -> None:
    (library / "graph.kuzu").write_bytes(b"no graph")
    command = [sys.executable, "-m", "minerva_desktop", "--library", str(library), "graph", "stats"]
    first = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "moved to graph.kuzu.damaged-1" in first.stderr
    assert "damaged" not in first.stdout
    assert subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stderr == ""
    with Workbench(library, Settings(), offline=True) as bench:
        for _ in range(2):
            bench.graph_stats()
            (library / "graph.kuzu").unlink()
            bench.graph_stats()
            assert bench.new_notes() == ["The graph's file had been deleted; it was made anew."]
            assert bench.new_notes() == []


@pytest.fixture
def endless(library: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "minerva_desktop", "--library", str(library), "cypher", ENDLESS]
    heard = None if os.name == "nt" else partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a job behind a shell is deaf
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heard)
    yield child
    child.kill()
    child.communicate()


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is another thing there")
def test_ctrl_c_stops_a_query(library: Path, endless: subprocess.Popen[str]) -> None:
    process = psutil.Process(endless.pid)
    while "graph.kuzu" not in {Path(file.path).name for file in process.open_files()}:
        time.sleep(0.05)
    begun = process.cpu_times().user
    while process.cpu_times().user < begun + 1:  # opening the graph takes less: the query is running by then
        time.sleep(0.05)
    endless.send_signal(signal.SIGINT)
    _, said = endless.communicate(timeout=120)
    assert endless.returncode == 1
    assert "Stopped" in said  # one that comes to its limit of time says something else
    with Workbench(library, Settings.model_validate({"embeddings": False}), offline=True) as bench:
        assert bench.audit().ok
