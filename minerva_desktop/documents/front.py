"""Title, front matter and abstract: what comes before the first section of a paper."""

from __future__ import annotations

import re
from collections.abc import Sequence

from minerva_desktop.documents.imrad import known_heading, numbered, read_heading
from minerva_desktop.documents.items import FRONT, Item, plain
from minerva_desktop.documents.metadata import good_title
from minerva_desktop.documents.paragraphs import Style

_COVER = re.compile(r"\bTo cite this version\b|\bHAL Id\b")


def find_title(items: list[Item], style: Style, hint: str) -> int:
    """Mark the title's paragraphs; the index after them, or 0 when there is none to be seen."""
    start = items[0].paragraph.first.page if items else 1
    first = [place for place, item in enumerate(items) if item.paragraph.first.page == start]
    hinted = plain(hint)
    best: tuple[float, int] | None = None
    for place in first:
        paragraph = items[place].paragraph
        text = paragraph.text
        if not paragraph.first.upright or paragraph.words > 45 or not good_title(text) or items[place].role != "body":
            continue
        if hinted and len(hinted) > 12 and plain(text) and (plain(text) in hinted or hinted in plain(text)):
            if len(plain(text)) > 0.3 * len(hinted):
                best = (1e9, place)
                break
            continue
        if re.match(r"(?:https?:|www\.|\S+\.(?:com|org|net|edu)\b)", text):
            continue
        if known_heading(text) or numbered(text) or FRONT.match(text):
            continue
        score = paragraph.size + (0.5 if paragraph.bold else 0)
        if paragraph.words <= 2:
            score *= 0.7
        if paragraph.size >= 1.12 * style.size and (best is None or score > best[0] + 0.3):
            best = (score, place)
    if best is None and len(first) > 2 and _bold_line(items[0], style):
        best = (0.0, 0)
    if best is None:
        return 0
    place = best[1]
    items[place].role = "title"
    size, bold = items[place].paragraph.size, items[place].paragraph.bold
    end = place + 1
    while end < len(items) and end - place < 5:
        after = items[end].paragraph
        near = after.first.y - items[end - 1].paragraph.last.y < 2.2 * size
        if abs(after.size - size) > 0.4 or after.bold != bold or not near or size < 1.12 * style.size:
            break
        items[end].role = "title"
        end += 1
    return end


def _bold_line(item: Item, style: Style) -> bool:
    """A bold line at the very top, in a file that sets its title no larger than its text."""
    paragraph, text = item.paragraph, item.paragraph.text
    if item.role != "body" or not paragraph.bold or not 3 <= paragraph.words <= 30 or paragraph.size < style.size:
        return False
    return bool(good_title(text)) and not (known_heading(text) or numbered(text) or FRONT.match(text))


def find_front(items: list[Item], style: Style, after_title: int) -> None:
    """Everything before the abstract or the first section, on the first pages, is front matter."""
    if not items:
        return
    first = items[0].paragraph.first.page
    cover = bool(_COVER.search(" ".join(i.paragraph.text for i in items if i.paragraph.first.page == first)))
    begin = after_title
    title = plain(" ".join(item.paragraph.text for item in items if item.role == "title"))
    if cover:
        for place, item in enumerate(items):
            if item.paragraph.first.page == first:
                begin = place + 1
                if item.role != "title":
                    item.role = "front"
    last_page = first + (2 if cover else 1)
    end = begin
    abstract = -1
    opening = -1
    for place in range(begin, len(items)):
        item = items[place]
        if item.paragraph.first.page > last_page:
            break
        if item.role == "heading":
            imrad = read_heading(item.paragraph.text).imrad
            if imrad == "ABSTRACT":
                abstract = place
                break
            if imrad is not None and known_heading(item.paragraph.text):
                opening = place
                break
    for place in range(begin, len(items)):
        if place in {abstract, opening} or items[place].paragraph.first.page > last_page:
            break
        if _substantial(items[place], style) and abstract < 0:
            break
        end = place + 1
    if not after_title and abstract < 0 and opening < 0:
        return
    for place in range(end):
        if items[place].role in {"body", "heading", "scrap", "table"}:
            items[place].role = "front"
        if cover and title and plain(items[place].paragraph.text) == title:
            items[place].role = "front"
    if abstract >= 0:
        _mark_abstract(items, abstract + 1)
    elif opening > end and end < len(items) and _substantial(items[end], style):
        _mark_abstract(items, end)


def _substantial(item: Item, style: Style) -> bool:
    paragraph = item.paragraph
    text = paragraph.text
    return (
        item.role == "body"
        and paragraph.words >= 35
        and paragraph.first.upright
        and not FRONT.match(text)
        and len(re.findall(r"\b[a-z]{2,}\b", text)) > 0.5 * paragraph.words
    )


def _mark_abstract(items: Sequence[Item], start: int) -> None:
    size = 0.0
    words = 0
    for place in range(start, len(items)):
        item = items[place]
        paragraph = item.paragraph
        if item.role == "heading":
            # A structured abstract has small headings of its own; any other heading ends it.
            if words and read_heading(paragraph.text).imrad and place + 1 < len(items) and size:
                after = items[place + 1].paragraph
                if abs(after.size - size) < 0.2 and words < 250 and paragraph.lines[0].y == after.first.y:
                    continue
            break
        if item.role != "body":
            continue
        if FRONT.match(paragraph.text):
            item.role = "front"
            if words > 40:
                break
            continue
        if size and (abs(paragraph.size - size) > 0.25 or words > 450):
            break
        if words and paragraph.first.page != items[start].paragraph.first.page and items[place - 1].paragraph.ended:
            break
        size = size or paragraph.size
        words += paragraph.words
        item.role = "abstract"
