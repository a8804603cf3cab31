"""From the engine's pieces to printed lines of words, with superscripts and subscripts written out.

The engine cuts a printed line at wide gaps and at shifted baselines; here the pieces are put together again.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from minerva_desktop.documents.characters import SOFT_HYPHEN, repair
from minerva_desktop.documents.raw import RawLine, RawPage, RawSpan, Word
from minerva_desktop.documents.scripts import is_citation, raised

LEADER = "……"
"""What a row of dots to a page number is read as."""
_DOTS = re.compile(r"(?:[.…·]{1,400}|……)\Z")
_NORMAL, _RAISED, _LOWERED = 0, 1, 2


@dataclass(slots=True)
class Line:
    """One printed line. Positions are in the reading frame of its page; ``y`` is the baseline.

    ``cells``: pieces with wide gaps between them (1 for running text). ``lead``: how many words at the start stand
    out (bold or italic before plain text). ``marked``: it began with a raised mark, as notes do.
    """

    page: int
    block: int
    x0: float
    y0: float
    x1: float
    y1: float
    y: float
    size: float
    bold: bool
    italic: bool
    font: str
    words: list[Word]
    cells: list[int]  # index of the first word of each cell
    lead: int = 0
    marked: bool = False
    upright: bool = True
    column: int = 0
    left: float = 0.0  # edges of the column it stands in
    right: float = 0.0
    text: str = ""
    cites: bool = False  # whether a raised reference number was left out of it

    def __post_init__(self) -> None:
        self.text = " ".join([word.text for word in self.words])

    @property
    def width(self) -> float:
        return self.x1 - self.x0


class _Part(NamedTuple):
    """A word in the making: its stretches of text, each normal, raised or lowered."""

    stretches: list[tuple[str, int]]
    x0: float
    x1: float
    glued: bool  # no space before it
    wide: bool  # a wide gap before it


def page_lines(page: RawPage, gutters: Sequence[tuple[float, float, float]] = ()) -> list[Line]:
    """The printed lines of a page in the engine's order; lines of other directions last."""
    found: list[Line] = []
    group: list[RawLine] = []
    aside = [line for line in page.lines if line.turn != 0]
    for raw in page.lines:
        if raw.turn != 0:
            continue
        if group and not _same_line(group, raw, gutters):
            found.extend(_line(page.number, group))
            group = []
        group.append(raw)
    if group:
        found.extend(_line(page.number, group))
    for raw in aside:
        for line in _line(page.number, [raw]):
            line.upright = False
            found.append(line)
    return found


def _leaders(words: list[Word], cells: list[int]) -> tuple[list[Word], list[int]]:
    """Dots that lead from an entry of a list to its page number become one sign."""
    kept: list[Word] = []
    place: dict[int, int] = {}
    for number, word in enumerate(words):
        place[number] = len(kept)
        if _DOTS.match(word.text) and kept and _DOTS.match(kept[-1].text):
            kept[-1] = Word(LEADER, kept[-1].x0, word.x1)
            place[number] = len(kept) - 1
        elif len(word.text) > 3 and _DOTS.match(word.text):
            kept.append(Word(LEADER, word.x0, word.x1))
        else:
            kept.append(word)
    return kept, sorted({place[cell] for cell in cells})


def _same_line(group: Sequence[RawLine], raw: RawLine, gutters: Sequence[tuple[float, float, float]]) -> bool:
    last = group[-1]
    if last.block != raw.block:
        return False
    top, bottom = max(last.box[1], raw.box[1]), min(last.box[3], raw.box[3])
    lower = min(last.box[3] - last.box[1], raw.box[3] - raw.box[1])
    if bottom - top < 0.5 * lower:
        return False
    right = max(piece.box[2] for piece in group)
    size = last.spans[0].size
    if raw.box[0] < right - 0.5 * size:
        return False
    middle = (raw.box[1] + raw.box[3]) / 2
    return not any(right <= x + 1 and raw.box[0] >= x - 1 and top <= middle <= end for x, top, end in gutters)


def _line(page: int, group: Sequence[RawLine]) -> Iterable[Line]:
    first = group[0].spans[0]
    if all(len(raw.spans) == 1 and raw.spans[0][1:6] == first[1:6] for raw in group):
        plain = _plain_line(page, group, first)
        if plain is not None:
            yield plain
        return
    spans = [span for raw in group for span in raw.spans if span.text.strip()]
    if not spans:
        return
    size, baseline = _main(spans)
    if all(-0.04 * size < baseline - span.y < 0.04 * size for span in spans):
        words, cells = _flat_words(group, size)
        marked = False
    else:
        parts = [part for place, raw in enumerate(group) for part in _parts(group, place, raw, size, baseline)]
        words, cells, marked = _words(parts)
    if not words:
        return
    if any(_DOTS.match(word.text) for word in words):
        words, cells = _leaders(words, cells)
    whole = [span for span in spans if span.size > 0.85 * size] or spans
    top = max(min(span.box[1] for span in whole), baseline - 1.3 * size)
    bottom = min(max(span.box[3] for span in whole), baseline + 0.6 * size)
    letters = sum(len(span.text) for span in spans)
    bold = sum(len(span.text) for span in spans if span.bold)
    italic = sum(len(span.text) for span in spans if span.italic)
    yield Line(
        page=page,
        block=group[0].block,
        x0=min(words[0].x0, words[-1].x0),  # text may run from right to left
        y0=min(top, bottom - 1.0),
        x1=max(word.x1 for word in words),
        y1=bottom,
        y=baseline,
        size=max(round(size, 1), 0.1),
        bold=bold > 0.85 * letters,
        italic=italic > 0.85 * letters,
        font=_font(spans),
        words=words,
        cells=cells,
        lead=_lead(spans, len(words)),
        marked=marked,
        cites=any(word.cited for word in words),
    )


