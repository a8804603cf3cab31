"""Fixtures of the tests of the window with a language model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from minerva_desktop.settings import profiles, save_settings
from minerva_desktop.ui.main_window import MainWindow
from tests.guest_window import NOTES, Open, open_window
from tests.model_server import MODEL, ModelServer


@pytest.fixture
def open_with(qtbot: QtBot, tmp_path: Path, quiet_qt: None) -> Iterator[Open]:
    """Opens the window with a profile for a server that is in use; None: without any."""
    with ExitStack() as opened:

        def make(
            server: ModelServer | None = None, *, name: str = "Here", key: str = "", **settings: Any
        ) -> MainWindow:
            save_settings({"embeddings": False, "model_tries": 1, "model_wait_seconds": 0.0, **settings})
            if server is not None:
                fields = {"base_url": server.base_url, "model": MODEL, "key": bool(key), "context": 8192}
                profiles.save_profile(name, fields)
                profiles.use_profile(name)
                if key:
                    profiles.keep_key(name, key)
            return opened.enter_context(open_window(tmp_path / "library", qtbot))

        yield make


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A short paper without pages."""
    made = tmp_path / "notes.md"
    made.write_text(NOTES, encoding="utf-8")
    return made
