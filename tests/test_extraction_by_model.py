"""What a model states enters only as far as the document shows it; the rules' own candidates stay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from minerva_desktop.domains.pack import Blacklisted, Domain
from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken, Progress
from minerva_desktop.extraction import Extraction, extract
from minerva_desktop.extraction.by_model import read_with_model
from minerva_desktop.extraction.grounding import fault
from minerva_desktop.extraction.merging import merged
from minerva_desktop.models.calls import ModelError
from minerva_desktop.records import Relation
from tests.extraction_prose import document
from tests.fact_asker import FactAsker, fact
from tests.model_reading import DOMAIN, new, read, said

GAN = "Gallium nitride (GaN) has a band gap of 3.4 eV at 300 K in air."
GROWN = "The GaN layers were obtained by ammonothermal growth and serve in betavoltaic cells."


def test_a_fact_with_its_quote_is_kept_with_its_places() -> None:
    result = read((GAN, GROWN), [fact(GROWN, "GaN", "SYNTHESIZED_BY", "ammonothermal growth")])
    [relation] = new(result)
    evidence = relation.evidence
    assert evidence.sentence == GROWN
    assert evidence.source_span is not None
    assert evidence.target_span is not None
    assert GROWN[slice(*evidence.source_span)] == "GaN"
    assert GROWN[slice(*evidence.target_span)] == "ammonothermal growth"
    assert (relation.extractor, relation.rule, relation.modality) == ("model", "model", "reported")
    assert (result.found, result.grounded, result.dropped, result.failed) == (1, 1, (), ())
    assert {entity.key for entity in result.extraction.entities} == {relation.source.key, relation.target.key}


def test_the_rules_had_not_found_that_fact() -> None:
    known = extract(document(GAN, GROWN), DOMAIN, paper_id="paper").relations
    assert all("ammonothermal" not in relation.target.name for relation in known)


def test_a_value_is_read_from_the_sentence_with_its_conditions() -> None:
    result = read(GAN, [fact(GAN, "gallium nitride", "HAS_VALUE", "3.4 eV", "bandgap", "at 300 K")])
    [relation] = new(result)
    assert relation.property_id == "band_gap"
    assert relation.quantity is not None
    assert relation.quantity.si_value == pytest.approx(3.4 * 1.602176634e-19)
    assert {item.name: item.text for item in relation.conditions} == {"temperature": "300 K", "atmosphere": "air"}
    assert relation.source.key == ("Material", "GaN")


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (fact("GaN has a band gap of 6.2 eV.", "GaN", "HAS_VALUE", "6.2 eV", "band gap"), "the quote stands nowhere"),
        (fact("", "GaN", "HAS_VALUE", "3.4 eV", "band gap"), "no quote"),
        (fact(GAN, "GaN", "HAS_VALUE", "3.5 eV", "band gap"), "the value “3.5 eV” does not stand"),
        (fact(GAN, "GaN", "HAS_VALUE", "4 eV", "band gap"), "does not stand"),
        (fact(GAN, "AlN", "HAS_VALUE", "3.4 eV", "band gap"), "“AlN” does not stand"),
        (fact(GAN, "GaN", "HAS_VALUE", "3.4 eV", "work function"), "“work function” is not named"),
        (fact(GAN, "GaN", "HAS_VALUE", "3.4 eV", "sparkle"), "not of this field: “sparkle”"),
        (fact(GAN, "GaN", "HAS_VALUE", "300 K", "band gap"), "has not the unit"),
        (fact(GAN, "GaN", "HAS_VALUE", "wide", "band gap"), "no number"),
        (fact(GAN, "GaN", "IS_GREAT", "3.4 eV", "band gap"), "no relation type"),
        (fact(GAN, "GaN", "HAS_PROPERTY", "hardness"), "“hardness” does not stand"),
        (fact(GAN, "band gap", "HAS_PROPERTY", "band gap"), "wrong kind"),
        (fact(GAN, "it", "HAS_PROPERTY", "band gap"), "names nothing"),
        (fact(GAN, GAN, "HAS_PROPERTY", "band gap"), "is a clause"),
        (fact(GAN, "GaN", "USED_IN", "band gap"), "wrong kind: “band gap” is a property there"),
        (fact(GAN, "GaN", "HAS_ELEMENT", "In"), "does not stand"),
        (fact(GAN, "GaN", "HAS_FORMULA", "AlN"), "does not stand"),
        (fact(GAN, "", "HAS_PROPERTY", "band gap"), "no name"),
        (fact("GaN", "GaN", "HAS_PROPERTY", "band gap"), "the quote stands nowhere"),
        (fact(GROWN, "GaN", "SYNTHESIZED_BY", "obtained by ammonothermal"), "no name: “obtained by ammonothermal” is cut"),
        (fact(GROWN, "layers were", "SYNTHESIZED_BY", "ammonothermal growth"), "no name: “layers were” is cut"),
    ],
)  # fmt: skip
def test_what_the_text_does_not_show_is_dropped_with_the_reason(facts: dict[str, str], reason: str) -> None:
    result = read((GAN, GROWN), [facts])
    assert new(result) == []
    assert (result.found, result.grounded) == (1, 0)
    [(words, why)] = result.dropped
    assert reason in why
    assert facts["relation"] in words


def test_a_value_out_of_range_is_dropped() -> None:
    text = "MgB2 has a critical temperature of 39000 K."
    result = read(text, [fact(text, "MgB2", "HAS_VALUE", "39000 K", "critical temperature")])
    assert new(result) == []
    assert result.dropped[0][1].startswith("out of range")


def test_the_unit_of_a_bare_number_comes_from_the_sentence() -> None:
    [relation] = new(read(GAN, [fact(GAN, "GaN", "HAS_VALUE", "3.4", "band gap")]))
    assert relation.target.name == "3.4 eV"


def test_one_value_of_a_list_is_that_value() -> None:
    text = "The thermal conductivities of GaN and AlN are 130 and 285 W/(m K), respectively."
    result = read(text, [fact(text, "AlN", "HAS_VALUE", "285 W/(m K)", "thermal conductivity")])
    [relation] = new(result)
    assert relation.quantity is not None
    assert relation.quantity.value == 285
    rules = extract(document(text), DOMAIN, paper_id="paper")
    assert relation.target.key in {item.target.key for item in rules.relations}


def test_a_bound_stays_a_bound_whatever_the_model_made_of_it() -> None:
    text = "The resistivity of NbN is below 200 μΩ cm."
    [relation] = new(read(text, [fact(text, "NbN", "HAS_VALUE", "200 μΩ cm", "resistivity")]))
    assert relation.quantity is not None
    assert relation.quantity.comparator == "<"


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("CeO2 is not superconducting.", "negated"),
        ("CeO2 may be superconducting under pressure.", "hypothetical"),
        ("CeO2 has been reported to be superconducting [4].", "cited"),
        ("CeO2 is superconducting.", "reported"),
    ],
)
def test_how_it_is_said_is_read_from_the_sentence(text: str, modality: str) -> None:
    [relation] = new(read(text, [fact(text, "CeO2", "HAS_PROPERTY", "superconductivity")]))
    assert relation.modality == modality


def test_a_quote_that_leaves_out_the_denial_does_not_undo_it() -> None:
    text = "For none of the samples was it found that CeO2 is superconducting."
    [relation] = new(read(text, [fact("CeO2 is superconducting", "CeO2", "HAS_PROPERTY", "superconducting")]))
    assert relation.evidence.sentence == text


def test_an_abbreviation_of_the_document_is_the_material_it_stands_for() -> None:
    text = ("Gadolinium-doped ceria (GDC) was studied.", "GDC shows fast oxygen exchange kinetics.")
    [relation] = new(read(text, [fact(text[1], "GDC", "HAS_PROPERTY", "oxygen exchange kinetics")]))
    assert relation.source.key == extract(document(*text), DOMAIN, paper_id="p").entities[0].key


def test_a_name_with_its_abbreviation_is_found_by_either() -> None:
    text = ("Gadolinium-doped ceria (GDC) was studied.", "GDC shows fast oxygen exchange kinetics.")
    [relation] = new(
        read(text, [fact(text[1], "Gadolinium-doped ceria (GDC)", "HAS_PROPERTY", "oxygen exchange kinetics")])
    )
    assert relation.source.name == "GDC"
    assert (
        new(read(text, [fact(text[1], "Samaria-doped ceria (SDC)", "HAS_PROPERTY", "oxygen exchange kinetics")])) == []
    )


@pytest.mark.parametrize(
    ("source", "relation", "target", "kept"),
    [
        ("YSZ", "SYNTHESIZED_BY", "ALD technique", True),
        ("YSZ layer", "SYNTHESIZED_BY", "ALD", True),
        ("YSZ electrolyte", "SYNTHESIZED_BY", "atomic layer deposition method", True),
        ("YSZ composite glass", "SYNTHESIZED_BY", "ALD", False),
        ("porous YSZ", "SYNTHESIZED_BY", "ALD", False),
        ("YSZ", "SYNTHESIZED_BY", "ALD and sputtering", False),
    ],
)
def test_words_around_a_known_name_may_differ(source: str, relation: str, target: str, kept: bool) -> None:
    text = "Atomic layer deposition (ALD) was employed to deposit a dense YSZ film."
    assert bool(new(read(text, [fact(text, source, relation, target)]))) == kept


def test_a_part_of_a_longer_name_is_another_material() -> None:
    text = "Sm-doped ceria has a high ionic conductivity."
    result = read(text, [fact(text, "ceria", "HAS_PROPERTY", "ionic conductivity")])
    assert new(result) == []
    assert "only a part of" in result.dropped[0][1]


def test_a_word_for_what_something_is_is_not_the_property() -> None:
    text = "Solid electrolytes have long been used in catalysis."
    result = read(text, [fact(text, "solid electrolytes", "USED_IN", "catalysis")])
    assert new(result) == []
    assert result.dropped[0][1].startswith("wrong kind")


def test_case_tells_elements_from_molecules() -> None:
    text = "The Co films adsorb CO at 300 K."
    assert new(read(text, [fact(text, "CO2", "HAS_PROPERTY", "adsorb")])) == []
    [relation] = new(read(text, [fact(text, "Co", "HAS_ELEMENT", "Co")])) or [None]
    assert relation is None or relation.evidence.target_span == (4, 6)


# ------------------------------------------------------------------------------------------------- two sentences
def test_a_material_of_another_sentence_is_not_carried_over() -> None:
    text = ("GaN was grown by sputtering.", "Its hardness was measured too.", "The hardness is 12 GPa.")
    result = read(text, [fact(text[2], "GaN", "HAS_VALUE", "12 GPa", "hardness")])
    assert new(result) == []
    assert "“GaN” does not stand in the sentence" in result.dropped[0][1]


def test_a_quote_over_two_sentences_carries_what_the_rules_would_carry() -> None:
    text = ("We studied GaN.", "It has a hardness of 12 GPa.")
    whole = " ".join(text)
    [relation] = new(read(text, [fact(whole, "GaN", "HAS_VALUE", "12 GPa", "hardness")]))
    assert relation.evidence.sentence == text[1]
    assert relation.evidence.source_span is None
    assert relation.confidence < 0.6


def test_two_materials_before_leave_it_open_who_is_meant() -> None:
    text = ("We studied GaN and AlN.", "It has a hardness of 12 GPa.")
    assert new(read(text, [fact(" ".join(text), "GaN", "HAS_VALUE", "12 GPa", "hardness")])) == []


# --------------------------------------------------------------------------------------------------------- merging
def test_what_both_found_is_one_fact_and_surer() -> None:
    rules = extract(document(GAN), DOMAIN, paper_id="paper")
    before = next(item for item in rules.relations if item.type == "HAS_VALUE")
    result = read(GAN, [fact(GAN, "GaN", "HAS_VALUE", "3.4 eV", "band gap")], rules=None)
    values = [item for item in result.extraction.relations if item.type == "HAS_VALUE"]
    assert len(values) == 1
    assert values[0].extractor == "rules+model"
    assert before.confidence < values[0].confidence <= 0.99
    assert replace(values[0], extractor="rules", confidence=before.confidence) == before


def test_what_the_model_does_not_see_stays_as_the_rules_have_it() -> None:
    rules = extract(document(GAN, GROWN), DOMAIN, paper_id="paper")
    assert read((GAN, GROWN), [], rules=None).extraction == rules


def test_the_order_of_the_replies_changes_nothing() -> None:
    facts = [
        fact(GROWN, "GaN", "SYNTHESIZED_BY", "ammonothermal growth"),
        fact(GROWN, "GaN", "USED_IN", "betavoltaic cells"),
        fact(GAN, "GaN", "HAS_VALUE", "3.4 eV", "band gap"),
        fact(GAN, "gallium nitride", "HAS_PROPERTY", "band gap"),
    ]
    one = read((GAN, GROWN), facts, rules=None)
    assert read((GAN, GROWN), facts, rules=None) == one
    assert read((GAN, GROWN), facts[::-1], rules=None).extraction == one.extraction
    assert len(new(one)) >= 2


def test_merging_with_nothing_changes_nothing() -> None:
    rules = extract(document(GAN, GROWN), DOMAIN, paper_id="paper")
    assert merged(rules, []) == rules
    assert merged(Extraction(), []) == Extraction()


def test_what_a_person_ruled_out_stays_out() -> None:
    taught = Domain.model_validate({**DOMAIN.model_dump(), "blacklist": (Blacklisted(term="GaN", type="Material"),)})
    result = read_with_model(
        document(GROWN), taught, paper_id="p", asker=FactAsker([fact(GROWN, "GaN", "USED_IN", "betavoltaic cells")]),
        mode="sections", rules=Extraction(), cancel=CancelToken(),
    )  # fmt: skip
    assert result.extraction.relations == ()


# ---------------------------------------------------------------------------------------------------- odd replies
LONG = "La0.6Sr0.4Co0.2Fe0.8O3-δ" + "x" * 5000
ODD: tuple[Any, ...] = (
    "x" * 100_000, "", " ", "\u202eGaN\u202c", "a\x00b", "\ud800", "GaN\u200b", "🦊", "{{text}}", "</text>", "%s%n", "'; DROP",
    "[[[", "10^400 eV", "NaN", LONG,
)  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("field", ["quote", "material", "relation", "target", "property", "condition"])
def test_no_odd_word_in_any_field_does_harm(odd: str, field: str) -> None:
    facts = fact(GAN, "GaN", "HAS_VALUE", "3.4 eV", "band gap")
    result = read(GAN, [{**facts, field: odd}], rules=None)
    for relation in result.extraction.relations:
        assert fault(relation, document(GAN).text) == ""
    assert all(len(words) <= 300 for words, _ in result.dropped)


@pytest.mark.parametrize(
    "reply", ['{"facts": [1, null, "x", [], {}]}', '{"facts": []}', '[{"quote": "GaN"}]', '{"quote": "a"}']
)
def test_rows_that_are_none_are_left_out(reply: str) -> None:
    assert new(read(GAN, lambda _: reply)) == []


def test_a_flood_of_facts_is_cut_to_what_was_asked_for() -> None:
    facts = [fact(GAN, "GaN", "HAS_VALUE", f"{number} eV", "band gap") for number in range(5000)]
    result = read(GAN, facts)
    assert result.found <= 48
    assert new(result) == []


def test_a_fact_said_many_times_counts_once() -> None:
    result = read(GAN, [fact(GAN, "GaN", "HAS_VALUE", "3.4 eV", "band gap")] * 40)
    assert (result.found, len(new(result))) == (1, 1)


def test_everything_kept_can_be_shown_on_its_page() -> None:
    facts = [fact(GAN, source, relation, target, "band gap")
             for source in ("GaN", "Gallium nitride", "gap", "nitride", "eV", "air")
             for relation in ("HAS_VALUE", "HAS_PROPERTY", "HAS_ELEMENT", "HAS_FORMULA", "USED_IN", "SYNTHESIZED_BY")
             for target in ("3.4 eV", "300 K", "band gap", "Ga", "N", "GaN", "air")]  # fmt: skip
    for first in range(0, len(facts), 40):
        source = document(GAN)
        result = read(source, facts[first : first + 40])
        for relation in new(result):
            assert fault(relation, source.text) == ""
            assert DOMAIN.legal(relation.source.type, relation.type, relation.target.type)


# --------------------------------------------------------------------------------------------------------- failures
def test_a_window_that_fails_is_counted_and_the_others_go_on() -> None:
    sentences = [f"Sample {number} of TiO2 was heated in argon for some hours." for number in range(400)]
    sentences[200] = GROWN
    seen: list[int] = []

    def script(call: Any) -> Any:
        seen.append(1)
        return ModelError("timeout", "The model did not answer in time.") if len(seen) == 1 else {
            "facts": [fact(GROWN, "GaN", "USED_IN", "betavoltaic cells")]
        }  # fmt: skip

    result = read(sentences, script, context=4096)
    assert result.windows > 2
    assert [error.kind for error in result.failed] == ["timeout"]
    assert said(result) == [("GaN", "USED_IN", "betavoltaic cell")]


@pytest.mark.parametrize("kind", ["unreachable", "budget", "unauthorised", "not-configured"])
def test_what_would_fail_again_stops_at_once(kind: Any) -> None:
    with pytest.raises(ModelError) as caught:
        read(GAN, lambda _: ModelError(kind, "No."))
    assert caught.value.kind == kind


def test_what_is_too_much_at_once_is_asked_in_halves() -> None:
    def script(call: Any) -> Any:
        if call.user.count("\n") > 60:
            return ModelError("too-long", "The reply was cut.")
        return {"facts": [fact(GROWN, "GaN", "USED_IN", "betavoltaic cells")]}

    sentences = [f"Sample {number} of TiO2 was heated in argon." for number in range(100)]
    sentences[70] = GROWN
    result = read(sentences, script)
    assert result.failed == ()
    assert said(result) == [("GaN", "USED_IN", "betavoltaic cell")]


def test_halving_ends() -> None:
    asker = FactAsker(lambda _: ModelError("context", "Too long."))
    result = read([f"Sample {number} of TiO2 was heated." for number in range(64)], asker)
    assert len(asker.asked) == 1 + 2 + 4 + 8
    assert {error.kind for error in result.failed} == {"context"}


def test_a_cancelled_reading_stops() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        read_with_model(
            document(GAN), DOMAIN, paper_id="p", asker=FactAsker([]), mode="sections", rules=Extraction(), cancel=token
        )


def test_progress_is_told() -> None:
    steps: list[Progress] = []
    sentences = [f"Sample {number} of TiO2 was heated in argon for some hours." for number in range(2000)]
    read_with_model(
        document(*sentences), DOMAIN, paper_id="p", asker=FactAsker([], context=4096), mode="sections", rules=Extraction(),
        cancel=CancelToken(), progress=steps.append,
    )  # fmt: skip
    assert len(steps) > 1
    assert steps[-1].done == steps[-1].total > 16


def test_a_document_without_text_asks_nothing() -> None:
    asker = FactAsker([])
    result = read(document(), asker)
    assert (asker.asked, result.windows, result.extraction.relations) == ([], 0, ())


def test_a_pack_without_a_prompt_says_so() -> None:
    bare = Domain.model_validate({**DOMAIN.model_dump(), "prompts": {}})
    with pytest.raises(ModelError, match="no prompt “extraction”"):
        read_with_model(
            document(GAN),
            bare,
            paper_id="p",
            asker=FactAsker([]),
            mode="sections",
            rules=Extraction(),
            cancel=CancelToken(),
        )


def test_another_field_needs_no_code() -> None:
    """A pack of other types: what its prompt asks is found by its own names."""
    pack = Domain.model_validate(
        {
            "name": "food", "title": "Food", "version": "1",
            "entity_types": [{"name": "Food"}, {"name": "Nutrient"}],
            "relation_types": [{"name": "CONTAINS", "triples": [["Food", "Nutrient"]], "claim": "{source} has {target}."}],
            "prompts": {"extraction": {"version": "1", "system": "{{types}} {{relations}}", "user": "{{text}}"}},
        }
    )  # fmt: skip
    text = "Sea buckthorn berries are rich in ascorbic acid."
    row = {"quote": text, "food": "Sea buckthorn berries", "relation": "contains", "target": "ascorbic acid"}
    asker = FactAsker([row])
    result = read_with_model(
        document(text), pack, paper_id="p", asker=asker, mode="sections", rules=Extraction(), cancel=CancelToken()
    )
    [relation] = new(result)
    assert isinstance(relation, Relation)
    assert (relation.source.type, relation.type, relation.target.name) == ("Food", "CONTAINS", "ascorbic acid")
    assert "Food → Nutrient" in asker.asked[0].system
