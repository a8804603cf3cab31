"""Document → candidate entities and relations, by rules. Deterministic: the same document gives the same candidates in
the same order. Every candidate says which rule and which words made it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from minerva_desktop.domains import Domain
from minerva_desktop.extraction.chemistry import compositions
from minerva_desktop.extraction.chunks import Chunk, Skeleton, skeleton
from minerva_desktop.extraction.conditions import gather, is_condition, measurement_in
from minerva_desktop.extraction.confidence import circumstance, of_rule
from minerva_desktop.extraction.entities import Entities
from minerva_desktop.extraction.grounding import evidence_of, keep_grounded
from minerva_desktop.extraction.guard import INSTRUCTED, orders_in
from minerva_desktop.extraction.lexicon import Lexicon, lexicon_of
from minerva_desktop.extraction.mentions import Mention, Reading
from minerva_desktop.extraction.modality import modality_of
from minerva_desktop.extraction.reading import Names, names_of, read
from minerva_desktop.extraction.rows import rows_of
from minerva_desktop.extraction.subjects import carried_over, clause_start, refers_back
from minerva_desktop.extraction.values import ValueFact, link_values, outside
from minerva_desktop.extraction.weighing import Statement, statements
from minerva_desktop.language.bibliographic import is_bibliographic
from minerva_desktop.language.quantities import canonical_value
from minerva_desktop.language.units import using_units
from minerva_desktop.records import Condition, Document, Entity, Relation, Sentence

_UNDENIABLE = frozenset({"material-application", "based-application", "method-made", "material-property"})
"""Rules over one noun phrase: what the sentence denies is not inside it ("YSZ electrolyte")."""


@dataclass(frozen=True, slots=True)
class KnownNames:
    """Names of materials that the library has met: spelling → canonical name."""

    materials: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was read. ``dropped`` holds relations (or words) that were not kept, with the reason."""

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    dropped: tuple[tuple[Relation | str, str], ...] = ()


def extract(document: Document, domain: Domain, *, paper_id: str, known: KnownNames | None = None) -> Extraction:
    """The candidates of a document, from its mined sentences."""
    lexicon = lexicon_of(domain)
    with using_units(domain.units):
        names = names_of(document.text, lexicon, known.materials if known else {})
        run = _Run(lexicon, names, paper_id, orders_in(document.sentences))
        for sentence in document.sentences:
            if sentence.mined:
                run.sentence(sentence)
        run.rows(document)
    kept, ungrounded = keep_grounded(run.relations, document.text)
    return Extraction(tuple(run.entities), tuple(kept), (*run.dropped, *ungrounded))


