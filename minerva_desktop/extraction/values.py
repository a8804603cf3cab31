"""Measured facts of one sentence: which quantity is the value of which property of which material.

A value first finds its property (the nearest one of the right dimension that is joined to it by connecting words), then
the pair finds its material. Both steps are patterns over the skeleton; :mod:`chunks` has the letters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from minerva_desktop.domains.pack import PropertySpec
from minerva_desktop.extraction.chunks import Skeleton
from minerva_desktop.extraction.conditions import is_condition, listed_condition, one_of
from minerva_desktop.extraction.mentions import Mention
from minerva_desktop.extraction.subjects import Subject, subjects_of, usable
from minerva_desktop.language.quantities import dimension_of_unit
from minerva_desktop.records import Quantity

_NAMED_OUTRIGHT = frozenset({"value-bracket", "value-of", "value-for", "value-respectively"})
_GEOMETRIC = re.compile(
    r"^[-–\s]*(?:thick|wide|long|deep|tall|high(?!\w)|in (?:thickness|diameter|width|length|size)|diameter)\b"
)
_CHANGE = re.compile(
    r"\b(?:increas|decreas|reduc|rais|lower|rose|ris|drop|fell|fall|improv|enhanc|chang|grow|grew|shift|degrad)\w*\W+from ",
    re.IGNORECASE,
)
_LINK_END = frozenset("obretkhc(,GU")
_MAX_GAP = 18


@dataclass(frozen=True, slots=True)
class ValueFact:
    """A value bound to property and material; indices are chunks. ``quantity`` may be one of a list."""

    subject: Subject
    spec: PropertySpec
    property_at: int
    value_at: int
    quantity: Quantity
    rule: str
    share: int = -1  # which of the list's values, -1 for the whole


def fits(spec: PropertySpec, quantity: Quantity) -> bool:
    """Whether a quantity can be a value of the property by its dimension."""
    if not quantity.dimension or quantity.kind == "count":
        return False
    wanted = spec.dimension or (dimension_of_unit(spec.unit) if spec.unit else "")
    if quantity.dimension in {wanted, *spec.other_dimensions} - {""}:
        return True
    return wanted == "fraction" and quantity.dimension in {"mass_fraction", "atomic_fraction", "amount_fraction"}


def outside(spec: PropertySpec, quantity: Quantity) -> bool:
    """Whether a value is beyond what is physically sensible for the property."""
    if quantity.dimension != spec.dimension:
        return False
    values = [quantity.si_value, quantity.si_low, quantity.si_high, *quantity.si_values]
    return any(
        value is not None
        and ((spec.low is not None and value < spec.low) or (spec.high is not None and value > spec.high))
        for value in values
    )


def link_values(text: str, skeleton: Skeleton, carried: Mention | None) -> list[ValueFact]:
    """All measured facts of a sentence."""
    codes = skeleton.codes
    if "Q" not in codes or "P" not in codes:
        return []
    pairs = [pair for index, code in enumerate(codes) if code == "Q" and (pair := _property_of(text, skeleton, index))]
    facts = _respectively(text, skeleton, pairs)
    taken = {fact.value_at for fact in facts}
    for property_at, value_at in pairs:
        if value_at in taken:
            continue
        spec, quantity = skeleton.mention(property_at).spec, skeleton.mention(value_at).quantity
        assert spec is not None
        assert quantity is not None
        for subject in subjects_of(text, skeleton, property_at, value_at, carried):
            if spec.semantic_class != "material_property" and subject.rule not in _NAMED_OUTRIGHT:
                continue  # what the subject of the verb delivers, or how thick it is, is seldom the material's own
            fact = ValueFact(subject, spec, property_at, value_at, quantity, subject.rule)
            facts += _expanded(skeleton, fact)
    return facts


def _expanded(skeleton: Skeleton, fact: ValueFact) -> list[ValueFact]:
    """A list of values over a list of temperatures, as one fact each; any other fact as it is."""
    count = len(fact.quantity.values)
    if fact.quantity.kind != "list" or count < 2 or not listed_condition(skeleton, count):
        return [fact]
    return [replace(fact, quantity=one_of(fact.quantity, number), share=number) for number in range(count)]


def _property_of(text: str, skeleton: Skeleton, value_at: int) -> tuple[int, int] | None:
    mention = skeleton.mention(value_at)
    quantity = mention.quantity
    if quantity is None or _GEOMETRIC.match(text[mention.end : mention.end + 16]):
        return None
    if quantity.kind == "range" and _CHANGE.search(text[max(0, mention.start - 30) : mention.start + 5]):
        return None  # "reduced from 39 K to 33 K" are two states, not a range
    left = _property_before(skeleton, value_at, quantity)
    right = _property_after(text, skeleton, value_at, quantity)
    direct = left is not None and skeleton.codes[left + 1 : value_at] in {"o", "b", "e", "(", "r", "t", ""}
    if left is not None and (right is None or direct):
        return left, value_at
    if right is not None:
        return right, value_at
    return None if left is None else (left, value_at)


def _property_after(text: str, skeleton: Skeleton, value_at: int, quantity: Quantity) -> int | None:
    """ "a 6.2 eV gap", "270 mW/cm2 peak power density", "39 K for the Tc", "3.4 eV as the band gap"."""
    codes = skeleton.codes
    bracketed = codes[value_at - 2 : value_at] == "M("
    match = re.match(r"\)h\.{0,4}P" if bracketed else r"\.{0,2}P|[fk]\.{0,2}P", codes[value_at + 1 :])
    if match is None:
        return None
    at = value_at + match.end()
    spec = skeleton.mention(at).spec
    if spec is None or not fits(spec, quantity) or skeleton.codes[:value_at][-1:] in "ya":
        return None
    if spec.dimension == "temperature" and len(spec.label) < 3:
        return None
    between = text[skeleton.chunks[value_at].end : skeleton.chunks[at].start]
    return None if "," in between else at


def _property_before(skeleton: Skeleton, value_at: int, quantity: Quantity) -> int | None:
    codes = skeleton.codes
    reach = 2 * _MAX_GAP if codes[value_at - 2 : value_at] == "M(" else _MAX_GAP
    for at in range(value_at - 1, max(-1, value_at - reach - 2), -1):
        code = codes[at]
        if code == ";" and codes[at + 1 : at + 2] != "q":
            return None
        if code != "P":
            continue
        spec = skeleton.mention(at).spec
        if spec is None or not fits(spec, quantity):
            continue
        return at if _joined(skeleton, at, value_at, quantity, spec) else None
    return None


def _joined(skeleton: Skeleton, property_at: int, value_at: int, quantity: Quantity, spec: PropertySpec) -> bool:
    """Whether the words between property and value join them."""
    gap = skeleton.codes[property_at + 1 : value_at]
    if gap == "":
        return True
    if gap.endswith("M(") and skeleton.codes[value_at + 1 : value_at + 2] == ")" and re.search(r"M\(Q\)", gap):
        return True  # "…: YSZ (10.5 ppm/K), steel (11.2 ppm/K)": each bracket has the value of the same property
    last = gap[-1]
    if last in "a" and spec.dimension == "temperature" and re.fullmatch(r"(?:oM)?[bGr.]{0,3}a", gap):
        return True
    if last == "z":  # "increased from 0.3 to 1.1 V"
        return "r" in gap
    if last == ".":
        return gap in {".", "b.", "o."} or gap.endswith("r.")
    if last == "u":
        return gap in {"bu", "u"} and bool(quantity.comparator)
    if last == "M":
        return gap in {"M", "oM"} and property_at > 0
    if last not in _LINK_END and last not in "xw":
        return False
    rivals = [
        index
        for index in range(property_at + 1, value_at)
        if skeleton.codes[index] == "Q" and _same_kind(skeleton.mention(index).quantity, quantity)
    ]
    if re.search(r"[QM].*[,c].{0,6}\.{1,3}[rbh]", gap):
        return False  # a second subject has come between: "… were 0.1, and … the resistance rose to …"
    if re.search(r"Q,[bhr]", gap):
        return False  # "…, if the thickness of A is 420 nm, is only 0.4 nm": the verb has another subject
    if "x" in gap and not rivals:
        return gap.endswith("M(")  # "… than Nb3Sn (18 K)"
    if gap.endswith(("x", "xw", "xt")):
        return bool(rivals)
    if last in ",c":
        return bool(rivals)
    if last == "w":
        return False
    if last == "(":
        return bool(re.search(r"(?:^|M|P|b.{0,3}|r|^a[.Q]{1,2})\($", gap)) or bool(re.fullmatch(r"\.{0,2}\(", gap))
    if last == "t" and not re.search(r"[rGbhQ].{0,6}t$", gap):
        return False
    if last in "oh" and re.search(r"[.D]o$", gap) and len(gap) > 2:
        return bool(re.search(r"[bhrGw].{0,3}o$", gap) or re.search(r"^.{0,2}o$", gap))
    return True


def _same_kind(one: Quantity | None, other: Quantity) -> bool:
    return one is not None and one.dimension == other.dimension


# -------------------------------------------------------------------------------------------------- respectively
def _respectively(text: str, skeleton: Skeleton, pairs: Sequence[tuple[int, int]]) -> list[ValueFact]:
    """Lists of materials, properties and values that are paired in order."""
    if "respectively" not in text and "in that order" not in text:
        return []
    facts: list[ValueFact] = []
    by_property: dict[int, list[int]] = {}
    for property_at, value_at in pairs:
        by_property.setdefault(property_at, []).append(value_at)
    for property_at, values in by_property.items():
        shares = _shares(skeleton, values)
        materials = _list_of_materials(skeleton, property_at, values[0])
        if len(materials) > 1 and len(materials) == len(shares):
            for material, (value_at, share, quantity) in zip(materials, shares, strict=True):
                spec = skeleton.mention(property_at).spec
                assert spec is not None
                subject = Subject(skeleton.mention(material), material, "value-respectively")
                facts.append(ValueFact(subject, spec, property_at, value_at, quantity, subject.rule, share))
        elif len(materials) > 1 and len(values) > 1:
            facts += _list_each(skeleton, property_at, values, materials)
    return facts or _properties_in_order(text, skeleton, pairs)


def _list_each(
    skeleton: Skeleton, property_at: int, values: Sequence[int], materials: Sequence[int]
) -> list[ValueFact]:
    """ "… of A and B are 7.4 and 11.5 at 400 °C and 0.16 and 0.32 at 600 °C": each list has one value a material."""
    spec = skeleton.mention(property_at).spec
    facts: list[ValueFact] = []
    for value_at in values:
        quantity = skeleton.mention(value_at).quantity
        if spec is None or quantity is None or len(quantity.values) != len(materials):
            return []
        for number, material in enumerate(materials):
            subject = Subject(skeleton.mention(material), material, "value-respectively")
            value = one_of(quantity, number)
            facts.append(ValueFact(subject, spec, property_at, value_at, value, subject.rule, number))
    return facts


def _shares(skeleton: Skeleton, values: Sequence[int]) -> list[tuple[int, int, Quantity]]:
    """Each value with its place in the list it is written in."""
    shares: list[tuple[int, int, Quantity]] = []
    for value_at in values:
        quantity = skeleton.mention(value_at).quantity
        assert quantity is not None
        if quantity.kind == "list" and quantity.values:
            shares += [(value_at, number, one_of(quantity, number)) for number in range(len(quantity.values))]
        else:
            shares.append((value_at, -1, quantity))
    return shares


def _list_of_materials(skeleton: Skeleton, property_at: int, value_at: int) -> list[int]:
    best: list[int] = []
    for match in re.finditer(r"M[.AD]?(?:(?:,c?|c)\.{0,2}M[.AD]?)+", skeleton.codes):
        items = [index for index in range(match.start(), match.end()) if skeleton.codes[index] == "M"]
        if not all(usable(skeleton.mention(index)) for index in items):
            continue
        if match.end() < property_at and "," in skeleton.codes[match.end() : property_at]:
            continue  # a clause of its own, before the one that has the property
        if not best or abs(match.start() - property_at) < abs(best[0] - property_at):
            best = items
    return best


def _properties_in_order(text: str, skeleton: Skeleton, pairs: Sequence[tuple[int, int]]) -> list[ValueFact]:
    """ "The electron and hole mobilities of Si are 1400 and 450 cm2/Vs, respectively"."""
    match = re.search(r"P(?:(?:,c?|c)\.?P)+", skeleton.codes)
    if match is None:
        return []
    names = [index for index in range(match.start(), match.end()) if skeleton.codes[index] == "P"]
    values = [index for index in range(match.end(), len(skeleton.codes)) if skeleton.codes[index] == "Q"]
    values = [index for index in values if not is_condition(skeleton, index)]
    shares = _shares(skeleton, values)[: len(names)]
    if len(shares) != len(names):
        return []
    facts: list[ValueFact] = []
    for name, (value_at, share, quantity) in zip(names, shares, strict=True):
        spec = skeleton.mention(name).spec
        if spec is None or not fits(spec, quantity):
            return []
        for subject in subjects_of(text, skeleton, names[-1], value_at, None)[:1]:
            found = replace(subject, rule="value-respectively")
            facts.append(ValueFact(found, spec, name, value_at, quantity, found.rule, share))
    return facts
