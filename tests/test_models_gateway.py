"""One call on its way: what is sent, what comes back, what is kept and written down."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import ModelCall
from tests.model_server import ModelServer, json_reply
from tests.model_support import gateway


class Verdict(BaseModel):
    verdict: Literal["SUPPORTED", "CONTRADICTED", "INSUFFICIENT"]
    reason: str = Field(max_length=200)


def test_a_text_is_asked_for_once_and_then_kept() -> None:
    call = ModelCall("synthesis", "p", "1", "Be brief.", "What is the gap?")
    with ModelServer("The gap is 3.4 eV.") as server, gateway(server) as models:
        first, second = models.ask(call, CancelToken()), models.ask(call, CancelToken())
    assert (first.value, first.cached) == ("The gap is 3.4 eV.", False)
    assert (second.value, second.cached) == ("The gap is 3.4 eV.", True)
    assert len(server.requests) == 1
    assert [record.outcome for record in models.logged] == ["ok", "cached"]


def test_a_structured_reply_is_validated() -> None:
    call = ModelCall("claims", "p", "1", "Judge.", "GaN has a gap.", Verdict)
    with ModelServer(json_reply({"verdict": "SUPPORTED", "reason": "It does."})) as server, gateway(server) as models:
        reply = models.ask(call, CancelToken())
    assert reply.value.verdict == "SUPPORTED"
    assert server.requests[0].mode == "json_schema"
