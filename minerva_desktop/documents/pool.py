"""The pool of reading processes: warm, watched, killed and started again when they hang, grow or die."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import queue
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import Any

import psutil  # type: ignore[import-untyped, unused-ignore]

from minerva_desktop.documents import transport, worker
from minerva_desktop.documents.kinds import media_type
from minerva_desktop.documents.limits import Limits
from minerva_desktop.errors import MinervaError
from minerva_desktop.events import CancelToken, Progress, ProgressSink, ignore_progress
from minerva_desktop.records import Document, PageImage

log = logging.getLogger(__name__)

_POLL = 0.05  # seconds between looks at the clock, the token and the memory
_START = 60.0  # seconds a process may take to start on a slow machine
_RETRIES = 3  # pages that may bring the reader down before a file is given up
_RENDER_SECONDS = 30.0
_LARGEST_MESSAGE = 1 << 30


class _Lost(Exception):
    """The process had to be given up. ``why``: "time", "memory" or "crash"; ``page``: the page it was at, or 0."""

    def __init__(self, why: str, page: int) -> None:
        super().__init__(why)
        self.why = why
        self.page = page


class _Reader:
    """One child process. Used by one thread at a time."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def start(self) -> None:
        """Start the process when there is none that lives; does not wait until it is ready."""
        if self._process is not None and self._process.is_alive():
            return
        self.stop()
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=worker.serve, args=(theirs, self._limits.memory_mb), name="minerva-reader", daemon=True
        )
        process.start()
        theirs.close()
        self._process, self._pipe = process, ours
        self._ready = False

    def stop(self) -> None:
        """Kill the process at once."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._process is not None:
            if self._process.is_alive():
                self._process.kill()
            self._process.join(5)
            with contextlib.suppress(ValueError):
                self._process.close()
            self._process = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def ask(
        self,
        request: dict[str, Any],
        seconds: float,
        cancel: CancelToken | None,
        on_message: Callable[[dict[str, Any]], bool],
    ) -> bytes:
        """Send a request and hand on messages until ``on_message`` returns True; the bytes after a picture, else b"".

        Raises:
            Cancelled: the token was set; the process is gone.
            _Lost: it hung, grew too big or died; the process is gone.
        """
        self.start()
        assert self._pipe is not None
        page = 0
        try:
            try:
                self._wait_ready(cancel)
            except (EOFError, OSError) as error:
                raise _Lost("start", 0) from error
            self._pipe.send_bytes(transport.encode(request | {"seconds": seconds}))
            deadline = time.monotonic() + seconds
            while True:
                self._wait(deadline, cancel, page)
                message = transport.decode(self._pipe.recv_bytes(_LARGEST_MESSAGE))
                if message["kind"] == "memory":
                    raise _Lost("memory", page)
                if message["kind"] == "page":
                    page = int(message["number"])
                if on_message(message):
                    if message["kind"] == "picture":
                        return self._pipe.recv_bytes(_LARGEST_MESSAGE)
                    return b""
        except (EOFError, OSError) as error:
            self.stop()
            raise _Lost("crash", page) from error
        except BaseException:
            self.stop()
            raise

    def _wait_ready(self, cancel: CancelToken | None) -> None:
        if self._ready:
            return
        assert self._pipe is not None
        self._wait(time.monotonic() + _START, cancel, 0)
        self._pipe.recv_bytes(_LARGEST_MESSAGE)
        self._ready = True

    def _wait(self, deadline: float, cancel: CancelToken | None, page: int) -> None:
        """Until there is something to receive. Raises when time, memory or the person says stop."""
        assert self._pipe is not None
        while not self._pipe.poll(_POLL):
            if cancel is not None:
                cancel.check()
            if self._memory() > self._limits.memory_mb:
                raise _Lost("memory", page)
            if time.monotonic() > deadline:
                raise _Lost("time", page)
        if cancel is not None:
            cancel.check()
        if time.monotonic() > deadline:
            raise _Lost("time", page)

    def _memory(self) -> float:
        """Resident memory of the process in MB; 0 when it is gone (the pipe says so next)."""
        try:
            return float(psutil.Process(self.pid).memory_info().rss) / 1e6
        except (psutil.Error, TypeError, ValueError):
            return 0.0


class ReaderPool:
    """Reads and draws documents in child processes. Safe to use from several threads; close it when done."""

    def __init__(self, limits: Limits = Limits(), workers: int = 1) -> None:  # noqa: B008 - immutable
        self.limits = limits
        self._readers = [_Reader(limits) for _ in range(max(1, workers))]
        self._free: queue.LifoQueue[_Reader] = queue.LifoQueue()
        self._closed = False
        for reader in reversed(self._readers):
            self._free.put(reader)
        self._readers[0].start()  # so that it is warm when the first file comes

    def __enter__(self) -> ReaderPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all processes. A reading that is going on in another thread ends as failed."""
        self._closed = True
        for reader in self._readers:
            reader.stop()

    # ------------------------------------------------------------------------------------------------- reading
    def read(
        self,
        path: Path,
        *,
        password: str | None = None,
        ocr: str = "",
        progress: ProgressSink = ignore_progress,
        cancel: CancelToken | None = None,
    ) -> Document:
        """The Document of a file. Bad files do not raise: ``status`` and ``reason`` say what is wrong.

        ``ocr``: languages ("eng+deu") in which pages without a text layer are recognised; ten times the time is given.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        refusal = _refusal(path)
        if refusal is not None:
            return refusal
        kind = media_type(path)
        seconds = self.limits.seconds * (_OCR_PATIENCE if ocr else 1)
        deadline = time.monotonic() + seconds
        skip: list[int] = []
        while True:
            with self._reader(cancel) as reader:
                attempt = _Attempt(path.name, progress)
                request = {
                    "do": "read",
                    "path": str(path.resolve()),
                    "password": password,
                    "pages": self.limits.pages,
                    "skip": skip,
                    "ocr": ocr,
                }
                try:
                    reader.ask(request, max(0.1, deadline - time.monotonic()), cancel, attempt.take)
                except _Lost as lost:
                    again = lost.why not in {"time", "start"} and lost.page and len(skip) < _RETRIES
                    if again and time.monotonic() < deadline and not self._closed:
                        skip.append(lost.page)
                        continue
                    return Document("failed", self._why(lost), kind)
            return attempt.document(kind)

    def _why(self, lost: _Lost) -> str:
        if lost.why == "start":
            return "The process that reads files could not be started: close other programs and start Minerva again."
        at = f" at page {lost.page}" if lost.page else ""
        if lost.why == "time":
            return f"Reading was stopped{at}: it took longer than the {self.limits.seconds:g} seconds allowed."
        if lost.why == "memory":
            return f"Reading was stopped{at}: it needed more than the {self.limits.memory_mb} MB of memory allowed."
        return f"The reader crashed{at}; the file is probably damaged, fetch it again from its source."

    # ----------------------------------------------------------------------------------------------- rendering
    def render(
        self,
        path: Path,
        page: int,
        scale: float = 1.5,
        password: str | None = None,
        cancel: CancelToken | None = None,
    ) -> PageImage:
        """A page (from 1) as RGB pixels. A scale that would give too many pixels is lowered; see ``scale`` of the result.

        Raises:
            MinervaError: there is no such page or it cannot be drawn; code ``encrypted``: the password is missing or
                wrong.
            Cancelled: ``cancel`` was set.
        """
        request = {"do": "render", "path": str(path.resolve()), "password": password, "page": page, "scale": scale}
        got: list[dict[str, Any]] = []

        def take(message: dict[str, Any]) -> bool:
            got.append(message)
            return True

        seconds = min(_RENDER_SECONDS, self.limits.seconds)
        with self._reader(cancel) as reader:
            try:
                pixels = reader.ask(request, seconds, cancel, take)
            except _Lost as lost:
                raise MinervaError(
                    f"Page {page} of {path.name} could not be drawn: {_LOST[lost.why]}.",
                    hint="Open the file in another program.",
                ) from lost
        answer = got[-1]
        if answer["kind"] != "picture":
            reason = str(answer.get("reason") or f"Page {page} could not be drawn.")
            raise MinervaError(reason, code="encrypted" if answer.get("status") == "encrypted" else "page-not-drawn")
        return PageImage(page, int(answer["width"]), int(answer["height"]), float(answer["scale"]), pixels)

    @contextlib.contextmanager
    def _reader(self, cancel: CancelToken | None) -> Any:
        """A free process, waiting for one when all are busy."""
        while True:
            if cancel is not None:
                cancel.check()
            if self._closed:
                raise MinervaError("The reader was closed while it was needed.")
            try:
                reader = self._free.get(timeout=0.1)
                break
            except queue.Empty:
                continue
        try:
            yield reader
        finally:
            if self._closed:
                reader.stop()
            self._free.put(reader)


_OCR_PATIENCE = 10
_LOST = {
    "start": "the reading process could not be started",
    "time": "it took too long",
    "memory": "it needed too much memory",
    "crash": "the reader crashed",
}


class _Attempt:
    """Collects the messages of one reading."""

    def __init__(self, name: str, progress: ProgressSink) -> None:
        self._name = name
        self._progress = progress
        self._rows: list[list[Any]] = []
        self._data: dict[str, Any] | None = None

    def take(self, message: dict[str, Any]) -> bool:
        kind = message["kind"]
        if kind == "page":
            done, total = int(message["number"]), int(message["count"])
            self._progress(Progress(stage="read", item=self._name, done=done, total=total, unit="pages"))
        elif kind == "sentences":
            self._rows.extend(message["sentences"])
        elif kind == "document":
            self._data = message["document"]
            return True
        elif kind == "error":
            log.warning("The reader failed on %s: %s", self._name, message["reason"])
            return True
        return False

    def document(self, kind: str) -> Document:
        if self._data is None:
            return Document("failed", "The reader failed on this file: it is probably damaged, fetch it again.", kind)
        return transport.document_from(self._data, self._rows)


def _refusal(path: Path) -> Document | None:
    """What can be said without opening the file for reading its content."""
    try:
        if path.is_dir():
            return Document("unsupported", f"{path.name} is a folder; name the files in it or give the folder itself.")
        size = path.stat().st_size
        with path.open("rb"):
            pass
    except FileNotFoundError:
        return Document("failed", f"There is no file {path}; check the name.")
    except OSError as error:
        return Document("failed", f"The file {path.name} cannot be opened ({error.strerror or error}).")
    kind = media_type(path)
    if not kind:
        return Document(
            "unsupported",
            f"Files such as {path.name} cannot be read; PDF, Word, EPUB, HTML, LaTeX, JATS, TEI, Markdown and text files can.",
        )
    if size == 0:
        return Document("empty", "The file is empty: it holds no bytes at all.", kind)
    return None


def read_document(
    path: Path,
    *,
    password: str | None = None,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> Document:
    """Read one file in a child process of its own. For several files use a :class:`ReaderPool`.

    Bad files do not raise: ``status`` and ``reason`` say what is wrong.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    with ReaderPool(limits) as pool:
        return pool.read(path, password=password, progress=progress, cancel=cancel)
