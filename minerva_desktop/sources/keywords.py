"""A person's query taken apart into keywords, each with the keys that answer it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from minerva_desktop.errors import UsageError
from minerva_desktop.language.compounds import compound_keys, find_compounds
from minerva_desktop.language.elements import NAME_OF, NAMES, is_symbol
from minerva_desktop.language.formulas import find_formulas, parse_formula
from minerva_desktop.language.lexicon import word_list
from minerva_desktop.language.names import singular
from minerva_desktop.language.stems import folded, stem
from minerva_desktop.sources.wording import (
    Span,
    Synonyms,
    Token,
    Words,
    bare_symbol,
    exact_keys,
    is_symbolic,
    place_in,
    readable,
    spelt_out,
    tokens,
)

_QUOTED = re.compile(r"\"([^\"]{1,200})\"|“([^”]{1,200})”|„([^“”]{1,200})[“”]|«([^»]{1,200})»")
_NOT = re.compile(r"\b(?:AND)?NOT\s+([^\s;]+)")
_OPERATORS = frozenset("AND OR NOT IN ON OF THE FOR WITH TO A AN AT BY".split())
_WORD_FORMULAS = frozenset("gas sin con cos bin pin pins has was his nos pos cop cob nip sip bas hob".split())
_WEAK = frozenset({"based", "like"})
_YEAR = re.compile(r"(?:19|20)\d\d")
_DIATOMIC = frozenset({"H", "N", "O", "F", "Cl", "Br", "I"})
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class Keyword:
    """One thing that a person asked for.

    ``parts`` are the keys of each of its words; with several, they must stand together: in their order when ``phrase``,
    else near each other. ``whole`` are keys that answer all of it. ``required`` words were put in quotation marks.
    """

    text: str
    parts: tuple[frozenset[str], ...]
    whole: frozenset[str] = frozenset()
    phrase: bool = False
    required: bool = False
    prefix: str = ""

    def found_in(self, words: Words) -> bool:
        """Whether a text answers the keyword."""
        if words.spans(self.whole):
            return True
        if self.prefix:
            return any(folded(surface).startswith(self.prefix) for surface in words.surfaces)
        spans = [words.spans(keys) for keys in self.parts]
        if not all(spans):
            return False
        if len(spans) == 1:
            return True
        return _in_order(spans) if self.phrase else _together(spans)


def _in_order(spans: Sequence[Sequence[Span]]) -> bool:
    ends = {end for _, end in spans[0]}
    for part in spans[1:]:
        ends = {end for start, end in part if start in ends}
    return bool(ends)


def _together(spans: Sequence[Sequence[Span]]) -> bool:
    """Whether one span of each part lies within a few words of the first's."""
    reach = len(spans) + 1
    return any(
        all(any(abs(other - start) <= reach and other != start for other, _ in part) for part in spans[1:])
        for start, _ in spans[0]
    )


@dataclass(frozen=True, slots=True)
class Query:
    """A query as it is understood. ``unwanted`` are the words behind a NOT, ``literal`` the idioms in it,
    ``words`` its words in small letters."""

    text: str
    keywords: tuple[Keyword, ...]
    unwanted: tuple[Keyword, ...] = ()
    literal: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


def read_query(text: str, synonyms: Synonyms) -> Query:
    """The keywords of a query, each once.

    Raises:
        UsageError: there is no word with content in it.
    """
    quoted = [next(group for group in match.groups() if group) for match in _QUOTED.finditer(text)]
    free = _QUOTED.sub(" ; ", text)
    found = [keyword for phrase in quoted if (keyword := _phrase(phrase, synonyms)) is not None]
    found += _free(_NOT.sub(" ", free), synonyms)
    unwanted = [keyword for match in _NOT.finditer(free) for keyword in _free(match.group(1), synonyms)]
    if not found:
        raise UsageError(
            f"The query “{' '.join(text.split())[:80]}” has no word to search for.",
            hint="Name what the papers should be about, for example: MgB2 thin films.",
        )
    lower = [folded(token.surface) for token in tokens(readable(text))]
    pairs = {f"{one}-{two}" for one, two in pairwise(lower)}
    once = {(keyword.parts, keyword.whole, keyword.prefix): keyword for keyword in reversed(found)}
    return Query(
        text,
        tuple(reversed(once.values())),
        tuple(unwanted),
        frozenset(pairs & word_list("substance_idioms")),
        frozenset(lower),
    )


