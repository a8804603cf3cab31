"""The common form of all formats before sentences are cut: blocks of text, each with a kind and printed places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from minerva_desktop.documents.imrad import Heading, read_heading
from minerva_desktop.documents.raw import Rect, Word
from minerva_desktop.language import citations
from minerva_desktop.language.sentences import split_sentences
from minerva_desktop.records import Box, Document, DocumentStatus, Imrad, Section, Sentence, SentenceKind

BREAK = "\n\n"
_MINED: frozenset[SentenceKind] = frozenset({"title", "abstract", "body", "caption"})


class Place(NamedTuple):
    """The characters ``start`` to ``end`` of a block are one printed line: ``words`` (text, left, right) in ``box``."""

    start: int
    end: int
    page: int
    box: Rect
    words: Sequence[Word]
    cites: bool = False  # whether a reference number followed one of the words


@dataclass(slots=True)
class Block:
    """``level``: of a heading, from 1. ``whole``: one sentence whatever its full stops (titles, headings, rows)."""

    text: str
    kind: SentenceKind = "body"
    mined: bool = True
    level: int = 0
    whole: bool = False
    places: list[Place] = field(default_factory=list)
    imrad: Imrad | None = None  # of a heading, where the format says it
    cited: Sequence[int] = ()  # offsets behind which the file marks a reference


_MAIN: frozenset[Imrad] = frozenset({"INTRO", "METHODS", "RESULTS", "DISCUSSION", "CONCLUSION"})

# Acknowledgements and the like are short; a longer text under such a heading is the paper itself, its next heading
# having gone unseen.
_LONGEST_APPARATUS = 3500
_LABEL = 22  # characters: longer first sentences of captions stand for themselves

Displayed = Callable[[int, Rect], Rect]


def _same(_: int, box: Rect) -> Rect:
    return box


def build(
    blocks: list[Block],
    *,
    displayed: Displayed = _same,
    status: DocumentStatus = "ok",
    reason: str = "",
    media_type: str = "",
) -> Document:
    """Text, sentences and sections of a document. Pages, metadata, captions and the like are the caller's."""
    texts: list[str] = []
    sentences: list[Sentence] = []
    headings: list[tuple[str, int, Imrad, int]] = []
    offset = 0
    section, mined = "", True
    current: Imrad = "OTHER"
    above: list[tuple[int, Imrad]] = []  # level and class of the sections that enclose the current one
    for number, block in enumerate(blocks):
        if not block.text.strip():
            continue
        if block.kind == "heading":
            heading = read_heading(block.text)
            mined = heading.mined or (heading.imrad != "REFERENCES" and _length(blocks, number) > _LONGEST_APPARATUS)
            level = 1 if heading.surely and heading.imrad == "OTHER" else max(1, block.level)
            current = _class_of(heading, block.imrad, level, above)
            section = block.text
            headings.append((section, level, current, len(sentences)))
        imrad: Imrad = (
            "ABSTRACT" if block.kind == "abstract" else "REFERENCES" if block.kind == "reference" else current
        )
        for start, end in _cuts(block):
            boxes = _boxes(block, start, end, displayed)
            sentences.append(
                Sentence(
                    index=len(sentences),
                    text=block.text[start:end],
                    start=offset + start,
                    end=offset + end,
                    page=boxes[0][0] if boxes else None,
                    boxes=boxes,
                    section=section,
                    imrad=imrad,
                    kind=block.kind,
                    mined=block.mined and block.kind in _MINED and (mined or block.kind == "caption"),
                    citation=_citation(block, start, end),
                )
            )
        texts.append(block.text)
        offset += len(block.text) + len(BREAK)
    return Document(
        status=status,
        reason=reason,
        media_type=media_type,
        text=BREAK.join(texts),
        sentences=tuple(sentences),
        sections=_sections(headings, len(sentences)),
    )


