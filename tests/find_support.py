"""What the tests of the Find panel share: services on this machine, the window on an empty library, and real PDFs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from minerva_desktop.settings import Settings
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.ui.works_model import WorkRow
from minerva_desktop.workbench import Workbench
from tests.ui_support import settle, wait_for
from tests.web_server import Answer, Request, openalex_answer
from tests.web_support import Internet

QUERY = "niobium nitride"


def openalex_with_files(net: Internet, files: int, total: int = 40) -> Callable[[Request], Answer]:
    """OpenAlex whose first ``files`` fitting works have a PDF on the site; its thirteenth work is retracted."""
    plain = openalex_answer(total)

    def answer(request: Request) -> Answer:
        code, headers, body = plain(request)
        if code != 200 or request.path != "/works":
            return code, headers, body
        data = json.loads(body)
        for work in data["results"]:
            number = int(work["id"].rsplit("W", 1)[1])
            if number % 10 == 0 and number // 10 < files:
                work["best_oa_location"] = {
                    "pdf_url": f"{net.site.url}/{number // 10}.pdf",
                    "landing_page_url": work["doi"],
                    "is_oa": True,
                    "source": None,
                }
        return code, headers, json.dumps(data).encode()

    return answer


def site_of(files: list[Path]) -> Callable[[Request], Answer]:
    """A site with PDF files named by their place."""

    def answer(request: Request) -> Answer:
        name = request.path.strip("/").removesuffix(".pdf")
        if not name.isdigit() or int(name) >= len(files):
            return 404, {"Content-Type": "text/html"}, b"<!doctype html><title>Gone</title>"
        return 200, {"Content-Type": "application/pdf"}, files[int(name)].read_bytes()

    return answer


@contextmanager
def open_window(folder: Path, qtbot: QtBot | None, **settings: Any) -> Iterator[MainWindow]:
    """The window on a library, without embeddings, allowed to use the network."""
    workbench = Workbench(
        folder, Settings.model_validate({"embeddings": False, "results": 20, **settings}), create=True
    )
    bridge = Bridge(workbench)
    window = MainWindow(bridge)
    if qtbot is not None:
        qtbot.addWidget(window)
        window.resize(1360, 860)
        window.show()
        qtbot.waitExposed(window)
        settle(qtbot, window)
    try:
        yield window
    finally:
        window._leaving = True
        window.close()
        bridge.close()
        workbench.close()


def set_services(monkeypatch: pytest.MonkeyPatch, net: Internet) -> None:
    """Point the program at services on this machine; nothing else may be reached."""
    for name, value in net.environment().items():
        monkeypatch.setenv(name, value)


def type_query(qtbot: QtBot, window: MainWindow, text: str, scope: str = "web") -> None:
    """Type a search and press Enter, as a person does."""
    window.registry.run(f"find-{scope}")
    QApplication.processEvents()
    window.find.line.clear()
    qtbot.keyClicks(window.find.line, text)
    qtbot.keyClick(window.find.line, Qt.Key.Key_Return)


def found(qtbot: QtBot, window: MainWindow, seconds: float = 30) -> None:
    """Wait until the search has ended and is shown."""
    wait_for(qtbot, lambda: not window.find.web.searching and not window.bridge.busy, seconds)
    settle(qtbot, window)


def titles(window: MainWindow) -> list[str]:
    """The titles in the table, as sorted."""
    rows = window.find.web.model
    return [rows.index(number, 1).data() for number in range(rows.rowCount())]


def row_titled(window: MainWindow, title: str) -> WorkRow:
    return next(row for row in window.find.web.model.rows if row.work.best.title == title)
