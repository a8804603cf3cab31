"""The measured values that a model states, held against their sentence: the property named there, the number written there,
the unit a unit of that property. What the model wrote only points; value and conditions are taken from the sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from minerva_desktop.domains.pack import PropertySpec
from minerva_desktop.extraction.chunks import skeleton
from minerva_desktop.extraction.conditions import conditions_in, one_of
from minerva_desktop.extraction.extractor import conditions_of
from minerva_desktop.extraction.mentions import Mention, Reading
from minerva_desktop.extraction.naming import Found, Namer, clean, spans_of
from minerva_desktop.extraction.subjects import Subject
from minerva_desktop.extraction.values import ValueFact, fits, outside
from minerva_desktop.language.quantities import canonical_value, find_quantities, parse_value
from minerva_desktop.records import Condition, Entity, Quantity

_MOST_OF_LIST = 24


@dataclass(frozen=True, slots=True)
class Written:
    """A quantity as it stands in a sentence. ``share`` is its place in a list that is one mention, -1 for the whole."""

    quantity: Quantity
    start: int
    end: int
    share: int = -1


@dataclass(frozen=True, slots=True)
class Value:
    """A value with the property that it is of, both as they stand in the sentence."""

    spec: PropertySpec
    named: Mention
    written: Written

    @property
    def span(self) -> tuple[int, int]:
        return (self.written.start, self.written.end)

    def entity(self, sentence: str) -> Entity:
        """The value as the rules name it."""
        quantity = self.quantity(sentence)
        name = quantity.text if self.written.share >= 0 else sentence[self.written.start : self.written.end]
        return Entity("Value", name, canonical_value(quantity))

    def quantity(self, sentence: str) -> Quantity:
        quantity = self.written.quantity
        written = sentence[self.written.start : self.written.end]
        return quantity if quantity.text else replace(quantity, text=written)


def value_in(sentence: str, value: str, prop: str, inside: tuple[int, int], namer: Namer) -> Value | str:
    """The value of a property that a model states of a sentence, nearest to ``inside`` (the quote); or why there is none."""
    reading = namer.reading(sentence)
    specs = _specs_in(reading, prop, sentence, namer)
    if isinstance(specs, str):
        return specs
    value = clean(value)
    if not any(sign.isdigit() for sign in value):
        return f"no name: “{value[:60]}” is no number" if value else "no name: no value is given"
    same = [item for item in quantities_in(sentence, reading) if _is(value, item.quantity, specs)]
    if not same:
        return f"the value “{value[:60]}” does not stand in the sentence"
    found = [(spec, named, item) for spec, named in specs for item in same if fits(spec, item.quantity)]
    if not found:
        return f"wrong kind: “{value[:60]}” has not the unit of the property “{specs[0][0].label}”"
    spec, named, written = min(found, key=lambda one: (_apart(one[2], inside), _between(one[1], one[2]), one[2].start))
    if not written.quantity.ok and not written.quantity.ambiguous:
        return f"wrong kind: “{value[:60]}” is no value: {written.quantity.reason}"
    if outside(spec, written.quantity):
        return f"out of range: {written.quantity.text or value[:60]} is no sensible {spec.label}"
    return Value(spec, named, written)


# -------------------------------------------------------------------------------------------------------- properties
def _specs_in(reading: Reading, name: str, sentence: str, namer: Namer) -> list[tuple[PropertySpec, Mention]] | str:
    """The properties of the pack that a name stands for, each with the place where the sentence names it."""
    name = clean(name)
    named = [item for item in reading.mentions if item.kind in {"property", "predicate"} and item.spec is not None]
    every = [(spec, item) for item in named for spec in (item.spec, *item.alternatives) if spec is not None]
    if not name:
        measured = [pair for pair in every if pair[1].kind == "property"]
        one = {spec.id for spec, _ in measured}
        return measured if len(one) == 1 else "no name: no property is given"
    wanted = _ids(name, namer)
    found = [(spec, item) for spec, item in every if spec.id in wanted]
    if found:
        return found
    places = spans_of(name, sentence)
    found = [(spec, item) for spec, item in every for start, end in places if item.start < end and start < item.end]
    if found:
        return found
    if wanted:
        return f"the property “{name[:60]}” is not named in the sentence"
    return f"not of this field: “{name[:60]}” is no property that is known; a row in the lexicon would make it one"


def _ids(name: str, namer: Namer) -> set[str]:
    found = {
        entry.key for kind in ("property", "predicate") if (entry := namer.lexicon.resolve(name, kind)) is not None
    }
    if found:
        return found
    return {
        spec.id
        for item in namer.reading(name).mentions
        if item.kind in {"property", "predicate"}
        for spec in (item.spec, *item.alternatives)
        if spec is not None
    }


# -------------------------------------------------------------------------------------------------------- quantities
def quantities_in(sentence: str, reading: Reading) -> list[Written]:
    """The quantities of a sentence in order; of a list the whole and each of its values."""
    found = {
        item.span: item.quantity for item in reading.mentions if item.kind == "quantity" and item.quantity is not None
    }
    for other in find_quantities(sentence):
        if not any(start < other.end and other.start < end for start, end in found):
            found[(other.start, other.end)] = other.quantity
    return [item for span in sorted(found) for item in shares_of(found[span], *span)]


def shares_of(quantity: Quantity, start: int, end: int) -> Iterator[Written]:
    """A quantity, and when it is a list each of its values."""
    yield Written(quantity, start, end)
    if quantity.kind == "list" and quantity.ok:
        for number in range(min(len(quantity.values), _MOST_OF_LIST)):
            yield Written(one_of(quantity, number), start, end, number)


def _is(value: str, quantity: Quantity, specs: Sequence[tuple[PropertySpec, Mention]]) -> bool:
    """Whether a model's text says this quantity: the same number with the same unit, or the number alone."""
    if _squeezed(value) == _squeezed(quantity.text):
        return True
    for expected in dict.fromkeys((None, *(spec.dimension or None for spec, _ in specs))):
        said = parse_value(value, expected_dimension=expected)
        if said.dimension == quantity.dimension and _equal(_si(said), _si(quantity)):
            return True
    bare = parse_value(value, expected_dimension="dimensionless")
    return bare.ok and not bare.unit and _equal(_numbers(bare), _numbers(quantity))


