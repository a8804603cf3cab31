"""The frozen program starts itself where a checkout starts ``python -m``."""

from __future__ import annotations

import sys

import pytest

from minerva_desktop.bench import _children
from minerva_desktop.cli import main


def test_the_command_of_a_checkout_and_of_the_frozen_program(monkeypatch: pytest.MonkeyPatch) -> None:
    module = "minerva_desktop.bench._first_paint"
    assert _children.command(module, "folder") == [sys.executable, "-m", module, "folder"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert _children.command(module, "folder") == [sys.executable, "--child", module, "folder"]


def test_nothing_else_can_be_started_so(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["os"], ["minerva_desktop.cli"]):
        assert main(["--child", *words]) == 2
        assert "own use" in capsys.readouterr().err
