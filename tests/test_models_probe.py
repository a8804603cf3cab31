"""The connection test: what it finds out about servers of different kinds, and how it says so."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken
from minerva_desktop.models import contexts
from minerva_desktop.models.calls import ModelCall, ModelError
from minerva_desktop.models.contexts import Context
from minerva_desktop.models.judgement import TRIALS, Control
from minerva_desktop.models.probing import ProbeReport, probe
from minerva_desktop.settings.guests import GuestSettings, ModelProfile
from tests import model_server as fake
from tests.model_server import MODEL, ModelServer, Reply, Request, ok
from tests.model_support import gateway


def sensible(request: Request) -> Reply:
    """A model that does as it is told, as far as it can read it."""
    asks_for_form = request.mode in ("json_schema", "json_object_schema") or "of this form" in request.text
    if asks_for_form:
        return ok('{"zebra_state": "ready", "zebra_number": 3}')
    if "code word" in request.text:
        found = re.search(r"The code word is (\w+)", request.text)
        return ok(found[1] if found else "I do not know.")
    if request.mode == "json_object":
        return ok("{}")
    return (
        ok("one, two, three, four, five, six, seven, eight, nine, ten") if "numbers" in request.text else ok("Hello!")
    )


def report_of(server: ModelServer, key: str = "", **profile: Any) -> ProbeReport:
    made = ModelProfile(**{"base_url": server.base_url, "model": MODEL, "key": bool(key), **profile})
    return probe(made, GuestSettings(model_timeout_seconds=2.0), key, CancelToken())


def test_a_good_server() -> None:
    with ModelServer(sensible) as server:
        report = report_of(server)
    assert (report.reachable, report.model_present, report.mode, report.error) == (True, True, "json_schema", "")
    assert report.seen_models == (MODEL,)
    assert report.context_tokens >= 7000
    assert not report.too_small
    assert report.tokens_per_second > 0
    assert 0 < report.latency_seconds < 2
    assert report.tokens_in > 0
    assert any("at least" in sentence for sentence in report.sentences)
    assert "It costs nothing: the server stands on this machine or in your network." in report.sentences


def test_an_ollama_that_reads_two_thousand_tokens_is_found_out() -> None:
    with ModelServer(sensible, truncates=2048, others={"/api/ps": {"models": []}, "/api/show": {}}) as server:
        report = report_of(server)
        assert (report.server, report.context_tokens, report.too_small) == ("Ollama", 2048, True)
        said = " ".join(report.sentences)
        assert "This model reads only 2,048 tokens at once: a section of a paper does not fit" in said
        assert "nothing would be found. Set num_ctx to at least 8192" in said
        with gateway(server) as models, pytest.raises(ModelError) as caught:
            models.ask(ModelCall("extraction", "p", "1", "", "word " * 2000), CancelToken())
        assert caught.value.kind == "context"
        assert models.context_tokens("extraction") == 2048


def test_it_is_found_out_also_where_the_server_does_not_count() -> None:
    def script(request: Request) -> Reply:
        reply = sensible(request)
        reply.usage = "missing"
        return reply

    for server in (ModelServer(script, truncates=2048), ModelServer(sensible, truncates=2048, counts_all=True)):
        with server:
            report = report_of(server)
        assert report.too_small
        assert any("did not find what stood at the beginning" in sentence for sentence in report.sentences)


def test_a_prompt_that_is_refused_for_its_length() -> None:
    def script(request: Request) -> Reply:
        if len(request.text) > 8000:
            return fake.error(400, "the request exceeds the available context size (n_ctx: 2048)")
        return sensible(request)

    with ModelServer(script) as server:
        report = report_of(server)
    assert (report.context_tokens, report.too_small) == (2048, True)


def test_four_thousand_tokens_are_enough_and_more_are_better() -> None:
    with ModelServer(sensible, truncates=4096) as server:
        report = report_of(server)
    assert not report.too_small
    assert report.context_tokens == 4096
    assert any("long sections are read in pieces" in sentence for sentence in report.sentences)


def test_a_model_that_finds_no_word_is_not_called_too_small() -> None:
    def script(request: Request) -> Reply:
        return ok("I like turtles.") if "code word" in request.text else sensible(request)

    with ModelServer(script) as server:
        report = report_of(server)
    assert not report.too_small
    assert report.model_present


@pytest.mark.parametrize(
    ("kind", "others", "about", "wanted"),
    [
        (
            "llama.cpp",
            {"/props": {"default_generation_settings": {"n_ctx": 2048}}},
            {"meta": {"n_ctx_train": 32768}},
            2048,
        ),
        (
            "LM Studio",
            {f"/api/v0/models/{MODEL}": {"max_context_length": 32768, "loaded_context_length": 4096}},
            {},
            4096,
        ),
        (
            "Ollama",
            {"/api/ps": {"models": [{"name": f"{MODEL}:latest", "context_length": 2048}]}, "/api/show": {}},
            {},
            2048,
        ),
        (
            "Ollama",
            {"/api/ps": {"models": []}, "/api/show": {"parameters": "stop  x\nnum_ctx    16384\n"}},
            {},
            16384,
        ),
        ("", {}, {"max_model_len": 12000}, 12000),
    ],
)
def test_what_servers_tell_of_themselves(kind: str, others: dict[str, Any], about: dict[str, Any], wanted: int) -> None:
    with ModelServer(sensible, others=others, about=about) as server:
        report = report_of(server)
        assert not any("code word" in request.text for request in server.requests)
    assert (report.server, report.context_tokens, report.too_small) == (kind, wanted, wanted < 4096)


def test_a_listing_reads_as_each_server_writes_it() -> None:
    assert contexts.of_listing({"id": "x", "meta": {"n_ctx_train": 32768}}) == Context(0, 32768)
    assert contexts.of_listing({"id": "x", "context_window": 8192}) == Context(0, 8192)
    assert contexts.of_listing({"id": "x", "max_model_len": "4096"}) == Context(4096, 0)
    assert contexts.of_listing(["odd"]) == contexts.of_props(3) == contexts.of_show(None) == Context()
    assert contexts.of_show({"model_info": {"llama.context_length": 131072}}) == Context(0, 131072)
    assert contexts.of_loaded({"models": [{"name": "y", "context_length": 5}]}, "x") == Context()
    assert (
        contexts.of_complaint("This model's maximum context length is 16385 tokens. However, you asked 20000") == 16385
    )
    assert contexts.of_complaint('{"n_prompt_tokens": 3000, "n_ctx": 2048}') == 2048
    assert contexts.of_complaint("no number") == 0


@pytest.mark.parametrize(
    ("modes", "refuses", "wanted"),
    [
        (("json_schema",), 400, "json_schema"),
        (("json_object_schema", "json_object"), 500, "json_object_schema"),
        (("json_object",), 400, "json_object"),
        ((), 500, "text"),
    ],
)
def test_the_mode(modes: tuple[str, ...], refuses: int, wanted: str) -> None:
    with ModelServer(sensible, modes=modes, refuses=refuses) as server:
        report = report_of(server)
        assert report.mode == wanted
        with gateway(server) as models:
            models.ask(ModelCall("labels", "p", "1", "", "x", contexts_form()), CancelToken())
        assert server.requests[-1].mode == wanted


def contexts_form() -> Any:
    from minerva_desktop.models.probe_steps import _State

    return _State


def test_a_schema_that_is_taken_and_ignored_does_not_count() -> None:
    def script(request: Request) -> Reply:
        if request.mode in ("json_schema", "json_object_schema"):
            return ok("Hello!")
        return sensible(request)

    with ModelServer(script) as server:
        assert report_of(server).mode == "json_object"


def test_a_model_that_is_not_there() -> None:
    with ModelServer(sensible, models=["alpha", "beta"]) as server:
        report = report_of(server)
    assert (report.reachable, report.model_present, report.seen_models) == (True, False, ("alpha", "beta"))
    assert report.error == f"{server.base_url.removesuffix('/v1')} has no model “{MODEL}”."
    assert "It has these models: alpha, beta." in report.sentences


def test_a_server_that_answers_to_any_name() -> None:
    server = ModelServer(sensible, models=["/data/model.gguf"])
    server._complain = lambda _: None  # type: ignore[method-assign]
    with server:
        report = report_of(server)
    assert report.model_present
    assert any("does not list it" in sentence for sentence in report.sentences)


def test_a_server_without_a_list() -> None:
    with ModelServer(sensible, others={"/v1/models": Reply(status=404, body=b"Not Found")}) as server:
        report = report_of(server)
    assert (report.reachable, report.model_present, report.seen_models) == (True, True, ())


def test_no_server_and_no_key() -> None:
    report = probe(ModelProfile(base_url="http://127.0.0.1:9/v1", key=False), GuestSettings(), "", CancelToken())
    assert (report.reachable, report.model_present) == (False, False)
    assert report.error == "No model server answers at http://127.0.0.1:9."
    assert report.hint == "Start it, or go on with the built-in engine."
    with ModelServer(sensible, key="sk-right") as server:
        report = report_of(server, key="sk-wrong")
        assert (report.reachable, report.model_present) == (True, False)
        assert "does not accept the key" in report.error
        assert report_of(server, key="sk-right").model_present


def test_a_wrong_address_on_a_server_that_is_there() -> None:
    with ModelServer(sensible) as server:
        report = report_of(server, base_url=server.base_url.removesuffix("/v1"))
    assert "There is no model server at" in report.error
    assert "ends in /v1" in report.hint


def test_it_ends_in_time_and_when_it_is_cancelled() -> None:
    token = CancelToken()
    with ModelServer(Reply("x", delay=20)) as server:
        profile = ModelProfile(base_url=server.base_url, model=MODEL, key=False)
        began = time.monotonic()
        report = probe(profile, GuestSettings(), "", CancelToken(), seconds=0.8)
        assert time.monotonic() - began < 2
        assert "sent nothing" in report.error
        threading.Timer(0.5, token.cancel).start()
        began = time.monotonic()
        with pytest.raises(Cancelled):
            probe(profile, GuestSettings(), "", token)
        assert time.monotonic() - began < 0.9


def test_what_it_costs_is_said() -> None:
    with ModelServer(sensible) as server:
        said = report_of(server, price_in=0.5, price_out=1.5).sentences
    assert "A million tokens cost $0.5 read and $1.5 written." in said


# ----------------------------------------------------------------------------------------------------- judgement
def judging(is_stated: Callable[[Control], bool]) -> Callable[[Request], Any]:
    """A model that answers the statements of the trial, each by a function of it, and else does as it is told."""

    def script(request: Request) -> Any:
        asked = [
            item for trial in TRIALS for item in trial if item.id in request.user and item.sentence in request.user
        ]
        if not asked:
            return sensible(request)
        return {"items": [{"id": item.id, "words": "", "stated": is_stated(item)} for item in asked]}

    return script


def test_a_model_that_tells_true_from_false_may_judge() -> None:
    with ModelServer(judging(lambda item: item.stated)) as server:
        report = report_of(server)
    assert report.judges == "sound"
    assert "It tells what a sentence states from what it does not: it can verify and check claims." in report.sentences


@pytest.mark.parametrize(
    ("is_stated", "said"),
    [
        (lambda item: True, "it found 6, and of six that did not it took 6 for stated"),
        (lambda item: False, "it found 0, and of six that did not it took 0 for stated"),
    ],
)
def test_a_model_that_says_the_same_to_all_is_unfit_to_judge(is_stated: Callable[[Control], bool], said: str) -> None:
    with ModelServer(judging(is_stated)) as server:
        report = report_of(server)
    assert report.judges == "unsound"
    assert not report.error
    (sentence,) = [item for item in report.sentences if "unfit to judge" in item]
    assert said in sentence
    assert sentence.endswith("Verification and the claim check are left to the rules.")


def test_a_trial_that_breaks_off_shows_nothing_of_the_model() -> None:
    def script(request: Request) -> Any:
        return fake.broken() if "statement-" in request.user else sensible(request)

    with ModelServer(script) as server:
        report = report_of(server)
    assert (report.judges, report.error, report.model_present) == ("", "", True)


def test_a_connection_that_is_closed_when_it_is_used_again_is_no_fault_of_the_model() -> None:
    seen: dict[str, int] = {}

    def script(request: Request) -> Any:
        seen[request.text] = seen.get(request.text, 0) + 1
        return Reply(hang_up=True) if seen[request.text] == 1 else sensible(request)

    with ModelServer(script) as server:
        report = report_of(server)
    assert (report.error, report.mode, report.model_present) == ("", "json_schema", True)


def test_without_a_model_named_only_the_list_is_asked_for() -> None:
    with ModelServer(sensible) as server:
        report = report_of(server, model="")
        assert server.requests == []
    assert report.seen_models == (MODEL,)
    assert not report.model_present
