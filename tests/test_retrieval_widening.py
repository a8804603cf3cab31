"""Passages that share no word with a question are found through the names that the first ones say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from minerva_desktop.cli import text as shown
from minerva_desktop.library import Library
from minerva_desktop.retrieval import search
from minerva_desktop.retrieval.widening import MOST_PASSAGES, names_in
from tests.library_helpers import Shelf

FIRST = "The lamps of the Varre tunnel glow by a phosphor of Sr2Si5N8, kept behind glass."
SECOND = "Powders of Sr2Si5N8 were fired at 1450 °C under flowing nitrogen."
OTHERS = [
    "Tunnel diodes were measured at low temperature.",
    "A lamp in a tunnel needs a robust housing.",
    "Olive oil was pressed from fresh olives in spring.",
]
QUESTION = "How hot must the phosphor of the Varre tunnel lamps be made?"


@pytest.fixture
def wide_shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Library.open(tmp_path / "library", create=True) as library:
        shelf = Shelf(library, tmp_path)
        for number, text in enumerate([FIRST, SECOND, *OTHERS]):
            shelf.add(f"{number}.txt", text)
        yield shelf


def test_the_second_passage_is_found_and_says_through_what(wide_shelf: Shelf) -> None:
    plain = search(wide_shelf.library, QUESTION, graph=False)
    assert SECOND not in [passage.text for passage in plain.passages]
    assert not plain.through
    found = search(wide_shelf.library, QUESTION)
    assert found.passages[0].text == FIRST
    second = next(passage for passage in found.passages if passage.text == SECOND)
    assert found.through == {second.id: "Sr2Si5N8"}
    assert found.arms[second.id] == ("graph",)
    assert "words" in found.arms[found.passages[0].id]


def test_the_same_search_gives_the_same_passages_in_the_same_order(wide_shelf: Shelf) -> None:
    assert search(wide_shelf.library, QUESTION) == search(wide_shelf.library, QUESTION)


def test_what_a_filter_leaves_out_is_not_found_through_the_graph(wide_shelf: Shelf) -> None:
    wide_shelf.add_textbook("basic", ["Sr2Si5N8 is a nitride."], level=3)
    found = search(wide_shelf.library, QUESTION, kinds=("paper",))
    assert {passage.kind for passage in found.passages} == {"paper"}
    found = search(wide_shelf.library, QUESTION, max_level=2)
    assert all(passage.kind == "paper" for passage in found.passages)
    assert any(passage.kind == "textbook" for passage in search(wide_shelf.library, QUESTION).passages)
    wide_shelf.catalog.remove_paper(wide_shelf.catalog.resolve("1.txt").id)
    assert SECOND not in [passage.text for passage in search(wide_shelf.library, QUESTION).passages]


def test_a_name_of_very_many_passages_is_no_way(wide_shelf: Shelf) -> None:
    for number in range(MOST_PASSAGES):
        wide_shelf.add(f"more-{number}.txt", f"Batch {number} of Sr2Si5N8 was sieved.")
    assert not search(wide_shelf.library, QUESTION, limit=40).through


def test_another_spelling_of_the_same_material_is_followed(wide_shelf: Shelf) -> None:
    wide_shelf.add_fact("a.txt", "The Varre tunnel has a coating of GaN with a gap of 3.4 eV.", "GaN", 3.4)
    wide_shelf.add("b.txt", "Gallium nitride decomposes in hot hydrogen.")
    wide_shelf.catalog.add_alias("Material", "GaN", "gallium nitride")
    found = search(wide_shelf.library, "coating of the Varre tunnel")
    texts = {passage.text: passage.id for passage in found.passages}
    assert found.through[texts["Gallium nitride decomposes in hot hydrogen."]] == "GaN"


def test_names_are_formulas_symbols_and_capitalised_words_within_a_sentence() -> None:
    text = "The alloy is sold as Nivarol. It holds 10K to 300nm; Tests on YBa2Cu3O7−δ, b12 and GaN went on."
    assert names_in(text) == ["Nivarol", "YBa2Cu3O7−δ", "b12", "GaN"]
    assert names_in("") == []


def test_the_first_four_stay_those_of_words_and_meaning(wide_shelf: Shelf) -> None:
    for number in range(8):
        wide_shelf.add(
            f"lamp-{number}.txt", f"Tunnel lamps of maker {number} were hot to the touch in the Varre hills."
        )
    plain = [passage.id for passage in search(wide_shelf.library, QUESTION, graph=False).passages]
    found = search(wide_shelf.library, QUESTION)
    ids = [passage.id for passage in found.passages]
    assert ids[:4] == plain[:4]
    assert ids[4] in found.through
    assert [item for item in ids if item not in found.through] == plain[: len(ids) - len(found.through)]
    scores = [passage.score for passage in found.passages]
    assert scores == sorted(scores, reverse=True)


def test_the_command_line_shows_through_what_a_passage_was_found(wide_shelf: Shelf) -> None:
    found = search(wide_shelf.library, QUESTION)
    blocks = shown.passages(found.passages, found.note, found.through).split("\n\n")
    assert [SECOND in block for block in blocks] == ["found through the graph: Sr2Si5N8" in block for block in blocks]
