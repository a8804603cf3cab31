"""Queries with IN, where the engine answers them wrongly.

Kuzu 0.11.3 gives wrong rows for ``r.property IN […]`` on an edge table of which edges were deleted since the file was
filled (other comparisons are right). So IN over a list that is known is written out as comparisons; what cannot be
written out is run only after the file has been made anew.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_TEXT = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|//[^\n]*|/\*.*?\*/", re.DOTALL)
_IN = re.compile(r"(?<![\w.`$])([A-Za-z_]\w*\.[A-Za-z_]\w*)\s+IN\s+(\[[^\[\]]*\]|\$[A-Za-z_]\w*)", re.IGNORECASE)
_ITEM = re.compile(
    r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\$[A-Za-z_]\w*|true|false", re.IGNORECASE
)
_LISTS = re.compile(r"\bIN\b|\b(?:list|array)_\w+\s*\(", re.IGNORECASE)
MOST = 500  # items that are written out


def spelt_out(cypher: str, params: Mapping[str, Any]) -> tuple[str, dict[str, Any], bool]:
    """The query with IN written out as comparisons, its parameters, and whether nothing of the kind is left."""
    masked = _TEXT.sub(lambda match: "\0" * len(match.group()), cypher)
    bound = dict(params)
    parts: list[str] = []
    end = 0
    for match in _IN.finditer(masked):
        items = _items(cypher[match.start(2) : match.end(2)], bound)
        if items is None:
            continue
        left = match.group(1)
        parts += [cypher[end : match.start()], f"({' OR '.join(f'{left} = {item}' for item in items) or 'false'})"]
        end = match.end()
    query = "".join([*parts, cypher[end:]])
    left_over = _LISTS.search(_TEXT.sub(" ", query)) is not None
    used = {name: value for name, value in bound.items() if re.search(rf"\${re.escape(name)}\b", query)}
    return query, used, not left_over


def _items(text: str, params: dict[str, Any]) -> list[str] | None:
    """The items of a list as they are written; None when it is no plain list. May add parameters."""
    if text.startswith("$"):
        value = params.get(text[1:])
        if not isinstance(value, (list, tuple)) or len(value) > MOST:
            return None
        names = [f"{text[1:]}_{index}" for index in range(len(value))]
        params.update(zip(names, value, strict=True))
        return [f"${name}" for name in names]
    inner = text[1:-1].strip()
    if not inner:
        return []
    items = [match.group() for match in _ITEM.finditer(inner)]
    between = _ITEM.sub("", inner)
    if re.fullmatch(r"[\s,]*", between) is None or between.count(",") != len(items) - 1 or len(items) > MOST:
        return None
    return items
