"""Takes debugging symbols out of the bundled libraries: ``python packaging/strip_libraries.py FOLDER``.

Many wheels carry them. Libraries in ``*.libs`` folders were moved about in their file by the tool that made the wheel, and
``strip`` breaks some of those, so they stay as they are.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ELF = b"\x7fELF"


def main(folder: Path) -> int:
    before = after = 0
    for path in sorted(folder.rglob("*.so*")):
        if path.is_symlink() or not path.is_file() or any(part.endswith(".libs") for part in path.parts):
            continue
        with path.open("rb") as stream:
            if stream.read(4) != ELF:
                continue
        old = path.stat().st_size
        before += old
        after += _stripped(path, old)
    print(f"Libraries: {before / 1e6:.0f} MB, without debugging symbols {after / 1e6:.0f} MB")
    return 0


def _stripped(path: Path, old: int) -> int:
    """Strip one library in place, if it becomes smaller and stays a library; returns its size."""
    trial = path.with_name(path.name + ".stripped")
    done = subprocess.run(["strip", "--strip-unneeded", "-o", str(trial), str(path)], capture_output=True, check=False)
    if done.returncode or not trial.exists() or trial.stat().st_size >= old:
        trial.unlink(missing_ok=True)
        return old
    shutil.copymode(path, trial)
    trial.replace(path)
    return path.stat().st_size


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
