"""Where the files in ``resources/`` are: in a checkout, in an installed wheel and in the frozen binary alike."""

from __future__ import annotations

import sys
from pathlib import Path


def resource_path(*parts: str) -> Path:
    """The path of a file or folder below ``resources/``. It is not checked that it exists."""
    return _root().joinpath(*parts)


def _root() -> Path:
    frozen = getattr(sys, "_MEIPASS", None)  # set by PyInstaller
    if frozen:
        return Path(frozen) / "resources"
    package = Path(__file__).resolve().parent
    installed = package / "_resources"
    return installed if installed.is_dir() else package.parent / "resources"


def checkout_path(*parts: str) -> Path | None:
    """A path in the checkout that the program runs from; None for an installed wheel and the frozen binary."""
    if getattr(sys, "_MEIPASS", None):
        return None
    package = Path(__file__).resolve().parent
    if (package / "_resources").is_dir() or not (package.parent / "pyproject.toml").is_file():
        return None
    return package.parent.joinpath(*parts)
