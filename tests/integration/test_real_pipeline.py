"""The whole way with a real model: a paper comes in, and what only the model found reaches review with its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from minerva_desktop.extraction.merging import BOTH
from minerva_desktop.records import Fact
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench
from tests.guest_support import export_of
from tests.integration.support import RealModel, words_in, write_pdf

pytestmark = pytest.mark.real_model

FIRST = (
    "The samples were compared in one laboratory and with one set of instruments. "
    "For gallium arsenide we read a gap of 1.42 eV off the absorption edge."
)
SECOND = (
    "Diamond came out on top with 2200 W/(m K), the highest thermal conductivity in the series. "
    "A hardness as high as 20 GPa is what sets titanium nitride apart."
)
"""Sentences of plain words of which the rules make nothing."""


def paper(folder: Path, name: str = "laboratory.pdf", title: str = "Notes from one laboratory") -> Path:
    return write_pdf(folder / name, title, [("1 Absorption", FIRST), ("2 Heat and hardness", SECOND)])


def identity(fact: Fact) -> tuple[object, ...]:
    value = fact.quantity.si_value if fact.quantity is not None else fact.target.key
    return fact.type, fact.source.key, fact.property_id, value


def extractors(fact: Fact) -> set[str]:
    return {item.extractor for item in fact.evidence}


def test_a_relation_that_only_the_model_finds_reaches_review_with_its_place(
    settings: Callable[..., Settings], tmp_path: Path, real_model: RealModel
) -> None:
    file = paper(tmp_path)
    with Workbench(tmp_path / "rules", Settings.model_validate({"embeddings": False})) as bench:
        bench.ingest([file])
        by_rules = {identity(fact) for fact in bench.facts()}

    # Whether the small model agrees with itself when it verifies is not what is looked at here.
    with Workbench(tmp_path / "library", settings(model_verification=False, model_claims=False)) as bench:
        report = bench.ingest([file])
        assert report.stopped is None
        assert report.summary["models"] == {"extraction": real_model.profile.model}
        own = [fact for fact in bench.facts() if extractors(fact) == {"model"}]
        waiting = [fact for fact in own if fact.decision.status == "waiting"]
        assert waiting, [(fact.claim, fact.decision) for fact in bench.facts()]
        for fact in waiting:
            assert identity(fact) not in by_rules, f"the built-in engine finds {fact.claim} too"
            (item,) = fact.evidence
            sentence = item.evidence.sentence
            assert sentence in FIRST or sentence in SECOND
            assert item.evidence.page == (1 if sentence in FIRST else 2)
            assert {box[0] for box in item.evidence.boxes} == {item.evidence.page}
            assert sentence.replace(" ", "") in words_in(file, item.evidence.boxes).replace(" ", "")
            assert item.evidence.target_span is not None
            start, end = item.evidence.target_span
            assert fact.target.name in sentence[start:end] or sentence[start:end] in fact.target.name
        asked = bench.model_calls(job=report.job)
        assert report.summary["calls"] == len(asked)
        assert report.summary["tokens_in"] == sum(call.tokens_in for call in asked) > 500

        chosen = waiting[0]
        bench.accept([chosen.id])
        assert bench.fact(chosen.id).decision.status == "accepted"
        assert bench.audit().ok

        before = export_of(bench, tmp_path)
        again = bench.reextract()
        assert again.summary["cached"] == again.summary["calls"]
        assert again.summary["tokens_in"] == 0
        assert export_of(bench, tmp_path) == before  # a second run is free and gives the same bytes


def test_all_roles_together_and_the_rules_facts_are_all_there(
    settings: Callable[..., Settings], tmp_path: Path
) -> None:
    file = write_pdf(
        tmp_path / "gaps.pdf",
        "Gaps of two nitrides",
        [
            (
                "1 Results",
                "The band gap of GaN is 3.4 eV at 300 K. The TiN coatings were deposited by reactive sputtering.",
            )
        ],
    )
    with Workbench(tmp_path / "rules", Settings.model_validate({"embeddings": False})) as bench:
        bench.ingest([file])
        by_rules = {identity(fact) for fact in bench.facts()}
    with Workbench(tmp_path / "library", settings(model_claim_rounds=1)) as bench:
        report = bench.ingest([file])
        assert report.stopped is None
        assert {item.status for item in report.papers} == {"ok"}
        facts = bench.facts()
        assert by_rules <= {identity(fact) for fact in facts}
        assert {name for fact in facts for name in extractors(fact)} <= {"rules", "model", BOTH}
        assert {call.role for call in bench.model_calls()} >= {"extraction", "verification"}
        made_of = bench.job(report.job)["manifest"]["models"]
        assert set(made_of["roles"]) == {"extraction", "verification", "claims"}
        assert bench.audit().ok


def test_a_limit_stops_a_job_once_and_the_built_in_engine_goes_on(
    settings: Callable[..., Settings], tmp_path: Path
) -> None:
    files = [paper(tmp_path), paper(tmp_path, "second.pdf", "Notes from another laboratory")]
    with Workbench(tmp_path / "library", settings(model_job_tokens=300)) as bench:
        assert "over the limit of 300 tokens" in bench.estimate_ingest(files).warning
        report = bench.ingest(files)
        assert report.stopped is not None
        assert report.stopped.code == "model-budget"
        assert report.papers == ()
        assert all(call.tokens_in == 0 for call in bench.model_calls())
        assert bench.job(report.job)["status"] == "stopped"
        rest = bench.resume(report.job, engine="builtin")
        assert [item.status for item in rest.papers] == ["ok", "ok"]
        assert bench.audit().ok


def test_a_dead_server_fails_a_job_once(
    settings: Callable[..., Settings], tmp_path: Path, real_model: RealModel
) -> None:
    files = [paper(tmp_path), paper(tmp_path, "second.pdf", "Notes from another laboratory")]
    gone = real_model.profile.model_copy(update={"base_url": "http://127.0.0.1:9/v1", "context": 4096})
    made = settings(model_profiles={"real": gone}, model_tries=1, model_wait_seconds=0.0)
    with Workbench(tmp_path / "library", made) as bench:
        report = bench.ingest(files)
        assert report.stopped is not None
        assert report.stopped.code == "model-unreachable"
        assert report.stopped.message.count(".") >= 1
        assert len(bench.model_calls()) <= 2  # both papers' pieces were not tried one by one
        rest = bench.resume(report.job, engine="builtin")
        assert [item.status for item in rest.papers] == ["ok", "ok"]
