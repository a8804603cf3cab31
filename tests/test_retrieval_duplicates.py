"""What several passages say alike is found once, and the best evidence of it stays."""

from __future__ import annotations

from minerva_desktop.records import Passage
from minerva_desktop.retrieval.duplicates import Standing, collapsed

TEXT = (
    "Films of niobium nitride were grown by reactive sputtering on sapphire at 500 °C and became superconducting below "
    "15.2 K, as four-point measurements of the resistance show for every thickness that was tried."
)
EDITED = TEXT.replace("were grown", "have been grown").replace("for every thickness", "for any thickness")
OTHER = "Gallium nitride has a wide band gap and is used in blue light-emitting diodes all over the world."


def piece(id_: str, source: str, text: str, *, page: int | None = 1, score: float = 1.0) -> Passage:
    return Passage(id_, "paper", source, "", text, page=page, score=score)


def test_one_text_in_two_papers_is_one_passage_that_names_the_other() -> None:
    kept, alike = collapsed([piece("a", "A", TEXT), piece("o", "O", OTHER), piece("b", "B", EDITED)], Standing(), 10)
    assert [passage.id for passage in kept] == ["a", "o"]
    assert alike == {"a": ("b",)}


def test_the_version_of_record_stays_at_the_place_and_score_of_the_first() -> None:
    found = [piece("pre", "P", TEXT, score=2.0), piece("o", "O", OTHER), piece("main", "M", EDITED, score=0.5)]
    kept, alike = collapsed(found, Standing(versions={"P": "M"}), 10)
    assert [(passage.id, passage.score) for passage in kept] == [("main", 2.0), ("o", 1.0)]
    assert alike == {"main": ("pre",)}


def test_a_withdrawn_paper_and_one_without_pages_stand_back() -> None:
    found = [piece("w", "W", TEXT), piece("n", "N", TEXT, page=None), piece("p", "P", TEXT)]
    kept, alike = collapsed(found, Standing(withdrawn=frozenset({"W"})), 10)
    assert [passage.id for passage in kept] == ["p"]
    assert alike == {"p": ("w", "n")}


def test_like_sentences_of_one_paper_and_other_numbers_stay_apart() -> None:
    numbers = TEXT.replace("500 °C", "700 °C").replace("15.2 K", "9.1 K").replace("sapphire", "magnesium oxide")
    kept, alike = collapsed([piece("a", "A", TEXT), piece("b", "A", TEXT), piece("c", "C", numbers)], Standing(), 10)
    assert [passage.id for passage in kept] == ["a", "b", "c"]
    assert alike == {}


def test_the_limit_counts_texts_not_copies() -> None:
    kept, _ = collapsed([piece("a", "A", TEXT), piece("b", "B", TEXT), piece("o", "O", OTHER)], Standing(), 2)
    assert [passage.id for passage in kept] == ["a", "o"]
    assert collapsed([piece("a", "A", TEXT)], Standing(), 0) == ((), {})
