"""``ask --engine``: by whom an answer is worded, as a person and a script see it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.cli import main
from tests.model_server import ModelServer

PAPER = "# Notes\n\n## Results\n\nThe band gap of GaN is 3.4 eV at 300 K. GaN was grown by MOCVD. GaN is used in blue LEDs.\n"
GAP = "What is the band gap of GaN?"
STANDS = "GaN has a band gap of 3.4 eV at 300 K [1]. GaN is cheap [1]."
Minerva = Callable[..., Any]


@pytest.fixture
def minerva(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Minerva:
    """Run a command with --json on a library with one paper; its result, once its exit code was checked."""
    paper = tmp_path / "notes.md"
    paper.write_text(PAPER, encoding="utf-8")

    def run(*words: str, code: int = 0) -> Any:
        got = main(["--json", "--library", str(tmp_path / "library"), *words])
        shown = capsys.readouterr()
        assert got == code, f"exit {got}: {shown.out[-800:]} {shown.err[-800:]}"
        return json.loads(shown.out)

    run("ingest", str(paper))
    return run


def test_without_a_model_only_the_engine_model_is_refused(minerva: Minerva) -> None:
    plain = minerva("ask", GAP)
    assert (plain["engine"], plain["degraded"], plain["dropped"], plain["builtin"]) == ("builtin", False, [], [])
    assert minerva("ask", GAP, "--engine", "builtin") == plain
    both = minerva("ask", GAP, "--engine", "both")
    assert both["degraded"]
    assert both["sentences"] == plain["sentences"]
    refused = minerva("ask", GAP, "--engine", "model", code=2)["error"]
    assert refused["message"] == "There is no language model to ask."
    assert "models add" in refused["hint"]
    offline = minerva("--offline", "ask", GAP, "--engine", "model", code=2)["error"]
    assert "offline" in offline["message"]
    minerva("ask", GAP, "--engine", "oracle", code=2)


def test_with_a_model_in_use_it_words_the_answer(minerva: Minerva, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = minerva("ask", GAP)
    with ModelServer(STANDS, models=["gpt-4o-mini"]) as server:
        monkeypatch.setenv("MINERVA_OPENAI_BASE_URL", server.base_url)
        answer = minerva("ask", GAP)
        both = minerva("ask", GAP, "--engine", "both")
        asked = len(server.requests)
        builtin = minerva("ask", GAP, "--engine", "builtin")
        offline = minerva("--offline", "ask", GAP)
    assert answer["engine"] == "model:gpt-4o-mini"
    assert [item["text"] for item in answer["sentences"]] in (
        ["GaN has a band gap of 3.4 eV at 300 K."],
        ["GaN has a band gap of 3.4 eV at 300 K; this waits for review."],
    )
    assert answer["dropped"] == [{"text": "GaN is cheap.", "reason": "its word “cheap” is not in what it cites"}]
    assert both["builtin"] == plain["sentences"]
    assert asked == 1  # the reply was kept
    assert builtin == plain
    assert offline["sentences"] == plain["sentences"]
    assert offline["degraded"]


def test_what_a_person_reads(
    minerva: Minerva, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with ModelServer(STANDS, models=["gpt-4o-mini"]) as server:
        monkeypatch.setenv("MINERVA_OPENAI_BASE_URL", server.base_url)
        assert main(["--library", str(tmp_path / "library"), "ask", GAP, "--engine", "both"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("GaN has a band gap of 3.4 eV at 300 K")
    assert "Left out, because its word “cheap” is not in what it cites: GaN is cheap." in shown
    assert "The built-in engine says:" in shown
