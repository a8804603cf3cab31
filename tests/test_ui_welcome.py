"""The first start, and the way between one's own library and the sample library, in real windows."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from minerva_desktop import settings as kept
from minerva_desktop.library import Library
from minerva_desktop.settings import Settings, load_settings, settings_file
from minerva_desktop.ui import app
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.ui.openings import Choice
from minerva_desktop.ui.welcome import WelcomeDialog
from minerva_desktop.workbench.places import SAMPLE
from tests.ui_support import drop, settle, wait_for

pytest_plugins = ["tests.ui_fixtures"]


@pytest.fixture
def welcome(qtbot: QtBot, tmp_path: Path, quiet_qt: None) -> WelcomeDialog:
    dialog = WelcomeDialog(tmp_path / "Minerva Library", Settings())
    qtbot.addWidget(dialog)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    dialog.show()
    qtbot.waitExposed(dialog)
    return dialog


def answers(dialog: WelcomeDialog) -> list[Choice]:
    given: list[Choice] = []
    dialog.chosen.connect(given.append)
    return given


# ------------------------------------------------------------------------------------------------------ the dialog
def test_one_key_is_enough(qtbot: QtBot, welcome: WelcomeDialog, tmp_path: Path) -> None:
    given = answers(welcome)
    qtbot.keyClick(welcome, Qt.Key.Key_Escape)
    assert given == [Choice(tmp_path / "Minerva Library", "materials")]
    assert not welcome.isVisible()


def test_enter_starts_with_what_is_there(qtbot: QtBot, welcome: WelcomeDialog, tmp_path: Path) -> None:
    given = answers(welcome)
    assert welcome.start.hasFocus()
    qtbot.keyClick(welcome.start, Qt.Key.Key_Return)
    assert given == [Choice(tmp_path / "Minerva Library", "materials")]
    assert (tmp_path / "Minerva Library").is_dir()


def test_a_folder_that_cannot_be_is_refused_where_it_was_typed(
    qtbot: QtBot, welcome: WelcomeDialog, tmp_path: Path
) -> None:
    given = answers(welcome)
    (tmp_path / "file").write_text("x")
    welcome.folder.selectAll()
    qtbot.keyClicks(welcome.folder, str(tmp_path / "file"))
    wait_for(qtbot, lambda: "file" in welcome.state.text())
    qtbot.keyClick(welcome.folder, Qt.Key.Key_Return)
    assert given == []
    assert welcome.isVisible()
    assert welcome.state.property("kind") == "fault"
    assert welcome.folder.hasFocus()
    welcome.folder.selectAll()
    qtbot.keyClicks(welcome.folder, str(tmp_path / "library"))
    qtbot.keyClick(welcome.folder, Qt.Key.Key_Return)
    assert given == [Choice(tmp_path / "library", "materials")]


def test_a_library_that_is_there_is_said_to_be_opened(
    qtbot: QtBot, welcome: WelcomeDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/nowhere-temporary")
    Library.open(tmp_path / "old", create=True).close()
    welcome.folder.setText(str(tmp_path / "old"))
    wait_for(qtbot, lambda: "is opened" in welcome.state.text())
    assert welcome.state.property("kind") == "muted"


def test_textbooks_are_dropped_listed_and_removed(qtbot: QtBot, welcome: WelcomeDialog, tmp_path: Path) -> None:
    given = answers(welcome)
    books = [tmp_path / name for name in ("one.md", "two.pdf", "three.exe")]
    for book in books:
        book.write_text("x")
    drop(welcome, *map(str, books), str(books[0]))
    assert welcome.textbooks() == tuple(books[:2])
    assert welcome.books.isVisible()
    welcome.books.setCurrentRow(0)
    welcome.books.setFocus()
    qtbot.keyClick(welcome.books, Qt.Key.Key_Delete)
    welcome.model.setChecked(True)
    qtbot.mouseClick(welcome.start, Qt.MouseButton.LeftButton)
    assert given == [Choice(tmp_path / "Minerva Library", "materials", textbooks=(books[1],), models=True)]


def test_everything_is_reached_by_the_keyboard_and_has_a_name(qtbot: QtBot, welcome: WelcomeDialog) -> None:
    wanted = {welcome.folder, welcome.domain, welcome.model, welcome.skip, welcome.sample, welcome.start}
    seen: set[QWidget] = set()
    for _ in range(20):
        focus = QApplication.focusWidget()
        assert focus is not None
        seen.add(focus)
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    assert wanted <= seen


def test_it_fits_a_narrow_window(qtbot: QtBot, welcome: WelcomeDialog) -> None:
    welcome.resize(400, 320)
    QApplication.processEvents()
    for item in (welcome.skip, welcome.sample, welcome.start):
        assert welcome.rect().contains(item.geometry())
        assert item.width() >= item.sizeHint().width() - 1


# ------------------------------------------------------------------------------------------------- in a window
def test_help_shows_it_again_and_skipping_changes_nothing(qtbot: QtBot, window: MainWindow) -> None:
    window.registry.run("welcome")
    dialog = window.findChild(WelcomeDialog)
    assert dialog is not None
    assert Path(dialog.folder.text()) == window.workbench.library_dir
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    settle(qtbot, window)
    assert window.isVisible()
    assert not window._leaving
    assert not settings_file().exists()


def test_textbooks_of_a_later_welcome_are_read_in_the_same_window(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    book = tmp_path / "book.md"
    book.write_text("# Nitrides\n\nThe band gap of gallium nitride (GaN) is 3.4 eV.\n", encoding="utf-8")
    dialog = window.libraries.welcome()
    dialog.add_books([book])
    qtbot.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    assert [item.file_name for item in window.workbench.textbooks()] == ["book.md"]
    assert load_settings().welcome_seen
    assert not window._leaving


# --------------------------------------------------------------------------------------------- from start to end
async def until(condition: Callable[[], bool], seconds: float = 90) -> None:
    for _ in range(int(seconds / 0.02)):
        if condition():
            return
        await asyncio.sleep(0.02)
    raise TimeoutError("The window did not come so far.")


def find(kind: type[QWidget]) -> QWidget | None:
    return next((item for item in QApplication.topLevelWidgets() if isinstance(item, kind) and item.isVisible()), None)


def first_start(script: Callable[[], Awaitable[None]], monkeypatch: pytest.MonkeyPatch, home: Path) -> int:
    """Run the program as at its first start, with what a person does."""
    monkeypatch.setattr(kept.platformdirs, "user_documents_dir", lambda: str(home))
    failed: list[BaseException] = []

    async def act() -> None:
        try:
            await script()
        except BaseException as error:
            failed.append(error)
            raise
        finally:
            for item in QApplication.topLevelWidgets():
                if isinstance(item, MainWindow):
                    item.leave()

    code = app.run(None, load_settings(), offline=True, beside=act)
    if failed and not isinstance(failed[0], asyncio.CancelledError):
        raise failed[0]
    return code


def test_the_first_start_asks_once_and_esc_makes_the_usual_library(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def script() -> None:
        await until(lambda: find(WelcomeDialog) is not None)
        assert not (tmp_path / "Minerva Library").exists()
        dialog = find(WelcomeDialog)
        QApplication.sendEvent(dialog, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Escape, Qt.KeyboardModifier(0)))
        await until(lambda: find(MainWindow) is not None)

    assert first_start(script, monkeypatch, tmp_path) == 0
    assert (tmp_path / "Minerva Library" / "library.sqlite").exists()
    assert load_settings().welcome_seen
    assert not app.is_first_start(load_settings())

    async def again() -> None:
        await until(lambda: find(MainWindow) is not None)
        assert find(WelcomeDialog) is None

    assert first_start(again, monkeypatch, tmp_path) == 0


def test_the_sample_library_is_apart_and_one_click_leads_back(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample_folder: Path
) -> None:
    titles: list[str] = []
    own_paper = shutil.copy(sorted(sample_folder.glob("*.pdf"))[0], tmp_path / "mine.pdf")

    async def script() -> None:
        await until(lambda: find(WelcomeDialog) is not None)
        dialog = find(WelcomeDialog)
        assert isinstance(dialog, WelcomeDialog)
        dialog.folder.setText(str(tmp_path / "mine"))
        dialog.sample.click()
        await until(lambda: find(MainWindow) is not None)
        window = find(MainWindow)
        assert isinstance(window, MainWindow)
        titles.append(window.windowTitle())
        assert window.libraries.banner.isVisible()
        await until(lambda: len(window.library.papers.rows) == 3 and not window.bridge.busy)
        assert not (tmp_path / "mine").exists()
        window.libraries.back.click()
        await until(lambda: isinstance(find(MainWindow), MainWindow) and find(MainWindow) is not window)
        back = find(MainWindow)
        assert isinstance(back, MainWindow)
        titles.append(back.windowTitle())
        assert not back.libraries.banner.isVisible()
        assert not back.registry.actions["own-library"].isEnabled()
        await until(lambda: not back.bridge.busy)
        assert back.library.papers.rows == []
        back.library.add_papers([Path(own_paper)])
        await until(lambda: len(back.library.papers.rows) == 1 and not back.bridge.busy)

    assert first_start(script, monkeypatch, tmp_path) == 0
    assert titles == [f"{SAMPLE} – Minerva Desktop", "mine – Minerva Desktop"]
    assert load_settings().library == str(tmp_path / "mine")
    with Library.open(tmp_path / SAMPLE) as sample:
        assert len(sample.catalog.papers()) == 3
    with Library.open(tmp_path / "mine") as own:
        assert [paper.file_name for paper in own.catalog.papers()] == ["mine.pdf"]
