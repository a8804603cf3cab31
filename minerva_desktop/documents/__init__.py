"""Files become Documents: text, sentences with their places on the page, sections, captions, tables, metadata.

Untrusted files are opened in child processes only (:class:`ReaderPool`); this package itself imports no PDF engine.
"""

from __future__ import annotations

from minerva_desktop.documents.kinds import SUPPORTED_SUFFIXES, media_type
from minerva_desktop.documents.limits import Limits
from minerva_desktop.documents.pool import ReaderPool, read_document

__all__ = ["SUPPORTED_SUFFIXES", "Limits", "ReaderPool", "media_type", "read_document"]
