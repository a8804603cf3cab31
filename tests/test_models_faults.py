"""Every fault that a server has: what the person is told, what is asked again, and what is not."""

from __future__ import annotations

import socket
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import ModelCall, ModelError
from minerva_desktop.models.reading import MOST_TEXT
from tests import model_server as fake
from tests.model_server import ModelServer, Reply, json_reply, ok
from tests.model_support import gateway


class Verdict(BaseModel):
    verdict: Literal["SUPPORTED", "CONTRADICTED", "INSUFFICIENT"]
    reason: str


GOOD = json_reply({"verdict": "SUPPORTED", "reason": "It is said so."})
CALL: ModelCall[Any] = ModelCall("claims", "claim", "1", "Judge.", "GaN has a gap of 3.4 eV.", Verdict)
TEXT: ModelCall[str] = ModelCall("synthesis", "answer", "1", "Be brief.", "What is the gap of GaN?")


def failure(script: Any, call: ModelCall[Any] = CALL, **settings: Any) -> tuple[ModelError, ModelServer]:
    """The error of one call to a server with such a script."""
    with (
        ModelServer(script) as server,
        gateway(server, **settings) as models,
        pytest.raises(ModelError) as caught,
    ):
        models.ask(call, CancelToken())
    assert [record.outcome for record in models.logged] == [caught.value.kind]
    assert caught.value.message.endswith(".")
    return caught.value, server


@pytest.mark.parametrize(
    ("reply", "kind", "fatal", "words"),
    [
        (fake.wrong_key("sk-verysecret"), "unauthorised", True, "does not accept the key"),
        (fake.error(403, "You are not allowed to sample from this model"), "unauthorised", True, "allow"),
        (fake.no_model(), "no-model", True, "has no model “test-model”"),
        (fake.error(404, "model 'x' not found, try pulling it first"), "no-model", True, "has no model"),
        (Reply(status=404, body=b"<html>Not Found</html>"), "unreachable", True, "no model server at"),
        (fake.no_credit(), "rate-limited", True, "no credit left"),
        (fake.error(402, "Insufficient balance"), "rate-limited", True, "no credit left"),
        (fake.too_many("3600"), "rate-limited", True, "no more requests for 60 minutes"),
        (fake.too_long_prompt(), "context", False, "longer than what test-model reads"),
        (fake.error(400, "content_filter triggered"), "refused", False, "content rules"),
        (
            Reply(status=307, headers={"Location": "http://elsewhere.example/v1"}, body=b""),
            "unreachable",
            True,
            "another",
        ),
        (fake.web_page(), "unreachable", True, "web page"),
        (fake.refusal(), "refused", False, "refused to answer"),
        (Reply("", finish="content_filter"), "refused", False, "content rules"),
        (fake.cut_by_length('{"verdict": "SUPPORTED", "reason": "It'), "too-long", False, "cut off at its limit"),
        (fake.error(500, "unable to load model"), "no-model", True, "has no model"),
    ],
)
def test_what_cannot_succeed_is_asked_once(reply: Reply, kind: str, fatal: bool, words: str) -> None:
    error, server = failure(reply)
    assert (error.kind, error.fatal) == (kind, fatal)
    assert words in error.message
    assert "verysecret" not in error.message + error.hint
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        fake.broken(502),
        fake.broken(503),
        fake.error(408, "Request timeout"),
        fake.error(409, "Conflict"),
        fake.web_page(504),
        fake.too_many("0"),
        fake.too_many(),
        Reply(hang_up=True),
        Reply(hang_up=True, reset=True),
        Reply(GOOD.text, cut_after=1),
        Reply(GOOD.text, cut_after=2, reset=True),
        Reply(GOOD.text, cut_after=2, until_closed=True),
        Reply(GOOD.text, bad_piece=b'{"choices": [{"del'),
        Reply(body=b""),
        Reply(body=b'{"choices": []}'),
        Reply(body=b'{"object": "chat.completion"'),
        Reply(body=b'{"choices": [{"index": 0, "message": "hello"}]}'),
        Reply(body=b'data: {"error": {"message": "The server is overloaded", "code": 503}}\n\ndata: [DONE]\n\n'),
        Reply(body=b"\xff\xfe\x00"),
    ],
)
def test_what_can_succeed_is_asked_three_times(reply: Reply) -> None:
    with ModelServer([reply, reply, GOOD]) as server, gateway(server) as models:
        assert models.ask(CALL, CancelToken()).attempts == 3
    error, server = failure([reply, reply, reply, GOOD])
    assert error.kind in ("failed", "rate-limited")
    assert not error.fatal
    assert len(server.requests) == 3


