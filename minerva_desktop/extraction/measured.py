"""What a quantity of a sentence measures: the thing, its property, and the circumstances, told from the grammar.

    "The band gap of GaN is 3.4 eV at 300 K"
         property    entity         qualifier

Every noun phrase of the sentence is described by plain marks (:mod:`minerva_desktop.extraction.measured_nouns`): the
quantity modifies it, it is the subject of the quantity's verb, … What each mark says for a property and for an entity is
a number in ``measured.toml``, fitted by :mod:`minerva_desktop.bench._fit_measured`; the phrase with the highest sum is
taken. The property is chosen first ("none" is a candidate too), then the entity beside it.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from minerva_desktop.assets import resource_path
from minerva_desktop.extraction.measured_nouns import Anchor, Marks, Nouns, Span
from minerva_desktop.language.parser import Masked, Word, parse
from minerva_desktop.language.quantities import FoundQuantity, find_quantities
from minerva_desktop.language.sentences import split_sentences

_PLACEHOLDER = "9 kg"
_LONGEST_SENTENCE = 3000
"""Characters; what is longer is a list or a table that lost its lines, and its grammar says nothing."""
_COMPARATORS = tuple("=≈<>≤≥")
_CIRCUMSTANCE = re.compile(
    r"\s*,?\s*((?:at|in|after|before|during|under|for|when|within|between|over|per|from|with)"
    r"(?:\s[^\s,;:().]+(?:\.\d+)?){1,8})",
    re.IGNORECASE,
)
_ANOTHER = re.compile(r"\s(?:and|or|to|but)(?:\s(?:approximately|about))?\s\Z")
_SEPARATOR = re.compile(r"\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|&)\s+")
_SYMBOL = re.compile(r"([^\W\d]\w*)\s*[=≈:<>≤≥]?\s*$")


@dataclass(frozen=True, slots=True)
class Measured:
    """A quantity with the places of what it measures; a part that the sentence does not name is None."""

    quantity: FoundQuantity
    entity: Span | None = None
    property: Span | None = None
    qualifiers: tuple[Span, ...] = ()


def measured(text: str) -> list[Measured]:
    """Every quantity of a text with what it measures; offsets are those of the text.

    Raises:
        MissingPart: the parser is not installed.
    """
    found = [part for one in find_quantities(text) for part in members(text, one)]
    result = [Measured(one) for one in found]
    groups = [group for group in by_sentence(text, found) if group.end - group.start <= _LONGEST_SENTENCE]
    given = ((text[group.start : group.end], group.masks) for group in groups)
    for group, words in zip(groups, parse(given), strict=True):
        result[group.first : group.last] = _sentence(text[group.start : group.end], words, group)
    return result


@dataclass(frozen=True, slots=True)
class Group:
    """A sentence ``text[start:end]`` and its quantities, which are ``first`` to ``last`` (exclusive) of the text's."""

    start: int
    end: int
    first: int
    last: int
    quantities: tuple[FoundQuantity, ...]

    @property
    def spans(self) -> list[Span]:
        return [(one.start - self.start, one.end - self.start) for one in self.quantities]

    @property
    def masks(self) -> list[Masked]:
        pairs = zip(self.quantities, self.spans, strict=True)
        return [Masked(*span, _PLACEHOLDER) for one, span in pairs if _has_unit(one)]


def by_sentence(text: str, found: Sequence[FoundQuantity]) -> Iterator[Group]:
    """The sentences that have a quantity; both come in order, so each is looked at once."""
    first = 0
    for start, end in split_sentences(text):
        while first < len(found) and found[first].start < start:
            first += 1
        last = first
        while last < len(found) and found[last].start < end:
            last += 1
        if last > first:
            yield Group(start, end, first, last, tuple(found[first:last]))
        first = last


def members(text: str, found: FoundQuantity) -> list[FoundQuantity]:
    """The members of a list of which each has its own unit ("35 % and 22 %"): each may measure something else."""
    if found.quantity.kind != "list":
        return [found]
    parts: list[FoundQuantity] = []
    at = found.start
    for separator in [*_SEPARATOR.finditer(text, found.start, found.end), None]:
        end = separator.start() if separator else found.end
        inside = find_quantities(text[at:end])
        if len(inside) != 1 or not inside[0].quantity.unit or (inside[0].start, inside[0].end) != (0, end - at):
            return [found]
        parts.append(replace(inside[0], start=at, end=end))
        at = separator.end() if separator else end
    return parts


