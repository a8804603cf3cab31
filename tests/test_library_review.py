"""What review stands on: the order, the kinds of rejection, corrections, and what is kept of each decision."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from minerva_desktop.errors import UsageError
from minerva_desktop.exchange import canonical_lines
from minerva_desktop.library.review_order import impact, uncertainty
from minerva_desktop.records import Fact
from minerva_desktop.settings import load_settings, save_settings
from minerva_desktop.workbench import Workbench
from minerva_desktop.workbench.reviewing import EvidencePlace
from tests.library_helpers import make_document

TEXT = (
    "The band gap of GaN is 3.4 eV at 300 K. ZnO was grown by sputtering. GaN is used in blue LEDs. "
    "ZnO shows ferromagnetism. The value for GaN was confirmed later."
)


@contextmanager
def opened(tmp_path: Path, text: str) -> Iterator[Workbench]:
    """A library with one paper of that text."""
    save_settings({"embeddings": False})
    file = tmp_path / "paper.txt"
    file.write_text(text, encoding="utf-8")
    with Workbench(tmp_path / "library", load_settings()) as made:
        made._kept.keep(hashlib.sha256(file.read_bytes()).hexdigest(), make_document(text))
        assert {paper.status for paper in made.ingest([file], engine="builtin").papers} == {"ok"}
        yield made


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """A library with one paper, from which several facts were read."""
    with opened(tmp_path, TEXT) as made:
        yield made


def one(bench: Workbench, kind: str, source: str) -> Fact:
    (fact,) = [item for item in bench.facts(type=kind) if item.source.key[1] == source and item.evidence]
    return fact


def test_a_rejection_keeps_its_kind_and_what_it_was_about(bench: Workbench) -> None:
    fact = one(bench, "HAS_VALUE", "GaN")
    change = bench.reject([fact.id], kind="wrong-value")
    assert change.label == "Rejected “The band gap of GaN is 3.4 eV” (wrong value)"
    assert bench.fact(fact.id).decision.rule == "wrong-value"
    (kept,) = bench.decisions()
    assert (kept.verb, kept.kind, kept.fact, kept.event) == ("reject", "wrong-value", fact.id, change.event)
    before = kept.before
    assert (before.type, before.source, before.property_id) == ("HAS_VALUE", "GaN", "band_gap")
    assert (before.value, before.unit, before.conditions) == ("3.4 eV", "eV", ("300 K",))
    place = before.places[0]
    assert place.sentence.startswith("The band gap of GaN")
    assert place.source_span is not None
    assert place.sentence[slice(*place.source_span)] == "GaN"
    assert kept.after is None
    bench.undo()
    assert bench.decisions() == []
    assert [item.in_force for item in bench.decisions(in_force=False)] == [False]
    bench.redo()
    assert [item.kind for item in bench.decisions()] == ["wrong-value"]


def test_there_are_no_other_kinds_of_rejection(bench: Workbench) -> None:
    fact = one(bench, "HAS_VALUE", "GaN")
    with pytest.raises(UsageError, match="no kind of rejection “boring”"):
        bench.reject([fact.id], kind="boring")
    assert bench.decisions() == []


def test_a_value_and_its_names_are_corrected_with_before_and_after(bench: Workbench) -> None:
    fact = one(bench, "HAS_VALUE", "GaN")
    bench.edit(fact.id, value="3.5 eV", source="wurtzite GaN")
    (kept,) = bench.decisions()
    assert kept.verb == "edit"
    assert kept.after is not None
    assert (kept.before.value, kept.after.value) == ("3.4 eV", "3.5 eV")
    assert (kept.before.source, kept.after.source) == ("GaN", "wurtzite GaN")
    assert bench.fact(kept.after.fact).decision.status == "accepted"
    assert bench.fact(fact.id).decision.status == "refused"
    assert bench.audit().ok


def test_another_sentence_can_be_given_as_evidence(bench: Workbench) -> None:
    fact = one(bench, "HAS_VALUE", "GaN")
    paper = bench.papers()[0].id
    start = TEXT.index("The value for GaN")
    place = EvidencePlace(fact.evidence[0].id, paper, start, len(TEXT))
    bench.edit(fact.id, evidence=place)
    now = bench.fact(fact.id)
    assert now.decision.status == "accepted"
    assert "The value for GaN was confirmed later." in [item.evidence.sentence for item in now.evidence]
    (kept,) = bench.decisions()
    assert kept.after is not None
    assert (kept.before.places[0].start, kept.after.places[0].start) == (0, start)
    assert bench.audit().ok
    bench.undo()
    assert bench.fact(fact.id) == fact
    assert bench.audit().ok


def test_a_correction_that_means_nothing_is_refused(bench: Workbench) -> None:
    fact = one(bench, "SYNTHESIZED_BY", "ZnO")
    with pytest.raises(UsageError, match="means nothing in this domain"):
        bench.edit(fact.id, target_type="Element")
    with pytest.raises(UsageError, match="changes nothing"):
        bench.edit(fact.id, source="ZnO")
    assert bench.decisions() == []


def test_relabelling_offers_what_the_pack_allows_and_takes_the_object_along(bench: Workbench) -> None:
    fact = one(bench, "HAS_PROPERTY", "ZnO")
    choices = bench.relabel_choices(fact)
    assert [(item.type, item.target_type) for item in choices] == [
        ("HAS_PROPERTY", "Property"),
        ("USED_IN", "Application"),
        ("SYNTHESIZED_BY", "Method"),
        ("HAS_ELEMENT", "Element"),
        ("HAS_FORMULA", "Formula"),
    ]
    assert [item.current for item in choices] == [True, False, False, False, False]
    bench.relabel(fact.id, "USED_IN", "Application")
    (kept,) = bench.decisions()
    assert kept.verb == "relabel"
    assert kept.after is not None
    new = bench.fact(kept.after.fact)
    assert (new.type, new.target.type, new.decision.status) == ("USED_IN", "Application", "accepted")
    assert new.evidence[0].evidence.target_span == fact.evidence[0].evidence.target_span
    with pytest.raises(UsageError, match="cannot be said to has value"):
        bench.relabel(fact.id, "HAS_VALUE", "Value")
    value = one(bench, "HAS_VALUE", "GaN")
    assert [item.type for item in bench.relabel_choices(value)] == ["HAS_VALUE"]
    assert bench.audit().ok


def test_reversing_needs_a_pack_that_knows_the_relation_that_way_round(bench: Workbench) -> None:
    fact = one(bench, "SYNTHESIZED_BY", "ZnO")
    with pytest.raises(UsageError, match="knows no Method that is said to synthesized by a Material"):
        bench.reverse(fact.id)
    assert "cannot be reversed" in bench.why_not_reversed(fact)
    domain = bench.domain
    kinds = tuple(
        item.model_copy(update={"triples": (*item.triples, ("Method", "Material"))})
        if item.name == "SYNTHESIZED_BY"
        else item
        for item in domain.relation_types
    )
    bench.library.use_domain(domain.model_copy(update={"relation_types": kinds}))
    bench.library.catalog.reverse_fact(fact.id)
    (kept,) = bench.library.catalog.decisions()
    assert kept.verb == "reverse"
    assert kept.after is not None
    assert (kept.after.source, kept.after.target) == (kept.before.target, kept.before.source)
    place, old = kept.after.places[0], kept.before.places[0]
    assert (place.source_span, place.target_span) == (old.target_span, old.source_span)


def test_everything_taken_back_is_as_before(bench: Workbench) -> None:
    there = list(canonical_lines(bench.library))
    value, made, shown = (
        one(bench, "HAS_VALUE", "GaN"),
        one(bench, "SYNTHESIZED_BY", "ZnO"),
        one(bench, "HAS_PROPERTY", "ZnO"),
    )
    place = EvidencePlace(value.evidence[0].id, bench.papers()[0].id, TEXT.index("The value"), len(TEXT))
    bench.accept([fact.id for fact in bench.facts(status="waiting")])
    bench.edit(value.id, evidence=place)
    bench.edit(made.id, target="magnetron sputtering", evidence=EvidencePlace(made.evidence[0].id, place.paper, 0, 39))
    bench.relabel(shown.id, "SYNTHESIZED_BY", "Method")
    bench.reject([value.id], kind="not-stated")
    bench.reopen([value.id])
    steps = 6
    assert bench.audit().ok
    for _ in range(steps):
        bench.undo()
    assert list(canonical_lines(bench.library)) == there
    for _ in range(steps):
        bench.redo()
    assert bench.audit().ok
    assert len({item.event for item in bench.decisions()}) == steps


def test_the_graph_has_all_that_was_accepted_also_after_undo_and_a_new_start(tmp_path: Path) -> None:
    names = ("GaN", "ZnO", "AlN", "InN", "SiC", "GaAs")
    text = " ".join(f"The band gap of {name} is {number}.25 eV." for number, name in enumerate(names, start=1))
    with opened(tmp_path, text) as bench:
        ids = [fact.id for fact in bench.facts(type="HAS_VALUE")]
        assert len(ids) == len(names)
        bench.accept(ids[:1])
        bench.accept(ids[1:2])
        bench.undo()
        for fact in ids[1:4]:
            bench.accept([fact])
    with Workbench(tmp_path / "library", load_settings()) as again:
        assert set(ids[:4]) <= set(again.library.graph.fact_ids())
        assert again.audit().ok


# -------------------------------------------------------------------------------------------------------- order
def test_doubt_and_reach_raise_the_priority() -> None:
    assert uncertainty(0.5) == 1.0
    assert uncertainty(0.9) < uncertainty(0.7) < uncertainty(0.5)
    assert uncertainty(0.99, "mixed-verdicts") == 1.0
    assert uncertainty(1.0) == 0.05
    assert impact(0, 0) == 1.0
    assert impact(1, 1) < impact(3, 1) < impact(3, 4) < impact(3, 4, key=True)


def test_the_orders_of_review(bench: Workbench) -> None:
    everything = {fact.id for fact in bench.facts()}
    by = {order: bench.review_ids(order=order) for order in ("useful", "paper", "type", "added")}
    assert all(set(ids) == everything and len(ids) == len(everything) for ids in by.values())
    starts = [bench.fact(item).evidence[0].evidence.start for item in by["paper"]]
    assert starts == sorted(starts)
    kinds = [bench.fact(item).type for item in by["type"]]
    assert kinds == sorted(kinds)
    value = one(bench, "HAS_VALUE", "GaN")  # it can fill a key column
    sure = {fact.id: max(item.confidence for item in fact.evidence) for fact in bench.facts()}
    no_surer = [item for item in by["useful"] if sure[item] >= sure[value.id]]
    assert no_surer[0] == value.id
    assert bench.review_ids(text="sputtering", only=by["added"]) == [
        item for item in by["useful"] if "sputtering" in bench.fact(item).evidence[0].evidence.sentence
    ]
    with pytest.raises(UsageError, match="no order"):
        bench.review_ids(order="mood")


def test_counts_follow_decisions(bench: Workbench) -> None:
    before = bench.review_counts()
    assert before.by_person == 0
    fact = bench.facts(status="waiting")[0]
    bench.accept([fact.id])
    after = bench.review_counts()
    assert (after.waiting, after.accepted, after.by_person) == (before.waiting - 1, before.accepted + 1, 1)
