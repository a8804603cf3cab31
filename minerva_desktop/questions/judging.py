"""Whether a sentence or a fact answers a question, and how well: one score for both, so that the better is told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from minerva_desktop.domains import Domain
from minerva_desktop.extraction.lexicon import lexicon_of
from minerva_desktop.extraction.mentions import Mention, Reading
from minerva_desktop.extraction.reading import names_of, read
from minerva_desktop.extraction.tokens import fold_phrase, tokenize
from minerva_desktop.language.elements import symbol_for_name
from minerva_desktop.language.quantities import FoundQuantity, find_quantities
from minerva_desktop.language.stems import stem
from minerva_desktop.library.words import STOP_WORDS
from minerva_desktop.questions.aspects import addresses_the_reader, asked_properties, asked_relations, content_of
from minerva_desktop.questions.classifier import Question, asks_for_meaning
from minerva_desktop.questions.lexicon import best_match, contains_phrase
from minerva_desktop.questions.need import lies_on, need_of, placed_in, points
from minerva_desktop.records import Fact, Quantity, Relation

_ENGLISH = frozenset(
    "the of is are was were in a an and with for to by has have from at as on that this it its can be between per".split()
)
_LONGEST = 400
_ADJACENT = 0.5
_PLACED = 0.35
"""For the same preposition before the same material: "in silicon"."""
_FIT = (0.75, 1.25)
"""What a contradicted and what a met condition of the question weighs."""
_GASES = frozenset("N O H Ar He Ne Kr Xe Cl F".split())
_HEADING = 4
_MEANING = 1.0
"""For a sentence that says what a thing is, when that is asked: more than for one with a value of it."""
_SPELLED = 0.3
"""For the name by which the question calls its material: quartz and fused silica are one formula."""
_NAMED = re.compile(r"\b(?:called|known as|termed|named|referred to as)\b", re.IGNORECASE)
_IS_A = re.compile(r"\b(?:is|are) (?:the|a|an)\b", re.IGNORECASE)
_ROOT = 7
_STEM = 5
_TORN = 2
_MOST_WORDS = 0.6
_REASON = re.compile(
    r"\b(?:because|due to|owing to|caus\w+|reasons?|limited by|results? (?:of|from)|comes? from)\b", re.I
)
_PERSON = re.compile(r"(?<=[\w,;()] )[A-Z][a-z]{2,}(?!-)\b")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_DEFINING = re.compile(
    r"(?:An?\s|The\s)?([\w-]+(?:\s[\w-]+){0,3}?)\s(?:is|are|means)\s(?:an?|the|that|when|how)\s", re.IGNORECASE
)
NAMED_IN_PASSING = frozenset({"HAS_FORMULA", "HAS_ELEMENT"})
"""Any sentence that names a compound by its formula says these, so one that asks for them must use their words."""

Stated = Fact | Relation


def is_part_of_name(text: str, name: str) -> bool:
    """Whether a name stands in a text only before another element's ("niobium aluminium (Nb3Al)"), as a part of it."""
    after = re.findall(rf"(?<!\w){re.escape(name)}\s+(\w+)", text, re.IGNORECASE)
    return bool(after) and all(len(word) > 2 and symbol_for_name(word) is not None for word in after)


