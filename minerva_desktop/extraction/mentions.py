"""What a sentence mentions: materials, properties, methods, applications and quantities, each with its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from minerva_desktop.domains.pack import PropertySpec
from minerva_desktop.extraction.tokens import Token
from minerva_desktop.records import Condition, Entity, Quantity

MentionKind = Literal["material", "property", "predicate", "method", "application", "quantity"]
Role = Literal["", "based", "device", "component", "aside", "gas"]
"""What stands behind a material's name: nothing or a form (""), "-based …", a device made of it, a part of a device
("cathode"), something that is not the material itself ("precursor", "interface"), or it is a gas of the surroundings.
"""


@dataclass(frozen=True, slots=True)
class Mention:
    """A named thing at ``text[start:end]`` of the sentence, which are the tokens ``first`` to ``last`` (exclusive)."""

    kind: MentionKind
    start: int
    end: int
    first: int
    last: int
    entity: Entity | None = None
    spec: PropertySpec | None = None
    quantity: Quantity | None = None
    role: Role = ""
    composition: Condition | None = None
    formula: str = ""  # canonical formula, when the mention itself is written as a formula
    elements: tuple[str, ...] = ()
    alternatives: tuple[PropertySpec, ...] = ()  # other properties with the same symbol (ρ)

    @property
    def span(self) -> tuple[int, int]:
        return (self.start, self.end)


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence with everything that was found in it; mentions do not overlap and are in order."""

    text: str
    tokens: Sequence[Token]
    mentions: tuple[Mention, ...] = ()
    words: frozenset[str] = field(default_factory=frozenset)  # folded words, to rule out rules quickly


def token_range(tokens: Sequence[Token], start: int, end: int) -> tuple[int, int]:
    """The tokens that touch ``[start, end)``."""
    first = 0
    while first < len(tokens) and tokens[first].end <= start:
        first += 1
    last = first
    while last < len(tokens) and tokens[last].start < end:
        last += 1
    return first, last
