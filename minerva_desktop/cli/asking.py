"""Asking on the command line: the answer in the form that is wanted, how it came about, and what was asked before."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from minerva_desktop.errors import UsageError
from minerva_desktop.questions.explaining import passage_text, summary
from minerva_desktop.records import Answer, AskedQuestion, to_plain

if TYPE_CHECKING:
    from minerva_desktop.cli.commands import Context


def ask(context: Context, words: argparse.Namespace) -> tuple[Any, str]:
    """The answer as data and as text. A question whose answer a person reads is kept in the history."""
    with context.open() as bench:
        answer = bench.ask(
            words.question,
            route=words.route,
            engine=words.engine,
            accepted_only=words.accepted_only,
            after=words.after,
        )
        data = plain(answer, explained=words.explain)
        if words.format == "json" or context.options.json:
            return data, json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)
        bench.keep_question(answer)
        markdown = words.format == "markdown"
        shown = bench.answer_markdown(answer) if markdown else bench.answer_text(answer, with_question=False)
    lines = [shown.rstrip("\n"), *_left_out(answer), *_elsewhere(answer)]
    if words.explain:
        lines += ["", *_explained(answer)]
    return data, "\n".join(lines)


def plain(answer: Answer, *, explained: bool = False) -> Any:
    """An answer as data; how it came about only where that is wanted, for its times differ from run to run."""
    data = to_plain(answer)
    if not explained:
        del data["trace"]
    return data


def _left_out(answer: Answer) -> Iterator[str]:
    for item in answer.dropped:
        yield f"Left out, because {item.reason}: {item.text}"


def _elsewhere(answer: Answer) -> Iterator[str]:
    """Other questions that may have been meant; where the library has nothing, how papers could be searched. Nothing is
    sent unless the person does."""
    yield from (f"Did you mean: {question}" for question in answer.suggestions)
    if not answer.found and answer.trace is not None and answer.trace.web_query:
        yield f"To search papers for this: minerva-desktop search {shlex.quote(answer.trace.web_query)}"


def _explained(answer: Answer) -> Iterator[str]:
    trace = answer.trace
    if trace is None:
        return
    yield "How this was answered:"
    for name, text in summary(answer):
        yield f"  {name}: {text}"
    for row in answer.rows:
        yield f"    {json.dumps(row, ensure_ascii=False, default=str)}"
    if trace.facts:
        yield "  Facts that were looked at (* cited):"
        yield from (f"    {'*' if item.told else ' '} {item.id}  {item.status:<9} {item.claim}" for item in trace.facts)
    if trace.passages:
        yield "  Passages that were read (* cited):"
        yield from (f"    {'*' if item.told else ' '} {passage_text(item)}" for item in trace.passages)


def asked(context: Context, words: argparse.Namespace) -> tuple[Any, str]:
    """What was asked before: listed, shown, forgotten."""
    with context.open() as bench:
        if words.action == "list":
            found = bench.asked_questions(words.text, words.limit)
            return to_plain(found), _listed(found)
        if words.action == "show":
            question = bench.asked_question(words.id)
            return to_plain(question), f"{question.text}\nAsked {question.asked}."
        if bool(words.ids) == words.all:
            raise UsageError(
                "Say which questions are to be forgotten.", hint="“asked forget ID …”, or “asked forget --all”."
            )
        ids = None if words.all else [bench.asked_question(ref).id for ref in words.ids]
        gone = [item.question for item in bench.forget_questions(ids)]
    return {"forgotten": to_plain(gone)}, f"Forgot {len(gone)} question{'' if len(gone) == 1 else 's'}."


def _listed(found: Sequence[AskedQuestion]) -> str:
    if not found:
        return "Nothing was asked yet."
    return "\n".join(
        f"{item.id}  {item.asked[:16]}  {item.question}{'' if item.found else '  (not in your library)'}"
        for item in found
    )
