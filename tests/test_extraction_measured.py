"""What quantities measure, told from the grammar of the sentence by the real parser."""

from __future__ import annotations

import pytest

from minerva_desktop import inspection
from minerva_desktop.errors import MissingPart
from minerva_desktop.extraction.measured import measured
from minerva_desktop.language import parser
from minerva_desktop.language.parser import Masked


def read(text: str) -> dict[str, tuple[str | None, str | None, list[str]]]:
    def words(span: tuple[int, int] | None) -> str | None:
        return None if span is None else text[slice(*span)]

    return {
        text[item.quantity.start : item.quantity.end]: (
            words(item.entity),
            words(item.property),
            [text[slice(*span)] for span in item.qualifiers],
        )
        for item in measured(text)
    }


@pytest.mark.parametrize(
    ("text", "quantity", "entity", "prop"),
    [
        ("The band gap of GaN is 3.4 eV.", "3.4 eV", "GaN", "band gap"),
        ("The samples were annealed at 450 °C.", "450 °C", "samples", "annealed"),
        ("We asked 907 participants.", "907", "participants", None),
        ("Copper showed a hardness of 1.2 GPa.", "1.2 GPa", "Copper", "hardness"),
        ("The groups differed (p = 0.02).", "0.02", "groups", "p"),
    ],
)
def test_entity_and_property(text: str, quantity: str, entity: str, prop: str | None) -> None:
    assert read(text)[quantity][:2] == (entity, prop)


def test_what_is_measured_is_named_by_a_word() -> None:
    found = read(
        "Its resolution is 1°Mercator grid, you have sets of 18 feet, and the run (usual runup is 2 m) went on."
    )
    named = [words for entity, prop, _ in found.values() for words in (entity, prop) if words]
    assert named
    assert all(words[0].isalnum() and words.lower() != "you" for words in named)


def test_the_circumstance_behind_a_quantity() -> None:
    assert read("The current was 3 A at 300 K.")["3 A"][2] == ["at 300 K"]


def test_members_of_a_list_with_their_own_units_are_told_apart() -> None:
    assert set(read("Sensitivity and specificity were 89% and 86%.")) == {"89%", "86%"}
    assert set(read("The films were 20 and 30 nm thick.")) == {"20 and 30 nm"}


def test_a_verb_of_change_is_a_circumstance() -> None:
    assert read("The levels of the protein decreased by 35%.")["35%"][2] == ["decreased"]


def test_a_circumstance_ends_before_the_next_verb() -> None:
    assert read("Analysis 4 weeks after transplantation showed survival.")["4 weeks"][2] == ["after transplantation"]


def test_the_same_text_says_the_same_again() -> None:
    text = "Copper showed a hardness of 1.2 GPa at 300 K."
    assert read(text) == read(text)


def test_places_are_those_of_the_text_also_behind_long_units_and_sentences() -> None:
    text = "First line.\n  The thermal conductivity of   diamond\nis 2,200 W m−1 K−1. The density of silver is 10.5 g cm−3."
    found = read(text)
    assert found["2,200 W m−1 K−1"][:2] == ("diamond", "thermal conductivity")
    assert found["10.5 g cm−3"][:2] == ("silver", "density")


def test_a_sentence_without_anything_measured_says_nothing() -> None:
    assert read("5 K.") == {"5 K": (None, None, [])}
    assert measured("") == []


def test_what_is_too_long_for_a_sentence_keeps_its_quantities() -> None:
    text = "GaN and " * 2000 + "AlN have gaps of 3.4 eV. The gap of ZnO is 3.3 eV."
    found = read(text)
    assert found["3.4 eV"] == (None, None, [])
    assert found["3.3 eV"][:2] == ("ZnO", "gap")


def test_placeholders_keep_the_places_of_the_words_around() -> None:
    text = "At 5 mA/cm2it was La2−xSrxCuO4, and so on."
    start, end = text.index("5 mA"), text.index("it")
    formula = text.index("La2")
    masks = [Masked(start, end, "9 kg"), Masked(formula, formula + 11, "zinc")]
    (words,) = parser.parse([(text, masks)])
    shown = {word.text: text[word.start : word.end] for word in words}
    assert shown["kg"] == "5 mA/cm2"
    assert shown["it"] == "it"
    assert shown["zinc"] == "La2−xSrxCuO4"[:11]
    assert shown["on"] == "on"


def test_without_the_parser_quantities_are_still_found_and_the_gap_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(parser, "MODEL", "a_model_that_is_not_installed")
    parser._model.cache_clear()
    with pytest.raises(MissingPart):
        measured("The gap is 3.4 eV.")
    (item,) = inspection.found_quantities("The gap is 3.4 eV.")
    assert (item["text"], item["entity"], item["property"], item["qualifiers"]) == ("3.4 eV", None, None, [])
    assert "parser is not installed" in capsys.readouterr().err
    monkeypatch.undo()
    parser._model.cache_clear()


def test_word_forms_that_are_looked_up_are_those_of_the_whole_pipe() -> None:
    import spacy

    texts = [
        "There are  two samples, and it ain't 3 kg.",
        "Let's see what it does at 5 K; there's a gap of 3.4 eV.",
        "We have found that it has been heated to 5 K.",
        "The films found in Ref. 3 were let cool, and got 5 nm thick.",
        "They're gonna measure it, y'all.",
    ]
    pipe = spacy.load(parser.MODEL, exclude=["ner"])
    for _ in range(2):  # new words first, then words met before
        for text, words in zip(texts, parser.parse((text, []) for text in texts), strict=True):
            whole = [(token.pos_, token.dep_, token.lemma_, token.head.i) for token in pipe(text)]
            assert [(word.pos, word.dep, word.lemma, word.head) for word in words] == whole
