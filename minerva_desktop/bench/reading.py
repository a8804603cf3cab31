"""How fast PDFs are read: the whole reading in the child process against the engine's bare text extraction."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped, unused-ignore]
import pymupdf as _pymupdf

from minerva_desktop.bench import need
from minerva_desktop.documents import Limits, ReaderPool

pymupdf: Any = _pymupdf
_FOLDERS = ("materials", "science", "layout")


def run(data: Path | None) -> dict[str, Any]:
    """Figures: pages per second of reading and of the bare engine, their ratio, peak memory of the child in MB."""
    root = need(data, "pdf")
    begin = time.perf_counter()
    files = [path for folder in _FOLDERS for path in sorted((root / folder).glob("*.pdf"))]
    pages, engine = 0, 0.0
    read = 0.0
    with ReaderPool(Limits()) as pool, Peak() as peak:
        pool.read(files[0])  # the child is warm from here on
        for path in files:
            # Both ways in turn on each file, so that other load of the machine falls on both.
            start = time.perf_counter()
            pages += bare(path)
            middle = time.perf_counter()
            pool.read(path)
            engine += middle - start
            read += time.perf_counter() - middle
    figures = {
        "pages": pages,
        "pages_per_second": round(pages / read, 1),
        "bare_pages_per_second": round(pages / engine, 1),
        "times_bare": round(read / engine, 2),
        "peak_child_mb": round(peak.highest, 1),
    }
    return {"name": "reading", "n": len(files), "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def bare(path: Path) -> int:
    """Pages of the file, each through ``get_text("dict")`` without images."""
    flags = pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES
    with pymupdf.open(str(path)) as file:
        for page in file:
            page.get_text("dict", flags=flags)
        return int(file.page_count)


class Peak:
    """The highest resident memory of this process's children while it is open."""

    def __init__(self) -> None:
        self.highest = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Peak:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        me = psutil.Process()
        children: list[Any] = []
        while not self._stop.wait(0.1):
            children = children or me.children()  # listing all processes is slow; there is one reader
            for child in children:
                try:
                    self.highest = max(self.highest, child.memory_info().rss / 1e6)
                except psutil.Error:
                    continue
