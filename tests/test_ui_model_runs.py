"""Jobs with a language model in the window: asked before, stopped once, taken up again."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from minerva_desktop.settings import save_settings
from minerva_desktop.ui.guest_dialogs import EstimateDialog, StoppedDialog
from minerva_desktop.ui.job_history import JobHistory
from minerva_desktop.ui.main_window import MainWindow
from tests.guest_support import reading
from tests.guest_window import Open
from tests.model_server import ModelServer, Reply, Request, wrong_key
from tests.ui_support import drop, settle, wait_for

pytest_plugins = ["tests.ui_fixtures", "tests.guest_fixtures"]


def asked(qtbot: QtBot, window: MainWindow, *files: Path) -> EstimateDialog:
    """Drop files and wait until the estimate is shown."""
    drop(window, *(str(file) for file in files))
    wait_for(qtbot, lambda: window.runs.asking is not None and window.runs.asking.with_model.isEnabled())
    dialog = window.runs.asking
    assert dialog is not None
    return dialog


def cells(dialog: EstimateDialog) -> list[str]:
    found = [dialog.grid.itemAt(number) for number in range(dialog.grid.count())]
    return [str(item.widget().text()) for item in found]  # type: ignore[attr-defined, union-attr]


def papers(window: MainWindow) -> list[str]:
    return [paper.file_name for paper in window.workbench.papers()]


# ------------------------------------------------------------------------------------------------------ before it
def test_without_a_model_papers_are_read_unasked(qtbot: QtBot, open_with: Open, notes: Path) -> None:
    window = open_with()
    drop(window, str(notes))
    assert window.runs.asking is None
    settle(qtbot, window)
    assert papers(window) == [notes.name]


def test_what_it_would_take_is_shown_and_nothing_is_sent_before(qtbot: QtBot, open_with: Open, notes: Path) -> None:
    with ModelServer(reading()) as server:
        window = open_with(server)
        dialog = asked(qtbot, window, notes)
        assert dialog.isVisible()
        assert server.requests == []
        assert papers(window) == []
        said = cells(dialog)
        assert "Read papers" in said
        assert "test-model" in said
        assert "1 paper" in said
        assert "$0.00" in said
        assert "A job stops at 5\u2009000\u2009000 tokens." in dialog.limits.text()
        assert "It costs no money." in dialog.limits.text()
        dialog.with_model.click()
        settle(qtbot, window)
        assert papers(window) == [notes.name]
        assert server.requests
        assert window.workbench.model_calls()


def test_the_built_in_engine_can_be_chosen_instead(qtbot: QtBot, open_with: Open, notes: Path) -> None:
    with ModelServer(reading()) as server:
        window = open_with(server)
        asked(qtbot, window, notes).built_in.click()
        settle(qtbot, window)
        assert papers(window) == [notes.name]
        assert server.requests == []


def test_esc_reads_nothing(qtbot: QtBot, open_with: Open, notes: Path) -> None:
    with ModelServer(reading()) as server:
        window = open_with(server)
        dialog = asked(qtbot, window, notes)
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        settle(qtbot, window)
        assert papers(window) == []
        assert window.runs.asking is None


def test_small_jobs_are_not_asked_about_once_the_person_says_so(
    qtbot: QtBot, open_with: Open, notes: Path, tmp_path: Path
) -> None:
    second = tmp_path / "second.md"
    second.write_text(notes.read_text(encoding="utf-8").replace("GaN", "ZnO"), encoding="utf-8")
    with ModelServer(reading()) as server:
        window = open_with(server)
        dialog = asked(qtbot, window, notes)
        dialog.hush.setChecked(True)
        dialog.below.setValue(0.5)
        dialog.with_model.click()
        settle(qtbot, window)
        before = len(server.requests)
        drop(window, str(second))
        wait_for(qtbot, lambda: len(papers(window)) == 2)
        settle(qtbot, window)
        assert len(server.requests) > before


def test_more_than_a_job_may_use_is_said_before(qtbot: QtBot, open_with: Open, notes: Path) -> None:
    with ModelServer(reading()) as server:
        window = open_with(server, model_job_tokens=50)
        dialog = asked(qtbot, window, notes)
        assert dialog.warning.isVisible()
        assert "the model would stop" in dialog.warning.text()
        dialog.reject()


def test_new_papers_of_a_watched_folder_are_asked_about_too(qtbot: QtBot, open_with: Open, paper: Path) -> None:
    with ModelServer(reading()) as server:
        window = open_with(server)
        folder = paper.parent / "watched"
        folder.mkdir()
        window.workbench.watch_folder(folder)
        paper.rename(folder / paper.name)
        wait_for(qtbot, lambda: window.bringing.look() or window.runs.asking is not None)
        dialog = window.runs.asking
        assert dialog is not None
        dialog.reject()
        settle(qtbot, window)
        assert papers(window) == []
        assert "not read" in window.notice._text.text()
        assert server.requests == []


def test_the_foot_of_the_window_says_what_a_running_job_has_used(qtbot: QtBot, open_with: Open, notes: Path) -> None:
    answer, looked = reading(), threading.Event()

    def slowly(request: Request) -> Any:
        if len(server.requests) > 1:
            looked.wait(60)
        return Reply(json.dumps(answer(request)))

    with ModelServer(slowly) as server:
        window = open_with(server, model_parallel=1, model_claims_parallel=1)
        asked(qtbot, window, notes).with_model.click()
        wait_for(qtbot, lambda: window.status.usage.isVisible())
        assert "call" in window.status.usage.text()
        assert "tokens" in window.status.usage.text()
        looked.set()
        settle(qtbot, window)
        assert not window.status.usage.isVisible()


# ------------------------------------------------------------------------------------------------- when it stops
def stopped(qtbot: QtBot, window: MainWindow) -> StoppedDialog:
    wait_for(qtbot, lambda: window.runs.stopped is not None)
    dialog = window.runs.stopped
    assert dialog is not None
    return dialog


def test_a_refused_key_stops_the_job_once_and_the_built_in_engine_goes_on(
    qtbot: QtBot, open_with: Open, notes: Path, tmp_path: Path
) -> None:
    second = tmp_path / "second.md"
    second.write_text(notes.read_text(encoding="utf-8").replace("GaN", "ZnO"), encoding="utf-8")
    with ModelServer(wrong_key()) as server:
        window = open_with(server, model_parallel=1)
        asked(qtbot, window, notes, second).with_model.click()
        dialog = stopped(qtbot, window)
        settle(qtbot, window)
        assert dialog.isVisible()
        assert dialog.message.text().count(".") == 1 or dialog.message.text().endswith(".")
        assert "--engine" not in dialog.hint.text()
        assert papers(window) == []
        sent = len(server.requests)
        assert sent < 4
        dialog.built_in.click()
        settle(qtbot, window)
        assert sorted(papers(window)) == sorted([notes.name, second.name])
        assert len(server.requests) == sent


def test_trying_again_goes_on_with_the_model(qtbot: QtBot, open_with: Open, notes: Path) -> None:
    fails = [True]

    def script(request: Request) -> Any:
        return wrong_key() if fails[0] else reading()(request)

    with ModelServer(script) as server:
        window = open_with(server)
        asked(qtbot, window, notes).with_model.click()
        dialog = stopped(qtbot, window)
        settle(qtbot, window)
        fails[0] = False
        sent = len(server.requests)
        dialog.again.click()
        settle(qtbot, window)
        assert papers(window) == [notes.name]
        assert len(server.requests) > sent


def test_later_is_offered_by_the_job_history(qtbot: QtBot, open_with: Open, notes: Path) -> None:
    with ModelServer(wrong_key()) as server:
        window = open_with(server)
        asked(qtbot, window, notes).with_model.click()
        stopped(qtbot, window).later.click()
        settle(qtbot, window)
        assert papers(window) == []
        window.registry.run("job-history")
        settle(qtbot, window)
        history = window.findChild(JobHistory)
        assert history is not None
        assert history.tree.topLevelItem(0).text(2) == "stopped"
        assert "One paper has no result yet." in history.reason.text()
        assert history.without.isVisible()
        sent = len(server.requests)
        history.without.click()
        settle(qtbot, window)
        assert papers(window) == [notes.name]
        assert len(server.requests) == sent


def test_a_budget_that_is_used_up_stops_with_a_sentence(qtbot: QtBot, open_with: Open, notes: Path) -> None:
    with ModelServer(reading()) as server:
        window = open_with(server, model_job_tokens=50)
        asked(qtbot, window, notes).with_model.click()
        dialog = stopped(qtbot, window)
        settle(qtbot, window)
        assert "50" in dialog.message.text() + dialog.hint.text()
        assert papers(window) == []
        save_settings({"model_job_tokens": 0})
        dialog.later.click()
        assert window.library.jobs._title.text().endswith("stopped, what was finished is kept")
