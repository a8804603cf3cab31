"""Which library the window opens next, and what is done there first."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person chose at the welcome. ``library``: their own; ``sample``: open the sample library first."""

    library: Path
    domain: str
    sample: bool = False
    textbooks: tuple[Path, ...] = ()
    models: bool = False


@dataclass(frozen=True, slots=True)
class Opening:
    """A library to open. ``own``: the person's own, where they go back to; ``textbooks`` are read, ``models`` shown."""

    library: Path
    own: Path
    textbooks: tuple[Path, ...] = ()
    models: bool = False
