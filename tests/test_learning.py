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
    assert item.reason.startswith("You corrected “Kryptosil” to “YBa2Cu3O7” three times, in 3 sentences of ")
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
    with pytest.raises(UsageError, match="This is not learnt. You also accepted"):
        bench.learn(item.id)
    bench.undo()
    assert not only(bench).against


def test_another_correction_of_the_name_speaks_against_it(bench: Workbench) -> None:
    correct(bench, 3)
    correct(bench, 1, "Bi2212")
    assert only(bench).against == "You decided otherwise too: you corrected “Kryptosil” to “Bi2212” once."


def test_two_compositions_are_never_made_one(bench: Workbench) -> None:
    facts = [item for item in bench.facts() if item.source.name == "GaN"]
    assert len(facts) >= 2
    (more,) = [item for item in bench.facts() if item.source.name == "ZnO"]
    for fact in [*facts[:2], more]:
        bench.edit(fact.id, source="GaAs")
    assert bench.suggestions() == []  # two of one name and one of another are not three
    for fact in of(bench, "Kryptosil")[:3]:
        bench.edit(fact.id, source="krypton-free GaN")
    assert not only(bench).against


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
        text = "Kryptosil is used in magnets, sensors, lasers and transistors."
        file.write_text(f"# List\n\n## Results\n\n{text}\n", encoding="utf-8")
        bench.save_lexicon("materials", [{"name": "Kryptosil"}])
        bench.ingest([file])
        bench.save_lexicon("materials", [])
        facts = of(bench, "Kryptosil")
        assert len(facts) >= 3
        for fact in facts:
            bench.edit(fact.id, source="YBa2Cu3O7")
        assert bench.suggestions() == []


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
