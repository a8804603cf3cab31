"""The main job through the real window: drop a paper, review, look at the graph, ask, click a citation."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from minerva_desktop.ui.main_window import MainWindow
from tests.ui_support import assert_marked, click_link, drop, read, settle, wait_for

pytest_plugins = ["tests.ui_fixtures"]


def test_first_run_says_what_to_do(window: MainWindow) -> None:
    assert window.library.states.state == "empty"
    shown = [item.text() for item in window.library.states.findChildren(QPushButton) if item.isVisible()]
    assert shown == ["Try the Sample Library", "Add Papers…"]
    assert "Drop" in window.library.states.empty.title.text()
    assert "0 papers" in window.status.counts.text()
    first = window.focusWidget()
    assert isinstance(first, QPushButton)
    assert first.text() == "Add Papers…"  # the keyboard begins where the work does


def test_the_other_panels_of_an_empty_library_say_what_to_do(qtbot: QtBot, window: MainWindow) -> None:
    for name in ("review", "graph", "ask"):
        window.go(name)
        settle(qtbot, window)
        states = window.panels[name].states  # type: ignore[attr-defined]
        assert states.state == "empty"
        assert states.empty.text.text()


def test_a_dropped_paper_is_asked_about_and_a_click_on_its_citation_marks_the_page(
    qtbot: QtBot, window: MainWindow, paper: Path
) -> None:
    read(qtbot, window, paper)
    facts = window.workbench.facts(text="critical temperature of NbN")
    assert facts

    window.registry.run("go-ask")
    qtbot.keyClicks(window.ask.question, "What is the critical temperature of NbN?")
    qtbot.keyClick(window.ask.question, Qt.Key.Key_Return)
    wait_for(qtbot, lambda: window.ask.answer is not None and not window.bridge.busy)
    answer = window.ask.answer
    assert answer is not None
    assert answer.found
    assert "15.2 K" in answer.answer
    cited = [item for sentence in answer.sentences for item in sentence.citations if item.boxes]
    assert cited

    click_link(window.ask.view.text, "cite:1")
    wait_for(qtbot, lambda: window.page.paper == cited[0].paper and window.page.canvas.ready)
    settle(qtbot, window)
    assert window.page.canvas.page == cited[0].page
    assert cited[0].quote in window.page.quote._text.text()
    for box in cited[0].boxes:
        assert_marked(window, box)


def test_what_is_not_in_the_library_is_said_so(qtbot: QtBot, window: MainWindow) -> None:
    window.go("ask")
    window.ask.ask_this("Who won the football world cup?")
    settle(qtbot, window)
    assert window.ask.states.state == "empty"
    assert window.ask.states.empty.title.text() == "Not in your library"


def test_one_key_accepts_and_undo_takes_it_back(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    window.registry.run("go-review")
    settle(qtbot, window)
    table, model = window.review.table, window.review.model
    chosen = model.row(0)
    assert chosen is not None
    waiting = model.rowCount()
    qtbot.keyClick(table, Qt.Key.Key_A)
    settle(qtbot, window)
    assert window.workbench.fact(chosen.id).decision.status == "accepted"
    assert window.workbench.fact(chosen.id).by_person
    assert sum(window.workbench.graph_stats()["edges"].values()) > 0
    assert model.rowCount() == waiting - 1
    assert table.currentIndex().row() == 0
    assert "Accepted" in window.registry.actions["undo"].text()

    qtbot.keyClick(table, Qt.Key.Key_U)
    settle(qtbot, window)
    assert window.workbench.fact(chosen.id).decision.status == "waiting"
    assert model.rowCount() == waiting

    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    settle(qtbot, window)
    assert window.workbench.fact(chosen.id).decision.status == "accepted"


def test_several_marked_facts_are_refused_at_once(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    window.go("review")
    settle(qtbot, window)
    table, model = window.review.table, window.review.model
    marked = [model.row(row) for row in range(3)]
    table.selectRow(0)
    for _ in range(2):
        qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(table, Qt.Key.Key_X)
    qtbot.keyClick(window.review.kinds, Qt.Key.Key_N)
    settle(qtbot, window)
    assert {window.workbench.fact(fact.id).decision.status for fact in marked if fact} == {"refused"}
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, window)
    assert {window.workbench.fact(fact.id).decision.status for fact in marked if fact} == {"waiting"}


def test_enter_opens_the_sentence_of_a_fact_on_its_page(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    window.go("review")
    window.review.order.setCurrentIndex(window.review.order.findData("added"))
    settle(qtbot, window)
    for row in (1, 2):  # below the facts of the title, whose lines overlap on the page
        qtbot.keyClick(window.review.table, Qt.Key.Key_J)
        assert window.review.table.currentIndex().row() == row
    fact = window.review.model.row(2)
    assert fact is not None
    evidence = fact.evidence[0].evidence
    qtbot.keyClick(window.review.table, Qt.Key.Key_Return)
    wait_for(qtbot, lambda: window.page.paper == evidence.paper and window.page.canvas.ready)
    settle(qtbot, window)
    for box in evidence.boxes:
        assert_marked(window, box)


def test_the_detail_tells_every_stage(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    window.go("review")
    settle(qtbot, window)
    text = window.review.detail.toPlainText()
    fact = window.review.model.row(0)
    assert fact is not None
    assert fact.evidence[0].evidence.sentence in text
    for stage in ("Read", "Critic", "Verifier", "Textbooks"):
        assert stage in text


def test_a_removed_paper_comes_back_by_undo(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    window.library.table.setFocus()
    qtbot.keyClick(window.library.table, Qt.Key.Key_Delete)
    settle(qtbot, window)
    assert window.library.papers.rowCount() == 0
    assert window.library.states.state == "empty"
    assert window.notice.isVisible()
    qtbot.mouseClick(window.notice._undo, Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    assert window.library.papers.rowCount() == 1


def test_an_unreadable_file_is_named_with_its_reason(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    bad = tmp_path / "broken.pdf"
    bad.write_bytes(b"%PDF-1.7 and then nothing")
    drop(window, str(bad))
    settle(qtbot, window)
    row = window.library.jobs.list.topLevelItem(0)
    assert row.text(0) == "broken.pdf"
    assert row.text(1) not in ("ok", "reading", "")
    assert row.text(2).rstrip().endswith(".")
    assert window.library.jobs.reason.isVisible()
    assert window.library.jobs.reason.text() == row.text(2)  # whole, also where the list has no room for it
    assert window.library.jobs._title.text() == "Reading broken.pdf: nothing could be read"
    assert window.library.jobs._count.text() == "1 file"
    assert window.library.papers.rowCount() == 0


def test_a_file_that_is_not_read_is_counted_beside_those_that_are(
    qtbot: QtBot, window: MainWindow, paper: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "broken.pdf"
    bad.write_bytes(b"%PDF-1.7 and then nothing")
    drop(window, str(bad), str(paper))
    settle(qtbot, window)
    assert window.library.jobs._title.text() == "Reading 2 files and folders: done"
    assert window.library.jobs._count.text().startswith("2 files, 1 not read, ")
    assert window.library.jobs._count.text().endswith(" waiting for review")


def test_an_encrypted_paper_asks_for_its_password(
    qtbot: QtBot, window: MainWindow, paper: Path, tmp_path: Path
) -> None:
    import pymupdf

    locked = tmp_path / "locked.pdf"
    with pymupdf.open(paper) as document:
        document.save(locked, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="sesame", owner_pw="owner")
    drop(window, str(locked))
    settle(qtbot, window)
    assert window.library.jobs.list.topLevelItem(0).text(1) == "encrypted"
    assert window.library.jobs.password.isVisible()
    qtbot.mouseClick(window.library.jobs.password, Qt.MouseButton.LeftButton)
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    dialog.setTextValue("sesame")  # type: ignore[attr-defined]
    dialog.accept()  # type: ignore[attr-defined]
    settle(qtbot, window)
    assert [item.status for item in window.workbench.papers()] == ["ok"]

    window.workbench._passwords.clear()  # as after a new start of the program
    window.library.open_paper()
    wait_for(qtbot, lambda: QApplication.activeModalWidget() is not None)
    for password in ("wrong", "sesame"):
        asking = QApplication.activeModalWidget()
        asking.setTextValue(password)  # type: ignore[union-attr]
        asking.accept()  # type: ignore[union-attr]
        wait_for(qtbot, lambda asked=asking: not window.bridge.busy and QApplication.activeModalWidget() is not asked)
    wait_for(qtbot, lambda: window.page.canvas.ready and not window.bridge.busy)
    assert window.page.canvas._images
    assert not window.page.canvas._failed
