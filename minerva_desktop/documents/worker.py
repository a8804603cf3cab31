"""The reading process: it takes requests over a pipe, reads untrusted files, and answers with plain JSON.

The pool starts it with ``multiprocessing`` (spawn), which works in the frozen program too. It holds no state between
requests but its imports, so it can be killed at any moment.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from minerva_desktop.documents import transport
from minerva_desktop.documents.limits import Limits

_MB = 1024 * 1024


def serve(pipe: Connection, memory_mb: int) -> None:
    """Answer requests until the pipe closes. Entry point of the child process."""
    with contextlib.suppress(ValueError):  # not the main thread: nothing to set
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program, which then stops us
    _silence()
    from minerva_desktop.documents import mupdf, pdf_document, reading

    del pdf_document, reading  # imported for their time: the first request finds them warm
    mupdf.quieten()
    # Pages are read into many small objects that live until the file is done: looking for garbage in between is lost
    # time. What has been imported lives for ever.
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)
    _limit_memory(memory_mb)
    _send(pipe, {"kind": "ready"})
    while True:
        try:
            request = transport.decode(pipe.recv_bytes())
        except (EOFError, OSError):
            return
        try:
            _answer(pipe, request)
        except MemoryError:
            _send(pipe, {"kind": "memory"})
        except BrokenPipeError:
            return
        except Exception as error:  # noqa: BLE001 - whatever a hostile file provokes is an answer, not an end
            if "malloc" in str(error) or "calloc" in str(error):
                _send(pipe, {"kind": "memory"})
            else:
                _send(pipe, {"kind": "error", "reason": f"{type(error).__name__}: {error}"[:300]})


def _answer(pipe: Connection, request: dict[str, Any]) -> None:
    _limit_time(float(request["seconds"]))
    if request["do"] == "render":
        _render(pipe, request)
        return
    from minerva_desktop.documents.reading import read_file

    def on_page(number: int, count: int) -> None:
        _send(pipe, {"kind": "page", "number": number, "count": count})

    document = read_file(
        Path(request["path"]),
        request["password"],
        int(request["pages"]),
        on_page,
        frozenset(request["skip"]),
        str(request["ocr"]),
    )
    for message in transport.document_messages(document):
        _send(pipe, message)


def _render(pipe: Connection, request: dict[str, Any]) -> None:
    from minerva_desktop.documents.mupdf import Pdf, Refused

    try:
        pdf = Pdf(Path(request["path"]), request["password"])
        try:
            picture = pdf.render(int(request["page"]) - 1, float(request["scale"]))
        finally:
            pdf.close()
    except Refused as refusal:
        _send(pipe, {"kind": "refused", "status": refusal.status, "reason": refusal.reason})
        return
    _send(pipe, {"kind": "picture", "width": picture.width, "height": picture.height, "scale": picture.scale})
    pipe.send_bytes(picture.rgb)


def _send(pipe: Connection, message: dict[str, Any]) -> None:
    pipe.send_bytes(transport.encode(message))


# ----------------------------------------------------------------------------------------------------- limits
def _silence() -> None:
    """Nothing that a library prints may reach the program's own output."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream, number in ((sys.stdout, 1), (sys.stderr, 2)):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
            os.dup2(null, number)
    os.close(null)


def _limit_memory(memory_mb: int) -> None:
    """Cap the address space, where the system can; the pool watches the resident memory as well."""
    try:
        import resource

        import psutil  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        return
    used = int(psutil.Process().memory_info().vms)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (used + memory_mb * _MB, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_time(seconds: float) -> None:
    """A last resort when the program that would stop us has died: processor time for this one request."""
    try:
        import resource
    except ImportError:
        return
    usage = resource.getrusage(resource.RUSAGE_SELF)
    allowed = int(usage.ru_utime + usage.ru_stime + 2 * seconds + 30)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (allowed, resource.RLIM_INFINITY))


def main(arguments: list[str]) -> int:
    """``python -m minerva_desktop.documents.worker FILE [PASSWORD]``: read one file here and print its JSON."""
    from minerva_desktop.documents.reading import read_file

    if not arguments:
        print("A file to read is missing.", file=sys.stderr)  # noqa: T201
        return 2
    password = arguments[1] if len(arguments) > 1 else None
    document = read_file(Path(arguments[0]), password, Limits().pages, lambda number, count: None)
    for message in transport.document_messages(document):
        print(transport.encode(message).decode("ascii"))  # noqa: T201
    return 0


if __name__ == "__main__":
    import multiprocessing

    multiprocessing.freeze_support()
    sys.exit(main(sys.argv[1:]))
