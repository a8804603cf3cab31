"""What a library keeps of language models: replies, the log of calls, generated texts."""

from __future__ import annotations

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from minerva_desktop.errors import MinervaError
from minerva_desktop.library import Library, ModelStore
from minerva_desktop.records import CallRecord, GeneratedText

CALL = CallRecord(
    at="2026-11-30T10:00:00+00:00",
    job="job-1",
    role="claims",
    profile="lab",
    model="qwen",
    prompt="claims",
    version="1-abcd",
    item="GaN has a band gap of 3.4 eV",
    tokens_in=100,
    tokens_out=20,
    estimated=False,
    dollars=0.001,
    seconds=0.5,
    attempts=1,
    mode="json_schema",
    outcome="ok",
)
TEXT = GeneratedText("paper", 2, "figure", "Figure 1", "A curve that falls.", "gpt-4o-mini", "1-abcd")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "models.sqlite"


def test_a_reply_is_the_same_after_the_program_ended(file: Path) -> None:
    store = ModelStore(file)
    assert store.get("a") is None
    store.put("a", "{“γ”: 1}\r\n")
    store.put("a", "{“γ”: 2}\r\n")
    store.close()
    again = ModelStore(file)
    assert again.get("a") == "{“γ”: 2}\r\n"
    assert again.problem == ""
    again.close()


def test_there_is_no_file_before_something_is_kept(file: Path) -> None:
    store = ModelStore(file)
    assert (store.get("a"), store.calls(), store.by_role(), store.generated("p"), store.reply_bytes()) == (
        None, [], [], [], 0,
    )  # fmt: skip
    store.clear_calls()
    store.close()
    assert not file.exists()


def test_a_copied_folder_answers_from_the_same_replies(tmp_path: Path) -> None:
    with Library.open(tmp_path / "one", create=True) as library:
        library.models.put("a", "reply")
        library.models.save_generated("paper", [2], [TEXT])
    shutil.copytree(tmp_path / "one", tmp_path / "elsewhere" / "two")
    with Library.open(tmp_path / "elsewhere" / "two") as library:
        assert library.models.get("a") == "reply"
        assert library.models.generated("paper") == [TEXT]


def test_audit_and_rebuild_do_not_mind_the_file_nor_its_absence(tmp_path: Path) -> None:
    with Library.open(tmp_path / "one", create=True) as library:
        library.models.log(CALL)
        library.rebuild()
        assert library.audit(repair=True).ok
        assert library.models.calls() == [CALL]
    (tmp_path / "one" / "models.sqlite").unlink()
    with Library.open(tmp_path / "one") as library:
        assert library.audit().ok
        assert library.models.calls() == []


def test_the_least_recently_used_replies_go_first(file: Path) -> None:
    store = ModelStore(file, most_bytes=10_000)
    for number in range(9):
        store.put(f"{number}", "x" * 1_000)
    assert store.get("0") is not None
    store.close()
    again = ModelStore(file, most_bytes=10_000)  # what was used lately is known across sessions
    for number in range(9, 12):
        again.put(f"{number}", "x" * 1_000)
    kept = [number for number in range(12) if again.get(f"{number}") is not None]
    assert again.reply_bytes() <= 10_000
    assert {0, 9, 10, 11} <= set(kept)
    assert 1 not in kept
    again.close()


def test_a_reply_larger_than_all_room_does_not_stop_the_next(file: Path) -> None:
    store = ModelStore(file, most_bytes=1_000)
    store.put("big", "x" * 5_000)
    assert store.get("big") is None
    store.put("small", "x")
    assert store.get("small") == "x"
    store.close()


def test_the_log_is_bounded_and_read_newest_first(file: Path) -> None:
    store = ModelStore(file, most_calls=3)
    for number in range(5):
        store.log(replace(CALL, item=str(number), job="odd" if number % 2 else "even", estimated=bool(number % 2)))
    assert [item.item for item in store.calls()] == ["4", "3", "2"]
    assert [item.item for item in store.calls(limit=1)] == ["4"]
    assert store.calls(job="odd") == [replace(CALL, item="3", job="odd", estimated=True)]
    store.put("a", "reply")
    store.clear_calls()
    assert store.calls() == []
    assert store.get("a") == "reply"
    store.close()


