"""Names and properties of this library by their first letters, quick enough to be asked with every letter that is typed."""

from __future__ import annotations

from dataclasses import dataclass

from minerva_desktop.library.identity import fold
from minerva_desktop.library.view import ViewPart, letters_of

_SHOWN = "r.live = 1 AND r.status IN ('accepted', 'waiting')"
_LOOKED_AT = 2000
_WEIGHED = 60
_FACTS = 500
_INSIDE = 3
"""From so many letters on names are found that only hold them; the index knows letters by threes."""


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity with facts: its row number, type, canonical name, and how many of its facts were counted."""

    row: int
    type: str
    name: str
    facts: int


class CompletionsPart(ViewPart):
    """What a person may be about to type."""

    def names_like(self, text: str, limit: int = 8) -> list[NamedEntity]:
        """Entities with accepted or waiting facts of which a spelling begins with the text, else holds it; those that
        are spelt so first (Na is not NA), then those with most facts."""
        folded = fold(text)
        if not folded:
            return []
        begins = self._weighed(
            "SELECT folded, name, entity FROM names WHERE folded >= ? AND folded < ? LIMIT ?",
            text.strip(),
            [folded, folded + "\U0010ffff", _LOOKED_AT],
        )
        if len(begins) >= limit or len(folded) < _INSIDE:
            return begins[:limit]
        holds = self._weighed(
            "SELECT folded, name, entity FROM names WHERE id IN "
            "(SELECT rowid FROM name_letters WHERE name_letters MATCH ? LIMIT ?)",
            text.strip(),
            [letters_of(folded), _LOOKED_AT],
        )
        return list({item.row: item for item in (*begins, *holds)}.values())[:limit]

    def _weighed(self, query: str, text: str, values: list[object]) -> list[NamedEntity]:
        """The entities of these names, in the order of :meth:`names_like`; only the shortest names are weighed."""
        rows = sorted(
            (not row["name"].startswith(text), len(row["folded"]), row["folded"], row["entity"])
            for row in self.db.rows(query, values)
        )
        other: dict[int, bool] = {}
        for spelt_otherwise, _, _, entity in rows:
            other.setdefault(entity, spelt_otherwise)
        entities = list(other)[:_WEIGHED]
        counted = ", ".join(
            f"(SELECT count(*) FROM (SELECT 1 FROM relations r WHERE r.{side} = e.seq AND {_SHOWN} LIMIT {_FACTS}))"
            for side in ("source", "target")
        )
        found = [
            NamedEntity(row[0], row[1], row[2], row[3] + row[4])
            for row in self.db.rows_in(
                f"SELECT e.seq, e.type, e.name, {counted} FROM entities e WHERE e.seq IN (…)", entities
            )
        ]
        return sorted(
            (item for item in found if item.facts),
            key=lambda item: (other[item.row], -item.facts, item.type, item.name),
        )

    def properties_of(self, entity: int, limit: int = 4) -> list[str]:
        """Ids of the measured properties of an entity (by row number), those with most facts first."""
        rows = self.db.rows(
            "SELECT property_id, count(*) AS n FROM (SELECT r.property_id FROM relations r WHERE r.source = ? AND "
            f"r.property_id <> '' AND {_SHOWN} LIMIT {_FACTS}) GROUP BY property_id ORDER BY n DESC, property_id LIMIT ?",
            [entity, limit],
        )
        return [row["property_id"] for row in rows]

    def materials_with(self, property_id: str, limit: int = 4) -> list[str]:
        """Names of what has values of a property, those with most facts among the first facts first."""
        rows = self.db.rows(
            "SELECT e.name, count(*) AS n FROM (SELECT r.source FROM relations r WHERE r.property_id = ? AND "
            f"{_SHOWN} ORDER BY r.seq LIMIT {_FACTS}) f JOIN entities e ON e.seq = f.source "
            "GROUP BY f.source ORDER BY n DESC, e.name LIMIT ?",
            [property_id, limit],
        )
        return [row["name"] for row in rows]
