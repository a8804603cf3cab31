"""One claim against one sentence of a textbook."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from minerva_desktop.checks.lexicon import Lexicon, Mention, fold_name, fold_word, words_of
from minerva_desktop.checks.polarity import is_denied, is_supposed
from minerva_desktop.checks.sentence import Named, Reading, Value, read_sentence, subjects_at
from minerva_desktop.language.formulas import parse_formula
from minerva_desktop.records import Condition, Quantity, VerdictName

CONTAINS = re.compile(r"\b(?:contains?|consists? of|composed of|made up of|elements?)\b", re.IGNORECASE)
_MADE = re.compile(
    r"\b(?:made|grown|grows?|prepared|produced|deposited|synthesi[sz]ed|fabricated|obtained|formed|processed|by|method|"
    r"makes?|process)\b",
    re.IGNORECASE,
)
_USED = re.compile(
    r"\b(?:used?|uses|using|applied|appl(?:y|ies|ication)|serves?|employed|material of|in|for|basis of)\b",
    re.IGNORECASE,
)
AGREE = 0.02
"""Numbers within 2 % agree even when both are written to more digits: values of the same thing differ that much between
handbooks."""

DIFFER = 0.10
"""Numbers more than 10 % apart contradict each other; what lies between decides nothing."""

ROOM = (273.0, 310.0)


@dataclass(frozen=True, slots=True)
class Claim:
    """Subject, predicate and number of a statement. ``hard`` are words that make the subject another phase or doping;
    ``specimen`` = it is said of a film, wire or the like, which need not equal the bulk. ``extra`` are words of the claim
    that are neither subject nor target and narrow it ("indirect" band gap): a sentence that decides must hold them."""

    text: str
    kind: str
    subject: str
    subject_names: tuple[str, ...]
    target: str
    target_names: tuple[str, ...]
    property_id: str = ""
    quantity: Quantity | None = None
    conditions: tuple[Condition, ...] = ()
    negated: bool = False
    hard: frozenset[str] = frozenset()
    specimen: bool = False
    extra: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    verdict: VerdictName
    reason: str = ""


NOTHING = Said("INSUFFICIENT")


def fits(dimension: str, wanted: str) -> bool:
    """Whether a number of this dimension can be a value of a property of that dimension."""
    if dimension == wanted:
        return bool(wanted)
    return {dimension, wanted} <= {"temperature", "temperature_difference"} or (
        wanted == "dimensionless" and dimension in {"dimensionless", "fraction"}
    )


def judge_sentence(claim: Claim, sentence: str, lexicon: Lexicon) -> Said:
    """What one sentence says of the claim; INSUFFICIENT with a reason when it came near."""
    reading = read_sentence(sentence, lexicon)
    if claim.kind == "HAS_VALUE":
        return _value(claim, reading, lexicon)
    if claim.kind == "HAS_FORMULA":
        return _formula(claim, reading)
    if claim.kind == "HAS_ELEMENT":
        return _element(claim, reading)
    return _named(claim, reading)


# ----------------------------------------------------------------------------------------------------- numbers
def _value(claim: Claim, reading: Reading, lexicon: Lexicon) -> Said:
    spec = lexicon.specs.get(claim.property_id)
    quantity = claim.quantity
    if spec is None or quantity is None or not quantity.ok:
        return NOTHING
    near = NOTHING
    properties = [item for item in reading.names if item.kind == "property" and item.key == claim.property_id]
    for value in reading.values:
        found = value.found.quantity
        if value.condition or not found.ok or not fits(found.dimension, quantity.dimension):
            continue
        if not _property_of(value, properties, reading, lexicon):
            continue
        subject = _subject(claim, reading, *value.span)
        if subject is None:
            continue
        if is_supposed(reading.text, *value.span):
            near = Said("INSUFFICIENT", "The textbook only supposes it.")
            continue
        said = _compare(claim, quantity, value, subject)
        if said.verdict != "INSUFFICIENT":
            return said
        near = said
    return near


def _property_of(value: Value, properties: Sequence[Mention], reading: Reading, lexicon: Lexicon) -> bool:
    """Whether the value is one of the claim's property: named in its clause, with no other fitting name nearer."""
    clause = [item for item in properties if reading.clause_of(item.start) == value.clause]
    if not clause:
        return False
    distance = min(_gap(item, value) for item in clause)
    dimension = value.found.quantity.dimension
    rivals = [
        item
        for item in reading.names
        if item.kind == "property"
        and item.key != clause[0].key
        and reading.clause_of(item.start) == value.clause
        and fits(dimension, lexicon.specs[item.key].dimension)
    ]
    return all(_gap(item, value) > distance for item in rivals)


def _gap(item: Mention, value: Value) -> int:
    return max(item.start - value.found.end, value.found.start - item.end, 0)


