"""The vectors of passages: exact inner product over unit vectors, ids are row numbers of passages.

One model's vectors are in use. Those of another model are made beside them (``add`` with its id) and take their place when
:meth:`Vectors.use` is called; until then the old ones answer. Everything here is a projection: what does not fit is dropped
and made anew by embedding again.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minerva_desktop.events import CancelToken
from minerva_desktop.library.database import Database
from minerva_desktop.library.vector_engine import read_whole_index
from minerva_desktop.library.vector_files import remove_file, remove_others
from minerva_desktop.library.vector_index import ModelIndex, digest

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float32]

KINDS = ("paper", "textbook")
OLD_INDEX, OLD_SIDECAR = "passages.faiss", "passages.json"  # one file for all, as it was before


class Vectors:
    """``vectors/`` of one library; loaded at first use, thread-safe."""

    def __init__(self, folder: Path, db: Database) -> None:
        self.folder = folder
        self.notes: list[str] = []
        self._db = db
        self._lock = threading.RLock()
        self._folding = threading.Lock()
        self._loaded = False
        self._used: ModelIndex | None = None
        self._next: ModelIndex | None = None
        self._changes = 0  # of which model is in use
        self._settled: tuple[object, ...] | None = None

    # ---------------------------------------------------------------------------------------------------- reading
    def model(self) -> str:
        """Id of the model whose vectors are in use; empty when there are none."""
        used = self._in_use()
        return "" if used is None else used.model

    def next_model(self) -> str:
        """Id of the model whose vectors are being made; empty when there is none."""
        with self._lock:
            self._load()
            return "" if self._next is None else self._next.model

    def count(self, model: str = "") -> int:
        """How many passages have a vector of this model (default: the one in use)."""
        index = self._in_use() if not model else self._index_of(model)
        return 0 if index is None else index.count()

    def count_of(self, rows: Sequence[int]) -> int:
        """How many of these passages have a vector."""
        used = self._in_use()
        return 0 if used is None else used.count_of(rows)

    def ids(self) -> list[int]:
        """Row numbers of the passages that have a vector, ascending."""
        used = self._in_use()
        return [] if used is None else used.ids().tolist()

    def reconstruct(self, ids: Sequence[int]) -> Array:
        """The stored vectors, shape (n, dimension).

        Raises:
            KeyError: an id has no vector.
        """
        used = self._in_use()
        if used is None:
            raise KeyError(ids[0] if ids else "")
        return used.reconstruct(ids)

    def search(self, vector: Array, limit: int, allowed: Sequence[int]) -> list[tuple[int, float]]:
        """(row number, cosine) of the nearest among the allowed passages, best first, ties by number."""
        import numpy as np

        used = self._in_use()
        query = np.ascontiguousarray(vector, dtype=np.float32).reshape(-1)
        if used is None or query.shape[0] != used.dimension or not np.isfinite(query).all():
            return []
        return used.search(query, limit, allowed)

    def scores(self, vector: Array, rows: Sequence[int]) -> dict[int, float]:
        """The cosine of each of these passages that has a vector, by row number."""
        import numpy as np

        used = self._in_use()
        query = np.ascontiguousarray(vector, dtype=np.float32).reshape(-1)
        if used is None or query.shape[0] != used.dimension or not np.isfinite(query).all():
            return {}
        return used.scores(query, rows)

    # ---------------------------------------------------------------------------------------------------- writing
    def add(self, ids: Sequence[int], vectors: Array, model: str) -> None:
        """Store unit vectors of passages, replacing older ones; a kill afterwards loses nothing.

        Vectors of another model than the one in use are kept beside it, until :meth:`use`.
        """
        import numpy as np

        if not ids:
            return
        array = np.ascontiguousarray(vectors, dtype=np.float32)
        if array.ndim != 2 or array.shape[0] != len(ids):
            raise ValueError(f"{len(ids)} ids, but vectors of shape {array.shape}")
        if not np.isfinite(array).all():
            raise ValueError("a vector has a component that is not a number")
        with self._lock:
            self._load()
            index = self._index_of(model)
            if index is None or index.dimension != array.shape[1]:
                index = self._start(model, array.shape[1])
            index.add(ids, array)

    def use(self, model: str) -> None:
        """Take the vectors of this model into use, and drop all others."""
        with self._lock:
            self._load()
            if self._next is None or self._next.model != model:
                return
            with self._db.transaction() as connection:
                connection.execute("UPDATE vector_indexes SET used = (model = ?)", [model])
                self._drop_rows("model <> ?", [model])
            self._used, self._next = self._next, None
            self._changes += 1
            remove_others(self.folder, self._used.file_names())

    def remove(self, ids: Sequence[int]) -> None:
        """Forget the vectors of these passages, of every model."""
        if not ids:
            return
        with self._lock:
            self._load()
            for index in self._indexes():
                index.remove(ids)

    def save(self, *, idle: bool = False, cancel: CancelToken | None = None) -> None:
        """Fold what came lately into the file, where enough came. Nothing is lost without it. ``idle``: fold sooner.

        Raises:
            Cancelled: the file is as it was.
        """
        if self._folding.acquire(blocking=False):
            try:
                for index in self._indexes():
                    if index.fold_is_due(idle):
                        index.fold(cancel)
            finally:
                self._folding.release()

    def seal(self) -> None:
        """Fold all that is there into files, however little it is."""
        with self._lock:
            self._load()
        with self._folding:
            for index in self._indexes():
                index.fold()

    def clear(self) -> None:
        """Drop all vectors and the files."""
        with self._folding, self._lock:
            self._used = self._next = None
            self._loaded = True
            self._changes += 1
            with self._db.transaction():
                self._drop_rows("1", [])
            for name in (OLD_INDEX, OLD_SIDECAR):
                remove_file(self.folder / name)
            remove_others(self.folder, set())

    def close(self) -> None:
        """Let go of the files."""
        with self._folding, self._lock:
            self._used = self._next = None

    def missing(
        self, model: str, kinds: Sequence[str] = KINDS, *, after: int = 0, limit: int = -1
    ) -> list[tuple[int, str]]:
        """(row number, text) of passages in the library without a vector of this model, in order of their numbers."""
        with self._lock:
            self._load()
        rows = self._db.rows(
            f"SELECT p.seq, p.text FROM passages p WHERE {_without_vector(kinds)} AND p.seq > ? ORDER BY p.seq LIMIT ?",
            [model, after, limit],
        )
        return [(row["seq"], row["text"]) for row in rows]

    def count_missing(self, model: str, kinds: Sequence[str] = KINDS) -> int:
        """How many passages in the library have no vector of this model."""
        with self._lock:
            self._load()
        return int(self._db.scalar(f"SELECT count(*) FROM passages p WHERE {_without_vector(kinds)}", [model]))

    def settled(self, model: str) -> bool:
        """Whether nothing came or went since :meth:`settle`; cheap, for the many changes that touch no passage."""
        return self._settled == (model, self._state(), self.passage_state())

    def settle(self, model: str, state: int) -> None:
        """Note that the passages of that :meth:`passage_state` have their vectors of this model now."""
        self._settled = (model, self._state(), state)

    def passage_state(self) -> int:
        """Changes when a passage comes or goes."""
        return int(self._db.scalar("SELECT value FROM counters WHERE name = 'passages'") or 0)

    def stale(self) -> list[int]:
        """Row numbers that have a vector but no passage in the library any more."""
        import numpy as np

        with self._lock:
            self._load()
            have = [index.ids() for index in self._indexes()]
        if not have:
            return []
        with self._db.read() as connection:
            rows = connection.execute("SELECT seq FROM passages WHERE live")
            there = np.fromiter((row[0] for row in rows), dtype=np.int64)
        ids = np.concatenate(have)
        gone: list[int] = np.unique(ids[~np.isin(ids, there)]).tolist()
        return gone

    def drop_stale(self) -> None:
        """Forget the vectors of passages that are not there any more. Needs no embedder, so that papers which are read
        anew or removed while none is in use leave nothing behind."""
        if self._in_use() is None or self.settled(""):
            return
        state = self.passage_state()
        self.remove(self.stale())
        self.settle("", state)

    def wrong(self) -> list[int]:
        """Row numbers whose stored vector is not the one that was written."""
        with self._lock:
            self._load()
            indexes = self._indexes()
        return sorted({item for index in indexes for item in index.wrong()})

    def file_problem(self) -> str:
        """One sentence on what is wrong with the files; empty when they are as they were written (or not there)."""
        with self._lock:
            self._load()
            indexes = self._indexes()
        return next((problem for index in indexes if (problem := index.file_problem())), "")

    def repair(self) -> None:
        """Drop what cannot be trusted; embedding again brings it back."""
        if self.file_problem():
            self.clear()
        self.remove(sorted({*self.stale(), *self.wrong()}))

    # -------------------------------------------------------------------------------------------------- internals
    def _in_use(self) -> ModelIndex | None:
        with self._lock:
            self._load()
            return self._used

    def _indexes(self) -> list[ModelIndex]:
        return [index for index in (self._used, self._next) if index is not None]

    def _index_of(self, model: str) -> ModelIndex | None:
        with self._lock:
            self._load()
            return next((index for index in self._indexes() if index.model == model), None)

    def _state(self) -> tuple[int, ...]:
        with self._lock:
            return (self._changes, *(index.version for index in self._indexes()))

    def _start(self, model: str, dimension: int) -> ModelIndex:
        """An empty index for this model: the one in use when there is none, else the one that is being made."""
        if self._used is not None and self._used.model == model:
            self._used = None  # its vectors have another length now
        used = self._used is None
        with self._db.transaction() as connection:
            self._drop_rows("model <> ?", [self._used.model if self._used is not None else ""])
            connection.execute(
                "INSERT INTO vector_indexes (model, used, dimension, base) VALUES (?, ?, ?, '')",
                [model, used, dimension],
            )
        index = ModelIndex(self._db, self.folder, model, dimension)
        if used:
            self._used, self._next = index, None
        else:
            self._next = index
        self._changes += 1
        return index

    def _drop_rows(self, condition: str, values: Sequence[str]) -> None:
        with self._db.transaction() as connection:
            for table in ("vectors", "vector_tail", "vector_indexes"):
                connection.execute(f"DELETE FROM {table} WHERE {condition}", values)

    def _load(self) -> None:
        """Read what is there, once."""
        if self._loaded:
            return
        self._loaded = True
        rows = self._db.rows("SELECT model, used, dimension FROM vector_indexes ORDER BY used DESC, model")
        if not rows:
            self._take_over()
            return
        for row in rows:
            index = ModelIndex(self._db, self.folder, row["model"], row["dimension"])
            self.notes.extend(index.notes)
            if row["used"]:
                self._used = index
            else:
                self._next = index
        remove_others(self.folder, {name for index in self._indexes() for name in index.file_names()})

    def _take_over(self) -> None:
        """Bring in the index of a library from before the catalog kept the record of it."""
        old, sidecar = self.folder / OLD_INDEX, self.folder / OLD_SIDECAR
        digests = {row[0]: row[1] for row in self._db.rows("SELECT passage, digest FROM vectors")}
        if not old.exists():
            if digests:
                self.clear()
            return
        try:
            said: Mapping[str, Any] = json.loads(sidecar.read_text(encoding="utf-8"))
            data = old.read_bytes()
            if hashlib.sha256(data).hexdigest() != said["sha256"]:
                raise ValueError("its content has changed")
            ids, rows = read_whole_index(data)
            model = str(said["model"])
        except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
            self.notes.append(f"The search index could not be used ({error}) and is made anew.")
            self.clear()
            return
        kept = [at for at, item in enumerate(ids.tolist()) if digests.get(item) == digest(rows[at])]
        with self._db.transaction():
            self._start(model, rows.shape[1]).add(ids[kept].tolist(), rows[kept])
        assert self._used is not None
        self._used.fold()
        for name in (OLD_INDEX, OLD_SIDECAR):
            remove_file(self.folder / name)


def _without_vector(kinds: Sequence[str]) -> str:
    """A condition on passages, with a placeholder for the model."""
    wanted = ", ".join(f"'{kind}'" for kind in KINDS if kind in kinds)
    return (
        f"p.live AND p.kind IN ({wanted}) "
        "AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.passage = p.seq AND v.model = ?)"
    )


__all__ = ["Vectors", "digest"]
