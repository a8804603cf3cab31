"""A watched folder: real files that come, grow, move and go."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from minerva_desktop.events import CancelToken
from minerva_desktop.sources.watching import Look, WatchOptions, WatchState, look, mark_known, watch

SETTLED = WatchOptions(settle=5)


class Clock:
    """A folder that is looked at, and the seconds that pass between."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state = WatchState()
        self.now = 100.0
        self.last = Look(self.state)

    def after(self, seconds: float) -> list[str]:
        """Wait, look, and name what is new."""
        self.now += seconds
        self.last = look(self.folder, self.state, self.now, SETTLED)
        self.state = self.last.state
        return [file.path.relative_to(self.folder).as_posix() for file in self.last.new]


@pytest.fixture
def clock(tmp_path: Path) -> Clock:
    folder = tmp_path / "watched"
    folder.mkdir()
    return Clock(folder)


def test_a_file_is_reported_once_when_it_has_settled(clock: Clock) -> None:
    (clock.folder / "a.pdf").write_bytes(b"%PDF one")
    assert clock.after(0) == []
    assert clock.last.waiting == 1
    assert clock.after(4) == []
    assert clock.after(1) == ["a.pdf"]
    assert clock.after(60) == []


def test_a_file_that_grows_is_waited_for(clock: Clock) -> None:
    path = clock.folder / "a.pdf"
    for size in range(1, 6):
        path.write_bytes(b"x" * size)
        assert clock.after(4) == []
    assert clock.after(5) == ["a.pdf"]
    assert clock.last.new[0].size == 5


def test_temporary_hidden_empty_and_other_files_are_left_alone(clock: Clock) -> None:
    for name in ("a.pdf.part", "b.pdf.crdownload", "c.pdf~", "~$d.pdf", ".e.pdf", "f.txt", "g.pdf.tmp"):
        (clock.folder / name).write_bytes(b"x")
    (clock.folder / "empty.pdf").touch()
    assert clock.after(0) == []
    assert clock.after(60) == []


def test_a_name_that_a_browser_holds_is_waited_for(clock: Clock) -> None:
    (clock.folder / "a.pdf").write_bytes(b"placeholder")
    (clock.folder / "a.pdf.part").write_bytes(b"half")
    clock.after(0)
    assert clock.after(60) == []
    (clock.folder / "a.pdf.part").replace(clock.folder / "a.pdf")
    clock.after(0)
    assert clock.after(5) == ["a.pdf"]


def test_renamed_copied_and_saved_again_unchanged_is_not_new(clock: Clock) -> None:
    path = clock.folder / "a.pdf"
    path.write_bytes(b"%PDF one")
    clock.after(0)
    assert clock.after(5) == ["a.pdf"]
    path.rename(clock.folder / "renamed.pdf")
    (clock.folder / "deep" / "er").mkdir(parents=True)
    shutil.copy(clock.folder / "renamed.pdf", clock.folder / "deep" / "er" / "copy.pdf")
    os.utime(clock.folder / "renamed.pdf", ns=(1, 1))
    clock.after(0)
    assert clock.after(60) == []
    assert set(clock.state.files) == {"renamed.pdf", "deep/er/copy.pdf"}
    (clock.folder / "renamed.pdf").unlink()
    (clock.folder / "deep" / "er" / "copy.pdf").unlink()
    clock.after(0)
    path.write_bytes(b"%PDF one")
    clock.after(0)
    assert clock.after(60) == []


def test_saved_again_with_other_content_is_new_and_says_what_it_replaces(clock: Clock) -> None:
    path = clock.folder / "a.pdf"
    path.write_bytes(b"%PDF one")
    clock.after(0)
    clock.after(5)
    first = clock.last.new[0].sha256
    path.write_bytes(b"%PDF two, with notes")
    clock.after(0)
    assert clock.after(5) == ["a.pdf"]
    assert clock.last.new[0].replaces == first


def test_two_equal_files_are_one(clock: Clock) -> None:
    for name in ("b.pdf", "a.pdf"):
        (clock.folder / name).write_bytes(b"%PDF same")
    clock.after(0)
    assert clock.after(5) == ["a.pdf"]


