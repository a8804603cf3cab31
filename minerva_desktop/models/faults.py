"""What went wrong with a request, as one sentence that says what, why and what to do. No I/O.

A server's own words are searched for what they mean. They are never repeated: they may hold parts of the key or of what was
sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from minerva_desktop.models.calls import ErrorKind
from minerva_desktop.models.wire import Again, WireError

LONGEST_WAIT = 60.0
"""Seconds that a server may ask us to wait; beyond that the call fails with a sentence."""
QUICK_RETRY = 0.3

GO_ON = "Resume the job later, or go on with the built-in engine."
_TOO_LONG = re.compile(
    r"context[_ ]?(?:length|window|size)|maximum context|exceed_context|exceeds? the (?:available|maximum|model)|n_ctx|"
    r"too many (?:input )?tokens|prompt is too long|input is too long|input length|maximum (?:prompt|input) length|"
    r"reduce the length|truncated prompt",
    re.I,
)
_NO_MODEL = re.compile(
    r"model[_ ]not[_ ]found|(?:model|deployment)\b.{0,120}?(?:not found|does not exist|not loaded|unknown|no such)|"
    r"(?:unknown|invalid|no such) model|no models? (?:is )?loaded|unable to load model|pull(?:ing)? it first",
    re.I | re.S,
)
_NO_CREDIT = re.compile(
    r"insufficient[_ ](?:quota|funds|balance|credits?)|billing|exceeded your current quota|payment", re.I
)
_FILTERED = re.compile(r"content[_ ](?:filter|policy|management)|responsible ?ai|safety system", re.I)


def server_name(base_url: str) -> str:
    """A server as people are told of it: scheme, host and port, without path."""
    parts = urlsplit(base_url)
    return f"{parts.scheme}://{parts.netloc}"


def without_job(hint: str) -> str:
    """A hint for where no job runs that could go on: a connection test, a question."""
    return hint.replace(GO_ON, "").strip()


def of_status(status: int, headers: Mapping[str, str], body: object, base_url: str, model: str) -> WireError:
    """What a status of 300 or more means. ``body`` is what the server sent: JSON as Python has it, or text."""
    server, said = server_name(base_url), words_of(body)
    if 300 <= status < 400:
        return WireError(
            "unreachable",
            f"{server} sends requests on to another address, and they were not sent there.",
            hint="Enter the address that it leads to, in Settings → Language Models.",
            status=status,
        )
    if status in (401, 403):
        return _no_entry(status, server, said)
    if status == 402 or (status in (403, 429) and _NO_CREDIT.search(said)):
        return WireError(
            "rate-limited",
            f"Your account at {server} has no credit left.",
            hint="Add credit there and resume, or go on with the built-in engine.",
            fatal=True,
            status=status,
        )
    if status == 429:
        return _too_many(server, headers)
    if status in (400, 404, 413, 422, 500) and _TOO_LONG.search(said):
        return too_long(model, status, said)
    if status in (400, 404, 422, 500) and _NO_MODEL.search(said):
        return no_model(server, model, status)
    if status == 400 and _FILTERED.search(said):
        return WireError("refused", f"{server} refused the text because of its content rules.", status=status)
    if status in (404, 405):
        return WireError(
            "unreachable",
            f"There is no model server at {base_url} (status {status}).",
            hint="Check the address in Settings → Language Models; for most servers it ends in /v1.",
            status=status,
        )
    if status in (408, 409, 425) or status >= 500:
        wait = _wait(headers)
        return WireError(
            "failed",
            f"{server} failed to answer (status {status}).",
            hint="Look at the server's own log. " + GO_ON,
            again="yes" if wait is None or wait <= LONGEST_WAIT else "no",
            wait=wait,
            status=status,
            said=said,
        )
    return WireError(
        "failed",
        f"{server} did not accept the request (status {status}).",
        hint="The server may not support what was asked; “Test connection” in Settings → Language Models shows what it can do.",
        status=status,
        said=said,
    )


def _no_entry(status: int, server: str, said: str) -> WireError:
    if status == 403 and _NO_CREDIT.search(said):
        return of_status(402, {}, said, server, "")
    told = "does not accept the key" if status == 401 else "does not allow this key to use the model"
    return WireError(
        "unauthorised",
        f"{server} {told} (status {status}).",
        hint="Check the key of this profile in Settings → Language Models.",
        status=status,
    )


def _too_many(server: str, headers: Mapping[str, str]) -> WireError:
    wait = _wait(headers)
    if wait is not None and wait > LONGEST_WAIT:
        return WireError(
            "rate-limited",
            f"{server} takes no more requests for {_duration(wait)}.",
            hint=GO_ON,
            fatal=True,
            status=429,
            wait=wait,
        )
    return WireError(
        "rate-limited",
        f"{server} takes no more requests for the moment, however often it was asked.",
        hint="Lower “model_parallel” in the settings. " + GO_ON,
        again="yes",
        wait=wait,
        status=429,
    )


def no_model(server: str, model: str, status: int = 0) -> WireError:
    """The server answers and does not have the model."""
    return WireError(
        "no-model",
        f"{server} has no model “{model}”.",
        hint="“Test connection” in Settings → Language Models lists the models that it has.",
        status=status or 404,
    )


def no_pictures(model: str) -> WireError:
    """The model takes only text."""
    return WireError(
        "no-model",
        f"{model} does not read pictures.",
        hint="Choose a model that does for “vision”, in Settings → Language Models.",
    )


def too_long(model: str, status: int = 0, said: str = "") -> WireError:
    """The prompt does not fit into what the model reads at once."""
    return WireError(
        "context",
        f"The text is longer than what {model} reads at once.",
        hint="Give the model a larger context on its server, or choose another model.",
        status=status,
        said=said,
    )


def no_answer(base_url: str) -> WireError:
    """Nobody listens at the address, or the name is not known."""
    return WireError(
        "unreachable",
        f"No model server answers at {server_name(base_url)}.",
        hint="Start it, or go on with the built-in engine.",
        again="once",
        wait=QUICK_RETRY,
    )


def no_certificate(base_url: str) -> WireError:
    """The encrypted connection could not be made."""
    return WireError(
        "unreachable",
        f"No encrypted connection to {server_name(base_url)}: its certificate is not trusted, or it speaks only http.",
        hint="Check the address in Settings → Language Models.",
    )


def silent(base_url: str, seconds: float, *, connecting: bool = False) -> WireError:
    """The server accepted and then said nothing for so long."""
    server = server_name(base_url)
    if connecting:
        return WireError(
            "unreachable",
            f"No model server answers at {server} (no connection within {seconds:g} s).",
            hint="Start it, or go on with the built-in engine.",
            again="yes",
        )
    return WireError(
        "timeout",
        f"{server} sent nothing for {seconds:g} s.",
        hint="Raise “model_timeout_seconds” in the settings if the model is slow. " + GO_ON,
        again="yes",
        billed=True,
    )


def broke_off(base_url: str, *, begun: bool = True) -> WireError:
    """The connection ended before the reply was whole."""
    return WireError(
        "failed",
        f"{server_name(base_url)} broke off its reply.",
        hint="Look at the server's own log. " + GO_ON,
        again="yes",
        billed=begun,
    )


def unreadable(base_url: str, *, page: bool = False) -> WireError:
    """The reply is not in the form that OpenAI's servers use. ``page``: it is a web page."""
    server = server_name(base_url)
    if page:
        return WireError(
            "unreachable",
            f"{server} answered with a web page, so {base_url} is not the address of a model.",
            hint="Check the address in Settings → Language Models; for most servers it ends in /v1.",
        )
    return WireError(
        "failed", f"{server} sent something that is not a reply of a model.", hint=GO_ON, again="yes", billed=True
    )


