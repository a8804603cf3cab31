"""Which number of a sentence a question asks for: by its kind, by what it counts or measures, by how near it stands to what
the question names; and how much of the question the sentence says with what stands around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from minerva_desktop.extraction.tokens import Token, tokenize
from minerva_desktop.language.stems import stem
from minerva_desktop.language.units import parse_unit
from minerva_desktop.questions.asked_number import ANY, PLAIN, YEAR, AskedNumber, kinds_of_adjective, kinds_of_noun
from minerva_desktop.questions.judging import Judge
from minerva_desktop.questions.number_parts import Part, found_in, in_phrases, places_of
from minerva_desktop.questions.numbers_in import Number, numbers_in, without_commas
from minerva_desktop.questions.respective import of_the_named

POINTS = re.compile(r"\b(?:it|its|they|their|them|this|these|such|he|she)\b", re.IGNORECASE)
"""Words for something that was named before."""

_AROUND = 0.6
_MEANT = 0.9
"""What a part counts that stands only around the sentence, and in the one before that it points to ("It decays …")."""
_REACH = 6.0
"""Words away from which a part counts half for a number."""
_CLAUSE = re.compile(r"[,;:—()]|\b(?:and|but|while|whereas|which|or|than)\b")
_BREAK = 0.5
"""What is left of that across the end of a clause."""
_HERE = 0.4
_SAME_UNIT = 0.3
"""What a number gains that is written in the very unit that is asked for, beside one in another: "374 mph (603 km/h)"."""
_OTHER_NOUN = 0.5
_OF_OTHER_NOUN = 0.7
"""What a number of another noun loses against others of the sentence, and what is left of the sentence where it is chosen."""
_NOUN_BEFORE = 4
_NOUN_BEHIND = 2
_UNNAMED = 0.8
_TOLD_BY_UNIT = frozenset({"fraction", "temperature", "velocity"})
_NOT_COUNTED = -9.0
_AFTER_COUNT = 5
_BESIDE = 2
_YEARS = (1500.0, 2100.0)
"""A bare number that most likely is a year, where any number may be meant."""
_EXERCISE = 0.5
_TASK = re.compile(
    r"\?\s*$|^\W*(?:(?:\w\W+)?(?:Calculate|Find|Suppose|Determine|Estimate|What|How|Consider|Compute|Assume|If|Using)\b)|"
    r"\bCheck Your Learning\b"
)
"""A sentence of an exercise, whose numbers are made up."""
_ANOTHER_THING = 0.85
"""What is left of a sentence that neither names the thing that the number is asked of nor points to it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The number of a sentence. ``strength``: the share of the question that the sentence says with its surroundings, 0 to 1;
    ``score`` also counts how much it says by itself and how near the number stands to it."""

    number: Number
    strength: float
    score: float


def chosen_number(
    text: str,
    meant: str,
    around: str,
    parts: Sequence[Part],
    wanted: AskedNumber,
    given: frozenset[float],
    judge: Judge,
    least: float,
) -> Choice | None:
    """The number that a sentence says of what is asked for; None where it has none of the kind but those that are ``given`` in
    the question, or says less than the share ``least`` of the question by itself. ``meant`` is what stands before it that it points to."""
    plain = without_commas(text)
    numbers = [item for item in numbers_in(plain) if is_kind(item, wanted) and item.value not in given]
    if not numbers:
        return None
    tokens = tokenize(plain)
    words = [stem(token.folded) for token in tokens]
    total = sum(part.weight for part in parts)
    named, places = judge.names_of(text), in_phrases(parts, [places_of(part, words) for part in parts])
    own = [found_in(part, there, words, named) for part, there in zip(parts, places, strict=True)]
    if meant:
        own = [max(one, _MEANT * other) for one, other in zip(own, _found(parts, meant, judge), strict=True)]
    here = sum(part.weight * value for part, value in zip(parts, own, strict=True)) / total
    if here < least:
        return None
    strength = _with_surroundings(parts, own, around, judge) / total
    if not any(value for part, value in zip(parts, own, strict=True) if part.first) and not POINTS.search(text):
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
    if not strength or not scored:
        return None
    local, number = max(scored, key=lambda pair: (round(pair[0], 6), -pair[1].start))
    if _is_of_other_noun(number, tokens, wanted, parts):
        strength *= _OF_OTHER_NOUN
    if _is_unnamed(tokens, wanted):
        strength *= _UNNAMED
    task = _EXERCISE * bool(_TASK.search(text))
    return Choice(_of_list(number, plain, parts), strength, strength + _HERE * here + local - task)


def is_kind(item: Number, wanted: AskedNumber) -> bool:
    """Whether a number is of the kind that is asked for."""
    if item.year:
        return YEAR in wanted.kinds
    if item.dimension:
        return item.dimension in wanted.kinds or ANY in wanted.kinds
    if PLAIN not in wanted.kinds:
        return False
    return ANY not in wanted.kinds or not (item.value is not None and _YEARS[0] <= item.value <= _YEARS[1])


def _with_surroundings(parts: Sequence[Part], own: Sequence[float], around: str, judge: Judge) -> float:
    """The weight of the parts that a sentence or its surroundings say; 0 where one is said by neither that must be."""
    beside = _found(parts, around, judge)
    if any(part.must and not there for part, there in zip(parts, beside, strict=True)):
        return 0.0
    return sum(part.weight * max(value, _AROUND * there) for part, value, there in zip(parts, own, beside, strict=True))


def _found(parts: Sequence[Part], text: str, judge: Judge) -> list[float]:
    """How much of each part a text has."""
    words = [stem(token.folded) for token in tokenize(text)]
    named = judge.names_of(text) if any(part.names for part in parts) else frozenset()
    return [found_in(part, places_of(part, words), words, named) for part in parts]


def _of_list(number: Number, text: str, parts: Sequence[Part]) -> Number:
    """Of a list of values the one that is meant, where the text says which."""
    if number.quantity is None or number.quantity.kind != "list":
        return number

    def names(thing: str) -> bool:
        said = [stem(token.folded) for token in tokenize(thing)]
        return any(places_of(part, said) for part in parts)

    meant = of_the_named(text, number.start, number.end, number.quantity, names)
    return number if meant is None else replace(number, value=meant.value, quantity=meant, picked=True)


def _locality(
    item: Number, text: str, tokens: Sequence[Token], parts: Sequence[Part], places: Sequence[Sequence[int]]
) -> float:
    """How near a number stands to what the question names: the weights of the parts, less with every word and clause between."""
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


def _is_of_other_noun(item: Number, tokens: Sequence[Token], wanted: AskedNumber, parts: Sequence[Part]) -> bool:
    """Whether the noun before a number or the adjective behind is one for such numbers, but not the one that is asked for: "a
    diameter of 4 cm" or "4 cm thick" where it is asked how far away something is."""
    if not item.dimension or ANY in wanted.kinds:
        return False
    before = [token.folded for token in tokens if token.end <= item.start][-_NOUN_BEFORE:]
    after = [token.folded for token in tokens if token.start >= item.end][:_NOUN_BEHIND]
    labels = [word for word in before if set(kinds_of_noun(word)) & wanted.kinds]
    labels += [word for word in after[:1] if set(kinds_of_adjective(word)) & wanted.kinds]
    labels += [word for word in after if set(kinds_of_noun(word)) & wanted.kinds]
    asked = {stem(word) for word in (*wanted.head, *wanted.nouns)} | {word for part in parts for word, *_ in part.spelt}
    return bool(labels) and not any(stem(label) in asked for label in labels)


def _is_unnamed(tokens: Sequence[Token], wanted: AskedNumber) -> bool:
    """Whether a sentence lacks the noun of the number ("height" for "how tall", "altitude"), where that is more than the name
    of a dimension, which the unit tells."""
    asked = {stem(word) for word in (*wanted.head[-1:], *wanted.nouns)}
    if not asked or _TOLD_BY_UNIT & wanted.kinds or set(wanted.head[-1:]) & wanted.kinds:
        return False
    return not asked & {stem(token.folded) for token in tokens}


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
    if set(map(stem, wanted.noun[:-1])) & set(after[:_BESIDE]):
        return 0.2  # "36 hexagonal mirrors" for hexagonal segments
    before = [stem(token.folded) for token in tokens if token.end <= item.start]
    for at, word in enumerate(before):
        if word == "number" and last in before[at : at + 4]:
            return 0.2
    return _NOT_COUNTED