def _phrase(text: str, synonyms: Synonyms) -> Keyword | None:
    plain_text = readable(text)
    found = tokens(plain_text)
    if not found or all(_is_function(found, at, shouted=False) for at in range(len(found))):
        return None
    keys = _keys(plain_text, found, synonyms, shouted=False)
    whole = {group for span, group in synonyms.find(exact_keys(found)) if span == (0, len(found))}
    return Keyword(" ".join(text.split()), tuple(keys), frozenset(whole), phrase=True, required=True)


def _free(text: str, synonyms: Synonyms) -> list[Keyword]:
    plain_text = readable(text)
    found = tokens(plain_text)
    letters = [sign for sign in plain_text if sign.isalpha()]
    shouted = any(len(token.surface) > 5 and token.surface.isupper() for token in found) and not any(
        sign.islower() for sign in letters
    )
    if shouted:
        plain_text = plain_text.lower()
        found = tokens(plain_text)
    keys = _keys(plain_text, found, synonyms, shouted=shouted)
    keywords: list[Keyword] = []
    for start, end in _groups(plain_text, found):
        surface = plain_text[found[start].start : found[end - 1].end]
        if end - start == 1 and _is_function(found, start, shouted=shouted):
            continue
        if plain_text[found[end - 1].end : found[end - 1].end + 1] == "*":
            keywords.append(Keyword(f"{surface}*", (), prefix=folded(found[end - 1].surface)))
            continue
        keywords.append(_compound(surface, keys[start:end], found[start:end]))
    return _without_years(keywords)


def _groups(text: str, found: Sequence[Token]) -> list[Span]:
    """What stands between spaces: single words, formulas, and words with hyphens."""
    formulas = [place_in(found, item.start, item.end) for item in find_formulas(text)]
    groups: list[Span] = []
    at = 0
    while at < len(found):
        end = next((stop for start, stop in formulas if start == at and stop > at), at + 1)
        while end < len(found) and (
            found[end].joined or (_east_asian(found[end]) and found[end].start == found[end - 1].end)
        ):
            end = next((stop for start, stop in formulas if start == end and stop > end), end + 1)
        groups.append((at, end))
        at = end
    return groups


def _east_asian(token: Token) -> bool:
    return bool(_EAST_ASIAN.match(token.surface))


def _compound(surface: str, keys: Sequence[frozenset[str]], found: Sequence[Token]) -> Keyword:
    if len(found) == 1:
        return Keyword(surface, (keys[0],))
    if _east_asian(found[0]):
        return Keyword(surface, tuple(keys), phrase=True)
    whole = set.intersection(*(set(part) for part in keys))  # keys of a formula or a name that spans all words
    whole = {key for key in whole if key[:2] in {"f:", "g:", "e:", "n:"}}
    glued = "".join(token.surface for token in found)
    whole |= {f"w:{stem(glued)}", f"j:{stem(glued)}"}
    if is_symbolic(glued) and (len(glued) > 2 or glued[:1].isdigit()):
        whole.add(f"s:{glued}")
    strong = [part for part, token in zip(keys, found, strict=True) if folded(token.surface) not in _WEAK]
    return Keyword(surface, tuple(strong or keys), frozenset(whole))


def _is_function(found: Sequence[Token], at: int, *, shouted: bool) -> bool:
    """Whether a word of the query carries no content where it stands."""
    surface = found[at].surface
    small = folded(surface)
    if small not in word_list("function_words"):
        return False
    if surface == small or shouted:
        return True
    if surface.isupper() and len(surface) > 1:
        return surface in _OPERATORS
    if is_symbol(surface):
        others = [token.surface for place, token in enumerate(found) if place != at and len(token.surface) > 3]
        titled = bool(others) and all(word[0].isupper() for word in others)
        return len(found) > 1 and (at == 0 or titled)
    return True


