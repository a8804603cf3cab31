"""Finding passages of one's own library, and what the window says of retractions, versions and likely duplicates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from minerva_desktop.pipeline.works import name_of, work_text
from minerva_desktop.records import Notice
from minerva_desktop.ui.badges import BadgesRole
from minerva_desktop.ui.duplicates_dialog import DuplicatesDialog
from minerva_desktop.ui.job_history import JobHistory
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.ui.marking import marked_spans
from tests import web_server
from tests.find_support import QUERY, found, open_window, set_services, type_query
from tests.ui_support import assert_marked, click_link, read, settle, wait_for
from tests.web_support import Internet, internet

pytest_plugins = ["tests.ui_fixtures"]
RETRACTION = Notice("retraction", "10.5555/notice.1", "2021-03-04")


# ----------------------------------------------------------------------------------------------------- passages
def test_what_is_typed_is_found_in_the_library_without_a_connection(
    qtbot: QtBot, window: MainWindow, paper: Path
) -> None:
    read(qtbot, window, paper)
    window.registry.run("find-library")
    assert window.workbench.offline
    qtbot.keyClicks(window.find.line, "photons with an efficiency")
    page = window.find.passages
    wait_for(qtbot, lambda: page.states.state == "content")
    settle(qtbot, window)
    first = page.model.passages[0]
    assert "efficiency of 78 %" in first.text
    assert first.page == 1
    assert "page 1" in page.model.index(0, 0).data()
    assert window.find.line.hasFocus()


def test_enter_opens_the_page_at_the_very_sentence(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    type_query(qtbot, window, "photons of 1550 nm efficiency", scope="library")
    page = window.find.passages
    wait_for(qtbot, lambda: page.list.hasFocus())
    settle(qtbot, window)
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    wait_for(qtbot, lambda: window.page.isVisible() and window.page.canvas.ready)
    settle(qtbot, window)
    quote = window.page.quote._text.text()
    assert "efficiency of 78 %" in quote
    assert "critical temperature" not in quote
    sentence = next(s for s in window.workbench.document(window.page.paper).sentences if "78 %" in s.text)
    assert window.page.canvas.page == sentence.page
    assert_marked(window, sentence.boxes[-1])


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("Critical temperatures of NbN films.", "critical temperature", ["Critical", "temperatures"]),
        ("The Li-ion cell. A cell of Na.", "li-ion", ["Li-ion"]),
        ("The gap of MgB2 and of MgO.", "what is the gap of MgB2?", ["gap", "MgB2"]),
        ("Nothing of it here.", "sputtering", []),
    ],
)
def test_the_words_that_were_searched_are_marked(text: str, query: str, marked: list[str]) -> None:
    assert [text[start:end] for start, end in marked_spans(text, query)] == marked


def test_an_empty_library_and_words_that_are_not_there_are_said_so(
    qtbot: QtBot, window: MainWindow, paper: Path
) -> None:
    type_query(qtbot, window, "sputtering", scope="library")
    settle(qtbot, window)
    assert window.find.passages.states.empty.title.text() == "Your library is empty"
    read(qtbot, window, paper)
    type_query(qtbot, window, "zebra", scope="library")
    settle(qtbot, window)
    assert window.find.passages.states.empty.title.text() == "Nothing in your library"


def test_the_scope_is_remembered(qtbot: QtBot, window: MainWindow) -> None:
    window.registry.run("find-web")
    assert window.find.scopes.current == "web"
    assert window._memory.value("find/scope") == "web"
    window.find.web.sources.toggles["crossref"].box.click()
    assert "crossref" not in str(window._memory.value("find/sources")).split()


# --------------------------------------------------------------------------------------------------- retractions
class _Browser(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    @Slot(QUrl)
    def show(self, url: QUrl) -> None:
        self.seen.append(url.toString())


def test_a_retracted_paper_says_so_in_its_row_its_detail_and_at_its_facts(
    qtbot: QtBot, window: MainWindow, paper: Path
) -> None:
    read(qtbot, window, paper)
    stored = window.workbench.papers()[0]
    assert not window.library.card.banner.isVisible()
    window.workbench.library.catalog.set_notices(stored.id, (RETRACTION,))
    window.library.reload()
    settle(qtbot, window)
    rows = window.library.paper_rows
    assert rows.index(0, 0).data(BadgesRole) == (("RETRACTED", "refused"),)
    banner = window.library.card.banner
    assert banner.isVisible()
    assert "Retracted:" in banner.text()
    browser = _Browser()
    QDesktopServices.setUrlHandler("https", browser, "show")
    try:
        banner.linkActivated.emit("https://doi.org/10.5555/notice.1")
        window.library.show_facts()
        settle(qtbot, window)
        assert "Retracted:" in window.review.detail.toPlainText()
        assert "RETRACTED" in window.review.model.index(0, 3).data()
        click_link(window.review.detail, "https://doi.org/10.5555/notice.1")
        window.find.find_this("critical temperature", "library")
        settle(qtbot, window)
        assert window.find.passages.model.index(0, 0).data().startswith("retracted, ")
    finally:
        QDesktopServices.unsetUrlHandler("https")
    assert browser.seen == ["https://doi.org/10.5555/notice.1"] * 2


# ---------------------------------------------------------------------------------------- versions, duplicates
@pytest.fixture
def two_papers(qtbot: QtBot, window: MainWindow, sample_folder: Path, tmp_path: Path) -> MainWindow:
    """Two papers of the same title, authors and year."""
    files = [tmp_path / "preprint.pdf", tmp_path / "article.pdf"]
    for file, sample in zip(files, sorted(sample_folder.glob("*.pdf")), strict=False):
        file.write_bytes(sample.read_bytes())
    read(qtbot, window, *files)
    for paper in window.workbench.papers():
        window.workbench.describe_paper(
            paper.id, title="Thin films of niobium nitride grown slowly", authors=["Ada Berg"], year=2020, doi=""
        )
    settle(qtbot, window)
    return window


def test_likely_duplicates_are_merged_listed_under_their_paper_and_taken_apart_by_undo(
    qtbot: QtBot, two_papers: MainWindow
) -> None:
    window = two_papers
    library = window.library
    assert library.duplicates_button.isVisible()
    assert library.duplicates_button.text() == "Likely Duplicates (1)…"
    library.duplicates_button.click()
    settle(qtbot, window)
    dialog = window.findChild(DuplicatesDialog)
    assert dialog is not None
    group = dialog.groups[0]
    names = [paper.file_name for paper in group.papers]
    group.choices[names.index("article.pdf")].click()
    group.merge.click()
    settle(qtbot, window)
    assert dialog.groups == []
    assert not library.duplicates_button.isVisible()
    versions = {paper.file_name: paper.version_of for paper in window.workbench.papers()}
    assert versions["article.pdf"] == ""
    assert versions["preprint.pdf"]
    for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
        library.table.sortByColumn(5, order)  # facts that wait: it differs between the two
        assert [library._paper_at(row).file_name for row in range(2)] == ["article.pdf", "preprint.pdf"]
    assert library.paper_rows.index(1, 0).data().startswith("↳")
    library.table.selectRow(0)
    assert "preprint.pdf" in library.card.versions.text()
    library.table.selectRow(1)
    assert "A version of" in library.card.versions.text()
    assert library.card.split.isVisible()

    dialog.undo.click()
    settle(qtbot, window)
    assert {paper.version_of for paper in window.workbench.papers()} == {""}
    assert len(dialog.groups) == 1
    dialog.close()


def test_a_version_can_be_made_a_paper_of_its_own(qtbot: QtBot, two_papers: MainWindow) -> None:
    window = two_papers
    first, second = window.workbench.papers()
    window.workbench.merge_papers(first.id, [second.id])
    settle(qtbot, window)
    window.library.table.selectRow(1)
    window.library.card.split.click()
    settle(qtbot, window)
    assert {paper.version_of for paper in window.workbench.papers()} == {""}


# ------------------------------------------------------------------------------------------------ abstract only
@pytest.fixture
def net(monkeypatch: pytest.MonkeyPatch) -> Iterator[Internet]:
    with internet() as made:
        made.arxiv.always = made.openalex.always = web_server.status(400)
        made.crossref.answer = web_server.crossref_answer(20)
        set_services(monkeypatch, made)
        yield made


def test_a_paper_of_which_only_the_abstract_was_had_is_marked(
    qtbot: QtBot, tmp_path: Path, net: Internet, quiet_qt: None
) -> None:
    with open_window(tmp_path / "library", qtbot) as window:
        type_query(qtbot, window, QUERY)
        found(qtbot, window)
        window.find.web.ingest()
        wait_for(qtbot, lambda: not window.bridge.jobs)
        settle(qtbot, window)
        assert window.find.web.model.index(0, 7).data() == "Abstract only"
        window.go("library")
        settle(qtbot, window)
        assert window.library.paper_rows.index(0, 0).data(BadgesRole) == (("ABSTRACT ONLY", "muted"),)
        assert "Abstract only" in window.library.card._reason.text()


# ------------------------------------------------------------------------------------------------- jobs, notices
def test_a_job_that_was_broken_off_is_in_the_history_and_goes_on(
    qtbot: QtBot, tmp_path: Path, net: Internet, quiet_qt: None
) -> None:
    with open_window(tmp_path / "library", qtbot) as window:
        type_query(qtbot, window, QUERY)
        found(qtbot, window)
        catalog = window.workbench.library.catalog
        works = [row.work for row in window.find.web.model.rows]
        job = catalog.start_job("search", [(name_of(w.best), "") for w in works], {}, [work_text(w) for w in works])
        catalog.finish_job(job, "interrupted")  # as a killed process leaves it
        window.registry.run("job-history")
        settle(qtbot, window)
        dialog = window.findChild(JobHistory)
        assert dialog is not None
        assert dialog.tree.topLevelItem(0).text(0) == "Took works in from the web"
        assert dialog.tree.topLevelItem(0).text(2) == "interrupted"
        assert dialog.resume.isEnabled()
        dialog.resume.click()
        wait_for(qtbot, lambda: not window.bridge.jobs)
        settle(qtbot, window)
        assert sorted(paper.title for paper in window.workbench.papers()) == sorted(w.best.title for w in works)
        window.registry.run("job-history")
        settle(qtbot, window)
        dialog = window.findChildren(JobHistory)[-1]
        assert not dialog.resume.isEnabled()


def test_retractions_are_asked_for_and_noted(
    qtbot: QtBot, tmp_path: Path, net: Internet, paper: Path, quiet_qt: None
) -> None:
    net.openalex.always = None
    with open_window(tmp_path / "library", qtbot) as window:
        read(qtbot, window, paper)
        window.workbench.describe_paper(window.workbench.papers()[0].id, doi="10.5555/films.13")
        settle(qtbot, window)
        assert not window.library.card.banner.isVisible()
        window.registry.run("notices")
        wait_for(qtbot, lambda: not window.bridge.jobs)
        settle(qtbot, window)
        assert window.workbench.papers()[0].withdrawn
        assert window.library.card.banner.isVisible()
