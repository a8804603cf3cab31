"""The vectors of one model: a large sealed file, what came since (the tail, rows of the catalog), and what is gone.

Adding is one transaction of the catalog, whatever the size of the index. The table ``vectors`` says which passages have
a vector: a row of the sealed file that does not stand there, or that stands in the tail as well, is gone. When the tail
has grown, or much of the file is gone, both are folded into a new file; the record is switched to it in one transaction,
so that a process that ends anywhere leaves the old state or the new.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from minerva_desktop.events import CancelToken
from minerva_desktop.library.database import Database
from minerva_desktop.library.vector_engine import Mask
from minerva_desktop.library.vector_files import (
    PORTION,
    Base,
    BaseRecord,
    DamagedFile,
    open_base,
    problem_of,
    remove_file,
    write_base,
)
from minerva_desktop.library.vector_search import Choice, Tail, best, exact_products

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float32]
    Ids = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

FLAT_UP_TO = 300_000
"""Up to so many vectors every one is looked at; beyond, there is a quick index that finds candidates."""
TAIL = (4_000, 0.1, 50_000)
"""The tail is folded when it has more rows than this part of the file, within these bounds."""
TAIL_AT_IDLE = 1_000
GONE = 0.2  # part of the file


class ModelIndex:
    """The vectors of one model in one library; thread-safe."""

    def __init__(self, db: Database, folder: Path, model: str, dimension: int) -> None:
        self.model, self.dimension = model, dimension
        self.notes: list[str] = []
        self.version = 0  # counts changes
        self._db, self._folder = db, folder
        self._lock = threading.RLock()
        self._last: Choice | None = None
        self._base: Base | None = None
        self._alive: Flags = _no_flags()
        self._tail = self._empty_tail()
        self._load()

    # ---------------------------------------------------------------------------------------------------- reading
    def count(self) -> int:
        with self._lock:
            return int(self._alive.sum()) + len(self._tail.ids)

    def ids(self) -> Ids:
        """Row numbers of the passages that have a vector, ascending."""
        import numpy as np

        with self._lock:
            if self._base is None:
                return np.sort(self._tail.ids)
            return np.sort(np.concatenate([self._base.ids[self._alive], self._tail.ids]))

    def count_of(self, rows: Sequence[int]) -> int:
        """How many of these passages have a vector."""
        with self._lock:
            return self._choice(rows).count

    def reconstruct(self, ids: Sequence[int]) -> Array:
        """The stored vectors, shape (n, dimension).

        Raises:
            KeyError: an id has no vector.
        """
        import numpy as np

        with self._lock:
            places = self._places(ids)
            rows = [self._row(places[item]) for item in ids]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.dimension)

    def scores(self, query: Array, ids: Sequence[int]) -> dict[int, float]:
        """The cosine of each of these rows that has a vector, as :meth:`search` gives it."""
        import numpy as np

        with self._lock:
            places = self._places(ids)
            have = [item for item in dict.fromkeys(ids) if item in places]
            rows = [self._row(places[item]) for item in have]
        products = exact_products(np.array(rows, dtype=np.float32).reshape(len(rows), self.dimension), query)
        return dict(zip(have, products.tolist(), strict=True))

    def search(self, query: Array, limit: int, allowed: Sequence[int]) -> list[tuple[int, float]]:
        """(row number, cosine) of the nearest among the allowed passages, best first, ties by number.

        ``query``: float32, shape (dimension,), contiguous.
        """
        with self._lock:
            choice, base, tail = self._choice(allowed), self._base, self._tail
        return best(base, tail, choice, query, limit)

    def rows_in_portions(self) -> Iterator[tuple[Ids, Array]]:
        """All vectors with their ids, in portions."""
        with self._lock:
            base, alive, tail = self._base, self._alive.copy(), self._tail
        for start in range(0, 0 if base is None else len(base.ids), PORTION):
            assert base is not None
            part = alive[start : start + PORTION]
            yield base.ids[start : start + PORTION][part], base.rows[start : start + PORTION][part]
        yield tail.ids, tail.rows

    def wrong(self) -> list[int]:
        """Row numbers whose stored vector is not the one that was written."""
        query = "SELECT passage, digest FROM vectors WHERE model = ?"
        written = {row[0]: row[1] for row in self._db.rows(query, [self.model])}
        return sorted(
            int(item)
            for ids, rows in self.rows_in_portions()
            for item, row in zip(ids.tolist(), rows, strict=True)
            if item in written and digest(row) != written[item]
        )

    def file_problem(self) -> str:
        """One sentence on what is wrong with the files; empty when they are as they were written (or not there)."""
        with self._lock:
            base = self._base
        return "" if base is None else problem_of(self._folder, base.record)

    def file_names(self) -> set[str]:
        with self._lock:
            return set() if self._base is None else self._base.record.names()

    # ---------------------------------------------------------------------------------------------------- writing
    def add(self, ids: Sequence[int], rows: Array) -> None:
        """Store unit vectors, replacing older ones; they are there for good when this returns. Those of passages that are
        not there any more are left out."""
        import numpy as np

        with self._lock:
            with self._db.transaction() as connection:
                there = {row[0] for row in self._db.rows_in("SELECT seq FROM passages WHERE seq IN (…)", list(ids))}
                last = {item: at for at, item in enumerate(ids) if item in there}  # the same id twice: the later one
                numbers = np.fromiter(last, dtype=np.int64, count=len(last))
                rows = np.ascontiguousarray(rows[list(last.values())])
                connection.executemany(
                    "INSERT OR REPLACE INTO vectors (passage, model, digest) VALUES (?, ?, ?)",
                    [(item, self.model, digest(row)) for item, row in zip(last, rows, strict=True)],
                )
                connection.executemany(
                    "INSERT OR REPLACE INTO vector_tail (passage, model, data) VALUES (?, ?, ?)",
                    [(item, self.model, _bytes(row)) for item, row in zip(last, rows, strict=True)],
                )
            self._forget(numbers)
            tail = self._tail
            self._tail = Tail(np.concatenate([tail.ids, numbers]), np.concatenate([tail.rows, rows]))
            self.version += 1

    def remove(self, ids: Sequence[int]) -> None:
        """Forget the vectors of these passages."""
        import numpy as np

        with self._lock:
            with self._db.transaction():
                for table in ("vectors", "vector_tail"):
                    self._db.run_in(f"DELETE FROM {table} WHERE model = ? AND passage IN (…)", list(ids), [self.model])
            self._forget(np.asarray(ids, dtype=np.int64))
            self.version += 1

    def fold_is_due(self, idle: bool = False) -> bool:
        """Whether the tail has grown, or much of the sealed file is gone. ``idle``: nobody waits, so less is enough."""
        with self._lock:
            sealed = 0 if self._base is None else len(self._base.ids)
            kept = int(self._alive.sum())
            least, part, most = TAIL
            limit = TAIL_AT_IDLE if idle else min(max(least, int(part * sealed)), most)
            if len(self._tail.ids) > limit or (sealed > least and sealed - kept > GONE * sealed):
                return True
            coarse = self._base is not None and self._base.coarse is not None
            return idle and self._base is not None and coarse != (kept > FLAT_UP_TO)

    def fold(self, cancel: CancelToken | None = None) -> None:
        """Make one sealed file of all that is there. Searches and additions go on meanwhile; one fold at a time.

        Raises:
            Cancelled: nothing was changed.
        """
        import numpy as np

        with self._lock:
            base, kept, tail = self._base, np.flatnonzero(self._alive), self._tail
        sealed = np.empty(0, dtype=np.int64) if base is None else base.ids[kept]
        ids = np.concatenate([sealed, tail.ids])
        if not len(ids):
            self._switch(None, tail, base)
            return
        order = np.argsort(ids, kind="stable")

        def portions() -> Iterator[Array]:
            for start in range(0, len(order), PORTION):
                part = order[start : start + PORTION]
                old = part < len(sealed)
                rows = np.empty((len(part), self.dimension), dtype=np.float32)
                if base is not None:
                    rows[old] = base.rows[kept[part[old]]]
                rows[~old] = tail.rows[part[~old] - len(sealed)]
                yield rows

        def check() -> None:
            if cancel is not None:
                cancel.check()

        record = write_base(self._folder, ids[order], portions(), self.dimension, FLAT_UP_TO, check)
        try:
            self._switch(open_base(self._folder, record, self.dimension), tail, base)
        except BaseException:
            for name in record.names():
                remove_file(self._folder / name)
            raise

    # -------------------------------------------------------------------------------------------------- internals
    def _switch(self, base: Base | None, folded: Tail, before: Base | None) -> None:
        """Take a new sealed file into use. What came or went while it was written stays so."""
        import numpy as np

        with self._lock:
            now, tail = self.ids(), self._tail
            same = _same_rows(tail, folded)
            with self._db.transaction() as connection:
                self._note_base(connection, base)
                done = "DELETE FROM vector_tail WHERE model = ? AND passage IN (…)"
                self._db.run_in(done, tail.ids[same].tolist(), [self.model])
            self._tail = Tail(tail.ids[~same], tail.rows[~same])
            self._base = base
            if base is not None:
                self._alive = np.isin(base.ids, now) & ~np.isin(base.ids, self._tail.ids)
            else:
                self._alive = _no_flags()
            self.version += 1
        for name in set() if before is None else before.record.names():
            remove_file(self._folder / name)

    def _note_base(self, connection: sqlite3.Connection, base: Base | None) -> None:
        text = "" if base is None else json.dumps(base.record.plain(), sort_keys=True)
        connection.execute("UPDATE vector_indexes SET base = ? WHERE model = ?", [text, self.model])

    def _load(self) -> None:
        """Read what is there. Afterwards files, tail and catalog agree: what only one of them has is dropped."""
        import numpy as np

        known = _column(self._db.rows("SELECT passage FROM vectors WHERE model = ?", [self.model]))
        query = "SELECT passage, data FROM vector_tail WHERE model = ? ORDER BY passage"
        rows = [row for row in self._db.rows(query, [self.model]) if len(row[1]) == 4 * self.dimension]
        joined = np.frombuffer(b"".join(row[1] for row in rows), dtype="<f4").reshape(-1, self.dimension)
        self._tail = Tail(_column(rows), joined.astype(np.float32, copy=False))
        self._open_base()
        if self._base is not None:
            self._alive = np.isin(self._base.ids, known) & ~np.isin(self._base.ids, self._tail.ids)
        lost = np.setdiff1d(known, self.ids(), assume_unique=True)
        if len(lost):
            self._db.run_in("DELETE FROM vectors WHERE model = ? AND passage IN (…)", lost.tolist(), [self.model])

    def _open_base(self) -> None:
        text = str(self._db.scalar("SELECT base FROM vector_indexes WHERE model = ?", [self.model]) or "")
        if not text:
            return
        try:
            record = BaseRecord.read(json.loads(text))
            self._base = open_base(self._folder, record, self.dimension)
        except (KeyError, TypeError, ValueError, OSError) as error:
            reason = error if isinstance(error, DamagedFile) else "the record of it cannot be read"
            self.notes.append(f"The search index could not be used ({reason}) and is made anew.")
            with self._db.transaction() as connection:
                self._note_base(connection, None)
            return
        self.notes.extend(self._base.notes)
        if self._base.record != record:  # found right after it was copied or touched: not to be hashed again
            with self._db.transaction() as connection:
                self._note_base(connection, self._base)

    def _choice(self, allowed: Sequence[int]) -> Choice:
        """What to search among; made once for as long as the same object is asked for and nothing changes."""
        import numpy as np

        last = self._last
        if last is not None and last.allowed is allowed and last.version == self.version:
            return last
        again = last is not None and last.allowed is allowed
        array = last.array if last is not None and again else np.asarray(allowed, dtype=np.int64)
        here, base = None, Mask(0)
        if self._base is not None:
            known = last.here if last is not None and again and last.of is self._base else None
            here = np.isin(self._base.ids, array) if known is None else known
            base = Mask.of(here & self._alive)
        tail = Mask.of(np.isin(self._tail.ids, array))
        self._last = Choice(allowed, array, self.version, self._base, here, base, tail)
        return self._last

    def _forget(self, ids: Ids) -> None:
        import numpy as np

        if self._base is not None:
            self._alive = self._alive.copy()
            self._alive[self._base.positions(ids)] = False
        gone = np.isin(self._tail.ids, ids)
        if gone.any():
            self._tail = Tail(self._tail.ids[~gone], self._tail.rows[~gone])

    def _places(self, ids: Sequence[int]) -> dict[int, tuple[bool, int]]:
        """Where the vector of each id stands: in the tail or not, and at which position."""
        import numpy as np

        found: dict[int, tuple[bool, int]] = {}
        if self._base is not None:
            for at in self._base.positions(np.unique(np.asarray(ids, dtype=np.int64))).tolist():
                if self._alive[at]:
                    found[int(self._base.ids[at])] = (False, at)
        return found | {item: (True, at) for at, item in enumerate(self._tail.ids.tolist())}

    def _row(self, place: tuple[bool, int]) -> Array:
        in_tail, at = place
        rows = self._tail.rows if in_tail or self._base is None else self._base.rows
        row: Array = rows[at]
        return row

    def _empty_tail(self) -> Tail:
        import numpy as np

        return Tail(np.empty(0, dtype=np.int64), np.empty((0, self.dimension), dtype=np.float32))


def _same_rows(tail: Tail, folded: Tail) -> Flags:
    """Which rows of the tail are among those that were folded, unchanged."""
    import numpy as np

    if tail is folded:
        return np.ones(len(tail.ids), dtype=np.bool_)
    at = {item: number for number, item in enumerate(folded.ids.tolist())}
    return np.array(
        [
            item in at and np.array_equal(row, folded.rows[at[item]])
            for item, row in zip(tail.ids.tolist(), tail.rows, strict=True)
        ],
        dtype=np.bool_,
    )


def _column(rows: Sequence[Sequence[int]]) -> Ids:
    import numpy as np

    return np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows))


def _no_flags() -> Flags:
    import numpy as np

    return np.empty(0, dtype=np.bool_)


def _bytes(vector: Array) -> bytes:
    import numpy as np

    return np.ascontiguousarray(vector, dtype=np.dtype("<f4")).tobytes()


def digest(vector: Array) -> str:
    """What a stored vector must read back as, to the last bit."""
    return hashlib.sha256(_bytes(vector)).hexdigest()[:16]
