"""What language models have said and used: ``models.sqlite`` in the library's folder.

Replies (so that a re-run is free and the same), the log of calls, and the texts that models made of pages. Nothing here
is the record: the file comes with the first reply, can be deleted at any time, and what cannot be read of it holds up
nothing. It holds no paths, so that a copied library answers from the same replies.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import astuple, fields
from pathlib import Path
from typing import TypeVar

from minerva_desktop.errors import MinervaError
from minerva_desktop.library.database import Database, marks
from minerva_desktop.records import CallRecord, GeneratedText, RoleSpending

T = TypeVar("T")

FILE = "models.sqlite"
MOST_CALLS = 100_000
MOST_BYTES = 2 * 2**30
_TOUCHED = 500  # replies that were read before their use is written down
_SLACK = 1_000  # lines of the log over its bound before it is cut

_CALL = tuple(item.name for item in fields(CallRecord))
_GENERATED = tuple(item.name for item in fields(GeneratedText))

MIGRATIONS = (
    """
    CREATE TABLE replies (key TEXT PRIMARY KEY, text TEXT NOT NULL, size INTEGER NOT NULL, used INTEGER NOT NULL);
    CREATE INDEX replies_used ON replies (used, size);
    CREATE TABLE calls (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, job TEXT NOT NULL, role TEXT NOT NULL,
      profile TEXT NOT NULL, model TEXT NOT NULL, prompt TEXT NOT NULL, version TEXT NOT NULL, item TEXT NOT NULL,
      tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, estimated INTEGER NOT NULL, dollars REAL NOT NULL,
      seconds REAL NOT NULL, attempts INTEGER NOT NULL, mode TEXT NOT NULL, outcome TEXT NOT NULL);
    CREATE INDEX calls_job ON calls (job, seq);
    CREATE INDEX calls_at ON calls (at);
    CREATE TABLE generated (
      paper TEXT NOT NULL, page INTEGER NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, label TEXT NOT NULL,
      text TEXT NOT NULL, model TEXT NOT NULL, version TEXT NOT NULL, PRIMARY KEY (paper, page, position)) WITHOUT ROWID;
    """,
)
"""Append-only; the file's ``user_version`` is how many of them it has had."""


