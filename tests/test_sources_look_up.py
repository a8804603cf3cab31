"""Looking up what a person names: identifiers, addresses, pasted references."""

from __future__ import annotations

import pytest

from minerva_desktop.sources.looking_up import LookUp, look_up, look_up_list
from minerva_desktop.sources.references import split_entries
from tests import web_server as server
from tests.web_support import EMAIL, Internet, internet


def found(net: Internet, wanted: str, email: str = "") -> LookUp:
    return net.run(lambda web: look_up(web, wanted), email=email)


@pytest.mark.parametrize(
    "wanted",
    ["10.5555/films.3", "doi:10.5555/FILMS.3", "https://doi.org/10.5555/films.3", "http://dx.doi.org/10.5555/films.3",
     "https://publisher.example/doi/full/10.5555/films.3", "https://publisher.example/doi/pdf/10.5555/films.3?download=true"],
)  # fmt: skip
def test_a_doi_in_any_form(wanted: str) -> None:
    with internet() as net:
        one = found(net, wanted, EMAIL)
        assert one.problem == ""
        assert {record.source for record in one.records} == {"crossref", "openalex", "unpaywall"}
        assert {record.doi for record in one.records} == {"10.5555/films.3"}
        assert net.crossref.seen[0].raw.startswith("/works/10.5555%2F")
        assert net.openalex.seen[0].raw.startswith("/works/https://doi.org/10.5555%2F")


def test_without_an_email_unpaywall_is_not_asked() -> None:
    with internet() as net:
        assert found(net, "10.5555/films.3").records
        assert not net.unpaywall.seen


@pytest.mark.parametrize(
    "wanted",
    ["arXiv:2101.00003", "2101.00003v2", "https://arxiv.org/abs/2101.00003", "https://arxiv.org/pdf/2101.00003v1.pdf",
     "10.48550/arXiv.2101.00003", "https://doi.org/10.48550/arXiv.2101.00003"],
)  # fmt: skip
def test_a_preprint_in_any_form(wanted: str) -> None:
    with internet() as net:
        (record,) = found(net, wanted).records
        assert record.arxiv_id == "2101.00003"
        assert set(net.arxiv.seen[0].parameters) == {
            "search_query",
            "id_list",
            "start",
            "max_results",
            "sortBy",
            "sortOrder",
        }


@pytest.mark.parametrize("wanted", ["PMID: 907", "https://pubmed.ncbi.nlm.nih.gov/907/"])
def test_a_pubmed_number(wanted: str) -> None:
    with internet() as net:
        one = found(net, wanted)
        assert {record.source for record in one.records} == {"openalex", "crossref"}


def test_the_address_of_a_page_that_names_its_work() -> None:
    page = b'<html><head><meta name="citation_doi" content="doi:10.5555/films.9"></head><body>x</body></html>'
    with internet() as net:
        net.site.answer = lambda _: (200, {"Content-Type": "text/html"}, page)
        assert found(net, f"{net.site.url}/science/article/S1").records[0].doi == "10.5555/films.9"
        net.site.answer = lambda _: (200, {"Content-Type": "text/html"}, server.HTML)
        assert "does not say which work" in found(net, f"{net.site.url}/science/article/S2").problem


def test_a_private_address_is_not_read() -> None:
    with internet() as net:
        assert "private network" in found(net, "http://192.168.0.1/paper").problem
        assert net.asked == 0


def test_what_is_not_known_and_what_is_nothing() -> None:
    with internet() as net:
        assert "is not known" in found(net, "10.9999/nothing").problem
        assert "is not known" in found(net, "2109.99999").problem
        assert "is no DOI" in found(net, "hello").problem


def test_one_service_that_fails_does_not_hide_the_work() -> None:
    with internet() as net:
        net.crossref.always = server.status(500)
        assert [record.source for record in found(net, "10.5555/films.3").records] == ["openalex"]
        net.openalex.always = server.status(500)
        assert "fault of its own" in found(net, "10.5555/films.3").problem


LIST = """
[1] A. Berg3 and C. Dahl, "Superconducting hafnium nitride films of series 3," Journal of Films 3 (2003) 12.
[2] Berg4, A. (2004). Superconducting vanadium nitride films of series 4. Journal of
    Films, 4, 1-9. https://doi.org/10.5555/films.4.
[3] B. Someone, An essay that exists nowhere, Nowhere Press, 1987.
[4] Berg5 et al., arXiv:2101.00005v1 [cond-mat.supr-con]
[5] Berg6 et al., arXiv:2101.00006
[6] Berg7 A, Dahl C. PMID: 907
"""


def test_a_pasted_list() -> None:
    with internet() as net:
        entries = net.run(lambda web: look_up_list(web, LIST))
        assert [one.kind for one in entries] == ["title", "doi", "title", "arxiv", "arxiv", "pmid"]
        assert entries[0].records[0].doi == "10.5555/films.3"
        assert entries[1].records[0].doi == "10.5555/films.4"
        assert entries[1].asked.startswith("Berg4, A. (2004).")
        assert not entries[2].records
        assert entries[2].problem
        assert [entries[at].records[0].arxiv_id for at in (3, 4)] == ["2101.00005", "2101.00006"]
        assert entries[5].records[0].doi == "10.5555/films.7"
        assert len(net.arxiv.seen) == 1


def test_a_list_takes_whatever_can_be_looked_up() -> None:
    page = b'<html><head><meta name="citation_doi" content="10.5555/films.9"></head></html>'
    with internet() as net:
        net.site.answer = lambda _: (200, {"Content-Type": "text/html"}, page)
        entries = net.run(
            lambda web: look_up_list(
                web, f"907\nPMC1234\n{net.site.url}/a\nSuperconducting titanium nitride films of series 2"
            )
        )
        assert [one.kind for one in entries] == ["pmid", "pmcid", "doi", "title"]
        assert all(one.records for one in entries)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("10.1/x\n10.5555/a\narXiv:2101.00001", 3),
        ("First title of a paper\nSecond title of a paper", 2),
        ("1. A one.\n2. B two.\n3. C three.", 3),
        (
            "Berg, A. Films of a long kind that goes on over the end of the line and\nfurther. J. Films 2003.\n\nDahl, C. Else. 2004.",
            2,
        ),
        ("[1] A. Berg, One. [2] C. Dahl, Two.", 2),
        ("", 0),
        ("\n\n", 0),
    ],
)
def test_where_entries_end(text: str, count: int) -> None:
    assert len(split_entries(text)) == count
