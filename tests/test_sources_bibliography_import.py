"""“import FILE” on the command line: real processes, real files."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from minerva_desktop.workbench import sample_papers


def minerva(*words: str | Path, code: int = 0) -> Any:
    command = [sys.executable, "-m", "minerva_desktop", "--json", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == code, f"exit {done.returncode}: {done.stdout[-800:]} {done.stderr[-2000:]}"
    return json.loads(done.stdout)


def bibliography(folder: Path) -> Path:
    (folder / "files" / "1").mkdir(parents=True)
    shutil.copy(sample_papers()[0], folder / "files" / "1" / "sample.pdf")
    path = folder / "my.bib"
    path.write_text(
        r"""@article{with, title={With a file}, author={Byron, Ada}, year=2001, file={PDF:files/1/sample.pdf:application/pdf}}
@article{without, title={Without a file}}
@article{gone, title={Gone}, file={:nowhere/gone.pdf:PDF}}
@article{broken, title={Broken""",
        encoding="utf-8",
    )
    return path


def test_dry_run_shows_everything_and_makes_no_library(tmp_path: Path) -> None:
    path, library = bibliography(tmp_path), tmp_path / "library"
    shown = minerva("--library", library, "import", path, "--dry-run")
    assert set(shown) >= {"kind", "records", "refused", "files", "missing_files"}
    assert (shown["kind"], shown["files"]) == ("bibtex", 1)
    assert [record["title"] for record in shown["records"]] == ["With a file", "Without a file", "Gone"]
    assert shown["missing_files"] == [{"record": "gone", "path": "nowhere/gone.pdf"}]
    assert shown["refused"][0]["what"] == "line 4: article “broken”"
    assert not library.exists()


def test_the_attached_files_are_read_as_papers(tmp_path: Path) -> None:
    path, library = bibliography(tmp_path), tmp_path / "library"
    report = minerva("--library", library, "import", path, code=3)  # one entry and one file could not be brought
    assert [paper["status"] for paper in report["papers"]] == ["ok"]
    assert report["import"]["without_file"] == 2
    assert len(minerva("--library", library, "papers")) == 1


def test_what_is_no_bibliography_is_an_error_with_a_hint(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Just some prose.")
    error = minerva("import", path, "--dry-run", code=1)["error"]
    assert error["code"] == "not-a-bibliography"
    assert "RIS" in error["hint"]
    assert minerva("import", tmp_path / "none.bib", code=1)["error"]["code"] == "not-found"