class ModelStore:
    """The file, opened at first use and made at the first write. All methods may be called from any thread.

    What can be done without (replies, log) never raises: ``problem`` says in a sentence what was wrong, "" when nothing
    was. ``most_calls`` bounds the log, ``most_bytes`` the replies; the oldest, the least recently used go first.
    """

    def __init__(self, path: Path, *, most_calls: int = MOST_CALLS, most_bytes: int = MOST_BYTES) -> None:
        self.path = path
        self.problem = ""
        self._most_calls = most_calls
        self._most_bytes = most_bytes
        self._lock = threading.RLock()
        self._db: Database | None = None
        self._given_up = False
        self._touched: dict[str, int] = {}
        self._stamp = 0
        self._bytes = 0

    def close(self) -> None:
        """Write down what was used and close the file; it is not opened again."""
        with self._lock:
            if self._db is not None:
                self._try(self._write_touched)
                self._db.close()
            self._db, self._given_up = None, True

    # ----------------------------------------------------------------------------------------------- replies
    def get(self, key: str) -> str | None:
        """The reply kept under a key, None when there is none."""

        def read(db: Database) -> str | None:
            text = db.scalar("SELECT text FROM replies WHERE key = ?", [key])
            if text is None:
                return None
            self._stamp += 1
            self._touched[key] = self._stamp
            if len(self._touched) >= _TOUCHED:
                self._write_touched(db)
            return str(text)

        with self._lock:
            return self._try(read, create=False)

    def put(self, key: str, text: str) -> None:
        """Keep a reply; a second one under the same key replaces the first."""
        if not _storable(text):
            return  # half a character pair, as broken servers send: asked again next time

        def write(db: Database) -> None:
            size = len(key) + len(text.encode("utf-8"))
            with db.transaction() as connection:
                old = connection.execute("SELECT size FROM replies WHERE key = ?", [key]).fetchone()
                self._stamp += 1
                connection.execute(
                    "INSERT OR REPLACE INTO replies (key, text, size, used) VALUES (?, ?, ?, ?)",
                    [key, text, size, self._stamp],
                )
            self._touched.pop(key, None)
            self._bytes += size - (int(old[0]) if old else 0)
            if self._bytes > self._most_bytes:
                self._write_touched(db)
                self._drop_replies(db)

        with self._lock:
            self._try(write)

    def reply_bytes(self) -> int:
        """How much room the replies take, in bytes."""
        with self._lock:
            return self._try(lambda _: self._bytes, create=False) or 0

    def _write_touched(self, db: Database) -> None:
        if self._touched:
            with db.transaction() as connection:
                used = [(stamp, key) for key, stamp in self._touched.items()]
                connection.executemany("UPDATE replies SET used = ? WHERE key = ?", used)
            self._touched.clear()

    def _drop_replies(self, db: Database) -> None:
        """The least recently used go until a tenth of the room is free, so that not every reply has to clear up."""
        goal = self._most_bytes * 9 // 10
        with db.transaction() as connection:
            while self._bytes > goal:
                rows = connection.execute("SELECT used, size FROM replies ORDER BY used LIMIT 200").fetchall()
                for row in rows:
                    if self._bytes <= goal:
                        break
                    connection.execute("DELETE FROM replies WHERE used = ?", [row[0]])
                    self._bytes -= int(row[1])
                if not rows:
                    self._bytes = 0

    # ------------------------------------------------------------------------------------------- log of calls
    def log(self, record: CallRecord) -> None:
        """Write a call down."""

        def write(db: Database) -> None:
            values = [_clean(value) if isinstance(value, str) else value for value in astuple(record)]
            with db.transaction() as connection:
                cursor = connection.execute(
                    f"INSERT INTO calls ({', '.join(_CALL)}) VALUES {marks(len(_CALL))}", values
                )
                last = int(cursor.lastrowid or 0)
                if last % _SLACK == 0 or self._most_calls < _SLACK:
                    connection.execute("DELETE FROM calls WHERE seq <= ?", [last - self._most_calls])

        with self._lock:
            self._try(write)

    def calls(self, limit: int = 200, job: str = "") -> list[CallRecord]:
        """The latest calls, newest first; those of one job, when it is named."""
        where, values = ("WHERE job = ? ", [job]) if job else ("", [])
        query = f"SELECT {', '.join(_CALL)} FROM calls {where}ORDER BY seq DESC LIMIT ?"
        with self._lock:
            rows = self._try(lambda db: db.rows(query, [*values, limit]), create=False) or []
        return [_record(row) for row in rows]

    def by_role(self, since: str = "", job: str = "") -> list[RoleSpending]:
        """What each role used of each model, since a time (ISO 8601, UTC) and in one job, where these are given."""
        where = " AND ".join([*(["at >= ?"] if since else []), *(["job = ?"] if job else [])])
        asked = "outcome <> 'cached'"
        query = (
            "SELECT role, model, count(*), sum(outcome = 'cached'), "
            "sum(outcome NOT IN ('ok', 'cached', 'repaired')), "
            f"sum(tokens_in * ({asked})), sum(tokens_out * ({asked})), sum(dollars * ({asked})) "
            f"FROM calls {f'WHERE {where} ' if where else ''}GROUP BY role, model ORDER BY role, model"
        )
        values = [item for item in (since, job) if item]
        with self._lock:
            rows = self._try(lambda db: db.rows(query, values), create=False) or []
        return [RoleSpending(*tuple(row)) for row in rows]

    def used_by(self, job: str) -> tuple[int, float]:
        """(tokens, US dollars) that a job has used so far."""
        rows = self.by_role(job=job)
        return sum(row.tokens_in + row.tokens_out for row in rows), sum(row.dollars for row in rows)

    def clear_calls(self) -> None:
        """Forget the log. The replies stay."""

        def clear(db: Database) -> None:
            with db.transaction() as connection:
                connection.execute("DELETE FROM calls")

        with self._lock:
            self._try(clear, create=False)

    # ----------------------------------------------------------------------------------------- generated texts
    def save_generated(self, paper: str, pages: Iterable[int], texts: Sequence[GeneratedText]) -> None:
        """Make these the texts of these pages of a paper; what was there is replaced.

        Raises:
            MinervaError: they cannot be written.
        """

        def write(db: Database) -> None:
            with db.transaction() as connection:
                for page in sorted(set(pages)):
                    connection.execute("DELETE FROM generated WHERE paper = ? AND page = ?", [paper, page])
                    rows = [
                        (at, *(_clean(value) if isinstance(value, str) else value for value in astuple(item)))
                        for at, item in enumerate(one for one in texts if one.page == page)
                    ]
                    statement = f"INSERT INTO generated (position, {', '.join(_GENERATED)}) VALUES {marks(8)}"
                    connection.executemany(statement, rows)

        with self._lock:
            db = self._database(create=True)
            if db is None:
                raise MinervaError(self.problem or "The library is closed.", code="model-store")
            try:
                write(db)
            except sqlite3.DatabaseError as error:
                self._note(error)
                raise MinervaError(self.problem, code="model-store") from error

    def generated(self, paper: str, page: int | None = None) -> list[GeneratedText]:
        """What models made of a paper's pages, in reading order."""
        query = f"SELECT {', '.join(_GENERATED)} FROM generated WHERE paper = ? "
        query += "ORDER BY page, position" if page is None else "AND page = ? ORDER BY position"
        values = [paper] if page is None else [paper, page]
        with self._lock:
            rows = self._try(lambda db: db.rows(query, values), create=False) or []
        return [GeneratedText(*tuple(row)) for row in rows]

    # ------------------------------------------------------------------------------------------------ internals
    def _try(self, work: Callable[[Database], T], create: bool = True) -> T | None:
        """The result of some work on the file; None when there is no file, or it failed."""
        try:
            db = self._database(create)
            return None if db is None else work(db)
        except (sqlite3.DatabaseError, MinervaError) as error:
            self._note(error)
            return None

    def _database(self, create: bool) -> Database | None:
        if self._db is not None or self._given_up:
            return self._db
        if not create and not self.path.exists():
            return None
        try:
            self._db = self._opened()
        except sqlite3.OperationalError as error:
            self._note(error)
            self._given_up = True
        except sqlite3.DatabaseError as error:
            self._set_aside(error)
            return self._database(create)
        return self._db

    def _opened(self) -> Database | None:
        version = _migrate(self.path)
        if version > len(MIGRATIONS):
            self.problem = f"{FILE} was written by a newer version; replies of models are neither used nor kept."
            self._given_up = True
            return None
        db = Database(self.path, durable=False)
        self._stamp = int(db.scalar("SELECT coalesce(max(used), 0) FROM replies"))
        self._bytes = int(db.scalar("SELECT coalesce(sum(size), 0) FROM replies"))
        return db

    def _set_aside(self, error: Exception) -> None:
        """Put a file that is no database out of the way, once; its write-ahead log must not meet the new one."""
        aside = self.path.with_name(f"{FILE}.damaged")
        try:
            self.path.replace(aside)
            for ending in ("-wal", "-shm"):
                self.path.with_name(FILE + ending).unlink(missing_ok=True)
        except OSError:
            self._note(error)
            self._given_up = True
            return
        self.problem = f"{FILE} could not be read and was set aside as {aside.name}; models are asked anew."

    def _note(self, error: Exception) -> None:
        why = error.message if isinstance(error, MinervaError) else str(error)
        self.problem = f"{FILE} cannot be used: {why.rstrip('.')}."
        if "malformed" in why:
            self.problem += " Delete it: it is made anew."


def _migrate(path: Path) -> int:
    """Bring the file to the current tables; returns its version, which is above ours when a newer program wrote it."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=30)) as connection:
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
            connection.execute("BEGIN IMMEDIATE")
            for statement in script.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")
            version = number
    return version


def _record(row: sqlite3.Row) -> CallRecord:
    values = dict(zip(_CALL, tuple(row), strict=True))
    return CallRecord(**values | {"estimated": bool(values["estimated"])})


def _storable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
