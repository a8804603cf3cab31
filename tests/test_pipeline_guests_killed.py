"""A job with a model that is killed outright: it is taken up with nothing lost, and no question is paid for twice."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.settings import config_dir
from minerva_desktop.workbench import Workbench
from tests.guest_support import NB3SN_FACT, export_of, facts, guest_settings, reading, save
from tests.model_server import ModelServer, Reply, Request, json_reply
from tests.test_pipeline import notes

COUNT = 12
_SLOW = 0.15


def slowly(request: Request) -> Reply:
    made = reading(extraction=facts(NB3SN_FACT))(request)
    return json_reply(made, delay=_SLOW)


def command(library: Path, *words: str) -> subprocess.Popen[str]:
    """The program itself, in a process of its own, with the settings of the test."""
    arguments = [sys.executable, "-m", "minerva_desktop", "--library", str(library), "--json", *words]
    environment = {**os.environ, "MINERVA_CONFIG_DIR": str(config_dir())}
    return subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def result(process: subprocess.Popen[str]) -> tuple[int, Any]:
    out, error = process.communicate(timeout=300)
    assert out, error
    return process.returncode, json.loads(out)


def finished(library: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{library / 'library.sqlite'}?mode=ro", uri=True)) as db:
            return int(db.execute("SELECT count(*) FROM job_items WHERE status <> 'pending'").fetchone()[0])
    except sqlite3.Error:
        return 0


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill a process outright")
def test_a_killed_job_is_taken_up_and_asks_nothing_twice(tmp_path: Path) -> None:
    library = tmp_path / "library"
    papers = [str(path) for path in notes(tmp_path / "papers", COUNT)]
    with ModelServer(slowly) as server:
        settings = save(guest_settings(server))
        process = command(library, "ingest", *papers)
        limit = time.monotonic() + 120
        while finished(library) < 3 and process.poll() is None and time.monotonic() < limit:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        killed = time.monotonic()
        process.communicate()
        done = finished(library)
        assert 3 <= done < COUNT
        code, jobs = result(command(library, "jobs", "list"))
        assert [(job["kind"], job["status"]) for job in jobs] == [("ingest", "interrupted")]
        code, report = result(command(library, "jobs", "resume", jobs[0]["id"]))
        assert code == 0
        assert len(report["papers"]) == COUNT - done
        assert report["summary"]["engine"] == "model"
        # What was under way at the kill had no answer yet; everything else was asked once.
        asked = Counter(json.dumps(request.body, sort_keys=True) for request in server.requests)
        under_way = {
            json.dumps(request.body, sort_keys=True)
            for request in server.requests
            if killed - 3 * _SLOW < request.at <= killed
        }
        assert {body for body, count in asked.items() if count > 1} <= under_way
        assert result(command(library, "audit"))[1]["ok"]
        with Workbench(library, settings) as bench:
            assert len(bench.papers()) == COUNT
            resumed = export_of(bench, tmp_path)
        with Workbench(tmp_path / "whole", settings) as bench:
            bench.ingest([Path(path) for path in papers])
            assert export_of(bench, tmp_path) == resumed
