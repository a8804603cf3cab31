"""A window that cannot be opened: one sentence and what to do, never a message of Qt's or a crash."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from minerva_desktop import display

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only there the system may lack what Qt needs")


def start(tmp_path: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The program started in a process of its own, without a display but for what is given."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    kept.pop("QT_QPA_PLATFORM", None)
    kept |= {"HOME": str(tmp_path), "MINERVA_CONFIG_DIR": str(tmp_path / "config"), **environment}
    return subprocess.run(
        [sys.executable, "-m", "minerva_desktop", "--library", str(tmp_path / "library"), *arguments],
        env=kept,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("arguments", [(), ("open", "paper.pdf")])
def test_without_a_display_a_start_ends_in_one_sentence(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = start(tmp_path, *arguments)
    assert done.returncode == 1
    assert done.stderr.startswith("minerva-desktop: There is no display to open the window on")
    assert "Every command works without the window" in done.stderr
    assert "plugin" not in done.stderr
    assert not (tmp_path / "library").exists()


def test_a_display_that_does_not_answer_is_named(tmp_path: Path) -> None:
    if display.missing(display.X_WINDOW):
        pytest.skip("Qt's libraries for X are not installed here")
    done = start(tmp_path, DISPLAY=":987")
    assert done.returncode == 1
    assert "the display “:987” does not answer" in done.stderr
    assert "Aborted" not in done.stderr


def test_the_doctor_says_so_too_and_goes_on(tmp_path: Path) -> None:
    done = start(tmp_path, "--offline", "doctor")
    assert done.returncode == 0
    assert "There is no display to open the window on" in done.stdout


def test_missing_libraries_are_named_with_the_packages_to_install() -> None:
    lacking = display.missing({"libminerva-nowhere.so.7": "libnowhere7", "libc.so.6": "libc6"})
    assert lacking == {"libminerva-nowhere.so.7": "libnowhere7"}
    error = display.lacks(lacking)
    assert "libminerva-nowhere.so.7" in error.message
    assert "sudo apt-get install libnowhere7." in error.hint


def test_programs_of_the_system_do_not_load_what_travels_with_the_download(monkeypatch: pytest.MonkeyPatch) -> None:
    def seen() -> str:
        return subprocess.run(
            ["sh", "-c", 'echo "${LD_LIBRARY_PATH-none}"'], capture_output=True, text=True, check=True
        ).stdout.strip()

    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/program")
    monkeypatch.delenv("LD_LIBRARY_PATH_ORIG", raising=False)
    with display.own_libraries():
        assert seen() == "none"
    assert seen() == "/opt/program"
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/usr/local/lib")
    with display.own_libraries():
        assert seen() == "/usr/local/lib"
    assert seen() == "/opt/program"