def test_a_server_that_fails_in_every_manner_is_not_asked_in_all_of_them_again() -> None:
    error, server = failure(fake.broken(500))
    assert error.kind == "failed"
    assert [request.mode for request in server.requests] == [
        "json_schema", "json_object_schema", "json_object", "text", "json_schema", "json_schema",
    ]  # fmt: skip
    error, server = failure(fake.broken(500), TEXT)
    assert len(server.requests) == 3


def test_the_wait_between_tries_is_that_of_the_settings_unless_the_server_says_another() -> None:
    def seconds(reply: Reply, wait: float) -> float:
        with ModelServer([reply, GOOD]) as server, gateway(server, model_wait_seconds=wait) as models:
            models.ask(CALL, CancelToken())
        return server.requests[1].at - server.requests[0].at

    assert 0.3 <= seconds(fake.broken(503), 0.3) < 2
    assert 0.3 <= seconds(fake.too_many(), 0.3) < 2
    assert 1.0 <= seconds(fake.too_many("1"), 0.0) < 3
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
    assert 0.5 <= seconds(fake.too_many(soon), 0.0) < 4
    assert seconds(fake.too_many("1"), 30.0) < 3


def test_a_server_that_asks_for_patience_is_left_alone_by_all_calls() -> None:
    calls: list[ModelCall[Any]] = [ModelCall("synthesis", "p", "1", "", f"Question {n}") for n in range(4)]
    with ModelServer([fake.too_many("1"), *[ok("fine")] * 4]) as server, gateway(server, model_parallel=1) as models:
        models.ask_all(calls, CancelToken())
    assert server.requests[1].at - server.requests[0].at >= 1.0
    assert len(server.requests) == 5


def test_nobody_listens() -> None:
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{reserved.getsockname()[1]}"
        began = time.monotonic()
        with gateway(f"{address}/v1", model_wait_seconds=60) as models, pytest.raises(ModelError) as caught:
            models.ask(CALL, CancelToken())
    assert time.monotonic() - began < 5
    assert caught.value.message == f"No model server answers at {address}."
    assert caught.value.hint == "Start it, or go on with the built-in engine."
    assert (caught.value.kind, caught.value.fatal) == ("unreachable", True)
    assert models.logged[0].attempts == 2


def test_a_name_that_is_not_known() -> None:
    with gateway("http://no-such-machine.invalid:1/v1") as models, pytest.raises(ModelError) as caught:
        models.ask(CALL, CancelToken())
    assert (caught.value.kind, caught.value.fatal) == ("unreachable", True)


def test_no_encryption_where_it_was_expected() -> None:
    with (
        ModelServer("x") as server,
        gateway(server.base_url.replace("http:", "https:")) as models,
        pytest.raises(ModelError) as caught,
    ):
        models.ask(CALL, CancelToken())
    assert "encrypted connection" in caught.value.message


@pytest.mark.parametrize(
    "reply", [Reply("", stall=True), Reply(GOOD.text, stall=True, cut_after=2), Reply("", delay=20)]
)
def test_a_server_that_falls_silent(reply: Reply) -> None:
    began = time.monotonic()
    error, server = failure(reply, model_timeout_seconds=0.3)
    assert (error.kind, error.fatal) == ("timeout", False)
    assert "sent nothing for 0.3 s" in error.message
    assert len(server.requests) == 3
    assert time.monotonic() - began < 5


def test_a_slow_model_that_goes_on_writing_is_waited_for() -> None:
    reply = Reply(" ".join(["word"] * 30), piece_delay=0.06)
    with ModelServer(reply) as server, gateway(server, model_timeout_seconds=0.5) as models:
        assert models.ask(TEXT, CancelToken()).value.startswith("word word")


