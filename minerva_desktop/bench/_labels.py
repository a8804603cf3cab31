"""Labels made by reading pages, and the shared way to find and split them."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from minerva_desktop.assets import resource_path
from minerva_desktop.errors import UsageError


def labels(name: str) -> list[dict[str, Any]]:
    """The lines of ``resources/bench/NAME.jsonl``."""
    path = resource_path("bench", f"{name}.jsonl")
    if not path.is_file():
        raise UsageError(f"The labels {path.name} are not part of this installation.")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def grouped(rows: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Labels by file, in the order of the file names."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(str(row["file"]), []).append(row)
    return dict(sorted(found.items()))


def open_files(files: Sequence[str]) -> list[str]:
    """Two thirds of the files; the last third when MINERVA_BENCH_CLOSING is set, for the figure at the end."""
    closing = bool(os.environ.get("MINERVA_BENCH_CLOSING"))
    return [file for place, file in enumerate(sorted(files)) if (place % 3 == 2) == closing]


def set_name() -> str:
    """Which part of the labels is judged."""
    return "closing" if os.environ.get("MINERVA_BENCH_CLOSING") else "development"


def place(file: str, pdf: Path | None) -> Path:
    """Where a labelled file is: our own PDFs come with the program, the others with the data."""
    if file.startswith("sample/"):
        return resource_path("sample", file.partition("/")[2])
    if "/" not in file:
        return resource_path("bench", file)
    assert pdf is not None
    return pdf / file
