"""What records of one paper give together, whatever their order, and whose they are."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minerva_desktop.records.works import WorkRecord
from minerva_desktop.sources import abstracts
from minerva_desktop.sources.authors import same_authors, split_names
from minerva_desktop.sources.merging import dois, merge
from minerva_desktop.sources.same_paper import group
from tests.works_support import BOILERPLATE, REAL, flags, groups, record


# ---------------------------------------------------------------------------------------------------------- merging
@pytest.mark.parametrize(
    "worse",
    [
        "Abstract", "Abstract not available.", "No abstract", BOILERPLATE, REAL[:120] + "…", "© 2001 Elsevier Ltd.",
        "Graphical abstract: films of superconductivity.", "Superconductivity of films.",
        "The meter of sonnets is studied in the poems of five hundred years, and rhyme is found to matter a lot. " * 3,
        "Nous présentons la supraconductivité dans les films, et les propriétés des films sont mesurées avec une méthode. " * 4,
    ],
)  # fmt: skip
def test_the_better_abstract_wins_by_content(worse: str) -> None:
    title = "Superconductivity in MgB2 films"
    assert abstracts.better(REAL, worse, title) == REAL
    assert abstracts.better(worse, REAL, title) == REAL
    for order in itertools.permutations(
        [
            record(title, "crossref", doi="10.1000/a", abstract=worse),
            record(title, "arxiv", doi="10.1000/a", abstract=REAL),
        ]
    ):
        (work,) = group(order).works
        assert work.best.abstract == REAL


def test_a_placeholder_is_no_abstract() -> None:
    assert merge([record("A title", abstract="Abstract")]).best.abstract == ""
    assert (
        merge([record("A title", abstract="Abstract"), record("A title", abstract="x" * 1200)]).best.abstract
        == "x" * 1200
    )


def test_fields_come_from_the_most_trusted_source_and_links_are_united() -> None:
    records = [
        record(
            "THIN FILMS OF NBN",
            "openalex",
            doi="10.1000/a",
            year=2002,
            pdf_urls=("https://b", "https://a"),
            open_access=True,
        ),
        record("Thin films of NbN", "crossref", doi="10.1000/a", year=2001, authors=("Smith, J.", "et al.")),
        record(
            "Thin films of NbN",
            "bibtex",
            doi="10.1000/a",
            year=2009,
            authors=("Smith, John", "Doe, Ann"),
            files=("x.pdf",),
        ),
    ]
    assert groups(*records) == [[0, 1, 2]]
    (work,) = group(records).works
    assert (work.best.title, work.best.year, work.best.source) == ("Thin films of NbN", 2001, "crossref")
    assert work.best.authors == ("Smith, John", "Doe, Ann")
    assert (work.best.pdf_urls, work.best.open_access, work.best.files) == (
        ("https://b", "https://a"),
        True,
        ("x.pdf",),
    )
    assert work.conflicts == ("The year differs: 2001 (crossref), 2002 (openalex), 2009 (bibtex).",)


def test_other_first_authors_of_one_doi_are_a_conflict() -> None:
    records = [
        record("Thin films of NbN", "crossref", doi="10.1000/a", authors=("J. Smith",)),
        record("Thin films of NbN", "openalex", doi="10.1000/a", authors=("A. Jones",)),
    ]
    found = group(records)
    assert found.works[0].conflicts == ("The first author differs: J. Smith (crossref), A. Jones (openalex).",)
    assert flags(found) == ["conflict"]


def test_every_doi_is_kept() -> None:
    preprint = record("Theory of flow", "openalex", doi="10.26434/chemrxiv-1", published_doi="10.1000/x")
    (work,) = group([preprint, record("Theory of flow", "crossref", doi="10.1000/x")]).works
    assert work.best.doi == "10.1000/x"
    assert dois(work) == ("10.1000/x", "10.26434/chemrxiv-1")


RECORDS = st.builds(
    WorkRecord,
    st.sampled_from(["arxiv", "openalex", "crossref", "file"]),
    title=st.sampled_from(
        ["Theory of flow", "Theory of Flow.", "Theory of flow: a survey", "Erratum", "Thin films", ""]
    ),
    authors=st.sampled_from([(), ("A. Bell",), ("Bell, Ann", "C. Dee"), ("P. Miller",), ("C. Dee", "A. Bell")]),
    year=st.sampled_from([None, 0, 2001, 2002, 2004, 2010]),
    doi=st.sampled_from(["", "10.1000/1", "10.1000/2", "10.48550/arXiv.1901.00001"]),
    arxiv_id=st.sampled_from(["", "", "1901.00001v1", "1901.00002"]),
    published_doi=st.sampled_from(["", "", "10.1000/1"]),
    abstract=st.sampled_from(["", "Abstract", REAL, REAL[:90] + "…"]),
    pdf_urls=st.sampled_from([(), ("https://a",), ("https://b", "https://a")]),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(RECORDS, max_size=7), st.randoms(use_true_random=False))
def test_the_order_of_records_never_matters(records: list[WorkRecord], random: Any) -> None:
    found = group(records)
    shuffled = list(records)
    random.shuffle(shuffled)
    assert sorted(map(repr, group(shuffled).works)) == sorted(map(repr, found.works))
    everything = sorted([*itertools.chain(*found.members), *(item.index for item in found.excluded)])
    assert everything == list(range(len(records)))
    for places in found.members:
        stated = [records[at] for at in places]
        for one, other in itertools.combinations(stated, 2):
            direct = {one.doi, one.published_doi} & {other.doi, other.published_doi} - {""}
            published = [doi for doi in (one.doi, other.doi) if doi.startswith("10.1000")]
            linked = any(r.published_doi for r in stated)
            assert direct or linked or len(published) < 2, "two published DOIs in one work"


def calls(work: Callable[[], object]) -> int:
    """How many functions a piece of work calls: what it costs, whatever else the machine does."""
    count = 0

    def counted(_: object, event: str, __: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def test_many_records_cost_in_proportion() -> None:
    words = (
        "film super magnet boron oxide growth laser energy phase crystal theory model quantum spin wave layer".split()
    )
    costs = []
    for count in (2000, 4000):
        records = [
            record(
                " ".join(words[(at * (step + 3) + at // 16**step) % 16] for step in range(6)),
                "openalex",
                authors=(f"Wang, {'ABCD'[at % 4]}",),
                year=1990 + at % 30,
                doi=f"10.1000/{at}" if at % 2 else "",
            )
            for at in range(count)
        ]
        costs.append(calls(lambda records=records: group(records)))
    assert costs[1] < 3 * costs[0]  # twice the records; four times if each met each


def test_one_title_of_very_many_works_is_not_compared_pair_by_pair() -> None:
    records = [
        record("Superconductivity in films", "openalex", authors=("Li, A",), doi=f"10.1000/{at}") for at in range(2000)
    ]
    assert len(group(records).works) == 2000
    few = calls(lambda: group(records[:500]))
    assert calls(lambda: group(records)) < 8 * few


# ------------------------------------------------------------------------------------------------------------ authors
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("Jun Nagamatsu", "N. Nakagawa"), ("J. Nagamatsu et al.",), True),
        (("Müller, K. A.",), ("Karl Alex Mueller",), True),
        (("Mueller KA",), ("Müller, Karl",), True),
        (("Wei Wang",), ("Wang Wei",), True),
        (("A. Smith", "B. Jones"), ("B. Jones", "A. Smith"), True),
        (("van der Waals, J. D.",), ("J. D. van der Waals",), True),
        (("A. Smith",), ("B. Smith",), False),
        (("A. Smith",), ("A. Jones",), False),
        ((), ("A. Jones",), None),
    ],
)
def test_authors_are_compared_as_people_write_them(
    one: tuple[str, ...], other: tuple[str, ...], same: bool | None
) -> None:
    assert same_authors(one, other) is same
    assert same_authors(other, one) is same


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A. Smith and B. Jones", ("A. Smith", "B. Jones")),
        ("Smith, A.; Jones, B.", ("Smith, A.", "Jones, B.")),
        ("Smith, A., Jones, B.", ("Smith, A.", "Jones, B.")),
        ("John Smith, Bob Jones", ("John Smith", "Bob Jones")),
        ("Smith, John", ("Smith, John",)),
    ],
)
def test_one_string_of_authors(text: str, names: tuple[str, ...]) -> None:
    assert split_names(text) == names
