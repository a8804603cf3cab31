"""The lexicon of the library in the window: a tab for each kind, and what one does with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget
from shiboken6 import isValid

from minerva_desktop.records import IngestReport
from minerva_desktop.ui.bridge import Bridge, Job
from minerva_desktop.ui.dialogs import show_error
from minerva_desktop.ui.guest_runs import GuestRuns
from minerva_desktop.ui.lexicon_page import LexiconPage
from minerva_desktop.ui.lexicon_texts import EFFECT, TITLES
from minerva_desktop.ui.suggestions_dialog import open_suggestions
from minerva_desktop.ui.widgets import StateStack, button, label, search_field


class LexiconEditor(QWidget):
    """``said(text, undoable)`` asks the window to say a line; ``place_wanted`` to show a place on a page."""

    said = Signal(str, bool)
    place_wanted = Signal(object)

    def __init__(self, bridge: Bridge, runs: GuestRuns) -> None:
        super().__init__()
        self._runs = runs
        self.bridge = bridge
        self.workbench = bridge.workbench
        self.pages: dict[str, LexiconPage] = {}
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Kinds of the lexicon")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.currentChanged.connect(self._turn)
        self.shelf = QStackedWidget()
        self.search = search_field("Filter rows", "Filter rows of the lexicon")
        self.search.setMaximumWidth(260)
        self.search.textChanged.connect(lambda text: self.page().set_filter(text))
        self.add_row = button("Add Row", lambda: self._on_page("table_with_row"), tip="Insert, in the table")
        self.delete_rows = button("Delete Rows", self._delete, tip="Ctrl+Delete, in the table")
        self.undo_edit = button("Undo", lambda: self.page().model.stack.undo(), tip="Ctrl+Z, in the table")
        self.redo_edit = button("Redo", lambda: self.page().model.stack.redo(), tip="Ctrl+Shift+Z, in the table")
        self.import_file = button("Import…", self.choose_import, tip="Take over the rows of a CSV file")
        self.export_files = button("Export…", self.choose_export, tip="Write the stored lexicon as CSV files")
        self.suggest = button(
            "Suggestions…", self.show_suggestions, tip="What your decisions in the review would teach"
        )
        self.save_button = button("Save", self.save, kind="primary", tip="Ctrl+S, in the table")
        self.again = button(
            "Read Papers Again", self.read_again, tip="Take the facts of all papers anew; decisions stay"
        )
        self.effect = label(EFFECT, kind="muted", wrap=True)
        content = QWidget()
        self._fill(content)
        self.states = StateStack(content, "book")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.states)

    def _fill(self, content: QWidget) -> None:
        tools = QHBoxLayout()
        tools.setSpacing(8)
        for item in (
            self.add_row,
            self.delete_rows,
            self.undo_edit,
            self.redo_edit,
            self.import_file,
            self.export_files,
            self.suggest,
        ):
            tools.addWidget(item)
        tools.addStretch(1)
        tools.addWidget(self.search, 1)
        foot = QHBoxLayout()
        foot.setSpacing(10)
        foot.addWidget(self.effect, 1)
        foot.addWidget(self.again)
        foot.addWidget(self.save_button)
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.tabs)
        column.addLayout(tools)
        column.addWidget(self.shelf, 1)
        column.addLayout(foot)

    # ----------------------------------------------------------------------------------------------------- loading
    def reload(self) -> None:
        """The lexicon as it is stored."""
        self.bridge.query(
            self.workbench.lexicon, self._show, lambda error: self.states.show_error(error, self.reload), key="lexicon"
        )

    def _show(self, data: dict[str, Any]) -> None:
        for item in data["kinds"]:
            problems = [problem for problem in data["problems"] if problem["kind"] == item["kind"]]
            page = self.pages.get(item["kind"])
            if page is None:
                page = self._make_page(item)
            page.show_stored(item, problems)
        self.states.show_content()
        self._refresh()

    def _make_page(self, item: dict[str, Any]) -> LexiconPage:
        page = LexiconPage(self.bridge, item)
        page.changed.connect(self._refresh)
        page.said.connect(self.said)
        page.import_wanted.connect(self.choose_import)
        self.pages[page.kind] = page
        self.shelf.addWidget(page)
        self.tabs.addTab(TITLES[page.kind])
        return page

    def page(self) -> LexiconPage:
        """The kind that is shown."""
        page = self.shelf.currentWidget()
        assert isinstance(page, LexiconPage)
        return page

    def show_kind(self, kind: str) -> None:
        self.tabs.setCurrentIndex(list(self.pages).index(kind))

    def _turn(self, number: int) -> None:
        if 0 <= number < self.shelf.count():
            self.shelf.setCurrentIndex(number)
            self.page().set_filter(self.search.text())
            self._refresh()

    def _refresh(self) -> None:
        # An undo stack speaks once more while it is taken down with the window.
        if not self.pages or not all(isValid(page.model.stack) for page in self.pages.values()):
            return
        for number, page in enumerate(self.pages.values()):
            count = sum(bool(any(row.values())) for row in page.model.rows)
            text = TITLES[page.kind] + (f"  {count}" if count else "") + (" •" if page.unsaved else "")
            if self.tabs.tabText(number) != text:
                self.tabs.setTabText(number, text)
            self.tabs.setTabToolTip(number, "Not saved yet" if page.unsaved else "")
        page, stack = self.page(), self.page().model.stack
        self.undo_edit.setEnabled(stack.canUndo())
        self.redo_edit.setEnabled(stack.canRedo())
        self.delete_rows.setEnabled(bool(page.model.rows))
        self.add_row.setEnabled(not page.broken)
        self.import_file.setEnabled(not page.broken)
        self.save_button.setEnabled(bool(self.unsaved()))
        # Reading again goes by what is stored.
        self.again.setEnabled(not self.unsaved() and not self.bridge.jobs)
        self.effect.setText("Not saved yet: " + ", ".join(self.unsaved()) + "." if self.unsaved() else EFFECT)

    def unsaved(self) -> list[str]:
        """The kinds with edits that are not saved, as their tabs are called."""
        return [TITLES[page.kind] for page in self.pages.values() if page.unsaved]

    # --------------------------------------------------------------------------------------------------- commands
    def _on_page(self, verb: str) -> None:
        if self.search.text():
            self.search.clear()
        getattr(self.page(), verb)()

    def _delete(self) -> None:
        self.page().table.delete_rows()
        self.page().table.setFocus(Qt.FocusReason.OtherFocusReason)

    def save(self) -> None:
        """Save every kind that was edited."""
        for page in self.pages.values():
            page.save()

    def choose_import(self) -> None:
        dialog = self._dialog("Import into the Lexicon", QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter("Tables (*.csv *.tsv *.txt);;All files (*)")
        dialog.filesSelected.connect(lambda names: self.import_path(Path(names[0])))
        dialog.open()

    def import_path(self, path: Path) -> None:
        """Take the rows of a file over into the kind that is shown; nothing is stored before it is saved."""
        page, workbench = self.page(), self.workbench

        def done(rows: list[dict[str, str]]) -> None:
            page.import_rows(rows, path.name)
            page.table.setFocus(Qt.FocusReason.OtherFocusReason)

        self.bridge.query(
            lambda: workbench.read_lexicon_file(page.kind, path),
            done,
            lambda error: show_error(self, "import the file", error),
        )

    def show_suggestions(self) -> None:
        """What the decisions would teach."""
        open_suggestions(self.bridge, self.window(), self.place_wanted.emit)

    def choose_export(self) -> None:
        dialog = self._dialog("Export the Lexicon", QFileDialog.FileMode.Directory)
        dialog.filesSelected.connect(lambda names: self.export_to(Path(names[0])))
        dialog.open()

    def export_to(self, folder: Path) -> None:
        """Write what is stored as CSV files into a folder."""
        workbench = self.workbench

        def done(paths: list[Path]) -> None:
            self.said.emit(f"Wrote {len(paths)} files to {folder}." if paths else "Your lexicon is empty.", False)

        self.bridge.query(
            lambda: workbench.export_lexicon(folder), done, lambda error: show_error(self, "export the lexicon", error)
        )

    def _dialog(self, title: str, mode: QFileDialog.FileMode) -> QFileDialog:
        dialog = QFileDialog(self.window(), title)
        dialog.setFileMode(mode)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return dialog

    def read_again(self) -> None:
        """Take the facts of all papers anew, with the lexicon as it is stored."""
        workbench = self.workbench
        self._runs.begin("Read all papers again", lambda *_: workbench.estimate_reextract(), self._read_again)

    def _read_again(self, engine: str) -> None:
        workbench = self.workbench

        def ended(job: Job) -> None:
            self._refresh()
            if job.error is not None:
                show_error(self, "read the papers again", job.error)
            elif isinstance(job.result, IngestReport):
                count = len(job.result.papers)
                self.said.emit(f"Read {count} papers again." if count != 1 else "Read one paper again.", False)

        self.bridge.start_job(
            "Reading papers again",
            lambda progress, cancel: workbench.reextract(engine=engine, progress=progress, cancel=cancel),
            ended,
        )
        self._refresh()