def _compare(claim: Claim, quantity: Quantity, value: Value, subject: Named) -> Said:
    book = value.found.quantity
    same_state = _same_conditions(claim.conditions, value.conditions)
    ours, theirs = interval(quantity), interval(book)
    if ours is None or theirs is None:
        return NOTHING
    written, printed = quantity.text or claim.text, book.text
    denied = claim.negated
    if same_state is False:
        return Said("INSUFFICIENT", f"The textbook gives {printed} under other conditions.")
    gap = _distance(ours, theirs)
    if gap <= 0 or gap <= AGREE * _size(ours, theirs):
        if denied:
            return Said("CONTRADICTED", f"The textbook gives {printed}, which the claim denies.")
        if quantity.kind == "bound" or book.kind == "bound":
            return Said("INSUFFICIENT", f"The textbook gives {printed}; a bound alone decides nothing.")
        return Said("SUPPORTED", f"The textbook gives {printed}; the claim says {written}.")
    if gap <= DIFFER * _size(ours, theirs):
        return Said("INSUFFICIENT", f"The textbook gives {printed}, near {written} but not equal.")
    if claim.specimen and not subject.soft:
        return Said("INSUFFICIENT", f"The textbook gives {printed} for the bulk; the claim is on a specimen.")
    if same_state is None and _far_from_room(claim.conditions):
        return Said("INSUFFICIENT", f"The textbook gives {printed} without the claim's conditions.")
    return Said("SUPPORTED" if denied else "CONTRADICTED", f"The textbook gives {printed}, not {written}.")


def interval(quantity: Quantity) -> tuple[float, float] | None:
    """The SI interval a quantity stands for: its range, or its value with what its digits leave open."""
    if quantity.kind == "list" or quantity.ambiguous:
        return None
    if quantity.si_low is not None and quantity.si_high is not None:
        return (quantity.si_low, quantity.si_high)
    if quantity.kind == "bound":
        if quantity.comparator in {"<", "<="}:
            return (float("-inf"), quantity.si_high if quantity.si_high is not None else quantity.si_value or 0.0)
        return (quantity.si_low if quantity.si_low is not None else quantity.si_value or 0.0, float("inf"))
    if quantity.si_value is None:
        return None
    slack = quantity.si_uncertainty or _half_digit(quantity)
    if quantity.approximate:
        slack = max(slack, 0.05 * abs(quantity.si_value))
    return (quantity.si_value - slack, quantity.si_value + slack)


def _half_digit(quantity: Quantity) -> float:
    """Half a unit of the last decimal written, in SI; nothing for whole numbers, whose zeros say little."""
    match = re.search(r"\d+\.(\d+)", quantity.text)
    if match is None or not quantity.value or quantity.si_value is None:
        return 0.0
    written = float(match.group())
    if not written:
        return 0.0
    return abs(0.5 * math.pow(10, -len(match.group(1))) / written * quantity.si_value)


def _distance(one: tuple[float, float], other: tuple[float, float]) -> float:
    return max(one[0] - other[1], other[0] - one[1])


def _size(one: tuple[float, float], other: tuple[float, float]) -> float:
    ends = [abs(end) for end in (*one, *other) if abs(end) != float("inf")]
    return max(ends, default=0.0)


def _same_conditions(ours: Sequence[Condition], theirs: Sequence[Condition]) -> bool | None:
    """True: the same or none on both sides; False: different; None: only one side states them."""
    mine = {item.name: item for item in ours if item.si_value is not None}
    book = {item.name: item for item in theirs if item.si_value is not None}
    for name in mine.keys() & book.keys():
        one, other = mine[name].si_value or 0.0, book[name].si_value or 0.0
        room = name == "temperature" and all(ROOM[0] <= value <= ROOM[1] for value in (one, other))
        if not room and abs(one - other) > 0.03 * max(abs(one), abs(other)):
            return False
    return True if mine.keys() == book.keys() else None


def _far_from_room(conditions: Sequence[Condition]) -> bool:
    """Whether the claim states conditions under which values usually differ from those of handbooks."""
    for item in conditions:
        if item.name == "temperature" and item.si_value is not None and ROOM[0] <= item.si_value <= ROOM[1]:
            continue
        return True
    return False


# ------------------------------------------------------------------------------------------------------- names
def _subject(claim: Claim, reading: Reading, start: int, end: int) -> Named | None:
    """The claim's subject, when what stands at ``[start, end)`` is surely said of it in the same phase."""
    found = subjects_at(reading, start, end)
    for item in found.materials:
        if item.key == claim.subject and item.hard == claim.hard and (found.sure or len(found.materials) == 1):
            return item
    return None


