"""Papers of several fields in one library: the graph has the tables of all packs that its papers were read with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from minerva_desktop.checks.claim_reading import Claim
from minerva_desktop.checks.claims import PassageFinder
from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.errors import DomainError
from minerva_desktop.events import CancelToken, ProgressSink
from minerva_desktop.library import Library
from minerva_desktop.pipeline import Ingestion, recheck_waiting
from minerva_desktop.pipeline.engines import BUILTIN, PaperReading
from minerva_desktop.records import (
    CriticResult,
    Document,
    Entity,
    Evidence,
    Finding,
    Quantity,
    Relation,
    Verdict,
    Verification,
)
from minerva_desktop.settings import Settings
from tests.library_helpers import Shelf

FOOD = {
    "name": "food",
    "title": "Food",
    "version": "1",
    "entity_types": [{"name": "Food"}, {"name": "Nutrient"}, {"name": "Value"}],
    "relation_types": [
        {"name": "CONTAINS", "triples": [["Food", "Nutrient"]], "claim": "{source} contains {target}."},
        {"name": "HAS_VALUE", "triples": [["Food", "Value"]], "claim": "The {property} of {source} is {value}."},
    ],
    "properties": [{"id": "iron_content", "label": "iron content", "dimension": "mass_fraction"}],
    "key_properties": [{"column": "iron_mg_kg", "property_id": "iron_content", "unit": "mg/kg"}],
    "concepts": [
        {
            "name": "DailyIron",
            "description": "How much to eat for the iron of a day.",
            "formula": "m = d / c",
            "keywords": ["daily iron"],
            "expression": "d / c",
            "result_symbol": "m",
            "result_unit": "kg",
            "variables": [{"symbol": "c", "label": "iron content", "unit": "mg/kg", "property_id": "iron_content"}],
        }
    ],
}
LENTILS = "Lentils contain iron, 74 mg/kg of it."


@pytest.fixture
def food() -> Domain:
    return Domain.model_validate(FOOD)


@pytest.fixture
def packs(food: Domain) -> Callable[[str], Domain]:
    return lambda name: food if name == "food" else load_domain(name)


@pytest.fixture
def path(tmp_path: Path, food: Domain, packs: Callable[[str], Domain]) -> Path:
    """A library with a paper on GaN and one on lentils, all accepted."""
    with Library.open(tmp_path / "library", create=True, packs=packs) as library:
        shelf = Shelf(library, tmp_path)
        shelf.add_fact("gan.txt", "GaN has a band gap of 3.4 eV.", "GaN", 3.4)
        shelf.accept_all()
        assert "Food" not in library.graph.stats()["nodes"]
        library.use_domain(food)
        paper = shelf.add("lentils.txt", LENTILS)
        evidence = Evidence(paper, None, (), 0, len(LENTILS), LENTILS)
        quantity = Quantity(
            True, "74 mg/kg", value=74.0, unit="mg/kg", si_value=7.4e-5, si_unit="", dimension="mass_fraction"
        )
        lentil = Entity("Food", "lentils")
        findings = [
            Finding(Relation("CONTAINS", lentil, Entity("Nutrient", "iron"), evidence), CriticResult(True)),
            Finding(
                Relation("HAS_VALUE", lentil, Entity("Value", "74 mg/kg"), evidence, "iron_content", quantity),
                CriticResult(True),
                Verification(True, "nutrient"),
            ),
        ]
        library.catalog.put_findings(paper, findings, [lentil])
        shelf.accept_all()
        assert library.audit().ok
    return tmp_path / "library"


def shown(library: Library) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    graph = library.graph
    return (
        graph.query("MATCH (f:Food)-[:CONTAINS]->(n) RETURN f.name AS food, n.name AS nutrient, f.iron_mg_kg AS iron"),
        graph.query(
            "MATCH (m:Material)-[r:HAS_VALUE]->(v) RETURN m.name AS name, m.band_gap_eV AS gap, r.value AS value"
        ),
    )


@pytest.mark.parametrize("opened_with", ["materials", "food"])
def test_facts_of_all_packs_are_in_the_graph(path: Path, packs: Callable[[str], Domain], opened_with: str) -> None:
    with Library.open(path, domain=packs(opened_with), packs=packs) as library:
        foods, materials = shown(library)
        assert foods == [{"food": "lentils", "nutrient": "iron", "iron": 74.0}]
        assert materials == [{"name": "GaN", "gap": 3.4, "value": 3.4}]
        rows = library.graph.query("MATCH (f:Food)-[:USES_CONCEPT]->(c) RETURN c.name AS name")
        assert rows == [{"name": "DailyIron"}]
        edges = library.graph.query("MATCH (a)-[r:HAS_VALUE]->(v:Value) RETURN label(a) AS kind ORDER BY kind")
        assert edges == [{"kind": "Food"}, {"kind": "Material"}]
        grown = library.graph.content()
        assert library.audit().ok
        library.rebuild()
        assert library.graph.content() == grown


def test_whichever_pack_a_library_is_opened_with_its_graph_stays(path: Path, packs: Callable[[str], Domain]) -> None:
    with Library.open(path, domain=packs("food"), packs=packs) as library:
        first = library.graph.content()
    made = (path / "graph.kuzu").stat().st_ino
    with Library.open(path, packs=packs) as library:
        assert library.graph.content() == first
    assert (path / "graph.kuzu").stat().st_ino == made  # it was not made anew


def test_a_pack_with_a_new_property_or_a_renamed_table_makes_the_graph_anew(path: Path, food: Domain) -> None:
    more = FOOD | {
        "properties": [*FOOD["properties"], {"id": "zinc_content", "label": "zinc", "dimension": "mass_fraction"}],
        "key_properties": [
            *FOOD["key_properties"],
            {"column": "zinc_mg_kg", "property_id": "zinc_content", "unit": "mg/kg"},
        ],
    }
    grown = Domain.model_validate(more)
    with Library.open(path, packs=lambda name: grown if name == "food" else load_domain(name)) as library:
        rows = library.graph.query("MATCH (f:Food) RETURN f.iron_mg_kg AS iron, f.zinc_mg_kg AS zinc")
        assert rows == [{"iron": 74.0, "zinc": None}]
        assert "property zinc_content is new; key column Food.zinc_mg_kg is new" in library.notes[0]
        assert library.audit().ok
    renamed = [relation.model_copy(update={"name": "HAS_NUTRIENT"}) for relation in food.relation_types[:1]]
    other = food.model_copy(update={"relation_types": (*renamed, *food.relation_types[1:])})
    with Library.open(path, packs=lambda name: other if name == "food" else load_domain(name)) as library:
        edges = library.graph.stats()["edges"]
        assert "CONTAINS" not in edges  # its facts stay in the catalog
        assert (edges["HAS_NUTRIENT"], edges["HAS_VALUE"]) == (0, 2)
        assert "relation HAS_NUTRIENT is new; relation CONTAINS is gone" in library.notes[0]
        assert "One accepted fact has no place in it" in library.notes[0]
        assert library.audit().ok


def test_a_pack_that_is_not_installed_is_said_and_the_rest_is_there(path: Path) -> None:
    with Library.open(path) as library:
        assert library.graph.stats()["edges"]["HAS_VALUE"] == 1
        assert "domain pack “food”" in library.notes[0]
        assert library.audit().ok
        assert len(library.catalog.facts()) == 3


def test_a_paper_is_read_and_checked_again_with_its_own_pack(path: Path, packs: Callable[[str], Domain]) -> None:
    with Library.open(path, packs=packs) as library:
        by_name = {paper.file_name: paper.id for paper in library.catalog.papers()}
        assert {name: library.pack_of(paper).name for name, paper in by_name.items()} == {
            "gan.txt": "materials",
            "lentils.txt": "food",
        }
        read_with: dict[str, str] = {}
        worded_by: list[tuple[str, str]] = []

        def extract(
            document: Document, domain: Domain, paper_id: str, progress: ProgressSink, cancel: CancelToken
        ) -> PaperReading:
            read_with[paper_id] = domain.name
            return BUILTIN.extract(document, domain, paper_id, progress, cancel)

        def check(said: Sequence[Claim], find: PassageFinder, domain: Domain, cancel: CancelToken) -> list[Verdict]:
            worded_by.extend((claim.text, domain.name) for claim in said)
            return [Verdict("INSUFFICIENT") for _ in said]

        engines = replace(BUILTIN, extract=extract, check_claims=check)
        settings = Settings()
        recheck_waiting(library, packs("materials"), settings, lambda *_: [], engines=engines)
        assert ("The iron content of lentils is 74 mg/kg.", "food") in worded_by
        assert {pack for text, pack in worded_by if "GaN" in text} == {"materials"}
        job = library.catalog.start_job("reextract", list(by_name.items()))
        run = Ingestion(library, packs("materials"), settings, lambda *_: [], engines=engines)
        run.reread(job, list(by_name.values()))
        assert read_with == {by_name["gan.txt"]: "materials", by_name["lentils.txt"]: "food"}
        assert library.pack_of(by_name["lentils.txt"]).name == "food"
        library.project()
        assert shown(library)[0] == [{"food": "lentils", "nutrient": "iron", "iron": 74.0}]  # accepted facts stay
        assert library.audit().ok


def test_a_broken_pack_is_not_taken_for_none(tmp_path: Path) -> None:
    with pytest.raises(DomainError):
        Library.open(tmp_path / "library", create=True, packs=lambda name: load_domain(f"{name}-that-is-not-there"))
    Library.open(tmp_path / "library", create=True).close()  # the folder is not locked
