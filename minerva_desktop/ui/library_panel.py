"""Library: the papers and textbooks, how to add them, and the job that reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QInputDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.documents import ocr
from minerva_desktop.documents.kinds import SUPPORTED_SUFFIXES
from minerva_desktop.events import CancelToken, ProgressSink
from minerva_desktop.records import Paper
from minerva_desktop.records.guests import Estimate
from minerva_desktop.ui.badges import BadgeDelegate
from minerva_desktop.ui.bridge import Bridge, Job
from minerva_desktop.ui.guest_runs import GuestRuns
from minerva_desktop.ui.jobs_view import JobsView
from minerva_desktop.ui.models import FilterProxy, PapersModel, RowRole, TextbooksModel
from minerva_desktop.ui.paper_card import PaperCard
from minerva_desktop.ui.tables import Column, FitTable
from minerva_desktop.ui.upkeep import Upkeep
from minerva_desktop.ui.widgets import Panel, Place, StateStack, button, label, search_field

_KINDS = " ".join(f"*{suffix}" for suffix in sorted(SUPPORTED_SUFFIXES))
FILES = f"Papers ({_KINDS});;All files (*)"
BOOKS = f"Textbooks ({_KINDS});;All files (*)"
SCANS = "How much there is to read is known only when the text has been recognised."
PAPER_COLUMNS = (
    Column(24, share=6),
    Column(14, share=2, rank=3),
    Column(5, rank=4),
    Column(11),
    Column(6),
    Column(6),
    Column(6, rank=2),
    Column(5, rank=5),
)
BOOK_COLUMNS = (Column(30, share=1), Column(5), Column(5), Column(6))


class LibraryPanel(Panel):
    """Papers and textbooks of the library. ``facts_wanted(paper, title)`` asks for a paper's facts in review,
    ``sample_wanted`` for the sample library."""

    title = "Library"
    facts_wanted = Signal(str, str)
    sample_wanted = Signal()

    def __init__(self, bridge: Bridge, runs: GuestRuns) -> None:
        super().__init__(bridge)
        self.runs = runs
        self._origins: dict[str, Path] = {}
        self._loaded = False
        self.upkeep = Upkeep(bridge, self, runs)
        self.upkeep.notice.connect(self.notice)
        self.upkeep.job_ended.connect(self._job_ended)
        self.papers = PapersModel()
        self.books = TextbooksModel()
        self.paper_rows = FilterProxy(
            self.papers, lambda paper: f"{' '.join(paper.authors)} {paper.file_name} {paper.doi}"
        )
        self.book_rows = FilterProxy(self.books, lambda book: book.file_name)
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Papers or textbooks")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.addTab("Papers")
        self.tabs.addTab("Textbooks")
        self.tabs.currentChanged.connect(lambda _: self._show_tab())
        self.search = search_field("Filter by title, author, year or file", "Filter papers")
        self.search.textChanged.connect(self._filter)
        self.table = FitTable(self.paper_rows, "Papers", PAPER_COLUMNS, several=True)
        self.book_table = FitTable(self.book_rows, "Textbooks", BOOK_COLUMNS, several=False)
        for table in (self.table, self.book_table):
            table.setSortingEnabled(True)
            table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.table.setItemDelegateForColumn(0, BadgeDelegate(self.table, with_text=True))
        self.card = PaperCard()
        self.card.open_wanted.connect(self.open_paper)
        self.card.facts_wanted.connect(self.show_facts)
        self.card.remove_wanted.connect(self.remove_marked)
        self.card.split_wanted.connect(self.upkeep.split)
        self.jobs = JobsView(bridge)
        self.jobs.password_wanted.connect(self.ask_password)
        self.jobs.recognition_wanted.connect(self.ask_recognition)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._show_card())
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_card())
        self.table.activated.connect(lambda _: self.open_paper())
        bridge.job_changed.connect(lambda _: self._show_tab() if not self.papers.rows and self._loaded else None)
        self._build()

    def _build(self) -> None:
        self._empty_buttons = (
            button("Try the Sample Library", self.sample_wanted.emit, kind="primary"),
            button("Add Papers…", self.choose_files),
        )
        self._empty_books = (button("Add Textbooks…", self.choose_textbooks, kind="primary"),)
        content = QWidget()
        inner = QVBoxLayout(content)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(10)
        inner.addWidget(self.table, 1)
        inner.addWidget(self.book_table, 1)
        inner.addWidget(self.card)
        self.states = StateStack(content, "library")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 14, 20, 14)
        layout.setSpacing(10)
        layout.addLayout(self._make_head())
        layout.addWidget(self.states, 1)
        layout.addWidget(self.jobs)

    def _make_head(self) -> QVBoxLayout:
        self.add_button = button("Add", kind="primary", tip="Add papers, a folder of papers, or textbooks")
        menu = QMenu(self.add_button)
        for text, slot in (
            ("Papers…", self.choose_files),
            ("Folder of Papers…", self.choose_folder),
            ("Textbooks…", self.choose_textbooks),
        ):
            action = QAction(text, menu)
            action.triggered.connect(lambda _=False, slot=slot: slot())
            menu.addAction(action)
        self.add_button.setMenu(menu)
        self.duplicates_button = button("", self.upkeep.show_duplicates, tip="Papers that look like one work")
        self.duplicates_button.hide()
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(label("Library", factor=1.6))
        top.addStretch(1)
        self.search.setMinimumWidth(140)
        self.search.setMaximumWidth(320)
        top.addWidget(self.search, 1)
        top.addWidget(self.duplicates_button)
        top.addWidget(self.add_button)
        head = QVBoxLayout()
        head.setSpacing(4)
        head.addLayout(top)
        head.addWidget(self.tabs)
        return head

    # ------------------------------------------------------------------------------------------------ loading
    def reload(self) -> None:
        """Papers and textbooks, from the library."""
        if not self._loaded:
            self.states.show_loading("Opening the library…")
        workbench = self.workbench
        self.bridge.query(
            lambda: (workbench.papers(), workbench.textbooks()),
            self._show,
            lambda error: self.states.show_error(error, self.reload),
            key="library",
        )

    def _show(self, result: tuple[list[Paper], list[Any]]) -> None:
        papers, books = result
        first, self._loaded = not self._loaded, True
        chosen = {paper.id for paper in self.marked_papers()}
        self.papers.set_rows(papers)
        self.books.set_rows(books)
        self.tabs.setTabText(0, f"Papers  {len(papers)}")
        self.tabs.setTabText(1, f"Textbooks  {len(books)}")
        self._show_tab()
        if first and not papers and self.isVisible():  # else it would go to whatever comes first in the window
            self._empty_buttons[1].setFocus(Qt.FocusReason.OtherFocusReason)
        workbench = self.workbench
        self.bridge.query(workbench.duplicates, self._show_duplicates, key="duplicates")
        if papers and not self.marked_papers():
            numbers = [n for n in range(self.paper_rows.rowCount()) if self._paper_at(n).id in chosen] or [0]
            self.table.selectRow(numbers[0])
        self._show_card()

    def _show_tab(self) -> None:
        books = self.tabs.currentIndex() == 1
        model, proxy = (self.books, self.book_rows) if books else (self.papers, self.paper_rows)
        self.table.setVisible(not books)
        self.book_table.setVisible(books)
        self.search.setVisible(bool(model.rows))
        if not model.rows:
            self._show_nothing(books)
        elif proxy.rowCount() == 0:
            self.states.show_empty("Nothing matches", "Type fewer or other words.", picture="search")
        else:
            self.states.show_content()
        self._show_card()

    def _show_nothing(self, books: bool) -> None:
        if books:
            self.states.show_empty(
                "No textbooks yet",
                "Facts are checked with textbooks. Without one they wait for your own decision.",
                self._empty_books,
                picture="book",
            )
            return
        if self.bridge.jobs:
            self.states.show_empty("Reading your papers", "They appear here as soon as they are read.", picture="page")
            return
        self.states.show_empty(
            "Drop papers here",
            "Minerva reads them on this computer, finds what they state, and shows each fact on its page. PDF, Word, "
            "EPUB, HTML, LaTeX and other text files, or whole folders.",
            self._empty_buttons,
            picture="drop",
        )

    def _filter(self, text: str) -> None:
        self.paper_rows.set_text(text)
        self.book_rows.set_text(text)
        self._show_tab()

    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def focus_work(self) -> None:
        table = self.book_table if self.tabs.currentIndex() == 1 else self.table
        table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # ----------------------------------------------------------------------------------------------- one paper
    def _paper_at(self, row: int) -> Paper:
        return self.paper_rows.index(row, 0).data(RowRole)

    def marked_papers(self) -> list[Paper]:
        """The papers that are marked in the table, in its order."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self._paper_at(row) for row in rows]

    def _show_card(self) -> None:
        marked = self.marked_papers()
        self.card.setVisible(bool(marked) and self.tabs.currentIndex() == 0)
        if marked:
            self.card.show_papers(marked, self.papers.by_id)

    def open_paper(self) -> None:
        """Show the marked paper in the page pane."""
        for paper in self.marked_papers()[:1]:
            self.place_wanted.emit(Place(paper.id, 1 if paper.pages else None, title=paper.title or paper.file_name))

    def show_facts(self) -> None:
        for paper in self.marked_papers()[:1]:
            self.facts_wanted.emit(paper.id, paper.title or paper.file_name)

    def _show_duplicates(self, found: Sequence[Any]) -> None:
        self.duplicates_button.setText(f"Likely Duplicates ({len(found)})…")
        self.duplicates_button.setVisible(bool(found))

    def remove_marked(self) -> None:
        """Take the marked papers out; each can be brought back by undo."""
        papers = self.marked_papers()
        if not papers:
            return
        workbench = self.workbench

        def done(_: object) -> None:
            name = papers[0].title or papers[0].file_name
            short = name if len(name) <= 60 else name[:59] + "…"
            self.notice.emit(
                f"Removed “{short}”." if len(papers) == 1 else f"Removed {len(papers)} papers.", len(papers) == 1
            )

        def work() -> None:
            for paper in papers:
                workbench.remove(paper.id)

        self.bridge.change(work, done, what="remove the paper")

    # -------------------------------------------------------------------------------------------------- adding
    def choose_files(self) -> None:
        """Ask for files and take them in."""
        self._choose("Add Papers", QFileDialog.FileMode.ExistingFiles, FILES, self.add_papers)

    def choose_folder(self) -> None:
        """Ask for a folder and take every paper in it."""
        self._choose("Add Folder", QFileDialog.FileMode.Directory, "", self.add_papers)

    def choose_textbooks(self) -> None:
        """Ask for textbooks."""
        self._choose("Add Textbooks", QFileDialog.FileMode.ExistingFiles, BOOKS, self.add_textbooks)

    def _choose(self, title: str, mode: QFileDialog.FileMode, kinds: str, then: Any) -> None:
        dialog = QFileDialog(self.window(), title)
        dialog.setFileMode(mode)
        if kinds:
            dialog.setNameFilter(kinds)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: then([Path(name) for name in names]))
        dialog.open()

    def add_papers(
        self,
        paths: Sequence[Path],
        *,
        password: str | None = None,
        recognise: bool = False,
        given_up: Callable[[], None] | None = None,
    ) -> Job | None:
        """Read files and folders in the background; ``recognise``: the pictures of scans too. None: nothing has begun, or
        the person is asked first."""
        paths = list(paths)
        if not paths:
            return None
        for path in paths:
            self._origins[path.name] = path
        what = paths[0].name if len(paths) == 1 else f"{len(paths)} files and folders"
        workbench = self.workbench
        self.tabs.setCurrentIndex(0)

        def start(engine: str) -> Job:
            return self.bridge.start_job(
                f"Reading {what}",
                lambda progress, cancel: workbench.ingest(
                    paths, password=password, recognise=recognise, engine=engine, progress=progress, cancel=cancel
                ),
                self._job_ended,
            )

        def estimate(progress: ProgressSink, cancel: CancelToken) -> Estimate:
            if recognise:
                return Estimate(len(paths), warning=SCANS)
            return workbench.estimate_ingest(paths, password=password, progress=progress, cancel=cancel)

        return self.runs.begin(f"Read {what}", estimate, start, given_up)

    def add_textbooks(self, paths: Sequence[Path]) -> Job | None:
        """Read textbooks in the background."""
        paths = list(paths)
        if not paths:
            return None
        workbench = self.workbench
        title = f"Adding {paths[0].name}" if len(paths) == 1 else f"Adding {len(paths)} textbooks"
        return self.bridge.start_job(
            title,
            lambda progress, cancel: workbench.add_textbooks(paths, progress=progress, cancel=cancel),
            self._job_ended,
        )

    def load_sample(self) -> Job:
        """Take in the papers and the textbook that come with the program."""
        workbench = self.workbench
        return self.bridge.start_job(
            "Loading the sample library",
            lambda progress, cancel: workbench.load_sample(progress=progress, cancel=cancel),
            self._job_ended,
        )

    def _job_ended(self, job: Job) -> None:
        if self.isVisible():
            self.reload()
        else:
            self._stale = True

    def ask_password(self, name: str) -> None:
        """Ask for the password of a file that could not be read without, then read it again."""
        path = self._find_origin(name)
        if path is None:
            self.notice.emit(f"“{name}” is not where it was. Add it again to enter its password.", False)
            return
        dialog = QInputDialog(self.window())
        dialog.setWindowTitle("Password")
        dialog.setLabelText(f"“{path.name}” is encrypted. Its password is kept until the program ends.")
        dialog.setTextEchoMode(QLineEdit.EchoMode.Password)
        dialog.setOkButtonText("Read")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.textValueSelected.connect(lambda password: self.add_papers([path], password=password))
        dialog.open()

    def ask_recognition(self, names: Sequence[str]) -> None:
        """Offer to recognise the text of scans, and say beforehand that it takes its time."""
        paths = [path for name in names if (path := self._find_origin(name)) is not None]
        if not paths:
            self.notice.emit("The scans are not where they were. Add them again.", False)
            return
        if not ocr.languages():
            self.notice.emit(ocr.status(), False)
            return
        box = QMessageBox(self.window())
        box.setIcon(QMessageBox.Icon.Question)
        many = f"{len(paths)} scans hold" if len(paths) > 1 else f"“{paths[0].name}” holds"
        box.setText(f"{many} pictures of pages without text. Recognise the text?")
        box.setInformativeText(
            f"This takes up to {ocr.SECONDS_PER_PAGE:.0f} seconds for each page and can be stopped at any time. "
            "Recognised text has more errors than printed text: check facts from it on their page."
        )
        start = box.addButton("Recognise", QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.buttonClicked.connect(lambda pressed: self.add_papers(paths, recognise=True) if pressed is start else None)
        box.open()

    def _find_origin(self, name: str) -> Path | None:
        """Reports name a file as it was given, or relative to the folder that was given."""
        candidates = [Path(name), *(origin / name for origin in self._origins.values())]
        candidates += [origin for origin in self._origins.values() if str(origin) == name or origin.name == name]
        candidates += [origin.parent / name for origin in self._origins.values()]
        return next((path for path in candidates if path.is_file()), None)
