"""The program drives its own window, from the first start to the end, in folders of its own. Works in the packaged program
too: it needs nothing that is not part of it.

Welcome → sample library → graph → own library → a PDF dropped on the window → a scan → a question, its answer and the page
it cites → a fact accepted, taken back and accepted again → decisions exported → quit. Meanwhile processes, files and
connections are watched.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from minerva_desktop.bench import _smoke_papers
from minerva_desktop.bench._smoke_watch import MOST, Watch
from minerva_desktop.documents import ocr
from minerva_desktop.errors import MinervaError


def run(data: Path | None, *, folder: Path | None = None, shots: Path | None = None) -> dict[str, Any]:
    """Figures: each step with what was seen; ``ok`` is false when one failed. ``folder``: keep library, settings and caches
    there; it must be new or empty. ``shots``: keep a picture of the window after each step in this folder.

    Raises:
        MinervaError: the folder is not empty, or the window cannot be opened.
    """
    if folder is not None:
        return _run(folder, shots)
    with tempfile.TemporaryDirectory(prefix="minerva-smoke-", ignore_cleanup_errors=True) as scratch:
        return _run(Path(scratch), shots)


def _run(folder: Path, shots: Path | None) -> dict[str, Any]:
    begin = time.perf_counter()
    folder = folder.absolute()
    if folder.exists() and any(folder.iterdir()):
        raise MinervaError(
            f"The folder {folder} is not empty.", hint="Name a new one; a first start needs a clean place."
        )
    _prepare_environment(folder)
    try:
        from minerva_desktop.ui import smoke_drive
    except ImportError as error:
        raise MinervaError(
            f"The window cannot be opened, because Qt cannot be loaded: {error}.",
            hint="“minerva-desktop doctor” names what is missing.",
            code="no-window",
        ) from error
    papers = _smoke_papers.write(folder / "papers")
    if shots is not None:
        shots.mkdir(parents=True, exist_ok=True)
    allowed = [folder / "home", folder / "settings", folder / "caches", folder / "export", *([shots] if shots else [])]
    (folder / "export").mkdir()
    watch = Watch(allowed)
    smoke = smoke_drive.Smoke(
        folder / "home" / "My Library",
        text=papers.text,
        scan=papers.scan,
        export=folder / "export" / "gold.jsonl",
        question=_smoke_papers.QUESTION,
        expected=_smoke_papers.EXPECTED,
        recognition=bool(ocr.languages()),
        look=watch.look,
        shots=shots,
    )
    (folder / "home").mkdir()
    code = smoke.run()
    steps = [*smoke.steps, *_after(watch, code)]
    figures = {
        "ok": all(step["ok"] for step in steps),
        "steps": steps,
        "processes": {"most": watch.most, "allowed": MOST, "at_most": watch.at_once},
        "written_outside": sorted(watch.outside),
        "temporary_files": sorted(watch.temporary),
        "sockets": sorted(watch.sockets),
        "keys": smoke.hands.how,
        "platform": smoke.platform,
        "frozen": bool(getattr(sys, "frozen", False)),
        "tesseract": list(ocr.languages()),
    }
    return {"name": "smoke", "n": len(steps), "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def _prepare_environment(folder: Path) -> None:
    os.environ["MINERVA_CONFIG_DIR"] = str(folder / "settings")
    os.environ["MINERVA_CACHE_DIR"] = str(folder / "caches")
    for name in ("MINERVA_OPENAI_BASE_URL", "MINERVA_OPENAI_KEY"):
        os.environ.pop(name, None)  # no model: no server is asked
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.dont_write_bytecode = True
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def _after(watch: Watch, code: int) -> list[dict[str, Any]]:
    """What must hold over the whole run."""
    left = _wait_for_children(watch)
    return [
        _step("the program ended by itself", code == 0 and not left, f"exit code {code}, {left} processes left"),
        _step("few processes", watch.most <= MOST, f"{watch.most} child processes at once, {MOST} allowed"),
        _step(
            "nothing written elsewhere",
            not watch.outside,
            ", ".join(sorted(watch.outside)) or "only in library, settings, caches and export",
        ),
        _step("no connection", not watch.sockets, ", ".join(sorted(watch.sockets)) or "no internet socket was opened"),
    ]


def _wait_for_children(watch: Watch) -> int:
    """Python's own tracker of resources lives as long as the program does, so one may be left."""
    until = time.monotonic() + 10
    while watch.children() > 1 and time.monotonic() < until:
        time.sleep(0.1)
    return max(0, watch.children() - 1)


def _step(name: str, ok: bool, seen: str) -> dict[str, Any]:
    return {"name": name, "ok": ok, "seen": seen, "seconds": 0.0}


def describe(result: dict[str, Any]) -> str:
    """The steps, one a line."""
    figures = result["figures"]
    lines = [
        f"{'ok    ' if step['ok'] else 'FAILED'} {step['name']} ({step['seconds']:.1f} s): {step['seen']}"
        for step in figures["steps"]
    ]
    if figures["temporary_files"]:
        lines.append(f"       temporary files: {', '.join(figures['temporary_files'])}")
    kind = "packaged" if figures["frozen"] else "from Python"
    lines.append(f"{kind}, on {figures['platform']}, keys by {figures['keys']}, {result['seconds']:.1f} s in all")
    return "\n".join(lines)
