"""The window as a whole: keys, names, colours, dialogs, starting and ending."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QColor, QKeySequence, QPalette
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from minerva_desktop.errors import Cancelled, MinervaError
from minerva_desktop.events import CancelToken, Progress, ProgressSink
from minerva_desktop.ui import theme
from minerva_desktop.ui.commands import COMMANDS, MENUS
from minerva_desktop.ui.dialogs import CrashReporter, show_error
from minerva_desktop.ui.icons import ICON_NAMES, icon
from minerva_desktop.ui.main_window import MainWindow
from tests.ui_support import drop, settle, wait_for

pytest_plugins = ["tests.ui_fixtures"]


# ------------------------------------------------------------------------------------------------------ commands
def test_no_two_shortcuts_collide() -> None:
    seen: dict[tuple[str, str], str] = {}
    panels = {"review", "library", "graph", "find"}
    for command in COMMANDS:
        scope = command.scope.split("-")[0]
        for key in command.keys:
            text = QKeySequence(key).toString()
            assert text, key
            for where in {scope, "window"} | (panels if scope == "window" else set()):
                other = seen.get((where, text))
                assert other in (None, command.id), f"{text}: {other} and {command.id}"
            seen[(scope, text)] = command.id


def test_every_command_does_something_and_stands_in_a_menu(window: MainWindow) -> None:
    assert window.registry.missing() == []
    assert len({command.id for command in COMMANDS}) == len(COMMANDS)
    assert {command.menu for command in COMMANDS} == set(MENUS)
    for action in window.menuBar().actions():
        assert action.menu().actions()


def test_commands_of_a_panel_are_off_elsewhere(window: MainWindow) -> None:
    window.go("library")
    assert not window.registry.actions["accept"].isEnabled()
    window.go("review")
    assert window.registry.actions["accept"].isEnabled()
    assert not window.registry.actions["remove"].isEnabled()


def test_the_palette_finds_and_runs_a_command(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    box = window.palette_box
    assert box.isVisible()
    qtbot.keyClicks(box.line, "view graph")
    assert box.list.topLevelItemCount() == 1
    qtbot.keyClick(box.line, Qt.Key.Key_Return)
    assert not box.isVisible()
    assert window.current_name() == "graph"


def test_number_keys_and_f6_move_through_the_window(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClick(window, Qt.Key.Key_5, Qt.KeyboardModifier.ControlModifier)
    assert window.current_name() == "values"
    qtbot.keyClick(window, Qt.Key.Key_6, Qt.KeyboardModifier.ControlModifier)
    assert window.current_name() == "ask"
    assert window.ask.question.hasFocus()
    qtbot.keyClick(window, Qt.Key.Key_F6)
    assert not window.ask.question.hasFocus()


# -------------------------------------------------------------------------------------------- names and colours
def test_every_widget_that_takes_the_keyboard_has_a_name(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    from tests.ui_support import read

    def nameless(where: str) -> list[str]:
        found = []
        for widget in window.findChildren(QWidget):
            inner = isinstance(widget, QLineEdit) and widget.objectName() == "qt_spinbox_lineedit"
            if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or not widget.isVisible() or inner:
                continue
            interface = QAccessible.queryAccessibleInterface(widget)
            if interface is None or not interface.text(QAccessible.Text.Name):
                found.append(f"{where}: {type(widget).__name__} {widget.objectName()}")
        return found

    for name in window.panels:
        window.go(name)
        assert nameless(f"empty {name}") == []
    window.go("library")
    read(qtbot, window, paper)
    window.library.open_paper()
    window.ask.ask_this("What is the critical temperature of NbN?")
    for name in window.panels:
        window.go(name)
        settle(qtbot, window)
        assert nameless(name) == []
    window.registry.run("lexicon")
    settle(qtbot, window)
    window.settings.editor.page().table_with_row()
    assert [item for item in nameless("lexicon") if "QExpandingLineEdit" not in item] == []


@pytest.mark.parametrize("palette", [theme.light_palette(), theme.dark_palette()], ids=["light", "dark"])
def test_words_are_readable_on_their_ground(palette: QPalette) -> None:
    look = theme.tokens(palette)
    pairs = {
        "text": (look.text, look.base),
        "text on window": (look.text, look.window),
        "text on selection": (look.text, look.selection),
        "muted": (look.muted, look.base),
        "muted on window": (look.muted, look.window),
        "muted on raised": (look.muted, look.raised),
        "accent words": (look.accent_text, look.base),
        "button": (look.on_accent, look.accent),
        "accepted": (look.accepted, look.base),
        "waiting": (look.waiting, look.base),
        "refused": (look.refused, look.base),
        "marked word": (look.text, look.mark),
        "other marked word": (look.text, look.mark_other),
    }
    poor = {name: round(theme.contrast(*pair), 2) for name, pair in pairs.items() if theme.contrast(*pair) < 4.5}
    assert poor == {}
    for kind in ("Material", "Property", "Value", "Method", "Application", "Element", "Formula", "Something new"):
        assert theme.contrast(theme.type_color(kind, look), look.base) >= 3.0


def test_the_style_sheet_names_no_unknown_colour() -> None:
    light = theme.tokens(theme.light_palette())
    assert "@" not in theme.style_sheet(light)
    assert "@" not in theme.style_sheet(light, theme.pictures(light))


@pytest.mark.parametrize("palette", [theme.light_palette, theme.dark_palette])
def test_a_button_with_a_menu_shows_an_arrow_that_can_be_seen(
    window: MainWindow, palette: Callable[[], QPalette]
) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    try:
        theme.use_palette(app, palette())
        QApplication.processEvents()
        image = window.library.add_button.grab().toImage()
    finally:
        theme.apply_theme(app)
    ink, ground = theme.tokens(palette()).on_accent, theme.tokens(palette()).accent
    far = [
        (x, y)
        for x in range(image.width() - 24, image.width() - 4)
        for y in range(6, image.height() - 6)
        if apart(image.pixelColor(x, y), ink) < apart(image.pixelColor(x, y), ground)
    ]
    assert max(x for x, _ in far) - min(x for x, _ in far) >= 6
    assert max(y for _, y in far) - min(y for _, y in far) >= 3


def apart(one: QColor, other: QColor) -> int:
    """How far two colours are from each other."""
    return sum(abs(a - b) for a, b in zip(one.getRgb()[:3], other.getRgb()[:3], strict=True))


def test_a_changed_palette_changes_the_words_of_an_open_fact(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    from tests.ui_support import read

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    read(qtbot, window, paper)
    window.go("review")
    settle(qtbot, window)
    light = window.review.detail.toHtml()
    try:
        theme.use_palette(app, theme.dark_palette())
        QApplication.processEvents()
        assert window.review.detail.toHtml() != light
    finally:
        theme.apply_theme(app)


def test_every_icon_draws_something(qapp: QApplication) -> None:
    for name in ICON_NAMES:
        image = icon(name).pixmap(24, 24).toImage()
        inked = sum(QColor.fromRgba(image.pixel(x, y)).alpha() > 60 for x in range(24) for y in range(24))
        assert inked > 8, name


# ------------------------------------------------------------------------------------------------------- errors
def test_an_error_is_told_with_what_to_do_and_a_cancel_is_not(qapp: QApplication, qtbot: QtBot) -> None:
    box = show_error(None, "remove the paper", MinervaError("The disk is full.", hint="Make room and try again."))
    assert box is not None
    qtbot.addWidget(box)
    assert "Could not remove the paper" in box.text()
    assert "The disk is full." in box.text()
    assert box.informativeText() == "Make room and try again."
    box.close()
    assert show_error(None, "read", Cancelled("Stopped.")) is None


def test_an_unforeseen_error_opens_one_box_and_stops_nothing(qtbot: QtBot) -> None:
    reporter = CrashReporter()
    for _ in range(3):
        reporter(ValueError, ValueError("made up"), None)
    wait_for(qtbot, lambda: reporter._box is not None)
    assert "made up" in reporter._box.text()
    boxes = [item for item in QApplication.topLevelWidgets() if isinstance(item, QMessageBox) and item.isVisible()]
    assert len(boxes) == 1
    reporter._box.close()
    assert reporter._box is None


def test_a_change_that_fails_is_told(qtbot: QtBot, window: MainWindow) -> None:
    window.bridge.change(lambda: window.workbench.accept(["no such fact"]), what="accept the fact")
    settle(qtbot, window)
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    assert box.text().startswith("Could not accept the fact")
    box.close()


# --------------------------------------------------------------------------------------------- jobs and closing
def wait_until_cancelled(window: MainWindow) -> threading.Event:
    """Start a job that ends only when it is cancelled."""
    started = threading.Event()

    def work(progress: ProgressSink, cancel: CancelToken) -> None:
        progress(Progress(stage="read", item="endless.pdf", total=2))
        started.set()
        while not cancel.cancelled:
            cancel._event.wait(0.01)
        cancel.check()

    window.bridge.start_job("Reading endless.pdf", work)
    return started


def test_a_running_job_can_be_stopped(qtbot: QtBot, window: MainWindow) -> None:
    started = wait_until_cancelled(window)
    wait_for(qtbot, lambda: started.is_set() and window.library.jobs.list.topLevelItemCount() == 1)
    assert window.registry.actions["cancel-job"].isEnabled()
    assert window.status.job.isVisible()
    assert window.library.jobs.isVisible()
    qtbot.mouseClick(window.library.jobs.stop, Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    assert "stopped" in window.library.jobs._title.text()
    assert not window.status.job.isVisible()
    assert not window.registry.actions["cancel-job"].isEnabled()


def test_closing_while_a_job_runs_asks_first(qtbot: QtBot, window: MainWindow) -> None:
    started = wait_until_cancelled(window)
    wait_for(qtbot, started.is_set)
    window.close()
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    assert window.isVisible()
    box.reject()
    assert window.bridge.jobs

    window.close()
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    stop = next(item for item in box.findChildren(QPushButton) if item.text() == "Stop and Quit")
    with qtbot.waitSignal(window.closing):
        qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    assert not window.bridge.jobs


def test_jobs_run_one_after_another(qtbot: QtBot, window: MainWindow) -> None:
    order: list[str] = []
    for name in ("first", "second", "third"):
        window.bridge.start_job(name, lambda progress, cancel, name=name: order.append(name))
    settle(qtbot, window)
    assert order == ["first", "second", "third"]


def test_a_folder_may_be_dropped_and_other_things_not(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "notes.md").write_text("# Notes\n\nThe band gap of GaN is 3.4 eV.\n", encoding="utf-8")
    drop(window, str(folder))
    settle(qtbot, window)
    assert [item.file_name for item in window.workbench.papers()] == ["notes.md"]


def test_history_and_check_can_be_read(qtbot: QtBot, window: MainWindow) -> None:
    for command in ("history", "audit", "shortcuts"):
        window.registry.run(command)
        settle(qtbot, window)
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog), command
        dialog.close()


def test_window_place_and_page_are_remembered(qtbot: QtBot, window: MainWindow) -> None:
    window.go("graph")
    window.resize(790, 610)  # the screen of the tests is 800 by 800
    window.remember()
    again = MainWindow(window.bridge)
    qtbot.addWidget(again)
    again._leaving = True
    assert again.current_name() == "graph"
    assert again.size() == window.size()


def test_earlier_questions_come_back_at_the_next_start(qtbot: QtBot, window: MainWindow) -> None:
    window.go("ask")
    for text in ("What is GaN?", "What is MgB2?", "What is GaN?"):
        window.ask.ask_this(text)
        settle(qtbot, window)
    again = MainWindow(window.bridge)
    qtbot.addWidget(again)
    again._leaving = True
    again.ask.reload()
    settle(qtbot, again)
    assert [item.question for item in again.ask.history.model.items] == ["What is GaN?", "What is MgB2?"]
    again.ask.question.clear()
    qtbot.keyClick(again.ask.question, Qt.Key.Key_Up)
    assert again.ask.question.text() == "What is GaN?"


# ------------------------------------------------------------------------------------------------ start and end
START = """
import sys
from pathlib import Path
from minerva_desktop.settings import Settings
from minerva_desktop.ui import app
settings = Settings.model_validate({"embeddings": False})
if __name__ == "__main__":
    sys.exit(app.run(Path(sys.argv[1]), settings, offline=True, argv=["minerva"], quit_after_paint=True))
"""


def start(library: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", START, str(library)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120, check=False)


def test_the_program_starts_and_ends_without_a_word(tmp_path: Path) -> None:
    done = start(tmp_path / "library")
    said = [line for line in done.stderr.splitlines() if "propagateSizeHints" not in line]
    assert said == []
    assert done.returncode == 0
    assert (tmp_path / "library" / "library.sqlite").exists()


def test_a_library_that_is_open_elsewhere_is_said_so(window: MainWindow) -> None:
    done = start(window.workbench.library_dir)
    assert done.returncode == 1
    assert "minerva-desktop:" in done.stderr
    assert "Traceback" not in done.stderr
