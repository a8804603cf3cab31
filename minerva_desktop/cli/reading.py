"""The commands that read papers, and what a language model takes for it."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minerva_desktop.cli import text
from minerva_desktop.models.calls import ModelError
from minerva_desktop.pipeline import DONE
from minerva_desktop.records import Estimate, IngestReport, to_plain
from minerva_desktop.workbench import Workbench

if TYPE_CHECKING:
    from minerva_desktop.cli.commands import Context

Outcome = tuple[Any, str, int]
"""Result as data, as text, exit code."""


def ingest(context: Context, words: argparse.Namespace) -> Outcome:
    """Take papers in; with ``--estimate`` only say what a model would take."""
    from minerva_desktop.cli.commands import show_progress

    def estimate(bench: Workbench) -> Estimate:
        return bench.estimate_ingest(words.paths, password=words.password, engine=words.engine, progress=show_progress)

    if words.estimate:
        return _estimate(context, estimate)
    with context.open(create=True) as bench:
        tell(lambda: estimate(bench))
        report = bench.ingest(
            words.paths, password=words.password, recognise=words.ocr, engine=words.engine, progress=show_progress
        )
        bench.tidy()
    return reported(report)


def reextract(context: Context, words: argparse.Namespace) -> Outcome:
    """Read stored papers again; with ``--estimate`` only say what a model would take."""
    from minerva_desktop.cli.commands import show_progress

    with context.open() as bench:

        def estimate() -> Estimate:
            return bench.estimate_reextract(words.papers, engine=words.engine)

        if words.estimate:
            said = estimate()
            return to_plain(said), text.estimate(said), 0
        tell(estimate)
        report = bench.reextract(words.papers, engine=words.engine, progress=show_progress)
        bench.tidy()
    return reported(report)


def resume(context: Context, words: argparse.Namespace) -> Outcome:
    """Go on with a job."""
    from minerva_desktop.cli.commands import show_progress

    with context.open() as bench:
        tell(lambda: bench.estimate_resume(words.id, engine=words.engine))
        return reported(bench.resume(words.id, engine=words.engine, progress=show_progress))


def describe(context: Context, words: argparse.Namespace) -> Outcome:
    """Show pages to a model that sees; what it says is kept as generated text."""
    from minerva_desktop.cli.commands import show_progress

    failed: list[dict[str, Any]] = []

    def listen(step: Any) -> None:
        show_progress(step)
        if step.status == "failed":
            failed.append({"page": int(step.item.removeprefix("page ")), "reason": step.message})

    with context.open() as bench:
        paper = bench.paper(words.paper)
        texts = bench.describe_pages(paper.id, words.pages, progress=listen)
    data = {"paper": paper.id, "texts": to_plain(texts), "failed": failed}
    return data, text.generated(texts), 3 if failed else 0


def _estimate(context: Context, work: Callable[[Workbench], Estimate]) -> Outcome:
    """An estimate makes no library where there is none yet."""
    if (context.library / "library.sqlite").exists():
        with context.open() as bench:
            estimate = work(bench)
    else:
        with tempfile.TemporaryDirectory(prefix="minerva-estimate-", ignore_cleanup_errors=True) as folder:
            offline = context.options.offline
            with Workbench(Path(folder) / "library", context.settings, offline=offline) as bench:
                estimate = work(bench)
    return to_plain(estimate), text.estimate(estimate), 0


def tell(work: Callable[[], Estimate]) -> None:
    """Say on standard error what a model will take, when one will be asked. One that cannot read at all is spoken of by the
    job itself."""
    try:
        estimate = work()
    except ModelError:
        return
    if estimate.calls or estimate.warning:
        print(text.estimate(estimate), file=sys.stderr)


def reported(report: IngestReport) -> Outcome:
    """A report with its exit code: 1 nothing was done, 3 part of it."""
    return to_plain(report), text.ingest(report), code_of(report)


def code_of(report: IngestReport) -> int:
    """The exit code of a report."""
    done = sum(paper.status in DONE for paper in report.papers)
    failed = sum(paper.status not in DONE and paper.status != "skipped" for paper in report.papers)
    if report.stopped is not None:
        return 3 if done else 1
    if report.cancelled or (failed and failed == len(report.papers)):
        return 1
    return 3 if failed else 0


def pages(words: str) -> list[int]:
    """Page numbers as "3,5" or "2-4".

    Raises:
        ValueError: that is none.
    """
    found: list[int] = []
    for part in words.split(","):
        first, _, last = part.strip().partition("-")
        numbers = range(int(first), int(last or first) + 1)
        if not numbers or numbers.start < 1 or len(numbers) > 10_000:
            raise ValueError(words)
        found.extend(numbers)
    return found


__all__ = ["code_of", "describe", "ingest", "pages", "reextract", "reported", "resume", "tell"]
