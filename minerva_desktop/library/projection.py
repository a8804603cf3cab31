"""Bringing the graph up to date with the catalog: after each change, and as a whole.

Every change of the catalog notes in the same transaction which facts and papers the graph must look at again. Writing
them is idempotent, so a process killed anywhere in between only leaves work that is done again. The graph carries the
number of the state it shows; a graph of another library or of an older state is made anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from minerva_desktop.events import CancelToken, Progress, ProgressSink, ignore_progress
from minerva_desktop.library.base import Tools
from minerva_desktop.library.catalog import Catalog
from minerva_desktop.library.graph import Graph
from minerva_desktop.library.graph_load import Loader
from minerva_desktop.library.graph_rows import fact_row
from minerva_desktop.library.graph_schema import CONCEPT, MENTIONS, PAPER, USES
from minerva_desktop.library.graph_write import Writer
from minerva_desktop.library.keyed_entities import Computed, KeyedEntities
from minerva_desktop.records import Fact, Paper

Key = tuple[str, str]
PORTION = 5000  # facts held in memory at a time
MANY = 20000
_PLACED = (
    "FROM relations r JOIN entities s ON s.seq = r.source JOIN entities t ON t.seq = r.target "
    "WHERE r.live = 1 AND r.status = 'accepted' AND s.name <> '' AND t.name <> '' "
    "AND r.type || char(9) || s.type || char(9) || t.type IN (SELECT value FROM json_each(?))"
)
"""The accepted facts that a pack has a place for; takes relation, source and target type of every place as JSON."""


@dataclass(frozen=True, slots=True)
class Place:
    """A fact that belongs into the graph, and its ends."""

    id: str
    type: str
    source: Key
    target: Key
    now: Mapping[str, Any] = field(default_factory=dict)
    """The properties of its edge, where it has one."""


class Projection:
    """Writes accepted facts, and the papers, into the graph."""

    def __init__(self, catalog: Catalog, graph: Graph, tools: Tools, computed: Computed) -> None:
        self.catalog = catalog
        self.graph = graph
        self.progress: ProgressSink = ignore_progress
        self.cancel: CancelToken | None = None
        self._keyed = KeyedEntities(catalog, tools, computed)
        self._written = 0
        self._ahead = True  # the graph may show more than the catalog knows that it does
        self._broken_off = False  # writing failed in the middle
        graph.connect(self)

    # ------------------------------------------------------------------------------------------ what a graph asks
    def accepts(self, generation: str) -> bool:
        """A graph of this very state, or one written just before the process was killed."""
        number = self._number()
        self._ahead = generation == self._name(number + 1)
        return self._ahead or generation == self._name(number)

    def behind(self) -> bool:
        return self.catalog.db.scalar("SELECT 1 FROM graph_dirty LIMIT 1") is not None

    def catch_up(self) -> None:
        """Write what has changed since the graph was written last."""
        db = self.catalog.db
        dirty = db.rows("SELECT stamp, kind, id FROM graph_dirty ORDER BY stamp")
        if not dirty:
            return
        if self._broken_off or len(dirty) + self._written > MANY:
            # Filling a new file is faster by then, and what was written since the last one takes room in memory.
            self.graph.rebuild()
            return
        number = self._number() + 1
        by_kind: dict[str, list[str]] = {"fact": [], "paper": [], "gone": []}
        for row in dirty:
            by_kind[row["kind"]].append(row["id"])
        facts = list(dict.fromkeys([*by_kind["fact"], *by_kind["gone"]]))
        there = facts if self._ahead else self._maybe_there(facts, set(by_kind["gone"]))
        last = self._last_relation()
        self._ahead = self._broken_off = True
        self._apply(facts, there, by_kind["paper"], self._name(number))
        self._done(number, dirty[-1]["stamp"], last)
        self._written += len(dirty)

    def fill(self) -> None:
        """Write everything into an empty graph."""
        stamp = self.catalog.db.scalar("SELECT max(stamp) FROM graph_dirty") or 0
        number = self._number() + 1
        self._keyed.forget()
        places = self.places()
        last = self._last_relation()
        papers = self.catalog.papers()
        keys = {key for place in places for key in (place.source, place.target)}
        with self.graph.loading(self._name(number)) as loader:
            loader.nodes(PAPER, (_paper_row(paper) for paper in papers))
            for kind, names in _by_type(keys):
                self._load_nodes(loader, kind, names)
            self._load_facts(loader, [place.id for place in places], keys)
            self._load_mentions(loader, sorted(keys), {paper.id for paper in papers})
        self._done(number, stamp, last)
        self._written = 0

    def _load_nodes(self, loader: Loader, kind: str, names: Sequence[str]) -> None:
        if kind not in self.graph.schema.keyed:
            loader.nodes(kind, ({"name": name} for name in names))
            return
        for start in range(0, len(names), PORTION):
            if self.cancel is not None:
                self.cancel.check()
            rows, uses = self._keyed.rows(self.graph.schema, kind, names[start : start + PORTION])
            loader.nodes(kind, rows)
            loader.edges(USES, kind, CONCEPT, uses)

    def _load_facts(self, loader: Loader, ids: Sequence[str], keys: set[Key]) -> None:
        for start in range(0, len(ids), PORTION):
            if self.cancel is not None:
                self.cancel.check()
            self.progress(Progress("", "index", "graph", start, len(ids), "facts"))
            for fact in self.catalog.facts_by_id(ids[start : start + PORTION]):
                (source, _), (target, _) = ends = (fact.source.key, fact.target.key)
                if keys.issuperset(ends):  # one that changed meanwhile is written right afterwards
                    loader.edges(fact.type, source, target, [fact_row(fact)])

    def _load_mentions(self, loader: Loader, keys: Sequence[Key], papers: set[str]) -> None:
        for start in range(0, len(keys), PORTION):
            found = self.catalog.mentions(entities=keys[start : start + PORTION])
            for kind in sorted({kind for _, kind, _ in found}):
                rows = ({"s": paper, "t": name} for paper, other, name in found if other == kind and paper in papers)
                loader.edges(MENTIONS, PAPER, kind, rows)

    def agrees(self, fact_ids: Sequence[str]) -> bool:
        dirty = {row[0] for row in self.catalog.db.rows("SELECT id FROM graph_dirty WHERE kind <> 'paper'")}
        listed = [item for item in fact_ids if item not in dirty]
        found = set(listed)
        return len(found) == len(listed) and found == self._placed() - dirty

    def left_out(self) -> int:
        """How many accepted facts no pack has a place for."""
        accepted = self.catalog.db.scalar("SELECT count(*) FROM relations WHERE live = 1 AND status = 'accepted'")
        placed = self.catalog.db.scalar(f"SELECT count(*) {_PLACED}", [self._pairs()])
        return int(accepted or 0) - int(placed or 0)

    # ----------------------------------------------------------------------------------------- what should be there
    def expected_facts(self) -> list[str]:
        """Ids of the facts that belong into the graph, sorted."""
        return sorted(self._placed())

    def _placed(self) -> set[str]:
        # Asked at an opening: half a million facts are not made into objects for it.
        with self.catalog.db.read() as connection:
            return {row[0] for row in connection.execute(f"SELECT r.id {_PLACED}", [self._pairs()])}

    def _pairs(self) -> str:
        """What a pack has a place for, as :data:`_PLACED` takes it."""
        pairs = self.graph.schema.pairs
        return json.dumps(
            ["\t".join((relation, *ends)) for relation in sorted(pairs) for ends in sorted(pairs[relation])]
        )

    def _fits(self, relation: str, source: str, target: str) -> bool:
        """Whether a pack has a place for it; facts of a pack that is not there stay in the catalog only."""
        return (source, target) in self.graph.schema.pairs.get(relation, ())

    def expected_edges(self) -> dict[str, dict[str, object]]:
        """What :func:`graph_read.fact_rows` should give."""
        found: dict[str, dict[str, object]] = {}
        for fact in self._accepted():
            row = fact_row(fact)
            ends = (*fact.source.key, *fact.target.key)
            columns = {name: row[name] for name in self.graph.schema.edges[fact.type]}
            found[fact.id] = columns | {"type": fact.type, "ends": ends}
        return found

    def expected_nodes(self) -> dict[Key, dict[str, object]]:
        """What :func:`graph_read.entity_rows` should give."""
        found: dict[Key, dict[str, object]] = {
            (CONCEPT, item["name"]): dict(item) for item in self.graph.schema.concepts
        }
        schema = self.graph.schema
        for kind, names in _by_type(self._keys()):
            if kind in schema.keyed:
                rows, _ = self._keyed.rows(schema, kind, names)
                found |= {(kind, str(row["name"])): row for row in rows}
            else:
                found |= {(kind, name): {"name": name} for name in names}
        return found

    def expected_papers(self) -> dict[str, dict[str, object]]:
        """What :func:`graph_read.paper_rows` should give."""
        return {paper.id: _paper_row(paper) for paper in self.catalog.papers()}

    def expected_mentions(self) -> dict[tuple[str, str, str], int]:
        """What :func:`graph_read.mention_rows` should give."""
        return dict.fromkeys(self.catalog.mentions(entities=sorted(self._keys())), 1)

    def expected_uses(self) -> dict[tuple[str, str, str], int]:
        """What :func:`graph_read.use_rows` should give."""
        schema = self.graph.schema
        return {
            (str(row["s"]), CONCEPT, str(row["t"])): 1
            for kind, names in _by_type(self._keys())
            if kind in schema.keyed
            for row in self._keyed.rows(schema, kind, names)[1]
        }

    def _keys(self) -> set[Key]:
        """The entities that belong into the graph."""
        return {key for place in self.places() for key in (place.source, place.target)}

    def places(self) -> list[Place]:
        """The facts that belong into the graph, by id, with their ends."""
        entities = {row[0]: (row[1], row[2]) for row in self.catalog.db.rows("SELECT seq, type, name FROM entities")}
        rows = self.catalog.db.rows(
            "SELECT id, type, source, target FROM relations WHERE live = 1 AND status = 'accepted' ORDER BY id"
        )
        places = (
            Place(row[0], row[1], entities[row[2]], entities[row[3]])
            for row in rows
            if row[2] in entities and row[3] in entities
        )
        return [
            place
            for place in places
            if place.source[1] and place.target[1] and self._fits(place.type, place.source[0], place.target[0])
        ]

    def _accepted(self) -> Iterator[Fact]:
        ids = self.expected_facts()
        for start in range(0, len(ids), PORTION):
            yield from self.catalog.facts_by_id(ids[start : start + PORTION])

    # -------------------------------------------------------------------------------------------------- internals
    def _number(self) -> int:
        return int(self.catalog.db.meta("graph_generation", "0"))

    def _name(self, number: int) -> str:
        return f"{self.catalog.db.meta('library_id')}:{number}"

    def _last_relation(self) -> int:
        return int(self.catalog.db.scalar("SELECT max(seq) FROM relations") or 0)

    def _maybe_there(self, fact_ids: Sequence[str], gone: set[str]) -> list[str]:
        """Those facts that may have an edge: the others came into the catalog after the graph was written last.

        A fact that went from the catalog and came back has a new number there and may have its old edge here.
        """
        last = int(self.catalog.db.meta("graph_relations", str(self._last_relation())))
        rows = self.catalog.db.rows_in("SELECT id, seq FROM relations WHERE id IN (…)", fact_ids)
        new = {row["id"] for row in rows if row["seq"] > last} - gone
        return [item for item in fact_ids if item not in new]

    def _done(self, number: int, stamp: int, last: int) -> None:
        """The graph shows this state: all up to this mark, and of relations none above this number."""
        with self.catalog.db.transaction() as connection:
            connection.execute("DELETE FROM graph_dirty WHERE stamp <= ?", [stamp])
            self.catalog.db.set_meta("graph_generation", str(number))
            self.catalog.db.set_meta("graph_relations", str(last))
        self._ahead = self._broken_off = False

    def _apply(
        self, fact_ids: Sequence[str], maybe_there: Sequence[str], paper_ids: Sequence[str], generation: str
    ) -> None:
        """Delete what these facts and papers have in the graph, then write what they should have. ``maybe_there``: those
        of the facts that may have an edge.

        Three transactions (see :class:`Writer`). Only the last one says that the graph is up to date. Broken off in
        between, the graph is made anew: what the first one deleted does not tell any more which entities it was at.
        """
        accepted = [
            fact
            for start in range(0, len(fact_ids), PORTION)
            for fact in self.catalog.facts_by_id(fact_ids[start : start + PORTION])
            if fact.decision.status == "accepted"
            and fact.source.key[1]
            and fact.target.key[1]
            and self._fits(fact.type, fact.source.type, fact.target.type)
        ]
        new = {key for fact in accepted for key in (fact.source.key, fact.target.key)}
        papers = self.catalog.papers_by_id(paper_ids)
        with self.graph.writing() as writer:
            writer.begin_parts()
            there = self._edges(writer, maybe_there)
            kept = {fact.id for fact in accepted}
            gone = [place for key, place in there.items() if key not in kept]
            for (relation, kind), places in _grouped(gone):
                writer.delete_facts(relation, kind, [{"id": place.id, "s": place.source[1]} for place in places])
            ends = {end for place in gone for end in (place.source, place.target)}
            for kind, names in _by_type(ends - new):
                ends -= {(kind, name) for name in writer.drop_orphans(kind, names)}
            for kind, names in _by_type(ends | new):
                if kind in self.graph.schema.keyed:
                    writer.delete_concept_uses(kind, names)
            writer.delete_papers(sorted(set(paper_ids) - {paper.id for paper in papers}))
            writer.delete_mentions([paper.id for paper in papers])
        with self.graph.writing() as writer:
            self._keyed.changed(fact_ids)
            uses = self._put_nodes(writer, ends | new, fact_ids)
            writer.put_rows(PAPER, [_paper_row(paper) for paper in papers])
            rows = {fact.id: fact_row(fact) for fact in accepted if fact.id in there}
            for (relation, kind), places in _grouped(place for place in there.values() if place.id in rows):
                now = {place.id: place.now for place in places}
                writer.update_facts(relation, kind, [rows[place.id] for place in places], now)
        with self.graph.writing(generation) as writer:
            writer.end_parts()
            unmentioned = [
                (kind, name) for kind, names in _by_type(new) for name in sorted(writer.unmentioned(kind, names))
            ]
            self._put_facts(writer, [fact for fact in accepted if fact.id not in there])
            for kind, pairs in uses:
                writer.put_concept_uses(kind, pairs)
            mentions = set(self.catalog.mentions(papers=[paper.id for paper in papers])) if papers else set()
            self._put_mentions(writer, sorted(mentions | set(self.catalog.mentions(entities=unmentioned))))

    def _edges(self, writer: Writer, fact_ids: Sequence[str]) -> dict[str, Place]:
        """The edges that these facts have in the graph now.

        A fact keeps its source as long as it is in the catalog: the source is part of its id. So its edge is looked for
        at that entity; only of facts that are gone from the catalog the edges must be looked for everywhere.
        """
        rows = self.catalog.db.rows_in(
            "SELECT r.id, r.type, s.type AS kind, s.name FROM relations r JOIN entities s ON s.seq = r.source "
            "WHERE r.id IN (…)",
            fact_ids,
        )
        known = sorted(((row["type"], row["kind"]), row["id"], row["name"]) for row in rows)
        found: dict[str, Place] = {}
        for (relation, kind), group in groupby(known, lambda item: item[0]):
            facts = [{"id": item, "s": name} for _, item, name in group]
            if any(source == kind for source, _ in self.graph.schema.pairs.get(relation, ())):
                edges = writer.edges_of(relation, kind, facts)
                found |= {key: Place(key, relation, *ends) for key, ends in edges.items()}
        forgotten = sorted(set(fact_ids) - {item for _, item, _ in known})
        return found | {key: Place(key, *edge) for key, edge in writer.edges_anywhere(forgotten).items()}

    def _put_nodes(
        self, writer: Writer, keys: Iterable[Key], changed: Sequence[str]
    ) -> list[tuple[str, list[dict[str, object]]]]:
        """Entities, and the columns of those that have any, after these facts changed; returns which concepts they use, by
        type."""
        uses: list[tuple[str, list[dict[str, object]]]] = []
        schema = self.graph.schema
        for kind, names in _by_type(keys):
            if kind not in schema.keyed:
                writer.put_nodes(kind, names)
                continue
            for start in range(0, len(names), PORTION):
                rows, used = self._keyed.rows(schema, kind, names[start : start + PORTION], changed)
                writer.put_rows(kind, rows)
                uses.append((kind, used))
        return uses

    def _put_facts(self, writer: Writer, facts: Sequence[Fact]) -> None:
        def table(fact: Fact) -> tuple[str, str, str]:
            return (fact.type, fact.source.key[0], fact.target.key[0])

        for (relation, source, target), group in groupby(sorted(facts, key=lambda fact: (table(fact), fact.id)), table):
            writer.put_facts(relation, source, target, [fact_row(fact) for fact in group])

    def _put_mentions(self, writer: Writer, mentions: Sequence[tuple[str, str, str]]) -> None:
        for kind in sorted({kind for _, kind, _ in mentions}):
            if kind in self.graph.schema.entity_types:
                rows = [{"s": paper, "t": name} for paper, other, name in mentions if other == kind]
                writer.put_mentions(kind, rows)


def _by_type(keys: Iterable[Key]) -> list[tuple[str, list[str]]]:
    return [(kind, [name for _, name in group]) for kind, group in groupby(sorted(keys), lambda key: key[0])]


def _grouped(places: Iterable[Place]) -> list[tuple[tuple[str, str], list[Place]]]:
    """By table and type of the source."""

    def table(place: Place) -> tuple[str, str]:
        return (place.type, place.source[0])

    ordered = sorted(places, key=lambda place: (table(place), place.id))
    return [(key, list(group)) for key, group in groupby(ordered, table)]


def _paper_row(paper: Paper) -> dict[str, object]:
    return {
        "id": paper.id,
        "title": paper.title or None,
        "doi": paper.doi or None,
        "url": paper.url or None,
        "year": paper.year,
        "abstract": paper.abstract or None,
    }
