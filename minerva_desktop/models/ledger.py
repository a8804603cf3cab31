"""What language models used in each month, over all libraries of a person: ``model-spending.sqlite`` beside the settings.

Several programs may count at once (a command beside the window). The ledger guards limits; it is no part of any result.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

FILE = "model-spending.sqlite"
_TABLE = (
    "CREATE TABLE IF NOT EXISTS spending (month TEXT NOT NULL, profile TEXT NOT NULL, calls INTEGER NOT NULL, "
    "tokens INTEGER NOT NULL, dollars REAL NOT NULL, PRIMARY KEY (month, profile)) WITHOUT ROWID"
)
_ADD = (
    "INSERT INTO spending (month, profile, calls, tokens, dollars) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, tokens = tokens + excluded.tokens, "
    "dollars = dollars + excluded.dollars"
)

Key = tuple[str, str]
Sums = tuple[int, int, float]
"""Calls, tokens, US dollars."""


class Ledger:
    """The ledger in one file. All methods may be called from any thread, and none raises: ``problem`` says in a sentence
    what was wrong, and what could not be written counts in this process and is written with the next call.

    ``clock`` gives the present time; months are those of UTC.
    """

    def __init__(self, path: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.path = path
        self.problem = ""
        self._clock = clock
        self._lock = threading.Lock()
        self._file: sqlite3.Connection | None = None
        self._unwritten: dict[Key, Sums] = {}

    def this_month(self) -> str:
        """The present month, as "2026-11"."""
        return self._clock().astimezone(UTC).strftime("%Y-%m")

    def of(self, profile: str) -> ProfileSpending:
        """What counts for one profile; it knows the month's sums of all."""
        return ProfileSpending(self, profile)

    def month(self) -> tuple[int, float]:
        """(tokens, US dollars) of this month so far, over all profiles, libraries and programs."""
        rows = self.by_profile()
        return sum(row[2] for row in rows), sum(row[3] for row in rows)

    def by_profile(self, month: str = "") -> list[tuple[str, int, int, float]]:
        """(profile, calls, tokens, US dollars) of a month, this one when none is named; by name."""
        month = month or self.this_month()
        query = "SELECT profile, calls, tokens, dollars FROM spending WHERE month = ?"
        with self._lock:
            rows = self._on_file(lambda file: file.execute(query, [month]).fetchall(), create=False) or []
            sums: dict[Key, Sums] = {(month, row[0]): (row[1], row[2], row[3]) for row in rows}
            for key, more in self._unwritten.items():
                if key[0] == month:
                    sums[key] = _sum(sums.get(key), more)
        return [(profile, *values) for (_, profile), values in sorted(sums.items())]

    def add(self, profile: str, tokens: int, dollars: float) -> None:
        """Count one call."""

        def write(file: sqlite3.Connection) -> None:
            with file:
                file.execute("BEGIN IMMEDIATE")
                file.executemany(_ADD, [(*key, *values) for key, values in self._unwritten.items()])
            self._unwritten.clear()

        with self._lock:
            key = (self.this_month(), profile)
            self._unwritten[key] = _sum(self._unwritten.get(key), (1, tokens, dollars))
            self._on_file(write, create=True)

    def close(self) -> None:
        """Close the file; it is opened again when it is needed."""
        with self._lock:
            if self._file is not None:
                self._file.close()
            self._file = None

    # ------------------------------------------------------------------------------------------------ internals
    def _on_file(self, work: Callable[[sqlite3.Connection], T], create: bool) -> T | None:
        """The result of some work on the file; None when there is none, or it failed."""
        if self._file is None and not create and not self.path.exists():
            return None
        try:
            if self._file is None:
                self._file = self._opened()
            return work(self._file)
        except sqlite3.OperationalError as error:
            self.problem = f"The ledger of models cannot be used ({error}); this program counts by itself."
        except sqlite3.DatabaseError:
            self._set_aside()
        except OSError as error:
            self.problem = f"The ledger of models cannot be made ({error.strerror}); this program counts by itself."
        return None

    def _opened(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = sqlite3.connect(self.path, isolation_level=None, timeout=5, check_same_thread=False)
        try:
            file.execute("PRAGMA journal_mode = WAL")
            file.execute("PRAGMA synchronous = NORMAL")
            file.execute(_TABLE)
        except BaseException:
            file.close()
            raise
        return file

    def _set_aside(self) -> None:
        aside = self.path.with_name(f"{self.path.name}.damaged")
        if self._file is not None:
            self._file.close()
        self._file = None
        try:
            self.path.replace(aside)
            for ending in ("-wal", "-shm"):  # they must not meet the new file
                self.path.with_name(self.path.name + ending).unlink(missing_ok=True)
        except OSError:
            self.problem = f"The ledger of models {self.path} cannot be read; this program counts by itself."
            return
        self.problem = (
            f"The ledger of models could not be read and was set aside as {aside}; this month counts from now on."
        )


class ProfileSpending:
    """The ledger as the gateway of one profile sees it."""

    def __init__(self, ledger: Ledger, profile: str) -> None:
        self._ledger = ledger
        self._profile = profile

    def month(self) -> tuple[int, float]:
        """(tokens, US dollars) of this month so far, over all profiles."""
        return self._ledger.month()

    def add(self, tokens: int, dollars: float) -> None:
        """Count what a call has used."""
        self._ledger.add(self._profile, tokens, dollars)


def _sum(one: Sums | None, other: Sums) -> Sums:
    return other if one is None else (one[0] + other[0], one[1] + other[1], one[2] + other[2])
