"""Whole ingest of the materials papers into a fresh library, without and with embeddings: pages per second."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from minerva_desktop.assets import resource_path
from minerva_desktop.bench import need
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench


def run(data: Path | None) -> dict[str, Any]:
    """Figures: pages, pages per second, seconds and facts by status for both ways."""
    folder = need(data, "pdf", "materials")
    begin = time.perf_counter()
    figures: dict[str, Any] = {}
    count = 0
    for label, embeddings in (("words", False), ("embeddings", True)):
        with tempfile.TemporaryDirectory() as scratch:
            settings = Settings.model_validate({"embeddings": embeddings})
            with Workbench(Path(scratch) / "library", settings, offline=True) as bench:
                bench.add_textbooks([resource_path("textbook")])
                start = time.perf_counter()
                report = bench.ingest([folder])
                seconds = time.perf_counter() - start
        pages = sum(paper.pages for paper in report.papers)
        count = len(report.papers)
        figures[label] = {
            "pages": pages,
            "seconds": round(seconds, 2),
            "pages_per_second": round(pages / seconds, 2),
            **report.summary,
        }
    return {"name": "ingest", "n": count, "seconds": round(time.perf_counter() - begin, 2), "figures": figures}
