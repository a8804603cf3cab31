"""Puts one question to a server: in the manner that it takes, again where that can succeed, and counts what it costs."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import tenacity

from minerva_desktop.language.thinking import without_thinking
from minerva_desktop.models import faults
from minerva_desktop.models.client import Client
from minerva_desktop.models.modes import MANNERS, Manner, body_of, next_manner
from minerva_desktop.models.reading import Hear
from minerva_desktop.models.tokens import estimate_reply
from minerva_desktop.models.wire import Incoming, Outgoing, WireError

_PICTURES = re.compile(r"image|vision|multimodal|mmproj|content.{0,40}must be a string", re.I | re.S)

_TIMES_PROMPT, _TOKENS_A_SIGN, _SLACK = 16, 4, 1_000
"""Bounds on what a server says of its tokens: a prompt takes no more than so many times our estimate, a reply no more than it
may write, or so many for each sign that came, and some more for the server's own words around it."""


@dataclass(slots=True)
class Tally:
    """What one question has taken so far; the caller may read it at any time, also after it cancelled."""

    tries: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: bool = False
    under_way: int = 0
    heard: int = 0
    mode: str = ""

    def begin(self, tokens_in: int) -> None:
        """A request leaves."""
        self.under_way, self.heard = tokens_in, 0

    def end(self, billed: bool) -> None:
        """A request has ended without a reply; ``billed``: the model was at work."""
        if billed and self.under_way:
            self.tokens_in += self.under_way
            self.tokens_out += estimate_reply(self.heard)
            self.estimated = True
        self.under_way = self.heard = 0

    def replied(self, reply: Incoming, most_tokens: int = 0) -> None:
        """A request has ended with a reply. What the server says of its tokens is believed as far as it can be true: one that
        miscounts must not use up a month. ``most_tokens``: how many it was allowed to write."""
        said_in, said_out = reply.tokens_in, reply.tokens_out
        most_in = _TIMES_PROMPT * self.under_way + _SLACK
        most_out = most_tokens + _TOKENS_A_SIGN * (len(reply.text) + reply.thought) + _SLACK
        wrong = said_in is None or said_out is None or said_in > most_in or said_out > most_out
        if wrong or (said_out == 0 and reply.text):
            self.tokens_in += self.under_way
            self.tokens_out += estimate_reply(len(reply.text) + reply.thought)
            self.estimated = True
        else:
            self.tokens_in += said_in or 0
            self.tokens_out += said_out or 0
        self.under_way = self.heard = 0


@dataclass(slots=True)
class Rules:
    """How often and when. ``rest_until`` (monotonic seconds) is shared by all calls to a server that asked us to wait;
    ``always_failing`` are models whose server fails in every manner, so that it is not asked in all of them again."""

    tries: int
    wait: float
    slots: asyncio.Semaphore
    rest_until: float = 0.0
    always_failing: set[tuple[str, str]] = field(default_factory=set)


async def ask_server(
    client: Client, sent: Outgoing, tally: Tally, rules: Rules, *, hear: Hear, may_send: Callable[[], None]
) -> Incoming:
    """The reply to one question. ``hear`` is told the text while it comes; once it was told something, a reply that breaks
    off is not asked for again. ``may_send`` raises when nothing may be sent any more.

    Raises:
        WireError: there is no reply, however often it was asked.
    """
    told = False

    def heard(text: str) -> None:
        nonlocal told
        told = True
        tally.heard += len(text)
        hear(text)

    def worth_another(error: BaseException) -> bool:
        if not isinstance(error, WireError) or (told and hear is not unheard):
            return False
        return error.again == "yes" or (error.again == "once" and tally.tries == 1)

    def pause(state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        wait = error.wait if isinstance(error, WireError) else None
        return rules.wait if wait is None else wait

    retrying = tenacity.AsyncRetrying(
        stop=tenacity.stop_after_attempt(rules.tries),
        wait=pause,
        retry=tenacity.retry_if_exception(worth_another),
        sleep=asyncio.sleep,
        reraise=True,
    )
    async for attempt in retrying:
        with attempt:
            tally.tries += 1
            return await _in_some_manner(client, sent, tally, rules, heard, may_send)
    raise AssertionError("tenacity returns a reply or raises")


def unheard(_: str) -> None:
    """For replies that nobody follows while they come."""


def was_thinking(reply: Incoming) -> bool:
    """Whether a reply was cut off before anything of it was said."""
    return reply.finish == "length" and not without_thinking(reply.text).strip() and bool(reply.thought or reply.text)


async def _in_some_manner(
    client: Client, sent: Outgoing, tally: Tally, rules: Rules, hear: Hear, may_send: Callable[[], None]
) -> Incoming:
    """One try: what the server does not take is left out or asked for in another way, which is no try of its own."""
    manner = MANNERS.of(client.base_url, sent.model, sent.schema_id)
    server = (client.base_url, sent.model)
    doubtful = False
    while True:
        try:
            reply = await _send(client, sent, manner, tally, rules, hear, may_send)
        except WireError as error:
            following = next_manner(manner, error, sent)
            if sent.images and error.kind == "failed" and _PICTURES.search(error.said):
                raise faults.no_pictures(sent.model) from None
            if error.status == 500:
                if following is None or server in rules.always_failing:
                    rules.always_failing.add(server)
                    raise
                doubtful = True
            elif following is None:
                raise
            manner = following
            continue
        if was_thinking(reply) and not manner.thinks:
            manner = replace(manner, thinks=True)
            continue
        rules.always_failing.discard(server)
        MANNERS.worked(client.base_url, sent.model, sent.schema_id, manner, doubtful=doubtful)
        tally.mode = manner.mode if sent.schema else "text"
        return reply


async def _send(
    client: Client, sent: Outgoing, manner: Manner, tally: Tally, rules: Rules, hear: Hear, may_send: Callable[[], None]
) -> Incoming:
    async with rules.slots:
        while (rest := rules.rest_until - time.monotonic()) > 0:
            await asyncio.sleep(rest)
        may_send()
        tally.begin(sent.tokens_in)
        try:
            reply = await client.complete(body_of(sent, manner), hear)
        except WireError as error:
            tally.end(error.billed)
            if error.status == 429:
                rules.rest_until = max(rules.rest_until, time.monotonic() + (error.wait or 0.0))
            raise
        except asyncio.CancelledError:
            tally.end(billed=True)
            raise
        tally.replied(reply, sent.most_tokens + manner.room)
        return reply
