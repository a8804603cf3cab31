"""From a question to an answer: graph, facts and passages are looked up at the same time, then put into sentences.

No sentence is without a citation, and no number is anywhere that does not stand in the question, in a fact or in a
passage, or follow from them by a formula that is shown. A language model may write the query of the graph and word the
answer; what it makes is checked, and the built-in engine stands ready for both.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import TypeVar

from minerva_desktop.domains import Domain
from minerva_desktop.errors import Cancelled, MinervaError, UsageError
from minerva_desktop.events import CancelToken
from minerva_desktop.library import Library
from minerva_desktop.models.calls import Asker
from minerva_desktop.models.embedder import Embedder
from minerva_desktop.questions.aspects import asked_properties
from minerva_desktop.questions.citing import Citer
from minerva_desktop.questions.classifier import Question, Route
from minerva_desktop.questions.composing import compose
from minerva_desktop.questions.covering import LEAST_STRENGTH
from minerva_desktop.questions.cypher_model import Written, rows_by_model
from minerva_desktop.questions.describing import describe, description_in
from minerva_desktop.questions.findings import Found
from minerva_desktop.questions.guest import Guest, invited
from minerva_desktop.questions.joining import of_the_library
from minerva_desktop.questions.likeness import alike_to
from minerva_desktop.questions.lookup import (
    GraphRows,
    catalog_facts,
    graph_rows,
    known_names,
    sort_facts,
    wanted_of,
)
from minerva_desktop.questions.need import need_of
from minerva_desktop.questions.passages import Quoted
from minerva_desktop.questions.patterns import Wanted
from minerva_desktop.questions.tracing import Stopwatch, trace_of
from minerva_desktop.questions.understanding import Meant, meant_by, understood
from minerva_desktop.records import Answer, Fact, Passage
from minerva_desktop.retrieval import SearchResult, search
from minerva_desktop.settings import Settings

PASSAGES = 12
MANY = 40
_ROUTES = ("auto", "graph", "vector", "hybrid")
_ENGINE_ERRORS = (MinervaError, RuntimeError, OSError, ValueError, sqlite3.Error)
T = TypeVar("T")


def ask(
    library: Library,
    domain: Domain,
    question: str,
    *,
    embedder: Embedder | None = None,
    settings: Settings | None = None,
    route: str = "auto",
    accepted_only: bool = False,
    cancel: CancelToken | None = None,
    asker: Asker | None = None,
    engine: str = "builtin",
    on_text: Callable[[str], None] | None = None,
    after: str = "",
    least: float = LEAST_STRENGTH,
) -> Answer:
    """Answer a question from this library. ``after`` is the question before it, whole, for one that only makes sense then
    ("and of AlN?"). ``least`` is the strength of evidence below which nothing is answered (``questions.covering``).

    ``route``: graph (facts), vector (passages), hybrid (both), auto (as the question needs). With ``accepted_only``
    neither waiting facts nor the text of papers is used: only the graph and textbooks.

    ``engine``: builtin; model (``asker`` writes the query of the graph and words the answer); both (it writes the query
    only where no pattern fits or nothing was found, and the built-in sentences stand beside its own); auto (as both, where
    there is a model, without the built-in sentences). What the settings do not let a model do, it does not do.
    ``on_text`` is told the model's words as they come, before anything has checked them.

    Raises:
        UsageError: there is no question, no such route or engine, or no model for the engine "model".
        Cancelled: the person stopped it.
    """
    if not question.strip():
        raise UsageError("There is no question to answer.", hint="Ask, for example: What is the band gap of GaN?")
    if route not in _ROUTES:
        raise UsageError(f"There is no route “{route}”.", hint=f"Routes: {', '.join(_ROUTES)}.")
    token = cancel or CancelToken()
    token.check()
    settings = settings or Settings()
    guest, watch = invited(engine, asker, settings), Stopwatch()
    meant = watch.timed("understanding", lambda: _guarded(lambda: meant_by(library, domain, question, after)))
    meant = meant or Meant(question)
    asked, confused = watch.timed("understanding", lambda: _understood(library, domain, meant.text))
    described: list[Quoted] = []
    if route != "graph":
        kinds = ("textbook",) if accepted_only else ("paper", "textbook")
        named = partial(_named, library, domain, asked, kinds, embedder, settings)
        asked, described = watch.timed("describing", named)
    ways: Route = asked.route if route == "auto" else route  # type: ignore[assignment]
    automatic = route == "auto"
    found = _look_up(library, domain, asked, ways, embedder, settings, accepted_only, automatic, guest, token, watch)
    found.described = described
    if ways != "vector" and route != "vector" and not guest.writes_first:
        said = partial(of_the_library, library, asked, domain, accepted_only, token)
        found.said = watch.timed("graph", lambda: _guarded(said) or [])
    token.check()
    if confused:
        found.degraded = True
        found.notes.append("The question could not be sorted, so everything was searched.")
    alike = alike_to(asked.text, embedder)
    composed = watch.timed("composing", lambda: compose(library, domain, asked, found, least, alike))
    unasked = not (found.rows.cypher or found.waiting)  # no pattern fits
    if ways != "vector" and (unasked or not composed.answer.found) and not found.rows.failed:
        writing = _writing(asked, found.wanted, domain, library, token)
        rows = watch.timed("graph", lambda: guest.second_look(writing))
        if rows is not None:
            found.rows = rows
            _read_accepted(library, found)
            composed = watch.timed("composing", lambda: compose(library, domain, asked, found, least, alike))
    answer = watch.timed("wording", lambda: guest.finished(asked, composed, domain, token, on_text))
    facts = bool(found.accepted or found.waiting or found.rows.rows)
    fell_back = automatic and ways == "graph" and not facts and answer.found
    widened = automatic and ways == "vector" and bool(found.rows.rows)
    answer = replace(meant.said(answer, question), route="hybrid" if fell_back or widened else ways)
    searched = search_text(asked, domain)
    trace = trace_of(answer, asked, found, domain, chosen=route, confused=confused, searched=searched, watch=watch)
    return replace(answer, trace=trace)


def passages_for(
    library: Library,
    domain: Domain,
    question: str,
    *,
    embedder: Embedder | None = None,
    settings: Settings | None = None,
) -> tuple[Passage, ...]:
    """The passages that an answer to the question is sought in, best first: what a measurement of retrieval looks at."""
    settings = settings or Settings()
    asked, _ = _understood(library, domain, question)
    find = partial(search, library, fusion=settings.fusion, embedder=embedder, max_level=settings.max_textbook_level)
    return _search(find, asked, domain, ("paper", "textbook")).passages


def _understood(library: Library, domain: Domain, question: str) -> tuple[Question, bool]:
    try:
        return understood(question, domain, known_names(library, question[:500])), False
    except Exception:  # noqa: BLE001 - whatever goes wrong in sorting, the question is still answered, by both ways
        return Question(question, "general", "hybrid"), True


def _named(
    library: Library,
    domain: Domain,
    asked: Question,
    kinds: Sequence[str],
    embedder: Embedder | None,
    settings: Settings,
) -> tuple[Question, list[Quoted]]:
    """The question with the names of the materials that it describes, and the sentences that tell them."""
    description = description_in(asked, domain)
    if description is None:
        return asked, []
    find = partial(search, library, fusion=settings.fusion, embedder=embedder, max_level=settings.max_textbook_level)
    looked = _guarded(
        lambda: describe(
            description, lambda text: find(text, kinds=kinds, limit=PASSAGES).passages, domain, Citer(library)
        )
    )
    names, said = looked or ((), [])
    if not names:
        return asked, []
    again, confused = _understood(library, domain, description.named(names))
    return (asked, []) if confused or not again.of_type("Material") else (again, said)


# ---------------------------------------------------------------------------------------------------- sources
def _look_up(
    library: Library,
    domain: Domain,
    asked: Question,
    ways: Route,
    embedder: Embedder | None,
    settings: Settings,
    accepted_only: bool,
    automatic: bool,
    guest: Guest,
    cancel: CancelToken,
    watch: Stopwatch,
) -> Found:
    """Graph, waiting facts and passages, in parallel. A model that was asked for by name may ask the graph anything."""
    graph_too = ways != "vector" or (automatic and guest.writes_first)
    wanted = wanted_of(asked, domain, library) if graph_too else Wanted()
    kinds = ("textbook",) if accepted_only else ("paper", "textbook")
    found = Found(wanted=wanted)
    with ThreadPoolExecutor(max_workers=3, thread_name_prefix="ask") as pool:
        rows = None
        if graph_too:
            patterns = partial(_patterns, library, wanted, domain, cancel)
            writing = _writing(asked, wanted, domain, library, cancel)
            rows = pool.submit(watch.timed, "graph", lambda: guest.rows(patterns, writing))
        facts = None
        if ways != "vector" and not accepted_only:
            waiting = partial(catalog_facts, library, wanted, "waiting")
            facts = pool.submit(watch.timed, "waiting facts", lambda: _guarded(waiting))
        passages = None
        # An automatic graph route reads passages beside the graph: they answer when the graph has nothing.
        if ways != "graph" or automatic or asked.type == "calculation":
            find = partial(
                search, library, fusion=settings.fusion, embedder=embedder, max_level=settings.max_textbook_level
            )
            passages = pool.submit(
                watch.timed, "passages", lambda: _guarded(lambda: _search(find, asked, domain, kinds))
            )
        found.rows = rows.result() if rows else GraphRows()
        found.waiting = (facts.result() if facts else None) or []
        found.search = _passages(found, passages.result() if passages else SearchResult(), settings)
    _read_accepted(library, found)
    if asked.of_type("Method"):
        making = _guarded(lambda: _making(library, asked, accepted_only))
        found.making = making or []
    return found


def _making(library: Library, asked: Question, accepted_only: bool) -> list[Fact]:
    """Facts by which methods the materials of the question were made."""
    found = [
        fact
        for name in asked.of_type("Material")
        for fact in library.catalog.facts(type="SYNTHESIZED_BY", entity=("Material", name))
        if fact.decision.status == "accepted" or (fact.decision.status == "waiting" and not accepted_only)
    ]
    return sort_facts(fact for fact in found if fact.modality == "reported")


def _writing(
    asked: Question, wanted: Wanted, domain: Domain, library: Library, cancel: CancelToken
) -> Callable[[Asker], Written]:
    """What lets a model write the query."""
    return partial(rows_by_model, question=asked, wanted=wanted, domain=domain, library=library, cancel=cancel)


def _patterns(library: Library, wanted: Wanted, domain: Domain, cancel: CancelToken) -> GraphRows:
    return _guarded(lambda: graph_rows(library, wanted, domain, cancel)) or GraphRows(failed=True)


def _guarded(work: Callable[[], T]) -> T | None:
    """The result, or None when the source failed: one source's failure must not take the others along."""
    try:
        return work()
    except Cancelled:
        raise
    except _ENGINE_ERRORS:
        return None


