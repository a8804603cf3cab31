"""Review: what waits, in which order, what it stands on, and every decision of a person on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from minerva_desktop.errors import UsageError
from minerva_desktop.library.corrections import Choice, EvidencePlace, relabel_choices, why_not_reversed
from minerva_desktop.records import ChangeSet, Decided, Fact, Passage
from minerva_desktop.workbench.identity import Identities
from minerva_desktop.workbench.journaled import Committed

"""Called in the changing thread as soon as a change is in the record for good, before what follows from it is made."""
BESIDE = 160


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    """How many facts pass a filter, by status, and on how many of them a person decided."""

    waiting: int
    accepted: int
    refused: int
    by_person: int


class Reviewing(Identities):
    """Looking at facts one by one, and deciding. Every decision is one change that can be undone."""

    # -------------------------------------------------------------------------------------------------- queries
    def review_ids(
        self,
        status: str | None = None,
        paper: str | None = None,
        type: str | None = None,  # noqa: A002 - the name a caller expects for a relation type
        text: str | None = None,
        order: str = "useful",
        only: Sequence[str] | None = None,
    ) -> list[str]:
        """Ids of facts in the order of review: "useful" (uncertainty times impact), "paper", "type" or "added"."""
        paper_id = self.paper(paper).id if paper else None
        return self.library.catalog.review_ids(status, paper_id, type, text, order, only)

    def facts_by_id(self, ids: Sequence[str]) -> list[Fact]:
        """Those of these facts that are there, in this order."""
        return self.library.catalog.facts_by_id(ids)

    def review_counts(self, paper: str | None = None, text: str | None = None) -> ReviewCounts:
        """Counts for the strip over the review."""
        paper_id = self.paper(paper).id if paper else None
        return ReviewCounts(*self.library.catalog.count_review(paper_id, text))

    def textbook_passage(self, fact: Fact) -> Passage | None:
        """The textbook passage that a fact was held against: the decisive one, or else the first that was looked at."""
        for record in fact.evidence:
            verdict = record.verdict
            if verdict is None:
                continue
            looked = [verdict.passage, *(item for one in reversed(verdict.rounds) for item in one.passages)]
            found = self.library.catalog.passages([item for item in looked if item])
            if found:
                return found[0]
        return None

    def sentence_around(self, fact: Fact) -> tuple[str, int, int]:
        """(text, start, end): the first evidence of a fact in the words around it, for papers without pages."""
        if not fact.evidence:
            return "", 0, 0
        evidence = fact.evidence[0].evidence
        text = self.document(evidence.paper).text
        before, after = text[: evidence.start], text[evidence.end :]
        if len(before) > BESIDE:
            before = "… " + before[-BESIDE:].split(maxsplit=1)[-1]
        if len(after) > BESIDE:
            after = after[:BESIDE].rsplit(maxsplit=1)[0] + " …"
        start, end = len(before), len(before) + evidence.end - evidence.start
        return before + text[evidence.start : evidence.end] + after, start, end

    def relabel_choices(self, fact: Fact) -> tuple[Choice, ...]:
        """The relations that a fact may be relabelled to, the present one among them."""
        return relabel_choices(self.domain, fact)

    def why_not_reversed(self, fact: Fact) -> str:
        """Why subject and object cannot change places; empty when they can."""
        return why_not_reversed(self.domain, fact)

    def why_not_accepted(self, fact: Fact) -> str:
        """Why a fact cannot be accepted as it is; empty when it can."""
        if self.library.catalog.legal(fact):
            return ""
        return f"A {fact.source.type} {fact.type} a {fact.target.type} means nothing in this domain."

    def decisions(self, *, in_force: bool = True) -> list[Decided]:
        """Every decision of a person on a fact, oldest first, with what was there before and after."""
        return list(self.library.catalog.decisions(in_force=in_force))

    def span_at(self, ref: str, page: int, rect: tuple[float, float, float, float]) -> tuple[int, int] | None:
        """From where to where in a paper's text the sentences go that a rectangle (page points) on a page touches."""
        document = self.document(ref)
        touched = [item for item in document.sentences if any(_meet(box, page, rect) for box in item.boxes)]
        return (touched[0].start, touched[-1].end) if touched else None

    # -------------------------------------------------------------------------------------------------- changes
    def accept(self, ids: Sequence[str], reason: str = "", *, committed: Committed | None = None) -> ChangeSet:
        return self._journaled(lambda: self.library.catalog.decide(self._full(ids), "accepted", reason), committed)

    def reject(
        self, ids: Sequence[str], reason: str = "", kind: str = "", *, committed: Committed | None = None
    ) -> ChangeSet:
        """Refuse facts. ``kind``: why, one of ``records.REJECTION_KINDS``."""
        return self._journaled(lambda: self.library.catalog.decide(self._full(ids), "refused", reason, kind), committed)

    def reopen(self, ids: Sequence[str], *, committed: Committed | None = None) -> ChangeSet:
        """Let facts wait again."""
        return self._journaled(lambda: self.library.catalog.decide(self._full(ids), "waiting"), committed)

    def edit(self, fact_id: str, *, committed: Committed | None = None, **fields: Any) -> ChangeSet:
        """Correct a fact: ``source``, ``target`` (names), ``source_type``, ``target_type``, ``type`` (relation),
        ``property_id``, ``value`` (text with unit) or ``evidence`` (an :class:`EvidencePlace`)."""
        return self._journaled(lambda: self.library.catalog.edit_fact(self.fact(fact_id).id, fields), committed)

    def reverse(self, fact_id: str, *, committed: Committed | None = None) -> ChangeSet:
        """Make the subject the object and the object the subject, where the pack allows it."""
        return self._journaled(lambda: self.library.catalog.reverse_fact(self.fact(fact_id).id), committed)

    def relabel(
        self, fact_id: str, relation: str, target_type: str = "", *, committed: Committed | None = None
    ) -> ChangeSet:
        """Make it another relation, one of :meth:`relabel_choices`."""
        return self._journaled(
            lambda: self.library.catalog.relabel_fact(self.fact(fact_id).id, relation, target_type), committed
        )

    # ------------------------------------------------------------------------------------------------ internals
    def _full(self, ids: Sequence[str]) -> list[str]:
        if not ids:
            raise UsageError("Name at least one fact.", hint="“review list” shows their ids.")
        return [self.fact(item).id for item in ids]


def _meet(box: tuple[int, float, float, float, float], page: int, rect: tuple[float, float, float, float]) -> bool:
    x0, y0, x1, y1 = rect
    return box[0] == page and box[1] < x1 and box[3] > x0 and box[2] < y1 and box[4] > y0


__all__ = ["Choice", "Committed", "EvidencePlace", "ReviewCounts", "Reviewing"]
