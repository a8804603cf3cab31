"""The graph of accepted facts in Kuzu: a projection of the catalog that may be deleted at any time.

The only module that knows Kuzu. One Database object for each process, one writer at a time, readers beside it in
read-only transactions. No automatic checkpoint: a process killed during one can leave a file that never opens again.
Whatever is wrong with the file, the answer is to make it anew from the catalog.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from minerva_desktop.errors import GraphError, LibraryBusy
from minerva_desktop.library import graph_read
from minerva_desktop.library.graph_lists import spelt_out
from minerva_desktop.library.graph_load import Loader
from minerva_desktop.library.graph_schema import (
    CONCEPT,
    CONCEPT_COLUMNS,
    PAPER,
    STATE_TABLE,
    GraphSchema,
    quoted,
)
from minerva_desktop.library.graph_write import Writer, merge_nodes, set_state

BUFFER_POOL = 256 << 20
MAX_SIZE = 1 << 36  # the default reserves 8 TB of address space, which fails where that is limited
TIMEOUT = 20.0
T = TypeVar("T")
MAX_LOG = 64 << 20


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


class Graph:
    """``graph.kuzu`` of one library. Opened at first use; made anew when it is missing, damaged or of another state."""

    def __init__(self, path: Path, schema: GraphSchema) -> None:
        self.path = path
        self.schema = schema
        self.notes: list[str] = []
        self.suspect = False  # the last process did not end cleanly: look at the file in a child process first
        self._feed: Feed | None = None
        self._db: Any = None
        self._holes = False  # edges of facts were deleted since the file was filled
        self._lock = threading.RLock()
        self._readers = 0
        self._quiet = threading.Condition(threading.Lock())

    def connect(self, feed: Feed) -> None:
        """Name the source of the content; done once, by the library."""
        self._feed = feed

    def close(self) -> None:
        with self._lock, self._alone():
            self._shut()

    # ---------------------------------------------------------------------------------------------------- reading
    def query(
        self, cypher: str, params: Mapping[str, Any] | None = None, timeout: float = TIMEOUT, limit: int = 1000
    ) -> list[dict[str, Any]]:
        """At most ``limit`` rows of one read-only query, which may take ``timeout`` seconds.

        Raises:
            GraphError: it is no single read-only query, it is wrong, or it took too long.
        """
        graph_read.check_reading(cypher)
        with self._lock:
            self.ensure()
            bound = dict(params or {})
            if self._holes:
                spelt, bound_spelt, complete = spelt_out(cypher, bound)
                if complete:
                    cypher, bound = spelt, bound_spelt
                else:
                    self.rebuild()
        with self._reading() as connection:
            return graph_read.rows(connection, cypher, bound, timeout, limit)

    def complaint(self, cypher: str) -> str:
        """What the engine would refuse in a query, as one sentence; "" when it would run. Nothing is run."""
        with self._reading() as connection:
            return graph_read.complaint(connection, cypher)

    def stats(self) -> dict[str, dict[str, int]]:
        """How many nodes and edges there are of each type."""
        with self._reading() as connection:
            return {
                "nodes": {
                    name: graph_read.number(connection, f"MATCH (n:{quoted(name)}) RETURN count(*)")
                    for name in self.schema.nodes
                },
                "edges": {
                    name: graph_read.number(connection, f"MATCH ()-[r:{quoted(name)}]->() RETURN count(*)")
                    for name in self.schema.edges
                },
            }

    def nodes(self, limit: int = 200) -> list[dict[str, str]]:
        """Up to ``limit`` nodes with ``name`` and ``type``: entities by type and name, then concepts, then papers."""
        found: list[dict[str, str]] = []
        for name in self.schema.nodes:
            label = "title" if name == PAPER else "name"
            left = limit - len(found)
            if left <= 0:
                break
            query = f"MATCH (n:{quoted(name)}) RETURN n.{label} AS name ORDER BY name LIMIT {left}"
            found += [{"name": str(row["name"] or ""), "type": name} for row in self.query(query, limit=left)]
        return found

    def fact_ids(self) -> list[str]:
        """The fact id of every fact edge, sorted; an id that is there twice stands twice."""
        with self._reading():
            return sorted(self._ids())

    def read(self, what: Callable[[Any, GraphSchema], T]) -> T:
        """What a function of :mod:`~minerva_desktop.library.graph_read` reads."""
        with self._reading() as connection:
            return what(connection, self.schema)

    def content(self) -> list[str]:
        """Every node and edge as one line of text, sorted: equal graphs give equal lines."""
        return self.read(graph_read.content)

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

    def compact(self) -> None:
        """Make the file anew when its write-ahead log has grown large or edges were deleted from it.

        There is no checkpoint of the live file: it can take half a minute, and a process killed during one can leave a
        file that does not open.
        """
        with self._lock:
            if self._db is not None and (self._holes or self._log_size() > MAX_LOG):
                self.rebuild()

    def ensure(self) -> None:
        """Open the file, make it anew if that is needed, and bring it up to date."""
        with self._lock:
            self._open()
            if self._feed is not None and self._feed.behind():
                self._feed.catch_up()

    # -------------------------------------------------------------------------------------------------- internals
    def _open(self) -> None:
        if self._db is not None and self.path.exists():
            return
        with self._alone():
            if self._db is not None:
                self._shut()
                self.notes.append("The graph's file had been deleted; it was made anew.")
            if self.path.exists() and self._usable():
                return
            self._make()

    def _usable(self) -> bool:
        """Open the file that is there; False when it must be made anew."""
        if self._log_size() > MAX_LOG:  # replaying it would take longer than making the file anew
            return False
        if self.suspect and not survives(self.path):
            self._set_aside("could not be read after the last program end")
            return False
        try:
            self._db = self._database(self.path)
            state = self._state()
        except (RuntimeError, OSError, ValueError, UnicodeDecodeError, IndexError) as error:
            self._shut()
            if "lock" in str(error).lower():  # busy, not broken
                raise LibraryBusy(
                    "The graph of this library is open in another program.", hint="Close that program and try again."
                ) from error
            self._set_aside(f"does not open ({graph_read.first_line(error)})")
            return False
        if self._fits(state):
            return True
        self._shut()
        return False

    def _fits(self, state: Mapping[str, str]) -> bool:
        """Whether the open file shows a state from which it can be brought up to date."""
        if state.get("schema") != self.schema.signature():
            return False
        if self._feed is None:
            return True
        if not self._feed.accepts(state.get("generation", "")):
            return False
        if "holes" in state:  # replaying a log in which edges were deleted may lose others, also after a clean end
            self.suspect = False
            return False
        if self.suspect:
            self.suspect = False
            if not self._feed.agrees(self._ids()):
                self.notes.append("The graph had lost changes at the last program end; it was made anew.")
                return False
        return True

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

    def _make(self) -> None:
        """A new file in place of the old one. It is filled under another name, so that a crash leaves no half graph."""
        self._shut()
        self.suspect = False
        new = self.path.with_name(self.path.name + ".new")
        _delete(new)
        target = self.path
        self._db = self._database(new)
        self._holes = False
        try:
            self.path = new
            connection = self._connection()
            try:
                for statement in self.schema.statements():
                    connection.execute(statement)
                set_state(connection, "schema", self.schema.signature())
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
        _delete(target)
        new.replace(target)
        self._db = self._database(target)

    def _log_size(self) -> int:
        log = self.path.with_name(self.path.name + ".wal")
        return log.stat().st_size if log.exists() else 0

    def _set_aside(self, why: str) -> None:
        number = 1
        while (moved := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
            number += 1
        self.path.replace(moved)
        for log in (self.path.with_name(self.path.name + ".wal"), self.path.with_name(self.path.name + ".shadow")):
            if log.exists():
                log.replace(moved.with_name(moved.name + log.suffix))
        self.notes.append(f"The graph {why}; it was moved to {moved.name} and made anew from the catalog.")

    def _shut(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    @staticmethod
    def _database(path: Path) -> Any:
        import kuzu

        database = kuzu.Database(
            str(path), buffer_pool_size=BUFFER_POOL, max_db_size=MAX_SIZE, auto_checkpoint=False, max_num_threads=2
        )
        connection = kuzu.Connection(database)
        connection.execute("CALL force_checkpoint_on_close = false")
        connection.close()
        return database

    def _connection(self) -> Session:
        import kuzu

        return Session(kuzu.Connection(self._db))

    def _state(self) -> dict[str, str]:
        connection = self._connection()
        try:
            rows = connection.execute(f"MATCH (s:{STATE_TABLE}) RETURN s.key, s.value").get_all()
        finally:
            connection.close()
        return {str(key): str(value) for key, value in rows}

    @contextmanager
    def _reading(self) -> Iterator[Any]:
        with self._lock:
            self.ensure()
            with self._quiet:
                self._readers += 1
            connection = self._connection()
        try:
            yield connection
        finally:
            connection.close()
            with self._quiet:
                self._readers -= 1
                self._quiet.notify_all()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait until nobody reads; new readers wait for the lock, which is held."""
        with self._quiet:
            self._quiet.wait_for(lambda: self._readers == 0)
        yield


class Session:
    """A connection that takes one statement at a time."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.set_query_timeout = connection.set_query_timeout
        self.close = connection.close

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


def survives(path: Path) -> bool:
    """Whether a child process can open the file and read all of it. A damaged one may crash whoever opens it."""
    if getattr(sys, "frozen", False):
        import multiprocessing

        child = multiprocessing.get_context("spawn").Process(target=probe, args=(str(path),), daemon=True)
        child.start()
        child.join(120)
        if child.is_alive():
            child.kill()
            child.join()
        return child.exitcode == 0
    code = f"from minerva_desktop.library.graph import probe; probe({str(path)!r})"
    try:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


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


def _delete(path: Path) -> None:
    for file in (path, path.with_name(path.name + ".wal"), path.with_name(path.name + ".shadow")):
        file.unlink(missing_ok=True)


def _quietly(call: Callable[[], object]) -> None:
    try:
        call()
    except RuntimeError:
        return  # the engine rolled back by itself
