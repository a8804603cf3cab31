"""What works on this machine and what is missing, each with what to do. For the command line and for the window."""

from __future__ import annotations

from pathlib import Path

from minerva_desktop.doctor.check import Check, as_text, impersonal, mark
from minerva_desktop.doctor.machine import disks, keys, processor
from minerva_desktop.doctor.parts import (
    domains,
    english_parser,
    installation,
    language_model,
    licences,
    programs,
    python,
    qt,
    scans,
    search_by_meaning,
)
from minerva_desktop.doctor.stores import library_folder, store
from minerva_desktop.settings import Settings

__all__ = ["Check", "as_text", "examine", "impersonal", "mark"]


def examine(library: Path, settings: Settings, *, offline: bool = False) -> list[Check]:
    """A list of ``{"name", "ok", "needed", "message", "advice"}``. Without ``offline`` the server of language models is
    looked for, when one is in use: a connection is opened to it and nothing is sent. Takes seconds with a large library.
    """
    return [
        *python(),
        installation(),
        *programs(),
        qt(),
        processor(),
        search_by_meaning(),
        english_parser(),
        domains(),
        library_folder(library),
        store(library),
        disks(library),
        scans(),
        keys(),
        language_model(settings, offline=offline),
        licences(),
    ]
