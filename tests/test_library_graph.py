"""The graph: only accepted facts, each once, the same whether it grew or was made anew."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from minerva_desktop.domains import load_domain
from minerva_desktop.errors import GraphError
from minerva_desktop.library import Library, Tools, graph_write
from minerva_desktop.library.graph_lists import spelt_out
from minerva_desktop.records import CriticResult, Decision, Entity, Evidence, Finding, Quantity, Relation, Verification
from tests.library_helpers import JOULES, Shelf, fact_of

GAN = "GaN has a band gap of 3.4 eV."
ALSO = "We find that GaN has a band gap of 3.4 eV."
ALN = "AlN has a band gap of 6.2 eV."


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Library.open(tmp_path / "library", create=True) as library:
        yield Shelf(library, tmp_path)


def names(shelf: Shelf, kind: str = "Material") -> list[str]:
    return [row["name"] for row in shelf.library.graph.query(f"MATCH (n:{kind}) RETURN n.name AS name ORDER BY name")]


def test_only_accepted_facts_are_in_the_graph(shelf: Shelf) -> None:
    shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    shelf.add_fact("two.txt", ALN, "AlN", 6.2)
    assert names(shelf) == []
    (gan,) = shelf.catalog.facts(entity="GaN")
    shelf.catalog.decide([gan.id], "accepted")
    shelf.library.project([gan.id])
    assert names(shelf) == ["GaN"]
    shelf.catalog.decide([gan.id], "refused")
    assert names(shelf) == []  # no node is left over, and nobody had to call project
    stats = shelf.library.graph.stats()
    assert stats["nodes"]["Paper"] == 2
    assert set(stats["edges"].values()) == {0}


def test_an_edge_carries_its_evidence(shelf: Shelf) -> None:
    first = shelf.add_fact("one.txt", GAN, "GaN", 3.4, temperature=300.0)
    second = shelf.add_fact("two.txt", ALSO, "GaN", 3.4, temperature=300.0)
    shelf.accept_all()
    (fact,) = shelf.catalog.facts()
    (row,) = shelf.library.graph.query("MATCH (m:Material)-[r:HAS_VALUE]->(v:Value) RETURN m.name, v.name, r")
    edge = row["r"]
    assert (row["m.name"], row["v.name"]) == ("GaN", "3.4 eV")
    assert edge["fact_id"] == fact.id
    assert edge["evidence"] == GAN
    assert edge["evidence_ids"] == [item.id for item in fact.evidence]
    assert edge["paper_ids"] == sorted([first, second])
    assert (edge["property_id"], edge["value"], edge["unit"]) == ("band_gap", 3.4, "eV")
    assert (edge["property"], edge["value_text"], edge["si_unit"]) == ("band_gap", "3.4 eV", "J")
    assert edge["si_value"] == pytest.approx(3.4 * JOULES)
    assert edge["conditions"] == "temperature 300 K"
    assert edge["confidence"] == 0.7
    mentions = "MATCH (p:Paper)-[:PAPER_MENTIONS]->(n) RETURN p.id AS paper, label(n) AS kind ORDER BY paper, kind"
    both = [{"paper": paper, "kind": kind} for paper in sorted([first, second]) for kind in ("Material", "Value")]
    assert shelf.library.graph.query(mentions) == both
    shelf.library.rebuild()  # copied in instead of written: the same
    (again,) = shelf.library.graph.query("MATCH (m:Material)-[r:HAS_VALUE]->(v:Value) RETURN m.name, v.name, r")
    assert again == row
    assert shelf.library.graph.query(mentions) == both


def test_papers_mention_what_they_mention_and_materials_use_concepts(shelf: Shelf) -> None:
    paper = shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    shelf.accept_all()
    graph = shelf.library.graph
    rows = graph.query("MATCH (p:Paper)-[:PAPER_MENTIONS]->(n) RETURN p.id AS id, n.name AS name ORDER BY name")
    assert rows == [{"id": paper, "name": "3.4 eV"}, {"id": paper, "name": "GaN"}]
    wanted = {
        item.name
        for item in load_domain("materials").concepts
        if any(variable.property_id == "band_gap" for variable in item.variables)
    }
    rows = graph.query("MATCH (:Material {name: 'GaN'})-[:USES_CONCEPT]->(c) RETURN c.name AS name")
    assert {row["name"] for row in rows} == wanted
    concepts = graph.query("MATCH (c:SemiconductorConcept) RETURN c.name, c.formula, c.description")
    assert len(concepts) == len(load_domain("materials").concepts)
    assert all(value for row in concepts for value in row.values())


def material(shelf: Shelf, name: str = "GaN") -> dict[str, object]:
    query = "MATCH (m:Material) WHERE m.name = $name RETURN m"
    (row,) = shelf.library.graph.query(query, {"name": name})
    node: dict[str, object] = row["m"]
    return node


def test_a_material_shows_the_median_of_what_papers_say_in_the_unit_of_the_column(tmp_path: Path) -> None:
    tools = Tools(to_unit=lambda value, dimension, unit: value / JOULES)
    with Library.open(
        tmp_path / "library", create=True, tools=tools, computed=lambda name: {"molecular_weight": 83.73}
    ) as library:
        shelf = Shelf(library, tmp_path)
        shelf.add_fact("a.txt", "GaN has a band gap of 3.5 eV.", "GaN", 3.5)
        shelf.add_fact("b.txt", "GaN has a band gap of 3400 meV.", "GaN", 3400.0, unit="meV", si=3.4 * JOULES)
        shelf.add_fact("c.txt", "GaN has a band gap of 34 eV.", "GaN", 34.0)
        shelf.add_fact("d.txt", "GaN has no band gap of 1 eV.", "GaN", 1.0, modality="negated")
        shelf.accept_all()
        node = material(shelf)
        assert node["band_gap_eV"] == 3.5
        (fact,) = shelf.catalog.facts(text="3.5 eV")
        assert node["band_gap_eV_source"] == fact.evidence[0].id
        assert str(node["notes"]).startswith("band_gap_eV: 3.5 eV (paper ")
        assert (node["molecular_weight"], node["molecular_weight_source"]) == (83.73, "computed from the formula")
        shelf.catalog.decide([fact.id], "refused")
        assert material(shelf)["band_gap_eV"] == 3.4


def test_the_crystal_structure_comes_from_the_sentence_of_a_fact(shelf: Shelf) -> None:
    sentence = "Wurtzite-structure GaN has a band gap of 3.4 eV, unlike cubic-phase InN."
    shelf.add_fact("one.txt", sentence, "GaN", 3.4)
    shelf.add_fact("two.txt", "InN has a band gap of 0.7 eV.", "InN", 0.7)
    shelf.accept_all()
    assert material(shelf)["crystal_structure"] == "wurtzite"
    assert material(shelf, "InN")["crystal_structure"] is None


def test_removing_a_paper_takes_it_out_of_the_graph_and_undo_brings_it_back(shelf: Shelf) -> None:
    shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    second = shelf.add_fact("two.txt", ALSO, "GaN", 3.4)
    third = shelf.add_fact("three.txt", ALN, "AlN", 6.2)
    shelf.accept_all()
    before = shelf.library.graph.content()
    shelf.catalog.remove_paper(third)
    assert names(shelf) == ["GaN"]
    shelf.catalog.remove_paper(second)
    (row,) = shelf.library.graph.query("MATCH ()-[r:HAS_VALUE]->() RETURN r.evidence_ids AS ids")
    assert len(row["ids"]) == 1
    shelf.catalog.undo()
    shelf.catalog.undo()
    assert shelf.library.graph.content() == before


def random_change(shelf: Shelf, dice: random.Random, turn: int) -> None:
    """One of the things that happen to a library."""
    what = dice.choice(["add", "add", "again", "decide", "decide", "gate", "remove", "undo", "redo", "edit", "merge"])
    facts, papers = shelf.catalog.facts(), shelf.catalog.papers()
    material_name, value = dice.choice(["GaN", "AlN", "InN", "BN"]), dice.choice([1.5, 2.5, 3.5])
    sentence = f"{material_name} has a band gap of {value:g} eV."
    if what == "add" or not facts:
        shelf.add_fact(f"{turn}.txt", f"{sentence} Run {turn}.", material_name, value)
    elif what == "again":
        paper = dice.choice(papers).id
        read = shelf.catalog.document(paper).sentences[0].text
        # What stands there is what was read: another material only under the name that the paper has.
        written = "" if material_name in read else read.split()[0]
        shelf.catalog.put_findings(paper, [fact_of(read, material_name, value, written=written)], [])
    elif what == "decide":
        shelf.catalog.decide([dice.choice(facts).id], dice.choice(["accepted", "accepted", "refused", "waiting"]))
    elif what == "gate":
        statuses = {item.id: dice.choice(["accepted", "waiting"]) for item in facts}
        shelf.catalog.set_decisions(
            {key: Decision(status, "gate", "open", "By chance.") for key, status in statuses.items()}
        )
    elif what == "remove":
        shelf.catalog.remove_paper(dice.choice(papers).id)
    elif what == "edit":
        fact = dice.choice(facts)
        if fact.source.canonical != "SiC":
            shelf.catalog.edit_fact(fact.id, {"source": "SiC"})
    elif what == "merge" and {item.source.canonical for item in facts} >= {"BN", "AlN"}:
        shelf.catalog.merge_entities("Material", "BN", "AlN")
    elif what in ("undo", "redo"):
        label = shelf.catalog.undo_labels()[what == "redo"]
        if label:
            (shelf.catalog.undo if what == "undo" else shelf.catalog.redo)()


@pytest.mark.parametrize("few", [0, graph_write.FEW], ids=["joined", "one by one"])
@pytest.mark.parametrize("seed", range(4))
def test_whatever_happens_the_graph_is_as_if_made_anew(
    shelf: Shelf, seed: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_write, "FEW", few)
    dice = random.Random(seed)
    for turn in range(40):
        random_change(shelf, dice, turn)
        if dice.random() < 0.5:
            shelf.library.project()
    grown = shelf.library.graph.content()
    report = shelf.library.audit()
    assert report.ok, [check for check in report.checks if not check.ok]
    shelf.library.rebuild()
    assert shelf.library.graph.content() == grown


def test_texts_survive_both_ways_of_writing(shelf: Shelf) -> None:
    odd = ['say "yes"', "back\\slash", "line\nbreak", "comma, semicolon;", "it's", "[1,2]", "NULL", "🙂 Å", "a\tb"]
    for number, name in enumerate(odd):
        shelf.add_fact(f"{number}.txt", f"{name} has a band gap of 1.5 eV.", name, 1.5)
    shelf.catalog.decide([fact.id for fact in shelf.catalog.facts(limit=5)], "accepted")
    shelf.library.project()
    shelf.accept_all()  # the first five were copied in, these are written one by one
    assert names(shelf) == sorted(odd)
    assert shelf.library.audit().ok
    grown = shelf.library.graph.content()
    shelf.library.rebuild()
    assert shelf.library.graph.content() == grown


def test_a_deleted_graph_is_made_anew_before_the_next_query(shelf: Shelf) -> None:
    shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    shelf.accept_all()
    for file in shelf.library.path.glob("graph.kuzu*"):
        file.unlink()
    assert names(shelf) == ["GaN"]
    assert shelf.library.notes == ["The graph's file had been deleted; it was made anew."]


@pytest.mark.parametrize("damage", [b"", b"not a graph at all", None])
def test_a_graph_that_does_not_open_is_set_aside_and_made_anew(shelf: Shelf, damage: bytes | None) -> None:
    shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    shelf.accept_all()
    path = shelf.library.path
    shelf.library.close()
    graph = path / "graph.kuzu"
    graph.write_bytes(graph.read_bytes()[:5000] if damage is None else damage)
    (path / "graph.kuzu.wal").unlink(missing_ok=True)
    with Library.open(path) as library:
        shelf.library = library
        assert names(shelf) == ["GaN"]
        if damage != b"":  # an empty file is a new graph to the engine
            assert (path / "graph.kuzu.damaged-1").exists()
            assert "moved to graph.kuzu.damaged-1" in library.notes[0]
        assert library.audit().ok


def test_the_graph_of_another_library_is_not_taken_for_ones_own(shelf: Shelf, tmp_path: Path) -> None:
    shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    shelf.accept_all()
    shelf.library.close()
    with Library.open(tmp_path / "other", create=True) as other:
        other_shelf = Shelf(other, tmp_path)
        other_shelf.add_fact("two.txt", ALN, "AlN", 6.2)
        other_shelf.accept_all()
        assert names(other_shelf) == ["AlN"]
    (tmp_path / "other" / "graph.kuzu").write_bytes((shelf.library.path / "graph.kuzu").read_bytes())
    with Library.open(tmp_path / "other") as other:
        assert names(Shelf(other, tmp_path)) == ["AlN"]


def test_another_domain_makes_the_graph_anew(shelf: Shelf) -> None:
    shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    shelf.accept_all()
    path = shelf.library.path
    shelf.library.close()
    domain = load_domain("materials")
    other = domain.model_copy(update={"relation_types": domain.relation_types[:1]})
    with Library.open(path, domain=other) as library:
        assert "HAS_VALUE" not in library.graph.stats()["edges"]
        assert library.audit().ok
    with Library.open(path, domain=domain) as library:
        assert library.graph.stats()["edges"]["HAS_VALUE"] == 1


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n) DETACH DELETE n",
        "MATCH (n:Material) SET n.notes = 'x'",
        "CREATE (:Material {name: 'x'})",
        "MATCH (n) RETURN n; MATCH (m) DETACH DELETE m",
        "MATCH (n) RETURN n.name UNION ALL MATCH (m) DELETE m",
        "COPY (MATCH (n) RETURN n.name) TO 'out.csv'",
        "EXPORT DATABASE 'out'",
        "LOAD FROM 'secrets.csv' RETURN *",
        "MATCH (n) WITH n LOAD FROM 'secrets.csv' RETURN *",
        "CALL force_checkpoint_on_close = true",
        "CALL stats_info('Material') RETURN *",
        "DROP TABLE Material",
        "INSTALL json",
        "",
        "MATCH (n:Nothing) RETURN n",
        "MATCH (n RETURN n",
    ],
)
def test_queries_that_do_more_than_read_are_refused(shelf: Shelf, query: str) -> None:
    shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    shelf.accept_all()
    with pytest.raises(GraphError):
        shelf.library.graph.query(query)
    assert names(shelf) == ["GaN"]


def test_a_word_in_quotes_is_no_command(shelf: Shelf) -> None:
    assert shelf.library.graph.query("MATCH (n:Material) WHERE n.name = 'COPY' RETURN n") == []


def test_queries_end_in_time_and_give_no_more_rows_than_asked_for(shelf: Shelf) -> None:
    graph = shelf.library.graph
    assert len(graph.query("UNWIND range(1, 100) AS x RETURN x", limit=7)) == 7
    endless = "UNWIND range(1, 9000) AS a UNWIND range(1, 9000) AS b UNWIND range(1, 900) AS c RETURN sum(a * b * c)"
    with pytest.raises(GraphError, match="took longer than"):
        graph.query(endless, timeout=0.2)
    assert graph.query("RETURN 1 AS x") == [{"x": 1}]


def test_all_relation_types_of_the_domain_have_their_edges(shelf: Shelf) -> None:
    domain = load_domain("materials")
    sentence = "A long enough sentence for everything."
    paper = shelf.add("one.txt", sentence)
    findings = [
        Finding(
            Relation(
                kind.name,
                Entity(source, f"s-{kind.name}"),
                Entity(target, f"t-{kind.name}"),
                Evidence(paper, None, (), 0, len(sentence), sentence),
                quantity=Quantity(False, "odd") if kind.name == "HAS_VALUE" else None,
            ),
            CriticResult(True),
            Verification(True),
        )
        for kind in domain.relation_types
        for source, target in kind.triples
    ]
    shelf.catalog.put_findings(paper, findings, [])
    shelf.accept_all()
    edges = shelf.library.graph.stats()["edges"]
    assert {name: edges[name] for name in shelf.library.graph.schema.fact_edges} == {
        kind.name: len(kind.triples) for kind in domain.relation_types
    }
    listed = shelf.library.graph.nodes(limit=5)
    assert len(listed) == 5
    assert listed[0]["type"] == domain.entity_types[0].name
    assert replace(shelf.catalog.facts()[0], evidence=()).claim


def test_lists_in_queries_are_right_after_facts_were_taken_back(shelf: Shelf) -> None:
    # With this very sequence the engine alone gives wrong rows for IN on edges, once edges were deleted.
    dice = random.Random(6)
    for turn in range(24):
        name, value = dice.choice(["GaN", "AlN", "InN", "BN"]), dice.choice([1.5, 2.5, 3.5, 4.5])
        shelf.add_fact(f"{turn}.txt", f"{name} has a band gap of {value:g} eV. Run {turn}.", name, value)
    shelf.library.project()
    accepted = dict.fromkeys([fact.id for fact in shelf.catalog.facts()], False)
    for _ in range(30):
        chosen = dice.choice(list(accepted))
        accepted[chosen] = not accepted[chosen] if dice.random() < 0.9 else accepted[chosen]
        shelf.catalog.decide([chosen], "accepted" if accepted[chosen] else "refused")
        shelf.library.project()
    conditions = [
        "r.fact_id IN [$id]",
        "r.fact_id IN $ids",
        "r.fact_id in ['nothing', '{id}']",
        "r.property_id IN ['band_gap'] AND r.fact_id = $id",
        "NOT r.fact_id IN ['nothing'] AND r.fact_id = $id",
        "any(x IN ['nothing', '{id}'] WHERE x = r.fact_id)",
        "list_contains(['{id}'], r.fact_id)",
        "$paper IN r.paper_ids AND r.fact_id = $id",
    ]
    for condition in conditions:  # the last three make the file anew, which ends the trouble
        for fact in shelf.catalog.facts(status="accepted"):
            params = {"id": fact.id, "ids": [fact.id], "paper": fact.papers[0]}
            where = condition.format(id=fact.id)
            query = f"MATCH (a)-[r:HAS_VALUE]->(b) WHERE {where} RETURN a.name AS a, b.name AS b"
            used = {key: value for key, value in params.items() if re.search(rf"\${key}\b", query)}
            expected = [{"a": fact.source.canonical, "b": fact.target.canonical}]
            assert shelf.library.graph.query(query, used) == expected, condition


def test_lists_are_written_out_without_changing_what_they_mean() -> None:
    query = (
        "MATCH (a)-[r]->(b) WHERE a.name IN ['x', 'IN [1]'] AND r.v in [1, -2.5e3] AND b.name IN $p RETURN 'q IN [r]'"
    )
    spelt, params, complete = spelt_out(query, {"p": ["it's", "]"]})
    assert spelt == (
        "MATCH (a)-[r]->(b) WHERE (a.name = 'x' OR a.name = 'IN [1]') AND (r.v = 1 OR r.v = -2.5e3) "
        "AND (b.name = $p_0 OR b.name = $p_1) RETURN 'q IN [r]'"
    )
    assert params == {"p_0": "it's", "p_1": "]"}
    assert complete
    assert spelt_out("MATCH (n) WHERE n.x IN [] RETURN n", {})[0] == "MATCH (n) WHERE (false) RETURN n"
    for odd in (
        "n.x IN [[1], [2]]",
        "n.x IN [m.y]",
        "1 IN n.xs",
        "any(x IN n.xs WHERE x = 1)",
        "list_contains(n.xs, 1)",
    ):
        assert not spelt_out(f"MATCH (n) WHERE {odd} RETURN n", {})[2]
