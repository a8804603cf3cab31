"""Errors that a person can read.

MinervaError                 what went wrong, and what to do (``hint``)
├── UsageError               the command or option is wrong (exit 2)
├── NotFound                 a paper, relation, job or library that is not there
├── LibraryBusy              another process holds the library
├── LibraryTooNew            the library was written by a newer version
├── DomainError              a domain pack is broken: file, line, reason
├── GraphError               the graph engine refused a statement
└── Cancelled                the person stopped it; never shown as a failure
"""

from __future__ import annotations


class MinervaError(Exception):
    """An expected failure. ``code`` is stable and machine-readable; ``message`` is one sentence for the person."""

    code = "failed"

    def __init__(self, message: str, *, hint: str = "", code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if code is not None:
            self.code = code


class UsageError(MinervaError):
    code = "usage"


class NotFound(MinervaError):
    code = "not-found"


class LibraryBusy(MinervaError):
    code = "library-busy"


class LibraryTooNew(MinervaError):
    code = "library-too-new"


class DomainError(MinervaError):
    code = "domain"


class GraphError(MinervaError):
    code = "graph"


class MissingPart(MinervaError):
    """A part of the program that is optional is not installed."""


class Cancelled(MinervaError):
    code = "cancelled"
