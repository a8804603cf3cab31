"""What the gateway keeps elsewhere: replies that were paid for, and what was spent this month. Protocols, and both in
memory for when there is no library."""

from __future__ import annotations

import threading
from typing import Protocol


class ReplyStore(Protocol):
    """Texts by the hash of the call that they answer. Thread-safe."""

    def get(self, key: str) -> str | None:
        """The text kept under a key, None when there is none."""
        ...

    def put(self, key: str, text: str) -> None:
        """Keep a text; a second one under the same key replaces the first."""
        ...


class Spending(Protocol):
    """What was spent in the present month (UTC), over all libraries. Thread-safe."""

    def month(self) -> tuple[int, float]:
        """(tokens, US dollars) of this month so far."""
        ...

    def add(self, tokens: int, dollars: float) -> None:
        """Count what a call has used."""
        ...


class MemoryReplies:
    """Replies that are forgotten with the process."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}
        self._lock = threading.Lock()

    def get(self, key: str) -> str | None:
        """The text kept under a key, None when there is none."""
        with self._lock:
            return self._kept.get(key)

    def put(self, key: str, text: str) -> None:
        """Keep a text; a second one under the same key replaces the first."""
        with self._lock:
            self._kept[key] = text


class MemorySpending:
    """Spending that is forgotten with the process."""

    def __init__(self, tokens: int = 0, dollars: float = 0.0) -> None:
        self._tokens, self._dollars = tokens, dollars
        self._lock = threading.Lock()

    def month(self) -> tuple[int, float]:
        """(tokens, US dollars) so far."""
        with self._lock:
            return self._tokens, self._dollars

    def add(self, tokens: int, dollars: float) -> None:
        """Count what a call has used."""
        with self._lock:
            self._tokens += tokens
            self._dollars += dollars
