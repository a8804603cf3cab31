"""A model's facts become relations, or are dropped with a reason.

Each fact is held against the document: its quote must stand there, and in one sentence of the quote both ends must stand,
a value with its property too. What the relation then says is taken from that sentence: the names as they are written, the
value as the one quantity parser reads it, and whether it is denied, supposed or cited as the rules read it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from minerva_desktop.domains import Domain
from minerva_desktop.domains.pack import RelationType
from minerva_desktop.extraction.fuzzy import Place, Quotes
from minerva_desktop.extraction.model_relations import INNER, RelationMaker
from minerva_desktop.extraction.model_schemas import FactRow
from minerva_desktop.extraction.model_values import Value, value_in
from minerva_desktop.extraction.naming import Found, near
from minerva_desktop.extraction.subjects import carried_over, refers_back
from minerva_desktop.records import Entity, Relation, Sentence

_OTHER_FAULTS = ("not of this field: ", "no name: ", "wrong kind: ", "out of range: ")
"""What is dropped although it may stand in the text; everything else is ungrounded."""


class Grounder:
    """Turns the facts of one document into relations. ``sentences`` are those in which a quote may stand."""

    def __init__(self, domain: Domain, sentences: Sequence[Sentence], maker: RelationMaker) -> None:
        self._maker = maker
        self._namer = maker.namer
        self._quotes = Quotes(sentences)
        self._types = {_folded(kind.name): kind for kind in domain.relation_types}

    def relation(self, row: FactRow, shown: Collection[int]) -> Relation | str:
        """The relation that a fact states, or why it is none. ``shown`` are the sentences that the model was shown."""
        kind = self._types.get(_folded(row.relation))
        if kind is None:
            return f"not of this field: “{row.relation[:40]}” is no relation type"
        if not row.quote.strip():
            return "ungrounded: no quote is given"
        places = self._quotes.find(row.quote, shown)
        if not places:
            return "ungrounded: the quote stands nowhere in the text"
        reason = ""
        for place in places:
            for sentence, span in zip(place.sentences, place.spans, strict=True):
                relation = self._in(sentence, span, place, row, kind)
                if isinstance(relation, Relation):
                    return relation
                reason = reason or relation
        return reason if reason.startswith(_OTHER_FAULTS) else f"ungrounded: {reason}"

    def _in(
        self, sentence: Sentence, span: tuple[int, int], place: Place, row: FactRow, kind: RelationType
    ) -> Relation | str:
        """The relation as one sentence states it: of the legal pairs of types the one whose ends are best known there."""
        best: tuple[int, Found | Entity, Found | Value] | None = None
        reason = ""
        for source_type, target_type in kind.triples:
            target = self._target(sentence.text, span, target_type, row)
            if isinstance(target, str):
                reason = reason or target
                continue
            source = self._source(sentence.text, span, source_type, row, target)
            end = self._carried(sentence, place, source_type, row) if isinstance(source, str) else source
            if end is None:
                reason = reason or str(source)
                continue
            known = sum(not isinstance(item, Found) or item.mention is not None for item in (end, target))
            if best is None or known > best[0]:
                best = (known, end, target)
        if best is None:
            return reason
        return self._maker.relation(sentence, kind, best[1], best[2], row.condition)

    # ------------------------------------------------------------------------------------------------------- the ends
    def _target(self, text: str, span: tuple[int, int], target_type: str, row: FactRow) -> Found | Value | str:
        if target_type == "Value":
            return value_in(text, row.target, row.property, span, self._namer)
        found = self._namer.find(target_type, row.target, text)
        return found if isinstance(found, str) else near(_within(found, span), span)

    def _source(
        self, text: str, span: tuple[int, int], source_type: str, row: FactRow, target: Found | Value
    ) -> Found | str:
        found = self._namer.find(source_type, row.source, text)
        if isinstance(found, str):
            return found
        found = [item for item in found if item.mention is None or item.mention.kind != "predicate"]
        if not found:  # "a solid electrolyte" says of something that it conducts ions; it is not that property
            return f"wrong kind: “{row.source[:60]}” says what something is, it is no {source_type} itself"
        if isinstance(target, Found) and target.entity.type not in INNER:
            apart = [item for item in found if item.end <= target.start or target.end <= item.start]
            if not apart:
                return f"wrong kind: “{row.source[:60]}” and “{row.target[:60]}” are the same words there"
            found = apart
        elif isinstance(target, Found) and target.mention is not None:
            own = [item for item in found if item.start <= target.start and target.end <= item.end]
            found = own or found
        return near(_within(found, span), target.span)

    def _carried(self, sentence: Sentence, place: Place, source_type: str, row: FactRow) -> Entity | None:
        """The material of the sentence before, where the rules too would take it for the one that is referred to, and the
        quote holds both sentences."""
        before = next((item for item in place.sentences if item.index == sentence.index - 1), None)
        if before is None or source_type != "Material" or not refers_back(sentence.text):
            return None
        if any(item.kind == "material" for item in self._namer.reading(sentence.text).mentions):
            return None
        carried = carried_over(self._namer.reading(before.text))
        found = self._namer.find(source_type, row.source, before.text)
        if carried is None or carried.entity is None or isinstance(found, str):
            return None
        if all(item.entity.key != carried.entity.key for item in found):
            return None
        return replace(carried.entity, name=carried.entity.canonical or carried.entity.name)


def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _within(found: list[Found], span: tuple[int, int]) -> list[Found]:
    """Those inside the quote, if there are any."""
    return [item for item in found if span[0] <= item.start and item.end <= span[1]] or found
