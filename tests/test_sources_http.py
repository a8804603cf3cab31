"""The polite client against servers that misbehave."""

from __future__ import annotations

import asyncio
import email.utils
import itertools
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.sources.failures import retry_after
from minerva_desktop.sources.http import SourceError, Web, WebOptions
from minerva_desktop.sources.options import without_secrets
from tests import web_server as server
from tests.web_support import EMAIL, KEY, Internet, internet


def fails(net: Internet, url: str, **options: Any) -> SourceError:
    with pytest.raises(SourceError) as caught:
        net.run(lambda web: web.get(url), **options)
    return caught.value


def page(net: Internet) -> str:
    net.site.answer = lambda _: (200, {"Content-Type": "text/plain"}, b"hello")
    return f"{net.site.url}/page"


@pytest.mark.parametrize("wait", ["1", "", "date"])
def test_a_service_that_asks_to_wait_is_asked_again(wait: str) -> None:
    with internet() as net:
        url = page(net)
        value = email.utils.formatdate(time.time() + 1.5, usegmt=True) if wait == "date" else wait
        net.site.faults = [server.status(429, {"Retry-After": value} if value else {})]
        begin = time.monotonic()
        assert net.run(lambda web: web.get(url)).body == b"hello"
        if wait:
            assert time.monotonic() - begin >= 0.5
        assert [(one.status, one.tries) for one in net.log] == [(429, 1), (200, 2)]


def test_a_wait_that_is_too_long_ends_at_once_and_says_when_to_come_back() -> None:
    with internet() as net:
        url = page(net)
        net.site.always = server.status(429, {"Retry-After": "54000"})
        begin = time.monotonic()
        error = fails(net, url)
        assert time.monotonic() - begin < 1
        assert error.kind == "limited"
        assert "15 hours" in error.message
        assert len(net.site.seen) == 1


def test_a_service_that_asked_to_wait_is_left_alone_until_then() -> None:
    async def twice(web: Web) -> None:
        for _ in range(2):
            with pytest.raises(SourceError, match="try again in"):
                await web.get(url, service="openalex")

    with internet() as net:
        url = page(net)
        net.site.always = server.status(429, {"Retry-After": "600"})
        net.run(twice)
        assert len(net.site.seen) == 1
        assert len(net.log) == 2


def test_a_burst_of_faults_is_outlasted_and_a_longer_one_is_reported() -> None:
    with internet() as net:
        url = page(net)
        net.site.faults = [server.status(503), server.status(502)]
        assert net.run(lambda web: web.get(url)).requests == 3
        net.site.always = server.status(500)
        error = fails(net, url)
        assert (error.kind, error.status, error.requests) == ("unavailable", 500, 3)


def test_a_request_that_is_not_liked_is_not_repeated() -> None:
    with internet() as net:
        url = page(net)
        net.site.always = server.status(404)
        assert fails(net, url).kind == "not found"
        assert len(net.site.seen) == 1


def test_a_half_sent_body_is_asked_for_again_and_never_kept(tmp_path: Path) -> None:
    with internet() as net:
        url = page(net)
        net.site.faults = [server.half_sent()]

        async def ask(web: Web) -> bytes:
            return (await web.get(url, worth_keeping=lambda _: True)).body

        assert net.run(ask, tmp_path) == b"hello"
        assert "broke off" in net.log[0].error
        net.site.always = server.half_sent()
        assert fails(net, f"{url}2").kind == "unreachable"


def test_a_trickle_ends_in_time() -> None:
    with internet() as net:
        url = page(net)
        net.site.always = server.loris()
        begin = time.monotonic()
        error = fails(net, url, seconds=0.4)
        assert error.kind == "slow"
        assert time.monotonic() - begin < 2
        assert net.log[0].bytes > 0


def test_a_silent_server_ends_in_time() -> None:
    with internet() as net:
        url = page(net)
        net.site.delay = 3
        begin = time.monotonic()
        assert fails(net, url, read_seconds=0.2, seconds=0.5).kind == "slow"
        assert time.monotonic() - begin < 2


