"""Values of a property across papers: one unit, one row for each paper, everything that is known of how it was measured."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from minerva_desktop import measurements
from minerva_desktop.errors import NotFound, UsageError
from minerva_desktop.measurements.listed import conditions_by_item
from minerva_desktop.measurements.tables import others_sentence, unit_words, value_words
from minerva_desktop.records import Condition, MeasuredValue
from tests.values_support import library_of

GAPS = {
    "Optical study": "The band gap of GaN is 3.40 ± 0.02 eV at 300 K. The band gap of AlN is 6.2 eV.",
    "Second study": "The band gap of GaN is 3390 meV. The band gap of ZnO is 3.2–3.4 eV. The band gap of InN may be 0.7 eV.",
    "Third study": "The band gap of GaN is 3.4 eV [12]. The density of GaN is 6.15 g/cm3.",
}


def test_all_values_come_in_one_unit_with_their_papers_and_sentences(tmp_path: Path) -> None:
    with library_of(tmp_path, GAPS) as bench:
        report = bench.values("band gap", unit="meV")
        assert (report.property_id, report.unit) == ("band_gap", "meV")
        gan = report.materials[0]
        assert (gan.material, gan.count, gan.works) == ("GaN", 3, 3)
        assert [value.value for value in gan.values] == [3390.0, 3400.0, 3400.0]
        assert (gan.median, gan.low, gan.high) == (3400.0, 3390.0, 3400.0)
        measured = next(value for value in gan.values if value.uncertainty)
        assert measured.uncertainty == pytest.approx(20.0)
        assert (measured.temperature, measured.title, measured.own) == (300.0, "Optical study", True)
        assert measured.quote == "The band gap of GaN is 3.40 ± 0.02 eV at 300 K."
        assert bench.fact(measured.facts[0]).evidence[0].id == measured.evidence_ids[0]
        cited = next(value for value in gan.values if value.title == "Third study")
        assert not cited.own
        zno = next(group for group in report.materials if group.material == "ZnO").values[0]
        assert (zno.kind, zno.low, zno.high, zno.middle) == ("range", 3200.0, 3400.0, 3300.0)
        assert [(item.reason, item.count) for item in report.left_out] == [("only supposed by the paper", 1)]
        assert "InN" not in [group.material for group in report.materials]


def test_materials_units_and_status_can_be_chosen(tmp_path: Path) -> None:
    with library_of(tmp_path, GAPS, gate="strict") as bench:
        assert {value.status for value in bench.values("band_gap").values} == {"waiting"}
        assert bench.values("band_gap", status="accepted").values == ()
        bench.accept([bench.values("band_gap", ["AlN"]).values[0].facts[0]])
        assert [value.material for value in bench.values("Eg", status="accepted").values] == ["AlN"]
        assert [group.material for group in bench.values("band_gap", ["gallium nitride"]).materials] == ["GaN"]
        assert {"eV", "meV"} <= set(bench.values("band_gap").units)
        with pytest.raises(UsageError, match="not a unit"):
            bench.values("band_gap", unit="furlongs of nothing")
        with pytest.raises(NotFound, match="no property"):
            bench.values("taste")
        with pytest.raises(NotFound, match="no material"):
            bench.values("band_gap", ["unobtainium"])


def test_values_of_another_dimension_are_left_out_and_said(tmp_path: Path) -> None:
    papers = {"One": "The formation energy of GaN is 1.2 eV. The formation energy of AlN is 300 kJ/mol."}
    with library_of(tmp_path, papers) as bench:
        report = bench.values("formation energy")
        assert [group.material for group in report.materials] == ["GaN"]
        assert [(item.count, item.examples) for item in report.left_out] == [(1, ("300 kJ/mol",))]
        assert "molar energy" in report.left_out[0].reason
        other = bench.values("formation energy", unit="kJ/mol")
        assert [(group.material, group.median) for group in other.materials] == [("AlN", 300.0)]


def test_temperatures_keep_their_zero_point_and_uncertainties_do_not_get_one(tmp_path: Path) -> None:
    papers = {"One": "The melting point of GaN is 2500 ± 10 °C."}
    with library_of(tmp_path, papers) as bench:
        value = bench.values("melting point", unit="K").values[0]
        assert (value.value, value.uncertainty) == (2773.15, 10.0)
        assert value_words(bench.values("melting point").values[0], "°C") == "2500 ± 10 °C"


def test_what_a_paper_says_twice_is_one_value(tmp_path: Path) -> None:
    papers = {"One": "The band gap of GaN is 3.4 eV at 300 K. We conclude that GaN has a band gap of 3.40 eV."}
    with library_of(tmp_path, papers) as bench:
        report = bench.values("band_gap")
        assert len(report.values) == 1
        assert report.values[0].temperature == 300.0
        assert len(report.values[0].evidence_ids) == 2


def test_conditions_of_listed_values_go_to_the_value_at_their_place() -> None:
    sentence = "The conductivity is 46.5, 48.8 and 19.7 S/cm for x = 0.05, 0.10 and 0.15 in air."
    conditions = (Condition("composition", "x = 0.05", 0.05), Condition("atmosphere", "air"))
    found = conditions_by_item(sentence, conditions, 3)
    assert [[item.text for item in part] for part in found] == [
        ["x = 0.05", "air"],
        ["x = 0.10", "air"],
        ["x = 0.15", "air"],
    ]
    two = conditions_by_item(
        "It is 310 and 550 S/cm in hydrogen and air atmospheres.", (Condition("atmosphere", "hydrogen"),), 2
    )
    assert [part[0].text for part in two] == ["hydrogen", "air"]
    assert conditions_by_item(sentence, (Condition("composition", "x = 0.05", 0.05),), 2) == [(), ()]


def test_csv_has_every_value_and_no_formula_of_a_spreadsheet(tmp_path: Path) -> None:
    with library_of(tmp_path, GAPS) as bench:
        report = bench.values("band_gap")
        rows = list(csv.DictReader(io.StringIO(measurements.csv_text(report))))
        assert len(rows) == len(report.values)
        assert {row["unit"] for row in rows} == {"eV"}
        assert next(row for row in rows if row["uncertainty"])["temperature_K"] == "300.0"
    evil = MeasuredValue("i", ("f",), "GaN", "value", "3 eV", 3.0, title="=1+1", quote="+cmd|' /C calc'!A0")
    text = measurements.csv_text(report, [evil])
    assert next(csv.DictReader(io.StringIO(text)))["title"] == "'=1+1"
    assert next(csv.DictReader(io.StringIO(text)))["quote"].startswith("'+")


def test_numbers_and_units_are_written_as_in_print() -> None:
    def shown(written: str, number: float, spread: float | None = None) -> str:
        return value_words(MeasuredValue("i", ("f",), "X", "value", written, number, uncertainty=spread), "cm^2/(V s)")

    assert shown("1100 cm2/Vs", 1100.0) == "1100 cm²/(V s)"
    assert shown("1.2e7", 1.2e7) == "1.2×10⁷ cm²/(V s)"
    assert shown("3.9066(1) Å", 0.39066, 0.00001) == "0.39066 ± 0.00001 cm²/(V s)"
    assert shown("x", 1.2e7, 5e5) == "(1.20 ± 0.05)×10⁷ cm²/(V s)"
    assert unit_words("uV/K") == "µV/K"
    assert unit_words("MPa m^0.5") == "MPa m^0.5"


def test_what_other_papers_say_is_one_sentence(tmp_path: Path) -> None:
    with library_of(tmp_path, {**GAPS, "Fourth": "The band gap of GaN is 3.2 eV at 10 K."}) as bench:
        fact = bench.values("band_gap", ["GaN"]).values[0].facts[0]
        unit, others = bench.other_values(fact)
        assert others_sentence(others, unit) == "Two other papers say 3.39 eV and 3.40 ± 0.02 eV (300 K)."
        lonely = bench.values("band_gap", ["AlN"]).values[0].facts[0]
        assert others_sentence(bench.other_values(lonely)[1], "eV") == ""
