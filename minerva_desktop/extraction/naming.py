"""What a name that a model gives stands for in a sentence, and where: the same entities that the rules would make.

A name counts only where it stands in the sentence. What the rules read at that place decides what it is: an abbreviation
that the document defines, a synonym, a formula. A name that no lexicon knows is taken as it is written, unless the rules
read something else there ("band gap" is no material).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from minerva_desktop.extraction.grammar import WORD_CODES
from minerva_desktop.extraction.grounding import locate
from minerva_desktop.extraction.lexicon import Kind, Lexicon
from minerva_desktop.extraction.materials import dopant_of
from minerva_desktop.extraction.mentions import Mention, MentionKind, Reading
from minerva_desktop.extraction.reading import Names, read
from minerva_desktop.extraction.tokens import Token, fold_word, tokenize
from minerva_desktop.language.elements import SYMBOLS
from minerva_desktop.language.formulas import find_formulas
from minerva_desktop.language.names import normalise_text, singular
from minerva_desktop.records import Entity

LONGEST_NAME = 120
MOST_WORDS = 9
"""What is longer is a clause, not a name: small models give whole sentences as materials."""
_MOST_CACHED = 4000

_KINDS: dict[str, tuple[MentionKind, ...]] = {
    "Material": ("material",),
    "Property": ("property", "predicate"),
    "Method": ("method",),
    "Application": ("application",),
}
"""The entity types that the rules find by their lexicons."""
_LEADING = re.compile(r"(?:(?:the|a|an|this|these|those|that|our|its|their|both|such)\s+)+(?=\S)", re.IGNORECASE)
_HANGING = frozenset(word for word, code in WORD_CODES.items() if code in "bhroaftyzwknuvcxNqjI")
_WITH_SHORT = re.compile(r"(\S[^()]*?)\s*\(([^()]{2,20})\)")
_CLOSES = re.compile(r"[,;:](?:\s|$)")
_REFERRING = frozenset("it its they them this that these those which the a an our their".split())


@dataclass(frozen=True, slots=True)
class Found:
    """An entity at ``sentence[start:end]``. ``mention`` is what the rules read there, None for a name of no lexicon."""

    entity: Entity
    start: int
    end: int
    mention: Mention | None = None

    @property
    def span(self) -> tuple[int, int]:
        return (self.start, self.end)


class Namer:
    """Finds names of one document. ``reading`` keeps what was read, so that a sentence is read once."""

    def __init__(self, lexicon: Lexicon, names: Names) -> None:
        self.lexicon = lexicon
        self._names = names
        self._read: dict[str, Reading] = {}

    def reading(self, text: str) -> Reading:
        """What the rules read in a sentence or a name."""
        found = self._read.get(text)
        if found is None:
            if len(self._read) >= _MOST_CACHED:
                self._read.clear()
            found = self._read[text] = read(text, self.lexicon, self._names)
        return found

    def find(self, kind: str, name: str, sentence: str) -> list[Found] | str:
        """Where a name of an entity type stands in a sentence, in order; or why it stands nowhere, as one clause."""
        name = clean(name)
        if not name:
            return f"no name: no {kind} is given"
        if len(name) > LONGEST_NAME or len(name.split()) > MOST_WORDS:
            return f"no name: “{name[:60]}…” is a clause"
        if name.casefold() in _REFERRING or not any(sign.isalnum() for sign in name):
            return f"no name: “{name}” names nothing"
        if kind == "Element":
            return self._elements(name, sentence) or _missing(name)
        if kind == "Formula":
            return self._formulas(name, sentence) or _missing(name)
        if kind not in _KINDS:
            return [
                Found(_plain(kind, sentence[start:end]), start, end) for start, end in spans_of(name, sentence)
            ] or (_missing(name))
        found = self._known(kind, name, sentence) or self._written(kind, name, sentence)
        both = _WITH_SHORT.fullmatch(name) if isinstance(found, str) else None
        for part in both.groups() if both is not None else ():  # "gadolinium-doped ceria (GDC)" where only one stands
            again = self._known(kind, part, sentence) or self._written(kind, part, sentence)
            if not isinstance(again, str):
                return again
        return found

    # ------------------------------------------------------------------------------------------- names the rules read
    def _known(self, kind: str, name: str, sentence: str) -> list[Found]:
        """The mentions of a sentence that the name stands for, whatever their spelling there."""
        wanted = self._meanings(kind, name)
        return [
            Found(item.entity, item.start, item.end, item)
            for item in self.reading(sentence).mentions
            if item.entity is not None and item.kind in _KINDS[kind] and not wanted.isdisjoint(keys_of(item))
        ]

    def _meanings(self, kind: str, name: str) -> frozenset[str]:
        """Canonical names that a whole name stands for by itself."""
        found: set[str] = set()
        for mention_kind in _KINDS[kind]:
            kind_of_entry: Kind = "predicate" if mention_kind == "predicate" else mention_kind  # type: ignore[assignment]
            entry = self.lexicon.resolve(name, kind_of_entry)
            if entry is not None:
                spec = self.lexicon.properties.get(entry.key)
                found.add(spec.label if spec is not None else entry.key)
        reading = self.reading(name)
        own = [item for item in reading.mentions if item.kind in _KINDS[kind]]
        for item in own:
            if item.first == 0 and item.last >= len(reading.tokens):
                found |= keys_of(item)
        if not found and len(own) == 1 and (kind != "Material" or self._adds_nothing(reading, own[0])):
            found |= keys_of(own[0])  # "ALD technique", "high ionic conductivity", "GDC layer"
        return frozenset(found)

    def _adds_nothing(self, reading: Reading, mention: Mention) -> bool:
        """Whether behind a material's name only words follow that make no other material of it: "layer", "electrolyte"."""
        rest = [token.folded for token in reading.tokens[mention.last :]]
        return mention.first == 0 and all(
            word in self.lexicon.components or (word,) in self.lexicon.forms for word in rest
        )

    # ---------------------------------------------------------------------------------------- names as they are written
    def _written(self, kind: str, name: str, sentence: str) -> list[Found] | str:
        places = spans_of(name, sentence)
        if not places:
            return _missing(name)
        if _is_scrap(name):
            return f"no name: “{name[:60]}” is cut out of a clause"
        found: list[Found] = []
        reason = ""
        for start, end in places:
            item = self._at(kind, start, end, sentence)
            if isinstance(item, str):
                reason = item
            else:
                found.append(item)
        return found or reason

    def _at(self, kind: str, start: int, end: int, sentence: str) -> Found | str:
        """What stands at a place, as the rules read it; as written where they read nothing there."""
        touching = [item for item in self.reading(sentence).mentions if item.start < end and start < item.end]
        own = [item for item in touching if item.kind in _KINDS[kind] and item.entity is not None]
        inside = [item for item in own if start <= item.start and item.end <= end]
        if len({item.entity.key for item in inside if item.entity is not None}) == 1:
            item = inside[-1]
            assert item.entity is not None
            return Found(item.entity, item.start, item.end, item)
        around = [item for item in own if item not in inside]
        if around:
            item = around[-1]
            assert item.entity is not None
            whole = sentence[item.start : item.end]
            if kind == "Material":  # "ceria" of "Gd-doped ceria" is another material
                return f"wrong kind: “{sentence[start:end]}” is only a part of “{whole}” there"
            return Found(item.entity, item.start, item.end, item)
        other = next((item for item in touching if item.start <= start and end <= item.end), None)
        if other is not None and not inside:
            return f"wrong kind: “{sentence[start:end]}” is a {other.kind} there, not a {kind}"
        if kind == "Material" and len(inside) > 1:
            return f"wrong kind: “{sentence[start:end]}” names several materials"
        return Found(_plain(kind, sentence[start:end]), start, end)

    # ---------------------------------------------------------------------------------------------- elements, formulas
    def _elements(self, name: str, sentence: str) -> list[Found]:
        """An element where its name or symbol stands, or where a formula of the sentence holds it."""
        symbol = name if name in SYMBOLS else dopant_of(name, self.lexicon)
        if symbol not in SYMBOLS:
            return []
        found: list[Found] = []
        for item in self.reading(sentence).mentions:
            if item.kind == "material" and symbol in item.elements:
                inside = re.search(rf"{symbol}(?![a-wδ])", sentence[item.start : item.end])
                if inside is not None:
                    start = item.start + inside.start()
                    found.append(Found(Entity("Element", symbol, symbol), start, start + len(symbol), item))
        for token in tokenize(sentence):
            if dopant_of(token.text, self.lexicon) == symbol:
                written = sentence[token.start : token.end]
                if all(not (one.start <= token.start < one.end) for one in found):
                    found.append(Found(Entity("Element", written, symbol), token.start, token.end))
        return sorted(found, key=lambda item: item.start)

    def _formulas(self, name: str, sentence: str) -> list[Found]:
        wanted = {item.formula.canonical for item in find_formulas(name) if item.formula.ok}
        return [
            Found(Entity("Formula", sentence[item.start : item.end], item.formula.canonical), item.start, item.end)
            for item in find_formulas(sentence)
            if item.formula.ok and item.formula.canonical in wanted
        ]