def test_a_folder_that_goes_and_comes_back_forgets_nothing(clock: Clock) -> None:
    (clock.folder / "a.pdf").write_bytes(b"%PDF one")
    clock.after(0)
    clock.after(5)
    away = clock.folder.with_name("away")
    clock.folder.rename(away)
    assert clock.after(5) == []
    assert "is not there" in clock.last.problem
    clock.folder.mkdir()  # the empty place where a drive is mounted
    assert clock.after(5) == []
    clock.folder.rmdir()
    away.rename(clock.folder)
    (clock.folder / "b.pdf").write_bytes(b"%PDF two")
    clock.after(5)
    assert clock.after(5) == ["b.pdf"]
    assert clock.last.problem == ""


def test_a_file_in_place_of_the_folder_is_a_problem_and_no_exception(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("x")
    assert look(path, WatchState(), 0).problem


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_in_circles_and_into_nothing(clock: Clock) -> None:
    (clock.folder / "sub").mkdir()
    (clock.folder / "sub" / "a.pdf").write_bytes(b"%PDF one")
    (clock.folder / "sub" / "up").symlink_to(clock.folder, target_is_directory=True)
    (clock.folder / "loop.pdf").symlink_to(clock.folder / "loop.pdf")
    (clock.folder / "gone.pdf").symlink_to(clock.folder / "nothing.pdf")
    clock.after(0)
    assert clock.after(5) == ["sub/a.pdf"]


@pytest.mark.skipif(
    sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="needs a file without rights"
)
def test_a_file_without_rights_is_waited_for(clock: Clock) -> None:
    path = clock.folder / "a.pdf"
    path.write_bytes(b"%PDF one")
    path.chmod(0)
    clock.after(0)
    assert clock.after(60) == []
    path.chmod(0o600)
    clock.after(0)
    assert clock.after(5) == ["a.pdf"]


def test_the_state_travels_as_json_and_rubbish_in_it_is_left_out(clock: Clock) -> None:
    (clock.folder / "a.pdf").write_bytes(b"%PDF one")
    clock.after(0)
    clock.after(5)
    again = WatchState.from_plain(json.loads(json.dumps(clock.state.to_plain())))
    assert again == clock.state
    clock.state = again
    assert clock.after(60) == []
    for rubbish in (None, [], "x", {"files": 3}, {"files": {"a": 1, "b": ["x", 1, 2]}, "known": [1]}):
        assert WatchState.from_plain(rubbish) == WatchState()


def test_what_is_there_can_be_taken_as_known(clock: Clock) -> None:
    (clock.folder / "a.pdf").write_bytes(b"%PDF one")
    clock.state = mark_known(clock.folder, clock.state)
    (clock.folder / "b.pdf").write_bytes(b"%PDF two")
    clock.after(0)
    assert clock.after(5) == ["b.pdf"]


def test_many_files_are_read_a_batch_at_a_look(clock: Clock) -> None:
    for number in range(7):
        (clock.folder / f"{number}.pdf").write_bytes(f"%PDF {number}".encode())
    few = WatchOptions(settle=0, batch=3)
    state, counts = WatchState(), []
    for second in range(4):
        seen = look(clock.folder, state, second, few)
        state = seen.state
        counts.append(len(seen.new))
    assert counts == [3, 3, 1, 0]


def test_watching_until_it_is_cancelled(clock: Clock) -> None:
    (clock.folder / "a.pdf").write_bytes(b"%PDF one")
    token, seconds, reports = CancelToken(), iter(range(0, 1000, 3)), []

    def wait(_: float) -> None:
        if len(reports) == 1:
            shutil.rmtree(clock.folder, ignore_errors=True)
        if len(reports) == 2:
            token.cancel()

    state = watch(
        clock.folder, WatchState(), reports.append, clock=lambda: float(next(seconds)), wait=wait, cancel=token
    )
    assert [file.path.name for file in reports[0].new] == ["a.pdf"]
    assert "is not there" in reports[1].problem
    assert len(state.known) == 1
