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


def run(name: str, data: Path | None, **told: Any) -> dict[str, Any]:
    """Run one benchmark; ``told``: what it shall take, where it can be told (how many sentences, which questions, …).

    Raises:
        UsageError: there is no such benchmark, it needs data that is not there, or it cannot be told that size.
    """
    if name not in names():
        raise UsageError(f"There is no benchmark “{name}”.", hint=f"Benchmarks: {', '.join(names())}.")
    if data is not None and not data.is_dir():
        raise UsageError(f"There is no folder {data} to measure on.")
    module = importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
    options = {key: value for key, value in told.items() if value is not None}
    for key, value in options.items():
        small = isinstance(value, int) and value < (key != "kills")
        if key not in inspect.signature(module.run).parameters or small:
            raise UsageError(
                f"The benchmark {name} cannot take {value} {key}.",
                hint="extract-speed can be told sentences, graph relations and kills, ask a set, a library, a split and a curve, "
                "ask-latency sizes, a plot and a library, smoke a folder and a place for pictures.",
            )
    result: dict[str, Any] = module.run(data, **options)
    return result


def describe(result: dict[str, Any]) -> str:
    """What a benchmark says of its result in words; "" for those that have figures alone."""
    module = importlib.import_module(f"{__name__}.{str(result['name']).replace('-', '_')}")
    return str(module.describe(result)) if hasattr(module, "describe") else ""


def need(data: Path | None, *parts: str) -> Path:
    """The folder ``data/parts``, or a sentence that says what is missing."""
    folder = data.joinpath(*parts) if data is not None else None
    if folder is None or not folder.exists():
        raise UsageError(f"This benchmark needs the folder {'/'.join(parts)}.", hint="Name its parent with --data DIR.")
    return folder
