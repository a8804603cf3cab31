"""Yes or no to a question about a use, a method, an element or a property: by what facts and sentences state."""

from __future__ import annotations

from collections.abc import Sequence

from minerva_desktop.domains import Domain
from minerva_desktop.questions.citing import Citer
from minerva_desktop.questions.judging import Judge
from minerva_desktop.questions.need import words_of
from minerva_desktop.questions.passages import Quoted
from minerva_desktop.questions.quoting import quote
from minerva_desktop.questions.wording import sentences_of
from minerva_desktop.questions.yes_no import Targets, answered, by_modality
from minerva_desktop.records import AnswerSentence, Fact


def confirmed(
    facts: Sequence[Fact], quoted: Sequence[Quoted], targets: Targets, judge: Judge, domain: Domain, citer: Citer
) -> list[AnswerSentence]:
    """Yes or no by what is stated; else a sentence that names both, and nothing when there is none."""
    told = [fact for fact in facts if fact.source.key[1] in judge.materials and targets.has(fact.target.key[1])]
    found: list[AnswerSentence] = []
    for status in ("accepted", "waiting"):
        mine = [fact for fact in told if fact.decision.status == status]
        found += sentences_of(mine, domain, citer, status)
    if answer := by_modality(told):
        return [answered(found[0], answer), *found[1:]]
    naming = [item for item in quoted if _names(item.text, targets, judge)]
    for item in naming:
        read = [one for one in item.relations if one.source.key[1] in judge.materials]
        if answer := by_modality([one for one in read if targets.has(one.target.key[1])]):
            return [answered(quote(item, judge.question, judge.need), answer), *found]  # seen before supposed
    return found or [quote(item, judge.question, judge.need) for item in naming[:1]]


def _names(text: str, targets: Targets, judge: Judge) -> bool:
    return any(map(targets.has, judge.names_of(text))) or targets.in_words(words_of(text))


def unconfirmed(facts: Sequence[Fact], judge: Judge, domain: Domain, citer: Citer) -> str:
    """The answer when nothing says what a question for yes or no asks."""
    there = [fact for fact in facts if fact.source.key[1] in judge.materials and fact.modality != "negated"]
    told = sentences_of(there, domain, citer, "accepted")
    text = "Not in your library: nothing there says so, and nothing denies it."
    return f"{text} What it has: {told[0].text}" if told else text
