"""What a person does at the first start, done by the program itself in its real window; for ``bench smoke``."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLineEdit, QMessageBox, QTextBrowser

from minerva_desktop.settings import load_settings
from minerva_desktop.ui import app
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.ui.smoke_hands import Hands, shown
from minerva_desktop.ui.welcome import WelcomeDialog
from minerva_desktop.workbench import sample_papers
from minerva_desktop.workbench.places import SAMPLE

_CONTROL = Qt.KeyboardModifier.ControlModifier


class Smoke:
    """``steps``: what was done, whether it went well, what was seen, and the seconds it took."""

    def __init__(
        self,
        library: Path,
        *,
        text: Path,
        scan: Path,
        export: Path,
        question: str,
        expected: str,
        recognition: bool,
        look: Callable[[], None],
        shots: Path | None = None,
    ) -> None:
        self._library, self._text, self._scan, self._export = library, text, scan, export
        self._question, self._expected, self._recognition, self._shots = question, expected, recognition, shots
        self._window: Any = None
        self.hands = Hands(look)
        self.steps: list[dict[str, Any]] = []
        self.platform = ""

    def run(self) -> int:
        """Start the program and do everything; its exit code."""
        app.make_application(["minerva-desktop"]).setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
        self.platform = QApplication.platformName()
        return app.run(None, load_settings(), offline=True, beside=self._all)

    async def _all(self) -> None:
        script: tuple[tuple[str, Callable[[], Awaitable[str]]], ...] = (
            ("first run", self._welcome),
            ("sample library", self._sample),
            ("graph", self._graph),
            ("own library", self._own),
            ("a dropped PDF is read", self._drop),
            ("a scan says what is missing", self._drop_scan),
            ("ask and open the citation", self._ask),
            ("accept and undo", self._review),
            ("export", self._export_gold),
            ("quit", self._quit),
        )
        for number, (name, step) in enumerate(script, 1):
            begin = time.perf_counter()
            try:
                seen, good = await step(), True
            except asyncio.CancelledError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever it was, it is told, and the window is closed
                seen, good = f"{type(error).__name__}: {error}", False
            seconds = round(time.perf_counter() - begin, 2)
            self._shoot(number, name)
            self.steps.append({"name": name, "ok": good, "seen": seen, "seconds": seconds})
            if not good:
                missed = script[number:]
                self.steps += [{"name": one, "ok": False, "seen": "not reached", "seconds": 0.0} for one, _ in missed]
                self._give_up()
                return

    def _shoot(self, number: int, name: str) -> None:
        window = QApplication.activeModalWidget() or shown(MainWindow) or shown(WelcomeDialog)
        if self._shots is not None and window is not None:
            window.grab().save(str(self._shots / f"{number:02}-{name.replace(' ', '-')}.png"))

    def _give_up(self) -> None:
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, WelcomeDialog):
                widget.reject()
            elif isinstance(widget, MainWindow):
                widget.leave()

    def _idle(self) -> bool:
        return not self._window.bridge.busy

    async def _other_window(self, title: str) -> Any:
        """The window on another library, when it has come."""
        before = self._window

        def come() -> Any:
            window = shown(MainWindow)
            return window if window is not None and window is not before else None

        window = await self.hands.until(come, f"the window on {title}")
        if not window.windowTitle().startswith(title):
            raise RuntimeError(f"the window is called “{window.windowTitle()}”")
        window.activateWindow()
        self._window = window
        return window

    async def _page(self, key: Qt.Key, name: str) -> None:
        """Go to a page of the window by its shortcut."""
        await self._shortcut(key)
        window = self._window
        await self.hands.until(lambda: window.current_name() == name, f"the page “{name}”", 20)

    async def _shortcut(self, key: Qt.Key) -> None:
        """Ctrl and a key."""
        window = self._window
        await asyncio.sleep(0.1)  # what a closed dialog leaves behind
        window.activateWindow()  # where no window manager does it after a dialog
        await self.hands.until(window.isActiveWindow, "the window to have the keyboard")
        self.hands.press(key, _CONTROL, window)

    # -------------------------------------------------------------------------------------------------- the steps
    async def _welcome(self) -> str:
        dialog = await self.hands.until(lambda: shown(WelcomeDialog), "the welcome")
        self.hands.type(dialog.folder, str(self._library))
        self._shoot(0, "welcome")
        await self.hands.until(lambda: dialog._serial > 0 and dialog.state.text(), "a word on the folder")
        if self._library.exists():
            raise RuntimeError("the library was made before it was chosen")
        return f"{dialog.windowTitle()}; {dialog.domain.currentText()}; {dialog.state.text()}"

    async def _sample(self) -> str:
        self.hands.click(shown(WelcomeDialog).sample)
        window = await self._other_window(SAMPLE)
        wanted = len(sample_papers())
        await self.hands.until(
            lambda: len(window.library.papers.rows) == wanted and self._idle(), "the sample papers", 300
        )
        if not window.libraries.banner.isVisible():
            raise RuntimeError("nothing says that this is the sample library")
        return f"{window.windowTitle()}: {window.status.counts.text()}"

    async def _graph(self) -> str:
        window = self._window
        await self._page(Qt.Key.Key_4, "graph")
        await self.hands.until(lambda: window.graph.canvas.nodes and self._idle(), "nodes in the graph")
        canvas = window.graph.canvas
        return f"{len(canvas.nodes)} nodes and {len(canvas.edges)} links"

    async def _own(self) -> str:
        self.hands.click(self._window.libraries.back)
        window = await self._other_window(self._library.name)
        await self.hands.until(self._idle, "the own library")
        if window.library.papers.rows:
            raise RuntimeError("papers of the sample library are in the own one")
        return f"{window.windowTitle()}: {window.status.counts.text()}"

    async def _drop(self) -> str:
        window = self._window
        self.hands.drop(window, self._text)
        await self.hands.until(lambda: len(window.library.papers.rows) == 1 and self._idle(), "the paper", 300)
        row = self._row(self._text)
        if row.text(1) != "ok":
            raise RuntimeError(f"{row.text(1)}: {row.text(2)}")
        return f"{row.text(0)}: {row.text(2)}"

    async def _drop_scan(self) -> str:
        window = self._window
        self.hands.drop(window, self._scan)
        row = await self.hands.until(
            lambda: (found := self._row(self._scan)) is not None and found.text(1) == "no text layer" and found,
            "word that the scan has no text",
        )
        await self.hands.until(self._idle, "the end of the job")
        self.hands.click(window.library.jobs.recognise)
        if self._recognition:
            box = await self.hands.until(lambda: shown(QMessageBox), "the question whether to recognise the text")
            said = box.text()
            box.reject()
            return f"{row.text(1)}; Tesseract is installed here, so it was asked: {said}"
        await self.hands.until(window.notice.isVisible, "word on text recognition")
        said = window.notice._text.text()
        if "Tesseract" not in said:
            raise RuntimeError(f"it says only: {said}")
        return f"{row.text(1)}; {said}"

    def _row(self, file: Path) -> Any:
        rows = self._window.library.jobs.list
        found = (rows.topLevelItem(number) for number in range(rows.topLevelItemCount()))
        return next((row for row in found if row.text(0) == file.name), None)

    async def _ask(self) -> str:
        window = self._window
        await self._page(Qt.Key.Key_6, "ask")
        self.hands.type(window.ask.question, self._question)
        self.hands.press(Qt.Key.Key_Return, target=window.ask.question)
        answer = await self.hands.until(lambda: self._idle() and window.ask.answer, "an answer")
        cited = [item for sentence in answer.sentences for item in sentence.citations]
        if not answer.found or self._expected not in answer.answer or not cited:
            raise RuntimeError(f"the answer is “{answer.answer}” with {len(cited)} citations")
        views = [view for view in window.ask.findChildren(QTextBrowser) if view.isVisible()]
        if not any(self.hands.follow(view, "cite:") for view in views):
            raise RuntimeError("the answer shows no citation")
        page = next(item.page for item in cited if item.page)
        await self.hands.until(lambda: window.page.isVisible() and window.page.canvas.ready, "the page pane")
        await self.hands.until(lambda: window.page.canvas.page == page, f"page {page} in it")
        return f"“{answer.answer}”, opened at page {window.page.canvas.page}"

    async def _review(self) -> str:
        window, review = self._window, self._window.review
        await self._page(Qt.Key.Key_3, "review")
        await self.hands.until(
            lambda: review.states.state == "content" and review.current() is not None and self._idle(),
            "facts to review",
        )
        fact, waiting = review.current(), review.model.total

        def status() -> str:
            return str(window.workbench.fact(fact.id).decision.status)

        for key, wanted in ((Qt.Key.Key_A, "accepted"), (Qt.Key.Key_U, "waiting"), (Qt.Key.Key_A, "accepted")):
            review.focus_work()
            self.hands.press(key)
            await self.hands.until(
                lambda wanted=wanted: self._idle() and status() == wanted, f"the fact to be {wanted}"
            )
            if wanted == "waiting":
                await self.hands.until(lambda: (now := review.current()) and now.id == fact.id, "the fact to come back")
        return f"{waiting} waited; accepted, taken back and accepted again: {fact.claim}"

    async def _export_gold(self) -> str:
        window = self._window
        await self._shortcut(Qt.Key.Key_K)
        box = window.palette_box
        await self.hands.until(box.isVisible, "the palette of commands")
        self.hands.type(box.line, "export gold")
        self.hands.press(Qt.Key.Key_Return, target=box.line)
        dialog = await self.hands.until(lambda: self._file_dialog(), "the dialog for a file")
        line, buttons = dialog.findChild(QLineEdit), dialog.findChild(QDialogButtonBox)
        accept = QDialogButtonBox.ButtonRole.AcceptRole
        save = next(item for item in buttons.buttons() if buttons.buttonRole(item) == accept)
        self.hands.paste(line, str(self._export))
        self.hands.click(save)
        await self.hands.until(lambda: self._export.is_file() and self._idle(), "the exported file")
        lines = self._export.read_text(encoding="utf-8").splitlines()
        if not lines:
            raise RuntimeError("the file is empty")
        return f"{len(lines)} line(s), {self._export.stat().st_size} bytes"

    def _file_dialog(self) -> QFileDialog | None:
        return next((item for item in self._window.findChildren(QFileDialog) if item.isVisible()), None)

    async def _quit(self) -> str:
        window = self._window
        await self._shortcut(Qt.Key.Key_Q)
        await self.hands.until(lambda: window._leaving, "the window to go", 30)
        return "the window was closed"
