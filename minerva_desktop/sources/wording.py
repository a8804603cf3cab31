"""The words of a title or an abstract under the keys by which a query finds them.

Keys are texts with a letter in front that says how they compare:

    w:  a word's stem                     s:  a symbol, case counted ("CO", "NbN", "2D")
    j:  two parts written as one word     l:  a symbol without case, for queries typed in lower case
    f:  a composition (MgB2)              d:  a symbol with digits without case; D: one that is all small or all capitals
    n:  the elements of a formula         u:  a word in capitals in a title all in capitals
    e:  the elements that a name states   m:  an element's name that is no part of a compound's
    g:  a group of synonyms
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from minerva_desktop.language.compounds import compound_keys, find_compounds
from minerva_desktop.language.elements import NAMES, is_symbol
from minerva_desktop.language.formulas import find_formulas, parse_formula
from minerva_desktop.language.lexicon import word_list
from minerva_desktop.language.names import singular
from minerva_desktop.language.stems import folded, stem
from minerva_desktop.sources.folding import plain, spell_greek

_EAST_ASIAN = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_TOKEN = re.compile(rf"[{_EAST_ASIAN}]|\d+(?:\.\d+)+(?![^\W\d])|[^\W_{_EAST_ASIAN}]+")
_POSSESSIVE = re.compile(r"(?<=\w)['’‘`]s\b")
_FUNCTION_SYMBOLS = frozenset({"In", "As", "At", "No", "He", "Be", "Am", "I", "So", "A", "An", "We", "On", "Is", "It"})
_PREFIXES = frozenset(
    """nano micro photo thermo electro magneto piezo ferro pyro super semi hetero homo multi anti non bio poly opto hydro
    inter intra ultra quasi pseudo mono sub meta over""".split()
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Token:
    """A word: ``text[start:end]``; ``joined`` when a hyphen and nothing else stands before it."""

    surface: str
    start: int
    end: int
    joined: bool


def tokens(text: str) -> list[Token]:
    """The words of a plain text; characters of East Asian scripts are a word each."""
    found: list[Token] = []
    last = -1
    for match in _TOKEN.finditer(text):
        joined = last >= 0 and match.start() == last + 1 and text[last] == "-"
        found.append(Token(match.group(), match.start(), match.end(), joined))
        last = match.end()
    return found


def readable(text: str) -> str:
    """A text as its words are taken from: plain, Greek letters spelt out, without possessives."""
    text = _POSSESSIVE.sub("", plain(text))
    return text if text.isascii() else spell_greek(text)


def is_symbolic(surface: str) -> bool:
    """Whether a word is written as a symbol, so that its case counts: "NbN", "CO", "2D", "Si", "MOSFETs"."""
    if not surface.isascii() or not any(sign.isalpha() for sign in surface):
        return False
    if any(sign.isdigit() for sign in surface):
        return True
    return any(sign.isupper() for sign in surface[1:]) or is_symbol(surface)


def bare_symbol(surface: str) -> str:
    """A symbol in the singular: "MOSFETs" is "MOSFET"."""
    return singular(surface) if len(surface) > 3 else surface


class Synonyms:
    """Names that mean the same, as the caller knows them, with what is the same in every field ("2D")."""

    def __init__(self, names: Mapping[str, Iterable[str]] | None = None) -> None:
        """``names`` gives for each name its other names; names of symbols compare with case, words by their stems."""
        self._first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        groups = [*_GENERAL, *((name, *others) for name, others in (names or {}).items())]
        for number, group in enumerate(groups):
            for name in dict.fromkeys(group):
                parts = tuple(_exact_key(token.surface) for token in tokens(readable(name)))
                if parts and not (name in _FUNCTION_SYMBOLS or len(name) == 1):
                    self._first.setdefault(parts[0], []).append((parts, f"g:{number}"))

    def find(self, words: Sequence[str]) -> list[tuple[Span, str]]:
        """The groups named in a list of exact keys, the longest name at each place, with their places."""
        found: list[tuple[Span, str]] = []
        for at, word in enumerate(words):
            here = [
                (len(parts), group)
                for parts, group in self._first.get(word, ())
                if tuple(words[at : at + len(parts)]) == parts
            ]
            longest = max((length for length, _ in here), default=0)
            found += [((at, at + length), group) for length, group in here if length == longest]
        return found


_GENERAL = tuple(
    (f"{number}D", f"{word}-dimensional") for number, word in enumerate(("zero", "one", "two", "three", "four"))
)


@lru_cache(maxsize=65536)
def _exact_key(surface: str) -> str:
    return f"s:{bare_symbol(surface)}" if is_symbolic(surface) else f"w:{stem(surface)}"


def exact_keys(found: Sequence[Token]) -> list[str]:
    """The one key of each word that names compare by."""
    return [_exact_key(token.surface) for token in found]


def place_in(found: Sequence[Token], start: int, end: int) -> Span:
    """The words that a stretch of the text covers."""
    inside = [at for at, token in enumerate(found) if token.start < end and token.end > start]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


@dataclass(slots=True)
class Words:
    """The words of one text by key: where each key stands, as spans of words."""

    surfaces: tuple[str, ...] = ()
    places: dict[str, list[Span]] = field(default_factory=dict)

    def add(self, key: str, start: int, end: int) -> None:
        self.places.setdefault(key, []).append((start, end))

    def spans(self, keys: Iterable[str]) -> list[Span]:
        """Where any of the keys stands, in order."""
        return sorted({span for key in keys for span in self.places.get(key, ())})


def read_words(text: str, synonyms: Synonyms, *, literal: frozenset[str] = frozenset()) -> Words:
    """The words of a title or abstract under all their keys.

    Args:
        text: as a source gives it.
        synonyms: the names that mean the same.
        literal: idioms ("bronze-age") that the query itself holds, whose substance counts as a word.
    """
    text = readable(text)
    found = tokens(text)
    words = Words(tuple(token.surface for token in found))
    lower = [folded(token.surface) for token in found]
    idioms = word_list("substance_idioms") - literal
    shouted = len(found) > 1 and not any(sign.islower() for sign in text)
    for at, token in enumerate(found):
        if _idiom(lower, at, idioms):
            continue
        hung = at + 1 < len(found) and found[at + 1].joined
        _add_word(words, at, token, shouted=shouted, hung=hung)
        if at + 1 < len(found):
            _add_pair(words, at, token.surface, found[at + 1].surface, hung=hung)
    _add_substances(words, text, found, lower, idioms)
    named = ["" if _idiom(lower, at, idioms) else key for at, key in enumerate(exact_keys(found))]
    for (start, end), group in synonyms.find(named):
        words.add(group, start, end)
    return words


def _idiom(lower: Sequence[str], at: int, idioms: frozenset[str]) -> bool:
    """Whether a word begins a fixed phrase in which it is no substance: "silicon valley"."""
    return at + 1 < len(lower) and f"{lower[at]}-{lower[at + 1]}" in idioms


def _add_word(words: Words, at: int, token: Token, *, shouted: bool, hung: bool) -> None:
    surface = token.surface
    symbolic = is_symbolic(surface)
    small = folded(surface)
    if symbolic and surface not in _FUNCTION_SYMBOLS:
        words.add(f"s:{bare_symbol(surface)}", at, at + 1)
        words.add(f"l:{folded(bare_symbol(surface))}", at, at + 1)
    elif len(surface) == 1:
        words.add(f"s:{surface}", at, at + 1)
    if any(sign.isdigit() for sign in surface):
        words.add(f"d:{small}", at, at + 1)
        if surface in {surface.lower(), surface.upper()}:
            words.add(f"D:{small}", at, at + 1)
    if not _is_mixed(surface) and not (len(small) <= 2 and hung):
        words.add(f"w:{stem(surface)}", at, at + 1)
        if not surface.isascii():
            words.add(f"w:{stem(spelt_out(surface))}", at, at + 1)
    if shouted and len(small) > 2:
        words.add(f"u:{small}", at, at + 1)


def _add_pair(words: Words, at: int, first: str, second: str, *, hung: bool) -> None:
    """Two words that another writes as one: "band gap", "nano wire", "Bi-2212"."""
    small = folded(first), folded(second)
    whole = all(len(word) > 2 and word not in word_list("function_words") for word in small)
    if hung or small[0] in _PREFIXES or whole:
        words.add(f"j:{stem(small[0] + small[1])}", at, at + 2)
    if hung and (is_symbolic(first) or first.isdigit() or is_symbolic(second)):
        joined = first + second
        if joined.isalpha() and min(len(first), len(second)) < 2:
            return  # the bond "C-O" is not the gas "CO"
        words.add(f"s:{bare_symbol(joined)}", at, at + 2)
        words.add(f"d:{folded(joined)}", at, at + 2)


def _is_mixed(surface: str) -> bool:
    """Whether a word is a formula such as "TiN" or "GaS", which is not the word "tin" or "gas"."""
    if surface == surface.upper() or not is_symbolic(surface) or is_symbol(surface):
        return False
    return parse_formula(surface).ok


def spelt_out(word: str) -> str:
    """A word with its umlauts as two letters, in small letters: "Müller" is "mueller"."""
    return word.casefold().translate(_UMLAUTS)


def _add_substances(words: Words, text: str, found: list[Token], lower: list[str], idioms: frozenset[str]) -> None:
    lower = ["" if _is_mixed(token.surface) else word for token, word in zip(found, lower, strict=True)]
    covered: set[int] = set()
    for compound in find_compounds(lower):
        covered.update(range(compound.start, compound.end))
        if compound.key:
            words.add(f"f:{compound.key}", compound.start, compound.end)
            words.add(f"n:{compound.elements}", compound.start, compound.end)
        else:
            words.add(f"e:{compound.elements}", compound.start, compound.end)
    for item in find_formulas(text):
        key, elements = compound_keys(text[item.start : item.end])
        start, end = place_in(found, item.start, item.end)
        if key:
            words.add(f"f:{key}", start, end)
        words.add(f"{'n' if key else 'e'}:{elements}", start, end)
    for at, word in enumerate(lower):
        symbol = NAMES.get(singular(word))
        before = NAMES.get(lower[at - 1]) if at and found[at].joined else None
        if symbol and before:
            words.add(f"e:{'-'.join(sorted({symbol, before}))}", at - 1, at + 1)  # "niobium-tin"
        if symbol and at not in covered and not _idiom(lower, at, idioms):
            words.add(f"m:{symbol}", at, at + 1)
