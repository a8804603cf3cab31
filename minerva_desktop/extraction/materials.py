"""Materials in a sentence: names of the gazetteer, formulas, abbreviations of the document, doped and joined names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from minerva_desktop.extraction.grammar import WORD_CODES
from minerva_desktop.extraction.lexicon import Lexicon, Match
from minerva_desktop.extraction.mentions import Mention, Role, token_range
from minerva_desktop.extraction.tokens import Token, fold_word
from minerva_desktop.language.elements import SYMBOLS, symbol_for_name
from minerva_desktop.language.formulas import Formula, FoundFormula
from minerva_desktop.records import Condition, Entity

_DOPED = frozenset({"doped", "codoped", "stabilized", "substituted", "alloyed", "co"})
_JOINT = re.compile(r"\s?[-–‐‑/+]\s?|[−:]")
_JOINED_BEFORE = re.compile(r"\)\s?[-–‐‑−/+]\s?$|[\w’'′][+/]$")
_JOINED_NUMBER = re.compile(r"[-–‐‑−]\s?\d")
CHEMICAL_END = re.compile(
    r"(?:ox|nitr|carb|bor|sulf|sulph|selen|tellur|phosph|arsen|antimon|silic|fluor|chlor|iod|brom|hydr)ide$|"
    r"(?:cobalt|mangan|ferr|chrom|nickel|cupr|ruthen|aluminat|gallat|titan|zircon|niob|tantal|vanad|tungst|molybd|cer|"
    r"silic|bor|phosph|hafn|stann|bismuth)(?:ite|ate)$"
)
_ORBITAL = re.compile(r"[1-7][spdf]\d*|[KLM]α?")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*(mol|at|wt|vol|m)?\.?\s?%\s*$")
_INNER = frozenset({"thin", "thick", "dense", "porous", "single", "polycrystalline", "nanocrystalline"})
_FORM_BEFORE = {
    ("single", "crystal"): "single crystal",
    ("bulk",): "bulk",
    ("monolayer",): "monolayer",
    ("bilayer",): "bilayer",
    ("few", "layer"): "few layer",
}


_BEFORE_NAMES = frozenset({"of", *(words[-1] for words in _FORM_BEFORE)})


def find_materials(
    text: str,
    tokens: Sequence[Token],
    matches: Iterable[Match],
    formulas: Iterable[FoundFormula],
    lexicon: Lexicon,
) -> list[Mention]:
    """The materials of a sentence, in order and without overlap."""
    candidates = [_named(text, tokens, match, lexicon) for match in matches if match.entry.kind == "material"]
    candidates += [mention for found in formulas if (mention := _written(text, tokens, found, lexicon)) is not None]
    candidates = _allowed(candidates, lexicon)
    if not candidates:
        return []
    chosen = _without_overlap(candidates)
    chosen = _without_overlap([_with_dopant(text, tokens, mention, lexicon) for mention in chosen])
    chosen = _joined(text, tokens, chosen, lexicon)
    chosen = [_with_label(text, tokens, mention, lexicon) for mention in chosen]
    return _allowed([_with_form(text, tokens, mention, lexicon) for mention in chosen], lexicon)


def _allowed(mentions: list[Mention], lexicon: Lexicon) -> list[Mention]:
    """Without what a person ruled out."""
    if not lexicon.blacklist:
        return mentions
    return [
        mention
        for mention in mentions
        if mention.entity is None
        or not lexicon.blacklist.find("Material", mention.entity.name, mention.entity.canonical)
    ]


def _named(text: str, tokens: Sequence[Token], match: Match, lexicon: Lexicon) -> Mention:
    start, end = tokens[match.first].start, tokens[match.last - 1].end
    written = text[start:end]
    entry = match.entry
    entity = Entity("Material", written, entry.key, aliases=_aliases(entry.key, written, entry.name))
    role: Role = "gas" if entry.key in lexicon.gases else ""
    return Mention("material", start, end, match.first, match.last, entity, role=role)


def _aliases(canonical: str, *names: str) -> tuple[str, ...]:
    return tuple(sorted({name for name in names if name and name != canonical}))


def _written(text: str, tokens: Sequence[Token], found: FoundFormula, lexicon: Lexicon) -> Mention | None:
    formula = found.formula
    canonical = formula.canonical
    if not formula.ok or not _is_substance(formula, lexicon):
        return None
    first, last = token_range(tokens, found.start, found.end)
    if first == last or (last < len(tokens) and _POLYHEDRON.match(tokens[last].folded)):
        return None  # "CoO6 octahedra" are parts of a structure
    known = lexicon.material_by_formula.get(canonical)
    written = text[found.start : found.end]
    entity = Entity("Material", written, canonical, aliases=_aliases(canonical, written, known.name if known else ""))
    role: Role = "gas" if canonical in lexicon.gases else ""
    return Mention(
        "material", found.start, found.end, first, last, entity, role=role, formula=canonical,
        elements=tuple(sorted(formula.elements)),
    )  # fmt: skip


_NONMETALS = frozenset("H He B C N O F Ne Si P S Cl Ar Ge As Se Br Kr Te I Xe At Rn".split())
_NEVER_LABELS = (frozenset(SYMBOLS) - _NONMETALS) | {"H"}
"""Metals and hydrogen: what holds one of them is a compound; "S30N3" is a sample."""


def _is_substance(formula: Formula, lexicon: Lexicon) -> bool:
    """A lone letter is a unit or a symbol far more often than an element; "S30", "Co2" and "SxCy" are labels of
    samples, sites and families; "LiuS" is an author and "FP7" a programme."""
    canonical, elements = formula.canonical, formula.elements
    if canonical in lexicon.molecules:
        return True
    if (
        len(canonical) < 2
        or not _EXOTIC.isdisjoint(elements)
        or (len(elements) > 1 and canonical[0] == "F" and "F" in elements)
    ):
        return False
    amounts = list(elements.values())
    unknown = [amount for amount in amounts if isinstance(amount, str)]
    if elements.keys().isdisjoint(_NEVER_LABELS) and (
        unknown or any(isinstance(amount, float) and (amount > 8 or amount % 1) for amount in amounts)
    ):
        return False
    if any(len(amount) == 1 and amount not in _USUAL_VARIABLES for amount in unknown) and not _DIGIT.search(canonical):
        return False
    if len(elements) == 1:
        return canonical in SYMBOLS
    return len(unknown) < len(amounts)


_EXOTIC = frozenset(
    "He Ne Ar Kr Po At Rn Fr Ra Ac Pa Np Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og".split()
)
"""Elements that no ordinary compound holds."""
_USUAL_VARIABLES = frozenset("xyzδε")
_DIGIT = re.compile(r"\d")
_POLYHEDRON = re.compile(r"^(?:octahedr|tetrahedr|polyhedr|unit|site|coordination)")


def _without_overlap(mentions: list[Mention]) -> list[Mention]:
    """The longest at each place; of equals the one that comes first in ``mentions`` (the gazetteer's)."""
    order = sorted(range(len(mentions)), key=lambda index: (-(mentions[index].end - mentions[index].start), index))
    kept: list[Mention] = []
    for index in order:
        mention = mentions[index]
        if all(mention.end <= other.start or mention.start >= other.end for other in kept):
            kept.append(mention)
        else:
            _lend_formula(kept, mention)
    return sorted(kept, key=lambda item: item.start)


def _lend_formula(kept: list[Mention], lost: Mention) -> None:
    """A name of the gazetteer that is written as a formula (NbTiN) keeps the formula's elements."""
    for index, other in enumerate(kept):
        if other.span == lost.span and lost.formula and not other.formula:
            kept[index] = replace(other, formula=lost.formula, elements=lost.elements, role=lost.role or other.role)


# ------------------------------------------------------------------------------------------------------- doping
def dopant_of(word: str, lexicon: Lexicon) -> str:
    """The symbol of an element, or the formula of an oxide of the "-ia" kind, that a word names; "" when none."""
    if word in SYMBOLS and word not in {"As", "In", "At", "No", "I"}:
        return word
    if len(word) > 3:
        symbol = symbol_for_name(word)
        if symbol:
            return symbol
    return lexicon.oxides.get(fold_word(word), "")


def _with_dopant(text: str, tokens: Sequence[Token], mention: Mention, lexicon: Lexicon) -> Mention:
    assert mention.entity is not None
    mention = _doped_before(text, tokens, mention, lexicon)
    if "doped" not in (mention.entity.canonical if mention.entity else ""):
        mention = _doped_after(text, tokens, mention, lexicon)
    before = text[: mention.start] if "%" in text else ""
    share = _PERCENT.search(before) if before.rstrip().endswith("%") else None
    if share and mention.first > 0:
        composition = Condition("composition", f"{share.group(1)} {share.group(2) or ''}%".replace(" %", "%"))
        mention = replace(mention, composition=composition)
    return mention


def _doped_before(text: str, tokens: Sequence[Token], mention: Mention, lexicon: Lexicon) -> Mention:
    """ "Sm-doped ceria", "Sr- and Mg-doped LaGaO3", "nitrogen-doped graphene"."""
    at = mention.first - 1
    if at < 1 or tokens[at].folded not in _DOPED or tokens[at].folded == "co":
        return mention
    kind = "doped" if tokens[at].folded == "codoped" else tokens[at].text.casefold().replace("ise", "ize")
    at -= 1
    if at > 0 and tokens[at].folded == "co":
        at -= 1
    dopants: list[str] = []
    first = at
    while at >= 0:
        dopant = dopant_of(tokens[at].text, lexicon)
        if dopant:
            dopants.insert(0, dopant)
            first = at
        elif tokens[at].text not in {",", "/", "and", "&", "-", "("} or not dopants:
            break
        at -= 1
    if not dopants:
        return mention
    return _doped(text, tokens, mention, dopants, kind, first, mention.last)


def _doped_after(text: str, tokens: Sequence[Token], mention: Mention, lexicon: Lexicon) -> Mention:
    """ "ceria doped with 10 mol% Gd", "ZnO doped with aluminium"."""
    at = mention.last
    if at + 2 > len(tokens) or tokens[at].folded not in _DOPED or tokens[at].folded == "co":
        return mention
    kind = tokens[at].text.casefold().replace("ise", "ize")
    if at + 1 >= len(tokens) or tokens[at + 1].folded not in {"with", "by"}:
        return mention
    dopants: list[str] = []
    end = at
    for last in range(at + 2, min(at + 14, len(tokens))):
        dopant = dopant_of(tokens[last].text, lexicon)
        if dopant:
            dopants.append(dopant)
            end = last + 1
        elif dopants and tokens[last].text in {",", "and", "/", "&", "or"}:
            continue
        elif not (tokens[last].text[0].isdigit() or tokens[last].folded in {"mol", "at", "wt", "%", ".", "the"}):
            break
    if not dopants:
        return mention
    return _doped(text, tokens, mention, dopants, kind, mention.first, end)


def _doped(
    text: str, tokens: Sequence[Token], mention: Mention, dopants: list[str], kind: str, first: int, last: int
) -> Mention:
    assert mention.entity is not None
    start, end = tokens[first].start, tokens[last - 1].end
    start, end = min(start, mention.start), max(end, mention.end)
    canonical = f"{'/'.join(dopants)}-{kind} {mention.entity.canonical}"
    written = text[start:end]
    entity = Entity("Material", written, canonical, aliases=_aliases(canonical, written))
    return Mention("material", start, end, first, last, entity)


# ------------------------------------------------------------------------------------------------ joined, formed
def _joined(text: str, tokens: Sequence[Token], mentions: list[Mention], lexicon: Lexicon) -> list[Mention]:
    """ "Ni–YSZ", "LSM/GDC": a composite or stack is one subject, not the last of its parts."""
    joined: list[Mention] = []
    for mention in mentions:
        previous = joined[-1] if joined else None
        if previous is not None and _JOINT.fullmatch(text[previous.end : mention.start]):
            assert previous.entity is not None
            assert mention.entity is not None
            sign = "/" if "/" in text[previous.end : mention.start] else "-"
            canonical = f"{_short(previous.entity, lexicon)}{sign}{_short(mention.entity, lexicon)}"
            written = text[previous.start : mention.end]
            entity = Entity("Material", written, canonical, aliases=_aliases(canonical, written))
            roles = (previous.role, mention.role)
            role: Role = "gas" if roles == ("gas", "gas") else "aside" if "gas" in roles else ""
            joined[-1] = Mention(
                "material", previous.start, mention.end, previous.first, mention.last, entity, role=role
            )
        else:
            joined.append(mention)
    return joined


def _with_label(text: str, tokens: Sequence[Token], mention: Mention, lexicon: Lexicon) -> Mention:
    """ "ZnO-LCP", "LSC-HT": an abbreviation that nothing explains is part of the name; the base alone is another
    material."""
    assert mention.entity is not None
    first, last = mention.first, mention.last
    if last < len(tokens) and tokens[last].glued and _is_label(tokens[last]):
        last += 1
    if first > 0 and tokens[first].glued and tokens[first - 1].text in SYMBOLS:
        symbol = tokens[first - 1]
        entity = Entity(
            "Material", text[symbol.start : mention.end], f"{symbol.text}-{_short(mention.entity, lexicon)}"
        )
        return Mention("material", symbol.start, mention.end, first - 1, last, entity, role=mention.role)
    if first > 0 and tokens[first].glued and _is_label(tokens[first - 1]):
        first -= 1
    if (first, last) == (mention.first, mention.last):
        return mention
    start, end = min(tokens[first].start, mention.start), max(tokens[last - 1].end, mention.end)
    written = text[start:end]
    canonical = re.sub(r"[‐‑–−]", "-", written)
    entity = Entity("Material", written, canonical)
    return Mention("material", start, end, first, last, entity, role=mention.role)


def _is_label(token: Token) -> bool:
    word = token.text
    return 2 <= len(word) <= 6 and word.isalpha() and word.isupper() and word not in SYMBOLS and word not in _MEASURES


_MEASURES = frozenset({"XRD", "SEM", "TEM", "XPS", "AFM", "DC", "AC", "RF", "SOFC", "SOEC", "LED", "FET", "IT"})


def _short(entity: Entity, lexicon: Lexicon) -> str:
    """The name of a part inside a joined name: its formula, its usual abbreviation, or as written."""
    canonical = entity.canonical
    if " " not in canonical and len(canonical) < 24:
        return canonical
    return lexicon.abbreviations.get(canonical) or (entity.name if " " not in entity.name else canonical)


def _with_form(text: str, tokens: Sequence[Token], mention: Mention, lexicon: Lexicon) -> Mention:
    assert mention.entity is not None
    form, last = _form_after(tokens, mention.last, lexicon)
    if not form:
        form = _form_before(tokens, mention.first, lexicon)
    hangs = tokens[mention.first].glued and len(mention.elements) == 1  # the second Mo of Mo–O–Mo
    role: Role = "aside" if hangs or _JOINED_BEFORE.search(text[max(0, mention.start - 8) : mention.start]) else ""
    role = role or mention.role or _role(text, mention.end, tokens, last, lexicon)
    if not role and mention.first > 1 and tokens[mention.first - 1].folded == "of":
        role = "aside" if tokens[mention.first - 2].folded in lexicon.asides_of else ""
    if not form and (last, role) == (mention.last, mention.role):
        return mention
    entity = replace(mention.entity, form=form) if form else mention.entity
    return replace(mention, entity=entity, last=last, role=role)


def _form_after(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> tuple[str, int]:
    for skip in (0, 1):
        if skip and (at >= len(tokens) or tokens[at].folded not in _INNER):
            break
        for length in (3, 2, 1):
            words = tuple(token.folded for token in tokens[at + skip : at + skip + length])
            if len(words) == length and words[0] in lexicon.form_starts and words in lexicon.forms:
                return " ".join(words), at + skip + length
    return "", at


def _form_before(tokens: Sequence[Token], first: int, lexicon: Lexicon) -> str:
    if first == 0 or tokens[first - 1].folded not in _BEFORE_NAMES:
        return ""
    for words, form in _FORM_BEFORE.items():
        if tuple(token.folded for token in tokens[max(0, first - len(words)) : first]) == words:
            return form
    if first > 1 and tokens[first - 1].folded == "of":
        for length in (2, 1):
            words = tuple(token.folded for token in tokens[max(0, first - 1 - length) : first - 1])
            if len(words) == length and words in lexicon.forms and words not in lexicon.generic:
                return " ".join(words)
    return ""


_OXIDATION = re.compile(r"\s?\([IVX]+\)")


def _is_content(token: Token) -> bool:
    """Whether a word can be an adjective of the device: no function word, sign or number."""
    return token.text.isalpha() and len(token.text) > 3 and token.folded not in WORD_CODES


_HANGING = frozenset({"- ", "-,", "– ", "–,", "-)", "‐ ", "‐,"})


def _dopes(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> bool:
    """Whether what stands before is a dopant: "doped" follows, or another dopant and then "doped"."""
    if tokens[at].folded in {"and", ",", "/"} and at + 2 < len(tokens) and dopant_of(tokens[at + 1].text, lexicon):
        at += 2
    if tokens[at].text == "Co" or tokens[at].folded not in _DOPED:
        return False
    after = tokens[at + 1].folded if at + 1 < len(tokens) else ""
    return after not in {"with", "by"}


def _role(text: str, end: int, tokens: Sequence[Token], at: int, lexicon: Lexicon) -> Role:
    """What the name is a modifier of, from the next two words."""
    if at >= len(tokens):
        return ""
    word = tokens[at]
    if word.folded == "based":
        return "based"
    if _dopes(tokens, at, lexicon):
        return "aside"  # a niobium and tantalum co-doped perovskite
    if text[end : end + 2] in _HANGING or _JOINED_NUMBER.match(text, end) or _ORBITAL.fullmatch(word.text):
        return "aside"  # Nb- and Ta-doped samples, 8YSZ-20% glass, Nb 3d
    if word.glued and word.folded not in lexicon.components:
        return "aside"  # the Co–O bond, the Ta-doped sample, the Bi-ferrites
    if word.folded in lexicon.asides or CHEMICAL_END.search(word.folded):
        return "aside"
    if _OXIDATION.match(text, end):
        return "aside"  # Cr(VI)
    for skip in (0, 1):  # one word may stand between: "aluminium electrolytic capacitor"
        if skip and (at + 1 >= len(tokens) or not _is_content(tokens[at])):
            break
        for length in (3, 2, 1):
            words = tuple(token.folded for token in tokens[at + skip : at + skip + length])
            if words in lexicon.devices and words[0] not in lexicon.components:
                return "device"
    if word.folded in lexicon.components:
        follows = tuple(token.folded for token in tokens[at + 1 : at + 2])
        return "device" if follows in lexicon.devices and follows[0] not in lexicon.components else "component"
    return ""
