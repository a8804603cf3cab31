"""A bibliography and a watched folder, brought through the window."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from minerva_desktop.ui.bringing import WatchedFolders
from minerva_desktop.ui.main_window import MainWindow
from tests.ui_support import settle, wait_for

pytest_plugins = ["tests.ui_fixtures"]

TEXT = "The band gap of GaN is 3.4 eV. It was measured at room temperature."


def pdf(path: Path, text: str = TEXT) -> Path:
    with pymupdf.open() as made:
        made.new_page().insert_textbox((72, 72, 520, 700), text, fontsize=11)
        made.save(path)
    return path


def test_a_bibliography_is_shown_before_it_is_taken_in(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    pdf(tmp_path / "one.pdf")
    (tmp_path / "mine.bib").write_text(
        f"@article{{one, title = {{Gallium nitride, measured}}, year = 2020, file = {{:{tmp_path / 'one.pdf'}:PDF}}}}\n"
        "@article{two, title = {Never had}, file = {:gone.pdf:PDF}}\n",
        encoding="utf-8",
    )
    window.bringing.read_bibliography(tmp_path / "mine.bib")
    wait_for(qtbot, lambda: bool(window.findChildren(QMessageBox)))
    box = window.findChildren(QMessageBox)[0]
    assert "2 records, 1 files to read" in box.informativeText()
    assert "gone.pdf" in box.detailedText()
    next(button for button in box.buttons() if button.text() == "Import").click()
    workbench = window.library.workbench
    wait_for(qtbot, lambda: not window.bridge.jobs and len(workbench.papers()) == 1)
    settle(qtbot, window)
    assert workbench.papers()[0].title == "Gallium nitride, measured"


def test_a_watched_folder_is_taken_in(
    qtbot: QtBot,
    window: MainWindow,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    dialog = window.bringing.show_watched()
    assert isinstance(dialog, WatchedFolders)
    dialog.watch(folder)
    wait_for(qtbot, lambda: dialog.folders.count() == 1)
    pdf(folder / "new.pdf")
    workbench = window.library.workbench
    looking = workbench.new_in_folders
    monkeypatch.setattr(workbench, "new_in_folders", lambda: looking(settle=0.0))  # no five seconds of rest
    dialog.close()

    def arrived() -> bool:
        window.bringing.look()
        return len(workbench.papers()) == 1

    wait_for(qtbot, arrived)
    settle(qtbot, window)
    assert workbench.papers()[0].file_name == "new.pdf"
