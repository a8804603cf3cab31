"""The review, driven by real key events in a real window: decisions a minute, and whether a kill loses one.

A library of 200 facts that wait (generated papers with real pages) is reviewed to its end by the keys a, x and a kind, e,
1 to 9, r and u. Then the program is killed outright (SIGKILL) at random moments while it is reviewed, many times, and the
library opened again: every decision that the screen had answered must be in it, and the audit must hold.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from minerva_desktop.bench import _children
from minerva_desktop.bench._review_library import fill
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench

FACTS = 200
KILLS = 25
LONGEST = 4.0
"""Seconds of review before a kill, at most."""
ENOUGH = 60
"""With fewer facts left to wait, the next kill gets a fresh library."""


def run(data: Path | None, *, kills: int = KILLS) -> dict[str, Any]:
    """Figures: decisions a minute, milliseconds to the answer and to the next page; kills, decisions answered, lost."""
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        library = scratch / "library"
        with _open(library, create=True) as bench:
            waiting = len(fill(bench, FACTS, scratch))
        whole = scratch / "whole"
        shutil.copytree(library, whole)
        figures: dict[str, Any] = {"waiting": waiting} | _sustained(whole, scratch) | _killed(library, scratch, kills)
    return {"name": "review", "n": waiting, "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def _open(library: Path, *, create: bool = False) -> Workbench:
    return Workbench(library, Settings.model_validate({"embeddings": False}), create=create, offline=True)


def _start(library: Path, scratch: Path) -> subprocess.Popen[str]:
    environment = os.environ | {"MINERVA_CONFIG_DIR": str(scratch / "config")}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    command = _children.command("minerva_desktop.ui.review_drive", str(library))
    return subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=(scratch / "said").open("w", encoding="utf-8"),
        text=True,
        start_new_session=True,
    )


# ---------------------------------------------------------------------------------------------------- how fast
def _sustained(library: Path, scratch: Path) -> dict[str, Any]:
    told = _Told()
    process = _start(library, scratch)
    told.listen(process)
    process.wait()
    end = told.lines[-1] if told.lines else {}
    if not end.get("finished"):
        said = (scratch / "said").read_text(encoding="utf-8").strip().splitlines()
        raise RuntimeError(f"The window did not come to the end of the review. {said[-1] if said else ''}")
    wrong, broken = _compare(library, told)
    return {
        "decisions": end["decisions"],
        "refused_by_the_pack": end["refusals"],
        "decisions_per_minute": round(60 * end["decisions"] / end["seconds"]),
        "answer_ms": _milliseconds(end["answered"]),
        "next_page_ms": _milliseconds(end["shown"]),
        "wrong_after_the_review": len(wrong),
        "audit_ok_after_the_review": not broken,
    }


def _milliseconds(seconds: list[float]) -> dict[str, int]:
    ordered = sorted(seconds)
    return {
        "median": round(1000 * median(ordered)),
        "p95": round(1000 * ordered[int(0.95 * (len(ordered) - 1))]),
        "max": round(1000 * ordered[-1]),
    }


# --------------------------------------------------------------------------------------------------- what is lost
@dataclass
class _Told:
    """What a window said: the state that each answered decision leaves, and the fact whose key has no answer yet."""

    lines: list[dict[str, Any]] = field(default_factory=list)
    expected: dict[str, dict[str, Any]] = field(default_factory=dict)
    open_fact: str = ""
    answered: int = 0
    ready: threading.Event = field(default_factory=threading.Event)

    def listen(self, process: subprocess.Popen[str]) -> None:
        """Read until the window says no more."""
        assert process.stdout is not None
        for text in process.stdout:
            try:
                line = json.loads(text)
            except ValueError:  # cut off by the kill
                continue
            self.lines.append(line)
            if "pressed" in line:
                self.open_fact = line["fact"]
            elif "fact" in line:
                self.answered += 1
                self.open_fact = ""
                self.expected[line["fact"]] = line
            elif "ready" in line:
                self.ready.set()


def _killed(template: Path, scratch: Path, kills: int) -> dict[str, Any]:
    dice = random.Random(5)
    figures = {"kills": kills, "answered_before_kills": 0, "lost": 0, "audits_failed": 0, "killed_with_an_open_key": 0}
    samples: list[str] = []
    library = scratch / "killed"
    for turn in range(kills):
        if not library.exists() or _waiting(library) < ENOUGH:
            shutil.rmtree(library, ignore_errors=True)
            shutil.copytree(template, library)
        told = _Told()
        process = _start(library, scratch)
        ears = threading.Thread(target=told.listen, args=(process,), daemon=True)
        ears.start()
        if not told.ready.wait(120):
            raise RuntimeError("The window did not open.")
        time.sleep(dice.random() * LONGEST)
        process.kill()
        process.wait()
        ears.join(30)
        wrong, broken = _compare(library, told)
        samples += [f"kill {turn + 1}: {item}" for item in (*wrong, *broken)]
        figures["answered_before_kills"] += told.answered
        figures["lost"] += len(wrong)
        figures["audits_failed"] += bool(broken)
        figures["killed_with_an_open_key"] += bool(told.open_fact)
    return {**figures, "samples": samples[:10]}


def _waiting(library: Path) -> int:
    with _open(library) as bench:
        return bench.review_counts().waiting


def _compare(library: Path, told: _Told) -> tuple[list[str], list[str]]:
    """Which answered decisions are not in the library as they were answered, and what the audit finds wrong."""
    wrong: list[str] = []
    with _open(library) as bench:
        kept = {item.event for item in bench.decisions()}
        for fact_id, line in told.expected.items():
            if fact_id == told.open_fact:  # its key was pressed, but not answered: it may be there or not
                continue
            decision = bench.fact(fact_id).decision
            if (decision.status, decision.rule if line["rule"] else "") != (line["status"], line["rule"]):
                wrong.append(f"{line['answered']} of {fact_id}: {decision.status} {decision.rule}")
            elif (line["event"] in kept) == (line["answered"] == "undo"):
                wrong.append(f"{line['answered']} of {fact_id}: event {line['event']}")
        broken = [
            f"{check.name}: {'; '.join(map(str, check.samples))}" for check in bench.audit().checks if not check.ok
        ]
    return wrong, broken
