"""Every relation can be shown: its spans hold what it says, and the same text gives the same relations."""

from __future__ import annotations

from dataclasses import replace

import pytest

from minerva_desktop.domains import load_domain
from minerva_desktop.extraction import KnownNames, extract
from minerva_desktop.extraction.grounding import fault, locate, sentence_of
from tests.extraction_prose import document, read

PROSE = (
    "Gallium nitride (GaN) has a band gap of 3.4 eV at 300 K.",
    "The thermal conductivities of GaN and AlN are 130 and 285 W/(m K), respectively.",
    "NbN nanowires deposited by reactive magnetron sputtering are used in single-photon detectors.",
    "MgB2 is a superconductor with a Tc of 39 K, but CeO2 is not superconducting.",
    "8 mol% yttria-stabilized zirconia reaches an ionic conductivity of 0.16 S/cm at 1000 °C in air [4].",
)


def test_spans_hold_the_names_and_sentences_stand_in_the_text() -> None:
    source = document(*PROSE)
    result = extract(source, load_domain("materials"), paper_id="p")
    assert {relation.type for relation in result.relations} == {
        "HAS_VALUE", "HAS_PROPERTY", "HAS_FORMULA", "HAS_ELEMENT", "USED_IN", "SYNTHESIZED_BY",
    }  # fmt: skip
    for relation in result.relations:
        evidence = relation.evidence
        assert source.text[evidence.start : evidence.end] == evidence.sentence
        assert fault(relation, source.text) == ""
        assert evidence.source_span is not None
        assert evidence.sentence[slice(*evidence.source_span)] == relation.source.name
        assert relation.rule
        assert 0 < relation.confidence <= 1


def test_every_end_of_a_relation_is_an_entity_and_legal() -> None:
    domain = load_domain("materials")
    result = extract(document(*PROSE), domain, paper_id="p")
    keys = {entity.key for entity in result.entities}
    assert len(keys) == len(result.entities)
    for relation in result.relations:
        assert relation.source.key in keys
        assert relation.target.key in keys
        assert domain.legal(relation.source.type, relation.type, relation.target.type)


def test_spellings_of_one_thing_become_aliases() -> None:
    result = read("Gallium nitride is hard.", "GaN is a semiconductor.")
    found = [entity for entity in result.entities if entity.key == ("Material", "GaN")]
    assert len(found) == 1
    assert {"gallium nitride", "Gallium nitride"} & {found[0].name, *found[0].aliases}


def test_the_same_text_gives_the_same_relations() -> None:
    assert read(*PROSE) == read(*PROSE)


def test_one_fact_a_sentence() -> None:
    result = read("GaN-based LEDs need GaN, and a GaN LED is a light-emitting diode based on GaN.")
    assert len([relation for relation in result.relations if relation.type == "USED_IN"]) == 1


def test_names_the_library_knows_are_read() -> None:
    known = KnownNames(materials={"Zorbium glass": "Zorbium glass"})
    domain = load_domain("materials")
    sentence = "The density of Zorbium glass is 3.1 g/cm3."
    assert extract(document(sentence), domain, paper_id="p").relations == ()
    facts = extract(document(sentence), domain, paper_id="p", known=known).relations
    assert ("HAS_VALUE", "Zorbium glass") in {(relation.type, relation.source.key[1]) for relation in facts}


@pytest.mark.parametrize("name", ["x" * 5000, "", "   ", "\u202eGaN\u202c", "a\x00b"])
def test_odd_text_does_no_harm(name: str) -> None:
    read(f"The band gap of {name} is 3.4 eV.", name)


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("a band gap of 3.4 eV", "3.4 eV", "3.4 eV"),
        ("a band  gap of\n3.4 eV", "gap of 3.4 eV", "gap of\n3.4 eV"),
        ("−50 °C in air", "-50 °C", "−50 °C"),
        ("5 µΩ·cm", "5 μΩ·cm", "5 µΩ·cm"),
        ("the band gap", "work function", None),
        ("anything", "  ", None),
    ],
)
def test_words_are_found_but_for_spaces_and_lookalikes(text: str, words: str, found: str | None) -> None:
    span = locate(text, words)
    assert (text[slice(*span)] if span else None) == found


def test_a_quote_leads_to_its_sentence() -> None:
    source = document(*PROSE)
    hit = sentence_of(source, "used in single-photon  detectors")
    assert hit is not None
    assert hit[0].index == 2
    assert sentence_of(source, "used in submarines") is None


def test_a_relation_whose_words_are_elsewhere_is_at_fault() -> None:
    source = document(*PROSE)
    relation = next(item for item in read(*PROSE).relations if item.type == "HAS_VALUE")
    moved = replace(relation, evidence=replace(relation.evidence, target_span=(0, 3)))
    assert "target span" in fault(moved, source.text)
    elsewhere = replace(relation, evidence=replace(relation.evidence, start=1))
    assert "does not stand" in fault(elsewhere, source.text)
