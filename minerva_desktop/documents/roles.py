"""What each paragraph of a PDF is: heading, caption, note, table, front matter, reference, or body."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from minerva_desktop.documents.imrad import known_heading, numbered, read_heading
from minerva_desktop.documents.lines import Line
from minerva_desktop.documents.metadata import good_title
from minerva_desktop.documents.paragraphs import CAPTION, Paragraph, Style, formula_like

Role = Literal["title", "front", "abstract", "heading", "body", "caption", "table", "footnote", "reference", "scrap"]

_FRONT = re.compile(
    r"^[*†‡§¶✉⁎\s]*(?:(?:to whom )?correspond|(?:article )?received|accepted|published|copyright|©|\(c\) ?\d|this is an open|"
    r"this article is|licen[sc]|doi\b|https?:|www\.|e-?mail|how to cite|citation:|to cite this|cite this|edited by|"
    r"reviewed by|present address|open access|article history|academic editor|available online|full list of author|"
    r"key ?words|pacs\b|index terms|msc\b|jel\b|mathematics subject|creative commons|issn|hal id|submitted|"
    r"these authors|equal contribution|research article|original (?:research )?article|review article|specialty section|"
    r"contents lists|journal homepage|authors? for correspond|electronic mail|contributed equally|running (?:title|head)|"
    r"department of|faculty of|school of|institute of|laboratory of|graduate school)",
    re.IGNORECASE,
)
_ABSTRACT = re.compile(r"(?:abstract|summary|a b s t r a c t|zusammenfassung|résumé)\s*(?:[:.—–-]|\Z)", re.IGNORECASE)
_COVER = re.compile(r"\bTo cite this version\b|\bHAL Id\b")
_AFTER_LABEL = re.compile(r"\s*(?:[.:|)—–]|\Z|\([a-z]\))")
_REFERENCE_START = re.compile(r"(?:\[\d{1,3}\]|\(?\d{1,3}[.)]|\d{1,3})\s+[^\W\d_]")
_WORDY = re.compile(r"[^\W\d_]{3,}")
_EQUATION = re.compile(r"[=≈≡∑∫∂∇≤≥<>→]|\(\d{1,3}[a-z]?\)\Z")


@dataclass(slots=True)
class Item:
    role: Role
    paragraph: Paragraph
    after: Item | None = None  # the caption that this one continues in the next column


def assign(paragraphs: Sequence[Paragraph], style: Style, hint: str) -> list[Item]:
    """A role for every paragraph. ``hint`` is the title that the file's information names, or empty."""
    items = [Item("body", paragraph) for paragraph in _split_run_ins(paragraphs)]
    _captions_and_tables(items, style)
    title = _title(items, style, hint)
    for place, item in enumerate(items):
        if item.role != "body":
            continue
        after = items[place + 1].paragraph if place + 1 < len(items) else None
        if is_heading(item.paragraph, style) or _odd_font_heading(item.paragraph, after, style):
            item.role = "heading"
    _front(items, style, title)
    _references(items)
    _notes(items, style)
    for item in items:
        if item.role == "body" and _scrap(item.paragraph, style):
            item.role = "scrap"
    return items


# -------------------------------------------------------------------------------------------------- headings
def is_heading(paragraph: Paragraph, style: Style) -> bool:
    text, words = paragraph.text, paragraph.words
    if words > 20 or len(paragraph.lines) > 3 or not re.search(r"[^\W\d_]{2}", text):
        return False
    if any(len(line.cells) > (2 if numbered(text) else 1) for line in paragraph.lines):
        return False
    if _FRONT.match(text) and not numbered(text):
        return False
    if known_heading(text) and len(paragraph.lines) == 1:
        return True
    if text[-1] in ".,;:" and not (text[-1] in ".:" and (paragraph.bold or numbered(text)) and words <= 12):
        return False
    if text[:1].islower() or CAPTION.match(text) or "@" in text:
        return False
    if not paragraph.first.upright or (text[:1] in "(*†[•" and not numbered(text)):
        return False
    size = paragraph.size
    capitals = text.upper() == text and sum(character.isalpha() for character in text) >= 4
    if size < 0.9 * style.size and not (capitals or paragraph.bold):
        return False
    if size < 0.8 * style.size:
        return False
    if size >= 1.12 * style.size or (size >= 1.06 * style.size and paragraph.bold):
        return _WORDY.search(text) is not None
    if paragraph.bold:
        return _WORDY.search(text) is not None
    if numbered(text):
        return paragraph.italic or capitals or (words <= 10 and len(paragraph.lines) == 1 and text[-1] not in ".)")
    if capitals and words <= 10 and len(paragraph.lines) == 1:
        return len(_WORDY.findall(text)) >= 0.5 * words and "=" not in text
    return paragraph.italic and words <= 9 and len(paragraph.lines) == 1 and len(_WORDY.findall(text)) >= 0.5 * words


