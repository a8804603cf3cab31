"""The graph engine, Kuzu: the only module that imports it. Opening files, running statements, stopping them."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from minerva_desktop.events import CancelToken

BUFFER_POOL = 256 << 20
LOADING_POOL = 1 << 30  # while a file is filled; half a million edges take about that
MAX_SIZE = 1 << 36  # the default reserves 8 TB of address space, which fails where that is limited
_PATIENCE = 0.2  # seconds between two looks at a child process
_LOOK = 0.02  # seconds between two looks at a cancel token


def open_database(path: Path, memory: int = BUFFER_POOL) -> Any:
    """The engine's database in a file, which is made where there is none. It never checkpoints by itself.

    ``memory``: bytes that it may take at most for pages and for what is not checkpointed yet.
    """
    import kuzu

    database = kuzu.Database(
        str(path), buffer_pool_size=memory, max_db_size=MAX_SIZE, auto_checkpoint=False, max_num_threads=2
    )
    connection = kuzu.Connection(database)
    connection.execute("CALL force_checkpoint_on_close = false")
    connection.close()
    return database


class Session:
    """A connection that takes one statement at a time."""

    def __init__(self, database: Any) -> None:
        import kuzu

        self._connection: Any = kuzu.Connection(database)
        self.set_query_timeout = self._connection.set_query_timeout
        self.close = self._connection.close
        self.interrupt = self._connection.interrupt

    def execute(self, query: str, params: Mapping[str, Any] | None = None) -> Any:
        """The engine's result of a statement of our own."""
        return self._connection.execute(query, dict(params or {}))

    def prepared(self, query: str, params: Mapping[str, Any]) -> Any:
        """The engine's result of one statement; several in one text are refused.

        Raises:
            RuntimeError: it is wrong, or it is more than one.
        """
        return self._connection.execute(self.compiled(query), dict(params))

    def compiled(self, query: str) -> Any:
        """One statement as the engine understands it; it is not run.

        Raises:
            RuntimeError: it is wrong, or it is more than one.
        """
        from kuzu.prepared_statement import PreparedStatement

        # Prepared without the parameters: given to both steps, a large batch would be converted twice.
        statement = PreparedStatement(self._connection, query, {})
        if not statement.is_success():
            raise RuntimeError(statement.get_error_message())
        return statement


@contextmanager
def stopped_by(cancel: CancelToken | None, session: Session) -> Iterator[None]:
    """Interrupt what the session runs when the token is set; :class:`Cancelled` is raised then.

    The engine looks for an interruption only while it runs a statement, so it is repeated until the work has ended.
    """
    if cancel is None:
        yield
        return
    cancel.check()
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_LOOK):
            if cancel.cancelled:
                session.interrupt()

    watcher = threading.Thread(target=watch, name="graph-cancel", daemon=True)
    watcher.start()
    try:
        yield
    except Exception:
        cancel.check()
        raise
    finally:
        ended.set()
        watcher.join()
    cancel.check()


def survives(path: Path) -> bool:
    """Whether a child process can open the file and read all of it. A damaged one may crash whoever opens it."""
    return _in_child("probe", path, 120)


def folds(path: Path, cancel: CancelToken | None = None) -> bool:
    """Fold the log of a file that nobody uses into it, in a child process; whether that went well."""
    return _in_child("fold", path, 600, cancel)


def _in_child(task: str, path: Path, seconds: float, cancel: CancelToken | None = None) -> bool:
    """Whether a task of this module went well in a process of its own, in time and without being stopped."""
    if getattr(sys, "frozen", False):
        import multiprocessing

        spawned = multiprocessing.get_context("spawn").Process(target=_TASKS[task], args=(str(path),), daemon=True)
        spawned.start()
        while spawned.is_alive() and seconds > 0 and not (cancel is not None and cancel.cancelled):
            spawned.join(_PATIENCE)
            seconds -= _PATIENCE
        spawned.kill()
        spawned.join()
        return spawned.exitcode == 0
    code = f"from minerva_desktop.library.graph_engine import {task}; {task}({str(path)!r})"
    quiet = subprocess.DEVNULL
    try:
        child = subprocess.Popen([sys.executable, "-c", code], stdin=quiet, stdout=quiet, stderr=quiet)
    except OSError:
        return False
    with child:
        while child.poll() is None and seconds > 0 and not (cancel is not None and cancel.cancelled):
            with suppress(subprocess.TimeoutExpired):
                child.wait(_PATIENCE)
            seconds -= _PATIENCE
        child.kill()
    return child.returncode == 0


def probe(path: str) -> None:
    """Open a graph and read every node and edge of it; run in a child process. Leaves the file as it is."""
    import kuzu

    db = kuzu.Database(path, buffer_pool_size=BUFFER_POOL, max_db_size=MAX_SIZE, read_only=True)
    connection = kuzu.Connection(db)
    for query in ("MATCH (n) RETURN n", "MATCH ()-[r]->() RETURN r"):
        result: Any = connection.execute(query)
        while result.has_next():
            result.get_next()
    connection.close()
    db.close()


def fold(path: str) -> None:
    """Checkpoint a file; run in a child process, on a copy."""
    database = open_database(Path(path))
    session = Session(database)
    session.execute("CHECKPOINT")
    session.close()
    database.close()


_TASKS = {"probe": probe, "fold": fold}
