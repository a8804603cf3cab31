"""How structure is asked for, as servers allow it; and the parameters that some do not take."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import ModelCall
from minerva_desktop.models.modes import MANNERS, Manner, body_of, known_context, note_context
from minerva_desktop.models.wire import Outgoing
from tests import model_server as fake
from tests.model_server import ModelServer, Reply, json_reply, ok
from tests.model_support import gateway


class Answer(BaseModel):
    answer: str


class Other(BaseModel):
    other: str


def call(number: int = 0, schema: type[BaseModel] | None = Answer) -> ModelCall[Any]:
    return ModelCall("claims", "p", "1", "Judge.", f"Question {number}", schema)


GOOD = json_reply({"answer": "yes"})


@pytest.mark.parametrize(
    ("modes", "wanted"),
    [
        (("json_schema", "json_object"), "json_schema"),
        (("json_object_schema", "json_object"), "json_object_schema"),
        (("json_object",), "json_object"),
        ((), "text"),
    ],
)
@pytest.mark.parametrize("refuses", [400, 422, 500])
def test_the_strictest_mode_that_the_server_knows_is_found_and_remembered(
    modes: tuple[str, ...], wanted: str, refuses: int
) -> None:
    with ModelServer(GOOD, modes=modes, refuses=refuses) as server, gateway(server, model_tries=1) as models:
        replies = [models.ask(call(number), CancelToken()) for number in range(4)]
    assert {reply.mode for reply in replies} == {wanted}
    assert {reply.attempts for reply in replies} == {1}
    assert [request.mode for request in server.requests][-2:] == [wanted, wanted]
    if refuses != 500:
        assert len(server.requests) == 4 + ["json_schema", "json_object_schema", "json_object", "text"].index(wanted)
    for request in server.requests:
        told = "Answer with one JSON object of this form" in request.system
        assert told == (request.mode != "json_schema")


def test_one_server_error_does_not_cost_the_strict_mode() -> None:
    with ModelServer([fake.broken(500), *[GOOD] * 3]) as server, gateway(server) as models:
        for number in range(3):
            models.ask(call(number), CancelToken())
    assert [request.mode for request in server.requests] == [
        "json_schema", "json_object_schema", "json_schema", "json_schema",
    ]  # fmt: skip


def test_a_server_error_where_the_mode_has_worked_is_only_an_error() -> None:
    with ModelServer([GOOD, fake.broken(500), GOOD]) as server, gateway(server) as models:
        models.ask(call(0), CancelToken())
        models.ask(call(1), CancelToken())
    assert {request.mode for request in server.requests} == {"json_schema"}


def test_a_schema_that_is_refused_alone_does_not_cost_the_others_their_mode() -> None:
    def script(request: fake.Request) -> Reply:
        if "other" in request.schema.get("properties", {}):
            return fake.error(400, "Invalid schema for response_format")
        return json_reply({"answer": "yes", "other": "no"})

    with ModelServer(script) as server, gateway(server) as models:
        seen = [
            models.ask(call(number, schema), CancelToken()).mode for number, schema in enumerate([Answer, Other] * 2)
        ]
    assert seen == ["json_schema", "json_object", "json_schema", "json_object"]
    assert len(server.requests) == 6


def test_a_server_that_ignores_the_schema_is_told_the_form_in_words() -> None:
    def script(request: fake.Request) -> Reply:
        return GOOD if "Answer with one JSON object of this form" in request.text else ok("Yes, it is.")

    with ModelServer(script) as server, gateway(server) as models:
        replies = [models.ask(call(number), CancelToken()) for number in range(4)]
    assert [reply.repaired for reply in replies] == [True, True, False, False]
    assert len(server.requests) == 6


@pytest.mark.parametrize(
    ("field", "wanted"),
    [("stream_options", "stream"), ("stream", "messages"), ("temperature", "messages")],
)
def test_parameters_that_a_model_does_not_take_are_left_out(field: str, wanted: str) -> None:
    with ModelServer(GOOD, fields_refused=[field]) as server, gateway(server, model_tries=1) as models:
        for number in range(3):
            assert models.ask(call(number), CancelToken()).attempts == 1
    assert len(server.requests) == 4
    assert all(field not in request.body and wanted in request.body for request in server.requests[1:])


def test_the_name_of_the_limit_of_tokens_is_learned() -> None:
    def script(request: fake.Request) -> Reply:
        if "max_tokens" in request.body:
            return fake.error(
                400, "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
            )
        return GOOD

    with ModelServer(script) as server, gateway(server, model_tries=1) as models:
        models.ask(call(0), CancelToken())
        models.ask(call(1), CancelToken())
    assert [request.body.get("max_completion_tokens") for request in server.requests] == [None, 1024, 1024]


def test_a_template_without_a_system_role() -> None:
    def script(request: fake.Request) -> Reply:
        return fake.error(400, "System role not supported") if request.system else GOOD

    with ModelServer(script) as server, gateway(server) as models:
        models.ask(call(), CancelToken())
    assert server.requests[-1].user == "Judge.\n\nQuestion 0"


def test_pictures_go_along() -> None:
    described: ModelCall[str] = ModelCall("vision", "p", "1", "", "Describe it.", images=(b"\x89PNG", b"two"))
    with ModelServer("A curve.") as server, gateway(server) as models:
        assert models.ask(described, CancelToken()).value == "A curve."
    assert server.requests[0].images == ["data:image/png;base64,iVBORw==", "data:image/png;base64,dHdv"]
    assert server.requests[0].user == "Describe it."


def test_the_request_as_openai_documents_it() -> None:
    sent = Outgoing("m", "S", "U", 7, schema={"type": "object"}, shape="form", schema_id="x")
    assert body_of(sent, Manner(stream=False)) == {
        "model": "m",
        "messages": [{"role": "system", "content": "S"}, {"role": "user", "content": "U"}],
        "max_tokens": 7,
        "temperature": 0.0,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": {"type": "object"}},
        },
    }


def test_a_server_that_is_learned_about_anew_may_read_more_than_before() -> None:
    """Another server may stand behind the same address; what the one before it read at once says nothing of it."""
    address = "http://127.0.0.1:9/v1"
    note_context(address, "small-model", 2048)
    assert known_context(address, "small-model") == 2048
    MANNERS.forget(address)
    assert known_context(address, "small-model") == 0
