"""Whether the words of a sentence say what only a model read in them.

A model pairs what stands in one sentence; that the pair is stated is then one reader's word. Where the words bind the two
as the rules know it, or could as far as a wary reader sees, that word is enough. Where they give the thing to somebody
else, or only name both, the fact is not refused: it waits for a person, whatever the gate's policy.
"""

from __future__ import annotations

import re

from minerva_desktop.checks.claim_reading import STOP
from minerva_desktop.checks.evidence import Statement
from minerva_desktop.checks.lexicon import Lexicon, Mention
from minerva_desktop.checks.linking import unlinked
from minerva_desktop.checks.measured import is_assigned, property_of
from minerva_desktop.checks.sentence import Named, Span, Value, subjects_at
from minerva_desktop.language.elements import is_symbol, symbol_for_name
from minerva_desktop.language.formulas import composition_key, parse_formula
from minerva_desktop.records import Relation

_SINGLE_READER = "model"
"""The extractor of a fact that no rule found."""

_DIFFERENCE_AFTER = re.compile(
    r"\s*(?:\([^()]*\)\s*)?(?:lower|higher|less|more|smaller|larger|greater|above|below|wider|narrower|shorter|longer)\b",
    re.IGNORECASE,
)
_DIFFERENCE_BEFORE = re.compile(
    r"\b(?:steps?|accuracy|error|uncertainty|precision|resolution|intervals?|increments?|differences?|changes?|shifts?|drops?|"
    r"reductions?|(?:in|de)creas\w+|raised|lowered|rais\w+|lower\w+|reduc\w+|chang\w+|shift\w*|vari\w+)\s+(?:of|by)\s*"
    r"(?:about |approximately |around |~|≈)?$",
    re.IGNORECASE,
)
_OF_BEFORE = re.compile(r"\bof\s*(?:about |approximately |around |~|≈)?$", re.IGNORECASE)
_AS_A_VALUE = re.compile(r"[\s-]*\(?(?:as|for)\s+(?:the|its|their|a)\s+(?:[a-z-]+\s+)?", re.IGNORECASE)
_HOLDS = re.compile(
    r"\b(?:contain\w*|consist\w*|compris\w*|compos\w*|made (?:of|from|up)|has|have|having|with|alloy\w*|bearing|rich|of)\b|[:(]",
    re.IGNORECASE,
)

_MAKING_OF = re.compile(r"\s+of\s+(?:[\w–-]+\s+){0,4}")
_SHOWS = re.compile(r"\b(?:provid\w*|demonstrat\w*|offer\w*|reveal\w*|yield\w*|retain\w*)\b", re.IGNORECASE)
_MOST_NOUNS = 4


def doubt(relation: Relation, statement: Statement, lexicon: Lexicon) -> str:
    """Why the words of the evidence do not plainly say a fact that only a model read there; "" when they do, or when the
    rules read it too."""
    if relation.extractor != _SINGLE_READER or not statement.targets or not statement.sources:
        return ""
    if relation.type == "HAS_FORMULA" or relation.type == "HAS_ELEMENT":
        return _composition(relation, statement)
    if relation.type == "HAS_VALUE":
        return _value(relation, statement, lexicon)
    return _pair(relation.type, statement)


def _pair(kind: str, statement: Statement) -> str:
    """A property, use or way of making: of this material, and linked with it."""
    reason = ""
    for span, found in zip(statement.targets, statement.subjects, strict=True):
        source = _near(statement, span)
        if found.materials and not _is_one_of(source, found.materials) and not _touching(source, span):
            other = found.materials[0]
            reason = reason or f"The words may say it of “{statement.reading.text[other.start : other.end]}”."
            continue
        why = unlinked(kind, statement.reading, source, span)
        if not why or _bound(kind, statement.reading.text, source, span):
            return ""
        reason = reason or why
    return reason


