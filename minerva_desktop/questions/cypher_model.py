"""Text to Cypher by a language model: one query, guarded before anything sees it, compiled before it runs.

The model is a visitor. Its query passes the same guard as a person's; beyond that it may give back nothing but what
stands in the graph, and it must ask about what the question names. What cannot be used is told to the model once; then
the built-in patterns answer, and the answer says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from minerva_desktop.domains import Domain
from minerva_desktop.errors import Cancelled, MinervaError
from minerva_desktop.events import CancelToken
from minerva_desktop.library import Library
from minerva_desktop.library.graph_schema import GraphSchema
from minerva_desktop.models.calls import Asker, ModelCall, ModelError
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.cypher_columns import headings, labels_of, own_values, with_fact_ids
from minerva_desktop.questions.cypher_prompt import NAME, filled, prompt_of, shown_columns
from minerva_desktop.questions.cypher_tokens import CypherSyntax, read_tokens
from minerva_desktop.questions.guard import check_cypher
from minerva_desktop.questions.lookup import GRAPH_SECONDS, GraphRows, fact_ids_of, is_wanted
from minerva_desktop.questions.patterns import Wanted
from minerva_desktop.records import Fact

MOST_TOKENS = 300
NO_QUERY = "NO QUERY"
_NO_COLUMN = re.compile(r"Cannot find property (\w+) for (\w+)\.")
_EMPTY: tuple[Any, ...] = (None, "", [], {})
_OF_THE_NAMED = frozenset({"lookup", "comparison", "calculation", "properties"})
"""Kinds of questions of which only facts of the materials that they name are an answer."""


@dataclass(frozen=True, slots=True)
class Written:
    """What came of asking a model for a query. ``problem`` says in a clause why there are no rows, "" when there are."""

    rows: GraphRows = field(default_factory=GraphRows)
    problem: str = ""
    error: ModelError | None = None

    def note(self, replaced: bool) -> str:
        """One sentence for the answer's notes on a query that gave nothing; ``replaced``: the patterns were asked."""
        end = ", so the built-in patterns were used" if replaced else ""
        if self.error is not None:
            return f"The model wrote no query ({self.problem}){end}."
        return f"The model's query could not be used ({self.problem}){end}."


def rows_by_model(
    asker: Asker, question: Question, wanted: Wanted, domain: Domain, library: Library, cancel: CancelToken
) -> Written:
    """The rows of a query that a model writes for a question.

    Raises:
        Cancelled: the person stopped it.
    """
    system, user = filled(question, wanted, domain, library)
    complaints: list[str] = []

    def check(reply: str) -> str:
        complaints.append(complaint(reply, wanted, library))
        return complaints[-1]

    call: ModelCall[str] = ModelCall(
        "cypher",
        NAME,
        prompt_of(domain).edition,
        system,
        user,
        most_tokens=MOST_TOKENS,
        item=question.text[:80],
        check=check,
    )
    try:
        reply = asker.ask(call, cancel)
    except Cancelled:
        raise
    except ModelError as error:
        if error.kind == "invalid" and complaints and complaints[-1]:
            return Written(problem=_clause(complaints[-1].partition(". ")[0]))
        return Written(problem=_clause(error.message), error=error)
    # A kept reply may have been written for another state of the graph, so it is looked at again.
    problem = complaint(reply.value, wanted, library)
    if problem or no_query(reply.value):
        return Written(problem=_clause(problem or "it says that the graph holds no answer"))
    query = _citable(check_cypher(reply.value).query, library)
    return _run(query, question, wanted, domain, library, f"model:{reply.model}", cancel)


def _citable(query: str, library: Library) -> str:
    """The query with the ids of the facts that it follows, where it can have them."""
    more = with_fact_ids(query, library.graph.schema.fact_edges)
    return query if more == query or library.graph.complaint(more) else more


def no_query(reply: str) -> bool:
    """Whether the model says that the graph cannot answer."""
    return reply.strip().strip("`.").strip().upper() == NO_QUERY


def complaint(reply: str, wanted: Wanted, library: Library) -> str:
    """Why a reply cannot be run, as one sentence; "" when it can. Nothing is run to find out."""
    if no_query(reply):
        return ""
    checked = check_cypher(reply)
    if not checked.allowed:
        return checked.reason
    try:
        problem = own_values(checked.query) or _not_asked(checked.query, wanted.materials)
    except CypherSyntax as error:
        return str(error)
    try:
        return problem or explained(library.graph.complaint(checked.query), checked.query, library.graph.schema)
    except (MinervaError, RuntimeError, OSError):
        return "The graph could not be opened."


