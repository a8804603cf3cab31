"""Files and the records that they are."""

from __future__ import annotations

import time
from itertools import permutations

import pytest

from minerva_desktop.records import Document, Metadata, Sentence, WorkRecord
from minerva_desktop.sources.folded_titles import fold_title
from minerva_desktop.sources.matching import Match, Matching, PaperStamp, match_papers, stamp_of


def record(title: str = "", doi: str = "", arxiv: str = "", year: int | None = None, *authors: str) -> WorkRecord:
    return WorkRecord("bibtex", title=title, doi=doi, arxiv_id=arxiv, year=year, authors=authors)


def one(paper: PaperStamp, *records: WorkRecord) -> Match | None:
    found = match_papers([paper], records)
    return found.matches[0] if found.matches else None


def test_a_doi_decides_before_the_title() -> None:
    paper = PaperStamp("a.pdf", title="A study of films", doi="10.1000/b")
    match = one(paper, record("A study of films", "10.1000/a"), record("A study of thin films", "10.1000/b"))
    assert match is not None
    assert (match.record, match.how, match.doubt) == (1, "doi", "")
    assert match.sure > 0.95


def test_an_arxiv_number_decides_whatever_its_version() -> None:
    match = one(PaperStamp("a.pdf", arxiv_id="2301.00001v3"), record("X"), record("Y", arxiv="2301.00001"))
    assert match is not None
    assert (match.record, match.how) == (1, "arxiv")


def test_identifiers_that_the_first_page_only_cites_do_not_decide() -> None:
    cited = record("Superconductivity at 39 K in magnesium diboride", "10.1038/35065039")
    paper = PaperStamp(
        "a.pdf", title="A new look at the critical current", first_page="As shown before [doi:10.1038/35065039], the …"
    )
    assert one(paper, cited) is None
    own = PaperStamp(
        "b.pdf", title="Superconductivity at 39 K in magnesium diboride", first_page="Nature 410 doi:10.1038/35065039."
    )
    match = one(own, cited)
    assert match is not None
    assert match.how == "doi"


def test_one_doi_and_two_unlike_titles_are_a_doubt_and_the_title_wins() -> None:
    wrong = record("Cooking with induction stoves in the tropics", "10.1000/a")
    paper = PaperStamp("a.pdf", title="Band gap of gallium nitride", doi="10.1000/a")
    match = one(paper, wrong)
    assert match is not None
    assert match.sure <= 0.5
    assert match.doubt
    match = one(paper, wrong, record("Band gap of gallium nitride"))
    assert match is not None
    assert (match.record, match.how) == (1, "title")


@pytest.mark.parametrize(
    ("printed", "recorded"),
    [
        ("MgB2 films on α-Al2O3", "MgB₂ Films on alpha-Al₂O₃."),
        ("Thermal behaviour of aluminium oxide films", "Thermal behavior of aluminum oxide films"),
        ("Mg B 2 films grown on sapphire", "MgB2 films grown on sapphire"),
        ("Über die Größe von Molekülen im Vakuum", "Uber die Grosse von Molekulen im Vakuum"),
    ],
)
def test_titles_that_are_the_same_but_for_spelling(printed: str, recorded: str) -> None:
    match = one(PaperStamp("a.pdf", title=printed), record("Something else entirely"), record(recorded))
    assert match is not None
    assert (match.record, match.how) == (1, "title")


@pytest.mark.parametrize(
    ("printed", "recorded"),
    [
        ("Growth and band gap of GaN thin films", "Growth and band gap of AlN thin films"),
        ("Theory of superconducting nanowires. Part II", "Theory of superconducting nanowires. Part I"),
        ("Superconductivity at 39 K in layered compounds", "Superconductivity at 93 K in layered compounds"),
        ("Transport properties of GaN on AlN substrates", "Transport properties of AlN on GaN substrates"),
        ("Photocatalytic activity of titanium nitride powders", "Photocatalytic activity of titanium nitrate powders"),
        ("The role of intramolecular forces in crystals", "The role of intermolecular forces in crystals"),
        ("Erratum: Growth of long superconducting wires in air", "Growth of long superconducting wires in air"),
    ],
)
def test_titles_that_look_alike_and_are_not_the_same(printed: str, recorded: str) -> None:
    authors = ("Ada Byron",)
    paper = PaperStamp(
        "a.pdf", title=printed, authors=authors, first_page=f"{printed} Ada Byron. {recorded} was shown before."
    )
    paper = paper if printed.startswith("Erratum") else PaperStamp("a.pdf", title=printed, authors=authors)
    assert one(paper, record(recorded, "", "", 2001, *authors)) is None


