"""The domain's names compiled for look-up: whole names to canonical names, and names found in a sentence.

Names compare word by word, without case, hyphens, plural and British spelling; symbols ("Tc", "CVD", "GaN") compare
exactly. A formula's case is never folded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from minerva_desktop.domains.blacklist import Blacklist
from minerva_desktop.domains.pack import Domain, PropertySpec
from minerva_desktop.language.elements import NAMES, is_symbol, symbol_for_name
from minerva_desktop.language.formulas import composition_key, find_formulas, parse_formula
from minerva_desktop.language.names import normalise_text, singular

Kind = Literal["material", "property", "method", "application"]

_WORD = re.compile(r"[^\W_]+(?:_[^\W_]+)?[*+]?")
_SPELLING = (
    (re.compile(r"vapour"), "vapor"),
    (re.compile(r"^(micro|nano)?fibre"), r"\1fiber"),
    (re.compile(r"centre"), "center"),
    (re.compile(r"colour"), "color"),
    (re.compile(r"behaviour"), "behavior"),
    (re.compile(r"sulph"), "sulf"),
    (re.compile(r"^alumini?um"), "aluminum"),
    (re.compile(r"caesium"), "cesium"),
    (re.compile(r"mould"), "mold"),
    (re.compile(r"tunnell"), "tunnel"),
    (re.compile(r"(?<=\w{4})isation$"), "ization"),
    (re.compile(r"(?<=\w{3}[lrntd])is(e|ed|es|ing|er)$"), r"iz\1"),
)


@lru_cache(maxsize=65536)
def fold_word(word: str) -> str:
    """One spelling for a word: lower case, singular, American."""
    folded = singular(word.casefold())
    for pattern, instead in _SPELLING:
        folded = pattern.sub(instead, folded)
    return folded


def words_of(text: str) -> list[tuple[str, int, int]]:
    """The words of a text with their places; hyphens and punctuation only part them."""
    return [(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]


def fold_name(name: str) -> str:
    """A name for comparison: folded words joined by one space."""
    return " ".join(fold_word(word) for word, _, _ in words_of(normalise_text(name)))


def squash(folded: str) -> str:
    """A folded name without its spaces, so that "nano-wire" and "nanowire" are one."""
    return folded.replace(" ", "")


@dataclass(frozen=True, slots=True)
class Entry:
    """A name of the lexicon. ``predicate`` marks names that say a property of their subject ("superconductor")."""

    kind: Kind
    key: str
    words: tuple[str, ...]
    predicate: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found at ``text[start:end]``; ``key`` is canonical."""

    kind: Kind
    key: str
    start: int
    end: int
    predicate: bool = False


