"""A watched folder: which files in it are new, complete and not yet known.

One look at a time, by polling: the system's own notices do not come from network drives, and a look at some thousand
files takes milliseconds. What was seen is plain data that the caller keeps; the clock is the caller's.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from minerva_desktop.events import CancelToken

_BESIDE = (".part", ".partial", ".crdownload", ".download", ".opdownload", ".tmp", ".aria2", ".filepart")
"""Endings of what a browser writes beside a file that already has its name but not its content."""
_MOST_FILES = 100_000
_DEEPEST = 40
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """``settle``: seconds that size and time of a file must stay as they are. ``suffixes``: endings of files of interest,
    lower case with the dot. ``batch``: files that one look reads at most; the others wait for the next."""

    settle: float = 5.0
    suffixes: frozenset[str] = frozenset({".pdf"})
    recursive: bool = True
    batch: int = 200


@dataclass(frozen=True, slots=True)
class SeenFile:
    """A file whose content is known. Time in nanoseconds, as the file system has it."""

    size: int
    modified: int
    sha256: str


@dataclass(frozen=True, slots=True)
class WatchState:
    """What is known of a folder. ``files``: by path within it; ``known``: every content that was ever reported, so that
    a file that comes back, is renamed or saved again unchanged is not new; ``waiting``: size, time and since when."""

    files: Mapping[str, SeenFile] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    waiting: Mapping[str, tuple[int, int, float]] = field(default_factory=dict)

    def to_plain(self) -> dict[str, Any]:
        """As JSON holds it. What waits is left out: it is waited for anew."""
        files = {path: [seen.size, seen.modified, seen.sha256] for path, seen in sorted(self.files.items())}
        return {"files": files, "known": sorted(self.known)}

    @classmethod
    def from_plain(cls, data: object) -> WatchState:
        """From what :meth:`to_plain` gave; anything else in it is left out, at worst files are looked at again."""
        if not isinstance(data, dict):
            return cls()
        files, known = data.get("files"), data.get("known")
        kept: dict[str, SeenFile] = {}
        for path, value in files.items() if isinstance(files, dict) else ():
            if isinstance(path, str) and isinstance(value, (list, tuple)) and len(value) == 3:
                size, modified, digest = value
                if isinstance(size, int) and isinstance(modified, int) and isinstance(digest, str):
                    kept[path] = SeenFile(size, modified, digest)
        digests = (item for item in known if isinstance(item, str)) if isinstance(known, (list, tuple)) else ()
        return cls(kept, frozenset(digests))


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file that is complete and whose content was never reported. ``replaces`` is the content that was at this path
    before, where there was another."""

    path: Path
    sha256: str
    size: int
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """What one look found. ``problem`` is a sentence when the folder could not be looked at; nothing is forgotten then."""

    state: WatchState
    new: tuple[NewFile, ...] = ()
    waiting: int = 0
    problem: str = ""


def look(folder: Path, state: WatchState, now: float, options: WatchOptions = WatchOptions()) -> Look:
    """Look at a folder once. ``now``: seconds of any clock that only goes forward. Never raises for what is on disk."""
    try:
        walk = _Walk(folder, options)
    except OSError as error:
        reason = (
            "is not there" if isinstance(error, FileNotFoundError) else f"cannot be read ({error.strerror or error})"
        )
        return Look(state, waiting=len(state.waiting), problem=f"The watched folder {folder} {reason}.")
    files = dict(state.files)
    known = set(state.known)
    waiting: dict[str, tuple[int, int, float]] = {}
    new: list[NewFile] = []
    read = 0
    for name, (size, modified) in walk.files.items():
        seen = files.get(name)
        if seen is not None and (seen.size, seen.modified) == (size, modified):
            continue
        since = _since(state, name, size, modified, now)
        unsettled = size == 0 or now - since < options.settle or name in walk.busy
        if unsettled or read >= options.batch:
            waiting[name] = (size, modified, since)
            continue
        read += 1
        digest = _digest(folder / name, size, modified)
        if not digest:  # still held by another program, or changed while it was read
            waiting[name] = (size, modified, now)
            continue
        files[name] = SeenFile(size, modified, digest)
        if digest not in known:
            known.add(digest)
            new.append(NewFile(folder / name, digest, size, seen.sha256 if seen is not None else ""))
    kept = {name: seen for name, seen in files.items() if name in walk.files or name.startswith(tuple(walk.unread))}
    return Look(WatchState(kept, frozenset(known), waiting), tuple(new), len(waiting))


