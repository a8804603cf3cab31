"""Which rules a job read with: hashes over the parts of the program that find and check facts.

The version alone would not tell two states of the program apart between releases.
"""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import pkgutil
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from minerva_desktop.assets import resource_path

_PARTS = {
    "reader": ("minerva_desktop.documents",),
    "rules": ("minerva_desktop.language", "minerva_desktop.extraction", "minerva_desktop.checks"),
}
_RESOURCES = {"rules": ("language",)}


@lru_cache(maxsize=1)
def editions() -> dict[str, str]:
    """The sha256 of what reads files ("reader") and of what finds and checks facts ("rules"), hex."""
    return {part: _digest(packages, _RESOURCES.get(part, ())) for part, packages in _PARTS.items()}


def _digest(packages: tuple[str, ...], folders: tuple[str, ...]) -> str:
    found = hashlib.sha256()
    for package in packages:
        for name, content in sorted(_modules(package)):
            found.update(f"{name} {len(content)}\n".encode() + content)
    for folder in folders:
        for path in sorted(Path(resource_path(folder)).rglob("*.toml")):
            found.update(f"{folder}/{path.name}\n".encode() + path.read_bytes())
    return found.hexdigest()


def _modules(name: str) -> Iterator[tuple[str, bytes]]:
    """Every module under a package with its source, or its code where a frozen program has no source."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.loader is None:
        return
    loader: Any = spec.loader
    source = loader.get_source(name)
    yield name, source.encode() if source is not None else marshal.dumps(loader.get_code(name))
    for item in pkgutil.iter_modules(spec.submodule_search_locations or ()):
        yield from _modules(f"{name}.{item.name}")
