"""One passage for what several passages say alike: the same text in two versions of a paper, an abstract that came twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from minerva_desktop.library.words import stems
from minerva_desktop.records import Passage

ALIKE = 0.8
"""Share of the runs of three words that two passages have in common when they are one text. Of one method described anew
by the same authors they share a third."""
ALIKE_OF_A_WORK = 0.5
"""The same for two versions of one work, whose texts were edited in between."""
_RUN = 3


@dataclass(frozen=True, slots=True)
class Standing:
    """What the library knows of papers: which were withdrawn, and which are versions of another (id → that one's id)."""

    withdrawn: frozenset[str] = frozenset()
    versions: Mapping[str, str] | None = None

    def work(self, source: str) -> str:
        return (self.versions or {}).get(source, source)


def collapsed(
    passages: Sequence[Passage], standing: Standing, limit: int
) -> tuple[tuple[Passage, ...], dict[str, tuple[str, ...]]]:
    """The first ``limit`` passages that differ, and for each that stands for others their ids.

    Of passages alike the best evidence stays, at the place (and with the score) of the first of them: not of a withdrawn
    paper, of the main version of a work, with its places on the page; then the one that was found first.
    """
    groups: list[list[Passage]] = []
    runs: list[frozenset[tuple[str, ...]]] = []
    for passage in passages:
        own = _runs(passage.text)
        at = next(
            (
                number
                for number, group in enumerate(groups)
                if _alike(own, runs[number], standing.work(passage.source) == standing.work(group[0].source))
                and passage.source != group[0].source
            ),
            None,
        )
        if at is not None:
            groups[at].append(passage)
        elif len(groups) < limit:
            groups.append([passage])
            runs.append(own)
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


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = stems(text)
    return frozenset(zip(*(words[offset:] for offset in range(_RUN)), strict=False)) or frozenset({tuple(words)})


def _alike(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]], same_work: bool) -> bool:
    least = ALIKE_OF_A_WORK if same_work else ALIKE
    if min(len(one), len(other)) < least * max(len(one), len(other)):
        return False
    common = len(one & other)
    return common >= least * (len(one) + len(other) - common)
