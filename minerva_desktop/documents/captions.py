"""Captions of figures and tables, and the tables themselves, among the paragraphs of a PDF."""

from __future__ import annotations

import re
from collections.abc import Sequence

from minerva_desktop.documents.items import Item
from minerva_desktop.documents.paragraphs import CAPTION, Paragraph, Style

_AFTER_LABEL = re.compile(r"\s*(?:[.:|)—–]|\Z|\([a-z]\))")


def find_captions(items: Sequence[Item], style: Style) -> None:
    table_on: tuple[int, bool] = (0, False)
    before: Item | None = None
    here: list[Item] = []  # the captions of this page so far
    for place, item in enumerate(items):
        paragraph = item.paragraph
        if here and here[-1].paragraph.last.page != paragraph.first.page:
            here = []
        if is_caption(paragraph, style):
            item.role = "caption"
            is_table = paragraph.text[:3].casefold() == "tab"
            table_on = (paragraph.first.page, is_table)
        elif (other := _above(items, place, style) or _beside(here, item, style)) is not None:
            item.role, item.after = "caption", other
        elif _tabular(paragraph) or (
            table_on == (paragraph.first.page, True)
            and before is not None
            and before.role in {"caption", "table"}
            and _small_cells(paragraph, style)
        ):
            item.role = "table"
        if item.role == "caption":
            here.append(item)
        before = item


def is_caption(paragraph: Paragraph, style: Style) -> bool:
    """A label such as ``Figure 3`` at the start, set or punctuated as captions are (not ``Figure 3 shows``)."""
    text = paragraph.text
    match = CAPTION.match(text)
    if not match or not text[:1].isupper():
        return False
    rest = text[match.end() :]
    if not rest.strip():
        return True
    if _AFTER_LABEL.match(rest):
        return True
    if paragraph.first.lead or paragraph.bold:
        return True
    follows = rest.split()[0]
    if follows[:1].islower() or follows in {"and", ",", "("}:
        return False
    return paragraph.size <= 0.96 * style.size or follows[:1].isupper()


def _above(items: Sequence[Item], place: int, style: Style) -> Item | None:
    """The unfinished caption that this paragraph goes on with, directly below it."""
    before = [other for other in items[max(0, place - 4) : place] if other.role == "caption"]
    if not before:
        return None
    item = items[place]
    first = item.paragraph.first
    beside = (other.paragraph.first for other in items[place + 1 : place + 6])
    if any(abs(line.y - first.y) < 2 and line.page == first.page and line.x0 > first.x1 for line in beside):
        return None  # the head of a table
    for other in reversed(before):
        last = other.paragraph.last
        overlaps = last.x0 < first.x1 and first.x0 < last.x1
        near = 0 < first.y - last.y < 2.2 * max(first.size, last.size)
        if overlaps and near and _goes_on(other.paragraph, item.paragraph, style):
            return other
    return None


def _goes_on(caption: Paragraph, paragraph: Paragraph, style: Style) -> bool:
    if caption.first.page != paragraph.first.page or abs(caption.size - paragraph.size) > 0.3:
        return False
    label_only = CAPTION.match(caption.text)
    if label_only and not caption.text[label_only.end() :].strip(" .:"):
        return paragraph.words >= 3 and not _tabular(paragraph)
    if caption.size <= 0.96 * style.size:
        return not caption.ended and paragraph.words >= 3 and not _tabular(paragraph)
    return not caption.ended and paragraph.text[:1].islower() and not _tabular(paragraph)


def _beside(captions: Sequence[Item], item: Item, style: Style) -> Item | None:
    """The unfinished caption whose text goes on at the same height in the next column."""
    paragraph = item.paragraph
    if paragraph.size > 0.96 * style.size or paragraph.words < 4:
        return None
    first = paragraph.first
    for other in captions:
        if other.paragraph.last.column != first.column - 1:
            continue
        start = other.paragraph.first.y
        level = abs(first.y - start) < 1.5 * first.size or any(i.after is other for i in captions)
        if level and abs(other.paragraph.size - paragraph.size) < 0.2:
            return other
    return None


def _tabular(paragraph: Paragraph) -> bool:
    rows = [line for line in paragraph.lines if len(line.cells) >= 3]
    short = [line for line in paragraph.lines if len(line.words) <= 3.5 * len(line.cells)]
    return len(rows) >= 0.6 * len(paragraph.lines) and len(short) >= 0.6 * len(paragraph.lines)


def _small_cells(paragraph: Paragraph, style: Style) -> bool:
    lines = paragraph.lines
    mean = paragraph.words / len(lines)
    if sum(len(line.cells) > 1 for line in lines) >= 0.4 * len(lines) and mean < 12:
        return True
    if paragraph.size <= 0.95 * style.size:
        return mean <= 7 or not paragraph.ended
    return mean <= 4 and not paragraph.ended