def _named(claim: Claim, reading: Reading) -> Said:
    """Properties, uses and methods: subject and target in one statement."""
    kind = {"HAS_PROPERTY": "property", "USED_IN": "application", "SYNTHESIZED_BY": "method"}.get(claim.kind, "")
    hits = [item for item in reading.names if item.kind == kind and (item.key == claim.target)]
    if not hits and kind:
        hits = [item for item in reading.names if item.kind == kind and fold_name(item.key) == claim.target]
    for hit in hits:
        subject = _subject(claim, reading, hit.start, hit.end) or _behind(claim, reading, hit)
        if subject is None or not _linked(claim.kind, reading, subject, hit):
            continue
        if is_supposed(reading.text, hit.start, hit.end):
            return Said("INSUFFICIENT", "The textbook only supposes it.")
        begin, end = min(subject.start, hit.start), max(subject.end, hit.end)
        denied = is_denied(reading.text, begin, end)
        opposite, missing = _narrowing(claim, reading)
        if missing:
            return Said("INSUFFICIENT", f"The textbook does not say “{missing[0]}”.")
        denied ^= opposite
        if denied == claim.negated:
            return Said("SUPPORTED", "The textbook says so.")
        return Said("CONTRADICTED", "The textbook says that it is not so." if denied else "The textbook says it is so.")
    return NOTHING


_OPPOSITES = ("direct", "indirect"), ("brittle", "ductile"), ("soluble", "insoluble"), ("conductor", "insulator")


def _narrowing(claim: Claim, reading: Reading) -> tuple[bool, list[str]]:
    """Whether the sentence says the opposite of a narrowing word, and which of those words it lacks."""
    words = {fold_word(word) for word, _, _ in words_of(reading.text)}
    opposite = False
    missing = []
    for extra in claim.extra:
        if extra in words or any(_kin(extra, word) for word in words):
            continue
        others = {one if extra == other else other for one, other in _OPPOSITES if extra in (one, other)}
        if others & words:
            opposite = not opposite
        else:
            missing.append(extra)
    return opposite, missing


def _kin(one: str, other: str) -> bool:
    """ "crystallizes" and "crystal": the same first six letters, or one the beginning of the other."""
    short, long = sorted((one, other), key=len)
    return len(short) >= 5 and (long.startswith(short) or (len(short) >= 6 and one[:6] == other[:6]))


def _behind(claim: Claim, reading: Reading, hit: Mention) -> Named | None:
    """ "Sputtering makes NbN": the only subject of the sentence stands behind the target."""
    usable = [item for item in reading.materials if not item.aside]
    if claim.kind == "HAS_PROPERTY" or len({item.key for item in usable}) != 1:
        return None
    item = usable[0]
    same = item.key == claim.subject and item.hard == claim.hard and item.start >= hit.end
    return item if same else None


def _linked(kind: str, reading: Reading, subject: Named, hit: Mention) -> bool:
    """Whether the words between subject and target tie them by the claim's predicate."""
    begin, end = min(subject.end, hit.end), max(subject.start, hit.start)
    between = reading.text[begin:end]
    if kind == "USED_IN":
        return _USED.search(between) is not None
    if kind == "SYNTHESIZED_BY":
        return _MADE.search(between) is not None
    return True


def _formula(claim: Claim, reading: Reading) -> Said:
    """The subject and the very formula in one sentence that is about the formula or names it in a bracket."""
    formulas = [item for item in reading.materials if item.key == claim.subject]
    written = [reading.text[item.start : item.end] for item in formulas]
    exact = [text for text in written if parse_formula(text).canonical == claim.target]
    named = [text for text in written if not parse_formula(text).ok or parse_formula(text).canonical != claim.target]
    about = "formula" in reading.text.casefold()
    if exact and (named or about):
        if claim.negated:
            return Said("CONTRADICTED", "The textbook gives this formula.")
        return Said("SUPPORTED", "The textbook gives this formula.")
    if about and formulas:
        others = [
            reading.text[item.start : item.end]
            for item in reading.materials
            if parse_formula(reading.text[item.start : item.end]).ok
        ]
        if others and not claim.negated and parse_formula(others[-1]).canonical != claim.target:
            return Said("CONTRADICTED", f"The textbook gives the formula {others[-1]}.")
    return NOTHING


def _element(claim: Claim, reading: Reading) -> Said:
    """The subject's formula as printed, or a sentence that lists its elements."""
    subjects = [item for item in reading.materials if item.key == claim.subject and item.hard == claim.hard]
    if not subjects:
        return NOTHING
    listed = CONTAINS.search(reading.text) is not None
    elements = {item.key for item in reading.materials if item.start > subjects[0].end}
    composition: set[str] = set()
    for item in subjects:
        parsed = parse_formula(reading.text[item.start : item.end])
        if parsed.ok:
            composition |= set(parsed.elements)
    inside = claim.target in composition or (listed and claim.target in elements)
    if inside and not is_denied(reading.text, subjects[0].start, subjects[0].end):
        return Said("CONTRADICTED" if claim.negated else "SUPPORTED", "The textbook names this element in it.")
    if composition and claim.target not in composition and not elements:
        if claim.negated:
            return Said("SUPPORTED", "The formula in the textbook does not hold this element.")
        return Said("CONTRADICTED", "The formula in the textbook does not hold this element.")
    return NOTHING
