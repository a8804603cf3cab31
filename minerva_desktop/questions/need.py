"""What would answer a question: a number of which kind, under which conditions, of what, and with which further words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from minerva_desktop.domains import Domain
from minerva_desktop.extraction.lexicon import lexicon_of
from minerva_desktop.extraction.mentions import Reading
from minerva_desktop.extraction.reading import names_of, read
from minerva_desktop.extraction.tokens import fold_phrase, tokenize
from minerva_desktop.language.stems import stem
from minerva_desktop.questions.aspects import asked_properties, content_of
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.lexicon import best_match, contains_phrase
from minerva_desktop.records import Condition, Quantity

_ROOM_WORDS = ("room temperature", "ambient temperature", "Raumtemperatur", "oda sıcaklığında")
_ROOM = 295.0
_ROOM_WIDTH = 10.0
_KELVIN = 1.0
_SHARE = 0.02
_PLAIN = frozenset({"", "dimensionless"})
_ASKS_FOR_NUMBER = frozenset("large big high low long thick much great wide deep strong fast hot cold small".split())
_KEYWORDS = ("methods", "applications", "properties", "lookup", "comparison", "superlative", "calculation", "definition",
             "method_nouns", "application_nouns", "property_nouns", "formula", "elements", "material_nouns")  # fmt: skip
_BETWEEN = re.compile(r"\b(?:between|from)\s+[\d.]", re.IGNORECASE)
_ON_WHAT = re.compile(
    r"\b(?:what|which) (?:kind of |type of )?substrates?\b|\bsubstrates? (?:is|are|was|were|did|do)\b"
    r"|\b(?:grown|deposited|made|prepared|sputtered|fabricated|evaporated|grow|deposit) on(?: what| which)?\s*\??$|^on (?:what|which)\b",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"^what (?P<deed>limits?|limited|caus(?:es?|ed)|determine[sd]?|reduce[sd]?|lower(?:s|ed)?|raise[sd]?|makes?|made|explain(?:s|ed)?"
    r"|increase[sd]?|improve[sd]?|enhance[sd]?|prevent(?:s|ed)?|suppress(?:es|ed)?|affects?|controls?|degrade[sd]?)\b",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"^what (?:is|are|was|were) the (?:[\w-]+ ){0,3}?(?P<noun>[\w-]+) (?:of|in|for|between) ", re.IGNORECASE
)
_KIND = re.compile(r"\b(?:what|which) (?:kind|type|sort)s? of\b", re.IGNORECASE)
_CHOICE = re.compile(r"\b(\w+) or (?:an? |the )?(\w+)\b", re.IGNORECASE)
_CALLED = re.compile(
    r"\b(?:is|are|was|were) .*\b(?:called|termed|known as)\b|\bwhat is the (?:name|term) (?:of|for)\b"
    r"|\b(?:what|which) (?:name|term) (?:is|was) (?:given|used)\b|\bwhat do (?:you|we|people) call\b",
    re.IGNORECASE,
)
_NO_NUMBER = frozenset({"why", "kind", "called", "choice"})
_WHICH = frozenset({"what", "which", "welche", "welcher", "welches", "hangi"})
_NAMING = frozenset("called termed named term type sort kind".split())
_YEAR = frozenset({"year", "date", "when"})
_PERSONS = frozenset(
    "scientist physicist chemist scholar mathematician astronomer engineer inventor researcher author person woman man".split()
)
_PERSON_WITHIN = 4
"""Words within which "which medieval scholar" names a person's kind."""
_PREPOSITIONS = frozenset("in on from for into by with".split())
_AFTER_HEAD = frozenset("of for in at when that which between during under by with".split())
_HEAD_WORDS = 4
_ON_WORDS = 4
_COMPARING = frozenset({"comparison", "superlative"})


@dataclass(frozen=True, slots=True)
class Given:
    """A value that the question states as a condition, in SI."""

    dimension: str
    si_value: float
    width: float

    def meets(self, value: float) -> bool:
        return abs(value - self.si_value) <= self.width


