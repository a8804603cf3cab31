"""The record: papers, facts, a person's decisions, undo, search by words."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from minerva_desktop.errors import MinervaError, NotFound, UsageError
from minerva_desktop.library import Library, Tools
from minerva_desktop.records import Decision, Entity, Paper, Quantity, Textbook, Verdict, Verification
from tests.library_helpers import Shelf, fact_of, make_document

GAN = "GaN has a band gap of 3.4 eV at room temperature."
ALSO = "We find that GaN has a band gap of 3.4 eV in thin films."
ALN = "AlN has a band gap of 6.2 eV."


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Library.open(tmp_path / "library", create=True) as library:
        yield Shelf(library, tmp_path)


def test_a_document_comes_back_exactly(shelf: Shelf) -> None:
    document = make_document("First sentence. Second sentence, Größe 3 µm — “quoted”.\nThird 🙂.")
    paper = shelf.add("a.txt", document.text, document=document)
    assert shelf.catalog.document(paper) == document


def test_two_papers_share_one_fact_with_two_evidences(shelf: Shelf) -> None:
    first = shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    second = shelf.add_fact("two.txt", ALSO, "GaN", 3.4)
    (fact,) = shelf.catalog.facts()
    assert [item.evidence.paper for item in fact.evidence] == [first, second]
    assert {item.evidence.sentence for item in fact.evidence} == {GAN, ALSO}
    assert fact.claim == "The band gap of GaN is 3.4 eV."


def test_the_same_value_in_other_units_is_the_same_fact(shelf: Shelf) -> None:
    shelf.add_fact("one.txt", "The spacing of MoS2 is 0.27 nm.", "MoS2", 0.27, unit="nm", si=2.7e-10, si_unit="m")
    shelf.add_fact(
        "two.txt", "The spacing of MoS2 is 2.7 Å.", "MoS2", 2.7, unit="Å", si=2.7000000000000003e-10, si_unit="m"
    )
    assert len(shelf.catalog.facts()) == 1


def test_conditions_and_negation_make_other_facts(shelf: Shelf) -> None:
    shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    shelf.add_fact("two.txt", ALSO, "GaN", 3.4, temperature=300.0)
    shelf.add_fact("three.txt", "GaN does not have a band gap of 3.4 eV.", "GaN", 3.4, modality="negated")
    assert len(shelf.catalog.facts()) == 3


def test_reading_a_paper_again_keeps_what_a_person_decided(shelf: Shelf) -> None:
    paper = shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    (fact,) = shelf.catalog.facts()
    shelf.catalog.set_decisions({fact.id: Decision("waiting", "gate", "strict")})
    shelf.catalog.decide([fact.id], "accepted", "seen on page 1")
    shelf.catalog.put_findings(paper, [fact_of(GAN, "GaN", 3.4)], [])
    shelf.catalog.set_decisions({fact.id: Decision("refused", "gate")})
    again = shelf.catalog.fact(fact.id)
    assert again.by_person
    assert again.decision == Decision("accepted", "person", "", "seen on page 1")
    # … and also when a reading in between did not find it at all.
    shelf.catalog.put_findings(paper, [], [])
    assert shelf.catalog.facts() == []
    shelf.catalog.put_findings(paper, [fact_of(GAN, "GaN", 3.4)], [])
    assert shelf.catalog.fact(fact.id).decision.status == "accepted"


def test_a_reading_replaces_the_one_before(shelf: Shelf) -> None:
    paper = shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    shelf.catalog.put_findings(paper, [fact_of(GAN, "GaN", 3.5)], [])
    assert [fact.quantity and fact.quantity.text for fact in shelf.catalog.facts()] == ["3.5 eV"]


def test_removing_a_paper_hides_what_only_it_says_and_undo_brings_it_back(shelf: Shelf) -> None:
    first = shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    second = shelf.add_fact("two.txt", ALSO, "GaN", 3.4)
    shelf.add_fact("three.txt", ALN, "AlN", 6.2)
    before = shelf.catalog.facts(order="id"), shelf.catalog.papers()
    change = shelf.catalog.remove_paper(second)
    assert change.papers == (second,)
    assert not shelf.catalog.has_file(second)
    (fact,) = shelf.catalog.facts(entity="GaN")
    assert fact.papers == (first,)
    shelf.catalog.remove_paper(first)
    assert shelf.catalog.facts(entity="GaN") == []
    assert shelf.catalog.search_words("thin films") == []
    shelf.catalog.undo()
    shelf.catalog.undo()
    assert (shelf.catalog.facts(order="id"), shelf.catalog.papers()) == before
    assert len(shelf.catalog.search_words("thin films")) == 1
    shelf.catalog.redo()
    assert len(shelf.catalog.papers()) == 2


def test_spellings_of_a_removed_paper_go_with_it(shelf: Shelf) -> None:
    shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    text = "Gallium nitride has a band gap of 3.4 eV."
    paper = shelf.add("two.txt", text)
    finding = fact_of(text, "GaN", 3.4, written="Gallium nitride")
    shelf.catalog.put_findings(paper, [finding], [finding.relation.source])
    assert shelf.catalog.facts()[0].source.aliases == ("Gallium nitride",)
    shelf.catalog.remove_paper(paper)
    assert shelf.catalog.facts()[0].source.aliases == ()


def test_adding_a_removed_paper_again_brings_it_back_for_good(shelf: Shelf) -> None:
    paper = shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    shelf.catalog.remove_paper(paper)
    shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    assert len(shelf.catalog.facts()) == 1
    with pytest.raises(UsageError):
        shelf.catalog.undo()


def test_undo_and_redo_walk_through_decisions(shelf: Shelf) -> None:
    shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    (fact,) = shelf.catalog.facts()
    shelf.catalog.decide([fact.id], "accepted")
    shelf.catalog.decide([fact.id], "refused", "wrong sample")
    assert shelf.catalog.undo_labels() == ("Rejected “The band gap of GaN is 3.4 eV”", "")
    shelf.catalog.undo()
    assert shelf.status(fact.id) == "accepted"
    change = shelf.catalog.undo()
    assert change.facts == (fact.id,)
    assert (shelf.status(fact.id), shelf.catalog.fact(fact.id).by_person) == ("waiting", False)
    shelf.catalog.redo()
    shelf.catalog.redo()
    assert shelf.status(fact.id) == "refused"
    with pytest.raises(UsageError, match="nothing to redo"):
        shelf.catalog.redo()
    shelf.catalog.undo()
    shelf.catalog.decide([fact.id], "waiting")  # a new change ends what could be redone
    with pytest.raises(UsageError):
        shelf.catalog.redo()
    labels = [item["label"] for item in shelf.catalog.history()]
    assert labels[0].startswith("Put back to waiting")
    assert len(labels) == len({item["id"] for item in shelf.catalog.history()})


def test_correcting_a_fact_keeps_evidence_and_outlasts_reading_again(shelf: Shelf) -> None:
    paper = shelf.add_fact("one.txt", GAN, "GaN", 34.0)
    (wrong,) = shelf.catalog.facts()
    right = Quantity(True, "3.4 eV", value=3.4, unit="eV", si_value=5.44e-19, si_unit="J", dimension="energy")
    change = shelf.catalog.edit_fact(wrong.id, {"quantity": right})
    assert shelf.status(wrong.id) == "refused"
    corrected = shelf.catalog.facts_by_id(change.facts)[1]
    assert corrected.decision.status == "accepted"
    assert corrected.evidence[0].evidence.sentence == GAN
    shelf.catalog.put_findings(paper, [fact_of(GAN, "GaN", 34.0)], [])
    assert [fact.decision.status for fact in shelf.catalog.facts()] == ["refused", "accepted"]
    shelf.catalog.undo()
    assert [(fact.id, fact.decision.status) for fact in shelf.catalog.facts()] == [(wrong.id, "waiting")]
    shelf.catalog.redo()
    assert shelf.catalog.facts_by_id([corrected.id]) == [corrected]


def test_a_correction_finds_its_sentence_when_the_paper_is_read_differently(shelf: Shelf) -> None:
    paper = shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    shelf.catalog.edit_fact(shelf.catalog.facts()[0].id, {"source": "AlGaN"})
    shelf.catalog.remove_paper(paper)
    shelf.add("one.txt", GAN, document=make_document("A heading that was missed before. " + GAN))
    shelf.catalog.put_findings(paper, [], [])
    (fact,) = shelf.catalog.facts()
    where = fact.evidence[0].evidence
    assert shelf.catalog.document(paper).text[where.start : where.end] == GAN


def test_a_typed_value_is_parsed_by_the_tool_that_was_handed_in(tmp_path: Path) -> None:
    asked: list[tuple[str, str | None]] = []

    def parse(text: str, dimension: str | None) -> Quantity:
        asked.append((text, dimension))
        if text == "red":
            return Quantity(False, text, "there is no number in it.")
        return Quantity(True, text, value=3.4, unit="eV", si_value=5.44e-19, si_unit="J", dimension="energy")

    with Library.open(tmp_path / "library", create=True, tools=Tools(parse_value=parse)) as library:
        shelf = Shelf(library, tmp_path)
        shelf.add_fact("one.txt", GAN, "GaN", 34.0)
        (fact,) = shelf.catalog.facts()
        with pytest.raises(UsageError, match="there is no number in it"):
            shelf.catalog.edit_fact(fact.id, {"value": "red"})
        shelf.catalog.edit_fact(fact.id, {"value": "3.4 eV"})
        assert asked[-1] == ("3.4 eV", "energy")
        assert shelf.catalog.facts(status="accepted")[0].claim == "The band gap of GaN is 3.4 eV."
        with pytest.raises(UsageError, match="cannot be corrected"):
            shelf.catalog.edit_fact(fact.id, {"colour": "red"})


def test_merging_two_entities_joins_their_facts_and_can_be_undone(shelf: Shelf) -> None:
    first = shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    text = "Gallium nitride has a band gap of 3.4 eV."
    second = shelf.add_fact("two.txt", text, "gallium nitride", 3.4)
    before = shelf.catalog.facts(order="id")
    shelf.catalog.merge_entities("Material", "gallium nitride", "GaN")
    (fact,) = shelf.catalog.facts()
    assert fact.papers == tuple(sorted([first, second]))
    assert "gallium nitride" in fact.source.aliases
    shelf.catalog.put_findings(second, [fact_of(text, "gallium nitride", 3.4)], [])
    assert len(shelf.catalog.facts()) == 1  # what is read later is merged as well
    shelf.catalog.undo()
    assert [item.id for item in shelf.catalog.facts(order="id")] == [item.id for item in before]


def test_a_fact_that_the_domain_does_not_know_cannot_be_accepted(shelf: Shelf) -> None:
    paper = shelf.add("one.txt", GAN)
    finding = fact_of(GAN, "GaN", 3.4, source_type="Property")
    shelf.catalog.put_findings(paper, [finding], [])
    (fact,) = shelf.catalog.facts()
    with pytest.raises(UsageError, match="cannot be accepted"):
        shelf.catalog.decide([fact.id], "accepted")


def test_counts_follow_every_change(shelf: Shelf) -> None:
    paper = shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    shelf.add_fact("two.txt", ALSO, "GaN", 3.4)

    def counts() -> list[tuple[int, int, int, int]]:
        return [(item.entities, item.accepted, item.waiting, item.refused) for item in shelf.catalog.papers()]

    assert counts() == [(1, 0, 1, 0), (1, 0, 1, 0)]
    (fact,) = shelf.catalog.facts()
    shelf.catalog.decide([fact.id], "accepted")
    assert counts() == [(1, 1, 0, 0), (1, 1, 0, 0)]
    shelf.catalog.undo()
    shelf.catalog.set_decisions({fact.id: Decision("refused", "gate")})
    assert counts() == [(1, 0, 0, 1), (1, 0, 0, 1)]
    shelf.catalog.put_findings(paper, [], [])
    assert counts() == [(0, 0, 0, 0), (1, 0, 0, 1)]
    assert shelf.catalog.count_facts(status="refused") == 1


def test_a_transaction_is_all_or_nothing(shelf: Shelf) -> None:
    shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    before = shelf.catalog.papers()

    def fail_halfway() -> None:
        with shelf.catalog.transaction():
            shelf.add_fact("two.txt", ALN, "AlN", 6.2)
            assert len(shelf.catalog.papers()) == 2  # the thread sees its own work
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        fail_halfway()
    assert shelf.catalog.papers() == before
    assert len(shelf.catalog.facts()) == 1
    assert len(shelf.catalog.history()) == 2


def test_readers_see_whole_transactions_only(shelf: Shelf) -> None:
    seen: list[int] = []
    with shelf.catalog.transaction():
        shelf.add_fact("one.txt", GAN, "GaN", 3.4)
        reader = threading.Thread(target=lambda: seen.append(len(shelf.catalog.papers())))
        reader.start()
        reader.join()
    assert seen == [0]
    assert len(shelf.catalog.papers()) == 1


def test_many_threads_write_and_read_without_losing_anything(shelf: Shelf) -> None:
    def work(number: int) -> None:
        for turn in range(3):
            text = f"Compound M{number} has a band gap of {turn + 1}.5 eV in sample {number}-{turn}."
            shelf.add_fact(f"{number}-{turn}.txt", text, f"M{number}", turn + 1.5)
            shelf.catalog.papers()
            shelf.catalog.facts(limit=5)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    assert len(shelf.catalog.papers()) == 12
    assert shelf.catalog.count_facts() == 12


def test_facts_are_found_by_each_filter(shelf: Shelf) -> None:
    first = shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    shelf.add_fact("two.txt", ALN, "AlN", 6.2)
    catalog = shelf.catalog
    (gan,) = catalog.facts(paper=first)
    assert catalog.facts(entity=("Material", "GaN")) == catalog.facts(entity="gan") == [gan]
    assert catalog.facts(text="room temp") == [gan]  # the last word may be unfinished
    assert catalog.facts(text="GaN gap") == [gan]
    assert catalog.facts(text='"; DROP TABLE relations; -- (') == []
    assert len(catalog.facts(property_id="band_gap", type="HAS_VALUE", status="waiting")) == 2
    assert catalog.facts(limit=1, offset=1) == catalog.facts(entity="AlN")
    assert catalog.count_facts(text="band gap") == 2
    assert catalog.fact(gan.id[:6]) == gan
    with pytest.raises(NotFound):
        catalog.fact("ffff")
    with pytest.raises(UsageError):
        catalog.facts(status="maybe")


def test_formulas_that_differ_in_case_are_two_entities(shelf: Shelf) -> None:
    shelf.add_fact("one.txt", "Co has a gap of 1.5 eV.", "Co", 1.5)
    shelf.add_fact("two.txt", "CO has a gap of 2.5 eV.", "CO", 2.5)
    assert [fact.source.canonical for fact in shelf.catalog.facts(entity="Co")] == ["Co"]
    assert len(shelf.catalog.facts(entity="co")) == 2


def test_papers_are_found_by_id_doi_and_file_name(shelf: Shelf) -> None:
    paper = shelf.add("one.txt", GAN, doi="10.1000/AbC.1")
    other = shelf.add("two.txt", ALN)
    for ref in (
        paper,
        paper[:8],
        "10.1000/abc.1",
        "https://doi.org/10.1000/ABC.1",
        "doi:10.1000/abc.1",
        "one.txt",
        "ONE.TXT",
    ):
        assert shelf.catalog.resolve(ref).id == paper
    assert shelf.catalog.resolve("two.txt").id == other
    for ref in ("", "abc", "three.txt", "10.1000/zzz"):
        with pytest.raises(NotFound):
            shelf.catalog.resolve(ref)
    shelf.add("deeper/one.txt", "Another text of the same name.")
    with pytest.raises(NotFound, match="stands for 2 papers"):
        shelf.catalog.resolve("one.txt")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("CO2", "Capture of CO2 on zeolites."),
        ("C3H8", "Oxidation of C3H8 (propane)."),
        ("Li-ion", "Cells of the Li-ion kind last."),
        ("ion", "Cells of the Li-ion kind last."),
        ("b12", "The level of b12 was low."),
        ("uber", "Über die Leitung."),
        ("battery", "All the batteries."),
        ("films", "A thin film."),
        ("MgB2", "We made MgB₂."),
        ("end", "This is the end."),
        ("3.4", "It is 3.4."),
        ("zeolites AND NOT capture", "Capture of CO2 on zeolites."),
        ('"unbalanced', "An unbalanced load."),
        ("col:on^2*", "Read column col for it."),
        ("NEAR(load)", "An unbalanced load."),
    ],
)
def test_words_find_what_a_person_types(shelf: Shelf, query: str, text: str) -> None:
    shelf.add("one.txt", text)
    shelf.add("two.txt", "Nothing of the sort here whatsoever.")
    assert [passage.text for passage in shelf.catalog.search_words(query)] == [text]


@pytest.mark.parametrize("query", ["", "   ", "()", '"', "*", "- - -", "\x00", "the of and"])
def test_odd_queries_are_no_error(shelf: Shelf, query: str) -> None:
    shelf.add("one.txt", "Plain text about copper.")
    assert shelf.catalog.search_words(query) == []


def test_passages_are_whole_sentences_with_their_places(shelf: Shelf) -> None:
    document = make_document(" ".join(f"Sentence number {n} says a few words about copper oxide." for n in range(60)))
    paper = shelf.add("long.txt", document.text, document=document)
    passages = shelf.catalog.search_words("copper", limit=100)
    found = sorted(index for passage in passages for index in passage.sentences)
    assert found == list(range(60))
    for passage in passages:
        assert passage.text == " ".join(document.sentences[index].text for index in passage.sentences)
        assert len(passage.text) <= 1000
        assert len(passage.boxes) == len(passage.sentences)
        assert passage.source == paper


def test_textbooks_have_levels_and_can_be_taken_out(shelf: Shelf) -> None:
    shelf.add_textbook("basic", ["Copper conducts electricity."], level=1)
    shelf.add_textbook("expert", ["Copper has a Fermi surface."], level=4)
    assert [book.level for book in shelf.catalog.textbooks()] == [1, 4]
    assert len(shelf.catalog.search_words("copper", kinds=["textbook"], max_level=2)) == 1
    assert shelf.catalog.search_words("copper", kinds=["paper"]) == []
    shelf.catalog.remove_textbook("expert" * 10)
    assert len(shelf.catalog.search_words("copper")) == 1
    shelf.catalog.undo()
    assert len(shelf.catalog.search_words("copper")) == 2
    with pytest.raises(NotFound):
        shelf.catalog.remove_textbook("unknown")
    assert shelf.catalog.textbooks()[0] == Textbook("basic" * 10, "Book basic", "basic.md", 1, 1, 0)


def test_jobs_remember_each_file(shelf: Shelf) -> None:
    job = shelf.catalog.start_job("ingest", [("a.pdf", "/x/a.pdf"), ("b.pdf", "/x/b.pdf"), ("a.pdf", "/y/a.pdf")])
    shelf.catalog.job_item(job, "a.pdf", "ok", {"pages": 3})
    shelf.catalog.job_item(job, "a.pdf", "failed", {"reason": "broken"})
    state = shelf.catalog.job(job)
    assert (state["status"], state["done"], state["total"]) == ("running", 2, 3)
    assert [item["status"] for item in state["items"]] == ["ok", "pending", "failed"]
    shelf.catalog.finish_job(job, "cancelled")
    assert shelf.catalog.jobs()[0]["status"] == "cancelled"
    with pytest.raises(NotFound):
        shelf.catalog.job("ingest-99")


def test_the_neighbourhood_of_a_node(shelf: Shelf) -> None:
    shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    text = "AlGaN has a band gap of 3.4 eV."
    shelf.add_fact("two.txt", text, "AlGaN", 3.4)
    around = shelf.catalog.neighbourhood("Material:GaN")
    assert [node.id for node in around.nodes] == ["Material:GaN", "Value:3.4 eV"]
    assert around.edges[0].label == "band gap 3.4 eV"
    wider = shelf.catalog.neighbourhood("Material:GaN", hops=2)
    assert {node.id for node in wider.nodes} == {"Material:GaN", "Value:3.4 eV", "Material:AlGaN"}
    assert shelf.catalog.neighbourhood("Material:GaN", hops=2, limit=2).truncated
    assert shelf.catalog.neighbourhood("Material:GaN", include_waiting=False).edges == ()
    assert shelf.catalog.neighbourhood("Material:GaN", types=["Property"]).edges == ()
    assert [node.name for node in shelf.catalog.search_nodes("gan")] == ["AlGaN", "GaN"]
    assert shelf.catalog.search_nodes("100%") == []
    with pytest.raises(NotFound):
        shelf.catalog.neighbourhood("Material:unknown")


def test_a_new_verdict_is_kept_with_its_evidence(shelf: Shelf) -> None:
    shelf.add_fact("one.txt", GAN, "GaN", 3.4)
    (fact,) = shelf.catalog.facts()
    verdict = Verdict("SUPPORTED", "the book says so", fact.claim, "The band gap of GaN is 3.4 eV.", "Book", 12)
    shelf.catalog.update_verdicts({fact.evidence[0].id: verdict})
    assert shelf.catalog.fact(fact.id).evidence[0].verdict == verdict


def test_two_rules_that_read_the_same_sentence_give_one_evidence(shelf: Shelf) -> None:
    paper = shelf.add("one.txt", GAN)
    weak = fact_of(GAN, "GaN", 3.4, verification=Verification(False, reason="no"))
    shelf.catalog.put_findings(paper, [weak, fact_of(GAN, "GaN", 3.4)], [])
    (fact,) = shelf.catalog.facts()
    assert [item.verification and item.verification.accepted for item in fact.evidence] == [True]


def test_findings_need_their_paper(shelf: Shelf) -> None:
    with pytest.raises(NotFound):
        shelf.catalog.put_findings("0" * 64, [fact_of(GAN, "GaN", 3.4)], [Entity("Material", "GaN")])


def test_a_file_that_cannot_be_copied_is_said_so(shelf: Shelf) -> None:
    with pytest.raises(MinervaError, match="could not be copied"):
        shelf.catalog.add_paper(Paper("0" * 64, "gone.txt"), make_document("Text."), Path("/nowhere/gone.txt"))


def test_nothing_of_the_library_can_be_used_after_closing(shelf: Shelf) -> None:
    shelf.library.close()
    with pytest.raises(MinervaError, match="closed"):
        shelf.catalog.papers()
    with pytest.raises((MinervaError, sqlite3.ProgrammingError)):
        shelf.add("one.txt", GAN)