def test_a_local_server_that_answers_one_after_the_other_is_not_silent() -> None:
    turn = threading.Lock()

    def script(request: fake.Request) -> Reply:
        with turn:  # the others wait here without a word
            time.sleep(0.5)
        return Reply("some words", piece_delay=0.1)

    calls: list[ModelCall[Any]] = [ModelCall("synthesis", "p", "1", "", f"Question {n}") for n in range(6)]
    with ModelServer(script) as server, gateway(server, model_timeout_seconds=1.5, model_parallel=6) as models:
        assert len(models.ask_all(calls, CancelToken())) == 6
    assert {record.attempts for record in models.logged} == {1}


def test_half_characters_of_a_damaged_file_are_sent_as_question_marks() -> None:
    call: ModelCall[str] = ModelCall("synthesis", "p", "1", "", "The \ud835 symbol")
    with ModelServer("fine") as server, gateway(server) as models:
        models.ask(call, CancelToken())
    assert server.requests[0].user == "The ? symbol"


def test_a_reply_without_end_is_cut_off() -> None:
    error, _ = failure(Reply("x" * (MOST_TEXT + 100)), TEXT, model_tries=1)
    assert "far more than a reply" in error.message
    error, _ = failure(Reply(body=b"{" + b" " * 9_000_000 + b"}"), model_tries=1)
    assert "far more than a reply" in error.message
    error, _ = failure(Reply(status=503, body=b"x" * 5_000_000), model_tries=1)
    assert "status 503" in error.message


@pytest.mark.parametrize(
    "replies",
    [
        [fake.empty(), GOOD],
        [Reply(None), GOOD],
        [ok("I think it is supported."), GOOD],
        [ok('{"verdict": "YES", "reason": ""}'), GOOD],
        [ok('{"verdict": "SUPPORTED", "reason": "a"} {"verdict": "CONTRADICTED", "reason": "b"}'), GOOD],
        [ok('{"answer": 42}'), GOOD],
    ],
)
def test_one_repair(replies: list[Reply]) -> None:
    with ModelServer(replies) as server, gateway(server) as models:
        reply = models.ask(CALL, CancelToken())
    assert (reply.value.verdict, reply.repaired, len(server.requests)) == ("SUPPORTED", True, 2)
    assert [record.outcome for record in models.logged] == ["repaired"]
    again = server.requests[1]
    assert "An earlier reply to this was not usable:" in again.user
    if replies[0].text:
        assert "<earlier-reply-" in again.user
        assert replies[0].text in again.user
    assert again.user.startswith(CALL.user)


def test_only_one_repair() -> None:
    error, server = failure(ok('{"verdict": "YES", "reason": "The gap is large."}'))
    assert (error.kind, error.fatal, len(server.requests)) == ("invalid", False, 2)
    assert error.message.startswith("test-model gave no usable reply for “claim”, even when it was asked again: ")
    assert "The gap is large" not in error.message


def test_no_repair_when_none_is_wanted() -> None:
    call: ModelCall[Any] = ModelCall("claims", "claim", "1", "", "x", Verdict, repair=False)
    error, server = failure(ok("no"), call)
    assert (error.kind, len(server.requests)) == ("invalid", 1)


def test_a_complaint_of_the_role_uses_the_same_round() -> None:
    def check(verdict: Verdict) -> str:
        return "" if verdict.reason else "The reason is missing."

    call: ModelCall[Any] = ModelCall("claims", "claim", "1", "", "x", Verdict, check=check)
    bare = json_reply({"verdict": "SUPPORTED", "reason": ""})
    with ModelServer([bare, GOOD]) as server, gateway(server) as models:
        assert models.ask(call, CancelToken()).repaired
    assert "The reason is missing." in server.requests[1].user
    error, server = failure(bare, call)
    assert "the reason is missing" in error.message
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "reply",
    [
        Reply(GOOD.text, usage="missing"),
        Reply(GOOD.text, usage=(0, 0)),
        Reply(GOOD.text, usage=(20, 0)),
        Reply(body=b'{"choices": [{"message": {"content": ' + b'"{\\"verdict\\": \\"SUPPORTED\\", \\"reason\\": \\"\\"}"'
              + b'}}], "usage": {"prompt_tokens": "many", "completion_tokens": -3}}'),
    ],
)  # fmt: skip
def test_usage_that_is_not_told_is_estimated(reply: Reply) -> None:
    with ModelServer(reply) as server, gateway(server) as models:
        usage = models.ask(CALL, CancelToken()).usage
    assert usage.estimated
    assert usage.tokens_in >= len(CALL.system + CALL.user) / 4
    assert usage.tokens_out >= 8
    assert models.spent.month()[0] == usage.tokens_in + usage.tokens_out


