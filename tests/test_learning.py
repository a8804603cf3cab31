"""Decisions teach: what is corrected the same way is suggested for the lexicon, and only when nothing speaks against it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.cli import main
from minerva_desktop.errors import UsageError
from minerva_desktop.records import Fact
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench
from minerva_desktop.workbench.learning import Suggestion

SETTINGS = Settings.model_validate({"embeddings": False})
PAPERS = {
    "one.md": (
        "# First\n\n## Results\n\nKryptosil has a critical temperature of 92 K. The density of Kryptosil is 6.3 g/cm3. "
        "Kryptosil was grown by sputtering. Kryptosil is used in magnets.\n"
    ),
    "two.md": (
        "# Second\n\n## Results\n\nKryptosil has a band gap of 1.2 eV. Kryptosil was prepared by chemical vapor "
        "deposition. GaN has a band gap of 3.4 eV. GaN was grown by sputtering. The band gap of ZnO is 3.3 eV.\n"
    ),
}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """A library of two papers that call a material by a name of their own."""
    with Workbench(tmp_path / "library", SETTINGS, offline=True) as made:
        for name, text in PAPERS.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        # Read with the name as a material, so that there is something to correct.
        made.save_lexicon("materials", [{"name": "Kryptosil"}])
        assert {item.status for item in made.ingest([tmp_path / name for name in PAPERS]).papers} == {"ok"}
        made.save_lexicon("materials", [])
        yield made


def of(bench: Workbench, source: str) -> list[Fact]:
    """What the rules read of a material."""
    return [item for item in bench.facts() if item.source.name == source and not item.by_person]


def measured(bench: Workbench, property_id: str) -> list[Fact]:
    return [fact for fact in bench.facts(type="HAS_VALUE") if fact.property_id == property_id]


def correct(bench: Workbench, number: int, name: str = "YBa2Cu3O7") -> list[Fact]:
    facts = of(bench, "Kryptosil")[:number]
    assert len(facts) == number
    for fact in facts:
        bench.edit(fact.id, source=name)
    return facts


def only(bench: Workbench) -> Suggestion:
    (found,) = bench.suggestions()
    return found


def test_the_same_correction_three_times_suggests_an_alias_that_reading_again_applies(bench: Workbench) -> None:
    facts = correct(bench, 2)
    assert bench.suggestions() == []
    facts += correct(bench, 1)
    item = only(bench)
    assert item.question == "Always read “Kryptosil” as “YBa2Cu3O7”?"
    assert item.reason.startswith("You corrected “Kryptosil” to “YBa2Cu3O7” three times, in ")
    assert [ground.fact for ground in item.grounds] == [fact.id for fact in facts]
    assert all("Kryptosil" in ground.sentence and "YBa2Cu3O7" in ground.became for ground in item.grounds)
    left = of(bench, "Kryptosil")
    assert item.waiting == len([fact for fact in left if fact.decision.status == "waiting"]) > 0
    assert not item.against

    change = bench.learn(item.id)
    assert change.label == "Learnt from 3 decisions: always read “Kryptosil” as “YBa2Cu3O7”"
    assert change.lexicon
    assert bench.suggestions() == []  # it is in the lexicon now
    bench.reextract(engine="builtin")
    assert all(fact.source.key[1] == "YBa2Cu3O7" for fact in bench.facts() if fact.source.name == "Kryptosil")
    assert {fact.id for fact in left} & {fact.id for fact in of(bench, "Kryptosil")} == set()
    assert bench.audit().ok


def test_learning_is_one_step_that_undo_takes_back(bench: Workbench) -> None:
    correct(bench, 3)
    item = only(bench)
    bench.learn(item.id)
    assert [row["spelling"] for row in bench.current_lexicon().tables["aliases"].rows] == ["Kryptosil"]
    bench.undo()
    assert not bench.current_lexicon().tables["aliases"].rows
    assert only(bench).id == item.id
    bench.redo()
    assert bench.suggestions() == []


def test_a_dismissed_suggestion_comes_back_after_three_more_decisions(bench: Workbench) -> None:
    correct(bench, 3)
    item = only(bench)
    bench.dismiss_suggestion(item.id)
    assert bench.suggestions(dismissed=False) == []
    assert only(bench).dismissed
    with pytest.raises(UsageError, match="changes nothing"):
        bench.dismiss_suggestion(item.id)
    bench.undo()
    assert not only(bench).dismissed
    bench.redo()
    correct(bench, 2)
    assert bench.suggestions(dismissed=False) == []
    correct(bench, 1)
    assert [len(found.grounds) for found in bench.suggestions(dismissed=False)] == [6]
    assert bench.audit().ok


def test_what_was_undone_teaches_nothing(bench: Workbench) -> None:
    correct(bench, 3)
    bench.undo()
    assert bench.suggestions() == []


def test_a_correction_that_was_itself_rejected_teaches_nothing(bench: Workbench) -> None:
    correct(bench, 3)
    wrong = next(fact for fact in bench.facts(status="accepted") if fact.source.key[1] == "YBa2Cu3O7")
    bench.reject([wrong.id], kind="wrong-subject")
    assert bench.suggestions() == []


def test_an_accepted_fact_under_the_name_speaks_against_it(bench: Workbench) -> None:
    correct(bench, 3)
    other = of(bench, "Kryptosil")[0]
    bench.accept([other.id])
    item = only(bench)
    assert item.against == f"You also accepted “{other.claim.rstrip('.')}”, which was read so."
    with pytest.raises(UsageError, match=r"This is not learnt\. You also accepted"):
        bench.learn(item.id)
    bench.undo()
    assert not only(bench).against


def test_another_correction_of_the_name_speaks_against_it(bench: Workbench) -> None:
    correct(bench, 3)
    correct(bench, 1, "Bi2212")
    assert only(bench).against == "You decided otherwise too: you corrected “Kryptosil” to “Bi2212” once."


def test_two_compositions_are_never_made_one(bench: Workbench) -> None:
    facts = [item for item in bench.facts() if item.source.name == "GaN"]
    facts = [item for item in facts if item.type != "HAS_ELEMENT"]
    assert len(facts) >= 3
    for fact in facts:
        bench.edit(fact.id, source="GaAs")
    assert only(bench).against == "“GaN” and “GaAs” are two things: their compositions differ."


def test_a_name_rejected_three_times_is_suggested_for_the_blacklist(bench: Workbench) -> None:
    facts = of(bench, "Kryptosil")
    bench.reject([facts[0].id], kind="wrong-subject")
    bench.reject([facts[1].id], kind="wrong-subject")
    bench.reject([facts[2].id], reason="This is not a material at all", kind="other")
    item = only(bench)
    assert (item.kind, item.question) == ("blacklist", "Never take “Kryptosil” for a material?")
    assert [dict(entry.cells) for entry in item.entries] == [{"term": "Kryptosil", "type": "Material"}]
    bench.accept([facts[3].id])
    assert only(bench).against
    bench.undo()
    bench.learn(item.id)
    bench.reextract(engine="builtin")
    assert all(fact.decision.status == "refused" for fact in bench.facts() if fact.source.name == "Kryptosil")


def test_a_name_of_the_pack_is_not_suggested_for_the_blacklist(bench: Workbench) -> None:
    facts = [item for item in bench.facts() if item.source.name == "GaN"]
    paper = bench.papers()[1]
    assert facts
    extra = Path(paper.file_name).stem
    text = "GaN was used in lasers. GaN shows ferromagnetism. The density of GaN is 6.1 g/cm3."
    file = bench.library_dir.parent / f"{extra}-more.md"
    file.write_text(f"# More\n\n## Results\n\n{text}\n", encoding="utf-8")
    bench.ingest([file])
    facts = [item for item in bench.facts(status="waiting") if item.source.name == "GaN"]
    bench.reject([item.id for item in facts], kind="wrong-subject")
    assert len(facts) >= 3
    assert "keeps “GaN” under that very name" in only(bench).against


def test_one_sentence_is_not_enough(tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", SETTINGS, offline=True) as bench:
        file = tmp_path / "list.md"
        text = "Kryptosil is used in light-emitting diodes, solar cells and gas sensors."
        file.write_text(f"# List\n\n## Results\n\n{text}\n", encoding="utf-8")
        bench.save_lexicon("materials", [{"name": "Kryptosil"}])
        bench.ingest([file])
        bench.save_lexicon("materials", [])
        facts = of(bench, "Kryptosil")
        assert len(facts) >= 3
        for fact in facts:
            bench.edit(fact.id, source="YBa2Cu3O7")
        assert bench.suggestions() == []


OTHER = (
    "# Other\n\n## Results\n\nThe energy gap of ZnO is 3.3 eV. The energy gap of CdS is 2.3 eV. The energy gap of GaAs is "
    "1.3 eV. The energy gap of GaN is 3.5 eV. The figure of merit of Bi2Te3 is 1.1 Zorg. The figure of merit of SnSe is 2.6 "
    "Zorg. The figure of merit of PbTe is 1.4 Zorg. ZnO was grown by tape casting. GaN was grown by tape casting. CdS was "
    "grown by tape casting.\n"
)


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench(tmp_path / "other", SETTINGS, offline=True) as made:
        (tmp_path / "other.md").write_text(OTHER, encoding="utf-8")
        made.ingest([tmp_path / "other.md"])
        yield made


def test_a_property_corrected_three_times_becomes_a_synonym(other: Workbench) -> None:
    facts = measured(other, "band_gap")
    for fact in facts[:3]:
        other.edit(fact.id, property_id="exciton_binding_energy")
    item = only(other)
    assert item.question == "Always read “energy gap” as “exciton binding energy”?"
    assert item.waiting == 1
    other.learn(item.id)
    (row,) = other.current_lexicon().tables["properties"].rows
    assert {name: cell for name, cell in row.items() if cell} == {
        "id": "exciton_binding_energy", "label": "exciton binding energy", "synonyms": "energy gap"
    }  # fmt: skip
    other.reextract(engine="builtin")
    waiting = [fact for fact in measured(other, "exciton_binding_energy") if fact.decision.status == "waiting"]
    assert [fact.source.key[1] for fact in waiting] == ["GaN"]


def test_a_unit_that_is_not_known_is_learnt_from_corrected_values(other: Workbench) -> None:
    facts = measured(other, "figure_of_merit")
    assert [fact.quantity.unit for fact in facts if fact.quantity] == ["", "", ""]
    for fact in facts:
        assert fact.quantity is not None
        other.edit(fact.id, property_id="work_function", value=f"{fact.quantity.text} eV")
    (unit,) = [item for item in other.suggestions() if item.kind == "unit"]
    assert (unit.kind, unit.question) == ("unit", "Always read 1 Zorg as 1 eV?")
    other.learn(unit.id)
    assert other.library.catalog.tools.parse_value is not None
    assert other.library.catalog.tools.parse_value("2 Zorg", "energy").si_unit == "J"


def test_a_type_corrected_three_times_becomes_a_term(other: Workbench) -> None:
    facts = [fact for fact in other.facts(type="SYNTHESIZED_BY") if fact.target.name == "tape casting"]
    for fact in facts:
        other.relabel(fact.id, "USED_IN", "Application")
    item = only(other)
    # The pack has it as a method: an entry that says otherwise would take it away from there.
    assert item.question == "Always take “tape casting” for an application?"
    assert item.against == (
        "The domain pack keeps “tape casting” under that very name; change it in the lexicon if that is wrong."
    )


# ------------------------------------------------------------------------------------------------------- gold set
def gold(bench: Workbench, tmp_path: Path, name: str = "gold.jsonl") -> list[dict[str, Any]]:
    out = tmp_path / name
    count = bench.export_gold(out)
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == count
    return lines


def test_the_gold_set_has_each_decided_fact_once_with_what_is_right(bench: Workbench, tmp_path: Path) -> None:
    gap = next(fact for fact in measured(bench, "band_gap") if fact.source.name == "GaN" and fact.quantity)
    made = next(fact for fact in bench.facts(type="SYNTHESIZED_BY") if fact.source.name == "GaN")
    first, second, third = of(bench, "Kryptosil")[:3]
    bench.accept([gap.id])
    bench.reject([made.id], "Not this one", "wrong-object")
    bench.edit(first.id, source="Bi2212")
    again = bench.decisions()[-1].after
    assert again is not None
    bench.edit(again.fact, source="YBa2Cu3O7")
    bench.accept([second.id])
    bench.reopen([second.id])
    bench.reject([third.id])
    bench.undo()
    lines = gold(bench, tmp_path)
    assert {line["fact"]: line["decision"] for line in lines} == {
        gap.id: "accepted", made.id: "rejected", first.id: "corrected"
    }  # fmt: skip
    by_fact = {line["fact"]: line for line in lines}
    one = by_fact[gap.id]
    assert one["paper"] == {"sha256": gap.evidence[0].evidence.paper, "title": "Second", "doi": ""}
    reading = one["reading"]
    begin, end = reading["subject"]["span"]
    assert one["sentence"][begin:end] == "GaN"
    begin, end = reading["value"]["span"]
    assert one["sentence"][begin:end] == "3.4 eV"
    assert (reading["value"]["si_unit"], reading["value"]["dimension"]) == ("J", "energy")
    assert reading["value"]["si_value"] == pytest.approx(3.4 * 1.602176634e-19)
    assert (reading["relation"], reading["property"], reading["object"]) == ("HAS_VALUE", "band_gap", None)
    assert 0 < reading["confidence"] <= 1
    assert one["context"]["before"] == ["Kryptosil was prepared by chemical vapor deposition."]
    assert one["context"]["after"] == ["GaN was grown by sputtering."]
    assert (by_fact[made.id]["rejection"], by_fact[made.id]["reason"]) == ("wrong-object", "Not this one")
    corrected = by_fact[first.id]
    assert corrected["reading"]["subject"]["text"] == "Kryptosil"
    assert corrected["correction"]["subject"]["text"] == "YBa2Cu3O7"  # the last correction counts


def test_the_gold_set_is_the_same_bytes_again(bench: Workbench, tmp_path: Path) -> None:
    bench.accept([fact.id for fact in bench.facts() if fact.type == "HAS_VALUE"])
    correct(bench, 2)
    gold(bench, tmp_path, "one.jsonl")
    bench.undo()
    bench.redo()
    gold(bench, tmp_path, "two.jsonl")
    one, two = (tmp_path / name for name in ("one.jsonl", "two.jsonl"))
    assert one.read_bytes() == two.read_bytes() != b""


def test_the_rules_are_scored_against_a_gold_set(
    bench: Workbench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gaps = [fact for fact in measured(bench, "band_gap") if fact.source.name in ("GaN", "ZnO")]
    made = next(fact for fact in bench.facts(type="SYNTHESIZED_BY") if fact.source.name == "GaN")
    bench.accept([gaps[0].id])
    bench.edit(gaps[1].id, value="3.2 eV")  # the rules will read 3.3 again
    bench.reject([made.id])
    gold(bench, tmp_path)
    assert main(["inspect", "gold", str(tmp_path / "gold.jsonl"), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["lines"], figures["sentences"]) == (3, 3)
    values = figures["relations"]["HAS_VALUE"]
    assert {name: values[name] for name in ("true", "found", "false", "false_found")} == {
        "true": 2, "found": 1, "false": 1, "false_found": 1
    }  # fmt: skip
    assert (values["precision"], values["recall"]) == (0.5, 0.5)
    assert figures["relations"]["SYNTHESIZED_BY"]["precision"] == 0.0
    assert figures["relations"]["SYNTHESIZED_BY"]["recall"] is None
    (tmp_path / "bad.jsonl").write_text('{"a": 1}\n', encoding="utf-8")
    assert main(["inspect", "gold", str(tmp_path / "bad.jsonl"), "--json"]) == 2
    assert "line 1 is not a line of a gold set" in json.loads(capsys.readouterr().out)["error"]["message"]


def test_boxes_of_a_real_page_go_into_the_gold_set(tmp_path: Path, sample_folder: Path) -> None:
    with Workbench(tmp_path / "pdf", SETTINGS, offline=True) as bench:
        bench.ingest(sorted(sample_folder.glob("*.pdf"))[:1])
        fact = bench.facts(type="HAS_VALUE")[0]
        bench.accept([fact.id])
        (line,) = gold(bench, tmp_path)
        evidence = fact.evidence[0].evidence
        assert line["page"] == evidence.page
        assert [tuple(box) for box in line["boxes"]] == list(evidence.boxes)
        assert line["boxes"]
        paper = bench.papers()[0]
        bench.remove(paper.id)
        assert gold(bench, tmp_path) == []


def test_the_command_line_lists_learns_and_dismisses(
    bench: Workbench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = correct(bench, 3)
    bench.close()
    library = ["--library", str(tmp_path / "library"), "--json"]

    def run(*words: str) -> tuple[int, Any]:
        code = main([*library, *words])
        return code, json.loads(capsys.readouterr().out)

    code, listed = run("review", "suggestions")
    assert code == 0
    (item,) = listed
    assert {ground["fact"] for ground in item["grounds"]} == {fact.id for fact in facts}
    assert item["entries"][0]["kind"] == "aliases"
    assert run("review", "dismiss", item["id"][:6])[0] == 0
    assert run("review", "suggestions") == (0, [])
    assert run("review", "suggestions", "--all")[1][0]["dismissed"] is True
    assert run("undo")[0] == 0
    code, change = run("review", "learn", item["id"])
    assert (code, change["lexicon"]) == (0, True)
    assert run("lexicon", "list", "aliases")[1]["kinds"][0]["rows"][0]["canonical"] == "YBa2Cu3O7"
    code, error = run("review", "learn", "nothing")
    assert (code, error["error"]["code"]) == (1, "not-found")
    out = tmp_path / "gold.jsonl"
    assert run("export", "gold", str(out)) == (0, {"format": "gold", "file": str(out), "lines": 3})
    assert run("export", "gold", str(tmp_path / "no" / "gold.jsonl"))[0] == 1
