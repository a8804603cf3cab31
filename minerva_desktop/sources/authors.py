"""Names of authors, compared as people write them: initials, either order, accents, "et al."."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from minerva_desktop.language.stems import folded

_ET_AL = re.compile(
    r"[,;]?\s*\b(?:et\s+al\.?|and\s+others|u\.\s?a\.)\s*\Z|\A\s*(?:et\s+al\.?|others)\s*\Z", re.IGNORECASE
)
_SUFFIX = re.compile(r",?\s+(?:jr|sr|ii|iii|iv)\.?\Z", re.IGNORECASE)
_TITLE = re.compile(r"\A(?:dr|prof|professor|sir)\.?\s+", re.IGNORECASE)
_INITIALS = re.compile(r"[A-Z]{1,3}|(?:[A-Z]\.?[\s-]?){1,4}")
_VOWEL_PAIRS = re.compile(r"([aou])e")
_SEPARATORS = re.compile(r"\s*;\s*|\s+(?:and|&|und|et(?!\s+al))\s+|\s*&\s*|\s*\|\s*|\n+")
_PARTICLES = frozenset("van von der den de del della di da dos das du la le el al bin ibn ten ter zu zur st".split())


@dataclass(frozen=True, slots=True)
class Person:
    """A name: the last word of the family name, the initials of the others, and all words of it."""

    family: str
    initials: str
    words: frozenset[str]


@lru_cache(maxsize=65536)
def read_person(name: str) -> Person | None:
    """A person by one name: "Müller, J. A.", "J. A. Mueller", "Mueller JA". None when nothing is left of it."""
    plain = _SUFFIX.sub("", _TITLE.sub("", _ET_AL.sub("", name).strip())).strip(" ,;*†‡")
    if "," in plain:
        family, _, given = plain.partition(",")
    else:
        parts = plain.split()
        if len(parts) > 1 and _INITIALS.fullmatch(parts[-1]) and not _INITIALS.fullmatch(parts[0]):
            family, given = " ".join(parts[:-1]), parts[-1]
        else:
            at = next(
                (place for place, word in enumerate(parts) if place and word.lower() in _PARTICLES), len(parts) - 1
            )
            family, given = " ".join(parts[at:]), " ".join(parts[:at])
    names = [word for word in _words(family) if word not in _PARTICLES] or _words(family)
    if not names:
        return None
    letters = given if not given.isupper() or "." in given or len(given) > 3 else " ".join(given)
    first = _words(letters)
    return Person(names[-1], "".join(word[0] for word in first), frozenset([*names, *first]))


def _words(text: str) -> list[str]:
    plain = _VOWEL_PAIRS.sub(r"\1", folded(text)).replace("'", "").replace("’", "")
    return re.findall(r"[^\W\d_]+", plain)


def same_person(one: Person, other: Person) -> bool:
    """Whether two names can be one person's."""
    if one.family == other.family:
        return not (one.initials and other.initials) or one.initials[0] == other.initials[0]
    longer = len(one.words) > 1 and all(len(word) > 1 for word in one.words | other.words)
    return longer and one.words == other.words


@lru_cache(maxsize=65536)
def people(names: tuple[str, ...]) -> tuple[Person, ...]:
    """The persons of a list of authors."""
    return tuple(person for name in names if (person := read_person(name)) is not None)


def cut_short(names: Sequence[str]) -> bool:
    """Whether a list of authors ends with "et al."."""
    return bool(names) and bool(_ET_AL.search(names[-1]))


def same_authors(one: tuple[str, ...], other: tuple[str, ...]) -> bool | None:
    """Whether two lists of authors can be one work's; None when either is empty."""
    first, second = people(one), people(other)
    if not first or not second:
        return None
    if same_person(first[0], second[0]):
        return True
    fewer, more = sorted((first[:60], second[:60]), key=len)
    if len(fewer) < 2:
        return False
    return 2 * sum(any(same_person(a, b) for b in more) for a in fewer) >= len(fewer)


def split_names(text: str) -> tuple[str, ...]:
    """The authors in one string: "A. Smith and B. Jones", "Smith, A.; Jones, B.", "A. Smith, B. Jones et al."."""
    found: list[str] = []
    for piece in _SEPARATORS.split(text):
        found += _by_commas(piece) if "," in piece else [piece]
    return tuple(name for piece in found if (name := piece.strip(" ,")))


def _by_commas(text: str) -> list[str]:
    """Commas between authors, unless each second piece is the given name of the one before."""
    pieces = [piece.strip() for piece in text.split(",") if piece.strip()]
    given = pieces[1::2]
    if (
        len(pieces) % 2 == 0
        and all(_INITIALS.fullmatch(piece) or " " not in piece for piece in given)
        and all(not re.search(r"\b[A-Z]\.", piece) for piece in pieces[::2])
    ):
        return [f"{family}, {first}" for family, first in zip(pieces[::2], given, strict=True)]
    return pieces
