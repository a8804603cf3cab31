"""Which record of a bibliography a file is: by the identifiers printed on it, then by its title.

A wrong match puts a wrong title on every fact of a paper, so a title decides only where nothing that tells papers apart
differs (numbers, formulas, names of substances), and a file that could be two records is left to the person.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from rapidfuzz import fuzz, process

from minerva_desktop.language.identifiers import find_arxiv, find_doi
from minerva_desktop.records import Document, WorkRecord
from minerva_desktop.sources.folded_titles import fold_title, main_title, telling_difference

How = Literal["doi", "arxiv", "title"]

SURE, LIKELY, DOUBTFUL = 0.99, 0.9, 0.5
_LEAST_ALIKE = 88.0  # of 100, letters of folded titles
_LEAST_MARGIN = 4.0
_UNLIKE = 45.0  # titles below this have nothing to do with one another
_FEWEST_LETTERS = 25  # of a title that is looked for in running text
_LONG_TITLE, _HEAD = 45, 150  # letters without blanks
_FIRST_PAGE = 6000  # letters
_MOST_AUTHORS = 5
_NOTICE = re.compile(
    r"(?:publishers? |authors? )?(?:errat|corrig|correction|retract|withdraw|comment on|reply to|response to|addendum)"
)
"""How the folded titles of works begin that repeat the title of another."""


@dataclass(frozen=True, slots=True)
class PaperStamp:
    """What a file says of itself. ``name`` is the caller's: a path or an id. ``first_page``: its text."""

    name: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str = ""
    arxiv_id: str = ""
    first_page: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """``paper`` is a stamp's name, ``record`` an index of the records; ``sure`` is between 0 and 1. ``why`` is a sentence;
    ``doubt`` another when something speaks against the match."""

    paper: str
    record: int
    how: How
    sure: float
    why: str
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Unmatched:
    """A file that is none of the records, or cannot be told from several (``candidates``)."""

    paper: str
    reason: str
    candidates: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Matching:
    """Every paper is in ``matches`` once or in ``unmatched`` once; ``without_paper`` are the records that no paper is."""

    matches: tuple[Match, ...] = ()
    unmatched: tuple[Unmatched, ...] = ()
    without_paper: tuple[int, ...] = ()


def stamp_of(name: str, document: Document) -> PaperStamp:
    """The stamp of a file that was read."""
    first = [sentence.text for sentence in document.sentences if sentence.page in {None, 1}]
    text = " ".join(first)[:_FIRST_PAGE] or document.text[:_FIRST_PAGE]
    said = document.metadata
    return PaperStamp(name, said.title, said.authors, said.year, said.doi, said.arxiv_id, text)


def match_papers(papers: Sequence[PaperStamp], records: Sequence[WorkRecord]) -> Matching:
    """Match papers with records. The order of neither changes which belong together."""
    index = _Index(records)
    matches: list[Match] = []
    unmatched: list[Unmatched] = []
    for stamp in papers:
        paper = _Paper(stamp)
        found: Match | Unmatched | None = _by_identifier(paper, index)
        if found is None or (isinstance(found, Match) and found.doubt):
            other = _by_title(paper, index)
            found = other if isinstance(other, Match) or found is None else found
        if isinstance(found, Match):
            matches.append(found)
        else:
            unmatched.append(found)
    taken = {match.record for match in matches}
    return Matching(tuple(matches), tuple(unmatched), tuple(n for n in range(len(records)) if n not in taken))


class _Paper:
    """A stamp with what is compared of it."""

    def __init__(self, stamp: PaperStamp) -> None:
        self.stamp = stamp
        self.name = stamp.name
        self.title = fold_title(stamp.title)
        self.main_title = main_title(stamp.title)
        self.page = stamp.first_page[:_FIRST_PAGE]

    @cached_property
    def folded_page(self) -> str:
        return fold_title(self.page)

    @cached_property
    def squeezed_page(self) -> str:
        return self.folded_page.replace(" ", "")

    @cached_property
    def words(self) -> frozenset[str]:
        """The words among which the authors' names are looked for."""
        return frozenset(f"{fold_title(' '.join(self.stamp.authors))} {self.folded_page}".split())


class _Index:
    """The records by identifier and by title."""

    def __init__(self, records: Sequence[WorkRecord]) -> None:
        self.records = records
        self.titles = [fold_title(record.title) for record in records]
        self.squeezed = [title.replace(" ", "") for title in self.titles]
        self.by_doi: dict[str, list[int]] = defaultdict(list)
        self.by_arxiv: dict[str, list[int]] = defaultdict(list)
        self.by_title: dict[str, list[int]] = defaultdict(list)
        self.by_main: dict[str, list[int]] = defaultdict(list)
        for number, record in enumerate(records):
            for doi in {record.doi.lower(), record.published_doi.lower()} - {""}:
                self.by_doi[doi].append(number)
            if record.arxiv_id:
                self.by_arxiv[_arxiv_key(record.arxiv_id)].append(number)
            if self.squeezed[number]:
                self.by_title[self.squeezed[number]].append(number)
            main = main_title(record.title)
            if main:
                self.by_main[main].append(number)


