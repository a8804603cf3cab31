"""Shared fixtures. Every test has its own folders; nothing touches the person's own settings or library."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest

from minerva_desktop.settings import secrets
from tests.keyring_support import Chest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Nobody's own keyring is touched, also not by the programs that tests start.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings and caches in a scratch folder, no test sees another's."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("MINERVA_CONFIG_DIR", str(folder / "config"))
    monkeypatch.setenv("MINERVA_CACHE_DIR", str(folder / "cache"))
    monkeypatch.delenv("MINERVA_OPENAI_KEY", raising=False)
    monkeypatch.delenv("MINERVA_OPENAI_BASE_URL", raising=False)
    monkeypatch.setattr(secrets, "_in_memory", {})
    monkeypatch.setattr(secrets, "_complaints", {})
    return folder


@pytest.fixture
def chest() -> Iterator[Chest]:
    """The system's keyring for a test: one in memory."""
    before = keyring.get_keyring()
    made = Chest()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


@pytest.fixture
def sample_folder() -> Path:
    return ROOT / "resources" / "sample"
