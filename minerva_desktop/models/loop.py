"""A thread with an event loop in it, for work that a waiting thread hands over and can cancel."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from minerva_desktop.events import CancelToken

_LOOK_SECONDS = 0.03
T = TypeVar("T")
Ended = Callable[[Any, BaseException | None], None]


class Work:
    """A coroutine that runs in the loop."""

    def __init__(self) -> None:
        self._task: asyncio.Task[Any] | None = None
        self.ended = threading.Event()

    def begin(self, loop: asyncio.AbstractEventLoop, coroutine: Coroutine[Any, Any, Any], ended: Ended) -> None:
        """Start it; called in the loop."""
        self._task = loop.create_task(coroutine)
        self._task.add_done_callback(lambda task: self._done(task, ended))

    def _done(self, task: asyncio.Task[Any], ended: Ended) -> None:
        if task.cancelled():
            ended(None, asyncio.CancelledError())
        else:
            error = task.exception()
            ended(None if error else task.result(), error)
        self.ended.set()

    def cancel_now(self) -> None:
        """Cancel it; called in the loop, after it began."""
        if self._task is not None:
            self._task.cancel()


class LoopThread:
    """Runs coroutines for other threads."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def start(self, coroutine: Coroutine[Any, Any, Any], ended: Ended) -> Work:
        """Begin some work; ``ended`` is called in the loop's thread with its result or its error."""
        work = Work()
        self._loop.call_soon_threadsafe(work.begin, self._loop, coroutine, ended)
        return work

    def cancel(self, works: Sequence[Work]) -> None:
        """Cancel work; it ends soon after, see :attr:`Work.ended`."""
        for work in works:
            self._loop.call_soon_threadsafe(work.cancel_now)

    def wait_for(self, coroutine: Coroutine[Any, Any, T], cancel: CancelToken) -> T:
        """The result of a coroutine, which is cut off when the token is set.

        Raises:
            Cancelled: the token was set.
        """
        outcome: list[tuple[Any, BaseException | None]] = []
        work = self.start(coroutine, lambda result, error: outcome.append((result, error)))
        while not work.ended.wait(_LOOK_SECONDS):
            if cancel.cancelled:
                self.cancel([work])
                work.ended.wait(0.1)
                cancel.check()
        result, error = outcome[0]
        if error is not None:
            raise error
        made: T = result
        return made

    def run(self, coroutine: Coroutine[Any, Any, T], seconds: float | None = None) -> T:
        """The result of a coroutine."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(seconds)

    def close(self) -> None:
        """End what still runs, the loop and the thread."""
        if self._loop.is_closed():
            return
        self.run(_cancel_all())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        if not self._thread.is_alive():
            self._loop.close()


async def _cancel_all() -> None:
    own = asyncio.current_task()
    others = [task for task in asyncio.all_tasks() if task is not own]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_asyncgens()
