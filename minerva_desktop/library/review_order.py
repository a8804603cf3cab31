"""In which order facts are reviewed: where a decision teaches most and touches most comes first.

    priority    = uncertainty · impact
    uncertainty = 4 · p · (1 - p)          p = the confidence of the fact's surest reading, from 0 to 1
    impact      = 1 + log2(1 + facts) + log2(1 + papers) + 2 · key

Uncertainty is the variance of a yes or no with the chance p, scaled to 1: highest at p = 0.5, where the reading says
nothing either way. It is 1 where the gate saw two ways (a value that can be read in two ways, textbooks that do not
agree), and never below 0.05, so that impact still orders what is nearly sure.

``facts`` are the other facts, accepted or waiting, at the two ends of this one; ``papers`` are those that mention the ends.
The end that is a value counts for nothing: a number in two papers is no bond between them. ``key`` is 1 where the fact
can fill a key column of its subject. Logarithms, because the hundredth fact of a material matters less than its second.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from minerva_desktop.errors import UsageError
from minerva_desktop.library.database import Row
from minerva_desktop.library.facts import FactsPart

ORDERS = ("useful", "paper", "type", "added")
TWO_WAYS = frozenset({"ambiguous", "mixed-verdicts"})
LEAST = 0.05


def uncertainty(confidence: float, rule: str = "") -> float:
    """How little is known whether the fact holds, from 0.05 to 1. ``rule`` is the gate's."""
    if rule in TWO_WAYS:
        return 1.0
    sure = min(1.0, max(0.0, confidence))
    return max(LEAST, 4.0 * sure * (1.0 - sure))


def impact(facts: int, papers: int, *, key: bool = False) -> float:
    """How much stands around the fact; at least 1."""
    return 1.0 + log2(1 + max(0, facts)) + log2(1 + max(0, papers)) + (2.0 if key else 0.0)


class ReviewOrderPart(FactsPart):
    """Ids of facts in the order of review."""

    def review_ids(
        self,
        status: str | None = None,
        paper: str | None = None,
        type: str | None = None,  # noqa: A002 - the name a caller expects for a relation type
        text: str | None = None,
        order: str = "useful",
        only: Sequence[str] | None = None,
    ) -> list[str]:
        """Ids of the facts that pass the filters of :meth:`facts`. ``order``: "useful" (uncertainty times impact, highest
        first), "paper" (as they stand in the papers), "type" (relation, then property), "added"; ``only``: of these ids
        alone.

        Raises:
            UsageError: there is no such order or status.
        """
        if order not in ORDERS:
            raise UsageError(f"There is no order “{order}”.", hint=f"Orders: {', '.join(ORDERS)}.")
        joins, where, values = self._filter(status, paper, type, None, None, text)
        if only is not None:
            wanted = ", ".join(f"'{item}'" for item in only if item.isalnum())
            where += f" AND r.id IN ({wanted})"
        if order == "useful":
            return self._most_useful(joins, where, values)
        by = {"paper": "place, at, r.seq", "type": "r.type, r.property_id, r.seq", "added": "r.seq"}[order]
        extra = ""
        if order == "paper":
            # SQLite takes ``start`` from the row that holds the minimum.
            extra = (
                "JOIN (SELECT v.relation, min(a.seq * 100000000 + v.start) AS at, a.seq AS place FROM evidences v "
                "JOIN papers a ON a.id = v.paper WHERE v.live GROUP BY v.relation) o ON o.relation = r.id"
            )
        rows = self.db.rows(f"SELECT r.id FROM relations r {joins} {extra} WHERE {where} ORDER BY {by}", values)
        return [row[0] for row in rows]

    def count_review(self, paper: str | None = None, text: str | None = None) -> tuple[int, int, int, int]:
        """How many facts pass these filters: (waiting, accepted, refused, on which a person decided)."""
        joins, where, values = self._filter(None, paper, None, None, None, text)
        counts = {"waiting": 0, "accepted": 0, "refused": 0}
        by_person = 0
        query = (
            "SELECT r.status, r.person_status IS NOT NULL AS decided, count(*) AS n "
            f"FROM relations r {joins} WHERE {where} GROUP BY 1, 2"
        )
        for row in self.db.rows(query, values):
            counts[row["status"]] += int(row["n"])
            by_person += int(row["n"]) if row["decided"] else 0
        return counts["waiting"], counts["accepted"], counts["refused"], by_person

    def _most_useful(self, joins: str, where: str, values: dict[str, object]) -> list[str]:
        query = (
            "SELECT r.id, r.seq, r.source, r.target, r.property_id, r.quantity IS NOT NULL AS valued, r.machine_rule, "
            "(SELECT max(confidence) FROM evidences v WHERE v.relation = r.id AND v.live) AS confidence "
            f"FROM relations r {joins} WHERE {where}"
        )
        rows = self.db.rows(query, values)
        facts, papers = self._around(rows)
        keyed = {item.property_id for item in self.domain.key_properties} if self.domain else set()

        def priority(row: Row) -> tuple[float, int]:
            ends = (row["source"],) if row["valued"] else (row["source"], row["target"])
            around = sum(facts.get(end, 1) - 1 for end in ends)
            weight = impact(
                around, sum(papers.get(end, 0) for end in ends), key=row["valued"] and row["property_id"] in keyed
            )
            return (-round(uncertainty(row["confidence"] or 0.0, row["machine_rule"]) * weight, 9), row["seq"])

        return [row["id"] for row in sorted(rows, key=priority)]

    def _around(self, rows: Sequence[Row]) -> tuple[dict[int, int], dict[int, int]]:
        """How many facts that are not refused each entity has, and how many papers mention it."""
        if not rows:
            return {}, {}
        facts: dict[int, int] = {}
        for side in ("source", "target"):
            query = (
                f"SELECT {side} AS entity, count(*) AS n FROM relations WHERE live AND status <> 'refused' GROUP BY 1"
            )
            for row in self.db.rows(query):
                facts[row["entity"]] = facts.get(row["entity"], 0) + int(row["n"])
        counted = self.db.rows(
            "SELECT m.entity, count(*) AS n FROM paper_entities m JOIN papers p ON p.id = m.paper "
            "WHERE p.removed = 0 GROUP BY m.entity"
        )
        return facts, {row["entity"]: int(row["n"]) for row in counted}
