"""What each paragraph of a PDF is: heading, caption, note, table, front matter, reference, or body."""

from __future__ import annotations

import re
from collections.abc import Sequence

from minerva_desktop.documents.captions import find_captions
from minerva_desktop.documents.front import find_front, find_title
from minerva_desktop.documents.headings import is_heading, odd_font_heading, split_run_ins
from minerva_desktop.documents.imrad import read_heading
from minerva_desktop.documents.items import FRONT, WORDY, Item
from minerva_desktop.documents.lines import LEADER
from minerva_desktop.documents.paragraphs import Paragraph, Style, formula_like

_REFERENCE_START = re.compile(r"(?:\[\d{1,3}\]|\(?\d{1,3}[.)]|\d{1,3})\s+[^\W\d_]")
_EQUATION = re.compile(r"[=≈≡∑∫∂∇≤≥<>→]|\(\d{1,3}[a-z]?\)\Z")


def assign(paragraphs: Sequence[Paragraph], style: Style, hint: str) -> list[Item]:
    """A role for every paragraph. ``hint`` is the title that the file's information names, or empty."""
    items = [Item("body", paragraph) for paragraph in split_run_ins(paragraphs)]
    find_captions(items, style)
    title = find_title(items, style, hint)
    for place, item in enumerate(items):
        if item.role == "body" and LEADER in item.paragraph.text:
            item.role = "front"  # a line of a table of contents
        if item.role != "body":
            continue
        after = items[place + 1].paragraph if place + 1 < len(items) else None
        if is_heading(item.paragraph, style) or odd_font_heading(item.paragraph, after, style):
            item.role = "heading"
    find_front(items, style, title)
    _references(items)
    _notes(items, style)
    before: Paragraph | None = None
    for item in items:
        if item.role != "body":
            continue
        if _scrap(item.paragraph, style) and not _rest_of(before, item.paragraph):
            item.role = "scrap"
        else:
            before = item.paragraph
    return items


def _references(items: Sequence[Item]) -> None:
    inside = False
    for item in items:
        if item.role == "heading":
            heading = read_heading(item.paragraph.text)
            if heading.imrad == "REFERENCES":
                inside = True
            elif inside and not _REFERENCE_START.match(item.paragraph.text):
                inside = False
            elif inside:
                item.role = "reference"
        elif inside and item.role in {"body", "table"}:
            item.role = "reference"
    if not any(item.role == "reference" for item in items):
        _unheaded_references(items)


def _unheaded_references(items: Sequence[Item]) -> None:
    """A numbered list of works in the last part of a paper that has no heading for it."""
    starts = [
        place
        for place, item in enumerate(items)
        if item.role == "body"
        and place > 0.5 * len(items)
        and re.match(r"(?:\[\d{1,3}\]|\d{1,3}\.)\s+[^\W\d_]", item.paragraph.text)
        and re.search(r"\b(?:19|20)\d{2}\b", item.paragraph.text)
    ]
    if len(starts) < 5:
        return
    for place in range(starts[0], starts[-1] + 1):
        if items[place].role == "body":
            items[place].role = "reference"


def _notes(items: Sequence[Item], style: Style) -> None:
    lowest: dict[tuple[int, int], float] = {}
    for item in items:
        if item.role == "body" and item.paragraph.size > 0.93 * style.size and item.paragraph.words > 12:
            key = (item.paragraph.first.page, item.paragraph.last.column)
            lowest[key] = max(lowest.get(key, 0.0), item.paragraph.last.y)
    first = items[0].paragraph.first.page if items else 1
    for item in items:
        paragraph = item.paragraph
        if item.role != "body":
            continue
        line = paragraph.first
        early = line.page <= first + 2
        below = line.y > lowest.get((line.page, line.column), 1e9)
        small = paragraph.size <= 0.93 * style.size
        if (early and "@" in paragraph.text and paragraph.words < 40) or (
            early and FRONT.match(paragraph.text) and (small or paragraph.words < 40)
        ):
            item.role = "front"
        elif small and below and (line.marked or re.match(r"[*†‡§¶]|\d{1,2}\s?[A-Z(]|https?:", paragraph.text)):
            item.role = "footnote"


def _rest_of(before: Paragraph | None, paragraph: Paragraph) -> bool:
    """Whether a short piece at the head of a column ends the sentence that the column before broke off: "20 h at" /
    "1450 °C."."""
    if before is None or before.ended or not paragraph.ended or abs(before.size - paragraph.size) > 0.1:
        return False
    last, first = before.last, paragraph.first
    moved = (last.page, last.column) != (first.page, first.column) and first.page <= last.page + 1
    return moved and last.x1 > last.right - 0.06 * max(last.right - last.left, 1.0)


def _scrap(paragraph: Paragraph, style: Style) -> bool:
    """Pieces of figures and formulas: no sentence to be read in them."""
    if not paragraph.first.upright:
        return paragraph.words < 12 or not paragraph.ended
    text, words = paragraph.text, paragraph.words
    wordy = len(WORDY.findall(text))
    if paragraph.ended and wordy >= 4:
        return False
    if wordy == 0:
        return True
    plain = sum(len(line.words) for line in paragraph.lines if not formula_like(line))
    if _EQUATION.search(text) and words < 40 and (plain == 0 or wordy < 0.4 * words):
        return True
    odd = abs(paragraph.size - style.size) > 0.06 * style.size
    return bool(words <= 8 and odd and not paragraph.ended) or (wordy < 0.34 * words and words < 30)
