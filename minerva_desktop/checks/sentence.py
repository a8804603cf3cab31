"""A sentence taken apart as far as the checks need it: who is spoken of, what is said, under which conditions.

Nothing here guesses: where the words leave two readings open, the answer says that it is not sure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from minerva_desktop.checks.lexicon import Lexicon, Mention
from minerva_desktop.checks.qualifiers import hard_qualifiers, soft_qualifiers
from minerva_desktop.language.quantities import FoundQuantity, find_quantities
from minerva_desktop.records import Condition

Span = tuple[int, int]

LONGEST = 3000

_MODIFIER_AFTER = re.compile(
    r"^[-–‐‑\s](?:co-?)?(?:doped|based|coated|rich|free|containing|deficient|substituted|stabili[sz]ed|implanted|alloyed|like|"
    r"terminated|supported|loaded|decorated|capped|poor|intercalated|doping|dopants?|contents?|concentrations?|vacanc(?:y|ies)|"
    r"impurit(?:y|ies)|substrates?|targets?|electrodes?|contacts?|precursors?|sources?|atoms?|ions?|buffers?|crucibles?|"
    r"fraction|additions?|sublattice|site|sites|lamp|radiation|anode|cathode|tip|gate|alloys?|oxides?|nitrides?|carbides?|"
    r"borides?|compounds?|ceramics?|polymers?|composites?|hydrides?|halides?|fluorides?|chlorides?|bromides?|iodides?|"
    r"bearing|plated|nitrates?|sul(?:f|ph)ates?|carbonates?|phosphates?|acetates?|oxalates?|citrates?|chlorates?|hydroxides?|cyanides?|salts?|"
    r"sul(?:f|ph)ides?|selenides?|tellurides?|phosphides?|arsenides?|antimonides?|tetroxide|dioxide|trioxide|pentoxide|"
    r"ferrite|titanate|niobate|tantalate|bronze)\b"
)
_ASIDE_BEFORE = re.compile(
    r"(?:\bunlike|\bin contrast (?:to|with)|\bcontrary to|\bopposed to|\bcompared (?:to|with)|\bin comparison (?:to|with)|"
    r"\bcomparing with|\brelative to|\bwith respect to|\brather than|\binstead of|\bthan|\bversus|\bvs\.?|\bother than|"
    r"\bapart from|\bexcept(?: for)?|\bbesides|\bdifferent from|\bdistinct from|\bsimilar to|(?:^|,\s*)like|\bexceed(?:s|ing)?)"
    r"\s+(?:(?:that|those|the|of|in|for|value|values|one|bulk|pure|conventional|both|a|an|\w+ed|\w+al|\w+ing|\w+ gap)\s+){0,5}$",
    re.IGNORECASE,
)
_SUPPORT_BEFORE = re.compile(
    r"\b(?:on|onto|over|atop|from|with|using|via|by|into|against|between)\s+(?:(?:[\w.]+%?|\([^()]*\))[\s-]+){0,3}$",
    re.IGNORECASE,
)
_NEAR = 120
"""So many characters around a name can say something of it; keeps very long sentences linear."""

_GASES = frozenset(
    "H N O F Cl He Ne Ar Kr Xe H2 N2 O2 F2 Cl2 O3 CO CO2 NO NO2 N2O H2O CH4 C2H4 C2H6 C3H8 NH3 H2S SO2".split()
)
"""Beside a solid, a gas is its surroundings or what reacts on it, not what the sentence is about."""

_FILM = re.compile(
    r"\b(?:films?|layers?|grown|deposited|sputter\w*|epitax\w*|coated|evaporated|transferred|deposition|growth)\b[^,;]*\bon(?:to)?\b[^,;]*$",
    re.IGNORECASE,
)
_JOIN = re.compile(
    r"\s*(?:\([^()]{1,30}\)\s*)?(?:,|,?\s*and|,?\s*or|/|as well as|&)\s*(?:the\s+)?(?:\w+-)?", re.IGNORECASE
)
_OPEN_BRACKET = re.compile(r"^[^()]{0,24}\([^()]{0,40}$")
_OF_LINK = re.compile(
    r"^\s*(?:\([^()]{1,20}\)\s*)?(?:of|for)\s+(?:(?:the|a|an|our|this|these|bulk|pure|undoped|dense|porous|thin)\s+){0,3}$"
)
_WHOSE = re.compile(
    r"^\s*(?:\([^()]{1,30}\)\s*)?,?\s*(?:whose|which (?:has|have|had|shows?|exhibits?|is|are|was|were))\b[^,;]*$"
)
_FOR_LINK = re.compile(r"^[^,;()]{0,40}\b(?:for|of|in)\s+(?:[\w-]+\s+){0,4}$")
_CLAUSE = re.compile(r";|,?\s*\b(?:whereas|while|but|although|though|however|yet)\b,?", re.IGNORECASE)
_OPENER = re.compile(r"^\s*(?:whereas|while|although|though|even though|since|because|as)\b", re.IGNORECASE)
_PRONOUN = re.compile(
    r"\b(?:it|its|this|these|which|that|the (?:former|latter|same) (?:material|compound|film|films)?)\b", re.IGNORECASE
)
_CONDITION_BEFORE = re.compile(
    r"(?:\b(?:at|under|near|around|with|from|to|between|above|below|until|in|for|after|upon|when|T|H|B|P|and|of)\s*[=≈~]?|@|[(,;])\s*"
    r"(?:a |an |the )?(?:(?:room|low|high|applied|magnetic|hydrostatic|external)?\s?(?:temperatures?|pressures?|fields?)\s(?:of\s)?)?"
    r"(?:about |approximately |around |~|≈)?$",
    re.IGNORECASE,
)
_CONDITION_NAMES = {
    "temperature": "temperature",
    "pressure": "pressure",
    "magnetic_flux_density": "magnetic_field",
    "frequency": "frequency",
}
_ROOM = re.compile(r"\b(?:room[\s-]temperature|RT|ambient (?:temperature|conditions))\b")


@dataclass(frozen=True, slots=True)
class Named:
    """A material in the sentence. ``hard`` makes it another material or phase (doped, amorphous, 4H), ``soft`` another
    specimen of the same (film, along [100]). ``aside`` = not what the sentence is about: compared with, grown on, part of
    a compound word."""

    key: str
    start: int
    end: int
    hard: frozenset[str] = frozenset()
    soft: frozenset[str] = frozenset()
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    """A quantity with the conditions that its clause states; ``condition`` = it is one itself."""

    found: FoundQuantity
    clause: int
    conditions: tuple[Condition, ...] = ()
    condition: bool = False

    @property
    def span(self) -> Span:
        return (self.found.start, self.found.end)


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence with what was found in it, in order."""

    text: str
    clauses: tuple[Span, ...]
    materials: tuple[Named, ...]
    names: tuple[Mention, ...]
    values: tuple[Value, ...] = field(default=())

    def clause_of(self, at: int) -> int:
        """The index of the clause that holds a place."""
        return next(
            (index for index, (start, end) in enumerate(self.clauses) if start <= at < end), len(self.clauses) - 1
        )


