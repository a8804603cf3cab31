"""The welcome: where the library is, what it is about, textbooks, a model. Every question has an answer already, so that
one click, or Esc, is enough."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Thread

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.documents.kinds import SUPPORTED_SUFFIXES
from minerva_desktop.domains import available_domains, load_domain
from minerva_desktop.errors import MinervaError
from minerva_desktop.settings import Settings
from minerva_desktop.ui.drop_hint import local_files
from minerva_desktop.ui.library_panel import BOOKS
from minerva_desktop.ui.openings import Choice
from minerva_desktop.ui.setting_field import field_height
from minerva_desktop.ui.settings_form import FormPage
from minerva_desktop.ui.widgets import button, error_text, label
from minerva_desktop.workbench.places import PlaceCheck, look_at, make_ready

ABOUT = (
    "Minerva reads papers on this computer, finds what they state, and shows each fact on its page. Everything below can "
    "stay as it is, and everything can be changed later."
)
PAUSE = 200
"""Milliseconds after the last key until the folder is looked at."""
_KINDS = {"ok": "muted", "warning": "waiting", "fault": "fault"}


class WelcomeDialog(QDialog):
    """``chosen(Choice)`` once, when it closes; Esc and Skip choose what was there when it opened."""

    chosen = Signal(object)
    _looked = Signal(int, object)

    def __init__(self, library: Path, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Welcome to Minerva Desktop")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAcceptDrops(True)
        self._before = Choice(library, settings.domain)
        self._serial = 0
        self._answered = False
        self.folder = self._line(str(library))
        self.state = label(kind="muted", wrap=True)
        self.domain = self._domains(settings.domain)
        self.books = QListWidget()
        self.books.setAccessibleName("Textbooks to be read")
        self.books.hide()
        self.remove = button("Remove", self._remove_book, tip="Leave out the marked textbook")
        self.remove.hide()
        self.model = QCheckBox("Set up a language model next")
        self.start = button("Start", lambda: self._choose(sample=False), kind="primary")
        self.sample = button(
            "Try the Sample Library",
            lambda: self._choose(sample=True),
            tip="Three short invented papers and a textbook, in a library of their own",
        )
        self.skip = button("Skip", self.reject, tip="Begin with what is usual (Esc)")
        self._looked.connect(self._show_state)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._look)
        self.folder.textChanged.connect(lambda _: self._pause.start())
        self._lay_out()
        self._show_state(self._serial, look_at(library))
        self.start.setFocus(Qt.FocusReason.OtherFocusReason)

    # ------------------------------------------------------------------------------------------------- building
    def _line(self, text: str) -> QLineEdit:
        made = QLineEdit(text)
        made.setAccessibleName("Library folder")
        made.setAcceptDrops(False)  # files dropped here are textbooks
        made.setMinimumHeight(field_height(self))
        made.setCursorPosition(len(text))
        return made

    def _domains(self, current: str) -> QComboBox:
        made = QComboBox()
        made.setAccessibleName("Domain")
        made.setMinimumHeight(field_height(self))
        for name in available_domains():
            try:
                made.addItem(load_domain(name).title, name)
            except MinervaError:  # a broken pack cannot be chosen; the doctor says what is wrong with it
                continue
        made.setCurrentIndex(max(0, made.findData(current)))
        return made

    def _lay_out(self) -> None:
        page = FormPage("Welcome", spacing=16)
        page.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page.column.setContentsMargins(0, 0, 10, 0)
        page.column.addWidget(label(ABOUT, wrap=True))
        page.column.addWidget(
            _part("Your library", self._with(self.folder, button("Choose…", self._choose_folder)), self.state)
        )
        about = label("What your papers are about: which names, quantities and relations to look for.", kind="muted")
        page.column.addWidget(_part("Domain", self.domain, about))
        books = button("Choose Textbooks…", self._choose_books)
        row = QWidget()
        buttons = QHBoxLayout(row)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.addWidget(books)
        buttons.addWidget(self.remove)
        buttons.addStretch(1)
        about = label(
            "Facts are checked with textbooks. Choose files, or drop them here; they are read next.", kind="muted"
        )
        page.column.addWidget(_part("Textbooks, if you have some", row, self.books, about))
        about = label("Everything works without one, and without a network.", kind="muted")
        page.column.addWidget(_part("Language model, if you like", self.model, about))
        page.column.addStretch(1)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.skip)
        foot.addStretch(1)
        foot.addWidget(self.sample)
        foot.addWidget(self.start)
        for item in (self.skip, self.sample, self.remove, books):
            item.setAutoDefault(False)
        self.start.setDefault(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(12)
        layout.addWidget(label("Welcome to Minerva Desktop", factor=1.6, wrap=True))
        layout.addWidget(page, 1)
        layout.addLayout(foot)
        self.setMinimumSize(400, 300)
        room = self.screen().availableGeometry()
        self.resize(min(640, room.width() - 40), min(540, room.height() - 60))

    def _with(self, field: QWidget, choose: QWidget) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(field, 1)
        row.addWidget(choose)
        return made

    # --------------------------------------------------------------------------------------------------- folder
    def _named(self) -> Path:
        return Path(self.folder.text().strip()).expanduser()

    def _look(self) -> None:
        """Look at the folder beside the window: a disk of the network may take its time."""
        self._serial += 1
        serial, folder = self._serial, self._named()

        def work() -> None:
            found = look_at(folder)
            try:
                self._looked.emit(serial, found)
            except RuntimeError:  # the dialog is gone
                return

        Thread(target=work, name="minerva-place", daemon=True).start()

    def _show_state(self, serial: int, found: PlaceCheck) -> None:
        if serial != self._serial:
            return
        self.state.setText(found.message)
        self.state.setProperty("kind", _KINDS[found.level])
        self.state.style().unpolish(self.state)
        self.state.style().polish(self.state)
        self.folder.setAccessibleDescription(found.message)

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self, "Library Folder")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: self.folder.setText(str(Path(names[0]))))
        dialog.open()

    # ------------------------------------------------------------------------------------------------ textbooks
    def _choose_books(self) -> None:
        dialog = QFileDialog(self, "Textbooks")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilter(BOOKS)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: self.add_books([Path(name) for name in names]))
        dialog.open()

    def add_books(self, paths: Sequence[Path]) -> None:
        """Put textbooks on the list; other kinds of files are left out."""
        for path in paths:
            if path not in self.textbooks() and (path.is_dir() or path.suffix.lower() in SUPPORTED_SUFFIXES):
                self.books.addItem(path.name)
                item = self.books.item(self.books.count() - 1)
                item.setData(Qt.ItemDataRole.UserRole, str(path))
                item.setToolTip(str(path))
        self._show_books()

    def textbooks(self) -> tuple[Path, ...]:
        """The textbooks on the list."""
        rows = (self.books.item(row) for row in range(self.books.count()))
        return tuple(Path(str(item.data(Qt.ItemDataRole.UserRole))) for item in rows)

    def _remove_book(self) -> None:
        self.books.takeItem(max(0, self.books.currentRow()))
        self._show_books()

    def _show_books(self) -> None:
        count = self.books.count()
        for item in (self.books, self.remove):
            item.setVisible(count > 0)
        if count:
            self.books.setCurrentRow(min(max(0, self.books.currentRow()), count - 1))
            self.books.setFixedHeight(min(4, count) * (self.books.sizeHintForRow(0) + 1) + 8)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if local_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.add_books(local_files(event.mimeData()))

    # -------------------------------------------------------------------------------------------------- closing
    def _choose(self, *, sample: bool) -> None:
        folder = self._named()
        found = look_at(folder)
        self._serial += 1  # what is still being looked at counts no more
        self._pause.stop()
        if found.level != "fault" and not sample:
            try:
                make_ready(folder)
            except MinervaError as error:
                found = PlaceCheck("fault", " ".join(error_text(error)))
        self._show_state(self._serial, found)
        if found.level == "fault":
            self.folder.setFocus(Qt.FocusReason.OtherFocusReason)
            self.folder.selectAll()
            return
        domain = str(self.domain.currentData() or self._before.domain)
        self._answer(Choice(folder, domain, sample, self.textbooks(), self.model.isChecked()))

    def _answer(self, choice: Choice) -> None:
        if not self._answered:
            self._answered = True
            self.accept()
            self.chosen.emit(choice)

    def reject(self) -> None:
        self._answer(self._before)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.books.hasFocus():
            self._remove_book()
            return
        super().keyPressEvent(event)


def _part(title: str, *widgets: QWidget) -> QWidget:
    """A heading and what stands under it."""
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(5)
    column.addWidget(label(title, bold=True))
    for widget in widgets:
        if isinstance(widget, QLabel):
            widget.setWordWrap(True)
        column.addWidget(widget)
    return made
