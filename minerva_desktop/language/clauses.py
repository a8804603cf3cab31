"""Clauses of a sentence, as far as contrast words and semicolons show them."""

from __future__ import annotations

import re

_CLAUSE = re.compile(r";|\b(?:but|while|whereas|although|though|however|unlike)\b|, (?:and|which|so)\b", re.IGNORECASE)


def clause_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The clause that holds ``[start, end)``: between the nearest contrast words or semicolons."""
    left, right = 0, len(text)
    for match in _CLAUSE.finditer(text):
        if match.end() <= start:
            left = match.start()
        elif match.start() >= end:
            right = match.start()
            break
    return left, right
