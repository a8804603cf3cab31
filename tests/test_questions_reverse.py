"""Reverse look-up: a pasted sentence, quotation or value gives its paper, page and sentence, or nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from minerva_desktop.bench.quote_lookup import edit_letters
from minerva_desktop.errors import UsageError
from minerva_desktop.library import Library
from minerva_desktop.questions.reverse import look_up
from minerva_desktop.questions.reverse.aligning import align
from minerva_desktop.questions.reverse.candidates import one_sign_away
from minerva_desktop.questions.reverse.folding import fold, fold_signs
from minerva_desktop.records import QuotePlace, QuoteResult
from tests.library_helpers import Shelf

GAP = "The band gap of the annealed GaN films is 3.40 eV at room temperature."
SAME_GAP = "For these GaN layers a gap of 3400 meV was found by photoluminescence."
FIRST = "Thin films of niobium nitride were sputtered on sapphire at seven hundred degrees."
SECOND = "Their critical temperature of 13 K falls to 9 K when the thickness is halved."
THIRD = "A second set was made at 130 K and stayed amorphous."
COLD = "The transition at −260.15 °C is sharp."
RANGE = "The jitter lies between 28 and 35 ps for all wires."
SPREAD = "The coherence length is 5.0 ± 0.4 nm in the clean limit."
BOOK = "A superconductor carries a current without loss below its critical temperature. Lead has one of 7.2 K."


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    folder = tmp_path_factory.mktemp("reverse")
    with Library.open(folder / "library", create=True) as library:
        shelf = Shelf(library, folder)
        shelf.add("gap.txt", f"{GAP} It does not depend on the substrate.")
        shelf.add("other.txt", f"{SAME_GAP} {COLD}")
        shelf.add("nbn.txt", " ".join((FIRST, SECOND, THIRD, RANGE, SPREAD)))
        shelf.add_textbook("book", [BOOK])
        yield shelf


def first(result: QuoteResult) -> QuotePlace:
    assert result.found, result
    return result.places[0]


def marked(place: QuotePlace) -> list[str]:
    return [place.quote[start:end] for start, end in place.marks]


# ------------------------------------------------------------------------------------------------------ sentences
def test_a_sentence_word_for_word_gives_its_place(shelf: Shelf) -> None:
    result = look_up(shelf.library, SECOND)
    place = first(result)
    assert (place.how, place.quote, place.sentences, place.page) == ("exact", SECOND, (1,), 1)
    assert place.title == "Title of nbn.txt"
    assert place.boxes == ((1, 72.0, 86.0, 500.0, 98.0),)
    assert marked(place) == [SECOND]
    assert len(result.places) == 1


@pytest.mark.parametrize(
    "pasted",
    [
        "“Their critical temperature of 13 K falls to 9 K when the thickness is halved.”",
        "their CRITICAL temperature of 13\u00a0K falls to 9 K when the thick-\nness is halved",
        "Their critical temperature of 13 K [4, 5] falls to 9 K when the thickness is halved.",
        "critical temper-\nature of 13 K falls to 9 K when the",
        "Their critical temperature of 13 K … when the thickness is halved.",
        "Their critical temperature [...] the thickness is halved",
    ],
    ids=["quotation marks", "case and a broken line", "citation", "a part", "ellipsis", "ellipsis in brackets"],
)
def test_what_copying_changes_is_no_difference(shelf: Shelf, pasted: str) -> None:
    place = first(look_up(shelf.library, pasted))
    assert (place.quote, place.likeness) == (SECOND, 1.0)
    assert place.how in {"same", "exact"}
    assert place.missing == ()


def test_raised_lowered_and_ligated_signs_are_those_of_plain_text() -> None:
    assert fold_signs("MgB₂ of 10⁻⁶ m² <sub>x</sub>, eﬃcient naïve") == fold_signs("mgb2 of 10-6 m2 x, efficient naive")
    assert fold_signs("3.4 eV") != fold_signs("34 eV")
    folded = fold("A “T-c”.")
    assert (folded.signs, [("A “T-c”.")[at] for at in folded.places]) == ("atc", ["A", "T", "c"])


def test_slips_of_recognition_are_bridged_and_the_words_that_agree_marked(shelf: Shelf) -> None:
    place = first(
        look_up(shelf.library, "Thln fi1ms of niobium nitride wcre sputtered on glass at seven hundred degrees")
    )
    assert place.quote == FIRST
    assert place.how == "near"
    assert "of niobium nitride" in " ".join(marked(place))
    assert "sapphire" not in " ".join(marked(place))


def test_a_tenth_of_the_letters_may_be_wrong(shelf: Shelf) -> None:
    for text in (GAP, SAME_GAP, FIRST, SECOND, THIRD, RANGE, SPREAD):
        pasted = edit_letters(text, random.Random(text))
        assert pasted != text
        assert first(look_up(shelf.library, pasted)).quote == text


def test_every_word_damaged_still_leads_there(shelf: Shelf) -> None:
    """No word of it is in the index as it stands."""
    pasted = "Thim filns uf niobiun nltride werc spuftered um sapphlre al sevem hundrcd degrecs"
    assert first(look_up(shelf.library, pasted)).quote == FIRST


def test_two_sentences_come_back_as_both(shelf: Shelf) -> None:
    place = first(look_up(shelf.library, f"{FIRST} {SECOND}"))
    assert place.sentences == (0, 1)
    assert len(place.boxes) == 2


def test_another_number_is_named(shelf: Shelf) -> None:
    place = first(look_up(shelf.library, SECOND.replace("13 K", "15 K")))
    assert (place.quote, place.how, place.missing) == (SECOND, "near", ("15",))


def test_textbooks_are_looked_through_too(shelf: Shelf) -> None:
    place = first(
        look_up(shelf.library, "A superconductor carries a curent without loss below its critical temperature")
    )
    assert (place.source, place.title, place.page) == ("textbook", "Book book", None)
    assert place.quote == BOOK.split(". ")[0] + "."


def test_what_is_not_there_is_not_found_and_the_nearest_is_no_find(shelf: Shelf) -> None:
    result = look_up(
        shelf.library, "The thermal conductivity of the nitride films rises with the square of the pressure."
    )
    assert (result.found, result.places) == (False, ())
    assert result.message == "Nothing in your library reads like this."
    assert all(place.likeness < 0.7 for place in result.nearest)


def test_nothing_to_look_for_is_said(shelf: Shelf) -> None:
    with pytest.raises(UsageError):
        look_up(shelf.library, " “…” ")


def test_the_same_question_gives_the_same_answer(shelf: Shelf) -> None:
    pasted = edit_letters(f"{FIRST} {SECOND}", random.Random(3))
    assert look_up(shelf.library, pasted) == look_up(shelf.library, pasted)


def test_a_removed_paper_is_not_found(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", create=True) as library:
        paper = Shelf(library, tmp_path).add("gap.txt", GAP)
        assert look_up(library, GAP).found
        library.catalog.remove_paper(paper)
        assert not look_up(library, GAP).found
        assert not look_up(library, "3.4 eV").found


def test_alignment_is_the_least_number_of_edits() -> None:
    found = align("sputered", "thefilmsweresputteredat")
    assert (found.edits, "thefilmsweresputteredat"[found.start : found.end]) == (1, "sputtered")
    assert align("abc", "xxabcxxabc").start == 2
    for slip in ("electrolvte", "eletcrolyte", "electrolte", "electtrolyte"):
        assert "electrolyte" in one_sign_away(slip)


# --------------------------------------------------------------------------------------------------------- values
def quotes(result: QuoteResult) -> list[str]:
    return [place.quote for place in result.places]


@pytest.mark.parametrize("pasted", ["3.4 eV", "3400 meV", "3.40eV", "3,4 eV", "band gap 3.4 eV", "0.0034 keV"])
def test_an_amount_is_found_in_whatever_unit_and_writing(shelf: Shelf, pasted: str) -> None:
    result = look_up(shelf.library, pasted)
    assert result.kind == "value"
    assert set(quotes(result)) == {GAP, SAME_GAP}
    assert {mark for place in result.places for mark in marked(place)} == {"3.40 eV", "3400 meV"}


def test_words_beside_a_value_put_their_sentence_first(shelf: Shelf) -> None:
    assert quotes(look_up(shelf.library, "3.4 eV photoluminescence"))[0] == SAME_GAP
    assert quotes(look_up(shelf.library, "3.4 eV annealed"))[0] == GAP


def test_13_kelvin_is_neither_130_nor_13_of_anything_else(shelf: Shelf) -> None:
    assert quotes(look_up(shelf.library, "13 K")) == [SECOND, COLD]
    assert quotes(look_up(shelf.library, "130 K")) == [THIRD]
    missing = look_up(shelf.library, "13 eV")
    assert (missing.found, missing.message) == (False, "Nothing in your library states 13 eV.")


def test_degrees_are_turned_into_kelvin(shelf: Shelf) -> None:
    assert first(look_up(shelf.library, "-260.15 °C")).quote == COLD
    rounded = look_up(shelf.library, "-260.2 °C")
    assert [place.how for place in rounded.places] == ["rounded"]


def test_ranges_and_uncertainties(shelf: Shelf) -> None:
    assert [(place.quote, place.how) for place in look_up(shelf.library, "28–35 ps").places] == [(RANGE, "value")]
    assert [(place.quote, place.how) for place in look_up(shelf.library, "0.028 to 0.035 ns").places] == [
        (RANGE, "value")
    ]
    assert [(place.quote, place.how) for place in look_up(shelf.library, "5 nm").places] == [(SPREAD, "value")]
    assert not look_up(shelf.library, "50 nm").found


def test_a_number_without_a_unit_is_looked_for_as_it_stands_and_says_so(shelf: Shelf) -> None:
    result = look_up(shelf.library, "13")
    assert (result.kind, quotes(result)) == ("number", [SECOND])
    assert "no unit" in result.message
    assert "“13 K”" in result.notes[-1]
    assert quotes(look_up(shelf.library, "3400")) == [SAME_GAP]
    assert not look_up(shelf.library, "340").found
