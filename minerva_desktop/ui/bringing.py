"""Bringing what a person has into the window: a bibliography with its files, and folders that are watched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QListWidget,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.ui import dialogs
from minerva_desktop.ui.bridge import Bridge, Job
from minerva_desktop.ui.library_panel import LibraryPanel
from minerva_desktop.ui.widgets import button, label

KINDS = "Bibliographies (*.bib *.ris *.enw *.json *.xml *.rdf *.nbib *.txt *.sqlite);;All files (*)"
SUFFIXES = (".bib", ".bibtex", ".ris", ".enw", ".nbib", ".rdf")
"""Files that can be nothing but a bibliography."""
EVERY = 10_000
"""Milliseconds between two looks at the watched folders."""


class Bringing(QObject):
    """Import and watching, as the window's menu has them."""

    def __init__(self, window: QWidget, bridge: Bridge, library: LibraryPanel) -> None:
        super().__init__(window)
        self._window = window
        self._bridge = bridge
        self._library = library
        self._said: set[str] = set()
        self._looking = False
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    # --------------------------------------------------------------------------------------------- bibliography
    def choose_bibliography(self) -> None:
        """Ask for a bibliography and show what it brings before anything is taken in."""
        dialog = QFileDialog(self._window, "Import Bibliography")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(KINDS)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.read_bibliography(Path(name)))
        dialog.open()

    def read_bibliography(self, path: Path) -> None:
        """Read a bibliography in the background, then ask."""

        def read() -> Any:
            from minerva_desktop.sources.bibliography import plan_import, read_bibliography

            bibliography = read_bibliography(path)
            return bibliography, plan_import(bibliography)

        self._bridge.query(
            read,
            lambda brought: self._ask(path, *brought),
            lambda error: dialogs.show_error(self._window, "import the bibliography", error),
        )

    def _ask(self, path: Path, bibliography: Any, plan: Any) -> QMessageBox:
        counts = (
            f"{len(bibliography.records)} records, {len(plan.files)} files to read, "
            f"{len(plan.without_file)} records without a file."
        )
        left = [f"{item.what}: {item.reason}" for item in bibliography.refused]
        left += [f"{item.path} is missing (of “{item.record}”)" for item in bibliography.missing]
        hint = f"{counts} What cannot be brought ({len(left)}) is in the details." if left else counts
        if plan.without_file:
            hint += " Records without a file describe papers that you have already, where they are the same."
        box = QMessageBox(
            QMessageBox.Icon.Question, "Import Bibliography", f"Import “{path.name}”?", parent=self._window
        )
        box.setInformativeText(hint)
        if left:
            box.setDetailedText("\n".join(left))
        yes = box.addButton("Import", QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(yes)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.buttonClicked.connect(lambda chosen: self._import(path, bibliography, plan) if chosen is yes else None)
        box.open()
        return box

    def _import(self, path: Path, bibliography: Any, plan: Any) -> None:
        workbench = self._library.workbench
        if not plan.files:
            self._start_import("builtin", path, bibliography, plan)
            return
        files = [item.path for item in plan.files]
        self._library.runs.begin(
            f"Import “{path.name}”",
            lambda progress, cancel: workbench.estimate_ingest(files, progress=progress, cancel=cancel),
            lambda engine: self._start_import(engine, path, bibliography, plan),
        )

    def _start_import(self, engine: str, path: Path, bibliography: Any, plan: Any) -> Job:
        workbench = self._library.workbench

        def work(progress: Any, cancel: Any) -> Any:
            report = workbench.import_bibliography(bibliography, plan, engine=engine, progress=progress, cancel=cancel)
            workbench.describe_from(plan.without_file)
            return report

        def ended(_: Job) -> None:
            self._library.reload()

        return self._bridge.start_job(f"Importing {path.name}", work, ended)

    # -------------------------------------------------------------------------------------------------- watching
    def show_watched(self) -> WatchedFolders:
        """The folders that are watched, to add to and to take from."""
        dialog = WatchedFolders(self._bridge, self._library, self._window)
        dialog.finished.connect(self.look)
        dialog.open()
        return dialog

    def look(self) -> None:
        """Look at the watched folders once, unless the last look is still going on."""
        if self._looking or self._library.runs.asking is not None:
            return
        self._looking = True
        self._bridge.query(self._library.workbench.new_in_folders, self._looked, self._failed)

    def _looked(self, found: tuple[list[Path], list[str]]) -> None:
        self._looking = False
        new, problems = found
        for problem in problems:
            if problem not in self._said:
                self._library.notice.emit(problem, False)
        self._said = set(problems)  # said once, and again when it comes back
        if new:
            many = f"{len(new)} new papers of your watched folders were" if len(new) != 1 else f"“{new[0].name}” was"
            said = f"{many} not read. Add Papers reads them whenever you like."
            self._library.add_papers(new, given_up=lambda: self._library.notice.emit(said, False))

    def _failed(self, _: Exception) -> None:
        self._looking = False


class WatchedFolders(QDialog):
    """Folders whose new PDFs are taken in by themselves."""

    def __init__(self, bridge: Bridge, library: LibraryPanel, parent: QWidget) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._workbench = library.workbench
        self.setWindowTitle("Watched Folders")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.folders = QListWidget()
        self.folders.setAccessibleName("Watched folders")
        self.folders.itemSelectionChanged.connect(self._mark)
        self.empty = label("No folder is watched yet.", kind="muted")
        self.present = QCheckBox("Take in what is in a new folder already")
        self.present.setChecked(True)
        self.add = button("Add Folder…", self._choose)
        self.remove = button("Stop Watching", self._remove)
        row = QHBoxLayout()
        for widget in (self.add, self.remove):
            row.addWidget(widget)
        row.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        about = "New PDFs in these folders are read by themselves while the program is open. Papers stay when you stop."
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(label(about, kind="muted", wrap=True))
        layout.addWidget(self.folders, 1)
        layout.addWidget(self.empty)
        layout.addWidget(self.present)
        layout.addLayout(row)
        layout.addWidget(buttons)
        self.resize(560, 380)
        self._reload()

    def _reload(self) -> None:
        self._bridge.query(self._workbench.watched_folders, self._show)

    def _show(self, folders: list[Path]) -> None:
        self.folders.clear()
        self.folders.addItems([str(folder) for folder in folders])
        self.empty.setVisible(not folders)
        self._mark()

    def _mark(self) -> None:
        self.remove.setEnabled(bool(self.folders.selectedItems()))

    def _choose(self) -> None:
        dialog = QFileDialog(self, "Watch Folder")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.watch(Path(name)))
        dialog.open()

    def watch(self, folder: Path) -> None:
        """Watch a folder from now on."""
        present = self.present.isChecked()
        self._bridge.change(
            lambda: self._workbench.watch_folder(folder, present=present),
            lambda _: self._reload(),
            what="watch the folder",
        )

    def _remove(self) -> None:
        chosen = [Path(item.text()) for item in self.folders.selectedItems()]

        def work() -> None:
            for folder in chosen:
                self._workbench.unwatch_folder(folder)

        self._bridge.change(work, lambda _: self._reload(), what="stop watching")
