"""The sealed file of an index: rows of float32, behind them their ids in ascending order (int64), both little-endian.

A file is never changed: another one is written beside it, and the record in the catalog then names that one. What it was
written with (size, sha256) stands in the record. To hash hundreds of megabytes at each start would be felt, so size and
time of a file that was found right stand for it until one of them changes; an audit hashes in any case.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from minerva_desktop.library.files import sha256_of
from minerva_desktop.library.vector_engine import Coarse

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float32]
    Ids = npt.NDArray[np.int64]

PORTION = 8192  # rows written or looked at together
_SUFFIXES = (".vectors", ".coarse", ".part")


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What a file was written with. ``time`` (nanoseconds) is that of the file when it was last hashed."""

    name: str
    size: int
    sha256: str
    time: int

    @classmethod
    def of(cls, file: Path, sha256: str) -> FileRecord:
        state = file.stat()
        return cls(file.name, state.st_size, sha256, state.st_mtime_ns)


@dataclass(frozen=True, slots=True)
class BaseRecord:
    """The sealed file of an index, and that of its quick index where it has one."""

    count: int
    rows: FileRecord
    coarse: FileRecord | None = None

    def plain(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def read(cls, data: dict[str, Any]) -> BaseRecord:
        """Raises KeyError or TypeError when the data are none."""
        coarse = data["coarse"]
        return cls(data["count"], FileRecord(**data["rows"]), FileRecord(**coarse) if coarse else None)

    def names(self) -> set[str]:
        return {self.rows.name, *([self.coarse.name] if self.coarse else [])}


@dataclass(frozen=True)
class Base:
    """The sealed file, mapped into memory. ``ids`` ascend; ``rows[n]`` is the vector of ``ids[n]``."""

    record: BaseRecord
    ids: Ids
    rows: Array
    coarse: Coarse | None = None
    notes: tuple[str, ...] = field(default=())

    def positions(self, ids: Ids) -> Ids:
        """Positions of those of these ids that are here."""
        import numpy as np

        at = np.searchsorted(self.ids, ids)
        inside = at < len(self.ids)
        at = at[inside]
        found: Ids = at[self.ids[at] == ids[inside]]
        return found


class DamagedFile(ValueError):
    """A file is not the one that was written; says in what way."""


def open_base(folder: Path, record: BaseRecord, dimension: int) -> Base:
    """Map the files of a record. A quick index that cannot be used is left out, with a note.

    Raises:
        DamagedFile: the rows are not those that were written.
    """
    import numpy as np

    rows = _checked(folder, record.rows)
    if record.rows.size != record.count * (4 * dimension + 8):
        raise DamagedFile("its size does not fit what is known of it")
    path = folder / rows.name
    shape = (record.count, dimension)
    array = np.memmap(path, dtype=np.dtype("<f4"), mode="r", shape=shape)
    ids = np.memmap(path, dtype=np.dtype("<i8"), mode="r", offset=record.count * dimension * 4, shape=(record.count,))
    coarse, checked = None, None
    notes: tuple[str, ...] = ()
    if record.coarse is not None:
        try:
            checked = _checked(folder, record.coarse)
            coarse = Coarse.open(folder / checked.name)
        except (OSError, RuntimeError, DamagedFile) as error:
            checked = record.coarse
            notes = (
                f"The quick search index could not be used ({error}); searching by meaning is slower until it is made anew.",
            )
    return Base(BaseRecord(record.count, rows, checked), np.array(ids), np.asarray(array), coarse, notes)


def _checked(folder: Path, record: FileRecord) -> FileRecord:
    """The record, with the time of the file as it is now.

    Raises:
        DamagedFile: it is gone or has another content.
    """
    try:
        state = (folder / record.name).stat()
        if state.st_size != record.size:
            raise DamagedFile("its size has changed")
        if state.st_mtime_ns == record.time:
            return record
        if sha256_of(folder / record.name) != record.sha256:
            raise DamagedFile("its content has changed")
    except OSError as error:
        raise DamagedFile(error.strerror or str(error)) from error
    return FileRecord(record.name, record.size, record.sha256, state.st_mtime_ns)


def problem_of(folder: Path, record: BaseRecord) -> str:
    """One sentence on what is wrong with the files; empty when they are as they were written."""
    for file in (record.rows, record.coarse):
        if file is None:
            continue
        path = folder / file.name
        try:
            if path.stat().st_size != file.size or sha256_of(path) != file.sha256:
                return "The search index file has been changed since it was written."
        except FileNotFoundError:
            return "The search index file has been deleted."
        except OSError as error:
            return f"The search index file cannot be read: {error.strerror or error}."
    return ""


def write_base(
    folder: Path, ids: Ids, portions: Iterator[Array], dimension: int, flat_up_to: int, check: Callable[[], None]
) -> BaseRecord:
    """Write a sealed file of rows in the order of ``ids`` (ascending), and the quick index of it where there are more than
    ``flat_up_to``. ``check`` is called between portions and may raise; then no file is left."""
    import numpy as np

    folder.mkdir(parents=True, exist_ok=True)
    name = f"passages-{_number(folder)}"
    made: list[Path] = []
    try:
        path = folder / f"{name}.vectors"
        made.append(path)

        def pieces() -> Iterator[bytes]:
            for portion in portions:
                check()
                yield np.ascontiguousarray(portion, dtype=np.dtype("<f4")).tobytes()
            yield np.ascontiguousarray(ids, dtype=np.dtype("<i8")).tobytes()

        rows = _written(path, pieces())
        coarse = None
        if len(ids) > flat_up_to:
            check()
            array = np.memmap(path, dtype=np.dtype("<f4"), mode="r", shape=(len(ids), dimension))
            made.append(folder / f"{name}.coarse")
            coarse = _built(np.asarray(array), made[-1])
        check()
        return BaseRecord(len(ids), rows, coarse)
    except BaseException:
        for path in made:
            remove_file(path)
        raise


def _written(path: Path, pieces: Iterator[bytes]) -> FileRecord:
    hashed = hashlib.sha256()
    temporary = path.with_name(path.name + ".part")
    try:
        with temporary.open("wb") as stream:
            for piece in pieces:
                hashed.update(piece)
                stream.write(piece)
            _flush(stream)
        temporary.replace(path)
    except BaseException:
        remove_file(temporary)
        raise
    return FileRecord.of(path, hashed.hexdigest())


def _built(rows: Array, path: Path) -> FileRecord:
    temporary = path.with_name(path.name + ".part")
    try:
        Coarse.build(rows, temporary)
        with temporary.open("rb+") as stream:
            _flush(stream)
        temporary.replace(path)
    except BaseException:
        remove_file(temporary)
        raise
    return FileRecord.of(path, sha256_of(path))


def _flush(stream: BinaryIO) -> None:
    stream.flush()
    os.fsync(stream.fileno())


def _number(folder: Path) -> int:
    """One more than any file here has."""
    numbers = [0]
    for file in folder.glob("passages-*"):
        stem = file.name.removeprefix("passages-").split(".")[0]
        numbers.append(int(stem) if stem.isdecimal() else 0)
    return max(numbers) + 1


def remove_file(path: Path) -> None:
    """A file that is still mapped cannot be removed on some systems; then it goes when the library is opened next."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def remove_others(folder: Path, keep: set[str]) -> None:
    """Remove what other processes or sealed files before left behind."""
    for file in sorted(folder.glob("passages-*")):
        if file.name not in keep and file.suffix in _SUFFIXES:
            remove_file(file)
