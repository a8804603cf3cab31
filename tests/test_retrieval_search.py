"""Search over a library with the real embedder: both arms, filters, notes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken, Progress
from minerva_desktop.library import Library
from minerva_desktop.models import embedder as embedders
from minerva_desktop.models.embedder import Embedder
from minerva_desktop.retrieval import index_vectors, search
from tests.library_helpers import Shelf

PAPERS = [
    "Superconductivity in magnesium diboride sets in below 39 K.",
    "The battery kept its capacity over 500 charging cycles.",
    "Graphene sheets conduct heat very well.",
    "Olive oil was pressed from fresh olives.",
]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    found = embedders.load_embedder()
    assert found is not None, embedders.status()  # its weights are a dependency of the program
    return found


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Library.open(tmp_path / "library", create=True) as library:
        shelf = Shelf(library, tmp_path)
        for number, text in enumerate(PAPERS):
            shelf.add(f"{number}.txt", text)
        shelf.add_textbook("basic", ["A superconductor has no resistance below its critical temperature."], level=1)
        shelf.add_textbook("expert", ["Cooper pairs explain superconductors without resistance."], level=4)
        yield shelf


def test_meaning_is_found_where_no_word_is_shared(shelf: Shelf, embedder: Embedder) -> None:
    assert index_vectors(shelf.library, embedder) == 6
    result = search(shelf.library, "electric cell endurance", embedder=embedder, limit=1)
    assert result.mode == "words+vectors"
    assert result.note == ""
    assert result.passages[0].text == PAPERS[1]
    other = search(shelf.library, "kitchen ingredient", embedder=embedder, limit=1)
    assert other.passages[0].text == PAPERS[3]


@pytest.mark.parametrize("fusion", ["sum", "rrf"])
def test_filters_hold_in_both_arms_whatever_the_best_hit_is(shelf: Shelf, embedder: Embedder, fusion: str) -> None:
    index_vectors(shelf.library, embedder)
    query = "Cooper pairs explain superconductors without resistance"
    for kinds, level, allowed in (
        (("paper",), 4, {"paper"}),
        (("textbook",), 4, {"textbook"}),
        (("textbook",), 1, {"textbook"}),
    ):
        found = search(shelf.library, query, kinds=kinds, max_level=level, embedder=embedder, fusion=fusion).passages
        assert {passage.kind for passage in found} == allowed
        assert all(passage.level <= level for passage in found)
    assert search(shelf.library, query, kinds=(), embedder=embedder).passages == ()


def test_without_an_embedder_words_alone_answer_and_say_so(shelf: Shelf, embedder: Embedder) -> None:
    result = search(shelf.library, "magnesium diboride")
    assert (result.mode, [passage.text for passage in result.passages]) == ("words", [PAPERS[0]])
    assert "words only" in result.note
    early = search(shelf.library, "magnesium diboride", embedder=embedder)
    assert early.mode == "words"
    assert "not embedded yet" in early.note


def test_passages_added_later_are_found_by_words_and_counted(shelf: Shelf, embedder: Embedder) -> None:
    index_vectors(shelf.library, embedder)
    shelf.add("new.txt", "Perovskite solar cells degrade in moist air.")
    result = search(shelf.library, "perovskite", embedder=embedder)
    assert any(passage.text.startswith("Perovskite") for passage in result.passages[:2])
    assert result.note.startswith("1 passage")
    assert index_vectors(shelf.library, embedder) == 1
    assert index_vectors(shelf.library, embedder) == 0


def test_a_removed_paper_is_not_found_and_comes_back_with_undo(shelf: Shelf, embedder: Embedder) -> None:
    index_vectors(shelf.library, embedder)
    shelf.catalog.remove_paper(shelf.catalog.resolve("1.txt").id)
    texts = [item.text for item in search(shelf.library, "battery capacity", embedder=embedder).passages]
    assert PAPERS[1] not in texts
    index_vectors(shelf.library, embedder)
    assert shelf.library.vectors.count() == 5
    shelf.catalog.undo()
    index_vectors(shelf.library, embedder)
    assert search(shelf.library, "battery capacity", embedder=embedder).passages[0].text == PAPERS[1]
    assert shelf.library.audit().ok


def test_a_cancelled_indexing_keeps_what_it_has_and_goes_on_later(shelf: Shelf, embedder: Embedder) -> None:
    for number in range(70):
        shelf.add(f"more-{number}.txt", f"Sample number {number} was annealed.")
    token = CancelToken()

    def stop_during_the_first_portion(_: Progress) -> None:
        token.cancel()

    with pytest.raises(Cancelled):
        index_vectors(shelf.library, embedder, progress=stop_during_the_first_portion, cancel=token)
    done = shelf.library.vectors.count()
    assert 0 < done < 76
    assert index_vectors(shelf.library, embedder) == 76 - done
    assert shelf.library.vectors.count() == 76


@pytest.mark.parametrize("query", ["", "  ", '"', "the of"])
def test_queries_without_content_are_no_error(shelf: Shelf, query: str) -> None:
    assert isinstance(search(shelf.library, query).passages, tuple)
