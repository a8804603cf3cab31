"""Records of works, for the tests of what becomes one paper."""

from __future__ import annotations

import itertools
from typing import Any

from minerva_desktop.records.works import WorkRecord
from minerva_desktop.sources.same_paper import Grouping, group

AUTHORS = ("J. Nagamatsu", "N. Nakagawa")
REAL = (
    "We report superconductivity in magnesium diboride films grown by pulsed laser deposition. The critical temperature "
    "reaches 39 K, and the critical current density is 10 MA/cm2 at 5 K. Such films are suitable for devices."
)
BOILERPLATE = (
    "This article is only available in PDF form. © 2020 Elsevier B.V. All rights reserved. Please sign in to access "
    "through your institution. To purchase access, subscribe to this journal and view PDF of superconductivity articles. "
) * 6


def record(title: str = "", source: Any = "file", **fields: Any) -> WorkRecord:
    return WorkRecord(source, title=title, **fields)


def groups(*records: WorkRecord) -> list[list[int]]:
    """The groups, after a check that every order of the records gives the same works."""
    found = group(records)
    works = sorted(map(repr, found.works))
    for order in itertools.islice(itertools.permutations(records), 24):
        assert sorted(map(repr, group(order).works)) == works
    return [list(places) for places in found.members]


def flags(found: Grouping) -> list[str]:
    return [flag.kind for flag in found.flags]
