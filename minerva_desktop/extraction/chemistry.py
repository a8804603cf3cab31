"""What a written formula says by itself: which formula a name has, and which elements the formula holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from minerva_desktop.extraction.lexicon import Lexicon
from minerva_desktop.extraction.materials import dopant_of
from minerva_desktop.extraction.mentions import Mention
from minerva_desktop.records import Entity

_APPOSITION = re.compile(r"\s*[(\[]\s*|\s*,\s+(?:or\s+|i\.e\.,?\s+)?")
_CLOSING = re.compile(r"\s*[)\],;.]")


@dataclass(frozen=True, slots=True)
class Composition:
    """A relation that a formula states; spans are places in the sentence."""

    type: str
    source: Entity
    target: Entity
    source_span: tuple[int, int]
    target_span: tuple[int, int]
    rule: str
    confidence: float


def compositions(
    text: str, materials: Sequence[Mention], seen: set[str], lexicon: Lexicon
) -> Iterator[Composition]:
    """Formula and element relations of a sentence.

    A formula's elements are stated once a document, where it is first written (``seen`` is kept by the caller): later
    mentions repeat the same evidence. A name with its formula in apposition is stated wherever it stands.
    """
    named: set[str] = set()
    for name, formula in pairwise(materials):
        if formula.formula and not name.formula and _in_apposition(text, name, formula, lexicon):
            assert name.entity is not None
            named.add(formula.formula)
            yield Composition(
                "HAS_FORMULA", name.entity, _formula(text, formula), name.span, formula.span, "name-formula", 0.9
            )
    for mention in materials:
        if not mention.formula or mention.formula in seen or mention.role == "gas":
            continue
        if len(mention.elements) < 2 and mention.formula not in named:
            continue  # "Ni contains Ni" says nothing
        seen.add(mention.formula)
        yield from _of_formula(text, mention)


def _formula(text: str, mention: Mention) -> Entity:
    return Entity("Formula", text[mention.start : mention.end], mention.formula)


def _of_formula(text: str, mention: Mention) -> Iterator[Composition]:
    assert mention.entity is not None
    written = text[mention.start : mention.end]
    material = mention.entity
    yield Composition(
        "HAS_FORMULA", material, _formula(text, mention), mention.span, mention.span, "written-formula", 0.9
    )
    for element in mention.elements:
        found = re.search(rf"{element}(?![a-z])", written)
        if found is None:
            continue  # inside a group that is written otherwise (Me, Ph); then the symbol is not in the sentence
        span = (mention.start + found.start(), mention.start + found.end())
        yield Composition(
            "HAS_ELEMENT", material, Entity("Element", element, element), mention.span, span, "formula-element", 0.95
        )


def _in_apposition(text: str, name: Mention, formula: Mention, lexicon: Lexicon) -> bool:
    """"magnesium diboride (MgB2)": the same thing by its key, or a name that the formula's bracket follows directly."""
    opening = _APPOSITION.fullmatch(text[name.end : formula.start])
    if opening is None or not _CLOSING.match(text[formula.end :]):
        return False
    assert name.entity is not None
    assert formula.entity is not None
    if name.entity.canonical == formula.entity.canonical:
        return True
    bracket = opening.group().strip() in {"(", "["}
    return bracket and len(formula.elements) > 1 and _shares_words(name.entity, formula, lexicon)


def _shares_words(name: Entity, formula: Mention, lexicon: Lexicon) -> bool:
    """Whether a name without a formula of its own (a doped family) can be what the formula spells out: two elements of
    the formula are named in it. Keeps "stainless steel (NiO scale)" apart."""
    words = re.findall(r"[A-Za-z]+", f"{name.name} {name.canonical}")
    symbols = {dopant_of(word, lexicon) for word in words} - {""}
    inside = {symbol for item in symbols for symbol in re.findall(r"[A-Z][a-z]?", item)}
    return len(inside & set(formula.elements)) >= 2
