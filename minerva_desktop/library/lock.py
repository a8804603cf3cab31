"""One process for one library: a lock of the operating system, which ends with the process however that ends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from minerva_desktop.errors import LibraryBusy, MinervaError

if TYPE_CHECKING:
    from filelock import BaseFileLock


class LibraryLock:
    """Held from construction until :meth:`release`.

    Raises:
        LibraryBusy: another process (or another window of this one) has the library open.
    """

    def __init__(self, folder: Path) -> None:
        # Imported here: it costs a tenth of a second, and only opening a library needs it.
        from filelock import FileLock, Timeout

        path = folder / "lock"
        # No marker file on disks without locks: it would outlive a killed process and shut the library for good.
        self._lock: BaseFileLock = FileLock(path, timeout=0, thread_local=False, fallback_to_soft=False)
        try:
            self._lock.acquire()
        except Timeout as error:
            raise LibraryBusy(
                f"The library {folder} is open in another window.",
                hint="Close it there first; only one program at a time may change a library.",
            ) from error
        except OSError as error:
            raise MinervaError(
                f"The library {folder} cannot be locked: {error}.",
                hint="Keep the library on a disk of this computer, in a folder that may be written to.",
                code="lock",
            ) from error

    def release(self) -> None:
        self._lock.release()