def _search(find: Callable[..., SearchResult], asked: Question, domain: Domain, kinds: Sequence[str]) -> SearchResult:
    """Passages for the question. For a calculation textbooks have places of their own: they hold the constants."""
    text = search_text(asked, domain)
    need = need_of(asked, domain)
    if not asked.of_type("Material") and (asked.type == "comparison" or need.bound is not None):
        return find(text, kinds=kinds, limit=MANY)  # the most of all, and all above a bound, are among many
    result = find(text, kinds=kinds, limit=PASSAGES)
    if asked.type != "calculation" or tuple(kinds) == ("textbook",):
        return result
    seen = {item.id for item in result.passages}
    books = find(text, kinds=("textbook",), limit=PASSAGES)
    more = [item for item in books.passages if item.id not in seen]
    return replace(
        result,
        passages=(*result.passages, *more),
        arms={**books.arms, **result.arms},
        through={**books.through, **result.through},
    )


def _passages(found: Found, result: SearchResult | None, settings: Settings) -> SearchResult:
    if result is None:
        found.degraded = True
        found.notes.append("The passages could not be searched; “audit” says what is wrong.")
        return SearchResult()
    if result.note and settings.embeddings:
        found.notes.append(result.note)
        # Words alone are what was asked for when embeddings are switched off.
        found.degraded = found.degraded or (result.mode == "words" and bool(result.passages))
    return result


def _read_accepted(library: Library, found: Found) -> None:
    """The facts behind the rows; when the graph cannot be asked, the same facts from the catalog."""
    if found.rows.failed:
        found.degraded = True
        found.notes.append("The graph could not be asked, so accepted facts were read from the catalog.")
        found.accepted = catalog_facts(library, found.wanted, "accepted")
        return
    facts = library.catalog.facts_by_id(found.rows.fact_ids)
    found.accepted = sort_facts(fact for fact in facts if fact.decision.status == "accepted")


def search_text(asked: Question, domain: Domain) -> str:
    """The question with the other spellings of what it names, so that "GaN" also finds "gallium nitride"."""
    words = [asked.text]
    by_name = {name: item for item in domain.materials for name in (item.formula, item.name) if name}
    for entity in asked.entities:
        item = by_name.get(entity.name)
        words += [entity.name, item.name] if item else [entity.name]
    for property_id in asked_properties(asked, domain):
        spec = domain.property(property_id)
        words += [spec.label] if spec else []
    words += asked.concepts
    return " ".join(dict.fromkeys(words))