class _Run:
    """The state of reading one document: entities so far, formulas already stated, the material last spoken of."""

    def __init__(self, lexicon: Lexicon, names: Names, paper: str, orders: frozenset[int]) -> None:
        self.lexicon = lexicon
        self.names = names
        self.paper = paper
        self.orders = orders
        self.entities = Entities()
        self.relations: list[Relation] = []
        self.dropped: list[tuple[Relation | str, str]] = []
        self.formulas: set[str] = set()
        self.carried: Mention | None = None
        self.carried_from = -2

    def sentence(self, sentence: Sentence) -> None:
        if sentence.index in self.orders:
            self.dropped.append((sentence.text[:300], INSTRUCTED))
            self.carried = None
            return
        if is_bibliographic(sentence.text) or sentence.text.rstrip().endswith("?"):
            self.carried = None
            return
        reading = read(sentence.text, self.lexicon, self.names)
        if not reading.mentions:
            self.carried = None
            return
        chunks = skeleton(reading, self.lexicon)
        for mention in reading.mentions:
            if mention.entity is not None and mention.kind != "predicate" and mention.role not in {"aside", "gas"}:
                self._enter(mention.entity)
        found = [*self._compositions(sentence, reading)]
        found += self._values(sentence, reading, chunks)
        found += self._statements(sentence, chunks)
        self.relations += _distinct(self._allowed(found))
        self._remember(sentence, reading)

    def rows(self, document: Document) -> None:
        """The values in the tables."""
        found: list[Relation] = []
        for relation, mention in rows_of(document, self.lexicon, self.names, self.paper):
            if relation.evidence.sentence_index in self.orders:
                self.dropped.append((relation, INSTRUCTED))
                continue
            spec = self.lexicon.properties.get(relation.property_id)
            if spec is not None and relation.quantity is not None and outside(spec, relation.quantity):
                self.dropped.append((relation, f"out of range: {relation.quantity.text} is no sensible {spec.label}"))
                continue
            if mention.composition is not None:
                relation = replace(relation, conditions=(*relation.conditions, mention.composition))
            self._enter(relation.source)
            self._enter(relation.target)
            found.append(relation)
        self.relations += _distinct(self._allowed(found))

    def _allowed(self, relations: list[Relation]) -> list[Relation]:
        """Without those that name what a person ruled out."""
        kept = []
        for relation in relations if self.lexicon.blacklist else ():
            term = self._ruled_out(relation.source) or self._ruled_out(relation.target)
            if term:
                self.dropped.append((relation, f"blacklist: “{term}” is on your blacklist"))
            else:
                kept.append(relation)
        return kept if self.lexicon.blacklist else relations

    def _ruled_out(self, entity: Entity) -> str:
        return self.lexicon.blacklist.find(entity.type, entity.name, entity.canonical)

    def _enter(self, entity: Entity) -> None:
        """An entity, with the spellings of all its mentions."""
        if not self._ruled_out(entity):
            self.entities.add(entity)

    def _remember(self, sentence: Sentence, reading: Reading) -> None:
        self.carried = carried_over(reading)
        self.carried_from = sentence.index

    # ---------------------------------------------------------------------------------------------- kinds of facts
    def _compositions(self, sentence: Sentence, reading: Reading) -> Iterator[Relation]:
        materials = [mention for mention in reading.mentions if mention.kind == "material"]
        for item in compositions(sentence.text, materials, self.formulas, self.lexicon):
            self._enter(item.source)
            self._enter(item.target)
            yield Relation(
                item.type,
                item.source,
                item.target,
                evidence_of(sentence, self.paper, item.source_span, item.target_span),
                confidence=_weighed(of_rule(item.rule), sentence),
                rule=item.rule,
            )

    def _values(self, sentence: Sentence, reading: Reading, chunks: Skeleton) -> Iterator[Relation]:
        carried = self.carried if self.carried_from == sentence.index - 1 and refers_back(sentence.text) else None
        facts = link_values(sentence.text, chunks, carried)
        values = [fact.value_at for fact in facts]
        for fact in facts:
            relation = self._value(sentence, chunks, fact, values)
            if outside(fact.spec, fact.quantity):
                reason = f"out of range: {fact.quantity.text} is no sensible {fact.spec.label}"
                self.dropped.append((relation, reason))
                continue
            self._enter(relation.source)
            self._enter(relation.target)
            yield relation

    def _value(self, sentence: Sentence, chunks: Skeleton, fact: ValueFact, values: Sequence[int]) -> Relation:
        text = sentence.text
        place = chunks.chunks[fact.value_at]
        named = chunks.chunks[fact.property_at]
        source = fact.subject.mention.entity
        assert source is not None
        written = text[place.start : place.end]
        quantity = fact.quantity if fact.quantity.text else replace(fact.quantity, text=written)
        target = Entity("Value", quantity.text if fact.share >= 0 else written, canonical_value(quantity))
        conditions = conditions_of(text, chunks, fact, values)
        at = fact.subject.at
        start = min(place.start, named.start, chunks.chunks[at].start if at >= 0 else place.start)
        end = max(place.end, named.end)
        confidence = of_rule(fact.rule) * (circumstance("ambiguous") if quantity.ambiguous else 1.0)
        span = fact.subject.mention.span if at >= 0 else None
        if span is None:
            source = replace(source, name=source.canonical or source.name)
        return Relation(
            "HAS_VALUE",
            source,
            target,
            evidence_of(sentence, self.paper, span, place_of(place)),
            property_id=fact.spec.id,
            quantity=quantity,
            conditions=conditions,
            method=measurement_in(text),
            modality=modality_of(text, start, end),
            confidence=_weighed(confidence, sentence),
            rule=fact.rule,
            triggers=_value_triggers(text, chunks, fact),
        )

    def _statements(self, sentence: Sentence, chunks: Skeleton) -> Iterator[Relation]:
        carried = self.carried if self.carried_from == sentence.index - 1 and refers_back(sentence.text) else None
        back = carried is not None and "M" not in chunks.codes and bool(chunks.chunks)
        if back and carried is not None:
            chunks = _with_subject(chunks, carried)
        for item in statements(sentence.text, chunks, self.lexicon):
            source, target = chunks.chunks[item.source], chunks.chunks[item.target]
            relation = self._statement(sentence, chunks, item, place_of(source), place_of(target))
            yield _referring_back(relation) if back else relation

    def _statement(
        self, sentence: Sentence, chunks: Skeleton, item: Statement, source: tuple[int, int], target: tuple[int, int]
    ) -> Relation:
        one, other = chunks.mention(item.source).entity, chunks.mention(item.target).entity
        assert one is not None
        assert other is not None
        self._enter(one)
        self._enter(other)
        start, end = min(source[0], target[0]), max(source[1], target[1])
        return Relation(
            item.type,
            one,
            other,
            evidence_of(sentence, self.paper, source, target),
            modality=modality_of(sentence.text, start, end, negation=item.rule not in _UNDENIABLE),
            confidence=_weighed(item.confidence, sentence),
            rule=item.rule,
            triggers=item.triggers,
            features=item.features,
        )