def test_usage_as_the_server_tells_it() -> None:
    with ModelServer(Reply(GOOD.text, usage=(120, 30))) as server, gateway(server) as models:
        usage = models.ask(CALL, CancelToken()).usage
    assert (usage.tokens_in, usage.tokens_out, usage.estimated) == (120, 30, False)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(GOOD.text, choices=(GOOD.text or "", "something else")),
        Reply(GOOD.text, reasoning="Let me think about {this}."),
        Reply(f"<think>hm</think>{GOOD.text}"),
        Reply(GOOD.text, until_closed=True),
        Reply(body=b'{"choices":[{"message":{"content":[{"type":"text","text":"{\\"verdict\\":\\"SUPPORTED\\",'
              b'\\"reason\\":\\"\\"}"}]}}]}'),
        Reply(body=b': ping\r\n\r\ndata:{"choices":[{"delta":{"content":"{\\"verdict\\":\\"SUPPORTED\\",\\"reason\\":'
              b'\\"\\"}"},"finish_reason":"stop"}]}\r\n\r\n'),
    ],
)  # fmt: skip
def test_the_ways_in_which_servers_differ(reply: Reply) -> None:
    with ModelServer(reply) as server, gateway(server) as models:
        assert models.ask(CALL, CancelToken()).value.verdict == "SUPPORTED"
    assert len(server.requests) == 1


def test_nothing_is_sent_while_offline_not_even_to_this_machine() -> None:
    with ModelServer(GOOD) as server, gateway(server, offline=True) as models:
        assert not models.ready("claims")
        with pytest.raises(ModelError) as caught:
            models.ask(CALL, CancelToken())
    assert (caught.value.kind, caught.value.fatal, server.seen) == ("offline", True, [])


def test_a_model_that_thinks_gets_more_room_and_keeps_it() -> None:
    def script(request: fake.Request) -> Reply:
        if request.body["max_tokens"] < 2000:
            return Reply("", finish="length", reasoning="Let me think about it. " * 40)
        return Reply(GOOD.text, reasoning="Done.")

    with ModelServer(script) as server, gateway(server) as models:
        first = models.ask(CALL, CancelToken())
        again: ModelCall[Any] = ModelCall("claims", "claim", "1", "Judge.", "Another claim.", Verdict)
        models.ask(again, CancelToken())
    assert first.attempts == 1
    assert first.usage.tokens_in > 2 * len(CALL.user) / 4
    assert [request.body["max_tokens"] for request in server.requests] == [1024, 5120, 5120]


def test_a_model_that_thinks_without_end() -> None:
    error, server = failure(Reply("<think>Hm. " * 50, finish="length"))
    assert error.kind == "too-long"
    assert "while it was still thinking" in error.message
    assert len(server.requests) == 2


def test_a_model_without_eyes() -> None:
    call: ModelCall[str] = ModelCall("vision", "page", "1", "", "Describe it.", images=(b"png",))
    error, server = failure(fake.error(400, "image_url is not supported by this model"), call)
    assert (error.kind, error.fatal, error.message) == ("no-model", True, "test-model does not read pictures.")
    assert len(server.requests) == 1


def test_a_server_elsewhere_that_wants_a_key_is_not_asked_without_one() -> None:
    with gateway("https://models.example.org/v1", profile={"key": True}) as models, pytest.raises(ModelError) as caught:
        models.ask(CALL, CancelToken())
    assert (caught.value.kind, caught.value.fatal) == ("not-configured", True)
    assert caught.value.message == "“here” has no key for https://models.example.org."