def test_what_roles_used_is_summed_without_what_the_cache_answered(file: Path) -> None:
    store = ModelStore(file)
    for call in (
        replace(CALL, at="2026-10-31T23:59:59+00:00"),
        CALL,
        replace(CALL, outcome="cached"),
        replace(CALL, outcome="repaired", job="job-2"),
        replace(CALL, outcome="timeout", tokens_out=0, dollars=0.0),
        replace(CALL, role="cypher", model="gpt-4o"),
    ):
        store.log(call)
    (claims, cypher) = store.by_role(since="2026-11-01")
    assert (claims.role, claims.calls, claims.cached, claims.failed) == ("claims", 4, 1, 1)
    assert (claims.tokens_in, claims.tokens_out) == (300, 40)
    assert claims.dollars == pytest.approx(0.002)
    assert (cypher.role, cypher.model, cypher.calls) == ("cypher", "gpt-4o", 1)
    assert [item.calls for item in store.by_role(job="job-2")] == [1]
    assert store.by_role()[0].calls == 5
    store.close()


def test_generated_texts_replace_those_of_their_page_alone(file: Path) -> None:
    store = ModelStore(file)
    other = replace(TEXT, page=1, kind="equation", label="(1)", text=r"E = mc^2")
    store.save_generated("paper", [1, 2], [TEXT, other, replace(TEXT, label="Figure 2")])
    assert [(item.page, item.label) for item in store.generated("paper")] == [
        (1, "(1)"), (2, "Figure 1"), (2, "Figure 2"),
    ]  # fmt: skip
    store.save_generated("paper", [2], [])
    assert store.generated("paper") == [other]
    assert store.generated("paper", 2) == []
    assert store.generated("another") == []
    store.close()


def test_many_threads_may_use_it_at_once(file: Path) -> None:
    store = ModelStore(file)

    def work(number: int) -> str | None:
        store.put(f"{number}", f"reply {number}")
        store.log(replace(CALL, item=f"{number}"))
        return store.get(f"{number}")

    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(work, range(200)))
    assert replies == [f"reply {number}" for number in range(200)]
    assert sorted(int(item.item) for item in store.calls(500)) == list(range(200))
    store.close()


def test_a_broken_file_is_told_set_aside_and_holds_up_nothing(file: Path) -> None:
    file.write_bytes(b"no database at all, " * 100)
    store = ModelStore(file)
    assert store.get("a") is None
    assert "set aside as models.sqlite.damaged" in store.problem
    store.put("a", "reply")
    assert store.get("a") == "reply"
    store.close()
    assert file.with_name("models.sqlite.damaged").read_bytes().startswith(b"no database")


def test_a_file_of_a_newer_program_is_left_alone(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 99")
        connection.commit()
    before = file.read_bytes()
    store = ModelStore(file)
    store.put("a", "reply")
    assert store.get("a") is None
    assert "newer version" in store.problem
    with pytest.raises(MinervaError, match="newer version"):
        store.save_generated("paper", [2], [TEXT])
    store.close()
    assert file.read_bytes() == before


def test_a_call_that_ends_after_the_library_closed_does_no_harm(file: Path) -> None:
    store = ModelStore(file)
    store.put("a", "reply")
    store.close()
    store.close()
    store.log(CALL)
    store.put("b", "reply")
    assert store.get("a") is None


def test_half_characters_of_broken_servers_do_no_harm(file: Path) -> None:
    store = ModelStore(file)
    store.put("a", "\ud83d")
    assert store.get("a") is None
    store.log(replace(CALL, item="\ud83d"))
    assert store.calls()[0].item == "?"
    assert store.problem == ""
    store.close()
