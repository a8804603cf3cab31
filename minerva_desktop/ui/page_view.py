"""The page pane: shows a document and the place in it that something was taken from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.records import Box, ChangeSet, Document
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.generated_strip import GeneratedStrip
from minerva_desktop.ui.guest_state import model_in_use
from minerva_desktop.ui.page_canvas import PageCanvas
from minerva_desktop.ui.reading_order import COLORS, LEGEND, shapes_of
from minerva_desktop.ui.text_page import TextPage, find_quote
from minerva_desktop.ui.widgets import ElidedLabel, Place, StateStack, error_text, label, tool_button


class PageView(QWidget):
    """Pages of a PDF with highlights, or the text of a document without pages, or a textbook's quotation."""

    closed = Signal()
    notice = Signal(str, bool)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._paper = ""
        self._document: Document | None = None
        self._place: Place | None = None
        self._asked = ""
        self._ordered = False
        self.setAccessibleName("Page pane")
        self.setMinimumWidth(300)
        self.canvas = PageCanvas()
        self.text = TextPage()
        self._shelf = QStackedWidget()
        self._shelf.addWidget(self.canvas)
        self._shelf.addWidget(self.text)
        self.quote = _QuoteBar()
        self.legend = _Legend()
        content = QWidget()
        inner = QVBoxLayout(content)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self.quote)
        inner.addWidget(self.legend)
        inner.addWidget(self._shelf, 1)
        self.generated = GeneratedStrip(bridge)
        inner.addWidget(self.generated)
        self.states = StateStack(content, "page")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._make_bar())
        layout.addWidget(self.states, 1)
        self.canvas.page_wanted.connect(self._fetch_page)
        self.canvas.page_changed.connect(self._show_page_number)
        self.canvas.zoom_changed.connect(lambda zoom: self._zoom.setText(f"{zoom * 75:.0f}\u2009%"))
        bridge.changed.connect(self._on_changed)
        self.clear()

    def _make_bar(self) -> QFrame:
        bar = QFrame()
        bar.setProperty("kind", "bar")
        self._title = ElidedLabel()
        self._number = QSpinBox()
        self._number.setAccessibleName("Page number")
        self._number.setKeyboardTracking(False)
        self._number.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
        self._number.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._number.setMinimumWidth(self._number.fontMetrics().horizontalAdvance("0000") + 26)
        self._number.valueChanged.connect(self.canvas.go_to_page)
        self._of = label(kind="muted")
        self._of.setContentsMargins(4, 0, 0, 0)
        self._of.setMinimumWidth(self._of.fontMetrics().horizontalAdvance("of 000") + 4)
        self._zoom = label(kind="muted")
        self._zoom.setMinimumWidth(self._zoom.fontMetrics().horizontalAdvance("000\u2009%"))
        self._zoom.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._order = tool_button(
            "order", "Show reading order: how this page was read (Ctrl+Shift+R)", self.toggle_order
        )
        self._order.setCheckable(True)
        self._describe = tool_button("describe", "Describe this page with a model", self.describe)
        self._paging = [
            tool_button("previous", "Previous page", self.previous_page),
            self._number,
            self._of,
            tool_button("next", "Next page", self.next_page),
            tool_button("minus", "Shrink page", partial(self.zoom_by, 1 / 1.2)),
            self._zoom,
            tool_button("add", "Enlarge page", partial(self.zoom_by, 1.2)),
            tool_button("width", "Fit page width", self.canvas.fit_width),
            self._order,
        ]
        layout = QHBoxLayout(bar)
        layout.setContentsMargins(12, 5, 6, 5)
        layout.setSpacing(3)
        layout.addWidget(self._title, 1)
        for item in self._paging:
            layout.addWidget(item)
        layout.addWidget(self._describe)
        layout.addWidget(tool_button("close", "Hide the page pane", self.closed.emit))
        return bar

    # ------------------------------------------------------------------------------------------------ showing
    def clear(self) -> None:
        """Nothing is open."""
        self._paper, self._document = "", None
        self._title.setText("")
        self._show_paging(False)
        self.states.show_empty(
            "No page open",
            "Choose a fact, a citation or a line of the graph: the page it comes from opens here, with its sentence "
            "marked.",
        )

    def show_evidence(self, paper_id: str, page: int | None, boxes: Sequence[Box], quote: str) -> None:
        """Open a paper at a sentence. Without page and boxes the sentence is looked up in the text."""
        self.show_place(Place(paper_id, page, tuple(boxes), quote))

    def show_place(self, place: Place) -> None:
        """Open a place; a place without paper is a quotation and shown as such."""
        if not place.paper:
            self._show_quotation(place)
        elif place.paper == self._paper and self._document is not None:
            self._show_in(self._document, place)
        else:
            self._load(place)

    def _load(self, place: Place) -> None:
        self._paper, self._document = place.paper, None
        self._asked = ""
        self._show_paging(False)
        self.states.show_loading("Opening the paper…")
        workbench = self._bridge.workbench

        def work() -> tuple[Document, str]:
            paper = workbench.paper(place.paper)
            return workbench.document(place.paper), paper.title or paper.file_name

        def done(result: tuple[Document, str]) -> None:
            self._document, title = result
            self._title.setText(title)
            pages = self._document.pages
            self.canvas.set_pages(pages)
            self._draw_order()
            if pages:
                self._number.setRange(1, len(pages))
                self._of.setText(f"of {len(pages)} ")
            else:
                self.text.show_document(self._document)
            self._show_in(self._document, place)

        def failed(error: Exception) -> None:
            self._paper = ""
            self._title.setText("")
            self.states.show_error(error, partial(self._load, place))

        self._bridge.query(work, done, failed, key="page-view")

    def _show_in(self, document: Document, place: Place) -> None:
        self._place = place
        self.states.show_content()
        paged = bool(document.pages)
        self._shelf.setCurrentWidget(self.canvas if paged else self.text)
        self._show_paging(paged)
        if not paged:
            if not document.text:
                self.states.show_empty("Nothing to show", document.reason or "This file holds no readable text.")
                return
            found = not place.quote or self.text.show_quote(document, place.quote)
            self.quote.say(place.quote, None, missing=not found)
            return
        boxes, page = place.boxes, place.page
        if place.quote and not boxes:
            boxes, page = _boxes_of(document, place.quote, page)
        self.canvas.set_boxes(boxes)
        self.quote.say(place.quote, page, missing=bool(place.quote) and not boxes)
        if self._is_first_fit():
            self.canvas.fit_width()
        if boxes:
            self.canvas.go_to_box(boxes[0])
        elif page:
            self.canvas.go_to_page(page)
        self._show_page_number(self.canvas.page)

    def _is_first_fit(self) -> bool:
        return bool(self.canvas._fit)

    def _show_quotation(self, place: Place) -> None:
        self._paper, self._document = "", None
        self._title.setText(place.title)
        self._show_paging(False)
        where = f"{place.title}, page {place.page}" if place.page else place.title
        self.states.show_empty(f"“{place.quote}”", where, picture="book")

    def _show_paging(self, shown: bool) -> None:
        for item in self._paging:
            item.setVisible(shown)
        self._describe.setVisible(shown and bool(self._seeing()))
        if not shown:
            self.generated.show_page("", 0)

    def _fetch_page(self, page: int, scale: float) -> None:
        paper, workbench = self._paper, self._bridge.workbench
        if not paper:
            return

        def done(image) -> None:
            if paper == self._paper:
                self.canvas.put_image(image)

        def failed(error: Exception) -> None:
            if paper == self._paper:
                self.canvas.put_failure(page, scale, " ".join(error_text(error)))
                if getattr(error, "code", "") == "encrypted":
                    self._ask_password(paper)

        self._bridge.query(lambda: workbench.page_image(paper, page, scale), done, failed)

    def _ask_password(self, paper: str) -> None:
        """Once for a paper; after that, opening another paper and coming back asks again."""
        if self._asked == paper:
            return
        self._asked = paper
        dialog = QInputDialog(self.window())
        dialog.setWindowTitle("Password")
        dialog.setLabelText(f"“{self._title.text()}” is encrypted. Its password is kept until the program ends.")
        dialog.setTextEchoMode(QLineEdit.EchoMode.Password)
        dialog.setOkButtonText("Open")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.textValueSelected.connect(lambda password: self._unlock(paper, password))
        dialog.open()

    def _unlock(self, paper: str, password: str) -> None:
        workbench = self._bridge.workbench

        def done(_: object) -> None:
            if paper == self._paper and self._document is not None:
                self.canvas.set_pages(self._document.pages)
                if self._place is not None:
                    self._show_in(self._document, self._place)

        def failed(error: Exception) -> None:
            self._asked = ""
            if paper == self._paper:
                self._ask_password(paper)

        self._bridge.query(lambda: workbench.unlock(paper, password), done, failed)

    # ------------------------------------------------------------------------------------------------- moving
    def _show_page_number(self, page: int) -> None:
        self._number.blockSignals(True)
        self._number.setValue(page)
        self._number.blockSignals(False)
        if self._document is not None and self._document.pages:
            self.generated.show_page(self._paper, page)

    def next_page(self) -> None:
        self.canvas.go_to_page(self.canvas.page + 1)

    def previous_page(self) -> None:
        self.canvas.go_to_page(self.canvas.page - 1)

    def toggle_order(self) -> None:
        """Draw over the pages how they were read, or stop doing so."""
        self._ordered = not self._ordered
        self._draw_order()

    def _draw_order(self) -> None:
        self._order.setChecked(self._ordered)
        shown = self._ordered and self._document is not None and bool(self._document.pages)
        self.canvas.set_overlay(shapes_of(self._document) if shown and self._document is not None else None)
        self.legend.setVisible(shown)

    # ---------------------------------------------------------------------------------------------- describing
    def _seeing(self) -> str:
        """The model that may look at pages, "" without one."""
        return model_in_use(self._bridge.workbench, "vision")

    def describe(self) -> None:
        """Let a model describe the figures and equations of the page that is shown."""
        model = self._seeing()
        if not model:
            self.notice.emit("No model may look at pages: see “Describe pages” in Settings, Language Models.", False)
        elif self._document is None or not self._document.pages:
            self.notice.emit("Open a page of a paper first.", False)
        else:
            self.generated.describe(model)

    def _on_changed(self, changes: ChangeSet) -> None:
        if changes.settings or changes.everything:
            self._describe.setVisible(bool(self._seeing()) and not self._number.isHidden())

    def zoom_by(self, factor: float) -> None:
        self.canvas.set_zoom(self.canvas.zoom * factor)

    @property
    def paper(self) -> str:
        """Id of the paper that is open, or empty."""
        return self._paper

    def focus_content(self) -> None:
        """Put the keyboard on the page."""
        target = self.canvas if self._shelf.currentWidget() is self.canvas else self.text
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)