@dataclass(frozen=True, slots=True)
class Need:
    """``dimensions`` of the number that is asked for, none when no number is; ``process``: it is no property's value
    (the temperature of a growth). ``bound`` is what a value must be above or below. ``words`` are those of the question
    that no name, no property and no question word stands for. ``head`` is the thing of which it is asked which one
    ("substrate" of "Which substrate …"), ``noun`` such a thing that is a kind of material. ``asks``: "who", "when", "why", or
    "on what" for a substrate, "kind" for a kind of a property, "choice" for one of two words (``choice``) that say it,
    "called" for a name.
    ``placed``: the prepositions before materials ("in silicon"). ``forms``: shapes of a material ("aerogel"), folded;
    ``deed``: the stem of what a cause does ("reduc" of "What reduces …"); ``attribute``:
    that of what is asked of a thing, where no property stands for it ("luminos" of "What is the luminosity of …")."""

    dimensions: frozenset[str] = frozenset()
    process: bool = False
    given: tuple[Given, ...] = ()
    bound: Quantity | None = None
    methods: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    lesser: bool = False
    counts: bool = False
    noun: str = ""
    head: str = ""
    asks: str = ""
    choice: frozenset[str] = frozenset()
    placed: frozenset[tuple[str, str]] = frozenset()
    forms: frozenset[tuple[str, ...]] = frozenset()
    deed: str = ""
    attribute: str = ""

    @property
    def number(self) -> bool:
        return bool(self.dimensions)

    def is_number(self, quantity: Quantity | None) -> bool:
        """Whether a quantity is of the kind that is asked for, and not a condition of the question said again."""
        if quantity is None or not quantity.ok:
            return False
        if quantity.dimension in _PLAIN:
            return bool(self.dimensions & _PLAIN)
        return quantity.dimension in self.dimensions and not any(
            item.dimension == quantity.dimension and any(map(item.meets, points(quantity))) for item in self.given
        )

    def fit(self, quantities: Iterable[Quantity], conditions: Iterable[Condition] = ()) -> int:
        """How many of the question's conditions are met by a statement with these values; −1 when one is contradicted."""
        known = list(quantities)
        stated = [item.si_value for item in conditions if item.si_value is not None]
        met = 0
        for item in self.given:
            same = [value for one in known if one.dimension == item.dimension for value in points(one)]
            if any(map(item.meets, [*same, *(stated if item.dimension == "temperature" else [])])):
                met += 1
            elif same and item.dimension not in self.dimensions:
                return -1
        return met


def points(quantity: Quantity) -> list[float]:
    """The SI numbers of a quantity."""
    found = (quantity.si_value, quantity.si_low, quantity.si_high, *quantity.si_values)
    return [item for item in found if item is not None]


def need_of(question: Question, domain: Domain) -> Need:
    """What the question needs for an answer."""
    lexicon = lexicon_of(domain)
    known = {entity.text: entity.name for entity in question.entities if entity.type == "Material"}
    reading = read(question.text, lexicon, names_of("", lexicon, known))
    folded = [token.folded for token in reading.tokens]
    quantities = [item.quantity for item in reading.mentions if item.kind == "quantity" and item.quantity is not None]
    kinds = {"bound", "range"} if _BETWEEN.search(question.text) else {"bound"}
    bound = next((item for item in quantities if item.ok and item.kind in kinds), None)
    named = [item for item in reading.mentions if item.kind in {"property", "predicate", "quantity"}]
    taken = {word for item in named for word in folded[item.first : item.last]}
    measured = _measured(folded, domain, taken)
    specs = [spec for item in asked_properties(question, domain) if (spec := domain.property(item)) is not None]
    dimensions = {name for spec in specs for name in (spec.dimension, *spec.other_dimensions) if name}
    process = bool(measured) and not dimensions & measured and question.type != "calculation"
    keywords = _KEYWORDS if question.type == "comparison" else [key for key in _KEYWORDS if key not in _COMPARING]
    keys = {word for key in keywords for text in domain.question_keywords.get(key, ()) for word in fold_phrase(text)}
    measures = {word for names in domain.question_measures.values() for text in names for word in fold_phrase(text)}
    for spec in specs:
        for text in domain.question_keywords.get(f"property:{spec.id}", ()):
            measures.update(fold_phrase(text))
    lesser = {word for text in domain.question_keywords.get("lesser", ()) for word in fold_phrase(text)}
    words = content_of(question, domain).words - taken - keys - measures - _ASKS_FOR_NUMBER
    asks = _asks(folded, question)
    choice = _choice(question)
    cause = _CAUSE.search(question.text) if asks == "why" else None
    if asks == "who":
        words -= _PERSONS
    return Need(
        dimensions=frozenset() if asks in _NO_NUMBER or choice else frozenset(measured if process else dimensions),
        process=process,
        given=_given(quantities, question.text),
        bound=bound,
        methods=frozenset(question.of_type("Method")),
        beside=frozenset(question.beside),
        words=words - _YEAR - _NAMING,
        lesser=bool(lesser & set(folded)),
        counts="how many" in question.text.casefold(),
        noun=_noun(folded, domain),
        head="" if asks in {"who", "why"} else _head(folded, words, question),
        placed=placed_in(reading),
        deed=stem(cause.group("deed").casefold()) if cause else "",
        attribute=_attribute(question.text, words),
        forms=_forms(folded, question, domain),
        asks="choice" if not asks and choice else asks,
        choice=choice,
    )


def _measured(folded: list[str], domain: Domain, taken: set[str]) -> set[str]:
    """The dimensions that other words than a property's name ask for; ``taken`` are the words of such names."""
    found = {name for name, texts in domain.question_measures.items() if best_match(folded, texts)}
    if (
        not found and folded[:1] and folded[0] in _WHICH
    ):  # "What is the half-life of …": the noun before "of" says the kind
        head = folded[1 : next((at for at, word in enumerate(folded) if word in _AFTER_HEAD), _HEAD_WORDS + 1)]
        if not taken & set(head[-1:]):  # "power" of "power density" is no power
            found = {
                name for name, texts in domain.question_quantities.items() if best_match(head[-_HEAD_WORDS:], texts)
            }
    return found


