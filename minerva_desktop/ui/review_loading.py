"""What the review fetches off the window's thread: the list, and what belongs beside each fact."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from minerva_desktop.records import Fact, Notice
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.facts_model import FactsModel
from minerva_desktop.ui.review_card import Beside
from minerva_desktop.workbench.reviewing import ReviewCounts

AHEAD = 3
"""So many facts after the one that is shown are made ready."""
KEPT = 400


@dataclass(frozen=True, slots=True)
class Filters:
    """Which facts are listed, and in which order."""

    status: str
    paper: str | None
    text: str
    order: str

    def asked(self) -> dict[str, Any]:
        """As the workbench takes it."""
        return {
            "status": self.status or None,
            "paper": self.paper,
            "text": self.text or None,
            "order": self.order,
        }


@dataclass(frozen=True, slots=True)
class View:
    """What a load brings."""

    counts: ReviewCounts
    ids: list[str] = field(default_factory=list)
    row: int = 0
    facts: list[Fact] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)
    withdrawn: frozenset[str] = frozenset()
    notices: dict[str, tuple[Notice, ...]] = field(default_factory=dict)


def load_view(workbench: Any, filters: Filters, wanted: str, row: int) -> View:
    """The list, with the facts around the one that is wanted (or around a row)."""
    ids = workbench.review_ids(**filters.asked())
    at = ids.index(wanted) if wanted in ids else min(row, max(0, len(ids) - 1))
    first = at // FactsModel.portion * FactsModel.portion
    facts = workbench.facts_by_id(ids[first : first + FactsModel.portion]) if ids else []
    papers = workbench.papers()
    return View(
        counts=workbench.review_counts(filters.paper, filters.text or None),
        ids=ids,
        row=at,
        facts=facts,
        titles={paper.id: paper.title or paper.file_name for paper in papers},
        withdrawn=frozenset(paper.id for paper in papers if paper.withdrawn),
        notices={paper.id: paper.notices for paper in papers if paper.notices},
    )


class BesideStore:
    """Textbook passage, words around, and what can be done, for facts that are looked at or soon will be."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._kept: OrderedDict[str, Beside] = OrderedDict()
        self._asked: set[str] = set()
        self._round = 0

    def get(self, fact: Fact) -> Beside | None:
        """What is here already."""
        return self._kept.get(fact.id)

    def want(self, fact: Fact, came: Callable[[Fact], None]) -> None:
        """Fetch it unless it is here or on its way; ``came`` is called when it has come."""
        if fact.id in self._kept or fact.id in self._asked:
            return
        self._asked.add(fact.id)
        workbench, number = self._bridge.workbench, self._round

        def work() -> Beside:
            return Beside(
                workbench.textbook_passage(fact),
                workbench.sentence_around(fact)
                if fact.evidence and not fact.evidence[0].evidence.boxes
                else ("", 0, 0),
                workbench.relabel_choices(fact),
                workbench.why_not_reversed(fact),
                workbench.why_not_accepted(fact),
            )

        def done(beside: Beside) -> None:
            self._asked.discard(fact.id)
            if number == self._round:
                self._kept[fact.id] = beside
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
                came(fact)

        self._bridge.query(work, done, lambda _: self._asked.discard(fact.id))

    def forget(self, *ids: str) -> None:
        """Fetch these anew, or everything."""
        if not ids:
            self._round += 1
            self._kept.clear()
            self._asked.clear()
        for item in ids:
            self._kept.pop(item, None)
