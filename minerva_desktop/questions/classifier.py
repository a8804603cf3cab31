"""What a question asks: its type, the route to an answer, and the materials, properties and concepts that it names.

Everything is matched as whole words, the longest and most specific first; words that belong to a name ("silicon" in
"silicon carbide", "growth" in a method's name) are not read as anything else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from minerva_desktop.domains import Domain
from minerva_desktop.domains.pack import Concept, PropertySpec
from minerva_desktop.extraction.lexicon import lexicon_of
from minerva_desktop.extraction.mentions import Mention
from minerva_desktop.extraction.reading import Names, names_of, read
from minerva_desktop.extraction.tokens import Token, fold_phrase, tokenize
from minerva_desktop.language.elements import SYMBOLS, symbol_for_name
from minerva_desktop.questions.lexicon import Words, best_match, contains_phrase, keyword, matched_words

QuestionType = Literal["calculation", "properties", "applications", "methods", "lookup", "comparison", "general"]
Route = Literal["graph", "vector", "hybrid"]

LONGEST = 2000
"""Characters of a question that are read."""

_ASKING = frozenset({
    "what", "which", "list", "name", "give", "show", "what's", "welche", "welcher", "welches", "was", "hangi",
})  # fmt: skip
_HEAD = 4
_LONG_WORD = 7
_OF = 2
_WHAT_IS = re.compile(r"\s*what(?:'s| is| are) (?:an? )?(?!the\b)[\w-]+(?: [\w-]+){0,2}\s*\??\s*", re.IGNORECASE)
_APART = frozenset("on onto with from than that which whose beside under against compared using into like".split())
"""Words between two materials after which the second one is not what is asked about."""
_JOINING = frozenset({"or", "and", "than", "between", "are"})
_AFTER_VERB = frozenset({"to", "into", "the"})
_BEFORE_ELEMENT = frozenset({"of", "for", "does", "is", "in", "von"})
_HOW_MUCH = re.compile(r"how (?:much|many|large|long|fast|far|high|great)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class QuestionEntity:
    """A thing that the question names: canonical ``name``, and the ``text`` that was read."""

    type: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A value that a question asks about ("larger than 3 eV"), in SI. ``strict``: its ends do not belong to it."""

    dimension: str
    low: float | None = None
    high: float | None = None
    strict: bool = False

    def holds(self, least: float, most: float) -> bool | None:
        """Whether a value from ``least`` to ``most`` is such a one; None when it only partly is."""
        low = self.low is None or (least > self.low if self.strict else least >= self.low)
        high = self.high is None or (most < self.high if self.strict else most <= self.high)
        if low and high:
            return True
        below = self.low is not None and (most <= self.low if self.strict else most < self.low)
        above = self.high is not None and (least >= self.high if self.strict else least > self.high)
        return False if below or above else None


@dataclass(frozen=True, slots=True)
class Question:
    """``concepts`` are names of the pack, best first; ``properties`` are property ids in the order of the text.

    ``beside`` are materials that the question names without asking about them: a substrate, what something was compared
    with. They are no ``entities``. ``unit`` is the unit that the answer is asked in; ``yes_no``: it can be answered with
    yes or no, ``claim`` is then the value that is asked about. Both are taken out of ``text``.
    """

    text: str
    type: QuestionType
    route: Route
    concepts: tuple[str, ...] = ()
    entities: tuple[QuestionEntity, ...] = ()
    properties: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    unit: str = ""
    yes_no: bool = False
    claim: Claim | None = None

    def of_type(self, kind: str) -> tuple[str, ...]:
        """Canonical names of the entities of that type."""
        return tuple(entity.name for entity in self.entities if entity.type == kind)


@dataclass(frozen=True, slots=True)
class _View:
    """The words of a question; ``free`` are those that belong to no name."""

    domain: Domain
    tokens: Sequence[Token]
    words: Sequence[str]
    free: Sequence[str]

    def best(self, *kinds: str) -> int:
        """Length of the longest keyword of these kinds, 0 for none."""
        texts = [text for kind in kinds for text in self.domain.question_keywords.get(kind, ())]
        found = best_match(self.free, texts)
        return found[0] if found else 0

    def head(self, kind: str) -> bool:
        """Whether a noun of that kind is what a question word asks for: "Which growth methods …"."""
        for index, word in enumerate(self.words):
            if word in _ASKING:
                near = self.free[index + 1 : index + 1 + _HEAD]
                nouns = self.domain.question_keywords.get(f"{kind}_nouns", ())
                return any(contains_phrase(near, fold_phrase(noun)) for noun in nouns)
        return False