def _odd_font_heading(paragraph: Paragraph, after: Paragraph | None, style: Style) -> bool:
    """A line in a font of its own right above body text (fonts do not always say that they are bold)."""
    line = paragraph.first
    if after is None or line.font == style.font or len(paragraph.lines) > 2 or not line.upright:
        return False
    text, words = paragraph.text, paragraph.words
    if words > 16 or text[-1] in ".,;:)" or not text[:1].isupper() or len(line.cells) > 1 or _FRONT.match(text):
        return False
    if len(_WORDY.findall(text)) < 0.5 * words or paragraph.size < 0.9 * style.size or CAPTION.match(text):
        return False
    below = after.first
    near = below.page == line.page and below.column == line.column and 0 < below.y - paragraph.last.y < 3 * style.size
    return near and below.font == style.font and abs(after.size - style.size) < 0.2 and len(below.words) >= 4


def levels(headings: Sequence[Paragraph]) -> list[int]:
    """The level of each heading: by its number, else by how it is set compared with the others."""
    looks = sorted({_look(paragraph) for paragraph in headings}, reverse=True)
    usual = [_look(paragraph) for paragraph in headings if known_heading(paragraph.text)]
    top = max(usual) if usual else (looks[0] if looks else None)
    result = []
    for paragraph in headings:
        depth = read_heading(paragraph.text).depth
        look = _look(paragraph)
        if depth:
            result.append(depth)
        elif top is None or look >= top:
            result.append(1)
        else:
            below = [other for other in looks if other < top]
            result.append(min(2 + below.index(look), 4))
    return result


def _look(paragraph: Paragraph) -> tuple[float, bool, bool, bool]:
    text = paragraph.text
    return (round(paragraph.size * 2) / 2, text.upper() == text, paragraph.bold, not paragraph.italic)


