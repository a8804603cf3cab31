"""The page pane: marks stay on their words at every size, and documents without pages show their text."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, Qt
from pytestqt.qtbot import QtBot

from minerva_desktop.documents import read_document
from minerva_desktop.records import Document, Sentence
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.ui.reading_order import shapes_of
from minerva_desktop.ui.text_page import find_quote, utf16_offset
from minerva_desktop.ui.widgets import Place
from tests.ui_support import assert_marked, is_marked, read, settle, wait_for

pytest_plugins = ["tests.ui_fixtures"]

NOTES = """# Notes on 𝐆𝐚𝐍 films

The first sentence says 🙂 nothing of interest. The band gap of GaN is 3.4 eV at 300 K.

GaN is used in blue LEDs.
"""


@pytest.mark.parametrize("zoom", [0.6, 1.0, 2.3])
def test_marks_stay_on_their_words_at_every_size(qtbot: QtBot, window: MainWindow, paper: Path, zoom: float) -> None:
    read(qtbot, window, paper)
    record = next(item for fact in window.workbench.facts() for item in fact.evidence if item.evidence.boxes)
    evidence = record.evidence
    window.show_place(Place(evidence.paper, evidence.page, evidence.boxes, evidence.sentence))
    settle(qtbot, window)
    window.page.canvas.set_zoom(zoom)
    window.page.canvas.go_to_box(evidence.boxes[0])
    wait_for(qtbot, lambda: window.page.canvas.ready and not window.bridge.busy)
    assert_marked(window, evidence.boxes[0])


def test_print_under_a_mark_stays_as_black_as_it_was(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    record = next(item for fact in window.workbench.facts() for item in fact.evidence if item.evidence.boxes)
    evidence = record.evidence
    window.show_place(Place(evidence.paper, evidence.page, evidence.boxes, evidence.sentence))
    settle(qtbot, window)
    canvas = window.page.canvas
    canvas.set_zoom(2.0)
    canvas.go_to_box(evidence.boxes[0])
    wait_for(qtbot, lambda: canvas.ready and not window.bridge.busy)
    image = canvas.viewport().grab().toImage()
    place = canvas.box_rect(evidence.boxes[0]).intersected(canvas.viewport().rect()).toAlignedRect()
    seen = [
        image.pixelColor(x, y) for x in range(place.left(), place.right()) for y in range(place.top(), place.bottom())
    ]
    assert sum(max(color.red(), color.green(), color.blue()) < 60 for color in seen) > 50
    assert sum(is_marked(color) for color in seen) > 500


def test_pages_are_turned_by_keys_and_by_number(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    window.library.open_paper()
    settle(qtbot, window)
    assert window.page.canvas.page == 1
    window.page.canvas.set_zoom(1.5)
    window.registry.run("page-next")
    assert window.page.canvas.page == 2
    window.page._number.setValue(1)
    assert window.page.canvas.page == 1
    qtbot.keyClick(window.page.canvas, Qt.Key.Key_End)
    assert window.page.canvas.page == window.workbench.page_count(window.page.paper)


def test_a_document_without_pages_shows_its_text_with_the_sentence_marked(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text(NOTES, encoding="utf-8")
    read(qtbot, window, notes)
    fact = next(fact for fact in window.workbench.facts() if "3.4 eV" in fact.claim)
    evidence = fact.evidence[0].evidence
    assert evidence.boxes == ()
    window.show_place(Place(evidence.paper, evidence.page, evidence.boxes, evidence.sentence))
    settle(qtbot, window)
    view = window.page.text
    assert view.isVisible()
    marked = view.extraSelections()
    assert len(marked) == 1
    assert marked[0].cursor.selectedText() == evidence.sentence


def test_a_paper_that_is_gone_is_said_so_and_can_be_tried_again(qtbot: QtBot, window: MainWindow) -> None:
    window.show_place(Place("f" * 64, 1, (), "Something."))
    settle(qtbot, window)
    assert window.page.states.state == "error"


def test_the_number_of_pages_does_not_touch_the_field_before_it(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    window.library.open_paper()
    wait_for(qtbot, lambda: window.page.canvas.ready)
    settle(qtbot, window)
    field, number = window.page._number.geometry(), window.page._of
    assert number.x() + number.contentsRect().x() - field.right() >= 6


def test_a_textbook_citation_shows_its_quotation(window: MainWindow) -> None:
    window.show_place(Place("", 12, (), "The band gap of GaN is 3.4 eV.", "Starter textbook"))
    assert "The band gap of GaN is 3.4 eV." in window.page.states.empty.title.text()
    assert "Starter textbook, page 12" in window.page.states.empty.text.text()


def test_a_quotation_is_found_though_its_spaces_differ() -> None:
    text = "One here.\nThe gap is\n3.4 eV."
    sentences = (Sentence(0, "One here.", 0, 9), Sentence(1, "The gap is\n3.4 eV.", 10, len(text)))
    document = Document("ok", text=text, sentences=sentences)
    assert find_quote(document, "The gap is 3.4 eV.") == (10, len(text))
    assert find_quote(document, "Elsewhere.") is None


def test_offsets_are_counted_as_qt_counts_them() -> None:
    assert utf16_offset("a🙂b", 2) == 3
    assert utf16_offset("abc", 2) == 2


def test_the_reading_order_is_drawn_over_the_page_and_taken_away(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    window.library.open_paper()
    settle(qtbot, window)
    wait_for(qtbot, lambda: window.page.canvas.ready)
    document = window.workbench.document(window.page.paper)
    head = next(box for box in document.left_out if box[0] == 1)
    canvas = window.page.canvas
    canvas.go_to_page(1)

    def red() -> bool:
        image = canvas.viewport().grab().toImage()
        place = canvas.box_rect(head).center().toPoint()
        color = image.pixelColor(place.x(), place.y() + 2)
        return color.red() > color.green() + 30

    assert not red()
    window.registry.run("reading-order")
    settle(qtbot, window)
    assert red()
    assert window.page.legend.isVisible()
    window.registry.run("reading-order")
    settle(qtbot, window)
    assert not red()
    assert not window.page.legend.isVisible()


def test_paragraphs_are_numbered_in_reading_order(paper: Path) -> None:
    document = read_document(paper)
    shapes = shapes_of(document)
    labels = [int(shape.label) for page in sorted(shapes) for shape in shapes[page] if shape.label]
    assert labels == sorted(labels)
    assert {shape.kind for shape in shapes[1]} >= {"block", "sentence", "heading", "table", "caption", "unread"}


def test_the_place_on_the_page_is_pictured_beside_the_sentence(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    window.go("review")
    settle(qtbot, window)
    crop = window.review.card.crop.page
    wait_for(qtbot, lambda: crop.picture is not None)
    fact = window.review.current()
    assert fact is not None
    boxes = fact.evidence[0].evidence.boxes
    views = [window.view for window in crop.windows()]
    for _, x0, y0, x1, y1 in boxes[:2]:
        assert any(view.contains(QRectF(x0, y0, x1 - x0, y1 - y0)) for view in views)
    shown = crop.grab().toImage()
    points = [(x, y) for x in range(shown.width()) for y in range(shown.height())]
    assert sum(shown.pixelColor(x, y).lightness() < 120 for x, y in points) > 50  # there are letters in it
    assert sum(is_marked(shown.pixelColor(x, y)) for x, y in points) > 200
