"""Cancel, calls at the same time, the cache and streams."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest
from pydantic import BaseModel

from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import ModelCall, ModelError, ModelReply
from minerva_desktop.models.stores import MemoryReplies
from tests import model_server as fake
from tests.model_server import ModelServer, Reply, Request, json_reply, ok
from tests.model_support import gateway


class Answer(BaseModel):
    answer: str


def text(number: int = 0, **more: Any) -> ModelCall[str]:
    return ModelCall("synthesis", "answer", "1", "Be brief.", f"Question {number}", **more)


def echo(request: Request) -> Reply:
    return ok(f"Answer to {request.user}")


# --------------------------------------------------------------------------------------------------------------- cancel
@pytest.mark.parametrize(
    "reply",
    [Reply("late", delay=20), Reply("late words come here", stall=True, cut_after=1), fake.too_many("50")],
)
def test_cancel_stops_at_once(reply: Reply) -> None:
    token = CancelToken()
    cancelled: list[float] = []
    with ModelServer(lambda _: reply) as server, gateway(server) as models:

        def cancel_when_under_way() -> None:
            while len(server.requests) < (4 if reply.status == 200 else 1):
                time.sleep(0.01)
            time.sleep(0.2)
            cancelled.append(time.monotonic())
            token.cancel()

        threading.Thread(target=cancel_when_under_way).start()
        with pytest.raises(Cancelled):
            models.ask_all([text(n) for n in range(8)], token)
        assert time.monotonic() - cancelled[0] < 0.5
        time.sleep(0.3)
        asked = len(server.requests)
        if reply.status == 200:
            assert len(server.hung_up) == 4
            assert max(server.hung_up) - cancelled[0] < 0.5
        time.sleep(0.3)
        assert len(server.requests) == asked <= 4
    assert {record.outcome for record in models.logged} == {"cancelled"}


def test_a_token_that_is_set_before_sends_nothing() -> None:
    token = CancelToken()
    token.cancel()
    with ModelServer("x") as server, gateway(server) as models, pytest.raises(Cancelled):
        models.ask(text(), token)
    assert server.seen == []


def test_a_fatal_error_ends_the_calls_beside_it() -> None:
    def script(request: Request) -> Reply:
        return fake.wrong_key() if request.user == "Question 1" else Reply("late", delay=20)

    with ModelServer(script) as server, gateway(server) as models:
        began = time.monotonic()
        with pytest.raises(ModelError) as caught:
            models.ask_all([text(n) for n in range(30)], CancelToken())
        assert time.monotonic() - began < 5
        time.sleep(0.1)
        assert len(server.requests) <= 4
    assert caught.value.kind == "unauthorised"


def test_replies_that_came_before_the_end_are_kept() -> None:
    token = CancelToken()

    def check(value: str) -> str:
        if not token.cancelled:
            time.sleep(1.0)  # meanwhile the others arrive
            token.cancel()
        return ""

    replies = MemoryReplies()
    with ModelServer(echo) as server, gateway(server, replies=replies) as models:
        with pytest.raises(Cancelled):
            models.ask_all([text(n, check=check) for n in range(4)], token)
        results = models.ask_all([text(n) for n in range(4)], CancelToken())
        assert all(isinstance(item, ModelReply) and item.cached for item in results)
    assert len(server.requests) == 4


def test_one_job_does_not_inherit_the_limits_of_another() -> None:
    with ModelServer(Reply("fine", delay=0.3)) as server, gateway(server, model_job_tokens=200) as models:
        small, other = models.job("small"), models.job("other")
        small.ask(text(1, most_tokens=150), CancelToken())
        failed: list[ModelError] = []

        def over_the_limit() -> None:
            try:
                small.ask_all([text(2, most_tokens=20), text(3, most_tokens=195)], CancelToken())
            except ModelError as error:
                failed.append(error)

        thread = threading.Thread(target=over_the_limit)
        thread.start()
        assert other.ask(text(2, most_tokens=20), CancelToken()).value == "fine"
        thread.join(10)
    assert [error.kind for error in failed] == ["budget"]


def test_a_closed_gateway_says_so() -> None:
    with ModelServer(Reply("late", delay=20)) as server, gateway(server) as models:
        threading.Timer(0.6, models.close).start()
        with pytest.raises(ModelError, match="was closed"):
            models.ask(text(), CancelToken())
        with pytest.raises(ModelError, match="was closed"):
            models.ask(text(), CancelToken())


# ---------------------------------------------------------------------------------------------------- calls side by side
def test_replies_stand_in_the_order_of_the_calls_and_failures_in_their_place() -> None:
    def script(request: Request) -> Reply:
        number = int(request.user.split()[-1])
        if number == 5:
            return fake.refusal()
        return Reply(f"Answer {number}", delay=0.1 if number % 3 == 0 else 0.0)

    with ModelServer(script) as server, gateway(server) as models:
        results = models.ask_all([text(n) for n in range(20)], CancelToken())
    assert isinstance(results[5], ModelError)
    assert results[5].kind == "refused"
    assert [item.value for item in results if isinstance(item, ModelReply)] == [
        f"Answer {n}" for n in range(20) if n != 5
    ]


@pytest.mark.parametrize(("role", "at_most", "wanted"), [("synthesis", 0, 4), ("claims", 0, 3), ("synthesis", 2, 2)])
def test_no_more_at_a_time_than_allowed(role: Any, at_most: int, wanted: int) -> None:
    calls: list[ModelCall[Any]] = [ModelCall(role, "p", "1", "", f"Question {n}") for n in range(12)]
    with ModelServer(Reply("fine", delay=0.05)) as server, gateway(server) as models:
        models.ask_all(calls, CancelToken(), at_most=at_most)
    assert server.most_at_once == wanted


def test_threads_share_the_limit_of_requests() -> None:
    with ModelServer(Reply("fine", delay=0.03)) as server, gateway(server, model_parallel=2) as models:
        threads = [
            threading.Thread(target=lambda n=n: models.ask_all([text(10 * n + k) for k in range(5)], CancelToken()))
            for n in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
    assert (server.most_at_once, len(server.requests)) == (2, 20)


def test_the_same_call_under_way_is_made_once() -> None:
    with ModelServer(Reply("fine", delay=0.2)) as server, gateway(server) as models:
        values: list[str] = []
        job = models.job("j")
        threads = [
            threading.Thread(target=lambda: values.append(job.ask(text(), CancelToken()).value)) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        both = models.ask_all([text(), text(), text(1)], CancelToken())
        for thread in threads:
            thread.join(10)
    assert values == ["fine"] * 4
    assert len(both) == 3
    assert len(server.requests) == 2
    assert sorted(record.outcome for record in models.logged) == ["cached"] * 5 + ["ok"] * 2


def test_whoever_waits_for_a_call_that_was_cancelled_makes_it() -> None:
    token = CancelToken()
    with ModelServer(Reply("fine", delay=0.4)) as server, gateway(server) as models:

        def first() -> None:
            with pytest.raises(Cancelled):
                models.ask(text(), token)

        thread = threading.Thread(target=first)
        thread.start()
        while not server.requests:
            time.sleep(0.01)
        threading.Timer(0.1, token.cancel).start()
        assert models.ask(text(), CancelToken()).value == "fine"
        thread.join(5)
    assert len(server.requests) == 2


# ---------------------------------------------------------------------------------------------------------------- cache
def test_a_second_run_costs_nothing_and_asks_nobody() -> None:
    replies = MemoryReplies()
    calls = [text(n) for n in range(5)]
    with ModelServer(echo) as server, gateway(server, replies=replies) as models:
        first = models.ask_all(calls, CancelToken())
        spent = models.spent.month()
        again = models.ask_all(calls, CancelToken())
        assert models.spent.month() == spent
        assert [item.value for item in first] == [item.value for item in again]  # type: ignore[union-attr]
        assert len(server.requests) == 5
        with gateway(server, replies=replies, offline=True) as offline:
            assert offline.ask(calls[0], CancelToken()).cached


@pytest.mark.parametrize(
    "changed",
    [
        {"version": "2"},
        {"prompt": "other"},
        {"system": "Be long."},
        {"user": "Question 1"},
        {"most_tokens": 99},
        {"temperature": 0.5},
        {"images": (b"png",)},
        {"schema": Answer},
    ],
)
def test_whatever_decides_the_reply_decides_the_cache(changed: dict[str, Any]) -> None:
    usual: dict[str, Any] = {
        "role": "synthesis", "prompt": "answer", "version": "1", "system": "Be brief.", "user": "Question 0",
    }  # fmt: skip
    with ModelServer(json_reply({"answer": "x"})) as server, gateway(server) as models:
        models.ask(ModelCall(**usual), CancelToken())
        assert not models.ask(ModelCall(**{**usual, **changed}), CancelToken()).cached
        assert models.ask(ModelCall(**{**usual, "item": "another"}), CancelToken()).cached


def test_only_valid_replies_are_kept() -> None:
    call: ModelCall[Any] = ModelCall("claims", "p", "1", "", "x", Answer)
    replies = MemoryReplies()
    script = [ok("no"), ok("no"), fake.refusal(), fake.cut_by_length("{"), ok("no"), json_reply({"answer": "yes"})]
    with ModelServer(script) as server, gateway(server, replies=replies) as models:
        for _ in range(3):
            with pytest.raises(ModelError):
                models.ask(call, CancelToken())
        assert models.ask(call, CancelToken()).repaired
        assert models.ask(call, CancelToken()).cached
    assert len(server.requests) == 6


def test_a_store_that_cannot_be_used_stops_nothing() -> None:
    class Full(MemoryReplies):
        def get(self, key: str) -> str | None:
            raise OSError("disk")

        def put(self, key: str, text: str) -> None:
            raise OSError("disk")

    with ModelServer(echo) as server, gateway(server, replies=Full()) as models:
        assert models.ask(text(), CancelToken()).value == "Answer to Question 0"


def test_a_broken_entry_is_asked_for_again() -> None:
    class Odd(MemoryReplies):
        def get(self, key: str) -> str | None:
            return json.dumps({"text": 3})

    with ModelServer(echo) as server, gateway(server, replies=Odd()) as models:
        assert models.ask(text(), CancelToken()).value == "Answer to Question 0"


# --------------------------------------------------------------------------------------------------------------- stream
def test_a_stream_is_told_piece_by_piece_in_the_thread_that_asks() -> None:
    pieces: list[tuple[str, int]] = []
    reply = Reply("<think>Let me see.</think>GaN has a gap of 3.4 eV at 300 K.", piece_delay=0.02)
    with ModelServer(reply) as server, gateway(server) as models:
        made = models.stream(text(), lambda piece: pieces.append((piece, threading.get_ident())), CancelToken())
        assert made.value == "GaN has a gap of 3.4 eV at 300 K."
        assert "".join(piece for piece, _ in pieces) == made.value
        assert len(pieces) > 2
        assert {thread for _, thread in pieces} == {threading.get_ident()}
        again: list[str] = []
        assert models.stream(text(), again.append, CancelToken()).cached
        assert again == [made.value]
    assert len(server.requests) == 1


def test_a_stream_that_breaks_after_words_were_told_is_not_begun_again() -> None:
    pieces: list[str] = []
    with (
        ModelServer([Reply("some words that come in pieces", cut_after=2), ok("fine")]) as server,
        gateway(server) as models,
        pytest.raises(ModelError) as caught,
    ):
        models.stream(text(), pieces.append, CancelToken())
    assert (caught.value.kind, len(server.requests)) == ("failed", 1)
    assert pieces


def test_a_stream_that_breaks_before_words_were_told_is_begun_again() -> None:
    pieces: list[str] = []
    with ModelServer([fake.broken(503), ok("fine")]) as server, gateway(server) as models:
        assert models.stream(text(), pieces.append, CancelToken()).value == "fine"
    assert "".join(pieces) == "fine"


def test_a_stream_is_cancelled_in_the_middle() -> None:
    token = CancelToken()
    with ModelServer(Reply("word " * 100, piece_delay=0.05)) as server, gateway(server) as models:
        with pytest.raises(Cancelled):
            models.stream(text(), lambda _: token.cancel(), token)
        time.sleep(0.2)
        assert len(server.hung_up) == 1
