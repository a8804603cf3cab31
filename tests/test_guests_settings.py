"""Settings of language models: profiles, what the environment says, where keys are kept and where they may go."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import keyring
import pytest

from minerva_desktop.errors import MinervaError, NotFound, UsageError
from minerva_desktop.settings import Settings, load_settings, profiles, save_setting, settings_file
from minerva_desktop.settings.addresses import in_clear, is_near, origin
from tests.keyring_support import Chest, LockedChest, StubbornChest

KEY = "sk-nobody-may-see-this-1234567890"
LOCAL = "http://127.0.0.1:9999/v1"


def add(name: str, use: bool = True, **fields: Any) -> Settings:
    settings = profiles.save_profile(name, fields)
    return profiles.use_profile(name) if use else settings


def key_in_use(settings: Settings) -> tuple[str, str]:
    name, profile = profiles.profile_in_use(settings)
    assert profile is not None
    return profiles.model_key(name, profile)


# ---------------------------------------------------------------------------------------------------- addresses
@pytest.mark.parametrize(
    ("url", "near"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://localhost:1234/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://192.168.1.20:8000/v1", True),
        ("http://10.0.0.5/v1", True),
        ("http://100.101.102.103/v1", True),
        ("http://gpubox:8000/v1", True),
        ("http://gpubox.local/v1", True),
        ("http://llm.internal/v1", True),
        ("http://8.8.8.8/v1", False),
        ("http://134744072/v1", False),
        ("http://0x08080808/v1", False),
        ("http://127.0.0.1.example.com/v1", False),
        ("http://localhost.example.com/v1", False),
        ("http://example.com/v1", False),
    ],
)
def test_what_is_near_is_told_by_the_address_alone(url: str, near: bool) -> None:
    assert is_near(url) is near
    assert in_clear(url) is not near
    assert not in_clear(url.replace("http://", "https://"))


def test_a_key_belongs_to_scheme_host_and_port() -> None:
    assert origin("https://api.openai.com/v1") == origin("https://API.openai.com:443/other")
    assert origin("https://api.openai.com") != origin("http://api.openai.com")
    assert origin("http://[::1]:8080/v1") == "http://[::1]:8080"


# ------------------------------------------------------------------------------------------------------ profiles
@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("ollama", "http://127.0.0.1:11434/v1"),
        ("lmstudio", "http://127.0.0.1:1234/v1"),
        ("llamacpp", "http://127.0.0.1:8080/v1"),
        ("vllm", "http://127.0.0.1:8000/v1"),
        ("openai", "https://api.openai.com/v1"),
    ],
)
def test_known_servers_need_no_address(name: str, url: str) -> None:
    profile = add(name).profile()
    assert profile is not None
    assert profile.base_url == url
    assert profile.key is (name == "openai")


def test_openai_brings_its_models_and_any_role_can_have_another() -> None:
    profile = add("openai").profile()
    assert profile is not None
    assert profile.model_for("extraction") == "gpt-4o-mini"
    assert profile.model_for("cypher") == "gpt-4o"
    changed = add("openai", models={"cypher": "gpt-4.1", "claims": " "}).profile()
    assert changed is not None
    assert (changed.model_for("cypher"), changed.model_for("claims")) == ("gpt-4.1", "gpt-4o-mini")


def test_a_profile_outlives_the_program_and_the_file_holds_it_in_full() -> None:
    add("lab", base_url=LOCAL, model="qwen", context="8192", key=False, price_in="0.5")
    (kept,) = json.loads(settings_file().read_text(encoding="utf-8"))["model_profiles"].items()
    assert kept[0] == "lab"
    assert kept[1] | {"base_url": LOCAL, "model": "qwen", "context": 8192, "key": False, "price_in": 0.5} == kept[1]
    assert load_settings().profile() == load_settings().model_profiles["lab"]


def test_a_change_keeps_what_was_not_named_and_a_found_context_goes_with_its_model() -> None:
    add("lab", base_url=LOCAL, model="qwen", context=4096, context_found=True, price_in=1)
    same = add("lab", price_out=2).profile()
    assert same is not None
    assert (same.context, same.price_in, same.price_out) == (4096, 1, 2)
    other = add("lab", model="llama").profile()
    assert other is not None
    assert (other.context, other.context_found) == (0, False)
    add("lab", context=4096)
    given = add("lab", model="mistral").profile()
    assert given is not None
    assert given.context == 4096


@pytest.mark.parametrize(
    ("name", "fields", "says"),
    [
        ("lab", {}, "Say where the server of “lab” is"),
        ("lab", {"base_url": "127.0.0.1:8080"}, "base_url: the address of a server begins with http://"),
        ("lab", {"base_url": "http://host:99999"}, "base_url: the address of a server begins with http://"),
        ("lab", {"base_url": f"https://me:{KEY}@host/v1"}, "keys are kept apart"),
        ("lab", {"base_url": LOCAL, "models": {"cooking": "x"}}, "models › cooking"),
        ("lab", {"base_url": LOCAL, "context": -1}, "context: "),
        ("lab", {"base_url": LOCAL, "price_in": "nan"}, "price_in: "),
        ("lab", {"base_url": LOCAL, "speed": 1}, "no field “speed”"),
        ("none", {"base_url": LOCAL}, "no name for a profile"),
        ("environment", {"base_url": LOCAL}, "no name for a profile"),
        ("", {"base_url": LOCAL}, "no name for a profile"),
        ("a=b", {"base_url": LOCAL}, "no name for a profile"),
        ("far", {"base_url": "http://example.com/v1"}, "in clear"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(name: str, fields: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        profiles.save_profile(name, fields)
    assert says in caught.value.message
    assert caught.value.message.endswith(".")
    assert KEY not in f"{caught.value.message}{caught.value.hint}"
    assert not settings_file().exists()


def test_without_a_key_an_address_beyond_the_own_network_may_do_without_https() -> None:
    assert "far" in add("far", base_url="http://example.com/v1", key=False).model_profiles


def test_only_what_is_there_can_be_used_or_removed() -> None:
    with pytest.raises(NotFound, match="no profile “lab”"):
        profiles.use_profile("lab")
    with pytest.raises(NotFound, match="no profile “lab”"):
        profiles.remove_profile("lab")
    with pytest.raises(UsageError, match="no profile “lab”"):
        save_setting("model_profile", "lab")
    add("ollama")
    assert profiles.use_profile("").profile() is None
    profiles.use_profile("ollama")
    left = profiles.remove_profile("ollama")
    assert (left.model_profile, left.model_profiles) == ("", {})


def test_profiles_can_be_set_by_hand_as_json() -> None:
    settings = save_setting("model_profiles", f'{{"lab": {{"base_url": "{LOCAL}", "model": "q", "key": false}}}}')
    assert settings.model_profiles["lab"].model == "q"
    save_setting("model_profile", "lab")
    with pytest.raises(UsageError, match="“lab” is in use and cannot be left out"):
        save_setting("model_profiles", "{}")
    with pytest.raises(UsageError, match="not valid JSON"):
        save_setting("model_profiles", "{lab}")
    with pytest.raises(UsageError, match="lab › api_key: ") as caught:
        save_setting("model_profiles", json.dumps({"lab": {"base_url": LOCAL, "api_key": KEY}}))
    assert KEY not in f"{caught.value.message}{caught.value.hint}"
    assert load_settings().model_profiles["lab"].model == "q"


def test_other_settings_do_not_write_profiles_that_are_not_there() -> None:
    save_setting("results", "30")
    assert json.loads(settings_file().read_text(encoding="utf-8")) == {"results": 30}


# ---------------------------------------------------------------------------------------------------------- keys
def test_a_key_lies_in_the_keyring_and_in_no_file(chest: Chest, own_folders: Path) -> None:
    settings = add("openai")
    assert profiles.keep_key("openai", f" {KEY}\n") == "keyring"
    assert key_in_use(settings) == (KEY, "keyring")
    assert list(chest.kept.values()) == [KEY]
    written = [path for path in own_folders.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert written == []
    assert KEY not in repr(load_settings())
    assert profiles.keep_key("openai", "") == ""
    assert chest.kept == {}


def test_without_a_keyring_a_key_is_kept_in_memory_and_the_reason_is_said() -> None:
    profile = add("openai").model_profiles["openai"]
    assert profiles.keep_key("openai", KEY) == "memory"
    assert profiles.model_key("openai", profile) == (KEY, "memory")
    note = profiles.key_note("openai", profile)
    assert note == "Kept in memory until the program ends: your system has no keyring that answers."


def test_a_keyring_that_refuses_is_told_from_one_that_is_not_there(chest: Chest) -> None:
    profile = add("openai").model_profiles["openai"]
    keyring.set_keyring(LockedChest())
    assert "could not be read" in profiles.key_note("openai", profile)
    assert profiles.keep_key("openai", KEY) == "memory"
    note = profiles.key_note("openai", profile)
    assert note == "Kept in memory until the program ends: the keyring of your system refused it."


def test_a_keyring_that_does_not_forget_is_told(chest: Chest) -> None:
    profile = add("openai").model_profiles["openai"]
    keyring.set_keyring(StubbornChest())
    assert profiles.keep_key("openai", KEY) == "keyring"
    assert profiles.keep_key("openai", "") == "keyring"
    assert profiles.key_note("openai", profile).endswith("the keyring of your system refused to forget it.")


def test_a_keyring_that_keeps_nothing_counts_as_none() -> None:
    from keyring.backends.null import Keyring

    before = keyring.get_keyring()
    keyring.set_keyring(Keyring())
    add("openai")
    assert profiles.keep_key("openai", KEY) == "memory"
    keyring.set_keyring(before)


@pytest.mark.parametrize("text", ["two words", "schlüssel", "a\nb", "x" * 5000])
def test_what_can_be_no_key_is_refused_without_repeating_it(text: str) -> None:
    add("openai")
    with pytest.raises(UsageError) as caught:
        profiles.keep_key("openai", text)
    assert text not in caught.value.message


def test_a_key_goes_to_no_other_server_when_the_address_changes(chest: Chest) -> None:
    add("work", base_url="https://one.example/v1", model="m")
    profiles.keep_key("work", KEY)
    moved = add("work", base_url="https://two.example/v1")
    assert key_in_use(moved) == ("", "")
    assert chest.kept == {}
    # Also when somebody edits the file.
    profiles.keep_key("work", KEY)
    text = settings_file().read_text(encoding="utf-8").replace("two.example", "three.example")
    settings_file().write_text(text, encoding="utf-8")
    assert key_in_use(load_settings()) == ("", "")


def test_a_key_is_never_handed_out_for_an_address_that_others_can_listen_to(chest: Chest) -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text(
        json.dumps({"model_profile": "far", "model_profiles": {"far": {"base_url": "http://example.com/v1"}}}),
        encoding="utf-8",
    )
    settings = load_settings()
    profile = settings.model_profiles["far"]
    with pytest.raises(UsageError, match="in clear"):
        profiles.keep_key("far", KEY)
    assert profiles.model_key("far", profile) == ("", "")
    assert "in clear" in profiles.problem_of("far", profile)


def test_a_key_makes_a_local_profile_send_it_and_removing_the_profile_forgets_it(chest: Chest) -> None:
    add("vllm")
    profiles.keep_key("vllm", KEY)
    assert key_in_use(load_settings()) == (KEY, "keyring")
    profiles.remove_profile("vllm")
    assert chest.kept == {}


# --------------------------------------------------------------------------------------------------- environment
def test_the_key_of_the_environment_is_for_openai_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINERVA_OPENAI_KEY", KEY)
    assert key_in_use(add("openai")) == (KEY, "environment")
    assert key_in_use(add("other", base_url="https://llm.example/v1", model="m")) == ("", "")
    assert key_in_use(add("vllm", key=True)) == ("", "")


def test_a_profile_s_own_key_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch, chest: Chest) -> None:
    monkeypatch.setenv("MINERVA_OPENAI_KEY", KEY)
    settings = add("openai")
    profiles.keep_key("openai", "sk-own")
    assert key_in_use(settings) == ("sk-own", "keyring")


def test_an_address_in_the_environment_needs_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINERVA_OPENAI_BASE_URL", f"{LOCAL}/")
    name, profile = profiles.profile_in_use(Settings())
    assert profile is not None
    assert (name, profile.base_url, profile.key) == ("environment", LOCAL, False)
    assert (profile.model_for("claims"), profile.model_for("cypher")) == ("gpt-4o-mini", "gpt-4o")
    assert profiles.problem_of(name, profile) == ""
    monkeypatch.setenv("MINERVA_OPENAI_KEY", KEY)
    assert key_in_use(Settings()) == (KEY, "environment")
    assert list(profiles.known_profiles(Settings())) == ["environment"]


def test_an_address_in_the_environment_takes_the_place_of_the_profile_s(
    monkeypatch: pytest.MonkeyPatch, chest: Chest
) -> None:
    settings = add("openai", models={"claims": "gpt-4.1"})
    profiles.keep_key("openai", "sk-openai")
    monkeypatch.setenv("MINERVA_OPENAI_BASE_URL", LOCAL)
    name, profile = profiles.profile_in_use(settings)
    assert profile is not None
    assert (name, profile.base_url) == ("openai", LOCAL)
    assert [profile.model_for(role) for role in ("claims", "cypher", "labels")] == ["gpt-4.1", "gpt-4o", "gpt-4o-mini"]
    # OpenAI's key stays with OpenAI; only the key that the environment gives goes to its address.
    assert key_in_use(settings) == ("", "")
    monkeypatch.setenv("MINERVA_OPENAI_KEY", KEY)
    assert key_in_use(settings) == (KEY, "environment")
    assert profiles.model_key("openai", settings.model_profiles["openai"]) == ("sk-openai", "keyring")
    profiles.keep_key("openai", "")
    assert profiles.model_key("openai", settings.model_profiles["openai"]) == ("", "")


def test_an_environment_that_names_no_address_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINERVA_OPENAI_BASE_URL", "localhost:8080")
    with pytest.raises(MinervaError, match="MINERVA_OPENAI_BASE_URL cannot be used"):
        profiles.profile_in_use(Settings())


def test_a_key_of_the_environment_does_not_travel_in_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINERVA_OPENAI_BASE_URL", "http://example.com/v1")
    monkeypatch.setenv("MINERVA_OPENAI_KEY", KEY)
    name, profile = profiles.profile_in_use(Settings())
    assert profile is not None
    assert profiles.model_key(name, profile) == ("", "")
    assert "in clear" in profiles.problem_of(name, profile)


def test_openai_without_a_key_is_told_before_anything_is_sent() -> None:
    profile = add("openai").model_profiles["openai"]
    assert profiles.problem_of("openai", profile) == "No key is kept for “openai”, and OpenAI answers only with one."