def test_a_huge_body_is_cut_off() -> None:
    with internet() as net:
        url = page(net)
        net.site.always = server.endless()
        error = fails(net, url, max_bytes=1_000_000)
        assert error.kind == "too large"
        assert net.log[-1].bytes < 2_000_000
        assert len(net.site.seen) == 1


def test_redirects_are_followed_five_times_and_no_more() -> None:
    with internet() as net:
        url = page(net)
        net.site.faults = [server.redirect(f"/page?{n}") for n in range(5)]
        assert net.run(lambda web: web.get(url)).url.endswith("/page?4")
        net.site.always = server.redirect("/page")
        assert fails(net, url).kind == "refused"


@pytest.mark.parametrize(
    "target",
    ["http://127.0.0.1:1/", "http://localhost/x", "http://2130706433/", "http://[::ffff:127.0.0.1]/", "file:///etc/passwd",
     "http://169.254.169.254/latest/meta-data", "http://0x7f.0.0.1:80/", "gopher://example.org/"],
)  # fmt: skip
def test_a_redirect_to_a_private_place_is_refused_and_logged(target: str) -> None:
    with internet() as net:
        url = page(net)
        net.site.always = server.redirect(target)
        assert fails(net, url).kind == "refused"
        assert len(net.site.seen) == 1
        assert net.log[-1].error


def test_another_host_is_not_told_who_asks() -> None:
    with internet() as net:
        net.site.always = server.redirect(f"{net.arxiv.url}/elsewhere")
        with pytest.raises(SourceError):
            net.run(
                lambda web: web.get(
                    f"{net.site.url}/a", {"api_key": KEY}, {"X-Api-Key": KEY, "User-Agent": f"x ({EMAIL})"}
                )
            )
        (seen,) = net.arxiv.seen
        assert KEY not in str(seen)
        assert EMAIL not in str(seen)


def test_a_name_that_does_not_exist() -> None:
    with internet() as net:
        error = fails(net, "http://no-such-name.invalid/")
        assert error.kind in ("unknown host", "unreachable")
        assert "no-such-name.invalid" in error.message


def test_a_port_where_nobody_listens() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = WebOptions(allow_hosts=frozenset({"127.0.0.1"}), backoff=0.01)

    async def ask() -> None:
        async with Web(options) as web:
            await web.get(f"http://127.0.0.1:{port}/")

    with pytest.raises(SourceError, match="cannot be reached"):
        asyncio.run(ask())


