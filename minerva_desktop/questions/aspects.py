"""What a question is about, for comparing it with facts and sentences: properties, relations, content words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from minerva_desktop.domains import Domain
from minerva_desktop.extraction.guard import is_instruction
from minerva_desktop.extraction.lexicon import lexicon_of
from minerva_desktop.extraction.reading import names_of, read
from minerva_desktop.extraction.tokens import tokenize
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.concepts import find_concept
from minerva_desktop.questions.lexicon import best_match
from minerva_desktop.retrieval.words import STOP_WORDS

_READER = re.compile(
    r"\b(?:ignore|disregard|forget|skip|override)\b.{0,60}\b(?:question|quer(?:y|ies)|ask(?:ed)?|above|previous|prior)\b"
    r"|\b(?:answer|reply|respond|say|output|print|return|write)\b\W+(?:only |just |simply |with |that |always )*[\W]?\d"
    r"|\b(?:asked|asks|question|prompted)\b.{0,80}\b(?:answer|reply|respond|say|output|state)\b"
    r"|\b(?:answer|reply|respond)\b.{0,60}\b(?:question|quer(?:y|ies)|user|asked)\b"
    r"|\b(?:assistant|model|chatbot|reader|system|program|you)\b.{0,40}\b(?:should|must|shall|have to|has to|is to|are to)\b"
    r".{0,30}\b(?:answer|reply|respond|say|state|output|report|claim)\b",
    re.IGNORECASE,
)
_NEAR = 3
EMPTY_WORDS = frozenset(
    "material paper library value number many much know known kind example thing called tell happen "
    "say said report reported write written literature study publication article state stated neighbour neighbor graph "
    "mean meant define definition explain describe does did use used using calculate compute find get".split()
)
_RELATIONS: dict[str, tuple[str, ...]] = {
    "applications": ("USED_IN",),
    "methods": ("SYNTHESIZED_BY",),
    "properties": ("HAS_PROPERTY", "HAS_VALUE"),
    "comparison": ("HAS_VALUE", "HAS_PROPERTY"),
    "calculation": ("HAS_VALUE",),
}


def asked_relations(question: Question, domain: Domain) -> tuple[str, ...]:
    """The types of fact that the question asks for; none means any."""
    chosen = _RELATIONS.get(question.type, ())
    if question.type == "lookup":
        chosen = ("HAS_VALUE", "HAS_PROPERTY") if question.properties else lookup_relations(question.text, domain)
    legal = {item.name for item in domain.relation_types}
    return tuple(name for name in chosen if name in legal)


def lookup_relations(text: str, domain: Domain) -> tuple[str, ...]:
    """The relations that a look-up without a property is about: formula, elements, or both."""
    words = [token.folded for token in tokenize(text)]
    keywords = domain.question_keywords
    chosen = [
        relation
        for relation, key in (("HAS_FORMULA", "formula"), ("HAS_ELEMENT", "elements"))
        if best_match(words, keywords.get(key, ()))
    ]
    return tuple(chosen) or ("HAS_FORMULA", "HAS_ELEMENT")


def asked_properties(question: Question, domain: Domain) -> tuple[str, ...]:
    """The properties of the question, and for a calculation those that go into the formula."""
    found = list(question.properties)
    for name in question.concepts if question.type == "calculation" else ():
        concept = find_concept(name, domain)
        found += [item.property_id for item in concept.variables if item.property_id] if concept else []
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Content:
    """What a question is about beside its materials: the words that say something, and those that stand together
    ("mirror symmetry"), which mean something else when they stand apart."""

    words: frozenset[str]
    pairs: frozenset[tuple[str, str]]

    def overlap(self, text: str) -> float:
        """The share of the words that a text has, 0 for a question without such words."""
        found = {token.folded for token in tokenize(text)}
        return len(self.words & found) / len(self.words) if self.words else 0.0

    def is_in(self, text: str) -> bool:
        """Whether a text is about the same: both of two words, three of five, and a few words not torn apart."""
        if not self.words:
            return True
        if self.overlap(text) < (1.0 if len(self.words) <= 2 else 0.6):
            return False
        return self.together(text)

    def together(self, text: str) -> bool:
        """Whether a few words stand in a text as they do in the question, not torn apart; many words may be."""
        if not self.pairs or len(self.words) > 3:
            return True
        order = [token.folded for token in tokenize(text)]
        near = {(one, other) for at, one in enumerate(order) for other in order[max(0, at - _NEAR) : at + _NEAR + 1]}
        return bool(self.pairs & near)


def content_of(question: Question, domain: Domain) -> Content:
    """The content words of a question, without materials, methods and uses, which are compared as names."""
    lexicon = lexicon_of(domain)
    known = {entity.text: entity.name for entity in question.entities if entity.type == "Material"}
    reading = read(question.text, lexicon, names_of("", lexicon, known))
    names = [item for item in reading.mentions if item.kind in {"material", "method", "application"}]
    covered = {index for item in names for index in range(item.first, item.last)}
    said = [
        token.folded
        if index not in covered
        and token.text[0].isalnum()
        and token.folded not in STOP_WORDS | EMPTY_WORDS
        and (len(token.folded) > 2 or token.text.isupper())
        else ""
        for index, token in enumerate(reading.tokens)
    ]
    pairs = {(one, other) for one, other in pairwise(said) if one and other}
    return Content(frozenset(said) - {""}, frozenset(pairs))


def addresses_the_reader(text: str) -> bool:
    """Whether a sentence gives orders to whoever answers, instead of saying something about the world."""
    return is_instruction(text) or bool(_READER.search(text))
