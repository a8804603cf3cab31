"""Find: passages of my library, where a pasted sentence stands, and works on the web."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout

from minerva_desktop.records import ChangeSet
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.guest_runs import GuestRuns
from minerva_desktop.ui.passages_page import PassagesPage
from minerva_desktop.ui.query_line import QueryLine
from minerva_desktop.ui.quotes_page import QuotesPage
from minerva_desktop.ui.segments import Segments
from minerva_desktop.ui.web_page import WebPage
from minerva_desktop.ui.widgets import Panel, button, label

SCOPES = (
    ("library", "My library", "Passages of your papers and textbooks; works without a connection"),
    ("sentence", "A sentence", "Where a sentence, a quotation or a number with its unit stands in your library"),
    ("web", "The web", "Papers at arXiv, OpenAlex, Crossref and Semantic Scholar"),
)
_HINTS = {
    "library": "Find passages in your papers and textbooks",
    "sentence": "Paste a sentence, a quotation, or a number with its unit",
    "web": "Words, DOI, arXiv identifier, PubMed number or address",
}
_TYPING = 250
_PASTED = 40
"""Nobody types so many letters at once: a text that was pasted, and so one that is quoted."""


class FindPanel(Panel):
    """One line to type in, three ways to look."""

    title = "Find"

    def __init__(self, bridge: Bridge, memory: QSettings, runs: GuestRuns) -> None:
        super().__init__(bridge)
        self._memory = memory
        self._asked = ""
        self._length = 0
        self.scopes = Segments(SCOPES, "Where to look")
        self.line = QueryLine(memory)
        self.go_button = button("Find", self._press, kind="primary")
        self.passages = PassagesPage(bridge)
        self.quotes = QuotesPage(bridge)
        self.web = WebPage(bridge, memory, runs)
        self._pages = {"library": self.passages, "sentence": self.quotes, "web": self.web}
        self.shelf = QStackedWidget()
        for page in self._pages.values():
            self.shelf.addWidget(page)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_TYPING)
        self._pause.timeout.connect(self._find_while_typing)
        self._build()
        self.line.returnPressed.connect(self.find)
        self.line.chosen.connect(lambda _: self.find())
        self.line.textEdited.connect(self._typed)
        self.line.textChanged.connect(self._changed)
        self.scopes.chosen.connect(self._show_scope)
        for page in self._pages.values():
            page.place_wanted.connect(self.place_wanted)
        self.web.notice.connect(self.notice)
        self.web.searching_changed.connect(self._show_button)
        self.web.arrived.connect(self._to_results)
        scope = str(memory.value("find/scope", "library"))
        self.scopes.choose(scope if scope in _HINTS else "library")

    def _build(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(label("Find", factor=1.6))
        top.addStretch(1)
        top.addWidget(self.scopes)
        ask = QHBoxLayout()
        ask.setSpacing(10)
        ask.addWidget(self.line, 1)
        self.go_button.setMinimumHeight(self.line.sizeHint().height())
        self.go_button.setMinimumWidth(self.go_button.fontMetrics().horizontalAdvance("Search") + 60)
        ask.addWidget(self.go_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 14, 20, 14)
        layout.setSpacing(10)
        layout.addLayout(top)
        layout.addLayout(ask)
        layout.addWidget(self.shelf, 1)

    # ------------------------------------------------------------------------------------------------- scopes
    @property
    def scope(self) -> str:
        """ "library", "sentence" or "web"."""
        return self.scopes.current

    def show_scope(self, scope: str) -> None:
        """Look in the library, for a sentence, or on the web."""
        self.scopes.choose(scope)

    def _show_scope(self, scope: str) -> None:
        self._memory.setValue("find/scope", scope)
        self.line.setPlaceholderText(_HINTS[scope])
        self.shelf.setCurrentWidget(self._pages[scope])
        self._show_button()
        if scope == "library":
            self._find_while_typing()
        elif scope == "sentence" and self._text() != self.quotes.text:
            self.quotes.search(self._text())

    def _show_button(self) -> None:
        stopping = self.scope == "web" and self.web.searching
        self.go_button.setText("Stop" if stopping else "Search" if self.scope == "web" else "Find")
        self.go_button.setToolTip("Stop the search (Esc)" if stopping else "Search (Enter)")

    # ---------------------------------------------------------------------------------------------- searching
    def _text(self) -> str:
        return " ".join(self.line.text().split())

    def _press(self) -> None:
        """The button beside the line: while the web is asked, it stops that."""
        if self.scope == "web" and self.web.searching:
            self.stop()
        else:
            self.find()

    def find(self) -> None:
        """Search for what stands in the line; a search that is still on its way is given up."""
        text = self._text()
        if not text:
            self.line.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self._asked = text
        if self.scope == "sentence":
            self.quotes.search(text, self._to_results)
            return
        self.line.remember(text)
        if self.scope == "web":
            self.web.search(text)
        else:
            self._pause.stop()
            self.passages.search(text, self._to_results)

    def find_this(self, text: str, scope: str) -> None:
        """Search for a text."""
        self.show_scope(scope)
        self.line.setText(text)
        self.find()

    def stop(self) -> None:
        """Stop the search on the web."""
        self.web.stop()

    def _typed(self, text: str) -> None:
        pasted = len(text) - self._length >= _PASTED
        if pasted and self.scope != "web":
            self.show_scope("sentence")
            self.find()
        elif self.scope == "library":
            self._pause.start()
        elif self.scope == "sentence" and not text:
            self.quotes.search("")

    def _changed(self, text: str) -> None:
        self._length = len(text)
        if not text:
            self._typed(text)  # the clear button

    def _find_while_typing(self) -> None:
        if self._text() != self.passages.query:
            self.passages.search(self._text())

    def _to_results(self) -> None:
        """After Enter the keyboard goes to what was found, unless the person types on."""
        if not self.line.hasFocus() or self._text() != self._asked:
            return
        if self.scope == "web":
            self.web.table.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            (self.quotes if self.scope == "sentence" else self.passages).focus_results()

    # ------------------------------------------------------------------------------- commands on what was found
    def _on_web(self, action: Callable[[], None]) -> None:
        if self.scope == "web":
            action()
        else:
            self.notice.emit("This is for works that were found on the web.", False)

    def ingest(self) -> None:
        """Fetch and read the marked works."""
        self._on_web(self.web.ingest)

    def toggle_ticks(self) -> None:
        """Tick the selected works, or untick them."""
        self._on_web(self.web.toggle_ticks)

    def open_page(self) -> None:
        """Show the page of the chosen work in the browser."""
        self._on_web(self.web.open_page)

    def copy_citation(self) -> None:
        """Copy what names the marked works."""
        self._on_web(self.web.copy_citation)

    # ------------------------------------------------------------------------------------------------- panel
    def concerns(self, changes: ChangeSet) -> bool:
        return super().concerns(changes) or changes.settings

    def reload(self) -> None:
        """The library changed: which works are in it, which passages fit."""
        self.web.refresh()
        if self.scope == "library" and self.passages.query:
            self.passages.search(self.passages.query)
        elif self.scope == "sentence" and self.quotes.text:
            self.quotes.search(self.quotes.text)

    def look_up(self) -> None:
        """Ask for a list of references to look up on the web."""
        self.show_scope("web")
        self.web.ask_references()

    def focus_search(self) -> None:
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()
