"""The doctor on the machine: processor, disks, and where keys are kept."""

from __future__ import annotations

import os
import platform
import shutil
from pathlib import Path

from minerva_desktop.doctor.check import Check, check
from minerva_desktop.settings import cache_dir, config_dir
from minerva_desktop.settings.secrets import keeper

LITTLE = 500
"""Megabytes that should be free where the program writes."""


def processor() -> Check:
    """What computes. No part of the program has a way to use a GPU, so none is looked for."""
    cores = os.cpu_count() or 1
    many = f"{cores} cores" if cores > 1 else "one core"
    return check(
        "processor", True, False, f"{_processor_name()}, {many}. CPU only: no GPU is used, and none is needed."
    )


def _processor_name() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    except OSError:
        pass
    return platform.processor() or platform.machine() or "Processor unknown"


def disks(library: Path) -> Check:
    """Room for library, settings and caches, and whether they may be written to."""
    said, short, shut = [], [], []
    for name, folder in (("library", library), ("settings", config_dir()), ("caches", cache_dir())):
        there = next(item for item in (folder, *folder.absolute().parents) if item.is_dir())
        free = shutil.disk_usage(there).free
        said.append(f"{name} {free / 2**30:.1f} GB free ({folder})")
        if free < LITTLE * 2**20:
            short.append(name)
        if not os.access(there, os.W_OK):
            shut.append(name)
    advice = f"Make room on the disk of: {', '.join(short)}. " if short else ""
    advice += f"Allow this program to write where these are kept: {', '.join(shut)}." if shut else ""
    return check("disk space", not short and not shut, False, f"{'; '.join(said)}.", advice.strip())


def keys() -> Check:
    """Where keys of services are kept."""
    name, keeps = keeper()
    if keeps:
        return check("keyring", True, False, f"Keys are kept in the keyring of your system ({name}).")
    return check(
        "keyring",
        False,
        False,
        f"Your system has no keyring that answers ({name}): keys live only until the program ends.",
        "Needed only for keys of online services; on Debian and Ubuntu: sudo apt-get install gnome-keyring",
    )
