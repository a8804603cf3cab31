"""Reading order, furniture, broken words, scripts, sections and boxes, on small PDFs made here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pymupdf
import pytest

from minerva_desktop.documents.hyphens import Vocabulary
from minerva_desktop.documents.reading import read_file
from minerva_desktop.records import Document

LEFT, RIGHT, WIDTH = 60.0, 320.0, 230.0


def read(path: Path, password: str | None = None) -> Document:
    return read_file(path, password, 3000, lambda number, count: None)


def put(page: Any, x: float, y: float, text: str, size: float = 10, font: str = "helv") -> None:
    page.insert_text((x, y), text, fontsize=size, fontname=font)


def column(page: Any, x: float, y: float, lines: list[str], size: float = 10, leading: float = 12) -> float:
    for line in lines:
        put(page, x, y, line, size)
        y += leading
    return y


def sentences(document: Document, kind: str = "body") -> list[str]:
    return [sentence.text for sentence in document.sentences if sentence.kind == kind]


def words_in_boxes(path: Path, boxes: tuple[tuple[int, float, float, float, float], ...]) -> list[str]:
    """The words of the page whose centre is in a box, in the displayed frame."""
    found = []
    with pymupdf.open(path) as file:
        for number, x0, y0, x1, y1 in boxes:
            page = file[number - 1]
            for *corners, text, _, _, _ in page.get_text("words"):
                box = pymupdf.Rect(corners) * page.rotation_matrix
                if x0 <= (box.x0 + box.x1) / 2 <= x1 and y0 <= (box.y0 + box.y1) / 2 <= y1:
                    found.append(text)
    return found


def assert_consistent(path: Path, document: Document) -> None:
    """Offsets give the sentences back, and so do the boxes of mined ones."""
    for sentence in document.sentences:
        assert document.text[sentence.start : sentence.end] == sentence.text
        assert sentence.page == sentence.boxes[0][0]
        if sentence.mined and "-" not in sentence.text:
            again = "".join("".join(words_in_boxes(path, sentence.boxes)).replace("-", "").split())
            assert again == "".join(sentence.text.split())


FILLER_LEFT = [
    "The films were grown on sapphire at a rate of one",
    "nanometre a minute and were cooled in oxygen. They",
    "were then cut into bars with a diamond saw. Every",
    "bar was weighed before and after the anneal. None",
    "of them lost weight within the error of the scale.",
    "The colour turned from grey to black in all cases.",
    "After the anneal the bars were kept in a dry box and",
]
FILLER_RIGHT = [
    "were measured within a day. The resistance was read",
    "with four probes in a line. Contacts were made with",
    "silver paint and fine gold wire. The current was",
    "reversed for each point. The mean of both readings",
    "is given here. No drift was seen during the hour of",
    "a sweep. Each sweep was taken twice.",
]


@pytest.fixture
def two_columns(tmp_path: Path) -> Path:
    """Three pages in two columns with title, authors, abstract, heads, feet; a sentence goes over the page."""
    file = pymupdf.open()
    for number in range(3):
        page = file.new_page(width=612, height=792)
        put(page, LEFT, 40, "A. Baker et al. / Journal of Made-up Films 12 (2021)", 8)
        put(page, 300, 770, str(101 + number), 8)
        y = 90.0
        if number == 0:
            put(page, LEFT, 90, "Resistance of annealed films on sapphire", 18, "hebo")
            put(page, LEFT, 115, "Anna Baker, Boris Cole and Chen Dai", 11)
            put(page, LEFT, 130, "Institute of Films, University of Somewhere, Town, Land", 9)
            put(page, LEFT, 160, "Abstract", 11, "hebo")
            abstract = [
                "We measure the resistance of thin films that were annealed in oxygen, and we find that it falls by a half",
                "when the anneal is longer than an hour. The effect is the same for all the thicknesses that were studied",
                "here, from ten to two hundred nanometres, and does not depend on the rate of growth.",
            ]
            y = column(page, LEFT, 176, abstract)
            put(page, LEFT, y + 14, "1. Introduction", 11, "hebo")
            y += 30
        # Drawn line by line across both columns: the file's order is of no help here.
        for place in range(7):
            put(page, LEFT, y + 12 * place, FILLER_LEFT[place])
        for place in range(6):
            put(page, RIGHT, y + 12 * place, FILLER_RIGHT[place])
    path = tmp_path / "two.pdf"
    file.save(path)
    file.close()
    return path


def test_two_columns_are_read_column_by_column(two_columns: Path) -> None:
    document = read(two_columns)
    body = sentences(document)
    assert "The films were grown on sapphire at a rate of one nanometre a minute and were cooled in oxygen." in body
    assert "After the anneal the bars were kept in a dry box and were measured within a day." in body
    assert_consistent(two_columns, document)


@pytest.mark.parametrize("author", ["Anna Baker", "A. Baker", "Li Wei"])
def test_a_title_ends_before_the_only_author(tmp_path: Path, author: str) -> None:
    file = pymupdf.open()
    page = file.new_page(width=612, height=792)
    put(page, LEFT, 90, "Resistance of annealed films on sapphire", 18)
    put(page, LEFT, 116, author, 11)
    put(page, LEFT, 150, "Abstract", 11)
    column(page, LEFT, 166, FILLER_LEFT)
    file.save(tmp_path / "one.pdf")
    file.close()
    document = read(tmp_path / "one.pdf")
    assert document.metadata.title == "Resistance of annealed films on sapphire"
    assert document.metadata.authors == (author,)
    assert not any(author in sentence.text for sentence in document.sentences if sentence.mined)


def test_running_heads_and_page_numbers_are_left_out(two_columns: Path) -> None:
    document = read(two_columns)
    assert "Made-up" not in document.text
    assert "102" not in document.text


def test_title_authors_and_abstract(two_columns: Path) -> None:
    document = read(two_columns)
    assert document.metadata.title == "Resistance of annealed films on sapphire"
    assert document.metadata.authors == ("Anna Baker", "Boris Cole", "Chen Dai")
    assert document.metadata.abstract.startswith("We measure the resistance of thin films")
    assert document.metadata.abstract.endswith("does not depend on the rate of growth.")
    assert {s.imrad for s in document.sentences if s.kind == "abstract"} == {"ABSTRACT"}
    assert [(section.title, section.imrad) for section in document.sections] == [
        ("Abstract", "ABSTRACT"),
        ("1. Introduction", "INTRO"),
    ]
    affiliation = next(s for s in document.sentences if s.text.startswith("Institute of Films"))
    assert affiliation.kind == "front"
    assert not affiliation.mined


def test_a_sentence_over_two_pages_has_boxes_on_both(tmp_path: Path) -> None:
    file = pymupdf.open()
    page = file.new_page()
    column(
        page,
        LEFT,
        100,
        ["The samples were heated to the melting point in a", "flow of argon. The last run was stopped when the"],
    )
    put(page, 290, 800, "1", 8)
    page = file.new_page()
    column(
        page, LEFT, 100, ["helium was used up and the cryostat had to be", "warmed. It was then opened and cleaned."]
    )
    put(page, 290, 800, "2", 8)
    path = tmp_path / "over.pdf"
    file.save(path)
    document = read(path)
    text = "The last run was stopped when the helium was used up and the cryostat had to be warmed."
    sentence = next(s for s in document.sentences if s.text == text)
    assert [box[0] for box in sentence.boxes] == [1, 2, 2]
    assert_consistent(path, document)


def test_a_caption_between_two_halves_of_a_sentence_does_not_stand_in_it(tmp_path: Path) -> None:
    file = pymupdf.open()
    page = file.new_page()
    column(page, LEFT, 100, [*FILLER_LEFT, "measured again a year later. The loss was found to be the"])
    column(
        page,
        LEFT,
        300,
        ["Figure 1. Loss against time for three of the bars, drawn with", "error bars of one sigma."],
        size=8,
    )
    put(page, LEFT, 400, "same within the error. This is a good sign.")
    path = tmp_path / "caption.pdf"
    file.save(path)
    document = read(path)
    assert "The loss was found to be the same within the error." in sentences(document)
    assert [(caption.kind, caption.label) for caption in document.captions] == [("figure", "Figure 1")]
    assert document.captions[0].text.startswith("Figure 1. Loss against time")
    assert "Figure 1 shows" not in document.captions[0].text


def test_body_text_that_begins_with_a_figure_is_no_caption(tmp_path: Path) -> None:
    file = pymupdf.open()
    page = file.new_page()
    column(page, LEFT, 100, FILLER_LEFT)
    column(
        page, LEFT, 220, ["Figure 2 shows the loss against time for all of the bars", "that were kept in the dry box."]
    )
    path = tmp_path / "body.pdf"
    file.save(path)
    assert read(path).captions == ()


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("conduc-", "tivity", "conductivity"),
        ("temper-", "ature", "temperature"),
        ("over-", "come", "overcome"),
        ("solid-", "state", "solid-state"),
        ("Li-", "ion", "Li-ion"),
        ("GDC-", "based", "GDC-based"),
        ("X-", "ray", "X-ray"),
        ("sub-500-", "nm-thick", "sub-500-nm-thick"),
        ("state-of-the-", "art", "state-of-the-art"),
        ("super\u00ad", "conductor", "superconductor"),
    ],
)
def test_words_broken_at_the_line_end(before: str, after: str, joined: str) -> None:
    assert Vocabulary([]).join(before, after) == joined


def test_the_document_itself_says_how_it_spells_a_word() -> None:
    assert Vocabulary(["a co-operation of two"]).join("co-", "operation") == "co-operation"
    assert Vocabulary(["a cooperation of two"]).join("co-", "operation") == "cooperation"


def raised_page(tmp_path: Path, pieces: list[tuple[str, int]]) -> Document:
    """One line of (text, shift): shift 1 raised, -1 lowered, in type of 60 %."""
    file = pymupdf.open()
    page = file.new_page()
    column(page, LEFT, 100, FILLER_LEFT)
    x = LEFT
    for text, shift in pieces:
        size = 10.0 if shift == 0 else 6.0
        put(page, x, 220 - {0: 0.0, 1: 4.0, -1: -2.0}[shift], text, size)
        x += pymupdf.get_text_length(text, "helv", size)
    path = tmp_path / "raised.pdf"
    file.save(path)
    return read(path)


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([("A density of 3 × 10", 0), ("19", 1), (" cm", 0), ("-3", 1), (" was found.", 0)], "3 × 10¹⁹ cm⁻³"),
        (
            [("The flow was 10", 0), ("-6", 1), (" m", 0), ("2", 1), (" s", 0), ("-1", 1), (" at most.", 0)],
            "10⁻⁶ m² s⁻¹",
        ),
        ([("The onset in MgB", 0), ("2", -1), (" is sharp.", 0)], "in MgB2 is"),
        ([("It was doped with Fe", 0), ("3+", 1), (" ions.", 0)], "Fe³⁺ ions"),
        ([("This was seen before", 0), ("12,13", 1), (" by others.", 0)], "seen before by others"),
        ([("Others agree.", 0), ("7", 1), (" We do too.", 0)], "Others agree."),
        ([("It was held at 300 ", 0), ("o", 1), ("C for long.", 0)], "300 °C"),
    ],
)
def test_scripts_are_written_out_and_citations_dropped(
    tmp_path: Path, pieces: list[tuple[str, int]], expected: str
) -> None:
    document = raised_page(tmp_path, pieces)
    assert expected in document.text
    assert all(document.text[s.start : s.end] == s.text for s in document.sentences)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_boxes_are_in_the_frame_of_the_displayed_page(tmp_path: Path, rotation: int) -> None:
    file = pymupdf.open()
    page = file.new_page(width=500, height=700)
    column(page, LEFT, 100, FILLER_LEFT)
    page.set_rotation(rotation)
    path = tmp_path / "turned.pdf"
    file.save(path)
    document = read(path)
    info = document.pages[0]
    assert (info.width, info.height) == ((500, 700) if rotation % 180 == 0 else (700, 500))
    assert info.rotation == rotation
    assert_consistent(path, document)
    for sentence in document.sentences:
        for _, x0, y0, x1, y1 in sentence.boxes:
            assert 0 <= x0 < x1 <= info.width
            assert 0 <= y0 < y1 <= info.height


def test_a_page_set_sideways_is_read(tmp_path: Path) -> None:
    """Text that runs up a page without a rotation mark (a landscape page bound upright)."""
    file = pymupdf.open()
    page = file.new_page(width=500, height=700)
    for number, line in enumerate(FILLER_LEFT):
        page.insert_text((100 + 12 * number, 600), line, fontsize=10, rotate=90)
    path = tmp_path / "sideways.pdf"
    file.save(path)
    document = read(path)
    assert "They were then cut into bars with a diamond saw." in sentences(document)
    assert_consistent(path, document)


def test_sections_and_what_is_not_mined(tmp_path: Path) -> None:
    file = pymupdf.open()
    page = file.new_page()
    y = 80.0
    for heading in ("2. Methods", "2.1 Growth", "3. Results and discussion", "4. Conclusions", "Acknowledgements"):
        put(page, LEFT, y, heading, 12, "hebo")
        y = column(page, LEFT, y + 16, [*FILLER_LEFT[:2], "were kept dry."]) + 12
    put(page, LEFT, y, "References", 12, "hebo")
    entries = [
        "[1] A. Author, B. Writer, On bars of metal, J. Made-up Films 3",
        "(2001) 12-19.",
        "[2] C. Penman, The dry box, Town Press, 1999.",
        "[3] D. Scribe, Silver paint, Rev. Paint 8 (2010) 1-4.",
    ]
    column(page, LEFT, y + 16, entries)
    path = tmp_path / "sections.pdf"
    file.save(path)
    document = read(path)
    assert [(s.title, s.level, s.imrad) for s in document.sections] == [
        ("2. Methods", 1, "METHODS"),
        ("2.1 Growth", 2, "METHODS"),
        ("3. Results and discussion", 1, "DISCUSSION"),
        ("4. Conclusions", 1, "CONCLUSION"),
        ("Acknowledgements", 1, "OTHER"),
        ("References", 1, "REFERENCES"),
    ]
    assert not any(s.mined for s in document.sentences if s.section in {"Acknowledgements", "References"})
    assert any(s.mined for s in document.sentences if s.section == "4. Conclusions")
    assert document.references == (
        "[1] A. Author, B. Writer, On bars of metal, J. Made-up Films 3 (2001) 12-19.",
        "[2] C. Penman, The dry box, Town Press, 1999.",
        "[3] D. Scribe, Silver paint, Rev. Paint 8 (2010) 1-4.",
    )


def test_a_table_is_kept_out_of_the_text_and_in_rows(tmp_path: Path) -> None:
    file = pymupdf.open()
    page = file.new_page()
    column(page, LEFT, 100, FILLER_LEFT)
    put(page, LEFT, 220, "Table 1. Loss of the bars.", 9)
    rows = [("Bar", "Mass (g)", "Loss (%)"), ("A1", "12.1", "0.2"), ("A2", "11.9", "0.4"), ("B1", "14.0", "0.1")]
    for number, row in enumerate(rows):
        for place, cell in enumerate(row):
            put(page, LEFT + 100 * place, 236 + 12 * number, cell, 9)
    column(page, LEFT, 320, FILLER_RIGHT)
    path = tmp_path / "table.pdf"
    file.save(path)
    document = read(path)
    (table,) = document.tables
    assert table.label == "Table 1"
    assert table.header == rows[0]
    assert table.rows == tuple(rows[1:])
    assert not any("12.1" in s.text for s in document.sentences if s.mined)


def test_line_numbers_of_a_manuscript_are_left_out(tmp_path: Path) -> None:
    file = pymupdf.open()
    page = file.new_page()
    for number, line in enumerate(FILLER_LEFT + FILLER_RIGHT):
        put(page, 30, 100 + 24 * number, str(number + 1), 8)
        put(page, LEFT, 100 + 24 * number, line)
    path = tmp_path / "numbered.pdf"
    file.save(path)
    document = read(path)
    assert "They were then cut into bars with a diamond saw." in sentences(document)


def test_reading_twice_gives_the_same(two_columns: Path) -> None:
    assert read(two_columns) == read(two_columns)


def test_works_listed_without_a_heading_are_references(tmp_path: Path) -> None:
    file = pymupdf.open()
    page = file.new_page()
    column(page, LEFT, 100, FILLER_LEFT + FILLER_RIGHT)
    column(page, LEFT, 270, ["Results were published in 2020 across temperatures of 10-20 K for all films."])
    works = [f"Baker A., On bars of kind {n}, J. Films {n}, {n}00-{n}12 ({2000 + n})." for n in range(1, 8)]
    column(page, LEFT, 290, works)
    path = tmp_path / "unheaded.pdf"
    file.save(path)
    document = read(path)
    assert "Results were published in 2020 across temperatures of 10-20 K for all films." in sentences(document)
    assert not any("Baker" in sentence.text for sentence in document.sentences if sentence.mined)
