"""A file that was read: its text, its sentences with their places, its structure, and pictures of its pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Box = tuple[int, float, float, float, float]
"""(page, x0, y0, x1, y1); page counts from 1."""

Imrad = Literal["ABSTRACT", "INTRO", "METHODS", "RESULTS", "DISCUSSION", "CONCLUSION", "REFERENCES", "OTHER"]
SentenceKind = Literal["title", "heading", "abstract", "body", "caption", "table", "footnote", "reference", "front"]
DocumentStatus = Literal["ok", "no text layer", "encrypted", "damaged", "empty", "unsupported", "failed"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a document. ``Document.text[start:end] == text`` always holds.

    ``boxes`` has one box per printed line (over two pages: boxes on both); empty where the format has no pages.
    ``page`` is the first box's page. ``mined`` says whether extraction reads it. ``citation``: how surely it cites other
    works (1.0 the file marks the reference, 0.7 author and year, 0.5 a number in brackets or raised, 0 not at all).
    """

    index: int
    text: str
    start: int
    end: int
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    section: str = ""
    imrad: Imrad = "OTHER"
    kind: SentenceKind = "body"
    mined: bool = True
    citation: float = 0.0


@dataclass(frozen=True, slots=True)
class PageInfo:
    number: int
    width: float
    height: float
    rotation: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its class; ``first`` and ``last`` are sentence indices (last exclusive)."""

    title: str
    level: int
    imrad: Imrad
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Caption:
    """``mentions`` are the indices of the sentences that point at the figure or table."""

    kind: Literal["figure", "table", "other"]
    label: str
    text: str
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    mentions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """``header``: one text per column; ``header_rows``: the rows that it was joined from. ``cells``: the boxes of ``rows``,
    row by row; None where a cell has no place on a page or nothing in it."""

    label: str
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    cells: tuple[tuple[Box | None, ...], ...] = ()
    header_rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the file says of itself; empty when it does not say. ``year`` None = unknown."""

    title: str = ""
    authors: tuple[str, ...] = ()
    doi: str = ""
    arxiv_id: str = ""
    year: int | None = None
    abstract: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read. ``status`` is honest; ``reason`` is one sentence whenever status is not ``ok``.

    ``left_out``: where running heads, page numbers and the like stand on the pages, which are in no sentence.
    """

    status: DocumentStatus
    reason: str = ""
    media_type: str = ""
    metadata: Metadata = Metadata()
    pages: tuple[PageInfo, ...] = ()
    text: str = ""
    sentences: tuple[Sentence, ...] = ()
    sections: tuple[Section, ...] = ()
    captions: tuple[Caption, ...] = ()
    tables: tuple[Table, ...] = ()
    references: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class PageImage:
    """A rendered page: ``width * height`` pixels, RGB, three bytes a pixel, rows packed."""

    page: int
    width: int
    height: int
    scale: float
    rgb: bytes