def _plain_line(page: int, group: Sequence[RawLine], first: RawSpan) -> Line | None:
    """A line of one look on one baseline: most lines, so this is the short way."""
    words, cells = _flat_words(group, first.size)
    if not words:
        return None
    text = first.text
    if (". ." in text or "...." in text or "…" in text) and any(_DOTS.match(word.text) for word in words):
        words, cells = _leaders(words, cells)
    top, bottom = first.box[1], first.box[3]
    for raw in group[1:]:
        top, bottom = min(top, raw.spans[0].box[1]), max(bottom, raw.spans[0].box[3])
    size, baseline = first.size, first.y
    top, bottom = max(top, baseline - 1.3 * size), min(bottom, baseline + 0.6 * size)
    return Line(
        page=page,
        block=group[0].block,
        x0=min(words[0].x0, words[-1].x0),  # text may run from right to left
        y0=min(top, bottom - 1.0),
        x1=max([word.x1 for word in words]),
        y1=bottom,
        y=baseline,
        size=max(round(size, 1), 0.1),
        bold=first.bold,
        italic=first.italic,
        font=first.font,
        words=words,
        cells=cells,
    )


def _font(spans: Sequence[RawSpan]) -> str:
    """The font that most letters of the line are set in."""
    if len(spans) == 1:
        return spans[0].font
    weights: defaultdict[str, int] = defaultdict(int)
    for span in spans:
        weights[span.font] += len(span.text)
    return max(weights.items(), key=lambda item: (item[1], item[0]))[0]


def _main(spans: Sequence[RawSpan]) -> tuple[float, float]:
    """Size and baseline that most of the line has; larger type weighs more than its share of raised pieces."""
    if len(spans) == 1:
        return spans[0].size, spans[0].y
    weights: defaultdict[tuple[float, float], float] = defaultdict(float)
    for span in spans:
        weights[(round(span.size, 1), round(span.y, 1))] += len(span.text) * span.size
    return max(weights.items(), key=lambda item: (item[1], item[0][0]))[0]


def _shift(span: RawSpan, size: float, baseline: float) -> int:
    rise = baseline - span.y
    if abs(rise) < 0.04 * size:
        return _NORMAL
    if span.size <= 0.88 * size:
        if 0.15 * size < rise < 0.9 * size:
            return _RAISED
        if 0.04 * size < -rise < 0.6 * size:
            return _LOWERED
    elif span.size <= 1.05 * size and len(span.text.strip()) <= 4:
        if 0.25 * size < rise < 0.7 * size:
            return _RAISED
        if 0.2 * size < -rise < 0.5 * size:
            return _LOWERED
    return _NORMAL


def _gap(group: Sequence[RawLine], place: int, size: float) -> tuple[bool, bool]:
    """Whether a piece follows the one before it without a space, or after a wide gap."""
    if not place:
        return False, False
    before, raw = group[place - 1], group[place]
    gap = raw.box[0] - max(piece.box[2] for piece in group[:place])
    spaced = before.spans[-1].text.endswith(" ") or raw.spans[0].text.startswith(" ")
    return gap < 0.12 * size and not spaced, gap > 1.6 * size


def _flat_words(group: Sequence[RawLine], size: float) -> tuple[list[Word], list[int]]:
    """Words and cells of a line on one baseline."""
    words: list[Word] = []
    cells = [0]
    if len(group) == 1:
        found = group[0].words
        if all([s.text.isascii() and s.text.isprintable() for s in group[0].spans]):  # noqa: C419 - quicker
            return found, cells if found else []  # nothing to repair, as in most lines
        texts = [repair(word[0]) for word in found]
        if texts == [word[0] for word in found]:
            return found, cells if found else []
        if "" not in texts and SOFT_HYPHEN not in texts and not any(" " in text for text in texts):
            return [Word(text, word[1], word[2]) for text, word in zip(texts, found, strict=True)], cells
    for place, raw in enumerate(group):
        glued, wide = _gap(group, place, size)
        if wide and words:
            cells.append(len(words))
        for text, x0, x1, _ in raw.words:
            text = repair(text)
            if not text or text == SOFT_HYPHEN:
                continue
            if glued and words:
                words[-1] = Word(repair(words[-1].text + text), words[-1].x0, max(words[-1].x1, x1))
            elif " " in text:
                words.extend(Word(piece, x0, x1) for piece in text.split())
            else:
                words.append(Word(text, x0, x1))
            glued = False
    return words, [cell for cell in cells if cell < len(words)]


