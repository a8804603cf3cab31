"""Which paragraphs of a PDF are headings, and of which level."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from minerva_desktop.documents.imrad import known_heading, numbered, read_heading
from minerva_desktop.documents.items import FRONT, WORDY
from minerva_desktop.documents.lines import Line
from minerva_desktop.documents.paragraphs import CAPTION, Paragraph, Style

_KEYWORDS = re.compile(r"(?:author )?key ?words:?\Z|index terms:?\Z", re.IGNORECASE)
_ABSTRACT = re.compile(r"(?:abstract|summary|a b s t r a c t|zusammenfassung|résumé)\s*(?:[:.—–-]|\Z)", re.IGNORECASE)


def is_heading(paragraph: Paragraph, style: Style) -> bool:
    text, words = paragraph.text, paragraph.words
    if words > 20 or len(paragraph.lines) > 3 or not re.search(r"[^\W\d_]{2}", text):
        return False
    if any(len(line.cells) > (2 if numbered(text) else 1) for line in paragraph.lines):
        return False
    if FRONT.match(text) and not numbered(text) and not _KEYWORDS.match(text):
        return False
    if known_heading(text) and len(paragraph.lines) == 1:
        return True
    if text[-1] in ".,;:" and not (text[-1] in ".:" and (paragraph.bold or numbered(text)) and words <= 12):
        return False
    if (text[:1].islower() and not _capitals(text)) or CAPTION.match(text) or "@" in text:
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
        return WORDY.search(text) is not None
    if paragraph.bold:
        return WORDY.search(text) is not None
    if numbered(text):
        return paragraph.italic or capitals or (words <= 10 and len(paragraph.lines) == 1 and text[-1] not in ".)")
    if capitals and words <= 10 and len(paragraph.lines) == 1:
        return len(WORDY.findall(text)) >= 0.5 * words and "=" not in text
    return paragraph.italic and words <= 9 and len(paragraph.lines) == 1 and len(WORDY.findall(text)) >= 0.5 * words


def _capitals(text: str) -> bool:
    """Set in capitals but for a word that keeps its own case: "miRNA IN GLANDS"."""
    letters = [sign for sign in text if sign.isalpha()]
    return len(letters) > 5 and sum(sign.isupper() for sign in letters) > 0.6 * len(letters)


def odd_font_heading(paragraph: Paragraph, after: Paragraph | None, style: Style) -> bool:
    """A line in a font of its own right above body text (fonts do not always say that they are bold)."""
    line = paragraph.first
    if after is None or line.font == style.font or len(paragraph.lines) > 2 or not line.upright:
        return False
    text, words = paragraph.text, paragraph.words
    if words > 16 or text[-1] in ".,;:)" or not text[:1].isupper() or len(line.cells) > 1 or FRONT.match(text):
        return False
    if len(WORDY.findall(text)) < 0.5 * words or paragraph.size < 0.9 * style.size or CAPTION.match(text):
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


def split_run_ins(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
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
        and not FRONT.match(head)
    ):
        return line.lead
    return 0


def _cut(line: Line, count: int) -> tuple[Line, Line]:
    first, rest = line.words[:count], line.words[count:]
    head = replace(line, words=first, x1=first[-1].x1, cells=[0], bold=True, lead=0)
    tail = replace(line, words=rest, x0=rest[0].x0 if rest else line.x1, cells=[0], lead=0)
    return head, tail
