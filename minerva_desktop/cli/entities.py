"""The commands about entities: which may be one, and what a person says of them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from minerva_desktop.records import to_plain

if TYPE_CHECKING:
    from minerva_desktop.cli.commands import Context


def run(context: Context, words: argparse.Namespace) -> tuple[Any, str]:
    """Run ``entities ACTION``; the result as data and as text."""
    with context.open() as bench:
        if words.action == "suggest":
            found = bench.entity_suggestions()
            return to_plain(found), _suggestions(to_plain(found))
        if words.action == "merged":
            merged = [{"type": kind, "name": name, "into": into} for kind, name, into in bench.merged_entities()]
            lines = [f"{item['type']:<12} {item['name']} → {item['into']}" for item in merged]
            return merged, "\n".join(lines) or "No entity was merged into another."
        kind = words.type or ""
        if words.action == "merge":
            change = bench.merge_entities(words.name, words.into, kind)
        elif words.action == "split":
            change = bench.split_entity(words.name, kind)
        elif words.action == "alias":
            change = bench.add_alias(words.name, words.alias, kind)
        else:
            change = bench.dismiss_pair(words.name, words.other, kind)
    return to_plain(change), f"{change.label}. Undo takes it back."


def _suggestions(items: list[dict[str, Any]]) -> str:
    if not items:
        return "No two entities of this library look like one."
    lines = []
    for item in items:
        hint = f" (likeness in meaning {item['similarity']:.2f})" if item["similarity"] is not None else ""
        sides = [f"{item[side]} ({_many(item[f'{side}_facts'], 'fact')})" for side in ("name", "into")]
        lines.append(f"{item['type']:<12} {sides[0]} → {sides[1]}{hint}")
        lines += [f"{'':<13}{reason}" for reason in item["reasons"]]
    return "\n".join(
        [*lines, "“entities merge NAME INTO” makes them one, “entities dismiss NAME OTHER” says that they are two."]
    )


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' if count != 1 else ''}"
