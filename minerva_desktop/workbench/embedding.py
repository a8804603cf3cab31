"""Embedding passages behind all else: in a thread of its own, in small portions, while no job runs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from minerva_desktop.errors import Cancelled, MinervaError
from minerva_desktop.events import CancelToken, Progress, ProgressSink

log = logging.getLogger(__name__)

_LOOK = 0.2  # seconds between two looks whether a job is still running
State = Literal["running", "waiting", "done", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class Embedding:
    """How far it is: ``done`` of ``total`` passages. ``waiting``: a job goes first. ``message``: why it failed."""

    state: State
    done: int = 0
    total: int = 0
    message: str = ""


Work = Callable[[ProgressSink, CancelToken, Callable[[], None]], None]


class BackgroundEmbedding:
    """Does ``work`` whenever it is woken, one at a time; ``told`` hears of it in this thread.

    ``busy`` says whether something else goes first. A cancelled or killed one has lost nothing: the next goes on from there.
    """

    def __init__(self, work: Work, busy: Callable[[], bool], told: Callable[[Embedding], None]) -> None:
        self._work, self._busy, self._told = work, busy, told
        self._wanted = threading.Event()
        self._quiet = threading.Event()
        self._quiet.set()
        self._closed = False
        self._cancel = CancelToken()
        self._last = Embedding("done")
        self._thread = threading.Thread(target=self._run, name="minerva-embed", daemon=True)
        self._thread.start()

    @property
    def quiet(self) -> bool:
        """Whether there is nothing to do."""
        return self._quiet.is_set()

    def wake(self) -> None:
        """Something may have come that has no vector yet."""
        self._quiet.clear()
        self._wanted.set()

    def wait(self, seconds: float) -> bool:
        """Wait until there is nothing to do; returns whether that is so."""
        return self._quiet.wait(seconds)

    def stop(self) -> None:
        """Stop what is running; it goes on when it is woken next."""
        self._cancel.cancel()

    def close(self) -> None:
        """Stop, and end the thread."""
        self._closed = True
        self._cancel.cancel()
        self._wanted.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self._wanted.wait()
            if self._closed:
                return
            self._wanted.clear()
            self._cancel = CancelToken()
            if self._closed:  # between the two lines above
                return
            self._once()
            if not self._wanted.is_set():
                self._quiet.set()

    def _once(self) -> None:
        self._last = Embedding("done")
        try:
            self._work(self._on_progress, self._cancel, self._let_others)
        except Cancelled:
            self._tell("stopped")
        except Exception as error:
            if not self._closed:
                log.warning("embedding failed", exc_info=error)
                self._tell("failed", error.message if isinstance(error, MinervaError) else str(error))
        else:
            if self._last.state != "done":
                self._tell("done")

    def _on_progress(self, step: Progress) -> None:
        self._last = Embedding("running", step.done, step.total)
        self._told(self._last)

    def _let_others(self) -> None:
        """Come back when no job runs, or when this is to stop."""
        if self._busy() and self._last.state == "running":
            self._tell("waiting")
        while self._busy() and not self._cancel.cancelled:
            threading.Event().wait(_LOOK)

    def _tell(self, state: State, message: str = "") -> None:
        self._last = Embedding(state, self._last.done, self._last.total, message)
        self._told(self._last)
