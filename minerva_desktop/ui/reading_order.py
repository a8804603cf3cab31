"""How a page was read, as shapes to draw over it: paragraphs in their order, sentences, tables, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from minerva_desktop.documents.blocks import BREAK
from minerva_desktop.records import Box, Document, Sentence

ShapeKind = Literal["block", "sentence", "other", "heading", "caption", "table", "unread", "reference"]

COLORS: dict[str, QColor] = {
    "block": QColor(70, 70, 70),
    "sentence": QColor(40, 120, 220, 46),
    "other": QColor(20, 160, 130, 46),  # every second sentence, so that neighbours can be told apart
    "heading": QColor(200, 90, 20, 70),
    "caption": QColor(150, 60, 190, 60),
    "table": QColor(210, 150, 0, 60),
    "reference": QColor(120, 120, 120, 60),
    "unread": QColor(200, 40, 40, 60),
}
LEGEND: tuple[tuple[str, str], ...] = (
    ("sentence", "sentences"),
    ("heading", "headings"),
    ("caption", "captions"),
    ("table", "tables"),
    ("reference", "references and notes"),
    ("unread", "left out"),
)


@dataclass(frozen=True, slots=True)
class Shape:
    """A rectangle in points on a page; ``label`` is the number of a paragraph in reading order."""

    kind: ShapeKind
    box: Box
    label: str = ""


def shapes_of(document: Document) -> dict[int, list[Shape]]:
    """The shapes of every page. What was read but is not mined (front matter, notes) counts as references and notes."""
    found: dict[int, list[Shape]] = {}

    def add(shape: Shape) -> None:
        found.setdefault(shape.box[0], []).append(shape)

    for table in document.tables:
        for box in table.boxes:
            add(Shape("table", box))
    for number, block in enumerate(_blocks(document), 1):
        for place, box in enumerate(_outlines(block)):
            add(Shape("block", box, str(number) if place == 0 else ""))
    for sentence in document.sentences:
        kind = _kind(sentence)
        for box in sentence.boxes:
            add(Shape(kind, box))
    for box in document.left_out:
        add(Shape("unread", box))
    return found


def _kind(sentence: Sentence) -> ShapeKind:
    if sentence.kind == "heading":
        return "heading"
    if sentence.kind in {"caption", "table"}:
        return "caption" if sentence.kind == "caption" else "table"
    if not sentence.mined:
        return "reference"
    return "sentence" if sentence.index % 2 else "other"


def _blocks(document: Document) -> list[list[Sentence]]:
    """Sentences by paragraph: between two paragraphs the text has an empty line."""
    blocks: list[list[Sentence]] = []
    end = 0
    for sentence in document.sentences:
        if not blocks or BREAK in document.text[end : sentence.start]:
            blocks.append([])
        blocks[-1].append(sentence)
        end = sentence.end
    return blocks


def _outlines(block: list[Sentence]) -> list[Box]:
    """The rectangle around a paragraph, one for each page and column that it runs over."""
    outlines: list[Box] = []
    for box in (box for sentence in block for box in sentence.boxes):
        page, x0, y0, x1, y1 = box
        if outlines:
            last = outlines[-1]
            beside = x0 < last[3] + 12 and last[1] < x1 + 12
            if last[0] == page and y0 >= last[2] - 3 and beside and y0 - last[4] < 4 * (y1 - y0):
                outlines[-1] = (page, min(last[1], x0), min(last[2], y0), max(last[3], x1), max(last[4], y1))
                continue
        outlines.append(box)
    return outlines


def paint(painter: QPainter, shapes: list[Shape], corner: QPointF, zoom: float) -> None:
    """Draw the shapes of one page whose top left corner is at ``corner``."""
    number = QFont(painter.font())
    number.setPixelSize(max(9, round(8 * zoom)))
    number.setBold(True)
    painter.save()
    painter.setFont(number)
    for shape in shapes:
        _, x0, y0, x1, y1 = shape.box
        rect = QRectF(corner.x() + x0 * zoom, corner.y() + y0 * zoom, (x1 - x0) * zoom, (y1 - y0) * zoom)
        color = COLORS[shape.kind]
        if shape.kind == "block":
            painter.setPen(QPen(color, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(-2, -1, 2, 1))
            if shape.label:
                painter.drawText(
                    rect.topLeft() + QPointF(-3 - painter.fontMetrics().horizontalAdvance(shape.label), zoom * 8),
                    shape.label,
                )
        elif shape.kind == "unread":
            painter.fillRect(rect, color)
            painter.setPen(QPen(QColor(200, 40, 40), 1))
            painter.drawLine(rect.topLeft(), rect.bottomRight())
        else:
            painter.fillRect(rect, color)
    painter.restore()