def _squeezed(text: str) -> str:
    return "".join(text.split()).replace("−", "-").replace("–", "-")


def _si(quantity: Quantity) -> tuple[float | None, ...]:
    if quantity.kind == "list":
        return quantity.si_values
    return (quantity.si_low, quantity.si_high) if quantity.kind == "range" else (quantity.si_value,)


def _numbers(quantity: Quantity) -> tuple[float | None, ...]:
    if quantity.kind == "list":
        return quantity.values
    return (quantity.low, quantity.high) if quantity.kind == "range" else (quantity.value,)


def _equal(one: Sequence[float | None], other: Sequence[float | None]) -> bool:
    pairs = list(zip(one, other, strict=False))
    return (
        len(one) == len(other)
        and bool(pairs)
        and all(a is not None and b is not None and abs(a - b) <= 1e-6 * max(abs(a), abs(b)) for a, b in pairs)
    )


def _apart(written: Written, inside: tuple[int, int]) -> int:
    return max(written.start - inside[1], inside[0] - written.end, 0)


def _between(named: Mention, written: Written) -> int:
    return max(written.start - named.end, named.start - written.end, 0)


# -------------------------------------------------------------------------------------------------------- conditions
def conditions_with(
    sentence: str, value: Value, source: Found | None, said: str, taken: Sequence[tuple[int, int]], namer: Namer
) -> tuple[Condition, ...]:
    """The conditions of a value: those that the model names and the sentence holds, then those that the rules find.

    ``taken`` are the places of values that other facts of the sentence state: they are no conditions.
    """
    found: list[Condition] = []
    said = clean(said)
    for span in spans_of(said, sentence) if said else []:
        if not (span[0] < value.span[1] and value.span[0] < span[1]):
            found = conditions_in(sentence, span)
            break
    for condition in _by_rules(sentence, value, source, taken, namer):
        if all(condition.name != other.name for other in found):
            found.append(condition)
    return tuple(found)


def _by_rules(
    sentence: str, value: Value, source: Found | None, taken: Sequence[tuple[int, int]], namer: Namer
) -> tuple[Condition, ...]:
    chunks = skeleton(namer.reading(sentence), namer.lexicon)
    at = {(chunk.start, chunk.end): index for index, chunk in enumerate(chunks.chunks) if chunk.mention is not None}
    value_at, named_at = at.get(value.span), at.get(value.named.span)
    if value_at is None or named_at is None:
        return ()
    mention = source.mention if source is not None and source.mention is not None else value.named
    subject = Subject(mention, at.get(mention.span, -1), "model")
    fact = ValueFact(subject, value.spec, named_at, value_at, value.written.quantity, "model", value.written.share)
    values = sorted({value_at, *(at[span] for span in taken if span in at)})
    return conditions_of(sentence, chunks, fact, values)
