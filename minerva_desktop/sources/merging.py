"""The records of one work made one, field by field, whatever their order; what they disagree on is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from minerva_desktop.records.works import Notice, Work, WorkRecord
from minerva_desktop.sources import abstracts
from minerva_desktop.sources.authors import cut_short, people, same_person
from minerva_desktop.sources.folding import plain
from minerva_desktop.sources.identity import is_preprint, is_preprint_doi, published_dois
from minerva_desktop.sources.titles import likeness, read_title, related

_T = TypeVar("_T")

# The most trusted source first. For titles and dates the publisher's own deposit comes before what is derived from it;
# what a person keeps in a bibliography was often typed.
_TRUST = ("crossref", "openalex", "semanticscholar", "arxiv", "unpaywall", "zotero", "csl", "bibtex", "ris", "file")
_PREPRINT_GAP = 3


def trust(record: WorkRecord) -> int:
    """The place of a record's source in the order of trust, 0 the most trusted."""
    return _TRUST.index(record.source) if record.source in _TRUST else len(_TRUST)


def order(record: WorkRecord) -> tuple[bool, int, str]:
    """The order in which the fields of records are taken: published versions, then trusted sources, then any stable one."""
    return (is_preprint(record), trust(record), repr(record))


def merge(records: Iterable[WorkRecord]) -> Work:
    """One work of the records that describe it. The order of the records makes no difference.

    Raises:
        ValueError: there is no record.
    """
    ranked = sorted(records, key=order)
    if not ranked:
        raise ValueError("A work needs a record.")
    if len(ranked) == 1 and _is_plain(ranked[0]):
        return Work(ranked[0], tuple(ranked))
    title = _title(ranked)
    head = ranked[0]
    arxiv_id = _first(ranked, lambda record: record.arxiv_id)
    versions = [r.arxiv_version for r in ranked if r.arxiv_version is not None and r.arxiv_id == arxiv_id]
    doi = _doi(ranked)
    best = replace(
        head,
        source_id=head.source_id,
        title=title,
        authors=_authors(ranked),
        year=_first(ranked, lambda record: record.year) or None,
        venue=_venue(ranked),
        abstract=abstracts.best(
            [record.abstract for record in ranked], title, preferred=[r.abstract.strip() for r in ranked]
        ),
        doi=doi,
        arxiv_id=arxiv_id,
        arxiv_version=max(versions, default=None),
        pmid=_first(ranked, lambda record: record.pmid),
        url=_first(ranked, lambda record: record.url),
        pdf_urls=tuple(dict.fromkeys(url for record in ranked for url in record.pdf_urls)),
        open_access=_open(ranked),
        kind=_first(ranked, lambda record: record.kind),
        published_doi=_published(ranked, doi),
        notices=united_notices(notice for record in ranked for notice in record.notices),
        corrects=tuple(dict.fromkeys(other for record in ranked for other in record.corrects)),
        files=tuple(dict.fromkeys(file for record in ranked for file in record.files)),
    )
    return Work(best, tuple(ranked), tuple(conflicts(ranked)))


def _is_plain(record: WorkRecord) -> bool:
    """Whether there is nothing to choose or clean in a record that stands alone."""
    marked = any(sign in record.title for sign in "<$\\&_^")
    return not (marked or record.abstract or record.notices or len(record.pdf_urls) > 1 or len(record.files) > 1)


def dois(work: Work) -> tuple[str, ...]:
    """Every DOI of a work: the best one first, those of its preprints behind."""
    found = [work.best.doi, *(doi for record in work.records for doi in (record.doi, record.published_doi))]
    return tuple(dict.fromkeys(doi for doi in found if doi))


def arxiv_ids(work: Work) -> tuple[str, ...]:
    """Every arXiv identifier of a work, without versions."""
    return tuple(dict.fromkeys(i for i in (work.best.arxiv_id, *(r.arxiv_id for r in work.records)) if i))


def _first(ranked: Sequence[WorkRecord], field: Callable[[WorkRecord], _T]) -> _T:
    """The first value that says something, else the first value."""
    values = [field(record) for record in ranked]
    return next((value for value in values if value), values[0])


def _title(ranked: Sequence[WorkRecord]) -> str:
    named = [record for record in ranked if read_title(record.title).key]
    if not named:
        return ranked[0].title

    def rank(record: WorkRecord) -> tuple[bool, bool, bool, int, int, str]:
        title = read_title(record.title)
        return (
            is_preprint(record), title.mark is not None, title.shouted, trust(record), -len(title.subject), record.title,
        )  # fmt: skip

    title = min(named, key=rank).title
    return plain(title) if any(sign in title for sign in "<$\\&_^") else title


