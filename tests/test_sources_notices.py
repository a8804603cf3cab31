"""Retractions and corrections reach the works that they are about, and are said in one sentence."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from minerva_desktop.records.works import Notice, Work, WorkRecord
from minerva_desktop.sources import notices
from minerva_desktop.sources.same_paper import group

FLOW: dict[str, Any] = {"title": "Theory of flow", "authors": ("A. Bell",), "year": 2001, "doi": "10.1000/x"}


def applied(*records: WorkRecord) -> dict[str, Work]:
    """The works by their DOI or title, after a check that the order of the works makes no difference."""
    works = group(records).works
    found = notices.apply(works)
    for order in itertools.permutations(works):
        assert sorted(map(repr, notices.apply(order))) == sorted(map(repr, found))
    return {work.best.doi or work.best.title: work for work in found}


def kinds(work: Work) -> list[str]:
    return [notice.kind for notice in work.best.notices]


def test_a_record_that_corrects_a_doi_puts_a_notice_on_that_work() -> None:
    notice = WorkRecord(
        "crossref", title="Retraction: Theory of flow", doi="10.1000/r", year=2003, corrects=("10.1000/X",)
    )
    found = applied(WorkRecord("crossref", **FLOW), notice)
    assert kinds(found["10.1000/x"]) == ["retraction"]
    assert notices.banner(found["10.1000/x"].best.notices) == "This paper was retracted (2003, notice 10.1000/r)."
    assert kinds(found["10.1000/r"]) == []


@pytest.mark.parametrize(
    ("title", "kind", "notice"),
    [
        ("Erratum: Theory of flow", "", "erratum"),
        ("Corrigendum to “Theory of flow”", "", "correction"),
        ("Publisher Correction: Theory of flow", "", "correction"),
        ("Expression of Concern: Theory of flow", "", "expression of concern"),
        ("Withdrawal notice to “Theory of flow”", "", "withdrawal"),
        ("Statement", "erratum", "erratum"),
        ("Statement", "retraction", "retraction"),
        ("Statement", "", "correction"),
    ],
)
def test_the_kind_of_a_notice(title: str, kind: str, notice: str) -> None:
    other = WorkRecord("crossref", title=title, doi="10.1000/r", kind=kind, corrects=("10.1000/x",))
    assert kinds(applied(WorkRecord("crossref", **FLOW), other)["10.1000/x"]) == [notice]


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("RETRACTED: Theory of flow", "retraction"),
        ("RETRACTED ARTICLE: Theory of flow", "retraction"),
        ("[Retracted] Theory of flow", "retraction"),
        ("Theory of flow (Retracted)", "retraction"),
        ("WITHDRAWN: Theory of flow", "withdrawal"),
        ("REMOVED: Theory of flow", "removal"),
    ],
)
def test_a_marked_title_is_the_work_itself_and_a_notice(title: str, kind: str) -> None:
    found = applied(WorkRecord("crossref", **{**FLOW, "title": title}), WorkRecord("openalex", **FLOW))
    assert list(found) == ["10.1000/x"]
    assert kinds(found["10.1000/x"]) == [kind]
    assert found["10.1000/x"].best.title == "Theory of flow"


@pytest.mark.parametrize(
    "title", ["Removal of dyes from water", "Withdrawal of nicotine", "Corrections to scaling", "Retracted wings"]
)
def test_titles_that_only_sound_like_notices(title: str) -> None:
    (work,) = applied(WorkRecord("crossref", title=title)).values()
    assert kinds(work) == []


def test_a_notice_without_a_doi_finds_its_work_by_title_when_there_is_one() -> None:
    notice = WorkRecord("openalex", title="Retraction: Theory of flow", authors=("The Editors",))
    assert kinds(applied(WorkRecord("crossref", **FLOW), notice)["10.1000/x"]) == ["retraction"]
    twin = WorkRecord("crossref", **{**FLOW, "doi": "10.1000/y", "authors": ("P. Miller",)})
    found = applied(WorkRecord("crossref", **FLOW), twin, notice)
    assert kinds(found["10.1000/x"]) == kinds(found["10.1000/y"]) == []


def test_an_erratum_by_other_authors_is_not_this_works() -> None:
    notice = WorkRecord("openalex", title="Erratum: Theory of flow", authors=("P. Miller",))
    assert kinds(applied(WorkRecord("crossref", **FLOW), notice)["10.1000/x"]) == []


def test_a_preprint_carries_the_retraction_of_its_published_version() -> None:
    preprint = WorkRecord("arxiv", title="Theory of flow", authors=("A. Bell",), year=2000, arxiv_id="1901.00001")
    notice = WorkRecord("crossref", title="Retraction", doi="10.1000/r", kind="retraction", corrects=("10.1000/x",))
    found = applied(preprint, WorkRecord("crossref", **FLOW), notice)
    assert found["10.1000/x"].best.arxiv_id == "1901.00001"
    assert kinds(found["10.1000/x"]) == ["retraction"]


def test_one_notice_told_by_two_records_counts_once() -> None:
    told = Notice("retraction", "10.1000/r", "2003-01-02", "Retraction", "crossref")
    notice = WorkRecord(
        "crossref", title="Retraction: Theory of flow", doi="10.1000/r", year=2003, corrects=("10.1000/x",)
    )
    marked = WorkRecord("openalex", **{**FLOW, "title": "RETRACTED: Theory of flow"})
    found = applied(WorkRecord("crossref", **FLOW, notices=(told,)), marked, notice)
    assert len(found["10.1000/x"].best.notices) == 1
    assert found["10.1000/x"].best.notices[0].doi == "10.1000/r"


def test_the_gravest_comes_first_and_others_are_counted() -> None:
    found = [
        Notice("erratum", "10.1000/1", "2002"),
        Notice("correction", "10.1000/2", "2004"),
        Notice("correction", "10.1000/3", "2003"),
        Notice("expression of concern", "10.1000/4", "2005"),
    ]
    for order in itertools.permutations(found):
        assert notices.banner(order) == (
            "The publisher expressed concern about this paper (2005, notice 10.1000/4); "
            "there are also 2 corrections and 1 erratum."
        )
    assert notices.banner([]) == ""
    assert notices.gravest(found) == found[3]
    assert "correction" not in notices.GRAVE


def test_words_of_sources_for_notices() -> None:
    assert notices.notice_kind("expression_of_concern") == "expression of concern"
    assert notices.notice_kind("Corrigendum") == "correction"
    assert notices.notice_kind("journal-article") is None
