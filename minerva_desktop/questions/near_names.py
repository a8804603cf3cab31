"""Names that a question only nearly spells: what was probably meant, and how sure that is.

A slip of the keyboard inside a long name ("galium nitride") is read as the name and said so. What may as well be another
thing is only asked: any other letter in a material's name (nitride, nitrite), and every formula: MgB3 is not MgB2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from minerva_desktop.domains import Domain
from minerva_desktop.extraction.tokens import Token, fold_phrase, tokenize
from minerva_desktop.language.elements import NAMES
from minerva_desktop.language.formulas import parse_formula
from minerva_desktop.language.sameness import same_word
from minerva_desktop.questions.classifier import Question

Alike = Callable[[str], Iterable[tuple[str, str, str]]]
"""Names of the library that are spelled much like a text: (type, canonical name, spelling)."""

Known = dict[tuple[str, int], list[tuple[str, str, tuple[str, str]]]]
"""Names by their first letter and number of spaces: (folded, as it is written, (type, canonical name))."""

_MOST_WORDS = 4
_LEAST = 5
"""Letters: in a shorter word one letter is too much of it."""
_SURE = 7
"""Letters: a shorter word has neighbours among ordinary words (layer, laser)."""
_LONG = 11
_MOST_ASKED = 3
_FORMULA = re.compile(r"[A-Za-z]{1,3}[A-Za-z0-9]*")


@dataclass(frozen=True, slots=True)
class Near:
    """``typed`` stands in the question, ``name`` was probably meant. ``sure``: it can be nothing else."""

    typed: str
    name: str
    start: int
    end: int
    sure: bool

    def put_into(self, text: str) -> str:
        return f"{text[: self.start]}{self.name}{text[self.end :]}"


def near_names(text: str, unknown: frozenset[str], domain: Domain, alike: Alike) -> list[Near]:
    """What words of a question nearly spell, best first; each place of the text once, unless it is not sure.

    ``unknown`` are the question's words that no name and no question word stands for, folded.
    """
    tokens = tokenize(text)
    known = _known(domain)
    found: list[tuple[int, int, Near]] = []
    for first in range(len(tokens)):
        for last in range(first + 1, min(first + _MOST_WORDS, len(tokens)) + 1):
            part = tokens[first:last]
            if not unknown & {token.folded for token in part} or part[0].folded in _DULL or part[-1].folded in _DULL:
                continue
            found += _of_words(text, part, known, alike)
    found.sort(key=lambda item: (item[0], -item[1], item[2].start, item[2].name))
    kept: list[Near] = []
    for _, _, item in found:
        if not any(other.sure and other.start < item.end and item.start < other.end for other in kept):
            kept.append(item)
    sure = [item for item in kept if item.sure]
    return [*sure, *(item for item in kept if not item.sure)]


def _known(domain: Domain) -> Known:
    """The names of the pack, made once per loaded pack (the pack is kept, so that its id stays its own)."""
    kept = _CACHE.get(id(domain))
    if kept is None or kept[0] is not domain:
        if len(_CACHE) > 8:
            _CACHE.clear()
        kept = (domain, _grouped(_names_of(domain)))
        _CACHE[id(domain)] = kept
    return kept[1]


_CACHE: dict[int, tuple[Domain, Known]] = {}


def _grouped(names: dict[str, dict[str, tuple[str, str]]]) -> Known:
    found: Known = {}
    for key, spelled in names.items():
        for name, of in spelled.items():
            found.setdefault(_group(key), []).append((key, name, of))
    return found


def _group(key: str) -> tuple[str, int]:
    return key[:1], key.count(" ")


def _names_of(domain: Domain) -> dict[str, dict[str, tuple[str, str]]]:
    """The names of the pack: folded → {name as it is written: (type, canonical name)}."""
    found: dict[str, dict[str, tuple[str, str]]] = {}

    def add(kind: str, canonical: str, names: Iterable[str]) -> None:
        for name in names:
            if len(name) >= _LEAST and not name.isupper():
                found.setdefault(" ".join(fold_phrase(name)), {})[name] = (kind, canonical)

    for material in domain.materials:
        add("Material", material.formula or material.name, (material.name, *material.synonyms))
    add_elements = {symbol: name for name, symbol in NAMES.items()}
    for symbol, name in add_elements.items():
        add("Material", symbol, (name,))
    for spec in domain.properties:
        add("Property", spec.id, (spec.label, *spec.synonyms))
    for method in domain.methods:
        add("Method", method.name, (method.name, *method.synonyms))
    for use in domain.applications:
        add("Application", use.name, (use.name, *use.synonyms))
    return found


def _of_words(text: str, part: Sequence[Token], known: Known, alike: Alike) -> list[tuple[int, int, Near]]:
    """The names that a run of words nearly spells: (letters that differ, length, what was meant)."""
    typed = text[part[0].start : part[-1].end]
    folded = " ".join(token.folded for token in part)
    if len(folded) < _LEAST or any(character.isdigit() for character in folded):
        return []
    most = 2 if len(folded) >= _LONG else 1
    options: dict[str, tuple[int, str, str]] = {}
    every = list(known.get(_group(folded), ()))
    every += [
        (" ".join(fold_phrase(name)), name, (kind, canonical))
        for kind, canonical, name in alike(typed)
        if not name.isupper() and not any(character.isdigit() for character in name)
    ]
    for key, name, of in every:
        if abs(len(key) - len(folded)) > most or _group(key) != _group(folded):
            continue
        distance = OSA.distance(folded, key, score_cutoff=most)
        if 0 < distance <= most:
            options.setdefault(key, (distance, _as_typed(name, typed), of[0]))
    if not options:
        return []
    best = min(distance for distance, *_ in options.values())
    nearest = [(name, kind) for distance, name, kind in options.values() if distance == best]
    sure = len(nearest) == 1 and _is_slip(folded, *nearest[0], best)
    start, end = part[0].start, part[-1].end
    return [(best, len(part), Near(typed, name, start, end, sure)) for name, _ in sorted(nearest)]


def _as_typed(name: str, typed: str) -> str:
    """A name with a small letter at its beginning where the question has one: "gallium nitride" for "Gallium nitride"."""
    return f"{name[:1].lower()}{name[1:]}" if typed[:1].islower() and name[1:].islower() else name


def _is_slip(folded: str, name: str, kind: str, distance: int) -> bool:
    """Whether it can be nothing but a slip. Names of materials have neighbours that differ in a letter; properties, methods
    and uses have none."""
    if kind == "Material":
        return bool(same_word(folded, " ".join(fold_phrase(name))))
    return len(folded) >= (_SURE if distance == 1 else _LONG)


_DULL = frozenset("the a an of in is are was were for to and or at with by on what which how does do".split())


# ---------------------------------------------------------------------------------------------------- formulas
def written_otherwise(text: str, unknown: frozenset[str], alike: Alike) -> list[Near]:
    """Formulas that are typed without their capitals: "gan", "mgb2"; sure where only one formula is written so."""
    found = []
    for token in tokenize(text):
        if token.folded not in unknown or len(token.text) < 3 or not _FORMULA.fullmatch(token.text):
            continue
        meant = {
            canonical
            for kind, canonical, name in alike(token.text)
            if kind == "Material" and name.casefold() == token.text.casefold() and parse_formula(name).ok
        }
        found += [Near(token.text, name, token.start, token.end, len(meant) == 1) for name in sorted(meant)]
    return found


def other_formulas(asked: Question, text: str, alike: Alike) -> list[Near]:
    """For formulas of the question: those of the library that hold the same elements in other numbers. Never sure."""
    found: list[Near] = []
    for entity in asked.entities:
        formula = parse_formula(entity.name) if entity.type == "Material" else None
        at = text.find(entity.text)
        if formula is None or not formula.ok or len(formula.elements) < 2 or at < 0:
            continue
        for kind, canonical, _ in alike("".join(formula.elements) if len(entity.name) < 3 else entity.name):
            other = parse_formula(canonical) if kind == "Material" and canonical != entity.name else None
            if other is not None and other.ok and set(other.elements) == set(formula.elements):
                found.append(Near(entity.text, canonical, at, at + len(entity.text), False))
    return list(dict.fromkeys(found))[:_MOST_ASKED]


def suggestions(text: str, near: Iterable[Near]) -> tuple[str, ...]:
    """Whole questions that may have been meant."""
    return tuple(dict.fromkeys(item.put_into(text) for item in near))[:_MOST_ASKED]