@dataclass(frozen=True, slots=True)
class Subjects:
    """Of whom something is said. ``sure`` when the words leave no other reading; ``strong`` when they say it outright
    (in a bracket behind the name, "of …", "whose …"); ``listed`` are all of a list of which "respectively" picked some."""

    materials: tuple[Named, ...]
    sure: bool
    strong: bool = False
    listed: tuple[Named, ...] = ()


def read_sentence(text: str, lexicon: Lexicon) -> Reading:
    """The sentence taken apart. ``text`` is used as it is: offsets are its own. What stands behind its first 3,000
    characters is not read: that is no sentence."""
    return _read(text[:LONGEST], lexicon)


@lru_cache(maxsize=8192)
def _read(text: str, lexicon: Lexicon) -> Reading:
    names = tuple(lexicon.find(text))
    clauses = _clauses(text)
    reading = Reading(text, clauses, (), tuple(item for item in names if item.kind != "material"))
    materials = _materials(text, [item for item in names if item.kind == "material"], lexicon)
    reading = replace(reading, materials=_asides(text, clauses, materials))
    return replace(reading, values=_values(reading))


# --------------------------------------------------------------------------------------------------- clauses
def _clauses(text: str) -> tuple[Span, ...]:
    cuts = [match.start() for match in _CLAUSE.finditer(text) if match.start() > 0 and text[: match.start()].strip()]
    if _OPENER.match(text):
        comma = re.search(r",\s", text)
        if comma:
            cuts.append(comma.start())
    edges = [0, *sorted(set(cuts)), len(text)]
    return tuple((start, end) for start, end in pairwise(edges) if end > start) or ((0, len(text)),)


