"""What a question names, as it is looked for in sentences that may say its number: words, rare ones weighing more, and names."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from minerva_desktop.extraction.tokens import fold_phrase, tokenize
from minerva_desktop.language.stems import stem
from minerva_desktop.library.words import STOP_WORDS
from minerva_desktop.questions.asked_number import ANY, PLAIN, AskedNumber, idle_words
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.judging import Judge

Weigher = Callable[[Sequence[str], int], dict[str, int]]
"""In how many passages of the library each stem stands, counted up to a most."""

_COMMON = 400
_NAME = 1.4
_ROOT = 5
_LIKE = 0.8
"""What a word counts that only has the same root ("efficient" for "efficiency")."""


@dataclass(frozen=True, slots=True)
class Part:
    """Something that the question names: a word, or a thing by its spellings (stems) and ``names``. ``must``: no sentence
    answers that says it neither itself nor near by; ``first``: it belongs to the thing that the number is of; ``next``: the part
    whose word stands right behind its own in the question."""

    weight: float
    spelt: tuple[tuple[str, ...], ...]
    names: frozenset[str] = frozenset()
    must: bool = False
    first: bool = False
    next: int = -1


def parts_of(asked: Question, wanted: AskedNumber, judge: Judge, weigh: Weigher) -> list[Part]:
    """The words of the question in their order, without those that say nothing or only the kind of number; then its names."""
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
    counts = weigh(words, _COMMON)
    parts = []
    # Of a property by its name, the other words say of what it is.
    subjects = {stem(word) for word in judge.need.words} if asked.properties and not judge.need.process else set()
    for at, word in enumerate(words):
        following = at + 1 if at + 1 < len(words) and (word, words[at + 1]) in behind else -1
        parts.append(
            Part(_weight(counts.get(word, 0)), ((word,),), must=word in subjects, first=word in thing, next=following)
        )
    for item in entities:
        spelt = tuple(dict.fromkeys((tuple(_stems(item.text)), tuple(_stems(item.name)))))
        first = bool(thing & set(spelt[0]))
        # A compound that is only known by its name may stand as a formula.
        must = item.type == "Material" and (item.name != item.text or " " not in item.name)
        parts.append(Part(_NAME, spelt, frozenset({item.name}), must=must, first=first))
    return parts


def _weight(count: int) -> float:
    """Of a word that stands in ``count`` passages: 0.6 of a common one, 2.3 of one that stands nowhere."""
    return 0.6 + 0.2 * math.log2(_COMMON / (min(count, _COMMON - 1) + 1))


def _stems(text: str) -> list[str]:
    return [stem(word) for word in fold_phrase(text)]


def places_of(part: Part, words: Sequence[str]) -> list[int]:
    """Where a part stands among the stems of a text."""
    found = []
    for phrase in part.spelt:
        size = len(phrase)
        if size:
            found += [at for at in range(len(words) - size + 1) if tuple(words[at : at + size]) == phrase]
    return found


def in_phrases(parts: Sequence[Part], places: Sequence[list[int]]) -> list[list[int]]:
    """Where words that stand side by side in the question ("dark energy") do so in a sentence, only these places of them."""
    found = [list(item) for item in places]
    for at in range(len(parts) - 1):
        if parts[at].next == at + 1:
            together = [place for place in places[at] if place + 1 in places[at + 1]]
            if together:
                found[at] = together
                found[at + 1] = [place + 1 for place in together]
    return found


def found_in(part: Part, places: Sequence[int], words: Sequence[str], named: frozenset[str]) -> float:
    """How much of a part a text has: 1 with the word or name itself, less with one of the same root, 0 without."""
    if places or part.names & named:
        return 1.0
    roots = {word[:_ROOT] for phrase in part.spelt for word in phrase if len(phrase) == 1 and len(word) > _ROOT}
    alike = not part.names and any(word[:_ROOT] in roots for word in words if len(word) >= _ROOT)
    return _LIKE if alike else 0.0
