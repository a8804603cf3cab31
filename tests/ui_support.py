"""Helpers for the tests of the window. The workbench in them is the real one, but for FactsDouble."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QPoint, QPointF, QRectF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from minerva_desktop.records import (
    Box,
    ChangeSet,
    CriticResult,
    Decision,
    Entity,
    Evidence,
    EvidenceRecord,
    Fact,
    PageImage,
    Paper,
)
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.workbench.reviewing import ReviewCounts


def drop(widget: QWidget, *paths: str) -> None:
    """Drop local files on a widget with the events that Qt itself sends."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    action = Qt.DropAction.CopyAction
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(200, 200), action, data, buttons, keys)
    QApplication.sendEvent(widget, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(widget, QDropEvent(QPointF(200, 200), action, data, buttons, keys))


def wait_for(qtbot: QtBot, condition: Callable[[], bool], seconds: float = 60) -> None:
    """Let the window work until the condition holds."""
    qtbot.waitUntil(condition, timeout=int(seconds * 1000))


def settle(qtbot: QtBot, window: MainWindow) -> None:
    """Let the window work until nothing is on its way."""
    QApplication.processEvents()
    wait_for(qtbot, lambda: not window.bridge.busy)
    QApplication.processEvents()
    wait_for(qtbot, lambda: not window.bridge.busy)


def read(qtbot: QtBot, window: MainWindow, *files: Path) -> None:
    """Drop files on the window and wait until they are read and shown."""
    before = window.library.papers.rowCount()
    drop(window, *(str(file) for file in files))
    wait_for(qtbot, lambda: not window.bridge.busy and window.library.papers.rowCount() == before + len(files))
    settle(qtbot, window)


def click_link(view: QTextBrowser, href: str) -> None:
    """Click the first link with this target, with the mouse, where it is on the screen."""
    block = view.document().begin()
    while block.isValid():
        fragments = block.begin()
        while not fragments.atEnd():
            fragment = fragments.fragment()
            if fragment.charFormat().anchorHref() == href:
                cursor = view.textCursor()
                cursor.setPosition(fragment.position() + 1)
                rect = view.cursorRect(cursor)
                QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
                return
            fragments += 1
        block = block.next()
    raise AssertionError(f"there is no link to {href}")


def is_marked(color: QColor) -> bool:
    """Whether a pixel is paper under the yellow marker."""
    return color.blue() + 25 < min(color.red(), color.green())


def assert_marked(window: MainWindow, box: Box) -> None:
    """The pixels inside the stored box are marked, those left and right of it are paper."""
    canvas = window.page.canvas
    whole = canvas.box_rect(box)
    view = QRectF(canvas.viewport().rect())
    rect = whole.intersected(view)
    image = canvas.viewport().grab().toImage()
    ratio = image.devicePixelRatio()

    def at(x: float, y: float) -> QColor:
        return QColor(image.pixel(QPoint(round(x * ratio), round(y * ratio))))

    assert rect.width() > 4
    assert abs(rect.height() - whole.height()) < 0.01
    row = rect.top() + 1.5
    inside = [at(x, row) for x in range(round(rect.left()) + 2, round(rect.right()) - 2, 7)] or [
        at(rect.center().x(), row)
    ]
    assert sum(is_marked(color) for color in inside) > 0.7 * len(inside)
    for x in (whole.left() - 4, whole.right() + 4):
        if view.contains(x, row):
            assert not is_marked(at(x, row))


class FactsDouble:
    """A TEST DOUBLE for the workbench: facts made up on the fly, so that a hundred thousand cost nothing.

    It counts what it is asked for; it checks nothing and stores only decisions.
    """

    def __init__(self, library_dir: Path, total: int) -> None:
        self.library_dir = library_dir
        self.total = total
        self.calls: list[tuple[int, int | None]] = []
        self.decided: list[str] = []
        self.broken = False
        self._callbacks: list[Callable[[ChangeSet], None]] = []

    def subscribe(self, callback: Callable[[ChangeSet], None]) -> Callable[[], None]:
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback)

    def papers(self) -> list[Paper]:
        return [Paper("p" * 64, "made-up.pdf", "A made-up paper")]

    def review_ids(self, status: str | None = None, only: Sequence[str] | None = None, **_: Any) -> list[str]:
        if self.broken:
            raise OSError("the disk is gone")
        there = range(self.total) if status in ("waiting", None) else range(0)
        ids = [f"{number:016x}" for number in there]
        return ids if only is None else [item for item in ids if item in only]

    def review_counts(self, *_: Any) -> ReviewCounts:
        return ReviewCounts(self.total, 0, 0, 0)

    def facts_by_id(self, ids: Sequence[str]) -> list[Fact]:
        self.calls.append((int(ids[0], 16), len(ids)))
        return [made_up_fact(int(item, 16)) for item in ids]

    def other_values(self, _: str) -> tuple[str, tuple[Any, ...]]:
        return "", ()

    def textbook_passage(self, _: Fact) -> None:
        return None

    def relabel_choices(self, _: Fact) -> tuple[Any, ...]:
        return ()

    def why_not_reversed(self, _: Fact) -> str:
        return ""

    def why_not_accepted(self, _: Fact) -> str:
        return ""

    def page_image(self, *_: Any) -> PageImage:
        raise OSError("there is no page")

    def accept(self, ids: Sequence[str], *, committed: Callable[[ChangeSet], None]) -> ChangeSet:
        self.decided = list(ids)
        done = ChangeSet("Accepted", facts=tuple(ids), event=1)
        committed(done)
        return done


def made_up_fact(number: int) -> Fact:
    """Fact number N, always the same."""
    sentence = f"The band gap of Xx{number} is 1 eV."
    evidence = Evidence("p" * 64, 1, ((1, 10.0, 10.0, 90.0, 20.0),), 0, len(sentence), sentence)
    record = EvidenceRecord(f"e{number}", evidence, "reported", 0.9, "rules", "value-of", CriticResult(True))
    return Fact(
        f"{number:016x}",
        "HAS_VALUE",
        Entity("Material", f"Xx{number}"),
        Entity("Value", "1 eV"),
        decision=Decision("waiting", "gate", reason="No textbook decides it."),
        evidence=(record,),
        claim=sentence,
    )
