"""The commands of review: what waits, in which order, and every decision on it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from minerva_desktop.errors import UsageError
from minerva_desktop.records import REJECTION_KINDS, ChangeSet, Decided, Fact, to_plain

if TYPE_CHECKING:
    from minerva_desktop.cli.commands import Context
    from minerva_desktop.workbench import Workbench
    from minerva_desktop.workbench.learning import Suggestion

_EDITED = ("source", "target", "property_id", "value", "type", "source_type", "target_type")


def add_parsers(review: Any, positive: Any) -> None:
    """The options of ``review ACTION``. ``positive`` reads a number above zero."""
    listing = review.add_parser("list", help="facts by status")
    listing.add_argument("--status", choices=("waiting", "accepted", "refused", "all"), default="waiting")
    listing.add_argument("--paper", metavar="PAPER")
    listing.add_argument("--type", metavar="RELATION")
    listing.add_argument("--text", help="only claims that contain this")
    listing.add_argument("--limit", type=positive)
    listing.add_argument(
        "--order",
        choices=("useful", "paper", "type", "added"),
        help="useful: where little is known and much hangs on it comes first",
    )
    for name, words in (("accept", "take facts into the graph"), ("reject", "refuse facts")):
        decide = review.add_parser(name, help=words)
        decide.add_argument("ids", nargs="+", metavar="ID")
        decide.add_argument("--reason", default="")
        if name == "reject":
            decide.add_argument("--kind", choices=tuple(REJECTION_KINDS), default="", help="what is wrong with them")
    review.add_parser("reopen", help="let decided facts wait again").add_argument("ids", nargs="+", metavar="ID")
    reverse = review.add_parser("reverse", help="make the subject the object, where the pack allows it")
    reverse.add_argument("id", metavar="ID")
    relabel = review.add_parser("relabel", help="make it another relation")
    relabel.add_argument("id", metavar="ID")
    relabel.add_argument("relation", metavar="RELATION")
    relabel.add_argument("--target-type", metavar="TYPE", default="", help="the type its object has then")
    edit = review.add_parser("edit", help="correct a fact")
    edit.add_argument("id", metavar="ID")
    edit.add_argument("--source", help="name of the material")
    edit.add_argument("--target", help="name of the other end")
    edit.add_argument("--property", dest="property_id", help="property id, such as band_gap")
    edit.add_argument("--value", help="number with unit")
    edit.add_argument("--type", metavar="RELATION", help="another relation")
    edit.add_argument("--source-type", metavar="TYPE", help="another type of the subject")
    edit.add_argument("--target-type", metavar="TYPE", help="another type of the object")
    decided = review.add_parser("decisions", help="what was decided, with what was there before and after")
    decided.add_argument("--undone", action="store_true", help="also what was taken back")
    suggested = review.add_parser("suggestions", help="what the same decision again and again would teach the lexicon")
    suggested.add_argument("--all", action="store_true", help="also those that were dismissed")
    review.add_parser("learn", help="put a suggestion into the lexicon").add_argument("suggestion", metavar="ID")
    dismiss = review.add_parser("dismiss", help="do not suggest it until three more decisions speak for it")
    dismiss.add_argument("suggestion", metavar="ID")


def run(context: Context, words: argparse.Namespace) -> tuple[Any, str]:
    """Run ``review ACTION``; the result as data and as text."""
    from minerva_desktop.cli import graphs, text  # the parser, which every start needs, shall not wait for it

    with context.open() as bench:
        if words.action == "list":
            facts = _listed_facts(bench, words)
            return [graphs.listed(fact) for fact in facts], text.facts(facts)
        if words.action == "decisions":
            found = bench.decisions(in_force=not words.undone)
            return to_plain(found), _decisions(found)
        if words.action == "suggestions":
            suggestions = bench.suggestions(dismissed=words.all)
            return to_plain(suggestions), _suggestions(suggestions)
        change = _change(bench, words)
    if words.action == "learn":
        note = "It takes effect for papers read from now on; “reextract” reads the others again."
        return to_plain(change), f"{change.label}. {note}"
    return to_plain(change), f"{change.label}."


def _listed_facts(bench: Workbench, words: argparse.Namespace) -> list[Fact]:
    status = None if words.status == "all" else words.status
    if words.order is None:
        return bench.facts(status=status, paper=words.paper, type=words.type, text=words.text, limit=words.limit)
    ids = bench.review_ids(status, words.paper, words.type, words.text, words.order)
    return bench.facts_by_id(ids[: words.limit])


def _change(bench: Workbench, words: argparse.Namespace) -> ChangeSet:
    if words.action == "accept":
        return bench.accept(words.ids, words.reason)
    if words.action == "reject":
        return bench.reject(words.ids, words.reason, words.kind)
    if words.action == "reopen":
        return bench.reopen(words.ids)
    if words.action == "learn":
        return bench.learn(words.suggestion)
    if words.action == "dismiss":
        return bench.dismiss_suggestion(words.suggestion)
    if words.action == "reverse":
        return bench.reverse(words.id)
    if words.action == "relabel":
        return bench.relabel(words.id, words.relation, words.target_type)
    fields = {key: value for key in _EDITED if (value := getattr(words, key)) is not None}
    if not fields:
        raise UsageError("Say what to correct.", hint="Options: --source, --target, --property, --value.")
    return bench.edit(words.id, **fields)


def _decisions(items: Sequence[Decided]) -> str:
    lines = []
    for item in items:
        why = f" ({REJECTION_KINDS[item.kind]})" if item.kind else ""
        became = f" → {item.after.claim}" if item.after else ""
        undone = "" if item.in_force else " (undone)"
        lines.append(f"{item.event:>6}  {item.verb:<8} {item.before.claim}{why}{became}{undone}")
    return "\n".join(lines) or "Nobody decided on anything yet."


def _suggestions(items: Sequence[Suggestion]) -> str:
    lines: list[str] = []
    for item in items:
        lines += [f"{item.id}  {item.question}{' (dismissed)' if item.dismissed else ''}", f"    {item.reason}"]
        lines.append(f"    Not learnt: {item.against}" if item.against else f"    {item.effect}")
        lines += [
            f"    {ground.fact[:10]}  {ground.claim}{f' → {ground.became}' if ground.became else ''}"
            for ground in item.grounds
        ]
    return "\n".join(lines) or "Your decisions suggest nothing yet; it takes three that are the same."
