"""A person's own question set: drafted from the library, asked, kept among the runs, compared with an earlier one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from minerva_desktop.bench import ask as bench_ask
from minerva_desktop.bench._ask_curve import curve_of, readable_curve
from minerva_desktop.bench._ask_draft import as_toml, draft
from minerva_desktop.bench._ask_set import read_set
from minerva_desktop.bench._ask_sources import Sources
from minerva_desktop.cli import main
from minerva_desktop.errors import UsageError
from minerva_desktop.library.question_runs import figures_of, question_diff
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench
from tests.questions_support import DIBORIDE, NITRIDES, OTHER, add_book, add_paper

MORE = "The critical temperature of NbN is 16 K. The density of NbN is 8.47 g/cm³. NbN was grown by MBE."


@pytest.fixture
def asked_library(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    with Workbench(folder, Settings(embeddings=False), create=True, offline=True) as opened:
        domain = opened.domain
        add_paper(opened.library, domain, NITRIDES, "Nitrides", "accepted")
        add_paper(opened.library, domain, DIBORIDE, "Diboride", "accepted")
        add_paper(opened.library, domain, MORE, "More", "accepted")
        add_paper(opened.library, domain, OTHER, "Other", "waiting")
        add_book(opened.library)
    return folder


def test_a_set_is_drafted_from_accepted_facts_and_can_be_asked(
    asked_library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Workbench(asked_library, Settings(embeddings=False), create=False, offline=True) as opened:
        rows = draft(opened)
        assert as_toml(rows) == as_toml(draft(opened))
        file = tmp_path / "set.toml"
        file.write_text(as_toml(rows), "utf-8")
        questions = read_set(file)
        assert Sources(opened).missing(questions) == []  # every place stands where the draft says
    by_kind = {kind: [item for item in questions if item.kind == kind] for kind in {item.kind for item in questions}}
    assert {"numeric", "lookup", "comparison", "unanswerable"} <= set(by_kind)
    assert len(by_kind["unanswerable"]) * 5 >= len(questions)
    texts = [item.text for item in questions]
    assert "What is the band gap of GaN?" in texts
    assert "What is GaN used for?" in texts
    assert any(item.expected.against for item in by_kind["comparison"])
    words = ["--library", str(asked_library), "questions"]
    assert main([*words, "run", str(file)]) == 0
    assert "Kept as the run questions-" in capsys.readouterr().out


def test_a_file_of_the_person_is_never_overwritten(asked_library: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    words = ["--library", str(asked_library), "questions", "make", str(file)]
    assert main(words) == 0
    assert read_set(file)
    file.write_text("mine", "utf-8")
    assert main(words) == 2
    assert file.read_text("utf-8") == "mine"


def test_what_a_set_came_to_is_kept_and_compared(
    asked_library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "set.toml"
    file.write_text(
        '[[question]]\nid = "gap"\nkind = "numeric"\nquestion = "What is the band gap of AlN?"\n'
        'gold = [{ document = "Nitrides.txt", words = "band gap of AlN is 6.2 eV" }]\n'
        'answer = { value = 6.2, unit = "eV" }\n\n'
        '[[question]]\nid = "none"\nkind = "unanswerable"\nquestion = "What is the hardness of MgB2?"\n',
        "utf-8",
    )
    first = bench_ask.run(None, questions=file, library=asked_library)["figures"]["run"]
    with Workbench(asked_library, Settings(embeddings=False), create=False, offline=True) as opened:
        opened.reject([fact.id for fact in opened.facts(status="accepted") if fact.source.key[1] == "AlN"], "not ours")
    second = bench_ask.run(None, questions=file, library=asked_library)["figures"]["run"]
    third = bench_ask.run(None, questions=file, library=asked_library)["figures"]["run"]
    with Workbench(asked_library, Settings(embeddings=False), create=False, offline=True) as opened:
        runs = opened.runs()
        assert [run.id for run in runs[:3]] == [third, second, first]
        assert {run.kind for run in runs[:3]} == {"questions"}
        assert figures_of(opened.run(first).run)["exact"] == "1"
        assert figures_of(opened.run(first).run)["refused unanswerable"] == "1"
        diff = opened.diff_runs(second, third)
        assert diff.identical
        assert (diff.same, diff.rows) == (2, ())
        diff = opened.diff_runs(first, second)
        assert diff == question_diff(opened.run(first).run, opened.run(second).run)
        assert not diff.identical or diff.rows == ()
        broken = [check.name for check in opened.audit().checks if not check.ok]
        assert not [name for name in broken if "run" in name or "job" in name]
    base = ["--library", str(asked_library), "runs"]
    assert main([*base, "list"]) == 0
    assert "2 questions" in capsys.readouterr().out
    assert main([*base, "show", first]) == 0
    shown = capsys.readouterr().out
    assert "question set: set.toml" in shown
    assert "numeric: 1 of 1 right" in shown
    assert main([*base, "diff", first, second]) == 0
    assert "answers are the same" in capsys.readouterr().out


def test_a_lost_answer_is_seen_between_two_runs(asked_library: Path) -> None:
    record = {"set": "s.toml", "split": "", "questions": 1, "figures": {"auto": {"all": {"n": 1, "exact": 1.0}}}}
    answer = {
        "id": "a",
        "kind": "numeric",
        "question": "Q?",
        "found": True,
        "exact": True,
        "cause": "",
        "answer": "3 eV",
    }
    lost = {**answer, "exact": False, "found": False, "cause": "not retrieved", "answer": "Not in your library."}
    with Workbench(asked_library, Settings(embeddings=False), create=False, offline=True) as opened:
        one = opened.keep_question_run("s.toml", {**record, "answers": [answer]})
        worse = {**record, "figures": {"auto": {"all": {"n": 1, "exact": 0.0}}}, "answers": [lost]}
        other = opened.keep_question_run("s.toml", worse)
        diff = opened.diff_runs(one, other)
        assert [row.claim for row in diff.only_a] == ["Q?"]
        assert ("cause", "", "not retrieved") in {(item.field, item.a, item.b) for item in diff.only_a[0].changes}
        assert [(item.field, item.a, item.b) for item in diff.circumstances] == [("figures.exact", "1", "0")]
        read = opened.library.catalog.start_job("reextract", [])
        with pytest.raises(UsageError, match="asked questions"):
            opened.diff_runs(one, read)


def test_the_curve_falls_from_coverage_to_caution(asked_library: Path, tmp_path: Path) -> None:
    file = tmp_path / "set.jsonl"
    place = [{"document": "Nitrides.txt", "words": "band gap of AlN is 6.2 eV"}]
    rows = [
        {"id": "a", "kind": "numeric", "question": "What is the band gap of AlN?", "gold": place,
         "answer": {"value": 6.2, "unit": "eV"}, "split": "dev"},
        {"id": "b", "kind": "unanswerable", "question": "What is the hardness of the moon?", "split": "dev"},
    ]  # fmt: skip
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    with Workbench(asked_library, Settings(embeddings=False), create=False, offline=True) as opened:
        curve = curve_of(opened, read_set(file))
    points = curve["points"]["dev"]
    assert [point["answered"] for point in points] == sorted((point["answered"] for point in points), reverse=True)
    chosen = next(point for point in points if point["threshold"] == curve["chosen"])
    assert (chosen["coverage"], chosen["precision"], chosen["refused"]) == (1.0, 1.0, 1.0)
    assert "precision" in readable_curve(curve)