def _keys(text: str, found: Sequence[Token], synonyms: Synonyms, *, shouted: bool) -> list[frozenset[str]]:
    """The keys that answer each word; names and formulas give theirs to each of their words."""
    keys = [_word_keys(token.surface, shouted=shouted) for token in found]
    lower = [folded(token.surface) for token in found]
    for compound in find_compounds(lower):
        more = {f"e:{compound.elements}"} | ({f"f:{compound.key}"} if compound.key else {f"n:{compound.elements}"})
        for at in range(compound.start, compound.end):
            keys[at] |= more
    for item in find_formulas(text):
        start, end = place_in(found, item.start, item.end)
        for at in range(start, end):
            keys[at] |= _formula_keys(text[item.start : item.end])
    for (start, end), group in synonyms.find(exact_keys(found)):
        for at in range(start, end):
            keys[at].add(group)
    for at in range(len(found) - 1):  # "nano wire" is answered by "nanowire"
        pair = stem(lower[at] + lower[at + 1])
        if not any(word in word_list("function_words") for word in lower[at : at + 2]) and len(pair) > 5:
            keys[at].add(f"w:{pair}")
            keys[at + 1].add(f"w:{pair}")
    return [frozenset(item) for item in keys]


def _word_keys(surface: str, *, shouted: bool) -> set[str]:
    small = folded(surface)
    if is_symbolic(surface) and surface != small:
        keys = {f"s:{bare_symbol(surface)}", f"u:{small}", f"D:{small}"}
        if len(small) <= 2 and not small[0].isdigit():
            keys = {f"s:{surface}"}
        substance = _formula_keys(surface)
        if not substance and any(sign.isdigit() for sign in surface):
            keys.add(f"d:{small}")  # "MGB2" is no formula as typed: its case says nothing
        return keys | substance
    if any(sign.isdigit() for sign in surface):
        return {f"w:{stem(surface)}", f"d:{small}"}
    if len(surface) == 1:
        return {f"s:{surface}", f"w:{small}"} if surface == small else {f"s:{surface}"} | _formula_keys(surface)
    keys = {f"w:{stem(surface)}", f"j:{stem(surface)}"}
    symbol = NAMES.get(singular(small))
    if symbol:
        keys |= _formula_keys(symbol) | ({f"f:{symbol}2"} if symbol in _DIATOMIC else set())
    if len(small) == 2 and is_symbol(surface.capitalize()):
        keys |= _formula_keys(surface.capitalize())  # "si" typed without its capital
    if not surface.isascii():
        keys.add(f"w:{stem(spelt_out(surface))}")
    if small not in _WORD_FORMULAS and not symbol:
        keys.add(f"l:{small}")
    return keys


def _formula_keys(formula: str) -> set[str]:
    """What answers a formula: itself, a name that says the same, and for an element its name."""
    parsed = parse_formula(formula)
    key, elements = compound_keys(formula)
    if not parsed.ok or not elements:
        return set()
    if "-" in elements:
        return {f"f:{key}", f"e:{elements}"} if key else {f"e:{elements}", f"n:{elements}"}
    keys = {f"f:{key}"} if key else set()
    amount = parsed.elements.get(elements)
    if amount == 1.0 or (amount == 2.0 and elements in _DIATOMIC):
        keys |= {f"m:{elements}", f"f:{elements}1"}
        if amount == 2.0:
            keys.add(f"w:{stem(NAME_OF[elements])}")
    return keys


def _without_years(keywords: list[Keyword]) -> list[Keyword]:
    """A year beside other words says when, which no title repeats."""
    rest = [keyword for keyword in keywords if not _YEAR.fullmatch(keyword.text)]
    return rest or keywords
