"""Of which material a property is said. Precision first: when two materials could be meant, none is taken."""

from __future__ import annotations

import re
from dataclasses import dataclass

from minerva_desktop.extraction.chunks import Skeleton
from minerva_desktop.extraction.mentions import Mention, Reading

_LOCAL = re.compile(
    r"(?:[aun]\.{0,2}Q|\(\.{0,3}Q?\)|\.(?=f)|h?b[rG]{1,2})?(?:[fi]\.{0,3}|[fi]\.{0,2}o\.?|.?jo|\)o\.{0,3})"
    r"(M(?:(?:,c?|c)M)*)|\((M)\)"
)
_OF = re.compile(r"(?:\.{0,2}[ofi][.KI]{0,3}(?:o\.{0,2})?|jo)(M(?:(?:,c?|c)M)*)")
_THAT = re.compile(r"[qj][ofi]\.{0,3}(?:o\.{0,2})?(M)(?!.*[qj][ofi]\.{0,3}M)")
_OPENING = re.compile(r"w\.{0,3}PoQ(?:[aun]\.{0,2}Q)?,\.{0,3}(M)")
_BRACKET_END = re.compile(r"M(?:\([^()]{0,6}\))?[.A]{0,2}\((?:[^()]*[,;cw])?\.{0,2}(?:P?[eobr]?)$")
_WITH = re.compile(r"(M)(?:k?\.{0,2}A{0,2}),?(?:qh|w|q)\.{0,3}$")
_COMPOUND = re.compile(r"M\.{0,1}$")
_VERB = re.compile(r"[bhrG]")
_NOT_IN_BRACKET = tuple("nwyzv")
_NOT_SUBJECT = frozenset("niwvyzautkx")

_CARRYING = re.compile(
    r"(?:It|Its|(?:This|These|The) (?:\w+ )?(?:materials?|compounds?|films?|alloys?|oxides?|ceramics?|crystals?|"
    r"phases?|superconductors?|semiconductors?|perovskites?|polymers?|layers?|coatings?|samples?|powders?|nano\w+))\b"
)


@dataclass(frozen=True, slots=True)
class Subject:
    """The material that a fact is about: its mention, its chunk (-1 when carried over) and the rule that found it."""

    mention: Mention
    at: int
    rule: str
    trigger: str = ""


def usable(mention: Mention, *, explicit: bool = False) -> bool:
    """Whether a mention is the material itself. A gas counts only where it is named outright ("density of H2O")."""
    return mention.role in {"", "component"} or (explicit and mention.role == "gas")


def subjects_of(
    text: str, skeleton: Skeleton, property_at: int, value_at: int, carried: Mention | None
) -> list[Subject]:
    """The materials that property and value belong to; usually one, more for "of A and B", none when unclear."""
    first, last = min(property_at, value_at), max(property_at, value_at)
    codes = skeleton.codes
    bracket = _BRACKET_END.search(codes[:first])
    if codes[value_at - 1 : value_at] == "(" and codes[value_at - 2 : value_at - 1] == "M":
        if codes[: value_at - 2].rstrip(".")[-1:] in _NOT_IN_BRACKET:
            return []  # "a composite based on coarse YSZ (500 S/cm)": the value may be the composite's
        return _take(skeleton, [value_at - 2], "value-bracket")
    inside = bracket is not None and "(" in codes[bracket.start() : first] and first == property_at
    if (
        bracket
        and bracket.end() == first
        and (inside or codes[: bracket.start()].rstrip(".")[-1:] not in _NOT_IN_BRACKET)
    ):  # "on SnO2 (resistivity: 14 ohm)": a bracket that names the property speaks of what stands before it
        return _take(skeleton, [bracket.start()], "value-bracket")
    local = _LOCAL.match(codes, last + 1)
    if local:
        group = 1 if local.group(1) else 2
        if not _gas_only(skeleton, local.start(group), local.end(group)):
            return _take(skeleton, _items(codes, local.start(group), local.end(group)), "value-for")
    gap = codes[property_at + 1 : value_at]
    that = _THAT.search(gap)
    if that:  # "… whereas that of GaN is 130 W/(m K)"
        return _take(skeleton, [property_at + 1 + that.start(1)], "value-of")
    if re.search(r"x.*M|[qj]\(", gap):
        return []  # a contrast has brought in another material
    of = _OF.match(codes, property_at + 1)
    if of and (value_at < property_at or of.end() <= value_at):
        outright = skeleton.mention(property_at).spec
        explicit = outright is not None and outright.semantic_class == "material_property"
        return _take(skeleton, _items(codes, of.start(1), of.end(1)), "value-of", explicit=explicit)
    if re.match(r"\.{0,2}o\.{0,3}D|\.{0,2}[ofi]\.{0,2}I", codes[property_at + 1 :]):
        return []
    other = re.match(r"\.?o[.KDA]+([^.KDA])", codes[property_at + 1 :])
    if other and other.group(1) != "Q":
        return []  # the property of something that is no known material
    compound = _COMPOUND.search(codes[:first])
    if (
        compound
        and not _separated(text, skeleton, compound.start(), first)
        and not is_symbol(skeleton, compound.start())
    ):
        return _take(skeleton, [compound.start()], "value-compound")
    with_ = _WITH.search(codes[:first])
    related = with_ is not None and "q" in codes[with_.start(1) : first]
    if with_ and (related or not re.search(r"x[.wti]{0,5}$", codes[: with_.start(1)])):
        return _take(skeleton, [with_.start(1)], "value-with")
    if re.search(r"I\.{0,2}$", codes[:first]) and "M" in codes[:first]:
        return _possessed(skeleton, first)
    opening = _OPENING.match(codes, max(0, clause_start(codes, first) - 1)) or _OPENING.match(codes)
    if opening and opening.start(1) > last:
        return _take(skeleton, [opening.start(1)], "value-with")
    return _by_verb(skeleton, first, carried)


