"""Which files can be read: by suffix, and by what the first bytes say."""

from __future__ import annotations

import re
from pathlib import Path

PDF = "application/pdf"
JATS = "application/jats+xml"
MARKDOWN = "text/markdown"
PLAIN = "text/plain"
TEI = "application/tei+xml"
HTML = "text/html"
LATEX = "text/x-tex"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
EPUB = "application/epub+zip"

_BY_SUFFIX = {
    ".pdf": PDF,
    ".xml": JATS,
    ".jats": JATS,
    ".nxml": JATS,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".txt": PLAIN,
    ".text": PLAIN,
    ".tei": TEI,
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": HTML,
    ".tex": LATEX,
    ".docx": DOCX,
    ".epub": EPUB,
}

_TEI = re.compile(rb"<(?:\w+:)?(?:TEI|teiCorpus)[\s>]")

SUPPORTED_SUFFIXES: frozenset[str] = frozenset(_BY_SUFFIX)
"""File endings, lower case with the dot, that a folder walk picks up."""


def media_type(path: Path) -> str:
    """The media type of a file: what its first bytes say, else its suffix; empty when it is none of ours.

    A file that cannot be opened is judged by its suffix alone.
    """
    named = _BY_SUFFIX.get(path.suffix.lower(), "")
    try:
        with path.open("rb") as stream:
            head = stream.read(1024)
    except OSError:
        return named
    if b"%PDF-" in head:
        return PDF
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if named in {"", JATS} and start.startswith(b"<"):
        found = _of_markup(start)
        if found:
            return found
    return named


def _of_markup(start: bytes) -> str:
    if _TEI.search(start):
        return TEI
    if re.match(rb"<!doctype html|<html", start, re.IGNORECASE):
        return HTML
    return JATS if start.startswith(b"<?xml") and b"<article" in start else ""