def _split_run_ins(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """``Abstract: We …`` and ``**Methods** We …`` become a heading and a paragraph."""
    result: list[Paragraph] = []
    for paragraph in paragraphs:
        count = _run_in(paragraph.first)
        if not count:
            result.append(paragraph)
            continue
        head, rest = _cut(paragraph.first, count)
        result.append(Paragraph([head]))
        lines = ([rest] if rest.words else []) + paragraph.lines[1:]
        if lines:
            result.append(Paragraph(lines))
    return result


def _run_in(line: Line) -> int:
    """How many words of the line are a usual section name set in front of the text; 0 for none."""
    words = [word.text for word in line.words]
    if words and _ABSTRACT.match(words[0]) and len(words) > 1 and (words[0][-1] in ":.—–-" or line.lead == 1):
        return 1
    if len(words) > 2 and words[0].casefold() in {"abstract", "summary"} and words[1] in {"—", "–", "-", ":"}:
        return 2
    head = " ".join(words[: line.lead])
    if (
        0 < line.lead <= 5
        and line.lead < len(words)
        and not line.bold
        and known_heading(head)
        and not _FRONT.match(head)
    ):
        return line.lead
    return 0


def _cut(line: Line, count: int) -> tuple[Line, Line]:
    first, rest = line.words[:count], line.words[count:]
    head = replace(line, words=first, x1=first[-1].x1, cells=[0], bold=True, lead=0)
    tail = replace(line, words=rest, x0=rest[0].x0 if rest else line.x1, cells=[0], lead=0)
    return head, tail


# --------------------------------------------------------------------------------------- captions and tables
def _captions_and_tables(items: Sequence[Item], style: Style) -> None:
    table_on: tuple[int, bool] = (0, False)
    before: Item | None = None
    for item in items:
        paragraph = item.paragraph
        if is_caption(paragraph, style):
            item.role = "caption"
            is_table = paragraph.text[:3].casefold() == "tab"
            table_on = (paragraph.first.page, is_table)
        elif (other := _above(items, item, style)) is not None:
            item.role, item.after = "caption", other
        elif (other := _beside(items, item, style)) is not None:
            item.role, item.after = "caption", other
        elif _tabular(paragraph) or (
            table_on == (paragraph.first.page, True)
            and before is not None
            and before.role in {"caption", "table"}
            and _small_cells(paragraph, style)
        ):
            item.role = "table"
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


def _above(items: Sequence[Item], item: Item, style: Style) -> Item | None:
    """The unfinished caption that this paragraph goes on with, directly below it."""
    place = next(number for number, other in enumerate(items) if other is item)
    first = item.paragraph.first
    for other in reversed(items[max(0, place - 4) : place]):
        last = other.paragraph.last
        overlaps = last.x0 < first.x1 and first.x0 < last.x1
        near = 0 < first.y - last.y < 2.2 * max(first.size, last.size)
        if other.role == "caption" and overlaps and near and _goes_on(other.paragraph, item.paragraph, style):
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


def _beside(items: Sequence[Item], item: Item, style: Style) -> Item | None:
    """The unfinished caption whose text goes on at the same height in the next column."""
    paragraph = item.paragraph
    if paragraph.size > 0.96 * style.size or paragraph.words < 4:
        return None
    first = paragraph.first
    for other in items:
        if other is item:
            return None
        last = other.paragraph.last
        if other.role != "caption" or last.page != first.page or last.column != first.column - 1:
            continue
        start = other.paragraph.first.y
        level = abs(first.y - start) < 1.5 * first.size or any(i.after is other for i in items)
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


# --------------------------------------------------------------------------------------------- title and front
def _title(items: list[Item], style: Style, hint: str) -> int:
    """Mark the title's paragraphs; the index after them, or 0 when there is none to be seen."""
    start = items[0].paragraph.first.page if items else 1
    first = [place for place, item in enumerate(items) if item.paragraph.first.page == start]
    hinted = _plain(hint)
    best: tuple[float, int] | None = None
    for place in first:
        paragraph = items[place].paragraph
        text = paragraph.text
        if not paragraph.first.upright or paragraph.words > 45 or not good_title(text) or items[place].role != "body":
            continue
        if hinted and len(hinted) > 12 and _plain(text) and (_plain(text) in hinted or hinted in _plain(text)):
            if len(_plain(text)) > 0.3 * len(hinted):
                best = (1e9, place)
                break
            continue
        if known_heading(text) or _FRONT.match(text):
            continue
        score = paragraph.size + (0.5 if paragraph.bold else 0)
        if paragraph.words <= 2:
            score *= 0.7
        if paragraph.size >= 1.12 * style.size and (best is None or score > best[0] + 0.3):
            best = (score, place)
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


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _front(items: list[Item], style: Style, after_title: int) -> None:
    """Everything before the abstract or the first section, on the first pages, is front matter."""
    if not items:
        return
    first = items[0].paragraph.first.page
    cover = bool(_COVER.search(" ".join(i.paragraph.text for i in items if i.paragraph.first.page == first)))
    begin = after_title
    title = _plain(" ".join(item.paragraph.text for item in items if item.role == "title"))
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
        if cover and title and _plain(items[place].paragraph.text) == title:
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
        and not _FRONT.match(text)
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
        if _FRONT.match(paragraph.text):
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


# ------------------------------------------------------------------------------------------ references, notes
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
        if early and "@" in paragraph.text and paragraph.words < 40:
            item.role = "front"
        elif early and _FRONT.match(paragraph.text) and (small or paragraph.words < 40):
            item.role = "front"
        elif small and below and (line.marked or re.match(r"[*†‡§¶]|\d{1,2}\s?[A-Z(]|https?:", paragraph.text)):
            item.role = "footnote"


def _scrap(paragraph: Paragraph, style: Style) -> bool:
    """Pieces of figures and formulas: no sentence to be read in them."""
    if not paragraph.first.upright:
        return paragraph.words < 12 or not paragraph.ended
    text, words = paragraph.text, paragraph.words
    wordy = len(_WORDY.findall(text))
    if paragraph.ended and wordy >= 4:
        return False
    if wordy == 0:
        return True
    plain = sum(len(line.words) for line in paragraph.lines if not formula_like(line))
    if _EQUATION.search(text) and words < 40 and (plain == 0 or wordy < 0.4 * words):
        return True
    odd = abs(paragraph.size - style.size) > 0.06 * style.size
    return bool(words <= 8 and odd and not paragraph.ended) or (wordy < 0.34 * words and words < 30)