# ------------------------------------------------------------------------------------------------- materials
def _materials(text: str, mentions: Sequence[Mention], lexicon: Lexicon) -> list[Named]:
    named = []
    for item in mentions:
        before, after = text[max(0, item.start - _NEAR) : item.start], text[item.end : item.end + _NEAR]
        hard = hard_qualifiers(before, text[item.start : item.end], after)
        soft = soft_qualifiers(after, lexicon)
        aside = _MODIFIER_AFTER.match(after) is not None
        named.append(Named(item.key, item.start, item.end, frozenset(hard), frozenset(soft), aside))
    return named


def _asides(text: str, clauses: tuple[Span, ...], materials: list[Named]) -> tuple[Named, ...]:
    marked: list[Named] = []
    solids = any(item.key not in _GASES for item in materials)
    for item in materials:
        if item.aside or (solids and item.key in _GASES):
            marked.append(replace(item, aside=True))
            continue
        start = max((left for left, right in clauses if left <= item.start < right), default=0)
        start = max(start, item.start - 2 * _NEAR)
        before = text[start : item.start]
        previous = marked[-1] if marked else None
        aside = _ASIDE_BEFORE.search(before) is not None
        support = None if aside else _SUPPORT_BEFORE.search(before)
        if support and not any(other.end > start + support.start() for other in marked):
            earlier = [other for other in marked if not other.aside and start <= other.start and other.key != item.key]
            aside = bool(earlier) or _FILM.search(before) is not None
        if not aside and previous is not None and previous.aside and _ASIDE_BEFORE.search(text[start : previous.start]):
            aside = (
                re.fullmatch(r"\s*(?:\([^()]{1,30}\)\s*)?(?:and|or)\s+", text[previous.end : item.start]) is not None
            )
        if previous is not None and re.fullmatch(r"\s?[/–]\s?|-", text[previous.end : item.start]):
            marked[-1] = replace(previous, aside=True)
            aside = True
        if (
            previous is not None
            and previous.key == item.key
            and re.fullmatch(r"\s*\(\s*", text[previous.end : item.start])
        ):
            item = replace(item, hard=item.hard | previous.hard, soft=item.soft | previous.soft)
            aside = previous.aside
            marked[-1] = replace(previous, hard=item.hard, soft=item.soft)
        marked.append(replace(item, aside=aside))
    return tuple(marked)


# --------------------------------------------------------------------------------------------------- values
def _values(reading: Reading) -> tuple[Value, ...]:
    values: list[Value] = []
    quantities = find_quantities(reading.text)
    for found in quantities:
        clause = reading.clause_of(found.start)
        values.append(Value(found, clause, condition=_is_condition(reading, found, values, quantities)))
    return tuple(
        replace(value, conditions=_conditions(reading, index, values)) if not value.condition else value
        for index, value in enumerate(values)
    )


