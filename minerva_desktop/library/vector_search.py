"""The best rows of an index: those of its sealed file and of its tail, by exact products, in an order that does not depend
on where a row stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from minerva_desktop.library.vector_engine import Mask, nearest
from minerva_desktop.library.vector_files import Base

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float32]
    Scores = npt.NDArray[np.float64]
    Ids = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

EXACT_UP_TO = 100_000
"""A search that may return no more than so many looks at each of them, also where there is a quick index: few rows are
spread over many of its lists."""
_MARGIN = 16  # candidates beyond what is asked for, so that equal scores are ordered by id
_MOST = 50_000
_CANDIDATES = (4, 200)  # times what is asked for, and at least, from the quick index
_CLOSE = 1e-5  # two ways of adding up one product differ by less


@dataclass(frozen=True)
class Tail:
    """Vectors that are not in the sealed file, in the order in which they came; never changed in place."""

    ids: Ids
    rows: Array


@dataclass(frozen=True)
class Choice:
    """Passages to search among. ``version``: of the index when it was made."""

    allowed: Sequence[int]
    array: Ids
    version: int
    of: Base | None
    here: Flags | None  # which rows of the sealed file are allowed, gone or not
    base: Mask
    tail: Mask

    @property
    def count(self) -> int:
        return self.base.count + self.tail.count


def best(base: Base | None, tail: Tail, choice: Choice, query: Array, limit: int) -> list[tuple[int, float]]:
    """(id, cosine) of the ``limit`` best rows of the choice, best first, ties by id. ``query``: shape (d,), contiguous."""
    import numpy as np

    if not choice.count or limit <= 0:
        return []
    wanted = limit + _MARGIN
    while True:
        ids, scores, floor = _candidates(base, tail, choice, query, wanted)
        order = np.lexsort((ids, -scores))[:limit]
        # What was left out may be as good as the last one that is kept: then look further down.
        if not len(order) or scores[order[-1]] > floor or wanted >= _MOST:
            return [(int(ids[at]), float(scores[at])) for at in order]
        wanted *= 4


def _candidates(base: Base | None, tail: Tail, choice: Choice, query: Array, wanted: int) -> tuple[Ids, Scores, float]:
    """Ids and exact scores of rows that may be the best ``wanted``, and the most that a row left out can have."""
    import numpy as np

    ids, scores, floor = [np.empty(0, dtype=np.int64)], [np.empty(0)], -np.inf
    if base is not None and base.coarse is not None and choice.base.count > EXACT_UP_TO:
        times, least = _CANDIDATES
        found = base.coarse.nearest(query, max(times * wanted, least), choice.base)
        ids.append(base.ids[found])
        scores.append(exact_products(base.rows[found], query))
    elif base is not None and choice.base.count:
        found, rough = nearest(base.rows, query, wanted, choice.base)
        ids.append(base.ids[found])
        scores.append(exact_products(base.rows[found], query))
        if len(found) < choice.base.count:
            floor = float(rough[-1]) + _CLOSE
    if choice.tail.count:
        found, rough = nearest(tail.rows, query, wanted, choice.tail)
        ids.append(tail.ids[found])
        scores.append(exact_products(tail.rows[found], query))
        if len(found) < choice.tail.count:
            floor = max(floor, float(rough[-1]) + _CLOSE)
    return np.concatenate(ids), np.concatenate(scores), floor


def exact_products(rows: Array, query: Array) -> Scores:
    """The products, added up in one way wherever a row stands and whatever stands beside it."""
    import numpy as np

    products: Scores = np.einsum("ij,j->i", rows.astype(np.float64), query.astype(np.float64))
    return products.astype(np.float32).astype(np.float64)
