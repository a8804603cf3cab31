"""The verbs of the workbench for language models, against a server on this machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.errors import Cancelled, NotFound, UsageError
from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import Asker, ModelCall, ModelError
from minerva_desktop.records import ChangeSet, GeneratedText
from minerva_desktop.settings import Settings, load_settings, profiles
from minerva_desktop.workbench import Workbench
from tests.keyring_support import Chest
from tests.model_server import MODEL, ModelServer, Request, ok
from tests.test_models_probe import judging, sensible

KEY = "sk-nobody-may-see-this-1234567890"
CALL: ModelCall[str] = ModelCall("synthesis", "synthesis", "1", "Answer in one word.", "Is GaN a semiconductor?")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench(tmp_path / "library", Settings(embeddings=False)) as opened:
        yield opened


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer("yes") as made:
        yield made


def use(bench: Workbench, server: ModelServer, **fields: Any) -> Asker:
    bench.save_profile("lab", {"base_url": server.base_url, "model": MODEL, "key": False, **fields})
    bench.use_profile("lab")
    asker = bench.asker()
    assert asker is not None
    return asker


def ask(asker: Asker, call: ModelCall[str] = CALL) -> str:
    return asker.ask(call, CancelToken()).value


def test_without_a_profile_nobody_is_asked(bench: Workbench) -> None:
    assert bench.asker() is None
    assert bench.asker("job") is None
    assert bench.profiles() == []
    assert not (bench.library_dir / "models.sqlite").exists()


def test_a_profile_in_use_answers_and_what_it_used_is_counted(bench: Workbench, server: ModelServer) -> None:
    asker = use(bench, server, price_in=1_000, price_out=1_000)
    assert ask(asker) == "yes"
    (call,) = bench.model_calls()
    assert (call.role, call.profile, call.model, call.outcome, call.job) == ("synthesis", "lab", MODEL, "ok", "")
    spent = bench.model_spending()
    assert spent.tokens == call.tokens_in + call.tokens_out > 0
    assert spent.dollars == pytest.approx(spent.tokens / 1_000)
    assert [row[:2] for row in spent.by_profile] == [("lab", 1)]
    assert [(row.role, row.calls) for row in spent.by_role] == [("synthesis", 1)]


def test_a_re_run_is_free_also_in_another_program(tmp_path: Path, server: ModelServer) -> None:
    for _ in range(2):
        with Workbench(tmp_path / "library", load_settings()) as bench:
            assert ask(use(bench, server)) == "yes"
    assert len(server.requests) == 1
    with Workbench(tmp_path / "library", load_settings()) as bench:
        assert [call.outcome for call in bench.model_calls()] == ["cached", "ok"]
        assert [row[1] for row in bench.model_spending().by_profile] == [1]


def test_jobs_are_told_apart_and_their_limit_outlives_an_interruption(bench: Workbench, server: ModelServer) -> None:
    use(bench, server)
    bench.set_setting("model_job_tokens", "2500")
    first = bench.asker("job-1")
    assert first is not None
    for number in range(2):
        ask(first, ModelCall("claims", "claims", "1", "", f"{number}" * 2_000))
    assert [call.job for call in bench.model_calls(job="job-1")] == ["job-1", "job-1"]
    assert bench.model_spending_of("job-1")[0].calls == 2
    again = bench.asker("job-1")  # taken up again
    other = bench.asker("job-2")
    assert again is not None
    assert other is not None
    with pytest.raises(ModelError, match="limit of this job is reached") as caught:
        ask(again, ModelCall("claims", "claims", "1", "", "2" * 2_000))
    assert caught.value.fatal
    assert ask(other, ModelCall("claims", "claims", "1", "", "2" * 2_000)) == "yes"


def test_the_limit_of_a_month_holds_over_libraries(tmp_path: Path, server: ModelServer) -> None:
    with Workbench(tmp_path / "one", load_settings()) as bench:
        ask(use(bench, server, price_in=1_000, price_out=1_000))
        bench.set_setting("model_month_dollars", "0.05")
    with Workbench(tmp_path / "two", load_settings()) as bench:
        asker = bench.asker()
        assert asker is not None
        with pytest.raises(ModelError, match="limit of this month is reached"):
            ask(asker, ModelCall("synthesis", "synthesis", "1", "", "Another question?"))
    assert len(server.requests) == 1


def test_a_changed_profile_is_asked_and_a_job_keeps_the_one_it_began_with(bench: Workbench) -> None:
    with ModelServer("from the first") as first, ModelServer("from the second") as second:
        use(bench, first)
        job = bench.asker("job")
        assert job is not None
        changed = use(bench, second)
        assert ask(changed) == "from the second"
        assert ask(job, ModelCall("labels", "labels", "1", "", "Anything")) == "from the first"
        assert bench.asker() is changed  # nothing changed, so connections and limits are shared


def test_the_key_goes_to_its_server_and_nowhere_else(bench: Workbench, chest: Chest, own_folders: Path) -> None:
    with ModelServer("yes", key=KEY) as server, ModelServer("yes") as other:
        use(bench, server)
        assert bench.keep_key("lab", KEY) == "keyring"
        assert (bench.key_place("lab"), bench.key_note("lab")) == ("keyring", "Kept in the keyring of your system.")
        asker = bench.asker()
        assert asker is not None
        assert ask(asker) == "yes"
        assert server.requests[-1].headers["authorization"] == f"Bearer {KEY}"
        bench.save_profile("lab", {"base_url": other.base_url})
        moved = bench.asker()
        assert moved is not None
        assert ask(moved, ModelCall("labels", "labels", "1", "", "Anything")) == "yes"
        assert "authorization" not in other.requests[-1].headers
    files = [*own_folders.rglob("*"), *bench.library_dir.rglob("*")]
    assert [path for path in files if path.is_file() and KEY.encode() in path.read_bytes()] == []
    assert KEY not in repr(bench.profiles()) + repr(bench.model_calls())


def test_the_environment_gives_server_and_key(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer("yes", key=KEY, models=["gpt-4o-mini"]) as server:
        monkeypatch.setenv("MINERVA_OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("MINERVA_OPENAI_KEY", KEY)
        (profile,) = bench.profiles()
        assert (profile.name, profile.in_use, profile.key_place) == ("environment", True, "environment")
        asker = bench.asker()
        assert asker is not None
        assert ask(asker) == "yes"


def test_offline_nobody_is_asked_not_even_on_this_machine(tmp_path: Path, server: ModelServer) -> None:
    with Workbench(tmp_path / "library", Settings()) as bench:
        use(bench, server)
    with Workbench(tmp_path / "library", load_settings(), offline=True) as bench:
        assert bench.asker() is None
        with pytest.raises(ModelError) as caught:
            bench.test_model()
        assert caught.value.kind == "offline"
    assert server.seen == []


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"base_url": "https://api.openai.com/v1", "model": "gpt-4o-mini", "key": True}, "No key is kept for “lab”"),
        ({"base_url": "http://127.0.0.1:9/v1", "model": "", "key": False}, "No model is named for “lab”"),
    ],
)
def test_a_profile_that_cannot_be_asked_says_why_and_sends_nothing(
    bench: Workbench, fields: dict[str, Any], says: str
) -> None:
    bench.save_profile("lab", fields)
    bench.use_profile("lab")
    assert bench.profiles()[0].problem.startswith(says)
    asker = bench.asker("job")
    assert asker is not None
    assert not asker.ready("claims")
    assert asker.ask_all([], CancelToken()) == []
    for attempt in (
        lambda: asker.ask(CALL, CancelToken()),
        lambda: asker.ask_all([CALL], CancelToken()),
        lambda: asker.stream(CALL, print, CancelToken()),
    ):
        with pytest.raises(ModelError, match=says) as caught:
            attempt()
        assert caught.value.fatal


# ------------------------------------------------------------------------------------------------ connection test
def test_a_test_remembers_how_much_a_model_reads_until_it_reads_more(bench: Workbench) -> None:
    said = {"/api/ps": {"models": [{"name": MODEL, "context_length": 2048}]}, "/api/show": {}}
    heard: list[ChangeSet] = []
    with ModelServer(sensible, others=said) as server:
        use(bench, server)
        bench.subscribe(heard.append)
        report = bench.test_model()
        assert (report.reachable, report.model_present, report.too_small) == (True, True, True)
        assert (bench.profiles()[0].context, bench.profiles()[0].context_found) == (2048, True)
        assert len(heard) == 1
        asker = bench.asker()
        assert asker is not None
        assert asker.context_tokens("extraction") == 2048
        server.others["/api/ps"] = {"models": [{"name": MODEL, "context_length": 16384}]}
        assert not bench.test_model("lab").too_small
        assert load_settings().model_profiles["lab"].context == 16384
        bench.save_profile("lab", {"context": 4000})  # what a person says stays
        bench.test_model("lab")
        assert bench.profiles()[0].context == 4000
    tested = bench.model_calls()
    assert {call.role for call in tested} == {"test"}
    assert bench.model_spending().tokens == sum(call.tokens_in + call.tokens_out for call in tested) > 0


def test_a_test_remembers_whether_a_model_may_judge_until_another_is_named(bench: Workbench) -> None:
    with ModelServer(judging(lambda item: True)) as server:
        use(bench, server)
        assert bench.test_model().judges == "unsound"
    assert bench.profiles()[0].judges == "unsound"
    assert load_settings().model_profiles["lab"].judges == "unsound"
    bench.save_profile("lab", {"price_in": 1})
    assert bench.profiles()[0].judges == "unsound"
    bench.save_profile("lab", {"model": "another"})
    assert bench.profiles()[0].judges == ""


def test_a_server_with_one_model_needs_none_named(bench: Workbench) -> None:
    with ModelServer(sensible) as server:
        use(bench, server, model="")
        assert bench.profiles()[0].problem == "No model is named for “lab”."
        assert bench.test_model().model_present
        assert (bench.profiles()[0].model, bench.profiles()[0].problem) == (MODEL, "")


def test_a_server_with_several_models_wants_one_named(bench: Workbench) -> None:
    with ModelServer(sensible, models=["llama", "qwen"]) as server:
        use(bench, server, model="")
        report = bench.test_model()
    assert report.reachable
    assert report.error == "No model is named for “lab”. The server has these: llama, qwen."
    assert bench.profiles()[0].model == ""


def test_what_was_found_at_the_address_of_the_environment_is_no_property_of_the_profile(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"/api/ps": {"models": [{"name": MODEL, "context_length": 2048}]}, "/api/show": {}}
    bench.save_profile("lab", {"base_url": "http://127.0.0.1:9/v1", "model": MODEL, "key": False})
    bench.use_profile("lab")
    with ModelServer(sensible, others=said) as server:
        monkeypatch.setenv("MINERVA_OPENAI_BASE_URL", server.base_url)
        assert bench.test_model().context_tokens == 2048
    assert load_settings().model_profiles["lab"].context == 0


def test_a_test_can_be_stopped(bench: Workbench) -> None:
    token = CancelToken()

    def slow(request: Request) -> Any:
        token.cancel()
        return ok("late", delay=20)

    with ModelServer(slow) as server:
        use(bench, server)
        with pytest.raises(Cancelled):
            bench.test_model(cancel=token)


def test_every_change_is_announced_and_seen_at_once(bench: Workbench, server: ModelServer) -> None:
    heard: list[ChangeSet] = []
    bench.subscribe(heard.append)
    saved = bench.save_profile(" lab ", {"base_url": server.base_url, "model": MODEL})
    assert (saved.name, saved.in_use, saved.roles["cypher"]) == ("lab", False, MODEL)
    bench.use_profile("lab")
    assert bench.profiles()[0].in_use
    assert bench.settings.model_profile == "lab"
    bench.keep_key("lab", KEY)
    bench.keep_key("lab", "")
    bench.clear_model_log()
    bench.use_profile("")
    bench.remove_profile("lab")
    assert bench.profiles() == []
    assert len(heard) == 7
    assert all(change.settings and change.label and KEY not in change.label for change in heard)
    with pytest.raises(NotFound):
        bench.remove_profile("lab")
    with pytest.raises(UsageError):
        bench.save_profile("none", {})
    with pytest.raises(NotFound):
        bench.key_place("lab")
    assert len(heard) == 7


def test_closing_cuts_off_what_is_under_way_and_a_late_reply_does_no_harm(tmp_path: Path) -> None:
    began = threading.Event()

    def slow(request: Request) -> Any:
        began.set()
        return ok("late", delay=20)

    with ModelServer(slow) as server:
        bench = Workbench(tmp_path / "library", Settings())
        asker = use(bench, server)
        ended: list[BaseException] = []

        def work() -> None:
            try:
                asker.ask(CALL, CancelToken())
            except BaseException as error:  # noqa: BLE001 - whatever ends it is looked at below
                ended.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        assert began.wait(10)
        bench.close()
        thread.join(10)
        assert not thread.is_alive()
        assert len(ended) == 1


def test_generated_texts_belong_to_papers_and_survive_undo(bench: Workbench, tmp_path: Path) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text("# On GaN\n\nThe band gap of GaN is 3.4 eV.\n", encoding="utf-8")
    (report,) = bench.ingest([paper]).papers
    text = GeneratedText(report.id, 1, "figure", "Figure 1", "A falling curve.", "gpt-4o-mini", "1")
    bench.library.models.save_generated(report.id, [1], [text])
    assert bench.generated_texts("paper.md") == [text]
    assert bench.generated_texts("paper.md", 2) == []
    bench.remove("paper.md")
    bench.undo()
    assert bench.generated_texts("paper.md", 1) == [text]
    assert bench.find("falling curve").passages == ()  # never searched as the paper's own words


def test_a_broken_file_of_models_is_told(tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", Settings()) as bench:
        (bench.library_dir / "models.sqlite").write_bytes(b"no database " * 200)
        assert bench.model_note() == ""
        assert bench.model_calls() == []
        assert "set aside as models.sqlite.damaged" in bench.model_note()
        assert "set aside" in bench.model_spending().note


def test_profiles_of_a_file_that_was_edited_by_hand_are_seen_at_the_next_change(bench: Workbench) -> None:
    profiles.save_profile("other", {"base_url": "http://127.0.0.1:9/v1", "model": "m"})
    bench.save_profile("lab", {"base_url": "http://127.0.0.1:9/v1", "model": "m"})
    assert [item.name for item in bench.profiles()] == ["lab", "other"]