def test_a_name_that_points_to_a_private_address_is_refused_at_connect(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name passes the first look; what it resolves to decides, and that same address is connected to."""

    async def resolve(*_: Any, **__: Any) -> Any:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 80)) for address in ("93.184.216.34", "10.0.0.7")]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", resolve)
    with internet() as net:
        error = fails(net, "http://innocent.example/paper.pdf")
    assert error.kind == "refused"
    assert "private" in error.message


def test_only_the_exempted_port_is_exempt() -> None:
    with internet() as net:
        url = page(net)

        async def ask() -> None:
            async with Web(WebOptions(allow_hosts=frozenset({net.arxiv.host}))) as web:
                await web.get(url)

        with pytest.raises(SourceError, match="private network"):
            asyncio.run(ask())
        assert not net.site.seen


def test_offline_opens_no_socket_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def no(*_: Any, **__: Any) -> None:
        raise AssertionError("a socket was used")

    with internet() as net:
        url = page(net)
        monkeypatch.setattr(socket.socket, "connect", no)
        monkeypatch.setattr(socket, "getaddrinfo", no)
        error = fails(net, url, offline=True)
        assert error.kind == "offline"
        assert "offline" in error.message
        assert error.hint
        assert net.asked == 0
        assert net.log[0].error


def test_what_was_kept_costs_nothing_and_needs_no_network(tmp_path: Path) -> None:
    with internet() as net:
        url = page(net)

        async def ask(web: Web) -> bool:
            return (await web.get(url, {"q": "x", "mailto": web.options.email}, worth_keeping=lambda _: True)).cached

        assert net.run(ask, tmp_path, email=EMAIL) is False
        assert net.run(ask, tmp_path, email="other@university.example") is True
        assert net.run(ask, tmp_path, offline=True) is True
        assert len(net.site.seen) == 1
        assert [one.cached for one in net.log] == [False, True, True]
        assert EMAIL.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_what_was_not_understood_is_not_kept(tmp_path: Path) -> None:
    with internet() as net:
        url = page(net)
        for _ in range(2):
            net.run(lambda web: web.get(url, worth_keeping=lambda reply: b"{" in reply.body), tmp_path)
        assert len(net.site.seen) == 2


def test_a_broken_cache_fails_no_request(tmp_path: Path) -> None:
    (tmp_path / "web.sqlite").write_bytes(b"this is no database" * 400)
    with internet() as net:
        url = page(net)
        assert net.run(lambda web: web.get(url, worth_keeping=lambda _: True), tmp_path).body == b"hello"


def test_requests_keep_their_distance_and_go_one_at_a_time() -> None:
    with internet() as net:
        url = page(net)
        net.site.delay = 0.05

        async def three(web: Web) -> None:
            await asyncio.gather(*(web.get(url, service="polite") for _ in range(3)))

        net.run(three, intervals={"polite": 0.2}, parallel={"polite": 1})
        times = [one.time for one in net.site.seen]
        assert all(later - earlier >= 0.19 for earlier, later in itertools.pairwise(times))
        assert net.site.most_at_once == 1


def test_waiting_for_a_turn_does_not_count_as_slow() -> None:
    with internet() as net:
        url = page(net)

        async def both(web: Web) -> None:
            await asyncio.gather(*(web.get(url, service="rare") for _ in range(3)))

        net.run(both, intervals={"rare": 0.4}, seconds=0.5)
        assert len(net.site.seen) == 3


def test_stopping_a_request_ends_it_at_once() -> None:
    with internet() as net:
        url = page(net)
        net.site.delay = 3

        async def ask(web: Web) -> None:
            task = asyncio.ensure_future(web.get(url))
            await asyncio.sleep(0.1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        begin = time.monotonic()
        net.run(ask)
        assert time.monotonic() - begin < 1
        assert "Stopped" in net.log[0].error


def test_a_log_line_has_no_secrets_in_it() -> None:
    with internet() as net:
        url = page(net)
        net.run(
            lambda web: web.get(url, {"api_key": KEY, "mailto": EMAIL, "q": f"papers of {EMAIL}"}),
            email=EMAIL,
            openalex_key=KEY,
        )
        (line,) = net.log
        assert KEY not in line.url
        assert EMAIL not in line.url
        assert "reader%40" not in line.url
        assert (line.method, line.status, line.bytes, line.tries) == ("GET", 200, 5, 1)


@pytest.mark.parametrize(
    "email", ["", "nobody", "a@b.example\r\nX-Evil: 1", "a b@c.example", "ä@b.example", "a@b.example) (x"]
)
def test_an_email_that_is_none_is_not_sent(email: str) -> None:
    assert WebOptions(email=email).contact == ""
    assert WebOptions(email=EMAIL).contact == EMAIL


def test_secrets_are_hidden_and_questions_are_not() -> None:
    url = without_secrets(
        "https://u:p@host/x?query.author=Key+Lime&keyword=auth&X-Amz-Signature=abc&token=t&email=a@b.c"
    )
    assert url == "https://host/x?query.author=Key+Lime&keyword=auth&X-Amz-Signature=***&token=***&email=***"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("120", 120), ("0", 0), ("1.5", 1.5), ("", None), ("soon", None), ("-3", None), ("Thu, 01 Jan 1970 00:01:40 GMT", 100),
     ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("99999999999999999999999", 1e23)],
)  # fmt: skip
def test_retry_after(text: str, seconds: float | None) -> None:
    assert retry_after(text, 0.0) == seconds
