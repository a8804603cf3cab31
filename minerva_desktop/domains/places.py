"""Where in a file of a pack a thing stands: the line that a person has to look at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PackFile:
    name: str
    text: str

    def line_of(self, place: Sequence[int | str]) -> int:
        """The line, from 1, of a place such as ``("concepts", 2, "variables", 0, "unit")``; the nearest line above it
        where the place itself is not written down, as a key that is missing."""
        lines = self.text.splitlines()
        first, end, names = 0, len(lines), ""
        for part in place:
            if isinstance(part, int):
                first, end = _item(lines, first, end, names, part)
                continue
            names = f"{names}.{part}" if names else part
            found = _key(lines, first, end, part)
            first = first if found is None else found
        return first + 1


def _item(lines: Sequence[str], first: int, end: int, names: str, number: int) -> tuple[int, int]:
    """Lines of the n-th entry of a list: of tables under ``[[names]]``, or of one entry a line behind ``names =``."""
    header = re.compile(rf"\s*\[\[\s*{re.escape(names)}\s*\]\]")
    starts = [at for at in range(first, end) if header.match(lines[at])]
    if number < len(starts):
        return starts[number], starts[number + 1] if number + 1 < len(starts) else end
    rows = [at for at in range(first, end) if "{" in lines[at]]
    if number < len(rows):
        return rows[number], rows[number] + 1
    return first, end


def _key(lines: Sequence[str], first: int, end: int, key: str) -> int | None:
    pattern = re.compile(rf"""(?:^|[{{,\s])["']?{re.escape(key)}["']?\s*=""")
    return next((at for at in range(first, end) if pattern.search(lines[at])), None)
