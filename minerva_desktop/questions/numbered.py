"""The number of a passage that a question asks for: which sentence says it, and which of the sentence's numbers it is.

A sentence is weighed by how much of what the question names stands in it and around it, rare words before common ones; a
number of it by its kind, by what it counts, and by how near it stands to what the question names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from minerva_desktop.extraction.tokens import Token, fold_phrase, tokenize
from minerva_desktop.language.stems import stem
from minerva_desktop.language.units import parse_unit
from minerva_desktop.library.words import STOP_WORDS
from minerva_desktop.questions.asked_number import (
    ANY,
    PLAIN,
    YEAR,
    AskedNumber,
    asked_number,
    idle_words,
    kinds_of_adjective,
    kinds_of_noun,
)
from minerva_desktop.questions.aspects import addresses_the_reader
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.covering import both_of, marks_of, rows_of
from minerva_desktop.questions.judging import Judge, is_english, is_title
from minerva_desktop.questions.likeness import Alike
from minerva_desktop.questions.numbers_in import Number, numbers_in, without_commas
from minerva_desktop.questions.passages import ReadPassage
from minerva_desktop.questions.respective import of_the_named

Weigher = Callable[[Sequence[str], int], dict[str, int]]
"""In how many passages of the library each stem stands, counted up to a most."""

COMMON = 400
_LEAST_HERE = 0.4
_LEAST_ALIKE = 0.15
"""The share of the question that a sentence itself must name, and that where its meaning is looked at too."""
_LOOKED_AT = 10
"""Of so many, best by their words, the meaning is looked at."""
_MEANING = 2.0
_AROUND = 0.6
_NEAR = 2
_LONGEST = 600
_NAME = 1.4
_ROOT = 5
_LIKE = 0.8
_REACH = 6.0
_AFTER_COUNT = 5
_LOCAL = 1.0
_HERE = 0.4
_EXERCISE = 0.5
_CLAUSE = re.compile(r"[,;:—()]|\b(?:and|but|while|whereas|which|or|than)\b")
_BREAK = 0.5
_SAME_UNIT = 0.3
"""What a number gains that is written in the very unit that is asked for, beside one in another: "374 mph (603 km/h)"."""
_OTHER_NOUN = 0.5
_OF_OTHER_NOUN = 0.7
"""What such a number loses against others of the sentence, and what is left of the sentence when it is chosen."""
_NOT_COUNTED = -9.0
_NOUN_BEFORE = 4
_TASK = re.compile(
    r"\?\s*$|^\W*(?:(?:\w\W+)?(?:Calculate|Find|Suppose|Determine|Estimate|What|How|Consider|Compute|Assume|If|Using)\b)|"
    r"\bCheck Your Learning\b"
)
_YEARS = (1500.0, 2100.0)
"""A bare number that most likely is a year, where any number may be meant."""
_OPENING = 3
_POINTS = re.compile(r"\b(?:it|its|they|their|them|this|these|such|he|she)\b", re.IGNORECASE)
_ANOTHER_THING = 0.85
"""What is left of a sentence that neither names the thing that the number is asked of nor points to it."""
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


@dataclass(frozen=True, slots=True)
class _Part:
    """Something that the question names: a word, or a thing by its spellings (stems) and ``names``. ``must``: no sentence
    answers that says it neither itself nor near by; ``first``: it belongs to the thing that the number is of; ``next``: the part
    whose word stands right behind its own in the question."""

    weight: float
    spelt: tuple[tuple[str, ...], ...]
    names: frozenset[str] = frozenset()
    must: bool = False
    first: bool = False
    next: int = -1


def number_of(asked: Question, judge: Judge) -> AskedNumber | None:
    """The number that a question asks for, None for none: a comparison, a calculation or a yes or no are none."""
    if asked.type == "comparison" and (asked.properties or asked.entities or judge.need.choice):
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
    parts = _parts(asked, wanted, judge, weigh)
    if not parts:
        return []
    marks = marks_of(asked)
    given = {item.value for item in numbers_in(without_commas(asked.text))}
    found: list[tuple[float, int, int, Told]] = []
    for rank, reading in enumerate(readings):
        for index, text, around in _sentences(reading):
            if not all(mark.search(around) or mark.search(text) for mark in marks):
                continue
            best = _best_number(text, around, parts, wanted, given, judge, _LEAST_ALIKE if alike else _LEAST_HERE)
            if best is not None:
                number, strength, score = best
                found.append((-round(score, 6), rank, index, Told(reading, index, text, number, strength, score)))
    found.sort(key=lambda entry: entry[:3])
    told = [item for *_, item in found]
    return _by_meaning(told[:_LOOKED_AT], alike) if alike is not None else told


def _by_meaning(told: Sequence[Told], alike: Alike) -> list[Told]:
    near = alike([_with_what_it_points_to(item) for item in told])
    both = [
        replace(item, strength=both_of(item.strength, value), score=item.score + _MEANING * value)
        for item, value in zip(told, near, strict=True)
    ]
    order = sorted(range(len(both)), key=lambda at: (-round(both[at].score, 6), at))
    return [both[at] for at in order]


def _with_what_it_points_to(item: Told) -> str:
    """The sentence; with the one before it where it starts with a word for something there ("This method …")."""
    opening = " ".join(item.text.split()[:_OPENING])
    if item.index and _POINTS.search(opening):
        return f"{item.reading.texts[item.index - 1]} {item.text}"
    return item.text


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


# --------------------------------------------------------------------------------------------- the question
def _parts(asked: Question, wanted: AskedNumber, judge: Judge, weigh: Weigher) -> list[_Part]:
    entities = [item for item in asked.entities if item.type != "Application"]
    named = {word for item in entities for word in _stems(item.text)}
    dropped = STOP_WORDS | idle_words()
    if not wanted.kinds & {ANY, PLAIN} or len(wanted.kinds) > 1:
        dropped = dropped | set(wanted.head[-1:])  # its dimension says it
    words: list[str] = []
    thing: set[str] = set()
    ended = joined = False
    behind: set[tuple[str, str]] = set()
    for token in tokenize(wanted.text):
        if token.folded in dropped or token.text.casefold() in dropped or not token.text[0].isalnum():
            ended, joined = bool(thing), False
            continue
        word = stem(token.folded)
        if not ended:
            thing.add(word)
        if word not in named and (len(word) > 1 or token.text.isupper()):
            if joined:
                behind.add((words[-1], word))
            words.append(word)
            joined = True
    words = list(dict.fromkeys(words))
    counts = weigh(words, COMMON)
    parts = []
    # Of a property by its name, the other words say of what it is.
    subjects = {stem(word) for word in judge.need.words} if asked.properties and not judge.need.process else set()
    for at, word in enumerate(words):
        following = at + 1 if at + 1 < len(words) and (word, words[at + 1]) in behind else -1
        parts.append(
            _Part(_weight(counts.get(word, 0)), ((word,),), must=word in subjects, first=word in thing, next=following)
        )
    for item in entities:
        spelt = tuple(dict.fromkeys((tuple(_stems(item.text)), tuple(_stems(item.name)))))
        first = bool(thing & set(spelt[0]))
        parts.append(_Part(_NAME, spelt, frozenset({item.name}), must=item.type == "Material", first=first))
    return parts


def _weight(count: int) -> float:
    """Of a word that stands in ``count`` passages: 0.6 of a common one, 2.3 of one that stands nowhere."""
    return 0.6 + 0.2 * math.log2(COMMON / (min(count, COMMON - 1) + 1))


def _stems(text: str) -> list[str]:
    return [stem(word) for word in fold_phrase(text)]


# --------------------------------------------------------------------------------------------- a sentence
def _best_number(
    text: str,
    around: str,
    parts: Sequence[_Part],
    wanted: AskedNumber,
    given: set[float | None],
    judge: Judge,
    least: float,
) -> tuple[Number, float, float] | None:
    plain = without_commas(text)
    numbers = [item for item in numbers_in(plain) if is_kind(item, wanted) and not _is_given(item, given)]
    if not numbers:
        return None
    tokens = tokenize(plain)
    words = [stem(token.folded) for token in tokens]
    total = sum(part.weight for part in parts)
    named, places = judge.names_of(text), _in_phrases(parts, [_places(part, words) for part in parts])
    own = [_own(part, there, words, named) for part, there in zip(parts, places, strict=True)]
    here = sum(part.weight * value for part, value in zip(parts, own, strict=True)) / total
    if here < least:
        return None
    wider = [stem(token.folded) for token in tokenize(around)]
    near = judge.names_of(around) if any(part.names for part in parts) else frozenset()
    beside = [_own(part, _places(part, wider), wider, near) for part in parts]
    if any(part.must and not there for part, there in zip(parts, beside, strict=True)):
        return None
    whole = sum(
        part.weight * max(value, _AROUND * there) for part, value, there in zip(parts, own, beside, strict=True)
    )
    strength = whole / total
    if not any(value for part, value in zip(parts, own, strict=True) if part.first) and not _POINTS.search(text):
        strength *= _ANOTHER_THING
    scored = [
        (
            _locality(item, plain, tokens, parts, places) / total
            + _counts(item, tokens, wanted)
            + _SAME_UNIT * bool(wanted.unit and _is_unit(item, wanted.unit))
            - _OTHER_NOUN * _is_of_other_noun(item, tokens, wanted, parts),
            item,
        )
        for item in numbers
    ]
    scored = [pair for pair in scored if pair[0] > _NOT_COUNTED / 2]
    if not scored:
        return None
    local, number = max(scored, key=lambda pair: (round(pair[0], 6), -pair[1].start))
    if _is_of_other_noun(number, tokens, wanted, parts):
        strength *= _OF_OTHER_NOUN
    task = _EXERCISE * bool(_TASK.search(text))
    if number.quantity is not None and number.quantity.kind == "list":

        def names(thing: str) -> bool:
            said = [stem(token.folded) for token in tokenize(thing)]
            return any(_places(part, said) for part in parts)

        meant = of_the_named(plain, number.start, number.end, number.quantity, names)
        if meant is not None:
            number = replace(number, value=meant.value, quantity=meant, picked=True)
    return number, strength, strength + _HERE * here + _LOCAL * local - task


def is_kind(item: Number, wanted: AskedNumber) -> bool:
    if item.year:
        return YEAR in wanted.kinds
    if item.dimension:
        return item.dimension in wanted.kinds or ANY in wanted.kinds
    if PLAIN in wanted.kinds:
        return True
    return ANY in wanted.kinds and not (item.value is not None and _YEARS[0] <= item.value <= _YEARS[1])


def _is_given(item: Number, given: set[float | None]) -> bool:
    return item.value is not None and item.value in given


def _places(part: _Part, words: Sequence[str]) -> list[int]:
    found = []
    for phrase in part.spelt:
        size = len(phrase)
        if size:
            found += [at for at in range(len(words) - size + 1) if tuple(words[at : at + size]) == phrase]
    return found


def _in_phrases(parts: Sequence[_Part], places: Sequence[list[int]]) -> list[list[int]]:
    """Where words that stand side by side in the question ("dark energy") do so in a sentence, only these places of them."""
    found = [list(item) for item in places]
    for at in range(len(parts) - 1):
        if parts[at].next == at + 1:
            together = [place for place in places[at] if place + 1 in places[at + 1]]
            if together:
                found[at] = together
                found[at + 1] = [place + 1 for place in together]
    return found


def _own(part: _Part, places: Sequence[int], words: Sequence[str], named: frozenset[str]) -> float:
    if places or part.names & named:
        return 1.0
    roots = {word[:_ROOT] for phrase in part.spelt for word in phrase if len(phrase) == 1 and len(word) > _ROOT}
    alike = not part.names and any(word[:_ROOT] in roots for word in words if len(word) >= _ROOT)
    return _LIKE if alike else 0.0


def _locality(
    item: Number, text: str, tokens: Sequence[Token], parts: Sequence[_Part], places: Sequence[Sequence[int]]
) -> float:
    at = next((index for index, token in enumerate(tokens) if token.end > item.start), len(tokens) - 1)
    last = next((index for index, token in enumerate(tokens) if token.end >= item.end), at)
    found = 0.0
    for part, there in zip(parts, places, strict=True):
        best = 0.0
        for place in there:
            distance = at - place if place < at else max(0, place - last)
            between = text[tokens[place].end : item.start] if place < at else text[item.end : tokens[place].start]
            breaks = len(_CLAUSE.findall(between))
            best = max(best, _BREAK**breaks / (1 + distance / _REACH))
        found += part.weight * best
    return found


def _is_of_other_noun(item: Number, tokens: Sequence[Token], wanted: AskedNumber, parts: Sequence[_Part]) -> bool:
    """Whether the noun before a number or the adjective behind is one for such numbers, but not the one that is asked for: "a
    diameter of 4 cm" or "4 cm thick" where it is asked how far away something is."""
    if not item.dimension or ANY in wanted.kinds:
        return False
    before = [token.folded for token in tokens if token.end <= item.start][-_NOUN_BEFORE:]
    after = [token.folded for token in tokens if token.start >= item.end][:1]
    labels = [word for word in before if set(kinds_of_noun(word)) & wanted.kinds]
    labels += [word for word in after if set(kinds_of_adjective(word)) & wanted.kinds]
    asked = {stem(word) for word in (*wanted.head, *wanted.nouns)} | {word for part in parts for word, *_ in part.spelt}
    return bool(labels) and not any(stem(label) in asked for label in labels)


def _is_unit(item: Number, unit: str) -> bool:
    """Whether a number is written in a unit, however that is spelled."""
    own, other = parse_unit(item.unit), parse_unit(unit)
    return own is not None and other is not None and (own.dimension, own.factor) == (other.dimension, other.factor)


def _counts(item: Number, tokens: Sequence[Token], wanted: AskedNumber) -> float:
    """What a number gains by counting what is asked for; _NOT_COUNTED where something is counted, but not by it."""
    if not wanted.noun:
        return 0.0
    last = stem(wanted.noun[-1])
    after = [stem(token.folded) for token in tokens if token.start >= item.end][:_AFTER_COUNT]
    if last in after:
        return 0.5 - 0.08 * after.index(last)
    before = [stem(token.folded) for token in tokens if token.end <= item.start]
    for at, word in enumerate(before):
        if word == "number" and last in before[at : at + 4]:
            return 0.2
    return _NOT_COUNTED


def best_of(found: Iterable[Told], least: float) -> Told | None:
    """The best number whose sentence covers enough of the question."""
    return next((item for item in found if item.strength >= least), None)