def _possessed(skeleton: Skeleton, first: int) -> list[Subject]:
    """ "GaN was studied; its band gap is …": the only material that was named before."""
    items = _items(skeleton.codes, 0, first)
    keys = {mention.entity.key for index in items if (mention := skeleton.mention(index)).entity is not None}
    return _take(skeleton, items[-1:], "value-its") if len(keys) == 1 else []


def _gas_only(skeleton: Skeleton, first: int, last: int) -> bool:
    return all(skeleton.mention(index).role in {"gas", "aside"} for index in _items(skeleton.codes, first, last))


def _items(codes: str, first: int, last: int) -> list[int]:
    return [index for index in range(first, last) if codes[index] == "M"]


def _take(skeleton: Skeleton, items: list[int], rule: str, *, explicit: bool = False) -> list[Subject]:
    mentions = [(index, skeleton.mention(index)) for index in items]
    if not all(usable(mention, explicit=explicit) for _, mention in mentions):
        return []
    return [Subject(mention, index, rule) for index, mention in mentions]


def is_symbol(skeleton: Skeleton, index: int) -> bool:
    """Whether a material is written as the symbol of one element: before a property it is an ion or a dopant more often
    ("Li transference number")."""
    return len(skeleton.mention(index).elements) == 1


def _separated(text: str, skeleton: Skeleton, material: int, following: int) -> bool:
    between = text[skeleton.chunks[material].end : skeleton.chunks[following].start]
    return any(sign in between for sign in ",;:()")


def clause_start(codes: str, at: int) -> int:
    """The chunk at which the clause that holds ``at`` begins."""
    start = 0
    for match in re.finditer(r";|x|,c(?=[^,]{0,12}[bhr])|,(?=[.I]{0,3}M[bh]|[.I]{1,3}[bh])|q", codes[:at]):
        start = match.end()
    return start


def _by_verb(skeleton: Skeleton, first: int, carried: Mention | None) -> list[Subject]:
    """The subject of the verb before the property: "GaN grown on sapphire exhibits a band gap of …"."""
    codes = skeleton.codes
    start = clause_start(codes, first)
    if start > 0 and codes[start - 1] == "q":  # "MgB2, which has a Tc of …"
        head = re.search(r"(M),?$", codes[: start - 1])
        if head and _VERB.match(codes[start:first]):
            return _take(skeleton, [head.start(1)], "value-verb")
    if start > 0 and codes[start - 1] == "x":
        comma = codes.find(",", start, first)  # "unlike GaN, AlN shows …": the subject stands behind the comma
        if comma >= 0 and "M" in codes[comma + 1 : first]:
            start = comma + 1
    verb = _last_verb(codes, start, first)
    if verb < 0:
        return []
    inside = re.sub(r"\([^()]*\)", lambda match: "." * len(match.group()), codes[start:verb])
    inside = _same_named(skeleton, start, inside, first)
    heads = [start + index for index, code in enumerate(inside) if code == "M" and _may_be_subject(inside, index)]
    if heads:
        listed = re.fullmatch(r"M(?:(?:,c?|c)M)*", codes[heads[0] : heads[-1] + 1])
        if len(heads) > 1 and not listed:
            return []
        return _take(skeleton, heads, "value-verb")
    if carried is not None and re.match(r"[I.]\.{0,2}[bhrP]", codes[start:]) and "M" not in codes[start:first]:
        return [Subject(carried, -1, "value-carried")]
    return []


def _same_named(skeleton: Skeleton, start: int, inside: str, property_at: int) -> str:
    """The subject with the property's own name left out of it: "the lattice parameter of Si is a = 0.543 nm"."""
    if skeleton.codes[property_at] != "P":
        return inside
    spec = skeleton.mention(property_at).spec
    return "".join(
        "." if code == "P" and skeleton.mention(start + index).spec is spec else code
        for index, code in enumerate(inside)
    )


def _last_verb(codes: str, start: int, end: int) -> int:
    """The finite verb: the first verb behind the last subject candidate."""
    for index in range(start, end):
        if codes[index] in "hbr" and (index + 1 >= end or codes[index + 1] not in "M"):
            return index
    return next((index for index in range(start, end) if codes[index] in "hbr"), -1)


def _may_be_subject(inside: str, index: int) -> bool:
    """A material behind "on", "with", "by" … is not what the sentence is about; behind "of" it is, unless a device is
    of it."""
    before = inside[:index].rstrip(".")
    if not before:
        return True
    if before[-1] in _NOT_SUBJECT or re.search(r"[DA][^,;]*$", before):
        return False
    if before[-1] == "o":
        head = before[:-1].rstrip(".")
        return head[-1:] not in ("P", "S") and not any(code in _NOT_SUBJECT for code in head[-3:])
    if before[-1] in ",c":
        return before.rstrip(",c")[-1:] in {"M", ""} or before[-1] == ","
    return before[-1] not in "GU" or "M" not in before


def refers_back(text: str) -> bool:
    """Whether a sentence begins with a word for the material of the sentence before ("It", "This oxide")."""
    return _CARRYING.match(text) is not None


def carried_over(reading: Reading) -> Mention | None:
    """The material that the next sentence may refer back to: the only one of this sentence, if it is one itself."""
    materials = {
        mention.entity.key: mention
        for mention in reading.mentions
        if mention.kind == "material" and mention.entity is not None and mention.role != "gas"
    }
    carried = next(iter(materials.values())) if len(materials) == 1 else None
    return carried if carried is not None and carried.role in {"", "component"} else None
