"""A model only links what the rules found: the cheapest way, and the one in which nothing can be invented.

Sentences in which the rules see things that could belong together but do not bind are shown with those things numbered;
the model answers with pairs of numbers. Whatever it answers stands in the sentence, for the rules found it there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from minerva_desktop.domains import Domain
from minerva_desktop.domains.pack import PropertySpec
from minerva_desktop.extraction.chunks import skeleton
from minerva_desktop.extraction.confidence import weights_of
from minerva_desktop.extraction.lexicon import Lexicon
from minerva_desktop.extraction.mentions import Mention, MentionKind, Reading
from minerva_desktop.extraction.model_relations import RelationMaker
from minerva_desktop.extraction.model_schemas import LinkRow
from minerva_desktop.extraction.model_values import Value, shares_of
from minerva_desktop.extraction.naming import Found, Namer
from minerva_desktop.extraction.pairs import pairs
from minerva_desktop.extraction.values import fits, outside
from minerva_desktop.extraction.windows import tokens_of
from minerva_desktop.models.calls import ModelError
from minerva_desktop.records import Relation, Sentence

_TYPES: dict[MentionKind, str] = {
    "material": "Material", "property": "Property", "predicate": "Property", "method": "Method",
    "application": "Application", "quantity": "Value",
}  # fmt: skip
_USABLE = frozenset({"", "component", "based", "device"})
_LEAST_NAME = 3
"""A property of one or two letters is a symbol: it says something beside its value only."""
_MOST_SPANS = 24
"""A sentence with more is a list, in which a model loses its way."""
_LEAST_LIKELY = 0.2
"""What the rules think less likely is not worth a question."""
_MOST_TOKENS, _FEW_TOKENS, _LEAST_TOKENS = 5000, 2400, 450
_MOST_SENTENCES, _FEW_SENTENCES = 24, 8
_LONG_CONTEXT = 16_000
TOKENS_A_LINK = 34
_FORM = 20
_LINKS_A_SENTENCE, _LINKS_MORE = 2, 4
"""Rows of a reply: with many to fill, a small model goes on when it has nothing more to say."""


@dataclass(frozen=True, slots=True)
class LinkRoom:
    """What a question may hold: tokens of sentences and reply together, and sentences."""

    tokens: int
    sentences: int


def link_room(context: int, prompt: int) -> LinkRoom:
    """How much fits beside a prompt in a context of that many tokens (0 = not known).

    Raises:
        ModelError: "context": nothing would fit.
    """
    if not context:
        return LinkRoom(_FEW_TOKENS, _FEW_SENTENCES)
    free = int((context - prompt) * 0.9)
    if free < _LEAST_TOKENS:
        raise ModelError(
            "context",
            f"The model reads {context:,} tokens at once; to link what was found it needs about {prompt + 600:,}.",
            hint="Give the server a longer context (with Ollama: num_ctx).",
            fatal=True,
        )
    if context < _LONG_CONTEXT:  # such models are small themselves, and lose their way in long lists
        return LinkRoom(min(_FEW_TOKENS, free), _FEW_SENTENCES)
    return LinkRoom(_MOST_TOKENS, _MOST_SENTENCES)


@dataclass(frozen=True, slots=True)
class Span:
    """A numbered thing: ``found`` is its entity, or ``value`` for a quantity (of ``found`` None)."""

    number: int
    type: str
    words: str
    sentence: Sentence
    found: Found | None = None
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Sentences with their numbered things, as one question."""

    sentences: tuple[Sentence, ...]
    spans: Mapping[int, Span]
    text: str

    @property
    def most(self) -> int:
        """Links that the reply has room for."""
        return _LINKS_A_SENTENCE * len(self.sentences) + _LINKS_MORE

    @property
    def reply(self) -> int:
        """Tokens of the longest reply."""
        return _FORM + self.most * TOKENS_A_LINK


def relation_names(domain: Domain) -> list[str]:
    """The relation types whose ends the rules find in sentences. What a formula says by itself they read alone."""
    known = set(_TYPES.values())
    return [
        kind.name
        for kind in domain.relation_types
        if any(source in known and target in known for source, target in kind.triples)
    ]


