"""The audit: what must always hold between catalog, graph, vectors and files, each as a number with samples."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from minerva_desktop.errors import MinervaError, NotFound
from minerva_desktop.library import graph_read
from minerva_desktop.library.files import sha256_of

if TYPE_CHECKING:
    from minerva_desktop.library.library import Library

SAMPLES = 5


@dataclass(frozen=True, slots=True)
class AuditCheck:
    """One invariant: ``metric`` (1.0 = all as it should be) against ``threshold``; ``samples`` say what is wrong."""

    name: str
    critical: bool
    metric: float
    threshold: float
    ok: bool
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditReport:
    """``ok`` = every critical check holds."""

    ok: bool
    checks: tuple[AuditCheck, ...]


def audit(library: Library) -> AuditReport:
    """All checks on an open library. Reads everything: about a second for a hundred papers."""
    checks = []
    for name, critical, look in CHECKS:
        try:
            total, wrong = look(library)
        except MinervaError as error:
            total, wrong = 1, [error.message]
        except sqlite3.DatabaseError as error:
            total, wrong = 1, [f"library.sqlite cannot be read: {error}"]
        metric = 1.0 if not wrong else max(0.0, 1.0 - len(wrong) / max(total, len(wrong)))
        checks.append(AuditCheck(name, critical, round(metric, 6), 1.0, not wrong, tuple(wrong[:SAMPLES])))
    return AuditReport(all(check.ok for check in checks if check.critical), tuple(checks))


Result = tuple[int, list[str]]
"""(how many things were looked at, what is wrong with those that are wrong)."""


# ------------------------------------------------------------------------------------------------------- catalog
def _database(library: Library) -> Result:
    db = library.catalog.db
    wrong = [str(row[0]) for row in db.rows("PRAGMA integrity_check(20)") if row[0] != "ok"]
    wrong += [f"a row of {row[0]} points to a missing row of {row[2]}" for row in db.rows("PRAGMA foreign_key_check")]
    return 1, wrong


def _visibility(library: Library) -> Result:
    db = library.catalog.db
    wrong = [
        f"relation {row[0]} is {'shown without' if row[1] else 'hidden in spite of'} evidence"
        for row in db.rows(
            "SELECT r.id, r.live FROM relations r WHERE r.live <> EXISTS (SELECT 1 FROM evidences e "
            "JOIN papers p ON p.id = e.paper WHERE e.relation = r.id AND p.removed = 0) ORDER BY r.id"
        )
    ]
    wrong += [
        f"evidence {row[0]} is not shown as its paper is"
        for row in db.rows(
            "SELECT e.id FROM evidences e JOIN papers p ON p.id = e.paper WHERE e.live = p.removed ORDER BY e.id"
        )
    ]
    wrong += [
        f"passage {row[0]} is not shown as its source is"
        for row in db.rows(
            "SELECT p.id FROM passages p LEFT JOIN papers a ON a.id = p.source AND p.kind = 'paper' "
            "LEFT JOIN textbooks b ON b.id = p.source AND p.kind = 'textbook' "
            "WHERE p.live <> (coalesce(a.removed, b.removed, 1) = 0) ORDER BY p.id"
        )
    ]
    return int(db.scalar("SELECT (SELECT count(*) FROM relations) + (SELECT count(*) FROM evidences)")), wrong


def _word_index(library: Library) -> Result:
    wrong = [f"the index of {name} does not fit its texts" for name in library.catalog.broken_word_indexes()]
    return 3, wrong


def _evidence(library: Library) -> Result:
    catalog = library.catalog
    total, wrong = 0, list[str]()
    for paper in catalog.papers():
        rows = catalog.db.rows(
            'SELECT id, start, "end", sentence, source_span, target_span FROM evidences WHERE paper = ? ORDER BY id',
            [paper.id],
        )
        if not rows:
            continue
        text = catalog.document(paper.id).text
        for row in rows:
            total += 1
            if text[row["start"] : row["end"]] != row["sentence"]:
                wrong.append(f"evidence {row['id']} in {paper.file_name} does not read as its sentence")
    return total, wrong


def _textbooks(library: Library) -> Result:
    rows = library.catalog.db.rows(
        "SELECT b.title, b.chunks, count(p.seq) AS found FROM textbooks b LEFT JOIN passages p ON p.source = b.id "
        "GROUP BY b.id HAVING found <> b.chunks ORDER BY b.id"
    )
    wrong = [f"“{row['title']}” has {row['found']} passages of {row['chunks']}" for row in rows]
    return len(library.catalog.textbooks()), wrong


def _files(library: Library) -> Result:
    wrong = []
    papers = library.catalog.papers()
    for paper in papers:
        try:
            if sha256_of(library.catalog.stored_file(paper.id)) != paper.id:
                wrong.append(f"{paper.file_name} is not the file that was added")
        except NotFound as error:
            wrong.append(error.message)
    return len(papers), wrong


# --------------------------------------------------------------------------------------------------------- graph
def _facts(library: Library) -> Result:
    expected = library.projection.expected_facts()
    found = Counter(library.graph.fact_ids())
    wrong = [f"accepted fact {item} is not in the graph" for item in expected if item not in found]
    wrong += [f"{item} is in the graph, but is no accepted fact" for item in sorted(set(found) - set(expected))]
    wrong += [f"fact {item} is in the graph {count} times" for item, count in sorted(found.items()) if count > 1]
    return len(expected), wrong


def _content(library: Library) -> Result:
    """Nodes, edges and all their properties, against what the catalog would write now."""
    total, wrong = 0, list[str]()
    graph, projection = library.graph, library.projection
    for what, expected, actual in (
        ("fact", projection.expected_edges(), graph.read(graph_read.fact_rows)),
        ("node", projection.expected_nodes(), graph.read(graph_read.entity_rows)),
        ("paper", projection.expected_papers(), graph.read(graph_read.paper_rows)),
        ("mention", projection.expected_mentions(), graph.read(graph_read.mention_rows)),
        ("concept use", projection.expected_uses(), graph.read(graph_read.use_rows)),
    ):
        total += len(expected)
        wrong += [f"{what} {_shown(key)}: {why}" for key, why in _differences(expected, actual)]
    return total, wrong


def _differences(expected: dict[Any, Any], actual: dict[Any, Any]) -> Iterator[tuple[Any, str]]:
    for key in sorted(set(expected) | set(actual), key=repr):
        if key not in actual:
            yield key, "missing in the graph"
        elif key not in expected:
            yield key, "in the graph, but not in the catalog"
        elif expected[key] != actual[key]:
            yield key, f"differs in {', '.join(_fields(expected[key], actual[key]))}"


def _fields(expected: Any, actual: Any) -> Iterable[str]:
    if isinstance(expected, dict) and isinstance(actual, dict):
        return sorted(name for name in set(expected) | set(actual) if expected.get(name) != actual.get(name))
    return ["content"]


def _shown(key: Any) -> str:
    return " ".join(str(part) for part in key) if isinstance(key, tuple) else str(key)


# ------------------------------------------------------------------------------------------------------- vectors
def _vector_file(library: Library) -> Result:
    problem = library.vectors.file_problem()
    return 1, [problem] if problem else []


def _vector_passages(library: Library) -> Result:
    wrong = [f"vector {item} belongs to no passage" for item in library.vectors.stale()]
    return library.vectors.count(), wrong


def _vector_values(library: Library) -> Result:
    wrong = [f"the vector of passage {item} does not read back as written" for item in library.vectors.wrong()]
    return library.vectors.count(), wrong


CHECKS: Sequence[tuple[str, bool, Callable[[Library], Result]]] = (
    ("the database is whole", True, _database),
    ("every accepted fact is in the graph once, and nothing else is", True, _facts),
    ("nodes and edges of the graph are as the catalog has them", True, _content),
    ("every evidence reads as its sentence", True, _evidence),
    ("what is shown is what the papers there say", True, _visibility),
    ("the search index file is as it was written", True, _vector_file),
    ("every vector has its passage", True, _vector_passages),
    ("every vector reads back as written", True, _vector_values),
    ("the word index fits the texts", False, _word_index),
    ("files are as they were added", True, _files),
    ("textbooks are complete", False, _textbooks),
)
