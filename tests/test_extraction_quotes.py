"""A quote is found though it was copied with small slips, and not found when it says something else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from minerva_desktop.extraction.fuzzy import Quotes
from minerva_desktop.extraction.windows import readable
from minerva_desktop.records import Document, Sentence
from tests.extraction_prose import document
from tests.fact_asker import fact
from tests.model_reading import new, read, with_sentence

TEXT = (
    "The superconducting transition temperature T_c of the MgB₂ films was 38.5 K at zero field [12,13].",
    "An effi\u00adcient and field-effect  transistor of ZnO was made by radio-\nfrequency sputtering at 10⁻⁶ mbar.",
    "Its mobility reached 13.4 cm2/(V s), whereas the “best” film had 3.4 cm2/(V s) – a low value.",
)


def found(quote: str, *sentences: str) -> list[tuple[int, str]]:
    source = document(*(sentences or TEXT))
    places = Quotes(readable(source)[0]).find(quote)
    return [(place.sentences[0].index, place.how) for place in places]


@pytest.mark.parametrize(
    ("quote", "how"),
    [
        ("superconducting transition temperature T_c of the MgB₂ films was 38.5 K", "exact"),
        ("superconducting  transition\ntemperature T_c of the MgB2 films", "normalised"),
        ("The superconducting transition temperature Tc of the MgB2 films was 38.5 K at zero field.", "normalised"),
        ("the superconducting transition temperature $T_c$ of the MgB$_2$ films was 38.5 K", "normalised"),
        ("“The superconducting transition temperature … was 38.5 K at zero field”", "normalised"),
        ("The super-conducting transition temperature", "normalised"),
        ("The superconducting transition temperatures T_c of the MgB2 film was 38.5 K at zero field", "fuzzy"),
        ("The superconductng transition temperature T_c of the MgB2 films were 38.5 K at zero field", "fuzzy"),
    ],
)
def test_slips_of_copying_are_forgiven(quote: str, how: str) -> None:
    assert found(quote) == [(0, how)]


@pytest.mark.parametrize(
    "quote",
    [
        "An efficient and ﬁeld-effect transistor of ZnO",
        "efficient and field effect transistor of ZnO was made by radio-frequency sputtering",
        "was made by radio-frequency sputtering at 10-6 mbar",
        "made by radiofrequency sputtering",
    ],
)
def test_ligatures_hyphens_and_line_ends_do_not_matter(quote: str) -> None:
    assert [index for index, _ in found(quote)] == [1]


@pytest.mark.parametrize(
    "quote",
    [
        "The superconducting transition temperature T_c of the MgB2 films was 39.5 K at zero field",
        "The superconducting transition temperature T_c of the MgB2 films was 3.85 K at zero field",
        "MgB2 films turn superconducting at 38.5 K",
        "The films of MgB2 showed a transition to superconductivity at a temperature of 38.5 K in zero field",
        "whereas the best film had 4.3 cm2/(V s)",
        "… ... …",
        "[12,13]",
        "",
        "x" * 3000,
        " ".join(TEXT) + " And more.",
    ],
)
def test_a_paraphrase_or_another_number_is_not_found(quote: str) -> None:
    assert found(quote) == []


def test_a_number_is_found_whole() -> None:
    assert found("3.4 cm2/(V s)") == [(2, "exact")]
    assert found("reached 13.4 cm2") == [(2, "exact")]
    assert found("13", "The value is 134 K.") == []
    assert found("4 K", "The value is 3.4 K.") == []


def test_pieces_stand_in_one_sentence_and_in_order() -> None:
    assert [index for index, _ in found("superconducting transition … zero field")] == [0]
    assert found("zero field … superconducting transition") == []
    assert found("superconducting transition … radio-frequency sputtering") == []


def test_a_quote_over_two_sentences_has_both() -> None:
    source = document("GaN was grown.", "It is hard.", "AlN is harder.")
    [place] = Quotes(readable(source)[0]).find("GaN was grown. It is hard.")
    assert [sentence.index for sentence in place.sentences] == [0, 1]
    assert [sentence.text[slice(*span)] for sentence, span in zip(place.sentences, place.spans, strict=True)] == [
        "GaN was grown.", "It is hard",
    ]  # fmt: skip


def test_nothing_is_quoted_across_what_was_left_out() -> None:
    source = with_sentence(document("GaN was grown by", "a new", "kind of sputtering."), 1, mined=False)
    assert Quotes(readable(source)[0]).find("grown by kind of sputtering") == []


def test_the_sentence_that_was_shown_comes_first() -> None:
    source = document(*["GaN is hard."] * 5)
    places = Quotes(readable(source)[0]).find("GaN is hard", {3})
    assert [place.sentences[0].index for place in places] == [3, 0, 1, 2, 4]


@pytest.mark.parametrize("kind", ["reference", "footnote", "heading", "front"])
def test_a_quote_from_references_is_none(kind: str) -> None:
    text = "GaN has a band gap of 3.4 eV."
    source = with_sentence(document("We studied films.", text), 1, mined=False, kind=kind)
    result = read(source, [fact(text, "GaN", "HAS_VALUE", "3.4 eV", "band gap")])
    assert new(result) == []
    assert "nowhere" in result.dropped[0][1]


def test_a_quote_from_a_row_of_a_table_is_found() -> None:
    text = "Table 1. Material: GaN; Band gap: 3.4 eV"
    source = with_sentence(document("We studied films.", text), 1, mined=False, kind="table")
    [relation] = new(read(source, [fact(text, "GaN", "HAS_VALUE", "3.4 eV", "band gap")]))
    assert relation.evidence.sentence == text


def test_a_quote_from_a_caption_is_found_and_less_sure() -> None:
    text = "Fig. 2. Nyquist plots of LSCF cathodes that were used in humidity sensing."
    source = with_sentence(document(text), 0, kind="caption")
    [relation] = new(read(source, [fact(text, "LSCF", "USED_IN", "humidity sensing")]))
    assert relation.confidence < 0.6


def test_near_copies_are_looked_for_in_what_was_shown() -> None:
    """Of a long paper only the window's sentences are compared sign by sign."""
    slip = "The superconductng transition temperature T_c of the MgB2 films were 38.5 K at zero field"
    quotes = Quotes(readable(document(*TEXT, *TEXT))[0])
    assert [place.sentences[0].index for place in quotes.find(slip, {3, 4, 5})] == [3]
    assert quotes.find(slip, {1, 2}) == []
    exact = quotes.find("superconducting transition temperature", {1, 2})
    assert [place.sentences[0].index for place in exact] == [0, 3]


def test_control_characters_in_the_text_do_no_harm() -> None:
    text = "GaN\x00 has \x07a band gap\u202e of 3.4 eV\ud800."
    sentence = Sentence(0, text, 0, len(text))
    source = Document("ok", text=text, sentences=(sentence, replace(sentence, index=1)))
    read(source, [fact("GaN has a band gap of 3.4 eV", "GaN", "HAS_VALUE", "3.4 eV", "band gap")], rules=None)