class Judge:
    """Decides whether a sentence concerns one question, and how well."""

    """``made``: by which methods each paper made the materials of the question."""

    def __init__(
        self,
        question: Question,
        domain: Domain,
        known: dict[str, str],
        made: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self.question = question
        self.domain = domain
        self.lexicon = lexicon_of(domain)
        self.names = names_of("", self.lexicon, known)
        self.materials = frozenset(question.of_type("Material"))
        self.others = frozenset((*question.of_type("Application"), *question.of_type("Method")))
        self.relations = asked_relations(question, domain)
        self.properties = asked_properties(question, domain)
        self.concepts = tuple(question.concepts)
        self.content = content_of(question, domain)
        self.defining = asks_for_meaning(question.text, domain)
        self.need = need_of(question, domain)
        self.made = made or {}
        texts = [item.text for item in question.entities if item.type == "Material" and item.text != item.name]
        self._spelled = [fold_phrase(text) for text in texts if len(text) > 2]
        self.fits: dict[str, int] = {}
        self._readings: dict[str, Reading] = {}
        self._in_order: dict[str, tuple[str, ...]] = {}

    def _reading(self, text: str) -> Reading:
        """A text as it is read, once."""
        if text not in self._readings:
            self._readings[text] = read(text, self.lexicon, self.names)
        return self._readings[text]

    def materials_of(self, text: str) -> frozenset[str]:
        """The materials that a text names."""
        return frozenset(self.in_order(text))

    def names_of(self, text: str) -> frozenset[str]:
        """The things and properties that a text names, as they are called in facts."""
        mentions = self._reading(text).mentions
        named = {item.entity.key[1] for item in mentions if item.entity is not None}
        return frozenset(named | {item.spec.label for item in mentions if item.spec is not None})

    def in_order(self, text: str) -> tuple[str, ...]:
        """The materials that a text names, each once, as they come."""
        if text not in self._in_order:
            mentions = self._reading(text).mentions
            names = (item.entity.key[1] for item in mentions if item.kind == "material" and item.entity is not None)
            self._in_order[text] = tuple(dict.fromkeys(names))
        return self._in_order[text]

    def may_answer(self, text: str, nearest: frozenset[str] = frozenset()) -> bool:
        """False for a sentence that :meth:`score` is sure to call 0, whatever relations are read in it; quickly told."""
        if len(text) > _LONGEST or addresses_the_reader(text) or not is_english(text):
            return False
        if self.materials:
            own = self.in_order(text)
            named = {item.entity.key[1] for item in self._reading(text).mentions if item.entity is not None}
            meant = not own and bool(nearest) and nearest <= self.materials
            if not (self.materials & named or meant):
                return False
        return self.is_about(text)

    def score(
        self, text: str, relations: Iterable[Stated], nearest: frozenset[str] = frozenset(), source: str = ""
    ) -> tuple[float, frozenset[str]]:
        """0 when the sentence does not concern the question; and the materials of the question that it speaks of.

        ``nearest`` are the materials that were named last before it, which it means when it names none itself ("Their
        dark count rate is …").
        """
        if len(text) > _LONGEST or addresses_the_reader(text) or not is_english(text):
            return 0.0, frozenset()
        reading = self._reading(text)
        named = {item.entity.key[1] for item in reading.mentions if item.entity is not None}
        subjects = frozenset(self.materials & named)
        meant = not subjects and not self.materials_of(text) and bool(nearest) and nearest <= self.materials
        if self.materials and not (subjects or meant):
            return 0.0, subjects
        relations = list(relations)
        quantities = [item.quantity for item in find_quantities(text)]
        numbered = any(map(self.need.is_number, self._free(quantities, relations)))
        if meant and not numbered:
            return 0.0, subjects
        subjects = subjects or (nearest if meant else frozenset())
        base = self._base(text, relations, reading.mentions, named, numbered)
        if not base or not self.is_about(text):
            return 0.0, subjects
        fit = self.need.fit(quantities, [item for one in relations if self._tells(one) for item in one.conditions])
        share = self._share(text)
        nearness = self._nearness(named, source) + _PLACED * bool(self.need.placed & placed_in(reading))
        brevity = 0.1 * (1 - min(len(text), _LONGEST) / _LONGEST)
        meaning = _MEANING if self.defining and self._defines(text) else 0.0
        meaning += _SPELLED * any(contains_phrase(_words(text), phrase) for phrase in self._spelled)
        base += 0.3 * self.content.overlap(text) + share + _FIT[fit > 0] * fit + nearness + meaning + brevity
        self.fits[text] = fit
        return max(0.1, base - _ADJACENT * (meant and fit <= 0)), subjects

    def score_fact(self, fact: Fact) -> float:
        """How well a fact answers, by the sentence that says it best; 0 when none does."""
        if self.need.process and (fact.quantity is None or not self.need.is_number(fact.quantity)):
            return 0.0
        if not any(self.has_forms(item.evidence.sentence) for item in fact.evidence) and not fact.by_person:
            return 0.0
        told = 2.0 + 0.5 * (fact.quantity is not None)
        places = [(item.evidence.sentence, item.evidence.paper) for item in fact.evidence]
        best = max((self._of_place(*place) for place in places), default=0.0)
        fit = self.fit_of(fact)
        return told + best + _FIT[fit > 0] * fit

    def fit_of(self, fact: Fact) -> int:
        """How many conditions of the question a fact meets where it is said; −1 when one is contradicted anywhere."""
        sentences = [item.evidence.sentence for item in fact.evidence]
        own = set(points(fact.quantity)) if fact.quantity is not None else set()
        fits = [
            self.need.fit([item.quantity for item in find_quantities(text) if not own & set(points(item.quantity))],
                          fact.conditions)
            for text in sentences
        ] if self.need.given else []  # fmt: skip
        return max(fits) if any(fit > 0 for fit in fits) else min(fits, default=0)

    def _of_place(self, text: str, paper: str) -> float:
        reading = self._reading(text)
        named = {item.entity.key[1] for item in reading.mentions if item.entity is not None}
        brevity = 0.1 * (1 - min(len(text), _LONGEST) / _LONGEST)
        return 0.3 * self.content.overlap(text) + self._share(text) + self._nearness(named, paper) + brevity

    def is_about(self, text: str) -> bool:
        """Whether a sentence has what no recognised name of the question stands for: an unknown subject, the thing that
        "which" asks for, a year."""
        if self.need.asks == "on what":
            return lies_on(self._reading(text), self.materials)
        if self._unnamed and self._share(text) < _MOST_WORDS:
            return False
        if not self.has_forms(text):
            return False
        need, words = self.need, set(_words(text))
        if need.attribute and not any(stem(word)[:_ROOT] == need.attribute[:_ROOT] for word in words):
            return False
        if need.head and not self._has_head(words):
            return False
        if need.asks == "kind":
            return not any(map(self._is_value, find_quantities(text)))
        if need.asks == "choice":
            return bool(need.choice & words)
        if need.asks == "called":
            return self._names(text)
        uses = self.question.type == "applications" and not self.materials
        if uses and len(self.others) > 1 and not all(set(fold_phrase(name)) <= words for name in self.others):
            return False
        if (uses or self.is_attribute) and need.words and self._share(text) < _MOST_WORDS:
            return False
        if need.asks == "who":
            told = bool(need.words) and self._share(text) >= _MOST_WORDS and names_person(text, self.question.text)
            return told and not self.is_torn(text)
        if need.asks == "why":
            return bool(_REASON.search(text)) or (
                bool(need.deed) and need.deed in {stem(word) for word in _words(text)}
            )
        if need.asks == "when":
            return bool(_YEAR.search(text)) and (not need.words or self._share(text) >= _MOST_WORDS)
        return True

    @property
    def is_attribute(self) -> bool:
        """Whether it is asked if a property is of some kind ("Is the band gap of GaN direct?")."""
        return self.question.yes_no and self.question.claim is None and self.question.type == "lookup"

    def _is_value(self, found: FoundQuantity) -> bool:
        """Whether a quantity is a value of a property of the question."""
        specs = [spec for item in self.properties if (spec := self.domain.property(item)) is not None]
        return any(found.quantity.dimension in (spec.dimension, *spec.other_dimensions) for spec in specs)

    def _names(self, text: str) -> bool:
        """Whether a sentence gives a name: it says "called", or it says what something is that the question does not name,
        in the question's words right behind ("The skin effect is the crowding of …")."""
        if _NAMED.search(text):
            return True
        is_a = _IS_A.search(text)
        if is_a is None:
            return False
        asked = {word[:_ROOT] for word in _words(self.question.text)}
        subject = {word[:_ROOT] for word in _words(text[: is_a.start()])}
        said = _words(text[is_a.end() :])[:_HEADING]
        own = self.need.words or self.content.words
        return not (subject & asked) - STOP_WORDS and bool(own & set(said))

    def is_torn(self, text: str) -> bool:
        """Whether clauses stand between what the question names: "Invented by Gabor, who won a prize, holography gained by
        the laser" does not say who invented the laser."""
        named = [*self.need.words, *(item.text.casefold() for item in self.question.entities)]
        low = text.casefold()
        places = [place for word in named if (place := low.find(word[:_STEM])) >= 0]
        return bool(places) and len(re.findall("[,;]", text[min(places) : max(places)])) >= _TORN

    def has_forms(self, text: str) -> bool:
        """Whether a text has the shapes of a material that the question names; its bulk has other values."""
        return all(contains_phrase(_words(text), form) for form in self.need.forms)

    def _has_head(self, words: set[str]) -> bool:
        """Whether words have the thing that "which" asks for; of gases, which hardly anybody calls so, also their names."""
        if self.need.head == "gas":
            names = {name.casefold() for name in self.lexicon.gases} | {"gas", "air", "ammonia", "methane"}
            return bool(words & names) or any(symbol_for_name(word) in _GASES for word in words if len(word) > 4)
        return self.need.head in words

    @property
    def _unnamed(self) -> bool:
        """Whether the question looks up a property of something that was not recognised."""
        own = self.question.type == "lookup" and bool(self.need.words) and not self.need.noun
        return own and not self.materials and not self.others

    def _nearness(self, named: set[str], source: str) -> float:
        """How much a statement is of the sample that is asked for: by its substrate, and by the method it was made with."""
        near = 0.4 * len(self.need.beside & named)
        if self.need.methods & named or not self.need.methods:
            return near + 0.4 * len(self.need.methods & named)
        made = self.made.get(source, frozenset())
        if self.question.type == "comparison" or not made:
            return near
        return near + (0.4 if self.need.methods & made else -0.75)

    def _free(self, quantities: Sequence[Quantity], relations: Sequence[Stated]) -> list[Quantity]:
        """The quantities that may be the number; for a process without those that are a property's value."""
        if not self.need.process:
            return list(quantities)
        taken = [item.quantity.si_value for item in relations if item.quantity is not None]
        return [item for item in quantities if item.si_value is None or item.si_value not in taken]

    def shares_words(self, fact: Fact) -> bool:
        """Whether a sentence that says a fact has any of the question's own words."""
        return any(self._share(item.evidence.sentence) for item in fact.evidence)

    def _share(self, text: str) -> float:
        """The share of the question's own words that a sentence has."""
        words, there = self.need.words, set(_words(text))
        kind = 0.3 * (self.need.noun not in {"", "material"} and self.need.noun in there)
        return len(words & there) / len(words) + kind if words else kind

    def _base(
        self, text: str, relations: Sequence[Stated], mentions: Sequence[Mention], named: set[str], numbered: bool
    ) -> float:
        """What a sentence is worth before its words and conditions are looked at."""
        overlap = self.content.overlap(text)
        if self.need.asks == "on what":
            return 1.6 + 0.5 * any(item.kind == "method" for item in mentions)
        if self.need.process:
            return self._of_process(text, mentions, named) if numbered else 0.0
        told = [item for item in relations if self._tells(item)]
        if self.need.number and self.question.type == "lookup":
            told = [item for item in told if self.need.is_number(item.quantity)]
            if not told and not numbered:
                return 0.0
        own = bool(self.need.words) and self.question.type == "lookup" and not self.question.properties
        if own:
            return 1.6 if self._share(text) >= _MOST_WORDS else 0.0
        if told and not overlap and {item.type for item in told} <= NAMED_IN_PASSING:
            return 0.5
        told = [item for item in told if not is_part_of_name(text, item.source.name)]
        if told:
            return 2.0 + 0.5 * any(item.quantity is not None for item in told)
        if self._concerns(text, mentions, named, overlap):
            return 1.1 + 0.5 * (numbered and self.need.number)
        return 0.0

    def _of_process(self, text: str, mentions: Sequence[Mention], named: set[str]) -> float:
        """A sentence on a process with a number of the kind that is asked for."""
        if self.question.type == "methods":
            if self.need.methods and not self.need.methods & named:
                return 0.0
            words = self.domain.question_keywords.get("methods", ())
            made = any(item.kind == "method" for item in mentions) or best_match(_words(text), words) is not None
            return 1.5 if made else 0.0
        if self.question.properties:
            ids = {item.spec.id for item in mentions if item.spec is not None}
            return 1.5 if ids & set(self.question.properties) else 0.0
        if self.others and not self.others & named:
            return 0.0
        if self.need.words:
            return 1.5 if self._share(text) >= _MOST_WORDS else 0.0
        return 1.5 if self.others else 0.0

    def _defines(self, text: str) -> bool:
        """Whether a sentence starts with what is asked for and says what it is: "A superconductor is a …"."""
        opening = _DEFINING.match(text)
        if opening is None:
            return False
        return bool(set(_words(opening.group(1))) & self.content.words or self.others)

    def _tells(self, relation: Stated) -> bool:
        """Whether a relation read in the sentence is the kind of fact that the question asks for."""
        if relation.type not in self.relations or relation.modality == "negated":
            return False
        if self.materials and relation.source.key[1] not in self.materials:
            return False
        if not self.materials and self.others and relation.target.key[1] not in self.others:
            return False
        if self.properties and relation.type == "HAS_VALUE":
            return relation.property_id in self.properties
        if self.properties:
            labels = {spec.label for item in self.properties if (spec := self.domain.property(item))}
            return relation.target.key[1] in labels
        return self.question.type != "calculation" and bool(self.materials or self.others)

    def _concerns(self, text: str, mentions: Sequence[Mention], named: set[str], overlap: float) -> bool:
        """Without a fact in it: every name and property of the question, or nearly all its words, must be there."""
        if self.question.properties and not self.concepts:
            ids = {item.spec.id for item in mentions if item.spec is not None}
            return bool(ids & set(self.question.properties))
        if self.relations and self.question.type in {"applications", "methods"}:
            if self.materials:
                # A use that no lexicon knows is still a use when the sentence says "used in".
                return best_match(_words(text), self.domain.question_keywords.get(self.question.type, ())) is not None
            return bool(self.others & named) and (overlap >= 0.5 or not self.content.words)
        if self.others and not self.others & named:
            return False
        return self.content.is_in(text) if self.content.words else bool(self.materials or self.others)


def names_person(text: str, question: str) -> bool:
    """Whether a sentence names somebody whom the question does not: a capital inside the sentence."""
    lower = set(re.findall(r"\b[a-z]+\b", text))  # "as Temperature and Heat says of temperature" names a title
    return any(
        match.group() not in question and match.group().casefold() not in lower for match in _PERSON.finditer(text)
    )


def _words(text: str) -> list[str]:
    return [token.folded for token in tokenize(text)]


def is_title(text: str, title: str) -> bool:
    """Whether a text only repeats the title, which states nothing."""
    plain, whole = (" ".join(_words(item)) for item in (text, title))
    return bool(plain) and (plain == whole or (len(plain.split()) > _HEADING and plain in whole))


def is_english(text: str) -> bool:
    """Whether a sentence reads as English; what is too short to tell counts as English."""
    words = [word.strip(".,;:()“”\"'").casefold() for word in text.split()]
    return len(words) < 5 or any(word in _ENGLISH for word in words)
