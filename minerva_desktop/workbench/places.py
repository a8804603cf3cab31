"""Where a library may be: whether a folder is fit for one, and where the sample library is. No library is opened."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil  # type: ignore[import-untyped, unused-ignore]

from minerva_desktop.errors import MinervaError
from minerva_desktop.settings import Settings, cache_dir, config_dir, default_library

CATALOG = "library.sqlite"
SAMPLE = "Minerva Sample Library"
LITTLE = 200
"""Megabytes that must be free on the disk of a new library."""
_REMOTE = frozenset(
    "nfs nfs4 cifs smb smb2 smb3 smbfs sshfs fuse.sshfs 9p afpfs webdav davfs fuse.davfs2 afs ceph glusterfs "
    "fuse.glusterfs fuse.rclone ncpfs".split()
)
_SYNCED = ("Dropbox", "OneDrive", "Google Drive", "GoogleDrive", "iCloud Drive", "Nextcloud", "ownCloud", "Syncthing")

Level = Literal["ok", "warning", "fault"]


@dataclass(frozen=True, slots=True)
class PlaceCheck:
    """``level``: "fault" = no library can be there, "warning" = it can, but should not. ``there``: a library is there."""

    level: Level
    message: str
    there: bool = False


def look_at(folder: Path) -> PlaceCheck:
    """Whether a library may be in this folder. Nothing is made or written."""
    fault = _fault(folder)
    if fault:
        return PlaceCheck("fault", fault)
    there = (folder / CATALOG).is_file()
    doubt = _doubt(folder) or ("" if there else _crowded(folder))
    if doubt:
        return PlaceCheck("warning", doubt, there)
    if there:
        return PlaceCheck("ok", "The library that is there is opened.", True)
    return PlaceCheck("ok", "A new library is made there.")


def sample_library(settings: Settings, own: Path | None = None) -> Path:
    """Where the sample library is: beside the person's own, never in it."""
    return (own or default_library(settings)).parent / SAMPLE


def is_sample(folder: Path) -> bool:
    """Whether this is the sample library, by its name."""
    return folder.name == SAMPLE


def make_ready(folder: Path) -> None:
    """Make the folder and try to write there.

    Raises:
        MinervaError: it cannot be made, or nothing can be written there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise MinervaError(
            f"Nothing can be written in {folder}: {error.strerror or error}.", hint="Choose another folder."
        ) from error


def _fault(folder: Path) -> str:
    if not folder.is_absolute():
        return "Name the whole path of the folder, from the top of the disk."
    if folder.exists() and not folder.is_dir():
        return "That is a file. Choose a folder."
    there = _nearest(folder)
    if not there.is_dir():
        return f"{there} is a file, so no folder can be made below it. Choose another folder."
    if not os.access(there, os.W_OK | os.X_OK):
        return f"Nothing can be written in {there}. Choose a folder of your own."
    if folder.parent == folder:
        return "That is a whole disk. Choose a folder on it."
    if not (folder / CATALOG).is_file() and shutil.disk_usage(there).free < LITTLE * 2**20:
        return f"Less than {LITTLE} MB are free on that disk. Make room, or choose another disk."
    return ""


def _doubt(folder: Path) -> str:
    resolved = Path(os.path.realpath(folder))
    kind = _file_system(_nearest(resolved))
    if kind in _REMOTE or str(folder).startswith("\\\\"):
        return "That is a disk on the network: a library there can be damaged when the connection breaks."
    for name in _SYNCED:
        if any(part.startswith(name) for part in resolved.parts[1:]):
            return f"That folder is kept in step by {name}, which may copy a library while it is being written."
    for own, words in (
        (Path(tempfile.gettempdir()), "temporary files"),
        (cache_dir(), "caches"),
        (_program(), "program"),
    ):
        if resolved.is_relative_to(Path(os.path.realpath(own))):
            return f"That is in the folder of {words}, which may be emptied at any time."
    if resolved.is_relative_to(Path(os.path.realpath(config_dir()))):
        return "That is in the folder of the settings. A folder among your documents is easier to find and to save."
    return ""


def _crowded(folder: Path) -> str:
    if folder == Path.home():
        return "That is your home folder. A folder of its own keeps the files of the library together."
    try:
        others = [item.name for item in folder.iterdir() if item.name not in {".DS_Store", "desktop.ini"}]
    except OSError:
        return ""
    return "Other files are in that folder. An empty or new one keeps the library's files together." if others else ""


def _nearest(folder: Path) -> Path:
    """The folder itself, or the nearest above it that there is."""
    return next((item for item in (folder, *folder.parents) if os.path.lexists(item)), folder)


def _program() -> Path:
    frozen = getattr(sys, "_MEIPASS", None)
    return Path(frozen) if frozen else Path(__file__).resolve().parents[1]


def _file_system(folder: Path) -> str:
    """The kind of the file system that holds a folder, as the system calls it; "" when that cannot be found out."""
    try:
        mounts = psutil.disk_partitions(all=True)
    except (OSError, RuntimeError, psutil.Error):
        return ""
    found = [item for item in mounts if folder.is_relative_to(item.mountpoint)]
    return str(max(found, key=lambda item: len(item.mountpoint)).fstype).lower() if found else ""
