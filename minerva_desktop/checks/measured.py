"""Which property a value in a sentence is of, and whether the words really give it to that property."""

from __future__ import annotations

import re
from dataclasses import dataclass

from minerva_desktop.checks.lexicon import Lexicon, Mention, fold_name
from minerva_desktop.checks.sentence import Reading, Value

_SUPERCONDUCTS = re.compile(r"\bsuperconduct\w*\b", re.IGNORECASE)
_ONSETS: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (_SUPERCONDUCTS, "critical_temperature", "temperature"),
    (re.compile(r"\bmelt(?:s|ed)?\b", re.IGNORECASE), "melting_point", "temperature"),
    (re.compile(r"\bboil(?:s|ed)?\b", re.IGNORECASE), "boiling_point", "temperature"),
)
"""Verbs that name a property without its noun."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The property of a value: its id, whether the value is where it sets in, and the words that name it."""

    property_id: str = ""
    threshold: bool = False
    span: tuple[int, int] | None = None


def property_of(reading: Reading, value: Value, lexicon: Lexicon) -> Measured:
    """The property nearest to a value that it can measure, by its noun or by a verb ("melts at")."""
    dimension = value.found.quantity.dimension
    start, end = value.span
    left, right = reading.clauses[value.clause]
    for pattern, property_id, measured in _ONSETS:
        spec = lexicon.specs.get(property_id)
        named = any(
            item.kind == "property" and not item.predicate and item.key == property_id for item in reading.names
        )
        if dimension != measured or spec is None or named:
            continue
        before = f"{reading.text[left:start]} "
        if pattern.search(before) and (_AT_BEFORE.search(before) or _AT_WITHIN.match(reading.text[start:end])):
            return Measured(property_id, True)
    fitting = [
        item
        for item in reading.names
        if item.kind == "property" and not item.predicate and _measures(lexicon, item.key, dimension)
    ]
    before_it = [item for item in fitting if left <= item.start and item.end <= start]
    behind = [item for item in fitting if end <= item.start < right]
    anywhere = [item for item in fitting if item.end <= start]
    for group, index in ((before_it, -1), (behind, 0), (anywhere, -1)):
        if group:
            found = group[index]
            return Measured(_specific(found, reading, dimension, lexicon), span=(found.start, found.end))
    return Measured()


def is_assigned(reading: Reading, value: Value, measured: Measured) -> bool:
    """Whether the words give the value to the property, rather than merely name both: "ice at its melting point is
    dropped into water at 24 °C" does not."""
    if measured.threshold or measured.span is None:
        return measured.threshold
    start, end = measured.span
    text = reading.text
    if value.found.end <= start:
        return _BACK_LINK.fullmatch(text[value.found.end : start]) is not None
    between = text[end : value.found.start]
    if _DIRECT_LINK.fullmatch(between):
        return True
    if len(between) > _LINK_REACH or _PLACE_BEFORE.search(text[:start]):
        return False
    return _LINK.search(between) is not None and not _LOOSE_END.search(between)


_LINK_REACH = 140
_AT_BEFORE = re.compile(r"\b(?:at|below|near|around|under|up to|of|until)\s*(?:about\s*)?$")
_AT_WITHIN = re.compile(r"(?:below|up to|under|at|about|around)\b")
_DIRECT_LINK = re.compile(
    r"\s*(?:[($]\s*)?(?:[\w,]{1,6}\s*[)$]?\s*)?(?:=|:|≈|~|of|is|was|are|were|being|,|\()?\s*(?:about|approximately|only|around|ca\.?|\$)?\s*"
)
_BACK_LINK = re.compile(r"[\s-]*\(?(?:[a-z-]+\s+){0,2}(?:\bas the\s+|\bfor the\s+)?", re.IGNORECASE)
_LINK = re.compile(
    r"\b(?:of|is|was|are|were|be|been|has|have|as|equals?|reach(?:es|ed)?|amounts?|values?|to be)\b|[=:≈~(]"
)
_LOOSE_END = re.compile(
    r"(?<!lies )(?<!occurs )(?<!found )(?<!observed )(?<!appears )(?<!is )(?<!was )(?<!measured )"
    r"\b(?:at|from|to|in|into|by|under|near|with|mass|temperature of|pressure of)\s*\$?\s*$",
    re.IGNORECASE,
)
_PLACE_BEFORE = re.compile(
    r"\b(?:at|near|above|below|over|under|until|beyond)\s+(?:(?:its|the|their|a)\s+)?$", re.IGNORECASE
)


def _specific(mention: Mention, reading: Reading, dimension: str, lexicon: Lexicon) -> str:
    """ "Electrons in GaAs have a mobility of …": the words of a clause may say more than the property's name does."""
    name = fold_name(reading.text[mention.start : mention.end])
    if " " in name:
        return mention.key
    left, right = reading.clauses[reading.clause_of(mention.start)]
    words = set(fold_name(reading.text[left:right]).split(" "))
    finer = {
        spec.id
        for spec in lexicon.specs.values()
        if spec.dimension == dimension and name in (label := fold_name(spec.label).split(" ")) and len(label) > 1
        if set(label) <= words
    }
    return finer.pop() if len(finer) == 1 else mention.key


def _measures(lexicon: Lexicon, property_id: str, dimension: str) -> bool:
    spec = lexicon.specs[property_id]
    return dimension in {spec.dimension, *spec.other_dimensions} or not spec.dimension
