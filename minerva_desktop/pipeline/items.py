"""What a job takes in: files, and what is still to be fetched."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from minerva_desktop.documents import SUPPORTED_SUFFIXES
from minerva_desktop.events import CancelToken
from minerva_desktop.records import Notice, WorkRecord


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came of getting a file: its path, or why there is none. ``extent`` is "abstract" when only that was to be
    had; ``reason`` then says so in the report."""

    path: Path | None
    status: str = "ok"
    reason: str = ""
    extent: str = "full"


@dataclass(frozen=True, slots=True)
class IngestItem:
    """A file to take in; ``name`` is what the report calls it.

    ``record`` is what a bibliographic source says of it; ``fetch`` gets the file first (called in a reading thread), for
    items that are not on the disk yet.
    """

    path: Path
    name: str
    record: WorkRecord | None = None
    notices: tuple[Notice, ...] = ()
    fetch: Callable[[CancelToken], Fetched] | None = None


def collect_files(paths: Iterable[Path]) -> list[IngestItem]:
    """The files named, and those of a readable kind in the folders named, in a stable order.

    A file named directly is taken whatever its kind, so that its report can say what is wrong with it.
    """
    items: list[IngestItem] = []
    seen: set[Path] = set()
    for path in paths:
        if path.is_dir():
            found = sorted(
                child
                for child in path.rglob("*")
                if child.is_file() and child.suffix.lower() in SUPPORTED_SUFFIXES and not _hidden(child, path)
            )
            named = [IngestItem(child, child.relative_to(path).as_posix()) for child in found]
        else:
            named = [IngestItem(path, str(path))]
        for item in named:
            key = item.path.absolute()
            if key not in seen:
                seen.add(key)
                items.append(item)
    return items


def _hidden(child: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in child.relative_to(root).parts)


def file_digest(path: Path) -> str:
    """sha256 of a file, hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
