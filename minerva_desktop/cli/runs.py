"""``runs``: what each reading of papers found, and how two of them differ."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from minerva_desktop.library.question_runs import KIND, by_kind, figures_of, is_right
from minerva_desktop.records import DiffRow, Run, RunDetails, RunDiff, to_plain

if TYPE_CHECKING:
    from minerva_desktop.cli.commands import Context

_SHOWN = 50


def run(context: Context, words: argparse.Namespace) -> tuple[Any, str]:
    """The result as data and as text."""
    with context.open() as bench:
        if words.action == "list":
            runs = bench.runs()
            return to_plain(runs), _list(runs)
        if words.action == "show":
            details = bench.run(words.run)
            return to_plain(details.run) | {**to_plain(details), "run": details.run.id}, _details(details)
        diff = bench.diff_runs(words.a, words.b)
    return to_plain(diff), _diff(diff)


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _list(runs: Sequence[Run]) -> str:
    if not runs:
        return "No runs yet. Add papers with “ingest”."
    return "\n".join(
        f"{item.id:<14} {item.created[:16]}  {item.status:<11} {item.engine:<10} {_found(item)}  {item.digest[:12]}"
        + ("  (taken back)" if item.undone else "")
        for item in runs
    )


def _found(item: Run) -> str:
    if item.kind == KIND:
        return f"{_many(int(item.outcome.get('questions', 0)), 'question'):>12}  exact {figures_of(item).get('exact', '–'):>5}"
    return f"{_many(item.kept, 'paper'):>11}  {_many(item.facts, 'fact'):>12}"


def _details(details: RunDetails) -> str:
    item = details.run
    if item.kind == KIND:
        return _questions(item)
    lines = [
        f"{item.id}: {item.status}, {item.created}" + (", taken back" if item.undone else ""),
        f"engine: {item.engine}; {_many(item.kept, 'paper')}, {_many(item.statements, 'statement')} of {_many(item.facts, 'fact')}, "
        f"{item.passed} passed the checks",
        f"sha256 of what it found: {item.digest or 'nothing was kept'}",
    ]
    lines += [f"  {name}: {count}" for name, count in {**details.types, **details.outcomes}.items()]
    lines += [
        f"{paper.file_name or paper.paper[:10]}: {_many(paper.facts, 'fact')}, sha256 {paper.digest[:12]}"
        for paper in details.papers
    ]
    for name in ("program", "editions", "domain", "lexicon", "settings", "models"):
        if name in item.manifest:
            lines.append(f"{name}: {_flat(item.manifest[name])}")
    return "\n".join(lines)


def _questions(item: Run) -> str:
    """A run of a question set: its figures, and what went wrong."""
    record = item.outcome
    half = f", half “{record['split']}”" if record.get("split") else ""
    lines = [f"{item.id}: {item.created}", f"question set: {record.get('set', '')}{half}"]
    lines += [f"  {name}: {right} right" for name, right in by_kind(item).items()]
    lines += [f"  {name}: {value}" for name, value in figures_of(item).items()]
    lines += [
        f"not right: {answer['question']} ({answer.get('cause') or 'no cause known'})"
        for answer in record.get("answers", ())
        if not is_right(answer)
    ]
    return "\n".join(lines)


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_flat(item)}" for key, item in value.items())
    text = str(value)
    return text[:12] if len(text) == 64 else text


def _diff(diff: RunDiff) -> str:
    a, b = diff.a.id, diff.b.id
    if diff.a.kind == KIND:
        lines = [
            f"{diff.same} answers are the same, {len(diff.only_a)} are right only in {a}, {len(diff.only_b)} only in {b}, "
            f"{len(diff.changed)} changed otherwise."
        ]
    elif diff.identical:
        lines = [
            f"No difference: {a} and {b} found the same {_many(diff.a.facts, 'fact')} in "
            f"{_many(diff.papers, 'paper')}, byte for byte."
        ]
        lines.append(f"sha256 {diff.a.digest}")
    else:
        lines = [
            f"{_many(diff.papers, 'paper')} in both; {diff.same} statements are the same, {len(diff.only_a)} only in {a}, "
            f"{len(diff.only_b)} only in {b}, {len(diff.changed)} changed; {len(diff.grounds)} stand for another reason."
        ]
    for title, rows in ((f"Only in {a}", diff.only_a), (f"Only in {b}", diff.only_b), ("Changed", diff.changed)):
        if rows:
            lines += ["", f"{title}:"]
            lines += [line for row in rows[:_SHOWN] for line in _row(row)]
            if len(rows) > _SHOWN:
                lines.append(f"  … and {len(rows) - _SHOWN} more (all of them with --json)")
    for title, names in (
        (f"Papers only in {a}", diff.papers_only_a),
        (f"Papers only in {b}", diff.papers_only_b),
        (f"Names only in {a}", diff.entities_only_a),
        (f"Names only in {b}", diff.entities_only_b),
    ):
        if names:
            lines += ["", f"{title}: {'; '.join(names[:_SHOWN])}"]
    if diff.circumstances:
        lines += ["", "Figures:" if diff.a.kind == KIND else "Made under different circumstances:"]
        lines += [f"  {item.field}: {item.a[:60]} → {item.b[:60]}" for item in diff.circumstances]
    return "\n".join(lines)


def _row(row: DiffRow) -> list[str]:
    page = f", p. {row.page}" if row.page else ""
    lines = [
        f"  {row.claim} ({row.outcome}{f', {row.verdict}' if row.verdict else ''}, {row.confidence:g})",
        f"      {row.file_name or row.paper[:10]}{page}: “{row.sentence}”",
    ]
    return [*lines, *(f"      {item.field}: {item.a or 'none'} → {item.b or 'none'}" for item in row.changes)]
