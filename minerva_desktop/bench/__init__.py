"""The measurements. Each module has ``run(data)`` and returns ``{"name", "n", "seconds", "figures"}``."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from pathlib import Path
from typing import Any

from minerva_desktop.errors import UsageError


def names() -> list[str]:
    """The benchmarks there are, as the command line spells them."""
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name.replace("_", "-") for name in found if not name.startswith("_"))


def run(name: str, data: Path | None, **sizes: int | None) -> dict[str, Any]:
    """Run one benchmark; ``sizes`` are how many sentences, relations, … it shall take, where it can be told.

    Raises:
        UsageError: there is no such benchmark, it needs data that is not there, or it cannot be told that size.
    """
    if name not in names():
        raise UsageError(f"There is no benchmark “{name}”.", hint=f"Benchmarks: {', '.join(names())}.")
    if data is not None and not data.is_dir():
        raise UsageError(f"There is no folder {data} to measure on.")
    module = importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
    options = {size: number for size, number in sizes.items() if number is not None}
    for size, number in options.items():
        if size not in inspect.signature(module.run).parameters or number < (size != "kills"):
            raise UsageError(
                f"The benchmark {name} cannot take {number} {size}.",
                hint="extract-speed can be told sentences, graph relations and kills.",
            )
    result: dict[str, Any] = module.run(data, **options)
    return result


def need(data: Path | None, *parts: str) -> Path:
    """The folder ``data/parts``, or a sentence that says what is missing."""
    folder = data.joinpath(*parts) if data is not None else None
    if folder is None or not folder.exists():
        raise UsageError(f"This benchmark needs the folder {'/'.join(parts)}.", hint="Name its parent with --data DIR.")
    return folder