def clean(name: str) -> str:
    """A name as it is compared: characters evened out, without articles, markup and quotation marks around it."""
    name = " ".join(re.sub(r"[$_^{}\\`*]", "", normalise_text(name)).split()).strip("\"'“”‘’.,;: ")
    return _LEADING.sub("", name, count=1) if _LEADING.match(name) else name


def keys_of(mention: Mention) -> frozenset[str]:
    """The canonical names that a mention stands for; a symbol may stand for several properties."""
    if mention.spec is not None:
        return frozenset(spec.label for spec in (mention.spec, *mention.alternatives))
    return frozenset({mention.entity.canonical or mention.entity.name}) if mention.entity is not None else frozenset()


def spans_of(name: str, sentence: str) -> list[tuple[int, int]]:
    """Where a name stands in a sentence as whole words, in order: sign by sign, else without regard to case, number and
    national spelling of longer words. What tells by its case ("CO", "Co") is compared with case."""
    exact = [span for span in _same(name, sentence) if _is_whole(sentence, *span)]
    return exact or list(_folded(tokenize(name), tokenize(sentence)))


def _same(name: str, sentence: str) -> Iterator[tuple[int, int]]:
    start = 0
    while (span := locate(sentence, name, start)) is not None:
        yield span
        start = max(span[0] + 1, start + 1)