class _Legend(QFrame):
    """What the colours of the reading order mean."""

    def __init__(self) -> None:
        super().__init__()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 4, 14, 4)
        layout.setSpacing(12)
        for kind, words in LEGEND:
            color = QColor(COLORS[kind])
            color.setAlpha(150)
            patch = QLabel()
            patch.setFixedSize(12, 12)
            patch.setAutoFillBackground(True)
            palette = patch.palette()
            palette.setColor(patch.backgroundRole(), color)
            patch.setPalette(palette)
            layout.addWidget(patch)
            layout.addWidget(label(words, kind="muted"))
        layout.addStretch(1)
        self.hide()


class _QuoteBar(QFrame):
    """The cited sentence in words, above its page: for reading, copying and screen readers."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "quote")
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 8, 14, 8)
        layout.addWidget(self._text)
        self.hide()

    def say(self, quote: str, page: int | None, *, missing: bool) -> None:
        text = f"“{quote}”"
        if page:
            text += f"  Page {page}"
        if missing:
            text += "\nThis sentence has no place on the page that could be marked."
        self._text.setText(text)
        self.setVisible(bool(quote))


def _boxes_of(document: Document, quote: str, page: int | None) -> tuple[tuple[Box, ...], int | None]:
    span = find_quote(document, quote)
    if span is None:
        return (), page
    for sentence in document.sentences:
        if (sentence.start, sentence.end) == span:
            return sentence.boxes, sentence.page
    return (), page
