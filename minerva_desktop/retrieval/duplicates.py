"""One passage for what several passages say alike: the same text in two versions of a paper, an abstract that came twice."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from minerva_desktop.records import Passage

ALIKE = 0.6
"""Share of the runs of three words that two passages have in common when they are one text: one word in twelve may differ.
And neither may have a number of its own where the other has another, for numbers are what papers of one kind differ in."""
ALIKE_OF_A_WORK = 0.4
"""The same for two versions of one work, whose texts were edited in between."""
_RUN = 3
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Standing:
    """What the library knows of papers: which were withdrawn, and which are versions of another (id → that one's id)."""

    withdrawn: frozenset[str] = frozenset()
    versions: Mapping[str, str] | None = None

    def work(self, source: str) -> str:
        return (self.versions or {}).get(source, source)


@dataclass(frozen=True, slots=True)
class _Text:
    """The runs of three words of a text, and its numbers."""

    runs: frozenset[tuple[str, ...]]
    numbers: frozenset[str]

    @classmethod
    def of(cls, text: str) -> _Text:
        plain = unicodedata.normalize("NFKC", text).casefold()
        words = _WORD.findall(plain)
        runs = frozenset(zip(*(words[offset:] for offset in range(_RUN)), strict=False))
        return cls(runs or frozenset({tuple(words)}), frozenset(_NUMBER.findall(plain)))

    def is_like(self, other: _Text, same_work: bool) -> bool:
        least = ALIKE_OF_A_WORK if same_work else ALIKE
        common = len(self.runs & other.runs)
        if common < least * (len(self.runs) + len(other.runs) - common):
            return False
        return self.numbers <= other.numbers or other.numbers <= self.numbers


def collapsed(
    passages: Sequence[Passage], standing: Standing, limit: int
) -> tuple[tuple[Passage, ...], dict[str, tuple[str, ...]]]:
    """The first ``limit`` passages that differ, and for each that stands for others their ids.

    Of passages alike the best evidence stays, at the place (and with the score) of the first of them: not of a withdrawn
    paper, of the main version of a work, with its places on the page; then the one that was found first.
    """
    groups: list[list[Passage]] = []
    texts: list[_Text] = []
    for passage in passages:
        own = _Text.of(passage.text)
        at = next(
            (
                number
                for number, group in enumerate(groups)
                if own.is_like(texts[number], standing.work(passage.source) == standing.work(group[0].source))
                and passage.source != group[0].source
            ),
            None,
        )
        if at is not None:
            groups[at].append(passage)
        elif len(groups) < limit:
            groups.append([passage])
            texts.append(own)
    kept: list[Passage] = []
    others: dict[str, tuple[str, ...]] = {}
    for group in groups:
        best = min(group, key=lambda passage: _rank(passage, standing))  # the first of equal ones
        kept.append(replace(best, score=group[0].score))
        if len(group) > 1:
            others[best.id] = tuple(passage.id for passage in group if passage is not best)
    return tuple(kept), others


def _rank(passage: Passage, standing: Standing) -> tuple[bool, bool, bool]:
    return (
        passage.source in standing.withdrawn,
        standing.work(passage.source) != passage.source,
        not passage.boxes and passage.page is None,
    )
