"""The vectors of passages in FAISS: exact inner product over unit vectors, ids are row numbers of passages.

The only module that knows FAISS. The file is a projection: beside it stands what it was made with (model, dimension,
count, sha256), and a file that does not fit is dropped and made anew by embedding again.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minerva_desktop.library.database import Database
from minerva_desktop.library.files import sha256_of, write_whole

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float32]
    Ids = npt.NDArray[np.int64]

INDEX = "passages.faiss"
SIDECAR = "passages.json"


@dataclass(frozen=True, slots=True)
class _Choice:
    """Passages to search among: how many of them have a vector, and the engine's search parameters (None = all)."""

    allowed: Sequence[int]
    version: int
    count: int
    parameters: Any


class Vectors:
    """``vectors/`` of one library; loaded at first use, thread-safe."""

    def __init__(self, folder: Path, db: Database) -> None:
        self.folder = folder
        self.notes: list[str] = []
        self._db = db
        self._lock = threading.RLock()
        self._index: Any = None
        self._model = ""
        self._loaded = False
        self._changed = False
        self._version = 0  # counts changes of the index
        self._last: _Choice | None = None
        self._settled: tuple[str, int, tuple[int, ...]] | None = None

    # ---------------------------------------------------------------------------------------------------- reading
    def model(self) -> str:
        """Id of the model that made the vectors; empty when there are none."""
        with self._lock:
            self._load()
            return self._model if self._index is not None else ""

    def count(self) -> int:
        with self._lock:
            self._load()
            return 0 if self._index is None else int(self._index.ntotal)

    def count_of(self, rows: Sequence[int]) -> int:
        """How many of these passages have a vector."""
        with self._lock:
            self._load()
            return 0 if self._index is None else self._choice(rows).count

    def ids(self) -> list[int]:
        """Row numbers of the passages that have a vector, ascending."""
        with self._lock:
            self._load()
            return [] if self._index is None else sorted(self._id_array().tolist())

    def reconstruct(self, ids: Sequence[int]) -> Array:
        """The stored vectors, shape (n, dimension).

        Raises:
            KeyError: an id has no vector.
        """
        import numpy as np

        with self._lock:
            self._load()
            if self._index is None:
                raise KeyError(ids[0] if ids else "")
            try:
                rows = [self._index.reconstruct(int(item)) for item in ids]
            except RuntimeError as error:
                raise KeyError(str(error)) from error
            return np.array(rows, dtype=np.float32).reshape(len(rows), self._index.d)

    def search(self, vector: Array, limit: int, allowed: Sequence[int]) -> list[tuple[int, float]]:
        """(row number, cosine) of the nearest among the allowed passages, best first, ties by number."""
        import numpy as np

        with self._lock:
            self._load()
            if self._index is None or limit <= 0 or not self._index.ntotal:
                return []
            query = np.ascontiguousarray(vector, dtype=np.float32).reshape(1, -1)
            if query.shape[1] != self._index.d or not np.isfinite(query).all():
                return []
            choice = self._choice(allowed)
            if not choice.count:
                return []
            scores, found = self._index.search(query, min(limit, choice.count), params=choice.parameters)
        pairs = [(int(item), float(score)) for item, score in zip(found[0], scores[0], strict=True) if item >= 0]
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))

    # ---------------------------------------------------------------------------------------------------- writing
    def add(self, ids: Sequence[int], vectors: Array, model: str) -> None:
        """Store unit vectors of passages, replacing older ones. Kept in memory until :meth:`save`."""
        import faiss
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
            if self._index is None or self._model != model or self._index.d != array.shape[1]:
                self._start(array.shape[1], model)
            numbers = np.asarray(ids, dtype=np.int64)
            self._index.remove_ids(faiss.IDSelectorBatch(numbers))
            self._index.add_with_ids(array, numbers)
            self._version += 1
            self._changed = True
            with self._db.transaction() as connection:
                connection.executemany(
                    "INSERT OR REPLACE INTO vectors (passage, model, digest) VALUES (?, ?, ?)",
                    [(int(item), model, digest(row)) for item, row in zip(ids, array, strict=True)],
                )

    def remove(self, ids: Sequence[int]) -> None:
        """Forget the vectors of these passages."""
        import faiss
        import numpy as np

        if not ids:
            return
        with self._lock:
            self._load()
            if self._index is not None:
                self._index.remove_ids(faiss.IDSelectorBatch(np.asarray(ids, dtype=np.int64)))
                self._version += 1
                self._changed = True
            self._db.run_in("DELETE FROM vectors WHERE passage IN (…)", list(ids))

    def save(self) -> None:
        """Write the index and what it was made with; each file is replaced whole."""
        import faiss

        with self._lock:
            if not self._changed or self._index is None:
                return
            data = faiss.serialize_index(self._index).tobytes()
            sidecar = {
                "model": self._model,
                "dimension": int(self._index.d),
                "count": int(self._index.ntotal),
                "sha256": hashlib.sha256(data).hexdigest(),
            }
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.folder / INDEX, data)
            write_whole(self.folder / SIDECAR, json.dumps(sidecar, indent=1, sort_keys=True).encode())
            self._changed = False

    def clear(self) -> None:
        """Drop all vectors and the files."""
        with self._lock:
            self._index, self._model, self._changed = None, "", False
            self._version += 1
            for name in (INDEX, SIDECAR):
                (self.folder / name).unlink(missing_ok=True)
            with self._db.transaction() as connection:
                connection.execute("DELETE FROM vectors")

    def close(self) -> None:
        """Save what is not saved yet."""
        with self._lock:
            self.save()
            self._index = None

    def missing(self, model: str) -> list[tuple[int, str]]:
        """(row number, text) of passages in the library without a vector of this model, in order."""
        with self._lock:
            self._load()
            rows = self._db.rows(
                "SELECT p.seq, p.text FROM passages p LEFT JOIN vectors v ON v.passage = p.seq AND v.model = ? "
                "WHERE p.live AND v.passage IS NULL ORDER BY p.seq",
                [model],
            )
        return [(row["seq"], row["text"]) for row in rows]

    def settled(self, model: str) -> bool:
        """Whether nothing came or went since :meth:`settle`; cheap, for the many changes that touch no passage."""
        return self._settled == (model, self._version, self.passage_state())

    def settle(self, model: str, state: tuple[int, ...]) -> None:
        """Note that the passages of that :meth:`passage_state` have their vectors of this model now."""
        self._settled = (model, self._version, state)

    def passage_state(self) -> tuple[int, ...]:
        """Changes when a passage comes or goes."""
        row = self._db.row("SELECT count(*), coalesce(max(seq), 0), coalesce(sum(seq), 0) FROM passages WHERE live = 1")
        return tuple(row) if row else ()

    def stale(self) -> list[int]:
        """Row numbers that have a vector but no passage in the library any more."""
        have = self.ids()
        there = {row[0] for row in self._db.rows_in("SELECT seq FROM passages WHERE live AND seq IN (…)", have)}
        return [item for item in have if item not in there]

    def drop_stale(self) -> None:
        """Forget the vectors of passages that are not there any more. Needs no embedder, so that papers which are read
        anew or removed while none is in use leave nothing behind."""
        with self._lock:
            if self._index is None and not (self.folder / INDEX).exists():
                return
            if self.settled(""):
                return
            state = self.passage_state()
            self.remove(self.stale())
            self.save()
            self.settle("", state)

    def wrong(self) -> list[int]:
        """Row numbers whose stored vector is not the one that was written."""
        with self._lock:
            self._load()
            if self._index is None:
                return []
            rows = self._db.rows("SELECT passage, digest FROM vectors ORDER BY passage")
            stored = dict(zip(self._id_array().tolist(), self._raw(), strict=True))
        return [row["passage"] for row in rows if row["passage"] in stored and digest(stored[row["passage"]]) != row[1]]

    def file_problem(self) -> str:
        """One sentence on what is wrong with the files; empty when they are as they were written (or not there)."""
        with self._lock:
            self.save()
            if not (self.folder / INDEX).exists():
                return "" if self._index is None else "The search index file has been deleted."
            try:
                sidecar = json.loads((self.folder / SIDECAR).read_text(encoding="utf-8"))
                if sha256_of(self.folder / INDEX) != sidecar["sha256"]:
                    return "The search index file has been changed since it was written."
            except (OSError, ValueError, KeyError, TypeError) as error:
                return f"The record beside the search index cannot be read: {error}."
            return ""

    def repair(self) -> None:
        """Drop what cannot be trusted; embedding again brings it back."""
        with self._lock:
            if self.file_problem():
                self.clear()
            self.remove(sorted({*self.stale(), *self.wrong()}))
            self.save()

    # -------------------------------------------------------------------------------------------------- internals
    def _load(self) -> None:
        """Read the files, once."""
        if self._loaded:
            return
        self._loaded = True
        if (self.folder / INDEX).exists():
            self._read()
        self._reconcile()

    def _read(self) -> None:
        import faiss
        import numpy as np

        faiss.omp_set_num_threads(1)  # more threads make single queries many times slower
        try:
            sidecar: Mapping[str, Any] = json.loads((self.folder / SIDECAR).read_text(encoding="utf-8"))
            data = (self.folder / INDEX).read_bytes()
            if hashlib.sha256(data).hexdigest() != sidecar["sha256"]:
                raise ValueError("its content has changed")
            index = faiss.deserialize_index(np.frombuffer(data, dtype=np.uint8))
            if index.ntotal != sidecar["count"] or index.d != sidecar["dimension"]:
                raise ValueError("its size has changed")
            # Kept as it came: what downcast_index gives does not own the index, which would then be freed under it.
            self._index, self._model = index, str(sidecar["model"])
        except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
            self.notes.append(f"The search index could not be used ({error}) and is made anew.")
            self.clear()

    def _reconcile(self) -> None:
        """After a process was killed between two writes: keep only vectors that both the file and the catalog have."""
        import numpy as np

        if self._index is None:
            if self._db.scalar("SELECT 1 FROM vectors LIMIT 1"):
                with self._db.transaction() as connection:
                    connection.execute("DELETE FROM vectors")
            return
        known = {row[0] for row in self._db.rows("SELECT passage FROM vectors WHERE model = ?", [self._model])}
        have = set(self._id_array().tolist())
        if known == have:
            return
        self._db.run_in("DELETE FROM vectors WHERE passage IN (…)", sorted(known - have))
        extra = sorted(have - known)
        if extra:
            import faiss

            self._index.remove_ids(faiss.IDSelectorBatch(np.asarray(extra, dtype=np.int64)))
            self._version += 1
            self._changed = True

    def _choice(self, allowed: Sequence[int]) -> _Choice:
        """What to search among; made once for as long as the same object is asked for and no vector changes."""
        import numpy as np

        if self._last is None or self._last.allowed is not allowed or self._last.version != self._version:
            here = np.intersect1d(np.asarray(allowed, dtype=np.int64), self._id_array())
            everything = len(here) == self._index.ntotal
            self._last = _Choice(allowed, self._version, len(here), None if everything else _only(here))
        return self._last

    def _start(self, dimension: int, model: str) -> None:
        import faiss

        faiss.omp_set_num_threads(1)
        self.clear()
        self._index = faiss.IndexIDMap2(faiss.IndexFlatIP(dimension))
        self._model = model

    def _id_array(self) -> Ids:
        import faiss
        import numpy as np

        return np.asarray(faiss.vector_to_array(self._index.id_map), dtype=np.int64)

    def _raw(self) -> Array:
        import faiss
        import numpy as np

        flat: Any = faiss.downcast_index(self._index.index)
        return np.asarray(faiss.vector_to_array(flat.codes).view(np.float32)).reshape(-1, self._index.d)


def _only(ids: Ids) -> Any:
    """Search parameters that let only these ids be found."""
    import faiss

    parameters: Any = faiss.SearchParameters
    return parameters(sel=faiss.IDSelectorBatch(ids))


def digest(vector: Array) -> str:
    """What a stored vector must read back as, to the last bit."""
    import numpy as np

    return hashlib.sha256(np.ascontiguousarray(vector, dtype="<f4").tobytes()).hexdigest()[:16]
