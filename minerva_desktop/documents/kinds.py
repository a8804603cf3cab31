"""Which files can be read: by suffix, and by what the first bytes say."""

from __future__ import annotations

from pathlib import Path

PDF = "application/pdf"
JATS = "application/jats+xml"
MARKDOWN = "text/markdown"
PLAIN = "text/plain"

_BY_SUFFIX = {
    ".pdf": PDF,
    ".xml": JATS,
    ".jats": JATS,
    ".nxml": JATS,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".txt": PLAIN,
    ".text": PLAIN,
}

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
    if named:
        return named
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"<?xml") and b"<article" in head:
        return JATS
    return ""
