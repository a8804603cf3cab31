"""The gateway in front of a scripted server, with what it logged and spent to look at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from minerva_desktop.models.gateway import Models
from minerva_desktop.models.stores import MemoryReplies, MemorySpending, ReplyStore
from minerva_desktop.records.guests import CallRecord
from minerva_desktop.settings.guests import GuestSettings, ModelProfile
from tests.model_server import MODEL, ModelServer

QUICK: dict[str, Any] = {"model_wait_seconds": 0.01, "model_timeout_seconds": 5.0}


class Gateway(Models):
    """The gateway as a test builds it."""

    logged: list[CallRecord]
    spent: MemorySpending
    replies: ReplyStore | None


@contextmanager
def gateway(
    server: ModelServer | str,
    *,
    key: str = "",
    replies: ReplyStore | None = None,
    spent: MemorySpending | None = None,
    offline: bool = False,
    profile: dict[str, Any] | None = None,
    **settings: Any,
) -> Iterator[Gateway]:
    """Models of a profile that points at a server (or at an address). Settings are those of :class:`GuestSettings`."""
    address = server if isinstance(server, str) else server.base_url
    logged: list[CallRecord] = []
    purse = spent or MemorySpending()
    kept = MemoryReplies() if replies is None else replies
    made = Gateway(
        ModelProfile(**{"base_url": address, "model": MODEL, "key": bool(key), **(profile or {})}),
        GuestSettings(**{**QUICK, **settings}),
        key=key,
        name="here",
        replies=kept,
        log=logged.append,
        spent=purse,
        offline=offline,
    )
    made.logged, made.spent, made.replies = logged, purse, kept
    with made:
        yield made
