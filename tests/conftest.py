"""Shared fixtures. Every test has its own folders; nothing touches the person's own settings or library."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings and caches in a scratch folder, no test sees another's."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("MINERVA_CONFIG_DIR", str(folder / "config"))
    monkeypatch.setenv("MINERVA_CACHE_DIR", str(folder / "cache"))
    return folder


@pytest.fixture
def sample_folder() -> Path:
    return ROOT / "resources" / "sample"