def classify(text: str, domain: Domain, known: Mapping[str, str] | None = None) -> Question:
    """The question as it is understood. ``known`` are names of materials in the library: spelling → canonical."""
    text = " ".join(unicodedata.normalize("NFC", text[:LONGEST]).split())
    lexicon = lexicon_of(domain)
    reading = read(text, lexicon, names_of("", lexicon, known or {}) if known else Names())
    tokens = reading.tokens
    words = [token.folded for token in tokens]
    concept_words = _concepts(words, domain)
    taken = frozenset().union(*(found for _, found in concept_words)) if concept_words else frozenset[int]()
    mentions = [item for item in reading.mentions if not _inside(item, taken)]
    entities, properties, covered = _named(text, mentions, tokens, words, domain)
    free = ["" if index in covered else word for index, word in enumerate(words)]
    view = _View(domain, tokens, words, free)
    concepts = tuple(concept.name for concept, _ in concept_words)
    has_numbers = any(character.isdigit() for character in _without(text, mentions))
    kind = _type(text, view, concepts, entities, properties, has_numbers)
    beside: tuple[str, ...] = ()
    if kind not in {"comparison", "calculation"}:
        entities, beside = _asked_about(entities, mentions, tokens)
    route: Route = "hybrid" if concepts else _route(kind, entities, properties)
    return Question(text, kind, route, concepts, entities, properties, beside)


# -------------------------------------------------------------------------------------------------- concepts
def _concepts(words: Sequence[str], domain: Domain) -> list[tuple[Concept, frozenset[int]]]:
    """Concepts whose keywords stand in the question, the longest keyword first; shorter ones inside it fall away."""
    found: list[tuple[int, int, Concept, frozenset[int]]] = []
    for index, concept in enumerate(domain.concepts):
        if any(contains_phrase(words, fold_phrase(phrase)) for phrase in concept.unless):
            continue
        options = [matched_words(words, keyword(text)) for text in (concept.name, *concept.keywords)]
        fitting = [option for option in options if option]
        if fitting:
            longest = max(len(option) for option in fitting)
            found.append((-longest, index, concept, frozenset().union(*fitting)))
    found.sort(key=lambda item: item[:2])
    kept: list[tuple[Concept, frozenset[int]]] = []
    for _, _, concept, positions in found:
        if all(not positions & other for _, other in kept):
            kept.append((concept, positions))
    return kept


def _inside(mention: Mention, taken: frozenset[int]) -> bool:
    """A property's name that is part of a longer concept name: "density" in "planar density (111)"."""
    span = set(range(mention.first, mention.last))
    if mention.kind == "quantity" or not span <= taken:
        return False
    runs = [index for index in taken if index + 1 in span or index - 1 in span]
    return mention.kind in {"property", "predicate"} and any(index not in span for index in runs)


