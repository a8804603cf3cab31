"""All names of a domain in one dictionary of word sequences, so that a sentence is read once, not once per name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from minerva_desktop.domains import Domain
from minerva_desktop.domains.blacklist import Blacklist
from minerva_desktop.domains.pack import Material, PropertySpec
from minerva_desktop.extraction.tokens import Token, exact_phrase, fold_phrase, fold_word

Kind = Literal["material", "property", "predicate", "method", "application", "form", "generic", "device"]
_NUMBERED = re.compile(r"\d{1,2}((?:[A-Z][a-z]?){3,5})")
_SUBSCRIPTED = re.compile(r"([A-Z]|[A-Z]?[a-z]?[A-Z])_?([a-z][\w,]*|[A-Z])")


@dataclass(frozen=True, slots=True)
class Entry:
    """One name: what kind of thing it names and the canonical name of that thing."""

    kind: Kind
    key: str  # canonical name, or property id
    name: str  # the spelling in the lexicon
    exact: bool = False  # compared with case
    formula: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """An entry found at tokens ``first`` to ``last`` (exclusive)."""

    entry: Entry
    first: int
    last: int


class PhraseTable:
    """Word sequences by their first word; the longest is tried first."""

    def __init__(self) -> None:
        self._by_first: dict[str, dict[tuple[str, ...], list[Entry]]] = {}
        self._lengths: dict[str, list[int]] = {}

    def add(self, words: tuple[str, ...], entry: Entry) -> None:
        if not words:
            return
        entries = self._by_first.setdefault(words[0], {}).setdefault(words, [])
        if all((entry.kind, entry.key) != (other.kind, other.key) for other in entries):
            entries.append(entry)
        lengths = self._lengths.setdefault(words[0], [])
        if len(words) not in lengths:
            lengths.append(len(words))
            lengths.sort(reverse=True)

    def at(self, words: Sequence[str], position: int) -> tuple[list[Entry], int] | None:
        """The longest phrase that starts at ``position``: its entries and its length."""
        first = words[position]
        lengths = self._lengths.get(first)
        if lengths is None:
            return None
        phrases = self._by_first[first]
        for length in lengths:
            if position + length > len(words):
                continue
            entries = phrases.get(tuple(words[position : position + length]))
            if entries is not None:
                return entries, length
        return None

    @property
    def firsts(self) -> Collection[str]:
        """The words that a phrase begins with."""
        return self._lengths.keys()

    def whole(self, words: tuple[str, ...]) -> list[Entry]:
        return self._by_first.get(words[0], {}).get(words, []) if words else []


class Lexicon:
    """The compiled names of one domain."""

    def __init__(self, domain: Domain) -> None:
        self.folded = PhraseTable()
        self.exact = PhraseTable()
        self.properties: dict[str, PropertySpec] = {item.id: item for item in domain.properties}
        self.material_by_formula: dict[str, Material] = {}
        self.abbreviations: dict[str, str] = {}
        self.codes: dict[str, str] = {}  # kept by chunks: the letter of a word
        self.blacklist = Blacklist(domain.blacklist)
        for material in domain.materials:
            self._add_material(material)
        for spec in domain.properties:
            self._add("property", spec.id, (spec.label, *spec.synonyms), spec.case_sensitive)
            self._add("predicate", spec.id, spec.predicates, ())
        for term in domain.methods:
            self._add("method", term.name, (term.name, *term.synonyms), term.case_sensitive)
        for term in domain.applications:
            self._add("application", term.name, (term.name, *term.synonyms), term.case_sensitive)
        self.forms = frozenset(fold_phrase(form) for form in domain.critic.structural_forms)
        self.form_starts = frozenset(words[0] for words in self.forms if words)
        self.generic = frozenset(fold_phrase(name) for name in domain.critic.generic_materials)
        self.devices = frozenset(fold_phrase(name) for name in domain.critic.devices)
        words = domain.extraction
        self.gases = frozenset(words.gases)
        self.molecules = frozenset(words.molecules) | self.gases
        self.components = _folded(words.components)
        self.asides = _folded(words.asides)
        self.asides_of = _folded(words.asides_of)
        self.material_heads = _folded(words.material_heads)
        self.predicate_heads = _folded(words.predicate_heads)
        self.making = _folded(words.making)
        self.consuming = _folded(words.consuming_methods)
        self.bare_properties = _folded(words.bare_properties)
        self.oxides = {fold_word(word): formula for word, formula in words.oxides.items()}

    def _add(self, kind: Kind, key: str, names: Iterable[str], symbols: Iterable[str], formula: str = "") -> None:
        for name in names:
            if name in symbols or (name.isupper() and len(name) < 7):
                self.exact.add(exact_phrase(name), Entry(kind, key, name, True, formula))
            else:
                self.folded.add(fold_phrase(name), Entry(kind, key, name, False, formula))
        for symbol in symbols:
            for spelling in _spellings(symbol):
                self.exact.add(exact_phrase(spelling), Entry(kind, key, symbol, True, formula))

    def _add_material(self, material: Material) -> None:
        key = material.formula or material.name
        self._add("material", key, (material.name, *material.synonyms), material.case_sensitive, material.formula)
        if material.case_sensitive:
            self.abbreviations.setdefault(key, material.case_sensitive[0])
        if material.formula:
            self.material_by_formula.setdefault(material.formula, material)

    def matches(self, tokens: Sequence[Token], extra: PhraseTable | None = None) -> list[Match]:
        """Names in a sentence, left to right, the longest at each place, not overlapping within one kind."""
        folded = [token.folded for token in tokens]
        exact = [token.text for token in tokens]
        found: list[Match] = []
        position = 0
        tables = [
            (table, table.firsts, words)
            for table, words in ((extra, exact), (self.exact, exact), (self.folded, folded))
            if table is not None
        ]
        begin_folded, begin_exact = self.folded.firsts, self.exact.firsts
        begin_extra = extra.firsts if extra is not None else ()
        while position < len(tokens):
            word = exact[position]
            if (
                folded[position] not in begin_folded
                and word not in begin_exact
                and word not in begin_extra
                and word[-1] != "s"  # no plural of a symbol
                and not word[0].isdigit()  # and no numbered one
            ):  # nine words of ten
                position += 1
                continue
            best: list[Entry] = []
            length = 0
            for table, firsts, words in tables:
                if words[position] not in firsts:
                    continue
                hit = table.at(words, position)
                if hit is None or hit[1] <= length:
                    continue
                entries = hit[0]
                if words is folded and _inner_capitals(exact[position : position + hit[1]]):
                    entries = [entry for entry in entries if not entry.name.islower()]  # "TiN" is not tin
                if entries:
                    best, length = entries, hit[1]
            if not best:
                best, length = self._plural_symbol(exact, position, extra)
            if best:
                found += [Match(entry, position, position + length) for entry in best]
                position += length
            else:
                position += 1
        return found

    def _plural_symbol(self, exact: Sequence[str], position: int, extra: PhraseTable | None) -> tuple[list[Entry], int]:
        """ "SOFCs" is the plural of a symbol that is compared with case; "8YSZ" is YSZ with its share of dopant."""
        word = exact[position]
        numbered = _NUMBERED.fullmatch(word)
        if numbered:
            base = numbered.group(1)
        elif len(word) > 2 and word[-1] == "s" and word[-2].isupper():
            base = word[:-1]
        else:
            return [], 0
        entries = [*(extra.whole((base,)) if extra is not None else []), *self.exact.whole((base,))]
        if numbered:
            entries = [entry for entry in entries if entry.kind == "material"]
        return (entries, 1) if entries else ([], 0)

    def resolve(self, name: str, kind: Kind) -> Entry | None:
        """The entry of a kind that the whole name stands for."""
        for entries in (self.exact.whole(exact_phrase(name)), self.folded.whole(fold_phrase(name))):
            for entry in entries:
                if entry.kind == kind:
                    return entry
        return None


def _inner_capitals(words: Sequence[str]) -> bool:
    """Whether a word is written with capitals inside, as symbols are; all capitals may be a heading."""
    return any(
        word[1:].isalpha() and not word[1:].islower() and not (word.isupper() and len(word) > 3) for word in words
    )


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(fold_word(word) for word in words)


def _spellings(symbol: str) -> set[str]:
    """A symbol as it is printed and as a PDF gives it when the subscript stands apart: "Tc", "T c"."""
    spellings = {symbol}
    match = _SUBSCRIPTED.fullmatch(symbol)
    if match and 1 < len(symbol) < 8 and not symbol.isupper():
        spellings |= {match.group(1) + match.group(2), f"{match.group(1)} {match.group(2)}"}
    return spellings


_CACHE: dict[int, tuple[Domain, Lexicon]] = {}


def lexicon_of(domain: Domain) -> Lexicon:
    """The compiled lexicon, made once per loaded pack (the pack is kept, so that its id stays its own)."""
    kept = _CACHE.get(id(domain))
    if kept is None or kept[0] is not domain:
        if len(_CACHE) > 8:
            _CACHE.clear()
        kept = (domain, Lexicon(domain))
        _CACHE[id(domain)] = kept
    return kept[1]
