"""What is shipped beside the code: scripts, pins, licence, documents, and the text that must not be in any of them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import minerva_desktop
from minerva_desktop import display

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = (
    "packaging/demo",
    "packaging/test",
    "packaging/build",
    "packaging/smoke_test",
    "packaging/linux/make_deb",
    "packaging/linux/make_run",
    "packaging/linux/try_in_debian",
    ".ci/run",
)


def pins() -> dict[str, str]:
    lines = (ROOT / "packaging" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {folded(name): version for name, version in pairs}


def folded(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    found = [*project["build-system"]["requires"], *project["project"]["dependencies"], *extras["test"], *extras["dev"]]
    return [item for item in found if not item.startswith("minerva-desktop")]


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_can_be_run_and_are_well_formed(script: str) -> None:
    path = ROOT / script
    assert os.access(path, os.X_OK)
    assert path.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash\n")
    assert subprocess.run(["bash", "-n", path], check=False).returncode == 0


def test_every_dependency_is_pinned_exactly() -> None:
    pinned = pins()
    for requirement in requirements():
        name = folded(re.split(r"[^A-Za-z0-9._-]", requirement)[0])
        assert name in pinned, f"{name} has no pin"
        exact = re.search(r"==(.+)$", requirement)
        if exact:
            assert pinned[name] == exact.group(1)
    assert all(re.fullmatch(r"[0-9][0-9A-Za-z.+!]*", version) for version in pinned.values())


def test_setting_up_twice_installs_once(tmp_path: Path) -> None:
    """A stand-in for the environment's Python counts how often pip is asked to install."""
    log = tmp_path / "log"
    python = tmp_path / "venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\necho "$@ $PIP_CONSTRAINT" >>"{log}"\n', encoding="utf-8")
    python.chmod(0o755)
    script = f'source "{ROOT}/packaging/common.sh"; environment ""; environment ""; environment dev'
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        env={**os.environ, "MINERVA_VENV": str(tmp_path / "venv")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    installs = [line for line in log.read_text(encoding="utf-8").splitlines() if " install " in line]
    assert len(installs) == 2
    assert all(line.endswith("packaging/constraints.txt") for line in installs)
    assert "[dev]" in installs[1]


def test_missing_system_packages_are_named_where_they_may_not_be_installed(tmp_path: Path) -> None:
    for name, body in (("dpkg-query", "exit 1"), ("id", "echo 1000"), ("sudo", "exit 1")):
        tool = tmp_path / name
        tool.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        tool.chmod(0o755)
    script = f'source "{ROOT}/packaging/common.sh"; system_packages libegl1 libxcb-cursor0; echo went on'
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "went on\n"
    assert "sudo apt-get install libegl1 libxcb-cursor0" in done.stderr


def in_shell(script: str, path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs lines with the shared functions at hand, and the programs in ``path`` in place of the system's."""
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f'source "{ROOT}/packaging/common.sh"\n{script}'],
        env={**os.environ, "PATH": f"{path}{os.pathsep}{os.environ['PATH']}", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def stand_in(folder: Path, name: str, body: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


def test_a_library_that_was_renamed_for_64_bit_times_is_not_missed(tmp_path: Path) -> None:
    """As on Debian 13 and Ubuntu 24.04: dpkg-query prints what it knows and fails for what it does not."""
    stand_in(tmp_path, "dpkg-query", 'case "$*" in *libglib2.0-0t64*) echo "install ok installed";; esac; exit 1')
    stand_in(tmp_path, "id", "echo 1000")
    stand_in(tmp_path, "sudo", "exit 1")
    done = in_shell("system_packages libglib2.0-0 libegl1", tmp_path)
    assert done.stderr.rstrip().endswith("sudo apt-get install libegl1")


def test_what_python_needs_is_asked_for_together_with_the_rest(tmp_path: Path) -> None:
    without = {"MINERVA_VENV": str(tmp_path / "none")}
    for name in ("python3.11", "python3.12", "python3.13", "python3"):
        stand_in(tmp_path, name, "exit 1")
    assert in_shell("python_packages", tmp_path, **without).stdout.split() == ["python3", "python3-venv"]
    stand_in(tmp_path, "python3.11", 'case "$*" in *ensurepip*) exit 1;; esac')
    assert in_shell("python_packages", tmp_path, **without).stdout.split() == ["python3.11-venv"]
    stand_in(tmp_path, "python3.11", "exit 0")
    assert in_shell("python_packages", tmp_path, **without).stdout == ""
    for script in ("demo", "test", "build"):
        text = (ROOT / "packaging" / script).read_text(encoding="utf-8")
        assert re.search(r"^system_packages \$qt_packages .*\$\(python_packages\)$", text, re.MULTILINE)


def test_dependencies_that_cannot_be_fetched_end_in_one_sentence(tmp_path: Path) -> None:
    python = tmp_path / "venv" / "bin"
    python.mkdir(parents=True)
    stand_in(python, "python", 'case "$*" in *" install "*) echo no connection >&2; exit 1;; esac')
    for call in ('environment ""', "installed"):
        done = in_shell(f'venv="{tmp_path}/venv"; {call}; echo went on', tmp_path)
        assert done.returncode == 1
        assert done.stdout == ""
        assert "The dependencies could not be installed" in done.stderr


def test_a_person_is_told_of_the_packages_that_the_scripts_install(tmp_path: Path) -> None:
    listed = in_shell("echo $qt_packages", tmp_path).stdout.split()
    told = {**display.ANY_WINDOW, **display.X_WINDOW, **display.WAYLAND_WINDOW}
    assert listed == list(told.values())
    assert "$qt_packages" in (ROOT / "packaging" / "linux" / "make_deb").read_text(encoding="utf-8")


@pytest.mark.parametrize(("demo", "audit", "code"), [(0, 0, 0), (0, 1, 1), (1, 0, 1)])
def test_a_sample_library_that_is_not_in_order_stops_the_build(
    tmp_path: Path, demo: int, audit: int, code: int
) -> None:
    program = tmp_path / "program"
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *demo*) exit {demo};; *"audit --strict"*) exit {audit};; esac; exit 9\n'
    )
    program.chmod(0o755)
    script = f'source "{ROOT}/packaging/common.sh"; audited_demo "{program}"; echo went on'
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert (done.stdout == "went on\n") is (code == 0)
    assert ("is not in order" in done.stderr) is (code == 1)
    for name in ("test", "build"):
        assert re.search(
            r"^[^#]*audit(ed_demo| --strict|.* --strict)", (ROOT / "packaging" / name).read_text(), re.MULTILINE
        )


