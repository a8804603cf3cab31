"""Benchmarks that measure a process start one of their own. In the frozen program there is no ``python -m``: it starts itself."""

from __future__ import annotations

import importlib
import sys

from minerva_desktop.errors import UsageError

FLAG = "--child"
MODULES = (
    "minerva_desktop.bench._first_paint",
    "minerva_desktop.bench._model_server",
    "minerva_desktop.ui.review_drive",
)


def command(module: str, *words: str) -> list[str]:
    """The command line that runs one of :data:`MODULES` in a process of its own."""
    if getattr(sys, "frozen", False):
        return [sys.executable, FLAG, module, *words]
    return [sys.executable, "-m", module, *words]


def run(words: list[str]) -> int:
    """What the frozen program does with that command line.

    Raises:
        UsageError: it is none of them.
    """
    if not words or words[0] not in MODULES:
        raise UsageError(f"{FLAG} is for the program's own use.")
    sys.argv = words
    return int(importlib.import_module(words[0]).main())