def _class_of(heading: Heading, said: Imrad | None, level: int, above: list[tuple[int, Imrad]]) -> Imrad:
    """The class of a section, by its heading and the sections around it (``above``, which is brought up to date).

    A heading that names no class keeps that of the section before it on its level, or of the one it stands in. Under a
    section with a class, only a full name such as "Methods" gives another; a phrase such as "Synthesis of GaN" does not.
    """
    while above and above[-1][0] > level:
        above.pop()
    before = above[-1][1] if above else "OTHER"
    inside = next((imrad for rank, imrad in reversed(above) if rank < level), None)
    found = said or heading.imrad
    if found is not None and not heading.surely and said is None and inside in _MAIN:
        found = inside
    if found == "ABSTRACT" and any(imrad in _MAIN for _, imrad in above):
        found = "CONCLUSION"  # a summary at the end
    if found is None:
        found = "OTHER" if before in {"REFERENCES", "ABSTRACT"} else before
    while above and above[-1][0] == level:
        above.pop()
    above.append((level, found))
    return found


def _length(blocks: list[Block], heading: int) -> int:
    """Characters of running text from a heading to the next."""
    total = 0
    for block in blocks[heading + 1 :]:
        if block.kind == "heading":
            break
        total += len(block.text) if block.kind == "body" else 0
    return total


def _cuts(block: Block) -> list[tuple[int, int]]:
    if block.whole:
        return [(0, len(block.text))]
    cuts = split_sentences(block.text)
    if block.kind == "caption" and len(cuts) > 1 and cuts[0][1] - cuts[0][0] < _LABEL:
        cuts[:2] = [(cuts[0][0], cuts[1][1])]  # "Fig. 3." is no sentence
    return cuts


def _citation(block: Block, start: int, end: int) -> float:
    if block.kind in {"reference", "title", "heading", "front"}:
        return 0.0
    if any(start < offset <= end for offset in block.cited):
        return citations.STRUCTURAL
    found = citations.citation_strength(block.text[start:end])
    return found or (citations.NUMBER if _raised_number(block, start, end) else 0.0)


def _raised_number(block: Block, start: int, end: int) -> bool:
    for place in block.places:
        if place.end <= start or place.start >= end or not place.cites:
            continue
        offset = place.start
        for word in place.words:
            offset += len(word.text) + 1
            if word.cited and start < offset - 1 <= end:
                return True
    return False


def _boxes(block: Block, start: int, end: int, displayed: Displayed) -> tuple[Box, ...]:
    """One box a printed line, in reading order."""
    boxes: list[Box] = []
    for place in block.places:
        if place.end <= start:
            continue
        if place.start >= end:
            break
        x0, y0, x1, y1 = place.box
        if place.start < start or place.end > end:
            x0, x1 = _edges(place, start, end)
        box = _box(place.page, (x0, y0, x1, y1), displayed)
        if box[3] > box[1] and box[4] > box[2]:  # else it stands off the page
            boxes.append(box)
    return tuple(boxes)


def _edges(place: Place, start: int, end: int) -> tuple[float, float]:
    """Left and right edge of the words of a line between two offsets; a word that is cut counts in proportion."""
    edges: list[float] = []
    offset = place.start
    for text, left, right, _ in place.words:
        after = min(offset + len(text), place.end)
        if offset < end and after > start:
            long = max(1, after - offset)
            width = right - left
            edges.append(left + width * (start - offset) / long if offset < start else left)
            edges.append(right - width * (after - end) / long if after > end else right)
        offset += len(text) + 1
    if not edges:
        return place.box[0], place.box[2]
    return min(edges), max(edges)


def _box(page: int, box: Rect, displayed: Displayed) -> Box:
    x0, y0, x1, y1 = displayed(page, box)
    return (page, round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2))


def _sections(headings: list[tuple[str, int, Imrad, int]], count: int) -> tuple[Section, ...]:
    ends = [*[first for *_, first in headings][1:], count] if headings else []
    return tuple(
        Section(title, level, imrad, first, last)
        for (title, level, imrad, first), last in zip(headings, ends, strict=True)
    )