def mark_known(folder: Path, state: WatchState, options: WatchOptions = WatchOptions()) -> WatchState:
    """The state in which all that is in the folder now counts as known, for one who only wants what comes later."""
    quiet = look(folder, state, now=0.0, options=replace(options, settle=0.0, batch=_MOST_FILES))
    return replace(quiet.state, waiting={})


def watch(
    folder: Path,
    state: WatchState,
    found: Callable[[Look], None],
    *,
    clock: Callable[[], float],
    wait: Callable[[float], object],
    cancel: CancelToken,
    every: float = 2.0,
    options: WatchOptions = WatchOptions(),
) -> WatchState:
    """Look again and again until ``cancel`` is set; the state at the end. ``found`` is called when a look has new files,
    or when the folder goes or comes back. ``wait`` sleeps; it may return early."""
    problem = ""
    while not cancel.cancelled:
        seen = look(folder, state, clock(), options)
        state = seen.state
        if seen.new or seen.problem != problem:
            found(seen)
        problem = seen.problem
        if not cancel.cancelled:
            wait(every)
    return state


def _since(state: WatchState, name: str, size: int, modified: int, now: float) -> float:
    """Since when a file is as it is."""
    before = state.waiting.get(name)
    return before[2] if before is not None and before[:2] == (size, modified) and before[2] <= now else now


class _Walk:
    """The files of interest in a folder by their path within it: size and time. ``busy``: those that a program writes
    beside; ``unread``: folders within it that cannot be read now, of which nothing must be forgotten.

    Raises:
        OSError: the folder itself cannot be read.
    """

    def __init__(self, folder: Path, options: WatchOptions) -> None:
        self.options = options
        self.files: dict[str, tuple[int, int]] = {}
        self.busy: set[str] = set()
        self.unread: list[str] = []
        self._entered: set[tuple[int, int]] = set()
        waiting = self._enter(folder, "", 0)
        while waiting and len(self.files) < _MOST_FILES:
            place, lead, depth = waiting.pop()
            try:
                waiting += reversed(self._enter(place, lead, depth))
            except OSError:
                self.unread.append(lead)

    def _enter(self, place: Path, lead: str, depth: int) -> list[tuple[Path, str, int]]:
        """Take the files of one folder in; the folders within it. A real folder is entered once, whatever links say."""
        own = place.stat()
        if (own.st_dev, own.st_ino) in self._entered and own.st_ino:
            return []
        self._entered.add((own.st_dev, own.st_ino))
        with os.scandir(place) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
        names = {entry.name for entry in entries}
        inner: list[tuple[Path, str, int]] = []
        for entry in entries:
            if entry.name.startswith((".", "~$")) or entry.name.endswith("~"):
                continue
            try:
                about = entry.stat()
            except OSError:  # a link that leads nowhere or in a circle, a file that went meanwhile
                continue
            name = lead + entry.name
            if stat.S_ISDIR(about.st_mode):
                if self.options.recursive and depth < _DEEPEST:
                    inner.append((Path(entry.path), name + "/", depth + 1))
            elif stat.S_ISREG(about.st_mode) and Path(entry.name).suffix.lower() in self.options.suffixes:
                self.files[name] = (about.st_size, about.st_mtime_ns)
                if any(entry.name + ending in names for ending in _BESIDE):
                    self.busy.add(name)
        return inner


def _digest(path: Path, size: int, modified: int) -> str:
    """The hash of a file that stays as it was while it is read; empty when it cannot be read or changes."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while block := stream.read(_BLOCK):
                digest.update(block)
            after = os.fstat(stream.fileno())
    except OSError:
        return ""
    return digest.hexdigest() if (after.st_size, after.st_mtime_ns) == (size, modified) else ""
