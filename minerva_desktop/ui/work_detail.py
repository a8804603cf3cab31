"""Shows one work that was found."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QTextBrowser

from minerva_desktop.display import own_libraries
from minerva_desktop.ui.theme import is_theme_change, tokens
from minerva_desktop.ui.work_html import work_html
from minerva_desktop.ui.works_model import WorkRow


def open_address(url: str) -> None:
    """Show a web page in the person's browser; anything but a web address is not opened."""
    if url.startswith(("https://", "http://")):
        with own_libraries():
            QDesktopServices.openUrl(QUrl(url))


class WorkDetail(QTextBrowser):
    """``paper_wanted`` when the link to the paper in the library was followed."""

    paper_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("The chosen work")
        self.setOpenLinks(False)
        self.setAcceptDrops(False)
        self.document().setDocumentMargin(14)
        self.setPlaceholderText("Choose a work to read its abstract.")
        self.anchorClicked.connect(self._follow)
        self.row: WorkRow | None = None
        self._places: Sequence[str] = ()
        self._unpaywall = False

    def show_row(self, row: WorkRow | None, places: Sequence[str] = (), *, unpaywall: bool = False) -> None:
        """Show a work, or nothing; ``places`` are the addresses where its full text may be, ``unpaywall`` whether that is
        asked for more."""
        if row == self.row and tuple(places) == tuple(self._places):
            return
        same = self.row is not None and row is not None and self.row.uid == row.uid
        place = self.verticalScrollBar().value() if same else 0
        self.row, self._places, self._unpaywall = row, tuple(places), unpaywall
        self._write()
        self.verticalScrollBar().setValue(place)

    def _write(self) -> None:
        self.setHtml(
            work_html(self.row, self._places, tokens(), unpaywall=self._unpaywall) if self.row is not None else ""
        )

    def _follow(self, url: QUrl) -> None:
        if url.scheme() == "paper":
            self.paper_wanted.emit()
        else:
            open_address(url.toString())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_theme_change(event) and self.row is not None:
            self._write()
