"""What is printed on pages but is not part of the text: running heads, feet, page numbers, line numbers, stamps."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Sequence

from minerva_desktop.documents.lines import Line
from minerva_desktop.documents.paragraphs import CAPTION
from minerva_desktop.documents.raw import RawPage, Word

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?:page\s*)?[-–—|\[(]*\s*(?:[a-z]{0,2}\d{1,6}|[ivxlc]{1,7})\s*[-–—|\])]*(?:\s*(?:/|of)\s*\d{1,5})?\Z",
    re.IGNORECASE,
)
_STAMP = re.compile(r"arXiv:\s*\d{4}\.\d{4,5}|downloaded (?:from|by|on)\b", re.IGNORECASE)
_ENDS = re.compile(r"\A(?:#\s+)+|(?:\s+#)+\Z")
_EDGE = 4  # how many lines from the top and bottom of a page may be furniture


def left_out(pages: Sequence[tuple[RawPage, list[Line]]]) -> set[int]:
    """The ``id`` of every line that is page furniture. Sideways text is judged by the caller."""
    drop: set[int] = set()
    repeats: set[int] = set()
    repeated: dict[tuple[str, int], set[int]] = defaultdict(set)
    margins: list[Line] = []
    for number, (page, lines) in enumerate(pages):
        height = page.width if page.turn % 2 else page.height
        for line in _margins(lines, height):
            margins.append(line)
            text = line.text
            if _STAMP.search(text) and len(text) < 200:
                drop.add(id(line))
            if _PAGE_NUMBER.match(text) and not 0.09 * height < line.y < 0.91 * height:
                drop.add(id(line))
            for key in _keys(line):
                repeated[key].add(number)
    common = {key for key, seen in repeated.items() if _often(len(seen), len(pages))}
    for line in margins:
        keys = _keys(line)
        if keys and all(key in common or other in common for key, other in zip(keys[::2], keys[1::2], strict=True)):
            repeats.add(id(line))
    for _, lines in pages:
        # A page of nothing but repeated lines has no other text: then they are the text.
        if any(id(line) not in repeats and id(line) not in drop for line in lines):
            drop.update(id(line) for line in lines if id(line) in repeats)
        drop.update(_line_numbers(lines))
    return drop


def _often(seen: int, pages: int) -> bool:
    """A head may alternate between left and right pages, so half of the pages is not required."""
    return seen >= 2 and (seen >= 3 or pages <= 5) and seen >= 0.15 * pages


def _keys(line: Line) -> list[tuple[str, int]]:
    """Shape and height of each cell of a line, each with two overlapping classes of height. Numbers count nothing."""
    ends = [*line.cells[1:], len(line.words)]
    keys: list[tuple[str, int]] = []
    for start, end in zip(line.cells, ends, strict=True):
        shape = _shape(" ".join(word.text for word in line.words[start:end]))
        if shape == "#" and len(ends) > 1:
            continue
        keys += [
            (shape or str(id(line)), round(line.y / 12)),
            (shape or str(id(line)), round(line.y / 12 + 0.5) + 10_000),
        ]
    return keys


def _margins(lines: Sequence[Line], height: float) -> list[Line]:
    """The first and last few lines by height, where they stand outside the middle of the page."""
    upright = sorted((line for line in lines if line.upright), key=lambda line: line.y)
    top = [line for line in upright[: 2 * _EDGE] if line.y < 0.14 * height]
    bottom = [line for line in upright[-2 * _EDGE :] if line.y > 0.86 * height]
    return top + [line for line in bottom if all(line is not other for other in top)]


def _shape(text: str) -> str:
    """The text with numbers made alike, so that ``Page 3`` and ``Page 4`` are the same head."""
    if CAPTION.match(text):
        return ""
    return _ENDS.sub("", _DIGITS.sub("#", text.casefold()).strip()) or "#"


def _line_numbers(lines: Sequence[Line]) -> set[int]:
    """Lines that are nothing but the number of a line; numbers that lead a line are cut off in place."""
    drop: set[int] = set()
    bare = [line for line in lines if line.upright and len(line.words) == 1 and line.words[0].text.isdigit()]
    if _counting([int(line.words[0].text) for line in sorted(bare, key=lambda line: line.y)]):
        edge = sorted(line.x1 for line in bare)[len(bare) // 2]
        others = [line.x0 for line in lines if line.upright and len(line.words) > 3]
        if others and (edge < min(others) + 1 or edge > max(line.x1 for line in lines) - 1):
            drop.update(id(line) for line in bare if abs(line.x1 - edge) < 6)
    leading = [line for line in lines if line.upright and len(line.words) > 1 and line.words[0].text.isdigit()]
    if len(leading) >= 0.7 * max(1, sum(line.upright for line in lines)):
        if not _counting([int(line.words[0].text) for line in sorted(leading, key=lambda line: line.y)]):
            return drop
        for line in leading:
            _cut_first(line)
    return drop


def _counting(numbers: Sequence[int]) -> bool:
    """Whether numbers down the page go up by one (or by five)."""
    if len(numbers) < 8:
        return False
    steps = [after - before for before, after in itertools.pairwise(numbers)]
    return sum(step in {1, 5} for step in steps) >= 0.8 * len(steps)


def _cut_first(line: Line) -> None:
    line.words = line.words[1:]
    line.text = " ".join(word.text for word in line.words)
    line.x0 = line.words[0].x0
    line.cells = [0] + [cell - 1 for cell in line.cells if cell > 1]
    line.lead = max(0, line.lead - 1)


def drop_cap(lines: Sequence[Line]) -> list[Line]:
    """A large first letter is joined to the line that continues its word."""
    result: list[Line] = []
    waiting: Line | None = None
    for line in lines:
        text = line.text
        if waiting is not None and line.size < 0.6 * waiting.size and line.words:
            first = line.words[0]
            if first.text[:1].islower() or (first.text.isupper() and len(first.text) > 1):
                glue = ""
            elif waiting.text in {"A", "I"}:
                glue = " "
            else:
                result.extend([waiting, line])  # a letter of a logo or the like
                waiting = None
                continue
            if glue == "":
                line.words[0] = Word(waiting.text + first.text, waiting.x0, first.x1)
            else:
                line.words.insert(0, waiting.words[0])
                line.cells = [0] + [cell + 1 for cell in line.cells[1:]]
            line.x0 = waiting.x0
            line.text = " ".join(word.text for word in line.words)
            waiting = None
        elif waiting is not None:
            result.append(waiting)
            waiting = None
        if len(text) == 1 and text.isupper() and line.size > 16:
            waiting = line
        else:
            result.append(line)
    if waiting is not None:
        result.append(waiting)
    return result
