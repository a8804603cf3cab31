"""Headings inside running text, and classes that follow the outline."""

from __future__ import annotations

from minerva_desktop.documents.blocks import Block, Place, build
from minerva_desktop.documents.inline_headings import split_inline
from minerva_desktop.documents.raw import Word

FILLER = "The powder was milled for two days and then pressed into bars that were fired in air. " * 6


def outline(*texts: str) -> list[tuple[str, int, str]]:
    document = build(split_inline([Block(text) for text in texts]))
    return [(section.title, section.level, section.imrad) for section in document.sections]


def test_numbered_headings_go_on_where_the_last_stopped() -> None:
    found = outline(
        f"1. Introduction Fuel cells are old. {FILLER}2. Experimental 2.1. Sample preparation The powders were mixed. {FILLER}",
        f"2.2. Impedance Measurements All cells were heated. {FILLER}As seen in Figs. 3 and 4. The gap is wide.",
        f"3. Results and Discussion Figure 1 shows bars. {FILLER}4. Conclusions We pressed bars. {FILLER}",
        "References 1. PenmanA.Q. The dry box 1999 2. OtherB. Bars 2001",
    )
    assert found == [
        ("1. Introduction", 1, "INTRO"),
        ("2. Experimental", 1, "METHODS"),
        ("2.1. Sample preparation", 2, "METHODS"),
        ("2.2. Impedance Measurements", 2, "METHODS"),
        ("3. Results and Discussion", 1, "DISCUSSION"),
        ("4. Conclusions", 1, "CONCLUSION"),
        ("References", 1, "REFERENCES"),
    ]


def test_usual_names_and_short_phrases_at_the_start_of_a_sentence() -> None:
    found = outline(
        f"Background Solid oxide cells are hot. {FILLER}Methods Thin-film characterization The films were cut. {FILLER}",
        f"Results and discussion Figure 2 shows them. {FILLER}Acknowledgments This work was paid for.",
    )
    assert [(title, imrad) for title, _, imrad in found] == [
        ("Background", "INTRO"),
        ("Methods", "METHODS"),
        ("Thin-film characterization", "METHODS"),
        ("Results and discussion", "DISCUSSION"),
        ("Acknowledgments", "OTHER"),
    ]


def test_ordinary_sentences_are_no_headings() -> None:
    text = (
        "Results from other groups agree. Methods of that kind are rare. According to Fick the flux is small. "
        "The Arrhenius equation holds. We used version 2. The second was worse. Discussion of it is found in Ref. 3. "
    )
    assert outline(text * 12) == []


def test_a_paper_with_headings_of_its_own_is_left_alone() -> None:
    named = [Block(name, "heading", level=1, whole=True) for name in ("Introduction", "Methods", "Results")]
    blocks = [*named, Block(f"Conclusions We pressed bars. {FILLER * 4}")]
    assert split_inline(blocks) == blocks


def test_the_list_behind_an_inline_heading_is_not_mined() -> None:
    blocks = [
        Block(f"1. Introduction Bars are old. {FILLER * 4}"),
        Block("References 1. Penman: the band gap of GaN is 3.4 eV."),
    ]
    document = build(split_inline(blocks))
    assert [sentence.kind for sentence in document.sentences if "Penman" in sentence.text] == ["reference"]
    assert not any(sentence.mined for sentence in document.sentences if "Penman" in sentence.text)


def test_boxes_stay_with_their_words_when_a_block_is_cut() -> None:
    words = f"1. Introduction Bars are old. {FILLER * 4}".split()
    text = " ".join(words)
    place = Place(
        0,
        len(text),
        1,
        (0, 0, 10.0 * len(words), 12),
        [Word(word, 10.0 * at, 10.0 * at + 8) for at, word in enumerate(words)],
    )
    document = build(split_inline([Block(text, places=[place])]))
    heading, first = document.sentences[:2]
    assert (heading.text, heading.boxes) == ("1. Introduction", ((1, 0, 0, 18, 12),))
    assert (first.text, first.boxes) == ("Bars are old.", ((1, 20, 0, 48, 12),))


def test_subsections_keep_the_class_of_the_section_they_stand_in() -> None:
    names = [
        "Introduction",
        "Theory of bars",
        "Results",
        "Synthesis of bars",
        "Discussion",
        "Summary",
        "Appendix A: Results",
    ]
    levels = [1, 1, 1, 2, 1, 1, 1]
    blocks = [Block(name, "heading", level=level, whole=True) for name, level in zip(names, levels, strict=True)]
    assert [section.imrad for section in build(blocks).sections] == [
        "INTRO",
        "INTRO",
        "RESULTS",
        "RESULTS",
        "DISCUSSION",
        "CONCLUSION",
        "OTHER",
    ]