def _attribute(text: str, words: Iterable[str]) -> str:
    found = _ATTRIBUTE.search(text)
    noun = fold_phrase(found.group("noun"))[-1:] if found else ()
    return stem(noun[0]) if noun and noun[0] in words else ""


def _forms(folded: list[str], question: Question, domain: Domain) -> frozenset[tuple[str, ...]]:
    """The shapes that a question names beside a material."""
    if not question.of_type("Material"):
        return frozenset()
    phrases = {tuple(fold_phrase(text)) for text in domain.question_keywords.get("forms", ())}
    return frozenset(phrase for phrase in phrases if phrase and contains_phrase(folded, phrase))


def _given(quantities: Iterable[Quantity], text: str) -> tuple[Given, ...]:
    found = []
    for item in quantities:
        if item.ok and item.kind == "value" and item.si_value is not None and item.dimension not in _PLAIN:
            width = abs(item.si_value) * _SHARE
            found.append(Given(item.dimension, item.si_value, max(width, _KELVIN) if _is_kelvin(item) else width))
    if any(word.casefold() in text.casefold() for word in _ROOM_WORDS):
        found.append(Given("temperature", _ROOM, _ROOM_WIDTH))
    return tuple(found)


def _is_kelvin(quantity: Quantity) -> bool:
    """Temperatures near room are stated to a kelvin; those of a cryostat exactly."""
    return quantity.dimension == "temperature" and (quantity.si_value or 0.0) > 100.0


def _noun(folded: list[str], domain: Domain) -> str:
    """The noun for materials that a question asks with: "superconductor" of "Which superconductors have …", "" for none."""
    nouns = {fold_phrase(item) for item in domain.question_keywords.get("material_nouns", ())}
    if folded and (folded[0],) in nouns:  # "superconductors with …"
        return folded[0]
    for index, word in enumerate(folded[:8]):
        if word in {"what", "which", "list", "name", "many", "all", "show", "there", "any", "welche", "hangi"}:
            for item in folded[index + 1 : index + 4]:
                if (item,) in nouns:
                    return item
    return ""


def _asks(folded: list[str], question: Question) -> str:
    """What is asked of which facts know nothing, see :class:`Need`; "" for everything else."""
    if _ON_WHAT.search(question.text):
        return "on what"
    if folded[:1] == ["when"] or "year" in folded:
        return "when"
    if _CALLED.search(question.text):
        return "called"
    if _CAUSE.search(question.text):
        return "why"
    if question.properties and _KIND.search(question.text):
        return "kind"
    if folded[:1] and folded[0] in _WHICH and _PERSONS & set(folded[1:_PERSON_WITHIN]):
        return "who"
    return next((word for word in ("why", "who") if word in folded[:3]), "")


def _head(folded: list[str], words: Iterable[str], question: Question) -> str:
    """The thing after "which" that no name stands for; a gas is one where something else is asked about."""
    for before, word in pairwise(folded):
        if before in _WHICH and (word in words or (word == "gas" and question.of_type("Material"))):
            return word
    return ""


def _choice(question: Question) -> frozenset[str]:
    """The two words of which one is to be told of a property ("direct" and "indirect"); none for a choice of things."""
    if not question.properties or len(question.of_type("Material")) != 1 or question.type == "comparison":
        return frozenset()
    named = " ".join(item.text for item in question.entities).casefold()
    for one, other in _CHOICE.findall(question.text):
        if not any(word.casefold() in named or word[0].isdigit() for word in (one, other)):
            return frozenset(word for text in (one, other) for word in fold_phrase(text))
    return frozenset()


def lies_on(reading: Reading, material: frozenset[str]) -> bool:
    """Whether a text says on what something lies: "on" up to three words before a material that is none of these."""
    for item in reading.mentions:
        if item.kind == "material" and item.entity is not None and item.entity.key[1] not in material:
            before = [token.folded for token in reading.tokens[max(0, item.first - _ON_WORDS) : item.first]]
            if "on" in before or "onto" in before:
                return True
    return any(token.folded == "substrate" for token in reading.tokens)


def placed_in(reading: Reading) -> frozenset[tuple[str, str]]:
    """(preposition, material) where one stands right before the other."""
    return frozenset(
        (reading.tokens[item.first - 1].folded, item.entity.key[1])
        for item in reading.mentions
        if item.kind == "material" and item.entity is not None and item.first
        and reading.tokens[item.first - 1].folded in _PREPOSITIONS
    )  # fmt: skip


def words_of(text: str) -> list[str]:
    """The folded words of a text."""
    return [token.folded for token in tokenize(text)]
