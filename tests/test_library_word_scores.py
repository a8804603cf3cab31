"""The best passages by words: filtered, and in the order of their ids where they are equally good, however many are."""

from __future__ import annotations

from pathlib import Path

import pytest

from minerva_desktop.library import Library
from tests.library_helpers import Shelf


@pytest.mark.parametrize("limit", [1, 7, 120])
def test_of_many_equal_passages_the_first_by_id_are_found_and_none_that_is_hidden(tmp_path: Path, limit: int) -> None:
    with Library.open(tmp_path / "library", create=True) as library:
        shelf = Shelf(library, tmp_path)
        for number in range(100):
            shelf.add(f"{number}.txt", "Copper conducts heat." + "\n" * number)  # another file, the same passage
        shelf.add("rare.txt", "Copper tarnishes.")
        for number in range(60):
            library.catalog.remove_paper(library.catalog.resolve(f"{number}.txt").id)
        found = library.catalog.word_scores("copper heat tarnish", ("paper",), limit)
        passages = library.catalog.passages_by_row(found)
        assert passages[0].text == "Copper tarnishes."
        shown = library.catalog.db.rows("SELECT id FROM passages WHERE live AND text LIKE '%heat%' ORDER BY id")
        assert [item.id for item in passages[1:]] == [row["id"] for row in shown][: limit - 1]


def test_levels_of_textbooks_are_kept_in_the_search_by_words(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", create=True) as library:
        shelf = Shelf(library, tmp_path)
        for level in (1, 2, 3, 4):
            shelf.add_textbook(f"book {level}", [f"Copper conducts heat, says book {level}."], level=level)
        for most in (1, 3):
            rows = library.catalog.word_scores("copper", ("textbook",), 10, max_level=most)
            assert sorted(item.level for item in library.catalog.passages_by_row(rows)) == list(range(1, most + 1))