def _has_unit(found: FoundQuantity) -> bool:
    return found.quantity.dimension not in {"", "count"}


# ------------------------------------------------------------------------------------------------------- sentence
def _sentence(text: str, words: Sequence[Word], group: Group) -> list[Measured]:
    nouns = Nouns(words, group.spans)
    result: list[Measured] = []
    for one, span in zip(group.quantities, group.spans, strict=True):
        anchor = nouns.anchor(span, sort_of(one))
        entity, prop = _chosen(text, nouns, anchor, span) if anchor else (None, None)
        place = _circumstance(text, nouns, span, group.spans) or (nouns.change(anchor) if anchor else None)
        spans = [item and (item[0] + group.start, item[1] + group.start) for item in (entity, prop, place)]
        result.append(Measured(one, spans[0], spans[1], (spans[2],) if spans[2] else ()))
    return result


def sort_of(found: FoundQuantity) -> str:
    """What sort of quantity it is, as far as it matters for what it measures."""
    dimension = found.quantity.dimension
    if dimension.endswith("fraction"):
        return "share"
    if dimension in {"", "dimensionless"}:
        return "number"
    return dimension if dimension in {"count", "time", "length", "temperature"} else "unit"


def _chosen(text: str, nouns: Nouns, anchor: Anchor, span: Span) -> tuple[Span | None, Span | None]:
    """Entity and property of the quantity at ``span``."""
    letter = _symbol(text, span)
    prop = nouns.word_at(letter) if letter else best_property(nouns, anchor)
    named = letter or (nouns.span(prop) if prop is not None else None)
    entity = best_entity(nouns, anchor, prop)
    return (nouns.whole(entity) if entity is not None else None), named


def best_property(nouns: Nouns, anchor: Anchor) -> int | None:
    """The word that most probably names the property; None where "none" is more probable by the threshold."""
    numbers = _numbers()
    candidates = nouns.near(anchor, nouns.properties(anchor))
    if not candidates:
        return None
    sums = [_sum(numbers["property"], nouns.marks(anchor, index)) for index in candidates]
    best = max(range(len(candidates)), key=lambda place: (sums[place], -place))
    none = _sum(numbers["property"], nouns.marks_of_none(anchor))
    return candidates[best] if sums[best] > none + math.log(numbers["threshold"]) else None


def best_entity(nouns: Nouns, anchor: Anchor, prop: int | None) -> int | None:
    """The noun that is most probably the thing measured, beside the property."""
    weights = _numbers()["entity"]
    candidates = [index for index in nouns.near(anchor, nouns.heads) if index != prop]
    sums = {
        index: _sum(weights, (*nouns.marks(anchor, index), *nouns.marks_beside(prop, index))) for index in candidates
    }
    return max(candidates, key=lambda index: (sums[index], -index), default=None)


def _sum(weights: dict[str, float], marks: Marks) -> float:
    return sum(weights.get(mark, 0.0) for mark in marks)


@lru_cache(maxsize=1)
def _numbers() -> dict[str, Any]:
    return tomllib.loads(resource_path("language", "measured.toml").read_text(encoding="utf-8"))


def _symbol(text: str, span: Span) -> Span | None:
    """ "(p = 0.02", "n = 12": a letter that equals the quantity is the property of what was named before."""
    compared = text[span[0] : span[1]].lstrip()[:1] in _COMPARATORS
    match = _SYMBOL.search(text, max(0, span[0] - 12), span[0])
    if match is None or not (compared or text[match.end(1) : span[0]].strip()):
        return None
    if len(match.group(1)) > 3 or text[match.end(1) : span[1]].lstrip()[:1] not in _COMPARATORS:
        return None
    return match.span(1)


def _circumstance(text: str, nouns: Nouns, span: Span, quantities: Sequence[Span]) -> Span | None:
    """The circumstance behind a quantity: "at 300 K", "after a light breakfast"; it ends before the next verb."""
    match = _CIRCUMSTANCE.match(text, span[1])
    if match is None:
        return None
    end = match.end(1)
    if any(start <= match.start(1) < stop for start, stop in quantities):
        return None
    inside = [(start, stop) for start, stop in quantities if match.start(1) < start < end]
    if inside:
        beginning = _ANOTHER.search(text, match.start(1), inside[0][0])
        end = beginning.start() if beginning else inside[0][1]  # "for HC and 93 % for SZ"
    return nouns.without_verb((match.start(1), end))