def _arxiv_key(identifier: str) -> str:
    return re.sub(r"v\d+\Z", "", identifier).lower()


# ------------------------------------------------------------------------------------------------- identifiers
def _by_identifier(paper: _Paper, index: _Index) -> Match | None:
    """A match by DOI or arXiv number: first those that the file gives as its own, then others on its first page, which
    count only when the title does not speak against them."""
    own: list[tuple[How, str, list[int]]] = []
    if paper.stamp.doi:
        own.append(("doi", paper.stamp.doi, index.by_doi.get(paper.stamp.doi.lower(), [])))
    if paper.stamp.arxiv_id:
        own.append(("arxiv", paper.stamp.arxiv_id, index.by_arxiv.get(_arxiv_key(paper.stamp.arxiv_id), [])))
    doubtful: Match | None = None
    for how, written, numbers in own:
        if numbers:
            match = _identified(paper, index, how, written, numbers)
            if not match.doubt:
                return match
            doubtful = doubtful or match
    for how, written in _printed(paper.page):
        numbers = index.by_doi.get(written, []) if how == "doi" else index.by_arxiv.get(_arxiv_key(written), [])
        if numbers:
            match = _identified(paper, index, how, written, numbers)
            if not match.doubt and _title_agrees(paper, index, match.record):
                return match
    return doubtful


def _identified(paper: _Paper, index: _Index, how: How, written: str, numbers: Sequence[int]) -> Match:
    best = max(
        numbers, key=lambda number: (_likeness(paper, index, number), _completeness(index.records[number]), -number)
    )
    label = "DOI" if how == "doi" else "arXiv number"
    why = f"The file and the record have the same {label}, {written}."
    theirs, ours = index.titles[best], paper.title
    unlike = (
        bool(theirs and ours) and _likeness(paper, index, best) < _UNLIKE and not _on_first_page(paper, index, best)
    )
    if unlike:
        return Match(paper.name, best, how, DOUBTFUL, why, "But their titles have nothing in common.")
    return Match(paper.name, best, how, SURE, why)


def _printed(text: str) -> Iterable[tuple[How, str]]:
    """Identifiers in running text, in their order."""
    for word in re.findall(r"\S*10\.\d{4,9}/\S+", text):
        doi = find_doi(word)
        if doi:
            yield "doi", doi
    arxiv = find_arxiv(text)
    if arxiv:
        yield "arxiv", arxiv


def _completeness(record: WorkRecord) -> int:
    return sum(bool(value) for value in (record.title, record.authors, record.year, record.abstract, record.venue))


# ------------------------------------------------------------------------------------------------------- titles
def _by_title(paper: _Paper, index: _Index) -> Match | Unmatched:
    same = index.by_title.get(paper.title.replace(" ", ""), []) if paper.title else []
    if same:
        return _of_equals(paper, index, same, "The titles are the same.", LIKELY if len(paper.title) > 20 else 0.8)
    alike = _alike(paper.title, index) if len(paper.title) > 10 else []
    if alike:
        return _of_alike(paper, index, alike)
    leads = [number for number in _by_subtitle(paper, index) if _people_agree(paper, index.records[number]) is True]
    if leads:
        return _of_equals(paper, index, leads, "The titles are the same but for a subtitle.", 0.8)
    printed = _by_printed_title(paper, index)
    if printed is not None:
        return printed
    said = f"titled “{paper.stamp.title}” " if paper.title else "that gives no title "
    return Unmatched(paper.name, f"No record fits the file {said}and none of its identifiers is in the bibliography.")


def _by_printed_title(paper: _Paper, index: _Index) -> Match | Unmatched | None:
    """The record whose title stands on the first page. A title that is only cited there is there too, so either the
    authors must be on that page as well, or the title is long and stands at the head of the page."""
    found = [number for number in range(len(index.records)) if _on_first_page(paper, index, number)]
    found = [number for number in found if _same_sort(paper, index, number)]
    longest = max((len(index.squeezed[number]) for number in found), default=0)
    whole = [number for number in found if len(index.squeezed[number]) == longest]
    if whole and _people_agree(paper, index.records[whole[0]]) is True:
        return _of_equals(paper, index, whole, "The record's title stands on the first page.", 0.8)
    head = paper.squeezed_page[: longest + _HEAD]
    if longest >= _LONG_TITLE and len(whole) == 1 and index.squeezed[whole[0]] in head:
        return Match(paper.name, whole[0], "title", 0.75, "The record's title stands at the head of the first page.")
    return None


def _of_alike(paper: _Paper, index: _Index, alike: Sequence[tuple[int, float]]) -> Match | Unmatched:
    """One of the records whose titles are nearly that of the file, when it is clearly the nearest or its authors are."""
    best, score = alike[0]
    equals = [number for number, _ in alike if index.squeezed[number] == index.squeezed[best]]
    rivals = [number for number, other in alike if number not in equals and score - other < _LEAST_MARGIN]
    if rivals:
        equals = [number for number in (*equals, *rivals) if _people_agree(paper, index.records[number]) is True]
        if len({index.squeezed[number] for number in equals}) != 1:
            return _several(paper, [number for number, _ in alike])
    return _of_equals(paper, index, equals, "The titles are nearly the same.", 0.6 + score / 500)