# ----------------------------------------------------------------------------------------------------- names
def _named(
    text: str, mentions: Iterable[Mention], tokens: Sequence[Token], words: Sequence[str], domain: Domain
) -> tuple[tuple[QuestionEntity, ...], tuple[str, ...], set[int]]:
    entities: dict[tuple[str, str], tuple[int, QuestionEntity]] = {}
    properties: dict[str, int] = {}
    covered: set[int] = set()
    mentions = list(mentions)
    for mention in mentions:
        if mention.kind in {"property", "predicate"} and mention.spec is not None:
            if _is_condition(mention, mentions):
                covered.update(range(mention.first, mention.last))
                continue
            properties.setdefault(mention.spec.id, mention.start)
            for kind_of in _kinds_of(mention.spec, fold_phrase(text[mention.start : mention.end]), domain):
                properties.setdefault(kind_of, mention.start + 1)  # behind the one that was named
            covered.update(range(mention.first, mention.last))
        elif mention.entity is not None and mention.kind in {"material", "method", "application"}:
            kind, name = mention.entity.key
            entities.setdefault((kind, name), (mention.start, QuestionEntity(kind, name, mention.entity.name)))
            covered.update(range(mention.first, mention.last))
    compared = {word for item in domain.question_keywords.get("comparison", ()) for word in fold_phrase(item)}
    for kind, name, found in _foreign(words, domain):
        first, last = min(found), max(found)
        start = tokens[first].start
        if kind == "property":
            properties.setdefault(name, start)
            # "denser" names the density and asks for a comparison as well.
            covered.update(index for index in found if words[index] not in compared)
            continue
        item = QuestionEntity("Material", name, text[start : tokens[last].end])
        entities.setdefault(("Material", name), (start, item))
        covered.update(found)
    for index in _lone_elements(tokens):
        if index not in covered:
            symbol = symbol_for_name(tokens[index].text) or tokens[index].text
            item = QuestionEntity("Material", symbol, tokens[index].text)
            entities.setdefault(("Material", symbol), (tokens[index].start, item))
            covered.add(index)
    in_order = sorted(entities.values(), key=lambda pair: pair[0])
    ids = sorted(properties, key=lambda key: (properties[key], key))
    return tuple(item for _, item in in_order), tuple(ids), covered


