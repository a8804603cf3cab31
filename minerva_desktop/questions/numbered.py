"""The numbers of passages that a question asks for: the sentences that say them, best first.

A sentence is weighed by how much of what the question names stands in it and around it, rare words before common ones, and
by how near it is in meaning; the number of it by :mod:`number_choice`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from minerva_desktop.language.units import parse_unit
from minerva_desktop.questions.asked_number import AskedNumber, asked_number
from minerva_desktop.questions.aspects import addresses_the_reader
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.covering import both_of, marks_of, rows_of
from minerva_desktop.questions.judging import Judge, is_english, is_title
from minerva_desktop.questions.likeness import Alike
from minerva_desktop.questions.number_choice import POINTS, chosen_number
from minerva_desktop.questions.number_parts import Weigher, parts_of
from minerva_desktop.questions.numbers_in import Number, numbers_in, without_commas
from minerva_desktop.questions.passages import ReadPassage

_LEAST_HERE = 0.4
_LEAST_ALIKE = 0.15
"""The share of the question that a sentence itself must name, and that where its meaning is looked at too."""
_LOOKED_AT = 10
"""Of so many, best by their words, the meaning is looked at."""
_MEANING = 2.5
"""What the cosine weighs beside the words when sentences are put in order."""
_NEAR = 2
_LONGEST = 600
_OPENING = 3
_ROW = re.compile(r"(?<!\S)[A-Z][^:;]{0,60}: [^;]+; ")


@dataclass(frozen=True, slots=True)
class Told:
    """A number and the sentence that says it. ``strength`` is the share of the question that the sentence covers with its
    surroundings, ``score`` also counts how near the number stands to it."""

    reading: ReadPassage
    index: int
    text: str
    number: Number
    strength: float
    score: float


def number_of(asked: Question, judge: Judge) -> AskedNumber | None:
    """The number that a question asks for, None for none: a comparison, a calculation or a yes or no are none."""
    if asked.type == "comparison" and (asked.of_type("Material") or judge.need.choice):
        return None
    if asked.type == "calculation" or asked.yes_no or judge.need.bound is not None:
        return None
    if judge.need.asks in {"who", "why", "on what", "called", "kind", "choice"}:
        return None
    if asked.properties and asked.of_type("Material"):
        return None  # facts and the sentences that say them know better
    named = parse_unit(asked.unit) if asked.unit and not asked.properties else None
    if named is not None and named.dimension:
        return AskedNumber(frozenset({named.dimension}), unit=asked.unit, text=asked.text)
    dimensions = judge.need.dimensions if asked.properties and not judge.need.process else ()
    found = asked_number(asked.text, dimensions)
    return None if judge.defining and (found is None or not found.noun) else found


def told_numbers(
    asked: Question,
    wanted: AskedNumber,
    readings: Sequence[ReadPassage],
    judge: Judge,
    weigh: Weigher,
    alike: Alike | None,
) -> list[Told]:
    """The numbers that may answer, best first. With ``alike`` a sentence also counts by how near it is in meaning."""
    parts = parts_of(asked, wanted, judge, weigh)
    if not parts:
        return []
    marks = marks_of(asked)
    given = frozenset(item.value for item in numbers_in(without_commas(asked.text)) if item.value is not None)
    found: list[tuple[float, int, int, Told]] = []
    for rank, reading in enumerate(readings):
        for index, text, around in _sentences(reading):
            if not all(mark.search(around) or mark.search(text) for mark in marks):
                continue
            meant = _pointed_to(text, index, reading)
            best = chosen_number(
                text, meant, around, parts, wanted, given, judge, _LEAST_ALIKE if alike else _LEAST_HERE
            )
            if best is not None:
                told = Told(reading, index, text, best.number, best.strength, best.score)
                found.append((-round(best.score, 6), rank, index, told))
    found.sort(key=lambda entry: entry[:3])
    best_first = [item for *_, item in found]
    return _by_meaning(best_first[:_LOOKED_AT], alike) if alike is not None else best_first


def _by_meaning(told: Sequence[Told], alike: Alike) -> list[Told]:
    near = alike([f"{_pointed_to(item.text, item.index, item.reading)} {item.text}".strip() for item in told])
    both = [
        replace(item, strength=both_of(item.strength, value), score=item.score + _MEANING * value)
        for item, value in zip(told, near, strict=True)
    ]
    order = sorted(range(len(both)), key=lambda at: (-round(both[at].score, 6), at))
    return [both[at] for at in order]


def _pointed_to(text: str, index: int, reading: ReadPassage) -> str:
    """The sentence before one that starts with a word for something there ("This method …", "It decays …"); "" for others."""
    opening = " ".join(text.split()[:_OPENING])
    return reading.texts[index - 1] if index and POINTS.search(opening) else ""


def _sentences(reading: ReadPassage) -> Iterator[tuple[int, str, str]]:
    """(index, sentence or row, what stands around it)."""
    title = f"{reading.passage.title} {reading.passage.section}"
    for index, whole in enumerate(reading.texts):
        rows = rows_of(whole)
        for text in rows:
            if len(text) > _LONGEST or addresses_the_reader(text) or is_title(text, reading.passage.title):
                continue
            if len(rows) == 1 and not is_english(text) and not _ROW.match(text):
                continue
            if len(rows) > 1 or _ROW.match(text):
                yield index, text, title
            else:
                yield index, text, " ".join([title, *reading.texts[max(0, index - _NEAR) : index + _NEAR + 1]])


def best_of(found: Iterable[Told], least: float) -> Told | None:
    """The best number whose sentence covers enough of the question."""
    return next((item for item in found if item.strength >= least), None)
