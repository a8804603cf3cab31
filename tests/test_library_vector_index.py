"""The index at size: folded, gone on with, filtered, quick where it is large, and the same whatever its layout."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from minerva_desktop.bench._generated_vectors import queries, vectors
from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken
from minerva_desktop.library import Library, vector_engine, vector_index, vector_search
from minerva_desktop.library.vector_files import write_base
from minerva_desktop.library.vector_index import ModelIndex

MODEL = "test-model"
COUNT = 3000


@pytest.fixture
def vector_library(tmp_path: Path) -> Iterator[Library]:
    """A library with 3000 passages, none of which has a vector."""
    with Library.open(tmp_path / "library", create=True) as library:
        with library.catalog.db.transaction() as connection:
            connection.executemany(
                "INSERT INTO passages (id, kind, source, text, words, boxes, section, level, sentences) "
                "VALUES (?, 'paper', 'p', '', '', '[]', '', 1, '[]')",
                [(f"p:{number}",) for number in range(COUNT)],
            )
        yield library


def index_of(library: Library) -> ModelIndex:
    assert library.vectors._used is not None
    return library.vectors._used


def found(
    library: Library, query: npt.NDArray[np.float32], allowed: list[int] | None = None
) -> list[tuple[int, float]]:
    return library.vectors.search(query, 10, allowed or library.catalog.passage_rows())


def filled(library: Library, rows: list[int] | None = None) -> npt.NDArray[np.float32]:
    array = vectors(0, COUNT)
    for start in range(0, COUNT, 500):
        library.vectors.add(list(range(start + 1, start + 501)), array[start : start + 500], MODEL)
    return array


def test_the_same_is_found_before_and_after_folding_and_in_pieces(vector_library: Library) -> None:
    array = filled(vector_library)
    asked = queries(array[::300])
    before = [found(vector_library, query) for query in asked]
    exact = [[int(at) + 1 for at in np.argsort(-(array.astype(np.float64) @ query))[:10]] for query in asked]
    assert [[item for item, _ in hits] for hits in before] == exact
    vector_library.vectors.seal()
    assert [found(vector_library, query) for query in asked] == before
    moved = list(range(1, COUNT, 7))
    vector_library.vectors.add(moved, array[[item - 1 for item in moved]], MODEL)
    assert vector_library.vectors.count() == COUNT
    assert [found(vector_library, query) for query in asked] == before
    vector_library.vectors.seal()
    assert [found(vector_library, query) for query in asked] == before


def test_passages_of_the_same_text_are_ordered_by_number_wherever_they_stand(vector_library: Library) -> None:
    """Forty passages read the same; half of them stand in the file, half came later."""
    same = vectors(0, 1)
    others = vectors(1, 2000)
    alike = list(range(1, 2001, 50))
    vector_library.vectors.add(
        [item for item in range(1, 2001) if item not in alike], others[: 2000 - len(alike)], MODEL
    )
    vector_library.vectors.add(alike[1::2], np.repeat(same, 20, axis=0), MODEL)
    vector_library.vectors.seal()
    vector_library.vectors.add(alike[::2], np.repeat(same, 20, axis=0), MODEL)
    assert [item for item, _ in found(vector_library, same[0])] == alike[:10]


def test_what_is_removed_or_replaced_stays_so_through_folding_and_opening(vector_library: Library) -> None:
    array = filled(vector_library)
    vector_library.vectors.seal()
    gone = list(range(1, 1001))
    vector_library.vectors.remove(gone)
    other = vectors(COUNT, 2)
    vector_library.vectors.add([5, 2000], other, MODEL)
    path = vector_library.path

    def check(library: Library) -> None:
        assert library.vectors.ids() == [5, *range(1001, COUNT + 1)]
        np.testing.assert_array_equal(library.vectors.reconstruct([5, 2000, 2001]), [*other, array[2000]])
        assert found(library, other[1])[0][0] == 2000
        assert not {item for item, _ in found(library, array[10])} & (set(gone) - {5})
        assert library.vectors.wrong() == []
        assert library.vectors.file_problem() == ""

    check(vector_library)
    vector_library.vectors.seal()
    check(vector_library)
    vector_library.close()
    with Library.open(path) as library:
        check(library)
        assert len(list((path / "vectors").iterdir())) == 1


def test_filters_hold_in_the_search(vector_library: Library) -> None:
    array = filled(vector_library)
    vector_library.vectors.seal()
    vector_library.vectors.add([1, 2, 3], array[:3], MODEL)
    allowed = [1, *range(1000, COUNT, 10)]
    hits = found(vector_library, array[0], allowed)
    scores = array[[item - 1 for item in allowed]].astype(np.float64) @ array[0].astype(np.float64)
    assert [item for item, _ in hits] == [allowed[at] for at in np.argsort(-scores, kind="stable")[:10]]
    assert vector_library.vectors.count_of(allowed) == len(allowed)


def test_a_large_library_gets_the_quick_index_and_loses_it_again(
    vector_library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_index, "FLAT_UP_TO", 1000)
    monkeypatch.setattr(vector_search, "EXACT_UP_TO", 500)
    monkeypatch.setattr(vector_engine, "LISTS_FROM", 32)
    array = filled(vector_library)
    asked = queries(array[::30])
    exact = [[item for item, _ in found(vector_library, query)] for query in asked]
    vector_library.vectors.seal()
    path = vector_library.path
    vector_library.close()
    with Library.open(path) as library:
        quick = [[item for item, _ in found(library, query)] for query in asked]
        base = index_of(library)._base
        assert base is not None
        assert base.coarse is not None
        recall = np.mean([len(set(one) & set(other)) / 10 for one, other in zip(quick, exact, strict=True)])
        assert recall >= 0.8  # three thousand passages of as many topics are the hardest case
        few = list(range(1, 200))
        assert {item for item, _ in found(library, asked[0], few)} <= set(few)
        library.vectors.remove(list(range(1, COUNT - 800)))
        library.vectors.save(idle=True)
        base = index_of(library)._base
        assert base is not None
        assert (base.coarse, library.vectors.count()) == (None, 801)
        assert found(library, array[-1])[0][0] == COUNT


def test_without_its_quick_index_a_library_searches_all_and_says_so(
    vector_library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_index, "FLAT_UP_TO", 1000)
    monkeypatch.setattr(vector_engine, "LISTS_FROM", 32)
    array = filled(vector_library)
    vector_library.vectors.seal()
    path = vector_library.path
    vector_library.close()
    (file,) = (path / "vectors").glob("*.coarse")
    file.write_bytes(b"junk")
    with Library.open(path) as library:
        assert found(library, array[7])[0][0] == 8
        assert "slower" in library.notes[-1]
        assert library.vectors.file_problem()
        library.vectors.save(idle=True)
        assert library.vectors.file_problem() == ""


def test_what_comes_and_goes_while_the_index_is_folded_is_kept(
    vector_library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    array = filled(vector_library)
    reached, go_on = threading.Event(), threading.Event()

    def slowly(*told: object) -> object:
        reached.set()
        assert go_on.wait(20)
        return write_base(*told)  # type: ignore[arg-type]

    monkeypatch.setattr("minerva_desktop.library.vector_index.write_base", slowly)
    folding = threading.Thread(target=vector_library.vectors.seal)
    folding.start()
    assert reached.wait(20)
    other = vectors(COUNT, 1)
    vector_library.vectors.add([17], other, MODEL)
    vector_library.vectors.remove([18])
    assert found(vector_library, other[0])[0][0] == 17  # searches are answered meanwhile
    go_on.set()
    folding.join()
    path = vector_library.path
    for _ in range(2):
        assert vector_library.vectors.ids() == [item for item in range(1, COUNT + 1) if item != 18]
        np.testing.assert_array_equal(vector_library.vectors.reconstruct([16, 17]), [array[15], other[0]])
        vector_library.close()
        vector_library = Library.open(path)
    vector_library.close()


def test_a_fold_that_is_stopped_or_fails_changes_nothing(
    vector_library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    array = filled(vector_library)
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        vector_library.vectors.save(idle=True, cancel=token)

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        vector_library.vectors.save(idle=True)
    monkeypatch.undo()
    assert list((vector_library.path / "vectors").iterdir()) == []
    assert found(vector_library, array[7])[0][0] == 8
    vector_library.vectors.save(idle=True)
    assert found(vector_library, array[7])[0][0] == 8


def test_adding_one_paper_writes_little(vector_library: Library) -> None:
    filled(vector_library)
    vector_library.vectors.seal()
    (file,) = (vector_library.path / "vectors").iterdir()
    before = file.stat()
    vector_library.vectors.add(list(range(1, 61)), vectors(COUNT, 60), MODEL)
    vector_library.vectors.save()
    (after,) = (vector_library.path / "vectors").iterdir()
    assert (after.name, after.stat().st_mtime_ns) == (file.name, before.st_mtime_ns)