def _is_condition(
    reading: Reading, found: FoundQuantity, earlier: Sequence[Value], quantities: Sequence[FoundQuantity]
) -> bool:
    """ "… is 3.4 eV at 300 K": behind another value, or before it at the head of the sentence ("At 0 K the gap is …")."""
    name = _CONDITION_NAMES.get(found.quantity.dimension)
    before = reading.text[max(0, found.start - _NEAR) : found.start]
    if found.quantity.dimension in {"amount_fraction", "mass_fraction", "atomic_fraction"}:
        return re.search(r"\bwith\s*$", before) is not None
    if name is None:
        return False
    if re.search(r"(?:^|[,;.]\s*)\s*(?:At|at|Under|under|Below|Above|Near|In)\s+(?:about\s+)?$", before):
        return any(item.start > found.end for item in quantities) or not earlier
    if not _CONDITION_BEFORE.search(before) or not re.search(r"\b(?:at|under|near|when|T\s*=|in)\b|[@(]", before[-40:]):
        return False
    if re.search(
        r"\b(?:superconduct\w+|melts?|boils?|transition|ordering|Tc|Curie)\b[^,;]{0,20}\b(?:at|below|near|around)\s*(?:about\s+)?$",
        before,
    ):
        return False
    start = reading.clauses[reading.clause_of(found.start)][0]
    if any(value.found.quantity.dimension != found.quantity.dimension and value.found.end > start for value in earlier):
        return True
    later = [item for item in quantities if item.start > found.end]
    return any(item.quantity.dimension != found.quantity.dimension for item in later)


def _conditions(reading: Reading, index: int, values: Sequence[Value]) -> tuple[Condition, ...]:
    value = values[index]
    found = list(value.found.quantity.conditions)
    own = [item for item in values if item.condition and item.clause == value.clause]
    after = [item for item in own if item.found.start >= value.found.end]
    blocked = next((other.found.start for other in values[index + 1 :] if not other.condition), len(reading.text))
    before = [item for item in own if item.found.end <= value.found.start]
    shares = [item for item in before if _CONDITION_NAMES.get(item.found.quantity.dimension) is None]
    behind = [item for item in after if item.found.start < blocked]
    for item in [*shares, *behind] if behind else before:
        quantity = item.found.quantity
        name = _CONDITION_NAMES.get(quantity.dimension, "composition")
        found.append(
            Condition(name, reading.text[item.found.start : item.found.end], quantity.si_value, quantity.si_unit)
        )
    start, end = reading.clauses[value.clause]
    room = _ROOM.search(reading.text[start:end])
    if room and not any(item.name == "temperature" for item in found):
        found.append(Condition("temperature", room.group(), 295.0, "K"))
    return tuple(found)


# ------------------------------------------------------------------------------------------------- subjects
def subjects_at(reading: Reading, start: int, end: int, *, place: int | None = None, count: int = 1) -> Subjects:
    """The materials that what stands at ``[start, end)`` is said of.

    Args:
        place: the position of an item in a list of values, for "A and B have … and …, respectively".
        count: how many items that list has.
    """
    bracket = _bracketed(reading, start)
    if bracket is not None:
        return Subjects((bracket,), True, True)
    clause = reading.clause_of(start)
    left, right = reading.clauses[clause]
    inside = [item for item in reading.materials if left <= item.start < right]
    usable = [item for item in inside if not item.aside]
    before = [item for item in usable if item.end <= start]
    owner = next((item for item in usable if item.start >= end), None)
    if owner is not None and _OF_LINK.match(reading.text[end : owner.start]):
        return replace(_ordered(reading, _group(reading, usable, owner), place, count), strong=count < 2)
    if before:
        return _ordered(reading, _group(reading, usable, before[-1]), place, count)
    behind = [item for item in usable if item.start >= end]
    if behind:
        link = reading.text[end : behind[0].start]
        group = _group(reading, usable, behind[0])
        found = _ordered(reading, group, place, count)
        return found if _FOR_LINK.match(link) else replace(found, sure=False)
    overlapping = [item for item in inside if item.start < end and item.end > start]
    if overlapping:
        return Subjects(tuple(overlapping), False)
    if clause > 0 and not inside:
        earlier = [item for item in reading.materials if item.end <= left and not item.aside]
        if earlier:
            last_clause = reading.clause_of(earlier[-1].start)
            first = next(item for item in earlier if reading.clause_of(item.start) == last_clause)
            pronoun = _PRONOUN.search(reading.text[left:start]) is not None
            return Subjects(tuple(_group(reading, earlier, first)), pronoun)
    return Subjects((), False)