def too_large(base_url: str) -> WireError:
    """The reply does not end."""
    return WireError(
        "failed", f"{server_name(base_url)} sent far more than a reply can hold; it was cut off.", billed=True
    )


def within_stream(body: object, base_url: str, model: str) -> WireError:
    """An error that was sent in place of a piece of a stream."""
    said = words_of(body)
    code = body.get("code") if isinstance(body, dict) else None
    if isinstance(code, int) and 400 <= code < 600:
        return of_status(code, {}, body, base_url, model)
    kinds: tuple[tuple[re.Pattern[str], int], ...] = ((_TOO_LONG, 400), (_NO_MODEL, 404), (_NO_CREDIT, 429))
    for pattern, status in kinds:
        if pattern.search(said):
            return of_status(status, {}, body, base_url, model)
    again: Again = "yes"
    kind: ErrorKind = "failed"
    return WireError(
        kind,
        f"{server_name(base_url)} failed in the middle of its reply.",
        hint=GO_ON,
        again=again,
        billed=True,
        said=said,
    )


def words_of(body: object) -> str:
    """All words of an error's body, however it is built, cut at 4,000 characters."""
    if isinstance(body, bytes | str):
        text = body.decode("utf-8", "replace") if isinstance(body, bytes) else body
        return text[:4000]
    try:
        return json.dumps(body, ensure_ascii=False, default=str)[:4000]
    except (TypeError, ValueError):
        return ""


def _wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks us to wait: Retry-After as a number or as a date; None = it does not say."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    given = (headers.get("retry-after") or "").strip()
    if not given:
        return None
    seconds = _number(given)
    if seconds is not None:
        return seconds
    try:
        until = parsedate_to_datetime(given)
    except (TypeError, ValueError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())


def _number(text: Any) -> float | None:
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if 0 <= value < 1e9 else None


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:.0f} hours"
