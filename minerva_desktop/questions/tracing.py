"""How a question was answered, kept while it is answered: what was understood, where was looked and why, what was read.

Nothing here decides anything; an answer is the same whether or not its trace is looked at.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from minerva_desktop.domains import Domain
from minerva_desktop.library.words import STOP_WORDS
from minerva_desktop.questions.aspects import asked_properties
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.findings import Found
from minerva_desktop.records import Answer, Fact, LinkedName, Passage, Timing, Trace, TracedFact, TracedPassage

STEPS = ("understanding", "describing", "graph", "waiting facts", "passages", "composing", "wording")
MOST_FACTS = 40
MOST_PASSAGES = 12
"""Those that the answer cites are kept beyond these."""
_QUERY_WORDS = 12
_DIGITS = 6
"""Of a score: the last ones of a sum depend on the order in which papers were added."""
_WORD = re.compile(r"[^\W_][\w.+/−–-]*")
_HABITS = STOP_WORDS | frozenset("know known find found many much value values paper papers study studies".split())
T = TypeVar("T")


class Stopwatch:
    """How long the steps of one question took. Steps may run in several threads."""

    def __init__(self) -> None:
        self._taken: list[tuple[str, float]] = []  # appending is atomic

    def timed(self, step: str, work: Callable[[], T]) -> T:
        """What the work gives; its time counts for the step."""
        begun = time.perf_counter()
        try:
            return work()
        finally:
            self._taken.append((step, (time.perf_counter() - begun) * 1000))

    def timings(self) -> tuple[Timing, ...]:
        """One for each step that was taken, in the order of :data:`STEPS`."""
        told = list(self._taken)
        return tuple(
            Timing(step, sum(spent for name, spent in told if name == step))
            for step in STEPS
            if any(name == step for name, _ in told)
        )


def trace_of(
    answer: Answer,
    asked: Question,
    found: Found,
    domain: Domain,
    *,
    chosen: str,
    confused: bool,
    searched: str,
    watch: Stopwatch,
) -> Trace:
    """The trace of an answer whose ``route`` is set. ``chosen``: the route that was wanted, "auto" for none."""
    quotes = {" ".join(item.quote.split()) for item in answer.citations}
    facts = [*found.accepted, *found.waiting]
    return Trace(
        type=asked.type,
        route=answer.route,
        reason=_reason(answer.route, asked, chosen, confused=confused, domain=domain),
        unsorted=confused,
        entities=tuple(LinkedName(item.text, item.name, item.type) for item in asked.entities),
        beside=asked.beside,
        properties=_labels(asked, domain),
        concepts=asked.concepts,
        searched=searched if found.search.passages else "",
        web_query=web_query(asked, domain),
        facts=tuple(_fact(item, quotes) for item in facts[:MOST_FACTS]),
        passages=tuple(
            TracedPassage(
                replace(item, score=round(item.score, _DIGITS)),
                found.search.arms.get(item.id, ()),
                _is_told(item, quotes),
                found.search.through.get(item.id, ""),
                len(found.search.alike.get(item.id, ())),
            )
            for rank, item in enumerate(found.search.passages)
            if rank < MOST_PASSAGES or _is_told(item, quotes)
        ),
        model=_model(answer),
        timings=watch.timings(),
    )


def web_query(asked: Question, domain: Domain) -> str:
    """What papers on a question could be searched with: the things and properties it names, else its own words."""
    names = [item.name for item in asked.entities]
    named = [*names, *asked.beside, *_labels(asked, domain), *(asked.concepts if not asked.properties else ())]
    if names and len(named) > 1:
        return " ".join(dict.fromkeys(named))
    words = [word for word in _WORD.findall(asked.text) if word.casefold() not in _HABITS]
    return " ".join(dict.fromkeys(words[:_QUERY_WORDS]))


def _labels(asked: Question, domain: Domain) -> tuple[str, ...]:
    specs = [domain.property(item) for item in asked_properties(asked, domain)]
    return tuple(spec.label for spec in specs if spec is not None)


def _model(answer: Answer) -> str:
    for engine in (answer.engine, answer.cypher_engine):
        if engine != "builtin":
            return engine.removeprefix("model:")
    return ""


def _fact(fact: Fact, quotes: set[str]) -> TracedFact:
    told = any(" ".join(record.evidence.sentence.split()) in quotes for record in fact.evidence)
    return TracedFact(fact.id, fact.claim, fact.decision.status, told)


def _is_told(passage: Passage, quotes: set[str]) -> bool:
    text = " ".join(passage.text.split())
    return any(quote and quote in text for quote in quotes)


# ------------------------------------------------------------------------------------------------------ reason
_CHOSEN = {"graph": "the graph", "vector": "passages", "hybrid": "the graph and passages"}


def _reason(route: str, asked: Question, chosen: str, *, confused: bool, domain: Domain) -> str:
    """Why it was looked there, as a sentence."""
    if confused:
        return "The question could not be sorted, so the graph and passages were both searched."
    if chosen != "auto":
        return f"You chose to look in {_CHOSEN[chosen]}."
    if asked.type == "calculation":
        what = f" ({_joined(asked.concepts)})" if asked.concepts else ""
        return f"It asks for a calculation{what}: values come from the question, else from the graph and from passages."
    if route != asked.route and asked.route == "graph":
        return f"{_asks(asked, domain)}, but the graph has no such fact, so passages were read."
    if route != asked.route:
        return "It names nothing that the graph holds, but a query of the graph found rows all the same."
    if route == "graph":
        return f"{_asks(asked, domain)}, which facts of the graph say."
    if route == "vector":
        return "It names nothing that the graph holds, so passages were read."
    return f"{_asks(asked, domain)}; facts of the graph may say it, or a sentence that was not read as a fact."


def _asks(asked: Question, domain: Domain) -> str:
    names = _joined([item.name for item in asked.entities])
    labels = _joined(_labels(asked, domain))
    if asked.type in {"properties", "applications", "methods"} and names:
        what = "uses" if asked.type == "applications" else asked.type
        return f"It asks for {what} of {names}"
    if labels and names:
        return f"It asks for the {labels} of {names}"
    if labels or names:
        return f"It names {labels or names}"
    return f"It names {_joined(asked.concepts)}" if asked.concepts else "It names nothing for certain"


def _joined(items: Sequence[str]) -> str:
    *most, last = items or ("",)
    return f"{', '.join(most)} and {last}" if most else last
