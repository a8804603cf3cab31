"""Where in a run of signs another one stands, with as few edits as possible.

Semi-global alignment: everything before and after the place is free, and within it each sign that is put in, left out or
exchanged is one edit (Sellers, 1980).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Alignment:
    """``edits`` make the needle of ``hay[start:end]``; ``same`` are the places of the hay that agree with it."""

    edits: int
    start: int
    end: int
    same: tuple[int, ...]


def align(needle: str, hay: str) -> Alignment:
    """The place of the hay that is nearest to the needle; of several the first that ends."""
    at = hay.find(needle)
    if at >= 0:
        return Alignment(0, at, at + len(needle), tuple(range(at, at + len(needle))))
    table = _table(needle, hay)
    end = int(np.argmin(table[-1]))
    start, same = _way_back(table, needle, hay, end)
    return Alignment(int(table[-1, end]), start, end, same)


def shingles(signs: str, size: int = 3) -> frozenset[str]:
    """Every run of ``size`` signs."""
    return frozenset(signs[at : at + size] for at in range(len(signs) - size + 1)) or frozenset({signs})


def _table(needle: str, hay: str) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    """Edits between the first i signs of the needle and the best stretch of the hay that ends at j."""
    codes = np.array([ord(sign) for sign in hay], dtype=np.int32)
    columns = np.arange(len(hay) + 1, dtype=np.int32)
    table = np.zeros((len(needle) + 1, len(hay) + 1), dtype=np.int32)
    for row, sign in enumerate(needle, start=1):
        before = table[row - 1]
        best = before + 1  # the needle's sign is not in the hay
        best[1:] = np.minimum(best[1:], before[:-1] + (codes != ord(sign)))
        # A sign of the hay that is not in the needle: one more than its neighbour at the left, however many in a row.
        table[row] = np.minimum.accumulate(best - columns) + columns
    return table


def _way_back(
    table: np.ndarray[tuple[int, int], np.dtype[np.int32]], needle: str, hay: str, end: int
) -> tuple[int, tuple[int, ...]]:
    row, column = len(needle), end
    same: list[int] = []
    while row:
        edits = int(table[row, column])
        if column and needle[row - 1] == hay[column - 1] and edits == table[row - 1, column - 1]:
            row, column = row - 1, column - 1
            same.append(column)
        elif column and edits == table[row - 1, column - 1] + 1:
            row, column = row - 1, column - 1
        elif edits == table[row - 1, column] + 1:
            row -= 1
        else:
            column -= 1
    return column, tuple(reversed(same))
