"""Lines in reading order become paragraphs; a paragraph's text is put together with its words' places."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from minerva_desktop.documents.blocks import Place
from minerva_desktop.documents.characters import SOFT_HYPHEN
from minerva_desktop.documents.hyphens import Vocabulary
from minerva_desktop.documents.imrad import known_heading
from minerva_desktop.documents.lines import LEADER, Line

CAPTION = re.compile(
    r"(?P<label>(?P<kind>(?:extended data |supplementary |supporting )?(?:fig(?:ure)?s?|tab(?:le|\.)|scheme|chart|plate|"
    r"box|algorithm|listing|photo))\s*\.?\s*(?P<number>(?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,2})*[a-z]?|[IVXL]{1,6}\b))",
    re.IGNORECASE,
)
_LIST_ITEM = re.compile(r"(?:[•‣▪●○■–—]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])(?:\s|\Z)")
_ENDED = re.compile(r"[.!?:;][\"'”’)\]]*\Z")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]*(?:\[[\d,\s–-]+\])?\Z")
_PLAIN_WORD = re.compile(r"[^\W\d_]{3,}[,.;:]?\Z")
_NAME = re.compile(r"[^\W\d_](?:[^\W\d_]|['’.-])*[,;]?\Z")
_FUNCTIONS = frozenset({"sin", "cos", "tan", "exp", "log", "min", "max", "sinh", "cosh", "tanh", "lim", "det", "arg"})
_FORMULA_SIGN = re.compile(r"[=+−<>≤≥≈∼∝→↔⇌∫∑∏√∂∇^|/⟨⟩×±\ufffd]")
_FORMULA_NUMBER = re.compile(r"\([A-Z]?\.?\d{1,3}(?:\.\d{1,3})?[a-z]?\)\Z")
_HYPHENS = ("-", SOFT_HYPHEN)
_OPEN_END = ("/", "–", "—", "‐")


@dataclass(slots=True)
class Paragraph:
    """Printed lines that belong together."""

    lines: list[Line]
    measured: tuple[int, float] = (0, 0.0)  # for how many lines the size was last looked up, and the size

    @property
    def first(self) -> Line:
        return self.lines[0]

    @property
    def last(self) -> Line:
        return self.lines[-1]

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)

    @property
    def size(self) -> float:
        if self.measured[0] != len(self.lines):
            weights: dict[float, int] = {}
            for line in self.lines:
                weights[line.size] = weights.get(line.size, 0) + len(line.words)
            self.measured = (len(self.lines), max(weights.items(), key=lambda item: (item[1], item[0]))[0])
        return self.measured[1]

    @property
    def bold(self) -> bool:
        return all(line.bold for line in self.lines)

    @property
    def italic(self) -> bool:
        return all(line.italic for line in self.lines)

    @property
    def words(self) -> int:
        return sum(len(line.words) for line in self.lines)

    @property
    def ended(self) -> bool:
        return bool(_SENTENCE_END.search(self.last.text))


@dataclass(frozen=True, slots=True)
class Style:
    """What most of a document looks like: size of the body text, and its line distance in multiples of the size."""

    size: float
    leading: float
    font: str = ""


def style_of(lines: Iterable[Line]) -> Style:
    weights: Counter[float] = Counter()
    fonts: Counter[str] = Counter()
    gaps: list[float] = []
    before: Line | None = None
    for line in lines:
        weights[line.size] += len(line.words)
        fonts[line.font] += len(line.words)
        if before is not None and before.page == line.page and before.size == line.size:
            gap = (line.y - before.y) / max(line.size, 1.0)
            if 0.8 < gap < 3.0:
                gaps.append(gap)
        before = line
    if not weights:
        return Style(10.0, 1.2)
    size = max(weights.items(), key=lambda item: (item[1], item[0]))[0]
    font = max(fonts.items(), key=lambda item: (item[1], item[0]))[0]
    return Style(size, median(gaps) if gaps else 1.2, font)


def paragraphs(lines: Sequence[Line], style: Style) -> list[Paragraph]:
    """Split where a reader sees a new paragraph: a gap, an indent, a new look, a list item, a caption."""
    found: list[Paragraph] = []
    for line in lines:
        if found and not _breaks(found[-1], line, style):
            found[-1].lines.append(line)
        else:
            found.append(Paragraph([line]))
    return found


def _breaks(paragraph: Paragraph, line: Line, style: Style) -> bool:
    last = paragraph.last
    if line.page != last.page or line.column != last.column or line.upright != last.upright:
        return True
    size = max(last.size, line.size)
    if abs(line.size - last.size) > 0.07 * size and not _formula(line, last, style):
        return True
    if line.bold != last.bold and len(line.words) > 1 and (last.bold or line.bold) and not _run_in(last, line):
        return True
    if line.font != last.font and abs(line.size - last.size) > 0.03 * size and not _formula(line, last, style):
        return True
    recent = paragraph.lines[-3:]
    if line.x0 > max(other.x1 for other in recent) or line.x1 < min(other.x0 for other in recent):
        return True
    gap = (line.y - last.y) / size
    if gap < -0.2 or (gap > 1.3 and gap > _leading(paragraph, style) * 1.35 + 0.15):
        return True
    other_block = line.block != last.block
    text = line.text
    if len(line.cells) > 1 and len(last.cells) == 1 and _table_caption(paragraph):
        return True
    if display(line) != display(last):
        return True
    if LEADER in last.text or LEADER in text:
        return True
    if len(paragraph.lines) == 1 and _stands_alone(last):
        return True
    if _stands_alone(line) and (_ENDED.search(last.text) or last.x1 < last.right - 4 * last.size):
        return True
    if other_block and (CAPTION.match(text) or _LIST_ITEM.match(text)):
        return True
    if _LIST_ITEM.match(text) and _LIST_ITEM.match(paragraph.first.text) and abs(line.x0 - paragraph.first.x0) < 2:
        return True
    width = max(line.right - line.left, 1.0)
    short = last.x1 < last.right - 0.08 * width
    ended = bool(_ENDED.search(last.text))
    alone = len(paragraph.lines) == 1 and abs(line.x0 - last.x0) < 1 and short and ended
    indent = line.x0 - (line.left if alone else last.x0) > 0.7 * size and line.x0 - line.left < 0.25 * width
    if indent and (ended or short) and len(line.words) > 2:
        return True
    if last.bold and line.bold and short and last.text.isupper() != text.isupper() and len(text) > 3:
        return True  # a heading and one below it
    if last.bold and line.bold and paragraph.first.size > 1.05 * style.size:
        return False
    if other_block and ended and (short or gap > _leading(paragraph, style) * 1.12):
        return True
    return bool(short and ended and _SENTENCE_END.search(last.text) and text[:1].isupper() and other_block)


def _stands_alone(line: Line) -> bool:
    """A usual section name with a line to itself."""
    return len(line.words) <= 6 and line.x1 < line.right - 4 * line.size and known_heading(line.text)


def _table_caption(paragraph: Paragraph) -> bool:
    match = CAPTION.match(paragraph.first.text)
    return bool(match) and paragraph.first.text[:3].casefold() == "tab"


def _leading(paragraph: Paragraph, style: Style) -> float:
    lines = paragraph.lines[-6:]
    if len(lines) < 2:
        return style.leading if lines[0].size <= 1.1 * style.size else max(1.25, min(style.leading, 1.5))
    gaps = [(after.y - before.y) / max(before.size, 1) for before, after in itertools.pairwise(lines)]
    return max(0.9, median(gaps))


def _formula(line: Line, last: Line, style: Style) -> bool:
    """A short line of another size between lines is part of a formula or of a table, not a new look; under a title it is
    an author."""
    below = last.size > 1.12 * style.size and line.size < last.size and line.y - last.y > 0.9 * last.size
    if below and all(_NAME.match(word.text) for word in line.words):
        return False
    return (len(line.words) <= 2 or len(last.words) <= 2) and not (line.bold and last.bold)


def display(line: Line) -> bool:
    """Whether the line is a formula set apart: indented, with hardly a word in it."""
    return line.x0 - line.left >= 1.2 * line.size and len(line.words) <= 40 and formula_like(line)


def formula_like(line: Line) -> bool:
    """Whether hardly a word is in the line, but signs and symbols."""
    words = [word.text for word in line.words]
    plain = sum(bool(_PLAIN_WORD.match(word)) and word not in _FUNCTIONS for word in words)
    signs = sum(bool(_FORMULA_SIGN.search(word)) or len(word) <= 2 for word in words)
    if plain > 0.25 * len(words):
        return False
    return signs >= 0.4 * len(words) or bool(_FORMULA_NUMBER.search(words[-1]))


def _run_in(last: Line, line: Line) -> bool:
    """Bold text that goes on in plain type in the middle of a sentence (a caption's title)."""
    return last.bold and not line.bold and bool(CAPTION.match(last.text)) and not _SENTENCE_END.search(last.text)


# ------------------------------------------------------------------------------------------------ text and places
def compose(lines: Sequence[Line], vocabulary: Vocabulary) -> tuple[str, list[Place]]:
    """The text of lines, broken words joined, and where each line is printed (in the reading frame)."""
    text = ""
    places: list[Place] = []
    for line in lines:
        start = len(text)
        if text:
            last = text[text.rfind(" ") + 1 :]
            first = line.words[0].text
            joined = vocabulary.join(last, first) if text[-1] in _HYPHENS else None
            if joined is not None:
                text = text[: len(text) - len(last)] + joined[: len(joined) - len(first)]
                places[-1] = places[-1]._replace(end=len(text))
                start = len(text)
            elif not text.endswith(_OPEN_END) or len(last) == 1:
                text += " "
                start += 1
        text += line.text
        places.append(Place(start, len(text), line.page, (line.x0, line.y0, line.x1, line.y1), line.words, line.cites))
    if text.endswith(SOFT_HYPHEN):
        text = text[:-1] + "-"
    return text, places
