"""The only module that knows FAISS: the nearest of many rows, and an index that is quick where they are very many.

All of it works on positions of rows in an array, which may be a file that is mapped into memory. FAISS runs on one thread:
more make single queries many times slower.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float32]
    Ids = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

LISTS_FROM = 512  # lists of the quick index at the least; doubled for each fourfold number of rows
_PROBED = 8  # one of so many lists is looked through
_TRAINED_ON = 40  # rows for each list
_ROUNDS = 8  # of k-means
_ADDED = 50_000  # rows at a time


@dataclass(frozen=True, slots=True)
class Mask:
    """Which rows may be found. ``bits`` are None when all may."""

    count: int
    bits: npt.NDArray[np.uint8] | None = None

    @classmethod
    def of(cls, flags: Flags) -> Mask:
        import numpy as np

        count = int(np.count_nonzero(flags))
        return cls(count, None if count == len(flags) else np.packbits(flags, bitorder="little"))

    def selector(self, rows: int) -> Any:
        import faiss

        return None if self.bits is None else faiss.IDSelectorBitmap(rows, faiss.swig_ptr(self.bits))


def nearest(rows: Array, query: Array, count: int, mask: Mask) -> tuple[Ids, Array]:
    """Positions and inner products of the ``count`` best rows, best first; every row is looked at.

    ``rows`` has shape (n, d), ``query`` shape (d,); both contiguous.
    """
    import faiss
    import numpy as np

    faiss.omp_set_num_threads(1)
    count = min(count, mask.count)
    scores = np.empty((1, count), dtype=np.float32)
    found = np.empty((1, count), dtype=np.int64)
    if count:
        selector = mask.selector(len(rows))
        pointers = [faiss.swig_ptr(array) for array in (query, rows, scores, found)]
        faiss.knn_inner_product(
            pointers[0], pointers[1], rows.shape[1], 1, len(rows), count, pointers[2], pointers[3], selector
        )
    there = found[0] >= 0
    return found[0][there], scores[0][there]


class Coarse:
    """Inverted lists of rows in one byte a component: a quarter of the memory, and one list of eight is looked through.

    What it finds are candidates; their true products are taken from the rows themselves.
    """

    def __init__(self, index: Any) -> None:
        self._index = index

    @classmethod
    def open(cls, file: Path) -> Coarse:
        """The index in a file, which stays on the disk but for what is looked at.

        Raises:
            RuntimeError: it is no such index.
        """
        import faiss

        faiss.omp_set_num_threads(1)
        return cls(faiss.read_index(str(file), faiss.IO_FLAG_MMAP | faiss.IO_FLAG_READ_ONLY))

    @staticmethod
    def build(rows: Array, file: Path) -> None:
        """Make the index of these rows and write it; the same rows give the same index."""
        import faiss
        import numpy as np

        faiss.omp_set_num_threads(1)
        lists = LISTS_FROM
        while lists * lists * 4 < len(rows):
            lists *= 2
        index = faiss.IndexIVFScalarQuantizer(
            faiss.IndexFlatIP(rows.shape[1]),
            rows.shape[1],
            lists,
            faiss.ScalarQuantizer.QT_8bit,
            faiss.METRIC_INNER_PRODUCT,
        )
        index.cp.niter = _ROUNDS
        index.cp.max_points_per_centroid = _TRAINED_ON
        index.cp.min_points_per_centroid = 1
        step = max(1, len(rows) // (lists * _TRAINED_ON))
        index.train(np.ascontiguousarray(rows[::step]))
        for start in range(0, len(rows), _ADDED):
            index.add(np.ascontiguousarray(rows[start : start + _ADDED]))
        faiss.write_index(index, str(file))

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return int(self._index.ntotal)

    def nearest(self, query: Array, count: int, mask: Mask) -> Ids:
        """Positions of candidates for the ``count`` best rows, shape (up to count,)."""
        import faiss

        parameters: Any = faiss.SearchParametersIVF
        selector = mask.selector(self.rows)
        chosen = parameters(nprobe=max(1, int(self._index.nlist) // _PROBED), sel=selector)
        _, found = self._index.search(query.reshape(1, -1), min(count, mask.count), params=chosen)
        positions: Ids = found[0][found[0] >= 0]
        return positions


def read_whole_index(data: bytes) -> tuple[Ids, Array]:
    """Ids and vectors of an index as libraries had them in one file before.

    Raises:
        RuntimeError: the data are no such index.
    """
    import faiss
    import numpy as np

    index: Any = faiss.deserialize_index(np.frombuffer(data, dtype=np.uint8))
    ids = np.array(faiss.vector_to_array(index.id_map), dtype=np.int64)
    flat: Any = faiss.downcast_index(index.index)
    rows = np.array(faiss.vector_to_array(flat.codes).view(np.float32)).reshape(-1, index.d)
    return ids, rows
