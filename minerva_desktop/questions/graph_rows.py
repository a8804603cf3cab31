"""Rows of a model's query that no fact stands behind, in words: what the graph gives, under what the columns really are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from minerva_desktop.questions.aspects import addresses_the_reader
from minerva_desktop.questions.citing import graph_citation
from minerva_desktop.questions.figures import number_text
from minerva_desktop.questions.grounds import Ground
from minerva_desktop.questions.lookup import BUILTIN, SHOWN_ROWS, GraphRows, fact_ids_of
from minerva_desktop.questions.patterns import literal
from minerva_desktop.records import AnswerSentence

_LONGEST = 200


def row_grounds(rows: GraphRows, names: Iterable[str] = ()) -> list[Ground]:
    """One sentence for all such rows; none for those of the built-in patterns, which are read as facts and columns.

    ``names`` are what the question names: those that the query asks about are part of what its rows say.
    """
    if rows.engine == BUILTIN:
        return []
    shown = [text for row in rows.rows if not fact_ids_of(row) and (text := _row(row, rows.labels))]
    shown = list(dict.fromkeys(shown))
    if not shown:
        return []
    listed = "; ".join(shown[:SHOWN_ROWS])
    more = f"; and {len(shown) - SHOWN_ROWS} more rows" if len(shown) > SHOWN_ROWS else ""
    text = f"For the query that {rows.engine.removeprefix('model:')} wrote, the graph gives: {listed}{more}."
    place = graph_citation("Rows of the query", listed)
    asked = tuple(name for name in names if literal(name) in rows.cypher)
    return [Ground(AnswerSentence(text, "graph", None, (place,)), more=asked)]


def _row(row: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    parts = []
    for key, value in row.items():
        text = _shown(value)
        if text and not addresses_the_reader(text):  # titles and abstracts are the text of papers
            parts.append(f"{labels.get(key, key.rpartition('.')[2].replace('_', ' '))} {text}")
    return ", ".join(parts)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        name = value.get("name") or value.get("title") or ""
        return f"{value.get('_label', '')} {name}".strip() if name else ""
    if isinstance(value, list):
        return " and ".join(text for item in value[:SHOWN_ROWS] if (text := _shown(item)))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return number_text(float(value))
    plain = " ".join(str(value).split())
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST].rsplit(' ', 1)[0]} …"
