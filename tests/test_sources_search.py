"""Searching arXiv, OpenAlex and Crossref at once, against servers that behave as they do."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.errors import UsageError
from minerva_desktop.events import CancelToken
from minerva_desktop.records.works import SourceReport, WorkRecord
from minerva_desktop.sources.searching import SourceResult, search
from tests import web_server as server
from tests.web_support import EMAIL, KEY, Internet, internet

QUERY = "superconducting nitride films"


def results(net: Internet, cache: Path | None = None, query: str = QUERY, **more: Any) -> dict[str, SourceResult]:
    asked = {name: more.pop(name) for name in ("limit", "years", "page", "cancel", "sources") if name in more}
    found = net.run(lambda web: search(web, query, **asked), cache, **more)
    return {one.report.source: one for one in found}


def test_three_sources_answer_and_every_field_arrives() -> None:
    with internet() as net:
        found = results(net, limit=5)
        assert list(found) == ["arxiv", "openalex", "crossref"]
        for one in found.values():
            assert one.report.status == "ok"
            assert one.report.message == ""
            assert (one.report.found, one.report.requests, one.report.cached) == (5, 1, 0)
            record = one.records[3]
            assert record.title == "Superconducting hafnium nitride films of series 3"
            assert record.authors == ("Ada Berg3", "Chen Dahl")
            assert record.year == 2003
            assert record.abstract.startswith(
                "We grow hafnium nitride films and measure Tc = 3 K where x<y and the thickness d > 5"
            )
            assert "10.5555/films.3" in (record.doi, record.published_doi)
        preprint = found["arxiv"].records[3]
        assert (preprint.arxiv_id, preprint.arxiv_version, preprint.kind) == ("2101.00003", 2, "preprint")
        assert found["openalex"].records[3].pmid == "903"
        assert "$0.984 left of $1" in found["openalex"].report.budget


def test_the_person_is_named_only_where_that_is_wanted() -> None:
    with internet() as net:
        results(net, email=EMAIL)
        (asked,) = net.crossref.seen
        assert asked.parameters["mailto"] == EMAIL
        assert f"mailto:{EMAIL}" in asked.headers["user-agent"]
        assert EMAIL not in str(net.arxiv.seen + net.openalex.seen)
        assert EMAIL not in str(net.log)
    with internet() as net:
        assert results(net)["crossref"].report.status == "ok"
        assert "mailto" not in net.crossref.seen[0].raw


def test_pages_arrive_one_by_one_and_the_number_of_results_is_kept() -> None:
    pages: list[tuple[str, int, int]] = []
    states: list[str] = []

    def page(source: str, records: Sequence[WorkRecord], report: SourceReport) -> None:
        pages.append((source, len(records), report.found))
        states.append(report.status)

    with internet() as net:
        found = results(net, limit=150, page=page)
        assert {name: len(one.records) for name, one in found.items()} == {
            "arxiv": 150,
            "openalex": 150,
            "crossref": 150,
        }
        halves = [(name, *page) for name in ("crossref", "openalex") for page in ((50, 150), (100, 100))]
        assert sorted(page for page in pages if page[1]) == [("arxiv", 150, 150), *halves]
        assert sorted(page for page in pages if not page[1]) == [(name, 0, 150) for name in sorted(found)]  # at the end
        assert {status for (_, count, _), status in zip(pages, states, strict=True) if count} == {"running"}
        assert [status for (_, count, _), status in zip(pages, states, strict=True) if not count] == ["ok"] * 3
        for one in found.values():
            assert len({record.source_id for record in one.records}) == 150


def test_no_more_than_there_is_and_no_more_than_is_allowed() -> None:
    with internet(
        crossref=server.Server(server.crossref_answer(total=7)), openalex=server.Server(server.openalex_answer(0))
    ) as net:
        found = results(net, limit=9000)
        assert [len(one.records) for one in found.values()] == [200, 0, 7]
        assert found["openalex"].report.status == "ok"
        assert len(net.crossref.seen) == 1


def test_years_are_asked_of_each_source_in_its_own_way() -> None:
    with internet() as net:
        results(net, years=(2001, 2010))
        assert "submittedDate:[200101010000 TO 201012312359]" in net.arxiv.seen[0].parameters["search_query"]
        assert net.openalex.seen[0].parameters["filter"] == "publication_year:2001-2010"
        assert net.crossref.seen[0].parameters["filter"] == "from-pub-date:2001,until-pub-date:2010"


def test_every_word_and_phrase_is_asked_of_arxiv() -> None:
    with internet() as net:
        results(net, query="“thin film” of NbN (critical: AND temperature) % ", sources=["arxiv"])
        asked = net.arxiv.seen[0].parameters["search_query"]
        assert asked == 'all:"thin film" AND all:NbN AND all:critical AND all:temperature'


FAULTS = {
    "503": (server.status(503), "failed", "fault of its own"),
    "limited": (server.status(429, {"Retry-After": "3600"}), "limited", "try again in 60 minutes"),
    "web page": (server.body(server.HTML, "text/html"), "failed", "web page"),
    "half": (server.half_sent(), "failed", "broke off"),
    "trickle": (server.loris(), "slow", "too long"),
    "huge": (server.endless(), "failed", "more than"),
    "loop": (server.redirect("/again"), "failed", "without end"),
    "private": (server.redirect("http://10.1.2.3/"), "failed", "private network"),
    "empty": (server.body(b""), "failed", "empty"),
    "number": (server.body(b"42"), "failed", "nothing usable"),
    "nested": (server.body(b"[" * 200_000), "failed", "nothing usable"),
}


@pytest.mark.parametrize("name", list(FAULTS))
@pytest.mark.parametrize("source", ["arxiv", "openalex", "crossref"])
def test_one_source_in_trouble_loses_the_others_nothing(source: str, name: str) -> None:
    fault, status, said = FAULTS[name]
    with internet() as net:
        getattr(net, source).always = fault
        found = results(net, limit=5, seconds=0.6, max_bytes=500_000)
        others = [one for one in found.values() if one.report.source != source]
        assert all(one.report.status == "ok" and len(one.records) == 5 for one in others)
        report = found[source].report
        assert report.status == status
        assert said in report.message
        assert report.message.endswith(".")
        assert report.requests >= 1


def test_invalid_bytes_cost_characters_not_results() -> None:
    def broken(answer: Any) -> Any:
        def with_rubbish(request: server.Request) -> server.Answer:
            code, headers, body = answer(request)
            return code, headers, body.replace(b"hafnium", b"haf\xff\xfenium\x00")

        return with_rubbish

    with internet() as net:
        for one in (net.arxiv, net.openalex, net.crossref):
            one.answer = broken(one.answer)
        for found in results(net, limit=5).values():
            assert found.report.status == "ok"
            assert len(found.records) == 5
            assert "nitride films of series 3" in found.records[3].title


def test_a_source_that_fails_on_its_second_page_keeps_the_first() -> None:
    with internet() as net:
        net.crossref.faults = [lambda _: False]
        net.crossref.always = server.status(500)
        one = results(net, limit=150)["crossref"]
        assert (one.report.status, len(one.records), one.report.requests) == ("partial", 100, 4)


def test_an_empty_page_where_there_is_more_is_asked_for_again_and_then_said() -> None:
    empty = server.body(server._atom([], 500), "application/atom+xml")
    with internet() as net:
        net.arxiv.faults = [empty]
        one = results(net, limit=5, sources=["arxiv"])["arxiv"]
        assert (one.report.status, len(one.records), one.report.requests) == ("ok", 5, 2)
        net.arxiv.always = empty
        one = results(net, limit=5, sources=["arxiv"])["arxiv"]
        assert one.report.status == "failed"
        assert "empty page" in one.report.message


def test_what_arxiv_says_of_a_bad_request_is_passed_on() -> None:
    with internet() as net:
        net.arxiv.always = server.body(
            server._atom([server._atom_error("start must be non-negative")], 1), "application/atom+xml", 400
        )
        assert results(net)["arxiv"].report.message == "arXiv reports: start must be non-negative."


def test_a_spent_key_is_left_out_and_that_is_said() -> None:
    with internet() as net:
        net.openalex.faults = [server.status(429, {"Retry-After": "40000"})]
        one = results(net, limit=5, openalex_key=KEY)["openalex"]
        assert [request.parameters.get("api_key") for request in net.openalex.seen] == [KEY, None]
        assert len(one.records) == 5
        assert "key is spent" in one.report.message
        assert KEY not in str(net.log) + one.report.message


def test_without_a_key_a_spent_budget_says_what_to_do() -> None:
    with internet() as net:
        net.openalex.always = server.status(429, {"Retry-After": "40000"})
        report = results(net)["openalex"].report
        assert report.status == "limited"
        assert "11 hours" in report.message
        assert "free OpenAlex key" in report.message


def test_a_key_that_is_wrong_is_left_out() -> None:
    with internet(openalex=server.Server(server.openalex_answer(key="right"))) as net:
        one = results(net, openalex_key="wrong", limit=3)["openalex"]
        assert len(one.records) == 3
        assert "not accepted" in one.report.message


def test_a_repeated_search_makes_no_request(tmp_path: Path) -> None:
    with internet() as net:
        first = results(net, tmp_path, limit=50)
        assert net.asked == 3
        again = results(net, tmp_path, limit=50)
        offline = results(net, tmp_path, limit=50, offline=True)
        assert net.asked == 3
        for other in (again, offline):
            assert {name: one.records for name, one in other.items()} == {
                name: one.records for name, one in first.items()
            }
            assert all(one.report.requests == 0 and one.report.cached == 1 for one in other.values())
        assert "offline" in offline["arxiv"].report.message


def test_offline_asks_nobody_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def no(*_: Any, **__: Any) -> None:
        raise AssertionError("a socket was used")

    with internet() as net:
        monkeypatch.setattr(socket.socket, "connect", no)
        monkeypatch.setattr(socket, "getaddrinfo", no)
        for one in results(net, offline=True).values():
            assert one.report.status == "offline"
            assert "offline" in one.report.message
        assert net.asked == 0
        assert len(net.log) == 3


def test_stopping_keeps_what_has_arrived() -> None:
    with internet() as net:
        net.crossref.delay = 4
        token = CancelToken()
        threading.Timer(0.5, token.cancel).start()
        begin = time.monotonic()
        found = results(net, limit=5, cancel=token)
        assert time.monotonic() - begin < 2
        assert [len(one.records) for one in found.values()] == [5, 5, 0]
        assert [one.report.status for one in found.values()] == ["ok", "ok", "cancelled"]


def test_sources_run_side_by_side() -> None:
    with internet() as net:
        for one in (net.arxiv, net.openalex, net.crossref):
            one.delay = 0.4
        begin = time.monotonic()
        results(net, limit=50)
        assert time.monotonic() - begin < 0.4 * 2


@pytest.mark.parametrize("query", ["", "   ", "?!"])
def test_nothing_to_search_for(query: str) -> None:
    with internet() as net, pytest.raises(UsageError):
        results(net, query=query)


def test_a_source_that_is_none() -> None:
    with internet() as net, pytest.raises(UsageError, match="gopher"):
        results(net, sources=["gopher"])
