"""A real server behind the gateway: what the connection test finds, structure, cache, limits, faults, cancel."""

from __future__ import annotations

import threading
import time
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import ModelCall, ModelError
from minerva_desktop.models.modes import MODES
from tests.integration.support import RealModel
from tests.model_support import Gateway, gateway

pytestmark = pytest.mark.real_model


class Colour(BaseModel):
    name: Literal["red", "green", "blue"]
    letters: list[str] = Field(max_length=3)


def colour(user: str = "Which colour has the sky?", **more: object) -> ModelCall[Colour]:
    system = "Reply with JSON: the name of a colour, and at most three letters of it."
    return ModelCall("labels", "test", "1", system, user, schema=Colour, most_tokens=200, **more)  # type: ignore[arg-type]


def text(user: str, most: int = 60) -> ModelCall[str]:
    return ModelCall("synthesis", "test", "1", "Answer in plain words.", user, most_tokens=most)


def test_the_connection_test_finds_out_what_the_server_can_do(real_model: RealModel) -> None:
    report = real_model.report
    assert report.reachable
    assert report.model_present
    assert report.error == ""
    assert report.mode in MODES
    assert report.context_tokens > 0
    assert report.too_small == (report.context_tokens < 4096)
    assert report.tokens_per_second > 0
    assert 0 < report.latency_seconds < 600
    assert any(real_model.profile.model in sentence for sentence in report.sentences)


def test_a_reply_fits_the_schema_is_counted_and_is_free_the_second_time(models: Gateway) -> None:
    first = models.ask(colour(), CancelToken())
    second = models.ask(colour(), CancelToken())
    assert isinstance(first.value, Colour)
    assert len(first.value.letters) <= 3
    assert first.usage.tokens_in > 10
    assert first.usage.tokens_out > 0
    assert first.mode in MODES
    assert (second.value, second.text, second.cached) == (first.value, first.text, True)
    assert second.usage.tokens_in == second.usage.tokens_out == 0
    one, other = models.logged
    assert (one.role, one.outcome in {"ok", "repaired"}, one.tokens_in) == ("labels", True, first.usage.tokens_in)
    assert (other.outcome, other.tokens_in, other.attempts) == ("cached", 0, 0)


def test_several_calls_come_back_in_their_order(models: Gateway) -> None:
    calls = [colour(f"Which colour has {thing}?") for thing in ("grass", "blood", "the sky")]
    replies = models.ask_all(calls, CancelToken())
    assert all(not isinstance(reply, ModelError) and isinstance(reply.value, Colour) for reply in replies)
    again = models.ask_all(list(reversed(calls)), CancelToken())
    assert [reply.text for reply in again] == [reply.text for reply in reversed(replies)]  # type: ignore[union-attr]


def test_a_stream_is_what_the_reply_is_and_a_kept_one_comes_at_once(models: Gateway) -> None:
    call = text("Name three metals.")
    pieces: list[str] = []
    reply = models.stream(call, pieces.append, CancelToken())
    assert len(pieces) > 1
    assert "".join(pieces).strip() == reply.value.strip()
    again: list[str] = []
    assert models.stream(call, again.append, CancelToken()).cached
    assert "".join(again).strip() == reply.value.strip()


def test_a_reply_that_is_cut_off_is_not_used(models: Gateway) -> None:
    call = ModelCall("labels", "test", "1", "Reply with JSON.", "Which colour?", schema=Colour, most_tokens=3)
    with pytest.raises(ModelError) as caught:
        models.ask(call, CancelToken())
    assert caught.value.kind == "too-long"
    assert not caught.value.fatal
    assert models.logged[-1].outcome == "too-long"


def test_a_text_that_the_model_cannot_hold_is_refused_in_words(models: Gateway, real_model: RealModel) -> None:
    context = real_model.report.context_tokens
    if not 0 < context <= 40_000:
        pytest.skip(f"the model reads {context:,} tokens at once; filling it takes too long here")
    call = text("Count the words: " + "iron oxide film " * context)
    with pytest.raises(ModelError) as caught:
        models.ask(call, CancelToken())
    assert caught.value.kind == "context"
    assert models.logged[-1].attempts == 0  # what is known not to fit is not sent
    if real_model.report.server == "Ollama":
        return  # it drops the beginning without a word, which is what the connection test is for
    unknowing = real_model.profile.model_dump() | {"context": 10_000_000}
    with gateway(real_model.profile.base_url, key=real_model.key, profile=unknowing) as sending:
        with pytest.raises(ModelError) as caught:
            sending.ask(call, CancelToken())
        assert caught.value.kind == "context"
        assert sending.logged[-1].attempts == 1
    assert "iron oxide" not in str(caught.value)


def test_a_limit_ends_a_job_before_anything_is_sent(models: Gateway, real_model: RealModel) -> None:
    profile = real_model.profile.model_dump()
    with gateway(real_model.profile.base_url, key=real_model.key, profile=profile, model_job_tokens=20) as limited:
        with pytest.raises(ModelError) as caught:
            limited.job("job").ask(colour("Which colour has coal?"), CancelToken())
        assert caught.value.kind == "budget"
        assert caught.value.fatal
        assert limited.spent.month() == (0, 0.0)
        assert limited.logged[-1].attempts == 0


def test_dollars_are_counted_where_a_price_is_known(real_model: RealModel) -> None:
    profile = real_model.profile.model_dump() | {"price_in": 0.15, "price_out": 0.60}
    with gateway(real_model.profile.base_url, key=real_model.key, profile=profile) as priced:
        reply = priced.ask(colour(), CancelToken())
    expected = (reply.usage.tokens_in * 0.15 + reply.usage.tokens_out * 0.60) / 1e6
    assert reply.dollars == pytest.approx(expected)
    assert priced.spent.month()[1] == pytest.approx(expected)


def test_cancel_stops_at_once_and_frees_the_server(models: Gateway) -> None:
    token = CancelToken()
    outcome: list[BaseException] = []

    def work() -> None:
        try:
            models.ask(text("Tell a long story about a lighthouse.", most=1500), token)
        except BaseException as error:  # noqa: BLE001 what ended it is what is looked at
            outcome.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(2)
    token.cancel()
    begin = time.monotonic()
    thread.join(5)
    assert time.monotonic() - begin < 2
    assert [type(error) for error in outcome] == [Cancelled]
    assert models.logged[-1].outcome == "cancelled"
    assert models.ask(text("Say yes.", most=5), CancelToken()).value


def test_a_wrong_path_is_one_readable_error(real_model: RealModel) -> None:
    with gateway(f"{real_model.profile.base_url}/nowhere", model_tries=1) as lost:
        with pytest.raises(ModelError) as caught:
            lost.ask(text("Say yes."), CancelToken())
        assert caught.value.fatal
        assert str(caught.value).endswith(".")
