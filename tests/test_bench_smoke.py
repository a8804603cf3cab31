"""The program drives its own window: in a process of its own, as a person would start it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from minerva_desktop.cli import main


def test_the_window_is_driven_from_the_first_start_to_the_end(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path / "home")}
    (tmp_path / "home").mkdir()
    words = ["--json", "bench", "smoke", "--folder", str(tmp_path / "run"), "--shots", str(tmp_path / "shots")]
    done = subprocess.run(
        [sys.executable, "-m", "minerva_desktop", *words],
        capture_output=True,
        text=True,
        env=environment,
        timeout=540,
        check=False,
    )
    figures = json.loads(done.stdout)["figures"]
    failed = [step for step in figures["steps"] if not step["ok"]]
    assert failed == []
    assert done.returncode == 0
    assert figures["ok"]
    seen = {step["name"]: step["seen"] for step in figures["steps"]}
    assert seen["sample library"].startswith("Minerva Sample Library")
    assert "1.42 eV" in seen["ask and open the citation"]
    assert figures["processes"]["most"] <= figures["processes"]["allowed"]
    assert figures["written_outside"] == figures["sockets"] == []
    assert [item for item in (tmp_path / "home").rglob("*") if item.is_file()] == []
    assert len(list((tmp_path / "shots").glob("*.png"))) >= 9
    libraries = sorted(item.name for item in (tmp_path / "run" / "home").iterdir())
    assert libraries == ["Minerva Sample Library", "My Library"]


def test_a_folder_that_is_not_empty_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "something").write_text("mine")
    assert main(["bench", "smoke", "--folder", str(tmp_path)]) == 1
    assert "not empty" in capsys.readouterr().err


def test_no_engine_reports_home(tmp_path: Path) -> None:
    """onnxruntime would keep a device id and reports in the cache folder, and send them."""
    code = (
        "from minerva_desktop.models.embedder import load_embedder; e = load_embedder(); "
        "assert e is not None; e.embed(['The band gap of GaN is 3.4 eV.'])"
    )
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "caches"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=120)
    assert [item for item in tmp_path.rglob("*") if item.is_file()] == []
