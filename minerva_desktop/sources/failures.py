"""What an answer that is none means to the person, and whether to ask again."""

from __future__ import annotations

import email.utils
import time

from minerva_desktop.sources.options import LABELS, SourceError, WebErrorKind
from minerva_desktop.sources.replies import Reply

REDIRECTS = frozenset({301, 302, 303, 307, 308})
SHOWN_BODY = 20_000
"""Bytes of a failure's or redirect's body that are looked at."""

_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})


def name_of(service: str, host: str) -> str:
    return LABELS.get(service, "") or host or "The server"


def worth_another_try(error: BaseException, left: float) -> bool:
    if not isinstance(error, SourceError) or error.kind not in ("unreachable", "limited", "unavailable", "slow"):
        return False
    return left > 0 and (error.wait or 0.0) < left


def raise_for(reply: Reply, service: str, host: str) -> None:
    """Raise for an answer that is neither a success nor a redirect."""
    status, name = reply.status, name_of(service, host)
    if 200 <= status < 300 or (status in REDIRECTS and "location" in reply.headers):
        return
    wait = retry_after(reply.headers.get("retry-after", ""), time.time())
    if status == 429 or (status == 503 and wait is not None):
        raise limited(service, host, wait, status)
    kind: WebErrorKind = "rejected"
    message = f"{name} did not accept the request (status {status})."
    if status in (404, 410):
        kind, message = "not found", f"{name} does not know what was asked for."
    elif status in (401, 403):
        message = f"{name} refused access (status {status})."
    elif status in _AGAIN or status >= 500:
        kind, message = "unavailable", f"{name} has a fault of its own (status {status}); try again later."
    raise SourceError(kind, host, message, status=status, body=reply.body[:SHOWN_BODY])


def limited(service: str, host: str, wait: float | None, status: int = 0) -> SourceError:
    when = f"in {_spoken(wait)}" if wait else "later"
    return SourceError(
        "limited",
        host,
        f"{name_of(service, host)} allows no more requests for now; try again {when}.",
        status=status,
        wait=wait,
    )


def _spoken(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} seconds"
    return f"{round(seconds / 60)} minutes" if seconds < 5400 else f"{round(seconds / 3600)} hours"


def too_large(name: str, most: int) -> str:
    return f"{name} sent more than {most // 1_000_000 or 1} MB, which is more than we take."


def retry_after(text: str, now: float) -> float | None:
    """Seconds that a ``Retry-After`` header asks to wait, given as seconds or as a date; ``None`` when it says nothing."""
    text = text.strip()
    try:
        if text:
            return max(0.0, float(text)) if text[0].isdigit() else _until(text, now)
    except (ValueError, OverflowError):
        return None
    return None


def _until(date: str, now: float) -> float | None:
    parsed = email.utils.parsedate_tz(date)
    return max(0.0, email.utils.mktime_tz(parsed) - now) if parsed else None
