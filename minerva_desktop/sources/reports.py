"""Records that are no works: what reviewers, editors and authors wrote to each other about a manuscript."""

from __future__ import annotations

import re

from minerva_desktop.records.works import WorkRecord
from minerva_desktop.sources.titles import read_title

_KINDS = frozenset(
    {"review-report", "peer-review", "peer review", "referee-report", "reviewer-comment", "decision-letter"}
)
_DOI = re.compile(
    r"/v\d+/(?:review|decision|response|report|referee)s?[-_/.]?\d*\Z|/(?:reviews|peer-?reviews?)/\d+\Z|"
    r"10\.5194/.*-(?:rc|ac|ec|cc|sc)\d{1,2}\Z|10\.5256/f1000research\.\d+\.r\d+\Z|10\.7554/elife\.\d+\.sa\d\Z"
)


def why_excluded(record: WorkRecord) -> str:
    """Why a record is no work, as a sentence; empty when it is one."""
    if record.kind.lower() in _KINDS:
        return "It is a review report, not a paper."
    if _DOI.search(record.doi):
        return f"Its DOI {record.doi} is that of a review report or a letter about one, not of a paper."
    if read_title(record.title).is_report:
        return f"Its title “{read_title(record.title).shown[:80]}” is that of a review report or a letter about one."
    return ""
