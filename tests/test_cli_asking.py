"""``ask --explain``, ``ask --format`` and ``asked``, as a person and a script see them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from minerva_desktop.cli import main

PAPER = "# Notes\n\n## Results\n\nThe band gap of GaN is 3.4 eV at 300 K. GaN is used in blue LEDs.\n"
GAP = "What is the band gap of GaN?"
Run = Callable[..., str]


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Run a command on a library with one paper; what it prints, once its exit code was checked."""
    paper = tmp_path / "notes.md"
    paper.write_text(PAPER, encoding="utf-8")

    def run(*words: str, code: int = 0) -> str:
        got = main(["--library", str(tmp_path / "library"), *words])
        shown = capsys.readouterr()
        assert got == code, f"exit {got}: {shown.out[-800:]} {shown.err[-800:]}"
        return shown.out

    run("ingest", str(paper))
    return run


def test_an_answer_is_explained_when_that_is_wanted(shell: Run) -> None:
    plain = shell("ask", GAP)
    assert "How this was answered" not in plain
    said = shell("ask", GAP, "--explain")
    assert said.startswith(plain.rstrip())
    for part in ("Why: It asks for the band gap of GaN", "GaN (Material)", "Took: ", "MATCH (m:Material)", "* "):
        assert part in said


def test_data_has_the_trace_and_its_times_only_when_that_is_wanted(shell: Run) -> None:
    data = json.loads(shell("--json", "ask", GAP))
    assert "trace" not in data
    assert json.loads(shell("ask", GAP, "--format", "json")) == data
    trace = json.loads(shell("--json", "ask", GAP, "--explain"))["trace"]
    assert trace["entities"] == [{"text": "GaN", "name": "GaN", "type": "Material"}]
    assert trace["timings"]


def test_an_answer_comes_as_text_or_markdown_with_references(shell: Run) -> None:
    text = shell("ask", GAP, "--format", "text")
    assert text.startswith("The band gap of GaN is 3.4 eV")
    assert "\n[1] notes: “The band gap of GaN is 3.4 eV at 300 K.” (waiting for review)" in text
    markdown = shell("ask", GAP, "--format", "markdown")
    assert markdown.startswith(f"**{GAP}**\n")
    assert "\n1. notes" in markdown
    shell("ask", GAP, "--format", "html", code=2)


def test_what_is_missing_can_be_searched_on_the_web_by_the_person(shell: Run) -> None:
    said = shell("ask", "What is the viscosity of graphene?")
    assert said.rstrip().endswith("To search papers for this: minerva-desktop search 'graphene viscosity'")
    assert "requests" not in shell("network")  # and nothing was sent


def test_what_was_asked_is_listed_shown_and_forgotten(shell: Run) -> None:
    assert shell("asked", "list").strip() == "Nothing was asked yet."
    shell("ask", GAP)
    shell("ask", "Who won the world cup?")
    shell("--json", "ask", "What is GaN used in?")  # a script keeps nothing
    listed = shell("asked", "list").splitlines()
    assert [line.split("  ", 2)[2] for line in listed] == ["Who won the world cup?  (not in your library)", GAP]
    assert shell("asked", "list", "--text", "3.4 ev").splitlines() == [listed[1]]
    key = listed[1].split()[0]
    assert "3.4 eV" in shell("asked", "show", key)
    shell("asked", "forget", code=2)
    assert "Forgot 1 question." in shell("asked", "forget", key[:6])
    gone = json.loads(shell("--json", "asked", "forget", "--all"))["forgotten"]
    assert [item["question"] for item in gone] == ["Who won the world cup?"]
    assert shell("asked", "list").strip() == "Nothing was asked yet."