def place_of(chunk: object) -> tuple[int, int]:
    """The place of a chunk in its sentence."""
    return (chunk.start, chunk.end)  # type: ignore[attr-defined]


def _with_subject(chunks: Skeleton, carried: Mention) -> Skeleton:
    """The skeleton with the material of the sentence before in place of the word that refers to it ("It", "This
    oxide")."""
    last = 1
    while last < len(chunks.codes) and chunks.codes[:last].strip("I") == "" and chunks.codes[last] == ".":
        last += 1
    first = chunks.chunks[0]
    subject = Chunk("M", first.start, chunks.chunks[last - 1].end, "", carried)
    return Skeleton((subject, *chunks.chunks[last:]), "M" + chunks.codes[last:])


def _referring_back(relation: Relation) -> Relation:
    """A relation whose material stands in the sentence before."""
    source = replace(relation.source, name=relation.source.canonical or relation.source.name)
    return replace(
        relation,
        source=source,
        evidence=replace(relation.evidence, source_span=None),
        confidence=round(relation.confidence * circumstance("carried"), 3),
    )


def _weighed(confidence: float, sentence: Sentence) -> float:
    factor = circumstance("caption") if sentence.kind == "caption" else 1.0
    return round(confidence * factor, 3)


def conditions_of(text: str, chunks: Skeleton, fact: ValueFact, values: Sequence[int]) -> tuple[Condition, ...]:
    """The conditions under which a value holds; ``values`` are the chunks that are values themselves."""
    first = clause_start(chunks.codes, min(fact.property_at, fact.value_at))
    contrast = re.search(r"[;x]", chunks.codes[fact.value_at :])
    last = fact.value_at + contrast.start() if contrast else len(chunks.codes)
    rivals = [
        index
        for index, code in enumerate(chunks.codes)
        if code == "Q"
        and index != fact.value_at
        and (index in values or (chunks.mention(index).quantity or fact.quantity).dimension == fact.quantity.dimension)
        and not is_condition(chunks, index)
    ]
    span = (first, max(last, fact.value_at + 1))
    conditions = gather(text, chunks, fact.value_at, rivals, values, span, fact.share)
    composition = fact.subject.mention.composition
    if composition is not None and all(item.name != "composition" for item in conditions):
        conditions = (*conditions, composition)
    return conditions


def _value_triggers(text: str, chunks: Skeleton, fact: ValueFact) -> tuple[str, ...]:
    named = chunks.chunks[fact.property_at]
    first, last = sorted((fact.property_at, fact.value_at))
    return (text[named.start : named.end], *chunks.words(first, last, "bhrofewk"))


def _distinct(relations: Sequence[Relation]) -> list[Relation]:
    """One relation for each fact of a sentence: the surest reading of it, in the order of first reading."""
    best: dict[tuple[object, ...], Relation] = {}
    for relation in relations:
        key = (
            relation.type, relation.source.key, relation.target.key, relation.property_id,
            (relation.quantity.si_value, relation.conditions) if relation.quantity else None,
        )  # fmt: skip
        if key not in best or relation.confidence > best[key].confidence:
            best[key] = relation
    return list(best.values())
