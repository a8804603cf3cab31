"""Word sequences in a question: whole words only, so that "annealed" never contains "LED"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from minerva_desktop.extraction.tokens import fold_phrase

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword of a pack: all ``parts`` must stand in the question, in any order and place, without sharing words."""

    text: str
    parts: tuple[Words, ...]

    @property
    def length(self) -> int:
        return sum(len(part) for part in self.parts)


@lru_cache(maxsize=2048)
def keyword(text: str) -> Keyword:
    """ "band gap + conductivity" as its parts."""
    return Keyword(text, tuple(fold_phrase(part) for part in text.split(" + ")))


def places(words: Sequence[str], phrase: Words) -> list[int]:
    """Where a phrase starts in a sequence of words."""
    size = len(phrase)
    if not size:
        return []
    return [start for start in range(len(words) - size + 1) if tuple(words[start : start + size]) == phrase]


def contains_phrase(words: Sequence[str], phrase: Words) -> bool:
    """Whether the phrase stands in the words, as whole words."""
    return bool(places(words, phrase))


def matched_words(words: Sequence[str], item: Keyword) -> frozenset[int] | None:
    """The word positions that a keyword takes, None when it does not fit. Longer parts choose first."""
    taken: set[int] = set()
    for part in sorted(item.parts, key=lambda words_of_part: (-len(words_of_part), words_of_part)):
        for start in places(words, part):
            span = set(range(start, start + len(part)))
            if not span & taken:
                taken |= span
                break
        else:
            return None
    return frozenset(taken)


def best_match(words: Sequence[str], texts: Iterable[str]) -> tuple[int, frozenset[int], str] | None:
    """The longest keyword that fits: its number of words, their positions, its text. Ties go to the earlier place."""
    best: tuple[int, frozenset[int], str] | None = None
    for text in texts:
        item = keyword(text)
        found = matched_words(words, item)
        if found is None or not found:
            continue
        if best is None or (item.length, -min(found)) > (best[0], -min(best[1])):
            best = (item.length, found, text)
    return best
