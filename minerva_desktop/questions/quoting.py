"""Sentences of passages in an answer: which are quoted beside what is known already, and how."""

from __future__ import annotations

from collections.abc import Sequence

from minerva_desktop.language.quantities import find_quantities
from minerva_desktop.questions.asked_unit import in_unit, told_in
from minerva_desktop.questions.choosing import without_same
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.need import Need
from minerva_desktop.questions.passages import Quoted
from minerva_desktop.records import AnswerSentence, Quantity

NEAR_BEST = 0.6
"""How far behind the best quoted sentence another may be and still be told."""
_ALONE = 3
_LEAST_BESIDE = 2.0


def quotes(
    asked: Question, need: Need, quoted: Sequence[Quoted], before: Sequence[AnswerSentence], most: int
) -> list[AnswerSentence]:
    """Sentences of passages: enough to answer when there is nothing else, one beside what is known already."""
    materials = asked.of_type("Material")
    if any(item.source == "calculation" for item in before):
        return []
    cited = {" ".join(citation.quote.split()) for item in before for citation in item.citations}
    wanted = 1 if before else _ALONE
    chosen: list[Quoted] = []
    if asked.type == "comparison" and len(materials) > 1:
        missing = [name for name in materials if not any(name in item.text for item in before)]
        for name in missing:  # each material that nothing was said of yet
            chosen += [item for item in quoted if name in item.subjects and item not in chosen][:1]
        wanted = max(wanted, len(chosen))
        if before and not missing:
            quoted = [item for item in quoted if item.subjects >= set(materials)]
    elif asked.type == "comparison" or (before and need.bound is not None and not materials):
        if before:  # one more material beside the highest would only look like an answer
            return []
        quoted = _by_size(asked, need, quoted)
    best = max((item.score for item in quoted), default=0.0)
    if chosen == [] and quoted and quoted[0].fit > 0:
        quoted = [item for item in quoted if item.fit > 0]
    # What only mentions the names is left out beside what states the fact.
    chosen += [item for item in quoted if item not in chosen and item.score >= best - NEAR_BEST]
    if before:
        chosen = [item for item in chosen if item.score >= _LEAST_BESIDE]
    chosen = without_same(item for item in chosen if item.text not in cited)
    return [quote(item, asked, need) for item in chosen[: min(wanted, most - len(before))]]


def _by_size(asked: Question, need: Need, quoted: Sequence[Quoted]) -> Sequence[Quoted]:
    """Sentences with a value, the greatest (or, when asked for the lowest, the least) first."""
    sized = [
        (relation.quantity.si_value, item)
        for item in quoted
        for relation in item.relations
        if relation.property_id in asked.properties
        and relation.quantity is not None
        and relation.quantity.si_value is not None
    ]
    sized.sort(key=lambda pair: (pair[0] if need.lesser else -pair[0], pair[1].text))
    return list(dict.fromkeys(item for _, item in sized)) or quoted


def quote(item: Quoted, asked: Question, need: Need) -> AnswerSentence:
    """A sentence as it is quoted, with its value in the unit of the question before it."""
    where = "A textbook" if item.passage.kind == "textbook" else "A paper"
    title = f" (“{item.passage.title}”)" if item.passage.title else ""
    text = f"{where}{title} says: “{item.text}”"
    told = _told(item, asked, need) if asked.unit else ""
    if told:
        text = f"{told}: {text[:1].lower()}{text[1:]}"
    return AnswerSentence(text, item.passage.kind, None, (item.citation,))


def _told(item: Quoted, asked: Question, need: Need) -> str:
    """The one value of a quoted sentence that answers, in the unit that the question names; "" when there is no one value."""
    read: list[Quantity] = [
        one.quantity for one in item.relations if one.property_id in asked.properties and one.quantity is not None
    ]
    numbers = [found.quantity for found in find_quantities(item.text)]
    read = read or [one for one in numbers if need.is_number(one)]
    texts = {in_unit(one, asked.unit): told_in(one, asked.unit) for one in read}
    return next(iter(texts.values())) if len(texts) == 1 else ""