def _alike(folded: str, index: _Index) -> list[tuple[int, float]]:
    """Records whose titles are nearly the same, the most alike first, those out that differ in a telling word."""
    found = process.extract(folded, index.titles, scorer=fuzz.ratio, score_cutoff=_LEAST_ALIKE, limit=20)
    near = [
        (int(number), float(score))
        for _, score, number in found
        if not telling_difference(folded, index.titles[number])
    ]
    return sorted(near, key=lambda item: (-item[1], item[0]))


def _by_subtitle(paper: _Paper, index: _Index) -> list[int]:
    """Records whose title is that of the file but for a subtitle that one of them leaves out."""
    if not paper.title:
        return []
    longer = index.by_main.get(paper.title.replace(" ", ""), [])
    shorter = index.by_title.get(paper.main_title, []) if paper.main_title else []
    return sorted({*longer, *shorter})


def _of_equals(paper: _Paper, index: _Index, numbers: Sequence[int], why: str, sure: float) -> Match | Unmatched:
    """The one of several records with one title that authors and year speak for."""
    people = {number: _people_agree(paper, index.records[number]) for number in numbers}
    fitting = [number for number in numbers if people[number] is not False] or list(numbers)
    fitting = [number for number in fitting if people[number] is True] or fitting
    fitting = [number for number in fitting if _same_year(paper, index.records[number])] or fitting
    if len(fitting) > 1 and not _one_work([index.records[number] for number in fitting]):
        return _several(paper, fitting)
    best = max(fitting, key=lambda number: (_completeness(index.records[number]), -number))
    agree = people[best]
    if agree is False:
        short = len(index.titles[best].split()) < 4
        if short or sure < LIKELY:
            return Unmatched(
                paper.name, "A record has the same title, but none of its authors is on the first page.", (best,)
            )
        return Match(paper.name, best, "title", 0.7, why, "But none of the record's authors is on the first page.")
    bonus = 0.05 if agree else 0.0
    return Match(
        paper.name, best, "title", round(min(sure + bonus, 0.97), 3), why + (" So are the authors." if agree else "")
    )


def _several(paper: _Paper, numbers: Sequence[int]) -> Unmatched:
    return Unmatched(paper.name, f"{len(numbers)} records fit this file equally well.", tuple(sorted(numbers)))


def _one_work(records: Sequence[WorkRecord]) -> bool:
    """Whether records with one title are entries of one work: no two identifiers, years or first authors disagree."""
    dois = {record.doi for record in records if record.doi}
    numbers = {record.arxiv_id for record in records if record.arxiv_id}
    years = [record.year for record in records if record.year]
    first = {_surname(record.authors[0]) for record in records if record.authors}
    return len(dois) < 2 and len(numbers) < 2 and len(first) < 2 and (not years or max(years) - min(years) <= 1)


def _surname(name: str) -> str:
    words = fold_title(re.sub(r",?\s+(?:Jr|Sr|I{2,3})\.?\Z", "", name)).split()
    return words[-1] if words else ""


def _people_agree(paper: _Paper, record: WorkRecord) -> bool | None:
    """Whether the record's authors are those of the file; None where one side names none."""
    wanted = [surname for surname in map(_surname, record.authors[:_MOST_AUTHORS]) if len(surname) > 1]
    if not wanted or not paper.words:
        return None
    if any(surname in paper.words or (len(surname) > 6 and surname in paper.squeezed_page) for surname in wanted):
        return True
    # Names that the page glues together: two that are long enough not to be there by chance.
    return sum(len(surname) > 3 and surname in paper.squeezed_page for surname in wanted) > 1


def _same_year(paper: _Paper, record: WorkRecord) -> bool:
    return paper.stamp.year is not None and record.year is not None and abs(paper.stamp.year - record.year) <= 1


def _likeness(paper: _Paper, index: _Index, number: int) -> float:
    return float(fuzz.token_set_ratio(paper.title, index.titles[number]))


def _same_sort(paper: _Paper, index: _Index, number: int) -> bool:
    """False when one of them is an erratum of, or a comment on, what the other is."""
    notice = _NOTICE.match(paper.title) or (not paper.title and _NOTICE.search(paper.folded_page[:200]))
    return bool(notice) == bool(_NOTICE.match(index.titles[number]))


def _title_agrees(paper: _Paper, index: _Index, number: int) -> bool:
    """Whether nothing in the titles speaks against an identifier that is only printed somewhere on the first page."""
    if not _same_sort(paper, index, number):
        return False
    if not index.titles[number] or not paper.title:
        return _on_first_page(paper, index, number) or not index.titles[number]
    return _likeness(paper, index, number) >= 80 or _on_first_page(paper, index, number)


def _on_first_page(paper: _Paper, index: _Index, number: int) -> bool:
    title = index.squeezed[number]
    return len(title) >= _FEWEST_LETTERS and title in paper.squeezed_page
