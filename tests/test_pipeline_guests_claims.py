"""The claim check with a model in the pipeline: what it finds counts, is kept when textbooks come, and is never in the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.models.calls import ModelError
from minerva_desktop.records import Fact
from minerva_desktop.workbench import Workbench
from tests.guest_support import Answer, guest_settings, reading, roles_asked
from tests.model_server import ModelServer, Request, refusal, wrong_key

PAPER = "# Diodes\n\n## Results\n\nGaN is used in blue light-emitting diodes. The band gap of GaN is 3.4 eV at 300 K.\n"
SENTENCE = "Blue light-emitting diodes owe their existence to GaN."
"""A use that the rules do not read as one, for want of a verb that they know."""


def supports(request: Request) -> dict[str, Any]:
    """Drafts ask for nothing; the sentence is quoted where it is shown."""
    if "queries" in request.schema["properties"]:
        return {"verdict": "INSUFFICIENT", "missing": "statement", "queries": []}
    if SENTENCE in request.user and "used in blue LED" in request.user:
        return {"quote": SENTENCE, "verdict": "SUPPORTED", "reason": "It says so.", "missing": "", "query": ""}
    return {"quote": "", "verdict": "INSUFFICIENT", "reason": "Not there.", "missing": "value", "query": ""}


def book(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.md"
    path.write_text(f"# {name}\n\n{text}\n", encoding="utf-8")
    return path


def bench_with(folder: Path, server: ModelServer, **more: Any) -> Workbench:
    settings = guest_settings(server, model_claims=True, model_extraction="off", model_verification=False, **more)
    bench = Workbench(folder / "library", settings)
    bench.add_textbooks([book(folder, "Light", f"Semiconductors are everywhere. {SENTENCE} Other colours came first.")])
    return bench


def paper(folder: Path) -> Path:
    path = folder / "diodes.md"
    path.write_text(PAPER, encoding="utf-8")
    return path


def use_of(bench: Workbench) -> Fact:
    (fact,) = [item for item in bench.facts() if item.type == "USED_IN"]
    return fact


@pytest.fixture
def script() -> Answer:
    return reading(claims=supports)


def test_a_passage_that_only_the_model_understands_lets_the_fact_in(script: Answer, tmp_path: Path) -> None:
    with ModelServer(script) as server, bench_with(tmp_path, server) as bench:
        bench.ingest([paper(tmp_path)], engine="builtin")
        assert use_of(bench).decision.status == "waiting"
        bench.reextract()
        fact = use_of(bench)
        assert fact.decision.status == "accepted"
        (item,) = fact.evidence
        assert item.verdict is not None
        assert (item.verdict.engine, item.verdict.quote, item.verdict.source) == ("model:test-model", SENTENCE, "Light")
        assert roles_asked(server) == {"claims": len(server.requests)}
        assert bench.audit().ok


def test_what_the_model_found_stays_when_textbooks_come_and_goes_with_its_own(script: Answer, tmp_path: Path) -> None:
    with ModelServer(script) as server, bench_with(tmp_path, server) as bench:
        bench.ingest([paper(tmp_path)])
        asked = len(server.requests)
        bench.add_textbooks([book(tmp_path, "Other", "Copper conducts heat well. Copper is red.")])
        assert use_of(bench).decision.status == "accepted"
        assert len(server.requests) == asked  # a new textbook asks no model unless it is told to
        bench.remove_textbook(next(item.id for item in bench.textbooks() if item.title == "Light"))
        bench.add_textbooks([book(tmp_path, "Third", "Iron is magnetic.")])
        assert use_of(bench).decision.status == "waiting"


def test_a_textbook_may_be_read_with_the_model_and_a_dead_one_keeps_it(script: Answer, tmp_path: Path) -> None:
    with ModelServer(script) as server, bench_with(tmp_path, server) as bench:
        bench.ingest([paper(tmp_path)], engine="builtin")
        server.script = wrong_key()
        with pytest.raises(ModelError):
            bench.add_textbooks([book(tmp_path, "Other", "Copper is red.")], engine="model")
        assert {item.title for item in bench.textbooks()} == {"Light", "Other"}
        assert use_of(bench).decision.status == "waiting"
        assert bench.audit().ok
        server.script = script
        bench.add_textbooks([book(tmp_path, "Third", "Iron is magnetic.")], engine="model")
        assert use_of(bench).decision.status == "accepted"
        assert bench.audit().ok


def test_a_claim_that_the_model_declines_is_left_to_the_rules(tmp_path: Path) -> None:
    with ModelServer(reading(claims=refusal())) as server, bench_with(tmp_path, server) as bench:
        (line,) = bench.ingest([paper(tmp_path)]).papers
        assert line.status == "ok"
        assert "held against the textbooks by the rules alone" in line.reason
        assert use_of(bench).decision.status == "waiting"


def test_an_estimate_counts_the_claims_that_the_rules_leave_open(script: Answer, tmp_path: Path) -> None:
    with ModelServer(script) as server, bench_with(tmp_path, server) as bench:
        estimate = bench.estimate_ingest([paper(tmp_path)])
        assert [line[0] for line in estimate.by_role] == ["claims"]
        bench.ingest([paper(tmp_path)])
        assert 0 < estimate.calls <= 3 * len(server.requests)
