"""Start-up of the window to its first paint, with a library of 1,000 papers, in fresh processes."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from minerva_desktop.bench import _children
from minerva_desktop.library import Library
from minerva_desktop.pipeline.items import file_digest
from minerva_desktop.records import Document, Paper, Sentence

PAPERS = 1000
RUNS = 5


def run(data: Path | None) -> dict[str, Any]:
    """Figures: seconds from process start to first paint, each run and their median."""
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "library"
        _fill(folder, Path(scratch))
        seconds = [_first_paint(folder, Path(scratch)) for _ in range(RUNS)]
    figures = {"papers": PAPERS, "first_paint_seconds": round(median(seconds), 3), "runs": seconds}
    return {"name": "window", "n": RUNS, "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def _fill(folder: Path, scratch: Path) -> None:
    text = "The band gap of gallium nitride is 3.4 eV."
    document = Document("ok", text=text, sentences=(Sentence(0, text, 0, len(text)),))
    with Library.open(folder, create=True) as library:
        for number in range(PAPERS):
            source = scratch / f"paper-{number:04}.txt"
            source.write_text(f"{text} {number}", encoding="utf-8")
            paper = Paper(file_digest(source), source.name, title=f"On the band gaps of nitrides, part {number}")
            library.catalog.add_paper(replace(paper, year=1990 + number % 30), document, source)


def _first_paint(folder: Path, scratch: Path) -> float:
    environment = os.environ | {"MINERVA_CONFIG_DIR": str(scratch / "config")}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    start = time.time()  # wall clock: compared with the child's, which has another perf_counter
    command = _children.command("minerva_desktop.bench._first_paint", str(folder))
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120)
    painted: float = json.loads(done.stdout.splitlines()[-1])["painted"]
    return round(painted - start, 3)