def explained(message: str, query: str, schema: GraphSchema) -> str:
    """The engine's message; where a column is not there, with the columns that are."""
    missing = _NO_COLUMN.match(message)
    if missing is None:
        return message
    _, tokens = read_tokens(query)
    column, variable = missing.groups()
    label = labels_of(tokens).get(variable, "")
    columns = schema.nodes.get(label) or schema.edges.get(label)
    having = [name for name, own in {**schema.edges, **schema.nodes}.items() if column in own]
    told = f" {variable} is {label}, which has {', '.join(shown_columns(columns))}." if columns else ""
    elsewhere = f" {' and '.join(having)} {'has' if len(having) == 1 else 'have'} {column}." if having else ""
    return f"{message}{told}{elsewhere}"


def _not_asked(query: str, names: Iterable[str]) -> str:
    """A query that asks about none of the question's materials answers something else."""
    names = list(names)
    _, tokens = read_tokens(query)
    written = {token.text[1:-1].casefold() for token in tokens if token.kind == "string"}
    if not names or any(name.casefold() in written for name in names):
        return ""
    return f"It does not ask about {' or '.join(names)}."


def _run(
    query: str,
    question: Question,
    wanted: Wanted,
    domain: Domain,
    library: Library,
    engine: str,
    cancel: CancelToken | None,
) -> Written:
    try:
        found = library.graph.query(query, timeout=GRAPH_SECONDS, cancel=cancel)
    except Cancelled:
        raise
    except (MinervaError, RuntimeError, OSError):
        # What the engine says of a failed query is no answer and never shown as one.
        return Written(GraphRows(query, engine=engine), "the graph could not run it")
    shown = headings(query)
    labels = dict(zip(found[0], shown, strict=True)) if found and len(shown) == len(found[0]) else {}
    concern = _Concern(question, wanted, domain, library)
    rows: list[dict[str, Any]] = []
    ids: list[str] = []
    for row in found:
        cleaned = {key: kept for key, value in row.items() if (kept := _cleaned(value)) not in _EMPTY}
        told = concern.facts(cleaned)
        if cleaned in rows or not _says_something(cleaned, question) or not concern.row(cleaned, labels, told):
            continue
        rows.append(cleaned)
        ids += told
    result = GraphRows(query, tuple(rows), tuple(dict.fromkeys(ids)), engine=engine, labels=labels)
    return Written(result, "" if rows else "it found nothing that answers")


class _Concern:
    """Whether rows speak of what is asked: true facts of another material or property are no answer."""

    def __init__(self, question: Question, wanted: Wanted, domain: Domain, library: Library) -> None:
        self._catalog = library.catalog
        self._wanted = wanted
        self._named = frozenset(wanted.materials) if question.type in _OF_THE_NAMED else frozenset[str]()
        self._measured = question.type in {"lookup", "comparison"} and bool(wanted.properties)
        columns = {key.column.replace("_", " "): key.property_id for key in domain.key_properties}
        self._own = {name for name, item in columns.items() if item in wanted.properties}
        self._other = set(columns) - self._own

    def facts(self, row: dict[str, Any]) -> list[str]:
        """Ids of the accepted facts behind a row that speak of what is asked."""
        facts = self._catalog.facts_by_id(fact_ids_of(row))
        return [fact.id for fact in facts if fact.decision.status == "accepted" and self._fits(fact)]

    def _fits(self, fact: Fact) -> bool:
        if self._named and fact.source.key[1] not in self._named:
            return False
        return not self._measured or is_wanted(fact, self._wanted)

    def row(self, row: dict[str, Any], labels: dict[str, str], told: list[str]) -> bool:
        """Whether a row stands on such a fact, or has none and shows no column of another property."""
        if told or fact_ids_of(row):
            return bool(told)
        shown = {labels.get(key, key) for key in row}
        return not self._measured or bool(shown & self._own) or not shown & self._other


def _cleaned(value: Any) -> Any:
    """A value without what is empty in it."""
    if isinstance(value, dict):
        return {key: kept for key, item in value.items() if (kept := _cleaned(item)) not in _EMPTY}
    if isinstance(value, list):
        return [kept for item in value if (kept := _cleaned(item)) not in _EMPTY]
    return value


def _says_something(row: dict[str, Any], question: Question) -> bool:
    """Whether a row has more than what the question itself names, and more than a count of nothing."""
    named = {item.casefold() for entity in question.entities for item in (entity.name, entity.text)}
    named |= {item.casefold() for item in (question.text, *question.concepts)}
    return any(leaf != 0 and str(leaf).casefold() not in named for leaf in _leaves(row))


def _leaves(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key != "_label":
                yield from _leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _clause(sentence: str) -> str:
    plain = sentence.strip().rstrip(".")
    return plain[:1].lower() + plain[1:]
