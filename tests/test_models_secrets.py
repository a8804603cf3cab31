"""The key goes to the profile's server and nowhere else; neither it nor the text that was sent is written anywhere."""

from __future__ import annotations

import logging
import pickle
import traceback
from typing import Any

import pytest

from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import ModelCall, ModelError
from minerva_desktop.models.client import Client
from minerva_desktop.models.probing import probe
from minerva_desktop.settings.guests import GuestSettings, ModelProfile
from tests import model_server as fake
from tests.model_server import ModelServer, Reply, ok
from tests.model_support import gateway

KEY = "sk-proj-0123456789abcdef"
PAPER = "Nobody but the server may read this sentence of the paper."
CALL: ModelCall[str] = ModelCall("synthesis", "answer", "1", "System words.", PAPER, item="paper 7")


@pytest.fixture
def odd_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a person's shell may hold for other programs."""
    for name, value in {
        "OPENAI_API_KEY": "sk-of-the-environment",
        "OPENAI_ADMIN_KEY": "sk-admin",
        "OPENAI_ORG_ID": "org-other",
        "OPENAI_PROJECT_ID": "proj-other",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/elsewhere",
        "OPENAI_CUSTOM_HEADERS": "X-Secret: shh\nAuthorization: Bearer sk-custom",
        "OPENAI_LOG": "debug",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
    }.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("odd_surroundings")
def test_only_the_key_of_the_profile_and_only_the_headers_that_are_needed() -> None:
    with ModelServer("fine", key=KEY) as server, gateway(server, key=KEY) as models:
        assert models.ask(CALL, CancelToken()).value == "fine"
    headers = server.requests[0].headers
    assert headers["authorization"] == f"Bearer {KEY}"
    assert headers["user-agent"].startswith("minerva-desktop/")
    assert set(headers) <= {
        "host", "authorization", "user-agent", "accept", "accept-encoding", "content-type", "content-length", "connection",
    }  # fmt: skip


@pytest.mark.usefixtures("odd_surroundings")
def test_no_key_for_a_server_that_wants_none() -> None:
    with ModelServer("fine") as server:
        with gateway(server, key=KEY, profile={"key": False}) as models:
            models.ask(CALL, CancelToken())
        probe(ModelProfile(base_url=server.base_url, model=fake.MODEL, key=False), GuestSettings(), KEY, CancelToken())
    assert len(server.seen) > 4
    assert all("authorization" not in request.headers for request in server.seen)


def test_the_key_does_not_follow_a_redirect() -> None:
    with ModelServer("fine") as other:
        away = Reply(status=308, headers={"Location": f"{other.base_url}/chat/completions"}, body=b"")
        with ModelServer(away) as server, gateway(server, key=KEY) as models, pytest.raises(ModelError):
            models.ask(CALL, CancelToken())
        assert other.seen == []


@pytest.mark.parametrize(
    "reply",
    [
        fake.wrong_key(KEY),
        fake.error(400, f"Bad request with key {KEY}: {PAPER}"),
        fake.error(422, f"{PAPER}"),
        fake.error(503, f"Bearer {KEY} {PAPER}"),
        fake.error(429, f"{KEY} {PAPER}"),
        Reply(body=f'{{"error": "{KEY} {PAPER}"}}'.encode()),
        Reply(body=f"<html>{KEY} {PAPER}</html>".encode()),
        Reply(f"{KEY} {PAPER}", finish="length"),
        Reply(f"{KEY} {PAPER}", stall=True),
        Reply(None, refusal=f"{KEY} {PAPER}"),
    ],
)
def test_errors_and_logs_hold_neither_key_nor_text(reply: Reply, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with ModelServer(reply) as server, gateway(server, key=KEY, model_timeout_seconds=0.3) as models:
        with pytest.raises(ModelError) as caught:
            models.job("j").ask(CALL, CancelToken())
        shown = repr(models) + repr(models.job("j"))
    shown += caught.value.message + caught.value.hint + repr(caught.value) + caplog.text
    shown += "".join(traceback.format_exception(caught.value)) + repr(models.logged)
    assert KEY not in shown
    assert PAPER not in shown
    assert all(KEY not in repr(item) for item in _chain(caught.value))


def _chain(error: BaseException) -> list[Any]:
    """All that hangs on an error."""
    found: list[Any] = []
    while error is not None:
        found += [error, error.args, vars(error)]
        error = error.__cause__ or error.__context__  # type: ignore[assignment]
    return found


def test_the_log_tells_what_was_asked_without_its_words() -> None:
    with ModelServer(ok("The answer holds words as well.")) as server, gateway(server, key=KEY) as models:
        models.job("job-1").ask(CALL, CancelToken())
    (record,) = models.logged
    assert (record.job, record.role, record.profile, record.model) == ("job-1", "synthesis", "here", fake.MODEL)
    assert (record.prompt, record.version, record.item, record.outcome) == ("answer", "1", "paper 7", "ok")
    assert (record.attempts, record.mode, record.estimated) == (1, "text", False)
    assert record.tokens_in > 0
    assert record.tokens_out > 0
    assert record.seconds >= 0
    assert record.at.endswith("+00:00")
    assert "holds words" not in repr(record)
    assert "sentence" not in repr(record)


def test_nothing_that_is_kept_holds_the_key() -> None:
    kept: dict[str, str] = {}

    class Store:
        def get(self, key: str) -> str | None:
            return kept.get(key)

        def put(self, key: str, text: str) -> None:
            kept[key] = text

    with ModelServer("fine") as server, gateway(server, key=KEY, replies=Store()) as models:
        models.ask(CALL, CancelToken())
    assert KEY.encode() not in pickle.dumps(kept)
    assert PAPER.encode() not in pickle.dumps(kept)


@pytest.mark.parametrize("key", ["sk-ключ", "sk-one\nX-Other: two", "sk-ok\x00"])
def test_a_key_that_cannot_be_one_is_not_sent_and_not_shown(key: str) -> None:
    with ModelServer("fine") as server, gateway(server, key=key) as models, pytest.raises(ModelError) as caught:
        models.ask(CALL, CancelToken())
    assert caught.value.kind == "unauthorised"
    assert server.seen == []
    assert key not in caught.value.message + caught.value.hint


async def _fetch(client: Client, url: str) -> None:
    try:
        await client.fetch(url)
    finally:
        await client.close()


def test_no_other_server_is_asked_by_the_test_of_a_connection() -> None:
    import asyncio

    with pytest.raises(ValueError, match="own server"):
        asyncio.run(_fetch(Client("http://127.0.0.1:9/v1", KEY, 1.0), "http://elsewhere.example/props"))