class Lexicon:
    """The names of one domain pack."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.blacklist = Blacklist(domain.blacklist)
        self._folded: dict[str, list[Entry]] = {}
        self._exact: dict[str, list[Entry]] = {}
        self._whole_folded: dict[tuple[Kind, str], str] = {}
        self._whole_exact: dict[tuple[Kind, str], str] = {}
        self._by_composition: dict[tuple[object, ...], str] = {}
        self.specs: dict[str, PropertySpec] = {spec.id: spec for spec in domain.properties}
        self._add_materials(domain)
        self._add_properties(domain)
        for term in domain.methods:
            self._add("method", term.name, (term.name, *term.synonyms), term.case_sensitive)
        for term in domain.applications:
            self._add("application", term.name, (term.name, *term.synonyms), term.case_sensitive)
        critic = domain.critic
        self.generic = _folded_set(critic.generic_materials)
        self.forms = _folded_set(critic.structural_forms)
        self.devices = _folded_set(critic.devices)
        self.vague = _folded_set(critic.vague_words)
        self.method_words = _folded_set(critic.method_words)
        for table in (self._folded, self._exact):
            for entries in table.values():
                entries.sort(key=lambda entry: (-len(entry.words), entry.kind, entry.key))

    def _add_materials(self, domain: Domain) -> None:
        for material in domain.materials:
            key = material.formula or material.name
            self._add("material", key, (material.name, *material.synonyms), material.case_sensitive)
            if material.formula:
                self._whole_exact.setdefault(("material", material.formula), key)
                composition = _composition(material.formula)
                if composition:
                    self._by_composition.setdefault(composition, key)
        for name, symbol in sorted(NAMES.items()):
            if ("material", fold_name(name)) not in self._whole_folded:
                self._add("material", symbol, (name,), ())

    def _add_properties(self, domain: Domain) -> None:
        for spec in domain.properties:
            self._add("property", spec.id, (spec.id.replace("_", " "), spec.label, *spec.synonyms), spec.case_sensitive)
        for spec in domain.properties:
            self._add("property", spec.id, spec.predicates, (), predicate=True)

    def _add(
        self, kind: Kind, key: str, names: Iterable[str], symbols: Sequence[str], *, predicate: bool = False
    ) -> None:
        for name in names:
            if name in symbols:
                continue
            if name.isupper() and len(name) < 7:
                self._add_exact(kind, key, name)
                continue
            folded = fold_name(name)
            if folded and (kind, folded) not in self._whole_folded:
                self._whole_folded[kind, folded] = key
                parts = tuple(folded.split(" "))
                self._folded.setdefault(parts[0], []).append(Entry(kind, key, parts, predicate))
        for symbol in symbols:
            self._add_exact(kind, key, symbol)

    def _add_exact(self, kind: Kind, key: str, symbol: str) -> None:
        parts = tuple(word for word, _, _ in words_of(normalise_text(symbol)))
        joined = " ".join(parts)
        if parts and (kind, joined) not in self._whole_exact:
            self._whole_exact[kind, joined] = key
            self._exact.setdefault(parts[0], []).append(Entry(kind, key, parts))

    # ------------------------------------------------------------------------------------------- whole names
    def resolve(self, kind: Kind, name: str) -> str:
        """The canonical name (of a property: its id) that a whole name stands for; "" when it is not known."""
        parts = [word for word, _, _ in words_of(normalise_text(name))]
        exact = self._whole_exact.get((kind, " ".join(parts)))
        if exact is None and parts and parts[-1].endswith("s") and parts[-1][:-1].isupper():
            exact = self._whole_exact.get((kind, " ".join([*parts[:-1], parts[-1][:-1]])))
        if exact is not None:
            return exact
        if len(parts) == 1 and _inner_capital(parts[0]):
            return ""
        return self._whole_folded.get((kind, " ".join(fold_word(word) for word in parts)), "")

    def material(self, name: str) -> str:
        """The canonical name of a material: gazetteer, element or formula; "" when it is none of these."""
        known = self.resolve("material", name)
        if known:
            return known
        symbol = symbol_for_name(name.strip())
        if symbol:
            return symbol
        formula = parse_formula(name)
        if not formula.ok or (len(formula.elements) == 1 and not is_symbol(formula.canonical) and len(name) < 2):
            return ""
        return self._by_composition.get(_composition(formula.canonical), formula.canonical)

    def property(self, name: str) -> PropertySpec | None:
        """The property that a whole name stands for."""
        return self.specs.get(self.resolve("property", name))

    # ------------------------------------------------------------------------------------------ names in text
    def find(self, text: str) -> list[Mention]:
        """Names of the lexicon in a text, in order; the longest of each kind at each place. Materials include written
        formulas."""
        words = words_of(text)
        folded = [fold_word(word) for word, _, _ in words]
        found: list[Mention] = []
        taken: dict[Kind, int] = {"material": 0, "property": 0, "method": 0, "application": 0}
        for index in range(len(words)):
            for kind, entry in self._at(words, folded, index).items():
                start, end = words[index][1], words[index + len(entry.words) - 1][2]
                if start >= taken[kind]:
                    taken[kind] = end
                    found.append(Mention(kind, entry.key, start, end, entry.predicate))
        found = [item for item in found if not (_is_verb_lead(text, item) or _is_letter(text, item))]
        return sorted(self._with_formulas(text, found), key=lambda item: (item.start, item.end, item.kind))

    def _at(self, words: Sequence[tuple[str, int, int]], folded: Sequence[str], index: int) -> dict[Kind, Entry]:
        best: dict[Kind, Entry] = {}
        exact = [word for word, _, _ in words[index : index + 8]]
        for entries, tokens in (
            (self._exact.get(exact[0], ()), exact),
            (self._exact.get(exact[0][:-1], ()) if _is_plural_symbol(exact[0]) else (), [exact[0][:-1], *exact[1:]]),
            (() if _inner_capital(exact[0]) else self._folded.get(folded[index], ()), folded[index : index + 8]),
        ):
            for entry in entries:
                kept = best.get(entry.kind)
                if (kept is None or len(kept.words) < len(entry.words)) and tuple(
                    tokens[: len(entry.words)]
                ) == entry.words:
                    best[entry.kind] = entry
        return best

    def _with_formulas(self, text: str, found: list[Mention]) -> list[Mention]:
        for hit in find_formulas(text):
            if not hit.formula.ok:
                continue
            key = self._by_composition.get(_composition(hit.formula.canonical), hit.formula.canonical)
            overlap = [
                item for item in found if item.kind == "material" and item.start < hit.end and hit.start < item.end
            ]
            if any(item.end - item.start >= hit.end - hit.start for item in overlap):
                continue
            if any(item.start == hit.start and item.end == hit.end for item in found):
                continue  # "Tc" is a property here, not technetium
            found = [item for item in found if item not in overlap]
            found.append(Mention("material", key, hit.start, hit.end))
        return found


def _is_plural_symbol(word: str) -> bool:
    """ "SOFCs" is the plural of a symbol that is compared with case."""
    return len(word) > 2 and word[-1] == "s" and word[-2].isupper()


def _inner_capital(word: str) -> bool:
    """ "TiN" is a formula and never the metal tin: a word with a capital inside and a small letter keeps its case."""
    return any(char.isupper() for char in word[1:]) and any(char.islower() for char in word)


def _is_verb_lead(text: str, mention: Mention) -> bool:
    """ "which leads to", "can lead the": the verb, not the metal."""
    if mention.kind != "material" or mention.key != "Pb":
        return False
    written = text[mention.start : mention.end]
    if written.casefold() == "leads":
        return True
    if written != "lead":
        return False
    after = text[mention.end : mention.end + 6].split()
    before = text[: mention.start].split()[-1:]
    return after[:1] in (["to"], ["the"], ["us"]) or before in (
        ["to"],
        ["can"],
        ["may"],
        ["would"],
        ["will"],
        ["could"],
    )


def _is_letter(text: str, item: Mention) -> bool:
    """ "a" is an article and "c" a label unless a value follows: "a = 5.43 Å"."""
    return (
        item.kind == "property"
        and item.end - item.start == 1
        and not re.match(r"\s?[=≈~]", text[item.end : item.end + 2])
    )


def _composition(formula: str) -> tuple[object, ...]:
    parsed = parse_formula(formula)
    return tuple(composition_key(parsed)) if parsed.ok else ()


def _folded_set(names: Iterable[str]) -> frozenset[str]:
    return frozenset(fold_name(name) for name in names)


_CACHE: dict[int, Lexicon] = {}


def lexicon_of(domain: Domain) -> Lexicon:
    """The compiled lexicon, made once per loaded pack (the lexicon keeps the pack, so that its id stays its own)."""
    kept = _CACHE.get(id(domain))
    if kept is None or kept.domain is not domain:
        if len(_CACHE) > 8:
            _CACHE.clear()
        kept = Lexicon(domain)
        _CACHE[id(domain)] = kept
    return kept