def _parts(group: Sequence[RawLine], place: int, raw: RawLine, size: float, baseline: float) -> Iterable[_Part]:
    """The words of one piece. The engine's word boxes are matched to the text of its spans in order."""
    glued, wide = _gap(group, place, size)
    shifts = [_shift(span, size, baseline) for span in raw.spans]
    if wide:
        # What stands apart in a size of its own line is a cell set between two lines, not a script.
        shifts = [_NORMAL if span.size > 0.88 * size else shift for span, shift in zip(raw.spans, shifts, strict=True)]
    text = "".join([span.text for span in raw.spans])
    position = 0
    flat = not any(shifts)
    for word in raw.words:
        start = text.find(word[0], position)
        if start < 0:
            start = position
        position = min(start + len(word[0]), len(text))
        stretches = [(word[0], _NORMAL)] if flat else _cut(raw.spans, shifts, start, position)
        yield _Part(stretches, word[1], word[2], glued, wide)
        glued, wide = False, False


def _cut(spans: Sequence[RawSpan], shifts: Sequence[int], start: int, end: int) -> list[tuple[str, int]]:
    """The stretches of the characters ``start`` to ``end`` of a piece."""
    stretches: list[tuple[str, int]] = []
    offset = 0
    for span, shift in zip(spans, shifts, strict=True):
        low, high = max(start, offset), min(end, offset + len(span.text))
        if low < high:
            text = span.text[low - offset : high - offset]
            if stretches and stretches[-1][1] == shift:
                stretches[-1] = (stretches[-1][0] + text, shift)
            else:
                stretches.append((text, shift))
        offset += len(span.text)
    return stretches


def _words(parts: Iterable[_Part]) -> tuple[list[Word], list[int], bool]:
    """Words, where cells begin, and whether the line began with a raised mark."""
    pieces = list(parts)
    words: list[Word] = []
    cells: list[int] = []
    marked = False
    dropped = False
    for place, part in enumerate(pieces):
        raises = any(shift == _RAISED for _, shift in part.stretches)
        alone = bool(words) and all(shift != _NORMAL for _, shift in part.stretches) and not part.wide
        tail = dropped and bool(words) and "".join(text for text, _ in part.stretches)[:1] in {*",.;:)]"}
        joined = bool(words) and (part.glued or alone or tail)
        before = words[-1].text if joined else ""
        after = _first(pieces, place + 1)
        text, cited = (
            _spelled(part.stretches, before, after)
            if raises
            else (repair("".join(t for t, _ in part.stretches)), False)
        )
        marked = marked or (not words and raises and len(text) < sum(len(t) for t, _ in part.stretches))
        dropped = not text
        if not text or text == SOFT_HYPHEN:
            if words and (cited or (joined and part.glued)):
                x1 = max(words[-1].x1, part.x1) if joined and part.glued else words[-1].x1
                words[-1] = Word(words[-1].text, words[-1].x0, x1, words[-1].cited or cited)
            continue
        if part.wide or not cells:
            cells.append(len(words))
        if joined and not part.wide:
            cited = cited or words[-1].cited
            words[-1] = Word(repair(before + text), words[-1].x0, max(words[-1].x1, part.x1), cited)
        else:
            words.extend(Word(piece, part.x0, part.x1, cited) for piece in text.split())
    return words, cells, marked


def _first(pieces: Sequence[_Part], place: int) -> str:
    """The next normal text, which tells a degree sign from a citation (``800 °C``)."""
    if place < len(pieces):
        for text, shift in pieces[place].stretches:
            if shift == _NORMAL:
                return text
    return ""


def _spelled(stretches: Sequence[tuple[str, int]], before: str, after: str) -> tuple[str, bool]:
    """What to write, and whether a reference number was left out of it."""
    out = ""
    cited = False
    for place, (text, shift) in enumerate(stretches):
        if shift == _RAISED:
            following = "".join(t for t, s in stretches[place + 1 :] if s == _NORMAL) or after
            own = stretches[place + 1][0] if place + 1 < len(stretches) else ""
            written = raised(before + out, text, own if own else following)
            cited = cited or is_citation(text, written)
            out += written
        else:
            out += repair(text)
    return out, cited


def _lead(spans: Sequence[RawSpan], words: int) -> int:
    """How many words at the start are bold or italic while the rest is not."""
    first = spans[0]
    if not (first.bold or first.italic):
        return 0
    text = ""
    for span in spans:
        if (first.bold and not span.bold) or (not first.bold and not span.italic):
            break
        text += span.text + " "
    count = len(text.split())
    return min(count, words)
