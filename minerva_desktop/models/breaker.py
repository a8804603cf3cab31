"""Ends a job's calls once a server is plainly of no use, so that a dead one fails a job once and not for every piece."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from minerva_desktop.models.calls import ErrorKind, ModelError

IN_A_ROW = 3
REST_SECONDS = 30.0
_COUNTED: frozenset[ErrorKind] = frozenset({"failed", "timeout", "rate-limited", "unreachable"})
_OPENING: frozenset[ErrorKind] = frozenset(
    {"unreachable", "unauthorised", "no-model", "rate-limited", "failed", "timeout"}
)


class Breaker:
    """Open after a fatal error, or after three calls in a row that failed; then every call fails at once with the same
    error, until 30 seconds later; the next failure then opens it anew. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._error: ModelError | None = None
        self._until = 0.0
        self._row = 0

    def check(self) -> None:
        """Raise the error that opened it, while it is open."""
        with self._lock:
            if self._error is not None and self._clock() < self._until:
                raise _again(self._error)

    def succeeded(self) -> None:
        """A call was answered, be it badly."""
        with self._lock:
            self._error, self._row = None, 0

    def failed(self, error: ModelError) -> ModelError:
        """A call has failed; returns the error to raise, which is fatal when it opened the breaker."""
        with self._lock:
            if error.kind not in _OPENING:
                return error
            self._row += error.kind in _COUNTED
            if not error.fatal and self._row >= IN_A_ROW:
                message = f"{error.message[:-1]}, {IN_A_ROW} times in a row."
                error = ModelError(error.kind, message, hint=error.hint, fatal=True)
            if error.fatal:
                self._error, self._until = error, self._clock() + REST_SECONDS
            return error


def _again(error: ModelError) -> ModelError:
    """The same error as an object of its own, so that no traceback grows."""
    return ModelError(error.kind, error.message, hint=error.hint, fatal=True)
