"""Which records are one paper, and what they give together."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.records.works import WorkRecord
from minerva_desktop.sources.identity import normal_doi
from minerva_desktop.sources.merging import arxiv_ids
from minerva_desktop.sources.same_paper import KnownPaper, group, likely_duplicates
from tests.works_support import AUTHORS, flags, groups, record


# ------------------------------------------------------------------------------------------------- one paper or two
@pytest.mark.parametrize(
    "titles",
    [
        ("MgB2 films", "MgB2 films.", "MgB$_2$ films", "MgB₂  Films"),
        ("Thin-film transistors", "Thin film transistors", "Thin‑Film Transistors"),
        (r"$\beta$-Ga$_2$O$_3$ diodes", "β-Ga2O3 diodes", "beta-Ga<sub>2</sub>O<sub>3</sub> diodes"),
        ("SUPERCONDUCTIVITY IN MGB2", "Superconductivity in MgB2"),
        (r"Schr\"odinger bridges", "Schrödinger bridges", "Schrodinger bridges"),
        ("Rock & roll dynamics", "Rock and roll dynamics", "Rock &amp; roll dynamics"),
        ("The ‘gap’ problem", "The 'gap' problem*"),
    ],
)
def test_spellings_of_one_title_are_one(titles: tuple[str, ...]) -> None:
    assert groups(*(record(title) for title in titles)) == [list(range(len(titles)))]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10.1/x", "doi:10.1/x"),
        ("10.1038/35065039", "https://doi.org/10.1038/35065039"),
        ("10.1016/S0031-8914", "10.1016/s0031-8914"),
        ("10.1002/(SICI)1-2", "http://dx.doi.org/10.1002%2F(SICI)1-2"),
        ("10.48550/arXiv.2207.05343", "https://doi.org/10.48550/ARXIV.2207.05343v2"),
        ("10.21203/rs.3.rs-12345/v1", "10.21203/rs.3.rs-12345/v3"),
    ],
)
def test_one_doi_in_two_spellings(one: str, other: str) -> None:
    assert groups(record("A title of it", doi=one), record("A title of it", doi=other)) == [[0, 1]]


def test_a_doi_without_resolver_and_punctuation() -> None:
    assert normal_doi("(see https://doi.org/10.1000/ABC(1).)") == "10.1000/abc(1)"
    assert normal_doi("none") == ""


def test_a_preprint_and_its_published_version_are_one_and_keep_both_identifiers() -> None:
    preprint = record("Superconductivity in MgB2", "arxiv", authors=AUTHORS, year=2019, arxiv_id="1901.00001v2")
    published = record(
        "Superconductivity in MgB₂", "crossref", authors=("Nagamatsu, Jun",), year=2020, doi="10.1000/X", venue="Nature"
    )
    assert groups(preprint, published) == [[0, 1]]
    (work,) = group([preprint, published]).works
    assert (work.best.doi, work.best.arxiv_id, work.best.year, work.best.venue) == (
        "10.1000/x",
        "1901.00001",
        2020,
        "Nature",
    )
    assert work.sources == ("arxiv", "crossref")
    assert work.conflicts == ()


def test_a_preprint_that_names_its_published_version_is_one_with_it_though_the_title_changed() -> None:
    preprint = record(
        "An early name", "arxiv", authors=AUTHORS, year=2019, arxiv_id="1901.1", published_doi="10.1000/x"
    )
    published = record("The final and other title", "crossref", authors=AUTHORS, year=2020, doi="10.1000/x")
    assert groups(preprint, published) == [[0, 1]]


def test_versions_of_one_arxiv_paper_are_one() -> None:
    records = [
        record("A title", "openalex", doi="10.48550/arXiv.2207.05343"),
        record("A title", "arxiv", arxiv_id="2207.05343v1"),
        record("A title", "arxiv", arxiv_id="arXiv:2207.05343v3"),
    ]
    assert groups(*records) == [[0, 1, 2]]
    (work,) = group(records).works
    assert arxiv_ids(work) == ("2207.05343",)
    assert work.best.arxiv_version == 3


@pytest.mark.parametrize("year", [0, None])
def test_an_unknown_year_fits_any(year: int | None) -> None:
    assert groups(record("MgB2 films", year=year), record("MgB2 films", year=2020)) == [[0, 1]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Deep learning for crystals", "Deep learning for crystals: a survey"),
        ("Vapour deposition of thin films", "Vapor deposition of thin films"),
        ("The growth of GaN nanowires", "Growth of GaN nanowire"),
        ("Flow theory, Part II", "Flow theory, Part 2"),
        ("Superconductivity of diboride films under pressure", "Superconductvity of diboride films under pressure"),
    ],
)
def test_titles_that_differ_by_little_need_the_same_authors(one: str, other: str) -> None:
    first = record(one, authors=AUTHORS, year=2001)
    assert groups(first, record(other, authors=("Nagamatsu, J.",), year=2001)) == [[0, 1]]
    assert groups(first, record(other, authors=("P. Miller",), year=2001)) == [[0], [1]]
    assert groups(first, record(other, year=2001)) == [[0], [1]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Theory of flow. Part I", "Theory of flow. Part II"),
        ("Theory of flow. I. Basics", "Theory of flow. II. Basics"),
        ("Theory of flow", "Theory of flow: Part II"),
        ("Flow theory of thin layers I", "Flow theory of thin layers"),
        ("Chapter 1: Crystals of salt", "Chapter 2: Crystals of salt"),
        ("Superconductivity in MgB2 thin films", "Superconductivity in MgB4 thin films"),
        ("CO oxidation on films", "Co oxidation on films"),
        ("Energy report 2019", "Energy report 2020"),
        ("Transport at 1.5 K in thin films", "Transport at 15 K in thin films"),
        ("Growth of n-type layers of zinc oxide", "Growth of p-type layers of zinc oxide"),
        ("Ferromagnetic order of thin oxide films and wires", "Ferrimagnetic order of thin oxide films and wires"),
        ("Microscopic theory of thin oxide films", "Macroscopic theory of thin oxide films"),
        ("Complex of a phosphopeptide (Mode 1)", "Complex of a phosphopeptide (Mode 2)"),
        ("Erratum: Theory of flow", "Theory of flow"),
        ("Correction to: Theory of flow", "Theory of flow"),
        ("Corrigendum to “Theory of flow” [J. Flow 12 (2001) 1–9]", "Theory of flow"),
        ("Retraction: Theory of flow", "Theory of flow"),
        ("Comment on “Theory of flow”", "Theory of flow"),
        ("Reply to “Theory of flow”", "Comment on “Theory of flow”"),
    ],
)
def test_titles_that_are_near_and_not_one(one: str, other: str) -> None:
    fields: dict[str, Any] = {"authors": AUTHORS, "year": 2001}
    assert groups(record(one, **fields), record(other, **fields)) == [[0], [1]]


@pytest.mark.parametrize(
    "title",
    [
        "Erratum",
        "Preface",
        "Introduction",
        "Editorial",
        "Book review",
        "Index",
        "Errata.",
        "Chapter 3",
        "Annual Report",
    ],
)
def test_generic_titles_are_never_merged_without_an_identifier(title: str) -> None:
    assert groups(record(title, year=2020, authors=("A. Bell",)), record(title, year=2020, authors=("C. Dee",))) == [
        [0],
        [1],
    ]
    assert groups(record(title, year=2020), record(title, year=2020)) == [[0], [1]]
    assert groups(record(title, doi="10.1000/a"), record(title, doi="10.1000/A")) == [[0, 1]]


def test_the_same_erratum_from_two_sources_is_one() -> None:
    one = record(
        "Erratum: Theory of flow [J. Flow 1, 2 (2001)]", "crossref", authors=AUTHORS, year=2001, doi="10.1000/e"
    )
    other = record("Erratum to “Theory of flow”", "openalex", authors=AUTHORS, year=2001)
    assert groups(one, other) == [[0, 1]]


def test_far_years_and_other_authors_are_apart() -> None:
    assert groups(
        record("Thin films", authors=AUTHORS, year=2001), record("Thin films", authors=AUTHORS, year=2005)
    ) == [[0], [1]]
    assert groups(record("Thin films", authors=AUTHORS), record("Thin films", authors=("P. Miller",))) == [[0], [1]]
    book = record("Solid state physics", authors=AUTHORS, year=2001, kind="book")
    assert groups(book, record("Solid state physics", authors=AUTHORS, year=2001, kind="article")) == [[0], [1]]


# ----------------------------------------------------------------------------------------------- flags and exclusion
def test_one_doi_with_unrelated_titles_is_flagged_and_not_merged() -> None:
    records = [
        record("MgB2 films", "crossref", doi="10.1000/a"),
        record("Poetry of the Renaissance", "openalex", doi="10.1000/a"),
    ]
    assert groups(*records) == [[0], [1]]
    found = group(records)
    assert flags(found) == ["identifier"]
    assert "10.1000/a" in found.flags[0].reason
    assert "nothing in common" in found.flags[0].reason


def test_a_chain_never_joins_two_published_dois() -> None:
    fields: dict[str, Any] = {"title": "Theory of flow", "authors": AUTHORS, "year": 2001}
    records = [
        WorkRecord("crossref", doi="10.1000/1", **fields),
        WorkRecord("arxiv", arxiv_id="1901.00001", **fields),
        WorkRecord("crossref", doi="10.1000/2", **{**fields, "year": 2002}),
    ]
    assert groups(*records) == [[0, 1], [2]]
    assert flags(group(records)) == ["doi"]
    shared = [replace(one, arxiv_id="1901.00001") for one in records]
    assert len(groups(*shared)) == 2
    assert "identifier" in flags(group(shared))


def test_a_record_that_could_be_of_two_works_stays_apart_and_is_flagged() -> None:
    records = [
        record("Theory of flow", authors=AUTHORS, year=2001, doi="10.1000/1"),
        record("Theory of flow"),
        record("Theory of flow", authors=("P. Miller",), year=2010, doi="10.1000/2"),
    ]
    assert groups(*records) == [[0], [1], [2]]
    assert flags(group(records)) == ["ambiguous"]


@pytest.mark.parametrize(
    "report",
    [
        record("Theory of flow", kind="review-report"),
        record("Theory of flow", doi="10.1111/abc/v1/review1"),
        record("Theory of flow", doi="10.1111/abc/v2/decision1"),
        record("Theory of flow", doi="10.7287/peerj.1234v0.1/reviews/1"),
        record("Theory of flow", doi="10.5194/bg-2021-12-rc1"),
        record('Review for "Theory of flow"'),
        record("Decision letter for “Theory of flow”"),
        record("Author response for “Theory of flow”"),
        record('Peer Review #1 of "Theory of flow (v0.1)"'),
        record("Referee report. For: Theory of flow"),
        record("Reviewer #2 (Public review): Theory of flow"),
        record("Comment on bg-2021-12"),
        record("Review report: Theory of flow"),
    ],
    ids=lambda one: one.title + one.doi,
)
def test_review_reports_are_left_out_with_the_reason(report: WorkRecord) -> None:
    found = group([report, record("Theory of flow", doi="10.1111/abc")])
    assert found.members == ((1,),)
    assert [item.index for item in found.excluded] == [0]
    assert "review report" in found.excluded[0].reason


@pytest.mark.parametrize(
    "title", ["Review of superconductors", "Peer effects in schools", "Reviewing flow", "Response of steel"]
)
def test_papers_that_sound_like_reports_stay(title: str) -> None:
    assert group([record(title)]).excluded == ()


# ------------------------------------------------------------------------------------------------------------ library
def test_papers_of_a_library_that_could_be_merged() -> None:
    found = likely_duplicates(
        [
            KnownPaper("a", "Theory of flow", doi="10.1000/x"),
            KnownPaper("b", "Theory of Flow.", doi="https://doi.org/10.1000/X"),
            KnownPaper("c", "Thin films", first_author="A. Smith", year=2001, doi="10.1000/1"),
            KnownPaper("d", "Thin films", first_author="Smith, A.", year=2001, doi="10.1000/2"),
            KnownPaper("e", "Something else", first_author="A. Smith", year=2001),
        ]
    )
    assert [(item.ids, item.sure) for item in found] == [(("a", "b"), True), (("c", "d"), False)]
    assert found[0].reason == "They share the DOI 10.1000/x."
    assert "different DOIs" in found[1].reason


# ------------------------------------------------------------------------------------------------------- command line
def minerva(*words: str, code: int = 0) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "minerva_desktop", "--json", *words], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def test_inspect_duplicates(tmp_path: Path) -> None:
    file = tmp_path / "records.json"
    file.write_text(
        json.dumps(
            [
                {
                    "Title": "Superconductivity in MgB2",
                    "author": "J. Nagamatsu and N. Nakagawa",
                    "Year": "2001",
                    "DOI": "10.1000/X",
                },
                {"title": "Review for “Superconductivity in MgB2”", "type": "peer-review"},
                {
                    "title": ["Superconductivity in MgB$_2$"],
                    "authors": [{"family": "Nagamatsu", "given": "Jun"}],
                    "date": "2001-03-01",
                    "url": "https://arxiv.org/abs/cond-mat/0102001v2",
                    "source": "arXiv",
                },
            ]
        )
    )
    found = minerva("inspect", "duplicates", str(file))
    assert found["groups"] == [[0, 2]]
    assert [item["index"] for item in found["excluded"]] == [1]
    assert found["flags"] == []
    assert (found["merged"][0]["doi"], found["merged"][0]["arxiv_id"]) == ("10.1000/x", "cond-mat/0102001")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not valid JSON"),
        ('{"title": "x"}', "must hold a JSON list"),
        ("[1]", "not a JSON object"),
        ('[{"year": 2001}]', "names no paper"),
        ('[{"title": {"a": 1}}]', "“title” is not a text"),
        ('[{"title": "x", "authors": 5}]', "“authors” is not a list"),
    ],
)
def test_bad_input_is_one_sentence(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "records.json"
    file.write_text(text)
    error = minerva("inspect", "duplicates", str(file), code=2)["error"]
    assert says in error["message"]
    assert error["message"].endswith(".")


def test_inspect_relevance() -> None:
    kept = minerva("inspect", "relevance", "--query", "YBCO tapes", "--title", "YBa2Cu3O7 coated conductor tapes")
    assert kept["keep"] is True
    dropped = minerva("inspect", "relevance", "--query", "ion", "--title", "Conduction", "--abstract", "In polymers.")
    assert dropped["keep"] is False
    assert "“ion”" in dropped["reason"]
    assert (
        "no word to search for"
        in minerva("inspect", "relevance", "--query", "the of in", "--title", "x", code=2)["error"]["message"]
    )
