"""The doctor on the library: where it is, whether it may be there, and how it does."""

from __future__ import annotations

import shutil
from pathlib import Path

from minerva_desktop.doctor.check import Check, check
from minerva_desktop.library import health
from minerva_desktop.workbench.places import look_at

LITTLE = 200
"""Megabytes that should be free on the disk of a library."""


def library_folder(library: Path) -> Check:
    """The folder of the library in use."""
    if not (library / health.CATALOG).exists():
        return check("library", True, False, f"None at {library} yet; the first paper makes it.")
    free = shutil.disk_usage(library).free // 2**20
    place = look_at(library)
    advice = "" if free > LITTLE else "Make room on this disk."
    return check(
        "library",
        free > LITTLE and place.level == "ok",
        False,
        f"{library}, {free} MB free on its disk." + ("" if place.level == "ok" else f" {place.message}"),
        advice,
    )


def store(library: Path) -> Check:
    """Whether record, graph and search index open and fit, at a quick look."""
    if not (library / health.CATALOG).exists():
        return check("store", True, False, "There is no library yet to look at.")
    found = health.look(library)
    if found.broken:
        return check("store", False, True, " ".join(found.broken), "“Check the Library” (“audit”) looks at everything.")
    counts = f"{found.papers} papers, {found.textbooks} textbooks, {found.facts} facts"
    said = " ".join(found.notes) or "Record, graph and search index are whole at a quick look."
    return check("store", True, False, f"{counts}. {said}")
