"""The one file for Linux, made from a program that only says its name: unpacking, the menu, versions, and taking it away."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from minerva_desktop.assets import resource_path

ROOT = Path(__file__).resolve().parent.parent
MADE_WITH = ("bash", "tar", "gzip", "sha256sum")
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not all(map(shutil.which, MADE_WITH)), reason="made on Linux, for Linux"
)
Make = Callable[[str], Path]


@pytest.fixture
def make_run(tmp_path: Path) -> Make:
    icons = tmp_path / "icons"
    icons.mkdir()
    for size in (16, 24, 32, 48, 64, 128, 256, 512):
        shutil.copy(resource_path("icon", "minerva-desktop.svg"), icons / f"minerva-desktop-{size}.png")

    def make(version: str) -> Path:
        folder = tmp_path / f"program-{version}"
        folder.mkdir()
        (folder / "minerva-desktop").write_text(f'#!/bin/sh\necho "program {version}: $*"\n', encoding="utf-8")
        (folder / "minerva-desktop").chmod(0o755)
        made = tmp_path / f"{version}.run"
        script = ROOT / "packaging" / "linux" / "make_run"
        subprocess.run(["bash", script, folder, icons, version, made], check=True)
        return made

    return make


def call(run: Path, home: Path, *arguments: str) -> str:
    home.mkdir(exist_ok=True)
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    done = subprocess.run(["sh", run, *arguments], env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def entry(home: Path) -> dict[str, str]:
    text = (home / ".local/share/applications/minerva-desktop.desktop").read_text(encoding="utf-8")
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


def test_it_unpacks_once_and_hands_on_what_it_is_given(make_run: Make, tmp_path: Path) -> None:
    run, home = make_run("1.0"), tmp_path / "person"
    assert call(run, home, "ask", "a question") == "program 1.0: ask a question\n"
    (version,) = (home / ".local/share/minerva-desktop/program").iterdir()
    before = version.stat().st_mtime_ns
    assert call(run, home, "--version") == "program 1.0: --version\n"
    assert version.stat().st_mtime_ns == before
    assert not (home / ".local/share/applications").exists()


def test_the_entry_in_the_menu_is_quoted_only_where_it_must_be(make_run: Make, tmp_path: Path) -> None:
    """xdg-open takes quotes for a part of the program's name; a space needs them."""
    run = make_run("1.0")
    for name, quote in (("person", ""), ("a person", '"')):
        home = tmp_path / name
        call(run, home, "--install")
        program = f"{call(run, home, '--where').strip()}/minerva-desktop/minerva-desktop"
        assert entry(home)["Exec"] == f"{quote}{program}{quote} open %F"
        assert entry(home)["TryExec"] == program
        assert (home / ".local/bin/minerva-desktop").resolve() == Path(program).resolve()


def test_another_version_takes_the_place_of_the_one_before_unless_that_runs(make_run: Make, tmp_path: Path) -> None:
    home = tmp_path / "person"
    first, second, third = make_run("1.0"), make_run("2.0"), make_run("3.0")
    call(first, home, "--install")
    call(second, home, "--version")  # trying it takes nothing away
    assert Path(call(first, home, "--where").strip()).is_dir()
    running = Path(call(second, home, "--where").strip()) / "minerva-desktop" / "running"
    shutil.copy(shutil.which("sleep") or "sleep", running)
    with subprocess.Popen([running, "60"]) as process:
        call(third, home, "--install")
        process.kill()
    assert not Path(call(first, home, "--where").strip()).exists()
    assert Path(call(second, home, "--where").strip()).is_dir()
    assert "/3.0-" in entry(home)["Exec"]
    call(third, home, "--install")
    assert not Path(call(second, home, "--where").strip()).exists()


def test_taken_away_it_leaves_nothing_of_its_own(make_run: Make, tmp_path: Path) -> None:
    run, home = make_run("1.0"), tmp_path / "person"
    call(run, home, "--install")
    call(run, home, "--uninstall")
    assert not list(home.rglob("*minerva*"))
