"""The commands: each takes the parsed words and returns its result as data and as text, with an exit code."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minerva_desktop import exchange
from minerva_desktop.cli import asking, graphs, lexicon, reading, review, text
from minerva_desktop.cli.parser import GlobalOptions
from minerva_desktop.events import Progress
from minerva_desktop.records import ChangeSet, to_plain
from minerva_desktop.settings import Settings, default_library, load_settings
from minerva_desktop.workbench import Workbench, sample_papers

DEMO_QUESTIONS = (
    "What is the critical temperature of MgB2?",
    "What is the photon wavelength for the band gap of GaN?",
)
DONE = frozenset({"ok", "duplicate", "damaged"})


@dataclass(frozen=True, slots=True)
class Result:
    data: Any
    text: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    options: GlobalOptions
    settings: Settings

    @property
    def library(self) -> Path:
        return self.options.library or default_library(self.settings)

    @property
    def offline(self) -> bool:
        return self.options.offline or self.settings.offline

    @contextmanager
    def open(self, *, create: bool = False) -> Iterator[Workbench]:
        with Workbench(self.library, self.settings, create=create, offline=self.options.offline) as bench:
            try:
                yield bench
            finally:
                for note in bench.new_notes():
                    print(note, file=sys.stderr)


Command = Callable[[Context, argparse.Namespace], "tuple[Result, int] | Result"]


def run(options: GlobalOptions, parsed: argparse.Namespace) -> tuple[Result, int]:
    """Run the parsed command."""
    context = Context(options, load_settings())
    done = _COMMANDS[parsed.command](context, parsed)
    return done if isinstance(done, tuple) else (done, 0)


def show_progress(step: Progress) -> None:
    """Progress on standard error: a line for each file that ended, a moving line on a terminal."""
    if step.status:
        line = f"[{step.done}/{step.total}] {step.status}: {step.item}"
        print(line + (f" ({step.message})" if step.message else ""), file=sys.stderr)
    elif sys.stderr.isatty():
        place = f"{step.done}/{step.total} {step.unit}" if step.total else ""
        line = f"{step.stage} {place} {step.item} {step.message}"[: shutil.get_terminal_size().columns - 1]
        print(f"\r\x1b[K{line}\r", end="", file=sys.stderr, flush=True)


# ----------------------------------------------------------------------------------------------------- papers
def _demo(context: Context, _: argparse.Namespace) -> tuple[Result, int]:
    folder = context.options.library or Path(tempfile.mkdtemp(prefix="minerva-demo-")) / "library"
    with Workbench(folder, context.settings, offline=True) as bench:
        report = bench.load_sample(progress=show_progress)
        answers = [bench.ask(question, engine="builtin") for question in DEMO_QUESTIONS]
        data = {
            "library": str(folder),
            "papers": [to_plain(paper) for paper in report.papers],
            "graph": bench.graph_stats(),
            "waiting": bench.count_facts(status="waiting"),
            "answers": [asking.plain(answer) for answer in answers],
            "audit": to_plain(bench.audit()),
        }
        shown = [bench.answer_text(answer) for answer in answers]
    failed = [paper for paper in report.papers if paper.status not in DONE]
    good = not failed and len(report.papers) == len(sample_papers()) and all(answer.found for answer in answers)
    good = good and all(check["ok"] for check in data["audit"]["checks"])
    return Result(data, text.demo(data, shown)), 0 if good else 1


def _lexicon(context: Context, words: argparse.Namespace) -> tuple[Result, int]:
    data, shown, code = lexicon.run(context, words)
    return Result(data, shown), code


def _entities(context: Context, words: argparse.Namespace) -> Result:
    from minerva_desktop.cli import entities

    return Result(*entities.run(context, words))


def _runs(context: Context, words: argparse.Namespace) -> Result:
    from minerva_desktop.cli import runs

    return Result(*runs.run(context, words))


def _numbers(context: Context, words: argparse.Namespace) -> Result:
    from minerva_desktop.cli import numbers

    return Result(*numbers.run(context, words))


def _find(context: Context, words: argparse.Namespace) -> Result:
    with context.open() as bench:
        found = bench.find(words.query, words.limit)
    return Result(to_plain(found), text.passages(found.passages, found.note, found.through))


def _whereis(context: Context, words: argparse.Namespace) -> Result:
    from minerva_desktop.cli import whereis

    return Result(*whereis.run(context, words))


def _papers(context: Context, _: argparse.Namespace) -> Result:
    with context.open() as bench:
        papers = bench.papers()
    return Result(to_plain(papers), text.papers(papers))


def _remove(context: Context, words: argparse.Namespace) -> Result:
    with context.open() as bench:
        paper = bench.paper(words.paper)
        change = bench.remove(paper.id)
    return Result({"removed": paper.id, **_change(change)}, f"Removed “{paper.title}”. Undo brings it back.")


def _jobs(context: Context, words: argparse.Namespace) -> tuple[Result, int] | Result:
    if words.action == "resume":
        data, shown, code = reading.resume(context, words)
        return Result(data, shown), code
    with context.open() as bench:
        if words.action == "list":
            jobs = bench.jobs()
            return Result(to_plain(jobs), text.jobs(jobs))
        job = bench.cancel_job(words.id) if words.action == "cancel" else bench.job(words.id)
    return Result(to_plain(job), text.job(job))


def _textbook(context: Context, words: argparse.Namespace) -> tuple[Result, int] | Result:
    if words.action == "list":
        with context.open() as bench:
            books = bench.textbooks()
        return Result(to_plain(books), text.textbooks(books))
    if words.action == "remove":
        with context.open() as bench:
            change = bench.remove_textbook(words.textbook)
        return Result({"removed": change.textbooks[0], **_change(change)}, f"{change.label}. Undo brings it back.")
    with context.open(create=True) as bench:
        reports = bench.add_textbooks(words.paths, level=words.level, progress=show_progress, engine=words.engine)
    failed = sum(item["status"] not in DONE for item in reports)
    code = 0 if not failed else 1 if failed == len(reports) else 3
    return Result({"textbooks": reports}, text.textbook_reports(reports)), code


# ----------------------------------------------------------------------------------------------------- asking
def _ask(context: Context, words: argparse.Namespace) -> Result:
    return Result(*asking.ask(context, words))


def _asked(context: Context, words: argparse.Namespace) -> Result:
    return Result(*asking.asked(context, words))


def _cypher(context: Context, words: argparse.Namespace) -> Result:
    return Result(*graphs.cypher(context, words))


def _graph(context: Context, words: argparse.Namespace) -> Result:
    return Result(*graphs.run(context, words))


# --------------------------------------------------------------------------------------------------- deciding
def _review(context: Context, words: argparse.Namespace) -> Result:
    return Result(*review.run(context, words))


def _change(change: ChangeSet) -> dict[str, Any]:
    plain: dict[str, Any] = to_plain(change)
    return plain


def _undo(context: Context, _: argparse.Namespace) -> Result:
    with context.open() as bench:
        change = bench.undo()
    return Result(_change(change), f"{change.label}.")


def _redo(context: Context, _: argparse.Namespace) -> Result:
    with context.open() as bench:
        change = bench.redo()
    return Result(_change(change), f"{change.label}.")


def _history(context: Context, words: argparse.Namespace) -> Result:
    with context.open() as bench:
        events = bench.history(words.limit)
    return Result(to_plain(events), text.history(events))


# ---------------------------------------------------------------------------------------------------- keeping
def _audit(context: Context, words: argparse.Namespace) -> tuple[Result, int]:
    with context.open() as bench:
        report = to_plain(bench.audit(repair=words.repair))
    good = all(check["ok"] for check in report["checks"]) if words.strict else report["ok"]
    return Result(report, text.audit(report)), 0 if good else 1


def _rebuild(context: Context, _: argparse.Namespace) -> tuple[Result, int]:
    with context.open() as bench:
        report = to_plain(bench.rebuild(progress=show_progress))
    return Result(report, text.audit(report)), 0 if report["ok"] else 1


def _export(context: Context, words: argparse.Namespace) -> Result:
    with context.open() as bench:
        if words.format == "gold":
            lines = bench.export_gold(words.out)
        else:
            lines = exchange.write_canonical(bench.library, words.out)
    return Result(
        {"format": words.format, "file": str(words.out), "lines": lines}, f"Wrote {lines} lines to {words.out}."
    )


def _import(context: Context, words: argparse.Namespace) -> tuple[Result, int] | Result:
    from minerva_desktop.cli import importing

    brought = importing.read(words.file)
    if words.dry_run or not brought.paths:
        code = 0 if words.dry_run or brought.records else 1
        return Result(brought.listing(), brought.text(dry_run=words.dry_run)), code
    with context.open(create=True) as bench:
        reading.tell(lambda: bench.estimate_ingest(brought.paths, engine=words.engine, progress=show_progress))
        report = bench.import_bibliography(
            brought.bibliography, brought.plan, engine=words.engine, progress=show_progress
        )
        known = bench.describe_from(brought.plan.without_file)
    data, shown, code = reading.reported(report)
    code = 3 if code == 0 and brought.left_out else code
    return Result(
        {**data, "import": {**brought.counts(), "described": to_plain(known)}},
        f"{shown}\n{brought.text()}",
    ), code


def _settings(context: Context, words: argparse.Namespace) -> Result:
    from minerva_desktop.cli import settings

    return Result(*settings.run(context, words))


def _models(context: Context, words: argparse.Namespace) -> tuple[Result, int]:
    from minerva_desktop.cli import models

    data, shown, code = models.run(context, words)
    return Result(data, shown), code


def _inspect(context: Context, words: argparse.Namespace) -> Result:
    from minerva_desktop import inspection

    data = inspection.inspect(words.kind, words, context.settings, context.options.library)
    return Result(data, text.pretty(data))


def _bench(context: Context, words: argparse.Namespace) -> tuple[Result, int] | Result:
    from minerva_desktop import bench

    if words.name is None:
        return Result({"benchmarks": bench.names()}, "\n".join(bench.names()))
    told: dict[str, Any] = {
        name: getattr(words, name)
        for name in ("sentences", "relations", "kills", "split", "cache", "sizes", "plot", "folder", "shots")
    }
    told["questions"] = words.questions
    if words.name in {"ask", "ask-latency"}:
        told["library"] = context.options.library
    if words.name == "ask":
        told["curve"] = words.curve or None
    figures = bench.run(words.name, words.data, **told)
    failed = figures["figures"].get("ok") is False
    return Result(figures, bench.describe(figures) or text.pretty(figures)), int(failed)


def _questions(context: Context, words: argparse.Namespace) -> Result:
    from minerva_desktop.cli import questions

    return Result(*questions.run(context, words))


def _doctor(context: Context, _: argparse.Namespace) -> tuple[Result, int]:
    from minerva_desktop import doctor

    checks = doctor.examine(context.library, context.settings, offline=context.offline)
    good = all(check["ok"] or not check["needed"] for check in checks)
    return Result({"ok": good, "checks": checks}, text.doctor(checks)), 0 if good else 1


def _on_the_web(name: str) -> Command:
    def run(context: Context, words: argparse.Namespace) -> tuple[Result, int]:
        from minerva_desktop.cli import web

        data, shown, code = getattr(web, name)(context, words)
        return Result(data, shown), code

    return run


def _that_reads(name: str) -> Command:
    def run(context: Context, words: argparse.Namespace) -> tuple[Result, int]:
        data, shown, code = getattr(reading, name)(context, words)
        return Result(data, shown), code

    return run


_COMMANDS: dict[str, Command] = {
    **{name: _on_the_web(name) for name in ("search", "duplicates", "merge", "split", "network", "watch", "notices")},
    **{name: _that_reads(name) for name in ("ingest", "reextract", "describe")},
    "demo": _demo,
    "lexicon": _lexicon,
    "entities": _entities,
    "values": _numbers,
    "disagreements": _numbers,
    "find": _find,
    "whereis": _whereis,
    "papers": _papers,
    "remove": _remove,
    "runs": _runs,
    "jobs": _jobs,
    "textbook": _textbook,
    "ask": _ask,
    "questions": _questions,
    "asked": _asked,
    "cypher": _cypher,
    "graph": _graph,
    "review": _review,
    "undo": _undo,
    "redo": _redo,
    "history": _history,
    "audit": _audit,
    "rebuild": _rebuild,
    "export": _export,
    "import": _import,
    "settings": _settings,
    "models": _models,
    "inspect": _inspect,
    "bench": _bench,
    "doctor": _doctor,
}