def test_the_licence_is_the_whole_agpl_3() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "GNU AFFERO GENERAL PUBLIC LICENSE" in text
    assert "Version 3, 19 November 2007" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert [number for number in range(18) if f"\n  {number}. " not in text] == []


def test_links_and_names_in_the_documents_lead_somewhere() -> None:
    for name in ("README.md", "docs/architecture.md", "docs/decisions.md", "CHANGELOG.md"):
        page = ROOT / name
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (page.parent / target).exists() or target.endswith("screenshot.png"), f"{name}: {target}"
        for target in re.findall(r"`\./(packaging/\w+)`|^\./(packaging/\w+)$", text, re.MULTILINE):
            assert (ROOT / "".join(target)).exists(), f"{name}: {target}"


def test_the_map_names_every_part_and_no_other() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    named = {name.rstrip("/") for row in rows for name in re.findall(r"`([^`]+)`", row)}
    package = ROOT / "minerva_desktop"
    parts = {path.name for path in package.iterdir() if not path.name.startswith("_")}
    assert named == parts


def test_the_version_is_a_version() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", minerva_desktop.__version__)


def test_no_file_names_a_package_registry_or_somebodys_machine() -> None:
    words = ("pypi" + ".org", "python" + "hosted", "npm" + "js", "/ro" + "ot/", "/wo" + "rk/", "/ho" + "me/")
    git = shutil.which("git")
    listed = git and subprocess.run([git, "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if not listed or listed.returncode:
        pytest.skip("only a checkout, and git, tell which files belong to the project")
    for name in listed.stdout.decode().split("\0"):
        path = ROOT / name
        if not name or path.suffix in {".pdf", ".png"} or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        assert not [word for word in words if word in text], name
