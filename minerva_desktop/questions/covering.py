"""How much of a question a sentence covers, together with what stands around it: the strength of evidence that is no fact.

A sentence that no rule reads as the fact that is asked may answer all the same ("… exhibits a half-life of about six
hours"). It is quoted only when it and its surroundings name nearly all that the question names; else the library does not
answer the question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from minerva_desktop.extraction.tokens import fold_phrase
from minerva_desktop.language.quantities import find_quantities
from minerva_desktop.library.words import stems
from minerva_desktop.questions.aspects import addresses_the_reader
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.judging import Judge, is_english, is_title, names_person
from minerva_desktop.questions.lexicon import contains_phrase
from minerva_desktop.questions.likeness import Alike
from minerva_desktop.questions.need import words_of
from minerva_desktop.questions.passages import Quoted, ReadPassage, quoted_from
from minerva_desktop.records import AnswerSentence, Relation

LEAST_STRENGTH = 0.75
"""Below this share of the question, a sentence is no answer: "not in your library". Chosen on the dev half of the built-in
questions (``bench ask --curve``; docs/question-sets.md shows the curve), and not by anything of the test half."""

_LEAST_HERE = 0.4
"""The share that the sentence itself must cover, without its surroundings."""
_LEAST_ALIKE = 0.25
"""The share where no sentence is strong enough by its words, and the meaning of the best ``_LOOKED_AT`` is looked at."""
_LOOKED_AT = 10
_BOTH = 0.44
_MEANING = 2.0
"""Of words and meaning together: 0.44 × (share of the question + 2 × cosine). The weights were chosen on the dev half, together
with the threshold."""
_UNCHECKED = 0.94
"""What is left of that where nothing but words and meaning can be checked: no person, name or cause has to be there."""
_AROUND = 0.6
_LIKE = 0.8
"""What a word counts that stands around the sentence, and one of the same root ("efficient" for "efficiency")."""
_ROOT = 5
_NAME = 1.5
_CELL = re.compile(r"(?<!\S)([A-Z][\w()/ ]{0,20}): ")
_LEAST_ROWS = 3
_FEW = 3
"""Of so few things that a question names, none may lack."""
_NEAR = 2
_RARE = 5.0
_COMMON = 50
_MOST_NUMBERS = 4
"""Numbers of the kind that is asked for: of a whole table nobody could tell which one is meant."""
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Covering:
    """A sentence and the share of the question that it covers with its surroundings."""

    quoted: Quoted
    strength: float


def covering(
    asked: Question,
    readings: Sequence[ReadPassage],
    judge: Judge,
    counts: Callable[[Sequence[str], int], Mapping[str, int]],
    alike: Alike | None = None,
) -> list[Covering]:
    """The sentences that may answer, strongest first; none where a number is asked for and no sentence has one. ``counts``: in
    how many passages of the library each term stands, counted up to a number. With ``alike`` a sentence that names too little
    of the question may be strong enough by its meaning."""
    parts, marks = _parts(asked, judge, counts), marks_of(asked)
    # A use or a method must be said as one; that a sentence names the material says nothing of it.
    if not (judge.need.words or judge.need.head or judge.need.process or asked.properties) or not (
        asked.type in {"general", "lookup"} or judge.need.process or judge.need.deed
    ):
        return []
    found: list[tuple[float, int, int, Covering]] = []
    faint: list[tuple[float, int, int, Covering]] = []
    for rank, reading in enumerate(readings):
        passage, sentences = reading.passage, reading.sentences
        for index, (text, sentence, relations) in enumerate(sentences):
            if (
                len(text) > _LONGEST
                or addresses_the_reader(text)
                or not is_english(text)
                or is_title(text, passage.title)
            ):
                continue
            if not _is_kind(text, asked, judge) or _is_elsewhere(text, judge) or not judge.has_forms(text):
                continue
            is_row = text != sentences[index][0]
            beside = sentences if is_row else sentences[max(0, index - _NEAR) : index + _NEAR + 1]
            near = [item[0] for item in beside]
            if not all(mark.search(" ".join([passage.title, *near])) for mark in marks):
                continue
            here, strength = _shares(parts, text, " ".join([passage.title, *near]), relations, judge)
            if here >= (_LEAST_HERE if alike is None else _LEAST_ALIKE) and strength:
                item = quoted_from(passage, text, sentence, strength, relations)
                entry = (-round(strength + here / 10, 6), rank, index, Covering(item, strength))
                (found if here >= _LEAST_HERE else faint).append(entry)
    found.sort(key=lambda entry: entry[:3])
    covered = [item for *_, item in found]
    if alike is None or any(item.strength >= LEAST_STRENGTH for item in covered):
        return covered
    both = sorted([*found, *faint], key=lambda entry: entry[:3])[:_LOOKED_AT]
    return _by_meaning([item for *_, item in both], alike, 1.0 if judge.need.asks else _UNCHECKED)


def _by_meaning(covered: Sequence[Covering], alike: Alike, sure: float) -> list[Covering]:
    near = alike([item.quoted.text for item in covered])
    both = [
        replace(item, strength=both_of(item.strength, value) * sure) for item, value in zip(covered, near, strict=True)
    ]
    return sorted(both, key=lambda item: -round(item.strength, 6))


def both_of(words: float, meaning: float) -> float:
    """The strength of a sentence by the share of the question that it names and its cosine with the question."""
    return min(1.0, _BOTH * (words + _MEANING * meaning))


def rows_of(text: str) -> list[str]:
    """The rows of a table that was written as text ("Medium: Benzene; n: 1.501 Medium: Water; n: 1.333"); any other text as it
    is."""
    heads = Counter(match.group(1) for match in _CELL.finditer(text))
    head, count = heads.most_common(1)[0] if heads else ("", 0)
    if count < _LEAST_ROWS:
        return [text]
    starts = [match.start() for match in re.finditer(rf"(?<!\S){re.escape(head)}: ", text)]
    return [text[start:end].strip() for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def strength_of(sentences: Sequence[AnswerSentence], covered: Sequence[Covering]) -> float | None:
    """How strong the evidence of an answer is that only quotes: what its best citation covers, to three figures; of no
    answer, what the best sentence would. None where nothing was weighed."""
    cited = {" ".join(item.quote.split()) for sentence in sentences for item in sentence.citations}
    fitting = [item.strength for item in covered if not sentences or item.quoted.text in cited]
    return round(max(fitting), 3) if fitting else None


@dataclass(frozen=True, slots=True)
class _Part:
    """Something that the question names: a word, a thing (by its ``names``) or a property."""

    weight: float
    words: tuple[tuple[str, ...], ...] = ()
    names: frozenset[str] = frozenset()
    must: bool = False


def _parts(asked: Question, judge: Judge, counts: Callable[[Sequence[str], int], Mapping[str, int]]) -> list[_Part]:
    terms = {word: stems(word)[:1] for word in sorted(judge.need.words)}
    found = counts(sorted({term for item in terms.values() for term in item}), _COMMON)
    # A rare word says more of what is asked than a common one; most of all one that the library does not know.
    rare = {word: min((found[term] for term in item), default=_COMMON) for word, item in terms.items()}
    parts = [_Part(1.0 + _RARE / (_RARE + rare[word]), ((word,),)) for word in terms]
    for entity in asked.entities:
        spelt = tuple(dict.fromkeys((fold_phrase(entity.text), fold_phrase(entity.name))))
        parts.append(_Part(_NAME, spelt, frozenset({entity.name}), must=entity.type == "Material"))
    labels = {spec.label for item in asked.properties[:1] if (spec := judge.domain.property(item)) is not None}
    if labels:
        must = not judge.need.process  # of a process the property is told, not asked for
        parts.append(_Part(_NAME, tuple(map(fold_phrase, sorted(labels))), frozenset(labels), must=must))
    return parts


def marks_of(asked: Question) -> list[re.Pattern[str]]:
    """The numbers by which a question tells one thing from another of the same name (an isotope, a gauge, a year): its digits
    that no name and no quantity takes."""
    text = asked.text
    for entity in asked.entities:
        text = text.replace(entity.text, " " * len(entity.text))
    for found in find_quantities(text):
        if found.quantity.dimension not in {"", "count", "dimensionless"}:
            text = text[: found.start] + " " * (found.end - found.start) + text[found.end :]
    return [
        re.compile(rf"(?<![\d.]){re.escape(item)}(?![\d.]\d|\d)") for item in re.findall(r"(?<![\w.])\d+[a-z]?\b", text)
    ]


def _shares(
    parts: Sequence[_Part], text: str, around: str, relations: Sequence[Relation], judge: Judge
) -> tuple[float, float]:
    """The share of the question that the sentence names, and that it names with its surroundings."""
    words, wider = words_of(text), words_of(around)
    named, near = judge.names_of(text), judge.names_of(around)
    here = whole = total = 0.0
    for part in parts:
        own = _found(part, words, named)
        beside = _found(part, wider, near)
        if not beside and (part.must or len(parts) <= _FEW):
            return 0.0, 0.0
        total += part.weight
        here += part.weight * own
        whole += part.weight * max(own, _AROUND * beside)
    return here / total, whole / total


def _found(part: _Part, words: Sequence[str], named: frozenset[str]) -> float:
    if part.names & named or any(contains_phrase(words, phrase) for phrase in part.words if phrase):
        return 1.0
    if not part.must and any(fold_phrase(name)[-len(item) :] == item for name in named for item in part.words if item):
        return 1.0  # "reactive sputtering" for sputtering
    roots = {word[:_ROOT] for phrase in part.words for word in phrase if len(phrase) == 1 and len(word) > _ROOT}
    return _LIKE if not part.names and any(word[:_ROOT] in roots for word in words if len(word) >= _ROOT) else 0.0


def _is_elsewhere(text: str, judge: Judge) -> bool:
    """Whether a sentence speaks of other materials than the question: its surroundings cannot make it one of these."""
    named = judge.materials_of(text)
    return bool(judge.materials and named) and not judge.materials & named


def _is_kind(text: str, asked: Question, judge: Judge) -> bool:
    """Whether a sentence has the kind of thing that is asked for: a number of its dimension, a person, a year, a reason."""
    need = judge.need
    if need.number and not judge.is_attribute:
        numbers = sum(need.is_number(item.quantity) for item in find_quantities(text))
        return 0 < numbers <= _MOST_NUMBERS
    if need.asks == "who":
        return names_person(text, asked.text) and not judge.is_torn(text)
    return judge.content.together(text) and judge.is_about(text)
