"""Which of the facts answer: those that fit the conditions and the words of the question best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from minerva_desktop.domains import Domain
from minerva_desktop.questions.citing import Citer
from minerva_desktop.questions.passages import NAMED_IN_PASSING, Judge, Quoted, is_title
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
    return quoted[0].score > max(map(judge.score_fact, facts)) + _AHEAD


def _states(fact: Fact, judge: Judge, citer: Citer, domain: Domain) -> bool:
    """Not what only a title says, not that there is a property when its number is asked for, and not elements when
    the question asks for something else by its own words."""
    if fact.evidence and not fact.by_person:
        if all(is_title(item.evidence.sentence, citer.title(item.evidence.paper)) for item in fact.evidence):
            return False
    spec = next((item for item in domain.properties if item.label == fact.target.key[1]), None)
    if fact.type == "HAS_PROPERTY" and judge.need.number and judge.question.type in {"lookup", "comparison"}:
        return spec is not None and not spec.dimension and not judge.need.dimensions
    asks_other = judge.question.type == "lookup" and not judge.question.properties and bool(judge.need.words)
    return not (asks_other and fact.type in NAMED_IN_PASSING and not judge.shares_words(fact))
