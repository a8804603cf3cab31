"""The catalog: everything that is in ``library.sqlite``, as one object."""

from __future__ import annotations

from minerva_desktop.library.decisions import DecisionsPart
from minerva_desktop.library.jobs import JobsPart
from minerva_desktop.library.passages import PassagesPart
from minerva_desktop.library.view import ViewPart


class Catalog(DecisionsPart, ViewPart, PassagesPart, JobsPart):
    """Papers, facts, passages, textbooks, jobs and journal. Thread-safe: one writer at a time, readers beside it.

    Changes return a :class:`~minerva_desktop.records.ChangeSet`; several become one with :meth:`transaction`.
    """
