"""What of the graph lies next to a passage: which entities it may name, what facts join them, which passages name one.

Read from SQLite, so that no question waits for the graph engine. Each call is bounded: what has more neighbours than that is
said to be a hub, and tells little.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from minerva_desktop.library.base import CatalogBase
from minerva_desktop.library.words import quoted, stems

_SHOWN = "live = 1 AND status IN ('accepted', 'waiting')"

_SPELT = (
    "SELECT folded, name, entity FROM names UNION ALL "
    "SELECT a.folded, a.alias, x.seq FROM aliases a JOIN entities x ON x.type = a.type AND x.name = a.name"
)


@dataclass(frozen=True, slots=True)
class Mentioned:
    """An entity that a paper names: its row, type and name, and how the paper spells it."""

    entity: int
    type: str
    name: str
    spellings: tuple[str, ...]


class NeighboursPart(CatalogBase):
    """Steps along the graph, from passages and back to them."""

    def named_in_papers(self, papers: Sequence[str]) -> dict[str, list[Mentioned]]:
        """The entities that these papers name, by paper, by type and name."""
        found: dict[str, list[Mentioned]] = {paper: [] for paper in papers}
        for row in self.db.rows_in(
            "SELECT m.paper, m.entity, e.type, e.name, m.name AS spelt, m.aliases FROM paper_entities m "
            "JOIN entities e ON e.seq = m.entity WHERE m.paper IN (…) ORDER BY e.type, e.name",
            list(dict.fromkeys(papers)),
        ):
            spellings = dict.fromkeys([row["name"], row["spelt"], *json.loads(row["aliases"])])
            found[row["paper"]].append(Mentioned(row["entity"], row["type"], row["name"], tuple(spellings)))
        return found

    def entities_spelt(self, folded: Sequence[str]) -> dict[str, list[Mentioned]]:
        """The entities of each of these folded spellings (``identity.fold``), by type and name."""
        found: dict[str, list[Mentioned]] = {}
        for row in self.db.rows_in(
            f"SELECT n.folded, e.seq, e.type, e.name FROM ({_SPELT}) n JOIN entities e ON e.seq = n.entity "
            "WHERE n.folded IN (…) ORDER BY n.folded, e.type, e.name, e.seq",
            list(dict.fromkeys(folded)),
        ):
            item = Mentioned(row["seq"], row["type"], row["name"], ())
            if item not in found.setdefault(row["folded"], []):
                found[row["folded"]].append(item)
        return found

    def spellings_of(self, entities: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """All spellings under which papers, or the person, name each of these entities."""
        found: dict[int, dict[str, None]] = {}
        query = f"SELECT entity, name FROM ({_SPELT}) WHERE entity IN (…) ORDER BY entity, name"
        for row in self.db.rows_in(query, list(dict.fromkeys(entities))):
            found.setdefault(row["entity"], {})[row["name"]] = None
        return {entity: tuple(names) for entity, names in found.items()}

    def joined_to(self, entities: Sequence[int], most: int) -> dict[int, list[Mentioned]]:
        """The entities that accepted or waiting facts join with each of these; none for one with more than ``most``."""
        query = (
            "SELECT e.seq, e.type, e.name FROM ("
            f"SELECT target AS other FROM relations WHERE source = :entity AND {_SHOWN} "
            f"UNION ALL SELECT source FROM relations WHERE target = :entity AND {_SHOWN} LIMIT :limit) "
            "JOIN entities e ON e.seq = other"
        )
        found: dict[int, list[Mentioned]] = {}
        with self.db.read() as connection:
            for entity in dict.fromkeys(entities):
                rows = connection.execute(query, {"entity": entity, "limit": most + 1}).fetchall()
                if len(rows) <= most:
                    others = {(row["type"], row["name"]): row["seq"] for row in rows if row["seq"] != entity}
                    found[entity] = [Mentioned(others[key], *key, ()) for key in sorted(others)]
        return found

    def rows_naming(self, names: Sequence[Sequence[str]], most: int) -> list[list[int]]:
        """For each name (its spellings) the row numbers of the passages that say one, ascending; [] when there are more
        than ``most``. Whether a passage is there and may be shown is not looked at."""
        found: list[list[int]] = []
        with self.db.read() as connection:
            for spellings in names:
                match = " OR ".join(quoted(phrase) for phrase in dict.fromkeys(map(phrase_of, spellings)) if phrase)
                rows: list[int] = []
                if match:
                    query = "SELECT rowid FROM passage_words WHERE passage_words MATCH ? LIMIT ?"
                    rows = [row[0] for row in connection.execute(query, [match, most + 1])]
                found.append(sorted(rows) if len(rows) <= most else [])
        return found


@lru_cache(maxsize=65536)
def phrase_of(name: str) -> str:
    """A name as it stands in the word index. Each question asks for hundreds, mostly the same ones."""
    return " ".join(stems(name))
