"""What a person finally made of each fact as it was read: decisions that were corrected or taken back count no more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from minerva_desktop.records import Decided, Statement

Judgement = Literal["accepted", "rejected", "corrected"]
BY_PERSON = "person"
"""The extractor of evidence that a correction made."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """``first`` is the decision on the fact as it was read, ``last`` the one that counts; they differ where a correction was
    decided on again. ``after`` is what it was corrected to; None unless ``judgement`` is "corrected"."""

    judgement: Judgement
    first: Decided
    last: Decided
    after: Statement | None = None

    @property
    def before(self) -> Statement:
        """The fact as it was read."""
        return self.first.before


def outcomes(decisions: Iterable[Decided]) -> list[Outcome]:
    """The outcome for each fact that was read and decided on, in the order of the decisions (oldest first).

    Facts that only a correction made have none of their own: what was decided on them counts for the fact that was read.
    So does nothing that waits again.
    """
    last: dict[str, Decided] = {}
    for item in decisions:
        last[item.fact] = item
    made = {item.after.fact for item in last.values() if item.after is not None and item.after.fact != item.fact}
    found = []
    for item in last.values():
        read = any(place.extractor != BY_PERSON for place in item.before.places)
        if read or item.fact not in made:
            outcome = _outcome(item, last)
            if outcome is not None:
                found.append(outcome)
    return sorted(found, key=lambda one: (one.first.event, one.first.fact))


def _outcome(first: Decided, last: dict[str, Decided]) -> Outcome | None:
    item, after = first, first.after
    while after is not None:
        following = last.get(after.fact)
        if following is None or following.event <= item.event:
            break
        item = following
        if item.verb != "accept":
            after = item.after
    if item.verb == "reopen":
        return None
    if item.verb == "reject":
        return Outcome("rejected", first, item)
    return Outcome("corrected" if after is not None else "accepted", first, item, after)
