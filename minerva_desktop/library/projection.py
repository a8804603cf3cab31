"""Bringing the graph up to date with the catalog: after each change, and as a whole.

Every change of the catalog notes in the same transaction which facts and papers the graph must look at again. Writing
them is idempotent, so a process killed anywhere in between only leaves work that is done again. The graph carries the
number of the state it shows; a graph of another library or of an older state is made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from minerva_desktop.domains import Domain
from minerva_desktop.events import CancelToken, Progress, ProgressSink, ignore_progress
from minerva_desktop.library.base import Tools
from minerva_desktop.library.catalog import Catalog
from minerva_desktop.library.graph import Graph
from minerva_desktop.library.graph_load import Loader
from minerva_desktop.library.graph_rows import ConceptUses, fact_row, material_row
from minerva_desktop.library.graph_schema import CONCEPT, MATERIAL, MENTIONS, PAPER, USES
from minerva_desktop.library.graph_write import Writer
from minerva_desktop.records import Fact, Paper

Computed = Callable[[str], Mapping[str, object]]
Key = tuple[str, str]
PORTION = 5000  # facts held in memory at a time
MANY = 20000


@dataclass(frozen=True, slots=True)
class _Place:
    """A fact that belongs into the graph, and its ends."""

    id: str
    source: Key
    target: Key


class Projection:
    """Writes accepted facts, and the papers, into the graph."""

    def __init__(self, catalog: Catalog, graph: Graph, domain: Domain, tools: Tools, computed: Computed) -> None:
        self.catalog = catalog
        self.graph = graph
        self.domain = domain
        self.tools = tools
        self.computed = computed
        self.progress: ProgressSink = ignore_progress
        self.cancel: CancelToken | None = None
        self._concepts = ConceptUses(domain)
        self._written = 0
        graph.connect(self)

    # ------------------------------------------------------------------------------------------ what a graph asks
    def accepts(self, generation: str) -> bool:
        """A graph of this very state, or one written just before the process was killed."""
        number = self._number()
        return generation in (self._name(number), self._name(number + 1))

    def behind(self) -> bool:
        return self.catalog.db.scalar("SELECT 1 FROM graph_dirty LIMIT 1") is not None

    def catch_up(self) -> None:
        """Write what has changed since the graph was written last."""
        db = self.catalog.db
        dirty = db.rows("SELECT stamp, kind, id FROM graph_dirty ORDER BY stamp")
        if not dirty:
            return
        if len(dirty) + self._written > MANY:
            # Filling a new file is faster by then, and what was written since the last one takes room in memory.
            self.graph.rebuild()
            return
        number = self._number() + 1
        facts = [row["id"] for row in dirty if row["kind"] == "fact"]
        papers = [row["id"] for row in dirty if row["kind"] == "paper"]
        self._apply(facts, papers, self._name(number))
        self._done(number, dirty[-1]["stamp"])
        self._written += len(dirty)

    def fill(self) -> None:
        """Write everything into an empty graph."""
        stamp = self.catalog.db.scalar("SELECT max(stamp) FROM graph_dirty") or 0
        number = self._number() + 1
        places = self._places()
        papers = self.catalog.papers()
        keys = {key for place in places for key in (place.source, place.target)}
        with self.graph.loading(self._name(number)) as loader:
            loader.nodes(PAPER, (_paper_row(paper) for paper in papers))
            for kind, names in _by_type(keys):
                self._load_nodes(loader, kind, names)
            self._load_facts(loader, [place.id for place in places], keys)
            self._load_mentions(loader, sorted(keys), {paper.id for paper in papers})
        self._done(number, stamp)
        self._written = 0

    def _load_nodes(self, loader: Loader, kind: str, names: Sequence[str]) -> None:
        if kind != MATERIAL:
            loader.nodes(kind, ({"name": name} for name in names))
            return
        for start in range(0, len(names), PORTION):
            rows, uses = self._materials(names[start : start + PORTION])
            loader.nodes(MATERIAL, rows)
            loader.edges(USES, MATERIAL, CONCEPT, uses)

    def _load_facts(self, loader: Loader, ids: Sequence[str], keys: set[Key]) -> None:
        for start in range(0, len(ids), PORTION):
            if self.cancel is not None:
                self.cancel.check()
            self.progress(Progress("", "index", "graph", start, len(ids), "facts"))
            for fact in self.catalog.facts_by_id(ids[start : start + PORTION]):
                (source, _), (target, _) = ends = (fact.source.key, fact.target.key)
                if keys.issuperset(ends):  # one that changed meanwhile is written right afterwards
                    loader.edges(fact.type, source, target, [fact_row(fact, self.domain)])

    def _load_mentions(self, loader: Loader, keys: Sequence[Key], papers: set[str]) -> None:
        for start in range(0, len(keys), PORTION):
            found = self.catalog.mentions(entities=keys[start : start + PORTION])
            for kind in sorted({kind for _, kind, _ in found}):
                rows = ({"s": paper, "t": name} for paper, other, name in found if other == kind and paper in papers)
                loader.edges(MENTIONS, PAPER, kind, rows)

    def agrees(self, fact_ids: Sequence[str]) -> bool:
        dirty = {row[0] for row in self.catalog.db.rows("SELECT id FROM graph_dirty WHERE kind = 'fact'")}
        found = [item for item in fact_ids if item not in dirty]
        return sorted(found) == [item for item in self.expected_facts() if item not in dirty]

    # ----------------------------------------------------------------------------------------- what should be there
    def expected_facts(self) -> list[str]:
        """Ids of the facts that belong into the graph, sorted."""
        return [place.id for place in self._places()]

    def _fits(self, relation: str, source: str, target: str) -> bool:
        """Whether the domain has a place for it; facts of another domain stay in the catalog only."""
        return (source, target) in self.graph.schema.pairs.get(relation, ())

    def expected_edges(self) -> dict[str, dict[str, object]]:
        """What :func:`graph_read.fact_rows` should give."""
        found: dict[str, dict[str, object]] = {}
        for fact in self._accepted():
            row = fact_row(fact, self.domain)
            ends = (*fact.source.key, *fact.target.key)
            columns = {name: row[name] for name in self.graph.schema.edges[fact.type]}
            found[fact.id] = columns | {"type": fact.type, "ends": ends}
        return found

    def expected_nodes(self) -> dict[Key, dict[str, object]]:
        """What :func:`graph_read.entity_rows` should give."""
        found: dict[Key, dict[str, object]] = {
            (CONCEPT, item["name"]): dict(item) for item in self.graph.schema.concepts
        }
        keys = {key for place in self._places() for key in (place.source, place.target)}
        materials = sorted(name for kind, name in keys if kind == MATERIAL)
        facts = self.catalog.accepted_of(MATERIAL, materials)
        for kind, name in keys:
            found[(kind, name)] = (
                material_row(name, facts.get(name, []), self.domain, self.tools, self.computed(name))
                if kind == MATERIAL
                else {"name": name}
            )
        return found

    def expected_papers(self) -> dict[str, dict[str, object]]:
        """What :func:`graph_read.paper_rows` should give."""
        return {paper.id: _paper_row(paper) for paper in self.catalog.papers()}

    def expected_mentions(self) -> dict[tuple[str, str, str], int]:
        """What :func:`graph_read.mention_rows` should give."""
        keys = sorted({key for place in self._places() for key in (place.source, place.target)})
        return dict.fromkeys(self.catalog.mentions(entities=keys), 1)

    def expected_uses(self) -> dict[tuple[str, str, str], int]:
        """What :func:`graph_read.use_rows` should give."""
        keys = {key for place in self._places() for key in (place.source, place.target)}
        materials = sorted(name for kind, name in keys if kind == MATERIAL)
        return {
            (name, CONCEPT, concept): 1
            for name, facts in self.catalog.accepted_of(MATERIAL, materials).items()
            for concept in self._concepts.of(facts)
        }

    def _places(self) -> list[_Place]:
        rows = self.catalog.db.rows(
            "SELECT r.id, r.type, s.type, s.name, t.type, t.name FROM relations r JOIN entities s ON s.seq = r.source "
            "JOIN entities t ON t.seq = r.target WHERE r.live = 1 AND r.status = 'accepted' ORDER BY r.id"
        )
        return [
            _Place(row[0], (row[2], row[3]), (row[4], row[5]))
            for row in rows
            if row[3] and row[5] and self._fits(row[1], row[2], row[4])
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

    def _done(self, number: int, stamp: int) -> None:
        with self.catalog.db.transaction() as connection:
            connection.execute("DELETE FROM graph_dirty WHERE stamp <= ?", [stamp])
            self.catalog.db.set_meta("graph_generation", str(number))

    def _apply(self, fact_ids: Sequence[str], paper_ids: Sequence[str], generation: str) -> None:
        """Delete what these facts and papers have in the graph, then write what they should have.

        Three transactions (see :class:`Writer`). Only the last one says that the graph is up to date, so that after a
        crash in between everything is done again.
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
        wanted = set(paper_ids)
        papers = [paper for paper in self.catalog.papers() if paper.id in wanted] if wanted else []
        with self.graph.writing() as writer:
            there = writer.ends(fact_ids)
            kept = {fact.id for fact in accepted}
            gone = {key: value for key, value in there.items() if key not in kept}
            for relation in sorted({value[0] for value in gone.values()}):
                writer.delete_facts(relation, [key for key, value in gone.items() if value[0] == relation])
            ends = {end for _, source, target in gone.values() for end in (source, target)}
            for kind, names in _by_type(ends - new):
                ends -= {(kind, name) for name in writer.drop_orphans(kind, names)}
            materials = [name for kind, name in sorted(ends | new) if kind == MATERIAL]
            if materials:
                writer.delete_concept_uses(materials)
            if wanted:
                writer.delete_papers(sorted(wanted - {paper.id for paper in papers}))
                writer.delete_mentions([paper.id for paper in papers])
        with self.graph.writing() as writer:
            uses = self._put_nodes(writer, ends | new)
            writer.put_papers([_paper_row(paper) for paper in papers])
            for relation in sorted({fact.type for fact in accepted if fact.id in there}):
                same = (fact for fact in accepted if fact.id in there and fact.type == relation)
                writer.update_facts(relation, [fact_row(fact, self.domain) for fact in same])
        with self.graph.writing(generation) as writer:
            unmentioned = [
                (kind, name) for kind, names in _by_type(new) for name in sorted(writer.unmentioned(kind, names))
            ]
            self._put_facts(writer, [fact for fact in accepted if fact.id not in there])
            writer.put_concept_uses(uses)
            mentions = set(self.catalog.mentions(papers=[paper.id for paper in papers])) if papers else set()
            self._put_mentions(writer, sorted(mentions | set(self.catalog.mentions(entities=unmentioned))))

    def _put_nodes(self, writer: Writer, keys: Iterable[Key]) -> list[dict[str, object]]:
        """Entities, and the columns of materials; returns which concepts the materials use."""
        uses: list[dict[str, object]] = []
        for kind, names in _by_type(keys):
            writer.put_nodes(kind, names)
            for start in range(0, len(names) if kind == MATERIAL else 0, PORTION):
                rows, used = self._materials(names[start : start + PORTION])
                writer.put_materials(rows)
                uses += used
        return uses

    def _materials(self, names: Sequence[str]) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
        """Rows of materials, and which concepts they use."""
        facts = self.catalog.accepted_of(MATERIAL, names)
        rows = [material_row(name, facts.get(name, []), self.domain, self.tools, self.computed(name)) for name in names]
        uses: list[dict[str, object]] = [
            {"s": name, "t": concept} for name in names for concept in self._concepts.of(facts.get(name, []))
        ]
        return rows, uses

    def _put_facts(self, writer: Writer, facts: Sequence[Fact]) -> None:
        def table(fact: Fact) -> tuple[str, str, str]:
            return (fact.type, fact.source.key[0], fact.target.key[0])

        for (relation, source, target), group in groupby(sorted(facts, key=lambda fact: (table(fact), fact.id)), table):
            writer.put_facts(relation, source, target, [fact_row(fact, self.domain) for fact in group])

    def _put_mentions(self, writer: Writer, mentions: Sequence[tuple[str, str, str]]) -> None:
        for kind in sorted({kind for _, kind, _ in mentions}):
            if kind in self.graph.schema.entity_types:
                rows = [{"s": paper, "t": name} for paper, other, name in mentions if other == kind]
                writer.put_mentions(kind, rows)


def _by_type(keys: Iterable[Key]) -> list[tuple[str, list[str]]]:
    return [(kind, [name for _, name in group]) for kind, group in groupby(sorted(keys), lambda key: key[0])]


def _paper_row(paper: Paper) -> dict[str, object]:
    return {
        "id": paper.id,
        "title": paper.title or None,
        "doi": paper.doi or None,
        "url": paper.url or None,
        "year": paper.year,
        "abstract": paper.abstract or None,
    }
