"""Takes a number of calls through cache, budget, server, reading and repair, some at a time, in the thread that asks.

The requests themselves run in the loop's thread and report back through a queue, so everything that concerns a call is
decided here, in one thread and in the order of the calls.
"""

from __future__ import annotations

import asyncio
import queue
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from minerva_desktop.errors import MinervaError
from minerva_desktop.events import CancelToken
from minerva_desktop.language.thinking import ThinkingFilter
from minerva_desktop.models.breaker import Breaker
from minerva_desktop.models.budget import Budget, Reservation
from minerva_desktop.models.calls import ModelCall, ModelError, ModelReply, Usage
from minerva_desktop.models.core import Core, Shared
from minerva_desktop.models.faults import too_long
from minerva_desktop.models.judging import invalid, judge, key_of, not_whole, outgoing, pack, unpack
from minerva_desktop.models.loop import Work
from minerva_desktop.models.modes import MANNERS
from minerva_desktop.models.structured import Unusable
from minerva_desktop.models.trying import Tally, unheard
from minerva_desktop.models.wire import Incoming, WireError
from minerva_desktop.records.guests import CallRecord

_LOOK_SECONDS = 0.03
"""How often the cancel token and the calls of other threads are looked at while nothing happens."""

Result = ModelReply[Any] | ModelError


@dataclass(slots=True)
class _Task:
    """One call on its way. There is a tally for each round: the question, and the repair."""

    index: int
    call: ModelCall[Any]
    model: str
    key: str
    began: float = 0.0
    own: Shared | None = None
    other: Shared | None = None
    tallies: list[Tally] = field(default_factory=list)
    reserved: Reservation | None = None
    work: Work | None = None
    complaint: str = ""
    bad_reply: str = ""
    dollars: float = 0.0


