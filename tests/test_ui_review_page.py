"""Review by the keyboard: moving in it, and the page and the textbook beside the fact."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from minerva_desktop.ui.main_window import MainWindow
from tests.review_window import FACTS, KEY, go_to, press, shown, status
from tests.ui_support import is_marked, settle, wait_for

pytest_plugins = ["tests.ui_fixtures", "tests.review_fixtures"]


@pytest.fixture
def window(review_window: MainWindow) -> MainWindow:
    return review_window


# ------------------------------------------------------------------------------------------------------ moving, page
def test_arrows_and_letters_move_and_enter_or_space_opens_the_page(qtbot: QtBot, window: MainWindow) -> None:
    table = window.review.table
    for key, row in ((KEY.Key_J, 1), (KEY.Key_Down, 2), (KEY.Key_K, 1), (KEY.Key_Up, 0)):
        press(key)
        assert table.currentIndex().row() == row
    settle(qtbot, window)
    evidence = shown(window).evidence[0].evidence
    for key in (KEY.Key_Return, KEY.Key_Space):
        window._close_page_pane()
        press(key)
        assert window.page.isVisible()
        wait_for(qtbot, lambda: window.page.paper == evidence.paper and not window.bridge.busy)
        assert evidence.sentence in window.page.quote._text.text()


def test_without_a_list_the_keys_work_on_the_page(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(900, 700)
    settle(qtbot, window)
    review = window.review
    assert review.table.isHidden()
    assert review.card.crop.page.hasFocus()
    first = shown(window)
    press(KEY.Key_Down)
    assert review.strip.place.text() == f"2 of {FACTS}"
    press(KEY.Key_Up)
    press(KEY.Key_A)
    settle(qtbot, window)
    assert status(window, first) == "accepted"
    press(KEY.Key_Return)
    assert window.page.isVisible()


def test_the_sentence_is_marked_on_the_picture_of_its_page(window: MainWindow) -> None:
    crop = window.review.card.crop.page
    boxes = shown(window).evidence[0].evidence.boxes
    image = crop.grab().toImage()
    for box in boxes:
        place = next(one for one in crop.windows() if one.view.contains(box[1] + 1, box[2] + 1))
        x = place.place.x() + (box[1] - place.view.x()) * place.scale
        y = place.place.y() + (box[2] - place.view.y()) * place.scale
        row = [image.pixelColor(round(x) + step, round(y) + 2) for step in range(2, 60)]
        assert sum(is_marked(color) for color in row) > 40
        assert not is_marked(image.pixelColor(round(x) - 5, round(y) + 2))


def test_the_textbooks_words_stand_beside_the_papers(qtbot: QtBot, window: MainWindow) -> None:
    fact = shown(window)
    text = window.review.detail.toPlainText()
    assert fact.evidence[0].evidence.sentence in text
    assert "Gallium nitride (GaN) is used in blue LEDs." in text
    assert "The passage speaks of another material." in text
    assert "Oxides and nitrides" in text


def test_a_paper_without_pages_shows_the_words_around(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text("# Films\n\nWe looked at many films. The band gap of GaN is 3.4 eV at 300 K. So it is.\n", "utf-8")
    window.workbench.ingest([notes], engine="builtin")
    settle(qtbot, window)
    paper = next(item for item in window.workbench.papers() if item.pages == 0)
    window.review.tabs.setCurrentIndex(3)
    window.review.show_paper(paper.id, "Notes")
    settle(qtbot, window)
    go_to(qtbot, window, "HAS_VALUE")
    words = window.review.card.crop.words
    assert window.review.card.crop.currentWidget() is words
    assert "We looked at many films." in words.toPlainText()
    assert "background-color" in words.toHtml()
    assert window.workbench.papers()
