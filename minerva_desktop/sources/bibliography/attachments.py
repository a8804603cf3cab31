"""Attached files as bibliographies name them, found on this disk.

Programs write absolute paths of the machine that exported, paths relative to the bibliography, ``file:`` addresses, or
names inside a folder of their own; and people move folders. A path is looked for as it is written, then beside the
bibliography by its last parts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from minerva_desktop.sources.bibliography.plain import clean

READABLE = (".pdf", ".epub", ".xml", ".docx", ".tex", ".html", ".htm", ".md", ".txt")
"""Endings of files that papers come in, the best first."""

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_WEB = re.compile(r"(?:https?|ftp)://", re.IGNORECASE)
_FOLDERS = ("", "files", "storage", "pdf", "pdfs", "PDF", "papers", "attachments")
_MOST_TAILS = 8


@dataclass(frozen=True, slots=True)
class MissingFile:
    """A file that a record names and that is not on this disk. ``record`` is the record's key, ``path`` as written."""

    record: str
    path: str


class Attachments:
    """Finds the files of one bibliography. ``folders``: where to look, the bibliography's own first."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.missing: dict[MissingFile, None] = {}
        self._home = folders[0]
        places = (folder / inner for folder in folders for inner in _FOLDERS)
        self._places = [place for place in dict.fromkeys(places) if _is(Path.is_dir, place)]

    def find(self, record: str, named: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The files (absolute, each once, PDF first) and the web addresses among what a record names."""
        files: dict[str, None] = {}
        addresses: dict[str, None] = {}
        for name in named:
            plain = clean(name).strip(" \"'{}")
            if not plain:
                continue
            if _WEB.match(plain):
                addresses[plain] = None
                continue
            if suffix_of(unquote(plain)) not in READABLE:
                continue
            found = self._locate(plain)
            if found is not None:
                files[str(found)] = None
            else:
                self.missing[MissingFile(record, plain)] = None
        kept = sorted(
            (path for path in files if suffix_of(path) in READABLE), key=lambda path: READABLE.index(suffix_of(path))
        )
        return tuple(kept), tuple(addresses)

    def _locate(self, name: str) -> Path | None:
        written = _from_address(name)
        for text in dict.fromkeys((written, unquote(written))):
            local = text.replace("\\", "/") if _DRIVE.match(text) or "/" not in text else text
            for candidate in self._candidates(local):
                if _is(Path.is_file, candidate):
                    return _resolved(candidate)
        return None

    def _candidates(self, path: str) -> Iterable[Path]:
        if os.name == "nt" or not _DRIVE.match(path):
            yield self._home / (_persons_folder() / path[2:] if path.startswith("~/") else path)
        if _could_have_lost_its_slash(path):
            yield Path("/" + path)
        parts = [part for part in re.sub(r"^[A-Za-z]:", "", path).split("/") if part not in {"", ".", "..", "~"}]
        for length in range(min(len(parts), _MOST_TAILS), 0, -1):
            for place in self._places:
                yield place.joinpath(*parts[-length:])


def _persons_folder() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # nobody's process
        return Path()


def suffix_of(path: str) -> str:
    """The ending of a path of any system, lower case with its dot; empty when there is none."""
    match = re.search(r"\.[A-Za-z0-9]{1,6}\Z", path)
    return match.group().lower() if match else ""


def _could_have_lost_its_slash(path: str) -> bool:
    """Mendeley writes an absolute path without its first slash."""
    return path.split("/", 1)[0] in {"home", "Users", "media", "mnt", "Volumes", "data", "tmp", "var"} and "/" in path


def _from_address(name: str) -> str:
    """A ``file:`` or ``internal-pdf:`` address as a path."""
    lower = name[:16].lower()
    if lower.startswith("file:"):
        path = re.sub(r"^file:(?://(?:localhost)?)?", "", name, flags=re.IGNORECASE)
        path = unquote(path)
        return re.sub(r"^/+(?=[A-Za-z]:[\\/])", "", path)
    if lower.startswith("internal-pdf:"):
        return re.sub(r"^internal-pdf:/*", "", name, flags=re.IGNORECASE)
    return name


def _is(question: Callable[[Path], bool], path: Path) -> bool:
    try:
        return question(path)
    except (OSError, ValueError):  # too long, NUL
        return False


def _resolved(path: Path) -> Path | None:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # symlink loop
        return None


# ----------------------------------------------------------------------------------------------- "file" of BibTeX
def split_file_field(text: str) -> list[str]:
    """The paths in BibTeX's "file" field as JabRef (``desc:path:TYPE``), Zotero and Mendeley write it, or a bare path.

    >>> split_file_field(r":C\\:/papers/a.pdf:PDF;Full Text:files/12/b.pdf:application/pdf")
    ['C:/papers/a.pdf', 'files/12/b.pdf']
    """
    paths = (_path_of(part) for part in _split(text, ";"))
    return list(dict.fromkeys(path for path in paths if path.strip(":. ")))


def _path_of(part: str) -> str:
    fields = _split(part, ":")
    if _WEB.match(part.strip()) or part.strip().lower().startswith("file:"):
        return part.strip()
    if len(fields) > 1 and re.fullmatch(r"\s*[A-Za-z]", fields[0]) and fields[1][:1] in {"/", "\\"}:
        fields = ["", f"{fields[0].strip()}:{fields[1]}", *fields[2:]]  # a drive that was not escaped
    if len(fields) == 1:
        path = fields[0]
    elif len(fields) == 2:
        bare = not fields[0].strip() or (suffix_of(fields[1]) and not suffix_of(fields[0]))
        path = fields[1] if bare else fields[0]
    else:
        path = ":".join(fields[1:-1])
    return _unescaped(path).strip()


def _split(text: str, sign: str) -> list[str]:
    """Text split at a sign that no backslash stands before."""
    return re.split(rf"(?<!\\){sign}", text)


def _unescaped(path: str) -> str:
    return re.sub(r"\\([:;\\,_&%#{}$ ])", r"\1", path)
