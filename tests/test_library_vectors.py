"""Vectors: what is written is found and read back, also after a crash or damage, with one model or two."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from minerva_desktop.library import Library
from minerva_desktop.library.files import sha256_of
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


def test_vectors_of_another_model_are_made_beside_those_in_use(shelf: Shelf) -> None:
    rows = list(shelf.catalog.passage_rows())
    vectors = shelf.library.vectors
    vectors.add(rows, vectors_of(6), MODEL)
    assert len(vectors.missing("other")) == 6
    vectors.add(rows[:4], vectors_of(4, seed=1)[:, :100], "other")
    assert (vectors.model(), vectors.count(), vectors.next_model(), vectors.count("other")) == (MODEL, 6, "other", 4)
    assert vectors.search(vectors_of(6)[2], 1, rows)[0][0] == rows[2]
    path = shelf.library.path
    shelf.library.close()
    with Library.open(path) as library:
        vectors = library.vectors
        assert (vectors.model(), vectors.next_model(), len(vectors.missing("other"))) == (MODEL, "other", 2)
        vectors.use("other")
        assert (vectors.model(), vectors.count(), vectors.next_model(), len(vectors.missing(MODEL))) == (
            "other",
            4,
            "",
            6,
        )
        assert vectors.search(vectors_of(6)[2], 1, rows) == []  # a query of the old model fits no vector any more
        vectors.remove(rows[:1])
        assert vectors.ids() == rows[1:4]


def test_vectors_of_another_shape_or_not_numbers_are_refused(shelf: Shelf) -> None:
    rows = list(shelf.catalog.passage_rows())
    with pytest.raises(ValueError, match="6 ids"):
        shelf.library.vectors.add(rows, vectors_of(5), MODEL)
    with pytest.raises(ValueError, match="not a number"):
        shelf.library.vectors.add(rows[:1], np.full((1, 384), np.nan, dtype=np.float32), MODEL)


def sealed(shelf: Shelf) -> Path:
    (file,) = (shelf.library.path / "vectors").glob("*.vectors")
    return file


@pytest.mark.parametrize("damage", ["flip", "cut", "junk", "record", "gone"])
def test_a_damaged_index_is_dropped_and_made_anew(shelf: Shelf, damage: str) -> None:
    rows = list(shelf.catalog.passage_rows())
    shelf.library.vectors.add(rows, vectors_of(6), MODEL)
    shelf.library.vectors.seal()
    file, path = sealed(shelf), shelf.library.path
    data = bytearray(file.read_bytes())
    if damage == "record":
        with shelf.catalog.db.transaction() as connection:
            connection.execute("UPDATE vector_indexes SET base = '{}'")
    shelf.library.close()
    if damage == "flip":
        data[len(data) // 2] ^= 4
        file.write_bytes(data)
    elif damage == "cut":
        file.write_bytes(data[:1000])
    elif damage == "junk":
        file.write_bytes(b"junk" * 100)
    elif damage == "gone":
        file.unlink()
    with Library.open(path) as library:
        assert library.vectors.count() == 0
        assert len(library.vectors.missing(MODEL)) == 6
        assert "is made anew" in library.notes[-1]
        library.vectors.add(rows, vectors_of(6), MODEL)
        assert library.audit().ok


def test_an_index_that_was_copied_is_hashed_once_and_then_trusted(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = list(shelf.catalog.passage_rows())
    shelf.library.vectors.add(rows, vectors_of(6), MODEL)
    shelf.library.vectors.seal()
    file, path = sealed(shelf), shelf.library.path
    shelf.library.close()
    os.utime(file, ns=(1, 1))
    hashed: list[Path] = []

    def noted(file: Path) -> str:
        hashed.append(file)
        return sha256_of(file)

    monkeypatch.setattr("minerva_desktop.library.vector_files.sha256_of", noted)
    for _ in range(2):
        with Library.open(path) as library:
            assert library.vectors.count() == 6
    assert hashed == [file]


def test_what_was_added_before_a_crash_is_there(shelf: Shelf) -> None:
    rows = list(shelf.catalog.passage_rows())
    vectors = shelf.library.vectors
    vectors.add(rows[:3], vectors_of(3), MODEL)
    vectors.seal()
    vectors.add(rows[3:], vectors_of(3, seed=1), MODEL)
    vectors.remove(rows[:1])
    copy = shelf.library.path.with_name("copy")  # as the disk was when the process ended here
    shutil.copytree(shelf.library.path, copy)
    with Library.open(copy) as library:
        assert library.vectors.ids() == rows[1:]
        np.testing.assert_array_equal(library.vectors.reconstruct(rows[3:]), vectors_of(3, seed=1))
        assert [row for row, _ in library.vectors.missing(MODEL)] == rows[:1]


def test_a_library_with_its_index_in_one_file_keeps_its_vectors(shelf: Shelf) -> None:
    """As it was before the catalog kept the record: a FAISS file with a record beside it."""
    import faiss

    rows, array = list(shelf.catalog.passage_rows()), vectors_of(6)
    shelf.library.vectors.add(rows, array, MODEL)
    with shelf.catalog.db.transaction() as connection:
        for table in ("vector_tail", "vector_indexes"):
            connection.execute(f"DELETE FROM {table}")
    path = shelf.library.path
    shelf.library.close()
    index = faiss.IndexIDMap2(faiss.IndexFlatIP(384))
    index.add_with_ids(array[::-1].copy(), np.array(rows[::-1], dtype=np.int64))
    data = faiss.serialize_index(index).tobytes()
    (path / "vectors").mkdir(exist_ok=True)
    (path / "vectors" / "passages.faiss").write_bytes(data)
    record = {"model": MODEL, "dimension": 384, "count": 6, "sha256": hashlib.sha256(data).hexdigest()}
    (path / "vectors" / "passages.json").write_text(json.dumps(record))
    for _ in range(2):
        with Library.open(path) as library:
            assert (library.vectors.model(), library.vectors.ids(), library.notes) == (MODEL, rows, [])
            np.testing.assert_array_equal(library.vectors.reconstruct(rows), array)
            assert library.audit().ok
        assert [file.suffix for file in (path / "vectors").iterdir()] == [".vectors"]


def test_a_damaged_index_in_one_file_is_made_anew_with_a_sentence(shelf: Shelf) -> None:
    path = shelf.library.path
    shelf.library.close()
    (path / "vectors").mkdir(exist_ok=True)
    (path / "vectors" / "passages.faiss").write_bytes(b"junk")
    (path / "vectors" / "passages.json").write_text("{}")
    with Library.open(path) as library:
        assert library.vectors.count() == 0
        assert "is made anew" in library.notes[-1]
    assert not list((path / "vectors").iterdir())
