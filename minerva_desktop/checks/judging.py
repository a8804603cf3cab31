"""One claim against one sentence: does the sentence support it, contradict it, or say nothing that decides it?

A sentence decides only when it names the subject in the same phase and says the same kind of thing under comparable
conditions. Everything else is INSUFFICIENT with a note of what was missing, which the next look-up asks for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from minerva_desktop.checks import polarity
from minerva_desktop.checks.claim_reading import MAKING, USING, Claim, Subject, content_words
from minerva_desktop.checks.compare import compare
from minerva_desktop.checks.evidence import name_spans
from minerva_desktop.checks.families import places_of
from minerva_desktop.checks.lexicon import Lexicon, fold_name, words_of
from minerva_desktop.checks.measured import is_assigned, property_of
from minerva_desktop.checks.sentence import Named, Reading, Value, read_sentence, subjects_at
from minerva_desktop.checks.wording import Judgement, Missing, by_words
from minerva_desktop.language.formulas import composition_key, parse_formula
from minerva_desktop.records import Condition, Quantity, VerdictName

LONGEST = 600
"""Longer "sentences" are formulas, tables and exercises run together; what stands close in them need not belong together."""

_APART = 100
"""So many characters may lie between a subject and the property that is said of it."""

_ROOM_TEMPERATURE = (285.0, 305.0)
_MAKING = re.compile(rf"\b{MAKING}\b", re.IGNORECASE)
_USING = re.compile(rf"\b{USING}\b|\bapplications?\b|\bmaterial (?:for|of choice)\b", re.IGNORECASE)
_HAS = re.compile(
    r"\b(?:is|are|was|were|has|have|had|shows?|exhibits?|displays?|possess(?:es)?|crystalli[sz]es|adopts|becomes?|with|of)\b",
    re.IGNORECASE,
)


def judge(claim: Claim, sentence: str, lexicon: Lexicon) -> Judgement:
    """What a sentence says of a claim, taken as a positive one: ``claim.negated`` is for the caller, who turns the
    verdict round when all sentences have been heard (see :func:`turned`)."""
    if len(sentence) > LONGEST:
        return Judgement("INSUFFICIENT", "The passage is no sentence but a run of text.", "target")
    if polarity.is_order(sentence):
        return Judgement("INSUFFICIENT", "The sentence gives orders; it states nothing.", "target")
    if polarity.is_question(sentence):
        return Judgement("INSUFFICIENT", "The sentence asks; it states nothing.", "target")
    if not claim.type:
        return by_words(claim, sentence)
    if claim.subject is None:
        return Judgement("INSUFFICIENT", "It is not clear which material the claim is about.", "subject")
    reading = read_sentence(sentence, lexicon)
    named = [item for item in reading.materials if item.key == claim.subject.key]
    if not named:
        return Judgement("INSUFFICIENT", f"The passage does not speak of {claim.subject.name}.", "subject")
    if not any(claim.subject.is_(item) for item in named):
        return Judgement(
            "INSUFFICIENT", f"The passage speaks of another phase or composition of {claim.subject.name}.", "phase"
        )
    if claim.type == "HAS_VALUE":
        return _value(claim, claim.subject, reading, lexicon)
    if claim.type == "HAS_PROPERTY":
        return _property(claim, claim.subject, reading, lexicon)
    if claim.type in {"USED_IN", "SYNTHESIZED_BY"}:
        return _use_or_making(claim, claim.subject, reading, lexicon)
    if claim.type == "HAS_ELEMENT":
        return _element(claim, claim.subject, named, reading)
    if claim.type == "HAS_FORMULA":
        return _formula(claim, claim.subject, reading, lexicon)
    return by_words(claim, sentence)


def turned(verdict: VerdictName, claim: Claim) -> VerdictName:
    """The verdict on the claim as it stands: what supports a statement contradicts its denial."""
    if not claim.negated or verdict == "INSUFFICIENT":
        return verdict
    return "CONTRADICTED" if verdict == "SUPPORTED" else "SUPPORTED"


# ------------------------------------------------------------------------------------------------------ values
def _value(claim: Claim, subject: Subject, reading: Reading, lexicon: Lexicon) -> Judgement:
    quantity = claim.quantity
    spec = lexicon.specs.get(claim.property_id)
    if quantity is None or not quantity.ok:
        return Judgement("INSUFFICIENT", "The claim has no value that can be compared.", "")
    if spec is None:
        return Judgement("INSUFFICIENT", "The claim does not say which property has the value.", "")
    best = Judgement("INSUFFICIENT", f"The passage gives no {spec.label} of {subject.name}.", "property")
    for value in reading.values:
        if value.condition or value.found.quantity.dimension != quantity.dimension:
            continue
        for found in items_of(value.found.quantity):
            judged = _one_value(claim, subject, reading, value, found, lexicon)
            if judged.verdict == "SUPPORTED":
                return judged
            if _rank(judged) > _rank(best):
                best = judged
    return best


@dataclass(frozen=True, slots=True)
class _Item:
    quantity: Quantity
    place: int | None
    count: int


def items_of(quantity: Quantity) -> list[_Item]:
    """The items of a list as single quantities."""
    if not quantity.si_values:
        return [_Item(quantity, None, 1)]
    values = quantity.values or quantity.si_values
    return [
        _Item(
            replace(quantity, kind="value", si_value=si, value=values[place], si_values=(), values=()),
            place,
            len(quantity.si_values),
        )
        for place, si in enumerate(quantity.si_values)
    ]


def _rank(judged: Judgement) -> int:
    order: tuple[Missing, ...] = ("subject", "phase", "target", "property", "value", "condition")
    return 10 if judged.verdict != "INSUFFICIENT" else order.index(judged.missing) if judged.missing in order else 0


def _one_value(
    claim: Claim, subject: Subject, reading: Reading, value: Value, item: _Item, lexicon: Lexicon
) -> Judgement:
    measured = property_of(reading, value, lexicon)
    label = lexicon.specs[claim.property_id].label
    if measured.property_id != claim.property_id or not is_assigned(reading, value, measured):
        return Judgement("INSUFFICIENT", f"The passage gives another property, not the {label}.", "property")
    subjects = subjects_at(reading, *value.span, place=item.place, count=item.count)
    mine = [named for named in subjects.materials if subject.is_(named)]
    if not mine:
        return Judgement("INSUFFICIENT", f"The value in the passage is not one of {subject.name}.", "property")
    said = reading.text[value.found.start : value.found.end].strip()
    if polarity.is_denied(reading.text, min(mine[0].start, value.found.start), value.found.end):
        return Judgement("INSUFFICIENT", f"The passage denies a value of {said}.", "value")
    assert claim.quantity is not None
    agreement = compare(claim.quantity, item.quantity, threshold=claim.threshold or measured.threshold)
    differing = condition_gap(claim.conditions, value.conditions)
    if differing:
        return Judgement("INSUFFICIENT", differing, "condition")
    if agreement == "agree" and subjects.sure:
        return Judgement("SUPPORTED", f"The passage gives the {label} of {subject.name} as {said}.")
    if agreement == "differ" and subjects.sure and len(subjects.materials) and not other_specimen(subject, mine):
        return Judgement("CONTRADICTED", f"The passage gives the {label} of {subject.name} as {said}.")
    return Judgement(
        "INSUFFICIENT", f"The passage gives {said}, which is too close or too uncertain to decide.", "value"
    )


def other_specimen(subject: Subject, named: list[Named]) -> bool:
    """A film may differ from the bulk: then a different number is no contradiction."""
    return any(item.soft != subject.soft for item in named) and (bool(subject.soft) or all(item.soft for item in named))


def condition_gap(claimed: tuple[Condition, ...], written: tuple[Condition, ...]) -> str:
    """Why the conditions of claim and passage do not allow a comparison; "" when they do.

    A claim or passage without a temperature is taken to mean room temperature or a property that has none.
    """
    mine, theirs = _by_name(claimed), _by_name(written)
    for name in sorted(set(mine) | set(theirs)):
        one, other = mine.get(name), theirs.get(name)
        if name == "temperature":
            if not _temperatures_fit(one, other):
                return f"The passage gives it {_at(other)}, the claim {_at(one)}."
        elif one is None or other is None:
            if name in {
                "pressure",
                "magnetic_field",
                "composition",
                "frequency",
                "electric_field",
                "strain",
            } and not _ambient(one or other):
                return f"The passage gives it {_at(other)}, the claim {_at(one)}."
        elif one.si_value is not None and other.si_value is not None:
            if abs(one.si_value - other.si_value) > 0.05 * max(abs(one.si_value), abs(other.si_value)):
                return f"The passage gives it {_at(other)}, the claim {_at(one)}."
        elif fold_name(one.text) != fold_name(other.text):
            return f"The passage gives it {_at(other)}, the claim {_at(one)}."
    return ""


def _by_name(conditions: tuple[Condition, ...]) -> dict[str, Condition]:
    return {item.name: item for item in conditions if item.name != "atmosphere"}


def _ambient(condition: Condition | None) -> bool:
    return (
        condition is not None
        and re.search(r"\bambient\b|\bzero\b|\batmospheric\b|\b1 atm\b", condition.text) is not None
    )


def _temperatures_fit(one: Condition | None, other: Condition | None) -> bool:
    def kelvin(condition: Condition | None) -> float | None:
        if condition is None:
            return None
        return 295.0 if condition.si_value is None else condition.si_value

    mine, theirs = kelvin(one), kelvin(other)
    low, high = _ROOM_TEMPERATURE
    if mine is None or theirs is None:
        known = mine if theirs is None else theirs
        return known is None or low <= known <= high
    return abs(mine - theirs) <= max(10.0, 0.03 * max(mine, theirs)) or (low <= mine <= high and low <= theirs <= high)


def _at(condition: Condition | None) -> str:
    return f"at {condition.text}" if condition is not None else "without that condition"


# -------------------------------------------------------------------------------------------------- properties
def _property(claim: Claim, subject: Subject, reading: Reading, lexicon: Lexicon) -> Judgement:
    if claim.members:
        return _member(claim, subject, reading)
    keys = {key for kind, key in claim.target_keys if kind == "property"}
    spans = [(item.start, item.end) for item in reading.names if item.kind == "property" and item.key in keys]
    if not spans:
        spans = words_together(claim.target, reading.text)
    for start, end in spans:
        if not _said_of(subject, reading, start, end):
            continue
        if _USING.search(reading.text[:start]):
            continue  # "used in superconducting magnets" says nothing of the material
        near = [
            item
            for item in reading.materials
            if subject.is_(item) and max(start - item.end, item.start - end) <= _APART
        ]
        if not near:
            continue
        first = max((item.start for item in near if item.end <= start), default=start)
        if polarity.is_denied(reading.text, min(first, start), end):
            return Judgement("CONTRADICTED", f"The passage denies that {subject.name} has it.")
        if _HAS.search(reading.text) and not polarity.is_supposed(reading.text, start, end):
            return Judgement("SUPPORTED", f"The passage says it of {subject.name}.")
    return Judgement("INSUFFICIENT", f"The passage does not say it of {subject.name}.", "target")


def _member(claim: Claim, subject: Subject, reading: Reading) -> Judgement:
    families = {family for family, _ in claim.members}
    said: list[tuple[str, str, bool]] = []
    for family, member, start, end in places_of(reading.text):
        if family in families and _said_of(subject, reading, start, end):
            said.append((family, member, polarity.is_denied(reading.text, start, end)))
    for family, member in sorted(claim.members):
        mine = [denied for other_family, other, denied in said if (other_family, other) == (family, member)]
        if mine and not any(mine):
            return Judgement("SUPPORTED", f"The passage says that it is {member}.")
        if mine and all(mine):
            return Judgement("CONTRADICTED", f"The passage denies that it is {member}.")
    others = sorted({member for _, member, denied in said if not denied})
    specimens = [item for item in reading.materials if subject.is_(item)]
    if len(others) == 1 and not other_specimen(subject, specimens) and not _has_conditions(reading):
        return Judgement("CONTRADICTED", f"The passage says that it is {others[0]}.")
    return Judgement("INSUFFICIENT", f"The passage does not say it of {subject.name}.", "target")


def _has_conditions(reading: Reading) -> bool:
    """A phase that stands at 1000 °C does not contradict the one at room temperature."""
    return any(
        value.found.quantity.dimension in {"temperature", "pressure"}
        and not (
            value.found.quantity.si_value
            and _ROOM_TEMPERATURE[0] <= value.found.quantity.si_value <= _ROOM_TEMPERATURE[1]
        )
        for value in reading.values
    )


def _said_of(subject: Subject, reading: Reading, start: int, end: int) -> bool:
    found = subjects_at(reading, start, end)
    return any(subject.is_(item) for item in found.materials) and (
        found.sure or len({item.key for item in found.materials}) == 1
    )


def words_together(target: str, text: str) -> list[tuple[int, int]]:
    """Where all content words of a target stand within a few words of each other."""
    wanted = content_words(target)
    if not wanted:
        return []
    words = [(fold_name(word), start, end) for word, start, end in words_of(text)]
    span = len(wanted) + 3
    for index in range(len(words)):
        window = words[index : index + span]
        if words[index][0] in wanted and wanted <= {word for word, _, _ in window}:
            last = max(place for place, (word, _, _) in enumerate(window) if word in wanted)
            return [(words[index][1], window[last][2])]
    return []


# -------------------------------------------------------------------------------------------- uses and methods
def _use_or_making(claim: Claim, subject: Subject, reading: Reading, lexicon: Lexicon) -> Judgement:
    kind, verbs = ("application", _USING) if claim.type == "USED_IN" else ("method", _MAKING)
    verb = verbs.search(reading.text)
    keys = {key for other, key in claim.target_keys if other == kind}
    spans = [(item.start, item.end) for item in reading.names if item.kind == kind and item.key in keys]
    spans += words_together(claim.target, reading.text)
    spans += [
        span
        for key in sorted(keys)
        for name in term_names(kind, key, lexicon)
        for span in name_spans(name, reading.text)
    ]
    if verb is None or not spans:
        what = "use" if claim.type == "USED_IN" else "way of making it"
        return Judgement("INSUFFICIENT", f"The passage does not name this {what} of {subject.name}.", "target")
    for start, end in spans:
        before = [item for item in reading.materials if item.end <= max(start, verb.start()) and not item.aside]
        near = [item for item in before if reading.clause_of(item.start) == reading.clause_of(start)]
        if not any(subject.is_(item) for item in near):
            continue
        first = min(item.start for item in near if subject.is_(item))
        if polarity.is_denied(reading.text, first, end):
            return Judgement("CONTRADICTED", f"The passage denies it of {subject.name}.")
        if not polarity.is_supposed(reading.text, start, end):
            return Judgement("SUPPORTED", f"The passage says it of {subject.name}.")
    return Judgement("INSUFFICIENT", f"The passage does not say it of {subject.name}.", "target")


def term_names(kind: str, key: str, lexicon: Lexicon) -> tuple[str, ...]:
    """All names of a method or use: "metal-organic chemical vapor deposition" is a chemical vapor deposition."""
    terms = lexicon.domain.methods if kind == "method" else lexicon.domain.applications
    return next(((term.name, *term.synonyms) for term in terms if term.name == key), ())


# ---------------------------------------------------------------------------------------- elements and formulas
def _element(claim: Claim, subject: Subject, named: list[Named], reading: Reading) -> Judgement:
    """By the formula that the passage writes for the subject; by its words when it lists the elements."""
    symbol = claim.target
    for item in named:
        written = reading.text[item.start : item.end]
        formula = parse_formula(written)
        if not (formula.ok and subject.is_(item)) or formula.variables or formula.groups:
            continue
        if len(formula.elements) < 2 and written != symbol:
            continue
        if symbol in formula.elements:
            return Judgement("SUPPORTED", f"The passage writes it as {written}, which contains {symbol}.")
        if not subject.hard:
            return Judgement("CONTRADICTED", f"The passage writes it as {written}, which has no {symbol}.")
    if not re.search(r"\b(?:contains?|consists? of|composed of|made of|elements?)\b", reading.text, re.IGNORECASE):
        return Judgement("INSUFFICIENT", f"The passage does not say what {subject.name} consists of.", "target")
    listed = {item.key for item in reading.materials if item.start > named[0].end and item.key != subject.key}
    first = named[0].start
    if symbol in listed:
        if polarity.is_denied(reading.text, first, len(reading.text)):
            return Judgement("CONTRADICTED", f"The passage denies that {subject.name} contains {symbol}.")
        return Judgement("SUPPORTED", f"The passage lists {symbol} in {subject.name}.")
    complete = re.search(r"\b(?:contains? the elements|consists? of|composed of)\b", reading.text, re.IGNORECASE)
    if complete and listed and not subject.hard:
        return Judgement("CONTRADICTED", f"The passage lists what {subject.name} consists of, without {symbol}.")
    return Judgement("INSUFFICIENT", f"The passage does not say whether {subject.name} contains {symbol}.", "target")


def _formula(claim: Claim, subject: Subject, reading: Reading, lexicon: Lexicon) -> Judgement:
    claimed = parse_formula(claim.target)
    if not claimed.ok:
        return Judgement("INSUFFICIENT", "The claim has no formula that can be compared.", "")
    for name in (item for item in reading.materials if subject.is_(item)):
        for written in _formulas_of(name, reading):
            formula = parse_formula(written)
            if not formula.ok or formula.variables or formula.groups:
                continue
            if composition_key(formula) == composition_key(claimed):
                return Judgement("SUPPORTED", f"The passage gives the formula of {subject.name} as {written}.")
            if len(formula.elements) > 1:
                return Judgement("CONTRADICTED", f"The passage gives the formula of {subject.name} as {written}.")
    return Judgement("INSUFFICIENT", f"The passage gives no formula of {subject.name}.", "target")


def _formulas_of(name: Named, reading: Reading) -> list[str]:
    """The name itself when it is one, the formula in apposition, and what "the formula of … is" names."""
    text = reading.text
    written = (
        [text[name.start : name.end]]
        if any(character.isupper() for character in text[name.start + 1 : name.end])
        else []
    )
    apposed = re.match(r"\s*[(,]\s*([A-Z][A-Za-z0-9.()₀-₉]*)\s*[),]", text[name.end :])
    if apposed:
        written.append(apposed.group(1))
    is_formula = re.search(r"\bformula\b[^.;]{0,80}?\bis\s+([A-Z][\w.()₀-₉]*)", text)
    if is_formula:
        written.append(is_formula.group(1).rstrip("."))
    return written
