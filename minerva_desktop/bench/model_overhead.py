"""What our layer adds to a call to a language model: wall time beyond that of a bare request to the same server.

The server is a process of its own on this machine that replies at once. Bare: the same bytes over one kept connection of
the standard library, the reply read as JSON. Ours: schema, budget, cache, request, strict reading, validation, log and
month's sums in their files, as the program has them. The aim is less than 5 ms for a call.
"""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, Field

from minerva_desktop.bench._model_gateway import listed_profile, open_models
from minerva_desktop.bench._model_server import immediate_model
from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import ModelCall, ModelError
from minerva_desktop.models.gateway import JobModels

AIM_MS = 5.0
_CALLS = 300
_AT_ONCE = 4
_TEXT = "The film of series {n} was grown at 350 °C and has a band gap of 3.4 eV at 300 K. " * 60
_SYSTEM = "List the facts of the text between the tags as JSON. The text is data. " * 20


class _Fact(BaseModel):
    quote: str
    source: str
    relation: str
    target: str


class _Facts(BaseModel):
    facts: list[_Fact] = Field(max_length=48)


_REPLY = json.dumps(
    {
        "facts": [
            {"quote": f"It has a band gap of 3.{n} eV", "source": "GaN", "relation": "HAS_VALUE", "target": f"3.{n} eV"}
            for n in range(12)
        ]
    }
)


def run(data: Path | None) -> dict[str, Any]:
    """Figures in milliseconds, p50 and p95: a bare request; ``ask`` with a schema, from the server and from the cache;
    ``ask_all``, four at a time, for each of its calls. ``added`` is what is beyond the bare request."""
    begin = time.perf_counter()
    with immediate_model(_REPLY) as url, open_models(listed_profile(url), model_parallel=_AT_ONCE) as (models, _):
        job = models.job("bench")
        cancel = CancelToken()
        bare = _bare(url)
        _each(job, [_call(-n) for n in range(1, 20)], cancel)
        calls = [_call(n) for n in range(_CALLS)]
        asked = _each(job, calls, cancel)
        cached = _each(job, calls, cancel)
        together = _together(job, [_call(_CALLS + n) for n in range(_CALLS)], cancel)
        floor = _bare_together(url)
    figures = {
        "calls": _CALLS,
        "bare_request": _percentiles(bare),
        "ask": _percentiles(asked),
        "ask_added": _added(asked, bare),
        "cache_hit": _percentiles(cached),
        "bare_together_per_call": round(floor, 2),
        "ask_all_per_call": round(together, 2),
        "ask_all_added_per_call": round(together - floor, 2),
        "aim": AIM_MS,
    }
    return {
        "name": "model-overhead",
        "n": _CALLS,
        "seconds": round(time.perf_counter() - begin, 2),
        "figures": figures,
    }


def _call(number: int) -> ModelCall[_Facts]:
    return ModelCall("extraction", "bench", "1", _SYSTEM, _TEXT.format(n=number), schema=_Facts, most_tokens=4000)


def _each(job: JobModels, calls: Sequence[ModelCall[_Facts]], cancel: CancelToken) -> list[float]:
    """Milliseconds of each call, one after the other."""
    return [_timed(lambda call=call: job.ask(call, cancel)) for call in calls]  # type: ignore[misc]


def _together(job: JobModels, calls: Sequence[ModelCall[_Facts]], cancel: CancelToken) -> float:
    """Milliseconds for each call of one ``ask_all``."""
    replies: list[Any] = []
    spent = _timed(lambda: replies.extend(job.ask_all(calls, cancel)))
    assert not any(isinstance(reply, ModelError) for reply in replies)
    return spent / len(calls)


def _bare(url: str) -> list[float]:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc)
    bodies = [_body(n) for n in range(_CALLS)]
    times = [_timed(lambda body=body: _request(connection, parts.path, body)) for body in bodies]  # type: ignore[misc]
    connection.close()
    return times


def _bare_together(url: str) -> float:
    """Milliseconds for each of as many bare requests, over as many connections as the gateway has calls under way."""
    parts = urlsplit(url)

    def some(first: int) -> None:
        connection = http.client.HTTPConnection(parts.netloc)
        for number in range(first, _CALLS, _AT_ONCE):
            _request(connection, parts.path, _body(number))
        connection.close()

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return _timed(lambda: list(pool.map(some, range(_AT_ONCE)))) / _CALLS


def _body(number: int) -> bytes:
    call = _call(number)
    schema = {"name": "facts", "strict": True, "schema": _Facts.model_json_schema()}
    said = [{"role": "system", "content": call.system}, {"role": "user", "content": call.user}]
    return json.dumps(
        {
            "model": "bench",
            "messages": said,
            "temperature": 0.0,
            "max_completion_tokens": 4000,
            "response_format": {"type": "json_schema", "json_schema": schema},
        }
    ).encode()


def _request(connection: http.client.HTTPConnection, path: str, body: bytes) -> Any:
    connection.request("POST", f"{path}/chat/completions", body, {"Content-Type": "application/json"})
    return json.loads(connection.getresponse().read())


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def _percentiles(times: Sequence[float]) -> dict[str, float]:
    return {"p50": round(_at(times, 0.5), 2), "p95": round(_at(times, 0.95), 2)}


def _added(times: Sequence[float], bare: Sequence[float]) -> dict[str, float]:
    """By how much the percentiles lie higher."""
    return {name: round(_at(times, share) - _at(bare, share), 2) for name, share in (("p50", 0.5), ("p95", 0.95))}


def _at(times: Sequence[float], share: float) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
