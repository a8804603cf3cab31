"""``questions``: sets of questions with known answers, over the person's own library."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from minerva_desktop.errors import UsageError

if TYPE_CHECKING:
    from minerva_desktop.cli.commands import Context


def run(context: Context, words: argparse.Namespace) -> tuple[Any, str]:
    """The result as data and as text.

    Raises:
        UsageError: the file exists already, or cannot be read or written.
    """
    from minerva_desktop.bench import ask
    from minerva_desktop.bench._ask_draft import as_toml, draft

    if words.action == "run":
        result = ask.run(None, questions=words.file, library=context.options.library, split=words.split)
        kept = f"Kept as the run {result['figures']['run']}; “runs diff” compares two."
        return result, f"{ask.describe(result)}\n\n{kept}"
    if words.file.exists():
        raise UsageError(
            f"There is a file {words.file.name} already.", hint="Name another one; yours is never overwritten."
        )
    with context.open() as bench:
        rows = draft(bench, max(1, words.most))
    if not rows:
        raise UsageError(
            "There is no accepted fact to ask about yet.", hint="Add papers with “ingest”, then accept facts."
        )
    try:
        words.file.write_text(as_toml(rows), "utf-8")
    except OSError as error:
        raise UsageError(f"{words.file} cannot be written: {error.strerror}.") from error
    data = {"file": str(words.file), "questions": len(rows)}
    return data, f"{len(rows)} questions in {words.file}. Edit them, then ask them with “questions run {words.file}”."
