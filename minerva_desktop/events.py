"""Progress events and the cancel token that long work takes. No Qt, no I/O."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from minerva_desktop.errors import Cancelled


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of a job. ``done`` and ``total`` count ``unit`` (files, pages, relations); total 0 = unknown.

    ``item`` names what is being worked on; ``stage`` is one of: arrive, read, extract, check, write, index.
    ``status`` is filled when an item has ended (as in the ingest report; it counts as done then), else empty.
    """

    job: str = ""
    stage: str = ""
    item: str = ""
    done: int = 0
    total: int = 0
    unit: str = "files"
    message: str = ""
    status: str = ""


ProgressSink = Callable[[Progress], None]


def ignore_progress(_: Progress) -> None:
    """The sink for callers that do not want progress."""


class CancelToken:
    """Set from any thread; long work calls :meth:`check` between steps and so stops at the next safe point.

    ``parent``: a token that sets this one too.
    """

    def __init__(self, parent: CancelToken | None = None) -> None:
        self._event = threading.Event()
        self._parent = parent

    def cancel(self) -> None:
        self._event.set()

    @property
    def cancelled(self) -> bool:
        return self._event.is_set() or (self._parent is not None and self._parent.cancelled)

    def check(self) -> None:
        """Raise :class:`Cancelled` when the token is set."""
        if self.cancelled:
            raise Cancelled("Stopped as you asked; what was finished is kept.")
