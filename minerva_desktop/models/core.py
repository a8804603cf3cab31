"""What all jobs that talk to one server share: the thread with its connections, and calls that are under way."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from minerva_desktop.models.budget import Month
from minerva_desktop.models.calls import ModelError
from minerva_desktop.models.client import Client
from minerva_desktop.models.faults import server_name
from minerva_desktop.models.loop import Ended, LoopThread, Work
from minerva_desktop.models.modes import known_context
from minerva_desktop.models.pricing import dollars_of, listed_context
from minerva_desktop.models.reading import Hear
from minerva_desktop.models.stores import ReplyStore, Spending
from minerva_desktop.models.trying import Rules, Tally, ask_server
from minerva_desktop.models.wire import Outgoing
from minerva_desktop.records.guests import CallRecord
from minerva_desktop.settings.addresses import is_near
from minerva_desktop.settings.guests import GuestSettings, ModelProfile

_CUT_SECONDS = 0.1
"""How long is waited for a request to be cut off."""


@dataclass(slots=True)
class Shared:
    """A call under way, for those who ask the same meanwhile. ``text`` empty at its end: it gave no reply, and whoever waited
    makes the call itself, under limits and a circuit breaker of its own."""

    ended: threading.Event = field(default_factory=threading.Event)
    text: str = ""


class Core:
    """Connections, rules and stores of one server. Thread-safe. The key is held by the client alone."""

    def __init__(
        self,
        profile: ModelProfile,
        settings: GuestSettings,
        *,
        key: str,
        name: str,
        replies: ReplyStore | None,
        log: Callable[[CallRecord], None],
        spent: Spending,
        offline: bool,
    ) -> None:
        self.profile, self.settings, self.name = profile, settings, name
        self.offline = offline
        self.month = Month(spent)
        self._replies = replies
        self._log = log
        self._client = Client(profile.base_url, key.strip() if profile.key else "", settings.model_timeout_seconds)
        self._rules = Rules(
            settings.model_tries, settings.model_wait_seconds, asyncio.Semaphore(settings.model_parallel)
        )
        self._lock = threading.Lock()
        self._thread: LoopThread | None = None
        self._closed = False
        self._under_way: dict[str, Shared] = {}
        self._has_key = bool(key.strip())
        self._key_is_plain = key.strip().isascii() and key.strip().isprintable()

    # ------------------------------------------------------------------------------------------------------ the models
    def check_may_ask(self, model: str, role: str) -> None:
        """Raise :class:`ModelError` when no request can be sent in this role."""
        if self.offline:
            raise ModelError(
                "offline",
                "Working offline, so the language model was not asked.",
                hint="Switch offline work off in the settings, or go on with the built-in engine.",
            )
        if not model:
            raise ModelError(
                "not-configured",
                f"No model is chosen for “{role}”.",
                hint="Choose one in Settings → Language Models, or go on with the built-in engine.",
            )
        if self.profile.key and not self._has_key and not is_near(self.profile.base_url):
            raise ModelError(
                "not-configured",
                f"“{self.name}” has no key for {server_name(self.profile.base_url)}.",
                hint="Enter it in Settings → Language Models, or go on with the built-in engine.",
            )
        if self.profile.key and not self._key_is_plain:
            raise ModelError(
                "unauthorised",
                f"The key of “{self.name}” holds characters that no key has.",
                hint="Enter it anew in Settings → Language Models.",
            )

    def context_tokens(self, model: str) -> int:
        """Tokens that a model can read and write in one call, 0 = not known."""
        return (
            self.profile.context or known_context(self.profile.base_url, model) or listed_context(self.profile, model)
        )

    def dollars(self, model: str, tokens_in: int, tokens_out: int) -> float | None:
        """What so many tokens cost, None when the price is not known."""
        return dollars_of(self.profile, model, tokens_in, tokens_out)

    # ------------------------------------------------------------------------------------------------------- requests
    def start(self, sent: Outgoing, tally: Tally, hear: Hear, may_send: Callable[[], None], ended: Ended) -> Work:
        """Begin to ask the server; ``ended`` is called in the loop's thread."""
        work = ask_server(self._client, sent, tally, self._rules, hear=hear, may_send=may_send)
        with self._lock:
            if self._closed:
                work.close()
                raise ModelError("not-configured", "The connection to the language model was closed.")
            if self._thread is None:
                self._thread = LoopThread("models")
            return self._thread.start(work, ended)

    def cancel(self, works: list[Work]) -> None:
        """Cut requests off."""
        if not works:
            return
        with self._lock:
            if self._thread is not None:
                self._thread.cancel(works)
        until = time.monotonic() + _CUT_SECONDS
        for work in works:
            work.ended.wait(max(0.0, until - time.monotonic()))

    def close(self) -> None:
        """Cut off what is under way, and end connections and thread."""
        with self._lock:
            thread, self._thread, self._closed = self._thread, None, True
        if thread is not None:
            thread.run(self._client.close())
            thread.close()

    # --------------------------------------------------------------------------------------------------------- stores
    def join(self, key: str) -> tuple[Shared, bool]:
        """The call under way with this key, and whether it is the caller who has to make it."""
        with self._lock:
            shared = self._under_way.get(key)
            if shared is not None:
                return shared, False
            shared = self._under_way[key] = Shared()
            return shared, True

    def leave(self, key: str, shared: Shared, text: str) -> None:
        """A call has ended; those who wait for it are told."""
        shared.text = text
        with self._lock:
            self._under_way.pop(key, None)
        shared.ended.set()

    def kept(self, key: str) -> str | None:
        """The reply kept under a key; a store that cannot be read keeps nothing."""
        if self._replies is None:
            return None
        with suppress(OSError, sqlite3.Error):
            return self._replies.get(key)
        return None

    def keep(self, key: str, text: str) -> None:
        """Keep a reply; a store that cannot be written costs money later, and nothing else."""
        if self._replies is not None:
            with suppress(OSError, sqlite3.Error):
                self._replies.put(key, text)

    def note(self, record: CallRecord) -> None:
        """Write a call down; a full disk must not stop a job."""
        with suppress(OSError, sqlite3.Error):
            self._log(record)
