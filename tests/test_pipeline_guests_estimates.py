"""Papers read with a language model: what it would take is said before, and the commands estimate, stop and go on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.events import Progress
from minerva_desktop.workbench import Workbench, sample_papers
from tests.guest_support import (
    guest_settings,
    reading,
    roles_asked,
    save,
)
from tests.model_server import ModelServer, Request, wrong_key
from tests.test_pipeline import notes
from tests.test_pipeline_guests import HONEST


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(HONEST) as running:
        yield running


# ---------------------------------------------------------------------------------------------------------- estimates
def test_an_estimate_sends_nothing_and_comes_near(server: ModelServer, tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", guest_settings(server)) as bench:
        estimate = bench.estimate_ingest(sample_papers())
        assert server.seen == []
        assert bench.papers() == []
        assert bench.jobs() == []
        assert estimate.papers == 3
        assert {line[:2] for line in estimate.by_role} == {("extraction", "test-model"), ("verification", "test-model")}
        assert estimate.dollars == pytest.approx(estimate.tokens_in * 1e-6 + estimate.tokens_out * 2e-6)
        steps: list[Progress] = []
        report = bench.ingest(sample_papers(), progress=steps.append)
        calls = {line[0]: line[2] for line in estimate.by_role}
        assert calls["extraction"] == roles_asked(server)["extraction"]
        assert 0.5 < estimate.tokens_in / report.summary["tokens_in"] < 2
        reads = [step.item for step in steps if step.stage == "read"]
        assert len(reads) == len(set(reads)) == 3  # read for the estimate, and not again
        assert bench.estimate_ingest(sample_papers()).papers == 0  # they are there now


def test_an_estimate_says_what_the_limits_would_end(server: ModelServer, tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", guest_settings(server, model_job_tokens=2_000)) as bench:
        warning = bench.estimate_ingest(sample_papers()).warning
        assert "over the limit of 2,000 tokens for one job" in warning
        assert "of 3 papers" in warning
        bench.settings.model_job_tokens = 0
        assert bench.estimate_ingest(sample_papers()).warning == ""
        bench.settings.model_month_dollars = 0.0001
        assert "this month" in bench.estimate_ingest(sample_papers()).warning


def test_many_papers_are_estimated_from_some(server: ModelServer, tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", guest_settings(server)) as bench:
        reads: list[str] = []
        estimate = bench.estimate_ingest(notes(tmp_path / "papers", 60), progress=lambda step: reads.append(step.item))
        assert estimate.papers == 60
        assert len(reads) == 12
        few = bench.estimate_ingest(notes(tmp_path / "papers", 6))
        assert estimate.calls == pytest.approx(few.calls * 10, rel=0.2)


def test_estimates_of_what_is_stored_and_of_what_is_not_fetched(server: ModelServer, tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", guest_settings(server)) as bench:
        assert "when they have been fetched" in bench.estimate_works(5).warning
        bench.ingest(sample_papers(), engine="builtin")
        stored = bench.estimate_reextract()
        assert stored.papers == 3
        assert stored.calls > 3
        assert bench.estimate_works(30).calls == pytest.approx(10 * stored.calls, rel=0.1)
        assert bench.estimate_reextract(engine="builtin").calls == 0
    assert server.seen == []


# ------------------------------------------------------------------------------------------------------- the commands
@pytest.fixture
def minerva(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., tuple[int, Any, str]]:
    """Run a command with --json: exit code, result, what was said on the side."""
    from minerva_desktop.cli import main

    def run(*words: str, json_too: bool = True) -> tuple[int, Any, str]:
        code = main([*(["--json"] if json_too else []), "--library", str(tmp_path / "cli"), *words])
        out, err = capsys.readouterr()
        return code, json.loads(out) if json_too else out, err

    return run


def test_the_commands_estimate_stop_and_go_on(
    minerva: Callable[..., tuple[int, Any, str]], server: ModelServer, tmp_path: Path
) -> None:
    save(guest_settings(server))
    files = [str(path) for path in sample_papers()]
    code, estimate, _ = minerva("ingest", "--estimate", *files)
    assert code == 0
    assert estimate["calls"] > 3
    assert not (tmp_path / "cli").exists()  # an estimate makes no library
    assert server.seen == []

    server.script = wrong_key()
    code, report, said = minerva("ingest", *files)
    assert code == 1
    assert report["papers"] == []
    assert report["stopped"]["code"] == "model-unauthorised"
    assert "A model reads along with 3 papers" in said

    code, report, said = minerva("jobs", "resume", report["job"], "--engine", "builtin")
    assert code == 0
    assert report["summary"]["done"] == 3
    assert report["summary"]["engine"] == "builtin"
    assert "model" not in said

    server.script = HONEST
    code, report, _ = minerva("reextract", "--engine", "model")
    assert code == 0
    assert report["summary"]["engine"] == "model"
    _, shown, _ = minerva("jobs", "show", report["job"], json_too=False)
    assert "Language models (here, 127.0.0.1" in shown
    assert f"They took {report['summary']['calls']} calls" in shown


def test_a_job_that_stopped_on_its_way_has_the_exit_code_of_a_part(
    minerva: Callable[..., tuple[int, Any, str]], tmp_path: Path
) -> None:
    first, second = notes(tmp_path / "papers", 2)

    def script(request: Request) -> Any:
        return HONEST(request) if "3.0 eV" in request.text else wrong_key()

    with ModelServer(script) as server:
        save(guest_settings(server))
        code, report, _ = minerva("ingest", str(first), str(second))
        assert code == 3
        assert [paper["status"] for paper in report["papers"]] == ["ok"]
        _, shown, _ = minerva("jobs", "list", json_too=False)
        assert "stopped" in shown


def test_described_pages_on_the_command_line(minerva: Callable[..., tuple[int, Any, str]], server: ModelServer) -> None:
    item = {"kind": "figure", "label": "Figure 1", "text": "Resistance against temperature."}
    server.script = reading(vision={"items": [item]})
    save(guest_settings(server))
    minerva("ingest", str(sample_papers()[0]), "--engine", "builtin")
    code, said, _ = minerva("describe", sample_papers()[0].name)
    assert code == 0
    assert [(text["page"], text["text"]) for text in said["texts"]] == [(2, item["text"])]
    _, shown, _ = minerva("describe", sample_papers()[0].name, "--pages", "1-2", json_too=False)
    assert "not the paper's words" in shown
    code, _, _ = minerva("describe", sample_papers()[0].name, "--pages", "x")
    assert code == 2