class Run:
    """One use of :meth:`all`. ``on_text`` is for a single call whose text is followed while it comes."""

    def __init__(
        self,
        core: Core,
        job: str,
        budget: Budget,
        breaker: Breaker,
        cancel: CancelToken,
        on_text: Callable[[str], None] | None = None,
    ) -> None:
        self._core, self._job, self._budget, self._breaker, self._cancel = core, job, budget, breaker, cancel
        self._on_text = on_text
        self._filter = ThinkingFilter()
        self._events: queue.SimpleQueue[tuple[_Task, Any]] = queue.SimpleQueue()
        self._tasks: list[_Task] = []
        self._flying: dict[int, _Task] = {}
        self._results: dict[int, Result] = {}

    def all(self, calls: Sequence[ModelCall[Any]], at_most: int) -> list[Result]:
        """The results in the order of the calls.

        Raises:
            ModelError: a fatal one.
            Cancelled: the token is set; nothing goes on.
        """
        profile = self._core.profile
        for index, call in enumerate(calls):
            model = profile.model_for(call.role)
            self._tasks.append(_Task(index, call, model, key_of(profile, model, call)))
        waiting = deque(self._tasks)
        try:
            while len(self._results) < len(calls):
                self._cancel.check()
                self._begin_some(waiting, at_most)
                if len(self._results) < len(calls):
                    self._hear_one(waiting)
        except MinervaError:
            if self._on_text is None:
                self._keep_what_came()
            self._cut_off()
            raise
        except BaseException:
            self._cut_off()
            raise
        return [self._results[index] for index in range(len(calls))]

    # ---------------------------------------------------------------------------------------------------------- begin
    def _begin_some(self, waiting: deque[_Task], at_most: int) -> None:
        """Begin calls in their order while there is room; those that wait for another thread are passed over."""
        passed: list[_Task] = []
        room = True
        while waiting and room and len(self._flying) < at_most:
            task = waiting.popleft()
            task.began = task.began or time.monotonic()
            if not self._is_own(task):
                if task.index not in self._results:
                    passed.append(task)
                continue
            try:
                room = self._begin(task)
            except ModelError as error:
                self._fail(task, error)
                continue
            if not room:
                passed.append(task)
        waiting.extendleft(reversed(passed))

    def _is_own(self, task: _Task) -> bool:
        """Whether it falls to us to make this call. Else it has been answered, or the same call is under way and its end
        is waited for."""
        if task.own is not None:
            return True
        if task.other is not None:
            if not task.other.ended.is_set():
                return False
            if task.other.text and self._answered(task, task.other.text):
                return False
            task.other = None
        kept = self._core.kept(task.key)
        if kept is not None and self._answered(task, kept):
            return False
        shared, mine = self._core.join(task.key)
        if mine:
            task.own = shared
        else:
            task.other = shared
        return mine

    def _answered(self, task: _Task, kept: str) -> bool:
        """Take an earlier reply for the answer; False = it does not fit."""
        parts = unpack(kept)
        if parts is None:
            return False
        text, mode, repaired = parts
        try:
            value, text = judge(task.call, text)
        except Unusable:
            return False
        if self._on_text is not None:
            self._on_text(text)
        reply = ModelReply(value, text, task.model, cached=True, repaired=repaired, attempts=0, mode=mode)
        self._end_with(task, reply, "cached")
        return True

    def _begin(self, task: _Task) -> bool:
        """Send a call; False = the budget has no room for it before others have ended.

        Raises:
            ModelError: it may not be sent.
        """
        core, call = self._core, task.call
        core.check_may_ask(task.model, call.role)
        self._breaker.check()
        sent = outgoing(core.profile, task.model, call, task.complaint, task.bad_reply)
        context = core.context_tokens(task.model)
        if context and sent.tokens_in + call.most_tokens > context:
            raise too_long(task.model).for_person()
        most = call.most_tokens + MANNERS.of(core.profile.base_url, task.model).room
        asked = Reservation(sent.tokens_in + most, core.dollars(task.model, sent.tokens_in, most))
        if not self._budget.reserve(asked):
            return False
        tally = Tally()
        task.reserved = asked
        task.tallies.append(tally)
        self._flying[task.index] = task

        def ended(result: Any, error: BaseException | None) -> None:
            self._events.put((task, error or result))

        def hear(text: str) -> None:
            self._events.put((task, text))

        task.work = core.start(sent, tally, unheard if self._on_text is None else hear, self._breaker.check, ended)
        return True

    # ----------------------------------------------------------------------------------------------------------- hear
    def _hear_one(self, waiting: deque[_Task]) -> None:
        try:
            task, heard = self._events.get(timeout=_LOOK_SECONDS)
        except queue.Empty:
            return
        if isinstance(heard, str):
            self._tell(self._filter.feed(heard))
            return
        del self._flying[task.index]
        self._settle(task)
        if isinstance(heard, WireError):
            self._fail(task, self._breaker.failed(heard.for_person()))
        elif isinstance(heard, ModelError):
            self._fail(task, heard)
        elif isinstance(heard, asyncio.CancelledError):
            self._fail(task, ModelError("not-configured", "The connection to the language model was closed."))
        elif isinstance(heard, BaseException):
            raise heard
        elif not self._judged(task, heard):
            waiting.appendleft(task)

    def _judged(self, task: _Task, reply: Incoming) -> bool:
        """Read a reply; False = it goes back for repair."""
        self._breaker.succeeded()
        call, tally = task.call, task.tallies[-1]
        error = not_whole(reply, call, task.model)
        if error is not None:
            self._fail(task, error)
            return True
        try:
            value, text = judge(call, reply.text)
        except Unusable as unusable:
            if unusable.fits_nothing and tally.mode in ("json_schema", "json_object_schema"):
                MANNERS.ignored(self._core.profile.base_url, task.model)
            if call.repair and not task.complaint and self._on_text is None:
                task.complaint, task.bad_reply = str(unusable), reply.text
                return False
            self._fail(task, invalid(call, task.model, str(unusable), asked_again=bool(task.complaint)))
            return True
        self._tell(self._filter.end())
        repaired = bool(task.complaint)
        kept = pack(text, tally.mode, repaired)
        self._core.keep(task.key, kept)
        usage = _usage(task)
        made = ModelReply(
            value,
            text,
            task.model,
            usage,
            task.dollars,
            False,
            repaired,
            sum(t.tries for t in task.tallies),
            tally.mode,
        )
        self._end_with(task, made, "repaired" if repaired else "ok", kept)
        return True

    def _tell(self, text: str) -> None:
        if text and self._on_text is not None:
            self._on_text(text)

    # ------------------------------------------------------------------------------------------------------------ end
    def _settle(self, task: _Task) -> None:
        """Count what the round that has just ended took."""
        if task.reserved is None:
            return
        tally = task.tallies[-1]
        dollars = self._core.dollars(task.model, tally.tokens_in, tally.tokens_out)
        self._budget.settle(task.reserved, tally.tokens_in + tally.tokens_out, dollars)
        task.dollars += dollars or 0.0
        task.reserved = None

    def _fail(self, task: _Task, error: ModelError) -> None:
        self._end_with(task, error, error.kind)
        if error.fatal:
            raise error

    def _end_with(self, task: _Task, result: Result, outcome: str, kept: str = "") -> None:
        self._results[task.index] = result
        if task.own is not None:
            self._core.leave(task.key, task.own, kept)
            task.own = None
        self._core.note(self._record(task, outcome))

    def _keep_what_came(self) -> None:
        """Keep replies that have arrived and were not looked at yet: they are paid for."""
        with suppress(queue.Empty):
            while True:
                task, heard = self._events.get_nowait()
                del self._flying[task.index]
                self._settle(task)
                if not isinstance(heard, Incoming) or not self._kept(task, heard):
                    self._core.note(self._record(task, "cancelled"))

    def _kept(self, task: _Task, reply: Incoming) -> bool:
        with suppress(ModelError):
            return self._judged(task, reply)
        return True

    def _cut_off(self) -> None:
        """Nothing goes on: requests are cut off, what they took is counted, and others who wait are told."""
        flying = list(self._flying.values())
        self._core.cancel([task.work for task in flying if task.work is not None])
        for task in flying:
            if task.reserved is not None:
                task.tallies[-1].end(billed=True)  # what is not yet cut off counts as well
            self._settle(task)
            self._core.note(self._record(task, "cancelled"))
        for task in self._tasks:
            if task.own is not None:
                self._core.leave(task.key, task.own, "")
                task.own = None

    def _record(self, task: _Task, outcome: str) -> CallRecord:
        call, usage = task.call, _usage(task)
        return CallRecord(
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            job=self._job,
            role=call.role,
            profile=self._core.name,
            model=task.model,
            prompt=call.prompt,
            version=call.version,
            item=call.item,
            tokens_in=usage.tokens_in,
            tokens_out=usage.tokens_out,
            estimated=usage.estimated,
            dollars=task.dollars,
            seconds=round(time.monotonic() - task.began, 3),
            attempts=sum(tally.tries for tally in task.tallies),
            mode=task.tallies[-1].mode if task.tallies else "",
            outcome=outcome,
        )


def _usage(task: _Task) -> Usage:
    tallies = task.tallies
    return Usage(
        sum(tally.tokens_in for tally in tallies),
        sum(tally.tokens_out for tally in tallies),
        any(tally.estimated for tally in tallies),
    )
