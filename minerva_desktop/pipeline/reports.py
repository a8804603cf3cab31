"""What a job says of each paper, and of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from minerva_desktop.records import Paper, PaperReport

DONE = frozenset({"ok", "duplicate", "damaged"})


def report_of(paper: Paper, name: str, status: str, reason: str) -> PaperReport:
    """The report line of a stored paper."""
    return PaperReport(
        file=name,
        status=status,
        reason=reason,
        id=paper.id,
        title=paper.title,
        doi=paper.doi,
        pages=paper.pages,
        sentences=paper.sentences,
        entities=paper.entities,
        accepted=paper.accepted,
        waiting=paper.waiting,
        refused=paper.refused,
    )


def summarise(reports: Sequence[PaperReport]) -> dict[str, Any]:
    """Counts over a report: files, done, failed, files by status, and the facts of the new papers."""
    by_status = Counter(report.status for report in reports)
    done = sum(count for status, count in by_status.items() if status in DONE)
    summary: dict[str, Any] = {
        "files": len(reports),
        "done": done,
        "failed": len(reports) - done - by_status["skipped"],
        "by_status": dict(sorted(by_status.items())),
    }
    new = [report for report in reports if report.status in {"ok", "damaged"}]
    for key in ("sentences", "entities", "accepted", "waiting", "refused", "unverified"):
        summary[key] = sum(getattr(report, key) for report in new)
    return summary
