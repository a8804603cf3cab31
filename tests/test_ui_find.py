"""Finding works on the web through the real window, with real servers on this machine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QAccessible, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from minerva_desktop.ui.look_up_dialog import LookUpDialog
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.ui.works_model import LIBRARY, TITLE
from tests import web_server
from tests.find_support import (
    QUERY,
    found,
    open_window,
    openalex_with_files,
    row_titled,
    set_services,
    site_of,
    titles,
    type_query,
)
from tests.ui_support import settle, wait_for
from tests.web_support import Internet, internet

pytest_plugins = ["tests.ui_fixtures"]
CTRL = Qt.KeyboardModifier.ControlModifier
SERIES = [f"Superconducting niobium nitride films of series {number}" for number in (0, 10, 20, 30)]


@pytest.fixture
def net(monkeypatch: pytest.MonkeyPatch, sample_folder: Path) -> Iterator[Internet]:
    with internet() as made:
        made.arxiv.answer = web_server.arxiv_answer(20)
        made.openalex.answer = openalex_with_files(made, 2, 20)
        made.crossref.answer = web_server.crossref_answer(40)
        made.site.answer = site_of(sorted(sample_folder.glob("*.pdf")))
        set_services(monkeypatch, made)
        yield made


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, quiet_qt: None, net: Internet) -> Iterator[MainWindow]:
    with open_window(tmp_path / "library", qtbot) as made:
        yield made


def test_works_of_three_sources_arrive_in_one_table(qtbot: QtBot, window: MainWindow) -> None:
    type_query(qtbot, window, QUERY)
    found(qtbot, window)
    web = window.find.web
    assert web.states.state == "content"
    assert set(titles(window)) == set(SERIES[:2])
    both = row_titled(window, SERIES[1])
    assert both.work.sources == ("arxiv", "crossref", "openalex")
    assert {name: toggle.mark.state for name, toggle in web.sources.toggles.items()} == {
        "arxiv": "ok",
        "openalex": "ok",
        "crossref": "ok",
        "semanticscholar": "",
    }
    assert "20" in web.sources.toggles["arxiv"].said.text()
    assert "left of $1 today" in web.sources.toggles["openalex"].toolTip()
    assert web.table.hasFocus()
    assert "We grow niobium nitride films" in web.detail.toPlainText()
    assert "10.5555/films." in web.detail.toPlainText()


def test_the_same_search_again_comes_from_this_computer(qtbot: QtBot, window: MainWindow, net: Internet) -> None:
    type_query(qtbot, window, QUERY)
    found(qtbot, window)
    asked = net.asked
    type_query(qtbot, window, QUERY)
    found(qtbot, window)
    assert net.asked == asked
    assert window.find.web.sources.toggles["crossref"].said.text() == "20, cached"


def test_a_source_that_fails_says_so_and_hides_no_other(qtbot: QtBot, window: MainWindow, net: Internet) -> None:
    net.arxiv.always = web_server.body(web_server.HTML, "text/html")
    type_query(qtbot, window, QUERY)
    found(qtbot, window)
    web = window.find.web
    assert set(titles(window)) == set(SERIES[:2])
    assert web.sources.toggles["arxiv"].mark.state == "failed"
    assert web.sources.sentences["arxiv"].isVisible()
    assert "arXiv" in web.sources.sentences["arxiv"].text()
    assert not web.sources.sentences["crossref"].isVisible()


def test_when_no_source_answers_it_says_why_and_can_be_tried_again(
    qtbot: QtBot, window: MainWindow, net: Internet
) -> None:
    for server in (net.arxiv, net.openalex, net.crossref):
        server.always = web_server.status(400)
    type_query(qtbot, window, QUERY)
    found(qtbot, window)
    states = window.find.web.states
    assert states.state == "empty"
    assert states.empty.title.text() == "No source answered"
    assert "Crossref" in states.empty.text.text()
    for server in (net.arxiv, net.openalex, net.crossref):
        server.always = None
    window.find.web._try_again.click()
    found(qtbot, window)
    assert set(titles(window)) == set(SERIES[:2])


def test_rows_stream_in_and_the_chosen_one_stays_chosen(qtbot: QtBot, window: MainWindow, net: Internet) -> None:
    net.crossref.delay = 1.5
    type_query(qtbot, window, QUERY)
    web = window.find.web
    wait_for(qtbot, lambda: web.model.rowCount() == 2)
    assert web.searching
    assert web.sources.toggles["crossref"].mark.state == "running"
    wait_for(qtbot, lambda: web.sources.toggles["openalex"].mark.state == "ok")
    web.table.sortByColumn(TITLE, Qt.SortOrder.DescendingOrder)
    web.table.selectRow(0)
    qtbot.keyClick(web.table, Qt.Key.Key_Space)
    before = web.current_row()
    assert before is not None
    assert before.ticked
    assert "crossref" not in before.work.sources
    found(qtbot, window)
    after = web.current_row()
    assert after is not None
    assert after.uid == before.uid
    assert after.ticked
    assert "crossref" in after.work.sources
    assert titles(window) == sorted(titles(window), reverse=True)


def test_two_works_are_ticked_and_ctrl_enter_takes_them_in(qtbot: QtBot, window: MainWindow, net: Internet) -> None:
    net.arxiv.always = web_server.status(400)
    type_query(qtbot, window, QUERY)
    found(qtbot, window)
    web = window.find.web
    assert len(titles(window)) == 2
    qtbot.keyClick(web.table, Qt.Key.Key_Space)
    qtbot.keyClick(web.table, Qt.Key.Key_Down)
    qtbot.keyClick(web.table, Qt.Key.Key_Space)
    assert web.ingest_button.text().startswith("Ingest 2")
    assert web.count.text() == "2 works, 2 ticked"
    qtbot.keyClick(web.table, Qt.Key.Key_Return, CTRL)
    assert window.bridge.jobs
    assert web.jobs.isVisible()
    wait_for(qtbot, lambda: not window.bridge.jobs)
    settle(qtbot, window)
    papers = window.workbench.papers()
    assert sorted(paper.title for paper in papers) == SERIES[:2]
    assert {paper.extent for paper in papers} == {"full"}
    assert all(paper.pages for paper in papers)
    assert {web.model.index(n, LIBRARY).data() for n in range(2)} == {"In library"}
    assert not web.model.ticked()
    window.go("library")
    settle(qtbot, window)
    assert window.library.papers.rowCount() == 2
    window.go("find")
    web.open_current()
    wait_for(qtbot, lambda: window.page.isVisible() and bool(window.page.paper))
    assert window.page.paper in {paper.id for paper in papers}


def test_what_cannot_be_had_says_why_in_its_row(qtbot: QtBot, window: MainWindow, net: Internet) -> None:
    net.arxiv.always = web_server.status(400)
    net.openalex.answer = openalex_with_files(net, 0, 20)
    net.openalex.always = web_server.status(400)
    plain = web_server.crossref_answer(20)

    def without_abstracts(request: web_server.Request) -> web_server.Answer:
        code, headers, body = plain(request)
        return code, headers, body.replace(b'"abstract"', b'"nothing"')

    net.crossref.answer = without_abstracts
    type_query(qtbot, window, QUERY)
    found(qtbot, window)
    web = window.find.web
    web.ingest()
    wait_for(qtbot, lambda: not window.bridge.jobs)
    settle(qtbot, window)
    row = web.current_row()
    assert row is not None
    assert row.fate == "skipped"
    assert "abstract" in row.reason
    assert row.reason in web.detail.toPlainText()
    assert window.workbench.papers() == []


def test_esc_stops_a_search_and_what_has_arrived_stays(qtbot: QtBot, window: MainWindow, net: Internet) -> None:
    net.crossref.delay = 20
    type_query(qtbot, window, QUERY)
    web = window.find.web
    wait_for(qtbot, lambda: web.model.rowCount() == 2)
    assert window.find.go_button.text() == "Stop"
    begun = time.monotonic()
    qtbot.keyClick(window.find, Qt.Key.Key_Escape)
    wait_for(qtbot, lambda: not web.searching)
    assert time.monotonic() - begun < 3
    assert len(titles(window)) == 2
    assert web.sources.toggles["crossref"].said.text() == "stopped"
    assert "stopped" in web.sources.sentences["crossref"].text()
    assert window.find.go_button.text() == "Search"


def test_a_newer_search_never_shows_results_of_the_older(qtbot: QtBot, window: MainWindow, net: Internet) -> None:
    for server in (net.arxiv, net.openalex, net.crossref):
        server.delay = 0.7
    type_query(qtbot, window, QUERY)
    qtbot.wait(100)
    seen: list[str] = []
    window.find.web.model.rowsInserted.connect(lambda *_: seen.extend(titles(window)))
    type_query(qtbot, window, "hafnium nitride")
    found(qtbot, window)
    qtbot.wait(300)
    assert seen
    assert all("hafnium" in title for title in (*seen, *titles(window)))


def test_a_work_that_was_left_out_can_be_pulled_back_and_taken_in(
    qtbot: QtBot, window: MainWindow, net: Internet
) -> None:
    net.arxiv.always = web_server.status(400)
    type_query(qtbot, window, QUERY)
    found(qtbot, window)
    web = window.find.web
    assert web.left_out.isVisible()
    assert web.left_out.head.text().startswith("Left out (")
    web.left_out.head.click()
    first = web.left_out.model.row(0)
    assert first.reason
    count = web.left_out.model.rowCount()
    web.left_out.table.setFocus()
    web.left_out.table.selectRow(0)
    qtbot.keyClick(web.left_out.table, Qt.Key.Key_Return)
    settle(qtbot, window)
    assert first.title in titles(window)
    assert web.left_out.model.rowCount() == count - 1


def test_a_retracted_work_says_so_before_it_is_taken_in(qtbot: QtBot, window: MainWindow) -> None:
    type_query(qtbot, window, "hafnium nitride")
    found(qtbot, window)
    web = window.find.web
    row = row_titled(window, "Superconducting hafnium nitride films of series 13")
    number = next(n for n in range(web.model.rowCount()) if web._row_at(n).uid == row.uid)
    web.table.selectRow(number)
    assert "Retracted:" in web.detail.toPlainText()


def test_identifiers_and_pasted_references_are_looked_up(qtbot: QtBot, window: MainWindow) -> None:
    type_query(qtbot, window, "10.5555/films.4")
    found(qtbot, window)
    assert titles(window) == ["Superconducting vanadium nitride films of series 4"]
    window.registry.run("find-look-up")
    dialog = window.findChild(LookUpDialog)
    assert dialog is not None
    assert not dialog.look_up.isEnabled()
    dialog.text.insertPlainText("10.5555/films.7\n10.9999/none.such")
    dialog.look_up.click()
    found(qtbot, window)
    assert titles(window) == ["Superconducting rhenium nitride films of series 7"]
    assert "Refused (1)" in window.find.web.left_out.head.text()
    assert "10.9999/none.such" in window.find.web.left_out.model.row(0).title


class _Browser(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    @Slot(QUrl)
    def show(self, url: QUrl) -> None:
        self.seen.append(url.toString())


def test_page_and_citation_of_a_work(qtbot: QtBot, window: MainWindow) -> None:
    type_query(qtbot, window, "10.5555/films.4")
    found(qtbot, window)
    browser = _Browser()
    QDesktopServices.setUrlHandler("https", browser, "show")
    try:
        window.find.web.table.setFocus()
        qtbot.keyClick(window.find.web.table, Qt.Key.Key_O)
    finally:
        QDesktopServices.unsetUrlHandler("https")
    assert browser.seen == ["https://doi.org/10.5555/films.4"]
    qtbot.keyClick(window.find.web.table, Qt.Key.Key_C, CTRL | Qt.KeyboardModifier.ShiftModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Ada Berg4, Chen Dahl. Superconducting vanadium nitride films of series 4")
    assert copied.endswith("https://doi.org/10.5555/films.4")


def test_slash_goes_to_the_line_and_earlier_searches_are_kept_and_forgotten(qtbot: QtBot, window: MainWindow) -> None:
    for text in ("hafnium nitride", QUERY):
        type_query(qtbot, window, text)
        found(qtbot, window)
    line = window.find.line
    assert not line.hasFocus()
    qtbot.keyClick(window.find.web.table, Qt.Key.Key_Slash)
    assert line.hasFocus()
    qtbot.keyClick(line, Qt.Key.Key_Down)
    assert line.popup.isVisible()
    assert [line.popup.list.item(n).text() for n in range(2)] == [QUERY, "hafnium nitride"]
    qtbot.keyClick(line.popup.list, Qt.Key.Key_Delete)
    assert line.earlier == ["hafnium nitride"]
    qtbot.keyClick(line.popup.list, Qt.Key.Key_Return)
    found(qtbot, window)
    assert line.text() == "hafnium nitride"
    assert all("hafnium" in title for title in titles(window))


def test_years_are_asked_for_and_a_wrong_range_is_said(qtbot: QtBot, window: MainWindow, net: Internet) -> None:
    web = window.find.web
    window.registry.run("find-web")
    qtbot.keyClicks(web.years, "soon")
    type_query(qtbot, window, QUERY)
    assert web.fault.isVisible()
    assert "soon" in web.fault.text()
    web.years.setText("2015-2020")
    type_query(qtbot, window, QUERY)
    found(qtbot, window)
    assert not web.fault.isVisible()
    assert any("2015" in request.raw and "2020" in request.raw for request in net.crossref.seen)


def test_the_window_goes_on_working_while_the_sources_are_slow(qtbot: QtBot, window: MainWindow, net: Internet) -> None:
    for server in (net.arxiv, net.openalex, net.crossref):
        server.delay = 1.0
    type_query(qtbot, window, QUERY)
    longest, last = 0.0, time.monotonic()
    while window.find.web.searching:
        QApplication.processEvents()
        now = time.monotonic()
        longest, last = max(longest, now - last), now
        time.sleep(0.002)
    assert longest < 0.5
    found(qtbot, window)


def test_a_window_that_closes_does_not_wait_for_slow_sources(qtbot: QtBot, tmp_path: Path, net: Internet) -> None:
    for server in (net.arxiv, net.openalex, net.crossref):
        server.delay = 20
    with open_window(tmp_path / "other", qtbot) as window:
        type_query(qtbot, window, QUERY)
        qtbot.wait(300)
        assert window.find.web.searching
        begun = time.monotonic()
    assert time.monotonic() - begun < 4


def test_every_widget_of_the_page_has_a_name(qtbot: QtBot, window: MainWindow) -> None:
    type_query(qtbot, window, QUERY)
    found(qtbot, window)
    window.find.web.left_out.head.click()
    nameless = []
    for widget in window.find.findChildren(QWidget):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or not widget.isVisible():
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface is None or not interface.text(QAccessible.Text.Name):
            nameless.append(f"{type(widget).__name__} {widget.objectName()}")
    assert nameless == []


def test_commands_for_works_do_nothing_while_passages_are_shown(qtbot: QtBot, window: MainWindow) -> None:
    type_query(qtbot, window, QUERY)
    found(qtbot, window)
    window.registry.run("find-library")
    settle(qtbot, window)
    window.registry.run("find-ingest")
    settle(qtbot, window)
    assert not window.bridge.jobs
    assert window.workbench.papers() == []


def test_offline_the_web_says_so_and_no_socket_is_opened(qtbot: QtBot, tmp_path: Path, net: Internet) -> None:
    with open_window(tmp_path / "other", qtbot, offline=True) as window:
        window.registry.run("find-web")
        settle(qtbot, window)
        assert window.find.web.states.empty.title.text() == "You are working offline"
        type_query(qtbot, window, QUERY)
        found(qtbot, window)
        assert window.find.web.states.empty.title.text() == "No source answered"
        assert net.asked == 0
