"""What a person types is found as papers write it: formulas, units, Greek letters, inflections, headings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from minerva_desktop.library import Library
from minerva_desktop.library.words import query_terms, stems
from minerva_desktop.records import Passage, Textbook
from tests.library_helpers import Shelf


@pytest.fixture
def word_shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Library.open(tmp_path / "library", create=True) as library:
        yield Shelf(library, tmp_path)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("MgB2", "Wires of MgB₂ were drawn."),
        ("MgB_2", "Wires of MgB2 were drawn."),
        ("MgB$_2$", "Wires of MgB₂ were drawn."),
        ("YBa2Cu3O7-δ", "Films of YBa₂Cu₃O₇₋δ on strontium titanate."),
        ("YBa2Cu3O7−δ", "Films of YBa$_2$Cu$_3$O$_{7-δ}$ on strontium titanate."),
        ("YBa2Cu3O7", "Films of YBa2Cu3O7−δ on strontium titanate."),
        ("alpha-Fe2O3", "Sheets of α-Fe2O3 rust."),
        ("Fe2O3", "Sheets of α-Fe₂O₃ rust."),
        ("b12", "Vitamin B12 was added."),
        ("omega-3", "Oils rich in omega-3 acids."),
        ("300 nm", "A film of 300nm was etched."),
        ("um", "Fibres of 20 μm were cut."),
        ("T_c", "The Tc rose under load."),
        ("superconducting", "Superconductivity set in at once."),
        ("oxidised", "Oxidation made it brittle."),
        ("vapor", "Grown out of the vapour."),
    ],
)
def test_what_is_typed_finds_what_is_written(word_shelf: Shelf, typed: str, written: str) -> None:
    word_shelf.add("other.txt", "Nothing of the sort stands here, in no form whatsoever.")
    word_shelf.add("one.txt", written)
    assert [passage.text for passage in word_shelf.catalog.search_words(typed)] == [written]


@pytest.mark.parametrize(
    ("typed", "written"),
    [("b12", "Vitamins of the group B, 12 in all."), ("leading", "Lead is heavy."), ("MgB2", "MgB4 is no wire.")],
)
def test_what_only_looks_alike_is_not_found(word_shelf: Shelf, typed: str, written: str) -> None:
    word_shelf.add("one.txt", written)
    assert word_shelf.catalog.search_words(typed) == []


def test_formulas_stay_whole_and_give_their_parts() -> None:
    assert stems("YBa2Cu3O7−δ, omega-3 and b12") == [
        *("yba2cu3o7-delta", "yba2cu3o7", "delta"),
        *("omega-3", "omega", "3", "and", "b12"),
    ]
    assert query_terms("the 4H-SiC") == ["4h-sic", "4h", "sic"]


def test_a_word_in_the_heading_counts_more(word_shelf: Shelf) -> None:
    book = Textbook("book", "Book", "book.md", 1, 2)
    filling = "Many words follow on how such things are done with care in every workshop."
    chunks = [
        Passage("said", "textbook", "book", "", f"Annealing comes last. {filling}", section="Furnaces", level=1),
        Passage("heading", "textbook", "book", "", f"Furnaces come first. {filling}", section="Annealing", level=1),
    ]
    word_shelf.catalog.add_textbook(book, chunks)
    assert [passage.id for passage in word_shelf.catalog.search_words("annealing")] == ["heading", "said"]


def test_a_library_of_an_older_version_is_indexed_anew_when_it_is_opened(tmp_path: Path) -> None:
    folder = tmp_path / "older"
    with Library.open(folder, create=True) as library:
        shelf = Shelf(library, tmp_path)
        shelf.add_fact("one.txt", "The oxidation of GaN has a gap of 3.4 eV.", "GaN", 3.4)
        with library.catalog.db.transaction() as connection:
            for table in ("passages", "relations"):
                connection.execute(f"UPDATE {table} SET words = 'as it was before'")
            for index in ("passage_words", "textbook_words", "relation_words"):
                connection.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")
            connection.execute("DELETE FROM meta WHERE key = 'words'")
        assert library.catalog.search_words("oxidised") == []
    with Library.open(folder) as library:
        assert len(library.catalog.search_words("oxidised")) == 1
        assert len(library.catalog.facts(text="oxidation")) == 1
        assert library.audit().ok
