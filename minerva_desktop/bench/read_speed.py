"""How fast every shared PDF is read: against the bare engine, with and without tables, and against another reader.

The other reader runs in an environment of its own, whose Python the variable MINERVA_BENCH_PEERS names.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pymupdf as _pymupdf

from minerva_desktop.bench import need
from minerva_desktop.bench.reading import Peak, bare
from minerva_desktop.bench.reading_order import read_by
from minerva_desktop.documents import Limits, ReaderPool, pdf_document, reading

pymupdf: Any = _pymupdf
_FOLDERS = ("materials", "science", "layout", "nonenglish", "fonts", "rotated")
_OTHER = "pymupdf4llm"


def run(data: Path | None) -> dict[str, Any]:
    """Figures: pages per second and times the bare engine, with tables and without; the same of the other reader on the
    science and layout files; the largest file and the peak memory of the child on it."""
    root = need(data, "pdf")
    begin = time.perf_counter()
    files = [path for folder in _FOLDERS for path in sorted((root / folder).glob("*.pdf")) if _opens(path)]
    with ReaderPool(Limits(), workers=1) as pool, Peak() as peak:
        pool.read(files[0])
        pages, read, engine = 0, 0.0, 0.0
        for path in files:
            start = time.perf_counter()
            pages += bare(path)
            middle = time.perf_counter()
            pool.read(path)
            engine += middle - start
            read += time.perf_counter() - middle
    largest = max(files, key=lambda path: path.stat().st_size)
    figures: dict[str, Any] = {
        "files": len(files),
        "pages": pages,
        "pages_per_second": round(pages / read, 1),
        "times_bare": round(read / engine, 2),
        "times_bare_in_process": round(_in_process(files) / engine, 2),
        "times_bare_in_process_without_tables": round(_without_tables(files) / engine, 2),
        "peak_child_mb": round(peak.highest, 1),
        "largest": f"{largest.name}, {largest.stat().st_size / 1e6:.1f} MB",
    }
    figures["other"] = _other([path for path in files if path.parent.name in {"science", "layout"}])
    return {"name": "read-speed", "n": len(files), "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def _opens(path: Path) -> bool:
    try:
        with pymupdf.open(str(path)) as file:
            return int(file.page_count) > 0 and not file.needs_pass
    except (RuntimeError, ValueError):
        return False


def _pages(path: Path) -> int:
    with pymupdf.open(str(path)) as file:
        return int(file.page_count)


def _in_process(files: Sequence[Path]) -> float:
    start = time.perf_counter()
    for path in files:
        reading.read_file(path, None, 3000, lambda number, count: None)
    return time.perf_counter() - start


def _without_tables(files: Sequence[Path]) -> float:
    """The same with the search for tables taken out."""
    module: Any = pdf_document
    kept = module.find_grids
    module.find_grids = lambda lines, rules: []
    try:
        return _in_process(files)
    finally:
        module.find_grids = kept


def _other(files: Sequence[Path]) -> dict[str, Any] | str:
    python = os.environ.get("MINERVA_BENCH_PEERS", "")
    if not python:
        return f"{_OTHER} not measured: MINERVA_BENCH_PEERS is not set"
    ours = _in_process(files)
    theirs = sum(read_by(python, _OTHER, path)[1] for path in files)
    pages = sum(_pages(path) for path in files)
    return {
        "tool": _OTHER,
        "pages": pages,
        "ours_pages_per_second": round(pages / ours, 1),
        "their_pages_per_second": round(pages / theirs, 2),
        "times_faster": round(theirs / ours, 1),
    }