def _is_whole(text: str, start: int, end: int) -> bool:
    return not (
        (text[start].isalnum() and text[start - 1 : start].isalnum())
        or (text[end - 1].isalnum() and text[end : end + 1].isalnum())
    )


def _folded(name: Sequence[Token], sentence: Sequence[Token]) -> Iterator[tuple[int, int]]:
    if not name:
        return
    for at in range(len(sentence) - len(name) + 1):
        if all(_alike(one, other) for one, other in zip(name, sentence[at : at + len(name)], strict=True)):
            yield sentence[at].start, sentence[at + len(name) - 1].end


def _alike(one: Token, other: Token) -> bool:
    if one.text == other.text:
        return True
    plain = all(token.text.isalpha() and not _tells_by_case(token.text) for token in (one, other))
    return plain and one.folded == other.folded


def _tells_by_case(word: str) -> bool:
    return len(word) < 3 or not word[1:].islower()


def _is_scrap(name: str) -> bool:
    """Whether words do not make a name of their own: they begin or end with a word that needs another ("of", "is"), or
    hold a comma, or half a bracket."""
    words = [fold_word(word.strip("()[]")) for word in name.split()]
    hanging = any(word in _HANGING for word in (words[0], words[-1]))
    return hanging or _CLOSES.search(name) is not None or any(name.count(a) != name.count(b) for a, b in ("()", "[]"))


def _plain(kind: str, written: str) -> Entity:
    """An entity that no lexicon knows. Materials keep their case, for it may be a formula's; other names lose that of a
    sentence's beginning, and their plural."""
    name = " ".join(written.split())
    if kind == "Material":
        formula = next((item.formula for item in find_formulas(name) if item.end - item.start == len(name)), None)
        return Entity(kind, written, formula.canonical if formula is not None and formula.ok else name)
    words = [word if _tells_by_case(word) and not word.islower() else word.casefold() for word in name.split()]
    return Entity(kind, written, singular(" ".join(words)))


def _missing(name: str) -> str:
    return f"“{name[:80]}” does not stand in the sentence"


def near(found: Sequence[Found], span: tuple[int, int]) -> Found:
    """The one nearest to a place; of equals the first."""

    def distance(item: Found) -> tuple[int, int]:
        return (max(item.start - span[1], span[0] - item.end, 0), item.start)

    return min(found, key=distance)
