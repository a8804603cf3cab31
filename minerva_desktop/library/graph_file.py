"""The file of the graph: opened at first use, made anew when it is missing, damaged or of another state, kept small.

A projection of the catalog that may be deleted at any time: whatever is wrong with the file, the answer is to make it anew.
No automatic checkpoint: a process killed during one can leave a file that never opens again. So a log that has grown is
folded into a copy, by a child process, and the copy takes the file's place.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from minerva_desktop.errors import GraphError, LibraryBusy
from minerva_desktop.events import CancelToken
from minerva_desktop.library import graph_read
from minerva_desktop.library.graph_changes import difference, tables_as_text
from minerva_desktop.library.graph_engine import LOADING_POOL, Session, folds, open_database, survives
from minerva_desktop.library.graph_load import Loader
from minerva_desktop.library.graph_schema import CONCEPT, CONCEPT_COLUMNS, STATE_TABLE, GraphSchema, quoted
from minerva_desktop.library.graph_write import IN_PARTS, Writer, merge_nodes, set_state

LONG_LOG = 2 << 20  # bytes, about fifteen papers: at opening the engine reads one in half a second
ENDLESS_LOG = 32 << 20  # reading it takes longer than making a middling file anew
SMALL = 32 << 20  # bytes of a file that is made anew in a few seconds


class Feed(Protocol):
    """Where the graph gets its content."""

    def accepts(self, generation: str) -> bool:
        """Whether a graph that shows this state can be brought up to date by :meth:`catch_up`."""

    def agrees(self, fact_ids: Sequence[str]) -> bool:
        """Whether these are the accepted facts, apart from those that are still to be written."""

    def behind(self) -> bool:
        """Whether something has changed that the graph does not show."""

    def catch_up(self) -> None:
        """Write what has changed."""

    def fill(self) -> None:
        """Write everything into an empty graph."""

    def left_out(self) -> int:
        """How many accepted facts have no place in the tables."""


class GraphFile:
    """``graph.kuzu`` of one library, and who may use it when.

    One Database object for each process; one writer at a time (the lock), readers beside it.
    """

    def __init__(self, path: Path, schema: GraphSchema) -> None:
        self.path = path
        self.schema = schema
        self.notes: list[str] = []
        self.suspect = False  # the last process did not end cleanly: look at the file in a child process first
        self._feed: Feed | None = None
        self._db: Any = None
        self._holes = False  # edges of facts were deleted since the file was filled
        self._commits = 0
        self._lock = threading.RLock()
        self._running: set[Session] = set()
        self._quiet = threading.Condition(threading.Lock())

    def connect(self, feed: Feed) -> None:
        """Name the source of the content; done once, by the library."""
        self._feed = feed

    def use_schema(self, schema: GraphSchema) -> None:
        """Keep to these tables from now on; a graph with others is made anew at its next use."""
        with self._lock:
            if schema.signature() != self.schema.signature():
                with self._alone():
                    self._shut()
                self.schema = schema

    def close(self) -> None:
        """Let go of the file; queries that still run are stopped."""
        with self._lock:
            with self._quiet:
                running = list(self._running)
            for session in running:
                session.interrupt()
            with self._alone():
                self._shut()

    def ensure(self) -> None:
        """Open the file, make it anew if that is needed, and bring it up to date."""
        with self._lock:
            self._open()
            if self._feed is not None and self._feed.behind():
                self._feed.catch_up()

    # ---------------------------------------------------------------------------------------------------- writing
    @contextmanager
    def writing(self, generation: str = "") -> Iterator[Writer]:
        """A transaction; all or nothing. With ``generation`` the graph shows that state once it is committed."""
        with self._lock:
            self._open()
            connection = self._connection()
            try:
                connection.execute("BEGIN TRANSACTION")
                try:
                    writer = Writer(connection, self.schema)
                    yield writer
                    if writer.deleted:
                        set_state(connection, "holes", "1")
                    if generation:
                        set_state(connection, "generation", generation)
                    connection.execute("COMMIT")
                    self._commits += 1
                    self._holes = self._holes or writer.deleted
                except BaseException:
                    _quietly(lambda: connection.execute("ROLLBACK"))
                    raise
            except RuntimeError as error:
                raise GraphError(f"The graph could not be written: {graph_read.first_line(error)}.") from error
            finally:
                connection.close()

    @contextmanager
    def loading(self, generation: str) -> Iterator[Loader]:
        """Fill the empty graph that :meth:`rebuild` has just made; it then shows this state."""
        connection = self._connection()
        loader = Loader(connection, self.schema, self.path.with_name(self.path.name + ".csv"))
        try:
            yield loader
            loader.copy()
            set_state(connection, "generation", generation)
        except RuntimeError as error:
            raise GraphError(f"The graph could not be written: {graph_read.first_line(error)}.") from error
        finally:
            loader.close()
            connection.close()

    def rebuild(self) -> None:
        """Make the file anew from the catalog."""
        with self._lock, self._alone():
            self._make()

    def compact(self, cancel: CancelToken | None = None) -> None:
        """Fold a log that has grown large into the file; call it when nothing else is going on.

        The work is done on a copy while the file stays in use; what is written meanwhile makes the copy void. Where edges
        were deleted, a copy would be made of a log that is replayed, which may lose others: a small file is made anew, a
        large one folded as it stands in memory, while queries wait.
        """
        with self._lock:
            if self._db is None or not self.path.exists():
                return
            if self._holes and self.path.stat().st_size < SMALL:
                self.rebuild()
                return
            if self._holes and self._log_size() > LONG_LOG:
                self._fold_here()
                return
            if self._log_size() <= LONG_LOG:
                return
            commits, copy = self._commits, self._copied()
        try:
            if not folds(copy, cancel):
                return
            with self._lock:
                if self._db is not None and self._commits == commits:
                    with self._alone():
                        self._shut()
                        self._put_in_place(copy)
        finally:
            _delete(copy)

    def _fold_here(self) -> None:
        """Fold the log from what is in memory. Killed in between, the file may not open again and is then made anew."""
        with self._alone():
            connection = self._connection()
            try:
                set_state(connection, "holes", "")
                connection.execute("CHECKPOINT")
            finally:
                connection.close()
            self._holes = False
            self._commits += 1

    # ---------------------------------------------------------------------------------------------------- opening
    def _open(self) -> None:
        if self._db is not None and self.path.exists():
            return
        with self._alone():
            if self._db is not None:
                self._shut()
                self.notes.append("The graph's file had been deleted; it was made anew.")
            why = ""
            if self.path.exists():
                usable, why = self._usable()
                if usable:
                    return
            self._make()
            if why:
                self.notes.append(why + self._told_left_out())

    def _usable(self) -> tuple[bool, str]:
        """Open the file that is there. (False, a sentence to note or "") when it must be made anew."""
        if self._log_size() > ENDLESS_LOG:
            return False, ""
        if self.suspect and not survives(self.path):
            self._set_aside("could not be read after the last program end")
            return False, ""
        try:
            self._db = open_database(self.path)
            state = self._state()
        except (RuntimeError, OSError, ValueError, UnicodeDecodeError, IndexError) as error:
            self._shut()
            if "lock" in str(error).lower():  # busy, not broken
                raise LibraryBusy(
                    "The graph of this library is open in another program.", hint="Close that program and try again."
                ) from error
            self._set_aside(f"does not open ({graph_read.first_line(error)})")
            return False, ""
        fits, why = self._fits(state)
        if not fits:
            self._shut()
        return fits, why

    def _fits(self, state: Mapping[str, str]) -> tuple[bool, str]:
        """Whether the open file shows a state from which it can be brought up to date; else why not, for the person."""
        if state.get("schema") != self.schema.signature():
            changed = difference(state.get("tables", ""), self.schema)
            return False, f"The graph was made anew from the record, because {changed}."
        if self._feed is None:
            return True, ""
        if state.get(IN_PARTS) or not self._feed.accepts(state.get("generation", "")):
            return False, ""
        if state.get("holes"):  # replaying a log in which edges were deleted may lose others, also after a clean end
            killed, self.suspect, self._holes = self.suspect, False, True
            return not killed and self._feed.agrees(self._ids()), ""
        if self.suspect:
            self.suspect = False
            if not self._feed.agrees(self._ids()):
                return False, "The graph had lost changes at the last program end; it was made anew."
        return True, ""

    def _told_left_out(self) -> str:
        count = self._feed.left_out() if self._feed is not None else 0
        if not count:
            return ""
        facts = "One accepted fact has" if count == 1 else f"{count} accepted facts have"
        return f" {facts} no place in it; the record keeps them."

    def _ids(self) -> list[str]:
        connection = self._connection()
        try:
            return [
                item
                for name in self.schema.fact_edges
                for item in graph_read.column(connection, f"MATCH ()-[r:{quoted(name)}]->() RETURN r.fact_id")
            ]
        finally:
            connection.close()

    def _state(self) -> dict[str, str]:
        connection = self._connection()
        try:
            rows = connection.execute(f"MATCH (s:{STATE_TABLE}) RETURN s.key, s.value").get_all()
        finally:
            connection.close()
        return {str(key): str(value) for key, value in rows}

    # ----------------------------------------------------------------------------------------------------- making
    def _make(self) -> None:
        """A new file in place of the old one. It is filled under another name, so that a crash leaves no half graph."""
        self._shut()
        self.suspect = False
        new = self._beside()
        target = self.path
        self._db = open_database(new, LOADING_POOL)
        self._holes = False
        self._commits += 1
        try:
            self.path = new
            connection = self._connection()
            try:
                for statement in self.schema.statements():
                    connection.execute(statement)
                set_state(connection, "schema", self.schema.signature())
                set_state(connection, "tables", tables_as_text(self.schema))
                merge_nodes(connection, CONCEPT, CONCEPT_COLUMNS, self.schema.concepts)
            finally:
                connection.close()
            if self._feed is not None:
                self._feed.fill()
            connection = self._connection()
            connection.execute("CHECKPOINT")  # so that the file is complete without its log
            connection.close()
        finally:
            self.path = target
            self._shut()
        self._put_in_place(new)

    def _copied(self) -> Path:
        """A copy of the file with its log. (Reading the file drops the engine's own lock on it; the library's stays.)"""
        copy = self._beside()
        shutil.copyfile(self.path, copy)
        shutil.copyfile(_log(self.path), _log(copy))
        return copy

    def _beside(self) -> Path:
        new = self.path.with_name(self.path.name + ".new")
        _delete(new)
        return new

    def _put_in_place(self, new: Path) -> None:
        """A complete file takes the place of the old one. Killed in between, there is none, or one of an older state."""
        with new.open("rb+") as stream:
            os.fsync(stream.fileno())
        _delete(self.path)
        new.replace(self.path)
        self._db = open_database(self.path)

    def _log_size(self) -> int:
        log = _log(self.path)
        return log.stat().st_size if log.exists() else 0

    def _set_aside(self, why: str) -> None:
        number = 1
        while (moved := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
            number += 1
        self.path.replace(moved)
        for log in (_log(self.path), self.path.with_name(self.path.name + ".shadow")):
            if log.exists():
                log.replace(moved.with_name(moved.name + log.suffix))
        self.notes.append(f"The graph {why}; it was moved to {moved.name} and made anew from the catalog.")

    # ------------------------------------------------------------------------------------------------ connections
    def _shut(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def _connection(self) -> Session:
        return Session(self._db)

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        with self._lock:
            self.ensure()
            with self._quiet:
                connection = self._connection()
                self._running.add(connection)
        try:
            yield connection
        finally:
            with self._quiet:
                self._running.discard(connection)
                connection.close()
                self._quiet.notify_all()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait until nobody reads; new readers wait for the lock, which is held."""
        with self._quiet:
            self._quiet.wait_for(lambda: not self._running)
        yield


def _log(path: Path) -> Path:
    return path.with_name(path.name + ".wal")


def _delete(path: Path) -> None:
    for file in (path, _log(path), path.with_name(path.name + ".shadow")):
        file.unlink(missing_ok=True)


def _quietly(call: Callable[[], object]) -> None:
    try:
        call()
    except RuntimeError:
        return  # the engine rolled back by itself
