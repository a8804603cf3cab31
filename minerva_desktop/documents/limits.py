"""How much time, memory and paper one reading may take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """``seconds`` for one whole file, ``memory_mb`` for the reading process, ``pages`` read at most of one file.

    A file with more pages is read up to the limit, and a note of the document says so.
    """

    seconds: float = 120
    memory_mb: int = 2048
    pages: int = 3000
