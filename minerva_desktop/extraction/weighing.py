"""The statements without a number that a sentence makes, each with its confidence and the features behind it.

Every near pair of a material and a method, application or property is weighed; a pattern that binds the two is one of the
features, and a pair with a pattern is stated however little speaks for it, so that a person can see and refuse it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from minerva_desktop.extraction.chunks import Skeleton
from minerva_desktop.extraction.confidence import Weighed, weights_of
from minerva_desktop.extraction.lexicon import Lexicon
from minerva_desktop.extraction.pairs import Pair, pairs
from minerva_desktop.extraction.statements import Pattern, bare, patterns, whole_predicate
from minerva_desktop.extraction.subjects import usable

_LEAST_NAME = 3
"""A property of one or two letters is a symbol: it says something beside its value only."""
NEARBY = "nearby"
"""The rule of a statement that no pattern made."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Two mentions (chunk indices) that belong together; ``features`` are what the confidence was made of."""

    type: str
    source: int
    target: int
    rule: str
    confidence: float
    triggers: tuple[str, ...] = ()
    features: Weighed = ()


def statements(text: str, skeleton: Skeleton, lexicon: Lexicon) -> Iterator[Statement]:
    """All statements without a number that a sentence makes, by place of the term, then of the material."""
    found: dict[tuple[str, int, int], list[Pattern]] = {}
    for item in patterns(text, skeleton, lexicon):
        found.setdefault((item.type, item.source, item.target), []).append(item)

    def wanted(kind: str, material: int, target: int) -> bool:
        return (kind, material, target) in found or _may_be_near(skeleton, material, target, lexicon)

    near = {(pair.type, pair.material, pair.target): pair for pair in pairs(skeleton, wanted)}
    if "respectively" in text or "in that order" in text:  # what is paired in order has no other partner by nearness
        paired = {(kind, place) for kind, *places in found for place in places}
        near = {
            key: pair for key, pair in near.items() if key in found or paired.isdisjoint((key[0], at) for at in key[1:])
        }
    for key in sorted({*found, *near}, key=lambda item: (item[2], item[1], item[0])):
        statement = _weighed(key, found.get(key, []), near.get(key), skeleton, lexicon)
        if statement is not None:
            yield statement


def _weighed(
    key: tuple[str, int, int], fired: list[Pattern], pair: Pair | None, skeleton: Skeleton, lexicon: Lexicon
) -> Statement | None:
    kind, material, target = key
    weights = weights_of(kind)
    features = [*(pair.features if pair else ()), *(f"pattern:{item.rule}" for item in fired)]
    confidence = weights.confidence(features)
    if not fired and confidence < weights.keep:
        return None
    rule = fired[0].rule if fired else NEARBY
    triggers = fired[0].triggers if fired else _words_between(skeleton, material, target)
    return Statement(kind, material, target, rule, confidence, triggers, weights.explained(features))


def _may_be_near(skeleton: Skeleton, material: int, target: int, lexicon: Lexicon) -> bool:
    """Whether the two are of the kind that may be bound by standing near one another."""
    mention, term = skeleton.mention(material), skeleton.mention(target)
    code = skeleton.codes[target]
    if code == "A":
        return mention.role in {"", "component", "based", "device"}
    if not usable(mention):
        return False
    if code == "K":
        return whole_predicate(skeleton, target, lexicon)
    if code == "P":
        metric = term.spec is not None and term.spec.semantic_class == "device_metric"
        symbol = term.end - term.start < _LEAST_NAME
        return not metric and not symbol and not bare(term, lexicon)
    return True


def _words_between(skeleton: Skeleton, material: int, target: int) -> tuple[str, ...]:
    first, last = sorted((material, target))
    return skeleton.words(first, last, "bhrGUBkvyoifw")
