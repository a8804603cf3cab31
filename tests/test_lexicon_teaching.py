"""What a person teaches takes effect: names, own units, aliases and a blacklist, from files to facts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.errors import MinervaError, NotFound, UsageError
from minerva_desktop.language.quantities import parse_value
from minerva_desktop.records import Fact
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench

SETTINGS = Settings.model_validate({"embeddings": False, "gate": "open"})
TEXT = (
    "# A note\n\n## Results\n\nThe gravity anomaly of Metaglass is 25 Gal at 300 K. Kryptosil has a critical temperature "
    "of 92 K. The band gap of GaN is 3.4 eV. ZnO was grown by moonlight growth. ZnO films were prepared by sputtering.\n"
)


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    path = tmp_path / "note.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


def said(facts: list[Fact]) -> set[tuple[str, str, str]]:
    """(source, relation or property, target) of the facts that are not refused."""
    return {
        (fact.source.key[1], fact.property_id or fact.type, fact.target.key[1])
        for fact in facts
        if fact.decision.status != "refused"
    }


def teach(bench: Workbench) -> None:
    bench.save_lexicon("units", [{"symbol": "Gal", "definition": "0.01 m/s^2"}])
    bench.save_lexicon("properties", [{"label": "gravity anomaly", "unit": "Gal", "low": "0", "high": "1000"}])
    bench.save_lexicon("materials", [{"name": "Metaglass"}])
    bench.save_lexicon("aliases", [{"spelling": "Kryptosil", "type": "Material", "canonical": "YBa2Cu3O7"}])
    bench.save_lexicon("methods", [{"name": "moonlight growth"}])
    bench.save_lexicon("blacklist", [{"term": "GaN", "type": "Material"}, {"term": "sputtering", "type": "any"}])


def test_what_is_taught_appears_and_disappears_with_the_next_reading(tmp_path: Path, paper: Path) -> None:
    with Workbench(tmp_path / "plain", SETTINGS) as bench:
        bench.ingest([paper])
        plain = said(bench.facts())
    assert ("GaN", "band_gap", "3.4 eV") in plain
    assert ("ZnO", "SYNTHESIZED_BY", "sputtering") in plain
    assert not any("Metaglass" in fact or "YBa2Cu3O7" in fact for fact in plain)
    with Workbench(tmp_path / "taught", SETTINGS) as bench:
        teach(bench)
        bench.ingest([paper])
        facts = said(bench.facts())
        value = next(fact for fact in bench.facts() if fact.property_id == "gravity_anomaly")
        assert value.quantity is not None
        assert (value.quantity.unit, value.quantity.si_value, value.quantity.dimension) == ("Gal", 0.25, "acceleration")
        assert value.claim == "The gravity anomaly of Metaglass is 25 Gal."
        assert bench.audit().ok
    assert ("Metaglass", "gravity_anomaly", "0.25 m/s2") in facts
    assert ("YBa2Cu3O7", "critical_temperature", "92 K") in facts
    assert ("ZnO", "SYNTHESIZED_BY", "moonlight growth") in facts
    assert not any("GaN" in fact or "sputtering" in fact for fact in facts)


def test_taking_an_alias_away_takes_its_effect_away(tmp_path: Path, paper: Path) -> None:
    other = paper.with_name("other.md")
    other.write_text(TEXT.replace("92 K", "91 K"), encoding="utf-8")
    with Workbench(tmp_path / "library", SETTINGS) as bench:
        teach(bench)
        bench.ingest([paper])
        bench.remove_from_lexicon("aliases", "Kryptosil")
        bench.ingest([other])
        found = said(bench.facts())
    assert ("YBa2Cu3O7", "critical_temperature", "92 K") in found
    assert ("YBa2Cu3O7", "critical_temperature", "91 K") not in found


def test_two_libraries_in_one_process_do_not_know_of_each_other(tmp_path: Path, paper: Path) -> None:
    with Workbench(tmp_path / "one", SETTINGS) as one, Workbench(tmp_path / "two", SETTINGS) as two:
        teach(one)
        two.save_lexicon("units", [{"symbol": "Gal", "definition": "3 m/s^2"}])
        two.save_lexicon("properties", [{"label": "gravity anomaly", "unit": "Gal"}])
        two.save_lexicon("materials", [{"name": "Metaglass"}])
        for bench in (one, two):
            bench.ingest([paper])
        values = {}
        for name, bench in (("one", one), ("two", two)):
            (fact,) = [item for item in bench.facts() if item.property_id == "gravity_anomaly"]
            assert fact.quantity is not None
            values[name] = fact.quantity.si_value
        assert values == {"one": 0.25, "two": 75.0}
        assert ("GaN", "band_gap", "3.4 eV") in said(two.facts())
    assert not parse_value("25 Gal").ok


def test_a_files_edit_takes_effect_at_once_and_is_in_the_history(tmp_path: Path, paper: Path) -> None:
    with Workbench(tmp_path / "library", SETTINGS) as bench:
        teach(bench)
        assert bench.domain.units
        file = bench.library.lexicon_folder / "units.csv"
        file.write_text("symbol;definition\nGal;2 m/s^2\n", encoding="utf-8")
        assert bench.domain.units[0].factor == 2
        bench.ingest([paper])
        assert "Edited units.csv outside the program" in [event["label"] for event in bench.history()]
        (fact,) = [item for item in bench.facts() if item.property_id == "gravity_anomaly"]
        assert fact.quantity is not None
        assert fact.quantity.si_value == 50.0
        bench.save_lexicon("units", [{"symbol": "Gal", "definition": "3 m/s^2"}])
        assert b";" in file.read_bytes()  # the person's separator is kept


def test_a_unit_of_ones_own_in_the_header_of_a_table(tmp_path: Path) -> None:
    paper = tmp_path / "table.md"
    paper.write_text(
        "# Note\n\n## Results\n\nTable 1. Data\n\n| Material | Gravity anomaly (Gal) | Band gap (eV) |\n|---|---|---|\n"
        "| GaN | 25 | 3.4 |\n| ZnO | 30 | 3.3 |\n",
        encoding="utf-8",
    )
    with Workbench(tmp_path / "library", SETTINGS) as bench:
        teach(bench)
        bench.save_lexicon("blacklist", [])
        bench.ingest([paper])
        found = said(bench.facts())
        assert bench.audit().ok
    assert {("GaN", "gravity_anomaly", "0.25 m/s2"), ("ZnO", "gravity_anomaly", "0.3 m/s2")} <= found
    assert {("GaN", "band_gap", "3.4 eV"), ("ZnO", "band_gap", "3.3 eV")} <= found


def test_a_correction_may_use_a_unit_of_ones_own(tmp_path: Path, paper: Path) -> None:
    with Workbench(tmp_path / "library", SETTINGS) as bench:
        teach(bench)
        bench.ingest([paper])
        (fact,) = [item for item in bench.facts() if item.property_id == "gravity_anomaly"]
        change = bench.edit(fact.id, value="30 Gal")
        corrected = [bench.fact(item) for item in change.facts]
        assert {item.quantity.si_value for item in corrected if item.quantity} == {0.25, 0.3}


def test_a_question_knows_the_names(tmp_path: Path, paper: Path) -> None:
    with Workbench(tmp_path / "library", SETTINGS) as bench:
        teach(bench)
        bench.ingest([paper])
        for question in ("What is the gravity anomaly of Metaglass?", "What is the critical temperature of Kryptosil?"):
            answer = bench.ask(question)
            assert answer.found
            text = " ".join(sentence.text for sentence in answer.sentences)
            assert ("0.25 m/s" if "gravity" in question else "92 K") in text


# ------------------------------------------------------------------------------------------------ undo and restart
def test_undo_after_a_restart_gives_the_old_lexicon_back(tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", SETTINGS) as bench:
        bench.save_lexicon("materials", [{"name": "Metaglass"}])
        change = bench.save_lexicon("materials", [{"name": "Metaglass"}, {"name": "Osmadur"}, {"name": "Ferrolan"}])
        assert change.label == "Added 2 materials to your lexicon"
    file = tmp_path / "library" / "lexicon" / "materials.csv"
    with Workbench(tmp_path / "library", SETTINGS) as bench:
        assert bench.stats()["undo_label"] == "Added 2 materials to your lexicon"
        done = bench.undo()
        assert done.lexicon
        assert names(bench, "materials") == ["Metaglass"]
        assert "Osmadur" not in file.read_text(encoding="utf-8")
        assert not any(item.name == "Osmadur" for item in bench.domain.materials)
    with Workbench(tmp_path / "library", SETTINGS) as bench:
        bench.redo()
        assert names(bench, "materials") == ["Metaglass", "Osmadur", "Ferrolan"]
        bench.undo()
        bench.undo()
        assert not file.exists()


def test_undo_never_loses_what_was_typed_elsewhere(tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", SETTINGS) as bench:
        bench.save_lexicon("materials", [{"name": "Metaglass"}])
        file = bench.library.lexicon_folder / "materials.csv"
        file.write_text("name\nMetaglass\nTyped by hand\n", encoding="utf-8")
        assert bench.undo().label == "Undid: Edited materials.csv outside the program"
        assert names(bench, "materials") == ["Metaglass"]
        bench.redo()
        assert names(bench, "materials") == ["Metaglass", "Typed by hand"]


def names(bench: Workbench, kind: str) -> list[str]:
    (found,) = [item for item in bench.lexicon()["kinds"] if item["kind"] == kind]
    return [row["name"] for row in found["rows"]]


def test_a_file_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", SETTINGS) as bench:
        folder = bench.library.lexicon_folder
        (folder / "materials.csv.part").mkdir(parents=True)
        with pytest.raises(MinervaError, match=r"materials\.csv in your lexicon cannot be written"):
            bench.save_lexicon("materials", [{"name": "Metaglass"}])
        assert names(bench, "materials") == []
        assert bench.stats()["undo_label"] == ""


def test_a_file_that_cannot_be_read_is_not_written_over(tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", SETTINGS) as bench:
        folder = bench.library.lexicon_folder
        folder.mkdir()
        data = "name\nGrünit\n".encode("utf-16")
        (folder / "materials.csv").write_bytes(data)
        with pytest.raises(MinervaError, match=r"materials\.csv.*not UTF-8"):
            bench.save_lexicon("materials", [{"name": "Metaglass"}])
        assert (folder / "materials.csv").read_bytes() == data
        (problem,) = bench.lexicon()["problems"]
        assert problem["text"].startswith("materials.csv, line 1: it is not UTF-8")


# -------------------------------------------------------------------------------------------------- rows by verb
def test_rows_are_added_changed_and_removed_by_name(tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", SETTINGS) as bench:
        bench.add_to_lexicon("materials", {"name": "Metaglass", "symbols": "MGX"})
        change = bench.add_to_lexicon("materials", {"name": "Metaglass", "synonyms": ["super glass", "metal glass"]})
        assert change.label == "Changed 1 material in your lexicon"
        (row,) = bench.lexicon()["kinds"][0]["rows"]
        assert (row["symbols"], row["synonyms"]) == ("MGX", "super glass;metal glass")
        with pytest.raises(UsageError, match="not a chemical formula"):
            bench.add_to_lexicon("materials", {"name": "Wrong", "formula": "Qq9"})
        with pytest.raises(UsageError, match="no column"):
            bench.add_to_lexicon("materials", {"nom": "Wrong"})
        with pytest.raises(NotFound, match="There is no “Wrong”"):
            bench.remove_from_lexicon("materials", "Wrong")
        assert bench.remove_from_lexicon("materials", "metaglass").label == "Removed 1 material from your lexicon"


def test_a_row_that_does_not_validate_is_kept_and_the_others_work(tmp_path: Path) -> None:
    with Workbench(tmp_path / "library", SETTINGS) as bench:
        rows: list[dict[str, Any]] = [{"name": "Metaglass"}, {"name": "Wrong", "formula": "Qq9"}]
        bench.save_lexicon("materials", rows)
        assert names(bench, "materials") == ["Metaglass", "Wrong"]
        assert bench.lexicon()["kinds"][0]["count"] == 1
        (problem,) = bench.lexicon()["problems"]
        assert (problem["line"], problem["row"], problem["column"]) == (3, 1, "formula")
        assert any(item.name == "Metaglass" for item in bench.domain.materials)


def test_import_takes_the_good_rows_and_names_the_others(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("name;formula\nMetaglass;\nWrong;Qq9\nNiborite;NiB2\n", encoding="utf-8-sig")
    with Workbench(tmp_path / "library", SETTINGS) as bench:
        done = bench.import_lexicon("materials", file)
        assert done.taken == 2
        assert [(item.file, item.line) for item in done.problems] == [("mine.csv", 3)]
        assert names(bench, "materials") == ["Metaglass", "Niborite"]
        written = bench.export_lexicon(tmp_path / "out")
        assert [path.name for path in written] == ["materials.csv"]
        with pytest.raises(UsageError, match="is there already"):
            bench.export_lexicon(tmp_path / "out")
    with Workbench(tmp_path / "second", SETTINGS) as bench:
        assert bench.import_lexicon("materials", written[0]).taken == 2


# -------------------------------------------------------------------------------------------------------- manifest
def test_a_job_says_what_it_was_made_of(tmp_path: Path, paper: Path) -> None:
    manifests = []
    for name in ("one", "two"):
        with Workbench(tmp_path / name, SETTINGS) as bench:
            teach(bench)
            report = bench.ingest([paper, tmp_path / "missing.pdf"])
            manifests.append(bench.job(report.job)["manifest"])
    first = manifests[0]
    assert first == manifests[1]
    assert first["domain"]["name"] == "materials"
    assert len(first["domain"]["sha256"]) == len(first["lexicon"]["sha256"]) == 64
    assert first["lexicon"]["counts"]["blacklist"] == 2
    assert first["settings"]["gate"] == "open"
    assert [len(item["sha256"]) for item in first["inputs"]] == [64, 0]
    assert not any(word in str(first).casefold() for word in ("time", "created", str(tmp_path / "one")))


def test_a_job_taken_up_with_another_lexicon_keeps_both(tmp_path: Path) -> None:
    from minerva_desktop.events import CancelToken, Progress

    papers = []
    for number in range(3):
        papers.append(tmp_path / f"note-{number}.md")
        papers[-1].write_text(TEXT.replace("3.4", f"3.{number}"), encoding="utf-8")
    token = CancelToken()

    def stop(step: Progress) -> None:
        if step.status:
            token.cancel()

    with Workbench(tmp_path / "library", SETTINGS) as bench:
        report = bench.ingest(papers, progress=stop, cancel=token)
        assert report.cancelled
        teach(bench)
        bench.resume(report.job)
        manifest = bench.job(report.job)["manifest"]
    assert manifest["earlier"][0]["lexicon"]["sha256"] == ""
    assert manifest["lexicon"]["sha256"]
    assert len(manifest["inputs"]) == 3


# ---------------------------------------------------------------------------------------------------- read again
def test_papers_are_read_again_with_the_present_lexicon_and_decisions_stay(tmp_path: Path, paper: Path) -> None:
    with Workbench(tmp_path / "library", Settings.model_validate({"embeddings": False})) as bench:
        bench.ingest([paper])
        by_name = {(fact.source.key[1], fact.property_id or fact.type): fact for fact in bench.facts()}
        bench.accept([by_name["GaN", "band_gap"].id])
        bench.reject([by_name["ZnO", "SYNTHESIZED_BY"].id], "not so")
        teach(bench)
        bench.remove_from_lexicon("blacklist", "sputtering")
        report = bench.reextract()
        assert [(line.file, line.status) for line in report.papers] == [("note.md", "ok")]
        after = {
            (fact.source.key[1], fact.property_id or fact.type, fact.target.key[1]): fact for fact in bench.facts()
        }
        assert ("Metaglass", "gravity_anomaly", "0.25 m/s2") in after
        assert ("YBa2Cu3O7", "critical_temperature", "92 K") in after
        # What a person accepted stays, although GaN is on the blacklist by now; the rest of it is gone.
        kept = after["GaN", "band_gap", "3.4 eV"]
        assert (kept.decision.status, kept.by_person) == ("accepted", True)
        assert ("GaN", "HAS_PROPERTY", "band gap") not in after
        assert after["ZnO", "SYNTHESIZED_BY", "sputtering"].decision.status == "refused"
        assert bench.audit().ok
        job = bench.job(report.job)
        assert (job["kind"], job["status"], job["manifest"]["lexicon"]["counts"]["materials"]) == (
            "reextract",
            "done",
            1,
        )
        assert job["manifest"]["inputs"][0]["sha256"] == bench.papers()[0].id


def test_reading_again_twice_changes_nothing(tmp_path: Path, paper: Path) -> None:
    from minerva_desktop.exchange import write_canonical

    with Workbench(tmp_path / "library", SETTINGS) as bench:
        teach(bench)
        bench.ingest([paper])
        write_canonical(bench.library, tmp_path / "before")
        bench.reextract(["note.md"])
        write_canonical(bench.library, tmp_path / "after")
    assert (tmp_path / "before").read_bytes() == (tmp_path / "after").read_bytes()


def test_a_correction_can_be_undone_after_reading_again(tmp_path: Path, paper: Path) -> None:
    with Workbench(tmp_path / "library", SETTINGS) as bench:
        bench.ingest([paper])
        (gap,) = [fact for fact in bench.facts() if fact.property_id == "band_gap"]
        bench.edit(gap.id, source="AlN")
        bench.reextract()
        assert ("AlN", "band_gap", "3.4 eV") in said(bench.facts())
        bench.undo()
        found = said(bench.facts())
        assert ("GaN", "band_gap", "3.4 eV") in found
        assert ("AlN", "band_gap", "3.4 eV") not in found
        assert bench.audit().ok


def test_a_stopped_re_reading_is_taken_up_again(tmp_path: Path) -> None:
    from minerva_desktop.events import CancelToken, Progress

    papers = []
    for number in range(3):
        papers.append(tmp_path / f"note-{number}.md")
        papers[-1].write_text(TEXT.replace("3.4", f"3.{number}"), encoding="utf-8")
    token = CancelToken()

    def stop(step: Progress) -> None:
        if step.status:
            token.cancel()

    with Workbench(tmp_path / "library", SETTINGS) as bench:
        bench.ingest(papers)
        report = bench.reextract(progress=stop, cancel=token)
        assert (report.cancelled, len(report.papers)) == (True, 1)
        assert len(bench.resume(report.job).papers) == 2
        with pytest.raises(NotFound):
            bench.reextract(["no such paper"])
