"""A relation as a model's reading makes it: two ends at their places in one sentence. All but the choice of the ends comes
from the sentence, by the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from minerva_desktop.domains.pack import RelationType
from minerva_desktop.extraction.conditions import measurement_in
from minerva_desktop.extraction.confidence import circumstance
from minerva_desktop.extraction.grounding import evidence_of
from minerva_desktop.extraction.modality import modality_of
from minerva_desktop.extraction.model_values import Value, conditions_with
from minerva_desktop.extraction.naming import Found, Namer
from minerva_desktop.records import Entity, Evidence, Modality, Relation, Sentence

EXTRACTOR = RULE = "model"
PRIOR = 0.6
"""Confidence of a fact that only a model states and whose words all stand in its sentence: better than a guess, below what
the rules give to what a pattern binds. It is one number for all facts: what models say of their own sureness is not
calibrated."""
INNER = frozenset({"Element", "Formula"})
"""Things that stand inside the name of what has them: "Ga" in "GaN"."""


class RelationMaker:
    """Makes the relations of one document.

    ``taken``: for each sentence the places of the values that the rules have bound; ``paper`` is its id.
    """

    def __init__(self, namer: Namer, paper: str, taken: Mapping[int, Sequence[tuple[int, int]]]) -> None:
        self.namer = namer
        self._paper = paper
        self._taken = taken

    def relation(
        self, sentence: Sentence, kind: RelationType, source: Found | Entity, target: Found | Value, condition: str
    ) -> Relation | str:
        """The relation of two ends, or why there is none. A source that is only an entity stands in the sentence before."""
        found = source if isinstance(source, Found) else None
        first = source.entity if isinstance(source, Found) else source
        evidence = evidence_of(sentence, self._paper, found.span if found is not None else None, target.span)
        confidence = PRIOR * (circumstance("carried") if found is None else 1.0)
        confidence *= circumstance("caption") if sentence.kind == "caption" else 1.0
        if isinstance(target, Value):
            return self._measured(sentence, kind, first, found, target, evidence, confidence, condition)
        if first.key == target.entity.key:
            return f"wrong kind: “{first.key[1]}” is said of itself"
        modality = _modality(sentence.text, found, target)
        return Relation(
            kind.name, first, target.entity, evidence, modality=modality, confidence=round(confidence, 3),
            extractor=EXTRACTOR, rule=RULE,
        )  # fmt: skip

    def _measured(
        self,
        sentence: Sentence,
        kind: RelationType,
        first: Entity,
        found: Found | None,
        target: Value,
        evidence: Evidence,
        confidence: float,
        condition: str,
    ) -> Relation:
        text = sentence.text
        quantity = target.quantity(text)
        taken = self._taken.get(sentence.index, ())
        places = [target.span, target.named.span, *([found.span] if found is not None else [])]
        return Relation(
            kind.name,
            first,
            target.entity(text),
            evidence,
            property_id=target.spec.id,
            quantity=quantity,
            conditions=conditions_with(text, target, found, condition, taken, self.namer),
            method=measurement_in(text),
            modality=modality_of(text, min(start for start, _ in places), max(end for _, end in places)),
            confidence=round(confidence * (circumstance("ambiguous") if quantity.ambiguous else 1.0), 3),
            extractor=EXTRACTOR,
            rule=RULE,
        )


def _modality(text: str, source: Found | None, target: Found) -> Modality:
    """How a sentence says that the two belong together; what a formula says by itself is neither denied nor supposed."""
    if target.entity.type in INNER and source is not None and source.start <= target.start and target.end <= source.end:
        return "reported"
    start = min(target.start, source.start) if source is not None else target.start
    end = max(target.end, source.end) if source is not None else target.end
    touching = source is not None and 0 <= target.start - source.end <= 1  # "YSZ electrolyte": one noun phrase
    return modality_of(text, start, end, negation=not touching)
