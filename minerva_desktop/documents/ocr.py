"""Text recognition for pages without a text layer: the engine reads them with Tesseract's language data, when that is
installed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

SECONDS_PER_PAGE = 5.0
"""A generous estimate for a page of a journal at 200 dpi on one core, for telling a person how long it will take."""

_USUAL = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
    "/opt/local/share/tessdata",
)


def tessdata() -> Path | None:
    """The folder with Tesseract's language data; None when it is not installed."""
    named = os.environ.get("TESSDATA_PREFIX")
    program = shutil.which("tesseract")
    beside = [Path(program).resolve().parent / "tessdata"] if program else []
    homes = [os.environ.get(key) for key in ("ProgramFiles", "LOCALAPPDATA")]
    windows = [Path(home) / "Tesseract-OCR" / "tessdata" for home in homes if home]
    folders = [*([Path(named)] if named else []), *map(Path, _USUAL), *beside, *windows]
    return next((folder for folder in folders if any(folder.glob("*.traineddata"))), None)


def languages() -> tuple[str, ...]:
    """Codes of the languages that can be recognised ("eng", "deu"), sorted."""
    folder = tessdata()
    if folder is None:
        return ()
    return tuple(sorted(path.stem for path in folder.glob("*.traineddata") if path.stem != "osd"))


def usable(wanted: str) -> str:
    """Of languages such as "eng+deu" those that are installed; empty when none is."""
    have = languages()
    return "+".join(code for code in wanted.split("+") if code in have)


INSTALL = "install Tesseract (Debian, Ubuntu: sudo apt-get install tesseract-ocr)"
"""What to do where it is missing."""


def status() -> str:
    """One sentence: whether scans can be read here, and if not, what to install."""
    have = languages()
    if have:
        return f"Scans can be read by text recognition (Tesseract: {', '.join(have)})."
    return f"Scans cannot be read: {INSTALL}."
