"""Reads one sentence: finds every mention in it and settles which of two overlapping ones stands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from minerva_desktop.extraction.lexicon import Entry, Lexicon, Match, PhraseTable
from minerva_desktop.extraction.materials import CHEMICAL_END, find_materials
from minerva_desktop.extraction.mentions import Mention, MentionKind, Reading, token_range
from minerva_desktop.extraction.tokens import Token, exact_phrase, fold_phrase, tokenize
from minerva_desktop.language.abbreviations import find_definitions
from minerva_desktop.language.elements import NAMES, SYMBOLS, symbol_for_name
from minerva_desktop.language.formulas import FoundFormula, find_formulas
from minerva_desktop.language.quantities import find_quantities, parse_value
from minerva_desktop.language.units import UnitSet, units_in_use
from minerva_desktop.records import Entity

_NEEDS_EQUALS = frozenset(SYMBOLS) - {"Tc"}
_EQUALS = frozenset({"=", "≈", "~", "∼", "≃", "≅"})
_PRIORITY = {"quantity": 0, "material": 1, "property": 2, "predicate": 3, "method": 4, "application": 5}
_ELEMENT_NAMES = frozenset(NAMES)
_DIGIT = re.compile(r"\d")
_PER = re.compile(r"\s?/\s?[A-Za-z]{2,}|\s(?:per|each)\s")  # "0.02 nm/pulse" is no length
_NUMBER = re.compile(r"(?<![\w.\[-])(?:[~≈∼]\s?)?\d+(?:\.\d+)?(?:\s?[–-]\s?\d+(?:\.\d+)?)?(?![\w%\]°]|\.\d|\s?[-–]\w)")


@dataclass(frozen=True, slots=True)
class Names:
    """What a document calls things by names of its own."""

    table: PhraseTable = field(default_factory=PhraseTable)
    foreign: frozenset[str] = frozenset()


def names_of(text: str, lexicon: Lexicon, known: Mapping[str, str]) -> Names:
    """The abbreviations that a document defines and the names that the library knows.

    An abbreviation that stands for something else here ("LSC, laser scanning confocal") is not read as the domain's.
    """
    definitions = {**find_definitions(text), **formula_definitions(text)}
    heads = _bare_heads(text, lexicon)
    if not definitions and not heads:
        return _library_names(tuple(sorted(known.items())))
    table = _table_of(sorted(known.items()))
    foreign: set[str] = set()
    for short, long in sorted(definitions.items()):
        entry = _entry_of(long, lexicon)
        if entry is not None:
            table.add(exact_phrase(short), replace(entry, name=long, exact=True))
        else:
            foreign.add(short)
    for head, name in heads.items():
        table.add(fold_phrase(head), Entry("application", name, head))
        table.add((f"{head}s",), Entry("application", name, head))
    return Names(table, frozenset(foreign))


@lru_cache(maxsize=64)
def _library_names(known: tuple[tuple[str, str], ...]) -> Names:
    """The same object for the same names, so that a sentence which is read with them twice is read once."""
    return Names(_table_of(known))


def _table_of(known: Iterable[tuple[str, str]]) -> PhraseTable:
    table = PhraseTable()
    for name, canonical in known:
        if len(name) > 1:
            table.add(exact_phrase(name), Entry("material", canonical, name, True))
    return table


_HEADS = ("cell", "battery", "detector", "sensor", "transistor", "stack")
_UNLIKE = re.compile(r"\b(?:cell lines?|cell culture|in vitro|in vivo|cytotoxic\w*|stem cells?|tissues?)\b")
_UNLIKE_SIGNS = ("cell line", "cell culture", "in vitro", "in vivo", "cytotoxic", "stem cell", "tissue")
"""What ``_UNLIKE`` needs one of."""
_WITH_WORDS = {head: re.compile(rf"((?:[\w-]+ ){{1,4}}){head}s?\b") for head in _HEADS}
_ENDS_WORD = re.compile(r"s?\b")
_MENTIONED = 2


def _bare_heads(text: str, lexicon: Lexicon) -> dict[str, str]:
    """What "the cell" means in a document that is about fuel cells: the application with that head that it names most.

    Nothing where living cells are spoken of too.
    """
    found: dict[str, str] = {}
    if any(sign in text for sign in _UNLIKE_SIGNS) and _UNLIKE.search(text):
        return found
    for head in _HEADS:
        counts: Counter[str] = Counter()
        for before in _before(text, head):
            words = fold_phrase(f"{before}{head}")
            for first in range(len(words) - 1):
                entries = [item for item in lexicon.folded.whole(words[first:]) if item.kind == "application"]
                if entries:
                    counts[entries[0].key] += 1
                    break
        if counts:
            name, count = min(counts.items(), key=lambda item: (-item[1], item[0]))
            if count >= _MENTIONED:
                found[head] = name
    return found


def _before(text: str, head: str) -> Iterator[str]:
    """The up to four words before each mention of a head: what its pattern finds, but looked for only near the head."""
    done = at = 0
    while (at := text.find(head, at)) >= 0:
        start = _words_back(text, at, done)
        if start == at or not _ENDS_WORD.match(text, at + len(head)):
            at += 1
            continue
        match = _WITH_WORDS[head].match(text, start)
        assert match is not None
        yield match.group(1)
        done = at = match.end()


def _words_back(text: str, at: int, least: int) -> int:
    """Where the up to four words begin that stand before a place, each with one space behind it."""
    for _ in range(4):
        if at <= least or text[at - 1] != " ":
            break
        first = at - 1
        while first > least and (text[first - 1].isalnum() or text[first - 1] in "_-"):
            first -= 1
        if first == at - 1:
            break
        at = first
    return at


_SHORT_IN_BRACKETS = re.compile(r"\s?\(([A-Z][A-Za-z]{0,5}\d{0,3})[);,]")
_WINDOW = 70


def formula_definitions(text: str) -> dict[str, str]:
    """Short names with the formulas they stand behind: "La0.6Sr0.4CoO3−δ (LSC)". The capitals of a short name are the
    first letters of elements of the formula, in its order."""
    found: dict[str, str] = {}
    for match in _SHORT_IN_BRACKETS.finditer(text):
        short = match.group(1)
        capitals = [letter for letter in short if letter.isupper()]
        if len(capitals) < 2 or short in found:
            continue
        window = text[max(0, match.start() - _WINDOW) : match.start()]
        if not _DIGIT.search(window[-8:]) and "δ" not in window[-4:]:
            continue
        last = next((item for item in reversed(find_formulas(window)) if item.end == len(window)), None)
        if last is not None and _initials(capitals, re.findall(r"[A-Z][a-z]?", window[last.start : last.end])):
            found[short] = window[last.start : last.end]
    return found


def _initials(capitals: Sequence[str], symbols: Sequence[str]) -> bool:
    """Whether capitals are first letters of symbols, in order, beginning with the first symbol."""
    rest = iter(symbols)
    return (
        symbols[:1] != []
        and symbols[0][0] == capitals[0]
        and all(any(symbol[0] == capital for symbol in rest) for capital in capitals)
    )


def _entry_of(long: str, lexicon: Lexicon) -> Entry | None:
    for kind in ("material", "property", "method", "application"):
        entry = lexicon.resolve(long, kind)
        if entry is not None:
            return entry
    whole = _material_in(long, lexicon)
    if whole is not None:
        return whole
    words = fold_phrase(long)
    elements = sum(1 for word in words if len(word) > 2 and symbol_for_name(word))
    if words and elements and (words[-1] in lexicon.material_heads or CHEMICAL_END.search(words[-1])):
        return Entry("material", long, long)
    return None


def _material_in(long: str, lexicon: Lexicon) -> Entry | None:
    """The material that a whole long form names by formula or doping: "Gd-doped CeO2", "La0.6Sr0.4CoO3−δ"."""
    tokens = tokenize(long)
    matches = lexicon.matches(tokens)
    for mention in find_materials(long, tokens, matches, find_formulas(long), lexicon):
        if mention.entity is not None and mention.start == 0 and mention.end >= len(long) - 1 and mention.role != "gas":
            return Entry("material", mention.entity.canonical, long)
    return None


def read(text: str, lexicon: Lexicon, names: Names) -> Reading:
    """A sentence with its mentions."""
    return _read(text, lexicon, names, units_in_use())


@lru_cache(maxsize=512)
def _read(text: str, lexicon: Lexicon, names: Names, own: UnitSet | None) -> Reading:
    tokens = tokenize(text)
    matches = [
        match
        for match in lexicon.matches(tokens, names.table)
        if not (match.entry.exact and match.entry.name in names.foreign) and _stands(tokens, match)
    ]
    words = frozenset(token.folded for token in tokens)
    if not words.isdisjoint(_ELEMENT_NAMES):
        matches += _chemical_names(tokens, matches)
    matches += _shared_heads(tokens, matches, lexicon)
    mentions = find_materials(text, tokens, matches, _formulas(text, tokens, matches), lexicon)
    mentions += _terms(text, tokens, matches, lexicon)
    if _DIGIT.search(text) and any(mention.kind == "property" for mention in mentions):
        mentions += _quantities(text, tokens, mentions)
    return Reading(text, tokens, tuple(_settle(mentions)), words)


def _stands(tokens: Sequence[Token], match: Match) -> bool:
    """A symbol that is also an element or a lone letter is a property only before an equals sign."""
    if match.entry.kind != "property" or not match.entry.exact:
        return True
    name = match.entry.name
    if len(name) > 1 and name not in _NEEDS_EQUALS and name not in {"ni", "PF", "MS", "EF", "FF"}:
        return True
    return match.last < len(tokens) and tokens[match.last].text in _EQUALS


def _formulas(text: str, tokens: Sequence[Token], matches: Iterable[Match]) -> list[FoundFormula]:
    """Formulas but for those that are a symbol of a property ("Tc" is a temperature before it is technetium)."""
    symbols = {tokens[match.first].start for match in matches if match.entry.exact and match.entry.kind == "property"}
    return [found for found in find_formulas(text) if found.start not in symbols]


def _shared_heads(tokens: Sequence[Token], matches: Iterable[Match], lexicon: Lexicon) -> list[Match]:
    """ "electron and hole mobilities": the first of two names that share their last word."""
    found: list[Match] = []
    for match in matches:
        at = match.first - 2
        if match.entry.kind != "property" or at < 0 or tokens[at + 1].folded not in {"and", "or"}:
            continue
        words = (tokens[at].folded, tokens[match.last - 1].folded)
        for entry in lexicon.folded.whole(words):
            if entry.kind == "property" and entry.key != match.entry.key:
                found.append(Match(entry, at, at + 1))
    return found


def _chemical_names(tokens: Sequence[Token], matches: Iterable[Match]) -> list[Match]:
    """Systematic names that no gazetteer holds: "praseodymium barium cobaltite"."""
    found: list[Match] = []
    covered = {index for match in matches if match.entry.kind == "material" for index in range(match.first, match.last)}
    position = 0
    while position < len(tokens):
        last = position
        while last < len(tokens) and len(tokens[last].text) > 2 and symbol_for_name(tokens[last].folded):
            last += 1
        last = _past_oxidation_state(tokens, last) if last > position else last
        if last > position and last < len(tokens) and CHEMICAL_END.search(tokens[last].folded):
            if not all(index in covered for index in range(position, last + 1)):
                name = " ".join(token.text.casefold() for token in tokens[position : last + 1])
                name = re.sub(r" \( ?([ivx]+) \)", lambda state: f"({state.group(1).upper()})", name)
                found.append(Match(Entry("material", name, name), position, last + 1))
            position = last + 1
        else:
            position = max(last, position + 1)
    return found


def _past_oxidation_state(tokens: Sequence[Token], at: int) -> int:
    """Past the "(II)" of "titanium(II) chloride"."""
    written = [token.text for token in tokens[at : at + 3]]
    inside = len(written) == 3 and written[0] == "(" and written[2] == ")"
    return at + 3 if inside and re.fullmatch(r"[IVX]+", written[1]) else at


def _terms(text: str, tokens: Sequence[Token], matches: Iterable[Match], lexicon: Lexicon) -> list[Mention]:
    found: dict[tuple[int, int, str], Mention] = {}
    for match in matches:
        kind = match.entry.kind
        if kind not in {"property", "predicate", "method", "application"}:
            continue
        start, end = tokens[match.first].start, tokens[match.last - 1].end
        written = text[start:end]
        spec = lexicon.properties.get(match.entry.key) if kind in {"property", "predicate"} else None
        key = (match.first, match.last, kind)
        if key in found and spec is not None:
            found[key] = replace(found[key], alternatives=(*found[key].alternatives, spec))
            continue
        label = spec.label if spec else match.entry.key
        entity = Entity({"method": "Method", "application": "Application"}.get(kind, "Property"), written, label)
        if lexicon.blacklist.find(entity.type, written, label):
            continue
        mention_kind: MentionKind = kind
        found[key] = Mention(mention_kind, start, end, match.first, match.last, entity, spec)
    return list(found.values())


def _quantities(text: str, tokens: Sequence[Token], mentions: Sequence[Mention]) -> list[Mention]:
    found: list[Mention] = []
    bare: list[tuple[int, int]] = []
    for item in find_quantities(text):
        if not item.unit_text and item.quantity.dimension in {"", "count", "dimensionless"}:
            bare.append((item.start, item.end))
        if item.quantity.kind == "count" or item.quantity.dimension == "count" or _PER.match(text, item.end):
            continue
        first, last = token_range(tokens, item.start, item.end)
        if first < last and not any(_is_share_of(text, mention, item.end) for mention in mentions):
            found.append(Mention("quantity", item.start, item.end, first, last, quantity=item.quantity))
    plain = any(
        spec.dimension == "dimensionless" or "dimensionless" in spec.other_dimensions
        for mention in mentions
        if mention.kind == "property" and mention.spec
        for spec in (mention.spec, *mention.alternatives)
    )
    if plain:
        found += _bare_numbers(text, tokens, bare, [mention.span for mention in (*found, *mentions)])
    return found


def _is_share_of(text: str, mention: Mention, end: int) -> bool:
    """Whether the quantity that ends there is the composition in a name: "8 mol% yttria-stabilized zirconia"."""
    return mention.composition is not None and end <= mention.start and not text[end : mention.start].strip(" -‐‑–")


def _bare_numbers(
    text: str, tokens: Sequence[Token], counted: Sequence[tuple[int, int]], taken: Sequence[tuple[int, int]]
) -> list[Mention]:
    """Numbers without a unit, for properties that have none (refractive index, zT): those that the quantity parser saw
    as counts (``counted``, with their "exceeds" or "about"), and the others."""
    found: list[Mention] = []
    plain = [match.span() for match in _NUMBER.finditer(text)]
    inside = [span for span in plain if not any(start <= span[0] and span[1] <= end for start, end in counted)]
    for start, end in sorted((*counted, *inside)):
        if any(start < other_end and end > other_start for other_start, other_end in taken):
            continue
        before = text[max(0, start - 8) : start].casefold()
        if re.search(r"(?:fig|figs|table|ref|refs|eq|sec)\.?\s?$|[\[,]\s?$", before) and "[" in text[:start]:
            continue
        if re.search(r"(?:fig|figs|figure|table|ref|refs|eq|step|sample|no)\.?\s?$", before):
            continue
        quantity = parse_value(text[start:end], expected_dimension="dimensionless")
        first, last = token_range(tokens, start, end)
        if quantity.ok and first < last:
            found.append(Mention("quantity", start, end, first, last, quantity=quantity))
    return found


def _settle(mentions: list[Mention]) -> list[Mention]:
    """The longest mention at each place; a quantity beats what it overlaps unless that is much longer."""

    def rank(mention: Mention) -> tuple[int, int, int]:
        length = mention.end - mention.start
        return (-(length + (6 if mention.kind == "quantity" else 0)), _PRIORITY[mention.kind], mention.start)

    kept: list[Mention] = []
    for mention in sorted(mentions, key=rank):
        if all(mention.last <= other.first or mention.first >= other.last for other in kept):
            kept.append(mention)
        elif mention.kind == "material" and all(
            mention.end <= other.start or mention.start >= other.end for other in kept
        ):
            kept.append(_without_form(mention))  # only its form word is claimed by a longer name
    return sorted(kept, key=lambda item: item.start)


def _without_form(mention: Mention) -> Mention:
    return replace(mention, last=mention.first + max(1, mention.last - mention.first - 1))
