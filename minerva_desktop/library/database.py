"""One SQLite file, used from several threads: one writer at a time, readers beside it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from minerva_desktop.errors import MinervaError

Row = sqlite3.Row
CHUNK = 500  # values in one IN (…): well below SQLite's limit, and few enough statements


class Database:
    """Connections to a file, as ``library.sqlite``. ``durable``: what is committed also survives a loss of power.

    Inside :meth:`transaction` the thread reads what it wrote; everyone else reads the last committed state from a pool
    of read-only connections. ``generation`` counts commits, for caches.
    """

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self.path = path
        self.generation = 0
        self._lock = threading.RLock()
        self._owner: int | None = None
        self._depth = 0
        self._after: list[Callable[[], None]] = []
        self._closed = False
        self._idle: list[sqlite3.Connection] = []
        self._idle_lock = threading.Lock()
        self._writer = self._connect()
        self._writer.execute("PRAGMA journal_mode = WAL")
        self._writer.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        self._writer.execute("PRAGMA foreign_keys = ON")

    def close(self) -> None:
        """Close all connections; an open transaction is rolled back."""
        with self._lock, self._idle_lock:
            self._closed = True
            for connection in self._idle:
                connection.close()
            self._idle.clear()
            if self._writer.in_transaction:
                self._writer.rollback()
            self._writer.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """The writing connection, in a transaction; all or nothing. May be nested (savepoints)."""
        with self._lock:
            self._check_open()
            self._depth += 1
            name = f"level{self._depth}"
            outermost = self._depth == 1
            try:
                self._writer.execute("BEGIN IMMEDIATE" if outermost else f"SAVEPOINT {name}")
                self._owner = threading.get_ident()
                try:
                    yield self._writer
                    self._writer.execute("COMMIT" if outermost else f"RELEASE {name}")
                except BaseException:
                    if self._writer.in_transaction:
                        self._writer.execute("ROLLBACK" if outermost else f"ROLLBACK TO {name}")
                        if not outermost:
                            self._writer.execute(f"RELEASE {name}")
                    raise
                if outermost:
                    self.generation += 1
                    for call in self._after:
                        call()
            except sqlite3.OperationalError as error:
                raise _readable(error) from error
            finally:
                self._depth -= 1
                if outermost:
                    self._owner = None
                    self._after.clear()

    def after_commit(self, call: Callable[[], None]) -> None:
        """Run this when the transaction of this thread has been committed; not at all when it is rolled back."""
        assert self.in_transaction
        self._after.append(call)

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection to read from: the writer inside this thread's transaction, else a read-only one."""
        if self._owner == threading.get_ident():
            yield self._writer
            return
        with self._idle_lock:
            self._check_open()
            connection = self._idle.pop() if self._idle else None
        if connection is None:
            connection = self._connect()
            connection.execute("PRAGMA query_only = ON")
        try:
            yield connection
        finally:
            with self._idle_lock:
                if self._closed:
                    connection.close()
                else:
                    self._idle.append(connection)

    @property
    def in_transaction(self) -> bool:
        """Whether this thread is inside :meth:`transaction`."""
        return self._owner == threading.get_ident()

    def rows(self, query: str, values: Sequence[Any] | dict[str, Any] = ()) -> list[Row]:
        """All rows of a query."""
        with self.read() as connection:
            return connection.execute(query, values).fetchall()

    def row(self, query: str, values: Sequence[Any] = ()) -> Row | None:
        """The first row, or None."""
        with self.read() as connection:
            first: Row | None = connection.execute(query, values).fetchone()
            return first

    def scalar(self, query: str, values: Sequence[Any] = ()) -> Any:
        """The first column of the first row, or None."""
        first = self.row(query, values)
        return None if first is None else first[0]

    def rows_in(
        self, query: str, values: Sequence[Any], before: Sequence[Any] = (), after: Sequence[Any] = ()
    ) -> list[Row]:
        """Rows of a query that holds ``IN (…)`` once, for any number of values. No order over the chunks.

        ``before`` and ``after`` are the values of the placeholders on either side of it.
        """
        found: list[Row] = []
        with self.read() as connection:
            for start in range(0, len(values), CHUNK):
                part = values[start : start + CHUNK]
                found += connection.execute(query.replace("(…)", marks(len(part))), [*before, *part, *after])
        return found

    def run_in(self, statement: str, values: Sequence[Any], before: Sequence[Any] = ()) -> None:
        """A changing statement that holds ``IN (…)`` once, for any number of values."""
        with self.transaction() as connection:
            for start in range(0, len(values), CHUNK):
                part = values[start : start + CHUNK]
                connection.execute(statement.replace("(…)", marks(len(part))), [*before, *part])

    def meta(self, key: str, default: str = "") -> str:
        """A value that the library keeps about itself."""
        value = self.scalar("SELECT value FROM meta WHERE key = ?", [key])
        return default if value is None else str(value)

    def set_meta(self, key: str, value: str) -> None:
        with self.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", [key, value])

    def checkpoint(self) -> None:
        """Fold the write-ahead log into the file, as far as no reader needs it."""
        with self._lock:
            if self._depth == 0:
                self._writer.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=30)
        connection.row_factory = sqlite3.Row
        return connection

    def _check_open(self) -> None:
        if self._closed:
            raise MinervaError("The library is closed.", hint="Open it again.", code="library-closed")


def marks(count: int) -> str:
    """``(?,?,?)``"""
    return "(" + ",".join("?" * count) + ")"


def _readable(error: sqlite3.OperationalError) -> Exception:
    text = str(error)
    if "disk is full" in text:
        return MinervaError(
            "The disk is full: the change was not made.", hint="Free some space and try again.", code="disk-full"
        )
    if "readonly" in text or "unable to open" in text:
        return MinervaError(
            "The library cannot be written to: the change was not made.",
            hint="Check that its folder may be written to.",
            code="read-only",
        )
    return error