def test_authors_and_year_tell_equal_titles_apart() -> None:
    records = (
        record("Editorial notes", "10.1/a", "", 2001, "Ada Byron"),
        record("Editorial notes", "10.1/b", "", 2001, "Charles Babbage"),
        record("Editorial notes", "10.1/c", "", 2009, "Ada Byron"),
    )
    match = one(PaperStamp("x", title="Editorial notes", authors=("A. Byron",), year=2009), *records)
    assert match is not None
    assert match.record == 2
    found = match_papers([PaperStamp("x", title="Editorial notes")], records)
    assert found.matches == ()
    assert found.unmatched[0].candidates == (0, 1, 2)


def test_a_short_title_without_a_known_author_is_not_enough() -> None:
    records = [record("Preface", "", "", 2001, "Ada Byron")]
    found = match_papers([PaperStamp("x", title="Preface", first_page="Preface. Charles Babbage")], records)
    assert found.matches == ()
    assert "authors" in found.unmatched[0].reason


def test_a_subtitle_may_be_left_out_when_the_authors_agree() -> None:
    known = record("Thermal transport in layered materials: a review", "", "", 2010, "Ada Byron")
    paper = PaperStamp("x", title="Thermal transport in layered materials", first_page="Ada Byron, Charles Babbage")
    assert one(paper, known) is not None
    assert one(PaperStamp("x", title="Thermal transport in layered materials"), known) is None


def test_a_title_on_the_first_page_is_found_when_the_file_gives_none() -> None:
    known = record("Superconductivity at 39 K in magnesium diboride", "", "", 2001, "Jun Nagamatsu")
    page = "letters to nature Superconductivity at 39 K in magne-\nsium diboride Jun Nagamatsu*, Norimasa Nakagawa"
    match = one(PaperStamp("x", title="letters to nature", first_page=page), known)
    assert match is not None
    assert match.record == 0
    assert one(PaperStamp("x", first_page=page.replace("Jun Nagamatsu", "Someone Else")), known) is None


def test_a_long_title_at_the_head_of_the_page_is_enough_and_among_the_references_it_is_not() -> None:
    known = record("Thermal and electrical transport in layered oxide superconductors", "", "", 2001, "Ada Byron")
    head = PaperStamp(
        "x", title="Journal of Things", first_page=f"Journal of Things {known.title} A.B. and C.D. Abstract"
    )
    match = one(head, known)
    assert match is not None
    assert match.sure < 0.8
    cited = PaperStamp(
        "x", title="Journal of Things", first_page="Journal of Things " + "Words of another paper. " * 20 + known.title
    )
    assert one(cited, known) is None
    comment = PaperStamp("x", first_page=f"Comment on “{known.title}” Ada Byron")
    assert one(comment, known) is None


def test_two_entries_of_one_work_are_no_ambiguity() -> None:
    poor = record("Superconductivity at 39 K in magnesium diboride")
    rich = record("Superconductivity at 39 K in magnesium diboride", "10.1038/35065039", "", 2001, "Jun Nagamatsu")
    match = one(PaperStamp("x", title=rich.title), poor, rich)
    assert match is not None
    assert match.record == 1


def test_every_paper_is_matched_once_or_listed_whatever_the_order() -> None:
    papers = [
        PaperStamp("a", doi="10.1000/a"),
        PaperStamp("b", title="Growth of long superconducting wires"),
        PaperStamp("c", title="Nothing that is known"),
    ]
    records = [record("X", "10.1000/a"), record("Growth of long superconducting wires"), record("Unread")]
    seen: set[frozenset[tuple[str, str]]] = set()
    for order in permutations(range(3)):
        found: Matching = match_papers(papers, [records[place] for place in order])
        assert [item.paper for item in found.unmatched] == ["c"]
        seen.add(frozenset((match.paper, records[order[match.record]].title) for match in found.matches))
        assert [records[order[place]].title for place in found.without_paper] == ["Unread"]
    assert seen == {frozenset({("a", "X"), ("b", "Growth of long superconducting wires")})}


def test_stamp_of_a_read_file() -> None:
    sentences = (Sentence(0, "Title here.", 0, 11, page=1), Sentence(1, "Later words.", 12, 24, page=2))
    document = Document(
        "ok",
        metadata=Metadata("Title here", ("A. B.",), "10.1000/a", "2301.00001", 2023),
        text="Title here. Later words.",
        sentences=sentences,
    )
    stamp = stamp_of("p", document)
    assert (stamp.title, stamp.doi, stamp.arxiv_id, stamp.year, stamp.first_page) == (
        "Title here",
        "10.1000/a",
        "2301.00001",
        2023,
        "Title here.",
    )


def test_folded_titles() -> None:
    assert fold_title("β-Ga₂O₃: Éclat—of  “µ”") == "beta ga2o3 eclat of mu"
    assert fold_title("") == ""


def test_a_large_library_is_matched_in_seconds() -> None:
    records = [record(f"Properties of compound number {n} under strain and heat", year=2000) for n in range(5000)]
    papers = [
        PaperStamp(str(n), title=f"Unknown words {n} about something else", first_page="words " * 800)
        for n in range(50)
    ]
    started = time.perf_counter()
    assert match_papers(papers, records).matches == ()
    assert time.perf_counter() - started < 20
