"""``lexicon …`` and ``reextract``: teaching the program from the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from minerva_desktop.domains.user_lexicon import KINDS
from minerva_desktop.errors import UsageError
from minerva_desktop.records import ChangeSet, to_plain
from minerva_desktop.workbench import Workbench
from minerva_desktop.workbench.teaching import known_kind, problem_as_data

if TYPE_CHECKING:
    from minerva_desktop.cli.commands import Context

Outcome = tuple[Any, str, int]
"""Data, text, exit code."""


def run(context: Context, words: argparse.Namespace) -> Outcome:
    """Run ``lexicon ACTION …``."""
    if getattr(words, "lexicon_kind", None):
        known_kind(words.lexicon_kind)
    with context.open(create=words.action in {"add", "import"}) as bench:
        return _ACTIONS[words.action](bench, words)


def _list(bench: Workbench, words: argparse.Namespace) -> Outcome:
    data = bench.lexicon()
    if words.lexicon_kind:
        data["kinds"] = [item for item in data["kinds"] if item["kind"] == words.lexicon_kind]
        data["problems"] = [item for item in data["problems"] if item["kind"] == words.lexicon_kind]
    return data, _listed(data), 0


def _add(bench: Workbench, words: argparse.Namespace) -> Outcome:
    cells: dict[str, str] = {}
    for word in words.cells:
        name, sign, value = word.partition("=")
        if not sign:
            raise UsageError(f"“{word}” is not of the form key=value.", hint="For example: name=Metglas symbols=MG")
        cells[name] = value
    return _changed(bench.add_to_lexicon(words.lexicon_kind, cells))


def _remove(bench: Workbench, words: argparse.Namespace) -> Outcome:
    return _changed(bench.remove_from_lexicon(words.lexicon_kind, words.name))


def _import(bench: Workbench, words: argparse.Namespace) -> Outcome:
    done = bench.import_lexicon(words.lexicon_kind, words.file)
    problems = [problem_as_data(item) for item in done.problems]
    left_out = len({item.row for item in done.problems if item.row >= 0})
    data = {**to_plain(done.change), "taken": done.taken, "left_out": left_out, "problems": problems}
    lines = [f"Took {_rows(done.taken)} from {words.file}.", *(item["text"] for item in problems)]
    code = 0 if not left_out else 3 if done.taken else 1
    return data, "\n".join(lines), code


def _export(bench: Workbench, words: argparse.Namespace) -> Outcome:
    paths = [str(path) for path in bench.export_lexicon(words.dir)]
    return {"files": paths}, "\n".join(paths) or "Your lexicon is empty; nothing was written.", 0


def _check(bench: Workbench, _: argparse.Namespace) -> Outcome:
    data = bench.lexicon()
    counts = {item["kind"]: item["count"] for item in data["kinds"]}
    problems = data["problems"]
    lines = [item["text"] for item in problems]
    lines.append(f"{_rows(sum(counts.values()))} of your lexicon in effect, {_count(problems)}.")
    code = 0 if not problems else 3 if any(counts.values()) else 1
    result = {"ok": not problems, "hash": data["hash"], "counts": counts, "problems": problems}
    return result, "\n".join(lines), code


def _changed(change: ChangeSet) -> Outcome:
    note = " It takes effect for papers read from now on; “reextract” reads the others again." if change.lexicon else ""
    return to_plain(change), f"{change.label}.{note}", 0


def _rows(number: int) -> str:
    return "1 row" if number == 1 else f"{number} rows"


def _count(problems: Sequence[Any]) -> str:
    if not problems:
        return "nothing wrong with it"
    return "1 problem" if len(problems) == 1 else f"{len(problems)} problems"


def _listed(data: Mapping[str, Any]) -> str:
    blocks = []
    for item in data["kinds"]:
        if not item["rows"]:
            continue
        columns = [name for name in item["columns"] if any(row.get(name) for row in item["rows"])]
        cells = [columns, *[[row.get(name, "") for name in columns] for row in item["rows"]]]
        widths = [max(len(line[at]) for line in cells) for at in range(len(columns))]
        lines = ["  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)) for line in cells]
        blocks.append(
            "\n".join([f"{item['kind']} ({item['count']} in effect)", *(f"  {line.rstrip()}" for line in lines)])
        )
    if not blocks:
        blocks.append(f"Nothing yet. “lexicon add KIND key=value …” teaches; kinds: {', '.join(KINDS)}.")
    blocks.extend(item["text"] for item in data["problems"])
    return "\n\n".join(blocks)


_ACTIONS: dict[str, Callable[[Workbench, argparse.Namespace], Outcome]] = {
    "list": _list,
    "add": _add,
    "remove": _remove,
    "import": _import,
    "export": _export,
    "check": _check,
}
