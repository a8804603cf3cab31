"""``models …`` and what ``settings`` and ``doctor`` say of language models."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.cli import main
from minerva_desktop.library import Library
from minerva_desktop.models.ledger import Ledger
from minerva_desktop.settings import config_dir, load_settings
from tests.keyring_support import Chest
from tests.model_server import MODEL, ModelServer
from tests.test_model_store import CALL
from tests.test_models_probe import sensible

KEY = "sk-nobody-may-see-this-1234567890"
URL = "http://127.0.0.1:9/v1"
Minerva = Callable[..., Any]


@pytest.fixture
def minerva(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Minerva:
    """Run a command with --json; its exit code is checked, its result returned. No key is ever shown."""

    def run(*words: str, code: int = 0, stdin: str = "") -> Any:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        got = main(["--json", "--library", str(tmp_path / "library"), *words])
        shown = capsys.readouterr()
        assert got == code, f"exit {got}: {shown.out[-800:]} {shown.err[-800:]}"
        assert KEY not in shown.out + shown.err
        return json.loads(shown.out)

    return run


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., str]:
    """What a command prints for a person."""

    def run(*words: str) -> str:
        main(["--library", str(tmp_path / "library"), *words])
        return capsys.readouterr().out

    return run


def test_without_any_model_everything_says_that_none_is_needed(minerva: Minerva, said: Callable[..., str]) -> None:
    assert minerva("models", "list") == {"in_use": "", "offline": False, "profiles": []}
    assert "none is needed" in said("models", "list")
    assert minerva("models", "spending")["dollars"] == 0
    assert minerva("models", "test", code=1)["error"]["message"] == "No language model is in use."
    (check,) = [item for item in minerva("doctor")["checks"] if item["name"] == "language model"]
    assert check["ok"]
    assert "none is needed" in check["message"]


def test_a_server_is_added_used_changed_and_removed(minerva: Minerva, said: Callable[..., str]) -> None:
    added = minerva("models", "add", "ollama", "--model", "qwen", "--role", "cypher=coder", "--role", "vision=llava")
    assert added["in_use"] == ""
    assert added["profile"]["base_url"] == "http://127.0.0.1:11434/v1"
    assert added["profile"]["roles"]["cypher"] == "coder"
    assert added["profile"]["roles"]["claims"] == "qwen"
    assert minerva("models", "use", "ollama")["in_use"] == "ollama"
    assert "model qwen (cypher: coder, vision: llava)" in said("models", "list")
    changed = minerva(
        "models", "add", "ollama", "--context", "8192", "--price-in", "0.1", "--price-out", "0.2", "--role", "cypher="
    )
    (profile,) = minerva("models", "list")["profiles"]
    assert profile == changed["profile"]
    assert (profile["model"], profile["context"], profile["price_in"], profile["price_out"]) == ("qwen", 8192, 0.1, 0.2)
    assert (profile["roles"]["cypher"], profile["roles"]["vision"]) == ("qwen", "llava")
    assert (profile["in_use"], profile["problem"], profile["key_place"]) == (True, "", "")
    assert minerva("models", "use", "none")["in_use"] == ""
    minerva("models", "use", "ollama")
    assert minerva("models", "remove", "ollama") == {"removed": "ollama", "in_use": ""}
    assert load_settings().model_profiles == {}


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["models", "add", "lab"], 2, "Say where the server of “lab” is"),
        (["models", "add", "lab", "--url", "ftp://x"], 2, "begins with http://"),
        (["models", "add", "lab", "--url", URL, "--role", "cooking=x"], 2, "models › cooking"),
        (["models", "add", "lab", "--url", URL, "--role", "cypher"], 2, "not of the form ROLE=MODEL"),
        (["models", "add", "lab", "--url", URL, "--price-in", "much"], 2, "price_in"),
        (["models", "add", "lab", "--url", "http://example.com/v1"], 2, "in clear"),
        (["models", "add", "lab", "--url", URL, "--key", KEY], 2, "not taken from the command line"),
        (["models", "key", "openai", KEY], 2, "not taken from the command line"),
        (["models", "key", "openai", f"--key={KEY}"], 2, "not taken from the command line"),
        (["models", "test", "openai", KEY], 2, "Unrecognized arguments: …"),
        (["models", "use", "lab"], 1, "no profile “lab”"),
        (["models", "remove", "lab"], 1, "no profile “lab”"),
        (["models", "key", "lab"], 1, "no profile “lab”"),
        (["models", "test", "lab"], 1, "no profile “lab”"),
        (["models", "calls"], 1, "no library"),
        (["models"], 2, ""),
        (["settings", "set", "model_profiles", "nonsense"], 2, "not valid JSON"),
        (["settings", "set", "model_profile", "lab"], 2, "no profile “lab”"),
        (["settings", "set", "model_tries", "0"], 2, "“0” is no value for model_tries"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(minerva: Minerva, words: list[str], code: int, says: str) -> None:
    error = minerva(*words, code=code)["error"]
    assert says in error["message"]
    assert error["message"].endswith((".", "?"))
    assert load_settings().model_profiles == {}


def test_a_key_is_read_from_standard_input_and_never_shown(
    minerva: Minerva, said: Callable[..., str], chest: Chest, own_folders: Path
) -> None:
    minerva("models", "add", "openai")
    minerva("models", "use", "openai")
    assert minerva("models", "list")["profiles"][0]["problem"].startswith("No key is kept for “openai”")
    assert minerva("models", "key", "openai", code=2)["error"]["message"] == "No key was given; nothing was changed."
    assert minerva("models", "key", "openai", stdin=f"{KEY}\n") == {
        "name": "openai",
        "place": "keyring",
        "note": "Kept in the keyring of your system.",
    }
    (profile,) = minerva("models", "list")["profiles"]
    assert (profile["key_place"], profile["problem"]) == ("keyring", "")
    assert "openai" in minerva("settings", "get", "model_profiles")["model_profiles"]
    minerva("settings", "get")
    assert "“openai” at https://api.openai.com/v1: not asked" in said("--offline", "doctor")
    assert KEY not in said("models", "list") + said("--offline", "doctor") + said("settings", "get")
    written = [path for path in own_folders.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert written == []
    assert minerva("models", "key", "openai", "--forget")["place"] == ""
    assert chest.kept == {}


def test_without_a_keyring_a_command_says_that_it_could_not_keep_the_key(minerva: Minerva) -> None:
    minerva("models", "add", "openai")
    error = minerva("models", "key", "openai", stdin=KEY, code=1)["error"]
    assert error["code"] == "no-keyring"
    assert error["message"] == "The key of “openai” is not kept; your system has no keyring that answers."
    assert "MINERVA_OPENAI_KEY" in error["hint"]


def test_the_environment_alone_makes_a_profile(
    minerva: Minerva, said: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINERVA_OPENAI_BASE_URL", URL)
    monkeypatch.setenv("MINERVA_OPENAI_KEY", KEY)
    listed = minerva("models", "list")
    assert listed["in_use"] == "environment"
    (profile,) = listed["profiles"]
    assert (profile["base_url"], profile["key_place"], profile["from_environment"]) == (URL, "environment", True)
    assert "MINERVA_OPENAI_BASE_URL" in said("models", "list")
    assert "“environment” is in use" in said("models", "use", "none")
    error = minerva("models", "key", "environment", stdin="x", code=1)["error"]
    assert "MINERVA_OPENAI_KEY" in error["hint"]


def test_offline_opens_no_socket_not_even_on_this_machine(tmp_path: Path) -> None:
    """In a process of its own, where every attempt to make a socket is an error."""
    script = (
        "import socket, sys\n"
        "def refuse(*_, **__): raise AssertionError('a socket was opened')\n"
        "socket.socket.connect = refuse; socket.create_connection = refuse; socket.getaddrinfo = refuse\n"
        "from minerva_desktop.cli import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    environment = {**os.environ, "MINERVA_OPENAI_BASE_URL": URL}
    ends: dict[str, tuple[int, Any]] = {}
    for words in (("models", "test"), ("models", "list"), ("doctor",)):
        done = subprocess.run(
            [sys.executable, "-c", script, "--json", "--offline", *words],
            env=environment, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert "a socket was opened" not in done.stderr
        ends[words[-1]] = (done.returncode, json.loads(done.stdout))
    assert ends["test"][0] == 1
    assert ends["test"][1]["error"]["code"] == "model-offline"
    assert ends["list"][1]["offline"] is True
    (check,) = [item for item in ends["doctor"][1]["checks"] if item["name"] == "language model"]
    assert "not asked, because the program is offline" in check["message"]


def test_doctor_says_when_nothing_answers(minerva: Minerva) -> None:
    minerva("models", "add", "lab", "--url", URL, "--model", "q")
    minerva("models", "use", "lab")
    (check,) = [item for item in minerva("doctor")["checks"] if item["name"] == "language model"]
    assert (check["ok"], check["needed"]) == (False, False)
    assert f"“lab” at {URL}: no server answers" in check["message"]


def test_calls_and_spending_can_be_seen_while_the_library_is_open(
    minerva: Minerva, said: Callable[..., str], tmp_path: Path
) -> None:
    now = Ledger(config_dir() / "model-spending.sqlite")
    now.add("lab", 120, 0.001)
    month = now.this_month()
    now.close()
    with Library.open(tmp_path / "library", create=True) as library:
        assert minerva("models", "calls") == []
        library.models.log(replace(CALL, at=f"{month}-01T00:00:00+00:00"))
        library.models.log(replace(CALL, at=f"{month}-01T00:00:01+00:00", job="job-2", outcome="cached", dollars=0.0))
        assert [item["job"] for item in minerva("models", "calls")] == ["job-2", "job-1"]
        assert [item["outcome"] for item in minerva("models", "calls", "--job", "job-2")] == ["cached"]
        assert len(minerva("models", "calls", "--limit", "1")) == 1
        spent = minerva("models", "spending")
        assert "GaN has a band gap" in said("models", "calls")
        assert f"{month}: $0.0010 of $20.00; 120 tokens" in said("models", "spending")
    assert (spent["month"], spent["tokens"], spent["dollars"]) == (month, 120, 0.001)
    assert spent["by_profile"] == [["lab", 1, 120, 0.001]]
    assert spent["by_role"] == [
        {"role": "claims", "model": "qwen", "calls": 2, "cached": 1, "failed": 0, "tokens_in": 100, "tokens_out": 20,
         "dollars": 0.001}
    ]  # fmt: skip
    assert (spent["job_dollars"], spent["month_dollars"]) == (2.0, 20.0)
    minerva("models", "calls", "--clear")
    assert minerva("models", "calls") == []


def test_settings_of_models_are_set_like_all_others(minerva: Minerva) -> None:
    assert minerva("settings", "set", "model_month_dollars", "5") == {"model_month_dollars": 5.0}
    profile = {"lab": {"base_url": URL, "model": "q", "key": False}}
    set_by_hand = minerva("settings", "set", "model_profiles", json.dumps(profile))["model_profiles"]
    assert set_by_hand["lab"]["model"] == "q"
    assert minerva("settings", "set", "model_profiles", json.dumps(set_by_hand))["model_profiles"] == set_by_hand


# ------------------------------------------------------------------------------------------------ connection test
def test_a_server_is_tested(minerva: Minerva, said: Callable[..., str]) -> None:
    with ModelServer(sensible) as server:
        minerva("models", "add", "llamacpp", "--url", server.base_url)
        minerva("models", "use", "llamacpp")
        report = minerva("models", "test")
        assert (report["name"], report["reachable"], report["model_present"], report["error"]) == (
            "llamacpp", True, True, "",
        )  # fmt: skip
        assert (report["mode"], report["seen_models"], report["too_small"]) == ("json_schema", [MODEL], False)
        assert f"{MODEL} answers" in said("models", "test", "llamacpp")
        (check,) = [item for item in minerva("doctor")["checks"] if item["name"] == "language model"]
        assert check["ok"]
        assert "a server answers" in check["message"]
    assert minerva("models", "list")["profiles"][0]["model"] == MODEL
    assert minerva("models", "spending")["by_profile"][0][0] == "llamacpp"


def test_a_server_that_is_not_there_or_has_not_the_model_fails_the_test(minerva: Minerva) -> None:
    with ModelServer(sensible, models=["qwen"]) as server:
        minerva("models", "add", "lab", "--url", server.base_url, "--model", "llama")
        report = minerva("models", "test", "lab", code=1)
        assert (report["reachable"], report["model_present"], report["seen_models"]) == (True, False, ["qwen"])
        assert report["error"].endswith(".")
    report = minerva("models", "test", "lab", code=1)
    assert (report["reachable"], report["model_present"]) == (False, False)
    assert report["error"].endswith(".")


def test_a_model_that_reads_too_little_is_told_plainly(minerva: Minerva, said: Callable[..., str]) -> None:
    loaded = {"/api/ps": {"models": [{"name": MODEL, "context_length": 2048}]}, "/api/show": {}}
    with ModelServer(sensible, others=loaded) as server:
        minerva("models", "add", "ollama", "--url", server.base_url, "--model", MODEL)
        report = minerva("models", "test", "ollama")
        assert (report["too_small"], report["context_tokens"]) == (True, 2048)
        assert "nothing would be found" in said("models", "test", "ollama")
    assert "2,048 tokens at once (found)" in said("models", "list")
