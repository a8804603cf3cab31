"""Which of the facts answer: those that fit the conditions and the words of the question best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from minerva_desktop.domains import Domain
from minerva_desktop.language.quantities import canonical_value
from minerva_desktop.questions.citing import Citer
from minerva_desktop.questions.judging import NAMED_IN_PASSING, Judge, is_title
from minerva_desktop.questions.passages import Quoted
from minerva_desktop.records import Fact

_BEHIND = 0.7
"""How far behind the best a fact may be and still be told."""
_AHEAD = 0.6
"""How far ahead of every fact a quoted sentence must be to be told first."""


def chosen_facts(facts: Iterable[Fact], judge: Judge, citer: Citer, domain: Domain) -> list[Fact]:
    """The facts that fit best, of each material and kind of fact by themselves, in their order."""
    fitting = [fact for fact in facts if _states(fact, judge, citer, domain)]
    scores = {fact.id: judge.score_fact(fact) for fact in fitting}
    best: dict[tuple[str, str], float] = {}
    for fact in fitting:
        key = (fact.source.key[1], fact.property_id)
        best[key] = max(best.get(key, 0.0), scores[fact.id])
    return [
        fact
        for fact in fitting
        if scores[fact.id] > 0 and scores[fact.id] >= best[fact.source.key[1], fact.property_id] - _BEHIND
    ]


def quotes_lead(facts: Sequence[Fact], quoted: Sequence[Quoted], judge: Judge) -> bool:
    """Whether a quoted sentence answers so much better than every fact that it is said alone."""
    if not facts or not quoted:
        return False
    if quoted[0].fit > 0 and not any(judge.fit_of(fact) > 0 for fact in facts):
        return True
    return quoted[0].score > max(map(judge.score_fact, facts)) + _AHEAD


def only_elsewhere(facts: Sequence[Fact], quoted: Sequence[Quoted], judge: Judge) -> bool:
    """Whether there is a number only under other conditions than the question names."""
    if not judge.need.given or not judge.need.number or not (facts or quoted):
        return False
    return all(judge.fit_of(fact) < 0 for fact in facts) and all(item.fit < 0 for item in quoted)


def _states(fact: Fact, judge: Judge, citer: Citer, domain: Domain) -> bool:
    """Whether a fact says what is asked. Not to the question who, when or why; not what only a title says; not that there is a
    property when its number is asked for; not elements when the question asks for something else by its own words."""
    need, asked = judge.need, judge.question
    if need.asks or (need.head and asked.type in {"applications", "methods"}):
        return False  # a fact names the method or the use, not the gas or the target that is asked for
    if asked.yes_no and asked.claim is None and asked.type == "lookup" and need.words and not judge.shares_words(fact):
        return False
    titles = [is_title(item.evidence.sentence, citer.title(item.evidence.paper)) for item in fact.evidence]
    if titles and all(titles) and not fact.by_person:
        return False
    spec = next((item for item in domain.properties if item.label == fact.target.key[1]), None)
    if fact.type == "HAS_PROPERTY" and need.number and asked.type in {"lookup", "comparison"}:
        return spec is not None and not spec.dimension and not need.dimensions
    if fact.type not in NAMED_IN_PASSING or not need.words:
        return True
    if asked.type == "general":
        return False
    return asked.type != "lookup" or bool(asked.properties) or judge.shares_words(fact)


def methods_by_paper(making: Iterable[Fact]) -> dict[str, frozenset[str]]:
    """The methods by which each paper made the materials of a question."""
    found: dict[str, set[str]] = {}
    for fact in making:
        for paper in fact.papers:
            found.setdefault(paper, set()).add(fact.target.key[1])
    return {paper: frozenset(names) for paper, names in found.items()}


def without_same(quoted: Iterable[Quoted]) -> list[Quoted]:
    """Without a sentence that says of the same source what one before it said: the same values of the same things."""
    found: list[Quoted] = []
    seen: set[tuple[str, frozenset[tuple[str, str, str]]]] = set()
    for item in quoted:
        values = frozenset(
            (one.source.key[1], one.property_id, canonical_value(one.quantity))
            for one in item.relations
            if one.quantity is not None
        )
        key = (item.passage.source, values)
        if not values or key not in seen:
            found.append(item)
        seen.add(key)
    return found
