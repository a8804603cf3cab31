"""Files opened from the desktop: the window that has the library takes them, a second start ends."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalSocket
from pytestqt.qtbot import QtBot

from minerva_desktop.ui.handing_over import Receiver, _name, hand_over
from minerva_desktop.ui.main_window import MainWindow
from tests.ui_support import settle, wait_for

pytest_plugins = ["tests.ui_fixtures"]


def test_nobody_listens(qapp: object, tmp_path: Path) -> None:
    assert not hand_over(tmp_path / "library", [tmp_path / "paper.pdf"])


def test_what_is_no_list_of_names_is_not_taken(qtbot: QtBot, tmp_path: Path) -> None:
    receiver = Receiver(tmp_path)
    taken: list[list[Path]] = []
    receiver.received.connect(taken.append)
    for message in (b"nonsense\n", b'{"a": 1}\n', b"[1, 2]\n"):
        socket = QLocalSocket()
        socket.connectToServer(_name(tmp_path))
        assert socket.waitForConnected(3000)
        socket.write(message)
        qtbot.waitUntil(lambda socket=socket: socket.state() == QLocalSocket.LocalSocketState.UnconnectedState)
    assert taken == []
    receiver.close()


def test_opened_papers_are_read_and_a_bibliography_asks(
    qtbot: QtBot, window: MainWindow, paper: Path, tmp_path: Path
) -> None:
    window.showMinimized()
    window.take_files([paper])
    wait_for(qtbot, lambda: not window.bridge.busy and window.library.papers.rowCount() == 1)
    settle(qtbot, window)
    assert [item.file_name for item in window.workbench.papers()] == [paper.name]
    assert not window.isMinimized()


def names_in(library: Path) -> list[str]:
    """The papers of a library that somebody else has open."""
    with closing(sqlite3.connect(f"file:{library / 'library.sqlite'}?mode=ro", uri=True)) as connection:
        return [name for (name,) in connection.execute("SELECT file_name FROM papers")]


def start(library: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "minerva_desktop", "--offline", "--library", str(library), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(
    os.name == "nt", reason="ends the window as a system does that is shut down, which is another thing there"
)
def test_a_second_start_hands_its_file_to_the_first(paper: Path, tmp_path: Path, qapp: object) -> None:
    library = tmp_path / "library"
    first = start(library, "open")
    try:
        while not hand_over(library, []):
            assert first.poll() is None, first.communicate()
            time.sleep(0.2)
        second = start(library, "open", str(paper))
        said = second.communicate(timeout=120)
        assert second.returncode == 0, said
        plain = start(library)  # a window of its own was asked for: that cannot be
        assert "minerva-desktop:" in plain.communicate(timeout=120)[1]
        assert plain.returncode == 1
        deadline = time.monotonic() + 240
        while names_in(library) != [paper.name]:
            assert time.monotonic() < deadline
            time.sleep(0.3)
    finally:
        first.terminate()
        first.communicate(timeout=60)
