"""Only single, bounded, reading statements reach the graph engine."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.questions.guard import check_cypher

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("MINERVA_DATA") or ROOT.parent / "shared" / "data")


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) DETACH DELETE n",
        "match (n) delete n return 1",
        "CREATE (n:Material {name: 'x'})",
        "MATCH (n:Material) SET n.name = 'x' RETURN n",
        "MATCH (n) SET\nn.name='x'",
        "MERGE (n:Material {name: 'x'}) RETURN n",
        "MATCH (n) REMOVE n.name RETURN n",
        "LOAD CSV FROM 'file.csv' AS row RETURN row",
        "LOAD FROM 'file.csv' RETURN *",
        "COPY Material FROM 'file.csv'",
        "COPY (MATCH (n) RETURN n) TO 'file.csv'",
        "EXPORT DATABASE 'folder'",
        "IMPORT DATABASE 'folder'",
        "ATTACH 'other' AS other (dbtype kuzu)",
        "DETACH other",
        "USE other",
        "INSTALL httpfs",
        "LOAD EXTENSION httpfs",
        "DROP TABLE Material",
        "ALTER TABLE Material ADD x STRING",
        "COMMENT ON TABLE Material IS 'x'",
        "CREATE MACRO f(x) AS x + 1",
        "BEGIN TRANSACTION",
        "COMMIT",
        "CHECKPOINT",
        "CALL apoc.load.json('http://example.org')",
        "CALL apoc.periodic.iterate('MATCH (n) RETURN n', 'DELETE n', {})",
        "CALL dbms.shutdown()",
        "CALL dbms.security.createUser('a', 'b', false)",
        "CALL threads=8",
        "CALL read_csv_serial('/etc/passwd') RETURN *",
        "CALL project_graph('g', ['Material'], [])",
        "CALL { MATCH (n) RETURN n } RETURN n",
        "CALL { CREATE (n) } IN TRANSACTIONS",
        "MATCH (n) FOREACH (x IN [1] | SET n.a = x)",
        "MATCH (n) RETURN apoc.text.join(['a'], 'b')",
        "RETURN nextval('numbers')",
        "PROFILE CREATE (n:Material {name: 'x'})",
        "EXPLAIN MATCH (n) DELETE n",
    ],
)
def test_what_changes_or_leaves_the_graph_is_refused(text: str) -> None:
    result = check_cypher(text)
    assert not result.allowed
    assert result.reason.endswith(".")
    assert result.query == ""


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n; MATCH (n) DELETE n",
        "MATCH (n) RETURN n /* x */ ; CREATE (m)",
        "MATCH (n) RETURN n // ;\n; CREATE (m)",
        "MATCH (n) RETURN n\u037e CREATE (m)",  # the Greek question mark looks like a semicolon
        "MATCH (n) WHERE n.name = 'a\\\\' DELETE n //'",
        "MATCH (n) WHERE n.name = 'it''s' DELETE n",
        "MATCH (n) /* a */ DELETE /* b */ n",
        "MATCH (n) WHERE 1. DELETE n",
        "\uff24\uff25\uff2c\uff25\uff34\uff25 n",  # full-width DELETE
        "MATCH (n) D\u0415LETE n",  # a Cyrillic letter in it
        "MATCH (n) DE\u200bLETE n",
        "MATCH (n) RETURN n \u202e",
        "MATCH (n {name: 'a\x00'}) RETURN n",
        "MATCH (n) RETURN 'unclosed",
        "MATCH (n) RETURN n /* unclosed",
        "MATCH (`n) RETURN n",
        "MATCH (n RETURN n",
        "MATCH (n)) RETURN n",
        "MATCH (n) RETURN n \\ DELETE n",
    ],
)
def test_tricks_with_strings_comments_and_letters_do_not_get_through(text: str) -> None:
    assert not check_cypher(text).allowed


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("MATCH (m:Material {name:'DELETE'}) RETURN m", "MATCH (m:Material {name:'DELETE'}) RETURN m LIMIT 200"),
        ('MATCH (m) WHERE m.name = "x; DROP TABLE y" RETURN m LIMIT 5',) * 2,
        ("MATCH (m) RETURN m // DELETE m", "MATCH (m) RETURN m LIMIT 200"),
        ("// CREATE\nMATCH (m) RETURN m /* SET; */", "MATCH (m) RETURN m LIMIT 200"),
        ("MATCH (m) RETURN m.created, m.set, m.delete LIMIT 3",) * 2,
        ("MATCH (m {set: 1, merge: 'x'}) RETURN m LIMIT 3",) * 2,
        ("MATCH (a)-[use:USED_IN]->(b) RETURN use.evidence LIMIT 3",) * 2,
        ("MATCH (a)-[r:SET]->(b:Copy) RETURN b.name AS load LIMIT 3",) * 2,
        ("MATCH (a) WHERE a.name = $delete RETURN `drop`, 1 LIMIT 3",) * 2,
        ("MATCH (n) RETURN n;", "MATCH (n) RETURN n LIMIT 200"),
        ("MATCH (n) RETURN n.name ORDER BY n.name SKIP 2 LIMIT 7",) * 2,
        ("MATCH (n) WITH n LIMIT 5 RETURN n.name", "MATCH (n) WITH n LIMIT 5 RETURN n.name LIMIT 200"),
        ("MATCH (n) RETURN n.limit", "MATCH (n) RETURN n.limit LIMIT 200"),
        ("CALL show_tables() RETURN name, comment LIMIT 9",) * 2,
        ("CALL show_tables()", "CALL show_tables() RETURN * LIMIT 200"),
        ("call TABLE_INFO('Material') return *", "call TABLE_INFO('Material') return * LIMIT 200"),
        ("CALL db_version() RETURN *", "CALL db_version() RETURN * LIMIT 200"),
        ("MATCH (n)\u00a0RETURN\u2003n LIMIT 1", "MATCH (n) RETURN n LIMIT 1"),
        ("RETURN 5-[1*2][0] LIMIT 1",) * 2,
        ("EXPLAIN MATCH (n) RETURN n LIMIT 1",) * 2,
    ],
)
def test_reading_is_allowed_and_words_are_commands_only_where_they_can_be(text: str, query: str) -> None:
    result = check_cypher(text)
    assert result.allowed, result.reason
    assert result.query == query


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("MATCH (n) RETURN n LIMIT 1000000", "MATCH (n) RETURN n LIMIT 1000"),
        ("MATCH (n) RETURN n LIMIT 1000", "MATCH (n) RETURN n LIMIT 1000"),
        ("MATCH (n) RETURN n LIMIT 100 * 100", "MATCH (n) RETURN n LIMIT 1000"),
        ("MATCH (n) RETURN n LIMIT 2 + 3", "MATCH (n) RETURN n LIMIT 5"),
        ("MATCH (n) RETURN n LIMIT $many", "MATCH (n) RETURN n LIMIT 1000"),
        (
            "MATCH (n) RETURN n.name UNION ALL MATCH (m) RETURN m.name LIMIT 5000",
            "MATCH (n) RETURN n.name LIMIT 200 UNION ALL MATCH (m) RETURN m.name LIMIT 500",
        ),
    ],
)
def test_every_answer_is_bounded(text: str, query: str) -> None:
    result = check_cypher(text)
    assert result.query == query


@pytest.mark.parametrize(
    "text",
    ["LIMIT", "LIMIT -1", "LIMIT 2.5", "LIMIT 'ten'", "LIMIT 5 LIMIT 99999", "LIMIT 5 SKIP 1", "LIMIT 10abc"],
)
def test_a_limit_that_is_no_number_is_refused(text: str) -> None:
    assert not check_cypher(f"MATCH (n) RETURN n {text}").allowed


@pytest.mark.parametrize(
    "path",
    ["[*]", "[*..]", "[*2..]", "[:A*]", "[:A*2..]", "[r:A|B*..]", "[*1..30]", "[* SHORTEST]", "[*1..$n]", "[:`A`*]",
     "[r:A* (r, n | WHERE true)]", "[*/* ..3 */]"],
)  # fmt: skip
def test_paths_without_a_near_end_are_refused(path: str) -> None:
    assert not check_cypher(f"MATCH (a)-{path}->(b) RETURN a").allowed
    assert not check_cypher(f"MATCH (a)<-{path}-(b) RETURN a").allowed


@pytest.mark.parametrize("path", ["[*3]", "[*..3]", "[*1..6]", "[r:A|B*1..2]", "[* SHORTEST 1..3]", "[:A*1..3 {x: 1}]"])
def test_short_paths_are_allowed(path: str) -> None:
    assert check_cypher(f"MATCH (a)-{path}-(b) RETURN a").allowed


@pytest.mark.parametrize(
    "text",
    [
        "```cypher\nMATCH (n) RETURN n LIMIT 3\n```",
        "```\nMATCH (n) RETURN n LIMIT 3\n```",
        "``` MATCH (n) RETURN n LIMIT 3 ```",
        "Here is the query:\n```cypher\nMATCH (n) RETURN n LIMIT 3\n```\nIt reads, and does not DELETE.",
        "```cypher\nMATCH (n) RETURN n LIMIT 3",
        "<think>Maybe CREATE something; no.</think>\nMATCH (n) RETURN n LIMIT 3",
        "I could DELETE it.</think>MATCH (n) RETURN n LIMIT 3",
        "<think>a</think>```cypher\nMATCH (n) RETURN n LIMIT 3\n```",
        "cypher\nMATCH (n) RETURN n LIMIT 3",
        "Cypher: MATCH (n) RETURN n LIMIT 3",
        "\ufeffMATCH (n) RETURN n LIMIT 3",
    ],
)
def test_what_a_model_wraps_around_a_query_is_taken_off(text: str) -> None:
    assert check_cypher(text).query == "MATCH (n) RETURN n LIMIT 3"


@pytest.mark.parametrize(
    "text", ["", "  \n", "hello", "// only a comment", "MATCH (n)", "<think>MATCH (n) RETURN n</think>"]
)
def test_no_query_is_said_so(text: str) -> None:
    result = check_cypher(text)
    assert not result.allowed
    assert result.reason


def test_fences_inside_strings_are_data() -> None:
    text = "MATCH (n {name: '</think>```'}) RETURN n LIMIT 3"
    assert check_cypher(text).query == text


def test_what_is_allowed_is_allowed_again_unchanged() -> None:
    once = check_cypher("MATCH (n) /* x */ RETURN n UNION MATCH (m) RETURN m")
    assert check_cypher(once.query).query == once.query


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Any]:
    kuzu = pytest.importorskip("kuzu")
    database = kuzu.Database(str(tmp_path / "graph"))
    connection = kuzu.Connection(database)
    connection.execute("CREATE NODE TABLE Material(name STRING, PRIMARY KEY(name))")
    connection.execute("CREATE REL TABLE LIKE_IT(FROM Material TO Material)")
    yield connection
    connection.close()
    database.close()


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("CALL db.labels()", [["Material"]]),
        ("CALL db.labels() YIELD label RETURN label", [["Material"]]),
        ("CALL db.labels() YIELD label AS kind WHERE kind STARTS WITH 'M' RETURN kind", [["Material"]]),
        ("CALL db.relationshipTypes()", [["LIKE_IT"]]),
        ("CALL db.labels", [["Material"]]),
        ("MATCH (m:Material) RETURN m.name LIMIT 4 // x", []),
    ],
)
def test_the_engine_runs_what_the_guard_hands_on(engine: Any, text: str, rows: list[list[str]]) -> None:
    result = engine.execute(check_cypher(text).query)
    assert [result.get_next() for _ in range(result.get_num_tuples())] == rows


_WRITING = re.compile(
    r"(?<![:.])\b(CREATE|MERGE|SET|DELETE|DETACH|REMOVE|DROP|ALTER|COPY|EXPORT|IMPORT|LOAD|ATTACH|INSTALL|BEGIN|COMMIT|"
    r"ROLLBACK|CHECKPOINT)\b",
    re.IGNORECASE,
)
_NO_CODE = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|/\*.*?\*/|//[^\n]*", re.DOTALL)


def _statements() -> list[str]:
    statements: list[str] = []
    for path in sorted((DATA / "peers" / "kuzu").rglob("*.test")):
        current: list[str] | None = None
        for line in [*path.read_text(encoding="utf-8", errors="replace").splitlines(), "-END"]:
            if current is not None and line.startswith(("-", "#")):
                statements.append("\n".join(current))
                current = None
            if line.startswith("-STATEMENT "):
                current = [line.removeprefix("-STATEMENT ")]
            elif current is not None:
                current.append(line)
    return statements


@pytest.mark.skipif(not (DATA / "peers" / "kuzu").is_dir(), reason="the engine's own test statements are not here")
def test_the_statements_of_the_engines_own_tests() -> None:
    reading, kept = 0, 0
    expected = re.compile(r"no upper end|RANGE\(\) takes plain|is too long|^CALL |LIMIT must|“\$”|“#”|“—”|backticks")
    for statement in _statements():
        result = check_cypher(statement)
        if _WRITING.search(_NO_CODE.sub("''", statement)):
            assert not result.allowed, statement
            continue
        reading += 1
        kept += result.allowed
        assert result.allowed or expected.search(result.reason), (statement, result.reason)
    assert reading > 2000
    assert kept / reading > 0.85
