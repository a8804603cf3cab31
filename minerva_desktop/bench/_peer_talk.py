"""How the benchmark peers talks to another program in an environment of its own.

The peer's script is run as ``python SCRIPT MODE``. It reads one JSON object per line (``text`` and what else the mode
needs) and writes one JSON object per line: first what it is (``peer``, ``version``, perhaps ``note``; with ``cannot``, a
sentence, it stops there), then one answer per input with ``seconds``, ``found`` and, where it failed, ``error``. It takes
the time itself, so that start-up, imports and the loading of models are no part of it.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minerva_desktop.errors import UsageError

_PATIENCE = 3600.0


@dataclass(frozen=True, slots=True)
class Peer:
    """Another program: the variable that names the Python of its environment, what to install there, our script."""

    name: str
    variable: str
    requirement: str
    script: Path

    @property
    def missing(self) -> str:
        """What to say when no environment is named."""
        return (
            f"not installed here: make an environment (python -m venv DIR), run DIR/bin/pip install "
            f"{self.requirement} and set {self.variable} to DIR/bin/python"
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """The answers of a peer, in the order of the texts."""

    about: dict[str, Any]
    answers: list[dict[str, Any]]

    @property
    def seconds(self) -> float:
        return sum(float(answer["seconds"]) for answer in self.answers)

    @property
    def errors(self) -> list[str]:
        """What the peer failed at, text by text."""
        return [str(answer["error"]) for answer in self.answers if "error" in answer]


def ask(peer: Peer, mode: str, rows: Sequence[dict[str, Any]]) -> Reply | str:
    """The peer's answers to the rows; a sentence when there is no environment or the peer cannot do this.

    Raises:
        UsageError: the environment that is named does not run the peer.
    """
    python = os.environ.get(peer.variable, "")
    if not python:
        return peer.missing
    asked = "".join(json.dumps(row) + "\n" for row in rows)
    try:
        done = subprocess.run(
            [python, str(peer.script), mode],
            input=asked,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=_PATIENCE,
            env={
                **os.environ,
                "PYTHONIOENCODING": "utf-8",
                "PYTHONPATH": "",
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONHASHSEED": "0",
            },
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError(f"{peer.variable} names {python}, which does not run {peer.name}.") from error
    lines = done.stdout.splitlines()
    if done.returncode or not lines:
        said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise UsageError(f"{peer.variable} names {python}, which does not run {peer.name}: {said}")
    about, *answers = (json.loads(line) for line in lines)
    if "cannot" in about:
        return str(about["cannot"])
    if len(answers) != len(rows):
        raise UsageError(f"{peer.name} answered {len(answers)} of {len(rows)} texts.")
    return Reply(about, answers)
