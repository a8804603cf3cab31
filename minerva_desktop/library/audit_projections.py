"""Invariants of what follows from the record: what is shown, words, passages, graph and vectors. A repair makes all of it
anew."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from minerva_desktop.errors import NotFound
from minerva_desktop.library import graph_read
from minerva_desktop.library.audit_types import UNREADABLE, Circumstances, Found
from minerva_desktop.library.chunks import paper_chunks
from minerva_desktop.library.codec import encode
from minerva_desktop.library.identity import fold
from minerva_desktop.library.words import prepared_passage

if TYPE_CHECKING:
    from minerva_desktop.library.library import Library

Key = tuple[str, str]


# ---------------------------------------------------------------------------------------------- in the catalog
def visibility(library: Library, _: Circumstances) -> Found:
    """A fact is shown when a paper that is there says it, and evidence and passages as their paper or textbook is."""
    db = library.catalog.db
    found = Found(int(db.scalar("SELECT (SELECT count(*) FROM relations) + (SELECT count(*) FROM evidences)")))
    for row in db.rows(
        "SELECT r.id, r.live FROM relations r WHERE r.live <> EXISTS (SELECT 1 FROM evidences e "
        "JOIN papers p ON p.id = e.paper WHERE e.relation = r.id AND p.removed = 0) ORDER BY r.id"
    ):
        found.add("fact", row["id"], "is shown without evidence" if row["live"] else "is hidden in spite of evidence")
    for row in db.rows(
        "SELECT e.id FROM evidences e JOIN papers p ON p.id = e.paper WHERE e.live = p.removed ORDER BY e.id"
    ):
        found.add("evidence", row["id"], "is not shown as its paper is")
    for row in db.rows(
        "SELECT p.id FROM passages p LEFT JOIN papers a ON a.id = p.source AND p.kind = 'paper' "
        "LEFT JOIN textbooks b ON b.id = p.source AND p.kind = 'textbook' "
        "WHERE p.live <> (coalesce(a.removed, b.removed, 1) = 0) ORDER BY p.id"
    ):
        found.add("passage", row["id"], "is not shown as its source is")
    return found


def spellings(library: Library, _: Circumstances) -> Found:
    """Entities are found under the names that papers use for them, and under no others."""
    db = library.catalog.db
    entities = {row[0]: row[1] for row in db.rows("SELECT seq, name FROM entities")}
    expected = {(fold(name), name, seq) for seq, name in entities.items()}
    for row in db.rows(
        "SELECT DISTINCT e.entity, e.name, e.aliases FROM paper_entities e JOIN papers p ON p.id = e.paper "
        "WHERE p.removed = 0"
    ):
        expected.update((fold(name), name, row["entity"]) for name in (row["name"], *json.loads(row["aliases"])))
    there = {(row[0], row[1], row[2]) for row in db.rows("SELECT folded, name, entity FROM names")}
    found = Found(len(expected))
    for _folded, name, seq in sorted(expected - there):
        found.add("entity", seq, f"is not found under “{name}”")
    for _folded, name, seq in sorted(there - expected):
        found.add("entity", seq, f"is found under “{name}”, which no paper calls it")
    return found


def words(library: Library, _: Circumstances) -> Found:
    """Passages and facts are found by the words of their texts."""
    catalog = library.catalog
    found = Found(3)
    for name in catalog.broken_word_indexes():
        found.add("", f"index of {name}", "it does not fit the texts")
    for row in catalog.db.rows("SELECT id, section, text, words FROM passages ORDER BY id"):
        found.total += 1
        if row["words"] != prepared_passage(row["section"], row["text"]):
            found.add("passage", row["id"], "it is not found by the words of its text")
    expected = catalog.expected_words([row[0] for row in catalog.db.rows("SELECT id FROM relations")])
    for row in catalog.db.rows("SELECT id, words FROM relations ORDER BY id"):
        found.total += 1
        if row["words"] != expected.get(row["id"], row["words"]):
            found.add("fact", row["id"], "it is not found by the words of its sentences")
    return found


def passages(library: Library, _: Circumstances) -> Found:
    """The passages of a paper are its text, cut as the program cuts it."""
    found = Found()
    for paper in library.catalog.db.rows("SELECT id FROM papers ORDER BY seq"):
        rows = library.catalog.db.rows("SELECT * FROM passages WHERE source = ? AND kind = 'paper'", [paper["id"]])
        try:
            document = library.catalog.document(paper["id"])
        except (NotFound, *UNREADABLE):  # said by the check of the texts
            continue
        expected = {chunk.id: chunk for chunk in paper_chunks(document, paper["id"])}
        there = {row["id"]: row for row in rows}
        found.total += len(expected)
        for key in sorted(set(expected) | set(there)):
            if key not in there:
                found.add("paper", paper["id"], f"its passage {key} is missing")
            elif key not in expected:
                found.add("passage", key, "is no passage of its paper")
            else:
                chunk, row = expected[key], there[key]
                wanted = (chunk.text, chunk.page, encode(chunk.boxes), chunk.section, encode(chunk.sentences))
                if wanted != (row["text"], row["page"], row["boxes"], row["section"], row["sentences"]):
                    found.add("passage", key, "is not what its paper says there")
    return found


# ------------------------------------------------------------------------------------------------ in the graph
def facts(library: Library, _: Circumstances) -> Found:
    """Every accepted fact is in the graph exactly once, and nothing else is."""
    expected = set(library.projection.expected_facts())
    there = Counter(library.graph.fact_ids())
    found = Found(len(expected))
    for key in sorted(expected | set(there)):
        if key not in there:
            found.add("fact", key, "is accepted, but is not in the graph")
        elif key not in expected:
            found.add("fact", key, "is in the graph, but is no accepted fact")
        elif there[key] > 1:
            found.add("fact", key, f"is in the graph {there[key]} times")
    return found


def edges(library: Library, _: Circumstances) -> Found:
    """What an edge says (value, unit, sentence, papers, verdict …) is what the catalog has of its fact."""
    there = library.graph.read(graph_read.fact_rows)
    twice = {key for key, count in Counter(library.graph.fact_ids()).items() if count > 1}  # said by the check before
    expected = {key: row for key, row in library.projection.expected_edges().items() if key not in twice}
    return _differing("fact", expected, there, lambda key: key)


def nodes(library: Library, _: Circumstances) -> Found:
    """The nodes are the ends of the accepted facts, the concepts and the papers, and nothing else."""
    projection, graph = library.projection, library.graph
    found = Found()
    expected, there = set(projection.expected_nodes()), set(graph.read(graph_read.entity_rows))
    _compare(found, "node", {f"{kind} {name}" for kind, name in expected}, {f"{kind} {name}" for kind, name in there})
    papers = set(projection.expected_papers())
    _compare(found, "paper", papers, set(graph.read(graph_read.paper_rows)))
    return found


def columns(library: Library, _: Circumstances) -> Found:
    """Key columns follow from the accepted facts by the rule; concepts and papers are described as the record does."""
    projection, graph = library.projection, library.graph
    found = _differing("node", projection.expected_nodes(), graph.read(graph_read.entity_rows), " ".join)
    papers = _differing("paper", projection.expected_papers(), graph.read(graph_read.paper_rows), lambda key: key)
    found.total += papers.total
    found.problems += papers.problems
    return found


def links(library: Library, _: Circumstances) -> Found:
    """Which papers mention what, and which concepts a material can be used with."""
    projection, graph = library.projection, library.graph
    found = Found()
    _counted(found, "mention", projection.expected_mentions(), graph.read(graph_read.mention_rows))
    _counted(found, "use", projection.expected_uses(), graph.read(graph_read.use_rows))
    return found


def _compare(found: Found, kind: str, expected: set[str], there: set[str]) -> None:
    found.total += len(expected)
    for key in sorted(expected - there):
        found.add(kind, key, "is missing in the graph")
    for key in sorted(there - expected):
        found.add(kind, key, "is in the graph, but not in the catalog")


def _counted(
    found: Found, kind: str, expected: Mapping[tuple[str, str, str], int], there: Mapping[tuple[str, str, str], int]
) -> None:
    found.total += len(expected)
    for key in sorted(set(expected) | set(there)):
        wanted, count = expected.get(key, 0), there.get(key, 0)
        if wanted != count:
            start = key[0][:10] if kind == "mention" else key[0]
            found.add(kind, f"{start} → {key[2]}", f"is in the graph {count} times instead of {wanted}")


def _differing(kind: str, expected: Mapping[Any, Any], there: Mapping[Any, Any], shown: Callable[[Any], str]) -> Found:
    """What is on both sides, but not the same."""
    both = sorted(set(expected) & set(there))
    found = Found(len(both))
    for key in both:
        wanted, has = expected[key], there[key]
        names = [name for name in sorted({*wanted, *has}) if wanted.get(name) != has.get(name)]
        if names:
            first = names[0]
            more = f" (and {', '.join(names[1:])})" if len(names) > 1 else ""
            text = f"the graph has {first} = {has.get(first)!r} instead of {wanted.get(first)!r}{more}"
            found.add(kind, shown(key), text)
    return found


# --------------------------------------------------------------------------------------------- in the vectors
def vector_file(library: Library, _: Circumstances) -> Found:
    """The file is the one that was written."""
    found = Found(1)
    problem = library.vectors.file_problem()
    if problem:
        found.add("", "", problem)
    return found


def vector_passages(library: Library, now: Circumstances) -> Found:
    """No vector stands for a passage that is not there."""
    found = Found(0 if now.busy else library.vectors.count())
    for item in () if now.busy else library.vectors.stale():
        found.add("vector", item, "belongs to no passage that is there")
    return found


def vector_values(library: Library, _: Circumstances) -> Found:
    """Every vector reads back as it was written, to the last bit."""
    found = Found(library.vectors.count())
    for item in library.vectors.wrong():
        found.add("vector", item, "does not read back as it was written")
    return found


def vectors_missing(library: Library, now: Circumstances) -> Found:
    """With an embedder in use, every passage has its vector."""
    found = Found()
    if not now.model or now.busy:
        return found
    found.total = int(library.catalog.db.scalar("SELECT count(*) FROM passages WHERE live"))
    for row, _text in library.vectors.missing(now.model):
        found.add("vector", row, "is missing, so that its passage is found by its words only")
    return found
