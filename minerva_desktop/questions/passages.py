"""The sentences of passages that really concern a question. Extractive: a sentence is quoted or left out, never bent.

Passages are data. A sentence that addresses the reader instead of speaking of the world is never taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from minerva_desktop.domains import Domain
from minerva_desktop.extraction import KnownNames, extract
from minerva_desktop.language.sentences import split_sentences
from minerva_desktop.questions.aspects import addresses_the_reader
from minerva_desktop.questions.citing import Citer, passage_citation
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.judging import Judge, is_title
from minerva_desktop.records import Citation, Document, Passage, Relation, Sentence

_BACK = 2
"""Sentences before one that names no material, which may say what it is about."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A sentence that concerns the question, with its citation. ``relations`` are what was read in it; ``fit`` is how many
    of the question's conditions it meets, −1 when it contradicts one."""

    text: str
    passage: Passage
    citation: Citation
    score: float
    subjects: frozenset[str]
    relations: tuple[Relation, ...] = ()
    fit: int = 0


def known_materials(question: Question) -> dict[str, str]:
    """The materials of the question as it spells them: text → canonical name."""
    return {entity.text: entity.name for entity in question.entities if entity.type == "Material"}


ReadSentence = tuple[str, Sentence | None, tuple[Relation, ...]]
"""A sentence as it was read: its text, its place, what extraction read in it."""


@dataclass(frozen=True)
class ReadPassage:
    """A passage with its sentences, which are read when something of what stands in them is asked for: that takes most of
    the time of an answer."""

    passage: Passage
    texts: tuple[str, ...]
    read: Callable[[], list[ReadSentence]]

    @cached_property
    def sentences(self) -> tuple[ReadSentence, ...]:
        return tuple(self.read())


def read_passages(
    question: Question, passages: Sequence[Passage], domain: Domain, citer: Citer
) -> tuple[ReadPassage, ...]:
    """Passages with what stands in them, for a question whose names are known in them."""
    known = known_materials(question)
    return tuple(
        ReadPassage(item, tuple(sentences_of(item, citer)), partial(read_passage, item, domain, citer, known))
        for item in passages
    )


def quoted_sentences(readings: Sequence[ReadPassage], judge: Judge) -> list[Quoted]:
    """The sentences that answer, best first; of equal ones the better passage's, then the earlier."""
    found: list[tuple[float, int, int, Quoted]] = []
    seen: set[str] = set()
    for rank, reading in enumerate(readings):
        passage = reading.passage
        titled = judge.materials_of(passage.title)
        if not _may_answer(reading.texts, titled, judge):
            continue
        before: list[frozenset[str]] = []
        for index, (text, sentence, relations) in enumerate(reading.sentences):
            nearest = next((names for names in reversed(before[-_BACK:]) if names), titled)
            before.append(judge.materials_of(text))
            if is_title(text, passage.title):
                continue
            score, subjects = judge.score(text, relations, nearest, passage.source)
            item = quoted_from(passage, text, sentence, score, relations, subjects, judge.fits.get(text, 0))
            if score <= 0 or item.text in seen:
                continue
            seen.add(item.text)
            found.append((-score, rank, index, item))
    found.sort(key=lambda entry: entry[:3])
    return [item for *_, item in found]


def _may_answer(texts: Sequence[str], titled: frozenset[str], judge: Judge) -> bool:
    """Whether any of the sentences of a passage may answer the question."""
    before: list[frozenset[str]] = []
    for text in texts:
        nearest = next((names for names in reversed(before[-_BACK:]) if names), titled)
        before.append(judge.materials_of(text))
        if judge.may_answer(text, nearest):
            return True
    return False


def quoted_from(
    passage: Passage,
    text: str,
    sentence: Sentence | None,
    score: float,
    relations: tuple[Relation, ...] = (),
    subjects: frozenset[str] = frozenset(),
    fit: int = 0,
) -> Quoted:
    """A sentence of a passage as it is quoted."""
    plain = " ".join(text.split())
    return Quoted(plain, passage, passage_citation(passage, plain, sentence), score, subjects, relations, fit)


def relations_in(
    passage: Passage, domain: Domain, known: dict[str, str], citer: Citer
) -> list[tuple[Relation, Citation]]:
    """What the rules of extraction read in a passage, each with the place of its sentence."""
    found = []
    for text, sentence, relations in read_passage(passage, domain, citer, known):
        if addresses_the_reader(text):
            continue
        found += [(item, passage_citation(passage, " ".join(text.split()), sentence)) for item in relations]
    return found


def read_passage(
    passage: Passage, domain: Domain, citer: Citer, known: dict[str, str]
) -> list[tuple[str, Sentence | None, tuple[Relation, ...]]]:
    """The sentences of a passage with what extraction reads in each."""
    own = citer.sentences(passage)
    texts = sentences_of(passage, citer)
    sentences: list[Sentence] = []
    at = 0
    for index, text in enumerate(texts):
        sentences.append(Sentence(index, text, at, at + len(text)))
        at += len(text) + 1
    document = Document("ok", text=" ".join(texts), sentences=tuple(sentences))
    by_sentence: dict[int, list[Relation]] = {}
    for relation in extract(document, domain, paper_id="", known=KnownNames(known)).relations:
        by_sentence.setdefault(relation.evidence.sentence_index, []).append(relation)
    return [(text, own[index] if own else None, tuple(by_sentence.get(index, ()))) for index, text in enumerate(texts)]


def sentences_of(passage: Passage, citer: Citer) -> list[str]:
    """The sentences of a passage, as its paper has them, or else as they can be told in it."""
    own = citer.sentences(passage)
    return [item.text for item in own] or [passage.text[a:b] for a, b in split_sentences(passage.text)]
