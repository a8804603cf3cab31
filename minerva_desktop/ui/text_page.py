"""A document without pages (Markdown, JATS, plain text), shown as its text with the cited sentence marked."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextBrowser, QTextEdit

from minerva_desktop.records import Document
from minerva_desktop.ui.theme import is_theme_change, scaled_font, tokens


class TextPage(QTextBrowser):
    """Read-only text of a document."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "plain")
        self.setAccessibleName("Text of the document")
        self.setAcceptDrops(False)
        self.setOpenLinks(False)
        self._text = ""
        self.marked: tuple[int, int] | None = None

    def show_document(self, document: Document) -> None:
        """Lay the text out: headings larger, room between paragraphs."""
        self._text = document.text
        self.marked = None
        self.setExtraSelections([])
        self.document().setDocumentMargin(22)
        self.setPlainText(document.text)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        block = QTextBlockFormat()
        block.setLineHeight(138.0, int(QTextBlockFormat.LineHeightTypes.ProportionalHeight.value))
        block.setBottomMargin(5)
        cursor.mergeBlockFormat(block)
        for sentence in document.sentences:
            factor = {"title": 1.5, "heading": 1.2}.get(sentence.kind)
            if factor:
                self._format(sentence.start, sentence.end, scaled_font(factor, bold=True))
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def show_quote(self, document: Document, quote: str) -> bool:
        """Mark the sentence and bring it into view; False when the text does not hold it."""
        span = find_quote(document, quote)
        self.marked = span
        if span is None:
            self.setExtraSelections([])
            return False
        self._remark()
        cursor = self._cursor(*span)
        cursor.setPosition(cursor.selectionStart())
        self.setTextCursor(cursor)
        rect = self.cursorRect(cursor)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + rect.top() - self.viewport().height() // 3)
        return True

    def _remark(self) -> None:
        if self.marked is None:
            return
        selection = QTextEdit.ExtraSelection()
        selection.cursor = self._cursor(*self.marked)
        look = QTextCharFormat()
        look.setBackground(tokens().mark)
        selection.format = look
        self.setExtraSelections([selection])

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if is_theme_change(event):
            self._remark()

    def _format(self, start: int, end: int, font: QFont) -> None:
        look = QTextCharFormat()
        look.setFont(font)
        self._cursor(start, end).mergeCharFormat(look)

    def _cursor(self, start: int, end: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(utf16_offset(self._text, start))
        cursor.setPosition(utf16_offset(self._text, end), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def keyPressEvent(self, event) -> None:
        if event.key() == Qt.Key.Key_Space:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + bar.pageStep() - 40)
        else:
            super().keyPressEvent(event)


def utf16_offset(text: str, offset: int) -> int:
    """Qt counts UTF-16 units, documents count code points."""
    return offset + sum(1 for letter in text[:offset] if ord(letter) > 0xFFFF)


def find_quote(document: Document, quote: str) -> tuple[int, int] | None:
    """Where a quotation stands in the text: as a sentence, literally, or with its spaces read freely."""
    wanted = " ".join(quote.split()).strip(" …")
    if not wanted:
        return None
    for sentence in document.sentences:
        if " ".join(sentence.text.split()) == wanted:
            return sentence.start, sentence.end
    at = document.text.find(wanted)
    if at >= 0:
        return at, at + len(wanted)
    for sentence in document.sentences:
        if wanted in " ".join(sentence.text.split()):
            return sentence.start, sentence.end
    return None
