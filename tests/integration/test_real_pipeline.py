"""The whole way with a real model: a paper comes in, and what only the model found reaches review with its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from minerva_desktop.extraction.merging import BOTH
from minerva_desktop.records import Fact
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench
from tests.guest_support import export_of
from tests.integration.support import RealModel, words_in, write_pdf

pytestmark = pytest.mark.real_model

PAPERS: dict[str, tuple[tuple[str, str], ...]] = {
    "light.pdf": (
        (
            "Results",
            "For gallium arsenide we read a gap of 1.42 eV off the absorption edge. "
            "Diamond came out on top with 2200 W/(m K), the highest thermal conductivity in the series. "
            "A hardness as high as 20 GPa is what sets titanium nitride apart.",
        ),
    ),
    "heat.pdf": (
        ("Introduction", "Few laboratories own instruments of every kind."),
        (
            "Results",
            "A melting point of 1687 K was found; the sample was silicon. "
            "The highest critical temperature of the series, 9.2 K, belonged to niobium. "
            "A density of 19.3 g/cm3 was measured; the metal was tungsten.",
        ),
    ),
    "uses.pdf": (
        ("Introduction", "What a thing is made of is often a matter of habit."),
        (
            "Discussion",
            "For magnets, Nb3Sn remains the better choice. "
            "Nobody who builds touch screens can do without indium tin oxide. "
            "Whoever wants a band gap of 1.5 eV should take cadmium telluride.",
        ),
    ),
}
"""Papers in plain words of which the rules make next to nothing. A small model misses most of it too, and not always the
same: one fact of them all has to come through."""


def papers(folder: Path) -> list[Path]:
    return [write_pdf(folder / name, f"A note on {name[:-4]}", sections) for name, sections in PAPERS.items()]


def identity(fact: Fact) -> tuple[object, ...]:
    value = fact.quantity.si_value if fact.quantity is not None else fact.target.key
    return fact.type, fact.source.key, fact.property_id, value


def extractors(fact: Fact) -> set[str]:
    return {item.extractor for item in fact.evidence}


def check_place(fact: Fact, bench: Workbench, files: Sequence[Path]) -> None:
    """The evidence is a sentence that was written, on the page where it was written, under the boxes that are shown."""
    (item,) = fact.evidence
    evidence = item.evidence
    file = next(file for file in files if file.name == bench.paper(evidence.paper).file_name)
    page = 1 + next(at for at, (_, text) in enumerate(PAPERS[file.name]) if evidence.sentence in text)
    assert evidence.page == page
    assert {box[0] for box in evidence.boxes} == {page}
    assert words_in(file, evidence.boxes) == evidence.sentence
    assert evidence.target_span is not None
    assert evidence.sentence[slice(*evidence.target_span)].strip()
    assert item.extractor == "model"


def test_a_relation_that_only_the_model_finds_reaches_review_with_its_place(
    settings: Callable[..., Settings], tmp_path: Path, real_model: RealModel
) -> None:
    files = papers(tmp_path)
    with Workbench(tmp_path / "rules", Settings.model_validate({"embeddings": False})) as bench:
        bench.ingest(files)
        by_rules = {identity(fact) for fact in bench.facts()}

    # Whether the small model agrees with itself when it verifies is not what is looked at here.
    with Workbench(tmp_path / "library", settings(model_verification=False, model_claims=False)) as bench:
        report = bench.ingest(files)
        assert report.stopped is None
        assert report.summary["models"] == {"extraction": real_model.profile.model}
        own = [fact for fact in bench.facts() if extractors(fact) == {"model"}]
        waiting = [fact for fact in own if fact.decision.status == "waiting"]
        assert waiting, [(fact.claim, fact.decision) for fact in bench.facts()]
        for fact in waiting:
            assert identity(fact) not in by_rules, f"the built-in engine finds {fact.claim} too"
            check_place(fact, bench, files)
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
                "Results",
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
    files = papers(tmp_path)[:2]
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
    files = papers(tmp_path)[:2]
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
