"""Files of one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def write_lines(lines: Iterable[str], out: Path) -> int:
    """Write lines to a file, atomically; returns their number."""
    count = 0
    temporary = out.with_name(out.name + ".part")
    with temporary.open("w", encoding="utf-8", newline="\n") as stream:
        for line in lines:
            stream.write(line + "\n")
            count += 1
    temporary.replace(out)
    return count
