"""Where a pasted text stands: ``whereis``."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from minerva_desktop.records import QuotePlace, QuoteResult, to_plain

if TYPE_CHECKING:
    from minerva_desktop.cli.commands import Context

_MOST_READ = 100_000  # signs of standard input; a quotation is far shorter


def run(context: Context, words: argparse.Namespace) -> tuple[Any, str]:
    """Look up the text, or standard input as one text."""
    text = sys.stdin.read(_MOST_READ) if words.text == "-" else words.text
    with context.open() as bench:
        result = bench.where_is(text, words.limit)
    return to_plain(result), shown(result)


def shown(result: QuoteResult) -> str:
    """The result for a person; what agrees with the pasted text stands between »«."""
    blocks = [result.message, *(_block(place) for place in result.places)]
    if result.nearest:
        blocks.append("Nearest:")
        blocks += [_block(place) for place in result.nearest]
    return "\n\n".join([*blocks, *result.notes])


def _block(place: QuotePlace) -> str:
    page = f", p. {place.page}" if place.page else ""
    likeness = f"; {place.likeness:.0%} of the signs agree" if place.how == "near" and place.likeness else ""
    differ = f"\n  Not there: {', '.join(place.missing)}" if place.missing else ""
    return f"{place.title or place.source_id[:10]}{page} [{place.source}{likeness}]\n  {marked(place)}{differ}"


def marked(place: QuotePlace) -> str:
    """The quotation with its marks, but for one that is marked all over."""
    if place.marks == ((0, len(place.quote)),):
        return place.quote
    parts: list[str] = []
    at = 0
    for start, end in place.marks:
        parts += [place.quote[at:start], "»", place.quote[start:end], "«"]
        at = end
    return "".join([*parts, place.quote[at:]])
