"""One open library: its folder, its lock, the catalog, and the two projections of it."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from types import TracebackType

from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.errors import Cancelled, DomainError, MinervaError, NotFound
from minerva_desktop.events import CancelToken, ProgressSink, ignore_progress
from minerva_desktop.library import model_store, repairing
from minerva_desktop.library.audit import AuditReport, Circumstances, audit
from minerva_desktop.library.base import Tools
from minerva_desktop.library.catalog import Catalog
from minerva_desktop.library.database import Database
from minerva_desktop.library.graph import Graph
from minerva_desktop.library.graph_schema import graph_schema
from minerva_desktop.library.lock import LibraryLock
from minerva_desktop.library.model_store import ModelStore
from minerva_desktop.library.projection import Projection
from minerva_desktop.library.schema import migrate
from minerva_desktop.library.vectors import Vectors

DEFAULT_DOMAIN = "materials"


class Library:
    """A library that this process holds. Open with :meth:`open`; close it, or use it as a context manager.

    Attributes:
        path: the folder.
        catalog: papers, facts, passages, jobs, journal (SQLite).
        graph: accepted facts (Kuzu).
        vectors: passages by meaning (FAISS).
        projection: what writes the graph from the catalog.
        models: what language models said and used; no part of the record.
        unclean: the process that had it open before was killed.
    """

    def __init__(
        self,
        path: Path,
        lock: LibraryLock,
        domain: Domain,
        packs: Callable[[str], Domain],
        computed: Callable[[str], Mapping[str, object]],
        tools: Tools,
    ) -> None:
        self.path = path
        self._lock = lock
        self._closed = False
        migrate(path / "library.sqlite")
        self._db = Database(path / "library.sqlite")
        self.catalog = Catalog(self._db, path / "files", domain, tools)
        self._packs = packs
        self._pack_notes: list[str] = []
        self._in_graph: dict[str, Domain] = self._read_with() | {domain.name: domain}
        self._name_by(domain)
        self.graph = Graph(path / "graph.kuzu", graph_schema(*self._in_graph.values()))
        self.vectors = Vectors(path / "vectors", self._db)
        self.models = ModelStore(path / model_store.FILE)
        self.projection = Projection(self.catalog, self.graph, tools, computed)
        self._begin()

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        create: bool = False,
        domain: Domain | None = None,
        packs: Callable[[str], Domain] = load_domain,
        computed: Callable[[str], Mapping[str, object]] | None = None,
        tools: Tools | None = None,
    ) -> Library:
        """Open the library in this folder, or make one there.

        ``domain`` (default: materials) and the packs with which papers here were read, as ``packs(name)`` gives them, shape
        the graph; ``computed(name)`` gives columns of a material that follow from its name; ``tools`` are what the library
        needs of the quantity parser.

        Raises:
            NotFound: there is none, and ``create`` is false.
            LibraryBusy: another process has it open.
            LibraryTooNew: a newer version wrote it.
        """
        file = path / "library.sqlite"
        if not file.exists():
            if not create:
                raise NotFound(f"There is no library in {path}.", hint="Adding the first paper makes one.")
            _make_folder(path)
        lock = LibraryLock(path)
        try:
            pack = domain or packs(DEFAULT_DOMAIN)
            return cls(path, lock, pack, packs, computed or (lambda _: {}), tools or Tools())
        except BaseException:
            lock.release()
            raise

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def notes(self) -> list[str]:
        """What a person should know about the state in which the library was found, one sentence each."""
        return [*self._pack_notes, *self.graph.notes, *self.vectors.notes]

    def close(self) -> None:
        """Save what is not saved and let go of the folder. Doing so twice does no harm."""
        if self._closed:
            return
        self._closed = True
        try:
            self.models.close()
            self.vectors.close()
            self.graph.close()
            self._db.set_meta("open", "")
        finally:
            self._db.close()
            self._lock.release()

    def use_domain(self, domain: Domain) -> None:
        """Name properties by this domain from now on: the pack with what a person's lexicon adds to it.

        The graph keeps to the packs: its tables and columns are theirs, and a graph made anew must be equal to the one
        there is, whatever the lexicon says by then. A pack that it does not have yet is added to it.
        """
        if domain.name not in self._in_graph:
            self._in_graph[domain.name] = self._packs(domain.name)
            self.graph.use_schema(graph_schema(*self._in_graph.values()))
        self._name_by(domain)

    def pack_of(self, paper: str) -> Domain:
        """The domain with which a paper was read: the one in use, as it is now, or the pack of another name.

        A paper whose pack is not there any more counts as one of the domain in use.
        """
        name = self.catalog.pack_name(paper) or DEFAULT_DOMAIN
        in_use = self.catalog.domain
        assert in_use is not None
        return in_use if name == in_use.name else self._in_graph.get(name, in_use)

    def _name_by(self, domain: Domain) -> None:
        self.catalog.domain = domain
        others = (pack for name, pack in sorted(self._in_graph.items()) if name != domain.name)
        self.catalog.other_packs = tuple(others)

    @property
    def lexicon_folder(self) -> Path:
        """Where the person's lexicon files are."""
        return self.catalog.lexicon_folder

    def project(self, fact_ids: Sequence[str] = (), *, papers: bool = True) -> None:
        """Bring the graph up to date, at least for these facts.

        The catalog notes in the transaction of each change what the graph must look at again; that is what is written,
        whatever is named here. Facts that did not change cost nothing.
        """
        self.graph.ensure()

    def rebuild(self, progress: ProgressSink = ignore_progress, cancel: CancelToken | None = None) -> None:
        """Make the graph anew and drop the vectors (``retrieval.index_vectors`` makes them again)."""
        self.projection.progress, self.projection.cancel = progress, cancel
        try:
            self.graph.rebuild()
            self.vectors.clear()
        finally:
            self.projection.progress, self.projection.cancel = ignore_progress, None

    def audit(self, repair: bool = False, now: Circumstances | None = None) -> AuditReport:
        """Hold record, graph, vectors and files against each other. ``repair`` makes anew what follows from the record and
        does not fit it. ``now``: what the library cannot know by itself."""
        return repairing.repair(self, now) if repair else audit(self, now)

    def note_embedder(self, model: str, folder: str) -> None:
        """Keep in which folder the embedding model of a person's own is, so that its vectors can still be asked when
        another has been chosen."""
        if folder and self._db.meta(f"embedder:{model}") != folder:
            self._db.set_meta(f"embedder:{model}", folder)

    def embedder_folder(self, model: str) -> str:
        """Where that embedding model was; empty for the one that comes with the program."""
        return self._db.meta(f"embedder:{model}")

    def checkpoint_if_idle(self, cancel: CancelToken | None = None) -> None:
        """Fold the write-ahead logs into their files; call it when nothing else is going on. Others may go on meanwhile."""
        self.graph.compact(cancel)
        with suppress(Cancelled):
            self.vectors.save(idle=True, cancel=cancel)
        self._db.checkpoint()

    def _read_with(self) -> dict[str, Domain]:
        """The packs with which the papers here were read, by name; one that is not there any more is left out."""
        found: dict[str, Domain] = {}
        for row in self._db.rows("SELECT DISTINCT domain FROM papers ORDER BY domain"):
            name = row[0] or DEFAULT_DOMAIN
            try:
                found[name] = self._packs(name)
            except DomainError as error:
                self._pack_notes.append(
                    f"Papers here were read with the domain pack “{name}”, whose facts the graph cannot show: "
                    f"{error.message}"
                )
        return found

    def _begin(self) -> None:
        if not self._db.meta("library_id"):
            self._db.set_meta("library_id", secrets.token_hex(8))
        self.catalog.renew_words()
        self.unclean = bool(self._db.meta("open"))
        if self.unclean:
            self.graph.suspect = True
            self.catalog.interrupt_jobs()
        self._db.set_meta("open", "1")


def gate_of(path: Path) -> str:
    """The gate by which the library in this folder decides; empty when there is none. It may be open elsewhere: nothing is
    locked and nothing written."""
    file = path / "library.sqlite"
    if not file.exists():
        return ""
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as db:
            row = db.execute("SELECT value FROM meta WHERE key = 'gate'").fetchone()
    except sqlite3.DatabaseError:
        return ""
    return str(row[0]) if row else ""


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MinervaError(
            f"The folder {path} cannot be made: {error.strerror or error}.", hint="Choose another folder."
        ) from error
