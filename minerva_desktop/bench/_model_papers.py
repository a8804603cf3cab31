"""The five shared papers that what concerns language models is measured on.

The rule: of the materials papers in the order of their names, the third and every sixth after it. On average they are as
long as the whole folder.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from minerva_desktop.bench import need
from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.errors import UsageError
from minerva_desktop.records import Document

COUNT = 5
_FIRST, _STEP = 2, 6


@dataclass(frozen=True, slots=True)
class BenchPaper:
    """A paper that was read; ``id`` is what the library would call it."""

    name: str
    id: str
    document: Document


def five_papers(data: Path | None) -> list[BenchPaper]:
    """The five papers, read.

    Raises:
        UsageError: the folder is not there, or has too few papers.
    """
    files = sorted(need(data, "pdf", "materials").glob("*.pdf"))[_FIRST::_STEP][:COUNT]
    if len(files) < COUNT:
        raise UsageError(f"This benchmark needs {_FIRST + _STEP * (COUNT - 1) + 1} papers in pdf/materials.")
    with ReaderPool(Limits(), workers=1) as pool:
        return [BenchPaper(path.name, hashlib.sha256(path.read_bytes()).hexdigest(), pool.read(path)) for path in files]
