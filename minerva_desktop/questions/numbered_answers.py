"""An answer that is a number of a passage: its sentence, quoted, with the number told first where others stand before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from minerva_desktop.questions.asked_number import AskedNumber
from minerva_desktop.questions.asked_unit import in_unit, number_in, told_in
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.figures import number_text, unit_text, with_unit
from minerva_desktop.questions.judging import Judge
from minerva_desktop.questions.number_choice import is_kind
from minerva_desktop.questions.numbered import Told, best_of
from minerva_desktop.questions.numbers_in import as_written, numbers_in, without_commas
from minerva_desktop.questions.passages import Quoted, quoted_from
from minerva_desktop.questions.quoting import quote
from minerva_desktop.records import AnswerSentence

_SAID = 2.0
"""The score of a sentence in which a fact of the asked kind was read."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """``decided``: the question asks for a number and this is all that is said of it, be it nothing."""

    decided: bool = False
    sentences: tuple[AnswerSentence, ...] = ()
    quoted: tuple[Quoted, ...] = ()
    value: float | None = None
    unit: str = ""
    strength: float | None = None


def says_property(asked: Question, quoted: Sequence[Quoted]) -> bool:
    """Whether a sentence was read as a value of the property that is asked for: then nothing needs to be weighed."""
    return any(
        one.property_id in asked.properties and one.quantity is not None
        for item in quoted
        if item.score >= _SAID
        for one in item.relations
    )


def numbered(found: Sequence[Told], wanted: AskedNumber, asked: Question, judge: Judge, least: float) -> Numbered:
    """What the numbers that were found answer; undecided where none is good enough and something else may answer."""
    best = best_of(found, least)
    strength = round(max((item.strength for item in found), default=0.0), 3) if found else None
    if best is None:
        return Numbered(decided=wanted.sure and asked.type in {"general", "methods"}, strength=strength)
    _, sentence, relations = best.reading.sentences[best.index]
    item = quoted_from(best.reading.passage, best.text, sentence, best.score, relations)
    said = quote(item, Question(asked.text, asked.type, asked.route), judge.need)
    number, unit = best.number, asked.unit or wanted.unit
    value, shown = number.value, number.unit
    first = _shown(best, wanted)
    if unit and number.quantity is not None and in_unit(number.quantity, unit):
        first = told_in(number.quantity, unit) or first
        value, shown = number_in(number.quantity, unit), unit
    text = f"{first}: {said.text[:1].lower()}{said.text[1:]}" if first else said.text
    told = AnswerSentence(text, said.source, said.status, said.citations)
    return Numbered(True, (told,), (item,), value, unit_text(shown), round(best.strength, 3))


def _shown(best: Told, wanted: AskedNumber) -> str:
    """The number as it is written, where another of its kind stands before it in the sentence."""
    if best.number.picked and best.number.value is not None:
        return with_unit(number_text(best.number.value), best.number.unit)
    others = [item for item in numbers_in(without_commas(best.text)) if is_kind(item, wanted)]
    if not any(item.start < best.number.start for item in others):
        return ""
    return as_written(best.text, best.number).strip()