def _bracketed(reading: Reading, start: int) -> Named | None:
    """ "… than that of GaN (3.4 eV)": a value in a bracket right behind a name belongs to that name."""
    before = [item for item in reading.materials if item.end <= start]
    if not before:
        return None
    last = before[-1]
    if _WHOSE.match(reading.text[last.end : start]):
        return last
    return (
        last if _OPEN_BRACKET.match(reading.text[last.end : start]) and "(" in reading.text[last.end : start] else None
    )


def _group(reading: Reading, usable: Sequence[Named], member: Named) -> list[Named]:
    """The coordinated names around one: "GaN, AlN and InN"."""
    at = usable.index(member)
    first = last = at
    while first > 0 and _joined(reading.text, usable[first - 1], usable[first]):
        first -= 1
    while last + 1 < len(usable) and _joined(reading.text, usable[last], usable[last + 1]):
        last += 1
    return list(usable[first : last + 1])


def _joined(text: str, one: Named, other: Named) -> bool:
    return _in_apposition(text, one, other) or _JOIN.fullmatch(text[one.end : other.start]) is not None


def _in_apposition(text: str, one: Named, other: Named) -> bool:
    """ "GDC (Ce0.9Gd0.1O1.95)": two names of one thing."""
    between = text[one.end : other.start]
    if re.fullmatch(r"\s*[(\[]\s*", between):
        return text[other.end : other.end + 1] in {")", "]"} or one.key == other.key
    return one.key == other.key and re.fullmatch(r"\s*,\s*", between) is not None


def _ordered(reading: Reading, group: list[Named], place: int | None, count: int) -> Subjects:
    distinct: list[Named] = []
    for index, item in enumerate(group):
        if index and _in_apposition(reading.text, group[index - 1], item):
            continue
        if all(other.key != item.key or other.hard != item.hard for other in distinct):
            distinct.append(item)
    if len(distinct) < 2 or place is None or count < 2:
        return Subjects(tuple(group), len(distinct) < 2 or count < 2)
    if len(distinct) == count:
        chosen = distinct[place]
        chosen_names = tuple(item for item in group if item.key == chosen.key)
        return Subjects(chosen_names, "respectively" in reading.text.casefold(), listed=tuple(group))
    return Subjects(tuple(group), False)


def with_subject(reading: Reading, spans: Iterable[Span], key: str) -> Reading:
    """The reading with a material at the places where the extractor or its name says that it stands: one that the lexicon
    does not know, or of which it knows only parts ("Ni–YSZ")."""
    materials = list(reading.materials)
    for start, end in spans:
        parts = [item for item in materials if item.start < end and start < item.end]
        if any(item.start <= start and end <= item.end and not item.aside for item in parts):
            continue
        materials = [item for item in materials if item not in parts]
        hard = frozenset[str]().union(*(item.hard for item in parts))
        soft = frozenset[str]().union(*(item.soft for item in parts[-1:]))
        materials.append(Named(key, start, end, hard, soft))
    if len(materials) == len(reading.materials) and set(materials) == set(reading.materials):
        return reading
    materials.sort(key=lambda item: item.start)
    return replace(reading, materials=_asides(reading.text, reading.clauses, materials))
