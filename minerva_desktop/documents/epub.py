"""EPUB books: their chapters in the order of the spine, each read as HTML."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from minerva_desktop.documents.kinds import EPUB
from minerva_desktop.documents.markup import finish, join_continuations, tidy
from minerva_desktop.documents.webpage import HtmlReader, parse_html
from minerva_desktop.records import Document

_LARGEST = 400 * 2**20
"""Bytes that all parts of a book may have when unpacked."""


def read_epub(path: Path) -> Document:
    """The Document of a book. A book with copy protection is said to be encrypted."""
    from ebooklib import epub  # type: ignore[import-untyped]

    try:
        with zipfile.ZipFile(path) as parts:
            if sum(item.file_size for item in parts.infolist()) > _LARGEST:
                return Document("unsupported", "The book is too large to be unpacked safely; nothing was read.", EPUB)
            if any(name.endswith("META-INF/rights.xml") for name in parts.namelist()):
                return Document(
                    "encrypted", "The book has copy protection; only its own reading program opens it.", EPUB
                )
        return _read(epub.read_epub(str(path), options={"ignore_ncx": True}))
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a broken package makes the library raise whatever comes
        return Document("damaged", "The book is damaged and could not be opened; fetch it again from its source.", EPUB)


def _read(book: Any) -> Document:
    reader = HtmlReader()
    for name, *_ in book.spine:
        item = book.get_item_with_id(name)
        root = parse_html(item.get_content()) if item is not None and hasattr(item, "get_content") else None
        if root is not None:
            body = root.find("body")
            reader.read(root if body is None else body)
    document = finish(join_continuations(reader.blocks), reader.tables, EPUB, _front(book))
    if document.status == "empty":
        return replace(document, reason="The book holds no words that can be read.")
    return document


def _front(book: Any) -> dict[str, str]:
    def said(name: str) -> list[str]:
        return [tidy(value) for value, _ in book.get_metadata("DC", name) if value]

    front = {
        "title": " ".join(said("title")[:1]),
        "author": "; ".join(said("creator")),
        "date": " ".join(said("date")[:1]),
    }
    return {key: value for key, value in front.items() if value}
