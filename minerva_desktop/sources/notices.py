"""Retractions and corrections: what one record says of another work is put on that work, and said in one sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import get_args

from minerva_desktop.records.works import Notice, NoticeKind, Work, WorkRecord
from minerva_desktop.sources.authors import same_authors
from minerva_desktop.sources.identity import normal_doi
from minerva_desktop.sources.merging import dois, united_notices
from minerva_desktop.sources.titles import read_title

SEVERITY: tuple[NoticeKind, ...] = (
    "retraction", "withdrawal", "removal", "expression of concern", "correction", "erratum",
)  # fmt: skip
"""The kinds of notices, the gravest first."""

_KINDS: dict[str, NoticeKind] = {
    "retraction": "retraction", "retracted": "retraction", "partial_retraction": "retraction", "retraction_note": "retraction",
    "withdrawal": "withdrawal", "withdrawn": "withdrawal", "removal": "removal", "removed": "removal",
    "expression_of_concern": "expression of concern", "concern": "expression of concern", "correction": "correction",
    "corrigendum": "correction", "addendum": "correction", "clarification": "correction", "new_edition": "correction",
    "erratum": "erratum", "errata": "erratum",
}  # fmt: skip
_STATED: dict[NoticeKind, str] = {
    "retraction": "This paper was retracted",
    "withdrawal": "This paper was withdrawn",
    "removal": "This paper was removed by its publisher",
    "expression of concern": "The publisher expressed concern about this paper",
    "correction": "This paper was corrected",
    "erratum": "This paper has an erratum",
}
_COUNTED: dict[NoticeKind, tuple[str, str]] = {
    "retraction": ("retraction notice", "retraction notices"),
    "withdrawal": ("withdrawal notice", "withdrawal notices"),
    "removal": ("removal notice", "removal notices"),
    "expression of concern": ("expression of concern", "expressions of concern"),
    "correction": ("correction", "corrections"),
    "erratum": ("erratum", "errata"),
}
GRAVE: frozenset[NoticeKind] = frozenset(SEVERITY[:4])
"""What casts doubt on everything that a paper says; a correction does not."""


def notice_kind(text: str) -> NoticeKind | None:
    """The kind of notice that a source's word for it means ("Retraction", "expression_of_concern"); None for others."""
    key = text.strip().lower().replace("-", "_").replace(" ", "_")
    if key in _KINDS:
        return _KINDS[key]
    return next((kind for kind in get_args(NoticeKind) if kind == text.strip().lower()), None)


def kind_of(record: WorkRecord) -> NoticeKind | None:
    """What kind of notice to another work a record is: by its title, then its kind; a correction when it only says that
    it changes another work; None when it is no notice."""
    by_title = read_title(record.title).role or _role_alone(record.title)
    kind = notice_kind(by_title) if by_title else None
    kind = kind or notice_kind(record.kind)
    return kind or ("correction" if record.corrects else None)


def _role_alone(title: str) -> str:
    """ "Erratum" alone as a title."""
    return title.strip(" .:").lower()


def apply(works: Iterable[Work]) -> tuple[Work, ...]:
    """The works in their order, each with the notices that any of the records holds on it.

    A notice finds its work by the DOI it names; a notice that names none ("Retraction: X"), by the title when exactly one
    work has it and its authors do not speak against it. A title that itself begins with "RETRACTED:" is a notice too.
    """
    given = list(works)
    by_doi, by_title = _places(given)
    notices: dict[int, list[Notice]] = defaultdict(list)
    for at, work in enumerate(given):
        notices[at] += [notice for record in work.records for notice in record.notices]
        notices[at] += work.best.notices
        notices[at] += _own_marks(work)
        for record in work.records or (work.best,):
            kind = kind_of(record)
            if kind is not None:
                for place in _targets(record, by_doi, by_title, given) - {at}:
                    notices[place].append(_notice(record, kind))
    return tuple(_with(work, notices[at]) for at, work in enumerate(given))


def _places(works: Sequence[Work]) -> tuple[dict[str, set[int]], dict[str, set[int]]]:
    by_doi: dict[str, set[int]] = defaultdict(set)
    by_title: dict[str, set[int]] = defaultdict(set)
    for at, work in enumerate(works):
        for doi in dois(work):
            by_doi[doi].add(at)
        for record in (work.best, *work.records):
            title = read_title(record.title)
            if not title.role and not title.generic:
                by_title[title.key].add(at)
    return by_doi, by_title


def _own_marks(work: Work) -> list[Notice]:
    marked = ((record, read_title(record.title).mark) for record in work.records or (work.best,))
    return [Notice(mark, label="Its title says so.", source=record.source) for record, mark in marked if mark]


def _targets(
    record: WorkRecord, by_doi: dict[str, set[int]], by_title: dict[str, set[int]], works: Sequence[Work]
) -> set[int]:
    """The places of the works that a notice is about."""
    if record.corrects:
        return {place for doi in record.corrects for place in by_doi.get(normal_doi(doi), ())}
    title = read_title(record.title)
    found = by_title.get(title.key, set()) if title.role else set()
    fitting = {
        at
        for at in found
        if same_authors(record.authors, works[at].best.authors) is not False or _by_editors(title.role)
    }
    return fitting if len(fitting) == 1 else set()


def _by_editors(role: str) -> bool:
    """Retractions are often signed by editors, so that their authors say nothing."""
    return role in {"retraction", "withdrawal", "removal", "expression of concern"}


def _notice(record: WorkRecord, kind: NoticeKind) -> Notice:
    return Notice(kind, record.doi, str(record.year or ""), record.title, record.source)


def _with(work: Work, notices: Sequence[Notice]) -> Work:
    united = tuple(sorted(united_notices(notices), key=lambda one: SEVERITY.index(one.kind)))
    return work if united == work.best.notices else replace(work, best=replace(work.best, notices=united))


def gravest(notices: Iterable[Notice]) -> Notice | None:
    """The gravest notice, of several the earliest; None when there is none."""
    return min(
        notices, key=lambda one: (SEVERITY.index(one.kind), one.date or "9999", one.doi, repr(one)), default=None
    )


def banner(notices: Iterable[Notice]) -> str:
    """One sentence for the person about a work with these notices; empty when there are none.

    >>> banner([Notice("retraction", "10.1000/r", "2021-03-01", source="crossref")])
    'This paper was retracted (2021-03-01, notice 10.1000/r).'
    """
    found = list(notices)
    worst = gravest(found)
    if worst is None:
        return ""
    details = [worst.date] if worst.date else []
    details += [f"notice {worst.doi}"] if worst.doi else []
    counts = [(kind, sum(1 for one in found if one.kind == kind and one is not worst)) for kind in SEVERITY]
    others = [f"{count} {_COUNTED[kind][count > 1]}" for kind, count in counts if count]
    text = _STATED[worst.kind] + (f" ({', '.join(details)})" if details else "")
    return f"{text}; there {_is(counts)} also {' and '.join(others)}." if others else f"{text}."


def _is(counts: Sequence[tuple[NoticeKind, int]]) -> str:
    return "is" if next(count for _, count in counts if count) == 1 else "are"
