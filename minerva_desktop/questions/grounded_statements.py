"""The statements of a sentence, each held against those of its evidence: who has what, and who has more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from minerva_desktop.extraction.mentions import Mention
from minerva_desktop.language.elements import symbol_for_name
from minerva_desktop.language.quantities import find_quantities
from minerva_desktop.questions.grounded_numbers import found_in, stands
from minerva_desktop.questions.grounded_words import (
    TORN,
    clause_spans,
    content,
    directions,
    has_word,
    held_together,
    without_framing,
)
from minerva_desktop.questions.grounds import Ground, Stated
from minerva_desktop.questions.judging import NAMED_IN_PASSING
from minerva_desktop.records import Condition, Quantity, Relation

Key = tuple[str, str]


@dataclass(frozen=True)
class ReadText:
    """A text with what is named and stated in it."""

    text: str
    mentions: tuple[Mention, ...]
    relations: tuple[Relation, ...]

    @cached_property
    def named(self) -> tuple[str, ...]:
        """Its materials in order, each as often as it is named."""
        return tuple(item.entity.key[1] for item in self.mentions if item.kind == "material" and item.entity)

    @cached_property
    def keys(self) -> frozenset[Key]:
        """All that it names."""
        return frozenset(key_of(item) for item in self.mentions)

    @cached_property
    def materials(self) -> frozenset[str]:
        return frozenset(self.named)


def key_of(item: Mention) -> Key:
    if item.spec is not None:
        return ("Property", item.spec.id)
    return item.entity.key if item.entity is not None else ("", "")


def _has(text: ReadText, item: Key) -> bool:
    """Whether a text has a name, or a content word or one that may stand for it."""
    kind, name = item
    return item in text.keys if kind else has_word(name, text.text)


def stated_in(grounds: Iterable[Ground]) -> Iterator[Stated]:
    for ground in grounds:
        yield from ground.stated


# ------------------------------------------------------------------------------------------------- statements
class Statements:
    """The statements that can be read in a sentence, each held against those of its evidence."""

    def __init__(self, mine: ReadText, texts: Sequence[ReadText], grounds: Sequence[Ground], compared: bool) -> None:
        self._mine = mine
        self._texts = texts
        self._compared = compared
        self._made: list[Stated] = [*stated_in(grounds), *(item for text in texts for item in text.relations)]

    def objection(self) -> str:
        for relation in self._mine.relations:
            if relation.type in NAMED_IN_PASSING:  # whoever writes GaN for gallium nitride says no more than that
                continue
            problem = self._of_relation(relation)
            if problem:
                return problem
        return self._of_loose_values() or self._torn()

    def _torn(self) -> str:
        """What no statement accounts for must stand in one text with the rest of its clause: words of two texts make a
        third claim. Materials in a row may each have a text of their own."""
        if self._compared:
            return ""
        for start, end in clause_spans(self._mine.text):
            items = self._items(start, end)
            told = [text for relation in self._within(start, end) for text in self._telling(relation)]
            left = [item for item in items if not any(_has(text, item) for text in told)]
            rest = [item for item in items if item[0] != "Material"]
            about = [text for text in self._texts if sum(not _has(text, item) for item in rest) <= len(rest) * TORN]
            if any(not any(_has(text, item) for text in about) for item in left):
                return "its evidence does not say that in one place"
        return ""

    def _items(self, start: int, end: int) -> list[Key]:
        """What a clause is made of: the keys of its names, and ("", stem) of its other content words."""
        mentions = [item for item in self._mine.mentions if start <= item.start < end and item.kind != "quantity"]
        covered = [item.span for item in mentions]
        covered += [(item.start, item.end) for item in find_quantities(self._mine.text)]
        inside = [(first - start, last - start) for first, last in covered]
        words = without_framing(content(self._mine.text[start:end], inside))
        return [*(key_of(item) for item in mentions), *map(self._meant, words)]

    def _meant(self, word: str) -> Key:
        """A word, or the element that it names where the evidence speaks of that: "tin, lead and mercury"."""
        symbol = symbol_for_name(word)
        if symbol and any(symbol in text.materials for text in self._texts):
            return ("Material", symbol)
        return ("", word)

    def _within(self, start: int, end: int) -> list[Relation]:
        """The statements of a clause; that a compound is written as its formula is none."""
        return [
            item
            for item in self._mine.relations
            if item.type not in NAMED_IN_PASSING and any(start <= span[0] < end for span in _spans(item))
        ]

    def _telling(self, relation: Relation) -> list[ReadText]:
        """The texts that make a statement."""
        return [
            text
            for text in self._texts
            if any(_same_claim(relation, item) for item in text.relations) or self._holds(text, relation)
        ]

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

    def _holds(self, text: ReadText, relation: Relation) -> bool:
        """Whether one text has all parts of a statement, and nobody else whom it could be about."""
        if relation.source.key[1] not in text.materials:
            return False
        if relation.quantity is None:
            named = relation.target.key in text.keys
            measured = _measured_by(relation, self._mine) & {item.property_id for item in text.relations}
            return named or bool(measured) or held_together(content(relation.target.name), text.text)
        alone = len(text.materials) == 1 or not text.relations
        return alone and found_in(relation.quantity, text.text)

    def _of_loose_values(self) -> str:
        """Values that no statement was read for: one text must have them together with a material of the sentence."""
        bound = [relation.quantity for relation in self._mine.relations if relation.quantity is not None]
        bound += [item for relation in self._mine.relations for item in _condition_values(relation.conditions)]
        for found in find_quantities(self._mine.text):
            value = found.quantity
            if not value.ok or value.kind == "count" or stands(value, bound):
                continue
            holders = [text for text in self._texts if found_in(value, text.text)]
            if self._mine.materials and not any(self._fits(text, value) for text in holders):
                return f"its evidence does not say {self._mine.text[found.start : found.end]} of what it names"
        return ""

    def _fits(self, text: ReadText, value: Quantity) -> bool:
        owners = {
            item.source.key[1]
            for item in self._made
            if item.quantity is not None and item.modality != "negated" and stands(value, [item.quantity])
        }
        if owners:
            return bool(owners & self._mine.materials)
        return not text.materials or bool(text.materials & self._mine.materials)


def _measured_by(relation: Relation, text: ReadText) -> set[str]:
    """The ids of the property that a relation names: whoever has a value of it has the property."""
    name = relation.target.key[1].casefold()
    specs = [item.spec for item in text.mentions if item.spec is not None]
    return {spec.id for spec in specs if name in {other.casefold() for other in (spec.label, *spec.synonyms)}}


def _spans(relation: Relation) -> list[tuple[int, int]]:
    return [span for span in (relation.evidence.source_span, relation.evidence.target_span) if span is not None]


def _condition_values(conditions: Iterable[Condition]) -> list[Quantity]:
    return [item.quantity for condition in conditions for item in find_quantities(condition.text)]


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
class Comparison:
    """A sentence that says which of two has more, held against the numbers or the words of its evidence.

    ``verified`` are its comparatives when the numbers bear it out, so that they need not stand in the evidence.
    """

    mine: ReadText
    texts: Sequence[ReadText]
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
        made: list[Stated] = [*stated_in(self.grounds), *(item for text in self.texts for item in text.relations)]
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
