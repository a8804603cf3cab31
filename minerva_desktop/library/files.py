"""The library's own copies of files, and writing a file so that it is there whole or not at all."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from pathlib import Path

from minerva_desktop.errors import MinervaError

_SUFFIX = re.compile(r"\.[a-z0-9]{1,10}")


def store_file(source: Path, folder: Path, digest: str) -> str:
    """Copy a file to ``<digest>.<ext>`` in the folder; returns that name. A copy of that name and size is kept.

    Raises:
        MinervaError: it cannot be read or written.
    """
    suffix = source.suffix.lower()
    name = digest + (suffix if _SUFFIX.fullmatch(suffix) else "")
    target = folder / name
    try:
        if target.exists() and target.stat().st_size == source.stat().st_size:
            return name
        folder.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(target.name + ".part")
        with source.open("rb") as reading, temporary.open("wb") as writing:
            shutil.copyfileobj(reading, writing, 1 << 20)
            writing.flush()
            os.fsync(writing.fileno())
        temporary.replace(target)
    except OSError as error:
        raise MinervaError(
            f"The file {source.name} could not be copied into the library: {error.strerror or error}.",
            hint="Check that the disk is not full and that the folder may be written to.",
            code="file",
        ) from error
    return name


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically: a reader sees the old content or the new, also after a power cut."""
    temporary = path.with_name(path.name + ".part")
    with temporary.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(path)


def sha256_of(path: Path) -> str:
    """sha256 of a file, hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
