"""Documents that were read a moment ago, so that a job which follows an estimate does not read them twice."""

from __future__ import annotations

import threading

from minerva_desktop.records import Document


class KeptDocuments:
    """Documents by the hash of their file; each is given out once, the oldest goes first. Thread-safe."""

    def __init__(self, most: int = 24) -> None:
        self._most = most
        self._documents: dict[str, Document] = {}
        self._lock = threading.Lock()

    def keep(self, digest: str, document: Document) -> None:
        """Keep a document."""
        with self._lock:
            self._documents.pop(digest, None)
            self._documents[digest] = document
            while len(self._documents) > self._most:
                del self._documents[next(iter(self._documents))]

    def take(self, digest: str) -> Document | None:
        """The document of this file, which is kept no longer."""
        with self._lock:
            return self._documents.pop(digest, None)