def _bound(kind: str, text: str, source: Named, span: Span) -> bool:
    """Further ways in which words bind a material with what is said of it."""
    start, end = span
    if kind == "SYNTHESIZED_BY":  # "dip coating of a thin YSZ electrolyte"
        return end <= source.start and _MAKING_OF.fullmatch(text[end : source.start]) is not None
    between = text[source.end : start] if source.end <= start else ""
    if kind == "HAS_PROPERTY" and _SHOWS.search(between):
        return True
    words = between.split()
    nouns = all(word.isalpha() and word not in STOP and not word.endswith(("s", "ed", "ing")) for word in words[1:])
    first = not words or between[0] in "-–" or words[0].strip("()").isalpha()
    return kind == "USED_IN" and 0 < len(words) <= _MOST_NOUNS and first and nouns and not set(words) & STOP


def _value(relation: Relation, statement: Statement, lexicon: Lexicon) -> str:
    """A value: of this material, assigned to this property, and no difference between two."""
    values = [
        item
        for item in statement.reading.values
        if any(item.found.start < end and start < item.found.end for start, end in statement.targets)
    ]
    reason = "" if values else "The value is not read as one in its sentence."
    for value in values:
        reason = _of_property(relation, statement, value, lexicon) or _of_material(statement, value)
        if not reason:
            return ""
    return reason


def _of_property(relation: Relation, statement: Statement, value: Value, lexicon: Lexicon) -> str:
    reading = statement.reading
    before, after = reading.text[: value.found.start], reading.text[value.found.end :]
    if _DIFFERENCE_AFTER.match(after) or _DIFFERENCE_BEFORE.search(before[-80:]):
        return "The number is a difference or a step, not the value itself."
    measured = property_of(reading, value, lexicon)
    own = [item for item in reading.names if item.kind == "property" and item.key == relation.property_id]
    if measured.property_id != relation.property_id and not any(_overlap(measured.span, item) for item in own):
        return "The words give the number to another property."
    if measured.span is None:
        return ""
    behind = value.found.end <= measured.span[0]
    if behind and _OF_BEFORE.search(before):
        between = reading.text[value.found.end : measured.span[0]]
        if _AS_A_VALUE.fullmatch(between) is None:
            return "The number belongs to what stands before it."
    apart = reading.clause_of(measured.span[0]) != value.clause
    return (
        "The words only name the property and the number." if apart or not is_assigned(reading, value, measured) else ""
    )


def _of_material(statement: Statement, value: Value) -> str:
    found = subjects_at(statement.reading, *value.span)
    if not found.materials:
        return ""
    if not any(_is_one_of(source, found.materials) for source in statement.sources):
        other = found.materials[0]
        return f"The words may say it of “{statement.reading.text[other.start : other.end]}”."
    several = len({(item.key, item.hard) for item in found.materials}) > 1
    if not several or any(subjects.sure for subjects in statement.subjects):
        return ""
    return "The words leave open which of the materials has which value."


def _composition(relation: Relation, statement: Statement) -> str:
    """An element or formula: in the name itself, else said to be in it."""
    source = next(
        (name for name in (relation.source.name, relation.source.canonical) if name and parse_formula(name).ok), ""
    )
    if source:
        written, target = parse_formula(source), relation.target.canonical or relation.target.name
        if relation.type == "HAS_ELEMENT":
            symbol = target if is_symbol(target) else symbol_for_name(target)
            return "" if symbol in written.elements else f"The formula {source} has no {target}."
        other = parse_formula(relation.target.name)
        same = other.ok and composition_key(other) == composition_key(written)
        return "" if same else f"{relation.target.name} is another formula than {source}."
    for start, end in statement.targets:
        near = _near(statement, (start, end))
        if near.start <= start and end <= near.end:
            return ""
        left, right = min(near.end, end), max(near.start, start)
        if _HOLDS.search(statement.reading.text[left:right]):
            return ""
    return "The sentence names both without saying that one is in the other."


def _near(statement: Statement, span: Span) -> Named:
    start, end = span
    return min(statement.sources, key=lambda item: (max(start - item.end, item.start - end), item.start))


def _is_one_of(source: Named, materials: tuple[Named, ...]) -> bool:
    return any(item.key == source.key or (item.start < source.end and source.start < item.end) for item in materials)


def _touching(source: Named, span: Span) -> bool:
    """ "YSZ electrolyte": one noun phrase, whoever the rest of the sentence is about."""
    return 0 <= span[0] - source.end <= 1


def _overlap(span: Span | None, item: Mention) -> bool:
    return span is not None and item.start < span[1] and span[0] < item.end
