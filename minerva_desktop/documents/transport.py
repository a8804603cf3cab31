"""Documents as JSON messages: the reading process sends plain data only, never pickled objects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from minerva_desktop.records import Box, Caption, Document, Metadata, PageInfo, Section, Sentence, Table, to_plain

_CHUNK = 400  # sentences in one message


def encode(message: dict[str, Any]) -> bytes:
    return json.dumps(message, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def decode(data: bytes) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(data)
    return message


def document_messages(document: Document) -> Iterator[dict[str, Any]]:
    """The sentences in chunks (``kind`` "sentences"), then the rest (``kind`` "document")."""
    for start in range(0, len(document.sentences), _CHUNK):
        chunk = document.sentences[start : start + _CHUNK]
        yield {"kind": "sentences", "sentences": [_sentence_row(sentence) for sentence in chunk]}
    yield {"kind": "document", "document": to_plain(replace(document, sentences=()))}


def _sentence_row(sentence: Sentence) -> list[Any]:
    # The text is not sent again: it is document.text[start:end].
    return [
        sentence.start,
        sentence.end,
        sentence.boxes,
        sentence.section,
        sentence.imrad,
        sentence.kind,
        sentence.mined,
        sentence.citation,
    ]


def document_from(data: dict[str, Any], rows: list[list[Any]]) -> Document:
    """The Document that :func:`document_messages` sent."""
    text = data["text"]
    sentences = []
    for index, (start, end, plain_boxes, section, imrad, kind, mined, citation) in enumerate(rows):
        boxes = _boxes(plain_boxes)
        page = boxes[0][0] if boxes else None
        sentences.append(
            Sentence(index, text[start:end], start, end, page, boxes, section, imrad, kind, mined, citation)
        )
    meta = data["metadata"]
    return Document(
        status=data["status"],
        reason=data["reason"],
        media_type=data["media_type"],
        metadata=Metadata(**{**meta, "authors": tuple(meta["authors"])}),
        pages=tuple(PageInfo(**page) for page in data["pages"]),
        text=text,
        sentences=tuple(sentences),
        sections=tuple(Section(**section) for section in data["sections"]),
        captions=tuple(
            Caption(**{**caption, "boxes": _boxes(caption["boxes"]), "mentions": tuple(caption["mentions"])})
            for caption in data["captions"]
        ),
        tables=tuple(_table(table) for table in data["tables"]),
        references=tuple(data["references"]),
        notes=tuple(data["notes"]),
        left_out=_boxes(data["left_out"]),
    )


def _boxes(plain: list[list[Any]]) -> tuple[Box, ...]:
    return tuple([cast(Box, tuple(box)) for box in plain])  # JSON keeps whole numbers and fractions apart


def _table(data: dict[str, Any]) -> Table:
    return Table(
        label=data["label"],
        caption=data["caption"],
        header=tuple(data["header"]),
        rows=tuple(tuple(row) for row in data["rows"]),
        page=data["page"],
        boxes=_boxes(data["boxes"]),
        header_rows=tuple(tuple(row) for row in data["header_rows"]),
        cells=tuple(tuple(cast(Box, tuple(box)) if box else None for box in row) for row in data["cells"]),
    )
