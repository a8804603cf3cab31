"""Papers read with a language model as a guest, over the real HTTP path: what it adds, how it fails, what it may take."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.checks.gate import VERIFIED_NOTHING
from minerva_desktop.cli import text
from minerva_desktop.errors import MinervaError
from minerva_desktop.events import CancelToken, Progress
from minerva_desktop.records import Fact
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench, sample_papers
from tests.guest_support import (
    NB3SN,
    NB3SN_FACT,
    export_of,
    facts,
    guest_settings,
    judged,
    reading,
    role_of,
    roles_asked,
)
from tests.model_server import ModelServer, Reply, Request, broken, refusal, wrong_key
from tests.test_pipeline import notes

HONEST = reading(extraction=facts(NB3SN_FACT))
PLAIN = Settings.model_validate({"embeddings": False})


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(HONEST) as running:
        yield running


def of_nb3sn(bench: Workbench) -> list[Fact]:
    return [fact for fact in bench.facts() if fact.source.canonical == "Nb3Sn" and fact.type == "USED_IN"]


def after(count: int, then: Any, answer: Callable[[Request], Any] = HONEST) -> Callable[[Request], Any]:
    """A script that turns bad after so many requests."""
    seen: list[Request] = []

    def script(request: Request) -> Any:
        seen.append(request)
        return answer(request) if len(seen) <= count else then

    return script


# ------------------------------------------------------------------------------------------------------ what it adds
def test_a_fact_that_only_the_model_finds_reaches_review_with_its_place(server: ModelServer, tmp_path: Path) -> None:
    with Workbench(tmp_path / "rules", PLAIN) as bench:
        bench.ingest(sample_papers()[:1])
        assert of_nb3sn(bench) == []
    with Workbench(tmp_path / "library", guest_settings(server)) as bench:
        report = bench.ingest(sample_papers()[:1])
        (fact,) = of_nb3sn(bench)
        assert fact.decision.status == "waiting"
        (item,) = fact.evidence
        assert item.extractor == "model"
        assert item.evidence.sentence == NB3SN
        assert item.evidence.page == item.evidence.boxes[0][0]
        document = bench.document(report.papers[0].id)
        assert document.text[item.evidence.start : item.evidence.end] == NB3SN
        assert item.verification is not None
        assert item.verification.engine == "model:test-model"
        assert bench.accept([fact.id]).facts
        assert {"name": "Nb3Sn", "type": "Material"} in bench.graph_nodes()
        assert bench.audit().ok


def test_what_the_papers_do_not_say_is_dropped_and_counted(tmp_path: Path) -> None:
    invented = NB3SN_FACT | {"quote": NB3SN, "source": "Kryptonite"}
    nowhere = NB3SN_FACT | {"quote": "Unobtainium is used in magnets everywhere."}

    def script(request: Request) -> dict[str, Any]:
        return {"facts": [NB3SN_FACT, invented, nowhere]} if NB3SN in request.user else {"facts": []}

    with (
        ModelServer(reading(extraction=script)) as server,
        Workbench(tmp_path / "library", guest_settings(server)) as bench,
    ):
        summary = bench.ingest(sample_papers()[:1]).summary
        assert (summary["stated"], summary["kept"]) == (3, 1)
        assert summary["ungrounded"] >= 1
        assert sum(summary["dropped"].values()) == 2
        names = {name for fact in bench.facts() for name in (fact.source.name, fact.target.name)}
        assert not names & {"Kryptonite", "Unobtainium"}


def test_the_summary_says_who_took_part_and_what_it_took(server: ModelServer, tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", guest_settings(server)) as bench:
        report = bench.ingest(sample_papers())
        summary = report.summary
        assert summary["engine"] == "model"
        assert summary["models"] == {"extraction": "test-model", "verification": "test-model"}
        assert summary["calls"] == len(server.requests) == sum(roles_asked(server).values())
        assert summary["cached"] == 0
        assert summary["tokens_in"] > 1_000
        assert summary["dollars"] == pytest.approx(summary["tokens_in"] * 1e-6 + summary["tokens_out"] * 2e-6, abs=1e-6)
        job = bench.job(report.job)
        assert job["outcome"]["calls"] == summary["calls"]
        made_of = job["manifest"]["models"]
        assert made_of["profile"] == "here"
        assert made_of["host"] == f"127.0.0.1:{server.port}"
        assert made_of["roles"] == summary["models"]
        assert set(made_of["prompts"]) >= {"extraction", "verification"}
        assert made_of["options"]["model_extraction"] == "sections"


# ------------------------------------------------------------------------------------------------- who is asked at all
def test_the_built_in_engine_is_what_it_was(server: ModelServer, tmp_path: Path) -> None:
    exports = []
    for name, settings, engine in (
        ("none", PLAIN, "auto"),
        ("chosen", guest_settings(server), "builtin"),
        ("nothing-to-do", guest_settings(server, model_extraction="off", model_verification=False), "auto"),
    ):
        with Workbench(tmp_path / name, settings) as bench:
            report = bench.ingest(sample_papers(), engine=engine)
            assert report.summary["engine"] == "builtin"
            assert "models" not in bench.job(report.job)["manifest"]
            exports.append(export_of(bench, tmp_path))
    assert len(set(exports)) == 1
    assert server.seen == []


def test_offline_opens_no_socket(server: ModelServer, tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", guest_settings(server), offline=True) as bench:
        assert bench.ingest(sample_papers()[:1]).summary["engine"] == "builtin"
        assert bench.estimate_ingest(sample_papers()[1:]).calls == 0
        with pytest.raises(MinervaError, match="to read with: the program is offline"):
            bench.ingest(sample_papers()[1:], engine="model")
        assert [job["status"] for job in bench.jobs()] == ["done"]  # no job was begun in vain
    assert server.seen == []


def test_a_model_that_is_asked_for_must_be_there(tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", PLAIN) as bench:
        with pytest.raises(MinervaError, match="to read with: none is in use") as error:
            bench.ingest(sample_papers(), engine="model")
        assert error.value.code == "no-model"
        assert bench.jobs() == []


# ----------------------------------------------------------------------------------------------------- how it is ended
def test_a_wrong_key_ends_the_job_once_and_the_rules_can_go_on(tmp_path: Path) -> None:
    with ModelServer(wrong_key()) as server, Workbench(tmp_path / "library", guest_settings(server)) as bench:
        report = bench.ingest(sample_papers())
        assert report.papers == ()
        assert report.stopped is not None
        assert report.stopped.code == "model-unauthorised"
        assert f"jobs resume {report.job} --engine builtin" in report.stopped.hint
        assert bench.papers() == []
        job = bench.job(report.job)
        assert (job["status"], job["done"], job["total"]) == ("stopped", 0, 3)
        assert job["outcome"]["stopped"]["message"] == report.stopped.message
        assert len(server.requests) <= 4  # those of one paper that were under way at the same time
        asked = len(server.requests)
        rest = bench.resume(report.job, engine="builtin")
        assert [paper.status for paper in rest.papers] == ["ok", "ok", "ok"]
        assert bench.job(report.job)["status"] == "done"
        assert len(server.requests) == asked
        assert bench.audit().ok
        resumed = export_of(bench, tmp_path)
    with Workbench(tmp_path / "rules", PLAIN) as bench:
        bench.ingest(sample_papers())
        assert export_of(bench, tmp_path) == resumed


def test_a_server_that_dies_in_the_middle_loses_nothing(tmp_path: Path) -> None:
    with ModelServer(HONEST) as server, Workbench(tmp_path / "first", guest_settings(server)) as bench:
        bench.ingest(sample_papers()[:1])
        one_paper = len(server.requests)
    with (
        ModelServer(after(one_paper, Reply(hang_up=True))) as server,
        Workbench(tmp_path / "library", guest_settings(server)) as bench,
    ):
        report = bench.ingest(sample_papers())
        assert [paper.status for paper in report.papers] == ["ok"]
        assert report.stopped is not None
        assert [paper.file_name for paper in bench.papers()] == [sample_papers()[0].name]
        assert of_nb3sn(bench)
        assert bench.audit().ok
        statuses = [item["status"] for item in bench.job(report.job)["items"]]
        assert statuses == ["ok", "pending", "pending"]
        server.script = HONEST
        rest = bench.resume(report.job)
        assert [paper.status for paper in rest.papers] == ["ok", "ok"]
        assert rest.summary["engine"] == "model"
        assert rest.stopped is None
        done = export_of(bench, tmp_path)
    with ModelServer(HONEST) as server, Workbench(tmp_path / "whole", guest_settings(server)) as bench:
        bench.ingest(sample_papers())
        assert export_of(bench, tmp_path) == done


@pytest.mark.parametrize("fault", [broken(500), Reply(hang_up=True)])
def test_many_papers_and_a_dead_server_make_one_sentence(fault: Reply, tmp_path: Path) -> None:
    with ModelServer(fault) as server, Workbench(tmp_path / "library", guest_settings(server)) as bench:
        report = bench.ingest(notes(tmp_path / "papers", 40))
        assert report.stopped is not None
        assert report.stopped.message.endswith("3 times in a row.")
        # Three calls fail, three times each, before a server is given up; one small paper may have fewer.
        assert len(report.papers) <= 1
        assert len(server.requests) <= 12
        assert bench.job(report.job)["done"] == len(report.papers)


def test_a_server_that_is_not_there_is_said_once(tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", guest_settings("http://127.0.0.1:9/v1")) as bench:
        report = bench.ingest(notes(tmp_path / "papers", 40))
        assert report.papers == ()
        assert report.stopped is not None
        assert report.stopped.code == "model-unreachable"
        assert bench.facts() == []
        assert bench.job(report.job)["outcome"]["stopped"]["hint"] == report.stopped.hint


def test_a_budget_ends_the_job_and_a_higher_one_goes_on(server: ModelServer, tmp_path: Path) -> None:
    with Workbench(tmp_path / "first", guest_settings(server)) as bench:
        took = bench.ingest(sample_papers()[:1]).summary
    limit = took["tokens_in"] + took["tokens_out"] + 3_000
    settings = guest_settings(server, model_job_tokens=limit)
    with Workbench(tmp_path / "library", settings) as bench:
        report = bench.ingest(sample_papers())
        assert report.stopped is not None
        assert report.stopped.code == "model-budget"
        assert report.papers
        assert len(report.papers) < 3
        assert report.summary["tokens_in"] + report.summary["tokens_out"] <= limit
        again = bench.resume(report.job)
        assert again.stopped is not None  # what the job took before still counts
        bench.settings.model_job_tokens = 5_000_000
        rest = bench.resume(report.job)
        assert rest.stopped is None
        assert len(bench.papers()) == 3


def test_cancel_stops_at_once(tmp_path: Path) -> None:
    token = CancelToken()
    with ModelServer(Reply(stall=True)) as server, Workbench(tmp_path / "library", guest_settings(server)) as bench:
        cancelled: list[float] = []

        def cancel_when_asked() -> None:
            while not server.requests:
                time.sleep(0.01)
            cancelled.append(time.monotonic())
            token.cancel()

        person = threading.Thread(target=cancel_when_asked)
        person.start()
        report = bench.ingest(sample_papers(), cancel=token)
        assert time.monotonic() - cancelled[0] < 5  # the server would have kept us for longer
        person.join()
        assert report.cancelled
        assert report.stopped is None
        assert bench.papers() == []
        assert bench.job(report.job)["status"] == "cancelled"


# ------------------------------------------------------------------------------------------- failures within a paper
def test_a_piece_that_fails_is_said_and_the_rules_facts_are_there(tmp_path: Path) -> None:
    declined: list[int] = []

    def one_declines(request: Request) -> Any:
        if role_of(request) == "extraction" and not declined:
            declined.append(1)
            return refusal()
        return HONEST(request)

    with ModelServer(one_declines) as server, Workbench(tmp_path / "library", guest_settings(server)) as bench:
        report = bench.ingest(sample_papers()[:1])
        (paper,) = report.papers
        assert paper.status == "ok"
        pieces = roles_asked(server)["extraction"]
        of = "1 piece" if pieces == 1 else f"{pieces} pieces"
        assert paper.reason == f"The model failed on 1 of {of} (it declined); that was read by the rules alone."
        assert any(fact.property_id == "critical_temperature" for fact in bench.facts())
        kept = bench.job(report.job)["items"][0]["report"]["reason"]
        assert kept == paper.reason
        assert bench.papers()[0].reason == ""  # of the job, not of the paper


@pytest.mark.parametrize("gate", ["strict", "open"])
def test_what_the_model_could_not_verify_waits_whatever_the_gate(gate: str, tmp_path: Path) -> None:
    script = reading(verification=refusal())
    with ModelServer(script) as server, Workbench(tmp_path / "library", guest_settings(server, gate=gate)) as bench:
        bench.add_textbooks([book(tmp_path)])
        (paper,) = bench.ingest(notes(tmp_path / "papers", 1)).papers
        asked = [fact for fact in bench.facts() if fact.type in {"HAS_VALUE", "SYNTHESIZED_BY"}]
        assert asked
        assert {fact.decision.status for fact in asked} == {"waiting"}
        assert {fact.decision.rule for fact in asked} == {"unverified"}
        assert paper.unverified == sum(fact.decision.rule == "unverified" for fact in bench.facts())
        assert "could not verify" in paper.reason
        assert bench.audit().ok


def test_a_verifier_that_accepts_nothing_refuses_the_whole_paper(tmp_path: Path) -> None:
    def denies(request: Request) -> dict[str, Any]:
        return judged(request, lambda _: False)

    script = reading(verification=denies)
    with ModelServer(script) as server, Workbench(tmp_path / "library", guest_settings(server, gate="open")) as bench:
        bench.ingest(notes(tmp_path / "papers", 1))
        found = bench.facts()
        assert found
        assert {fact.decision.status for fact in found} == {"refused"}
        reasons = {fact.decision.reason for fact in found}
        assert any(VERIFIED_NOTHING in reason for reason in reasons)
        bench.set_setting("gate", "strict")
        assert {fact.decision.status for fact in bench.facts()} == {"refused"}  # also when it is decided anew


def test_one_denied_relation_does_not_condemn_the_others(tmp_path: Path) -> None:
    def denies_sputtering(request: Request) -> dict[str, Any]:
        return judged(request, lambda statement: "sputtering" not in statement)

    script = reading(verification=denies_sputtering)
    with ModelServer(script) as server, Workbench(tmp_path / "library", guest_settings(server)) as bench:
        bench.ingest(notes(tmp_path / "papers", 1))
        by_type = {fact.type: fact for fact in bench.facts()}
        assert by_type["SYNTHESIZED_BY"].decision.status == "refused"
        assert by_type["SYNTHESIZED_BY"].decision.stage == "verifier"
        assert by_type["HAS_VALUE"].decision.status == "waiting"


def book(folder: Path) -> Path:
    path = folder / "book.md"
    path.write_text("# Book\n\nThe band gap of gallium nitride (GaN) is 3.0 eV at 300 K.\n", encoding="utf-8")
    return path


# --------------------------------------------------------------------------------------------------- again, for nothing
def test_a_rerun_from_the_same_replies_gives_the_same_bytes_without_a_server(
    server: ModelServer, tmp_path: Path
) -> None:
    settings = guest_settings(server)
    with Workbench(tmp_path / "one", settings) as bench:
        bench.ingest(sample_papers())
        first = export_of(bench, tmp_path)
        manifest = bench.jobs()[0]["manifest"]
    asked = len(server.requests)
    server.__exit__()  # gone: whoever needs it now fails
    other = tmp_path / "two"
    with Workbench(other, settings) as bench:
        pass
    (other / "models.sqlite").write_bytes((tmp_path / "one" / "models.sqlite").read_bytes())
    with Workbench(other, settings) as bench:
        report = bench.ingest(sample_papers())
        assert report.stopped is None
        assert report.summary["cached"] >= asked
        assert export_of(bench, tmp_path) == first
        assert bench.jobs()[0]["manifest"] == manifest
    server.__enter__()


def test_reading_again_costs_nothing(server: ModelServer, tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", guest_settings(server)) as bench:
        bench.ingest(sample_papers()[:1])
        before, asked = export_of(bench, tmp_path), len(server.requests)
        report = bench.reextract()
        assert report.summary["engine"] == "model"
        assert report.summary["cached"] == report.summary["calls"] == asked
        assert report.summary["dollars"] == 0
        assert len(server.requests) == asked
        assert export_of(bench, tmp_path) == before
        bench.reextract(engine="builtin")
        assert of_nb3sn(bench) == []


def test_a_job_keeps_the_engine_that_was_named_for_it(server: ModelServer, tmp_path: Path) -> None:
    token = CancelToken()

    def stop_after_one(step: Progress) -> None:
        if step.status:
            token.cancel()

    with Workbench(tmp_path / "library", guest_settings(server)) as bench:
        report = bench.ingest(sample_papers(), engine="builtin", progress=stop_after_one, cancel=token)
        assert report.cancelled
        assert bench.resume(report.job).summary["engine"] == "builtin"
    assert server.seen == []


# ------------------------------------------------------------------------------------------------ a model unfit to judge
def test_a_model_that_was_found_unfit_to_judge_reads_and_does_not_check(server: ModelServer, tmp_path: Path) -> None:
    settings = guest_settings(server, model_claims=True)
    profile = settings.model_profiles["here"].model_copy(update={"judges": "unsound"})
    unfit = settings.model_copy(update={"model_profiles": {"here": profile}})
    with Workbench(tmp_path / "library", unfit) as bench:
        report = bench.ingest(sample_papers()[:1])
        assert set(roles_asked(server)) == {"extraction"}
        (fact,) = of_nb3sn(bench)
        assert fact.decision.status == "waiting"
        assert fact.evidence[0].verification is not None
        assert fact.evidence[0].verification.engine == "rules"
        assert report.summary["unfit"] == {"claims": "test-model", "verification": "test-model"}
        assert set(report.summary["models"]) == {"extraction"}
        assert "test-model is unfit to judge" in text.ingest(report)
    anyway = unfit.model_copy(update={"model_judges_anyway": True})
    with Workbench(tmp_path / "other", anyway) as bench:
        report = bench.ingest(sample_papers()[:1])
        assert roles_asked(server)["verification"] > 0
        assert "unfit" not in report.summary


def test_another_model_for_the_checks_is_not_the_one_that_was_tried(server: ModelServer) -> None:
    profile = guest_settings(server).model_profiles["here"].model_copy(update={"judges": "unsound"})
    assert profile.is_unsound("verification")
    assert not profile.is_unsound("extraction")
    assert not profile.model_copy(update={"models": {"verification": "a-larger-one"}}).is_unsound("verification")
