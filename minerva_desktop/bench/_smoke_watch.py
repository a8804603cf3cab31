"""Watches this process while the window is driven: its children, the files it writes, the connections it has.

Two looks: what Python itself opens is told by an audit hook, each time; what the engines open below it (SQLite, Kuzu, Qt) is
seen only when it is open at a look, several times a second. Both are the program's own view; a tracer sees more.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped, unused-ignore]

READERS = 2
"""Reading processes of a job."""
MOST = READERS + 2
"""Beside them: the one that draws pages, and Python's own tracker of resources."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_SYSTEM = ("/dev/", "/proc/", "/sys/", "/run/", "/memfd:")


class Watch:
    """Begin it once in a process; it cannot be taken off again."""

    def __init__(self, allowed: Sequence[Path]) -> None:
        self._allowed = [os.path.realpath(item) for item in allowed]
        self._temporary = os.path.realpath(tempfile.gettempdir())
        self._process = psutil.Process()
        self.most = 0
        self.at_once: list[str] = []
        self.outside: set[str] = set()
        self.temporary: set[str] = set()
        self.sockets: set[str] = set()
        sys.addaudithook(self._hear)

    def look(self) -> None:
        """Look once at the processes, their open files and their connections."""
        processes = [self._process]
        try:
            children = self._process.children(recursive=True)
        except psutil.Error:
            children = []
        if len(children) > self.most:
            self.most = len(children)
            self.at_once = [_name(child) for child in children]
        for process in processes + children:
            try:
                for file in process.open_files():
                    if file.fd > 2 and getattr(file, "mode", "r") != "r":  # 0 to 2 are who called
                        self._written(file.path)
                self._connected(process.net_connections(kind="inet"))
            except (psutil.Error, OSError):
                continue  # it has ended meanwhile

    def children(self) -> int:
        """How many child processes there are now."""
        return len(self._process.children(recursive=True))

    def _connected(self, connections: Sequence[Any]) -> None:
        own = {item.laddr for item in connections}
        for item in connections:
            if item.raddr and item.raddr in own:  # a pair within the process, as event loops have on some systems
                continue
            self.sockets.add(f"{item.status} {_address(item.laddr)} → {_address(item.raddr)}")

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = args
            if isinstance(path, str | bytes) and (
                any(letter in (mode or "") for letter in "wax+") or (mode is None and (flags or 0) & _WRITING)
            ):
                self._written(os.fsdecode(path))
        elif event in ("os.mkdir", "os.rename"):
            path = args[0] if event == "os.mkdir" else args[1]
            if isinstance(path, str | bytes):
                self._written(os.fsdecode(path))
        elif event in ("socket.connect", "socket.bind", "socket.sendto") and isinstance(args[1], tuple):
            self.sockets.add(f"{event} {_address(args[1])}")
        elif event == "socket.getaddrinfo":
            self.sockets.add(f"{event} {args[0]}")

    def _written(self, path: str) -> None:
        real = os.path.realpath(path)
        if real.startswith(_SYSTEM) or any(real == item or real.startswith(item + os.sep) for item in self._allowed):
            return
        (self.temporary if real.startswith(self._temporary + os.sep) else self.outside).add(real)


def _address(address: Any) -> str:
    return ":".join(str(part) for part in tuple(address)[:2]) if address else "-"


def _name(process: Any) -> str:
    try:
        return " ".join(process.cmdline()[-3:])[:120] or str(process.name())
    except psutil.Error:
        return "(ended)"
