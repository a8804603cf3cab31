"""Vectors: what is written is found and read back, also after a crash or damage."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from minerva_desktop.library import Library
from tests.library_helpers import Shelf

MODEL = "test-model"


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Library.open(tmp_path / "library", create=True) as library:
        shelf = Shelf(library, tmp_path)
        for number in range(6):
            shelf.add(f"{number}.txt", f"Text number {number}.")
        yield shelf


def vectors_of(count: int, seed: int = 0) -> npt.NDArray[np.float32]:
    array = np.random.default_rng(seed).normal(size=(count, 384)).astype(np.float32)
    unit: npt.NDArray[np.float32] = array / np.linalg.norm(array, axis=1, keepdims=True)
    return unit


def test_vectors_read_back_as_written_after_opening_again(shelf: Shelf) -> None:
    rows, array = list(shelf.catalog.passage_rows()), vectors_of(6)
    shelf.library.vectors.add(rows, array, MODEL)
    path = shelf.library.path
    shelf.library.close()
    with Library.open(path) as library:
        assert library.vectors.model() == MODEL
        assert library.vectors.ids() == rows
        np.testing.assert_array_equal(library.vectors.reconstruct(rows), array)
        assert library.vectors.missing(MODEL) == []
        with pytest.raises(KeyError):
            library.vectors.reconstruct([999])


def test_only_allowed_passages_are_found(shelf: Shelf) -> None:
    rows, array = list(shelf.catalog.passage_rows()), vectors_of(6)
    vectors = shelf.library.vectors
    vectors.add(rows, array, MODEL)
    best = [row for row, _ in vectors.search(array[2], 3, rows)]
    assert best[0] == rows[2]
    assert len(best) == 3
    allowed = [rows[0], rows[5]]
    assert {row for row, _ in vectors.search(array[2], 3, allowed)} == set(allowed)
    assert vectors.search(array[2], 3, []) == []
    assert vectors.search(array[2], 0, rows) == []
    assert vectors.search(array[2][:10], 3, rows) == []
    assert vectors.search(np.full(384, np.nan, dtype=np.float32), 3, rows) == []


def test_adding_again_replaces(shelf: Shelf) -> None:
    rows = list(shelf.catalog.passage_rows())
    vectors = shelf.library.vectors
    vectors.add(rows, vectors_of(6), MODEL)
    vectors.add(rows[:2], vectors_of(2, seed=1), MODEL)
    assert vectors.count() == 6
    np.testing.assert_array_equal(vectors.reconstruct(rows[:2]), vectors_of(2, seed=1))
    vectors.remove(rows[:2])
    assert vectors.ids() == rows[2:]
    assert [row for row, _ in vectors.missing(MODEL)] == rows[:2]


def test_two_models_are_never_mixed(shelf: Shelf) -> None:
    rows = list(shelf.catalog.passage_rows())
    vectors = shelf.library.vectors
    vectors.add(rows, vectors_of(6), MODEL)
    assert len(vectors.missing("other")) == 6
    vectors.add(rows[:1], vectors_of(1), "other")
    assert (vectors.model(), vectors.count()) == ("other", 1)


def test_vectors_of_another_shape_or_not_numbers_are_refused(shelf: Shelf) -> None:
    rows = list(shelf.catalog.passage_rows())
    with pytest.raises(ValueError, match="6 ids"):
        shelf.library.vectors.add(rows, vectors_of(5), MODEL)
    with pytest.raises(ValueError, match="not a number"):
        shelf.library.vectors.add(rows[:1], np.full((1, 384), np.nan, dtype=np.float32), MODEL)


@pytest.mark.parametrize("damage", ["flip", "cut", "junk", "sidecar", "gone"])
def test_a_damaged_index_is_dropped_and_made_anew(shelf: Shelf, damage: str) -> None:
    rows = list(shelf.catalog.passage_rows())
    shelf.library.vectors.add(rows, vectors_of(6), MODEL)
    path = shelf.library.path
    shelf.library.close()
    file, sidecar = path / "vectors" / "passages.faiss", path / "vectors" / "passages.json"
    data = bytearray(file.read_bytes())
    if damage == "flip":
        data[len(data) // 2] ^= 4
        file.write_bytes(data)
    elif damage == "cut":
        file.write_bytes(data[:1000])
    elif damage == "junk":
        file.write_bytes(b"junk" * 100)
    elif damage == "sidecar":
        sidecar.write_text("{}")
    else:
        file.unlink()
    with Library.open(path) as library:
        assert library.vectors.count() == 0
        assert len(library.vectors.missing(MODEL)) == 6
        library.vectors.add(rows, vectors_of(6), MODEL)
        assert library.audit().ok


def test_what_was_not_saved_before_a_crash_is_embedded_again(shelf: Shelf) -> None:
    rows = list(shelf.catalog.passage_rows())
    vectors = shelf.library.vectors
    vectors.add(rows[:3], vectors_of(3), MODEL)
    vectors.save()
    vectors.add(rows[3:], vectors_of(3, seed=1), MODEL)
    vectors._changed = False  # the process ends here: the catalog knows six, the file three
    path = shelf.library.path
    shelf.library.close()
    with Library.open(path) as library:
        assert library.vectors.ids() == rows[:3]
        assert [row for row, _ in library.vectors.missing(MODEL)] == rows[3:]