def _is_condition(mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether a property is only a condition of another's value: "with a thickness of 5 nm"."""
    spec = mention.spec
    others = any(item.kind == "property" and item is not mention for item in mentions)
    return others and any(
        item.quantity is not None
        and spec is not None
        and item.quantity.ok
        and item.quantity.kind == "value"
        and item.quantity.dimension == spec.dimension
        and 0 <= item.first - mention.last <= _OF
        for item in mentions
    )


def _kinds_of(spec: PropertySpec, words: Words, domain: Domain) -> list[str]:
    """Properties that are a kind of the one named: "mobility" also asks for the electron mobility."""
    kinds = [
        other.id
        for other in domain.properties
        if other.id != spec.id
        and spec.dimension
        and other.dimension == spec.dimension
        and fold_phrase(other.label)[-len(words) :] == words
    ]
    if spec.dimension or len(words) != 1 or len(words[0]) < _LONG_WORD:
        return kinds
    # Without numbers the word itself may be a part of the other's: "magnetism" also asks for antiferromagnetism.
    return kinds + [
        other.id
        for other in domain.properties
        if other.id != spec.id and not other.dimension and other.label.casefold().endswith(words[0])
    ]


def _foreign(words: Sequence[str], domain: Domain) -> list[tuple[str, str, frozenset[int]]]:
    """Names of properties and materials that only questions use, from the pack: (kind, id, positions of the words)."""
    found: list[tuple[str, str, frozenset[int]]] = []
    for key, names in domain.question_keywords.items():
        kind, _, name = key.partition(":")
        best = best_match(words, names) if name else None
        if best:
            found.append((kind, name, best[1]))
    return found


def _asked_about(
    entities: tuple[QuestionEntity, ...], mentions: Sequence[Mention], tokens: Sequence[Token]
) -> tuple[tuple[QuestionEntity, ...], tuple[str, ...]]:
    """The entities without the materials that only say where or beside what: (entities, names of those materials).

    The first material is asked about, and so is each that is joined to one before by "and", "or" or a comma.
    """
    first: dict[str, Mention] = {}
    for mention in mentions:
        if mention.kind == "material" and mention.entity is not None:
            first.setdefault(mention.entity.key[1], mention)
    beside: list[str] = []
    before: Mention | None = None
    for name, mention in first.items():
        between = {token.folded for token in tokens[before.last : mention.first]} if before is not None else set()
        if between & _APART:
            beside.append(name)
        else:
            before = mention
    return tuple(item for item in entities if item.type != "Material" or item.name not in beside), tuple(beside)


def _lone_elements(tokens: Sequence[Token]) -> list[int]:
    """One-letter symbols and element names that are common words, where they can only be an element: "the density of
    W", "Is lead denser than …"."""
    found = []
    for index, token in enumerate(tokens):
        before = tokens[index - 1].folded if index else ""
        after = tokens[index + 1].text if index + 1 < len(tokens) else "?"
        alone = len(token.text) == 1 and token.text in SYMBOLS and token.text != "I"
        if alone and before in _BEFORE_ELEMENT and after in {"?", ".", ",", "and", "or", "at", "than"}:
            found.append(index)
        named = len(token.text) > 2 and token.text.islower() and symbol_for_name(token.text) is not None
        if named and before in _BEFORE_ELEMENT | _JOINING and after not in _AFTER_VERB:
            found.append(index)
    return found


def _without(text: str, mentions: Iterable[Mention]) -> str:
    """The text without the names in it, whose digits are no numbers ("MgB2")."""
    kept = list(text)
    for mention in mentions:
        if mention.kind != "quantity":
            kept[mention.start : mention.end] = " " * (mention.end - mention.start)
    return re.sub(r"\[\d+\]|\(\d{3}\)", " ", "".join(kept))


# ------------------------------------------------------------------------------------------------------ type
def asks_for_meaning(text: str, domain: Domain) -> bool:
    """Whether a question asks what something is, or to explain it."""
    words = [token.folded for token in tokenize(text)]
    return bool(best_match(words, domain.question_keywords.get("definition", ()))) or bool(_WHAT_IS.fullmatch(text))


def _type(
    text: str,
    view: _View,
    concepts: Sequence[str],
    entities: Sequence[QuestionEntity],
    properties: Sequence[str],
    has_numbers: bool,
) -> QuestionType:
    materials = [entity for entity in entities if entity.type == "Material"]
    applications = [entity for entity in entities if entity.type == "Application"]
    told_to = bool(view.best("calculation"))
    defining = asks_for_meaning(text, view.domain)
    if defining and properties and not materials:
        return "general"
    if concepts and not defining and (told_to or has_numbers or materials):
        return "calculation"
    if properties and materials and _compares(view, [item for item in entities if item.type == "Method"], properties):
        return "comparison"  # "Which growth method gives the higher …, A or B?"
    for kind, noun in (("applications", "application"), ("methods", "method"), ("properties", "property")):
        if view.head(noun) and (entities or not properties):
            return kind  # type: ignore[return-value]
    if _compares(view, entities, properties):
        return "comparison"
    if told_to and (properties or materials) and not defining:
        return "calculation"
    asks_how = any(word in {"how", "wie", "nasıl"} for word in view.words)
    methods, uses = view.best("methods"), view.best("applications")
    if _HOW_MUCH.match(text):
        methods = 0  # "How much current can it produce?" asks for the current
    if asks_how and methods and materials:
        return "methods"
    if properties and not concepts:
        return "lookup"
    described = view.best("properties")
    uses = uses if materials or applications else 0
    best = max(methods, uses, described)
    if best and not concepts and (entities or best > 1):
        order: tuple[tuple[int, QuestionType], ...] = (
            (uses, "applications"),
            (methods, "methods"),
            (described, "properties"),
        )
        return next(kind for length, kind in order if length == best)
    if view.best("lookup") and materials:
        return "lookup"
    return "general"


def _compares(view: _View, entities: Sequence[QuestionEntity], properties: Sequence[str]) -> bool:
    materials = [entity for entity in entities if entity.type == "Material"]
    if not view.best("comparison"):
        return False
    if len(materials) > 1:
        return True
    methods = {entity.name for entity in entities if entity.type == "Method"}
    if properties and len(methods) > 1:
        return True
    return bool(properties) and not materials and bool(view.best("superlative"))


def _route(kind: QuestionType, entities: Sequence[QuestionEntity], properties: Sequence[str]) -> Route:
    """Graph for what is one edge or column away, vector for what names nothing in the graph, else both."""
    materials = any(entity.type == "Material" for entity in entities)
    if kind in {"lookup", "comparison"} and (materials or properties):
        return "graph"
    if kind in {"properties", "applications", "methods"} and entities:
        return "graph"
    if kind == "general" and not entities and not properties:
        return "vector"
    return "hybrid"
