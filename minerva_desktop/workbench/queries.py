"""What a person can look at in an open library. Queries are read-only and may run in parallel."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from minerva_desktop import questions, retrieval
from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.domains.user_lexicon import LexiconProblem, UserLexicon, check_rows
from minerva_desktop.errors import MinervaError, NotFound, UsageError
from minerva_desktop.events import CancelToken
from minerva_desktop.language import formulas
from minerva_desktop.language.units import using_units
from minerva_desktop.library import Library
from minerva_desktop.models import embedder as embedders
from minerva_desktop.models.calls import Asker
from minerva_desktop.pipeline.kept import KeptDocuments
from minerva_desktop.questions import reverse
from minerva_desktop.records import (
    Answer,
    Box,
    ChangeSet,
    Document,
    Fact,
    PageImage,
    Paper,
    QuoteResult,
    Run,
    RunDetails,
    RunDiff,
    Textbook,
)
from minerva_desktop.settings import Settings
from minerva_desktop.workbench.graphs import GraphQueries
from minerva_desktop.workbench.teaching import Teaching, known_kind, lexicon_as_data, read_rows

Subscriber = Callable[[ChangeSet], None]


class Queries(GraphQueries):
    """A library that is open to be looked at.

    Raises:
        NotFound: there is no library and ``create`` is false.
        LibraryBusy: another process has it open.
    """

    def __init__(self, library_dir: Path, settings: Settings, *, create: bool = True, offline: bool = False) -> None:
        self._settings = settings
        self.offline = offline or settings.offline
        self.library_dir = library_dir
        pack = load_domain(settings.domain)
        self._teaching = Teaching(library_dir, pack)
        self.library = Library.open(
            library_dir, create=create, domain=pack, computed=computed_columns, tools=self._teaching.tools()
        )
        self.library.use_domain(self._teaching.current().domain)
        if not self.library.catalog.gate():
            self.library.catalog.set_gate(settings.gate)
        self.settings = settings
        # A job holds ``_work`` from start to end and ``_changes`` only while it writes, so that a person can accept,
        # reject and undo meanwhile. Taken in this order.
        self._work = threading.RLock()
        self._changes = threading.RLock()
        self._passwords: list[str] = []
        self._subscribers: list[Subscriber] = []
        self._cancels: dict[str, CancelToken] = {}
        self._watching: dict[Path, Any] = {}
        self._kept = KeptDocuments()
        self._pool: ReaderPool | None = None
        self._pool_lock = threading.Lock()
        self._embedders: dict[tuple[str, str], embedders.Embedder | None] = {}
        self._embedder_lock = threading.Lock()

    @property
    def settings(self) -> Settings:
        """The person's settings; the gate is the one by which this library decides."""
        return self._settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self._settings = settings.model_copy(update={"gate": self.library.catalog.gate()})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop running jobs at their next safe point, then close the library."""
        for token in list(self._cancels.values()):
            token.cancel()
        self._end_background()
        with self._work, self._changes:
            if self._pool is not None:
                self._pool.close()
                self._pool = None
            self._close_web()
            self._close_guests()
            self.library.close()

    def _end_background(self) -> None:
        """End what is done behind all else, where there is such a thing."""

    def _close_web(self) -> None:
        """End what talks to the network, where there is such a thing."""

    def _close_guests(self) -> None:
        """End what asks language models, where there is such a thing."""

    def asker(self, job: str = "") -> Asker | None:
        """What asks language models, with the budget of a job where one is named; None where there is none."""
        return None

    # ----------------------------------------------------------------------------------------- queries: lexicon
    @property
    def domain(self) -> Domain:
        """The domain pack with the library's lexicon as its files are now."""
        return self.current_lexicon().domain

    def current_lexicon(self) -> UserLexicon:
        """The library's lexicon as its files are now, read anew when they changed."""
        lexicon = self._teaching.current()
        self.library.use_domain(lexicon.domain)
        return lexicon

    def lexicon(self) -> dict[str, Any]:
        """What the person taught the program: ``folder, hash, kinds: [kind, columns, rows, count, broken], problems``."""
        return lexicon_as_data(self.current_lexicon(), self.library.lexicon_folder)

    def check_lexicon(self, kind: str, rows: Sequence[Mapping[str, str]]) -> list[LexiconProblem]:
        """What would be wrong with these rows of one kind; ``row`` is the place in ``rows``."""
        return check_rows(self.current_lexicon(), known_kind(kind), rows)

    def read_lexicon_file(self, kind: str, file: Path) -> list[dict[str, str]]:
        """The rows of a CSV file of one kind, as they stand there.

        Raises:
            MinervaError: it cannot be read as a table of this kind.
        """
        return list(read_rows(known_kind(kind), file).rows)

    # ------------------------------------------------------------------------------------------ queries: papers
    def papers(self) -> list[Paper]:
        return self.library.catalog.papers()

    def paper(self, ref: str) -> Paper:
        """The paper with this id, sha256 prefix, DOI or file name."""
        return self.library.catalog.resolve(ref)

    def document(self, ref: str) -> Document:
        return self.library.catalog.document(self.paper(ref).id)

    def page_count(self, ref: str) -> int:
        return self.paper(ref).pages

    def page_image(self, ref: str, page: int, scale: float = 1.5) -> PageImage:
        """A rendered page; ``scale`` is pixels per PDF point.

        Encrypted papers open with the passwords that were given since the program started; they are kept nowhere else.

        Raises:
            MinervaError: it cannot be drawn; code ``encrypted``: see :meth:`unlock`.
        """
        paper = self.paper(ref)
        if not 1 <= page <= paper.pages:
            raise NotFound(f"“{paper.title}” has no page {page}; it has {paper.pages}.")
        with self._pool_lock:
            if self._pool is None:
                self._pool = ReaderPool(self._limits(), workers=1)
            pool = self._pool
        file = self.library.catalog.stored_file(paper.id)
        for password in (None, *self._passwords):
            try:
                return pool.render(file, page, scale, password)
            except MinervaError as error:
                locked = error
                if error.code != "encrypted":
                    raise
        raise locked

    def evidence_image(self, ref: str, boxes: Sequence[Box], scale: float = 1.5) -> PageImage | None:
        """The piece of a page that holds the boxes (of its first page), as the page is printed; None without boxes."""
        on = [box for box in boxes if box[0] == boxes[0][0]]
        return crop(self.page_image(ref, on[0][0], scale), on) if on else None

    def unlock(self, ref: str, password: str) -> None:
        """Try a password on an encrypted paper and keep it for this session.

        Raises:
            MinervaError: it does not open the paper; code ``encrypted``.
        """
        self._passwords.insert(0, password)
        try:
            self.page_image(ref, 1, 0.2)
        except MinervaError:
            self._passwords.remove(password)
            raise

    def textbooks(self) -> list[Textbook]:
        return self.library.catalog.textbooks()

    def find(self, query: str, limit: int = 20) -> retrieval.SearchResult:
        """Passages of papers and textbooks that fit the query, best first."""
        return retrieval.search(
            self.library, query, limit=limit, fusion=self.settings.fusion, embedder=self.query_embedder()
        )

    def where_is(self, text: str, limit: int = 10) -> QuoteResult:
        """Where a pasted sentence, quotation, value or number stands in papers and textbooks, best first.

        Raises:
            UsageError: there is nothing to look for.
        """
        with using_units(self.domain.units):
            return reverse.look_up(self.library, text, limit)

    # ------------------------------------------------------------------------------------------- queries: facts
    def facts(
        self,
        status: str | None = None,
        paper: str | None = None,
        type: str | None = None,  # noqa: A002 - the name a caller expects for a relation type
        text: str | None = None,
        limit: int | None = None,
        offset: int = 0,
    ) -> list[Fact]:
        paper_id = self.paper(paper).id if paper else None
        return self.library.catalog.facts(
            status=status, paper=paper_id, type=type, text=text, limit=limit, offset=offset
        )

    def count_facts(
        self,
        status: str | None = None,
        paper: str | None = None,
        type: str | None = None,  # noqa: A002
        text: str | None = None,
    ) -> int:
        paper_id = self.paper(paper).id if paper else None
        return self.library.catalog.count_facts(status=status, paper=paper_id, type=type, text=text)

    def fact(self, fact_id: str) -> Fact:
        return self.library.catalog.fact(fact_id)

    def stats(self) -> dict[str, Any]:
        """Counts for the status bar, and what undo and redo would do."""
        catalog = self.library.catalog
        labels = catalog.undo_labels()
        return {
            "papers": len(catalog.papers()),
            "textbooks": len(catalog.textbooks()),
            "accepted": catalog.count_facts(status="accepted"),
            "waiting": catalog.count_facts(status="waiting"),
            "refused": catalog.count_facts(status="refused"),
            "undo_label": labels[0],
            "redo_label": labels[1],
            "embeddings": self.embedding_note(),
        }

    # --------------------------------------------------------------------------------------- queries: questions
    def ask(
        self,
        question: str,
        *,
        route: str = "auto",
        engine: str = "auto",
        accepted_only: bool = False,
        cancel: CancelToken | None = None,
        on_text: Callable[[str], None] | None = None,
        after: str = "",
    ) -> Answer:
        """The answer to a question. ``engine``: builtin, model, both, or auto (a model where one is in use). ``after``: the
        question before it as it was understood, for one that goes on from there ("and of AlN?").

        ``on_text`` is told the words of a model as they come, in the calling thread; nothing has checked them yet, and the
        answer that is returned takes their place.

        Raises:
            UsageError: there is no question, no such route or engine, or no model for the engine "model".
            Cancelled: the person stopped it.
        """
        if engine == "model" and self.offline:
            raise UsageError(
                "The program is offline, so no language model can be asked.",
                hint="Go online, or ask with the built-in engine (--engine builtin).",
            )
        domain = self.domain
        with using_units(domain.units):
            return questions.ask(
                self.library,
                domain,
                question,
                embedder=self.query_embedder(),
                settings=self.settings,
                route=route,
                accepted_only=accepted_only,
                cancel=cancel,
                asker=None if engine == "builtin" else self.asker(),
                engine=engine,
                on_text=on_text,
                after=after,
            )

    # -------------------------------------------------------------------------------------------- queries: jobs
    def jobs(self) -> list[dict[str, Any]]:
        return self.library.catalog.jobs()

    def job(self, job_id: str) -> dict[str, Any]:
        return self.library.catalog.job(job_id)

    def runs(self) -> list[Run]:
        """What was read when, newest first, and how much it found."""
        return self.library.catalog.runs()

    def run(self, ref: str) -> RunDetails:
        """One run with its papers."""
        return self.library.catalog.run_details(ref)

    def keep_question_run(self, name: str, record: Mapping[str, Any]) -> str:
        """Keep what asking a question set came to among the runs; returns the run's id."""
        with self._changes:
            return self.library.catalog.keep_question_run(name, record)

    def diff_runs(self, one: str, other: str) -> RunDiff:
        """What one run found and the other did not, or found otherwise."""
        return self.library.catalog.diff_runs(one, other)

    def history(self, limit: int = 50) -> list[dict[str, Any]]:
        return self.library.catalog.history(limit)

    # ------------------------------------------------------------------------------------------------- embedder
    def embedder(self) -> embedders.Embedder | None:
        """The embedder of the settings, loaded at first use; None when it is switched off or its weights are not there."""
        return self._embedder_in(self.settings.embedding_model) if self.settings.embeddings else None

    def query_embedder(self) -> embedders.Embedder | None:
        """The embedder that made the vectors in use, as long as it can be loaded: another one is being changed to then."""
        now = self.embedder()
        model = self.library.vectors.model() if now is not None else ""
        if now is None or model in {"", now.model_id}:
            return now
        before = self._embedder_in(self.library.embedder_folder(model), model)
        return before if before is not None and before.model_id == model else now

    def embedding_note(self) -> str:
        """One sentence on how search works here, without loading anything heavy."""
        if not self.settings.embeddings:
            return "Search by words only (embeddings are switched off)."
        return embedders.status(self.settings.embedding_model)

    def _embedder_in(self, folder: str, model: str = embedders.MODEL_ID) -> embedders.Embedder | None:
        """That in the folder; without one, that of this id which comes with the program."""
        key = (folder, "" if folder else model)
        with self._embedder_lock:
            if key not in self._embedders:
                self._embedders[key] = embedders.load_embedder(folder, model)
            return self._embedders[key]

    def _limits(self) -> Limits:
        return Limits(
            seconds=self.settings.read_seconds,
            memory_mb=self.settings.read_memory_mb,
            pages=self.settings.read_pages,
        )


def crop(image: PageImage, boxes: Sequence[Box], margin: float = 3.0) -> PageImage:
    """The rectangle of a page's picture around boxes (page points), with a margin."""
    left = max(0, int((min(box[1] for box in boxes) - margin) * image.scale))
    top = max(0, int((min(box[2] for box in boxes) - margin) * image.scale))
    right = min(image.width, int((max(box[3] for box in boxes) + margin) * image.scale) + 1)
    bottom = min(image.height, int((max(box[4] for box in boxes) + margin) * image.scale) + 1)
    left, top = min(left, image.width - 1), min(top, image.height - 1)
    width, height = max(1, right - left), max(1, bottom - top)
    stride = image.width * 3
    rows = [
        image.rgb[(top + row) * stride + left * 3 : (top + row) * stride + (left + width) * 3] for row in range(height)
    ]
    return PageImage(image.page, width, height, image.scale, b"".join(rows))


def computed_columns(material: str) -> dict[str, object]:
    """Columns of a Material node that follow from its name: the molar mass, when it is a plain formula."""
    formula = formulas.parse_formula(material)
    if not formula.ok:
        return {}
    mass = formulas.molar_mass(formula)
    return {} if mass is None else {"molecular_weight": round(mass, 4)}
