"""Whether a sentence that a model wrote stands in the evidence that it cites. Strict: what cannot be told is left out.

A sentence stands when its numbers, names and content words are those of its evidence, when it points the same way, and
when every statement that can be read in it ("the band gap of GaN is 3.4 eV") is one that the evidence makes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from minerva_desktop.domains import Domain
from minerva_desktop.extraction import KnownNames, extract
from minerva_desktop.extraction.lexicon import lexicon_of
from minerva_desktop.extraction.mentions import Mention
from minerva_desktop.extraction.reading import names_of, read
from minerva_desktop.language.formulas import find_formulas
from minerva_desktop.questions.aspects import addresses_the_reader
from minerva_desktop.questions.grounded_numbers import found_in, missing_number, quantities, stands
from minerva_desktop.questions.grounded_words import (
    clause_spans,
    content,
    directions,
    foreign_words,
    held_together,
    turned,
)
from minerva_desktop.questions.grounds import Ground, Stated
from minerva_desktop.questions.passages import NAMED_IN_PASSING, is_english
from minerva_desktop.questions.reply_sentences import URL
from minerva_desktop.records import Condition, Document, Quantity, Relation, Sentence

_MOST_WORDS = 3
_NAMES = frozenset({"material", "method", "application", "property", "predicate"})
Key = tuple[str, str]


@dataclass(frozen=True)
class _Text:
    """A text with what is named and stated in it."""

    text: str
    mentions: tuple[Mention, ...]
    relations: tuple[Relation, ...]

    @cached_property
    def named(self) -> tuple[str, ...]:
        """Its materials in order, each as often as it is named."""
        return tuple(item.entity.key[1] for item in self.mentions if item.kind == "material" and item.entity)

    @cached_property
    def materials(self) -> frozenset[str]:
        return frozenset(self.named)


class GroundChecker:
    """Holds sentences against their evidence. ``known``: spelling → canonical name of materials that the library has."""

    def __init__(self, domain: Domain, known: dict[str, str]) -> None:
        self._domain = domain
        self._known = known
        self._lexicon = lexicon_of(domain)
        self._names = names_of("", self._lexicon, known)
        self._texts: dict[str, _Text] = {}

    def objection(self, sentence: str, grounds: Sequence[Ground]) -> str:
        """Why a sentence does not stand in its evidence, as a clause; "" when it does."""
        if addresses_the_reader(sentence):
            return "it gives an order instead of a statement"
        units = [unit for ground in grounds for unit in ground.units]
        address = URL.search(sentence)
        if address and not any(address.group().rstrip(".,;)") in unit for unit in units):
            return "it has an address that stands nowhere in what it cites"
        mine = self._read(sentence)
        texts = [self._read(unit) for unit in units]
        titles = " ".join({item.title for ground in grounds for item in ground.sentence.citations})
        covered = [item.span for item in mine.mentions if item.kind != "quantity"]
        number = missing_number(sentence, units, covered, {len(grounds), len(mine.materials), _listed_values(sentence)})
        if number:
            return f"the number “{number}” does not stand in what it cites"
        name = self._stranger(mine, texts, grounds, titles)
        if name:
            return f"“{name}” does not stand in what it cites"
        if any(_plain(sentence) in _plain(unit) for unit in units):
            return ""
        comparison = _Comparison(mine, texts, grounds)
        spans = [*covered, *((item.start, item.end) for item in quantities(sentence))]
        # The title of a source may be named; whether it makes the claim is looked at below.
        words = foreign_words(sentence, units, spans, [*comparison.verified, *content(titles).values()])
        if words:
            if not is_english(sentence):
                return "it is not in English"
            return f"{_listed(words)} not in what it cites"
        statements = _Statements(mine, texts, grounds, bool(comparison.verified))
        return comparison.objection or turned(sentence, units) or statements.objection()

    # ------------------------------------------------------------------------------------------------ reading
    def _read(self, text: str) -> _Text:
        if text not in self._texts:
            document = Document("ok", text=text, sentences=(Sentence(0, text, 0, len(text)),))
            relations = extract(document, self._domain, paper_id="", known=KnownNames(self._known)).relations
            mentions = read(text, self._lexicon, self._names).mentions
            self._texts[text] = _Text(text, tuple(mentions), tuple(relations))
        return self._texts[text]

    def _stranger(self, mine: _Text, texts: Sequence[_Text], grounds: Sequence[Ground], titles: str) -> str:
        """A material, method, use, property or formula that no evidence names, as written."""
        known: set[Key] = {_key(item) for text in texts for item in text.mentions if item.kind in _NAMES}
        for stated in _stated(grounds):
            known |= {stated.source.key, stated.target.key}
            if stated.property_id:
                known.add(("Property", stated.property_id))
        written = " ".join([titles, *(text.text for text in texts)]).casefold()
        for item in mine.mentions:
            spelt = mine.text[item.start : item.end]
            if item.kind in _NAMES and _key(item) not in known and spelt.casefold() not in written:
                return spelt
        formulas = {found.formula.canonical for text in texts for found in find_formulas(text.text)}
        formulas |= {name for kind, name in known if kind in {"Material", "Formula", "Element"}}
        symbols = [item.span for item in mine.mentions if item.spec is not None]  # "Tc" may be no technetium
        for found in find_formulas(mine.text):
            if any(start <= found.start < end for start, end in symbols):
                continue
            spelt = mine.text[found.start : found.end]
            if found.formula.canonical not in formulas and spelt.casefold() not in written:
                return spelt
        return ""


def _key(item: Mention) -> Key:
    if item.spec is not None:
        return ("Property", item.spec.id)
    return item.entity.key if item.entity is not None else ("", "")


def _listed_values(sentence: str) -> int:
    """How many values a sentence lists: "two values, 3.2 eV and 3.4 eV"."""
    found = [item.quantity for item in quantities(sentence) if item.quantity.kind != "count"]
    return sum(max(1, len(item.si_values)) for item in found)


def _stated(grounds: Iterable[Ground]) -> Iterator[Stated]:
    for ground in grounds:
        yield from ground.stated


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text.casefold()).strip()


def _listed(words: Sequence[str]) -> str:
    shown = ", ".join(f"“{word}”" for word in words[:_MOST_WORDS])
    return f"its {'word' if len(words) == 1 else 'words'} {shown} {'is' if len(words) == 1 else 'are'}"


# ------------------------------------------------------------------------------------------------- statements
class _Statements:
    """The statements that can be read in a sentence, each held against those of its evidence."""

    def __init__(self, mine: _Text, texts: Sequence[_Text], grounds: Sequence[Ground], compared: bool) -> None:
        self._mine = mine
        self._texts = texts
        self._compared = compared
        self._made: list[Stated] = [*_stated(grounds), *(item for text in texts for item in text.relations)]

    def objection(self) -> str:
        for relation in self._mine.relations:
            if relation.type in NAMED_IN_PASSING:  # whoever writes GaN for gallium nitride says no more than that
                continue
            problem = self._of_relation(relation)
            if problem:
                return problem
        return self._of_loose_values() or self._torn()

    def _torn(self) -> str:
        """A clause of which no statement can be read must stand in one text: words of two make a third claim."""
        if self._compared:
            return ""
        text = self._mine.text
        starts = [span[0] for item in self._mine.relations for span in _spans(item)]
        for start, end in clause_spans(text):
            if any(start <= at < end for at in starts):
                continue
            names = [item for item in self._mine.mentions if item.kind == "material" and start <= item.start < end]
            wanted = frozenset(item.entity.key[1] for item in names if item.entity)
            covered = [(item.start - start, item.end - start) for item in names]
            covered += [(item.start, item.end) for item in quantities(text[start:end])]
            words = content(text[start:end], covered)
            if not any(wanted <= one.materials and held_together(words, one.text) for one in self._texts):
                return "its evidence does not say that in one place"
        return ""

    def _of_relation(self, relation: Relation) -> str:
        same = [item for item in self._made if _same_claim(relation, item)]
        denied = relation.modality == "negated"
        fitting = [item for item in same if (item.modality == "negated") == denied]
        if fitting:
            supposed = all(item.modality == "hypothetical" for item in fitting)
            return "its evidence only supposes it" if supposed and relation.modality == "reported" else ""
        if same:
            return "its evidence says the opposite"
        rival = next((item for item in self._made if _rival(relation, item)), None)
        if rival is not None:
            return f"its evidence says that of {rival.source.key[1]}, not of {relation.source.key[1]}"
        if any(self._holds(text, relation) for text in self._texts):
            return ""
        return f"its evidence does not say that of {relation.source.key[1]}"

    def _holds(self, text: _Text, relation: Relation) -> bool:
        """Whether one text has all parts of a statement, and nobody else whom it could be about."""
        if relation.source.key[1] not in text.materials:
            return False
        if relation.quantity is None:
            named = relation.target.key in {_key(item) for item in text.mentions}
            measured = _measured_by(relation, self._mine) & {item.property_id for item in text.relations}
            return named or bool(measured) or held_together(content(relation.target.name), text.text)
        alone = len(text.materials) == 1 or not text.relations
        return alone and found_in(relation.quantity, text.text)

    def _of_loose_values(self) -> str:
        """Values that no statement was read for: one text must have them together with a material of the sentence."""
        bound = [relation.quantity for relation in self._mine.relations if relation.quantity is not None]
        bound += [item for relation in self._mine.relations for item in _condition_values(relation.conditions)]
        for found in quantities(self._mine.text):
            value = found.quantity
            if not value.ok or value.kind == "count" or stands(value, bound):
                continue
            holders = [text for text in self._texts if found_in(value, text.text)]
            if self._mine.materials and not any(self._fits(text, value) for text in holders):
                return f"its evidence does not say {self._mine.text[found.start : found.end]} of what it names"
        return ""

    def _fits(self, text: _Text, value: Quantity) -> bool:
        owners = {
            item.source.key[1]
            for item in self._made
            if item.quantity is not None and item.modality != "negated" and stands(value, [item.quantity])
        }
        if owners:
            return bool(owners & self._mine.materials)
        return not text.materials or bool(text.materials & self._mine.materials)


def _measured_by(relation: Relation, text: _Text) -> set[str]:
    """The ids of the property that a relation names: whoever has a value of it has the property."""
    name = relation.target.key[1].casefold()
    specs = [item.spec for item in text.mentions if item.spec is not None]
    return {spec.id for spec in specs if name in {other.casefold() for other in (spec.label, *spec.synonyms)}}


def _spans(relation: Relation) -> list[tuple[int, int]]:
    return [span for span in (relation.evidence.source_span, relation.evidence.target_span) if span is not None]


def _condition_values(conditions: Iterable[Condition]) -> list[Quantity]:
    return [item.quantity for condition in conditions for item in quantities(condition.text)]


def _same_claim(mine: Relation, other: Stated) -> bool:
    """Whether two statements claim the same, whatever they say of its truth."""
    if mine.type != other.type or mine.source.key != other.source.key:
        return False
    if mine.quantity is None or other.quantity is None:
        return mine.target.key == other.target.key
    agree = mine.property_id == other.property_id and stands(mine.quantity, [other.quantity])
    return agree and _conditions_agree(mine.conditions, other.conditions)


def _conditions_agree(mine: Sequence[Condition], others: Sequence[Condition]) -> bool:
    """Whether no condition of the one contradicts the other's; what the evidence leaves open may not be filled in."""
    known = {item.name: item for item in others}
    for item in mine:
        other = known.get(item.name)
        if other is None or (item.si_value is None) != (other.si_value is None):
            return False
        if item.si_value is not None and other.si_value is not None:
            apart = abs(item.si_value - other.si_value)
            if apart > 0.01 * max(abs(item.si_value), abs(other.si_value)):
                return False
    return True