def batches_of(
    sentences: Iterable[Sentence], relations: Sequence[Relation], namer: Namer, room: LinkRoom
) -> list[Batch]:
    """The sentences that leave something to link, in questions that fit."""
    bound: dict[int, list[Relation]] = {}
    for relation in relations:
        bound.setdefault(relation.evidence.sentence_index, []).append(relation)
    found: list[Batch] = []
    lines: list[tuple[Sentence, list[Mention]]] = []
    used = least = _FORM + _LINKS_MORE * TOKENS_A_LINK
    for sentence in sentences:
        mentions = _linkable(sentence, bound.get(sentence.index, ()), namer)
        if not mentions:
            continue
        size = tokens_of(sentence.text) + 8 * len(mentions) + _LINKS_A_SENTENCE * TOKENS_A_LINK
        if lines and (used + size > room.tokens or len(lines) == room.sentences):
            found.append(_batch(lines))
            lines, used = [], least
        lines.append((sentence, mentions))
        used += size
    return [*found, _batch(lines)] if lines else found


# --------------------------------------------------------------------------------------------------- what is asked about
def _linkable(sentence: Sentence, bound: Sequence[Relation], namer: Namer) -> list[Mention]:
    """The mentions of a sentence when two of them could be linked and are not yet; nothing otherwise."""
    mentions = [item for item in namer.reading(sentence.text).mentions if _offered(item)]
    named = [item for item in mentions if item.kind == "property"]
    mentions = [item for item in mentions if item.kind != "quantity" or any(_measures(one, item) for one in named)]
    if len(mentions) < 2 or len(mentions) > _MOST_SPANS:
        return []
    return mentions if _left_open(namer.reading(sentence.text), mentions, bound, namer.lexicon) else []


def _left_open(reading: Reading, mentions: Sequence[Mention], bound: Sequence[Relation], lexicon: Lexicon) -> bool:
    """Whether something could be linked that the rules have not linked: a value beside a property and a material, or a pair
    that the rules weighed and were not sure of."""
    offered = {item.span for item in mentions}
    if not any(item.kind == "material" for item in mentions):
        return False
    if any(item.kind == "quantity" and not _is_bound(item, bound) for item in mentions):
        return True
    chunks = skeleton(reading, lexicon)
    for pair in pairs(chunks):
        material, target = chunks.mention(pair.material), chunks.mention(pair.target)
        if not {material.span, target.span} <= offered or _is_bound(target, bound):
            continue
        if weights_of(pair.type).confidence(pair.features) >= _LEAST_LIKELY:
            return True
    return False


def _offered(mention: Mention) -> bool:
    if mention.kind == "material":
        return mention.role in _USABLE
    if mention.kind == "quantity":
        return mention.quantity is not None and (mention.quantity.ok or mention.quantity.ambiguous)
    return mention.entity is not None


def _measures(named: Mention, quantity: Mention) -> bool:
    return quantity.quantity is not None and any(fits(spec, quantity.quantity) for spec in specs_of(named))


def specs_of(mention: Mention) -> list[PropertySpec]:
    """The properties that a mention may stand for."""
    return [spec for spec in (mention.spec, *mention.alternatives) if spec is not None]


def _is_bound(mention: Mention, bound: Sequence[Relation]) -> bool:
    """Whether the rules have linked a mention: as a target, or as the property of a value; a lone symbol says nothing."""
    if mention.kind == "property" and mention.end - mention.start < _LEAST_NAME:
        return True
    for relation in bound:
        span = relation.evidence.target_span
        if span is not None and span[0] < mention.end and mention.start < span[1]:
            return True
        if any(spec.id == relation.property_id for spec in specs_of(mention)):
            return True
    return False


# ------------------------------------------------------------------------------------------------------------ the text
def _batch(lines: Sequence[tuple[Sentence, list[Mention]]]) -> Batch:
    spans: dict[int, Span] = {}
    texts = [f"S{number}. {_marked(sentence, mentions, spans)}" for number, (sentence, mentions) in enumerate(lines, 1)]
    return Batch(tuple(sentence for sentence, _ in lines), spans, "\n".join(texts))