def _authors(ranked: Sequence[WorkRecord]) -> tuple[str, ...]:
    listed = [record for record in ranked if people(record.authors)]
    if not listed:
        return ()

    def rank(record: WorkRecord) -> tuple[bool, int, int, int, tuple[str, ...]]:
        persons = people(record.authors)
        spelt = sum(any(len(word) > 1 for word in person.words - {person.family}) for person in persons)
        return (cut_short(record.authors), -len(persons), -spelt, trust(record), record.authors)

    published = [record for record in listed if not is_preprint(record) and not cut_short(record.authors)]
    most = max(len(people(record.authors)) for record in listed)
    full = [record for record in published if 2 * len(people(record.authors)) > most]
    return min(full or listed, key=rank).authors


def _venue(ranked: Sequence[WorkRecord]) -> str:
    venues = [record.venue for record in ranked if record.venue]
    real = [venue for venue in venues if not venue.lower().startswith("arxiv")]
    return next(iter([*real, *venues]), "")


def _doi(ranked: Sequence[WorkRecord]) -> str:
    published = sorted({doi for record in ranked for doi in published_dois(record)})
    stated = [record.doi for record in ranked if record.doi]
    real = [doi for doi in stated if not is_preprint_doi(doi)]
    return next(iter([*real, *published, *stated]), "")


def _published(ranked: Sequence[WorkRecord], doi: str) -> str:
    return next((record.published_doi for record in ranked if record.published_doi not in {"", doi}), "")


def _open(ranked: Sequence[WorkRecord]) -> bool | None:
    stated = {record.open_access for record in ranked} - {None}
    return None if not stated else True in stated


def united_notices(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """Each notice once: of one kind and DOI the fullest; one without DOI only when its kind has none with."""
    by_key: dict[tuple[str, str], Notice] = {}
    for notice in sorted(notices, key=lambda one: (one.date == "", one.label == "", one.source, repr(one))):
        by_key.setdefault((notice.kind, notice.doi), notice)
    named = {kind for kind, doi in by_key if doi}
    kept = [notice for (kind, doi), notice in by_key.items() if doi or kind not in named]
    return tuple(sorted(kept, key=lambda one: (one.kind, one.date, one.doi, repr(one))))


# --------------------------------------------------------------------------------------------------- disagreements
def conflicts(records: Sequence[WorkRecord]) -> list[str]:
    """What the records of one work disagree on, a sentence each."""
    ranked = sorted(records, key=order)
    said = [_years(ranked), _titles(ranked), _first_authors(ranked)]
    return [sentence for sentence in said if sentence]


def _years(ranked: Sequence[WorkRecord]) -> str:
    """Versions may lie some years apart; records of one version may not."""
    dated = [record for record in ranked if record.year]
    preprints = [record.year or 0 for record in dated if is_preprint(record)]
    published = [record.year or 0 for record in dated if not is_preprint(record)]
    within = max((max(years) - min(years) for years in (preprints, published) if years), default=0)
    across = max(preprints + published, default=0) - min(preprints + published, default=0)
    if within <= 1 and across <= _PREPRINT_GAP:
        return ""
    return f"The year differs: {_said(dated, lambda record: str(record.year))}."


def _titles(ranked: Sequence[WorkRecord]) -> str:
    named = [record for record in ranked if read_title(record.title).key]
    titles = [read_title(record.title) for record in named] or [read_title("")]
    if all(likeness(titles[0], title) for title in titles[1:]):
        return ""
    how = "differs" if all(related(titles[0], title) for title in titles[1:]) else "is another one"
    return f"The title {how}: {_said(named, lambda record: f'“{plain(record.title)}”')}."


def _first_authors(ranked: Sequence[WorkRecord]) -> str:
    listed = [record for record in ranked if people(record.authors)]
    if all(same_person(people(listed[0].authors)[0], people(record.authors)[0]) for record in listed):
        return ""
    return f"The first author differs: {_said(listed, lambda record: record.authors[0])}."


def _said(records: Sequence[WorkRecord], value: Callable[[WorkRecord], str]) -> str:
    """Each value with the sources that give it: "2001 (crossref, openalex), 2011 (arxiv)"."""
    by_value: dict[str, list[str]] = {}
    for record in records:
        by_value.setdefault(value(record), []).append(record.source)
    return ", ".join(f"{text} ({', '.join(sorted(set(sources)))})" for text, sources in by_value.items())
