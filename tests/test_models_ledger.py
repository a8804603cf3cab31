"""What models used in a month, counted over libraries and programs."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from minerva_desktop.models.ledger import Ledger

NOVEMBER = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "model-spending.sqlite"


def test_a_month_is_counted_by_profile_and_over_all(file: Path) -> None:
    ledger = Ledger(file, lambda: NOVEMBER)
    assert ledger.month() == (0, 0.0)
    assert not file.exists()
    openai = ledger.of("openai")
    openai.add(1_000, 0.25)
    openai.add(500, 0.125)
    ledger.of("lab").add(2_000, 0.0)
    assert openai.month() == (3_500, 0.375)
    assert ledger.by_profile() == [("lab", 1, 2_000, 0.0), ("openai", 2, 1_500, 0.375)]
    ledger.close()
    again = Ledger(file, lambda: NOVEMBER)
    assert again.month() == (3_500, 0.375)
    again.close()


def test_a_new_month_begins_at_nothing_by_universal_time(file: Path) -> None:
    now = [NOVEMBER]
    ledger = Ledger(file, lambda: now[0])
    ledger.add("openai", 100, 1.0)
    now[0] = datetime(2026, 12, 1, 0, 30, tzinfo=timezone(timedelta(hours=1)))  # still November in UTC
    assert ledger.month() == (100, 1.0)
    now[0] += timedelta(hours=1)
    assert ledger.month() == (0, 0.0)
    assert ledger.by_profile("2026-11") == [("openai", 1, 100, 1.0)]
    ledger.close()


def test_threads_and_programs_count_together(file: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from minerva_desktop.models.ledger import Ledger\n"
        "ledger = Ledger(Path(sys.argv[1]))\n"
        "for _ in range(100): ledger.add('lab', 1, 0.5)\n"
        "print(ledger.problem)"
    )
    others = [
        subprocess.Popen([sys.executable, "-c", script, str(file)], stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    ledger = Ledger(file)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: ledger.add("openai", 1, 0.25), range(100)))
    assert [process.communicate(timeout=120)[0].strip() for process in others] == ["", ""]
    assert ledger.problem == ""
    assert sum(row[1] for row in ledger.by_profile()) == 300
    assert ledger.month() == (300, 125.0)
    ledger.close()


def test_a_broken_ledger_is_told_and_does_not_block(file: Path) -> None:
    file.parent.mkdir()
    file.write_bytes(b"no database " * 200)
    ledger = Ledger(file, lambda: NOVEMBER)
    assert ledger.month() == (0, 0.0)
    assert "could not be read and was set aside" in ledger.problem
    ledger.add("openai", 100, 1.0)
    assert ledger.month() == (100, 1.0)
    ledger.close()
    assert Ledger(file, lambda: NOVEMBER).by_profile() == [("openai", 1, 100, 1.0)]
    assert file.with_name(f"{file.name}.damaged").exists()


def test_where_nothing_can_be_written_the_program_counts_by_itself(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file where the folder should be", encoding="utf-8")
    ledger = Ledger(tmp_path / "config" / "model-spending.sqlite", lambda: NOVEMBER)
    ledger.add("openai", 100, 1.0)
    ledger.add("openai", 100, 1.0)
    assert ledger.month() == (200, 2.0)
    assert "counts by itself" in ledger.problem
    # As soon as it can be written, nothing is missing.
    (tmp_path / "config").unlink()
    ledger.add("openai", 100, 1.0)
    ledger.close()
    other = Ledger(ledger.path, lambda: NOVEMBER)
    assert other.by_profile() == [("openai", 3, 300, 3.0)]
    other.close()