def _marked(sentence: Sentence, mentions: Sequence[Mention], spans: dict[int, Span]) -> str:
    """A sentence with its things numbered on from those that there are. Its own brackets become round, so that no mark in
    it can be taken for one of ours."""
    text = sentence.text
    out = ""
    last = 0
    for mention in mentions:
        added = list(_spans(sentence, mention, len(spans) + 1))
        spans.update((item.number, item) for item in added)
        marks = "; ".join(f"{item.number} {item.type}: {_plain(item.words)}" for item in added)
        out += f"{_plain(text[last : mention.start])}[{marks}]"
        last = mention.end
    return " ".join((out + _plain(text[last:])).split())


def _plain(text: str) -> str:
    return text.replace("[", "(").replace("]", ")")


def _spans(sentence: Sentence, mention: Mention, first: int) -> Iterable[Span]:
    """The thing that a mention is; of a list of values each value."""
    words = sentence.text[mention.start : mention.end]
    if mention.quantity is None:
        assert mention.entity is not None
        found = Found(mention.entity, mention.start, mention.end, mention)
        yield Span(first, _TYPES[mention.kind], words, sentence, found)
        return
    shares = list(shares_of(mention.quantity, mention.start, mention.end))
    for number, written in enumerate(shares[1:] or shares):
        shown = written.quantity.text if written.share >= 0 else words
        yield Span(first + number, "Value", shown, sentence, value=Value(_NO_SPEC, mention, written))


_NO_SPEC = PropertySpec(id="", label="")
"""Of a value of which it is not yet said what it measures."""


# ----------------------------------------------------------------------------------------------------------- the reply
class Linker:
    """Turns the links of one document into relations."""

    def __init__(self, domain: Domain, maker: RelationMaker) -> None:
        self._domain = domain
        self._maker = maker

    def relation(self, row: LinkRow, batch: Batch) -> Relation | str:
        """The relation that a link states, or why it is none."""
        source, target = batch.spans.get(row.source), batch.spans.get(row.target)
        kind = self._domain.relation_type(row.relation.strip().upper())
        if source is None or target is None:
            return "no name: a number stands for nothing"
        predicate = (
            source.found is not None and source.found.mention is not None and source.found.mention.kind == "predicate"
        )
        legal = kind is not None and self._domain.legal(source.type, kind.name, target.type)
        if kind is None or source.found is None or not legal or predicate:
            return f"not of this field: {row.relation[:40]} does not join {source.type} and {target.type}"
        if source.sentence is not target.sentence:
            return "ungrounded: the two stand in different sentences"
        end = self._value(target, batch.spans.get(row.property), batch) if target.value is not None else target.found
        if isinstance(end, str):
            return end
        assert end is not None
        return self._maker.relation(source.sentence, kind, source.found, end, "")

    def _value(self, target: Span, named: Span | None, batch: Batch) -> Value | str:
        """A value with what it measures: the property that the link names, else the only one of the sentence that it can
        measure."""
        assert target.value is not None
        quantity = target.value.written.quantity
        given = [named] if named is not None else list(batch.spans.values())
        pairs = [
            (spec, item.found.mention)
            for item in given
            if item.sentence is target.sentence and item.found is not None and item.found.mention is not None
            for spec in specs_of(item.found.mention)
            if item.found.mention.kind == "property" and fits(spec, quantity)
        ]
        if not pairs or len({spec.id for spec, _ in pairs}) > 1:
            return (
                "no name: no property is given" if named is None else "wrong kind: the value is none of this property"
            )
        spec, mention = pairs[0]
        if outside(spec, quantity):
            return f"out of range: {quantity.text} is no sensible {spec.label}"
        return Value(spec, mention, target.value.written)


def shown(row: LinkRow, batch: Batch) -> str:
    """A link in words, for the list of what was dropped."""
    ends = [
        span.words if (span := batch.spans.get(number)) is not None else f"[{number}]"
        for number in (row.source, row.target)
    ]
    return f"{ends[0]} {row.relation[:40]} {ends[1]}"[:300]
