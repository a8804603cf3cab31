"""What a written formula says by itself: which formula a name has, and which elements the formula holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from minerva_desktop.extraction.lexicon import Lexicon
from minerva_desktop.extraction.materials import dopant_of
from minerva_desktop.extraction.mentions import Mention
from minerva_desktop.language.elements import SYMBOLS
from minerva_desktop.language.formulas import find_formulas
from minerva_desktop.records import Entity

_APPOSITION = re.compile(r"\s*[(\[]\s*|\s*,\s+(?:or\s+|i\.e\.,?\s+)?")
_DOPED = re.compile(r"[\s\d+–‐-]*(?:co-?)?(?:doped|substituted|stabili[sz]ed|alloyed)\b", re.IGNORECASE)
_WORD = re.compile(r"(?<![A-Za-z\d])[A-Za-z]+(?![A-Za-z]|\d+[A-Z])")
_PART = re.compile(
    r"(?<![A-Za-z\d])[A-Z][a-z]?(?=[–‐+-][A-Z\d])|(?<=[A-Za-z\d][–‐+-])[A-Z][a-z]?(?![A-Za-z\d])|\A[a-z]{4,}(?=[–‐-][A-Z])"
)
"""An element that is joined to another name: the Ni of "Ni-YSZ" and "YSZ-Ni", the nickel of "nickel-YSZ"."""
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


def compositions(text: str, materials: Sequence[Mention], seen: set[str], lexicon: Lexicon) -> Iterator[Composition]:
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
    for mention in (*materials, *_parts(text, materials)):
        if not mention.formula or mention.formula in seen or mention.role == "gas":
            continue
        if len(mention.elements) < 2 and mention.formula not in named:
            continue  # "Ni contains Ni" says nothing
        seen.add(mention.formula)
        yield from _of_formula(text, mention)
    for mention in materials:
        assert mention.entity is not None
        key = f"elements of {mention.entity.canonical}"
        if not mention.formula and mention.role != "gas" and key not in seen:
            found = list(_named_elements(text, mention, lexicon))
            if found:
                seen.add(key)
            yield from found


def _named_elements(text: str, mention: Mention, lexicon: Lexicon) -> Iterator[Composition]:
    """The elements that a name itself states: the dopants of "Gd-doped ceria", the metal of "Ni–YSZ"."""
    assert mention.entity is not None
    written = text[mention.start : mention.end]
    doped = _DOPED.search(written)
    head = written[: doped.start()] if doped else ""
    words = _WORD.finditer(head) if doped else _PART.finditer(written)
    for match in words:
        symbol = dopant_of(match.group(), lexicon)
        if symbol in SYMBOLS:
            span = (mention.start + match.start(), mention.start + match.end())
            target = Entity("Element", match.group(), symbol)
            yield Composition("HAS_ELEMENT", mention.entity, target, mention.span, span, "named-element", 0.9)


def _parts(text: str, materials: Sequence[Mention]) -> Iterator[Mention]:
    """The compounds written in a joined or doped name: "NiO–Gd-doped CeO2" holds NiO and CeO2."""
    for mention in materials:
        if mention.formula or mention.end - mention.start < 5:
            continue
        for found in find_formulas(text[mention.start : mention.end]):
            formula = found.formula
            if (
                len(formula.elements) < 2
                or formula.groups
                or any(isinstance(n, str) for n in formula.elements.values())
            ):
                continue
            start, end = mention.start + found.start, mention.start + found.end
            entity = Entity("Material", text[start:end], formula.canonical)
            yield replace(
                mention, start=start, end=end, entity=entity, formula=formula.canonical,
                elements=tuple(sorted(formula.elements)), role="",
            )  # fmt: skip


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
        found = re.search(rf"{element}(?![a-wδ])", written)
        if found is None:
            continue  # inside a group that is written otherwise (Me, Ph); then the symbol is not in the sentence
        span = (mention.start + found.start(), mention.start + found.end())
        yield Composition(
            "HAS_ELEMENT", material, Entity("Element", element, element), mention.span, span, "formula-element", 0.95
        )


def _in_apposition(text: str, name: Mention, formula: Mention, lexicon: Lexicon) -> bool:
    """ "magnesium diboride (MgB2)": the same thing by its key, or a name that the formula's bracket follows directly."""
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
