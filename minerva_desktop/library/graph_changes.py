"""What of the domain packs changed between two graphs, in words."""

from __future__ import annotations

import json
from collections.abc import Mapping

from minerva_desktop.library.graph_schema import CONCEPT, MENTIONS, PAPER, USES, GraphSchema

_OWN = (CONCEPT, PAPER, MENTIONS, USES)
_KINDS = {
    "type": ("type", "types"),
    "relation": ("relation", "relations"),
    "property": ("property", "properties"),
    "column": ("key column", "key columns"),
    "concept": ("concept", "concepts"),
}
_NAMED = 5  # names in one clause


def tables_as_text(schema: GraphSchema) -> str:
    """What the packs gave a graph, to be stored in it: names by kind, each with what is told when that changes."""
    return json.dumps(_contents(schema), sort_keys=True, ensure_ascii=False)


def difference(old: str, schema: GraphSchema) -> str:
    """A clause that says how the packs differ from those of the graph that :func:`tables_as_text` described."""
    try:
        before = json.loads(old) if old else None
    except ValueError:
        before = None
    if not isinstance(before, dict):
        return "another version of the program had written it"
    after = _contents(schema)
    told = [part for kind in _KINDS for part in _told(kind, before.get(kind, {}), after[kind])]
    if not told:
        same = before == after
        return "its layout is another one now" if same else "the domain packs have changed"
    return f"the domain packs have changed: {'; '.join(told)}"


def _contents(schema: GraphSchema) -> dict[str, dict[str, str]]:
    columns = {
        f"{kind}.{key.column}": f"{key.property_id} {key.unit}" for kind, keys in schema.keyed.items() for key in keys
    }
    return {
        "type": dict.fromkeys(schema.entity_types, ""),
        "relation": {
            name: ", ".join(" to ".join(pair) for pair in sorted(pairs))
            for name, pairs in schema.pairs.items()
            if name not in _OWN
        },
        "property": _names_by_property(schema),
        "column": columns,
        "concept": {item["name"]: f"{item['formula']} {item['description']}" for item in schema.concepts},
    }


def _names_by_property(schema: GraphSchema) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for name, property_id in schema.properties.items():
        found.setdefault(property_id, []).append(name)
    return {property_id: ", ".join(sorted(names)) for property_id, names in found.items()}


def _told(kind: str, before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    groups = (
        ("new", sorted(after.keys() - before.keys())),
        ("gone", sorted(before.keys() - after.keys())),
        ("different", sorted(name for name in before.keys() & after.keys() if before[name] != after[name])),
    )
    return [f"{_listed(kind, names)} {word}" for word, names in groups if names]


def _listed(kind: str, names: list[str]) -> str:
    one, many = _KINDS[kind]
    shown = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
    return f"{one} {shown} is" if len(names) == 1 else f"{many} {shown} are"