def _rival(mine: Relation, other: Stated) -> bool:
    """Whether the evidence says the same thing of another material: a swap."""
    if mine.type != other.type or mine.source.key == other.source.key or other.modality == "negated":
        return False
    if mine.quantity is None or other.quantity is None:
        return mine.target.key == other.target.key
    return mine.property_id == other.property_id and stands(mine.quantity, [other.quantity])


# ------------------------------------------------------------------------------------------------ comparisons
@dataclass(slots=True)
class _Comparison:
    """A sentence that says which of two has more, held against the numbers or the words of its evidence.

    ``verified`` are its comparatives when the numbers bear it out, so that they need not stand in the evidence.
    """

    mine: _Text
    texts: Sequence[_Text]
    grounds: Sequence[Ground]
    verified: tuple[str, ...] = ()
    objection: str = field(default="")

    def __post_init__(self) -> None:
        said = directions(self.mine.text)
        leader, others = self._sides(said)
        if not said or not leader or not others:
            return
        _, sign, word = said[0]
        by_number = self._by_numbers(leader, others, sign)
        if by_number is None:
            by_number = self._by_words(leader, sign)
        if by_number:
            self.verified = (word,)
        elif by_number is not None or len(said) == 1:
            self.objection = "its comparison does not follow from what it cites"

    def _sides(self, said: Sequence[tuple[int, int, str]]) -> tuple[str, frozenset[str]]:
        """Who leads, and the others: the first material of the sentence, and all that are named beside it."""
        named = self.mine.named
        return (named[0], frozenset(named) - {named[0]}) if said and named else ("", frozenset())

    def _by_numbers(self, leader: str, others: Iterable[str], sign: int) -> bool | None:
        """Whether the values of one property of the evidence bear it out; None when they do not tell."""
        spans: dict[str, dict[str, list[float]]] = {}
        made: list[Stated] = [*_stated(self.grounds), *(item for text in self.texts for item in text.relations)]
        for item in made:
            if item.quantity is not None and item.property_id and item.modality in {"reported", "cited"}:
                numbers = [
                    n for n in (item.quantity.si_value, item.quantity.si_low, item.quantity.si_high) if n is not None
                ]
                spans.setdefault(item.property_id, {}).setdefault(item.source.key[1], []).extend(numbers)
        answers = set()
        for values in spans.values():
            rest = [number for name in others for number in values.get(name, ())]
            own = values.get(leader, [])
            if own and rest:
                answers.add(min(own) > max(rest) if sign > 0 else max(own) < min(rest))
        return answers.pop() if len(answers) == 1 else None

    def _by_words(self, leader: str, sign: int) -> bool | None:
        """Whether a text of the evidence makes the same comparison with the same leader; None when none compares."""
        answers = []
        for text in self.texts:
            said = directions(text.text)
            if said and len(text.materials) > 1:
                answers.append((text.named[0] == leader) == (said[0][1] == sign))
        return any(answers) if answers else None
